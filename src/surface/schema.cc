#include "surface/schema.h"

#include "base/digest.h"
#include "wire/spaced_json.h"

namespace gh::surface {

std::string stable_hash(const Value& value) {
  constexpr std::size_t kHashLength = 16;
  return digest_of(wire::identity_json(value, kNotIdentity)).hex().substr(0, kHashLength);
}

Schema::Schema() {
  static const auto nothing = std::make_shared<Held>(Held{Map{}});
  held_ = nothing;
}

Schema::Schema(Map map) : held_(std::make_shared<Held>(Held{std::move(map)})) {}

const std::string& Schema::hash() const {
  if (held_->hash.empty()) held_->hash = stable_hash(held_->value);
  return held_->hash;
}

}  // namespace gh::surface
