// Who a proposal is and what it may claim to be: identity (A4, proposals 8), signature (A3),
// statuses and trust (A5, 3.1, 3.8).
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "proposal/meta.h"
#include "proposal/rules.h"

namespace gh::proposal {
namespace {

using Status = PromotionStatus;

// -------------------------------------------------------------------------------- section 8, A4

void add_name_findings(std::vector<Finding>& out, const AdmissionFacts& facts) {
  const std::string& id = facts.meta->patch_id;
  if (!is_patch_id(id))
    out.push_back({PropCode::PROP_ID_INVALID,
                   fmt::format("patch_id '{}' is not 3 to 100 of a-z 0-9 in groups joined by '-'",
                               printable(id, 60))});
  if (!facts.file_stem.empty() && facts.file_stem != id)
    out.push_back({PropCode::PROP_ID_MISMATCH,
                   fmt::format("the files are named '{}', patch_id says '{}'",
                               printable(facts.file_stem, 60), printable(id, 60))});
  if (!facts.same_id) return;
  const Other& same = *facts.same_id;
  const bool is_another = same.digest != facts.digest;
  // The digest leaves the extension fields out; reviewers and the author spoke of these too.
  const bool is_bent = !is_another && !same.metadata_sha256.empty() &&
                       same.metadata_sha256 != metadata_digest(*facts.meta);
  const bool is_open_id = same.status == Status::sandbox && !same.reviewed;
  if ((!is_another && !is_bent) || is_open_id) return;
  out.push_back({PropCode::PROP_ID_TAKEN,
                 is_another
                     ? fmt::format("'{}' already is another proposal, in state {}", id,
                                   to_string(same.status))
                     : fmt::format("'{}' already is this change with other extension fields, "
                                   "in state {}",
                                   id, to_string(same.status)),
                 Map{{"digest", same.digest}, {"state", to_string(same.status)}}});
}

bool has_changed(const std::string& failed_input, const AdmissionFacts& facts) {
  const std::string check = failed_input.substr(0, failed_input.find(':'));
  return check_input(check, facts) != failed_input;
}

/// By its author, or by another of theirs that took its place: nothing in it failed.
bool was_taken_back(const Other& other) {
  return other.sub_state == "withdrawn" || other.sub_state == "superseded";
}

/// The same change may come again only as a successor in which something that failed is different;
/// in what its author took back nothing had failed.
bool is_honest_successor(const Other& rejected, const AdmissionFacts& facts) {
  const auto& names = facts.meta->supersedes;
  if (std::ranges::find(names, rejected.patch_id) == names.end()) return false;
  return was_taken_back(rejected) ||
         std::ranges::any_of(rejected.failed_inputs,
                             [&](const std::string& input) { return has_changed(input, facts); });
}

std::optional<Finding> duplicate_finding(const Other& other, const AdmissionFacts& facts) {
  if (other.target_ref != facts.target_ref) return {};    // one change may be for two branches
  const bool is_open = other.status == Status::proposed;  // a refused copy is nobody's obstacle
  if (is_open && other.base_commit == facts.meta->base_commit)
    return Finding{
        PropCode::PROP_DUPLICATE,
        fmt::format("'{}' is open and makes the same change on the same base", other.patch_id),
        Map{{"patch_id", other.patch_id}}};
  if (other.status == Status::rejected && !is_honest_successor(other, facts))
    return Finding{
        .code = PropCode::PROP_REPLAY,
        .message = fmt::format("'{}' made the same change and was {}", other.patch_id,
                               was_taken_back(other) ? other.sub_state : "rejected"),
        .details = Map{{"patch_id", other.patch_id}},
        .next = was_taken_back(other)
                    ? fmt::format(
                          "Its author brings it back under a new patch_id with 'supersedes: [{}]'.",
                          other.patch_id)
                    : std::string()};
  return {};
}

/// Repeats only at submit: what others send later must not end a proposal that was admitted before.
void add_repeat_findings(std::vector<Finding>& out, const AdmissionFacts& facts) {
  for (const Other& other : facts.same_patch)
    if (facts.phase == Phase::submit && other.patch_id != facts.meta->patch_id)
      if (auto finding = duplicate_finding(other, facts)) {
        out.push_back(*std::move(finding));
        break;  // the first is the one to look at
      }
  if (facts.already_applied)
    out.push_back({PropCode::PROP_ALREADY_APPLIED,
                   "every section of the diff is without effect on the target"});
}

// ------------------------------------------------------------------------------------ statuses, A5

bool is_review_value(std::string_view value, const policy::ProposalPolicy& policy) {
  return std::ranges::any_of(policy.required_reviewers, [&](const std::string& reviewer) {
    return value == reviewer + "_ok" || value == reviewer + "_changes";
  });
}

bool is_pending(const ProposalMeta& meta) {
  return meta.review_status == std::vector<std::string>{"pending"};
}

/// A reviewer speaks once: "pending" alone, or values of different reviewers.
bool is_review_status(const ProposalMeta& meta, const policy::ProposalPolicy& policy) {
  if (is_pending(meta)) return true;
  std::vector<std::string> reviewers;
  for (const std::string& value : meta.review_status) {
    if (!is_review_value(value, policy)) return false;
    std::string reviewer = value.substr(0, value.rfind('_'));
    if (std::ranges::find(reviewers, reviewer) != reviewers.end()) return false;
    reviewers.push_back(std::move(reviewer));
  }
  return !reviewers.empty();
}

/// The file says of the reviews what the record does not hold.
bool claims_reviews(const AdmissionFacts& facts, const ReviewSummary& summary) {
  if (is_pending(*facts.meta)) return false;
  if (facts.phase == Phase::submit) return true;
  return !std::ranges::all_of(facts.meta->review_status, [&](const std::string& value) {
    return std::ranges::find(summary.status, value) != summary.status.end();
  });
}

void add_review_findings(std::vector<Finding>& out, const AdmissionFacts& facts,
                         const ReviewSummary& summary) {
  if (!is_review_status(*facts.meta, facts.policy)) {
    out.push_back({PropCode::PROP_REVIEW_STATUS_INVALID,
                   fmt::format("review_status '{}' is no value of the required reviewers",
                               printable(join(facts.meta->review_status, ", "), 80))});
  } else if (claims_reviews(facts, summary)) {
    out.push_back({PropCode::PROP_REVIEW_FORGED,
                   fmt::format("review_status says {}, the record says {}",
                               join(facts.meta->review_status, ", "), join(summary.status, ", "))});
  }
}

bool is_final(Status status) { return status == Status::promoted || status == Status::rejected; }

void add_promotion_findings(std::vector<Finding>& out, const AdmissionFacts& facts) {
  const std::string& word = facts.meta->promotion_status;
  const auto status = promotion_status_of(word);
  const Status record = facts.phase == Phase::submit ? Status::sandbox : facts.state;
  if (!status) {
    out.push_back({PropCode::PROP_PROMOTION_STATUS_INVALID,
                   fmt::format("promotion_status '{}' is none of sandbox, proposed, promoted, "
                               "rejected",
                               printable(word, 60))});
  } else if (is_final(*status) && *status != record) {
    out.push_back({PropCode::PROP_PROMOTION_FORGED,
                   fmt::format("promotion_status says {}, which only the gate writes", word)});
  }
}

void add_trust_findings(std::vector<Finding>& out, const AdmissionFacts& facts) {
  const std::string& word = facts.meta->trust_level;
  const auto level = trust_level_of(word);
  const std::string signer = facts.signature.signer.value_or("");
  TrustLevel most = ceiling_of(facts.policy, signer);
  if (facts.phase == Phase::promote && facts.trust_of_record)
    most = std::max(most, *facts.trust_of_record);
  if (!level) {
    out.push_back({PropCode::PROP_TRUST_INVALID,
                   fmt::format("trust_level '{}' is none of untrusted, community, reviewed, "
                               "promoted",
                               printable(word, 60))});
  } else if (*level > most) {
    out.push_back({PropCode::PROP_TRUST_EXCEEDED,
                   fmt::format("trust_level is {}, at most {} is allowed", word, to_string(most)),
                   Map{{"ceiling", to_string(most)}}});
  }
}

/// The cross-field rows of 3.8.
std::optional<std::string> inconsistency(const AdmissionFacts& facts,
                                         const ReviewSummary& reviews) {
  const ProposalMeta& meta = *facts.meta;
  if ((meta.trust_level == "promoted") != (meta.promotion_status == "promoted"))
    return "trust_level and promotion_status are promoted together or not at all";
  if (meta.trust_level == "reviewed" && !reviews.all_ok)
    return "trust_level is reviewed, but not all required reviews are ok";
  if (meta.promotion_status == "sandbox" && !is_pending(meta))
    return "promotion_status is sandbox, but review_status is not pending";
  if (meta.promotion_status == "rejected" && !facts.failed_check_recorded)
    return "promotion_status is rejected, but no failed check is recorded";
  return {};
}

}  // namespace

bool is_patch_id(std::string_view id) {
  if (id.size() < 3 || id.size() > 100) return false;
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return std::ranges::all_of(split(id, '-'), [&](std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, is_word);
  });
}

