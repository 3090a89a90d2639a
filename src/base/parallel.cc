#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace gh {

void run_all(unsigned jobs, std::span<const std::function<void()>> tasks) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < tasks.size();)
      tasks[i]();
  };
  const std::size_t wanted = std::min<std::size_t>(
      jobs != 0 ? jobs : std::max(1u, std::thread::hardware_concurrency()), tasks.size());
  std::vector<std::jthread> threads;
  try {
    for (std::size_t i = 1; i < wanted; ++i)
      threads.emplace_back(work);
  } catch (const std::system_error&) {  // no thread to be had: the rest is done here
  }
  work();
}

}  // namespace gh
