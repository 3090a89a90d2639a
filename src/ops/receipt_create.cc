// `receipt create`: what is known of a run, and of an intent, as a receipt. Nothing is analysed and
// nothing is judged anew; without a finish it says how much was checked.
#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "control/profiles.h"
#include "control/receipt_body.h"
#include "control/scope_check.h"
#include "model/peek.h"
#include "ops/change_ops.h"
#include "ops/change_receipt.h"
#include "ops/change_registry.h"
#include "ops/change_runs.h"
#include "ops/change_text.h"
#include "ops/change_verify.h"
#include "ops/committed_baseline.h"
#include "ops/members.h"
#include "ops/run_text.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

bool is_mine(const ChangeSession& session, const Intent& intent) {
  return control::is_own(intent, session.caller.who);
}

/// The one that was named, else the newest that this session holds on the run.
Result<std::optional<Intent>> wanted_intent(ChangeSession& session, Context& context,
                                            const Request& request, const std::string& run_id) {
  if (request.has("intent")) {
    const std::string id = request.text("intent");
    GH_TRY(intent, kept_intent(*session.ledger, id));
    if (!intent || !is_mine(session, *intent))
      return fail(Code::unknown_intent,
                  fmt::format("this session has no intent {}", printable(id, 140)));
    return std::move(intent);
  }
  if (run_id.empty()) return std::nullopt;
  GH_TRY(workspace, read_workspace(session, context));
  const auto own = workspace.own(run_id);
  return own.empty() ? std::optional<Intent>() : std::optional(*own.front()->intent);
}

/// Runs of the tree that the intent edits, the latest first.
Result<std::vector<store::AnalysisRunRow>> runs_of(ChangeSession& session, const Intent& intent) {
  GH_TRY(before, run_named(session, intent.run_id));
  const std::string root = is_isolated(intent)
                               ? utf8_or_escaped(isolated_folder(session, intent.id))
                               : (before ? before->row.root : session.root);
  return session.ledger->analysis_runs({.root = root, .limit = 1});
}

Result<ControlRun> wanted_run(ChangeSession& session, const Request& request,
                              const std::optional<Intent>& intent) {
  if (request.has("run") || !intent)
    return needed_run(session, request.has("run") ? request.text("run") : "latest");
  GH_TRY(latest, runs_of(session, *intent));
  return needed_run(session, latest.empty() ? intent->run_id : latest.front().run_id);
}

/// A receipt that mixes two repositories would say nothing about either.
Status check_root(ChangeSession& session, const ControlRun& run, const Intent& intent) {
  GH_TRY(before, run_named(session, intent.run_id));
  const bool is_same =
      (before && before->row.root == run.row.root) ||
      (is_isolated(intent) && run.row.root == utf8_or_escaped(isolated_folder(session, intent.id)));
  if (is_same) return {};
  return fail(Code::receipt_intent_root_mismatch,
              fmt::format("intent {} edits another tree than the one of run {}", intent.id,
                          run.short_id()));
}

/// What the last scope check of the intent was told, as the audit chain has it.
Result<std::vector<std::string>> checked_files(ChangeSession& session, const Intent& intent) {
  const store::AuditRow* last = nullptr;
  std::vector<store::AuditRow> rows;
  for (const char* event : {"intent.checked", "intent.expanded", "intent.violated"}) {
    GH_TRY(found, session.ledger->audit_of_event(event));
    for (store::AuditRow& row : found)
      if (text_in(row.event.subject, "intent_id") == intent.id) rows.push_back(std::move(row));
  }
  for (const store::AuditRow& row : rows)
    if (last == nullptr || row.seq > last->seq) last = &row;
  return last == nullptr ? std::vector<std::string>{}
                         : texts_in(last->event.payload, "changed_files");
}

/// Would its gates fail, as somebody asked last? Nothing when nobody did.
Result<std::optional<bool>> last_gate(ChangeSession& session, const std::string& run_id) {
  GH_TRY(rows, session.ledger->audit_of_event("patch_budget.computed"));
  std::optional<bool> out;
  for (const store::AuditRow& row : rows) {
    const bool is_preview = Peek(row.event.payload)[kGatePreview].is_true();
    if (text_in(row.event.subject, "run_id") == run_id && !is_preview)
      out = text_in(row.event.payload, "status") == "outside";
  }
  return out;
}

/// Did a finish accept and close the intent? Whatever is open can still be edited.
Result<bool> is_finished(ChangeSession& session, const Intent& intent) {
  GH_TRY(rows, session.ledger->audit_of_event("intent.cleared"));
  return std::ranges::any_of(rows, [&](const store::AuditRow& row) {
    return text_in(row.event.subject, "intent_id") == intent.id &&
           Peek(row.event.payload)["verified"].is_true();
  });
}

/// The run of the same root that was stored before this one.
Result<std::optional<analysis::RunComparison>> with_previous(ChangeSession& session,
                                                             const ControlRun& run,
                                                             const Value& report) {
  constexpr std::int64_t kLookedAt = 1'000;
  GH_TRY(rows, session.ledger->analysis_runs({.root = run.row.root, .limit = kLookedAt}));
  const auto at = std::ranges::find(rows, run.id(), &store::AnalysisRunRow::run_id);
  if (at == rows.end() || std::next(at) == rows.end()) return std::nullopt;
  const store::AnalysisRunRow& before = *std::next(at);
  const auto then = load_report(*session.ledger, before);
  if (!then) return std::nullopt;  // its report was dropped by age
  return analysis::compare_runs({before.run_id, before.root, *then},
                                {run.id(), run.row.root, report});
}

