#pragma once
// What happens again and again while a long call runs, as the renewal of a lease (change control
// reference, "Leases"). A short call costs no more than a note of it.
#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <stop_token>
#include <thread>

namespace gh::ops {

/// One thread for all calls of an agent, started with the first of them. Thread-safe.
class Heart {
 public:
  using Seconds = std::chrono::seconds;
  using Beat = std::function<Seconds()>;  // beats, and tells how long to wait until the next time

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    Beat beat;
    Clock::time_point due;
    bool is_beating = false;
  };

 public:
  explicit Heart(Seconds first) : first_(first) {}
  Heart(const Heart&) = delete;
  Heart& operator=(const Heart&) = delete;

  /// The heart beats for it while it lives. It ends between two beats.
  class Call {
   public:
    Call(Heart&, Beat);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    Heart& heart_;
    std::list<Running>::iterator self_{};
  };

 private:
  void run(const std::stop_token&);

  const Seconds first_;
  std::mutex mutex_{};
  std::condition_variable_any changed_{};
  std::list<Running> running_{};
  Clock::time_point wakes_at_ = Clock::time_point::max();
  std::jthread thread_{};  // last: it ends before what it uses
};

}  // namespace gh::ops
