#pragma once
// The rows of the `proposals` block. Private to policy.
#include "policy/key_table.h"
#include "policy/proposal_policy.h"

namespace gh::policy {

/// The block over the defaults.
Result<ProposalPolicy> load_proposal_block(const Value& block, const At&);

/// The key `actors` (proposals 9).
Status load_actors(ProposalPolicy&, const Value&, const At&);
Value show_actors(const ProposalPolicy&);

}  // namespace gh::policy
