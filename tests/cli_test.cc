// The command line as people and scripts meet it.
#include <gtest/gtest.h>

#include "base/data.h"
#include "base/text.h"
#include "model/value.h"
#include "ops/operation.h"
#include "tests/gatehouse_binary.h"
#include "tests/git_sandbox.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

constexpr const char* kGood =
    "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";

class Cli : public ::testing::Test {
 protected:
  void SetUp() override {
    repo_.write("a.txt", "one\n");
    repo_.write("fix.patch", kGood);
    repo_.commit();
  }
  Ran run(std::vector<std::string> args, std::string_view input = {}) {
    return gatehouse(std::move(args), repo_.root(), input);
  }
  GitSandbox repo_;
};

Value document(const Ran& ran) {
  auto value = wire::read_json(ran.out, "answer");
  EXPECT_TRUE(value) << ran.out;
  return value ? *value : Value();
}

std::string text_at(const Value& value, std::vector<std::string_view> path) {
  const Value* at = &value;
  for (std::string_view step : path) {
    at = at->as_map() == nullptr ? nullptr : at->as_map()->find(step);
    if (at == nullptr) return "(absent)";
  }
  return at->as_string() ? *at->as_string() : wire::canonical_json(*at);
}

TEST_F(Cli, VersionIsOneLine) {
  for (const char* option : {"--version", "-V"}) {
    const Ran ran = run({option});
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.out, "gatehouse 0.1.0\n");
    EXPECT_EQ(ran.err, "");
  }
}

TEST_F(Cli, AnswersOnStandardOutputAndSaysWhyOnTheLastLineOfStandardError) {
  const Ran good = run({"patch", "check", "fix.patch"});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_EQ(good.err, "");
  EXPECT_NE(good.out, "");
  const Ran bad = run({"patch", "check", "-"}, "hello\n");
  EXPECT_EQ(bad.code, 1);
  EXPECT_EQ(bad.last_error_line(),
            "gatehouse: exit 1: gate 'patch' denied, first not_a_diff (patch line 1)");
}

TEST_F(Cli, EveryNonZeroExitSaysWhyInOneGreppableLine) {
  const std::vector<std::pair<std::vector<std::string>, int>> cases = {
      {{"chekc"}, 2},
      {{"patch"}, 2},
      {{"patch", "check", "fix.patch", "--bas", "x"}, 2},
      {{"patch", "check", "fix.patch", "--base", "no-such"}, 2},
      {{"explain", "no_such_rule"}, 2},
      {{"patch", "check", "missing.patch"}, 3},
      {{"patch", "explain", "missing.patch"}, 3},
      {{"-C", "/nonexistent", "doctor"}, 4},
      {{"-C", "/", "patch", "check", "fix.patch"}, 4},
  };
  for (const auto& [args, code] : cases) {
    std::string line;
    for (const std::string& arg : args)
      line += arg + " ";
    SCOPED_TRACE(line);
    const Ran ran = run(args);
    EXPECT_EQ(ran.code, code) << ran.err;
    EXPECT_TRUE(ran.last_error_line().starts_with("gatehouse: exit " + std::to_string(code) + ": "))
        << ran.err;
  }
}

TEST_F(Cli, JsonIsPrintedOnFailureTooAndNothingElse) {
  for (const std::vector<std::string>& args : {std::vector<std::string>{"chekc", "--json"},
                                               {"explain", "nope", "--format", "json"},
                                               {"patch", "explain", "nope.patch", "--json"}}) {
    const Ran ran = run(args);
    const Value value = document(ran);
    EXPECT_EQ(text_at(value, {"schema"}), "gatehouse.error/1");
    EXPECT_NE(text_at(value, {"code"}), "(absent)");
    EXPECT_NE(text_at(value, {"next", "command"}), "(absent)");
    EXPECT_EQ(text_at(value, {"tool", "version"}), "0.1.0");
  }
  const Value rejection = document(run({"patch", "check", "-", "--json"}, "hello\n"));
  EXPECT_EQ(text_at(rejection, {"schema"}), "gatehouse.patch_rejection/1");
  EXPECT_EQ(text_at(rejection, {"verdict", "decision"}), "deny");
}

