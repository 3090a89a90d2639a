#pragma once
// The hermetic surroundings of every git child (patch-gate 8.2): fixed -c settings and a complete
// environment. Nothing is inherited from the environment of the gate.
#include <string>
#include <string_view>
#include <vector>

namespace gh::git {

inline constexpr std::string_view kSystemPath =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// What differs between two git commands; an empty value leaves its variable unset.
struct Surroundings {
  std::string path;  // folders for PATH, git's own first
  std::string home;  // empty private folder
  std::string git_dir, work_tree;
  std::string index_file;
  std::string object_folder, alternate_folders;
  std::string ceiling;
  std::vector<std::string> more{};  // further "NAME=value", such as the identity of a commit
};

/// Complete "NAME=value" list in table order.
std::vector<std::string> environment_of(const Surroundings&);

/// "git", the fixed settings, then `words`: the argument vector as evidence shows it.
std::vector<std::string> arguments_of(const std::vector<std::string>& words);

/// One folder as an item of GIT_ALTERNATE_OBJECT_DIRECTORIES, quoted where git would split it.
std::string alternate_item(std::string_view folder);

}  // namespace gh::git
