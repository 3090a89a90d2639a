#pragma once
// The queue of one target (proposals 7.2): its approved proposals in the order they are to land.
#include <string>
#include <vector>

#include "ops/proposal_session.h"
#include "proposal/finding.h"

namespace gh::ops {

/// Ids in queue order. One that an approved successor replaces is not waiting any more.
Result<std::vector<std::string>> queue_of(ProposalSession&);

/// A17: approved proposals ahead of this one that it cannot live with. It waits for their end, and
/// is not wrong by itself.
Result<std::vector<proposal::Finding>> conflicts_ahead(ProposalSession&, const Stored&);

/// Conflicts of a proposal that were measured, not forecast: they are kept when it is closed.
Result<std::vector<store::ConflictRow>> measured_conflicts(store::Ledger&,
                                                           const std::string& patch_id);

/// Puts a proposal in front of all others of its target; dependencies still come before it.
Status put_first(ProposalSession&, Context&, const std::string& patch_id);

}  // namespace gh::ops
