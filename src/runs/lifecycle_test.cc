#include "runs/lifecycle.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/text.h"
#include "runs/test_world.h"
#include "wire/json.h"

namespace gh::runs {
namespace {

patch::Attempt attempt(std::string sha256 = "aa", std::string base = "base1") {
  return {.sha256 = std::move(sha256),
          .canonical_sha256 = "cc",
          .code = "PATCH_POLICY_DENY",
          .rule = "max_files",
          .policy_sha256 = "pp",
          .base_commit = std::move(base),
          .created_utc = "2026-01-02T03:04:05Z"};
}

TEST(AfterRejection, AJudgedPatchUsesUpOneAttempt) {
  const patch::RunState state = after_rejection({}, Rule::max_files, attempt(), "ww");
  EXPECT_EQ(state.state, "rejected");
  EXPECT_EQ(state.attempts.size(), 1U);
  EXPECT_EQ(state.base_commit, "base1");
  EXPECT_EQ(state.worktree_sha256, "ww");
  EXPECT_FALSE(state.frozen);
  EXPECT_EQ(state.reason, "");
}

TEST(AfterRejection, WhatDoesNotJudgeThePatchUsesUpNone) {
  for (const Rule rule : {Rule::retry_channel, Rule::retry_identical, Rule::worktree_dirty,
                          Rule::base_moved, Rule::git_timeout, Rule::object_migration_failed}) {
    SCOPED_TRACE(to_string(rule));
    patch::RunState before;
    before.state = "rejected";
    before.base_commit = "base0";
    before.attempts = {attempt("11")};
    before.worktree_sha256 = "old";
    const patch::RunState after = after_rejection(before, rule, attempt(), "new");
    EXPECT_EQ(after.attempts.size(), 1U);
    EXPECT_EQ(after.state, "rejected");
    EXPECT_EQ(after.base_commit, "base0");
    EXPECT_EQ(after.worktree_sha256, "old");
    EXPECT_EQ(after_rejection({}, rule, attempt(), "new").state, "open");
  }
}

TEST(AfterRejection, TheLastAttemptBlocksTheRun) {
  patch::RunState state;
  state = after_rejection(state, Rule::max_files, attempt("11"), "");
  state = after_rejection(state, Rule::not_a_diff, attempt("22"), "");
  EXPECT_EQ(state.state, "rejected");
  state = after_rejection(state, Rule::verify_failed, attempt("33"), "");
  EXPECT_EQ(state.state, "blocked");
  EXPECT_EQ(state.reason, "max_iterations_exceeded");
  state = after_rejection(state, Rule::retry_exhausted, attempt("44"), "");
  EXPECT_EQ(state.state, "blocked");
  EXPECT_EQ(state.attempts.size(), 3U);
}

TEST(AfterRejection, AnAlarmFreezesTheRun) {
  for (const Rule rule : {Rule::oracle_disagrees, Rule::result_tree_mismatch})
    EXPECT_TRUE(after_rejection({}, rule, attempt(), "").frozen) << to_string(rule);
  patch::RunState frozen;
  frozen.frozen = true;
  EXPECT_TRUE(after_rejection(frozen, Rule::max_files, attempt(), "").frozen);
}

TEST(RetryState, IsACopyOfTheRun) {
  patch::RunState state;
  state.run_id = "prun-1";
  state.attempts = {attempt()};
  state.attempts[0].canonical_sha256.clear();
  EXPECT_EQ(retry_state_document(state), (Map{{"schema", "gatehouse.retry_state/1"},
                                              {"run_id", "prun-1"},
                                              {"state", "open"},
                                              {"reason", nullptr},
                                              {"frozen", false},
                                              {"max_attempts", 3},
                                              {"attempts", List{Map{
                                                               {"sha256", "aa"},
                                                               {"canonical_sha256", nullptr},
                                                               {"code", "PATCH_POLICY_DENY"},
                                                               {"rule", "max_files"},
                                                               {"policy_sha256", "pp"},
                                                               {"base_commit", "base1"},
                                                               {"time", "2026-01-02T03:04:05Z"},
                                                           }}}}));
}

struct Gate : World {
  std::unique_ptr<store::Ledger> ledger =
      std::move(*store::Ledger::open_sqlite(path("ledger.db"), 5000));
  Submitter by{.actor = local_actor(1000), .base_commit = "base1", .runs_root = path("runs")};

  PatchRun enter() { return enter_run(*ledger, by, env).value(); }

