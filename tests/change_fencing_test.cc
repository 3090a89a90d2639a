// Leases, fences and who loses what (docs/reference/change-control.md, "Leases" and "Fencing"), on
// both ledgers. tools/torture.py asks the same of a hundred processes.
#include <filesystem>

#include "tests/change_kit.h"

namespace gh::testing {
namespace {

class Fencing : public ChangeControl {
 protected:
  /// A holds docs/guide.md and was silent for longer than lease and grace.
  std::string silent_holder() {
    EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
    const std::string id = id_of("A");
    age(id, kLapsed);
    return id;
  }
  std::int64_t fence_of(const std::string& session) const {
    return std::stoll(field({"change", "status"}, session, "fence"));
  }
  void expect_lost(const Words& words, const std::string& session) const {
    const Ran ran = ask(words, session);
    EXPECT_EQ(ran.code, 4) << join(words, " ") << ran.out;
    EXPECT_TRUE(contains(ran.err, "ownership_lost")) << join(words, " ") << ran.err;
  }
  std::int64_t lease_left(const std::string& session) const {
    return std::stoll(
        field({"change", "list"}, session, "workspace_intents.0.lease_expires_in_seconds"));
  }
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, Fencing,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

TEST_P(Fencing, AHolderThatWakesUpAfterAnotherCameIsToldThatItLostTheFiles) {
  const std::string first = silent_holder();
  EXPECT_EQ(start("B", {"docs/guide.md"}), "active");
  EXPECT_EQ(events("intent.passed"), 1u);
  for (const Words& words : std::vector<Words>{{"change", "status"},
                                               {"change", "check", "--files", "docs/guide.md"},
                                               {"change", "extend", "--add", "docs/more.md"},
                                               {"change", "budget", first},
                                               {"change", "verify", "--files", "docs/guide.md"},
                                               {"change", "finish", "--files", "docs/guide.md"},
                                               {"change", "reset", first}})
    expect_lost(words, "A");
  EXPECT_EQ(field({"change", "renew"}, "A", "lease_renewed"), "false");
  EXPECT_EQ(field({"change", "renew"}, "A", "reason"), "ownership_lost");
  EXPECT_EQ(field({"change", "recover", first}, "A", "reason"), "conflict");
  EXPECT_EQ(start("A", {"docs/guide.md"}), "blocked") << "the same start again is no way back";
  EXPECT_EQ(finish("B", {"docs/guide.md"}), "accepted");
}

TEST_P(Fencing, WhatWasLostStaysLostWhenTheTakerIsGone) {
  const std::string first = silent_holder();
  EXPECT_EQ(start("B", {"docs/guide.md"}), "active");
  const std::int64_t taken = fence_of("B");
  EXPECT_EQ(ask({"change", "abandon"}, "B").code, 0);
  expect_lost({"change", "finish", "--files", "docs/guide.md"}, "A");
  EXPECT_EQ(field({"change", "renew"}, "A", "reason"), "ownership_lost");
  // Taken anew it has a fence above that of whoever came between.
  EXPECT_EQ(field({"change", "reset", first}, "A", "action_taken"), "reset");
  EXPECT_GT(fence_of("A"), taken);
  EXPECT_EQ(finish("A", {"docs/guide.md"}), "accepted");
}

TEST_P(Fencing, AHolderWhoseIntentWasRecoveredIsToldSoForGood) {
  const std::string first = silent_holder();
  EXPECT_EQ(field({"change", "recover", first}, "B", "action_taken"), "recovered");
  const std::vector<Words> asked{{"change", "status", first},
                                 {"change", "check", first, "--files", "docs/guide.md"},
                                 {"change", "finish", first, "--files", "docs/guide.md"}};
  for (const Words& words : asked)
    expect_lost(words, "A");
  expect_lost({"change", "renew", first}, "A");
  expect_lost({"change", "extend", first, "--add", "docs/more.md"}, "A");
  EXPECT_TRUE(contains(ask({"change", "status", first}, "C").err, "unknown_intent"));
  EXPECT_EQ(finish("B", {"docs/guide.md"}), "accepted");
  for (const Words& words : asked)
    expect_lost(words, "A");
}

TEST_P(Fencing, WhatWasLostCanBeGivenUp) {
  silent_holder();
  EXPECT_EQ(start("B", {"docs/guide.md"}), "active");
  EXPECT_EQ(field({"change", "abandon"}, "A", "cleared"), "1");
  EXPECT_EQ(ask({"change", "status"}, "B").code, 0);
}

TEST_P(Fencing, AHolderThatWakesUpAndFindsNobodyGoesOn) {
  silent_holder();
  const std::int64_t fence = std::stoll(field({"change", "status"}, "A", "fence"));
  EXPECT_EQ(field({"change", "renew"}, "A", "lease_renewed"), "true");
  EXPECT_EQ(start("B", {"docs/guide.md"}), "blocked");
  EXPECT_EQ(fence_of("A"), fence);
  EXPECT_EQ(finish("A", {"docs/guide.md"}), "accepted");
}

TEST_P(Fencing, AClockThatJumpsBackRevivesNobody) {
  const std::string first = silent_holder();
  EXPECT_EQ(start("B", {"docs/guide.md"}), "active");
  age(first, -kLapsed);
  expect_lost({"change", "check", "--files", "docs/guide.md"}, "A");
  EXPECT_EQ(field({"change", "renew"}, "A", "reason"), "ownership_lost");
  EXPECT_EQ(ask({"change", "extend", "--add", "docs/more.md"}, "B").code, 0)
      << "whoever was passed stops nobody";
}

TEST_P(Fencing, AWiderScopePassesWhoFellSilentToo) {
  const std::string first = silent_holder();
  EXPECT_EQ(start("B", {"docs/more.md"}), "active");
  EXPECT_EQ(field({"change", "renew"}, "A", "lease_renewed"), "true") << "other files";
  age(first, kLapsed);
  const std::int64_t before = fence_of("B");
  EXPECT_EQ(field({"change", "extend", "--add", "docs/guide.md"}, "B", "extended"), "true");
  EXPECT_GT(fence_of("B"), before);
  expect_lost({"change", "status"}, "A");
}

TEST_P(Fencing, AResetDoesNotLetAWaitingOnePast) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("B", {"docs/guide.md"}, {"--on-conflict", "queue"}), "queued");
  EXPECT_EQ(field({"change", "reset", id_of("B")}, "B", "new_status"), "queued");
  EXPECT_EQ(field({"change", "status"}, "B", "status"), "queued");
  EXPECT_EQ(field({"change", "promote", id_of("B")}, "B", "status"), "queued");
}

TEST_P(Fencing, AWaitingOneThatFellSilentStillHasItsPlace) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("B", {"docs/guide.md"}, {"--on-conflict", "queue"}), "queued");
  const std::string waiting = id_of("B");
  age(waiting, kLapsed);
  EXPECT_EQ(field({"change", "promote", waiting}, "B", "status"), "queued");
  EXPECT_EQ(ask({"change", "abandon"}, "A").code, 0);
  EXPECT_EQ(field({"change", "promote", waiting}, "B", "status"), "active");
}

