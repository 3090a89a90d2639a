#pragma once
// Reads *.patch.meta.yaml (docs/reference/proposals.md): strict YAML, at most 64 KiB, exact types,
// no unknown keys but x_*. Reader of outside bytes.
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/proposal.h"

namespace gh::proposal {

inline constexpr std::size_t kMaxMetaBytes = 65'536;
inline constexpr std::size_t kMaxReportBytes = 65'536;
inline constexpr std::string_view kProposalSchema = "gatehouse.proposal/1";
inline constexpr std::string_view kReviewSchema = "gatehouse.review/1";

/// yaml_invalid with "NAME:LINE:COLUMN: what" for anything outside the contract's types.
Result<ProposalMeta> read_meta(std::string_view yaml, std::string_view name);

/// The file as Gatehouse writes it: fields in the order of the contract, extension fields after
/// them. read_meta gives the same value back.
std::string print_meta(const ProposalMeta&);

/// The metadata as a document (ledger, --json), every contract field present.
Map to_document(const ProposalMeta&);
Result<ProposalMeta> meta_from_document(const Value&);

/// <patch_id>.review.<reviewer>.yaml
std::string print_review(const Review&);
/// The record as its reviewer made it, also of a review that was carried over.
Map to_document(const Review&);
Result<Review> review_from_document(const Value&);
bool is_review_subject(std::string_view);  // diff, tests, risk, rollback, scope

/// What stays the same for the life of a proposal (2.1 "immutable"), in canonical JSON.
std::string immutable_fields(const ProposalMeta&);

/// SHA-256 of all that the author wrote but the statuses, extension fields included: what the audit
/// chain keeps of a submission, because the digest of section 8 leaves the extension fields out.
std::string metadata_digest(const ProposalMeta&);

/// Whether the author said more than the contract asks for.
bool has_extensions(const ProposalMeta&);

/// Section 8. `report_sha256` is empty without a report. Bare hex.
std::string proposal_digest(const ProposalMeta&, std::string_view canonical_sha256,
                            std::string_view report_sha256);

}  // namespace gh::proposal
