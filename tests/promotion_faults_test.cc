// A promotion is killed from outside at the n-th system call that matters, for every n; then
// `proposal recover` must find it done or not done, on both ledgers, and the next attempt succeeds.
#include <cstdlib>
#include <thread>

#include "tests/postgres_server.h"
#include "tests/queue_kit.h"

namespace gh {
namespace {

using kit::Answer;
using kit::ProposalWorld;

bool long_run() { return std::getenv("GH_LONG") != nullptr; }

testing::PostgresServer& server() { return testing::postgres_server(); }

std::string store_of(bool postgres) {
  return postgres ? "store:\n  url: \"" + server().url() + "\"\n" : "";
}

std::string policy_for(bool postgres) { return std::string(kit::kGatePolicy) + store_of(postgres); }

void expect_settled(const ProposalWorld& world) {
  const Answer recovered = world.run({"proposal", "recover"});
  EXPECT_EQ(recovered.exit, 0) << recovered.out << recovered.err;
  const std::string commits =
      kit::git_says(world.repo, {"rev-list", "--count", world.base + "..main"});
  const std::string status = world.status();
  const bool branch =
      kit::git(world.repo, {"rev-parse", "-q", "--verify", "refs/heads/gatehouse/calc-line-001"})
          .exit_code == 0;
  EXPECT_TRUE((commits == "0" && status == "proposed" && !branch) ||
              (commits == "1" && status == "promoted" && branch))
      << commits << " commits, " << status << ", branch " << branch;
  EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);
  EXPECT_EQ(world.run({"proposal", "export"}).exit, 0);
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 0) << verified.out;
  EXPECT_EQ(
      kit::git_says(world.repo, {"worktree", "list", "--porcelain"}).find("gatehouse/worktrees"),
      std::string::npos);
  if (status == "proposed") {
    const Answer again = world.promote();
    EXPECT_EQ(again.exit, 0) << again.out << again.err;
  }
  EXPECT_EQ(kit::git_says(world.repo, {"rev-list", "--count", world.base + "..main"}), "1");
}

struct Fault {
  const char* call;
  bool postgres;
  int stride;  // of n in a short run
};

class PromotionFaults : public ::testing::TestWithParam<Fault> {};

TEST_P(PromotionFaults, KilledAtEveryCallItIsDoneOrNotDone) {
  const Fault fault = GetParam();
  const int stride = long_run() ? 1 : fault.stride;
  bool ended = false;
  for (int n = 1; n < 600 && !ended; n += stride) {
    SCOPED_TRACE(fmt::format("{} number {}", fault.call, n));
    ProposalWorld world(policy_for(fault.postgres));
    // Every world is a repository of its own, also in the shared database.
    world.set("title", fmt::format("\"killed at {}\"", n));
    world.approve();
    const kit::Ran ran = kit::run(
        {"strace", "-o", "/dev/null", "-e", std::string("trace=") + fault.call, "-e",
         fmt::format("inject={}:signal=KILL:when={}", fault.call, n), kit::gatehouse_binary(),
         "proposal", "promote", "calc-line-001", "-C", world.repo.string()},
        {.cwd = world.scratch.path()});
    ended = ran.exit_code == 0;
    expect_settled(world);
    if (HasFailure()) return;
  }
  EXPECT_TRUE(ended) << "the promotion never ran to its end";
}

std::string name_of(const ::testing::TestParamInfo<Fault>& info) {
  return std::string(info.param.call) + (info.param.postgres ? "_postgres" : "_sqlite");
}

INSTANTIATE_TEST_SUITE_P(Calls, PromotionFaults,
                         ::testing::Values(Fault{"write", false, 29}, Fault{"pwrite64", false, 29},
                                           Fault{"fdatasync", false, 5}, Fault{"fsync", false, 3},
                                           Fault{"rename", false, 3}, Fault{"unlink", false, 7},
                                           Fault{"mkdir", false, 3}, Fault{"clone3", false, 9},
                                           Fault{"sendto", true, 29}, Fault{"clone3", true, 19}),
                         name_of);

class QueueFaults : public ::testing::TestWithParam<Fault> {};

TEST_P(QueueFaults, KilledAnywhereTheNextRunLandsTheRestInOrder) {
  const Fault fault = GetParam();
  const int stride = long_run() ? 7 : fault.stride;
  bool ended = false;
  for (int n = stride; n < 2000 && !ended; n += stride) {
    SCOPED_TRACE(fmt::format("{} number {}", fault.call, n));
    kit::QueueWorld world(store_of(fault.postgres) +
                          "proposals:\n  promotion:\n    requires: gate\n"
                          "    batch: 2\n  max_base_age_days: 3650\n  verify_commands:\n"
                          "    - name: tests\n      argv: [\"true\"]\n");
    world.add("kill-a", {{"src/one", "x\n"}});
    world.add("kill-b", {{"src/two", "x\n"}});
    const kit::Ran ran =
        kit::run({"strace", "-o", "/dev/null", "-e", std::string("trace=") + fault.call, "-e",
                  fmt::format("inject={}:signal=KILL:when={}", fault.call, n),
                  kit::gatehouse_binary(), "proposal", "queue", "-C", world.repo.string()},
                 {.cwd = world.scratch.path()});
    ended = ran.exit_code == 0;
    const Answer again = world.queue();
    EXPECT_EQ(again.exit, 0) << again.out << again.err;
    EXPECT_EQ(world.landed(), "kill-a kill-b");
    EXPECT_EQ(world.status_of("kill-a"), "promoted");
    EXPECT_EQ(world.status_of("kill-b"), "promoted");
    EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);
    EXPECT_EQ(world.run({"proposal", "export"}).exit, 0);
    const Answer verified = world.run({"proposal", "verify", "--all"});
    EXPECT_EQ(verified.exit, 0) << verified.out;
    if (HasFailure()) return;
  }
  EXPECT_TRUE(ended) << "the queue never ran to its end";
}

INSTANTIATE_TEST_SUITE_P(Calls, QueueFaults,
                         ::testing::Values(Fault{"pwrite64", false, 17}, Fault{"clone3", false, 13},
                                           Fault{"sendto", true, 61}),
                         name_of);

void expect_a_moved_target_defers(bool postgres) {
  ProposalWorld world(policy_for(false) +
                      "  verify_commands:\n    - name: slow\n      argv: [sleep, \"3\"]\n" +
                      store_of(postgres));
  world.approve();
  std::thread mover([&] {
    // The verify command is running once its worktree is there; the head was read before that.
    const kit::fs::path worktree =
        world.repo / ".git/gatehouse/worktrees/calc-line-001/src/calc.py";
    for (int i = 0; i < 3000 && !kit::fs::exists(worktree); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kit::git_says(world.repo, {"update-ref", "refs/heads/main",
                               kit::git_says(world.repo, {"commit-tree", "-p", world.base, "-m",
                                                          "moved", world.base + "^{tree}"})});
  });
  const Answer answer = world.promote();
  mover.join();
  EXPECT_TRUE(answer.has("PROP_TARGET_MOVED")) << answer.out << answer.err;
  EXPECT_EQ(answer.text("decision"), "defer");
  EXPECT_EQ(world.status(), "proposed");
  EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);
}

TEST(PromotionFaults, TheTargetThatMovesMeanwhileDefersAndLosesNothing) {
  expect_a_moved_target_defers(false);
}

TEST(PromotionFaults, TheTargetThatMovesMeanwhileDefersOnPostgresToo) {
  expect_a_moved_target_defers(true);
}

}  // namespace
}  // namespace gh
