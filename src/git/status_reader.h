#pragma once
// What differs in one work tree, by git's own word and as the repository's settings cannot hide it.
// Made by Repo; a submodule is read by a reader of its own.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "git/discovery.h"
#include "git/executable.h"
#include "git/index_reader.h"
#include "git/listings.h"
#include "git/surroundings.h"
#include "sys/files.h"
#include "sys/process.h"

namespace gh::git {

struct DirtyQuestion {
  /// The root that paths are relative to, as a folder below the top level; empty: the top level.
  std::string below{};
  /// Files and folders, literal; folders stand for all that is in them. None: the whole repository.
  std::optional<std::vector<std::string>> paths{};
  std::int64_t timeout_ms = 0;  // for all of the answer; 0: the repository's
};

/// The paths of `git diff --name-only REF`.
struct ChangedPaths {
  std::vector<std::string> paths{};  // as in DirtyPath, sorted
  /// False for a range: then untracked files are no part of the comparison.
  bool includes_work_tree = false;
};

/// Has it the form of a revision or range that finish accepts (change-control 16.2)?
bool is_diff_ref(std::string_view ref);

class StatusReader {
 public:
  using Clock = std::chrono::steady_clock;

  /// `scratch`: an existing folder for private copies of the index. `ids`: of the repository, where
  /// git itself said so.
  StatusReader(Found found, Executable git, std::string empty_folder, std::string scratch,
               Clock::time_point deadline, std::optional<HashKind> ids = {})
      : found_(std::move(found)),
        git_(std::move(git)),
        empty_folder_(std::move(empty_folder)),
        scratch_(std::move(scratch)),
        deadline_(deadline),
        ids_(ids) {}

  const std::string& root() const { return found_.root; }

  /// Sorted by path, each path once.
  Result<std::vector<DirtyPath>> dirty_paths(const DirtyQuestion&) const;
  Result<ChangedPaths> changed_against(const std::string& ref, const std::string& below) const;
  /// What differs of `wanted` in the repository at `path`, a submodule that `base` names a commit
  /// of or, where it is empty, an untracked one: all of that is new to us. Paths are from our root.
  /// What cannot be compared is told as if it differed.
  Result<std::vector<DirtyPath>> dirty_within(const std::string& path, const std::string& base,
                                              const std::vector<std::string>& wanted) const;
  /// Of `scope`, files and folders, what differs from the index though git took it for unchanged by
  /// its times and size, which can be set and which it compares by the second. Files that are named
  /// are read; of folders, those whose stat data are not what they were to the nanosecond. `known`:
  /// what git told already.
  Result<std::vector<DirtyPath>> overlooked(const std::vector<std::string>& scope,
                                            const std::vector<DirtyPath>& known) const;
  /// Of these files, those that git leaves out of all it tells (.gitignore and the like).
  Result<std::vector<std::string>> ignored(const std::vector<std::string>& paths) const;
  /// Symbolic links in the index.
  Result<std::vector<std::string>> links() const;
  /// Of the repository at `path` (a submodule, or untracked); none when it cannot be read.
  std::optional<StatusReader> inside(const std::string& path) const;
  /// Commit id; empty on an unborn branch.
  Result<std::string> head() const;

 private:
  /// The repository as it is, with no filter of its own; and how it wants line ends to be read.
  struct Place {
    Surroundings where;
    std::vector<std::string> line_ends{};  // words before a command
  };
  /// The index to ask, and the submodules in it.
  struct Index {
    Surroundings place;
    std::vector<IndexNote> submodules{};
    std::optional<sys::TempDir> copy{};  // where entries were marked as unchanged
  };

  std::chrono::milliseconds time_left() const;
  Result<sys::Running> start(const std::vector<std::string>& words, const Surroundings&) const;
  Result<std::string> answer_of(sys::Running&, std::string_view name) const;
  Result<std::string> answer(const std::vector<std::string>& words, const Surroundings&,
                             std::string_view input = {}) const;
  Result<Place> real_place() const;
  Result<std::vector<IndexNote>> index_notes(const Surroundings&,
                                             const std::vector<std::string>& pathspecs) const;
  Result<std::vector<IndexedFile>> indexed_files(const Surroundings&, const WantedFile&) const;
  /// A private copy of the index, after `words` were told to git about it.
  Result<Index> copied_index(Surroundings place, const std::vector<std::string>& words,
                             std::string_view input) const;
  Result<Index> honest_index(Surroundings place, std::vector<IndexNote> notes) const;
  Result<std::vector<DirtyPath>> ask_status(const std::vector<std::string>& pathspecs) const;
  Result<std::vector<DirtyPath>> dirty_submodules(const std::vector<IndexNote>&) const;
  Result<bool> is_dirty_inside(const std::string& path) const;
  bool is_own_state(std::string_view path) const;

  Found found_;
  Executable git_;
  std::string empty_folder_, scratch_;
  Clock::time_point deadline_;
  std::optional<HashKind> ids_;
  int depth_ = 0;
};

}  // namespace gh::git
