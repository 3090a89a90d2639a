// `init` through the program: what it copies, shows, keeps and refuses.
#include <gtest/gtest.h>

#include "tests/kit.h"
#include "tests/schema_kit.h"

namespace gh {
namespace {

using kit::Ran;

constexpr std::string_view kProject =
    "[project]\nname = \"x\"\n\n[tool.codeclone]\nmin_loc = 12\nfail_on_new = true\n"
    "cache_path = \".cache/x.json\"\nunheard_of = 1\n";

struct World {
  World() {
    kit::fs::create_directories(repo);
    kit::git_says(repo, {"init", "-q", "-b", "main"});
    kit::write(repo / "pyproject.toml", kProject);
  }
  Ran init(kit::Words more) const {
    kit::Words words{kit::gatehouse_binary(), "init"};
    words.insert(words.end(), more.begin(), more.end());
    return kit::run(words, {.cwd = repo});
  }
  std::string config() const { return kit::read(repo / "gatehouse.yaml"); }
  kit::Scratch scratch;
  kit::fs::path repo = scratch.path() / "repo";
};

constexpr std::string_view kCopied =
    "# Copied from [tool.codeclone] of pyproject.toml.\nanalysis:\n  fail_on_new: true\n"
    "  min_loc: 12\n";

TEST(Init, CopiesTheTableAndASecondTimeDoesNothing) {
  const World world;
  const Ran first = world.init({"--yes"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(world.config(), kCopied);
  EXPECT_NE(first.out.find("left out: unheard_of: "), std::string::npos) << first.out;
  EXPECT_NE(first.out.find("left out: cache_path: "), std::string::npos) << first.out;
  const Ran second = world.init({"--yes"});
  EXPECT_EQ(second.exit_code, 0);
  EXPECT_NE(second.out.find("nothing to do"), std::string::npos) << second.out;
  EXPECT_EQ(world.config(), kCopied);
  EXPECT_EQ(world.init({"--check"}).exit_code, 0);
  EXPECT_FALSE(kit::fs::exists(world.repo / "gatehouse.yaml.gatehouse.bak"));
  // The program reads what it wrote.
  EXPECT_EQ(kit::run({kit::gatehouse_binary(), "config", "validate", "gatehouse.yaml"},
                     {.cwd = world.repo})
                .exit_code,
            0);
}

TEST(Init, ShowsADiffThatGitAppliesAndWritesNothing) {
  const World world;
  const std::string mine = "# mine\nstore:\n  run_days: 3\n";
  kit::write(world.repo / "gatehouse.yaml", mine);
  const Ran shown = world.init({"--dry-run"});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_EQ(world.config(), mine);
  EXPECT_EQ(world.init({"--check"}).exit_code, 1);
  const std::string diff = shown.out.substr(0, shown.out.find("left out: "));
  EXPECT_EQ(kit::run({"git", "apply", "-"}, {.cwd = world.repo, .input = diff}).exit_code, 0)
      << diff;
  EXPECT_EQ(world.config(), mine + "\n" + std::string(kCopied));
  EXPECT_EQ(world.init({"--check"}).exit_code, 0);
}

TEST(Init, KeepsTheFileAsItWasBesideTheNewOne) {
  const World world;
  kit::write(world.repo / "gatehouse.yaml", "analysis:\n  min_loc: 5\n");
  ASSERT_EQ(world.init({"--yes"}).exit_code, 0);
  EXPECT_EQ(world.config(), "analysis:\n  fail_on_new: true\n  min_loc: 5\n");
  EXPECT_EQ(kit::read(world.repo / "gatehouse.yaml.gatehouse.bak"), "analysis:\n  min_loc: 5\n");
}

TEST(Init, WritesNothingUnlessSomebodySaysYes) {
  const World world;
  const Ran asked = world.init({});
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_NE(asked.err.find("--yes writes, --dry-run shows"), std::string::npos) << asked.err;
  EXPECT_FALSE(kit::fs::exists(world.repo / "gatehouse.yaml"));
}

TEST(Init, NeverTouchesAFileThatItCannotRead) {
  const World world;
  kit::write(world.repo / "gatehouse.yaml", "analysis: [\n");
  EXPECT_EQ(world.init({"--yes"}).exit_code, 2);
  EXPECT_EQ(world.config(), "analysis: [\n");
  kit::write(world.repo / "gatehouse.yaml", "");
  kit::write(world.repo / "pyproject.toml", "[tool\n");
  const Ran broken = world.init({"--yes"});
  EXPECT_EQ(broken.exit_code, 3) << broken.err;
  EXPECT_NE(broken.err.find("pyproject.toml:1:"), std::string::npos) << broken.err;
}

TEST(Init, WithoutATableThereIsNothingToDo) {
  const World world;
  kit::fs::remove(world.repo / "pyproject.toml");
  const Ran told = world.init({"--yes", "--json"});
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_EQ(testing::judged("init", told.out), "") << told.out;
  EXPECT_FALSE(kit::fs::exists(world.repo / "gatehouse.yaml"));
}

TEST(Init, ItsDocumentConforms) {
  const World world;
  const Ran told = world.init({"--dry-run", "--json"});
  EXPECT_EQ(testing::judged("init", told.out), "") << told.out;
}

}  // namespace
}  // namespace gh
