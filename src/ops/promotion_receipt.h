#pragma once
// What a promotion says about itself: the message of its commit with the trailers, and the receipt.
#include <string>
#include <string_view>

#include "git/repo.h"
#include "model/verdict.h"
#include "ops/promotion_build.h"
#include "ops/proposal_session.h"

namespace gh::ops {

/// Author and committer: a name of the registry has no address.
git::Identity identity_of(const std::string& actor);

std::string subject_of(const ProposalMeta&);
/// Text of a proposal, line by line, without anything that could drive a terminal.
std::string safe_lines(std::string_view text);

std::string commit_message(const Stored&, const policy::ProposalPolicy&, const std::string& receipt,
                           const std::string& promoter);

/// gatehouse.receipt/1 of kind promotion; signed when the repository has a key.
Result<store::Document> make_receipt(ProposalSession&, Context&, const Stored&, const Built&,
                                     const std::string& admission_digest, const Actor&,
                                     const Verdict&, bool rollback_proven);

}  // namespace gh::ops
