#pragma once
// Where the hunks of a file stand, told so that it holds after others have changed the file above
// and below them: of all places at which the lines of a hunk would fit, which one it is.
#include <cstddef>
#include <string_view>
#include <vector>

#include "diff/blob_ids.h"

namespace gh::diff {

struct Place {
  std::size_t fits = 0;    // places of the content that have just these lines; 0: nobody counted
  std::size_t before = 0;  // those of them that begin above this one
  bool operator==(const Place&) const = default;
};

/// One for each hunk, of a diff with kContextLines. Nobody counts lines that are not where the hunk has them, nor those of the
/// hunks that are left when a content that repeats itself has taken too much comparing.
std::vector<Place> places_of(const std::vector<ExpectedLines>&, std::string_view content);

}  // namespace gh::diff
