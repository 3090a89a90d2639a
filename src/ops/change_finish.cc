// `change finish`: was that what was declared, and did it make anything worse? One pipeline, in a
// fixed order; an accepted change gets its receipt and gives its files back in one transaction.
#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "base/trailers.h"
#include "control/claims.h"
#include "control/finish.h"
#include "control/hygiene.h"
#include "control/intent_record.h"
#include "control/patch_trail.h"
#include "control/receipt_body.h"
#include "control/scope_paths.h"
#include "model/peek.h"
#include "ops/change_blocked.h"
#include "ops/change_evidence.h"
#include "ops/change_land.h"
#include "ops/change_ops.h"
#include "ops/change_payload.h"
#include "ops/change_receipt.h"
#include "ops/change_runs.h"
#include "ops/change_text.h"
#include "ops/change_verify.h"
#include "ops/check_scope.h"
#include "ops/committed_baseline.h"
#include "ops/members.h"
#include "ops/receipt_attach.h"
#include "ops/run_text.h"
#include "ops/structure_reasons.h"
#include "policy/glob.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::int64_t kClosedLookedAt = 200;  // those that were closed last
constexpr std::size_t kMaxClaimsBytes = 1u << 20, kMaxAnswerBytes = 24'000, kMaxSubject = 200;
constexpr std::string_view kBranches = "refs/heads/";

/// What a finish has found out so far.
struct Finishing {
  Intent intent{};
  std::vector<std::string> evidence{};
  TreeLook tree{};
  bool git_failed = false;
  std::vector<control::Held> others{};  // the hygiene points into it
  control::FinishHygiene hygiene{};
  control::ScopeCheck scope{};
  std::unique_ptr<VerifyGathered> gathered{};
  std::optional<control::Verification> verification{};
  std::optional<control::ClaimAnswer> claims{};
  std::string claims_text{};
  control::FinishFacts facts{};
  Map trail{}, receipt_body{};
  std::optional<store::Document> receipt{};
  std::string receipt_error{};
  std::optional<Map> landed{};
  std::string landed_patch{};
  control::TrailEvidence sequences{};
  std::string head_commit{};
  ChangeBinding binding{};
  bool is_unbound = false;             // git could not tell what the change is
  std::optional<CommitUsers> users{};  // of the commit that is to be made
  std::vector<std::string> ignored{};  // declared, ignored by git, and not named
};

Status read_claims(const Request& request, Context& context, Finishing& f) {
  if (!request.has("claims")) return {};
  const std::string from = request.text("claims");
  auto text = from == "-" ? context.read_input(kMaxClaimsBytes)
                          : sys::read_named_file(from, kMaxClaimsBytes);
  if (!text) return tl::make_unexpected(std::move(text).error());
  const bool claims_nothing =
      control::claims_run(*text, true) == control::ClaimsRun::skipped_no_claims_text;
  if (claims_nothing) return {};
  f.claims_text = std::move(*text);
  return control::check_claim_text(f.claims_text);
}

/// Sources that a run reads, dirty and declared by nobody: what they call is in use, and may not be
/// once they are gone.
std::vector<std::string> sources_beside(const control::FinishHygiene& hygiene) {
  std::vector<std::string> out = hygiene.unattributed();
  std::erase_if(out,
                [](const std::string& path) { return !is_analysed(control::bytes_of_path(path)); });
  return out;
}

/// The work tree against what was declared and what is said to be changed.
void look(ChangeSession& session, Context& context, const Workspace& workspace, Finishing& f) {
  if (auto tree = look_to_return(session, context, f.intent.scope))
    f.tree = std::move(*tree);
  else
    f.git_failed = true;
  f.others = of_tree(workspace.held, f.intent.worktree, session.clone);
  control::FinishQuestion question{
      .scope = &f.intent.scope,
      .evidence = f.evidence,
      .dirt = f.git_failed ? nullptr : &f.tree.dirt,
      .at_start = &f.intent.dirty_snapshot,
      .records = f.others,
      .strict_finish = control::strict_finish(
          either_variable(context, "GATEHOUSE_STRICT_FINISH", "CODECLONE_STRICT_FINISH"),
          session.policy().strict_finish)};
  f.hygiene = control::finish_hygiene(question);
  // In a tree of its own nobody else makes dirt, and what does not land is not there to be used.
  if (is_isolated(f.intent) && !sources_beside(f.hygiene).empty()) {
    question.strict_finish = true;
    f.hygiene = control::finish_hygiene(question);
  }
  f.facts.hygiene_blocks = f.hygiene.blocks();
  f.facts.finish_block_reason = std::string(f.hygiene.block_reason);
  f.facts.dirty_outside_scope = f.hygiene.dirty_outside().size();
}

