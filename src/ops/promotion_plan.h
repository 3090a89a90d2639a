#pragma once
// What a promotion or rollback means to do, kept in the ledger before any ref moves
// (docs/adr/0010), and how it ends: finished, undone after a crash, or refused.
#include <optional>
#include <string>
#include <vector>

#include "ops/proposal_record.h"
#include "ops/proposal_session.h"

namespace gh::ops {

struct Landing {
  std::string kind = "promote";  // promote, rollback
  std::string commit, branch, target_ref, old_head, new_head, promoter, receipt, admission;
  std::string reason{};
  bool rollback_proven = false;
};

/// nullopt when nothing was left half done.
std::optional<Landing> pending_plan(const store::ProposalRow&);

/// Written and flushed before any ref moves, so that whoever comes after a crash knows what was
/// meant. A rollback has no receipt and no admission.
Status write_plan(ProposalSession&, Context&, Stored&, const Landing&,
                  const store::Document* receipt, const store::Document* admission,
                  const proposal::Admission*, const store::Lease&);

/// A ref was moved, no file: whoever has that branch checked out must hear of it, once for all that
/// landed. Nothing is said when the index holds the new state already.
Status tell_about_work_tree(git::Repo&, Context&, const std::string& target_ref,
                            const std::string& old_head, const std::string& new_head);

/// After the commit point: statuses, promotion row, audit, all in one transaction.
Status finish_landing_of(ProposalSession&, Context&, Stored&, const Landing&,
                         const std::optional<store::Lease>&);

/// A decision against promotion: rejected for good, or as it was with an audit row. `pairs` are
/// conflicts that were measured and stay with a rejection.
Status record_refusal(ProposalSession&, Context&, Stored&, const proposal::Admission&,
                      const store::Document&, const std::vector<std::string>& failed_inputs,
                      const Actor& asker, const std::vector<store::ConflictRow>& pairs);

/// Compares refs with the ledger: what reached its commit point is finished, the rest undone. Says
/// which; empty when there was nothing to settle.
Result<std::string> settle(ProposalSession&, Context&, const std::string& patch_id);

/// The same for every proposal that something was left of. The caller holds the promotion lock.
Result<std::vector<std::string>> settle_all(ProposalSession&, Context&);

}  // namespace gh::ops
