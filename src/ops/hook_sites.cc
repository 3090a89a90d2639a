#include "ops/hook_sites.h"

#include <algorithm>
#include <array>

#include "base/product.h"
#include "base/text.h"
#include "git/nearest.h"
#include "ops/hook_memory.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxLinks = 8, kMaxHead = 4'096;

struct Alias {
  std::string_view name;
  bool is_root;  // else the folder where the agent works
};
// table: hook_path_aliases
constexpr std::array kAliases{Alias{"/proc/self/cwd", false}, Alias{"/proc/thread-self/cwd", false},
                              Alias{"/proc/self/root", true},
                              Alias{"/proc/thread-self/root", true}};

/// Links of the folder resolved, the last name left as it is; what does not exist yet is taken by
/// its letters.
std::string located(std::string path) {
  while (path.size() > 1 && path.ends_with('/'))
    path.pop_back();
  const std::string_view last = std::string_view(path).substr(path.rfind('/') + 1);
  if (last == "." || last == "..")
    if (auto real = sys::real_path(path)) return *real;
  for (std::size_t end = path.rfind('/'); end != std::string::npos && end > 0;
       end = path.rfind('/', end - 1))
    if (const auto real = sys::real_path(path.substr(0, end)))
      return normal_path(*real + path.substr(end));
  return normal_path(path);
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

bool is_below(std::string_view path, const std::string& folder) {
  return path == folder ||
         (path.starts_with(folder) && path.substr(folder.size()).starts_with('/'));
}

bool is_gated(const git::Found& found) {
  return std::ranges::any_of(policy_trees(found), [](const HookSite& tree) {
    const std::string file = tree.found.root + "/" + std::string(kConfigFile);
    return sys::info(file).kind != sys::FileKind::missing || has_rules(tree);
  });
}

}  // namespace

std::vector<HookSite> policy_trees(const git::Found& found) {
  std::vector<HookSite> out{{.found = found}};
  for (std::string& root : git::sibling_roots(found))
    out.push_back({.found = {.root = std::move(root),
                             .git_dir = found.common_dir,
                             .common_dir = found.common_dir}});
  return out;
}

HookSites::HookSites(std::string cwd, const std::vector<std::string>& projects)
    : cwd_(std::move(cwd)) {
  if (const auto real = sys::real_path(cwd_)) cwd_ = *real;
  std::optional<git::Found> found = around(cwd_).found;
  for (const std::string& folder : projects) {
    const auto real = sys::real_path(folder);
    auto there = real ? around(*real).found : std::nullopt;
    if (!there || !is_gated(*there)) continue;
    project_ = std::move(there);
    break;
  }
  if (project_ && (!found || !is_gated(*found))) found = project_;
  if (!project_) project_ = found;
  if (found) has_home_ = site_of(*found).has_value();
}

HookSites::Around HookSites::around(const std::string& folder) const {
  const std::vector<git::Found> all = git::around(folder);
  if (all.empty()) return {};
  Around out{.in_git = all.front().bare};
  const git::Found* guard = nullptr;
  for (const git::Found& found : all) {
    if (found.bare) continue;
    if (!out.found) out.found = found;
    if (is_gated(found)) guard = &found;
  }
  if (guard == nullptr) return out;
  const auto own = std::ranges::find_if(all, [&](const git::Found& found) {
    return found.common_dir == guard->common_dir && git::is_linked_tree(found);
  });
  out.found = own == all.end() ? *guard : *own;
  return out;
}

std::optional<std::size_t> HookSites::site_of(const git::Found& found) {
  const auto known = std::ranges::find_if(
      all_, [&](const HookSite& site) { return site.found.root == found.root; });
  if (known != all_.end()) return static_cast<std::size_t>(known - all_.begin());
  if (all_.size() == kMaxHookSites) {
    overflown_ = true;
    return std::nullopt;
  }
  all_.push_back({.found = found, .gated = is_gated(found)});
  return all_.size() - 1;
}

std::string HookSites::absolute(std::string_view path) const {
  std::string whole = path.starts_with('/') ? std::string(path) : cwd_ + "/" + std::string(path);
  for (const Alias& alias : kAliases)
    if (is_below(whole, std::string(alias.name)))
      whole = (alias.is_root ? std::string() : cwd_) + "/" + whole.substr(alias.name.size());
  return whole;
}

HookPath HookSites::placed(const std::string& real) {
  // The whole tree; or a folder that holds it, and git's own folder with it.
  if (has_home_ && real != home()->found.root && is_below(home()->found.root, real))
    return {.path = ".", .in_site = true, .in_git = true};
  if (sys::info(real).kind == sys::FileKind::folder)
    if (const auto whole = around(real).found; whole && whole->root == real)
      if (const auto site = site_of(*whole)) return {.site = *site, .path = ".", .in_site = true};
  auto [found, in_git] = around(folder_of(real));
  if (has_home_ && (!found || !git::is_linked_tree(*found)))
    in_git =
        in_git || is_below(real, home()->found.git_dir) || is_below(real, home()->found.common_dir);
  if (!found && in_git && has_home_) found = home()->found;
  if (!found) return {.path = utf8_or_escaped(real)};
  const auto site = site_of(*found);
  if (!site) return {.path = utf8_or_escaped(real)};
  const std::string& root = all_[*site].found.root;
  const bool is_inside = is_below(real, root) && real.size() > root.size();
  return {
      .site = *site,
      .path = utf8_or_escaped(is_inside ? real.substr(root.size() + (root == "/" ? 0 : 1)) : real),
      .in_site = true,
      .in_git = in_git};
}

std::vector<HookPath> HookSites::locate(std::string_view path) {
  std::string real = located(absolute(path));
  std::vector<HookPath> out{placed(real)};
  for (std::size_t i = 0; i < kMaxLinks && sys::info(real).kind == sys::FileKind::symlink; ++i) {
    const auto target = sys::read_link(real);
    if (!target) break;
    real = located(target->starts_with('/') ? *target : folder_of(real) + "/" + *target);
    out.push_back(placed(real));
  }
  return out;
}

std::optional<git::Found> HookSites::repository_at(std::string_view folder) const {
  return git::nearest(located(absolute(folder) + "/."));
}

bool HookSites::is_of_project(const git::Found& found) const {
  if (!project_) return false;
  return found.root == project_->root ||
         (found.common_dir == project_->common_dir && git::is_linked_tree(found));
}

bool HookSites::is_guarded_git(std::string_view folder) const {
  const auto found = repository_at(folder);
  return !found || is_of_project(*found);
}

bool HookSites::is_git_of_project(std::string_view folder) const {
  const auto found = repository_at(folder);
  return found && is_of_project(*found);
}

std::optional<std::string> HookSites::checked_out(std::string_view folder) const {
  constexpr std::string_view kBranch = "ref: ";
  const auto found = repository_at(folder);
  if (!found) return std::nullopt;
  const auto head = sys::read_file(found->git_dir + "/HEAD", kMaxHead);
  if (!head || !head->starts_with(kBranch)) return std::nullopt;
  return head->substr(kBranch.size(), head->find('\n') - kBranch.size());
}

std::string HookSites::way_to(const HookSite& site) const {
  return cwd_ == site.found.root ? std::string() : site.found.root;
}

bool HookSites::is_folder(std::string_view path) const {
  return sys::info_follow(absolute(path)).kind == sys::FileKind::folder;
}

}  // namespace gh::ops
