#include "base/in_parts.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace gh {
namespace {

constexpr std::size_t kMaxThreads = 4;

}  // namespace

void in_parts(std::size_t count, std::size_t least,
              const std::function<void(std::size_t from, std::size_t to)>& work) {
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

void in_order(std::size_t count, std::size_t size,
              const std::function<void(std::size_t from, std::size_t to, std::string& out)>& make,
              const std::function<void(std::string_view)>& take) {
  const std::size_t parts = (count + size - 1) / size;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::condition_variable has_turned;
  std::size_t turn = 0;
  // Whoever has the first part that is not taken yet never waits. One that failed would be waited
  // for without end, so nothing may.
  const auto work = [&]() noexcept {
    std::string text;  // its memory serves all parts of the thread
    for (std::size_t part = next++; part < parts; part = next++) {
      text.clear();
      make(part * size, std::min(count, (part + 1) * size), text);
      std::unique_lock lock(mutex);
      has_turned.wait(lock, [&] { return turn == part; });
      take(text);
      ++turn;
      has_turned.notify_all();
    }
  };
  in_parts(std::min(kMaxThreads, parts), 1, [&](std::size_t, std::size_t) { work(); });
}

}  // namespace gh
