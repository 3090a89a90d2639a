// The extract of a run that was told from another, from the parts of that one.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/report_change.h"
#include "analysis/run_extract.h"

namespace gh::analysis {

/// How the run differs from the one that it was told from.
struct ExtractChange {
  std::deque<ListChange> lists{};
  // Before and after; without a path where there is none.
  std::vector<std::pair<RunInput, RunInput>> inputs{};
  List dead_code{};  // all items of that list
  // Ids of all findings, in their order, of each list of them that is another one, by its path.
  std::map<std::string, std::vector<std::string>, std::less<>> ids{};
};
/// `before` is the head of the earlier one. Parts that are as they were are empty. json_invalid
/// where the change does not fit them.
Result<ExtractBytes> changed_extract(std::string_view before, const RunExtract::ReadPart&,
                                     const Value& frame, const ExtractChange&);

}  // namespace gh::analysis
