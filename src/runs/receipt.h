#pragma once
// gatehouse.receipt/1 of kind patch (docs/formats/receipt.md): what was decided, on which inputs,
// under which policy. It binds to tree and stable patch-id, never to the commit that names it.
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/actor.h"
#include "model/value.h"
#include "patch/outcome.h"
#include "runs/ssh_signature.h"
#include "store/ledger.h"

namespace gh::runs {

inline constexpr std::string_view kReceiptNamespace = "gatehouse-receipt";

/// artifacts/candidate.json, the body of the receipt: ids and modes, no time, no host.
Map candidate_document(const patch::Candidate&);

/// Digests are bare hex; the receipt writes them as sha256:<hex>.
struct ReceiptFacts {
  const patch::Candidate& candidate;
  std::string repo_id, canonical_sha256, stable_patch_id;
  std::string verdict_digest, policy_digest;
  Actor actor;
  std::string created_utc;
};

/// An unsigned receipt; meta.audit_seq is filled in by the ledger.
Map patch_receipt(const ReceiptFacts&);

/// sha256:<hex> over the canonical JSON without meta and signature: same inputs, same receipt.
std::string receipt_digest(const Map& receipt);

/// Sets `signature` over the digest line.
Status sign_receipt(Map& receipt, const SigningKey&);

/// The receipt as a ledger document.
store::Document receipt_record(Map receipt);

/// The digest of a receipt (its JSON text, from anywhere) whose signature holds and was made by one
/// of `allowed`, lines of the form "[anything] ssh-ed25519 AAAA... [comment]". signature_invalid
/// otherwise, also when there is no signature.
Result<std::string> verify_receipt(std::string_view json, const std::vector<std::string>& allowed);

/// Does one of `allowed`, lines as above, name this key?
bool is_allowed_key(const std::vector<std::string>& allowed, const std::string& key);

/// The key line of the key that signed this receipt; empty: it is unsigned. signature_invalid when
/// the signature does not hold for what the receipt says. Whether the key is trusted is not asked.
Result<std::string> receipt_signer(const Map& receipt);

}  // namespace gh::runs
