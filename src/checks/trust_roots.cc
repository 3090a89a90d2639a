#include "checks/trust_roots.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "policy/glob.h"
#include "surface/words.h"

namespace gh::checks {
namespace {

constexpr std::size_t kMaxRounds = 8, kMaxNames = 20'000;

// clang-format off
// table: trust roots, the first that fits
constexpr std::array kRoots = std::to_array<TrustRoot>({
    {"manifest", "**/shipgate.yaml"},
    {"manifest", "**/gatehouse.yaml"},
    {"shipgate_state", "**/.agents-shipgate/**"},
    {"policy", "**/policies/**"},
    {"prompts", "**/prompts/**"},
    {"ci_gate", "**/.github/workflows/agents-shipgate.yml"},
    {"ci_gate", "**/.github/workflows/agents-shipgate.yaml"},
    {"agent_instructions", "**/AGENTS.md"},
    {"agent_instructions", "**/CLAUDE.md"},
    {"agent_instructions", "**/.claude/**"},
    {"agent_instructions", "**/.cursor/rules/**"},
    {"agent_instructions", "**/.agents/skills/**"},
    {"agent_instructions", "**/.codex/**"},
    {"codex_plugin", "**/.codex-plugin/**"},
    {"tool_surface_decl", "**/.app.json"},
    {"tool_surface_decl", "**/.mcp.json"},
    {"tool_surface_decl", "**/SKILL.md"},
    {"trigger_catalog", "**/docs/triggers.json"},
    {"tool_surface_decl", "**/.cursor/mcp.json"},
    {"tool_surface_decl", "**/.vscode/mcp.json"},
    {"gate_config", "**/.gatehouse/**"},
    {"gate_config", "**/gatehouse.*"},
    {"gate_config", "**/.gitattributes"},
    {"gate_config", "**/CODEOWNERS"},
});
// table: files of continuous integration
constexpr std::array<std::string_view, 5> kCiFiles{
    "**/.github/workflows/*", "**/.gitlab-ci.yml", "**/.circleci/config.yml", "**/Jenkinsfile",
    "**/azure-pipelines.yml"};
// table: policy files
constexpr std::array<std::string_view, 5> kPolicyFiles{
    "**/shipgate.yaml", "**/gatehouse.yaml", "**/policies/**", "**/.agents-shipgate/**",
    "**/gatehouse.release-baseline*"};
// table: trigger catalogues
constexpr std::array<std::string_view, 4> kTriggerFiles{
    "**/docs/triggers.json", "**/.agents-shipgate/triggers.json",
    "**/.agents-shipgate/triggers*.json", "**/.gatehouse/triggers*"};
// clang-format on
constexpr TrustRoot kPack{"gate_config", "policy_packs"};

bool matches(std::string_view folded_path, std::string_view glob) {
  return policy::matches_pathglob(folded_path, surface::lower_case(glob));
}

template <class Globs>
std::string_view first_match(std::string_view path, const Globs& globs) {
  const std::string folded = surface::lower_case(path);
  for (const std::string_view glob : globs)
    if (matches(folded, glob)) return glob;
  return {};
}

bool has(const std::vector<std::string>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

}  // namespace

const TrustRoot* trust_root_of(std::string_view path) {
  const std::string folded = surface::lower_case(path);
  const auto row =
      std::ranges::find_if(kRoots, [&](const TrustRoot& r) { return matches(folded, r.glob); });
  return row == kRoots.end() ? nullptr : &*row;
}

bool is_ci_file(std::string_view path) { return !first_match(path, kCiFiles).empty(); }
bool is_policy_file(std::string_view path) { return !first_match(path, kPolicyFiles).empty(); }
bool is_trigger_catalogue(std::string_view path) {
  return !first_match(path, kTriggerFiles).empty();
}

bool is_instruction_file(std::string_view path) {
  const std::string folded = surface::lower_case(path);
  for (const TrustRoot& row : kRoots)
    if (row.kind == "agent_instructions" && matches(folded, row.glob)) return true;
  return matches(folded, "**/SKILL.md");
}

std::vector<OtherName> other_names(const std::vector<std::string>& paths,
                                   const std::vector<Link>& links) {
  std::set<OtherName> out;
  std::set<OtherName> fresh;
  for (const std::string& path : paths)
    fresh.insert({path, path});
  // By name, so that what lies below the target of a link is a stretch.
  for (std::size_t round = 0; round < kMaxRounds && !fresh.empty(); ++round) {
    std::set<std::pair<std::string, std::string>> by_name;
    for (const OtherName& alias : fresh)
      by_name.emplace(alias.name, alias.path);
    std::set<OtherName> next;
    for (const Link& link : links) {
      const std::string below = link.target.empty() ? "" : link.target + "/";
      const auto add = [&](const std::pair<std::string, std::string>& entry) {
        // A link into its own folder leads round in circles.
        std::string name = link.path;
        if (entry.first != link.target) name += "/" + entry.first.substr(below.size());
        OtherName alias{entry.second, std::move(name)};
        if (out.size() + next.size() < kMaxNames && !out.contains(alias) && !fresh.contains(alias))
          next.insert(std::move(alias));
      };
      for (auto at = by_name.lower_bound({link.target, ""});
           at != by_name.end() && at->first == link.target; ++at)
        add(*at);
      for (auto at = by_name.lower_bound({below, ""});
           at != by_name.end() && at->first.starts_with(below); ++at)
        if (!at->first.starts_with(link.path + "/")) add(*at);
    }
    out.insert(fresh.begin(), fresh.end());
    fresh = std::move(next);
  }
  out.insert(fresh.begin(), fresh.end());
  return {out.begin(), out.end()};
}

std::vector<TouchedRoot> touched_roots(const RootFacts& facts) {
  std::vector<TouchedRoot> out;
  const auto aliases = other_names(facts.changed, facts.links);
  for (const std::string& file : facts.changed) {
    const TrustRoot* root = trust_root_of(file);
    std::string name;
    for (auto alias = std::ranges::lower_bound(aliases, OtherName{file, ""});
         root == nullptr && alias != aliases.end() && alias->path == file; ++alias) {
      root = trust_root_of(alias->name);
      if (root != nullptr) name = alias->name;
    }
    if (root == nullptr && has(facts.gates, file)) {
      out.push_back({file, "ci_gate",
                     first_match(file, kCiFiles).empty()
                         ? "included by a CI file"
                         : std::string(first_match(file, kCiFiles))});
      continue;
    }
    if (root == nullptr && has(facts.packs, file)) root = &kPack;
    if (root == nullptr) continue;
    out.push_back({file, std::string(root->kind), std::string(root->glob), std::move(name)});
  }
  return out;
}

}  // namespace gh::checks
