#include "model/actor.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace gh {
namespace {
constexpr std::array<std::string_view, 4> kRoles{"agent", "reviewer", "promoter", "admin"};
}  // namespace

Actor local_actor(std::uint32_t user_id) {
  return {.name = fmt::format("local:{}", user_id), .kind = "human", .via = "local"};
}

Value to_value(const Actor& actor) {
  return Map{{"name", actor.name}, {"kind", actor.kind}, {"via", actor.via}};
}

Actor actor_from(const Value& value) {
  const auto text = [&](std::string_view key) {
    const Value* found = value.as_map() != nullptr ? value.as_map()->find(key) : nullptr;
    return found != nullptr && found->as_string() != nullptr ? *found->as_string() : std::string();
  };
  return {.name = text("name"), .kind = text("kind"), .via = text("via")};
}

bool holds_role(const Actor& actor, std::string_view role) {
  if (std::ranges::find(kRoles, role) == kRoles.end()) return false;
  if (actor.via == "token") return std::ranges::find(actor.roles, role) != actor.roles.end();
  return actor.via == "local";
}

}  // namespace gh
