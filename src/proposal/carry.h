#pragma once
// Reviews over a rebase (proposals 5, carry_reviews: identical_patch). The record that a reviewer
// made, and may have signed, stays as it is and bound to the old digest; a carry names both digests
// and that record. Whoever counts the review goes through the carry and compares the patches again.
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "diff/patch.h"
#include "model/proposal.h"

namespace gh::proposal {

inline constexpr std::string_view kCarrySchema = "gatehouse.review_carry/1";

/// gatehouse.review_carry/1
struct Carry {
  std::string patch_id, proposal_digest;            // the proposal it counts for
  std::string from_patch_id, from_proposal_digest;  // the one that was reviewed
  std::string reviewer, review_sha256, created_utc;
  bool operator==(const Carry&) const = default;
};
Map to_document(const Carry&);
Result<Carry> carry_from_document(const Value&);

/// Same sections and same lines in the same order, context included; only where a hunk stands in
/// its file may differ.
bool is_identical_patch(const diff::Patch&, const diff::Patch&);

/// One of the two proposals, as it is kept.
struct CarrySide {
  const ProposalMeta& meta;
  const diff::Patch& patch;
  std::string_view digest, report_sha256, base_commit, candidate_tree;
};

/// Why the review does not count for the new proposal; nullopt: it does. `review_sha256` is that of
/// the document that `review` was read from.
std::optional<std::string> carry_defect(const Carry&, const Review& review,
                                        std::string_view review_sha256, const CarrySide& from,
                                        const CarrySide& to);

/// The review as it counts for the new proposal; its `origin` says what the reviewer saw.
Review carried_review(Review, const CarrySide& to);

}  // namespace gh::proposal
