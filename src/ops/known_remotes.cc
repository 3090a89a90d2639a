#include "ops/known_remotes.h"

#include <algorithm>

#include <fmt/format.h>

#include "hooks/git_hook.h"

namespace gh::ops {
namespace {

constexpr std::string_view kRemote = "remote.", kUrl = ".url", kOrigin = "origin";

using GitSettings = std::vector<std::pair<std::string, std::string>>;

Result<GitSettings> git_settings_of(const git::Repo& repo) {
  return repo.settings_in(repo.common_dir() + "/config");
}

std::vector<Remote> remotes_in(const GitSettings& settings) {
  std::vector<Remote> out;
  for (const auto& [key, value] : settings)
    if (key.starts_with(kRemote) && key.ends_with(kUrl) &&
        key.size() > kRemote.size() + kUrl.size())
      out.push_back({key.substr(kRemote.size(), key.size() - kRemote.size() - kUrl.size()), value});
  return out;
}

git::KnownRefs refs_of(const std::vector<Remote>& remotes,
                       const std::function<bool(const Remote&)>& is_believed) {
  git::KnownRefs out;
  for (const Remote& remote : remotes) {
    if (remote.name.find_first_of("*?[\\") != std::string::npos) continue;  // it is a pattern
    const bool is_known = hooks::leads_elsewhere(remote.url) || is_believed(remote);
    (is_known ? out.refs : out.except).push_back(fmt::format("refs/remotes/{}/*", remote.name));
  }
  // Of one with several addresses all must be believed.
  std::erase_if(out.refs, [&](const std::string& refs) {
    return std::ranges::find(out.except, refs) != out.except.end();
  });
  return out;
}

}  // namespace

Result<git::KnownRefs> refs_of_remotes(const git::Repo& repo,
                                       const std::function<bool(const Remote&)>& is_believed) {
  GH_TRY(settings, git_settings_of(repo));
  return refs_of(remotes_in(settings), is_believed);
}

Result<std::string> remote_at(const git::Repo& repo, std::string_view url) {
  GH_TRY(settings, git_settings_of(repo));
  const std::vector<Remote> remotes = remotes_in(settings);
  const auto found = std::ranges::find(remotes, url, &Remote::url);
  return found == remotes.end() ? std::string() : found->name;
}

Result<git::KnownRefs> refs_of_upstream(const git::Repo& repo, std::string_view branch) {
  GH_TRY(settings, git_settings_of(repo));
  const std::vector<Remote> remotes = remotes_in(settings);
  std::string upstream(kOrigin);
  if (std::ranges::find(remotes, upstream, &Remote::name) == remotes.end()) {
    const auto set = std::ranges::find(
        settings, fmt::format("branch.{}.remote", branch.substr(hooks::kBranches.size())),
        &GitSettings::value_type::first);
    upstream = set == settings.end() ? std::string() : set->second;
  }
  return refs_of(remotes, [&](const Remote& remote) { return remote.name == upstream; });
}

Result<git::KnownRefs> refs_of_upstream(const git::Repo& repo) {
  GH_TRY(branch, repo.head_ref());
  return refs_of_upstream(repo, branch.starts_with(hooks::kBranches) ? branch : hooks::kBranches);
}

}  // namespace gh::ops
