#include "ops/review_carry.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "ops/members.h"
#include "ops/proposal_judge.h"
#include "proposal/lifecycle.h"
#include "proposal/meta.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

proposal::CarrySide side_of(const Stored& stored, const diff::Patch& patch) {
  return {.meta = stored.meta,
          .patch = patch,
          .digest = stored.row.digest,
          .report_sha256 = stored.report_sha256,
          .base_commit = stored.row.base_commit,
          .candidate_tree = stored.row.candidate_tree};
}

Result<diff::Patch> patch_of(const Stored& stored) {
  auto patch = diff::parse(stored.canonical, diff::Profile::git, diff::Position::exact);
  if (!patch) return fail(Code::ledger_unavailable, "a canonical patch cannot be read back");
  return std::move(*patch);
}

std::string sha256_of(const Map& document) {
  return digest_of(wire::canonical_json(document)).hex();
}

}  // namespace

Result<bool> is_moved_by_the_gate(git::Repo& repo, const std::string& from,
                                  std::string_view from_base, std::string_view to,
                                  std::string_view to_base) {
  if (from_base == to_base) return false;
  GH_TRY(onto, repo.objects().commit(to_base));
  GH_TRY(placed, placed_on(repo, from, onto));
  return placed && *placed == to;
}

Result<std::vector<Value>> carry_documents(store::Ledger& ledger, const store::ProposalRow& row) {
  std::vector<Value> out;
  for (const std::string& digest : texts_in(row.body, "carried")) {
    GH_TRY(document, ledger.document(digest));
    if (document) out.push_back(std::move(*document));
  }
  return out;
}

Result<std::vector<Review>> carried_reviews(store::Ledger& ledger, const Stored& stored) {
  std::vector<Review> out;
  GH_TRY(documents, carry_documents(ledger, stored.row));
  if (documents.empty()) return out;
  GH_TRY(mine, patch_of(stored));
  for (const Value& document : documents) {
    const auto carry = proposal::carry_from_document(document);
    if (!carry || carry->from_patch_id == stored.row.patch_id) continue;
    auto from = load_without_reviews(ledger, carry->from_patch_id);
    GH_TRY(said, ledger.reviews(carry->from_patch_id));
    const auto last = std::find_if(said.rbegin(), said.rend(), [&](const store::ReviewRow& row) {
      return row.reviewer == carry->reviewer && row.digest == carry->from_proposal_digest;
    });
    if (last == said.rend() || last->sha256 != carry->review_sha256) continue;  // taken back since
    GH_TRY(kept, ledger.document(carry->review_sha256));
    const auto review = kept ? proposal::review_from_document(*kept)
                             : Result<Review>(fail(Code::json_invalid, "no such review"));
    if (!from || !review) continue;
    GH_TRY(theirs, patch_of(*from));
    const proposal::CarrySide to = side_of(stored, mine);
    if (!proposal::carry_defect(*carry, *review, sha256_of(proposal::to_document(*review)),
                                side_of(*from, theirs), to))
      out.push_back(proposal::carried_review(*review, to));
  }
  return out;
}

Status carry_over(ProposalSession& session, Context& context, const Stored& from, Stored& to,
                  store::Change& change) {
  const policy::ProposalPolicy& policy = session.policy();
  if (policy.carry_reviews != "identical_patch") return {};
  if (from.row.promotion_status != "proposed") return {};  // what was rejected carries nothing on
  GH_TRY(mine, patch_of(to));
  std::vector<std::string> digests;
  for (const Review& review : proposal::current_reviews(from.reviews, policy, from.row.digest)) {
    if (review_signature_defect(policy, review, session.repo_id)) continue;
    // Over two rebases it still comes from the proposal that the reviewer saw.
    const ReviewOrigin seen =
        review.origin.value_or(ReviewOrigin{from.row.patch_id, from.row.digest, "", ""});
    GH_TRY(source, load_without_reviews(*session.ledger, seen.patch_id));
    GH_TRY(theirs, patch_of(source));
    // Identical lines may stand in two places: only where the gate itself puts them they were seen.
    GH_TRY(moved, is_moved_by_the_gate(session.repo, source.canonical, source.row.base_commit,
                                       to.canonical, to.row.base_commit));
    if (!moved) continue;
    const Map record = proposal::to_document(review);
    const proposal::Carry carry{.patch_id = to.row.patch_id,
                                .proposal_digest = to.row.digest,
                                .from_patch_id = seen.patch_id,
                                .from_proposal_digest = seen.proposal_digest,
                                .reviewer = review.reviewer,
                                .review_sha256 = sha256_of(record),
                                .created_utc = to_string(context.env.now())};
    GH_TRY(original, proposal::review_from_document(record));
    const proposal::CarrySide target = side_of(to, mine);
    if (proposal::carry_defect(carry, original, carry.review_sha256, side_of(source, theirs),
                               target))
      continue;
    Map document = proposal::to_document(carry);
    digests.push_back(sha256_of(document));
    change.more_documents.push_back({digests.back(), "review_carry", std::move(document)});
    to.reviews.push_back(proposal::carried_review(original, target));
  }
  if (digests.empty()) return {};
  to.row.body.as_map()->set("carried", string_list(digests));
  change.events.push_back(proposal_event(
      session, context, "reviews_carried", to.row,
      Map{{"from_patch_id", from.row.patch_id}, {"evidence", string_list(digests)}}));
  return {};
}

}  // namespace gh::ops