Status check(ChangeSession& session, Context& context, Finishing& f) {
  GH_TRY(run, run_row(session, f.intent.run_id));
  const bool expired = run && control::is_expired_for_check(f.intent, run->report_digest);
  GH_DO(change_registry(session, context, [&](Registry& registry) -> Status {
    GH_TRY(intent, still_held(registry, f.intent, session));
    if (expired) {
      registry.tell({.event = "intent.expired",
                     .severity = "warn",
                     .intent = &intent,
                     .status = "expired",
                     .summary = "report_digest_mismatch"});
      registry.close(intent, IntentStatus::expired);
      return {};
    }
    f.scope = control::check_scope(intent.scope, f.evidence);
    record_check(registry, intent, f.scope);
    f.sequences.scope_check = registry.last_told();
    return {};
  }));
  f.facts.scope_status = expired ? "expired" : std::string(to_string(f.scope.status));
  f.facts.forbidden_touched = !f.scope.forbidden_touched.empty();
  return {};
}

void set_verification(Finishing& f) {
  f.verification = control::verify(f.gathered->facts);
  f.facts.verify_status = f.verification->status;
  f.facts.verify_reason = f.verification->reason;
}

Status judge_change(ChangeSession& session, Context& context, const Request& request,
                    const std::string& after_run, Finishing& f) {
  VerifyWish wish{.after_run = after_run,
                  .intent = &f.intent,
                  .changed = f.evidence,
                  .evidence_given = true,
                  .strictness = std::string(policy::at_least(session.policy().min_strictness,
                                                             request.text("strictness"))),
                  .analyses = &context,
                  .seen = &f.tree.dirt};
  GH_TRY(gathered, gather_verification(session, context, wish));
  f.gathered = std::move(gathered);
  set_verification(f);
  return {};
}

/// What is bound is what was judged: a file that was another one for a moment only is in no look.
Status compare_bound(ChangeSession& session, Finishing& f) {
  VerifyGathered& g = *f.gathered;
  if (!g.after || !g.facts.profile.after_run_required) return {};
  GH_TRY(stale, other_than_read(session, *g.after, f.binding.files));
  if (stale.empty()) return {};
  g.facts.stale_paths = std::move(stale);
  set_verification(f);
  return {};
}

/// The run that claims and receipt speak of: the one after the edit, where there is one.
ControlRun* told_run(const Finishing& f) {
  if (!f.gathered) return nullptr;
  return f.gathered->after    ? &*f.gathered->after
         : f.gathered->before ? &*f.gathered->before
                              : nullptr;
}

Status guard_claims(ChangeSession& session, Finishing& f) {
  ControlRun* run = told_run(f);
  if (run == nullptr || !f.verification ||
      control::claims_run(f.claims_text, f.verification->claim_validation_recommended) !=
          control::ClaimsRun::runs)
    return {};
  GH_TRY(report, run->extract.whole());
  const auto runs = session.ledger->analysis_runs({.root = run->row.root, .limit = 2});
  GH_TRY(baseline, baseline_of_change(session, &f.intent));
  std::set<std::string> known = known_by(baseline);
  if (f.gathered->before && f.gathered->after) {
    GH_TRY(before, f.gathered->began()->extract.whole());
    for (const control::CitedFinding& finding : control::cited_findings(before))
      known.insert(finding.id);
  }
  f.claims = control::check_claims(
      f.claims_text, {.run_id = run->id(),
                      .findings = control::cited_findings(report, known),
                      .comparison_run_available = runs && runs->size() > 1,
                      .patch_health_delta = f.verification->health_delta,
                      .is_structural = f.gathered->profile.structural_checks_applicable,
                      .external_changes = f.facts.dirty_outside_scope > 0});
  f.facts.claims_violated = !f.claims->valid();
  return {};
}

/// Has an evidence path changed since it was judged?
bool changed_meanwhile(ChangeSession& session, Context& context, const Finishing& f) {
  const auto now = look_again(session, context, f.tree, f.evidence);
  if (!now) return true;
  for (const std::string& path : f.evidence) {
    const auto then = f.tree.dirt.entries.find(path), at = now->entries.find(path);
    const bool was = then != f.tree.dirt.entries.end(), is = at != now->entries.end();
    if (was != is || (was && !(then->second == at->second))) return true;
  }
  return false;
}

