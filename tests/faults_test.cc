// The process is killed from outside at every system call that matters; after the next start the
// tree holds none or all of the patch, the ledger says which, and nothing is locked.
#include <cstdlib>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sys/files.h"
#include "tests/git_sandbox.h"

namespace gh {
namespace {

using testing::GitSandbox;

sys::Finished run_in(const std::string& cwd, std::vector<std::string> argv) {
  const auto done = sys::run({.argv = std::move(argv),
                              .environment = GitSandbox::environment(),
                              .cwd = cwd,
                              .timeout = std::chrono::minutes(2),
                              .max_output = 16u << 20});
  EXPECT_TRUE(done);
  return done.value_or(sys::Finished{});
}

/// Kind, permissions and bytes of everything outside .git, and the whole index.
std::string snapshot(const GitSandbox& sandbox) {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> found;
  for (auto at = fs::recursive_directory_iterator(sandbox.root()); at != fs::end(at); ++at) {
    if (at->path().filename() == ".git") {
      at.disable_recursion_pending();
      continue;
    }
    const fs::file_status status = at->symlink_status();
    found[at->path().lexically_relative(sandbox.root())] = fmt::format(
        "{} {:o}\n{}", static_cast<int>(status.type()), static_cast<unsigned>(status.permissions()),
        fs::is_regular_file(status) ? *sys::read_file(at->path(), 1u << 20) : "");
  }
  std::string out;
  for (const auto& [path, about] : found)
    out += path + ' ' + about + '\n';
  return out + sandbox.git({"ls-files", "-s"});
}

/// A repository with somebody's own uncommitted work in it, and a patch that changes, removes and
/// creates.
class Scene {
 public:
  explicit Scene(bool with_verify) {
    sandbox.write("src/a.txt", "one\ntwo\nthree\n");
    sandbox.write("src/gone.txt", "bye\n");
    sandbox.write("src/own.txt", "mine\n");
    sandbox.write("run.sh", "#!/bin/sh\nexit 0\n");
    if (with_verify)
      sandbox.write("gatehouse.yaml",
                    "patch:\n  verify:\n    - name: quick\n      argv: [\"true\"]\n");
    sandbox.commit("base");
    sandbox.write("src/own.txt", "mine, edited\n");
    sandbox.write("untracked.txt", "keep me\n");
    const Status written = sys::write_file_atomic(patch(), kPatch);
    EXPECT_TRUE(written);
  }

  std::string patch() const { return sandbox.folder() + "/change.patch"; }
  std::string state() const { return sandbox.root() + "/.git/gatehouse"; }
  std::string head_tree() const { return sandbox.git({"rev-parse", "HEAD^{tree}"}); }

  std::vector<std::string> apply(const std::string& mode) const {
    return {GH_BINARY, "patch", "apply", patch(), "--land", mode, "--json"};
  }

  GitSandbox sandbox;

