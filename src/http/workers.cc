#include "http/workers.h"

#include <chrono>
#include <thread>
#include <utility>

namespace gh::http {
namespace {

constexpr std::chrono::seconds kRest{10};

}  // namespace

bool Workers::post(Work work) {
  const std::lock_guard lock(mutex_);
  if (is_stopping_ || queue_.size() >= bounds_.queued) return false;
  queue_.push_back(std::move(work));
  add_thread_if_needed();
  return true;
}

void Workers::add_thread_if_needed() {
  if (queue_.empty()) return;
  const bool is_full =
      threads_ >= bounds_.threads || threads_ - waiting_ >= bounds_.working + resting_;
  if (resting_ >= queue_.size() || is_full) return something_.notify_one();
  ++threads_;
  std::thread([this] { this->work(); }).detach();  // `stop` waits for all of them
}

void Workers::Shift::will_wait() {
  const std::lock_guard lock(workers_.mutex_);
  if (waits_) return;
  waits_ = true;
  ++workers_.waiting_;
  workers_.add_thread_if_needed();
}

bool Workers::stop(std::int64_t within_ms) {
  std::unique_lock lock(mutex_);
  is_stopping_ = true;
  something_.notify_all();
  const auto is_empty = [this] { return threads_ == 0; };
  if (within_ms >= 0)
    return nothing_.wait_for(lock, std::chrono::milliseconds(within_ms), is_empty);
  nothing_.wait(lock, is_empty);
  return true;
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++resting_;
    something_.wait_for(lock, kRest, [this] { return !queue_.empty() || is_stopping_; });
    --resting_;
    if (queue_.empty()) break;  // not needed any more
    auto next = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    Shift shift(*this);
    next(shift);
    next = nullptr;  // what it holds is let go before the lock is taken
    lock.lock();
    if (shift.waits_) --waiting_;
    // Those who waited are back: too many would work at once.
    if (threads_ - waiting_ > bounds_.working) break;
  }
  --threads_;
  if (threads_ == 0) nothing_.notify_all();  // under the lock: the owner may be destroyed after it
}

}  // namespace gh::http
