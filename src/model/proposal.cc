#include "model/proposal.h"

#include <algorithm>
#include <array>

namespace gh {
namespace {

// table: trust levels
constexpr std::array<std::string_view, 4> kTrustLevels{"untrusted", "community", "reviewed",
                                                       "promoted"};
// table: promotion statuses
constexpr std::array<std::string_view, 4> kPromotionStatuses{"sandbox", "proposed", "promoted",
                                                             "rejected"};
// table: review verdicts
constexpr std::array<std::string_view, 2> kVerdicts{"ok", "changes"};

template <class Enum, std::size_t N>
std::optional<Enum> value_of(std::string_view word, const std::array<std::string_view, N>& words) {
  const auto it = std::ranges::find(words, word);
  if (it == words.end()) return {};
  return static_cast<Enum>(it - words.begin());
}

}  // namespace

std::string_view to_string(TrustLevel t) { return kTrustLevels[static_cast<std::size_t>(t)]; }
std::string_view to_string(PromotionStatus s) {
  return kPromotionStatuses[static_cast<std::size_t>(s)];
}
std::string_view to_string(ReviewVerdict v) { return kVerdicts[static_cast<std::size_t>(v)]; }

std::optional<TrustLevel> trust_level_of(std::string_view word) {
  return value_of<TrustLevel>(word, kTrustLevels);
}
std::optional<PromotionStatus> promotion_status_of(std::string_view word) {
  return value_of<PromotionStatus>(word, kPromotionStatuses);
}
std::optional<ReviewVerdict> review_verdict_of(std::string_view word) {
  return value_of<ReviewVerdict>(word, kVerdicts);
}

}  // namespace gh
