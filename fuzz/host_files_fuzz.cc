// Files of agent hosts on two sides: always rows, the same for the same files, none when nothing
// differs, and never silent where one side cannot be read. The first byte chooses the file, the
// byte 0xFF ends the first side.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "powers/boundary.h"
#include "powers/compare.h"

namespace {

constexpr std::array<std::string_view, 18> kPaths{".claude/settings.json",
                                                  ".claude/settings.local.json",
                                                  ".mcp.json",
                                                  ".claude/agents/a.md",
                                                  ".claude/commands/c.md",
                                                  ".claude/skills/s/SKILL.md",
                                                  ".codex/config.toml",
                                                  ".codex/hooks.json",
                                                  ".codex/rules/r.rules",
                                                  ".cursor/mcp.json",
                                                  ".cursor/cli.json",
                                                  ".cursor/permissions.json",
                                                  ".vscode/settings.json",
                                                  ".gemini/settings.json",
                                                  ".gemini/policies/p.toml",
                                                  "AGENTS.md",
                                                  ".github/workflows/w.yml",
                                                  ".gitlab-ci.yml"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::powers;
  if (size == 0) return 0;
  const std::string path(kPaths[data[0] % kPaths.size()]);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t end = std::min(text.find('\xFF'), text.size());
  const Entry before{EntryKind::text, std::string(text.substr(0, end)), false};
  const Entry after{EntryKind::text,
                    std::string(end < text.size() ? text.substr(end + 1) : std::string_view()),
                    false};
  const auto rows = compare({{path, before, after}});
  REQUIRE(rows == compare({{path, before, after}}));
  for (const Row& row : rows) {
    REQUIRE(row.place.path == path);
    REQUIRE(row.place.line >= 1);
    REQUIRE(!row.before.empty() || !row.after.empty());
  }
  for (const Row& row : compare({{path, after, after}}))
    REQUIRE(row.effect == Effect::tells && row.change == Change::unread);
  // The facts that verify tells: of this file, and none where nothing differs.
  for (const BoundaryChange& one : boundary_changes({{path, before, after}})) {
    REQUIRE(one.place.path == path);
    REQUIRE(one.place.line >= 1);
    REQUIRE(!one.what.empty());
  }
  REQUIRE(boundary_changes({{path, after, after}}).empty());
  return 0;
}
