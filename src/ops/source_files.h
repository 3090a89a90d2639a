// Where an analysis reads from: a work tree, a tree or the index of git. Equal files give equal
// entries, bytes and inputs, whichever of them they come from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/run.h"
#include "analysis/run_identity.h"
#include "git/repo.h"
#include "ops/file_stamps.h"

namespace gh::ops {

class RunSource : public analysis::FileSource {
 public:
  /// What the id of the run is made of: analysed and governing files. After they were read.
  virtual Result<std::vector<analysis::RunInput>> inputs() = 0;
  /// Before `list`: files that are as they were need not be read. What is read is learned.
  virtual void use(FileStamps&, std::int64_t /*now_ns*/) {}
};

/// The folder as it is on disk: inside a repository what git tracks or would track, elsewhere
/// everything below it. `below` restricts each of them to one folder ("src/lib"); paths stay those
/// from the root.
std::unique_ptr<RunSource> files_on_disk(std::string root, git::Repo* repo, std::string below = {});
/// The same of what git tracks, and of these others.
std::unique_ptr<RunSource> tracked_files_on_disk(git::Repo&, std::vector<std::string> others);
/// A tree of git, straight from its objects. path_invalid when it has no folder `below`.
std::unique_ptr<RunSource> files_of_tree(git::Repo&, const ObjectId& tree, std::string below = {});
std::unique_ptr<RunSource> files_of_tree(git::Objects&, const ObjectId& tree,
                                         std::string below = {});
/// One file of it, as a run reads it; nullopt where that reads none.
Result<std::optional<analysis::RunInput>> input_in_tree(git::Repo&, const ObjectId& tree,
                                                        const std::string& path);
/// What is staged, straight from index and objects. Of an unmerged path our side counts.
std::unique_ptr<RunSource> files_of_index(git::Repo&, std::string below = {});

}  // namespace gh::ops
