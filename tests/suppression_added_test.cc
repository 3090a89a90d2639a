// A change must not silence what judges it: docs/reference/analysis.md, "Suppressions".
#include <gtest/gtest.h>

#include "tests/runs_kit.h"

namespace gh::testing {
namespace {

using Words = std::vector<std::string>;

/// One finding per rule, each silenced by a comment in front of it.
struct SilencedRow {
  const char* rule;
  const char* gate;   // what refuses it
  std::string value;  // of the gate; empty: it has none
  std::string before, after;
};

std::string loose_class() {
  return "class K:\n    def a(self): return self.x\n    def b(self): return self.y\n"
         "    def c(self): return self.z\n    def d(self): return self.w\n"
         "    def e(self): return self.v\n";
}

std::string coupled_class() {
  std::string imports, uses = "class C:\n    def m(self):\n";
  for (int i = 0; i < 12; ++i) {
    imports += "import i" + std::to_string(i) + "\n";
    uses += "        i" + std::to_string(i) + ".x()\n";
  }
  return imports + "#HERE\n" + uses;
}

std::vector<SilencedRow> rows() {
  return {{"complexity", "--fail-complexity", "20", "", "#HERE\n" + python_function("f", 25)},
          {"cohesion", "--fail-cohesion", "4", "", "#HERE\n" + loose_class()},
          {"coupling", "--fail-coupling", "10", "", coupled_class()},
          {"clone", "--fail-threshold", "0", python_copy("one"), "#HERE\n" + python_copy("two")},
          {"dead-code", "--fail-dead-code", "", "", "#HERE\ndef _unused(): pass\n"}};
}

struct SuppressionAdded : ::testing::Test {
  int gated(const SilencedRow& row, Words more) const {
    Words words{"analyze", "--no-store", row.gate};
    if (!row.value.empty()) words.push_back(row.value);
    words.insert(words.end(), more.begin(), more.end());
    return world.ask(words).code;
  }
  static std::string silenced(const SilencedRow& row) {
    std::string out = row.after;
    const std::string mark = "#HERE";
    return out.replace(out.find(mark), mark.size(),
                       "# gatehouse: ignore[" + std::string(row.rule) + "]");
  }
  RunsWorld world;
};

TEST_F(SuppressionAdded, HasNoEffectOnTheGatesOfItsOwnChange) {
  for (const SilencedRow& row : rows()) {
    SCOPED_TRACE(row.rule);
    world.repo.write("m.py", row.before);
    world.repo.write("n.py", "");
    world.repo.commit("before");
    world.repo.write("n.py", row.after);
    EXPECT_EQ(gated(row, {"--diff-against", "HEAD"}), 1) << "the gate works";
    world.repo.write("n.py", silenced(row));
    EXPECT_EQ(gated(row, {}), 0) << "by itself it holds";
    EXPECT_EQ(gated(row, {"--diff-against", "HEAD"}), 1);
    const std::string card = "derived.suppressions_added.0.";
    const Words asked{"analyze", "--no-store", "--diff-against", "HEAD"};
    EXPECT_EQ(world.field(asked, card + "kind"), "suppression_added");
    EXPECT_EQ(world.field(asked, card + "severity"), "warning");
    EXPECT_EQ(world.field(asked, card + "rule"), row.rule);
    world.repo.commit("reviewed");
    EXPECT_EQ(gated(row, {"--diff-against", "HEAD"}), 0) << "from then on it holds";
    EXPECT_EQ(world.field(asked, "derived.suppressions_added"), "[]");
  }
}

TEST_F(SuppressionAdded, HidesNothingFromAComparison) {
  for (const SilencedRow& row : rows()) {
    SCOPED_TRACE(row.rule);
    world.repo.write("m.py", row.before);
    world.repo.write("n.py", "");
    world.repo.commit("before");
    world.repo.write("n.py", silenced(row));
    world.repo.commit("after");
    const Ran compared = world.ask({"runs", "compare", "HEAD~1", "HEAD", "--check"});
    EXPECT_EQ(compared.code, 1) << compared.out;
    EXPECT_TRUE(contains(compared.out, "1 suppression added")) << compared.out;
    const Words asked{"runs", "compare", "HEAD~1", "HEAD"};
    EXPECT_NE(world.field(asked, "regressions"), "[]");
    EXPECT_EQ(world.field(asked, "suppressions_added.0.rule"), row.rule);
    EXPECT_EQ(world.field(asked, "suppressions_added.0.severity"), "warning");
    const Words again{"runs", "compare", "HEAD", "HEAD"};
    EXPECT_EQ(world.field(again, "suppressions_added"), "[]");
  }
}

TEST_F(SuppressionAdded, AFindingThatWasThereStaysAndIsNoImprovement) {
  world.repo.write("n.py", python_function("f", 25));
  world.repo.commit("before");
  world.repo.write("n.py", "# gatehouse: ignore[complexity]\n" + python_function("f", 27));
  world.repo.commit("after");
  const Words asked{"runs", "compare", "HEAD~1", "HEAD"};
  EXPECT_EQ(world.field(asked, "verdict"), "stable");
  EXPECT_EQ(world.field(asked, "improvements"), "[]");
  EXPECT_EQ(world.field(asked, "worsened.0.symbol"), "n:f");
  EXPECT_EQ(world.field(asked, "worsened.0.after"), "28");
}

TEST_F(SuppressionAdded, OneMoreCopyIsSeenAlthoughItAsksToBeLeftOut) {
  world.repo.write("n.py", python_copy("one") + python_copy("two"));
  world.repo.commit("before");
  world.repo.write("o.py", "# gatehouse: ignore[clone]\n" + python_copy("three"));
  world.repo.commit("after");
  EXPECT_EQ(world.field({"runs", "compare", "HEAD~1", "HEAD"}, "grown.0.new_members"),
            R"(["o:three"])");
}

}  // namespace
}  // namespace gh::testing
