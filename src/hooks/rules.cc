#include "hooks/rules.h"

#include <algorithm>
#include <array>

#include "base/build_id.h"
#include "base/unicode.h"
#include "control/profiles.h"
#include "model/peek.h"
#include "policy/glob.h"
#include "policy/hook_copy.h"
#include "policy/path_rules.h"

namespace gh::hooks {
namespace {

constexpr std::string_view kSchema = "gatehouse.hook_rules/1";

// table: hook_configurations
constexpr std::array<std::string_view, 19> kHookFiles{
    "**/.claude/settings.json", "**/.claude/settings.local.json",
    "**/.claude/hooks/**",      "**/.claude/plugins/**",
    "**/.codex/config.toml",    "**/.codex/hooks.json",
    "**/.cursor/hooks.json",    "**/.cursor/hooks/**",
    "**/.gemini/settings.json", "**/.gemini/policies/**",
    "**/.github/hooks/**",      "**/.gitconfig",
    "**/.config/git/config",    "**/.git/config",
    "**/.git/hooks/**",         "**/.husky/**",
    "**/etc/gitconfig",         "**/bin/gatehouse",
    "**/bin/gatehouse-main"};

std::optional<std::vector<std::string>> strings(const Peek& list) {
  std::vector<std::string> out;
  for (const Value& entry : list.list()) {
    if (entry.as_string() == nullptr) return std::nullopt;
    out.push_back(*entry.as_string());
  }
  return out;
}

/// Every path has one spelling for those who deny: the one that a forgiving file system would use.
bool is_control_file(const Rules& rules, std::string_view path) {
  if (std::ranges::find(rules.allow_control_files, path) != rules.allow_control_files.end())
    return false;
  const std::string folded = nfc_casefold(path);
  return std::ranges::any_of(rules.control_files, [&](const std::string& entry) {
    return policy::matches_policy_entry(folded, nfc_casefold(entry));
  });
}

}  // namespace

Rules rules_of(const policy::Config& config) {
  return {.hooks = config.hooks,
          .control_files = config.patch.control_files,
          .allow_control_files = config.patch.allow_control_files,
          .guarded_branches = policy::guarded_branches(config.proposals),
          .postgres = !config.store.url.empty(),
          .lease_seconds = config.control.lease_seconds,
          .session_grace_seconds = config.control.session_grace_seconds,
          .source = config.source,
          .build = std::string(kBuildId)};
}

Value to_value(const Rules& rules) {
  return Map{{"schema", kSchema},
             {"hooks", policy::to_value(rules.hooks)},
             {"control_files", string_list(rules.control_files)},
             {"allow_control_files", string_list(rules.allow_control_files)},
             {"guarded_branches", string_list(rules.guarded_branches)},
             {"postgres", rules.postgres},
             {"lease_seconds", rules.lease_seconds},
             {"session_grace_seconds", rules.session_grace_seconds},
             {"source", rules.source},
             {"build", rules.build}};
}

Result<Rules> rules_from(const Value& document) {
  const auto damaged = [] {
    return fail(Code::json_invalid, "the compiled copy of the policy is damaged");
  };
  const Peek root(document);
  const Value* hooks = root.map().find("hooks");
  if (root["schema"].text() != kSchema || hooks == nullptr || !root["postgres"].exists() ||
      !root["session_grace_seconds"].exists() || !root["guarded_branches"].exists())
    return damaged();
  const auto policy = policy::hook_policy_from(*hooks);
  const auto control = strings(root["control_files"]),
             allowed = strings(root["allow_control_files"]),
             guarded = strings(root["guarded_branches"]);
  if (!policy || !control || !allowed || !guarded) return damaged();
  return Rules{.hooks = *policy,
               .control_files = *control,
               .allow_control_files = *allowed,
               .guarded_branches = *guarded,
               .postgres = root["postgres"].is_true(),
               .lease_seconds = root["lease_seconds"].number(),
               .session_grace_seconds = root["session_grace_seconds"].number(),
               .source = std::string(root["source"].text()),
               .build = std::string(root["build"].text())};
}

bool is_protected(const Rules& rules, std::string_view path) {
  const bool in_git = policy::any_component(
      path, [](std::string_view part) { return part.size() == 4 && nfc_casefold(part) == ".git"; });
  if (in_git || control::is_state_artifact(path) || is_control_file(rules, path)) return true;
  return std::ranges::any_of(rules.hooks.protect, [&](const std::string& pattern) {
    return policy::matches_pathglob(path, pattern);
  });
}

bool is_hook_configuration(std::string_view path) {
  while (path.starts_with('/'))
    path.remove_prefix(1);
  const std::string folded = nfc_casefold(path);
  return std::ranges::any_of(kHookFiles, [&](std::string_view pattern) {
    return policy::matches_pathglob(folded, pattern);
  });
}

}  // namespace gh::hooks