/// Of what was committed outside of the scope: not what another change declared that is open, or
/// was closed since this one began.
void keep_unexplained(ChangeSession& session, Finishing& f) {
  if (f.binding.undeclared.empty()) return;
  std::vector<gh::Scope> declared;
  for (const control::Held& held : f.others)
    if (held.intent->id != f.intent.id && control::holds_files(*held.intent))
      declared.push_back(held.intent->scope);
  if (const auto closed = session.ledger->closed_intents(kClosedLookedAt))
    for (const store::IntentRow& row : *closed) {
      const auto intent = control::from_record(row.payload);
      if (intent && row.closed_at_utc >= to_string(f.intent.declared_at) &&
          intent->status == IntentStatus::clean && intent->unknown.find(kGivenUp) == nullptr)
        declared.push_back(intent->scope);
    }
  std::erase_if(f.binding.undeclared, [&](const std::string& path) {
    const auto covers = [&](const std::string& entry) {
      return policy::matches_prefix(path, entry);
    };
    return std::ranges::any_of(declared, [&](const gh::Scope& scope) {
      return std::ranges::any_of(scope.allowed_files, covers) ||
             std::ranges::any_of(scope.allowed_related, covers);
    });
  });
}

/// What git ignores is no dirt, and so nobody would miss it: a receipt says what it does not know.
Status note_ignored(ChangeSession& session, Finishing& f) {
  std::vector<std::string> unnamed = f.intent.scope.allowed_files;
  unnamed.insert(unnamed.end(), f.intent.scope.allowed_related.begin(),
                 f.intent.scope.allowed_related.end());
  std::erase_if(unnamed, [&](const std::string& path) {
    return std::ranges::binary_search(f.evidence, path) || f.tree.dirt.entries.contains(path);
  });
  GH_TRY(found, ignored_of(session, unnamed));
  f.ignored = std::move(found);
  return {};
}

control::ReceiptScope receipt_scope(const Finishing& f, std::string_view intent_status) {
  return {.intent_id = f.intent.id,
          .intent_status = std::string(intent_status),
          .intent_description = f.intent.description,
          .declared_files = f.intent.scope.allowed_files,
          .changed_files = f.evidence,
          .unexpected_files = f.scope.unexpected_files,
          .forbidden_touched = f.scope.forbidden_touched,
          .untouched_files = f.scope.untouched_in_declared,
          .changed_in_git = f.binding.changed,
          .changed_unnamed = f.binding.unnamed,
          .committed_undeclared = f.binding.undeclared,
          .ignored_unnamed = f.ignored,
          .undeclared_sources = sources_beside(f.hygiene),
          .is_unbound = f.is_unbound,
          .check_status = std::string(to_string(f.scope.status))};
}

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

/// What is known of a refusal beyond its code.
std::vector<Reason> reasons_of(const Finishing& f, const control::FinishOutcome& outcome) {
  if (outcome.exit == control::FinishExit::scope_violated) {
    DeclaredHere declared;
    declared.facts = {.changed = f.evidence, .own = {{&f.intent, control::Ownership::own_active}}};
    return scope_answer(control::judge_scope(declared.facts), declared, {}).reasons;
  }
  if (outcome.exit != control::FinishExit::verify_not_accepted || !f.gathered->after) return {};
  StructureReasons reasons(f.evidence, f.gathered->reports.after);
  reasons.add_verification(*f.verification, "intent");
  return std::move(reasons).take();
}

Map verdict_of(ChangeSession& session, Context& context, const Request& request, const Finishing& f,
               const control::FinishOutcome& outcome) {
  const bool is_dirt = outcome.exit == control::FinishExit::hygiene;
  std::vector<std::string> codes;
  if (!outcome.reason.empty())
    codes.push_back(is_dirt ? std::string(f.hygiene.block_reason) : outcome.reason);
  return change_verdict(session, context,
                        {.gate = f.verification ? "structure" : "scope",
                         .status = outcome.status,
                         .codes = std::move(codes),
                         .message = outcome.message,
                         .next_step = with_session(outcome.next_step, request),
                         .paths = is_dirt ? f.hygiene.blocking() : std::vector<std::string>{},
                         .intent_id = f.intent.id,
                         .reasons = reasons_of(f, outcome)});
}

Result<store::Document> make_receipt(ChangeSession& session, Context& context,
                                     const Request& request, Finishing& f) {
  ControlRun* run = told_run(f);
  if (run == nullptr) return fail(Code::run_not_found, "there is no run that a receipt could name");
  GH_TRY(report, run->extract.findings_in(f.evidence));
  GH_TRY(baseline, baseline_of_change(session, &f.intent));
  f.receipt_body =
      control::receipt_body({.run_id = run->id(),
                             .root = run->row.root,
                             .report_digest = run->row.report_digest,
                             .generated_at_utc = run->row.created_utc,
                             .report = report,
                             .baseline_health_delta = health_drift(report, baseline),
                             .before_run_id = f.intent.run_id,
                             .head_commit = f.head_commit,
                             .tree_digest = f.binding.tree,
                             .tool_version = std::string(kVersion),
                             .profile = f.gathered->facts.profile,
                             .scope = receipt_scope(f, "clean"),
                             .blast_radius_summary = f.intent.blast_radius_summary,
                             .verification = &*f.verification,
                             .strictness = std::string(to_string(f.gathered->facts.strictness))});
  // The verdict of the answer that comes with it: whoever has both can tell that they belong
  // together.
  return change_receipt(
      session, context,
      {.status = std::string(to_string(f.verification->status)),
       .verdict = verdict_of(session, context, request, f, control::finish_outcome(f.facts)),
       .intent_id = f.intent.id,
       .before_run_id = f.intent.run_id,
       .after_run_id = f.gathered->after ? f.gathered->after->id() : "",
       .report_digest = run->row.report_digest,
       .binding = f.binding,
       .body = f.receipt_body});
}

