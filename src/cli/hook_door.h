#pragma once
// The door that agent hosts use: `gatehouse hook <host>`. It is apart from the others because it
// must be fast and because its exit status has a meaning of its own: 0 or 2, and never 1, which
// every host takes for a warning.
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hooks/answer.h"
#include "ops/hook_host.h"
#include "sys/env.h"

namespace gh::cli {

inline constexpr int kHookBlocks = 2;

/// Is it a call of an agent host, wherever its words stand?
bool is_host_hook(std::span<const std::string> args);

/// Who answers: all of the program, or its front, which gives away what it does not answer.
using AnswerHook = hooks::Answer (*)(const ops::HookRequest&, std::string_view input,
                                     ops::Context&);

/// The exit status; nothing when it is no such call, or one for help.
std::optional<int> run_host_hook(std::span<const std::string> args, sys::Env&, AnswerHook);

}  // namespace gh::cli
