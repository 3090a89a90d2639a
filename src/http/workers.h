#pragma once
// Threads for work that takes long. Few work at a time, first come, first served; whoever says that
// it will wait for somebody else (a person behind a client may take minutes) is counted no more, so
// that others are served meanwhile. Threads leave when they are not needed.
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

namespace gh::http {

/// How many work at a time on so many processors. A call mostly waits for git, whose processes want
/// the same processors: two calls for each keep them busy, more only take turns at it and make
/// everybody wait longer. With less than four, one long call would be felt by all.
constexpr std::size_t working_on(std::size_t processors) {
  constexpr std::size_t kFewest = 4, kEach = 2;
  return processors * kEach < kFewest ? kFewest : processors * kEach;
}

class Workers {
 public:
  struct Bounds {
    std::size_t working = working_on(0);
    std::size_t threads = 256;
    std::size_t queued = 1024;
  };
  /// The time of one piece of work.
  class Shift {
   public:
    void will_wait();  // for somebody else, and not for long work of its own; once is enough

   private:
    friend class Workers;
    explicit Shift(Workers& workers) : workers_(workers) {}
    Workers& workers_;
    bool waits_ = false;
  };
  using Work = std::function<void(Shift&)>;
  explicit Workers(Bounds bounds) : bounds_(bounds) {}
  ~Workers() { (void)stop(-1); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// False: too much waits already, or the workers are stopped; the work is not done.
  bool post(Work work);
  /// Takes nothing new, and waits until everything is done, but not longer than this; negative: as
  /// long as it takes. False: something still runs.
  bool stop(std::int64_t within_ms);

 private:
  void work();
  void add_thread_if_needed();  // under mutex_

  const Bounds bounds_;
  std::mutex mutex_;
  std::condition_variable something_, nothing_;
  std::deque<Work> queue_;
  std::size_t threads_ = 0, resting_ = 0, waiting_ = 0;
  bool is_stopping_ = false;
};

}  // namespace gh::http
