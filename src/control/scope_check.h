#pragma once
// Does what was changed lie inside what was declared (change-control 12)? Paths count as they are
// spelled: a folder or a pattern in the scope covers nothing here.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/intent.h"

namespace gh::control {

enum class ScopeStatus : std::uint8_t { clean, expanded, violated };
std::string_view to_string(ScopeStatus);

/// Lists are sorted and without repetition.
struct ScopeCheck {
  ScopeStatus status = ScopeStatus::clean;
  std::vector<std::string> declared_scope{}, actual_changed_files{}, unexpected_files{},
      forbidden_touched{}, untouched_in_declared{};
  std::vector<std::string> expanded{};  // evidence in allowed_related; not part of the payload
  std::string required_action{};        // empty: none
  std::string message{};
};

/// `evidence` is normalised.
ScopeCheck check_scope(const Scope&, std::vector<std::string> evidence);
Value to_value(const ScopeCheck&, std::string_view intent_id);

/// What the registry keeps: a check never closes a record.
IntentStatus registry_status_after(ScopeStatus);

/// The report that the intent was declared on is not the one that is stored now.
bool is_expired_for_check(const Intent&, std::string_view report_digest_now);

}  // namespace gh::control
