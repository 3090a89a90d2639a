// Alarms and faults of the surroundings, reached from outside: a stand-in git on git.path, a full
// file system, a held lock. The product has no hook for them (docs/reference/patch-rules.md).
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/files.h"
#include "tests/git_sandbox.h"
#include "wire/json.h"

namespace gh {
namespace {

using testing::GitSandbox;

constexpr const char* kPatch =
    "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n "
    "three\n";

/// A repository whose policy names a folder with a program called git, and that program's script.
/// In the script $words holds the command without its -c settings, and `real` runs the real git as
/// called.
class StandIn {
 public:
  explicit StandIn(const std::string& script, const std::string& more_policy = "") {
    const std::string folder = sandbox.folder() + "/stand-in";
    EXPECT_TRUE(sys::make_folders(folder));
    if (!script.empty()) {
      const std::string program =
          "#!/bin/bash\nreal() { /usr/bin/git \"${all[@]}\"; }\nall=(\"$@\")\nwhile [[ $1 == -c "
          "]]; do shift 2; done\n"
          "words=\"$*\"\nroot=" +
          sandbox.root() + "\n" + script + "\nexec /usr/bin/git \"${all[@]}\"\n";
      EXPECT_TRUE(sys::write_file_atomic(folder + "/git", program, 0755));
    }
    sandbox.write("a.txt", "one\ntwo\nthree\n");
    sandbox.write(
        "gatehouse.yaml",
        fmt::format("patch:\n  git:\n    path: {}\n    timeout_ms: 1500\n{}", folder, more_policy));
    sandbox.commit("base");
  }

  struct Answer {
    int exit = -1;
    std::string stage, code, rule, severity, run_id, printed;
  };

  Answer run(std::vector<std::string> words) const {
    words.insert(words.begin(), {GH_BINARY, "patch"});
    words.insert(words.end(), {"-", "--json"});
    const auto done = sys::run({.argv = std::move(words),
                                .environment = GitSandbox::environment(),
                                .cwd = sandbox.root(),
                                .input = kPatch,
                                .timeout = std::chrono::minutes(1)});
    EXPECT_TRUE(done);
    Answer out{.exit = done->exit_code,
               .stage = {},
               .code = {},
               .rule = {},
               .severity = {},
               .run_id = {},
               .printed = done->out + done->err};
    const auto value = wire::read_json(done->out, "answer");
    EXPECT_TRUE(value) << out.printed;
    if (!value) return out;
    const Map& map = *value->as_map();
    const auto text = [](const Map& from, std::string_view key) {
      const Value* v = from.find(key);
      return v != nullptr && v->as_string() != nullptr ? *v->as_string() : std::string("null");
    };
    out.stage = text(map, "stage");
    out.code = text(map, "code");
    out.severity = text(map, "severity");
    if (map.find("details") != nullptr) out.rule = text(*map.find("details")->as_map(), "rule");
    if (map.find("run") != nullptr && map.find("run")->as_map() != nullptr)
      out.run_id = text(*map.find("run")->as_map(), "run_id");
    const std::string why = fmt::format("gatehouse: exit {}: ", done->exit_code);
    EXPECT_EQ(done->err.find(why) != std::string::npos, out.exit != 0) << done->err;
    return out;
  }

  void expect_untouched() const {
    EXPECT_EQ(sandbox.git({"status", "--porcelain"}), "");
    EXPECT_EQ(sandbox.git({"write-tree"}), sandbox.git({"rev-parse", "HEAD^{tree}"}));
  }

