#pragma once
// Rows of the operation table: the program about itself. Included by operations.cc alone.
#include <array>

#include "ops/operation.h"
#include "ops/shared_rows.h"
#include "ops/support_ops.h"

namespace gh::ops {

// clang-format off
inline constexpr std::array kExplainExamples{
    Example{"gatehouse explain max_files", "Why the rule exists, what fires it, how to fix it."},
    Example{"gatehouse explain lock_busy", "The same for an error code."},
    Example{"gatehouse explain PROP_TESTS_EMPTY", "The same for a reason why a proposal is refused."},
    Example{"gatehouse explain SHIP-POLICY-APPROVAL-MISSING", "The same for a check of the release gate."},
};
inline constexpr std::array kContractExamples{
    Example{"gatehouse contract --json", "Versions, schemas, exit codes, rules, commands: read this first."},
    Example{"gatehouse contract --field tool.version", "One value of it."},
};
inline constexpr std::array kSchemaOperands{Operand{"NAME", Arity::optional, "schema name, e.g. verdict; nothing: the list", Completes::schema}};
inline constexpr std::array kSchemaExamples{
    Example{"gatehouse schema", "The names of the schemas that are compiled in."},
    Example{"gatehouse schema verdict", "The JSON Schema of the Verdict."},
};
inline constexpr std::array kCompletionOperands{Operand{"SHELL", Arity::required, "bash, zsh or fish", Completes::nothing, "bash zsh fish"}};
inline constexpr std::array kCompletionExamples{
    Example{"gatehouse completion bash > gatehouse.bash", "Then: source gatehouse.bash"},
    Example{"gatehouse completion zsh > _gatehouse", "Then: put it in a folder of $fpath."},
    Example{"gatehouse completion fish > gatehouse.fish", "Then: put it in ~/.config/fish/completions/"},
};
inline constexpr std::array kManExamples{
    Example{"gatehouse man > gatehouse.1", "Then: man -l gatehouse.1"},
    Example{"gatehouse man | head -n 1", "The manual page starts with its title line."},
};
inline constexpr std::array kVersionExamples{
    Example{"gatehouse version", "Version, Unicode data, git minimum."},
    Example{"gatehouse version --json", "The same as a document."},
};
inline constexpr std::array kHelpOperands{Operand{"COMMAND", Arity::many, "command to explain", Completes::command}};
inline constexpr std::array kHelpOptions{Option{"all", OptionType::flag, "", "", "every command"}};
inline constexpr std::array kHelpExamples{
    Example{"gatehouse help patch apply", "Everything about one command."},
    Example{"gatehouse help --all", "Every command, one line each."},
};

inline constexpr std::array kValueKinds{Operand{"KIND", Arity::required, "what is wanted", Completes::nothing, "rule run ref schema command"}};
inline constexpr std::array kValuesExamples{
    Example{"gatehouse __complete rule", "Every rule id and error code."},
    Example{"gatehouse __complete ref", "The branches and tags of this repository."},
};

inline constexpr std::array kHelpRows{
    Operation{
        .name = "explain", .words = "explain", .group = kHelp,
        .summary = "What does this rule, check or error code mean, and how do I fix it?",
        .description = "The texts are compiled in and work offline. What a finding is about is read from the last report (release gate) or the "
                       "latest run (analysis) that has it.",
        .operands = kExplainOperands, .examples = kExplainExamples,
        .exit_codes = "0 2 3 4", .run = explain, .paged = true},
    Operation{
        .name = "contract", .words = "contract", .group = kHelp,
        .summary = "Describe this version for programs (use --json)",
        .description = "Versions, schemas, exit codes, rule catalogue, formats and commands in one document, so that integrations test against data.",
        .examples = kContractExamples,
        .exit_codes = "0", .run = contract, .paged = true},
    Operation{
        .name = "schema", .words = "schema", .group = kHelp,
        .summary = "Print a JSON Schema of our documents",
        .description = "JSON Schema draft 2020-12, as compiled into this binary.",
        .operands = kSchemaOperands, .examples = kSchemaExamples,
        .exit_codes = "0 2", .run = schema},
    Operation{
        .name = "completion", .words = "completion", .group = kHelp,
        .summary = "Print the completion script of a shell",
        .description = "Generated from the same table as this help. Rule ids, run ids and refs are completed by asking gatehouse.",
        .operands = kCompletionOperands, .examples = kCompletionExamples,
        .exit_codes = "0 2", .run = completion},
    Operation{
        .name = "man", .words = "man", .group = kHelp,
        .summary = "Print the manual page (roff)",
        .description = "Generated from the same table as this help.",
        .examples = kManExamples,
        .exit_codes = "0", .run = man},
    Operation{
        .name = "version", .words = "version", .group = kHelp,
        .summary = "Print versions",
        .description = "The tool, the Unicode data compiled in, and the oldest git that is accepted.",
        .examples = kVersionExamples,
        .exit_codes = "0", .run = version},
    Operation{
        .name = "help", .words = "help", .group = kHelp,
        .summary = "Explain a command",
        .description = "Without a command: the short overview. With --all: every command.",
        .operands = kHelpOperands, .options = kHelpOptions, .examples = kHelpExamples,
        .exit_codes = "0 2", .run = help, .paged = true},
    Operation{
        .name = "complete_values", .words = "__complete", .group = kHelp,
        .summary = "Values for shell completion",
        .description = "Asked by the completion scripts; prints one value per line and never complains.",
        .operands = kValueKinds, .examples = kValuesExamples,
        .exit_codes = "0 2", .run = complete_values, .hidden = true},
};
// clang-format on

}  // namespace gh::ops
