#include "control/scope_check.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "control/rows.h"
#include "policy/glob.h"

namespace gh::control {
namespace {

using Strings = std::vector<std::string>;

struct CheckRow {
  ScopeStatus status;
  std::string_view word, required_action;
  IntentStatus registry;  // never a closed one: a check does not let go of a scope
};
// table: scope_check
constexpr std::array kRows{
    CheckRow{ScopeStatus::clean, "clean", "", IntentStatus::active},
    CheckRow{ScopeStatus::expanded, "expanded", "", IntentStatus::expanded},
    CheckRow{ScopeStatus::violated, "violated", "human_approval", IntentStatus::violated},
};

const CheckRow& row_of(ScopeStatus status) {
  return *std::ranges::find(kRows, status, &CheckRow::status);
}

bool holds(const Strings& sorted, const std::string& path) {
  return std::ranges::binary_search(sorted, path);
}

bool is_forbidden(const Scope& scope, const std::string& path) {
  return std::ranges::any_of(scope.forbidden,
                             [&](const std::string& p) { return policy::matches_glob(path, p); });
}

std::string message_of(const ScopeCheck& check) {
  if (check.status == ScopeStatus::violated)
    return fmt::format("{} changed outside the declared scope, {} forbidden.",
                       check.unexpected_files.size(), check.forbidden_touched.size());
  if (check.status == ScopeStatus::expanded)
    return fmt::format("Everything lies inside the declared scope; {} only as related.",
                       check.expanded.size());
  return "Everything lies inside the declared scope.";
}

}  // namespace

std::string_view to_string(ScopeStatus status) { return row_of(status).word; }

ScopeCheck check_scope(const Scope& scope, Strings evidence) {
  sort_unique(evidence);
  ScopeCheck check;
  check.declared_scope = scope.allowed_files;
  for (const std::string& path : evidence) {
    if (holds(scope.allowed_related, path)) check.expanded.push_back(path);
    if (is_forbidden(scope, path))
      check.forbidden_touched.push_back(path);
    else if (!holds(scope.allowed_files, path) && !holds(scope.allowed_related, path))
      check.unexpected_files.push_back(path);
  }
  std::ranges::copy_if(scope.allowed_files, std::back_inserter(check.untouched_in_declared),
                       [&](const std::string& path) { return !holds(evidence, path); });
  check.actual_changed_files = std::move(evidence);
  if (!check.forbidden_touched.empty() || !check.unexpected_files.empty())
    check.status = ScopeStatus::violated;
  else if (!check.expanded.empty())
    check.status = ScopeStatus::expanded;
  check.required_action = row_of(check.status).required_action;
  check.message = message_of(check);
  return check;
}

Value to_value(const ScopeCheck& check, std::string_view intent_id) {
  return Map{
      {"status", to_string(check.status)},
      {"declared_scope", string_list(check.declared_scope)},
      {"actual_changed_files", string_list(check.actual_changed_files)},
      {"unexpected_files", string_list(check.unexpected_files)},
      {"forbidden_touched", string_list(check.forbidden_touched)},
      {"untouched_in_declared", string_list(check.untouched_in_declared)},
      {"required_action", check.required_action.empty() ? Value() : Value(check.required_action)},
      {"message", check.message},
      {"intent_id", intent_id}};
}

IntentStatus registry_status_after(ScopeStatus status) { return row_of(status).registry; }

Intent with_check(Intent intent, const ScopeCheck& check, Timestamp at) {
  if (intent.status != IntentStatus::queued) intent.status = registry_status_after(check.status);
  intent.last_check = LastCheck{std::string(to_string(check.status)), at};
  intent.checked_files.reset();
  if (check.actual_changed_files.size() <= kMostCheckedFiles)
    intent.checked_files = check.actual_changed_files;
  return intent;
}

Intent without_check(Intent intent) {
  intent.last_check.reset();
  intent.checked_files.reset();
  return intent;
}

std::string session_status(const Intent& intent) {
  const bool is_held = intent.status != IntentStatus::queued && !is_terminal(intent.status);
  return is_held && intent.last_check ? intent.last_check->status
                                      : std::string(gh::to_string(intent.status));
}

Value check_result(const Intent& intent) {
  if (!intent.last_check) return {};
  Map out;
  if (intent.checked_files)
    out = *to_value(check_scope(intent.scope, *intent.checked_files), intent.id).as_map();
  out.set("status", intent.last_check->status);
  out.set("at_utc", gh::to_string(intent.last_check->at));
  return out;
}

bool is_expired_for_check(const Intent& intent, std::string_view report_digest_now) {
  return intent.report_digest != report_digest_now;
}

}  // namespace gh::control
