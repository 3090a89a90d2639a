#pragma once
// Which objects a diff of git leads from and to, file by file. Decided by the lines that git writes
// above the hunks, so that it can be told of binary files too, which have no hunks.
#include <string>
#include <string_view>
#include <vector>

namespace gh::diff {

/// Empty ids: there is no file on that side. Both are as long as the diff has them.
struct BlobIds {
  std::string path;  // bytes
  std::string before, after;
  bool operator==(const BlobIds&) const = default;
};

/// Of a diff without renames that names files "a/PATH" and "b/PATH"; what it says in no such way is
/// left out. Files of which only the mode changes have no such line.
std::vector<BlobIds> blob_ids(std::string_view diff);

}  // namespace gh::diff
