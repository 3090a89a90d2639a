#pragma once
// The rows of a proposal as documents: what the mirror writes, and what the audit chain seals.
#include <array>
#include <string_view>

#include "store/ledger.h"

namespace gh::store {

struct ProposalText {
  std::string_view name;
  std::string ProposalRow::*member;
};
inline constexpr std::array<ProposalText, 16> kProposalTexts{{
    {"patch_id", &ProposalRow::patch_id},
    {"digest", &ProposalRow::digest},
    {"canonical_sha256", &ProposalRow::canonical_sha256},
    {"diff_sha256", &ProposalRow::diff_sha256},
    {"author_agent", &ProposalRow::author_agent},
    {"actor", &ProposalRow::actor},
    {"trust_level", &ProposalRow::trust_level},
    {"promotion_status", &ProposalRow::promotion_status},
    {"sub_state", &ProposalRow::sub_state},
    {"base_commit", &ProposalRow::base_commit},
    {"candidate_tree", &ProposalRow::candidate_tree},
    {"target_ref", &ProposalRow::target_ref},
    {"source_gap", &ProposalRow::source_gap},
    {"created_utc", &ProposalRow::created_utc},
    {"received_utc", &ProposalRow::received_utc},
    {"updated_utc", &ProposalRow::updated_utc},
}};

struct PromotionText {
  std::string_view name;
  std::string PromotionRow::*member;
};
inline constexpr std::array<PromotionText, 9> kPromotionTexts{{
    {"patch_id", &PromotionRow::patch_id},
    {"commit_id", &PromotionRow::commit_id},
    {"branch", &PromotionRow::branch},
    {"target_ref", &PromotionRow::target_ref},
    {"old_head", &PromotionRow::old_head},
    {"new_head", &PromotionRow::new_head},
    {"promoter", &PromotionRow::promoter},
    {"rollback_commit", &PromotionRow::rollback_commit},
    {"created_utc", &PromotionRow::created_utc},
}};

/// Every column but `rev`, which counts the writings of one ledger, and the plan of a promotion
/// that is under way in it.
Value row_value(const ProposalRow&);
Value promotion_value(const PromotionRow&);

}  // namespace gh::store
