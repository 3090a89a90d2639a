#include "control/start_decision.h"

#include <gtest/gtest.h>

#include "control/test_intent.h"
#include "wire/json.h"

namespace gh::control {
namespace {

// change-control 10.3, typed again.
TEST(StartDecision, FiveRows) {
  struct Row {
    StartFacts facts;
    const char* status;
    bool edit_allowed;
    std::optional<IntentStatus> record;
  };
  const Row kRows[] = {
      {{.run_exists = false}, "needs_analysis", false, std::nullopt},
      {{.conflicts = true, .queue_asked = true}, "queued", false, IntentStatus::queued},
      {{.conflicts = true}, "blocked", false, std::nullopt},
      {{.hygiene_blocks = true}, "blocked", false, std::nullopt},
      {{}, "active", true, IntentStatus::active},
  };
  EXPECT_EQ(std::size(kRows), 5u);
  for (const Row& row : kRows) {
    const StartOutcome outcome = decide_start(row.facts);
    EXPECT_EQ(to_string(outcome.status), row.status);
    EXPECT_EQ(outcome.edit_allowed, row.edit_allowed);
    EXPECT_EQ(outcome.record, row.record);
  }
}

// All combinations: who may edit holds the scope, and nobody else does.
TEST(StartDecision, OnlyAnActiveStartOwnsItsScope) {
  for (int bits = 0; bits < 16; ++bits) {
    const StartFacts f{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
    const StartOutcome outcome = decide_start(f);
    const bool may = f.run_exists && !f.conflicts && !f.hygiene_blocks;
    EXPECT_EQ(outcome.edit_allowed, may) << bits;
    EXPECT_EQ(outcome.status == StartStatus::active, may) << bits;
    EXPECT_EQ(outcome.record == IntentStatus::active, may) << bits;
    EXPECT_EQ(outcome.record == IntentStatus::queued, f.run_exists && f.conflicts && f.queue_asked);
  }
}

// change-control 10.3, note 1, and 15.1.
TEST(StartDecision, DirtStopsAStartUnlessItIsOnesOwnWork) {
  for (int bits = 0; bits < 16; ++bits) {
    const StartHygieneFacts f{
        (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0,
        (bits & 8) != 0 ? DirtyScopePolicy::continue_own_wip : DirtyScopePolicy::block};
    const bool excused = (bits & 8) != 0 && !f.foreign_dirty_overlap;
    EXPECT_EQ(hygiene_stops_start(f), f.git_failed || (f.blocks_edit && !excused)) << bits;
    EXPECT_EQ(continues_own_work(f), !f.git_failed && f.blocks_edit && excused) << bits;
  }
  for (const DirtyScopePolicy policy :
       {DirtyScopePolicy::block, DirtyScopePolicy::continue_own_wip})
    EXPECT_EQ(dirty_scope_policy_of(to_string(policy)), policy);
  EXPECT_EQ(to_string(DirtyScopePolicy::block), "block");
  EXPECT_EQ(to_string(DirtyScopePolicy::continue_own_wip), "continue_own_wip");
  EXPECT_FALSE(dirty_scope_policy_of("ignore"));
}

// change-control 10.6, typed again, and git_error of 15.1.
TEST(StartDecision, TheNextStepFollowsFromWhatStandsInTheWay) {
  struct Row {
    NextStepFacts facts;
    const char* code;
  };
  const Row kRows[] = {
      {{.foreign_active = true}, "foreign_active_overlap"},
      {{.foreign_active = true, .foreign_stale = true}, "foreign_active_overlap"},
      {{.foreign_stale = true}, "foreign_stale_overlap"},
      {{.foreign_active = true, .hygiene_blocks = true}, "foreign_overlap_and_dirty_scope"},
      {{.foreign_stale = true, .hygiene_blocks = true}, "foreign_overlap_and_dirty_scope"},
      {{.foreign_stale = true, .hygiene_blocks = true, .foreign_dirty_overlap = true},
       "foreign_overlap_and_dirty_scope"},
      {{.hygiene_blocks = true, .foreign_dirty_overlap = true}, "foreign_dirty_overlap"},
      {{.hygiene_blocks = true}, "dirty_scope"},
      {{.git_failed = true, .hygiene_blocks = true}, "git_error"},
      {{.git_failed = true, .foreign_active = true, .hygiene_blocks = true}, "git_error"},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(next_step(row.facts).code, row.code) << &row - kRows;
    EXPECT_FALSE(next_step(row.facts).text.empty());
  }
}

TEST(StartDecision, AWiderScopeTakesNothingThatWasDirtyWhenTheChangeBegan) {
  using Texts = std::vector<std::string>;
  const auto dirt_of = [](const Texts& paths) {
    DirtySnapshot out;
    for (const std::string& path : paths)
      out.entries.emplace(path, DirtyEntry{".M", "d"});
    return out;
  };
  struct Row {
    const char* name;
    Texts wider, then, now;
    const char* policy;
    bool partial, queued;
    Texts want;
  };
  const Row rows[] = {
      {"dirty then and now", {"a", "b"}, {"b"}, {"b"}, "block", false, false, {"b"}},
      {"clean by now", {"a", "b"}, {"b"}, {}, "block", false, false, {}},
      {"dirty since", {"a", "b"}, {}, {"b"}, "block", false, false, {}},
      {"below a folder", {"a", "d"}, {"d/x"}, {"d/x"}, "block", false, false, {"d/x"}},
      {"of the scope before", {"a", "b"}, {"a"}, {"a"}, "block", false, false, {}},
      {"outside of the wider one", {"a", "b"}, {"c"}, {"c"}, "block", false, false, {}},
      {"own work", {"a", "b"}, {"b"}, {"b"}, "continue_own_wip", false, false, {}},
      {"too many to list", {"a", "b"}, {}, {"b"}, "block", true, false, {"b"}},
      {"it holds nothing yet", {"a", "b"}, {"b"}, {"b"}, "block", false, true, {}},
  };
  for (const Row& row : rows) {
    Intent intent;
    intent.status = row.queued ? IntentStatus::queued : IntentStatus::active;
    intent.scope.allowed_files = {"a"};
    intent.dirty_scope_policy = row.policy;
    intent.dirty_snapshot = dirt_of(row.then);
    intent.dirty_snapshot->partial = row.partial;
    EXPECT_EQ(dirty_before(intent, Scope{.allowed_files = row.wider}, dirt_of(row.now)), row.want)
        << row.name;
    intent.dirty_snapshot.reset();
    EXPECT_EQ(dirty_before(intent, Scope{.allowed_files = row.wider}, dirt_of(row.now)), Texts{})
        << row.name << ", without a snapshot";
  }
}

TEST(StartDecision, MessagesSayWhatHolds) {
  EXPECT_EQ(active_message({}),
            "The change is active: edit inside the declared scope only. The budget is within its "
            "thresholds.");
  EXPECT_EQ(
      active_message({.continuing_own_wip = true, .high_radius = true, .budget_outside = true}),
      "The change is active: edit inside the declared scope only. It continues your own work: "
      "finish must list every dirty path of the scope. The blast radius is high. The budget "
      "is exceeded already: editing is allowed, but verification may still fail.");
  EXPECT_NE(queued_message(3).find("position 3"), std::string::npos);
  Map answer = needs_analysis_answer("/repo");
  EXPECT_FALSE(answer.find("message")->as_string()->empty());
  EXPECT_FALSE(answer.find("next_step")->as_string()->empty());
  answer.erase("message");
  answer.erase("next_step");
  EXPECT_EQ(wire::canonical_json(answer),
            R"({"edit_allowed":false,"intent_id":null,"root":"/repo","status":"needs_analysis",)"
            R"("workspace":{"concurrent_intents":[],"queued_context":[],"stale_count":0,)"
            R"("total_agents":0,"workspace_relations":[]}})");
}

// change-control 11.8
TEST(WriteGate, OnlyALivingOwnerOfAnOpenRecordThatHoldsItsFilesMayWrite) {
  struct Case {
    IntentStatus status;
    Ownership ownership;
    Liveness liveness;
    bool foreign_authorised;
    const char* reason;
  };
  using S = IntentStatus;
  using O = Ownership;
  using L = Liveness;
  const Case kCases[] = {
      {S::active, O::own_active, L::alive, false, "active_intent"},
      {S::active, O::own_active, L::alive, true, "active_intent"},
      {S::active, O::foreign_active, L::alive, true, "active_intent"},
      {S::active, O::foreign_active, L::alive, false, "no_active_intent"},
      {S::active, O::own_active, L::unknown, false, "no_active_intent"},
      {S::active, O::own_active, L::dead, false, "no_active_intent"},
      {S::active, O::own_stale, L::alive, false, "no_active_intent"},
      {S::active, O::foreign_stale, L::alive, true, "no_active_intent"},
      {S::active, O::recoverable, L::dead, true, "no_active_intent"},
      {S::active, O::expired, L::alive, true, "no_active_intent"},
      {S::expanded, O::own_active, L::alive, false, "active_intent"},
      {S::violated, O::own_active, L::alive, false, "active_intent"},
      {S::violated, O::own_stale, L::alive, false, "no_active_intent"},
      {S::violated, O::foreign_active, L::alive, false, "no_active_intent"},
      {S::clean, O::own_active, L::alive, false, "no_active_intent"},
      {S::queued, O::own_active, L::alive, false, "queued_intent_not_editable"},
      {S::queued, O::own_stale, L::alive, false, "queued_intent_not_editable"},
      {S::queued, O::foreign_active, L::alive, true, "queued_intent_not_editable"},
      {S::queued, O::foreign_active, L::alive, false, "no_active_intent"},
      {S::queued, O::recoverable, L::dead, true, "no_active_intent"},
  };
  for (const Case& c : kCases) {
    Intent intent = test_intent();
    intent.status = c.status;
    const Held records[] = {{&intent, c.ownership, c.liveness}};
    const WriteAnswer answer = decide_write({.foreign_authorised = c.foreign_authorised}, records);
    EXPECT_EQ(to_string(answer.reason), c.reason) << &c - kCases;
    EXPECT_EQ(answer.allowed, std::string_view(c.reason) == "active_intent");
    EXPECT_EQ(answer.held != nullptr, std::string_view(c.reason) != "no_active_intent");
  }
  Intent passed = test_intent();
  passed.passed_by = 9;
  const Held lost[] = {{&passed, O::own_active, L::alive}};
  EXPECT_EQ(to_string(decide_write({}, lost).reason), "no_active_intent");
  Intent unclean = test_intent();
  unclean.unknown.set("dirty_at_promotion", List{"pkg/a.py"});
  const Held promoted[] = {{&unclean, O::own_active, L::alive}};
  EXPECT_TRUE(waits_for_clean_files(unclean));
  EXPECT_EQ(to_string(decide_write({}, promoted).reason), "no_active_intent");
  EXPECT_EQ(decide_write({}, promoted).unclean, &promoted[0]);
  unclean.status = S::queued;
  EXPECT_FALSE(waits_for_clean_files(unclean)) << "it was never promoted";
  EXPECT_EQ(to_string(decide_write({}, promoted).reason), "queued_intent_not_editable");
  EXPECT_EQ(to_string(decide_write({}, {}).reason), "no_active_intent");
  EXPECT_EQ(to_string(decide_write({.registry_readable = false}, {}).reason), "registry_error");
}

TEST(WriteGate, APathMustBeListedLiterallyAndNotForbidden) {
  Intent first = test_intent("first"), second = test_intent("second");
  first.scope = scope_of({"pkg/a.py", "docs", "pkg/no.py"}, {"pkg/b.py"}, {"*no.py"});
  second.scope = scope_of({"lib/x.py"});
  const Held records[] = {{&first, Ownership::own_active, Liveness::alive},
                          {&second, Ownership::own_active, Liveness::alive}};
  const auto ask = [&](std::vector<std::string> paths) {
    return decide_write({.paths = std::move(paths)}, records);
  };
  EXPECT_TRUE(ask({}).allowed);
  EXPECT_TRUE(ask({"pkg/a.py"}).allowed);
  EXPECT_TRUE(ask({"pkg/b.py"}).allowed);
  EXPECT_EQ(ask({"lib/x.py"}).held->intent->id, "second");
  EXPECT_TRUE(ask({"pkg/a.py", "lib/x.py"}).allowed);
  for (const char* path : {"pkg/c.py", "docs/x.md", "pkg", ".gatehouse/ledger.db"}) {
    const WriteAnswer answer = ask({"pkg/a.py", path});
    EXPECT_FALSE(answer.allowed) << path;
    EXPECT_EQ(to_string(answer.reason), "path_outside_scope");
    EXPECT_EQ(answer.path, path);
  }
  EXPECT_EQ(ask({"pkg/c.py"}).forbidden_by, "");
  EXPECT_FALSE(ask({"pkg/no.py"}).allowed);
  EXPECT_EQ(ask({"pkg/no.py"}).forbidden_by, "*no.py");
  EXPECT_EQ(ask({".gatehouse/ledger.db"}).forbidden_by, ".gatehouse/**");
}

TEST(WriteGate, ForeignRecordsCountOnlyWhereTheSessionCannotBeKnown) {
  EXPECT_TRUE(foreign_is_authorised("", false));
  EXPECT_FALSE(foreign_is_authorised("", true));
  for (const bool known : {false, true}) {
    EXPECT_TRUE(foreign_is_authorised("1", known));
    EXPECT_TRUE(foreign_is_authorised("Yes", known));
    EXPECT_FALSE(foreign_is_authorised("0", known));
    EXPECT_FALSE(foreign_is_authorised("off", known));
  }
}

// change-control 11.7, in this order.
TEST(Recover, TheFirstReasonToRefuseIsTold) {
  bool RecoverFacts::*const kFacts[] = {&RecoverFacts::missing_intent_id,
                                        &RecoverFacts::missing_run_id,
                                        &RecoverFacts::missing_root,
                                        &RecoverFacts::not_found,
                                        &RecoverFacts::not_recoverable,
                                        &RecoverFacts::run_not_available,
                                        &RecoverFacts::report_digest_mismatch,
                                        &RecoverFacts::scope_digest_mismatch,
                                        &RecoverFacts::already_active,
                                        &RecoverFacts::invalid_scope,
                                        &RecoverFacts::workspace_rewrite_failed,
                                        &RecoverFacts::conflict};
  const char* kReasons[] = {"missing_intent_id",
                            "missing_run_id",
                            "missing_root",
                            "not_found",
                            "not_recoverable",
                            "run_not_available",
                            "report_digest_mismatch",
                            "scope_digest_mismatch",
                            "already_active",
                            "invalid_scope",
                            "workspace_rewrite_failed",
                            "conflict"};
  ASSERT_EQ(std::size(kFacts), 12u);
  ASSERT_EQ(std::size(kFacts), std::size(kReasons));
  for (std::size_t i = 0; i < std::size(kFacts); ++i) {
    RecoverFacts alone, and_all_after;
    alone.*kFacts[i] = true;
    for (std::size_t k = i; k < std::size(kFacts); ++k)
      and_all_after.*kFacts[k] = true;
    EXPECT_EQ(recover_refusal(alone)->reason, kReasons[i]);
    EXPECT_EQ(recover_refusal(and_all_after)->reason, kReasons[i]);
  }
  EXPECT_FALSE(recover_refusal({}));
  const Map answer = recovery_rejected("i", *recover_refusal({.conflict = true}), Map{{"a", 1}});
  EXPECT_EQ(*answer.find("action_taken"), Value("recovery_rejected"));
  EXPECT_EQ(*answer.find("reason"), Value("conflict"));
  EXPECT_EQ(*answer.find("details"), Value(Map{{"a", 1}}));
  EXPECT_EQ(answer.size(), 5u);
  EXPECT_TRUE(recovery_rejected("", {"x", "y"}, {}).find("intent_id")->is_null());
}

TEST(Recover, OnlyWhatNobodyLivingHoldsIsTakenOver) {
  using O = Ownership;
  for (const O can : {O::recoverable, O::own_stale})
    EXPECT_TRUE(is_recoverable(can));
  for (const O cannot : {O::expired, O::own_active, O::foreign_active, O::foreign_stale})
    EXPECT_FALSE(is_recoverable(cannot));
}

TEST(Reset, RemovesWhatIsDeadRejectsWhatIsForeignAndRestartsWhatIsOwn) {
  struct Row {
    Ownership ownership;
    ResetAction action;
    const char* reason;
  };
  using O = Ownership;
  const Row kRows[] = {
      {O::expired, ResetAction::remove, "expired"},
      {O::recoverable, ResetAction::remove, "recoverable"},
      {O::foreign_active, ResetAction::reject, "foreign_active"},
      {O::foreign_stale, ResetAction::reject, "foreign_stale"},
      {O::own_active, ResetAction::reset, ""},
      {O::own_stale, ResetAction::reset, ""},
  };
  EXPECT_EQ(std::size(kRows), 6u);
  for (const Row& row : kRows) {
    const ResetDecision decision = decide_reset(test_intent(), row.ownership);
    EXPECT_EQ(decision.action, row.action) << row.reason;
    EXPECT_EQ(decision.reason, row.reason);
  }
  Intent orphan = test_intent();
  orphan.status = IntentStatus::orphaned;
  EXPECT_EQ(decide_reset(orphan, O::recoverable).action, ResetAction::remove);
  EXPECT_EQ(decide_reset(orphan, O::recoverable).reason, "orphaned");
}

}  // namespace
}  // namespace gh::control
