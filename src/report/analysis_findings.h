#pragma once
// The findings of an analysis report in the order in which people read them, and the rule that each
// belongs to.
#include <string>
#include <string_view>
#include <vector>

#include "model/peek.h"

namespace gh::report {

struct AnalysisRule {
  std::string_view id, legacy_id, name, summary, help;
  std::string_view family;  // where groups of this rule are
  std::string_view key;     // the group's clone kind, kind or category that means it
};
/// Every rule, by position; the last of a family takes what no other does.
const std::vector<AnalysisRule>& analysis_rules();
/// Its position.
std::size_t rule_of(const Peek& group);

/// All groups of a report, worst first: by severity, priority, then id.
std::vector<Peek> findings_worst_first(const Value& report);

/// The fact that a finding of this category measures; empty: none.
std::string_view figure_of(std::string_view category);

/// One sentence: "3 copies of one function (Type-1)".
std::string headline(const Peek& group);

}  // namespace gh::report
