#include "http/workers.h"

#include <chrono>
#include <thread>
#include <utility>

namespace gh::http {
namespace {

constexpr std::chrono::seconds kRest{10};

}  // namespace

bool Workers::post(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  if (is_stopping_ || queue_.size() >= bounds_.waiting) return false;
  queue_.push_back(std::move(work));
  if (resting_ >= queue_.size() || threads_ >= bounds_.threads) {
    something_.notify_one();
    return true;
  }
  ++threads_;
  std::thread([this] { this->work(); }).detach();  // `stop` waits for all of them
  return true;
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
    next();
    next = nullptr;  // what it holds is let go before the lock is taken
    lock.lock();
  }
  --threads_;
  if (threads_ == 0) nothing_.notify_all();  // under the lock: the owner may be destroyed after it
}

}  // namespace gh::http