TEST_P(Fencing, ALandingPassesWhoFellSilentInTheMainTree) {
  silent_holder();
  const Words words{"change", "start", "--goal", "g", "--allow", "docs/guide.md", "--worktree"};
  const std::string tree = field(words, "B", "worktree.path");
  ASSERT_TRUE(sys::write_file_atomic(tree + "/docs/guide.md", "read there\n").has_value());
  EXPECT_EQ(ask({"change", "renew"}, "A").code, 0) << "in a tree of its own it is in nobody's way";
  age(id_of("A"), kLapsed);
  EXPECT_EQ(finish("B", {"docs/guide.md"}), "accepted");
  EXPECT_EQ(events("intent.landing"), 1u);
  expect_lost({"change", "finish", "--files", "docs/guide.md"}, "A");
}

TEST_P(Fencing, AWorkTreeThatAnotherRecoveredLandsForItAlone) {
  const Words words{"change", "start", "--goal", "g", "--allow", "docs/guide.md", "--worktree"};
  const std::string tree = field(words, "A", "worktree.path");
  const std::string id = id_of("A");
  ASSERT_TRUE(sys::write_file_atomic(tree + "/docs/guide.md", "read there\n").has_value());
  age(id, kLapsed);
  EXPECT_EQ(field({"change", "recover", id}, "B", "action_taken"), "recovered");
  EXPECT_NE(ask({"change", "finish", id, "--files", "docs/guide.md"}, "A").code, 0);
  EXPECT_EQ(repo.git({"status", "--porcelain"}), "");
  EXPECT_EQ(finish("B", {"docs/guide.md"}), "accepted");
}