  GitSandbox sandbox;
};

struct AlarmCase {
  const char* name;
  const char* verb;    // check, apply
  const char* script;  // of the stand-in
  int exit;
  const char *stage, *code, *rule, *severity;
};

constexpr AlarmCase kCases[] = {
    {"numstat names another file", "check",
     "[[ $words == 'apply --check'* ]] && { real >/dev/null; printf '1\\t1\\tb.txt\\0'; exit 0; }",
     1, "git_check", "PATCH_GIT_CHECK_FAIL", "oracle_disagrees", "critical"},
    {"numstat counts other lines", "check",
     "[[ $words == 'apply --check'* ]] && { real >/dev/null; printf '2\\t1\\ta.txt\\0'; exit 0; }",
     1, "git_check", "PATCH_GIT_CHECK_FAIL", "oracle_disagrees", "critical"},
    {"numstat says nothing", "check",
     "[[ $words == 'apply --check'* ]] && { real >/dev/null; exit 0; }", 1, "git_check",
     "PATCH_GIT_CHECK_FAIL", "oracle_disagrees", "critical"},
    {"git refuses the check", "check",
     "[[ $words == 'apply --check'* ]] && { echo 'error: no' >&2; exit 1; }", 1, "git_check",
     "PATCH_GIT_CHECK_FAIL", "git_apply_check_failed", "normal"},
    {"git dies in the check", "check",
     "[[ $words == 'apply --check'* ]] && { echo 'fatal: no' >&2; exit 128; }", 1, "git_check",
     "PATCH_GIT_CHECK_FAIL", "git_apply_check_failed", "normal"},
    {"git never answers the check", "check",
     "[[ $words == 'apply --check'* ]] && exec tail -f /dev/null", 1, "git_check",
     "PATCH_GIT_CHECK_FAIL", "git_timeout", "normal"},
    {"git builds another tree", "apply",
     "[[ $words == write-tree ]] && { echo 4b825dc642cb6eb9a060e54bf8d69288fbee4904; exit 0; }", 1,
     "apply", "PATCH_APPLY_FAIL", "result_tree_mismatch", "critical"},
    {"git applies nothing", "apply",
     "[[ $words == 'apply --cached'* ]] && { cat >/dev/null; exit 0; }", 1, "apply",
     "PATCH_APPLY_FAIL", "result_tree_mismatch", "critical"},
    {"git refuses to apply", "apply",
     "[[ $words == 'apply --cached'* ]] && { echo 'error: no' >&2; exit 1; }", 1, "apply",
     "PATCH_APPLY_FAIL", "git_apply_failed", "normal"},
    {"git stops half way in the work tree", "apply",
     "[[ $words == 'apply --index'* ]] && { echo half >\"$root/a.txt\"; exit 1; }", 1, "apply",
     "PATCH_APPLY_FAIL", "git_apply_failed", "normal"},
    {"the work tree gets other bytes", "apply",
     "[[ $words == 'apply --index'* ]] && { real; echo more >>\"$root/a.txt\"; exit 0; }", 1,
     "apply", "PATCH_APPLY_FAIL", "post_verify_mismatch", "normal"},
    {"the index gets another entry", "apply",
     "[[ $words == 'apply --index'* ]] && { real; /usr/bin/git -C \"$root\" update-index --add "
     "--cacheinfo 100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,extra; exit 0; }",
     1, "apply", "PATCH_APPLY_FAIL", "post_verify_mismatch", "normal"},
    {"git is too old", "check", "[[ $words == version ]] && { echo git version 2.30.2; exit 0; }",
     4, "env", "PATCH_ENV_INVALID", "git_too_old", "normal"},
    {"there is no git", "check", "", 4, "env", "PATCH_ENV_INVALID", "git_not_found", "normal"},
};

}  // namespace

TEST(Alarms, StandInGitReachesEachAlarmAndNothingChanges) {
  for (const AlarmCase& c : kCases) {
    SCOPED_TRACE(c.name);
    const StandIn world(c.script);
    const StandIn::Answer answer = world.run({c.verb});
    EXPECT_EQ(answer.exit, c.exit) << answer.printed;
    EXPECT_EQ(answer.stage, c.stage);
    EXPECT_EQ(answer.code, c.code);
    EXPECT_EQ(answer.rule, c.rule);
    EXPECT_EQ(answer.severity, c.severity);
    if (std::string(c.rule) != "post_verify_mismatch" ||
        std::string(c.name) != "the index gets another entry")
      world.expect_untouched();
  }
}

TEST(Alarms, AlarmFreezesTheRunUntilAPersonClearsIt) {
  const StandIn world(
      "[[ $words == 'apply --check'* && ! -e $root/../calm ]] && { real >/dev/null; printf "
      "'9\\t9\\tz\\0'; exit 0; }");
  const StandIn::Answer alarm = world.run({"apply"});
  EXPECT_EQ(alarm.rule, "oracle_disagrees");
  ASSERT_TRUE(sys::write_file_atomic(world.sandbox.folder() + "/calm", ""));
  EXPECT_EQ(world.run({"apply", "--run", alarm.run_id}).exit, 1) << "a frozen run takes no retry";
  const auto cleared = sys::run({.argv = {GH_BINARY, "patch", "unfreeze", "--run", alarm.run_id,
                                          "--reason", "git was replaced"},
                                 .environment = GitSandbox::environment(),
                                 .cwd = world.sandbox.root()});
  ASSERT_TRUE(cleared);
  EXPECT_EQ(cleared->exit_code, 0) << cleared->err;
  const std::string canonical =
      world.sandbox.root() + "/.git/gatehouse/runs/" + alarm.run_id + "/artifacts/diff.patch";
  EXPECT_EQ(sys::read_file(canonical, 1000).value_or(""), kPatch);
}

TEST(Alarms, RollbackThatCannotFinishIsSaidAndTriedAgain) {
  const StandIn world(
      "[[ $words == 'apply --index'* ]] && { echo half >\"$root/a.txt\"; exit 1; }\n"
      "[[ $words == 'update-index'* && ! -e $root/../calm ]] && exit 1");
  const StandIn::Answer stuck = world.run({"apply"});
  EXPECT_EQ(stuck.exit, 1) << stuck.printed;
  EXPECT_EQ(stuck.rule, "rollback_incomplete");
  EXPECT_EQ(stuck.severity, "critical");
  ASSERT_TRUE(sys::write_file_atomic(world.sandbox.folder() + "/calm", ""));
  world.run({"check"});
  world.expect_untouched();
}

TEST(Alarms, RefThatMovedMeanwhileIsNeverOverwritten) {
  const StandIn world(
      "[[ $words == 'update-ref'* ]] && /usr/bin/git -C \"$root\" -c user.name=x -c user.email=x@y "
      "commit -q --allow-empty -m meanwhile");
  const StandIn::Answer answer = world.run({"apply", "--land", "commit"});
  EXPECT_EQ(answer.exit, 1) << answer.printed;
  EXPECT_EQ(answer.rule, "base_moved");
  EXPECT_EQ(world.sandbox.git({"log", "--format=%s", "-1"}), "meanwhile");
}

TEST(Alarms, HeldLockIsNamedWithItsHolder) {
  const StandIn world("", "");
  GitSandbox sandbox;
  sandbox.write("a.txt", "one\ntwo\nthree\n");
  sandbox.write("gatehouse.yaml", "patch:\n  lock:\n    timeout_ms: 100\n");
  sandbox.commit("base");
  ASSERT_TRUE(sys::make_folders(sandbox.root() + "/.git/gatehouse"));
  const auto lock = sys::FileLock::acquire(sandbox.root() + "/.git/gatehouse/apply.lock",
                                           "pid 1 on elsewhere, prun-x", 0);
  ASSERT_TRUE(lock);
  const auto done = sys::run({.argv = {GH_BINARY, "patch", "apply", "-", "--json"},
                              .environment = GitSandbox::environment(),
                              .cwd = sandbox.root(),
                              .input = kPatch});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exit_code, 4);
  EXPECT_NE(done->out.find("lock_busy"), std::string::npos) << done->out;
  EXPECT_NE(done->out.find("pid 1 on elsewhere"), std::string::npos) << done->out;
}

