#include "git/user.h"

#include <fmt/format.h>

#include "git/children.h"

namespace gh::git {
namespace {

constexpr std::chrono::seconds kTimeout{30};
constexpr std::string_view kNowhere = "/nonexistent";

/// What git reads for the user and the machine, the nearest first.
std::vector<std::string> settings_files(sys::Env& env) {
  const std::string machine = "/etc/gitconfig", home = env.variable("HOME");
  if (std::string named = env.variable("GIT_CONFIG_GLOBAL"); !named.empty())
    return {std::move(named), machine};
  const std::string folder = env.variable("XDG_CONFIG_HOME");
  return {home + "/.gitconfig", (folder.empty() ? home + "/.config" : folder) + "/git/config",
          machine};
}

/// The first line of the answer; empty: the setting is not there.
Result<std::string> asked(const Repo& repo, const std::vector<std::string>& words) {
  const Found found{.root = repo.root(),
                    .git_dir = repo.git_dir(),
                    .common_dir = repo.common_dir(),
                    .bare = repo.is_bare()};
  const Executable git{repo.git_file(), std::string(kSystemPath)};
  const Surroundings where = real_place_of(found, git, std::string(kNowhere));
  GH_TRY(done, or_git_not_found(
                   sys::run(command_of(git, arguments_of(words), where, repo.root(), kTimeout))));
  return done.exit_code == 0 ? done.out.substr(0, done.out.find('\n')) : std::string();
}

Result<std::string> setting(const Repo& repo, const std::string& key, sys::Env& env) {
  GH_TRY(own, asked(repo, {"config", "--get", key}));
  if (!own.empty()) return own;
  for (const std::string& file : settings_files(env)) {
    GH_TRY(said, asked(repo, {"config", "--includes", "--file", file, "--get", key}));
    if (!said.empty()) return said;
  }
  return std::string();
}

Result<std::string> part(const Repo& repo, std::string_view role, std::string_view variable,
                         std::string_view key, sys::Env& env) {
  std::string said = env.variable(fmt::format("GIT_{}_{}", role, variable));
  if (!said.empty()) return said;
  return setting(repo, fmt::format("user.{}", key), env);
}

}  // namespace

Result<std::optional<Identity>> configured_user(const Repo& repo, std::string_view role,
                                                sys::Env& env) {
  GH_TRY(name, part(repo, role, "NAME", "name", env));
  GH_TRY(email, part(repo, role, "EMAIL", "email", env));
  if (name.empty() || email.empty()) return std::nullopt;
  return Identity{std::move(name), std::move(email)};
}

}  // namespace gh::git
