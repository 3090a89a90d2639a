#pragma once
// The program that runs, and the one that people and hooks call: its front, where there is one
// (docs/adr/0031).
#include <string>
#include <string_view>

#include "base/error.h"

namespace gh::sys {

inline constexpr std::string_view kFront = "gatehouse", kWholeProgram = "gatehouse-main";

/// Absolute. A name that is called stays the same when the program behind it is replaced.
Result<std::string> called_program();

}  // namespace gh::sys
