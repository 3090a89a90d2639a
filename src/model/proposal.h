#pragma once
// The proposal as a value (proposals 2, 5): metadata, reviews and the words of their states.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh {

enum class TrustLevel : std::uint8_t { untrusted, community, reviewed, promoted };  // in order
enum class PromotionStatus : std::uint8_t { sandbox, proposed, promoted, rejected };
std::string_view to_string(TrustLevel);
std::string_view to_string(PromotionStatus);
std::optional<TrustLevel> trust_level_of(std::string_view);
std::optional<PromotionStatus> promotion_status_of(std::string_view);

/// *.patch.meta.yaml after its types were checked; the field rules are judged by `proposal`.
struct ProposalMeta {
  std::string patch_id, author_agent;
  std::string trust_level;  // as written; a word outside the enum is a finding, not a type error
  std::string source_gap;
  std::vector<std::string> affected_files;
  std::string base_commit;
  std::vector<std::string> tests_added, commands_run;
  std::string risk_notes;
  std::vector<std::string> review_status;  // "pending", or one value per reviewer who has spoken
  std::string promotion_status;            // as written
  std::string rollback_notes, created_utc;
  // extension fields (2.2)
  std::string schema, title;
  std::vector<std::string> supersedes, depends_on;
  std::string target_ref, diff_sha256, intent_id;
  Value command_results, sandbox;
  Map extra;  // keys that start with x_

  bool operator==(const ProposalMeta&) const = default;
};

enum class ReviewVerdict : std::uint8_t { ok, changes };
std::string_view to_string(ReviewVerdict);
std::optional<ReviewVerdict> review_verdict_of(std::string_view);

struct ReviewReason {
  std::string code, file{};
  std::int64_t line = 0;  // 0: none
  std::string text{};
  bool operator==(const ReviewReason&) const = default;
};

/// What a reviewer saw, where the review counts for another proposal than that.
struct ReviewOrigin {
  std::string patch_id, proposal_digest, base_commit, candidate_tree;
  bool operator==(const ReviewOrigin&) const = default;
};

/// gatehouse.review/1, bound to one digest, base and tree.
struct Review {
  std::string patch_id, proposal_digest, base_commit, candidate_tree;
  std::string reviewer;  // name in the policy
  std::string actor;     // who spoke, as authenticated
  ReviewVerdict verdict = ReviewVerdict::ok;
  std::vector<ReviewReason> reasons{};
  std::vector<std::string> checked{};  // diff, tests, risk, rollback, scope
  std::string tool{}, created_utc{}, signature{};
  std::optional<ReviewOrigin> origin{};  // carried over; its record and signature are of this
  bool operator==(const Review&) const = default;
};

}  // namespace gh
