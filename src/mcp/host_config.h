#pragma once
// What an agent host wants to read in its settings to start the server (interfaces 2).
#include <string_view>

namespace gh::mcp {

struct HostConfig {
  std::string_view host, file, text;
};
/// Null: no such host.
const HostConfig* config_for(std::string_view host);

}  // namespace gh::mcp
