#include "surface/schema.h"

#include "base/digest.h"
#include "wire/spaced_json.h"

namespace gh::surface {

namespace {

std::string short_hash(std::string_view text) {
  constexpr std::size_t kHashLength = 16;
  return digest_of(text).hex().substr(0, kHashLength);
}

}  // namespace

std::string stable_hash(const Value& value) {
  return short_hash(wire::identity_json(value, kNotIdentity));
}

std::string stable_hash(const Map& map) {
  return short_hash(wire::identity_json(map, kNotIdentity));
}

Schema::Schema() {
  static const auto nothing = [] {
    auto held = std::make_shared<Held>();
    held->value = Map{};
    return held;
  }();
  held_ = nothing;
}

Schema::Schema(Map map) : held_(std::make_shared<Held>()) { held_->value = std::move(map); }

const std::string& Schema::hash() const {
  std::call_once(held_->once, [&] { held_->hash = stable_hash(held_->value); });
  return held_->hash;
}

std::string Schema::identity() const {
  std::string text = wire::identity_json(held_->value, kNotIdentity);
  std::call_once(held_->once, [&] { held_->hash = short_hash(text); });
  return text;
}

}  // namespace gh::surface
