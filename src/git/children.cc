#include "git/children.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "sys/files.h"

namespace gh::git {
namespace {

constexpr std::size_t kMaxSettings = 1u << 20;

char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string parent_of(const std::string& path) {
  return path.substr(0, std::max<std::size_t>(path.rfind('/'), 1));
}

}  // namespace

Surroundings private_place_of(const Found& found, const Executable& git,
                              const std::string& empty_folder) {
  return {.path = git.path,
          .home = empty_folder,
          .git_dir = found.git_dir,
          .work_tree = found.bare ? "" : found.root,
          .index_file = empty_folder + "/index",
          .object_folder = empty_folder,
          .alternate_folders = alternate_item(found.common_dir + "/objects"),
          .ceiling = parent_of(found.root)};
}

Surroundings real_place_of(const Found& found, const Executable& git,
                           const std::string& empty_folder) {
  Surroundings place = private_place_of(found, git, empty_folder);
  place.index_file = found.git_dir + "/index";
  place.object_folder = found.common_dir + "/objects";
  place.alternate_folders.clear();  // objects/info/alternates is read by git itself
  return place;
}

sys::Command command_of(const Executable& git, std::vector<std::string> argv,
                        const Surroundings& where, const std::string& cwd,
                        std::chrono::milliseconds timeout) {
  argv[0] = git.file;
  return {.argv = std::move(argv),
          .environment = environment_of(where),
          .cwd = cwd,
          .timeout = timeout};
}

bool may_be_set(const Found& found, std::span<const std::string_view> words) {
  for (const std::string& file :
       {found.common_dir + "/config", found.common_dir + "/config.worktree",
        found.git_dir + "/config.worktree"}) {
    if (sys::info_follow(file).kind == sys::FileKind::missing) continue;
    auto text = sys::read_file(file, kMaxSettings);
    if (!text) return true;
    // No name of a setting can be written in another way; what a file includes we do not follow.
    std::ranges::transform(*text, text->begin(), ascii_lower);
    if (contains(*text, "include")) return true;
    if (std::ranges::any_of(words, [&](std::string_view word) { return contains(*text, word); }))
      return true;
  }
  return false;
}

std::vector<std::string> filter_question() {
  return {"config", "-z", "--name-only", "--get-regexp", "^filter\\."};
}

Surroundings with_filters_overruled(Surroundings place, std::string_view listing) {
  std::size_t count = 0;
  for (const std::string_view key : split(listing, '\0')) {
    if (key.empty()) continue;
    place.more.push_back(fmt::format("GIT_CONFIG_KEY_{}={}", count, key));
    place.more.push_back(
        fmt::format("GIT_CONFIG_VALUE_{}={}", count, key.ends_with(".required") ? "false" : ""));
    ++count;
  }
  place.more.push_back(fmt::format("GIT_CONFIG_COUNT={}", count));
  return place;
}

std::vector<std::string> identity_variables(std::string_view role, std::string_view name,
                                            std::string_view email, std::int64_t seconds) {
  return {fmt::format("GIT_{}_NAME={}", role, name), fmt::format("GIT_{}_EMAIL={}", role, email),
          fmt::format("GIT_{}_DATE=@{} +0000", role, seconds)};
}

}  // namespace gh::git
