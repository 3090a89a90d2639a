#include "ops/heart.h"

#include <algorithm>
#include <utility>

namespace gh::ops {

Heart::Call::Call(Heart& heart, Beat beat) : heart_(heart) {
  const std::lock_guard lock(heart_.mutex_);
  heart_.running_.push_front({std::move(beat), Clock::now() + heart_.first_});
  self_ = heart_.running_.begin();
  if (!heart_.thread_.joinable())
    heart_.thread_ = std::jthread([&heart](const std::stop_token& stop) { heart.run(stop); });
  else if (self_->due < heart_.wakes_at_)
    heart_.changed_.notify_all();
}

Heart::Call::~Call() {
  std::unique_lock lock(heart_.mutex_);
  heart_.changed_.wait(lock, [this] { return !self_->is_beating; });
  heart_.running_.erase(self_);
}

// It wakes at the time it set itself, also when that call is over: the calls after it are due
// later, and need not wake it.
void Heart::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const auto next = std::ranges::min_element(running_, {}, &Running::due);
    if (next == running_.end()) {
      wakes_at_ = Clock::time_point::max();
      changed_.wait(lock, stop, [this] { return !running_.empty(); });
    } else if (Clock::now() < next->due) {
      wakes_at_ = next->due;
      changed_.wait_until(lock, stop, next->due, [this] {
        return std::ranges::any_of(running_,
                                   [this](const Running& r) { return r.due < wakes_at_; });
      });
    } else {
      next->is_beating = true;
      lock.unlock();
      const Seconds wait = next->beat();
      lock.lock();
      next->is_beating = false;
      next->due = Clock::now() + wait;
      changed_.notify_all();
    }
  }
}

}  // namespace gh::ops
