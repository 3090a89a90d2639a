// A stored report is read back into what the gates ask about. Whatever the sources are, the gates
// must say of the report what they say of the run that it was made of.
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/baseline.h"
#include "analysis/canonical_report.h"
#include "analysis/test_project.h"
#include "control/budgets.h"
#include "wire/json.h"

namespace gh::control {
namespace {

using namespace analysis;

std::string complex_function(const std::string& name, int decisions) {
  std::string out = "def " + name + "(a):\n";
  for (int i = 0; i < decisions; ++i)
    out += "    if a == " + std::to_string(i) + ":\n        a = a + " + std::to_string(i) + "\n";
  return out + "    return a\n";
}

std::string class_of_strangers(const std::string& name, int methods) {
  std::string out = "class " + name + ":\n";
  for (int i = 0; i < methods; ++i)
    out += "    def m" + std::to_string(i) + "(self):\n        self.x" + std::to_string(i) + " = " +
           std::to_string(i) + "\n        return self.x" + std::to_string(i) + "\n";
  return out;
}

std::vector<Project> projects() {
  analysis::Profile profile = kLow;
  profile.api_surface = true;
  const std::string copy = complex_function("same", 6);
  const std::string documented =
      "def told(a: int) -> int:\n    \"\"\"Says so.\"\"\"\n    return a\n";
  return {
      project_of({}, profile),
      project_of({{"pkg/__init__.py", ""}, {"pkg/a.py", documented}}, profile),
      project_of({{"pkg/a.py", complex_function("big", 30)}, {"pkg/b.py", documented}}, profile),
      project_of({{"pkg/a.py", copy}, {"pkg/b.py", copy}}, profile),
      project_of({{"pkg/__init__.py", ""},
                  {"pkg/a.py", "from pkg import b\n" + documented},
                  {"pkg/b.py", "from pkg import a\n" + class_of_strangers("Odd", 8)}},
                 profile),
      project_of({{"pkg/a.py", "# gatehouse: ignore[complexity]\n" + complex_function("big", 30) +
                                   "# gatehouse: ignore[dead-code]\ndef gone():\n    pass\n"}},
                 profile),
      project_of({{"pkg/a.py", "def told(a, b):\n    return a\n\ndef more():\n    return 1\n"}},
                 profile),
  };
}

GateSettings everything() {
  GateSettings out;
  out.fail_complexity = 5;
  out.fail_coupling = 0;
  out.fail_cohesion = 1;
  out.fail_health = 95;
  out.min_typing_coverage = 50;
  out.min_docstring_coverage = 50;
  out.fail_threshold = 0;
  out.fail_cycles = out.fail_dead_code = out.fail_on_new_metrics = true;
  out.fail_on_typing_regression = out.fail_on_docstring_regression = true;
  out.fail_on_api_break = out.fail_on_new = true;
  return out;
}

std::vector<std::string> asked_of_the_run(const Project& project, const Findings& findings,
                                          const Baseline& baseline) {
  const Measures measures = measure(project, findings);
  const Health health = health_of(measures);
  const Comparison comparison = compare(measures, health, baseline);
  const Since nothing;
  std::vector<std::string> out;
  for (const GateReason& reason :
       gate_reasons(everything(), {.measures = measures,
                                  .health = health,
                                  .comparison = comparison,
                                  .since = nothing,
                                  .counted = measures.clones.size(),
                                  .new_counted = measures.clones.size()}))
    out.push_back(reason.key.starts_with("clone:") ? reason.key
                                                   : reason.key + ": " + reason.message);
  return out;
}

TEST(GateState, AReportIsJudgedLikeTheRunThatItWasMadeOf) {
  const std::vector<Project> all = projects();
  std::size_t reasons = 0;
  std::set<std::string> keys;
  for (const Project& project : all) {
    const Findings findings = find_all(project);
    // As it is stored: written, and read again.
    const auto report =
        wire::read_own_json(wire::canonical_json(canonical_report(project, findings)));
    ASSERT_TRUE(report.has_value());
    for (const Project& earlier : all) {
      const Measures then = measure(earlier, find_all(earlier));
      const Baseline baseline =
          baseline_of(then, health_of(then), {.metrics = true, .api_surface = true});
      const std::vector<std::string> expected = asked_of_the_run(project, findings, baseline);
      const GateResult said =
          preview_gates(everything(), gate_state(*report, {.baseline = &baseline}));
      EXPECT_EQ(said.reasons, expected);
      EXPECT_TRUE(said.skipped.empty());
      reasons += expected.size();
      for (const std::string& reason : expected)
        keys.insert(reason.substr(0, reason.find(": ")));
    }
  }
  EXPECT_GT(reasons, 150u);
  // Nearly every gate has spoken, or this test would say little.
  EXPECT_GE(keys.size(), 16u);
}

}  // namespace
}  // namespace gh::control
