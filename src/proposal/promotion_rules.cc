// The checks that only promotion asks: state, reviews, separation of duties, base, conflicts,
// dependencies, verification, other gates (A13 to A20).
#include "proposal/promotion_rules.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::proposal {
namespace {

using List = std::vector<Finding>;

// --------------------------------------------------------------------------------------- reviews

void add_missing_reviews(List& out, const ReviewSummary& summary) {
  std::vector<std::string> pending;
  for (const std::string& name : summary.missing)
    if (std::ranges::find(summary.stale, name) == summary.stale.end()) pending.push_back(name);
  if (!pending.empty())
    out.push_back({PropCode::PROP_REVIEW_PENDING,
                   fmt::format("no review yet by {}", join(pending, ", ")),
                   Map{{"reviewers", string_list(pending)}}});
  if (!summary.stale.empty())
    out.push_back({PropCode::PROP_REVIEW_STALE,
                   fmt::format("the review by {} is of another digest", join(summary.stale, ", ")),
                   Map{{"reviewers", string_list(summary.stale)}}});
}

/// A review names its base too; one of another base speaks of another candidate.
std::vector<std::string> reviews_of_other_bases(const std::vector<Review>& current,
                                                const ProposalMeta& meta) {
  std::vector<std::string> names;
  for (const Review& review : current)
    if (review.base_commit != meta.base_commit) names.push_back(review.reviewer);
  return names;
}

// --------------------------------------------------------------------------- separation of duties

bool is_reviewer_of(const AdmissionFacts& facts, std::string_view actor) {
  const auto current = current_reviews(facts.reviews, facts.policy, facts.digest);
  return std::ranges::any_of(current, [&](const Review& review) {
    return is_same_actor(facts.policy, review.actor, actor);
  });
}

std::optional<std::string> duty_defect(const AdmissionFacts& facts, std::string_view what,
                                       std::string_view actor) {
  if (is_same_actor(facts.policy, actor, facts.author_actor))
    return fmt::format("{} {} is the author", what, actor);
  if (facts.policy.not_promoter && is_reviewer_of(facts, actor))
    return fmt::format("{} {} is a required reviewer", what, actor);
  return {};
}

std::optional<std::string> promoter_defect(const AdmissionFacts& facts) {
  if (!facts.asker_may_promote)
    return fmt::format("{} holds neither the role promoter nor admin", facts.asker_actor);
  if (auto why = duty_defect(facts, "the gate", facts.gate_actor)) return why;
  return duty_defect(facts, "the asker", facts.asker_actor);
}

// ------------------------------------------------------------------------------------ stale bases

struct StaleRow {
  Staleness relation;
  std::optional<PropCode> answer;  // nullopt: promote
  std::string_view message;
};
// The codes of `conflict` and `diverged` belong to A17 and A6, which look up the same rows.
// table: stale relations
constexpr std::array<StaleRow, 6> kStale{{
    {Staleness::current, std::nullopt, ""},
    {Staleness::disjoint, std::nullopt, ""},
    {Staleness::overlap, PropCode::PROP_STALE_BASE,
     "the target changed affected files since the base; rebase"},
    {Staleness::conflict, PropCode::PROP_CONFLICT,
     "the change no longer applies on the target head"},
    {Staleness::diverged, PropCode::PROP_BASE_UNREACHABLE,
     "the base is no ancestor of the target head"},
    {Staleness::old, PropCode::PROP_STALE_BASE, "the base is too far behind the target head"},
}};

Map stale_details(const AdmissionFacts& facts) {
  Map details = facts.staleness_details;
  details.set("relation", to_string(*facts.staleness));
  return details;
}

/// Where a change no longer fits, as far as one line holds it.
std::string misfits_in(const Map& details) {
  const Value* value = details.find("misfits");
  std::vector<std::string> places;
  if (value != nullptr && value->as_list() != nullptr)
    for (const Value& item : *value->as_list()) {
      const Map* map = item.as_map();
      const Value* path = map == nullptr ? nullptr : map->find("path");
      const Value* line = map == nullptr ? nullptr : map->find("line");
      if (path != nullptr && path->as_string() != nullptr && places.size() < 5)
        places.push_back(printable(*path->as_string(), 120) +
                         (line != nullptr && line->as_int() != nullptr && *line->as_int() > 0
                              ? fmt::format(" (line {} of the diff)", *line->as_int())
                              : ""));
    }
  return places.empty() ? "" : ": " + join(places, ", ");
}

template <class T>
void add(List& out, const std::optional<T>& finding) {
  if (finding) out.push_back(*finding);
}

}  // namespace

