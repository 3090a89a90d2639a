#pragma once
// One thing that is wrong with a proposal: a stable code, its sentence, and what an auditor needs.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/value.h"

namespace gh::proposal {

/// PROP_* and REVIEW_* codes; the enumerator is the wire name.
enum class PropCode : std::uint8_t {
#define GH_PROP(name, check, weight, help) name,
#include "proposal/prop_codes.def"
#undef GH_PROP
};

inline constexpr std::size_t kPropCodeCount = 0
#define GH_PROP(name, check, weight, help) +1
#include "proposal/prop_codes.def"
#undef GH_PROP
    ;

/// fatal: the proposal is rejected for good. fixable: refused at submit and may come again under
/// its id; rejects at promotion. defer: too early, nothing changes. review: answers to a review.
enum class Weight : std::uint8_t { fatal, fixable, defer, review };

std::string_view to_string(PropCode);
std::string_view help(PropCode);
std::string_view check_of(
    PropCode);  // "A1" to "A20", empty for review answers and what no check gives
Weight weight_of(PropCode);
std::string_view to_string(Weight);
std::optional<PropCode> prop_code_from(std::string_view name);

struct Finding {
  PropCode code{};
  std::string message;
  Map details{};
  bool waits = false;  // too early rather than wrong: defers at promotion, whatever its code weighs
  std::string next{};  // what to do, where the code's own advice does not fit
};
std::string_view next_step(const Finding&);
/// At promotion: leaves the proposal as it is.
bool is_too_early(const Finding&);

}  // namespace gh::proposal
