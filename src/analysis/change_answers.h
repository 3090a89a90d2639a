// What a change does to the shape of the code, function by function (analysis reference, "Answers
// about a change"): copies and peers left behind, complexity with the statements that added it, new
// reach beyond the project, and complex code that no test enters.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/measures.h"
#include "analysis/patch_answers.h"

namespace gh::analysis {

/// A statement that decides, and how much it adds.
struct AddedDecision {
  std::uint32_t line = 0, count = 0;
  std::string text{};  // of its first line
};

struct RaisedComplexity {
  Place place{};
  std::optional<std::uint32_t> before{};  // none: the function is new
  std::uint32_t after = 0;
  std::vector<AddedDecision> added{};  // those that were not there, by line
};

struct AddedSurface {
  Place place{};
  std::string_view category, capability;
  std::string evidence{};
};

struct TestGap {
  Place place{};
  std::uint32_t complexity = 0;
};

/// Path and qualname of functions that a test enters.
using EnteredUnits = std::set<std::pair<std::string, std::string>>;
EnteredUnits entered_units(const Project&, const CoverageJoin&);

/// The text of a changed file on one side; nothing: it is not at hand.
using SideText = std::function<std::optional<std::string>(const std::string& path)>;

struct ChangeSides {
  SideText before{}, after{};
  const EnteredUnits* entered = nullptr;  // null: no coverage is known
};

struct ChangeAnswers {
  PatchAnswers clones{};
  std::vector<RaisedComplexity> complexity{};  // the largest rise first
  std::vector<AddedSurface> surfaces{};
  std::optional<std::vector<TestGap>> test_gaps{};  // none: no coverage is known
  bool is_empty() const;
};
ChangeAnswers change_answers(const PatchIndex&, const Change&, const ChangeSides&);

/// "pkg.a:load is more complex than before: 4, now 7 (line 12: if x and y)"
std::string sentence(const RaisedComplexity&);
std::string sentence(const AddedSurface&);
std::string sentence(const TestGap&);
/// One for each answer, the gravest kind first.
std::vector<std::string> sentences(const ChangeAnswers&);
Value document(const ChangeAnswers&);

}  // namespace gh::analysis
