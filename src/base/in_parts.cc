#include "base/in_parts.h"

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

namespace gh {

void in_parts(std::size_t count, std::size_t least,
              const std::function<void(std::size_t from, std::size_t to)>& work) {
  constexpr std::size_t kMaxThreads = 4;
  const std::size_t wanted = std::min(kMaxThreads, count / std::max<std::size_t>(least, 1));
  if (wanted < 2) return work(0, count);
  const std::size_t threads =
      std::min(wanted, std::max<std::size_t>(std::thread::hardware_concurrency(), 1));
  std::vector<std::jthread> others;
  std::size_t from = 0;
  for (std::size_t i = 1; i < threads; ++i) {
    const std::size_t to = count * i / threads;
    try {
      others.emplace_back([&work, from, to] { work(from, to); });
    } catch (const std::system_error&) {
      break;  // no thread to be had: the rest is done here
    }
    from = to;
  }
  work(from, count);
}

}  // namespace gh
