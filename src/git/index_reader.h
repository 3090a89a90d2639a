#pragma once
// Reads a git index by itself, so far as the marks in it go: git takes longer to list 100,000
// entries than to tell what differs in a hundred of them.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/listings.h"

namespace gh::git {

/// What parse_index_notes tells of the same index. None where git has to be asked: it is split or
/// sparse, has parts that are not known here, or leaves room for two readings.
std::optional<std::vector<IndexNote>> notes_in_index(std::string_view bytes, HashKind);

/// A merged entry that was added, also one that a sparse checkout leaves out, with what git knows
/// its file again by. Cut to what an index has room for.
struct IndexedFile {
  std::string path{}, mode{}, id{};
  std::uint32_t ctime_s = 0, ctime_ns = 0, mtime_s = 0, mtime_ns = 0, inode = 0, size = 0;
};
using WantedFile = std::function<bool(std::string_view path, std::uint32_t mode)>;
/// In the order of the index. None as above.
std::optional<std::vector<IndexedFile>> files_in_index(std::string_view bytes, HashKind,
                                                       const WantedFile&);

}  // namespace gh::git
