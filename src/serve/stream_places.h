#pragma once
// How many streams that do not end by themselves somebody may have open at once. A place is given
// back when its holder is gone, however that happened. Thread-safe.
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace gh::serve {

class StreamPlaces {
 public:
  explicit StreamPlaces(std::size_t each) : each_(each), taken_(std::make_shared<Taken>()) {}

  /// Null: this key has as many as it may. A place may outlive this object.
  std::shared_ptr<void> take(const std::string& key);

 private:
  struct Taken {
    std::mutex mutex{};
    std::map<std::string, std::size_t> by_key{};
  };
  const std::size_t each_;
  std::shared_ptr<Taken> taken_;
};

}  // namespace gh::serve
