#pragma once
// The retry rule (patch-gate 12) as a pure decision over the state of the run.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/patch_rule.h"

namespace gh::patch {

struct Attempt {
  std::string sha256, canonical_sha256;  // canonical empty when parsing failed
  std::string code, rule, policy_sha256, base_commit, created_utc;
};

struct RunState {
  std::string run_id, actor, base_commit;
  std::string state = "open";  // open, rejected, applied, blocked
  std::string reason{};        // max_iterations_exceeded
  std::int64_t max_attempts = 3, rev = 0;
  bool frozen = false;
  std::string worktree_sha256{};  // tracked content when the last rejection was written
  std::vector<Attempt> attempts;
};

struct RetryFacts {
  const RunState& run;
  std::string sha256{}, canonical_sha256{}, policy_sha256{}, base_commit{};
  bool is_unified_diff = true;  // false: another form arrived in the slot
  std::vector<std::string>
      changed_elsewhere{};  // tracked paths changed since the rejection, not by the gate
};

/// The violation that ends this resubmission before it is judged, if any.
std::optional<Violation> decide_retry(const RetryFacts&);

}  // namespace gh::patch
