#pragma once
// Reads a git index by itself, so far as the marks in it go: git takes longer to list 100,000
// entries than to tell what differs in a hundred of them.
#include <optional>
#include <string_view>
#include <vector>

#include "git/listings.h"

namespace gh::git {

/// What parse_index_notes tells of the same index. None where git has to be asked: it is split or
/// sparse, has parts that are not known here, or leaves room for two readings.
std::optional<std::vector<IndexNote>> notes_in_index(std::string_view bytes, HashKind);

}  // namespace gh::git
