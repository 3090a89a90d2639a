#pragma once
// The door that agent hosts use: `gatehouse hook <host>`. It is apart from the others because it
// must be fast and because its exit status has a meaning of its own: 0 or 2, and never 1, which
// every host takes for a warning.
#include <optional>
#include <span>
#include <string>

#include "sys/env.h"

namespace gh::cli {

inline constexpr int kHookBlocks = 2;

/// Is it a call of an agent host, wherever its words stand?
bool is_host_hook(std::span<const std::string> args);

/// The exit status; nothing when it is no such call, or one for help.
std::optional<int> run_host_hook(std::span<const std::string> args, sys::Env&);

}  // namespace gh::cli
