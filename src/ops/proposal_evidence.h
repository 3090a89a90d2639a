#pragma once
// What the audit chain says about one proposal, and where a record says something else: metadata
// that is not the one that was submitted, reviews and admissions slipped in or taken away, statuses
// that no event gave. The chain is the witness, so every writer of a record leaves in it what
// `binding_of` names.
#include <optional>
#include <string_view>
#include <vector>

#include "model/proposal.h"
#include "ops/proposal_mirror.h"

namespace gh::ops {

std::vector<ChainEvent> chain_events(const std::vector<store::AuditRow>&);

/// Members of the payload of the event that takes a record in (submitted, rejected, refused,
/// imported): `metadata`, the digest of all that the author wrote but the statuses; `record`, the
/// columns that the gate measured; `evidence`, the digests of the kept bytes.
Map binding_of(const store::ProposalRow&, const ProposalMeta&, std::string_view report_sha256);

/// A record with the audit rows that speak of it, both as of one moment.
struct AuditedRecord {
  Record record;
  std::vector<ChainEvent> events;
};
/// Nothing was decided about it here: it came from elsewhere.
bool is_only_imported(const std::vector<ChainEvent>&);
Result<std::optional<AuditedRecord>> audited_record(store::Ledger&, std::string_view patch_id);

/// Everything in which the record and its events differ. A record without a binding event is
/// answered like a forged one: what nothing vouches for is not believed.
std::vector<RecordFault> chain_faults(const Record&, const std::vector<ChainEvent>&);

bool is_sub_state(std::string_view);  // the empty one too

/// The promotion status that an audit event of a proposal leaves behind; empty when it says none.
std::string_view status_said(const ChainEvent&);

}  // namespace gh::ops
