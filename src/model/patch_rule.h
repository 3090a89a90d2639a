#pragma once
// The patch gate's rule ids (docs/reference/patch-rules.md): one row each, stable for ever.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace gh {

enum class PatchStep : std::uint8_t { shape, path, policy, tree, git, apply };  // details.gate
enum class Stage : std::uint8_t { parse, policy, git_check, apply };  // founding stage set

enum class Rule : std::uint16_t {
#define GH_RULE(id, step, advice) id,
#include "model/patch_rules.def"
#undef GH_RULE
};
inline constexpr std::size_t kRuleCount = 0
#define GH_RULE(id, step, advice) +1
#include "model/patch_rules.def"
#undef GH_RULE
    ;

std::string_view to_string(Rule);
std::string_view to_string(PatchStep);
std::string_view to_string(Stage);
std::optional<Rule> rule_from(std::string_view id);
PatchStep step_of(Rule);
std::string_view advice(Rule);
Stage stage_of(PatchStep);        // the path gate reports as parse (patch-gate 3)
std::string_view code_of(Stage);  // PATCH_PARSE_INVALID, ...
bool is_alarm(Rule);              // oracle_disagrees, result_tree_mismatch: freeze the run

/// One reason why a patch is refused.
struct Violation {
  Rule rule;
  std::string message;       // one sentence, names the file and the limit
  std::string file{};        // path concerned, raw bytes; empty: whole patch
  std::int64_t line = 0;     // 1-based line of the submission; 0: none
  std::int64_t section = 0;  // 1-based; 0: none
  std::string excerpt{};     // raw bytes of the offending line; escaped and cut when rendered
  std::optional<std::int64_t> limit{}, actual{};
};

/// Something a reader should know although the patch is accepted (details.notes).
struct Note {
  std::string id;  // blank_context_normalised, hunk_relocated, policy_widening_ignored
  std::string file{};
  std::int64_t line = 0;
  std::string message{};
};

/// A value, or the reason why the patch is refused. Not an Error: a refusal is an answer.
template <class T>
using Judged = tl::expected<T, Violation>;

}  // namespace gh
