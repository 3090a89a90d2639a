#include "serve/stream_places.h"

namespace gh::serve {

std::shared_ptr<void> StreamPlaces::take(const std::string& key) {
  const std::lock_guard lock(taken_->mutex);
  std::size_t& now = taken_->by_key[key];
  if (now >= each_) return nullptr;
  ++now;
  return {taken_.get(), [taken = taken_, key](void*) {
            const std::lock_guard giving_back(taken->mutex);
            if (--taken->by_key[key] == 0) taken->by_key.erase(key);
          }};
}

}  // namespace gh::serve
