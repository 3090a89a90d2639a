#pragma once
// Who acts, as authenticated (interfaces 0.6). Authority comes from roles, never from a label.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh {

struct Actor {
  std::string name;                  // local:<uid> without token or key
  std::string kind = "human";        // human, agent, gate
  std::string via = "local";         // token, key, local
  std::vector<std::string> roles{};  // of the token
};

Actor local_actor(std::uint32_t user_id);
Value to_value(const Actor&);
Actor actor_from(const Value&);  // what to_value wrote; members that are missing are empty

/// Without a registry of actors `local:<uid>` holds all roles, a token those that it lists, and
/// nobody else holds any.
bool holds_role(const Actor&, std::string_view role);

}  // namespace gh
