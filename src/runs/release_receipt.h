#pragma once
// A receipt of kind release (docs/formats/receipt.md): what the release gate said of a change, on
// which trees, and what it wrote. It binds to trees, never to a commit.
#include <string>
#include <utility>
#include <vector>

#include "model/actor.h"
#include "model/value.h"

namespace gh::runs {

struct ReleaseReceiptFacts {
  /// verifier.json as it was written.
  const Value& verifier;
  std::string repo_id{};
  std::string base_commit{};  // where the change began; may be empty
  std::vector<std::pair<std::string, std::string>> artifacts{};  // name -> SHA-256 of its bytes
  Actor actor;
  std::string created_utc;
};

/// Unsigned; meta.audit_seq is for the ledger. What could not be decided is `unverified`.
Map release_receipt(const ReleaseReceiptFacts&);

}  // namespace gh::runs