  PatchRun reject(const PatchRun& run, std::string sha256, Rule rule = Rule::max_files) {
    RunFolder folder = RunFolder::open_or_create(run.folder, env).value();
    const std::string bytes = "patch " + sha256 + "\n";
    EXPECT_TRUE(folder.keep_submission(bytes).has_value());
    patch::Outcome outcome;
    outcome.sha256 = sha256;
    outcome.canonical_sha256 = "c" + sha256;
    outcome.violations = {{.rule = rule, .message = "no"}};
    const Map document = rejection(sha256);
    auto next =
        record_rejection(*ledger, folder, run, by, {outcome, document, bytes, "pp", "ww"}, env);
    EXPECT_TRUE(next.has_value()) << (next ? "" : next.error().message);
    return next.value_or(run);
  }

  Result<PatchRun> land(const PatchRun& run) {
    RunFolder folder = RunFolder::open_or_create(run.folder, env).value();
    Map document = rejection();
    document.set("ok", true).set("code", "PATCH_OK").set("stage", "apply");
    document.set("landed", Map{{"mode", "commit"}, {"ref", "refs/heads/x"}, {"commit", "ab12"}});
    const store::Document receipt{"sha256:dd", "patch", Map{{"meta", Map{{"audit_seq", nullptr}}}}};
    return record_landing(*ledger, folder, run, by, document, receipt, env);
  }