TEST(Alarms, FullFileSystemIsAnErrorAndChangesNothing) {
  ASSERT_EQ(geteuid(), 0u) << "this test mounts a small file system";
  const GitSandbox outside;
  const std::string small = outside.folder() + "/small";
  ASSERT_TRUE(sys::make_folders(small));
  ASSERT_EQ(mount("none", small.c_str(), "tmpfs", 0, "size=1m"), 0);
  outside.git_at(small, {"init", "-q", "-b", "main", "."});
  ASSERT_TRUE(sys::write_file_atomic(small + "/a.txt", "one\ntwo\nthree\n"));
  outside.git_at(small, {"add", "."});
  outside.git_at(small,
                 {"-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "-m", "base"});
  const auto fill = sys::run({.argv = {"/bin/sh", "-c", "cat /dev/zero > filler; true"},
                              .environment = GitSandbox::environment(),
                              .cwd = small});
  ASSERT_TRUE(fill);
  const auto done = sys::run({.argv = {GH_BINARY, "patch", "apply", "-", "--json"},
                              .environment = GitSandbox::environment(),
                              .cwd = small,
                              .input = kPatch});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exit_code, 4) << done->out << done->err;
  EXPECT_TRUE(done->out.find("io_error") != std::string::npos ||
              done->out.find("ledger_unavailable") != std::string::npos)
      << done->out;
  EXPECT_EQ(sys::read_file(small + "/a.txt", 100).value_or(""), "one\ntwo\nthree\n");
  EXPECT_EQ(umount2(small.c_str(), MNT_DETACH), 0);
}

}  // namespace gh
