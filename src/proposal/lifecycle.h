#pragma once
// The transition table of proposals 4, and what the reviews of a proposal add up to (5).
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/proposal.h"
#include "policy/proposal_policy.h"
#include "proposal/finding.h"

namespace gh::proposal {

enum class Event : std::uint8_t {
  appear,
  submit,
  admission_failed,
  review,
  confirm,
  promote,
  promotion_failed,
  promotion_deferred,
  operator_reject,
  withdraw,
  successor_promoted,
  rollback
};
/// Who asks: by authenticated role, not by label. `gate` is the promotion gate itself.
enum class Asker : std::uint8_t {
  author_agent,
  other_agent,
  admin,
  required_reviewer,
  human_reviewer,
  trust_reviewer,
  promoter,
  gate
};
std::string_view to_string(Event);
std::string_view to_string(Asker);

struct Transition {
  PromotionStatus to = PromotionStatus::sandbox;
  std::string_view sub_state;  // empty: derived from the reviews
  std::optional<TrustLevel> trust;
};
/// nullopt: nobody may do that in this state, or not this asker. No state yet: from = nullopt.
std::optional<Transition> transition(std::optional<PromotionStatus> from, Event, Asker);

struct ReviewSummary {
  std::vector<std::string> status;  // the list of 2.1: "pending", or one value per reviewer
  std::string plain_status;         // one word of the plain 13-field form
  std::string sub_state;            // in_review, changes_requested, approved
  bool all_ok = false;
  std::vector<std::string> missing, changes, stale;  // reviewer names, in policy order
};
/// `reviews` in order of time; the last one of a reviewer on the current digest counts.
ReviewSummary summarise(const std::vector<Review>&, const policy::ProposalPolicy&,
                        std::string_view digest);

/// What a new review runs into (5): REVIEW_NOT_AUTHORIZED, REVIEW_NOT_INDEPENDENT, REVIEW_STALE,
/// REVIEW_STATE_INVALID; all that apply.
struct ReviewFacts {
  const Review& review;
  const policy::ProposalPolicy& policy;
  const std::vector<Review>& earlier;
  PromotionStatus state;
  std::string_view current_digest, author_actor, author_agent;
  bool lifts_refusal = false;  // a refused pair that waits for nothing but this review's waiver
};
std::vector<Finding> review_findings(const ReviewFacts&);

/// Why reviews that count are not independent of each other and of the author, in order of the
/// reviews; empty: they are.
std::vector<std::string> dependences(const std::vector<Review>& counting,
                                     const policy::ProposalPolicy&, std::string_view author_actor,
                                     std::string_view author_agent);

/// The reviews that count: per required reviewer the last one on `digest`, in policy order.
std::vector<Review> current_reviews(const std::vector<Review>&, const policy::ProposalPolicy&,
                                    std::string_view digest);

/// A reviewer's name that is itself a registered actor is that actor's alone.
bool may_speak_as(const policy::ProposalPolicy&, std::string_view actor, std::string_view reviewer);

/// Equal names that mean one person. Without a registry every local name is the same user in all
/// roles: separation of duties is off, and `doctor` says so (interfaces 0.6).
bool is_same_actor(const policy::ProposalPolicy&, std::string_view a, std::string_view b);

}  // namespace gh::proposal
