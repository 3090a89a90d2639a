#pragma once
// Rows of the proposal tables: writing inside a transaction of the ledger, and reading. What the
// words in them mean is the proposal module's business.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "store/sql.h"

namespace gh::store {

/// Everything of `change` that belongs to proposals, stamped with the audit row `seq`.
Status write_proposals(Connection&, const Change& change, std::int64_t seq);

Result<std::optional<ProposalRow>> read_proposal(Connection&, std::string_view patch_id);
Result<std::vector<ProposalRow>> read_proposals(Connection&, const ProposalFilter&);
Result<std::int64_t> count_proposals(Connection&, const ProposalFilter&);
Result<std::vector<ProposalFile>> read_files(Connection&, std::string_view patch_id);
Result<std::vector<ReviewRow>> read_reviews(Connection&, std::string_view patch_id);
Result<std::vector<AdmissionRow>> read_admissions(Connection&, std::string_view patch_id);
Result<std::optional<PromotionRow>> read_promotion(Connection&, std::string_view patch_id);
Result<std::vector<ConflictRow>> read_conflicts(Connection&, std::string_view patch_id);

}  // namespace gh::store
