#pragma once
// Seals: digests of the rows that a change writes, put into the payload of the events it is written
// with. The chain protects the event, the seal binds every column of the rows to it, so that a row
// edited in the database, or in the mirror, is found out.
#include <string>
#include <string_view>
#include <vector>

#include "store/ledger.h"

namespace gh::store {

/// What the rows of one proposal look like. `row`, `files` and `promotion` are single digests,
/// empty when there is no such row; of reviews and admissions there may be many. A review's `stale`
/// is left out: it follows from the digest that was reviewed.
struct Seals {
  std::string row{}, files{}, promotion{};
  std::vector<std::string> reviews{}, admissions{};
};

std::string seal_of(const ProposalRow&);
std::string seal_of(const std::vector<ProposalFile>&);
std::string seal_of(const PromotionRow&);
std::string seal_of(const ReviewRow&);
std::string seal_of(const AdmissionRow&);

/// The change's events, with a member `sealed` in the payload of each that names a proposal of
/// which it writes rows: {PATCH_ID: {row, files, promotion, reviews, admissions}}, as far as
/// written.
std::vector<AuditEvent> sealed_events(const Change&);

/// What the events say in the end about one proposal: the last of each single seal, all of the
/// rest.
Seals seals_said(const std::vector<const Value*>& payloads, std::string_view patch_id);

}  // namespace gh::store
