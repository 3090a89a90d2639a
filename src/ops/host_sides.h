#pragma once
// The files that agent hosts read, on both sides of a change: in a tree of git, or on disk as git
// tracks or would track them. Nothing is checked out.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "git/repo.h"
#include "powers/compare.h"

namespace gh::ops {

/// Mode and object of each file of a tree, links and submodules among them.
using TreeListing = std::map<std::string, std::pair<std::uint32_t, ObjectId>>;
TreeListing listing_of(std::vector<git::TreeFile>);

/// One side: which files there are, and how to read one.
class HostSide {
 public:
  virtual ~HostSide() = default;
  /// What tells a file from another one under the same path; empty: there is none.
  virtual std::string mark(const std::string& path) = 0;
  virtual Result<std::optional<powers::Entry>> read(const std::string& path) = 0;
  virtual std::set<std::string> paths() = 0;  // of interest
};

/// `listing` and `objects` must outlive it.
std::unique_ptr<HostSide> hosts_in_tree(const TreeListing& listing, git::Objects& objects);

/// What git tracks, and what it would track.
struct DiskListing {
  std::vector<git::StagedEntry> tracked{};
  std::vector<std::string> others{};
};
Result<DiskListing> listing_on_disk(git::Repo&);
std::unique_ptr<HostSide> hosts_on_disk(const std::string& root, const DiskListing&);

struct HostFiles {
  std::vector<powers::FilePair> files{};
  std::int64_t changed = 0;
};
/// document_too_large beyond powers::kMaxFiles.
Result<HostFiles> host_files(HostSide& before, HostSide& after);

}  // namespace gh::ops