/// The paths that a boundary of the blast radius names.
std::vector<std::string> paths_in(const Value& summary, std::string_view boundary) {
  std::vector<std::string> out;
  for (const Value& entry : Peek(summary)[boundary].list())
    out.push_back(text_in(entry, "path"));
  return out;
}

Map make_trail(const ChangeSession& session, const Finishing& f) {
  const Value summary(f.intent.blast_radius_summary);
  Map counts;
  for (const control::DirtRow& row : f.hygiene.rows) {
    const std::string name(to_string(row.classification));
    counts.set(name, number_in(counts, name) + 1);
  }
  control::TrailEvidence evidence = f.sequences;
  evidence.repo_root_digest = digest_of(session.root).hex().substr(0, 16);
  evidence.report_digest = f.intent.report_digest;
  if (const std::int64_t declared = number_in(f.intent.unknown, kDeclaredSequence); declared > 0)
    evidence.intent_declared = declared;
  control::TrailFacts facts{.intent_id = f.intent.id,
                            .intent_description = f.intent.description,
                            .scope = f.intent.scope,
                            .changed_files = f.evidence,
                            .unexpected_files = f.scope.unexpected_files,
                            .forbidden_touched = f.scope.forbidden_touched,
                            .expanded_related_files = f.scope.expanded,
                            .do_not_touch_declared = paths_in(summary, "do_not_touch_declared"),
                            .review_context_declared = paths_in(summary, "review_context_declared"),
                            .scope_check_status = std::string(to_string(f.scope.status)),
                            .hygiene = {.blocks_finish = f.hygiene.blocks(),
                                        .finish_block_reason = std::string(f.hygiene.block_reason),
                                        .unacknowledged_dirty_in_scope = f.hygiene.unacknowledged(),
                                        .dirty_paths_outside_scope = f.hygiene.dirty_outside(),
                                        .attribution_counts = std::move(counts)},
                            .evidence = evidence};
  if (f.verification) {
    facts.verification_profile = std::string(to_string(f.gathered->profile.profile));
    facts.verification_status = std::string(to_string(f.verification->status));
    for (const std::string_view check : f.gathered->profile.checks_not_applicable)
      facts.verification_skipped.emplace_back(check);
    facts.verification_failed = f.verification->contract_violations;
  }
  return control::patch_trail(facts);
}

/// Everything that is left behind: trail, receipt, audit rows, and the end of the intent.
Status record(ChangeSession& session, Context& context, Finishing& f,
              const control::FinishOutcome& outcome) {
  if (!outcome.patch_trail && outcome.exit != control::FinishExit::hygiene) return {};
  GH_DO(change_registry(session, context, [&](Registry& registry) -> Status {
    GH_TRY(intent, still_held(registry, f.intent, session));
    if (!outcome.intent_cleared) {  // it stays open, and its owner is here
      intent.landing = false;
      intent = control::renewed(std::move(intent), registry.now());
      registry.put(intent);
    }
    if (outcome.exit == control::FinishExit::hygiene) {
      registry.tell({.event = "finish.hygiene_blocked",
                     .severity = "warn",
                     .intent = &intent,
                     .status = outcome.status,
                     .summary = std::string(f.hygiene.block_reason),
                     .facts = Map{{"unacknowledged_dirty_in_scope",
                                   string_list(f.hygiene.unacknowledged())}}});
      return {};
    }
    if (f.verification) {
      registry.tell(verification_event(*f.verification, &intent, intent.run_id));
      f.sequences.patch_verify = registry.last_told();
      for (ChangeEvent& abuse : abuse_events(*f.verification, &intent, intent.run_id))
        registry.tell(std::move(abuse));
    }
    if (f.claims)
      registry.tell(
          {.event = f.claims->valid() ? "claim_validation.completed" : "claim_validation.violated",
           .severity = f.claims->valid() ? "info" : "warn",
           .intent = &intent,
           .status = f.claims->valid() ? "valid" : "violated"});
    if (f.receipt) {
      f.sequences.receipt = registry.last_told() + 1;
      registry.tell({.event = "review_receipt.created",
                     .intent = &intent,
                     .run_id = told_run(f)->id(),
                     .receipt_digest = f.receipt->digest,
                     .status = outcome.status,
                     .facts = Map{{"receipt_digest", f.receipt->digest},
                                  {"stable_patch_id", f.binding.stable_patch_id}}});
      registry.keep(*f.receipt);
    }
    f.sequences.patch_trail = registry.last_told() + 1;
    f.trail = make_trail(session, f);
    const bool is_fine = f.scope.status != control::ScopeStatus::violated && f.verification &&
                         control::is_accepted(f.verification->status);
    registry.tell({.event = "patch_trail.computed",
                   .severity = is_fine ? "info" : "warn",
                   .intent = &intent,
                   .receipt_digest = f.receipt ? f.receipt->digest : "",
                   .patch_trail_digest = text_in(f.trail, "patch_trail_digest"),
                   .status = outcome.status,
                   .facts = Map{{"patch_trail_digest", text_in(f.trail, "patch_trail_digest")}}});
    registry.keep({text_in(f.trail, "patch_trail_digest"), "patch_trail", Value(f.trail)});
    if (!outcome.intent_cleared) return {};
    registry.tell(
        {.event = "intent.cleared",
         .intent = &intent,
         .status = "clean",
         .summary = outcome.status,
         .facts = Map{{"verified", true},
                      {"receipt_digest", f.receipt ? Value(f.receipt->digest) : Value()}}});
    registry.close(intent, IntentStatus::clean);
    return {};
  }));
  return {};
}

