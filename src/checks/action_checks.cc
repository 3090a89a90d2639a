// What a new or changed action needs (tool-surface 13.10): only when there is something to compare
// with.
#include <algorithm>
#include <array>

#include "checks/check_groups.h"

namespace gh::checks {
namespace {

using surface::Action;
using surface::ActionChange;

void about_change(const Check& check, const Scan& scan, Found& found, const ActionChange& change,
                  Told told) {
  told.source = FindingSource{"action_surface", change.action_id};
  told.blocks_release = true;
  if (const surface::Tool* tool = scan.surface.tool_named(change.tool_name))
    found.about_tool(check, *tool, std::move(told));
}

bool has_tag(const Action& action, std::string_view tag) {
  return action.effect == tag || std::ranges::find(action.risk_tags, tag) != action.risk_tags.end();
}

/// A control and how it is called in evidence.
struct Control {
  std::string_view path;
  bool (*holds)(const Action&);
};
constexpr Control kApproval{"approval.required",
                            [](const Action& a) { return a.approval_required; }};
constexpr Control kAuditLog{"safeguards.audit_log",
                            [](const Action& a) { return a.safeguards.audit_log.value_or(false); }};
constexpr Control kIdempotent{"safeguards.idempotency", [](const Action& a) {
                                return a.safeguards.idempotency.value_or(false);
                              }};
constexpr Control kRollback{"safeguards.rollback",
                            [](const Action& a) { return a.safeguards.rollback.value_or(false); }};

void new_action_lacks(const Check& check, const Scan& scan, Found& found, std::string_view tag,
                      std::initializer_list<Control> controls) {
  if (scan.action_diff == nullptr) return;
  for (const ActionChange& change : scan.action_diff->added) {
    if (!has_tag(*change.live, tag)) continue;
    List missing;
    for (const Control& control : controls)
      if (!control.holds(*change.live)) missing.emplace_back(control.path);
    if (!missing.empty())
      about_change(
          check, scan, found, change,
          {.evidence = {{"action_id", change.action_id}, {"missing", std::move(missing)}}});
  }
}

void change_of_type(const Check& check, const Scan& scan, Found& found, std::string_view type) {
  if (scan.action_diff == nullptr) return;
  for (const ActionChange& change : scan.action_diff->modified)
    if (change.type == type)
      about_change(check, scan, found, change,
                   {.what = change.reason,
                    .evidence = {{"change", document_of(change, false)}},
                    .severity = change.severity});
}

}  // namespace

void action_wildcard_scope(const Check& check, const Scan& scan, Found& found) {
  if (scan.action_diff == nullptr) return;
  for (const ActionChange& change : scan.action_diff->added) {
    List broad;
    for (const std::string& scope : change.live->required_scopes)
      if (surface::is_broad_scope(scope)) broad.emplace_back(scope);
    if (!broad.empty())
      about_change(check, scan, found, change,
                   {.evidence = {{"action_id", change.action_id}, {"scopes", std::move(broad)}}});
  }
  for (const ActionChange& change : scan.action_diff->modified)
    if (change.type == "SCOPE_EXPANDED" &&
        std::ranges::any_of(change.added, surface::is_broad_scope))
      about_change(check, scan, found, change,
                   {.evidence = {{"change", document_of(change, false)}}});
}

void action_financial_controls(const Check& check, const Scan& scan, Found& found) {
  new_action_lacks(check, scan, found, "financial_write", {kApproval, kAuditLog, kIdempotent});
}
void action_audit_missing(const Check& check, const Scan& scan, Found& found) {
  new_action_lacks(check, scan, found, "external_communication", {kAuditLog});
}
void action_rollback_missing(const Check& check, const Scan& scan, Found& found) {
  new_action_lacks(check, scan, found, "destructive", {kApproval, kRollback});
}
void action_effect_escalated(const Check& check, const Scan& scan, Found& found) {
  change_of_type(check, scan, found, "EFFECT_ESCALATED");
}
void action_approval_removed(const Check& check, const Scan& scan, Found& found) {
  change_of_type(check, scan, found, "APPROVAL_REMOVED");
}
void action_safeguard_removed(const Check& check, const Scan& scan, Found& found) {
  change_of_type(check, scan, found, "SAFEGUARD_REMOVED");
}

}  // namespace gh::checks
