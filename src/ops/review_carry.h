#pragma once
// Reads and writes what carries reviews over a rebase: gatehouse.review_carry/1 in the ledger, by
// digest in the body of the proposal (`carried`).
#include <string>
#include <vector>

#include "ops/proposal_session.h"
#include "proposal/carry.h"

namespace gh::ops {

/// The documents that a proposal's body names, in order.
Result<std::vector<Value>> carry_documents(store::Ledger&, const store::ProposalRow&);

/// Reviews of earlier proposals that were carried to this one and hold, as they count for it. One
/// that does not hold is left out: `proposal verify` says why.
Result<std::vector<Review>> carried_reviews(store::Ledger&, const Stored&);

/// Carries the reviews of `from` that count to `to`, a proposal about to be stored: documents into
/// the change, digests into the body of the row, reviews into `to`. Nothing unless the policy says
/// identical_patch and the patches are.
Status carry_over(ProposalSession&, Context&, const Stored& from, Stored& to, store::Change&);

/// The reviewed patch, put on the other base by the gate's own rule of one place, is this one.
Result<bool> is_moved_by_the_gate(git::Repo&, const std::string& from, std::string_view from_base,
                                  std::string_view to, std::string_view to_base);

}  // namespace gh::ops
