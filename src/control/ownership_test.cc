#include "control/ownership.h"

#include <gtest/gtest.h>

#include "control/test_intent.h"

namespace gh::control {
namespace {

Timestamp after(std::int64_t seconds) { return {kDeclared.seconds + seconds}; }

// change-control 4.2, the seven observations and the owner of kind session, typed again.
TEST(Ownership, EightObservationsDecideWhetherAHolderLives) {
  struct Row {
    LivenessFacts facts;
    ByLiveness result;
  };
  const Row kRows[] = {
      {{.by_session = true, .seen = Seen::no_such_process}, ByLiveness::lease},
      {{.pid_not_positive = true}, ByLiveness::dead},
      {{.seen = Seen::no_such_process}, ByLiveness::dead},
      {{.start_differs = true}, ByLiveness::dead},
      {{.seen = Seen::permission_denied}, ByLiveness::unknown},
      {{.other_host = true}, ByLiveness::lease},
      {{.seen = Seen::probe_error}, ByLiveness::alive},
      {{.seen = Seen::exists}, ByLiveness::alive},
  };
  EXPECT_EQ(std::size(kRows), 8u);
  for (const Row& row : kRows)
    EXPECT_EQ(decide_liveness(row.facts), row.result) << &row - kRows;
}

// All combinations, the rule stated a second way.
TEST(Ownership, NoCombinationOfObservationsFallsThrough) {
  for (int bits = 0; bits < 16; ++bits)
    for (const Seen seen :
         {Seen::exists, Seen::no_such_process, Seen::permission_denied, Seen::probe_error}) {
      const LivenessFacts f{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, seen,
                            (bits & 8) != 0};
      ByLiveness want = ByLiveness::alive;
      if (f.by_session || (f.other_host && !f.pid_not_positive))
        want = ByLiveness::lease;
      else if (f.pid_not_positive || seen == Seen::no_such_process || f.start_differs)
        want = ByLiveness::dead;
      else if (seen == Seen::permission_denied)
        want = ByLiveness::unknown;
      EXPECT_EQ(decide_liveness(f), want) << bits << ' ' << static_cast<int>(seen);
    }
}

TEST(Ownership, APidThatWasGivenToAnotherProcessIsADeadHolder) {
  Intent intent = test_intent();
  const Here here{"host-a", "boot-1"};
  const auto facts = [&](const Probe& probe) { return liveness_facts(intent, probe, here); };
  EXPECT_FALSE(facts({Seen::exists, 55}).start_differs);  // nothing was recorded
  intent.owner = Owner{.host_id = "host-a", .boot_id = "boot-1", .pid = 4711, .start_ticks = 55};
  EXPECT_FALSE(facts({Seen::exists, 55}).start_differs);
  EXPECT_FALSE(facts({Seen::exists, 0}).start_differs);
  EXPECT_TRUE(facts({Seen::exists, 56}).start_differs);
  intent.owner->boot_id = "boot-0";
  EXPECT_TRUE(facts({Seen::exists, 55}).start_differs);
  EXPECT_FALSE(facts({Seen::exists, 55}).other_host);
  intent.owner->host_id = "host-b";
  EXPECT_TRUE(facts({Seen::exists, 55}).other_host);
  intent.owner->kind = OwnerKind::session;
  EXPECT_TRUE(facts({}).by_session);
}

TEST(Ownership, WhoIsNoProcessHereLivesByItsLeaseAndAGrace) {
  Intent intent = test_intent();
  intent.owner = Owner{.kind = OwnerKind::session};
  const auto live = [&](std::int64_t seconds) {
    return to_string(liveness_of(intent, {}, {}, after(seconds), 900));
  };
  EXPECT_EQ(live(299), "alive");
  EXPECT_EQ(live(300), "alive");
  EXPECT_EQ(live(1199), "alive");
  EXPECT_EQ(live(1200), "dead");
  intent.owner->kind = OwnerKind::process;
  EXPECT_EQ(live(0), "dead");  // no such process
  EXPECT_EQ(liveness_of(intent, {Seen::permission_denied}, {}, after(0), 900), Liveness::unknown);
  EXPECT_EQ(liveness_of(intent, {Seen::exists}, {}, after(9999), 900), Liveness::alive);
}

TEST(Ownership, OwnMeansSameProcessAndSessionWhereBothAreKnown) {
  Intent intent = test_intent();
  Caller caller{4711, 1'799'990'000, "s1"};
  EXPECT_TRUE(is_own(intent, caller));
  intent.owner = Owner{};
  EXPECT_TRUE(is_own(intent, caller));
  intent.owner->session_id = "s2";
  EXPECT_FALSE(is_own(intent, caller));
  intent.owner->session_id = "s1";
  EXPECT_TRUE(is_own(intent, caller));
  caller.session_id.clear();
  EXPECT_TRUE(is_own(intent, caller));
  caller.agent_start_epoch += 1;
  EXPECT_FALSE(is_own(intent, caller));
  caller = {4712, 1'799'990'000, "s1"};
  EXPECT_FALSE(is_own(intent, caller));
}

TEST(Ownership, AHookIsOwnByItsSessionOrAnAncestorAtMostEightUp) {
  Intent intent = test_intent();
  EXPECT_FALSE(is_own(intent, HookCaller{.session_id = "s1"}));
  intent.owner = Owner{.session_id = "s1", .host_pid = 900, .host_start_ticks = 77};
  EXPECT_TRUE(is_own(intent, HookCaller{.session_id = "s1"}));
  EXPECT_FALSE(is_own(intent, HookCaller{.session_id = "s2"}));
  EXPECT_TRUE(is_own(intent, HookCaller{.session_id = "s1", .clone = "c1"}));
  intent.unknown.set("clone", "c1");
  EXPECT_TRUE(is_own(intent, HookCaller{.session_id = "s1", .clone = "c1"}));
  EXPECT_FALSE(is_own(intent, HookCaller{.session_id = "s1", .clone = "c2"}));
  EXPECT_FALSE(is_own(intent, HookCaller{}));
  EXPECT_TRUE(is_own(intent, HookCaller{.ancestors = {{5, 5}, {900, 77}}}));
  EXPECT_FALSE(is_own(intent, HookCaller{.ancestors = {{900, 78}}}));
  HookCaller deep;
  deep.ancestors.assign(7, {5, 5});
  deep.ancestors.push_back({900, 77});
  EXPECT_TRUE(is_own(intent, deep));
  deep.ancestors.insert(deep.ancestors.begin(), {6, 6});
  EXPECT_FALSE(is_own(intent, deep));
  intent.owner->session_id.clear();
  intent.owner->host_pid = 0;
  intent.owner->host_start_ticks = 0;
  EXPECT_FALSE(is_own(intent, HookCaller{.ancestors = {{0, 0}}}));
}

// change-control 5.2, typed again.
TEST(Ownership, SixRowsInTheirOrder) {
  struct Row {
    OwnershipFacts facts;
    const char* word;
    bool live_foreign;
  };
  const Row kRows[] = {
      {{.ttl_passed = true, .own = true, .lease_valid = true}, "expired", false},
      {{.own = true, .lease_valid = true}, "own_active", false},
      {{.own = true, .dead = true}, "own_stale", false},
      {{.dead = true, .lease_valid = true}, "recoverable", false},
      {{.lease_valid = true}, "foreign_active", true},
      {{}, "foreign_stale", true},
  };
  EXPECT_EQ(std::size(kRows), 6u);
  for (const Row& row : kRows) {
    EXPECT_EQ(to_string(decide_ownership(row.facts)), row.word);
    EXPECT_EQ(is_live_foreign(decide_ownership(row.facts)), row.live_foreign) << row.word;
    EXPECT_FALSE(what_others_may_do(decide_ownership(row.facts)).empty());
  }
  for (int bits = 0; bits < 16; ++bits) {
    const OwnershipFacts f{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
    const std::string want = f.ttl_passed ? "expired"
                             : f.own      ? (f.lease_valid ? "own_active" : "own_stale")
                             : f.dead     ? "recoverable"
                                          : (f.lease_valid ? "foreign_active" : "foreign_stale");
    EXPECT_EQ(to_string(decide_ownership(f)), want) << bits;
  }
}

// change-control 2.2: an end that is now has passed.
TEST(Ownership, TheEndItselfIsPast) {
  const Intent intent = test_intent();
  const auto seen = [&](std::int64_t seconds, Liveness liveness) {
    return to_string(ownership_of(intent, false, liveness, after(seconds)));
  };
  EXPECT_EQ(seen(299, Liveness::alive), "foreign_active");
  EXPECT_EQ(seen(300, Liveness::alive), "foreign_stale");
  EXPECT_EQ(seen(3599, Liveness::alive), "foreign_stale");
  EXPECT_EQ(seen(3600, Liveness::alive), "expired");
  EXPECT_EQ(seen(0, Liveness::unknown), "foreign_active");  // not dead
  EXPECT_EQ(seen(0, Liveness::dead), "recoverable");
  EXPECT_EQ(to_string(ownership_of(intent, true, Liveness::dead, after(0))), "own_active");
  EXPECT_EQ(lease_left(intent, after(100)), 200);
  EXPECT_EQ(lease_left(intent, after(1000)), 0);
}

// change-control 5.4
TEST(Ownership, ARecordIsStaleForTheFirstReasonThatHolds) {
  struct Row {
    IntentStatus status;
    Liveness liveness;
    std::int64_t at;
    const char* reason;
  };
  using S = IntentStatus;
  const Row kRows[] = {
      {S::expired, Liveness::dead, 0, "expired"},
      {S::orphaned, Liveness::alive, 9999, "orphaned"},
      {S::active, Liveness::dead, 3600, "expired"},
      {S::active, Liveness::dead, 0, "orphaned"},
      {S::active, Liveness::dead, 400, "orphaned"},
      {S::active, Liveness::alive, 300, "lease_expired"},
      {S::queued, Liveness::unknown, 300, "lease_expired"},
      {S::violated, Liveness::alive, 299, ""},
      {S::active, Liveness::unknown, 0, ""},
  };
  for (const Row& row : kRows) {
    Intent intent = test_intent();
    intent.status = row.status;
    EXPECT_EQ(to_string(stale_reason(intent, row.liveness, after(row.at))), row.reason)
        << &row - kRows;
  }
}

TEST(Ownership, ALookClosesWhatExpiredAndASweepAlsoWhatIsOrphaned) {
  struct Row {
    StaleReason reason;
    bool lazy, gc;
  };
  const Row kRows[] = {{StaleReason::none, false, false},
                       {StaleReason::expired, true, true},
                       {StaleReason::orphaned, false, true},
                       {StaleReason::lease_expired, false, false}};
  for (const Row& row : kRows) {
    EXPECT_EQ(closes(Sweep::lazy_close, row.reason), row.lazy);
    EXPECT_EQ(closes(Sweep::gc_workspace, row.reason), row.gc);
  }
  Intent intent = test_intent();
  EXPECT_EQ(closed_as(Sweep::lazy_close, intent, Liveness::alive, after(3600)),
            IntentStatus::expired);
  EXPECT_EQ(closed_as(Sweep::lazy_close, intent, Liveness::dead, after(0)), std::nullopt);
  EXPECT_EQ(closed_as(Sweep::gc_workspace, intent, Liveness::dead, after(0)),
            IntentStatus::orphaned);
  EXPECT_EQ(closed_as(Sweep::gc_workspace, intent, Liveness::dead, after(3600)),
            IntentStatus::expired);
  EXPECT_EQ(closed_as(Sweep::gc_workspace, intent, Liveness::alive, after(500)), std::nullopt);
  intent.status = IntentStatus::clean;  // closed already
  EXPECT_EQ(closed_as(Sweep::gc_workspace, intent, Liveness::dead, after(3600)), std::nullopt);
}

// change-control 5.3
TEST(Ownership, OnlyTheOwnerRenewsAnOpenRecordWithinItsTime) {
  Intent intent = test_intent();
  intent.fence = 5;
  EXPECT_EQ(renewal_refusal(intent, true, 5, after(3599)), "");
  EXPECT_EQ(renewal_refusal(intent, false, 5, after(0)), "not_owner");
  EXPECT_EQ(renewal_refusal(intent, true, 4, after(0)), "ownership_lost");
  EXPECT_EQ(renewal_refusal(intent, true, 5, after(3600)), "ttl_expired");
  intent.passed_by = 6;
  EXPECT_EQ(renewal_refusal(intent, true, 5, after(0)), "ownership_lost");
  intent.passed_by = 0;
  for (const IntentStatus ended :
       {IntentStatus::clean, IntentStatus::expired, IntentStatus::orphaned}) {
    intent.status = ended;
    EXPECT_EQ(renewal_refusal(intent, true, 5, after(0)), "intent_closed");
  }
}

// The reference, "Ownership", typed again: whoever was overtaken stays so.
TEST(Ownership, AHolderWhoFellSilentLosesTheFilesToWhoeverCame) {
  struct Row {
    HoldFacts facts;
    bool lost;
  };
  const Row kRows[] = {
      {{.queued = true, .passed = true, .lapsed = true, .met = true}, false},
      {{.passed = true}, true},
      {{.passed = true, .lapsed = true}, true},
      {{.lapsed = true, .met = true}, true},
      {{.lapsed = true}, false},
      {{.met = true}, false},
      {{}, false},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(is_lost(row.facts), row.lost) << &row - kRows;
  for (int bits = 0; bits < 16; ++bits) {
    const HoldFacts f{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
    EXPECT_EQ(is_lost(f), !f.queued && (f.passed || (f.lapsed && f.met))) << bits;
  }
}

TEST(Ownership, OnlyAnOpenRecordThatNobodyPassedHoldsFiles) {
  Intent intent = test_intent();
  for (const IntentStatus status :
       {IntentStatus::active, IntentStatus::expanded, IntentStatus::violated}) {
    intent.status = status;
    EXPECT_TRUE(holds_files(intent)) << to_string(status);
  }
  for (const IntentStatus status :
       {IntentStatus::queued, IntentStatus::clean, IntentStatus::expired, IntentStatus::orphaned}) {
    intent.status = status;
    EXPECT_FALSE(holds_files(intent)) << to_string(status);
  }
  intent.status = IntentStatus::active;
  intent.passed_by = 7;
  EXPECT_FALSE(holds_files(intent));
}

TEST(Ownership, ALeaseIsDueForRenewalAfterAThirdOfIt) {
  const Intent intent = test_intent();
  EXPECT_EQ(renewal_due_in(intent, after(0)), 100);
  EXPECT_EQ(renewal_due_in(intent, after(99)), 1);
  EXPECT_FALSE(is_renewal_due(intent, after(99)));
  EXPECT_TRUE(is_renewal_due(intent, after(100)));
  EXPECT_EQ(renewal_due_in(intent, after(5000)), 0);
}

TEST(Ownership, ARenewalMovesTheLeaseAndAResetAlsoTheTimeToLive) {
  Intent intent = test_intent();
  intent.status = IntentStatus::violated;
  const Intent again = renewed(intent, after(1000), 120);
  EXPECT_EQ(again.lease_renewed_at, after(1000));
  EXPECT_EQ(again.lease_seconds, 120);
  EXPECT_EQ(again.expires_at, intent.expires_at);
  EXPECT_EQ(again.status, IntentStatus::violated);
  EXPECT_EQ(renewed(intent, after(1000)).lease_seconds, 300);
  const Intent reset = restarted(intent, after(1000));
  EXPECT_EQ(reset.expires_at, after(4600));
  EXPECT_EQ(reset.lease_renewed_at, after(1000));
  EXPECT_EQ(reset.status, IntentStatus::active);
  EXPECT_EQ(restarted(intent, after(-50)).expires_at, after(3600));
  intent.status = IntentStatus::queued;
  EXPECT_EQ(restarted(intent, after(1000)).status, IntentStatus::queued) << "no promotion";
}

TEST(Ownership, AgentsAndSilentRecordsAreCounted) {
  Intent a = test_intent("a"), b = test_intent("b"), c = test_intent("c"), ended = test_intent("d");
  c.agent_pid = 7;
  ended.agent_pid = 8;
  ended.status = IntentStatus::clean;
  const Held kRecords[] = {{&a, Ownership::own_stale},      {&b, Ownership::foreign_stale},
                           {&c, Ownership::recoverable},    {&a, Ownership::foreign_active},
                           {&ended, Ownership::own_active}, {&ended, Ownership::foreign_stale}};
  const WorkspaceCounts counts = workspace_counts(kRecords);
  EXPECT_EQ(counts.total_agents, 2);
  EXPECT_EQ(counts.stale_count, 2);
  EXPECT_EQ(counts.orphaned_count, 1);
}

}  // namespace
}  // namespace gh::control