std::optional<Finding> stale_finding(const AdmissionFacts& facts, PropCode wanted) {
  if (!facts.staleness) return {};
  const StaleRow& row = kStale[static_cast<std::size_t>(*facts.staleness)];
  if (row.answer == wanted)
    return Finding{wanted, std::string(row.message) + misfits_in(facts.staleness_details),
                   stale_details(facts)};
  const bool unwanted_merge =
      *facts.staleness == Staleness::disjoint && !facts.policy.allow_disjoint;
  if (unwanted_merge && wanted == PropCode::PROP_STALE_BASE)
    return Finding{wanted, "the target moved on, and the policy merges nothing (allow_disjoint)",
                   stale_details(facts)};
  return {};
}

Findings check_state(const AdmissionFacts& facts) {
  if (facts.state == PromotionStatus::proposed) return List{};
  return List{{.code = PropCode::PROP_STATE_INVALID,
               .message = fmt::format("the state is {}, not proposed", to_string(facts.state)),
               .next = facts.state == PromotionStatus::promoted ? "Nothing: it is promoted already."
                                                                : std::string()}};
}

Findings check_reviews(const AdmissionFacts& facts) {
  List out;
  const ReviewSummary summary = summarise(facts.reviews, facts.policy, facts.digest);
  const auto current = current_reviews(facts.reviews, facts.policy, facts.digest);
  if (!summary.changes.empty())
    out.push_back({PropCode::PROP_REVIEW_CHANGES,
                   fmt::format("changes are asked for by {}", join(summary.changes, ", ")),
                   Map{{"reviewers", string_list(summary.changes)}}});
  if (!summary.all_ok) add_missing_reviews(out, summary);
  if (const auto names = reviews_of_other_bases(current, *facts.meta); !names.empty())
    out.push_back({PropCode::PROP_REVIEW_STALE,
                   fmt::format("the review by {} is of another base", join(names, ", ")),
                   Map{{"reviewers", string_list(names)}}});
  const auto why = dependences(current, facts.policy, facts.author_actor, facts.meta->author_agent);
  if (!why.empty())
    out.push_back({PropCode::PROP_REVIEW_NOT_INDEPENDENT, join(why, "; "),
                   Map{{"causes", string_list(why)}}});
  return out;
}

Findings check_promoter(const AdmissionFacts& facts) {
  List out;
  if (const auto why = promoter_defect(facts))  // somebody else may ask: nothing ends by the asking
    out.push_back({.code = PropCode::PROP_NOT_PROMOTER, .message = *why, .waits = true});
  if (facts.policy.requires_human && !facts.confirmed_by_human)
    out.push_back({PropCode::PROP_CONFIRMATION_MISSING, "no human has confirmed the promotion"});
  return out;
}

Findings check_stale(const AdmissionFacts& facts) {
  if (!facts.staleness) return {};
  List out;
  add(out, stale_finding(facts, PropCode::PROP_STALE_BASE));
  return out;
}

Findings check_conflicts(const AdmissionFacts& facts) {
  List out = facts.conflicts;
  add(out, stale_finding(facts, PropCode::PROP_CONFLICT));
  return out;
}

Findings check_dependencies(const AdmissionFacts& facts) {
  if (facts.open_dependencies.empty()) return List{};
  return List{{PropCode::PROP_DEPENDENCY_OPEN,
               fmt::format("not promoted yet: {}", join(facts.open_dependencies, ", ")),
               Map{{"depends_on", string_list(facts.open_dependencies)}}}};
}

Findings check_verification(const AdmissionFacts& facts) {
  List out;
  add(out, facts.tree_fault);
  add(out, facts.verify_fault);
  if (out.empty() && !facts.verify_ran) return {};
  return out;
}

Findings check_other_gates(const AdmissionFacts& facts) {
  List out;
  if (!facts.in_intent_scope.value_or(true))
    out.push_back({PropCode::PROP_OUT_OF_SCOPE,
                   fmt::format("no intent '{}' has a scope that holds affected_files",
                               printable(facts.meta->intent_id, 80))});
  // The scope is a rule between fields too (3.8), so a submission hears of it; the gates speak
  // later.
  if (facts.phase == Phase::submit) return out.empty() ? Findings{} : Findings(out);
  add(out, facts.release_fault);
  return out;
}

}  // namespace gh::proposal
