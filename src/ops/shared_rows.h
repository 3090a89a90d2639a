#pragma once
// What the rows of several groups of operations share. Included by their headers alone.
#include <array>
#include <string_view>

#include "ops/operation.h"

namespace gh::ops {

inline constexpr std::string_view kStart = "START HERE";
inline constexpr std::string_view kEvidence = "EVIDENCE";
inline constexpr std::string_view kHelp = "HELP";

// clang-format off
inline constexpr Operand kRuleId{"ID", Arity::required, "rule id or error code, e.g. max_files", Completes::rule};
inline constexpr Option kSession{"session", OptionType::text, "NAME", "", "who asks: commands of one session share their intents (default: $GATEHOUSE_SESSION, else the terminal session)"};
inline constexpr Option kStrictness{"strictness", OptionType::choice, "LEVEL", "ci", "which budgets the change is held to", "ci strict relaxed"};
// clang-format on
inline constexpr std::array kExplainOperands{kRuleId};

}  // namespace gh::ops
