#include "mcp/host_config.h"

#include <algorithm>
#include <array>

namespace gh::mcp {
namespace {

// table: mcp_hosts
constexpr std::array<HostConfig, 5> kHosts{{
    {"claude", ".mcp.json",
     R"({"mcpServers":{"gatehouse":{"type":"stdio","command":"gatehouse","args":["mcp","--stdio"],"env":{}}}})"},
    {"codex", ".codex/config.toml",
     "[mcp_servers.gatehouse]\ncommand = \"gatehouse\"\nargs = [\"mcp\", \"--stdio\"]\n"
     "startup_timeout_sec = 10\ntool_timeout_sec = 120"},
    {"cursor", ".cursor/mcp.json",
     R"({"mcpServers":{"gatehouse":{"command":"gatehouse","args":["mcp","--stdio"]}}})"},
    {"vscode", ".vscode/mcp.json",
     R"({"servers":{"gatehouse":{"type":"stdio","command":"gatehouse","args":["mcp","--stdio","--repo","${workspaceFolder}"]}}})"},
    {"gemini", ".gemini/settings.json",
     R"({"mcpServers":{"gatehouse":{"command":"gatehouse","args":["mcp","--stdio"],"timeout":120000,"trust":false}}})"},
}};

}  // namespace

const HostConfig* config_for(std::string_view host) {
  const auto* row = std::ranges::find(kHosts, host, &HostConfig::host);
  return row == kHosts.end() ? nullptr : row;
}

}  // namespace gh::mcp
