#pragma once
// One promotion, from the lock to the compare-and-swap, for `proposal promote` and for the queue
// alike (proposals 7).
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ops/proposal_judge.h"
#include "ops/proposal_session.h"

namespace gh::ops {

/// Trees on which the commands of a policy passed in this very process: the same tree under the
/// same policy is not tried twice.
using TriedTrees = std::set<std::pair<std::string, std::string>>;  // policy digest, tree

/// What the queue found by trying `patch_id` together with others, before its promotion.
struct Measured {
  std::string head;  // commit of the target it was tried on; on any other it proves nothing
  std::optional<proposal::Finding> conflict{}, verify_fault{};
  std::vector<store::ConflictRow> pairs{};  // kept with the rejection
};

struct PromotionWishes {
  std::string integrate{};     // empty: the policy's
  std::string confirmation{};  // file with a request signed by a human; empty: asked at a terminal
  bool dry_run = false, exit_review = false;
  bool may_ask = true;  // false: it is known not to be admitted, so nobody is asked to confirm it
  const Measured* measured = nullptr;
  TriedTrees* tried = nullptr;
};

struct PromotionAnswer {
  Reply reply;
  proposal::Admission admission;
  std::optional<store::PromotionRow> landed{};
};

/// Takes the lock, settles what a crash left, judges from the stored bytes, lands or refuses.
/// conflict when `measured` speaks of another head than the target's.
Result<PromotionAnswer> promote_one(Context&, const std::string& patch_id, const PromotionWishes&);

}  // namespace gh::ops