TEST_F(Cli, EveryCommandAnswersJsonWithSchema) {
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"version"},
                                             {"contract"},
                                             {"schema"},
                                             {"help"},
                                             {"man"},
                                             {"completion", "zsh"},
                                             {"doctor"},
                                             {"config", "show"},
                                             {"config", "validate"},
                                             {"rule", "list"},
                                             {"rule", "show", "max_files"},
                                             {"audit", "log"},
                                             {"audit", "verify"},
                                             {"patch", "explain", "fix.patch"},
                                             {"patch", "canon", "fix.patch"},
                                             {"patch", "calibrate"},
                                             {"patch", "check", "fix.patch"},
                                             {"check", "fix.patch"}}) {
    std::vector<std::string> full = args;
    full.push_back("--json");
    const Ran ran = run(full);
    EXPECT_EQ(ran.code, 0) << args[0] << ran.err;
    EXPECT_TRUE(text_at(document(ran), {"schema"}).starts_with("gatehouse.")) << args[0];
  }
}

TEST_F(Cli, FieldPrintsOneMember) {
  EXPECT_EQ(run({"contract", "--field", "tool.version"}).out, "0.1.0\n");
  EXPECT_EQ(run({"contract", "--field", "exit_codes.1.code"}).out, "1\n");
  const Ran denied = run({"patch", "check", "-", "--field", "details.rule"}, "hello\n");
  EXPECT_EQ(denied.out, "not_a_diff\n");
  EXPECT_EQ(denied.code, 1);
  EXPECT_EQ(run({"contract", "--field", "no.such"}).code, 2);
}

TEST_F(Cli, CtcpFormatIsForThePatchGateOnly) {
  const Ran ran = run({"patch", "check", "-", "--format", "ctcp"},
                      "diff --git a/../x b/../x\n--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n");
  EXPECT_EQ(ran.code, 1);
  const Value value = document(ran);
  EXPECT_EQ(text_at(value, {"stage"}), "path");
  EXPECT_EQ(text_at(value, {"code"}), "PATCH_PATH_INVALID");
  EXPECT_EQ(run({"explain", "max_files", "--format", "ctcp"}).code, 2);
}

TEST_F(Cli, QuietPrintsNothingWhenAllIsWell) {
  EXPECT_EQ(run({"patch", "check", "fix.patch", "-q"}).out, "");
  const Ran denied = run({"patch", "check", "-", "-q"}, "hello\n");
  EXPECT_EQ(denied.code, 1);
  EXPECT_FALSE(contains(denied.out, "= next"));
}

TEST_F(Cli, OtherFolderByDashC) {
  const Ran ran = gatehouse({"patch", "check", "-", "-C", repo_.root()}, "/", kGood);
  EXPECT_EQ(ran.code, 0) << ran.err;
  // A file is looked for where the person stands and nowhere else: no second one can be meant.
  EXPECT_EQ(gatehouse({"-C", repo_.root(), "patch", "check", "fix.patch"}, "/").code, 3);
  EXPECT_EQ(gatehouse({"-C", "repo", "patch", "check", "repo/fix.patch"}, repo_.folder()).code, 0);
}

TEST_F(Cli, AClosedPipeIsQuietAndChangesNoAnswer) {
  const Ran ok = shell("gatehouse help --all | true; exit ${PIPESTATUS[0]}", repo_.root());
  EXPECT_EQ(ok.code, 0);
  EXPECT_EQ(ok.err, "");
  const Ran denied =
      shell("echo hello | gatehouse patch check - | true; exit ${PIPESTATUS[1]}", repo_.root());
  EXPECT_NE(denied.code, 0);
}

TEST_F(Cli, AFullOutputIsAnEnvironmentError) {
  for (const char* command : {"gatehouse help > /dev/full", "gatehouse --version > /dev/full",
                              "gatehouse contract --json > /dev/full"}) {
    const Ran ran = shell(command, repo_.root());
    EXPECT_EQ(ran.code, 4) << command;
    EXPECT_TRUE(contains(ran.last_error_line(), "gatehouse: exit 4: io_error: ")) << ran.err;
  }
}

TEST_F(Cli, TerminationEndsWith143) {
  const Ran term = shell(
      "mkfifo pipe2; gatehouse patch explain - < pipe2 & pid=$!; exec 3> pipe2; kill -TERM $pid; "
      "wait $pid",
      repo_.root());
  EXPECT_EQ(term.code, 143) << term.err;
}