std::string claims_word(const Finishing& f) {
  if (f.claims) return f.claims->valid() ? "valid" : "violated";
  const bool recommended = f.verification && f.verification->claim_validation_recommended;
  return control::claims_run(f.claims_text, recommended) ==
                 control::ClaimsRun::skipped_no_claims_text
             ? "skipped_no_claims_text"
             : "skipped_not_recommended";
}

Value receipt_value(const Finishing& f) {
  if (!f.receipt) return Value();
  return receipt_answer(f.receipt->digest, f.receipt_body, "markdown");
}

/// The word of verify where it was the last one: dirt of others does not change it.
std::string told_status(const Finishing& f, const control::FinishOutcome& outcome) {
  const bool is_verified = f.verification && decision_of(outcome.status) == Decision::allow;
  return is_verified ? std::string(to_string(f.verification->status)) : outcome.status;
}

Map document_of(const Request& request, const Finishing& f, const control::FinishOutcome& outcome) {
  const bool full = request.text("detail-level") == "full";
  const bool checked = !f.facts.scope_status.empty() && f.facts.scope_status != "expired";
  Map hygiene = to_value(f.hygiene, full);
  hygiene.set("workspace_dirty_summary", control::workspace_dirty_summary(f.tree.dirt));
  Map out{
      {"intent_id", f.intent.id},
      {"status", outcome.status},
      {"reason", text_or_null(outcome.reason)},
      {"scope_check", checked ? to_value(f.scope, f.intent.id) : Value()},
      {"verification", f.verification ? Value(f.verification->payload) : Value()},
      {"claims", f.claims ? Value(control::document(*f.claims)) : Value()},
      {"receipt", receipt_value(f)},
      {"patch_trail", f.trail.empty()                   ? Value()
                      : request.text("trail") == "full" ? Value(control::trail_full(f.trail))
                                                        : Value(control::trail_summary(f.trail))},
      {"intent_cleared", outcome.intent_cleared},
      {"workspace_hygiene_after", std::move(hygiene)}};
  out.set("summary", control::document(control::FinishSummary{
                         .verification = f.verification ? &*f.verification : nullptr,
                         .status = told_status(f, outcome),
                         .scope_status = f.facts.scope_status,
                         .verification_profile =
                             f.gathered ? std::string(to_string(f.gathered->profile.profile)) : "",
                         .claims = claims_word(f),
                         .review_note_present = request.has("note"),
                         .receipt = f.receipt                 ? "created"
                                    : f.receipt_error.empty() ? "skipped"
                                                              : "failed",
                         .intent_cleared = outcome.intent_cleared,
                         .workspace_dirty_paths = f.tree.dirt.paths_count,
                         .workspace_hygiene_blocked = f.facts.hygiene_blocks}));
  out.set("user_action_required", outcome.user_action_required);
  out.set("next_step", text_or_null(outcome.next_step));
  out.set("message", outcome.message);
  if (!f.receipt_error.empty()) {
    out.set("receipt_error", f.receipt_error);
    out.set("message", fmt::format("{} ({})", outcome.message, f.receipt_error));
    out.set("next_step",
            "Have a person mend that ('gatehouse doctor' names it too), then finish again.");
  }
  if (f.receipt && f.binding.tree.empty())
    out.set("message",
            outcome.message + std::string(" But no commit of it can be told by its receipt: a "
                                          "submodule, or a name that is no UTF-8, is among its "
                                          "files. Hooks refuse the commit of an agent; a person "
                                          "makes it."));
  if (f.landed) out.set("landing", *f.landed);
  if (f.verification) {
    if (const Value external =
            control::external_changes(f.verification->status, f.hygiene.dirty_outside());
        !external.is_null())
      out.set("external_changes", external);
    if (!f.binding.unnamed.empty())
      out.set("committed_not_named", control::sampled(f.binding.unnamed));
    if (!f.binding.undeclared.empty())
      out.set("committed_outside_scope", control::sampled(f.binding.undeclared));
    if (!f.ignored.empty()) out.set("ignored_in_scope", control::sampled(f.ignored));
    if (const Value* advisory = f.verification->payload.find("health_regression_advisory"))
      out.set("health_regression_advisory", *advisory);
  }
  return out;
}

