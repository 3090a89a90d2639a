#pragma once
// Which objects a diff of git leads from and to, file by file. Decided by the lines that git writes
// above the hunks, so that it can be told of binary files too, which have no hunks.
#include <cstddef>
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

/// What a hunk finds in the content before: context, and the lines that it takes away. Less context
/// than git shows is the beginning or the end of the content.
struct ExpectedLines {
  std::size_t start = 0;  // where the first of them is, counted from 0
  std::vector<std::string_view> lines{};
  std::size_t above = 0, below = 0;  // lines of context before the first change and after the last
};
inline constexpr std::size_t kContextLines = 3;
struct FileHunks {
  BlobIds file;
  std::vector<ExpectedLines> hunks{};
};

/// Of a diff without renames that names files "a/PATH" and "b/PATH"; what it says in no such way is
/// left out. Files of which only the mode changes have no such line.
std::vector<BlobIds> blob_ids(std::string_view diff);
/// The same files with their hunks. The lines point into `diff`.
std::vector<FileHunks> hunks_of(std::string_view diff);

}  // namespace gh::diff