TEST_P(Fencing, EveryCommandAboutTheIntentRenewsItsLease) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  const std::string id = id_of("A");
  for (const Words& words :
       std::vector<Words>{{"change", "status"},
                          {"change", "renew"},
                          {"change", "check", "--files", "pkg/a.py"},
                          {"change", "extend", "--add", "docs/guide.md"},
                          {"change", "budget"},
                          {"change", "verify", "--files", "pkg/a.py"},
                          {"change", "finish", "--files", "pkg/a.py"},      // no run after the edit
                          {"change", "finish", "--files", "elsewhere.py"},  // not declared
                          {"blast", "pkg/a.py"},
                          {"analyze"}}) {
    age(id, 200);
    ASSERT_LE(lease_left("A"), 100) << join(words, " ");
    (void)ask(words, "A");
    EXPECT_GT(lease_left("A"), 200) << join(words, " ");
  }
}

TEST_P(Fencing, LooksAndTheSameStartAgainRenewNothing) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  age(id_of("A"), 200);
  EXPECT_EQ(field({"change", "start", "--goal", "a change by A", "--allow", "pkg/a.py"}, "A",
                  "idempotent_replay"),
            "true");
  for (const Words& words : std::vector<Words>{
           {"change", "queue"}, {"change", "watch", "--count", "1"}, {"change", "list"}})
    (void)ask(words, "A");
  EXPECT_EQ(ask({"analyze"}, "B").code, 0) << "another session";
  EXPECT_EQ(ask({"blast", "pkg/a.py"}, "B").code, 0);
  EXPECT_LE(lease_left("A"), 100);
}

TEST_P(Fencing, TheSameStartAgainIsANewOneOnceItsHolderCountsAsDead) {
  silent_holder();
  const Words again{"change", "start", "--goal", "a change by A", "--allow", "docs/guide.md"};
  EXPECT_NE(field(again, "A", "idempotent_replay"), "true");
  EXPECT_EQ(start("B", {"docs/guide.md"}), "blocked");
}

// A command that waits for its input takes as long as one likes; a watch tells when the lease
// moved.
TEST_P(Fencing, ALongCommandRenewsTheLeaseWhileItRuns) {
  configure("  lease_seconds: 60\n");
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  const std::string before = field({"change", "status"}, "A", "lease_expires_at_utc");
  const std::string script =
      "mkfifo ../paths ../seen\n"
      "gatehouse change check --session A --files-from - --json < ../paths > ../told &\n"
      "check=$!\n"
      "exec 3> ../paths\n"
      "gatehouse change watch --session W --interval 1s --json > ../seen &\n"
      "watch=$!\n"
      "renewed=no\n"
      "while read -r line; do\n"
      "  case $line in *'\"lease_renewed_at_utc\":\"'$0'\"'*) ;; *) renewed=yes; break ;; esac\n"
      "done < ../seen\n"
      "kill $watch\n"
      "echo docs/guide.md >&3\n"
      "exec 3>&-\n"
      "wait $check\n"
      "echo $renewed $?\n";
  const auto ledger = open_ledger();
  ASSERT_TRUE(ledger.has_value());
  const auto row = (*ledger)->open_intents();
  ASSERT_TRUE(row.has_value());
  const auto intent = control::from_record(row->front().payload.value());
  ASSERT_TRUE(intent.has_value());
  const Ran ran =
      run_program({"/bin/bash", "-c", script, to_string(intent->lease_renewed_at)}, repo.root());
  EXPECT_EQ(ran.out, "yes 0\n") << ran.err;
  EXPECT_NE(field({"change", "status"}, "A", "lease_expires_at_utc"), before);
}

}  // namespace
}  // namespace gh::testing
