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

bool is_expired_for_check(const Intent& intent, std::string_view report_digest_now) {
  return intent.report_digest != report_digest_now;
}

}  // namespace gh::control
