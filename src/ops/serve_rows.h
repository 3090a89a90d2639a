#pragma once
// Rows of the operation table: the door that stays open for many. Included by operations.cc alone.
#include <array>

#include "ops/operation.h"
#include "ops/shared_rows.h"

namespace gh::ops {

// clang-format off
inline constexpr std::array kServeOptions{
    Option{"listen", OptionType::text, "ADDRESS:PORT", "", "where to listen; port 0 takes a free one and says which (default: server.listen, 127.0.0.1:8930)"},
    Option{"public-url", OptionType::text, "URL", "", "the address under which others know this server; its host is answered too (default: server.public_url)"},
    Option{"mcp-only", OptionType::flag, "", "", "serve /mcp and nothing else"},
    Option{"open", OptionType::flag, "", "", "print an address that logs a browser of this machine in as you, once and within a minute"},
    Option{"read-only", OptionType::flag, "", "", "answer questions alone: whatever changes something is refused"},
    Option{"repo", OptionType::path_list, "DIR", "", "repositories to serve (default: the one around)", "", Completes::folder},
    Option{"profile", OptionType::choice, "NAME", "standard", "which tools are offered", "minimal standard full"},
    Option{"token-file", OptionType::path, "FILE", "", "lines 'TOKEN ACTOR ROLES'; every request needs one of the tokens. Made, with one new token, when it does not exist", "", Completes::written_file},
    Option{"log-requests", OptionType::flag, "", "", "log every request, not only what was refused"},
};
inline constexpr std::array kServeExamples{
    Example{"gatehouse serve --listen 127.0.0.1:0", "Serve this repository on a free port of this machine."},
    Example{"gatehouse serve --listen 127.0.0.1:0 --open", "The same, with an address that opens the review page logged in."},
    Example{"gatehouse serve --listen 127.0.0.1:0 --mcp-only --token-file tokens.txt", "The same, for those who have a token of the file."},
};

inline constexpr std::array kServeRows{
    Operation{
        .name = "serve", .words = "serve", .group = kIntegration, .effect = Effect::writes_state,
        .summary = "Serve agents and reviewers over HTTP (/mcp, /api/v1, the review page)",
        .description = "Streamable HTTP of the Model Context Protocol, revisions 2025-03-26 to 2026-07-28, the HTTP interface below /api/v1 and the page for reviewers, until SIGTERM or SIGINT: then what runs is finished and answered. The interface and the page need a token, or a browser that is logged in (--open).\n\nOnly pages and programs that address this machine by localhost, 127.0.0.1, [::1] or the host of --public-url are answered. Other addresses than loopback need --token-file. Limits are keys of the 'server' block of gatehouse.yaml; those that differ from the default are printed at the start.",
        .options = kServeOptions, .examples = kServeExamples,
        .exit_codes = "0 2 4"},
};
// clang-format on

}  // namespace gh::ops
