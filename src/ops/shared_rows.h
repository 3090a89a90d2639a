#pragma once
// What the rows of several groups of operations share. Included by their headers alone.
#include <array>
#include <string_view>

#include "ops/operation.h"

namespace gh::ops {

inline constexpr std::string_view kStart = "START HERE";
inline constexpr std::string_view kEvidence = "EVIDENCE";
inline constexpr std::string_view kIntegration = "INTEGRATION";
inline constexpr std::string_view kHelp = "HELP";

// clang-format off
inline constexpr Operand kRuleId{"ID", Arity::required, "id of a rule, a check, an error or a finding, e.g. max_files", Completes::rule};
inline constexpr Option kSession{"session", OptionType::text, "NAME", "", "who asks: commands of one session share their intents (default: $GATEHOUSE_SESSION, else the terminal session)"};
inline constexpr Option kStrictness{"strictness", OptionType::choice, "LEVEL", "ci", "which budgets the change is held to", "ci strict relaxed"};
inline constexpr Option kVerdictFormat{"format", OptionType::choice, "FORMAT", "text", "how to print the answer; the others are those of --report", "text json jsonl github sarif junit gitlab rdjson rdjsonl markdown checkstyle"};
inline constexpr Option kReportFiles{"report", OptionType::text_list, "FORMAT=FILE", "", "write the answer to a file as well; may be repeated; '-' is standard output, in place of the text", "", Completes::written_file};
// clang-format on
inline constexpr std::array kExplainOperands{kRuleId};

}  // namespace gh::ops
