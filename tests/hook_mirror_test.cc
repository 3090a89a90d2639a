// With PostgreSQL a hook reads a mirror of the registry, never the server (docs/formats).
#include <filesystem>

#include "tests/change_kit.h"
#include "tests/hook_kit.h"
#include "tests/mcp_kit.h"

namespace gh::testing {
namespace {

class HookMirror : public ChangeWorld {
 protected:
  HookMirror() { configure("hooks:\n  mode: enforce\n"); }
  std::string mirror() const { return repo.at(".git/gatehouse/cache/intents"); }
  Ran write(const std::string& path, const std::string& session = "A") const {
    return ask_hook(repo.root(), "claude", claude_write(repo.root(), path, session));
  }
};
INSTANTIATE_TEST_SUITE_P(Server, HookMirror, ::testing::Values(BackEnd::postgres), name_of);

TEST_P(HookMirror, IsReadInsteadOfTheServerAndItsAgeIsTold) {
  EXPECT_EQ(said(write("pkg/a.py")), "GH-GATE-001") << "nobody has written it yet";
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  EXPECT_EQ(said(write("pkg/a.py")), "pass");
  const Ran outside = write("pkg/b.py");
  EXPECT_EQ(said(outside), "GH-SCOPE-001");
  EXPECT_TRUE(contains(outside.out, " s ago)")) << outside.out;
  EXPECT_EQ(said(write("pkg/a.py", "B")), "GH-INTENT-001");
  EXPECT_EQ(start("B", {"pkg/b.py"}), "active");
  EXPECT_EQ(said(write("pkg/b.py")), "GH-INTENT-003");
  must({"change", "abandon"}, "A");
  EXPECT_EQ(said(write("pkg/a.py")), "GH-INTENT-001") << "every change of an intent is mirrored";
}

TEST_P(HookMirror, OneThatIsOldDamagedOrNotOursDecidesNothing) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  const std::string whole = *sys::read_file(mirror(), 1u << 20);
  const auto with = [&](const std::string& text) {
    EXPECT_TRUE(sys::write_file_atomic(mirror(), text));
    return said(write("pkg/a.py"));
  };
  EXPECT_EQ(with(whole), "pass");
  std::string old = whole;
  old.replace(old.find(" server ") + 8, 4, "2020");
  EXPECT_EQ(with(old), "GH-GATE-001");
  EXPECT_EQ(with(whole.substr(0, whole.size() / 2)), "GH-GATE-001");
  EXPECT_EQ(with(whole.substr(0, 256)), "GH-GATE-001");
  EXPECT_EQ(with(""), "GH-GATE-001");
  EXPECT_EQ(with(whole), "pass");
  std::filesystem::permissions(mirror(), std::filesystem::perms::all);
  EXPECT_EQ(said(write("pkg/a.py")), "GH-GATE-001");
  std::filesystem::remove(mirror());
  EXPECT_EQ(said(write("pkg/a.py")), "GH-GATE-001");
}

TEST_P(HookMirror, IsKeptYoungByAServerThatRuns) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  std::string old = *sys::read_file(mirror(), 1u << 20);
  old.replace(old.find(" server ") + 8, 4, "2020");
  ASSERT_TRUE(sys::write_file_atomic(mirror(), old));
  EXPECT_EQ(said(write("pkg/a.py")), "GH-GATE-001");
  McpProcess server(repo.root());
  server.initialize();
  server.call(1, "status");
  std::string answer;
  for (int i = 0; i < 1'000 && answer != "pass"; ++i)  // each turn asks a process
    answer = said(write("pkg/a.py"));
  EXPECT_EQ(answer, "pass");
}

}  // namespace
}  // namespace gh::testing
