#pragma once
// The receipt of a change: its envelope, what binds it to commits, and the trailers that name it.
#include <optional>
#include <string>
#include <vector>

#include "git/dirty_snapshot.h"
#include "ops/change_session.h"
#include "runs/receipt_binding.h"
#include "store/ledger.h"

namespace gh::ops {

/// What a commit must hold to be the change that was judged. Members are empty where git cannot
/// tell: a submodule is among the files, or a name that is no UTF-8.
struct ChangeBinding {
  std::string base{};  // commit
  std::string tree{};  // of the base with these files as they are on disk
  std::string stable_patch_id{}, changed_lines_sha256{};
  std::vector<runs::BlobChange> blobs{};
  /// Of these files: those that differ from the base; a repository inside of this one counts as
  /// one. Absent: there is no base.
  std::optional<std::vector<std::string>> changed{};
  /// Declared, changed and committed since the base, and not among these files.
  std::vector<std::string> unnamed{};
  /// Committed since the start, and not declared by this change.
  std::vector<std::string> undeclared{};
  std::vector<git::WorkFile> files{};  // as they were read for the tree
};
/// The commit that a change is counted from: where the intent began, as long as HEAD stands on it;
/// in a worktree of its own, where that has what the main tree has.
Result<std::string> change_base(ChangeSession&, const Intent&);
/// `conflict` when a file was written while it was read.
Result<ChangeBinding> bound_to(ChangeSession&, const Intent&,
                               const std::vector<std::string>& paths);

struct ChangeReceiptFacts {
  std::string status{};  // of the verification, or of what is known without one
  Map verdict{};         // of the answer that the receipt comes with
  std::string decision{"allow"};
  std::string intent_id{}, before_run_id{}, after_run_id{}, report_digest{};
  ChangeBinding binding{};
  Map body{};
};
/// The envelope around the body, signed when there is a key.
Result<store::Document> change_receipt(ChangeSession&, Context&, const ChangeReceiptFacts&);

/// {kind, algorithm, digest_version, value}.
Map typed_receipt_digest(const std::string& digest);

/// An answer about a receipt: run_id, format, receipt_version, verdict, receipt_digest, `content`
/// or `receipt`, receipt_retrieval.
Map receipt_answer(const std::string& digest, const Map& body, std::string_view format);

/// Of a change, in their order: intent, receipt, decision, agent. `intent` may be unknown by now.
struct TrailerLine {
  std::string key, value;
};
std::vector<TrailerLine> change_trailers(const Map& receipt, const std::string& digest,
                                         const std::optional<Intent>& intent);
std::string printed(const std::vector<TrailerLine>&);  // a line each

/// The record of an intent, open or closed; nullopt when it is not kept any more.
Result<std::optional<Intent>> kept_intent(store::Ledger&, const std::string& id);

}  // namespace gh::ops
