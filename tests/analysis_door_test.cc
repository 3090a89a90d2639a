// What the commands of the analysis say to a person who uses them wrong, or on something unusual.
#include "tests/runs_kit.h"
#include "tests/schema_kit.h"

namespace gh::testing {
namespace {

struct AnalysisDoor : ::testing::Test {
  Ran ask(std::vector<std::string> words) const { return world.ask(std::move(words)); }
  RunsWorld world{};
};

TEST_F(AnalysisDoor, AWordThatIsNeitherAValueNorAFolderIsToldAsBoth) {
  const Ran file = ask({"analyze", "--html", "x.txt"});
  EXPECT_EQ(file.code, 2);
  EXPECT_TRUE(contains(file.err,
                       "'x.txt' is neither a value of --html, which takes a name that ends with "
                       ".html, nor a PATH"))
      << file.err;
  const Ran number = ask({"analyze", "--fail-complexity", "abc"});
  EXPECT_EQ(number.code, 2);
  EXPECT_TRUE(contains(number.err,
                       "'abc' is neither a value of --fail-complexity, which takes a whole number "
                       "of -1 or more, nor a PATH"))
      << number.err;
  EXPECT_EQ(ask({"analyze", "--html", "pkg"}).code, 0);
  EXPECT_TRUE(contains(ask({"analyze", "abc", "--html"}).err, "'abc' is no folder"));
}

TEST_F(AnalysisDoor, PercentagesEndAtAHundred) {
  for (const char* option :
       {"--fail-health", "--min-typing-coverage", "--min-docstring-coverage", "--coverage-min"}) {
    const Ran ran = ask({"analyze", option, "101"});
    EXPECT_EQ(ran.code, 2) << option;
    EXPECT_TRUE(contains(ran.err, "to 100, not '101'")) << ran.err;
  }
  EXPECT_TRUE(contains(ask({"analyze", "--fail-health", "-2"}).err,
                       "--fail-health takes a whole number from -1 to 100, not '-2'"));
}

TEST_F(AnalysisDoor, FilesOfTheConfigurationLieBelowTheRoot) {
  struct Row {
    const char *key, *option, *ending;
  };
  const Row rows[] = {{"html_out", "--html", ".html"},
                      {"json_out", "--json-file", ".json"},
                      {"md_out", "--md", ".md"},
                      {"sarif_out", "--sarif", ".sarif"},
                      {"text_out", "--text", ".txt"}};
  const std::string here = world.repo.at("pkg");
  for (const Row& row : rows) {
    const std::string named = std::string("out/a") + row.ending;
    world.repo.write("gatehouse.yaml",
                     std::string("analysis:\n  ") + row.key + ": " + named + "\n");
    EXPECT_EQ(gatehouse({"analyze"}, here).code, 0) << row.key;
    EXPECT_TRUE(std::filesystem::exists(world.repo.at(named))) << row.key;
    EXPECT_FALSE(std::filesystem::exists(here + "/" + named)) << row.key;
    EXPECT_EQ(gatehouse({"analyze", row.option, named}, here).code, 0) << row.option;
    EXPECT_TRUE(std::filesystem::exists(here + "/" + named)) << row.option;
  }
}

TEST_F(AnalysisDoor, RulesAndGatesAreExplainedAndListed) {
  const std::string listed = ask({"rule", "list", "--json"}).out;
  EXPECT_EQ(judged("rule_list", listed), "");
  for (const char* id : {"GH-CLONE-FUNCTION", "GH-STRUCT-GUARD", "GH-DEAD-CLASS", "GH-DESIGN-CYCLE",
                         "metric:health_threshold", "clone:new"}) {
    EXPECT_EQ(judged("rule", ask({"explain", id, "--json"}).out), "") << id;
    EXPECT_TRUE(contains(listed, id)) << id;
  }
  EXPECT_TRUE(contains(ask({"rule", "show", "clone:threshold:3:1"}).out, "clone:threshold  ("));
  const std::string design = ask({"rule", "list", "--gate", "design"}).out;
  EXPECT_EQ(std::ranges::count(design, '\n'), 6) << design;
  const std::string gates = ask({"rule", "list", "--gate", "gate"}).out;
  EXPECT_EQ(std::ranges::count(gates, '\n'), 21) << gates;
}

TEST_F(AnalysisDoor, AListOfAnOlderRunSaysThatItIsOld) {
  ASSERT_EQ(ask({"analyze"}).code, 0);
  for (const char* command : {"findings", "hotspots", "clones"})
    EXPECT_FALSE(contains(ask({command}).err, "changed since")) << command;
  world.repo.write("pkg/core.py", python_function("core", 4));
  for (const char* command : {"findings", "hotspots", "clones"})
    EXPECT_TRUE(contains(ask({command}).err, "the sources changed since run ")) << command;
  EXPECT_FALSE(contains(ask({"findings", "--run", "HEAD"}).err, "changed since"));
  ASSERT_EQ(ask({"analyze"}).code, 0);
  EXPECT_FALSE(contains(ask({"findings"}).err, "changed since"));
}

TEST_F(AnalysisDoor, NothingToReadIsNoGoodHealth) {
  GitSandbox empty;
  empty.write("README", "words\n");
  empty.commit("no source");
  const Ran ran = gatehouse({"analyze"}, empty.root());
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "no source was read")) << ran.err;
  EXPECT_TRUE(contains(ran.out, "not measured: no source was read")) << ran.out;
  EXPECT_FALSE(contains(ran.out, "100 of 100")) << ran.out;
  EXPECT_TRUE(contains(gatehouse({"analyze", "--quiet"}, empty.root()).out, "health=none"));
  EXPECT_FALSE(contains(ask({"analyze"}).err, "no source was read"));
}

TEST_F(AnalysisDoor, UpdatingABaselineSaysWhatItAccepts) {
  ASSERT_EQ(ask({"baseline", "save"}).code, 0);
  world.repo.write("pkg/much.py", python_function("much", 30));
  EXPECT_EQ(ask({"analyze", "--fail-on-new-metrics"}).code, 1);
  const Ran json = ask({"baseline", "update", "--json"});
  EXPECT_EQ(judged("baseline_written", json.out), "");
  EXPECT_TRUE(contains(json.out, "\"pkg.much:much\"")) << json.out;
  world.repo.write("pkg/much.py", python_function("much", 30) + python_function("more", 30));
  const Ran text = ask({"baseline", "update"});
  EXPECT_TRUE(contains(text.out, "now accepted, complex function: pkg.much:more\n")) << text.out;
  EXPECT_FALSE(contains(text.out, "pkg.much:much\n")) << text.out;
  EXPECT_EQ(ask({"analyze", "--fail-on-new-metrics"}).code, 0);
}

TEST_F(AnalysisDoor, ASecondComplexFunctionOfAKnownNameIsNew) {
  world.repo.write("pkg/much.py", python_function("much", 30));
  ASSERT_EQ(ask({"baseline", "save"}).code, 0);
  EXPECT_EQ(ask({"analyze", "--fail-on-new-metrics"}).code, 0);
  world.repo.write("pkg/much.py", python_function("much", 30) + python_function("much", 31));
  const Ran ran = ask({"baseline", "diff"});
  EXPECT_TRUE(contains(ran.out, "new complex function: pkg.much:much#2\n")) << ran.out;
  EXPECT_EQ(ask({"baseline", "update"}).code, 0);
  EXPECT_EQ(ask({"baseline", "verify"}).code, 0);
  EXPECT_EQ(ask({"baseline", "diff", "--check"}).code, 0);
}

}  // namespace
}  // namespace gh::testing
