#pragma once
// Tries what would land together (proposals 7.2): the cumulative tree of a batch, and on failure
// whose fault it is. Changes nothing that anybody else sees.
#include <optional>
#include <string>
#include <vector>

#include "ops/promotion.h"
#include "ops/promotion_build.h"

namespace gh::ops {

/// A state of the target, and the proposal that led to it; none for the first.
struct Standing {
  git::Commit commit;
  std::string added_by{};
};

struct Trial {
  std::optional<std::string> target_fault{};  // the target fails without anything of the queue
  std::optional<std::string> culprit{};
  Measured measured{};  // of the culprit
};

/// `history` holds the heads that this run of the queue has seen, the present one last: a culprit
/// that passes on an earlier one does not go together with what landed since.
Result<Trial> try_together(ProposalSession&, Context&, const std::vector<Standing>& history,
                           const std::vector<Stored>& batch, TriedTrees&);

}  // namespace gh::ops
