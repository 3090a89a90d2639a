// The guide lists the tools that the catalogue has, in its order.
#include <sstream>

#include <gtest/gtest.h>

#include "mcp/catalogue.h"
#include "tests/gatehouse_binary.h"

namespace gh::testing {
namespace {

TEST(McpGuide, ListsTheToolsOfTheCatalogue) {
  std::istringstream guide(bytes_of("docs/mcp.md"));
  std::vector<std::string> listed;
  bool is_table = false;
  for (std::string line; std::getline(guide, line);) {
    if (line == "## Tools") is_table = true;
    if (line.starts_with("Answers are")) is_table = false;
    if (is_table && line.starts_with("| `"))
      listed.push_back(line.substr(3, line.find('`', 3) - 3));
  }
  std::vector<std::string> offered;
  for (const mcp::Tool& tool : mcp::product_catalogue().tools)
    offered.emplace_back(tool.name);
  EXPECT_EQ(listed, offered);
}

TEST(McpGuide, SaysWhichProfileHasATool) {
  const std::string guide = bytes_of("docs/mcp.md");
  constexpr std::string_view kProfiles[] = {"minimal", "standard", "full"};
  for (const mcp::Tool& tool : mcp::product_catalogue().tools) {
    const std::string row = "| `" + std::string(tool.name) + "` | " +
                            std::string(kProfiles[static_cast<int>(tool.profile)]) + " | " +
                            (tool.is_read_only ? "no" : "yes") + " |";
    EXPECT_NE(guide.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace gh::testing
