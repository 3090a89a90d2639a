#pragma once
// Threads for work that waits: a call that asks the person behind the client may take minutes, so
// threads are added while all of them are busy, and leave when they are not needed.
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

namespace gh::http {

class Workers {
 public:
  struct Bounds {
    std::size_t threads = 64;
    std::size_t waiting = 1024;
  };
  explicit Workers(Bounds bounds) : bounds_(bounds) {}
  ~Workers() { (void)stop(-1); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// False: too much waits already, or the workers are stopped; the work is not done.
  bool post(std::function<void()> work);
  /// Takes nothing new, and waits until everything is done, but not longer than this; negative: as
  /// long as it takes. False: something still runs.
  bool stop(std::int64_t within_ms);

 private:
  void work();

  const Bounds bounds_;
  std::mutex mutex_;
  std::condition_variable something_, nothing_;
  std::deque<std::function<void()>> queue_;
  std::size_t threads_ = 0, resting_ = 0;
  bool is_stopping_ = false;
};

}  // namespace gh::http