/// In the main tree the change holds its files too while it lands: nobody may begin there
/// meanwhile. Tells who has them already.
Result<List> begin_landing(ChangeSession& session, Context& context, Finishing& f) {
  List held_by;
  GH_DO(change_registry(session, context, [&](Registry& registry) -> Status {
    GH_TRY(intent, still_held(registry, f.intent, session));
    intent.landing = true;
    const std::vector<control::Held> rivals = rivals_of(registry.workspace().held, intent);
    held_by = control::find_conflicts(intent.scope, rivals, session.policy().conflict_matching)
                  .blocked_by;
    if (!held_by.empty()) return {};
    GH_TRY(taken, registry.fenced(control::renewed(std::move(intent), registry.now())));
    f.intent = std::move(taken);
    registry.put(f.intent);
    registry.tell({.event = "intent.landing",
                   .intent = &f.intent,
                   .status = std::string(to_string(f.intent.status)),
                   .facts = Map{{"scope", control::scope_value(f.intent.scope)}}});
    return {};
  }));
  return held_by;
}

/// The landing broke off: the files of the main tree are free again.
void end_landing(ChangeSession& session, Context& context, const Finishing& f) {
  (void)change_registry(session, context, [&](Registry& registry) -> Status {
    GH_TRY(intent, still_held(registry, f.intent, session));
    intent.landing = false;
    registry.put(intent);
    registry.tell({.event = "intent.landing",
                   .intent = &intent,
                   .status = "broken_off",
                   .summary = "the patch gate could not do its work"});
    return {};
  });
}

Status check_commit_wish(const Request& request, const Intent& intent) {
  for (const char* option : {"commit", "message"}) {
    if (!request.has(option)) continue;
    if (!is_isolated(intent) || !request.flag("land"))
      return fail(Code::bad_argument,
                  fmt::format("--{} goes with a work tree of its own that lands; commit by hand, "
                              "then run 'gatehouse receipt attach'",
                              option));
    if (!request.flag("commit")) return fail(Code::bad_argument, "--message goes with --commit");
  }
  return {};
}

/// What has landed becomes a commit that names its receipt, with the receipt in its note.
Status commit_change(ChangeSession& session, Context& context, const Request& request,
                     Finishing& f) {
  const std::string wished = request.text("message");
  std::string message =
      fmt::format("{}\n\n", printable(wished.empty() ? f.intent.description : wished, kMaxSubject));
  const Map receipt = f.receipt ? *f.receipt->body.as_map() : Map{};
  if (f.receipt)
    message += printed(change_trailers(receipt, f.receipt->digest, f.intent));
  else
    message += printed({{std::string(to_string(TrailerKey::intent)), f.intent.id}});
  GH_TRY(commit, commit_landed(session, context, f.landed_patch, message, *f.users));
  f.landed->set("commit", commit.hex());
  if (!f.receipt) return {};
  return attach_to_commit(session, context, commit, f.receipt->digest, receipt);
}

/// The member that says why, or the rule of the patch gate.
std::string_view landing_refusal(const Peek& told) {
  for (const std::string_view member : {"blocked_by", "not_named"})
    if (!told[member].list().empty()) return member;
  for (const std::string_view member : {"edited_meanwhile", "merged_result"})
    if (told[member].exists()) return member;
  return told["result"]["details"]["rule"].text();
}

/// In one line; the answer has the rest below `landing`.
std::string why_not_landed(const Map& landed) {
  const Value whole(landed);
  const Peek told(whole);
  if (!told["blocked_by"].list().empty())
    return "another agent holds some of the files in the main tree";
  if (!told["not_named"].list().empty()) return "its work tree holds changes that were not named";
  if (told["edited_meanwhile"].is_true()) return "the files were edited while it was judged";
  if (const Peek merged = told["merged_result"]; merged.exists())
    return fmt::format("it does not hold with what the main tree got since: {}",
                       printable(merged["headline"].text(), 300));
  const Peek details = told["result"]["details"];
  return fmt::format("{} ({})", printable(told["result"]["message"].text(), 300),
                     details["rule"].text());
}

