// The promotion queue and the conflicts between open proposals (docs/reference/proposals.md,
// Conflicts and Queue), through the command line with real git.
#include "tests/queue_kit.h"

namespace gh {
namespace {

using kit::Answer;
using kit::lines_with;
using kit::QueueWorld;

// -------------------------------------------------------------------------------------- forecast

TEST(Forecast, TryingBothOrdersTellsOrderFromTextual) {
  QueueWorld world;
  world.add("wide-ctx", {{"src/calc.py", lines_with(13, "wide")}});
  // One line of context: fits after the other one, not the other way round.
  world.prepare("narrow-ctx", {{"src/calc.py", lines_with(10, "narrow")}});
  kit::write(world.repo / "src/calc.py", lines_with(10, "narrow"));
  kit::write(world.repo / "tests/test_narrow-ctx.py", "assert narrow-ctx\n");
  kit::git_says(world.repo, {"add", "-A"});
  world.diff = kit::git(world.repo, {"diff", "--cached", "-U1", "--full-index", "HEAD"}).out;
  kit::git_says(world.repo, {"reset", "-q", "--hard"});
  const Answer narrow = world.submit();
  ASSERT_EQ(narrow.exit, 0) << narrow.out;
  world.prepare("same-line", {{"src/calc.py", lines_with(13, "other")}});
  ASSERT_EQ(world.submit().exit, 0);
  world.prepare("far-away", {{"src/calc.py", lines_with(30, "far")}});
  ASSERT_EQ(world.submit().exit, 0);
  world.prepare("elsewhere", {{"src/other.py", lines_with(13, "else")}});
  ASSERT_EQ(world.submit().exit, 0);
  EXPECT_EQ(world.sql("SELECT a || ' ' || b || ' ' || kind FROM conflicts ORDER BY a, b"),
            "far-away narrow-ctx adjacent\n"
            "far-away same-line adjacent\n"
            "far-away wide-ctx adjacent\n"
            "narrow-ctx same-line order\n"
            "narrow-ctx wide-ctx order\n"
            "same-line wide-ctx textual");
  const Answer listed = world.run({"proposal", "list", "--conflicts"});
  EXPECT_NE(listed.out.find("\"order\""), std::string::npos) << listed.out;
}

}  // namespace
}  // namespace gh
