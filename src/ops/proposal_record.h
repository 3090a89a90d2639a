#pragma once
// Writes what was decided about a proposal: one ledger transaction with its audit row, then the
// copy that travels with git (proposals 11).
#include <string>
#include <string_view>
#include <vector>

#include "ops/proposal_judge.h"
#include "ops/proposal_mirror.h"
#include "ops/proposal_session.h"

namespace gh::ops {

/// gatehouse.admission/1 as a ledger document; the digest names it everywhere.
store::Document admission_record(const proposal::Admission&, std::string_view patch_id,
                                 std::string_view digest, Timestamp now);
store::AdmissionRow admission_row(const proposal::Admission&, const store::Document&,
                                  std::string_view patch_id, Timestamp now);

/// Commits the change and mirrors the proposal. A mirror that cannot be written is a notice: the
/// ledger stands, and `proposal export` makes it good.
Status record(ProposalSession&, Context&, const store::Change&, std::string_view patch_id);

/// Brings refs/gatehouse/* up to date for these proposals, and for the audit chain.
Status mirror(ProposalSession&, Context&, const std::vector<std::string>& patch_ids,
              Trust = Trust::ends);

/// gatehouse.proposal_status/1: what became of it, or why nothing did.
Reply status_reply(const Stored&, const std::vector<proposal::Finding>&, const std::string& says);

/// proposals 6: where nothing was promoted the answer is no, unless the caller asks for shades.
ExitCode promotion_exit(gh::Decision, bool exit_review);

/// Reply of every operation that ends in an admission document.
enum class Kept : std::uint8_t { yes, no };
Reply admission_reply(const ProposalSession&, const Context&, const proposal::Admission&,
                      const store::Document&, const Judgement&, bool exit_review, Kept = Kept::yes);

/// Judges a pair (A1 to A12); with `keep` the answer becomes a record.
Result<Reply> submit_pair(ProposalSession&, Context&, const Pair&, bool keep);

}  // namespace gh::ops