/// Another intent of this session that has declared what this one has not: without an id, a command
/// means the newest.
const Intent* declaring_sibling(const Workspace& workspace, const Finishing& f) {
  for (const control::Held* held : workspace.own())
    if (held->intent->id != f.intent.id && !f.scope.unexpected_files.empty() &&
        std::ranges::all_of(f.scope.unexpected_files, [&](const std::string& path) {
          return std::ranges::find(held->intent->scope.allowed_files, path) !=
                 held->intent->scope.allowed_files.end();
        }))
      return held->intent;
  return nullptr;
}

void name_sibling(const Workspace& workspace, const Finishing& f, control::FinishOutcome& outcome) {
  if (outcome.exit != control::FinishExit::scope_violated || f.facts.forbidden_touched) return;
  const Intent* sibling = declaring_sibling(workspace, f);
  if (sibling == nullptr) return;
  outcome.message = fmt::format(
      "{} It was {} that was to be finished; {} of this session declares {}.", outcome.message,
      f.intent.id, sibling->id, printable(join(f.scope.unexpected_files, ", "), 300));
  outcome.next_step = fmt::format(
      "Finish that one by its id: 'gatehouse change finish {} --files "
      "FILE'.",
      sibling->id);
}

/// The words of a step that merges, as they are typed: git merges nothing into uncommitted changes.
std::string with_merge(std::string_view step, ChangeSession& session, const Intent& intent) {
  const auto branch = session.repo.head_ref();
  const bool merges =
      contains(step, "merge the branch") && branch && branch->starts_with(kBranches);
  if (!merges) return std::string(step);
  const std::string tree = shell_word(utf8_or_escaped(isolated_folder(session, intent.id)));
  return fmt::format("{} Type: git -C {} commit -qam 'before the merge', then git -C {} merge {}",
                     step, tree, tree,
                     shell_word(printable(branch->substr(kBranches.size()), 200)));
}

/// What was made in a work tree of its own was judged fit, and the patch gate refused it.
control::FinishOutcome not_landed(control::FinishOutcome outcome, ChangeSession& session,
                                  const Intent& intent, const Map& landed) {
  outcome.status = "violated";
  outcome.reason = "landing_refused";
  outcome.user_action_required = true;
  outcome.intent_cleared = false;
  outcome.message =
      fmt::format("the change was accepted and could not be landed: {}", why_not_landed(landed));
  const Value told(landed);
  outcome.next_step =
      with_merge(control::landing_next_step(landing_refusal(Peek(told))), session, intent);
  return outcome;
}

/// Is what would be left out kept, and kept as it was made?
bool is_kept(ChangeSession& session, const std::string& digest, const Value& made) {
  const auto kept = session.ledger->document(digest);
  if (!kept || !*kept || (*kept)->as_map() == nullptr || made.as_map() == nullptr) return false;
  Map read = *(*kept)->as_map(), meant = *made.as_map();
  read.erase("meta");  // the ledger fills in a number there
  meant.erase("meta");
  return read == meant;
}

/// Answers have a size that agents can read. Only these two may go, only when they were read back,
/// and each with the call that gets it.
void fit(ChangeSession& session, const Finishing& f, Map& document) {
  const auto is_small = [&] { return wire::canonical_json(document).size() <= kMaxAnswerBytes; };
  if (is_small() || !f.receipt) return;
  List omitted;
  const auto leave_out = [&](std::string_view member, std::string_view option) {
    omitted.emplace_back(
        Map{{"member", member},
            {"command", fmt::format("gatehouse receipt show {} {}", f.receipt->digest, option)}});
    document.set("omitted", omitted);
  };
  if (is_kept(session, f.receipt->digest, f.receipt->body)) {
    document.find("receipt")->as_map()->erase("content");
    leave_out("receipt.content", "--format markdown");
  }
  const std::string trail = text_in(f.trail, "patch_trail_digest");
  if (is_small() || !is_kept(session, trail, f.trail)) return;
  document.set("patch_trail", control::trail_summary(f.trail));
  leave_out("patch_trail", "--trail");
}

Reply replied(ChangeSession& session, Context& context, const Request& request, const Finishing& f,
              const control::FinishOutcome& outcome) {
  Map document = document_of(request, f, outcome);
  if (List rewritten = rewriting_warnings(request, {"files"}, f.evidence); !rewritten.empty())
    document.set("warnings", std::move(rewritten));
  hint_session(document, request);
  document.set("verdict", verdict_of(session, context, request, f, outcome));
  fit(session, f, document);
  Reply reply;
  reply.document = framed("gatehouse.change_finish/1", std::move(document));
  const bool accepted = decision_of(outcome.status) == Decision::allow;
  reply.exit =
      exit_code(decision_of(outcome.status), {}, {.exit_review = request.flag("exit-review")});
  if (!accepted) reply.why = outcome.reason;
  reply.text = [copy = reply.document](const report::Look& style) {
    return finish_text(copy, style);
  };
  return reply;
}

}  // namespace

