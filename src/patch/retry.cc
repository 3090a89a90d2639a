#include "patch/retry.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "patch/violations.h"

namespace gh::patch {
namespace {

bool is_rejected(const Attempt& a) { return a.code != "PATCH_OK"; }

/// A rejection is open from the first refused attempt until the run has landed something.
bool has_open_rejection(const RunState& run) {
  return run.state != "applied" && std::ranges::any_of(run.attempts, is_rejected);
}

bool is_frozen(const RetryFacts& f) { return f.run.frozen; }
bool is_beside_the_slot(const RetryFacts& f) {
  return has_open_rejection(f.run) && !f.is_unified_diff;
}
bool changed_elsewhere(const RetryFacts& f) {
  return has_open_rejection(f.run) && !f.changed_elsewhere.empty();
}
bool is_identical(const RetryFacts& f) {
  return std::ranges::any_of(f.run.attempts, [&](const Attempt& a) {
    const bool same_change = a.sha256 == f.sha256 || (!f.canonical_sha256.empty() &&
                                                      a.canonical_sha256 == f.canonical_sha256);
    return is_rejected(a) && same_change && a.policy_sha256 == f.policy_sha256 &&
           a.base_commit == f.base_commit;
  });
}
bool is_exhausted(const RetryFacts& f) {
  return has_open_rejection(f.run) && std::ssize(f.run.attempts) >= f.run.max_attempts;
}

std::string frozen_text(const RetryFacts& f) {
  return fmt::format(
      "run {0} is frozen after an alarm; an admin clears it with 'gatehouse patch unfreeze --run "
      "{0} "
      "--reason TEXT'",
      f.run.run_id);
}
std::string beside_text(const RetryFacts& f) {
  return fmt::format("run {} takes a resubmission only as a unified diff in artifacts/diff.patch",
                     f.run.run_id);
}
std::string elsewhere_text(const RetryFacts& f) {
  const std::size_t more = f.changed_elsewhere.size() - 1;
  return fmt::format(
      "since the rejection of run {} the repository was changed beside the gate: {}{}",
      f.run.run_id, shown(f.changed_elsewhere.front()),
      more == 0 ? "" : fmt::format(" and {} more", more));
}
std::string identical_text(const RetryFacts& f) {
  return fmt::format("run {} has already rejected this change under the same policy and base: {}",
                     f.run.run_id, f.run.attempts.empty() ? "" : f.run.attempts.back().rule);
}
std::string exhausted_text(const RetryFacts& f) {
  return fmt::format(
      "run {0} has used up its {1} attempts on this base; a person gives new ones with 'gatehouse "
      "patch unfreeze --run {0} --reason TEXT'",
      f.run.run_id, f.run.max_attempts);
}

struct RetryRow {
  bool (*applies)(const RetryFacts&);
  Rule rule;
  std::string (*text)(const RetryFacts&);
};
// First row that applies. A frozen run takes nothing at all; an identical change is named as such
// even when no attempt is left, because it would not have used one.
constexpr std::array kRetryRows{
    RetryRow{is_frozen, Rule::retry_exhausted, frozen_text},
    RetryRow{is_beside_the_slot, Rule::retry_channel, beside_text},
    RetryRow{changed_elsewhere, Rule::retry_channel, elsewhere_text},
    RetryRow{is_identical, Rule::retry_identical, identical_text},
    RetryRow{is_exhausted, Rule::retry_exhausted, exhausted_text},
};

}  // namespace

std::optional<Violation> decide_retry(const RetryFacts& facts) {
  const auto row =
      std::ranges::find_if(kRetryRows, [&](const RetryRow& r) { return r.applies(facts); });
  if (row == kRetryRows.end()) return std::nullopt;
  Violation v{.rule = row->rule, .message = row->text(facts)};
  if (row->applies == changed_elsewhere) v.file = facts.changed_elsewhere.front();
  if (row->applies == is_exhausted) {
    v.limit = facts.run.max_attempts;
    v.actual = std::ssize(facts.run.attempts);
  }
  return v;
}

}  // namespace gh::patch