TEST_F(Cli, AnInterruptEndsWith130) {
  // A job in the background of a script ignores the signal unless told otherwise.
  const Ran interrupted = shell(
      "mkfifo pipe3; env --default-signal=INT gatehouse patch explain - < pipe3 & pid=$!; "
      "exec 3> pipe3; sleep 0.2; kill -INT $pid; wait $pid",
      repo_.root());
  EXPECT_EQ(interrupted.code, 130) << interrupted.err;
}

TEST_F(Cli, TheManualPageIsSoundForGroff) {
  const Ran ran = shell("gatehouse man | groff -man -Tascii -ww -P-cbou", repo_.root());
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  for (const char* part : {"NAME", "SYNOPSIS", "EXIT STATUS", "gatehouse patch check",
                           "gatehouse patch unfreeze", "gatehouse audit verify"})
    EXPECT_TRUE(contains(ran.out, part)) << part;
}

TEST_F(Cli, PatchesFromStandardInputAreNamedSo) {
  const Ran ran = run({"patch", "check", "-"}, "hello\n");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(contains(ran.out, "--> standard input:1")) << ran.out;
}

TEST_F(Cli, OutputDoesNotDependOnLocaleOrZone) {
  const Ran here = run({"patch", "explain", "fix.patch", "--json"});
  const Ran there = gatehouse({"patch", "explain", "fix.patch", "--json"}, repo_.root(), {},
                              {"LC_ALL=C", "TZ=Asia/Tokyo", "LANG=tr_TR.UTF-8"});
  EXPECT_EQ(here.out, there.out);
}

TEST_F(Cli, NothingOfAHostilePatchReachesTheTerminal) {
  const std::string hostile =
      "diff --git a/\x1b]0;x\x07 b/\x1b]0;x\x07\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+\x1b[2J\n";
  const Ran ran = run({"patch", "check", "-"}, hostile);
  EXPECT_EQ(ran.code, 1);
  EXPECT_FALSE(contains(ran.out + ran.err, "\x1b"));
  EXPECT_FALSE(contains(ran.out + ran.err, "\x07"));
}

TEST_F(Cli, AuditSaysWhatWasRecordedAndThatTheChainHolds) {
  EXPECT_EQ(run({"audit", "log"}).out, "no rows\n");
  EXPECT_EQ(run({"patch", "apply", "fix.patch"}).code, 0);
  EXPECT_TRUE(contains(run({"audit", "log"}).out, "patch.applied"));
  const Ran verify = run({"audit", "verify"});
  EXPECT_EQ(verify.code, 0);
  EXPECT_TRUE(contains(verify.out, "the audit chain holds"));
}

TEST_F(Cli, ConfigShowSaysWhereTheValuesComeFrom) {
  EXPECT_EQ(run({"config", "show", "--field", "source"}).out, "defaults\n");
  EXPECT_EQ(run({"config", "show", "--field", "patch.max_files"}).out, "5\n");
  repo_.write("gatehouse.yaml", "patch:\n  max_files: 8\n");
  EXPECT_EQ(run({"config", "show", "--field", "patch.max_files"}).out, "8\n");
  EXPECT_EQ(run({"config", "show", "--base", "HEAD", "--field", "patch.max_files"}).out, "5\n");
  EXPECT_EQ(run({"config", "validate"}).out, "gatehouse.yaml is valid\n");
  repo_.write("gatehouse.yaml", "patch:\n  max_fils: 8\n");
  const Ran bad = run({"config", "validate"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_TRUE(contains(bad.last_error_line(), "gatehouse.yaml:2:3")) << bad.err;
  EXPECT_TRUE(contains(bad.last_error_line(), "max_files")) << bad.err;
}

TEST_F(Cli, DoctorFailsWithTheFix) {
  const Ran well = run({"doctor"});
  EXPECT_EQ(well.code, 0);
  for (const char* line : {"JSON library", "free", "clock agrees", "verify commands"})
    EXPECT_TRUE(contains(well.out, line)) << line << "\n" << well.out;
  repo_.write("gatehouse.yaml", "patch:\n  max_fils: 8\n");
  const Ran ran = run({"doctor"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(contains(ran.out, "fix: gatehouse config validate")) << ran.out;
  EXPECT_TRUE(contains(ran.last_error_line(), "first policy"));
}

}  // namespace
}  // namespace gh::testing
