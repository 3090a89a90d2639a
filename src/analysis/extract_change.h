// The extract of a run that was told from another, from the parts of that one.
#pragma once

#include <deque>
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
  std::vector<std::pair<RunInput, RunInput>> inputs{};  // before and after
  List dead_code{};                                     // all items of that list
  std::vector<std::string> dead_ids{};                  // ids of all its findings, in their order
};
/// `before` is the head of the earlier one. Parts that are as they were are empty. json_invalid
/// where the change does not fit them.
Result<ExtractBytes> changed_extract(std::string_view before, const RunExtract::ReadPart&,
                                     const Value& frame, const ExtractChange&);

}  // namespace gh::analysis
