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

/// A work tree.
struct HookSite {
  git::Found found{};
  bool gated = false;  // it has a gatehouse.yaml, or had one when a session began

  std::string state() const { return found.common_dir + "/gatehouse"; }
};

struct HookPath {
  std::size_t site = 0;
  std::string path{};  // from the root of the site; in no site: the whole path
  bool in_site = false;
  bool in_git = false;  // git's own folder
};

class HookSites {
 public:
  /// `cwd` is where the agent works. It need not exist.
  explicit HookSites(std::string cwd);

  /// The work tree around the agent; null: there is none.
  const HookSite* home() const { return has_home_ ? &all_.front() : nullptr; }
  const std::vector<HookSite>& all() const { return all_; }
  /// More repositories than anybody works in at once: nothing is known of the rest.
  bool overflown() const { return overflown_; }

  /// Where a write to `path` ends up. Two answers for a link: the link, and what it points to.
  std::vector<HookPath> locate(std::string_view path);
  bool is_folder(std::string_view path) const;

 private:
  std::string absolute(std::string_view path) const;
  HookPath placed(const std::string& real);
  std::optional<std::size_t> site_of(const git::Found&);

  std::string cwd_;
  std::vector<HookSite> all_{};
  bool has_home_ = false, overflown_ = false;
};

}  // namespace gh::ops