TrustLevel ceiling_of(const policy::ProposalPolicy& policy, std::string_view signer) {
  const policy::RegisteredActor* actor = policy::find_actor(policy, signer);
  if (actor == nullptr) return TrustLevel::untrusted;
  return actor->ceiling == "community" ? TrustLevel::community : TrustLevel::untrusted;
}

Findings check_signature(const AdmissionFacts& facts) {
  using policy::SignatureMode;
  const SignatureFacts& s = facts.signature;
  if (facts.policy.signatures == SignatureMode::off) return std::vector<Finding>{};
  if (!s.present && facts.policy.signatures == SignatureMode::required)
    return std::vector<Finding>{
        {PropCode::PROP_SIGNATURE_MISSING, "the policy requires a signature and there is none"}};
  if (!s.present) return std::vector<Finding>{};
  if (s.fault) return std::vector<Finding>{*s.fault};
  if (!s.signer || policy::find_actor(facts.policy, *s.signer) == nullptr)
    return std::vector<Finding>{{PropCode::PROP_ACTOR_UNKNOWN,
                                 "the signature holds, but its key belongs to no actor of the "
                                 "registry"}};
  return std::vector<Finding>{};
}

Findings check_identity(const AdmissionFacts& facts) {
  std::vector<Finding> out;
  add_name_findings(out, facts);
  add_repeat_findings(out, facts);
  return out;
}

Findings check_statuses(const AdmissionFacts& facts) {
  std::vector<Finding> out;
  const ReviewSummary reviews = summarise(facts.reviews, facts.policy, facts.digest);
  add_trust_findings(out, facts);
  add_review_findings(out, facts, reviews);
  add_promotion_findings(out, facts);
  out.insert(out.end(), facts.record_faults.begin(), facts.record_faults.end());
  if (const auto why = inconsistency(facts, reviews))
    out.push_back({PropCode::PROP_STATE_INCONSISTENT, *why});
  return out;
}

}  // namespace gh::proposal
