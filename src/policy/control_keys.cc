#include "policy/control_keys.h"

#include <algorithm>
#include <array>

#include "policy/field_keys.h"

namespace gh::policy {
namespace {

using keys::flag;
using keys::number;
using keys::show_field;
using P = ControlPolicy;
using ControlKey = Key<P>;

constexpr std::int64_t kMaxDays = 36'500, kMonthSeconds = 30 * 86'400, kHourSeconds = 3600;

// table: conflict_matching
constexpr std::array<std::string_view, 2> kMatching{"exact", "prefix"};
// table: strictness_words
constexpr std::array<std::string_view, 3> kStrictness{"relaxed", "ci", "strict"};

/// change-control 5.3: out of range is moved into it, as for a parameter or the environment.
template <auto Field, const SecondsRange& Range>
constexpr ControlKey seconds(std::string_view path) {
  return {path,
          [](P& p, const Value& v, const At& at) -> Status {
            const std::int64_t* given = v.as_int();
            if (given == nullptr) return at.expected("an integer", v);
            p.*Field = Range.clamp(*given);
            return {};
          },
          show_field<Field>, nullptr};
}

Status load_matching(P& p, const Value& value, const At& at) {
  GH_TRY(index, load_choice(value, at, kMatching));
  p.conflict_matching = static_cast<ConflictMatching>(index);
  return {};
}

Status load_strictness(P& p, const Value& value, const At& at) {
  GH_TRY(index, load_choice(value, at, kStrictness));
  p.min_strictness = kStrictness[index];
  return {};
}

// table: control_keys
// clang-format off
constexpr ControlKey kControlKeys[] = {
    {"conflict_matching", load_matching,
     [](const P& p) { return Value(to_string(p.conflict_matching)); }, nullptr},
    flag<&P::strict_finish>("strict_finish"),
    flag<&P::claims_block_finish>("claims_block_finish"),
    seconds<&P::ttl_seconds, kTtlRange>("ttl_seconds"),
    seconds<&P::lease_seconds, kLeaseRange>("lease_seconds"),
    number<&P::session_grace_seconds, 0, kMonthSeconds>("session_grace_seconds"),
    number<&P::retention_days, 1, kMaxDays>("retention_days"),
    number<&P::git_timeout_seconds, 1, kHourSeconds>("git_timeout_seconds"),
    {"min_strictness", load_strictness, show_field<&P::min_strictness>, nullptr},
    flag<&P::require_fresh_before_run>("require_fresh_before_run"),
    flag<&P::require_intent>("require_intent"),
};
// clang-format on

std::size_t rank(std::string_view word) {
  return static_cast<std::size_t>(std::ranges::find(kStrictness, word) - kStrictness.begin());
}

}  // namespace

std::string_view to_string(ConflictMatching matching) {
  return kMatching[static_cast<std::size_t>(matching)];
}

std::span<const std::string_view> strictness_words() { return kStrictness; }

std::string_view at_least(std::string_view floor, std::string_view asked) {
  return rank(floor) > rank(asked) ? floor : asked;
}

Result<ControlPolicy> load_control_block(const Value& block, const At& at) {
  ControlPolicy policy;
  GH_DO(load_keys(policy, block, at, kControlKeys));
  return policy;
}

Value to_value(const ControlPolicy& policy) { return show_keys(policy, kControlKeys); }

}  // namespace gh::policy
