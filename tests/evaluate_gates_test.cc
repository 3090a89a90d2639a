// `gates`: the gates of a stored run, by hand (change control reference, "Gates and budgets").
#include "tests/runs_kit.h"

namespace gh::testing {
namespace {

struct GateCase {
  std::vector<std::string> options;
  const char* reason;  // how the first one begins; empty: it is let through
};

/// Something for every gate to object to.
struct BadWorld : RunsWorld {
  BadWorld() {
    repo.write("pkg/core.py", python_function("core", 30));
    repo.write("pkg/one.py", "import pkg.two\n" + python_copy("first"));
    repo.write("pkg/two.py", "import pkg.one\n" + python_copy("second"));
    repo.write("pkg/wide.py",
               "class Wide:\n"
               "    def a(self):\n        return self.x\n"
               "    def b(self):\n        return self.y\n"
               "    def c(self):\n        return self.z\n"
               "    def d(self):\n        return self.w\n"
               "    def e(self):\n        return self.v\n");
    repo.write("app.py",
               "import pkg.use\n" + python_function("main", 1) + "def _nobody(a):\n    return a\n");
    repo.commit("worse");
  }
};

TEST(EvaluateGates, EachGateFailsForItsOwnReason) {
  const BadWorld world;
  ASSERT_EQ(world.ask({"analyze"}).code, 0);
  const std::vector<GateCase> cases{
      {{}, ""},
      {{"--fail-complexity", "20"}, "metric:complexity_threshold: "},
      {{"--fail-complexity", "31"}, ""},
      {{"--fail-complexity", "-1"}, ""},
      {{"--fail-coupling", "0"}, ""},
      {{"--fail-cohesion", "3"}, "metric:cohesion_threshold: "},
      {{"--fail-health", "100"}, "metric:health_threshold: "},
      {{"--fail-health", "0"}, ""},
      {{"--fail-cycles"}, "metric:dependency_cycles: "},
      {{"--fail-dead-code"}, "metric:dead_code_high_confidence: "},
      {{"--min-typing-coverage", "50"}, "metric:typing_coverage_threshold: "},
      {{"--min-docstring-coverage", "50"}, "metric:docstring_coverage_threshold: "},
      {{"--fail-threshold", "0"}, "clone:threshold:1:0"},
      {{"--fail-threshold", "1"}, ""},
  };
  for (const GateCase& c : cases) {
    std::vector<std::string> words{"gates"};
    words.insert(words.end(), c.options.begin(), c.options.end());
    const Ran ran = world.ask(words);
    const bool passes = std::string_view(c.reason).empty();
    EXPECT_EQ(ran.code, passes ? 0 : 1) << join(words, " ") << ran.out << ran.err;
    words.insert(words.end(), {"--field", passes ? "reasons" : "reasons.0"});
    const std::string first = world.ask(words).out;
    EXPECT_TRUE(passes ? first == "[]\n" : first.starts_with(c.reason))
        << join(words, " ") << first;
  }
  // Several, in the order of the gates; the numbers of the other tool on request.
  const Ran both = world.ask({"gates", "--fail-threshold", "0", "--fail-complexity", "20"});
  EXPECT_LT(both.out.find("complexity_threshold"), both.out.find("clone:threshold")) << both.out;
  EXPECT_EQ(world.ask({"gates", "--fail-cycles", "--exit-codes", "codeclone"}).code, 3);
  EXPECT_EQ(world.field({"gates"}, "message"), "no gate was asked for");
}

TEST(EvaluateGates, WhatIsComparedWithABaselineNeedsOne) {
  const BadWorld world;
  ASSERT_EQ(world.ask({"analyze"}).code, 0);
  for (const char* option :
       {"--fail-on-new", "--fail-on-new-metrics", "--fail-on-typing-regression",
        "--fail-on-docstring-regression", "--fail-on-api-break"}) {
    const Ran ran = world.ask({"gates", option});
    EXPECT_NE(ran.code, 0) << option;
    EXPECT_TRUE(contains(ran.err, "baseline_untrusted")) << option << ran.err;
  }
  world.repo.git({"checkout", "-q", "HEAD~1"});
  ASSERT_EQ(world
                .ask({"baseline", "save", "--api-surface", "--baseline",
                      world.repo.folder() + "/base.json"})
                .code,
            0);
  world.repo.git({"checkout", "-q", "main"});
  const std::string base = world.repo.folder() + "/base.json";
  ASSERT_EQ(world.ask({"analyze", "--api-surface", "--baseline", base}).code, 0);
  const std::vector<GateCase> cases{
      {{"--fail-on-new"}, "clone:new"},
      {{"--fail-on-new-metrics"}, "metric:new_high_risk_functions: "},
  };
  for (const GateCase& c : cases) {
    const Ran ran =
        world.ask({"gates", c.options.front(), "--baseline", base, "--field", "reasons.0"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    EXPECT_TRUE(ran.out.starts_with(c.reason)) << ran.out;
  }
  const Ran all = world.ask({"gates", "--fail-on-new-metrics", "--baseline", base});
  for (const char* gate : {"new_dependency_cycles", "new_dead_code", "health_regression"})
    EXPECT_TRUE(contains(all.out, gate)) << gate << all.out;
  EXPECT_EQ(world.ask({"gates", "--fail-on-api-break", "--baseline", base}).code, 0)
      << "nothing public is gone";
}

TEST(EvaluateGates, HotspotsNeedCoverage) {
  const BadWorld world;
  ASSERT_EQ(world.ask({"analyze"}).code, 0);
  const Ran without = world.ask({"gates", "--fail-on-untested-hotspots"});
  EXPECT_EQ(without.code, 2) << without.out;
  EXPECT_TRUE(contains(without.err, "coverage_required")) << without.err;
  world.repo.write("coverage.xml",
                   "<?xml version=\"1.0\"?><coverage><sources><source>" + world.repo.root() +
                       "</source></sources><packages><package><classes><class "
                       "filename=\"pkg/core.py\"><lines><line number=\"1\" hits=\"1\"/><line "
                       "number=\"2\" hits=\"0\"/><line number=\"3\" hits=\"0\"/></lines></class>"
                       "</classes></package></packages></coverage>\n");
  ASSERT_EQ(world.ask({"analyze", "--coverage", world.repo.at("coverage.xml")}).code, 0);
  const Ran ran = world.ask({"gates", "--fail-on-untested-hotspots", "--field", "reasons.0"});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("metric:coverage_hotspots: ")) << ran.out;
}

TEST(EvaluateGates, TheConfigurationCountsAndOptionsWin) {
  const BadWorld world;
  world.repo.write("gatehouse.yaml",
                   "analysis:\n  fail_complexity: 20\n  fail_on_new_near_miss: true\n");
  world.repo.commit("gates");
  ASSERT_NE(world.ask({"analyze"}).code, 0);
  EXPECT_EQ(world.ask({"gates"}).code, 1);
  EXPECT_EQ(world.ask({"gates", "--fail-complexity", "40"}).code, 0);
  EXPECT_EQ(world.field({"gates", "--fail-complexity", "40"}, "skipped.0"), "near_miss")
      << "one run alone cannot be asked what is new";
  EXPECT_EQ(world.ask({"gates", "--run", "ffffffff"}).code, 2);
}

}  // namespace
}  // namespace gh::testing
