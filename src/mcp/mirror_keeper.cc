#include <chrono>
#include <utility>

#include "mcp/inside.h"

namespace gh::mcp {
namespace {

constexpr auto kEvery = std::chrono::seconds(2);

}  // namespace

MirrorKeeper::~MirrorKeeper() {
  thread_.request_stop();
  turn_.notify_all();
}

void MirrorKeeper::add(const std::string& folder) {
  const std::lock_guard lock(mutex_);
  if (!known_.insert(folder).second) return;
  fresh_.push_back(std::make_unique<ops::RegistryMirror>(folder));
  if (!thread_.joinable())
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  turn_.notify_all();
}

void MirrorKeeper::run(const std::stop_token& stop) {
  std::vector<std::unique_ptr<ops::RegistryMirror>> kept;
  while (!stop.stop_requested()) {
    for (auto& mirror : take_fresh())
      kept.push_back(std::move(mirror));
    std::erase_if(kept, [&](const auto& mirror) { return !mirror->refresh(env_); });
    std::unique_lock lock(mutex_);
    const auto has_more = [this] { return !fresh_.empty(); };
    if (kept.empty())
      turn_.wait(lock, stop, has_more);
    else
      turn_.wait_for(lock, stop, kEvery, has_more);
  }
}

std::vector<std::unique_ptr<ops::RegistryMirror>> MirrorKeeper::take_fresh() {
  const std::lock_guard lock(mutex_);
  return std::exchange(fresh_, {});
}

}  // namespace gh::mcp
