#pragma once
// The `change_control` block of gatehouse.yaml (change control reference, "Configuration").
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/value.h"

namespace gh::policy {

/// How two declared scopes meet: as equal paths, or also as a folder and what lies below it.
enum class ConflictMatching : std::uint8_t { exact, prefix };
std::string_view to_string(ConflictMatching);

/// How long something may last, in seconds. What is asked for outside the range is moved into it.
struct SecondsRange {
  std::int64_t min, usual, max;
  constexpr std::int64_t clamp(std::int64_t seconds) const {
    return seconds < min ? min : seconds > max ? max : seconds;
  }
};
inline constexpr SecondsRange kTtlRange{60, 3600, 86'400};
inline constexpr SecondsRange kLeaseRange{60, 300, 600};

struct ControlPolicy {
  ConflictMatching conflict_matching = ConflictMatching::prefix;
  bool strict_finish = false, claims_block_finish = false;
  std::int64_t ttl_seconds = kTtlRange.usual, lease_seconds = kLeaseRange.usual;
  std::int64_t session_grace_seconds = 900, retention_days = 14, git_timeout_seconds = 30;
  // floors: whoever asks for less gets this
  std::string min_strictness = "relaxed";
  bool require_fresh_before_run = false;
  bool require_intent = false;  // `check` refuses a change that nobody declared

  bool operator==(const ControlPolicy&) const = default;
};

/// The budgets that a change can be held to, the loosest first.
std::span<const std::string_view> strictness_words();

/// The stricter of the two; `asked` must be one of the words.
std::string_view at_least(std::string_view floor, std::string_view asked);

/// Every key with its effective value.
Value to_value(const ControlPolicy&);

}  // namespace gh::policy
