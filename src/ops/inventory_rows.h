#pragma once
// Rows of the operation table: what a live MCP server offers. The door lies above this module, so
// the row has no function and the program itself opens it. Included by operations.cc alone.
#include <array>

#include "ops/operation.h"
#include "ops/release_rows.h"
#include "ops/shared_rows.h"

namespace gh::ops {

// clang-format off
inline constexpr std::array kInventoryOperands{
    Operand{"ARGUMENT", Arity::many, "of the server that is started, when it stands behind '--'"},
};
inline constexpr std::array kInventoryOptions{
    Option{"mcp-stdio", OptionType::path_list, "CMD", "", "start this server and ask it over its standard input; words that begin with a dash go behind '--'", "", Completes::file},
    Option{"mcp-url", OptionType::text, "URL", "", "ask the server at this address (Streamable HTTP, http or https)"},
    Option{"header", OptionType::text_list, "NAME: VALUE", "", "send this header with every request to --mcp-url; never written anywhere"},
    Option{"ca-file", OptionType::path, "FILE", "", "certificates that --mcp-url is believed by (default: the system's)", "", Completes::file},
    Option{"out", OptionType::path, "FILE", "", "write the export there (default: standard output)", "", Completes::written_file},
    Option{"timeout", OptionType::duration, "DURATION", "30s", "for one conversation; there are two"},
    Option{"era", OptionType::choice, "ERA", "auto", "how to begin: as servers up to 2025-11-25 expect it, as those of 2026-07-28 do, or as the server wants it", "auto legacy modern"},
    Option{"env", OptionType::text_list, "NAME[=VALUE]", "", "give the started server this variable; it has no other but PATH, HOME, TMPDIR and LC_ALL"},
    Option{"writable", OptionType::path_list, "DIR", "", "folders that the started server may write to (default: only its own, which is removed)", "", Completes::written_folder},
    Option{"allow-network", OptionType::flag, "", "", "let the started server reach the network"},
};
inline constexpr std::array kInventoryExamples{
    Example{"gatehouse release inventory --mcp-stdio gatehouse mcp -- --stdio", "What our own server offers, as an export that a scan reads."},
    Example{"gatehouse release inventory --out tools.json --mcp-stdio gatehouse mcp -- --stdio --profile minimal", "The same for its smallest profile, into a file."},
};
inline constexpr std::array kInventoryRows{
    Operation{
        .name = "inventory_release", .words = "release inventory", .group = kRelease, .effect = Effect::writes_state,
        .summary = "List what a live MCP server offers, as an export for a scan",
        .description =
            "The only release command that starts a program or uses the network, and nothing else calls it. It says hello, asks "
            "for the lists of tools, prompts and resources page by page, and never calls a tool. The server is asked twice, "
            "under two client names: what it describes in two ways is named in differs_by_client.\n\nA server that is "
            "started has no network, may write nowhere but in a folder of its own, sees no variables but those of --env, and "
            "is gone with all its processes at the end.\n\nThe export holds no times: same server, same bytes.",
        .operands = kInventoryOperands, .options = kInventoryOptions, .examples = kInventoryExamples,
        .exit_codes = "0 2 3 4", .audience = Audience::people},
};
// clang-format on

}  // namespace gh::ops
