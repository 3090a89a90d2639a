// Security surfaces and overloaded modules through the real program
// (docs/reference/analysis.md, "Security surfaces", "Overloaded modules", "Gates").
#include "tests/runs_kit.h"
#include "tests/schema_kit.h"

namespace gh::testing {
namespace {

const std::string kFamily = "metrics.families.security_surfaces.";

TEST(SecuritySurfacesOfRuns, TheReportHoldsThemAndTheSummaryCountsThem) {
  RunsWorld world;
  world.repo.write("pkg/run.py", "import subprocess\n\n\ndef go(x):\n    subprocess.run(x)\n");
  world.repo.write("web/a.ts", "import { createServer } from 'http';\ncreateServer();\n");
  EXPECT_EQ(world.field({"analyze"}, kFamily + "summary.items"), "3");
  EXPECT_EQ(world.field({"analyze"}, kFamily + "summary.categories.process_boundary"), "2");
  EXPECT_EQ(world.field({"analyze"}, kFamily + "items.1.qualname"), "pkg.run:go");
  EXPECT_EQ(world.field({"analyze"}, kFamily + "items.1.capability"), "subprocess_run");
  EXPECT_EQ(world.field({"analyze"}, kFamily + "items.2.relative_path"), "web/a.ts");
  const std::string modules = "metrics.families.overloaded_modules.summary.";
  EXPECT_EQ(world.field({"analyze"}, modules + "total"), "6");
  EXPECT_EQ(world.field({"analyze"}, modules + "population_status"), "limited");
  const Ran quiet = world.ask({"analyze", "--quiet"});
  EXPECT_TRUE(contains(quiet.out, "\nSecurity items=3 categories=2 modules=2\n")) << quiet.out;
  const Ran text = world.ask({"analyze"});
  EXPECT_TRUE(contains(text.out, "process_boundary 2, network_boundary 1")) << text.out;
  EXPECT_EQ(judged("analysis_report", world.ask({"analyze", "--json"}).out), "");
}

TEST(SecuritySurfacesOfRuns, TheGateRefusesWhatIsNewInItsCategories) {
  RunsWorld world;
  const auto gate = [&](const std::string& categories, bool since_head) {
    std::vector<std::string> words{"analyze", "--fail-on-new-security-surface", categories};
    if (since_head) words.insert(words.end(), {"--diff-against", "HEAD"});
    return world.ask(words);
  };
  world.repo.write("pkg/run.py", "import os\n\n\ndef go(x):\n    os.system(x)\n");
  world.repo.commit("it runs something");
  EXPECT_EQ(gate("process_boundary", false).code, 1) << "compared with nothing, all is new";
  EXPECT_EQ(gate("process_boundary", true).code, 0) << "it was there before";
  world.repo.write("pkg/run.py", "import os\n\n\ndef go(x):\n    os.system(x)\n    eval(x)\n");
  EXPECT_EQ(gate("process_boundary", true).code, 0);
  const Ran refused = gate("process_boundary,dynamic_execution", true);
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(contains(refused.err, "metric:security_surface")) << refused.err;
  EXPECT_TRUE(contains(refused.err, "dynamic_execution (1)")) << refused.err;
}

TEST(SecuritySurfacesOfRuns, ComparingTwoRunsCountsByCategory) {
  RunsWorld world;
  world.repo.write("pkg/run.py", "import socket\n");
  world.run_id();
  world.repo.write("pkg/run.py", "import os\n\n\ndef go(x):\n    os.system(x)\n");
  world.run_id();
  const std::vector<std::string> compare{"runs", "compare"};
  const std::string inventory = "inventories.security_surfaces.";
  EXPECT_EQ(world.field(compare, inventory + "added"),
            R"(["pkg.run:go process_boundary os_system"])");
  EXPECT_EQ(world.field(compare, inventory + "by_category"),
            R"({"network_boundary":{"added":0,"removed":1},)"
            R"("process_boundary":{"added":1,"removed":0}})");
  EXPECT_TRUE(contains(world.ask(compare).out, "Reach    process_boundary: +1 -0"));
  EXPECT_EQ(judged("run_comparison", world.ask({"runs", "compare", "--json"}).out), "");
}

}  // namespace
}  // namespace gh::testing
