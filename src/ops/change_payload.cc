#include "ops/change_payload.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "control/hygiene.h"
#include "control/intent_record.h"
#include "control/scope_paths.h"
#include "model/peek.h"
#include "ops/change_runs.h"
#include "policy/glob.h"

namespace gh::ops {
namespace {

// table: intent_guards
constexpr std::array<std::string_view, 8> kGuards{
    "scope_expansion_requires_explanation",
    "baseline_update_forbidden",
    "cache_update_forbidden",
    "generated_report_update_forbidden",
    "out_of_scope_production_change_requires_human",
    "new_structural_regression_forbidden",
    "report_only_claims_forbidden",
    "concurrent_workspace_intent_conflict_requires_review",
};

std::string_view event_of(control::ScopeStatus status) {
  return status == control::ScopeStatus::clean      ? "intent.checked"
         : status == control::ScopeStatus::expanded ? "intent.expanded"
                                                    : "intent.violated";
}

}  // namespace

Value clamp_warning(std::string_view what, const policy::SecondsRange& range,
                    std::optional<std::int64_t> asked) {
  if (!asked || range.clamp(*asked) == *asked) return {};
  const std::int64_t used = range.clamp(*asked);
  return Map{{"code", fmt::format("{}_clamped", what)},
             {"message", fmt::format("a {} of {} seconds is outside of {} to {}: {} are used", what,
                                     *asked, range.min, range.max, used)},
             {"asked_seconds", *asked},
             {"used_seconds", used}};
}

std::vector<std::string> entries_of(const gh::Scope& scope) {
  std::vector<std::string> out = scope.allowed_files;
  out.insert(out.end(), scope.allowed_related.begin(), scope.allowed_related.end());
  return out;
}

List rewriting_warnings(const Request& request, std::initializer_list<std::string_view> options,
                        const std::vector<std::string>& known) {
  List out;
  for (const std::string_view option : options)
    for (const std::string& given : request.list(option)) {
      const std::string taken = control::typed_path(given);
      const bool is_to_the_letter =
          std::ranges::find(known, control::path_from_git(given)) != known.end();
      if (given.find('\\') == given.npos || taken == given || is_to_the_letter) continue;
      out.emplace_back(Map{
          {"code", "path_rewritten"},
          {"message",
           fmt::format("'{}' was taken for '{}': a backslash is read as a slash; one that is part "
                       "of a name is written \\x5c",
                       printable(given, 200), printable(taken, 200))},
          {"path", utf8_or_escaped(given)},
          {"declared", utf8_or_escaped(taken)}});
    }
  return out;
}

Map intent_payload(const Intent& intent) {
  List guards;
  for (const std::string_view guard : kGuards)
    guards.emplace_back(guard);
  Map out{{"intent_id", intent.id},
          {"run_id", intent.run_id},
          {"report_digest", intent.report_digest},
          {"status", control::session_status(intent)},
          {"declared_at_utc", to_string(intent.declared_at)},
          {"expires_at_utc", to_string(intent.expires_at)},
          {"lease_expires_at_utc", to_string(intent.lease_expires_at())},
          {"scope", control::scope_value(intent.scope)},
          {"intent", intent.description},
          {"expected_effects", string_list(intent.expected_effects)},
          {"guards", std::move(guards)},
          {"blast_radius_summary", intent.blast_radius_summary},
          {"agent_label", intent.agent_label},
          {"fence", intent.fence}};
  if (Value checked = control::check_result(intent); !checked.is_null())
    out.set("check_result", std::move(checked));
  if (!intent.worktree.empty()) out.set("worktree", intent.worktree);
  return out;
}

Result<Concerned> concerned_by(const gh::Scope& scope, analysis::RunExtract& run) {
  Concerned out{.question = {.files = scope.allowed_files, .forbidden = scope.forbidden}};
  out.question.files.insert(out.question.files.end(), scope.allowed_related.begin(),
                            scope.allowed_related.end());
  GH_TRY(report, run.around(out.question.files));
  out.radius = analysis::blast_radius(report, out.question);
  out.document = analysis::blast_document(out.radius);
  out.summary = analysis::blast_summary(out.radius, scope.forbidden, policy::matches_glob);
  return out;
}

void record_check(Registry& registry, Intent intent, const control::ScopeCheck& check) {
  const std::string status(to_string(check.status));
  intent = control::with_check(std::move(intent), check, registry.now());
  intent = control::renewed(std::move(intent), registry.now());
  registry.put(intent);
  registry.tell({.event = event_of(check.status),
                 .severity = check.status == control::ScopeStatus::clean ? "info" : "warn",
                 .intent = &intent,
                 .status = status,
                 .facts = Map{{"changed_files", string_list(check.actual_changed_files)},
                              {"unexpected_files", string_list(check.unexpected_files)},
                              {"forbidden_touched", string_list(check.forbidden_touched)}}});
}

Result<Map> workspace_payload(ChangeSession& session, const Workspace& workspace,
                              const DirtySnapshot* dirt) {
  List intents, recoverable;
  for (const control::Held& held : workspace.held) {
    const Intent& intent = *held.intent;
    Map item = *control::to_record(intent).as_map();
    item.set("ownership", to_string(held.ownership));
    item.set("is_own", control::is_own(held.ownership));
    item.set("lease_expires_in_seconds", control::lease_left(intent, workspace.now));
    if (control::is_live_foreign(held.ownership))
      item.set("escalation_hint", control::what_others_may_do(held.ownership));
    intents.emplace_back(std::move(item));
    if (held.ownership != control::Ownership::recoverable) continue;
    GH_TRY(run, run_row(session, intent.run_id));
    recoverable.emplace_back(
        Map{{"intent_id", intent.id},
            {"run_id", intent.run_id},
            {"scope_digest", control::scope_digest(intent.scope)},
            {"previous_agent_label", intent.agent_label},
            {"lease_expired_at_utc", to_string(intent.lease_expires_at())},
            {"run_available", run.has_value()},
            {"hint", run ? fmt::format("gatehouse change recover {}", intent.id)
                         : std::string("its run is gone: reset it and start again")}});
  }
  std::ranges::sort(recoverable, {}, [](const Value& item) {
    const Peek i(item);
    return std::pair(std::string(i["previous_agent_label"].text()),
                     std::string(i["intent_id"].text()));
  });
  const control::WorkspaceCounts counts = control::workspace_counts(workspace.held);
  Map out{{"workspace_intents", std::move(intents)}};
  if (!recoverable.empty())
    out.set("recovery_next_step",
            "an agent is gone and left an intent: take it over with 'gatehouse change recover ID', "
            "or remove it with 'gatehouse change reset ID'");
  out.set("recovery_available", std::move(recoverable));
  out.set("stale_count", counts.stale_count);
  out.set("orphaned_count", counts.orphaned_count);
  out.set("total_agents", counts.total_agents);
  out.set("own_pid", session.caller.who.agent_pid);
  out.set("own_start_epoch", session.caller.who.agent_start_epoch);
  if (dirt != nullptr) out.set("workspace_dirty_summary", control::workspace_dirty_summary(*dirt));
  out.set("registry_backend",
          session.ledger == nullptr ? std::string("sqlite") : session.ledger->facts().backend);
  out.set("registry_retention_days", session.policy().retention_days);
  return out;
}

}  // namespace gh::ops