Result<Reply> change_finish(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  GH_TRY(workspace, read_workspace(session, context));
  GH_TRY(named, named_intent(session, workspace, request.text("ID")));
  Finishing f;
  f.facts.intent_status = named.status();
  const bool is_active = named.is_active();
  f.intent = std::move(named.intent);
  GH_DO(enter_tree_of(session, context, f.intent));
  GH_DO(use_policy_of_base(session, f.intent));
  f.facts.auto_clear = request.flag("clear");
  f.facts.claims_block_finish = session.policy().claims_block_finish;
  GH_DO(check_commit_wish(request, f.intent));
  if (request.flag("commit")) {  // before anything is done
    GH_TRY(users, commit_users(session.repo, context));
    f.users = std::move(users);
    GH_DO(check_commit_place(session, context));
  }
  GH_DO(read_claims(request, context, f));
  GH_TRY(evidence, needed_paths(request, session, context, &f.intent.scope));
  f.evidence = std::move(evidence);
  f.head_commit = head_commit(session);

  const auto end = [&]() -> Result<Reply> {
    control::FinishOutcome outcome = control::finish_outcome(f.facts);
    name_sibling(workspace, f, outcome);
    if (is_isolated(f.intent)) outcome.next_step = with_tree(outcome.next_step, session, context);
    if (f.landed && !Peek(Value(*f.landed))["landed"].is_true())
      outcome = not_landed(std::move(outcome), session, f.intent, *f.landed);
    GH_DO(record(session, context, f, outcome));
    const bool commits = request.flag("commit") && outcome.exit == control::FinishExit::success &&
                         f.landed && Peek(Value(*f.landed))["landed"].is_true();
    if (commits) GH_DO(commit_change(session, context, request, f));
    return replied(session, context, request, f, outcome);
  };
  look(session, context, workspace, f);
  if (!is_active || f.facts.hygiene_blocks) return end();
  GH_DO(check(session, context, f));
  if (f.facts.scope_status == "violated" || f.facts.scope_status == "expired") return end();

  std::string after = request.text("after-run");
  if (request.flag("analyze")) {
    GH_TRY(made, analyse_now(session, context));
    after = made;
  }
  GH_DO(judge_change(session, context, request, after, f));
  if (!control::is_accepted(*f.facts.verify_status)) return end();
  GH_DO(guard_claims(session, f));
  // Before it lands: the work tree of its own may be gone afterwards. And before the last look:
  // what is bound is what was judged, or the look shows it. What git cannot bind, a receipt says
  // nothing of.
  if (auto binding = bound_to(session, f.intent, f.evidence))
    f.binding = std::move(*binding);
  else
    f.is_unbound = true;
  GH_DO(compare_bound(session, f));
  if (!control::is_accepted(*f.facts.verify_status)) return end();
  const std::string began = base_commit_of(f.intent);
  if (!began.empty() && !session.repo.objects().commit(began)) f.is_unbound = true;
  keep_unexplained(session, f);
  GH_DO(note_ignored(session, f));
  f.facts.workspace_changed = changed_meanwhile(session, context, f);
  const bool goes_on =
      !f.facts.workspace_changed && !(f.facts.claims_violated && f.facts.claims_block_finish);
  if (goes_on && is_isolated(f.intent) && request.flag("land")) {
    GH_TRY(held_by, begin_landing(session, context, f));
    if (!held_by.empty()) {
      f.landed = Map{{"landed", false}, {"blocked_by", std::move(held_by)}};
    } else if (auto landed = land_worktree(
                   session, context,
                   {.intent = f.intent,
                    .paths = f.evidence,
                    .judged = f.binding,
                    .strictness = std::string(to_string(f.gathered->facts.strictness))})) {
      f.landed = std::move(landed->told);
      f.landed_patch = std::move(landed->patch);
    } else {
      end_landing(session, context, f);
      return tl::make_unexpected(std::move(landed).error());
    }
  }
  if (is_isolated(f.intent)) GH_DO(leave_worktree(session, context));
  const bool is_landed = !f.landed || Peek(Value(*f.landed))["landed"].is_true();
  if (goes_on && is_landed && request.flag("receipt")) {
    if (auto receipt = make_receipt(session, context, request, f))
      f.receipt = std::move(*receipt);
    else
      f.receipt_error = receipt.error().message;
    f.facts.receipt_failed = !f.receipt_error.empty();
  }
  return end();
}

}  // namespace gh::ops
