// What an attack on the structural analysis found, through the program.
#include <filesystem>

#include <unistd.h>

#include "tests/runs_kit.h"

namespace gh::testing {
namespace {

std::string c_function(int ifs) {
  std::string out = "int big(int a) {\n";
  for (int i = 0; i < ifs; ++i)
    out += "  if (a > " + std::to_string(i) + ") a = a - 1;\n";
  return out + "  return a;\n}\n";
}

TEST(AnalysisAttack, AChangeDoesNotChooseTheRulesThatJudgeIt) {
  RunsWorld world;
  world.repo.write("bad.py", python_function("bad", 25));
  world.repo.write("gatehouse.yaml", "analysis:\n  exclude: [bad.py]\n");
  const Ran judged = world.ask({"analyze", "--diff-against", "HEAD", "--fail-complexity", "20"});
  EXPECT_EQ(judged.code, 1) << judged.out << judged.err;
  EXPECT_TRUE(contains(judged.err, "gatehouse.yaml of HEAD decides")) << judged.err;
  // Without a revision there is no change: the file of the work tree is the rule.
  EXPECT_EQ(world.ask({"analyze", "--fail-complexity", "20"}).code, 0);
}

TEST(AnalysisAttack, CodeBehindWhatOnlyLooksLikeACommentIsMeasured) {
  const std::string body = c_function(25);
  std::string java = "class A { " + body + "}\n";
  const std::vector<std::pair<std::string, std::string>> hidden = {
      {"cr.c", "// c\r" + body},
      {"splice.c", "/* x *\\\n/ " + body},
      {"never.c", "#if 0\n(\n#endif\n" + body},
      {"Cr.java", "// c\r" + java},
      {"Line.java", "// c \\u000a " + java},
      {"End.java", "/* c \\u002a\\u002f " + java},
      {"cr.py", "x = 1 # c\r" + python_function("big", 25)},
  };
  for (const auto& [name, text] : hidden) {
    RunsWorld world;
    world.repo.write(name, text);
    const Ran judged = world.ask({"analyze", "--fail-complexity", "20"});
    EXPECT_EQ(judged.code, 1) << name << "\n" << judged.out << judged.err;
  }
}

TEST(AnalysisAttack, GatesSayHowManyFilesTheyCouldReadInPartOnly) {
  RunsWorld world;
  world.repo.write("broken.py", "def f(a):\n    return a\n\n\ndef g(:\n    return\n");
  const Ran judged = world.ask({"analyze", "--quiet", "--fail-complexity", "20"});
  EXPECT_EQ(judged.code, 0);
  EXPECT_TRUE(contains(judged.out, " skipped=0 partial=1\n")) << judged.out;
}

TEST(AnalysisAttack, FilesThatAConfigurationNamesStayInTheFolder) {
  RunsWorld world;
  for (const char* path : {"/tmp/x.html", "../x.html"}) {
    world.repo.write("gatehouse.yaml", std::string("analysis:\n  html_out: ") + path + "\n");
    const Ran refused = world.ask({"analyze"});
    EXPECT_EQ(refused.code, 2) << path;
    EXPECT_TRUE(contains(refused.err, "policy_bad_path")) << refused.err;
  }
  world.repo.write("gatehouse.yaml", "analysis:\n  html_out: out/x.html\n");
  const std::string outside = world.repo.folder() + "/outside";
  std::filesystem::create_directory(outside);
  std::filesystem::create_directory_symlink(outside, world.repo.at("out"));
  const Ran linked = world.ask({"analyze"});
  EXPECT_EQ(linked.code, 2);
  EXPECT_TRUE(contains(linked.err, "through a link")) << linked.err;
  world.repo.write("gatehouse.yaml", "analysis:\n  baseline: out/b.json\n");
  const Ran saved = world.ask({"baseline", "save"});
  EXPECT_EQ(saved.code, 2);
  EXPECT_TRUE(contains(saved.err, "through a link")) << saved.err;
  EXPECT_TRUE(std::filesystem::is_empty(outside));
}

}  // namespace
}  // namespace gh::testing