control::ReceiptScope scope_of(const Intent& intent, const std::vector<std::string>& changed) {
  control::ReceiptScope out{.intent_id = intent.id,
                            .intent_status = std::string(to_string(intent.status)),
                            .intent_description = intent.description,
                            .declared_files = intent.scope.allowed_files,
                            .changed_files = changed,
                            .check_status = intent.last_check ? intent.last_check->status : ""};
  if (out.check_status.empty()) return out;
  const control::ScopeCheck check = control::check_scope(intent.scope, changed);
  out.unexpected_files = check.unexpected_files;
  out.forbidden_touched = check.forbidden_touched;
  out.untouched_files = check.untouched_in_declared;
  return out;
}

std::string_view decision_for(std::string_view contract) {
  return contract == "accepted" ? "allow" : contract == "violated" ? "deny" : "unverified";
}

/// `patch_contract.status`, also where the receipt leaves that part out.
std::string contract_of(control::ReceiptBodyFacts facts) {
  facts.include_patch_contract = true;
  const Value whole(control::receipt_body(facts));
  return std::string(Peek(whole)["patch_contract"]["status"].text());
}

Status keep(ChangeSession& session, Context& context, const std::optional<Intent>& intent,
            const std::string& run_id, const store::Document& receipt) {
  store::Change change;
  change.events.push_back(audit_event(session, context,
                                      {.event = "review_receipt.created",
                                       .intent = intent ? &*intent : nullptr,
                                       .run_id = run_id,
                                       .receipt_digest = receipt.digest,
                                       .status = text_in(*receipt.body.as_map(), "status"),
                                       .facts = Map{{"receipt_digest", receipt.digest}}}));
  change.document = receipt;
  return session.ledger->commit(change, store::Durability::durable).map([](std::int64_t) {});
}

}  // namespace

Result<Reply> receipt_create(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  std::string named;
  if (request.has("run")) {
    GH_TRY(run, needed_run(session, request.text("run")));
    named = run.id();
  } else if (!request.has("intent")) {
    GH_TRY(run, needed_run(session, "latest"));
    named = run.id();
  }
  GH_TRY(intent, wanted_intent(session, context, request, named));
  GH_TRY(run, wanted_run(session, request, intent));
  if (intent) GH_DO(check_root(session, run, *intent));
  GH_TRY(report, load_report(*session.ledger, run.row));
  GH_TRY(baseline, baseline_of_change(session, intent ? &*intent : nullptr));
  control::ReceiptBodyFacts facts{.run_id = run.id(),
                                  .root = run.row.root,
                                  .report_digest = run.row.report_digest,
                                  .generated_at_utc = run.row.created_utc,
                                  .report = report,
                                  .baseline_health_delta = health_drift(report, baseline),
                                  .tool_version = std::string(kVersion),
                                  .include_patch_contract = request.flag("patch-contract")};
  std::vector<std::string> touched = recorded_changes(run.row);
  if (intent) {
    GH_TRY(changed, checked_files(session, *intent));
    facts.before_run_id = intent->run_id;
    facts.head_commit = base_commit_of(*intent);
    facts.scope = scope_of(*intent, changed);
    if (!changed.empty()) touched = std::move(changed);
    if (request.flag("blast-radius")) facts.blast_radius_summary = intent->blast_radius_summary;
  }
  if (!touched.empty()) {
    GH_TRY(profile, profile_for(session, touched));
    facts.profile = std::move(profile);
  }
  // What led to the run that the intent began from is no doing of the intent.
  if (!intent || run.id() != intent->run_id) {
    GH_TRY(comparison, with_previous(session, run, report));
    facts.comparison = std::move(comparison);
  }
  GH_TRY(gate, last_gate(session, run.id()));
  facts.gate_would_fail = gate;
  const std::string contract = contract_of(facts);
  if (intent && contract == "accepted") {
    GH_TRY(done, is_finished(session, *intent));
    facts.is_unverified = !done;
  }
  const Map body = control::receipt_body(facts);
  const std::string status = facts.is_unverified ? "unverified" : contract;
  GH_TRY(receipt,
         change_receipt(
             session, context,
             {.status = contract,
              .verdict = change_verdict(session, context,
                                        {.gate = "structure",
                                         .status = status,
                                         .message = "composed from what is stored",
                                         .intent_id = intent ? intent->id : ""}),
              .decision = std::string(facts.is_unverified ? "unverified" : decision_for(contract)),
              .intent_id = intent ? intent->id : "",
              .before_run_id = intent ? intent->run_id : "",
              .after_run_id = run.id(),
              .report_digest = run.row.report_digest,
              .body = body}));
  GH_DO(keep(session, context, intent, run.id(), receipt));
  const std::string format = request.text("format");
  Reply reply;
  reply.document =
      framed("gatehouse.review_receipt/1", receipt_answer(receipt.digest, body, format));
  reply.text = [body, format, digest = receipt.digest](const report::Look&) {
    return format == "markdown" ? control::receipt_markdown(body) + "\n" + digest + "\n"
                                : wire::pretty_json(body);
  };
  return reply;
}

}  // namespace gh::ops
