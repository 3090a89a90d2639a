#pragma once
// Rows of the operation table: doors for agents and other programs. They lie above this module, so
// their rows have no function and the program itself opens them. Included by operations.cc alone.
#include <array>

#include "ops/operation.h"
#include "ops/shared_rows.h"

namespace gh::ops {

// clang-format off
inline constexpr std::array kMcpOptions{
    Option{"stdio", OptionType::flag, "", "", "talk over standard input and output, one JSON message a line"},
    Option{"profile", OptionType::choice, "NAME", "standard", "which tools are offered: six, those of an agent, or also those of reviewers and promoters", "minimal standard full"},
    Option{"repo", OptionType::path, "DIR", "", "serve this repository and no other (default: a root of the client, else the one around the current folder)", "", Completes::folder},
    Option{"print-config", OptionType::choice, "HOST", "", "print what this host wants in its settings, and do no more", "claude codex cursor vscode gemini"},
    Option{"log-file", OptionType::path, "FILE", "", "append what would go to standard error to this file", "", Completes::written_file},
};
inline constexpr std::array kMcpExamples{
    Example{"gatehouse mcp --stdio < /dev/null", "Serve the host that started this program, until it hangs up."},
    Example{"gatehouse mcp --print-config claude", "The entry for .mcp.json of Claude Code."},
    Example{"gatehouse mcp --stdio --profile minimal --log-file mcp.log < /dev/null", "The six tools that a change needs; what is said meanwhile goes to a file."},
};
inline constexpr std::array kIntegrationRows{
    Operation{
        .name = "mcp", .words = "mcp", .group = kIntegration, .effect = Effect::writes_state,
        .summary = "Serve an agent over the Model Context Protocol",
        .description =
            "Started by an agent host: standard output carries protocol frames and nothing else. One connection is one "
            "agent, and holds its intents for as long as it lives. Tools are the operations of this program; "
            "docs/mcp.md lists them. Ends when the host closes standard input.",
        .options = kMcpOptions, .examples = kMcpExamples,
        .exit_codes = "0 2 4"},
};
// clang-format on

}  // namespace gh::ops
