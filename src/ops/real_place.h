#pragma once
// Where a named path of the work tree really lies: below a folder that is a link, a write and git
// both see another file than the one that was named.
#include <string>
#include <vector>

#include "base/error.h"
#include "git/repo.h"
#include "model/intent.h"

namespace gh::ops {

/// Folders that are links are followed, the file itself is not. path_outside_root when it leads out
/// of the root or nowhere.
Result<std::string> real_place(const std::string& root, const std::string& path);

/// Absolute paths that reach the root through a link, as if they did not; all others as they are.
std::vector<std::string> by_real_root(const std::string& root, std::vector<std::string> paths);

/// Typed words that are, to the letter, the name of a file of the work tree or of HEAD mean that
/// file, also where it begins or ends with white space or has a backslash. All others as they are.
std::vector<std::string> by_letter(git::Repo&, std::vector<std::string> typed);

/// What a write to these paths touches: each where it lies, and of a link also what it leads to.
Result<std::vector<std::string>> written_places(const std::string& root,
                                                const std::vector<std::string>& paths);

/// Entries that name a file through a link give way to where it lies.
struct MovedEntry {
  std::string named, lies;
};
Result<std::vector<MovedEntry>> move_to_real_places(const std::string& root, gh::Scope&);

}  // namespace gh::ops
