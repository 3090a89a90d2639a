#pragma once
// What a server offers: the handshake of either era, then its lists page by page. No tool is
// called.
#include <string>
#include <string_view>
#include <vector>

#include "inventory/channel.h"

namespace gh::inventory {

enum class EraChoice : std::uint8_t { legacy_first, legacy, modern };

struct Listing {
  Map server{};  // name, version, title
  std::string revision{};
  std::string instructions{};
  Map capabilities{};
  List tools{}, prompts{}, resources{}, resource_templates{};
};

/// input_unreadable when the server speaks no revision that is known here, refuses to list, or its
/// pages have no end.
Result<Listing> collect(Channel&, std::string_view client_name, EraChoice, const Limits&);

/// The export that the loader of MCP sources reads (gatehouse.mcp_inventory/1): lists by name, and
/// SHA-256 of the contract of each tool. Same listing, same document.
Map export_document(const Listing&, std::string_view transport);

/// Names of tools, prompts and resources that two listings of one server do not have in common or
/// describe in two ways.
std::vector<std::string> differences(const Listing&, const Listing&);

}  // namespace gh::inventory
