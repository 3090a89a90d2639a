#include "ops/hook_command.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "hooks/agent_identity.h"

namespace gh::ops {
namespace {

using hooks::Host;
using shell::ShellClass;

struct ProjectVariable {
  Host host;
  std::string_view name;
};
/// What hosts tell their hooks of the project that they were started for.
// table: hook_project_variables
constexpr std::array kProjectVariables{ProjectVariable{Host::claude, "CLAUDE_PROJECT_DIR"},
                                       ProjectVariable{Host::cursor, "CURSOR_PROJECT_DIR"},
                                       ProjectVariable{Host::gemini, "GEMINI_PROJECT_DIR"}};

void make_opaque(shell::Reading& reading, std::string_view why) {
  reading.shell_class = ShellClass::opaque;
  if (reading.why.empty()) reading.why = why;
}

void judge_own(const shell::OwnCall& call, shell::Reading& out, const HookFar& far) {
  if (!call.is_certain) make_opaque(out, "a command of ours that only the shell knows");
  OwnMeaning meaning;
  if (call.by_old_name) {
    std::vector<std::string> in_group{"release"};
    in_group.insert(in_group.end(), call.words.begin(), call.words.end());
    meaning = far.meaning_of(in_group);
  }
  if (!meaning.is_known) meaning = far.meaning_of(call.words);
  if (!call.is_certain && !meaning.is_known && out.bypass.empty())
    out.bypass = "a command of ours that only the shell knows";
  if (!meaning.is_for_agents && out.bypass.empty())
    out.bypass = "gatehouse " + join(call.words, " ") + " is for people";
  for (const std::string& path : meaning.writes) {
    if (path.starts_with('/') || (call.folder && call.folder->empty()))
      out.writes.push_back({.path = path});
    else if (call.folder)
      out.writes.push_back({.path = *call.folder + "/" + path});
    else
      make_opaque(out, "a path in a folder that nobody knows");
  }
  const bool is_looked_at = meaning.changes_tree || !meaning.writes.empty();
  if (is_looked_at && out.shell_class == ShellClass::read_only)
    out.shell_class = ShellClass::writes;
}

/// What a remote holds, and receipts: the gates of git believe that both came from elsewhere.
bool holds_traces(std::string_view ref) {
  return ref.starts_with("refs/remotes/") || ref.starts_with("refs/notes/gatehouse") ||
         ref.starts_with("refs/gatehouse/") ||
         (ref.ends_with('*') &&
          std::string_view("refs/remotes/").starts_with(ref.substr(0, ref.size() - 1)));
}

/// Where nobody can tell which branch it is, it may be a guarded one.
bool is_guarded(const shell::BranchMove& move, const HookSites& sites, const hooks::Rules& rules) {
  if (move.folder && !sites.is_git_of_project(*move.folder)) return false;
  std::optional<std::string> ref = move.ref;
  if (move.ref.empty()) ref = move.folder ? sites.checked_out(*move.folder) : std::nullopt;
  if (!ref) return true;
  if (move.is_local && holds_traces(*ref)) return true;
  return std::ranges::any_of(rules.guarded_branches, [&](std::string_view guarded) {
    return ref->ends_with('*') ? guarded.starts_with(ref->substr(0, ref->size() - 1))
                               : guarded == *ref;
  });
}

}  // namespace

HookSites sites_of(const hooks::Event& event, Context& context) {
  const std::string& cwd = event.cwd.empty() ? context.cwd : event.cwd;
  const bool is_relative = !event.folder.empty() && !event.folder.starts_with('/');
  std::vector<std::string> projects;
  for (const ProjectVariable& row : kProjectVariables)
    if (row.host == event.host) projects.push_back(context.env.variable(row.name));
  projects.push_back(event.project);
  if (!event.folder.empty()) projects.push_back(cwd);
  std::erase(projects, "");
  if (event.folder.empty()) return HookSites(cwd, projects);
  return HookSites(is_relative ? cwd + "/" + event.folder : event.folder, projects);
}

shell::Reading read_hook_command(const hooks::Event& event, const HookSites& sites,
                                 const hooks::Rules& rules, const HookFar& far) {
  shell::Reading out = shell::classify(
      event.command,
      {.patch_first = rules.hooks.patch_first, .agent_variables = hooks::agent_variables()});
  for (const std::string& folder : out.git_folders)
    if (!sites.is_guarded_git(folder)) make_opaque(out, "git in another repository");
  for (const shell::OwnCall& call : out.own)
    judge_own(call, out, far);
  for (const shell::BranchMove& move : out.branches)
    if (out.bypass.empty() && !rules.guarded_branches.empty() && is_guarded(move, sites, rules))
      out.bypass = move.words;
  return out;
}

}  // namespace gh::ops
