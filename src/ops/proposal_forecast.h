#pragma once
// How open proposals of one target get on with each other (proposals 7.2): forecast when one
// arrives, asked again when one is promoted.
#include <optional>
#include <string_view>
#include <vector>

#include "ops/proposal_session.h"

namespace gh::ops {

/// How a proposal gets on with the other open ones of its target, as rows to store.
Result<std::vector<store::ConflictRow>> forecast_conflicts(ProposalSession&, const Stored&);

/// Does `second` apply on `head` once `first` is in? Asked of git, in quarantine. nullopt: `first`
/// does not apply by itself, so the order tells nothing.
Result<std::optional<bool>> applies_after(git::Repo&, const git::Commit& head,
                                          std::string_view first, std::string_view second);

}  // namespace gh::ops
