#include "model/patch_rule.h"

#include <algorithm>
#include <array>

namespace gh {
namespace {

struct Row {
  std::string_view id;
  PatchStep step;
  std::string_view advice;
};
constexpr std::array kRules{
#define GH_RULE(id, step, advice) Row{#id, PatchStep::step, advice},
#include "model/patch_rules.def"
#undef GH_RULE
};
constexpr const Row& row(Rule r) { return kRules[static_cast<std::size_t>(r)]; }

struct StepRow {
  std::string_view name;
  Stage stage;
};
constexpr std::array kSteps{
    StepRow{"shape", Stage::parse},   StepRow{"path", Stage::parse},
    StepRow{"policy", Stage::policy}, StepRow{"tree", Stage::git_check},
    StepRow{"git", Stage::git_check}, StepRow{"apply", Stage::apply},
};
struct StageRow {
  std::string_view name, code;
};
constexpr std::array kStages{
    StageRow{"parse", "PATCH_PARSE_INVALID"},
    StageRow{"policy", "PATCH_POLICY_DENY"},
    StageRow{"git_check", "PATCH_GIT_CHECK_FAIL"},
    StageRow{"apply", "PATCH_APPLY_FAIL"},
};

}  // namespace

std::string_view to_string(Rule r) { return row(r).id; }
std::string_view to_string(PatchStep s) { return kSteps[static_cast<std::size_t>(s)].name; }
std::string_view to_string(Stage s) { return kStages[static_cast<std::size_t>(s)].name; }
PatchStep step_of(Rule r) { return row(r).step; }
std::string_view advice(Rule r) { return row(r).advice; }
Stage stage_of(PatchStep s) { return kSteps[static_cast<std::size_t>(s)].stage; }
std::string_view code_of(Stage s) { return kStages[static_cast<std::size_t>(s)].code; }
bool is_alarm(Rule r) { return r == Rule::oracle_disagrees || r == Rule::result_tree_mismatch; }

std::optional<Rule> rule_from(std::string_view id) {
  const auto it = std::ranges::find(kRules, id, &Row::id);
  if (it == kRules.end()) return std::nullopt;
  return static_cast<Rule>(it - kRules.begin());
}

}  // namespace gh
