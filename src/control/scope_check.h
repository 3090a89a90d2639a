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

/// More files than this are not kept with the record: then only what the check said is.
inline constexpr std::size_t kMostCheckedFiles = 10'000;

/// The record with what a check said of it.
Intent with_check(Intent, const ScopeCheck&, Timestamp at);
/// The record with what holds of no scope but the one that was checked, left out.
Intent without_check(Intent);

/// What the session that holds it calls it (change-control 4.3): what the last check said, while
/// the record is open and has its files; else the status of the record.
std::string session_status(const Intent&);

/// What the last check said, as it said it, with its time; null: there was none.
Value check_result(const Intent&);

/// The report that the intent was declared on is not the one that is stored now.
bool is_expired_for_check(const Intent&, std::string_view report_digest_now);

}  // namespace gh::control
