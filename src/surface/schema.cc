#include "surface/schema.h"

#include "base/digest.h"
#include "wire/spaced_json.h"

namespace gh::surface {

std::string identity_hash(std::string_view text) {
  constexpr std::size_t kBytes = 8;
  return to_hex(raw_hash(HashKind::sha256, text).substr(0, kBytes));
}

std::string stable_hash(const Value& value) {
  return identity_hash(wire::identity_json(value, kNotIdentity));
}

std::string stable_hash(const Map& map) {
  return identity_hash(wire::identity_json(map, kNotIdentity));
}

std::string text_hash(std::string_view text) {
  std::string json;
  wire::append_spaced_json_or_null(json, text);
  return identity_hash(json);
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

void Schema::append_identity(std::string& out) const {
  const std::size_t at = out.size();
  wire::append_identity_json(out, held_->value, kNotIdentity);
  std::call_once(held_->once,
                 [&] { held_->hash = identity_hash(std::string_view(out).substr(at)); });
}

}  // namespace gh::surface
