// What the reviews of a proposal add up to, and what a new one runs into (proposals 2.1, 5).
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "proposal/lifecycle.h"
#include "proposal/words.h"

namespace gh::proposal {
namespace {

using Policy = policy::ProposalPolicy;

bool is_required(const Policy& policy, std::string_view reviewer) {
  return std::ranges::find(policy.required_reviewers, reviewer) != policy.required_reviewers.end();
}

const Review* last_of(const std::vector<Review>& reviews, std::string_view reviewer,
                      std::string_view digest) {
  const Review* last = nullptr;
  for (const Review& review : reviews)
    if (review.reviewer == reviewer && review.proposal_digest == digest) last = &review;
  return last;
}

bool spoke_of_another(const std::vector<Review>& reviews, std::string_view reviewer,
                      std::string_view digest) {
  return std::ranges::any_of(reviews, [&](const Review& review) {
    return review.reviewer == reviewer && review.proposal_digest != digest;
  });
}

std::int64_t needed(const Policy& policy) {
  return policy.quorum == 0 ? static_cast<std::int64_t>(policy.required_reviewers.size())
                            : policy.quorum;
}

std::string value_of(const Review& review) {
  return fmt::format("{}_{}", review.reviewer, to_string(review.verdict));
}

/// One word for many: pending until enough have spoken, then the last objection, else the last ok.
std::string plain_status(const std::vector<Review>& current, std::int64_t enough) {
  if (static_cast<std::int64_t>(current.size()) < enough) return "pending";
  const auto objection = std::find_if(current.rbegin(), current.rend(), [](const Review& r) {
    return r.verdict == ReviewVerdict::changes;
  });
  return value_of(objection == current.rend() ? current.back() : *objection);
}

std::string provider_of(const Policy& policy, std::string_view actor) {
  const policy::RegisteredActor* known = policy::find_actor(policy, actor);
  return known == nullptr ? "" : known->provider;
}

/// The reviewer's name is the author's model, or the first word of it: gemini and gemini-2.5-pro.
bool is_model_of(std::string_view reviewer, std::string_view author_agent) {
  const std::string model = lower(author_agent.substr(0, author_agent.find(" / ")));
  return model.starts_with(reviewer) &&
         (model.size() == reviewer.size() || !is_word_byte(model[reviewer.size()]));
}

std::optional<std::string> author_dependence(const Review& review, const Policy& policy,
                                             std::string_view author_actor,
                                             std::string_view author_agent) {
  if (!policy.not_author) return {};
  if (is_same_actor(policy, review.actor, author_actor))
    return fmt::format("{} ({}) is the author", review.reviewer, review.actor);
  if (is_model_of(review.reviewer, author_agent))
    return fmt::format("{} is the model that wrote the proposal", review.reviewer);
  return {};
}

std::optional<std::string> mutual_dependence(const Review& a, const Review& b,
                                             const Policy& policy) {
  if (policy.distinct_actor && is_same_actor(policy, a.actor, b.actor))
    return fmt::format("{} and {} are one actor, {}", a.reviewer, b.reviewer, a.actor);
  const std::string provider = provider_of(policy, a.actor);
  if (policy.distinct_provider && !provider.empty() && provider == provider_of(policy, b.actor))
    return fmt::format("{} and {} are of one provider, {}", a.reviewer, b.reviewer, provider);
  return {};
}

std::optional<std::string> authorisation_defect(const ReviewFacts& facts) {
  const Review& review = facts.review;
  if (!is_required(facts.policy, review.reviewer))
    return fmt::format("'{}' is no required reviewer", printable(review.reviewer, 60));
  if (facts.policy.actors.empty()) return {};
  const policy::RegisteredActor* actor = policy::find_actor(facts.policy, review.actor);
  if (actor == nullptr || !policy::has_role(*actor, "reviewer"))
    return fmt::format("actor '{}' does not hold the role reviewer", printable(review.actor, 60));
  if (!may_speak_as(facts.policy, review.actor, review.reviewer))
    return fmt::format("actor '{}' cannot speak as '{}'", printable(review.actor, 60),
                       printable(review.reviewer, 60));
  const Review* before = last_of(facts.earlier, review.reviewer, facts.current_digest);
  if (before != nullptr && before->actor != review.actor)
    return fmt::format("'{}' has spoken as {} already", printable(before->actor, 60),
                       review.reviewer);
  return {};
}

/// The name or the actor that promotes cannot be one that reviews.
std::optional<std::string> promoter_dependence(const Review& review, const Policy& policy) {
  if (!policy.not_promoter) return {};
  const bool is_gate = review.reviewer == policy.promotion_gate ||
                       is_same_actor(policy, review.actor, policy.promotion_gate);
  if (!is_gate) return {};
  return fmt::format("{} holds the promotion gate", review.actor);
}

std::optional<std::string> independence_defect(const ReviewFacts& facts) {
  const Review& review = facts.review;
  if (auto why = author_dependence(review, facts.policy, facts.author_actor, facts.author_agent))
    return why;
  if (auto why = promoter_dependence(review, facts.policy)) return why;
  for (const Review& other : current_reviews(facts.earlier, facts.policy, facts.current_digest))
    if (other.reviewer != review.reviewer)
      if (auto why = mutual_dependence(other, review, facts.policy)) return why;
  return {};
}

}  // namespace

bool may_speak_as(const policy::ProposalPolicy& policy, std::string_view actor,
                  std::string_view reviewer) {
  return actor == reviewer || policy::find_actor(policy, reviewer) == nullptr;
}

bool is_same_actor(const policy::ProposalPolicy& policy, std::string_view a, std::string_view b) {
  const bool is_nobody = policy.actors.empty() && a.starts_with("local:");
  return !a.empty() && a == b && !is_nobody;
}

std::vector<Review> current_reviews(const std::vector<Review>& reviews,
                                    const policy::ProposalPolicy& policy, std::string_view digest) {
  std::vector<Review> out;
  for (const std::string& reviewer : policy.required_reviewers)
    if (const Review* last = last_of(reviews, reviewer, digest)) out.push_back(*last);
  return out;
}

ReviewSummary summarise(const std::vector<Review>& reviews, const policy::ProposalPolicy& policy,
                        std::string_view digest) {
  ReviewSummary out;
  std::int64_t agreed = 0;
  const std::vector<Review> current = current_reviews(reviews, policy, digest);
  for (const Review& review : current) {
    out.status.push_back(value_of(review));
    if (review.verdict == ReviewVerdict::changes) {
      out.changes.push_back(review.reviewer);
    } else {
      ++agreed;
    }
  }
  for (const std::string& reviewer : policy.required_reviewers) {
    if (last_of(reviews, reviewer, digest) != nullptr) continue;
    out.missing.push_back(reviewer);
    if (spoke_of_another(reviews, reviewer, digest)) out.stale.push_back(reviewer);
  }
  if (out.status.empty()) out.status = {"pending"};
  out.plain_status = plain_status(current, needed(policy));
  out.all_ok = out.changes.empty() && agreed >= needed(policy);
  out.sub_state = !out.changes.empty() ? "changes_requested"
                  : out.all_ok         ? "approved"
                                       : "in_review";
  return out;
}

std::vector<std::string> dependences(const std::vector<Review>& counting,
                                     const policy::ProposalPolicy& policy,
                                     std::string_view author_actor, std::string_view author_agent) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < counting.size(); ++i) {
    if (auto why = author_dependence(counting[i], policy, author_actor, author_agent))
      out.push_back(*std::move(why));
    for (std::size_t j = 0; j < i; ++j)
      if (auto why = mutual_dependence(counting[j], counting[i], policy))
        out.push_back(*std::move(why));
  }
  return out;
}

std::vector<Finding> review_findings(const ReviewFacts& facts) {
  std::vector<Finding> out;
  if (const auto why = authorisation_defect(facts))
    out.push_back({PropCode::REVIEW_NOT_AUTHORIZED, *why});
  if (const auto why = independence_defect(facts))
    out.push_back({PropCode::REVIEW_NOT_INDEPENDENT, *why});
  if (facts.review.proposal_digest != facts.current_digest)
    out.push_back({PropCode::REVIEW_STALE,
                   fmt::format("the review is of digest {}, the proposal has {}",
                               printable(facts.review.proposal_digest, 64), facts.current_digest)});
  const bool is_open = facts.state == PromotionStatus::proposed ||
                       (facts.state == PromotionStatus::sandbox && facts.lifts_refusal);
  if (!is_open)
    out.push_back({PropCode::REVIEW_STATE_INVALID,
                   fmt::format("the proposal is {}, not proposed", to_string(facts.state))});
  return out;
}

}  // namespace gh::proposal