 private:
  static constexpr const char* kPatch =
      "diff --git a/src/a.txt b/src/a.txt\n--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,3 +1,3 @@\n "
      "one\n-two\n+TWO\n three\n"
      "diff --git a/src/gone.txt b/src/gone.txt\ndeleted file mode 100644\n--- a/src/gone.txt\n+++ "
      "/dev/null\n@@ -1 +0,0 @@\n-bye\n"
      "diff --git a/src/new/deep/n.txt b/src/new/deep/n.txt\nnew file mode 100644\n--- "
      "/dev/null\n+++ b/src/new/deep/n.txt\n@@ -0,0 +1,2 @@\n+fresh\n+file\n";
};

struct Landing {
  const char* mode;
  bool with_verify;
};

/// What a whole landing makes of the scene: for the work tree its snapshot, for a ref its tree.
std::string effect(const Scene& scene, const std::string& mode) {
  return mode == "commit" ? scene.head_tree() : snapshot(scene.sandbox);
}

void expect_consistent(const Scene& scene, const Landing& landing, const std::string& before,
                       const std::string& after) {
  // Any next start recovers before it does anything else.
  const sys::Finished next =
      run_in(scene.sandbox.root(), {GH_BINARY, "patch", "check", scene.patch(), "--json"});
  EXPECT_TRUE(next.exit_code == 0 || next.exit_code == 1) << next.out << next.err;
  const std::string now = effect(scene, landing.mode);
  EXPECT_TRUE(now == before || now == after) << "neither none nor all of the patch:\n" << now;
  EXPECT_EQ(sys::info(scene.state() + "/landing.jsonl").kind, sys::FileKind::missing);
  EXPECT_EQ(sys::info(scene.sandbox.root() + "/.git/index.lock").kind, sys::FileKind::missing);
  const sys::Finished lock =
      run_in("/", {"/usr/bin/flock", "-w", "60", scene.state() + "/apply.lock", "/bin/true"});
  EXPECT_EQ(lock.exit_code, 0) << "the apply lock is still held";
  const sys::Finished chain = run_in(scene.sandbox.root(), {GH_BINARY, "audit", "verify"});
  EXPECT_EQ(chain.exit_code, 0) << chain.err;
  const sys::Finished log = run_in(scene.sandbox.root(), {GH_BINARY, "audit", "log", "--json"});
  EXPECT_EQ(log.out.find("patch.applied") != std::string::npos, now == after) << log.out;
  const std::string own = *sys::read_file(scene.sandbox.at("src/own.txt"), 100);
  EXPECT_EQ(own, "mine, edited\n");
}

bool is_long() { return std::getenv("GH_LONG") != nullptr; }

/// The calls of one kind come in rows of like ones: a short run tries the first eight and then
/// every third.
int next_after(int n) { return is_long() || n < 8 ? n + 1 : n + 3; }

/// Kills the landing at the n-th call of `call` for one n after the other, until it runs to its
/// end. Gives that n.
int kill_at_every(const Landing& landing, const std::string& call, const Scene& untouched,
                  const std::string& before, const std::string& after) {
  for (int n = 1; n < 400; n = next_after(n)) {
    const Scene scene = untouched;
    std::vector<std::string> argv{"/usr/bin/strace",
                                  "-o",
                                  "/dev/null",
                                  "-e",
                                  "trace=" + call,
                                  "-e",
                                  fmt::format("inject={}:signal=KILL:when={}", call, n)};
    const auto words = scene.apply(landing.mode);
    argv.insert(argv.end(), words.begin(), words.end());
    const sys::Finished done = run_in(scene.sandbox.root(), argv);
    SCOPED_TRACE(fmt::format("{}: killed at {} number {}", landing.mode, call, n));
    if (done.exit_code == 0) {
      EXPECT_EQ(effect(scene, landing.mode), after);
      return n;
    }
    EXPECT_NE(done.exit_code, 1) << "a landing that nobody killed was refused: " << done.out;
    expect_consistent(scene, landing, before, after);
    if (::testing::Test::HasFailure()) return n;
  }
  ADD_FAILURE() << call << " never came to an end";
  return 0;
}

constexpr const char* kCalls[] = {"write",    "pwrite64", "rename",    "renameat", "unlink",
                                  "unlinkat", "fsync",    "fdatasync", "link",     "linkat",
                                  "mkdir",    "mkdirat",  "clone3",    "vfork"};

class Faults : public ::testing::TestWithParam<std::tuple<int, const char*>> {};

/// The landing with verify commands takes as long as the other two together: long runs only.
int wanted_landings() { return is_long() ? 3 : 2; }

constexpr Landing kLandings[] = {{"worktree", false}, {"commit", false}, {"worktree", true}};

}  // namespace

TEST_P(Faults, KilledLandingLeavesNoneOrAllOfThePatch) {
  const Landing& landing = kLandings[std::get<0>(GetParam())];
  const Scene untouched(landing.with_verify);
  const std::string before = effect(untouched, landing.mode);
  const Scene landed = untouched;
  ASSERT_EQ(run_in(landed.sandbox.root(), landed.apply(landing.mode)).exit_code, 0);
  const std::string after = effect(landed, landing.mode);
  ASSERT_NE(before, after);
  const int calls = kill_at_every(landing, std::get<1>(GetParam()), untouched, before, after);
  RecordProperty("calls", calls);
}

INSTANTIATE_TEST_SUITE_P(EveryCall, Faults,
                         ::testing::Combine(::testing::Range(0, wanted_landings()),
                                            ::testing::ValuesIn(kCalls)),
                         [](const auto& about) {
                           return fmt::format(
                               "{}{}_{}", kLandings[std::get<0>(about.param)].mode,
                               kLandings[std::get<0>(about.param)].with_verify ? "WithVerify" : "",
                               std::get<1>(about.param));
                         });

TEST(Faults, OfTwoRacingAppliersExactlyOneLands) {
  for (int round = 0; round < 5; ++round) {
    const Scene scene(false);
    auto start = [&] {
      return sys::Running::start({.argv = scene.apply("worktree"),
                                  .environment = GitSandbox::environment(),
                                  .cwd = scene.sandbox.root(),
                                  .timeout = std::chrono::minutes(1)});
    };
    auto one = start(), two = start();
    ASSERT_TRUE(one && two);
    const auto first = one->wait(), second = two->wait();
    ASSERT_TRUE(first && second);
    EXPECT_EQ((first->exit_code == 0) + (second->exit_code == 0), 1) << first->out << second->out;
    const std::string loser = first->exit_code == 0 ? second->out : first->out;
    EXPECT_TRUE(loser.find("\"base_moved\"") != std::string::npos ||
                loser.find("\"lock_busy\"") != std::string::npos)
        << loser;
  }
}

}  // namespace gh
