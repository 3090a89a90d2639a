#pragma once
// Which receipt is meant, and is it what it says it is? By digest, commit, run or intent; from the
// ledger, from refs/gatehouse/receipts, or from the note of the commit.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/repo.h"
#include "model/value.h"
#include "ops/exit_code.h"
#include "runs/receipt_binding.h"
#include "store/ledger.h"

namespace gh::ops {

enum class Lookup : std::uint8_t {
  ok,
  not_found,
  ambiguous,
  digest_mismatch,
  malformed_stored_receipt,
  malformed_stored_patch_trail,
  unsupported_format
};
inline constexpr std::size_t kLookupCount =
    static_cast<std::size_t>(Lookup::unsupported_format) + 1;
std::string_view to_string(Lookup);
ExitCode exit_code(Lookup);
std::string_view next_step(Lookup);

struct ReceiptQuestion {
  std::string named{};          // a digest or a commit
  std::string run{}, intent{};  // instead: a run id or its beginning, an intent
  std::string notes{};          // a commit of notes in the place of refs/notes/gatehouse
};

struct FoundReceipt {
  Lookup status = Lookup::ok;
  std::string message{};  // unless it was found
  Map receipt{};
  std::string digest{};
  bool is_kept = false;  // by the ledger: a ref and a note hold what anybody may have fetched
  std::string commit{};  // the one that was named, if it was one
  std::optional<runs::Binding> binding{};  // of that commit
  std::vector<std::string> candidates{};   // digests, when there are several
};

/// `ledger` may be null. artifact_key_required when the question names nothing.
Result<FoundReceipt> find_receipt(git::Repo&, store::Ledger*, const ReceiptQuestion&);

/// The same for whoever can do nothing without it: unknown_id, digest_mismatch, input_unreadable.
Result<FoundReceipt> needed_receipt(git::Repo&, store::Ledger*, const ReceiptQuestion&);

/// A receipt lets its change in once. Did it already let in a commit below this one, which was
/// taken back since? A rebase leaves the old commit behind.
Result<bool> is_spent_before(git::Repo&, const git::Commit&, const FoundReceipt&);

/// The patch trail of the finish that made the receipt.
struct FoundTrail {
  Lookup status = Lookup::ok;
  std::string message{};
  Map trail{};
};
Result<FoundTrail> trail_of(store::Ledger*, const FoundReceipt&);

/// What the commit changes, against its first parent and, where that is another difference, against
/// the base of the receipt.
Result<runs::CommitFacts> facts_of(git::Repo&, const git::Commit&, const Map& receipt);
Result<runs::PatchFacts> patch_facts(git::Repo&, std::string_view diff);
/// As receipts name files; the repository has what they were before.
std::vector<runs::BlobChange> blobs_of(git::Repo&, std::string_view diff);

/// Of the ledger, for a commit: given for what it changes, or for all of an intent that it is the
/// last step of.
Result<std::optional<FoundReceipt>> receipt_given_for(git::Repo&, store::Ledger&,
                                                      const git::Commit&);

/// Digests of receipts of changes that were given for this very patch, the latest first. The patch
/// is asked for where any receipt was given at all: telling it takes two processes of git.
using PatchQuestion = std::function<std::optional<runs::PatchFacts>()>;
Result<std::vector<FoundReceipt>> receipts_for(git::Repo&, store::Ledger&, const PatchQuestion&);

}  // namespace gh::ops
