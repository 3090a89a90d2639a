// `analyze` through the program: what is read, what is refused, what the id of a run depends on.
#include <sys/stat.h>
#include <unistd.h>

#include "ops/analysis_scope.h"
#include "tests/runs_kit.h"

namespace gh::testing {
namespace {

// docs/reference/analysis.md, "What is read"
TEST(Analyze, WorkTreeIndexAndRevisionOfEqualFilesAreOneRun) {
  RunsWorld world;
  const std::string file = world.repo.at("pkg/core.py");
  ASSERT_EQ(::chmod(file.c_str(), 0755), 0);
  ASSERT_EQ(::symlink("core.py", world.repo.at("pkg/link.py").c_str()), 0);
  ASSERT_EQ(::symlink("../pkg/../pkg/link.py", world.repo.at("pkg/again.py").c_str()), 0);
  ASSERT_EQ(::symlink("pkg", world.repo.at("folder").c_str()), 0);
  ASSERT_EQ(::symlink("folder/core.py", world.repo.at("through.py").c_str()), 0);
  ASSERT_EQ(::symlink("/etc/passwd", world.repo.at("out.py").c_str()), 0);
  ASSERT_EQ(::symlink("../outside.py", world.repo.at("climbs.py").c_str()), 0);
  ASSERT_EQ(::symlink("nowhere.py", world.repo.at("dangling.py").c_str()), 0);
  ASSERT_EQ(::symlink("loop.py", world.repo.at("loop.py").c_str()), 0);
  ASSERT_TRUE(sys::write_file_atomic(world.repo.folder() + "/outside.py", "x = 1\n").has_value());
  world.repo.commit("second");
  const std::string id = world.run_id(), digest = world.digest();
  EXPECT_EQ(id.size(), 64u);
  EXPECT_EQ(world.run_id({"--staged"}), id);
  EXPECT_EQ(world.run_id({"--rev", "HEAD"}), id);
  EXPECT_EQ(world.digest({"--staged"}), digest);
  EXPECT_EQ(world.digest({"--rev", "HEAD"}), digest);
  EXPECT_EQ(world.digest({"--jobs", "1"}), digest);
  EXPECT_EQ(
      world.field({"analyze"}, "inventory.file_registry.items"),
      R"(["app.py","pkg/__init__.py","pkg/again.py","pkg/core.py","pkg/link.py","pkg/use.py","through.py"])");
}

// docs/reference/analysis.md, "Methods without an instance"
TEST(Analyze, MethodsThatCouldBeFunctionsAreToldWhenThePolicyAsks) {
  RunsWorld world;
  world.repo.write("m.py",
                   "class C:\n"
                   "    def f(self, a):\n        return g(a)\n"
                   "    def h(self):\n        return self.x\n"
                   "    def stub(self):\n        pass\n");
  const auto told = [&] { return world.field({"analyze"}, "findings.groups.structural.groups"); };
  EXPECT_EQ(told().find("instance_independent_method"), std::string::npos);
  world.repo.write("gatehouse.yaml", "analysis:\n  instance_independent_methods: true\n");
  const std::string groups = told();
  EXPECT_NE(groups.find(R"("kind":"instance_independent_method")"), std::string::npos) << groups;
  EXPECT_NE(groups.find("m:C.f"), std::string::npos) << groups;
  EXPECT_EQ(groups.find("m:C.h"), std::string::npos) << groups;
  EXPECT_EQ(groups.find("m:C.stub"), std::string::npos) << groups;
}

TEST(Analyze, WhatIsStagedIsWhatGitCommitsAlsoBehindItsOtherIndexes) {
  RunsWorld world;
  const std::string hook = world.repo.at(".git/hooks/pre-commit");
  world.repo.write(".git/hooks/pre-commit",
                   "#!/bin/sh\n'" GH_BINARY
                   "' analyze --staged --fail-complexity 20 -q >/dev/null\n"
                   "echo $? >>told.txt\n");
  std::filesystem::permissions(hook, std::filesystem::perms::owner_all);
  const auto told = [&] {
    std::ifstream in(world.repo.at("told.txt"));
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  world.repo.write("pkg/core.py", python_function("core", 30));
  world.repo.git({"commit", "-qam", "all"});
  EXPECT_EQ(told(), "1\n");
  world.repo.write("pkg/use.py", python_function("use", 31));
  world.repo.write("pkg/core.py", python_function("core", 3));
  world.repo.git({"add", "pkg/core.py"});
  world.repo.git({"commit", "-qm", "one", "--", "pkg/use.py"});
  EXPECT_EQ(told(), "1\n1\n");
  world.repo.git({"commit", "-qm", "the other", "--", "pkg/core.py"});
  world.repo.write("pkg/use.py", python_function("use", 2));
  world.repo.git({"commit", "-qam", "mended"});
  EXPECT_EQ(told(), "1\n1\n1\n0\n");
}

TEST(Analyze, EachFormReadsWhatIsThere) {
  RunsWorld world;
  const std::string before = world.digest({"--rev", "HEAD"});
  world.repo.write("pkg/core.py", python_function("core", 4));
  const std::string on_disk = world.digest();
  EXPECT_NE(on_disk, before);
  EXPECT_EQ(world.digest({"--staged"}), before);
  world.repo.git({"add", "-A"});
  EXPECT_EQ(world.digest({"--staged"}), on_disk);
  EXPECT_EQ(world.digest({"--rev", "HEAD"}), before);
  world.repo.write("new.py", python_function("new", 1));  // neither tracked nor ignored
  EXPECT_NE(world.digest(), on_disk);
  EXPECT_EQ(world.digest({"--staged"}), on_disk);
  world.repo.git({"commit", "-qam", "second"});
  EXPECT_EQ(world.digest({"--rev", "HEAD"}), on_disk);
  EXPECT_EQ(world.digest({"--rev", "HEAD~1"}), before);
  EXPECT_EQ(world.ask({"analyze", "--rev", "HEAD", "--staged"}).code, 2);
  EXPECT_EQ(world.ask({"analyze", "--rev", "nowhere"}).code, 2);
}

TEST(Analyze, AnUnmergedPathIsReadAsOurs) {
  RunsWorld world;
  world.repo.git({"checkout", "-q", "-b", "theirs"});
  world.repo.write("pkg/core.py", python_function("core", 7));
  world.repo.commit("theirs");
  world.repo.git({"checkout", "-q", "main"});
  world.repo.write("pkg/core.py", python_function("core", 5));
  world.repo.commit("ours");
  const std::string ours = world.digest({"--rev", "HEAD"});
  EXPECT_NE(shell("git merge -q theirs", world.repo.root()).code, 0);
  EXPECT_EQ(world.digest({"--staged"}), ours);
}

/// The program for somebody whom closed folders keep out: even root, without the right to pass.
Ran ask_as_anybody(const RunsWorld& world, std::vector<std::string> words) {
  words.insert(words.begin(), gatehouse_path());
  if (::geteuid() == 0)
    words.insert(words.begin(),
                 {"/usr/bin/setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--"});
  return run_program(std::move(words), world.repo.root());
}

// docs/reference/analysis.md, "What is read"
TEST(Analyze, AFolderThatLetsNobodyInIsNamedAndNoGatePassesOverIt) {
  RunsWorld world;
  world.repo.write("shut/m.py", python_function("inner", 3));
  const std::string folder = world.repo.at("shut");
  ASSERT_EQ(::chmod(folder.c_str(), 0), 0);
  const Ran unread = ask_as_anybody(world, {"analyze", "--field", "inventory.files.unread"});
  EXPECT_EQ(unread.code, 0) << unread.err;
  EXPECT_EQ(unread.out, "[{\"path\":\"shut/\",\"status\":\"stat_error\"}]\n");
  const Ran languages = ask_as_anybody(world, {"analyze", "--field", "inventory.code.by_language"});
  EXPECT_EQ(languages.out, "{\"python\":4}\n") << "it is of none";
  const Ran text = ask_as_anybody(world, {"analyze"});
  EXPECT_TRUE(contains(text.out, "shut/")) << text.out;
  const Ran gate = ask_as_anybody(world, {"analyze", "--fail-complexity", "50"});
  EXPECT_EQ(gate.code, 3) << gate.out << gate.err;
  EXPECT_TRUE(contains(gate.err, "shut/")) << gate.err;
  ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
  EXPECT_EQ(ask_as_anybody(world, {"analyze", "--field", "inventory.files.unread"}).out, "[]\n");
}

// docs/reference/analysis.md, "Report": what differs between two runs of the same sources
TEST(Analyze, TheRunSaysWhatItFoundInItsCacheAndHowLongItTook) {
  RunsWorld world;
  EXPECT_EQ(world.field({"analyze", "--jobs", "2"}, "meta.runtime.cache"),
            "{\"hits\":0,\"misses\":4,\"status\":\"missing\"}");
  EXPECT_EQ(world.field({"analyze", "--jobs", "2"}, "meta.runtime.cache"),
            "{\"hits\":4,\"misses\":0,\"status\":\"ok\"}");
  world.repo.write("pkg/core.py", python_function("core", 4));
  EXPECT_EQ(world.field({"analyze"}, "meta.runtime.cache.misses"), "1");
  EXPECT_EQ(world.field({"analyze", "--jobs", "2"}, "meta.runtime.jobs"), "2");
  for (const std::string stage :
       {"reading_ms", "finding_ms", "measuring_ms", "reporting_ms", "storing_ms"})
    EXPECT_FALSE(world.field({"analyze"}, "meta.runtime.timings." + stage).empty()) << stage;
}

// docs/reference/analysis.md, "Runs"
TEST(Analyze, TheIdFollowsEveryInputAndTheDigestOnlyTheShape) {
  RunsWorld world;
  world.repo.write("pkg/core.py", "def core(a):\n    return a + 1\n");
  const std::string digest = world.digest();
  std::vector<std::string> ids{world.run_id()};
  const auto changed = [&](const char* what) {
    EXPECT_EQ(world.digest(), digest) << what;
    const std::string id = world.run_id();
    EXPECT_EQ(std::ranges::count(ids, id), 0) << what;
    ids.push_back(id);
  };
  world.repo.write("pkg/core.py", "def core(a):\n    return a + 2\n");
  changed("a literal");
  ASSERT_EQ(::chmod(world.repo.at("pkg/core.py").c_str(), 0755), 0);
  changed("a mode");
  world.repo.write("Makefile", "all: more\n");
  changed("a governance file");
  world.repo.write(".github/workflows/ci.yml", "on: push\n");
  changed("a new governance file");
  world.repo.write("README.md", "words\n");
  EXPECT_EQ(world.run_id(), ids.back()) << "documentation takes no part";
  world.repo.write("pkg/core.py", "def core(a):\n    return a + 1\n");
  ASSERT_EQ(::chmod(world.repo.at("pkg/core.py").c_str(), 0644), 0);
  world.repo.write("Makefile", "all:\n");
  world.repo.git({"clean", "-qfd"});
  EXPECT_EQ(world.run_id(), ids.front()) << "back where it was";
}

TEST(Analyze, AFolderOfTheRepositoryRestrictsItAndKeepsItsPaths) {
  RunsWorld world;
  world.repo.write("pkg/ignored.py", python_function("ignored", 50));
  const std::string items = R"(["pkg/__init__.py","pkg/core.py","pkg/use.py"])";
  for (const std::vector<std::string>& form :
       {std::vector<std::string>{}, {"--staged"}, {"--rev", "HEAD"}}) {
    std::vector<std::string> words{"analyze", "pkg"};
    words.insert(words.end(), form.begin(), form.end());
    EXPECT_EQ(world.field(words, "inventory.file_registry.items"), items);
    EXPECT_EQ(world.field(words, "meta.runtime.root"), world.repo.root() + "/pkg");
  }
  // From inside it, and of the whole repository from inside it.
  const Ran inside =
      gatehouse({"analyze", ".", "--field", "inventory.file_registry.items"}, world.repo.at("pkg"));
  EXPECT_EQ(inside.out, items + "\n") << inside.err;
  const Ran whole = gatehouse({"analyze", "--field", "meta.runtime.root"}, world.repo.at("pkg"));
  EXPECT_EQ(whole.out, world.repo.root() + "\n") << whole.err;
  // A folder that only the revision has.
  world.repo.git({"rm", "-rqf", "pkg"});
  ASSERT_TRUE(sys::remove_folder_tree(world.repo.at("pkg")).has_value());
  EXPECT_EQ(world.field({"analyze", "pkg", "--rev", "HEAD"}, "inventory.file_registry.items"),
            items);
  EXPECT_EQ(world.ask({"analyze", "pkg"}).code, 2);
  EXPECT_EQ(world.ask({"analyze", "nothing", "--rev", "HEAD"}).code, 2);
  EXPECT_EQ(world.ask({"analyze", "../..", "--rev", "HEAD"}).code, 4);
}

// docs/reference/analysis.md, "What is read"
TEST(Analyze, FoldersOfTheSystemAreRefused) {
  for (const char* root : {"/", "/etc", "/etc/x", "/sys", "/proc/1", "/dev", "/root", "/boot/a",
                           "/var", "/var/lib/x", "/usr/bin", "/usr/sbin/y"})
    EXPECT_TRUE(ops::is_refused_root(root, "/tmp")) << root;
  for (const char* root : {"/tmp", "/tmp/etc", "/home/me", "/etcetera", "/usr", "/usr/src/x",
                           "/usr/binaries", "/srv", "/variable"})
    EXPECT_FALSE(ops::is_refused_root(root, "/tmp")) << root;
  EXPECT_FALSE(ops::is_refused_root("/var/folders/x/T/repo", "/var/folders/x/T"));
  EXPECT_TRUE(ops::is_refused_root("/var/folders/x", "/var/folders/x/T"));
  for (const char* root : {"/root/project", "/root/project/src"})
    EXPECT_FALSE(ops::is_refused_root(root, "/tmp", "/root/project")) << root;
  EXPECT_FALSE(ops::is_refused_root("/var/lib/x/job", "/tmp", "/var/lib/x/job"));
  EXPECT_TRUE(ops::is_refused_root("/root/other", "/tmp", "/root/project"));
  EXPECT_TRUE(ops::is_refused_root("/root/project", "/tmp", "/root"));
  EXPECT_TRUE(ops::is_refused_root("/etc", "/tmp", "/etc"));
  EXPECT_TRUE(ops::is_refused_root("/etc/x", "/tmp", "/"));

  RunsWorld world;
  ASSERT_EQ(::symlink("/etc", world.repo.at("etc").c_str()), 0);
  for (const char* root : {"/etc", "/", "/usr/bin/..//bin", "etc", "Makefile", "missing"}) {
    const Ran ran = world.ask({"analyze", root});
    EXPECT_EQ(ran.code, 2) << root << ran.out;
    EXPECT_TRUE(contains(ran.last_error_line(), "path_invalid")) << ran.err;
  }
}

// Runners of CI check out below folders that are the system's.
TEST(Analyze, AWorkTreeBelowAFolderOfTheSystemIsRead) {
  const auto folder = *sys::TempDir::create("/var/tmp", "gh-checkout-");
  const std::string file = folder.path() + "/x.py";
  ASSERT_TRUE(sys::write_file_atomic(file, python_function("x", 1)));
  const auto items = [&] {
    return gatehouse({"analyze", "--no-store", "--field", "inventory.file_registry.items"},
                     folder.path());
  };
  EXPECT_EQ(items().code, 2);
  ASSERT_EQ(run_program({"/usr/bin/git", "init", "-q"}, folder.path()).code, 0);
  EXPECT_EQ(items().out, "[\"x.py\"]\n");
}

TEST(Analyze, OutsideOfARepositoryEverythingIsReadAndNothingKept) {
  const auto folder = *sys::TempDir::create("/tmp", "gh-plain-");
  const auto write = [&](const std::string& path, const std::string& bytes) {
    ASSERT_TRUE(sys::make_folders(folder.path() + "/" + path.substr(0, path.rfind('/'))));
    ASSERT_TRUE(sys::write_file_atomic(folder.path() + "/" + path, bytes));
  };
  write("a/x.py", python_function("x", 1));
  write("node_modules/y.py", python_function("y", 1));
  ASSERT_EQ(::symlink("a", (folder.path() + "/linked").c_str()), 0);
  ASSERT_EQ(::symlink("a/x.py", (folder.path() + "/z.py").c_str()), 0);
  const Ran ran = gatehouse({"analyze", "--field", "inventory.file_registry.items"}, folder.path());
  EXPECT_EQ(ran.out, "[\"a/x.py\",\"z.py\"]\n");
  EXPECT_TRUE(contains(ran.err, "not stored")) << ran.err;
  EXPECT_EQ(gatehouse({"analyze", "--no-store"}, folder.path()).err, "");
  EXPECT_EQ(gatehouse({"analyze", "--staged"}, folder.path()).code, 4);
}

TEST(Analyze, TheSummaryNamesFilesReadInPartAndCommentsWithoutEffect) {
  RunsWorld world;
  world.repo.write("pkg/broken.py", "def f(a):\n    return a\n\n\ndef g(:\n    return\n");
  world.repo.write("pkg/quiet.py", "# gatehouse: ignore[deadcode]\ndef h(a):\n    return a\n");
  const Ran told = world.ask({"analyze"});
  EXPECT_TRUE(contains(told.out, "1  could be read in part only\n")) << told.out;
  EXPECT_TRUE(contains(told.out, "in part  pkg/broken.py  syntax error in line 5\n")) << told.out;
  EXPECT_TRUE(contains(told.out, "Comments     1 request to silence a rule, without effect\n"))
      << told.out;
  EXPECT_TRUE(contains(told.out, "unknown_rule  deadcode  pkg/quiet.py:1\n")) << told.out;
}

// An edit that leaves a syntax error is a regression, read through the program.
TEST(Analyze, ACopyThatIsOneLoopIsNamedAsNearlyEqual) {
  RunsWorld world;
  std::string body = "(xs):\n    for x in xs:\n";
  for (const char* call : {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"})
    body += std::string("        ") + call + "(x)\n";
  world.repo.write("loops.py", "def first" + body + "\n\ndef second" + body);
  const std::string text = world.ask({"analyze"}).out;
  EXPECT_TRUE(contains(text, "nearly equal: 100 % of the statements")) << text;
  EXPECT_TRUE(contains(text, "loops:first") && contains(text, "loops:second")) << text;
}

TEST(Analyze, ASyntaxErrorIsARegressionOfItsOwn) {
  RunsWorld world;
  world.repo.write("pkg/core.py", python_function("core", 4) + "def g(:\n    return\n");
  EXPECT_EQ(world.ask({"analyze"}).code, 0);
  const std::string kind = world.field({"runs", "compare", "HEAD"}, "regressions.0.kind");
  EXPECT_EQ(kind, "syntax_error");
  EXPECT_EQ(world.ask({"runs", "compare", "HEAD", "--check"}).code, 1);
}

TEST(Analyze, NamesFromOutsideDoNotDriveTheTerminal) {
  RunsWorld world;
  world.repo.write("pkg/evil\x1b[31m.py", python_function("f", 30));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"analyze"},
                                                {"findings"},
                                                {"hotspots"},
                                                {"runs", "show"},
                                                {"runs", "compare", "HEAD"}}) {
    const Ran ran = world.ask(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_FALSE(contains(ran.out + ran.err, "\x1b")) << words.front() << ran.out;
    EXPECT_TRUE(contains(ran.out, "evil\\x1b")) << words.front() << ran.out;
  }
}

}  // namespace
}  // namespace gh::testing
