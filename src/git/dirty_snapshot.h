#pragma once
// What dirty paths hold, so that a later look can tell which of them changed (change-control 15.2).
#include <cstdint>
#include <vector>

#include "git/repo.h"
#include "model/intent.h"

namespace gh::git {

struct SnapshotLimits {
  std::size_t max_entries = 20'000;                // more: only counted
  std::int64_t max_file_bytes = 1 << 30;           // a larger file has no digest
  std::int64_t max_total_bytes = 4LL * (1 << 30);  // by order of path; the rest has no digest
};

/// Reads the files of `dirty` as they are now, side by side; no git process but for submodules.
DirtySnapshot capture(const Repo&, const std::vector<DirtyPath>& dirty, Timestamp now,
                      const SnapshotLimits& = {});

/// A file of the work tree as git would store it, without filters and line end conversion.
struct WorkFile {
  std::string path;
  std::optional<FileMode> mode{};  // absent, as the id: no file or link there
  std::optional<ObjectId> id{};
  bool is_unreadable = false;  // something is there; nothing is known of it
  bool operator==(const WorkFile&) const = default;
};

/// In the order of `paths`, which are relative to the top level. A parent that is a symbolic link
/// is not followed: nothing is there then.
std::vector<WorkFile> ids_of_files(const Repo&, const std::vector<std::string>& paths);

}  // namespace gh::git
