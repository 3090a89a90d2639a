#pragma once
// A bounded record of one finish (change-control reference, "Patch trail"). It authorises nothing
// and overrides nothing.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/intent.h"
#include "model/value.h"

namespace gh::control {

struct TrailHygiene {
  bool blocks_finish = false;
  std::string finish_block_reason{};  // empty: none
  std::vector<std::string> unacknowledged_dirty_in_scope{}, dirty_paths_outside_scope{};
  Map attribution_counts{};
};

struct TrailEvidence {
  std::string repo_root_digest{}, report_digest{};
  std::optional<std::int64_t> intent_declared{}, scope_check{}, patch_verify{}, receipt{},
      patch_trail{};  // sequence numbers of audit rows, as far as there are any
};

/// Lists need not be sorted or free of repetition.
struct TrailFacts {
  std::string intent_id{}, intent_description{};
  Scope scope{};
  std::vector<std::string> changed_files{}, unexpected_files{}, forbidden_touched{},
      expanded_related_files{};
  std::vector<std::string> do_not_touch_declared{}, review_context_declared{};
  std::string scope_check_status{};
  std::string verification_profile{};               // empty: not reached
  std::string verification_status{"not_reached"};   // of verify
  std::vector<std::string> verification_skipped{};  // checks that do not apply
  std::vector<std::string> verification_failed{};   // contract violations
  TrailHygiene hygiene{};
  TrailEvidence evidence{};
};

/// All members, `patch_trail_digest` last: this is what is stored.
Map patch_trail(const TrailFacts&);
/// SHA-256 of the canonical JSON without `patch_trail_digest`.
std::string patch_trail_digest(const Map& trail);

/// What an answer shows of a stored trail.
Map trail_summary(const Map& trail);
Map trail_full(const Map& trail);

}  // namespace gh::control
