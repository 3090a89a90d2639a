#pragma once
// What a review text may not say about a run (change-control reference, "Claim guard"): keywords
// around citations, by rows. Nothing else of the text is understood.
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/baseline.h"
#include "base/error.h"
#include "model/value.h"

namespace gh::control {

inline constexpr std::size_t kMaxClaimCharacters = 50'000;

struct CitedFinding {
  std::string id{}, short_id{}, family{}, category{}, novelty{};
  bool is_reached = false;  // something registers one of its symbols at run time
};

struct ClaimFacts {
  std::string run_id{};
  std::vector<CitedFinding> findings{};
  bool comparison_run_available = false;  // an earlier run of the same root
  bool require_citations = true;
  std::optional<std::int64_t> patch_health_delta{};
  std::optional<bool> is_structural{};  // the profile of the patch; absent: not known
  bool external_changes = false;        // finish saw some
};
/// The findings of a report as claims cite them. A report says of clones alone whether they are
/// known; all others are known by these ids: what the baseline holds, and what the run had that the
/// change began from.
std::vector<CitedFinding> cited_findings(const Value& report,
                                         const std::set<std::string>& known = {});
/// Ids of the findings that a baseline holds, but for clones.
std::set<std::string> ids_in(const analysis::BaselineMetrics&);

struct Citation {
  enum class Kind : std::uint8_t { finding, metric_family };
  Kind kind = Kind::finding;
  std::string id{};                // as the run or the list of families spells it
  std::size_t start = 0, end = 0;  // bytes of the text
  std::string window{};            // what stands around it, trimmed
};

struct ClaimViolation {
  std::string pattern{}, claim{}, cited_id{}, reason{}, source_flag{};
  auto operator<=>(const ClaimViolation&) const = default;
};
struct ClaimWarning {
  std::string type{}, message{};
  bool operator==(const ClaimWarning&) const = default;
};

struct ClaimAnswer {
  std::string run_id{};
  std::vector<Citation> citations{};
  std::vector<ClaimViolation> violations{};
  std::vector<ClaimWarning> warnings{};
  bool valid() const { return violations.empty(); }
};

/// text_empty, text_too_long: what no answer is given about.
Status check_claim_text(std::string_view text);
ClaimAnswer check_claims(std::string_view text, const ClaimFacts&);
Map document(const ClaimAnswer&);

}  // namespace gh::control
