#pragma once
// Rows of the operation table: the policy in force and the rules. Included by operations.cc alone.
#include <array>

#include "ops/operation.h"
#include "ops/shared_rows.h"
#include "ops/support_ops.h"

namespace gh::ops {

// clang-format off
inline constexpr std::string_view kPolicy = "POLICY";
inline constexpr std::array kRuleListOptions{Option{"gate", OptionType::choice, "GATE", "", "only the rules of one step, of one check of proposals, of one family of findings, or of one part of change control or check (surface: checks of the release gate); gate: why an analysis is refused", "shape path policy tree git apply A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19 A20 review after clone structural dead_code design gate start warning verify finish hygiene scope write recover lease ownership claim receipt structure surface"}};
inline constexpr std::array kRuleListExamples{
    Example{"gatehouse rule list", "Every rule id with its gate and one line of advice."},
    Example{"gatehouse rule list --gate policy --json", "The policy rules as a document."},
};
inline constexpr std::array kRuleShowExamples{
    Example{"gatehouse rule show hunk_position_mismatch", "The full text of one rule."},
    Example{"gatehouse rule show deny_prefixes --json", "The same as a document."},
};

inline constexpr std::array kConfigOptions{
    Option{"base", OptionType::text, "REV", "", "read gatehouse.yaml at this commit (default: the work tree)", "", Completes::ref},
};
inline constexpr std::array kConfigShowExamples{
    Example{"gatehouse config show", "The effective policy and where it came from."},
    Example{"gatehouse config show --base HEAD --json", "The policy that a change on HEAD is judged by."},
};
inline constexpr std::array kConfigValidateOperands{Operand{"FILE", Arity::optional, "file to check (default: gatehouse.yaml of the repository)", Completes::file}};
inline constexpr std::array kConfigValidateExamples{
    Example{"gatehouse config validate", "Is this repository's gatehouse.yaml valid?"},
    Example{"gatehouse config validate gatehouse.yaml --json", "The same for a named file, as a document."},
};

inline constexpr std::array kPolicyRows{
    Operation{
        .name = "config_show", .words = "config show", .group = kPolicy,
        .summary = "Print the effective configuration and its source",
        .description =
            "The values in force after gatehouse.yaml is laid over the defaults. Gates that judge a "
            "change read the file at the base commit (--base REV shows that one), never in the work tree.",
        .options = kConfigOptions, .examples = kConfigShowExamples,
        .exit_codes = "0 2 4", .run = config_show, .paged = true},
    Operation{
        .name = "config_validate", .words = "config validate", .group = kPolicy,
        .summary = "Check gatehouse.yaml, with file:line:column of what is wrong",
        .description = "Unknown keys, wrong types and values out of range are errors; nothing is replaced silently by a default.",
        .operands = kConfigValidateOperands, .examples = kConfigValidateExamples,
        .exit_codes = "0 2 3 4", .run = config_validate},
    Operation{
        .name = "rule_list", .words = "rule list", .group = kPolicy,
        .summary = "List every rule id",
        .description = "Rule ids are stable: never renamed, never reused.",
        .options = kRuleListOptions, .examples = kRuleListExamples,
        .exit_codes = "0 2", .run = rule_list, .paged = true},
    Operation{
        .name = "rule_show", .words = "rule show", .group = kPolicy,
        .summary = "Show one rule (same as explain)",
        .description = "Why the rule exists, what fires it, a bad and a good example, the repair, and who may switch it off.",
        .operands = kExplainOperands, .examples = kRuleShowExamples,
        .exit_codes = "0 2", .run = rule_show, .paged = true},
};
// clang-format on

}  // namespace gh::ops
