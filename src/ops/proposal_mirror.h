#pragma once
// The copy of proposals, receipts and audit rows in refs/gatehouse/* (docs/formats/mirror.md): what
// travels with git, so that a clone without a database can repeat every decision.
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "git/repo.h"
#include "model/proposal.h"
#include "store/ledger.h"
#include "store/seal.h"

namespace gh::ops {

inline constexpr std::string_view kProposalsRef = "refs/gatehouse/proposals";
inline constexpr std::string_view kReceiptsRef = "refs/gatehouse/receipts";
inline constexpr std::string_view kAuditRef = "refs/gatehouse/audit";

/// Everything kept about one proposal, wherever it was read.
struct Record {
  store::ProposalRow row;
  std::vector<store::ProposalFile> files{};
  std::string submitted{}, canonical{};
  std::optional<std::string> report{};
  std::vector<Value> reviews{};     // gatehouse.review/1 documents in order of writing
  std::vector<Value> carries{};     // gatehouse.review_carry/1 documents, as the body names them
  std::vector<Value> admissions{};  // gatehouse.admission/1 documents in order of writing
  std::optional<store::PromotionRow> promotion{};
  std::map<std::string, Value> receipts{};  // by tagged digest
  store::Seals seals{};                     // of the rows as they stand; refs hold three of them
};

/// The chain in the refs is that of another ledger, as after a fetch from elsewhere.
Result<bool> mirrors_another_ledger(git::Repo&, store::Ledger&);
bool same_files(const Record&, const Record&);  // in the refs
Result<std::optional<Record>> record_in_ledger(store::Ledger&, std::string_view patch_id);
/// What is wrong with a record, each as {patch_id, code, message}; empty when every decision holds.
struct RecordFault {
  std::string patch_id, code, message;
};
/// From refs/gatehouse/*; nullopt when they hold no such proposal.
Result<std::optional<Record>> record_in_refs(git::Repo&, std::string_view patch_id);
Result<std::vector<std::string>> ids_in_refs(git::Repo&);

/// Whether the record's folder in refs/gatehouse/proposals holds these files and no others.
Result<bool> is_exact_copy(git::Repo&, const Record&);

/// The files of a record below its folder: what the mirror holds, byte for byte.
std::vector<git::ImportedFile> mirror_files(const Record&);
std::string mirror_folder(std::string_view patch_id);  // <id[0:2]>/<id>

/// Whether what the mirror already holds of the chain is taken for granted (each transaction) or
/// read through (`proposal export`).
enum class Trust : std::uint8_t { ends, none };
/// What brings refs/gatehouse/audit up to the ledger's chain (nothing is missing: no commit), and
/// the proposals that its rows speak of. Their records are read after it and written with it: then
/// none is behind its rows. `conflict` when the mirror knows more than the ledger.
struct AuditCopy {
  std::optional<git::ImportedCommit> commit{};
  std::set<std::string> ids{};
};
Result<AuditCopy> audit_copy(git::Repo&, store::Ledger&, Trust);

/// `conflict` when refs/gatehouse/audit tells of events that this ledger does not have.
Status check_chain_is_known(git::Repo&, store::Ledger&);
Result<std::int64_t> mirrored_rows(git::Repo&);

Value audit_row_value(const store::AuditRow&);
/// Audit rows as the mirror and `audit export` write them, one canonical JSON document a line.
std::string audit_line(const store::AuditRow&);

/// A row of the chain that speaks of a proposal.
struct ChainEvent {
  std::int64_t seq = 0;
  std::string event;
  Value payload;
  bool whole = true;  // its payload and its hash are its own
};
/// The rows mirrored in refs/gatehouse/audit, up to the first that does not hold.
struct MirroredChain {
  std::int64_t rows = 0, first_broken = 0;                               // 0: all hold
  std::map<std::string, std::vector<ChainEvent>, std::less<>> events{};  // by patch_id
};
Result<MirroredChain> mirrored_chain(git::Repo&);
RecordFault broken_mirror(const MirroredChain&);

/// Another record from the same source, which carried reviews come from; none when there is none.
using OtherRecord = std::function<Result<std::optional<Record>>(const std::string& patch_id)>;
OtherRecord others_in_refs(git::Repo&);

/// Repeats every decision about the record; `events` are the rows of its chain.
Result<std::vector<RecordFault>> faults_of(git::Repo&, const Record&,
                                           const std::vector<ChainEvent>& events,
                                           const OtherRecord&);

}  // namespace gh::ops