  std::vector<std::string> events() {
    std::vector<std::string> out;
    const std::vector<store::AuditRow> rows = ledger->audit_rows(1, 100).value();
    for (const store::AuditRow& row : rows)
      out.push_back(row.event.event);
    EXPECT_EQ(ledger->first_broken_link().value(), 0);
    return out;
  }
};

using Names = std::vector<std::string>;

TEST(Lifecycle, ANewRunHasAFolderOfItsOwnAndNoRowUntilSomethingHappened) {
  Gate gate;
  const PatchRun run = gate.enter();
  EXPECT_EQ(run.state.run_id, "prun-0000000000000001");
  EXPECT_EQ(run.folder, gate.path("runs/prun-0000000000000001"));
  EXPECT_EQ(run.state.state, "open");
  EXPECT_FALSE(gate.ledger->patch_run(run.state.run_id).value().has_value());
  gate.by.run_dir = gate.path("mine");
  EXPECT_EQ(gate.enter().folder, gate.path("mine"));
}

TEST(Lifecycle, ASubmissionWithoutAnIdJoinsTheActorsOpenRun) {
  Gate gate;
  const PatchRun first = gate.reject(gate.enter(), "11");
  const PatchRun joined = gate.enter();
  EXPECT_EQ(joined.state.run_id, first.state.run_id);
  EXPECT_EQ(joined.state.attempts.size(), 1U);
  EXPECT_EQ(joined.state.attempts[0].sha256, "11");
  EXPECT_EQ(joined.state.attempts[0].canonical_sha256, "c11");
  EXPECT_EQ(joined.state.attempts[0].policy_sha256, "pp");
  EXPECT_EQ(joined.state.worktree_sha256, "ww");
  EXPECT_EQ(joined.state.rev, 1);
  gate.by.base_commit = "base2";
  EXPECT_NE(gate.enter().state.run_id, first.state.run_id);
  gate.by.base_commit = "base1";
  gate.by.actor = local_actor(1001);
  EXPECT_NE(gate.enter().state.run_id, first.state.run_id);
}

TEST(Lifecycle, TheLandingOfADeclaredChangeHasARunOfItsOwn) {
  Gate gate;
  const PatchRun submitted = gate.reject(gate.enter(), "11");
  EXPECT_EQ(submitted.state.actor, "local:1000");
  gate.by.intent_id = "intent-1";
  EXPECT_NE(gate.enter().state.run_id, submitted.state.run_id);
  const PatchRun landing = gate.reject(gate.enter(), "22");
  EXPECT_EQ(landing.state.actor, "local:1000/intent-1");
  EXPECT_EQ(gate.enter().state.run_id, landing.state.run_id) << "the next one of this intent";
  gate.by.intent_id = "intent-2";
  EXPECT_NE(gate.enter().state.run_id, landing.state.run_id);
  gate.by.intent_id.clear();
  EXPECT_EQ(gate.enter().state.run_id, submitted.state.run_id);
  gate.by.run_id = landing.state.run_id;
  EXPECT_EQ(enter_run(*gate.ledger, gate.by, gate.env).error().code, Code::not_permitted);
}

TEST(Lifecycle, ANamedRunMustExistBelongToTheActorAndBeOpen) {
  Gate gate;
  gate.by.run_id = "prun-ffffffffffffffff";
  EXPECT_EQ(enter_run(*gate.ledger, gate.by, gate.env).error().code, Code::unknown_id);
  gate.by.run_id.clear();
  const PatchRun run = gate.reject(gate.enter(), "11");
  gate.by.run_id = run.state.run_id;
  gate.by.base_commit = "base2";
  EXPECT_EQ(gate.enter().state.run_id, run.state.run_id);
  gate.by.actor = local_actor(1001);
  EXPECT_EQ(enter_run(*gate.ledger, gate.by, gate.env).error().code, Code::not_permitted);
  gate.by.actor = local_actor(1000);
  ASSERT_TRUE(gate.land(gate.enter()).has_value());
  EXPECT_EQ(enter_run(*gate.ledger, gate.by, gate.env).error().code, Code::bad_argument);
}

TEST(Lifecycle, ARefusalLeavesEvidenceRowAndCopy) {
  Gate gate;
  const PatchRun run = gate.reject(gate.enter(), "11");
  const std::string folder = "runs/" + run.state.run_id;
  EXPECT_EQ(gate.read(folder + "/artifacts/diff.patch"), "patch 11\n");
  EXPECT_EQ(gate.read(folder + "/artifacts/attempts/001/diff.patch"), "patch 11\n");
  EXPECT_TRUE(gate.has(folder + "/artifacts/attempts/001/patch_rejection.json"));
  EXPECT_TRUE(gate.has(folder + "/failure_bundle.zip"));
  EXPECT_EQ(wire::read_json(gate.read(folder + "/artifacts/retry_state.json")).value(),
            Value(retry_state_document(run.state)));
  const auto row = gate.ledger->patch_run(run.state.run_id).value().value();
  EXPECT_EQ(row.state, "rejected");
  EXPECT_EQ(row.folder, run.folder);
  const auto audit = gate.ledger->audit_rows(1, 10).value();
  ASSERT_EQ(audit.size(), 1U);
  EXPECT_EQ(audit[0].event.event, "patch.rejected");
  EXPECT_EQ(audit[0].event.severity, "warn");
  EXPECT_EQ(audit[0].event.actor, to_value(local_actor(1000)));
  EXPECT_EQ(audit[0].event.subject, (Map{{"patch_run_id", run.state.run_id}}));
  EXPECT_EQ(audit[0].event.payload, Value(Map{{"stage", "policy"},
                                              {"code", "PATCH_POLICY_DENY"},
                                              {"rule", "max_files"},
                                              {"sha256", "11"},
                                              {"canonical_sha256", "cc"},
                                              {"evidence_sha256", "ee"},
                                              {"attempt", 1}}));
}

TEST(Lifecycle, TheSamePatchAgainIsFiledButUsesUpNoAttempt) {
  Gate gate;
  gate.reject(gate.enter(), "11");
  const PatchRun run = gate.reject(gate.enter(), "11", Rule::retry_identical);
  EXPECT_EQ(run.state.attempts.size(), 1U);
  EXPECT_EQ(sys::list_folder(run.folder + "/artifacts/attempts").value(), (Names{"001"}));
  EXPECT_EQ(gate.events(), (Names{"patch.rejected", "patch.rejected"}));
}

TEST(Lifecycle, UsedUpAttemptsBlockTheRunAndANewOneCannotResetThem) {
  Gate gate;
  for (const char* sha256 : {"11", "22", "33"})
    gate.reject(gate.enter(), sha256);
  const PatchRun run = gate.enter();
  EXPECT_EQ(run.state.state, "blocked");
  EXPECT_EQ(run.state.reason, "max_iterations_exceeded");
  EXPECT_EQ(run.state.attempts.size(), 3U);
  EXPECT_EQ(sys::list_folder(run.folder + "/artifacts/attempts").value(),
            (Names{"001", "002", "003"}));
}

TEST(Lifecycle, AnAlarmFreezesAndSaysSoInTheAudit) {
  Gate gate;
  const PatchRun run = gate.reject(gate.enter(), "11", Rule::oracle_disagrees);
  EXPECT_TRUE(run.state.frozen);
  EXPECT_TRUE(gate.enter().state.frozen);
  EXPECT_EQ(gate.events(), (Names{"patch.rejected", "patch.frozen"}));
  EXPECT_EQ(gate.ledger->audit_rows(2, 1).value()[0].event.severity, "error");
}

TEST(Lifecycle, UnfreezeNeedsRoleReasonAndAFrozenRun) {
  Gate gate;
  const PatchRun run = gate.reject(gate.enter(), "11");
  const auto code = [&](std::string_view id, std::string_view reason, const Actor& actor) {
    const auto got = unfreeze(*gate.ledger, id, reason, actor, "cli", gate.env);
    return got ? std::string_view("ok") : to_string(got.error().code);
  };
  const Actor agent{.name = "codex", .kind = "agent", .via = "token"};
  EXPECT_EQ(code(run.state.run_id, "looked at it", local_actor(0)), "bad_argument");
  gate.reject(gate.enter(), "22", Rule::result_tree_mismatch);
  EXPECT_EQ(code(run.state.run_id, "looked at it", agent), "not_permitted");
  EXPECT_EQ(code(run.state.run_id, " \n", local_actor(0)), "missing_argument");
  EXPECT_EQ(code("prun-none", "looked at it", local_actor(0)), "unknown_id");
  EXPECT_EQ(code(run.state.run_id, "looked at AKIAIOSFODNN7EXAMPLE", local_actor(0)), "ok");
  EXPECT_FALSE(gate.enter().state.frozen);
  const auto row = gate.ledger->audit_rows(4, 1).value().at(0);
  EXPECT_EQ(row.event.event, "patch.unfrozen");
  EXPECT_EQ(row.event.payload,
            Value(Map{{"reason", "looked at [REDACTED:aws_access_key]"}, {"was_blocked", false}}));
  EXPECT_TRUE(contains(gate.read("runs/" + run.state.run_id + "/artifacts/retry_state.json"),
                       "\"frozen\": false"));
  EXPECT_TRUE(contains(gate.read("runs/" + run.state.run_id + "/events.jsonl"), "RUN_UNFROZEN"));
}

TEST(Lifecycle, UnfreezeGivesABlockedRunItsAttemptsAgain) {
  Gate gate;
  for (const char* sha256 : {"11", "22", "33"})
    gate.reject(gate.enter(), sha256);
  const PatchRun run = gate.enter();
  const PatchRun open =
      unfreeze(*gate.ledger, run.state.run_id, "new hint", local_actor(0), "cli", gate.env).value();
  EXPECT_EQ(open.state.state, "rejected");
  EXPECT_EQ(open.state.reason, "");
  EXPECT_EQ(open.state.max_attempts, 6);
  EXPECT_EQ(gate.reject(gate.enter(), "44").state.state, "rejected");
}

TEST(Lifecycle, ALandingClosesTheRunAndStoresItsReceipt) {
  Gate gate;
  gate.reject(gate.enter(), "11");
  const PatchRun landed = gate.land(gate.enter()).value();
  EXPECT_EQ(landed.state.state, "applied");
  EXPECT_EQ(gate.ledger->document("sha256:dd").value().value(),
            Value(Map{{"meta", Map{{"audit_seq", 2}}}}));
  const auto row = gate.ledger->audit_rows(2, 1).value().at(0);
  EXPECT_EQ(row.event.event, "patch.applied");
  EXPECT_EQ(row.event.subject, (Map{{"patch_run_id", landed.state.run_id},
                                    {"receipt_digest", "sha256:dd"},
                                    {"ref", "refs/heads/x"},
                                    {"commit", "ab12"}}));
  EXPECT_TRUE(contains(gate.read("runs/" + landed.state.run_id + "/reviews/review_patch.md"),
                       "Verdict: PASS"));
  EXPECT_NE(gate.enter().state.run_id, landed.state.run_id);
}

TEST(Lifecycle, TwoWritersOnOneRevisionDoNotOverwriteEachOther) {
  Gate gate;
  const PatchRun run = gate.reject(gate.enter(), "11");
  const PatchRun other = run;
  ASSERT_TRUE(gate.land(run).has_value());
  EXPECT_EQ(gate.land(other).error().code, Code::conflict);
}

TEST(Lifecycle, AQuestionLeavesEvidenceButNoRun) {
  Gate gate;
  const PatchRun run = new_run(gate.by, gate.env);
  RunFolder folder = RunFolder::open_or_create(run.folder, gate.env).value();
  ASSERT_TRUE(folder.keep_submission("patch\n").has_value());
  patch::Outcome outcome;
  outcome.violations = {{.rule = Rule::max_files, .message = "no"}};
  const Map document = rejection();
  const Refusal refusal{outcome, document, "patch\n", "pp", ""};
  ASSERT_TRUE(
      record_question(gate.ledger.get(), folder, run, gate.by, refusal, gate.env).has_value());
  ASSERT_TRUE(record_question(nullptr, folder, run, gate.by, refusal, gate.env).has_value());
  EXPECT_FALSE(gate.ledger->patch_run(run.state.run_id).value().has_value());
  EXPECT_EQ(gate.events(), (Names{"patch.rejected"}));
  EXPECT_TRUE(sys::info(run.folder + "/failure_bundle.zip").kind == sys::FileKind::file);
}

TEST(Lifecycle, AnAcceptedCheckIsOneInfoEvent) {
  Gate gate;
  const store::AuditEvent event =
      checked_event(Map{{"stage", "git_check"}, {"code", "PATCH_OK"}}, gate.by, gate.env.now());
  EXPECT_EQ(event.event, "patch.checked");
  EXPECT_EQ(event.severity, "info");
  EXPECT_TRUE(event.subject.empty());
}

}  // namespace
}  // namespace gh::runs
