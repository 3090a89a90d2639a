#include "proposal/finding.h"

#include <algorithm>
#include <array>

namespace gh::proposal {
namespace {

struct Row {
  std::string_view name, check;
  Weight weight;
  std::string_view help;
};
constexpr std::array kRows{
#define GH_PROP(name, check, weight, help) Row{#name, #check, Weight::weight, help},
#include "proposal/prop_codes.def"
#undef GH_PROP
};
static_assert(kRows.size() == kPropCodeCount);

constexpr const Row& row(PropCode c) { return kRows[static_cast<std::size_t>(c)]; }

}  // namespace

std::string_view to_string(PropCode c) { return row(c).name; }
std::string_view help(PropCode c) { return row(c).help; }
std::string_view check_of(PropCode c) { return row(c).check == "NONE" ? "" : row(c).check; }
Weight weight_of(PropCode c) { return row(c).weight; }

std::string_view next_step(const Finding& finding) {
  return finding.next.empty() ? help(finding.code) : std::string_view(finding.next);
}

bool is_too_early(const Finding& finding) {
  return finding.waits || weight_of(finding.code) == Weight::defer;
}

std::string_view to_string(Weight w) {
  static constexpr std::array<std::string_view, 4> kNames{"fatal", "fixable", "defer", "review"};
  return kNames[static_cast<std::size_t>(w)];
}

std::optional<PropCode> prop_code_from(std::string_view name) {
  const auto it = std::ranges::find(kRows, name, &Row::name);
  if (it == kRows.end()) return {};
  return static_cast<PropCode>(it - kRows.begin());
}

}  // namespace gh::proposal
