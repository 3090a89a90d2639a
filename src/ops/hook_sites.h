#pragma once
// Where a step of an agent would write: the repositories around its paths, found by reading files
// and without git, and each path as the records of that repository name it.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/discovery.h"

namespace gh::ops {

inline constexpr std::size_t kMaxHookSites = 16;

/// A work tree. One that lies in a guarded one counts as a part of that, whatever is nested in it:
/// a repository is made faster than a rule. Only linked work trees of the same repository are trees
/// of their own there.
struct HookSite {
  git::Found found{};
  bool gated = false;  // a policy speaks for it

  std::string state() const { return found.common_dir + "/gatehouse"; }
};

struct HookPath {
  std::size_t site = 0;
  std::string path{};  // from the root of the site; in no site: the whole path
  bool in_site = false;
  bool in_git = false;  // git's own folder
};

/// Trees whose policy speaks for this one, the first that has any: itself, then the other work
/// trees of its repository. git makes linked ones without checking anything out.
std::vector<HookSite> policy_trees(const git::Found&);

class HookSites {
 public:
  /// `cwd` is where the agent works. It need not exist. Where no gate is, the first of the
  /// `projects` (what the host was started for) that has one is its home.
  explicit HookSites(std::string cwd, const std::vector<std::string>& projects = {});

  /// The work tree around the agent; null: there is none.
  const HookSite* home() const { return has_home_ ? &all_.front() : nullptr; }
  const std::vector<HookSite>& all() const { return all_; }
  /// More repositories than anybody works in at once: nothing is known of the rest.
  bool overflown() const { return overflown_; }

  /// Where a write to `path` ends up. Two answers for a link: the link, and what it points to.
  std::vector<HookPath> locate(std::string_view path);
  bool is_folder(std::string_view path) const;
  /// Is git in that folder led by the settings of the guarded project? Those of another repository
  /// may have it run anything.
  bool is_guarded_git(std::string_view folder) const;
  /// Is there git at all, and is it that of the guarded project?
  bool is_git_of_project(std::string_view folder) const;
  /// How commands of the agent name that tree: its root, or nothing where the agent is at it.
  std::string way_to(const HookSite&) const;
  /// The branch that is checked out around that folder; none: nobody can tell.
  std::optional<std::string> checked_out(std::string_view folder) const;

 private:
  struct Around {
    std::optional<git::Found> found{};
    bool in_git = false;  // git's own folder
  };
  Around around(const std::string& folder) const;
  std::string absolute(std::string_view path) const;
  std::optional<git::Found> repository_at(std::string_view folder) const;
  bool is_of_project(const git::Found&) const;
  HookPath placed(const std::string& real);
  std::optional<std::size_t> site_of(const git::Found&);

  std::string cwd_;
  std::optional<git::Found> project_{};  // whose settings of git are guarded
  std::vector<HookSite> all_{};
  bool has_home_ = false, overflown_ = false;
};

}  // namespace gh::ops
