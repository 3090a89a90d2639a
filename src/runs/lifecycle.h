#pragma once
// The life of one patch run over the ledger (patch-gate 11, 12): which run a submission belongs to,
// and what a refusal, a landing or an unfreeze makes of it. The ledger row is the authority.
//
// Order of durability: the submitted bytes (RunFolder::keep_submission), then the documents, then
// row and audit in one transaction, then the copy in the folder and the bundle.
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/actor.h"
#include "model/value.h"
#include "patch/outcome.h"
#include "patch/retry.h"
#include "runs/run_folder.h"
#include "store/ledger.h"
#include "sys/env.h"

namespace gh::runs {

struct PatchRun {
  patch::RunState state;
  std::string folder;
};

/// Who submits, on which base, and what they said about the run.
struct Submitter {
  Actor actor;
  std::string surface = "cli";
  std::string base_commit;
  std::int64_t max_attempts = 3;
  std::string runs_root{};  // <git-common-dir>/gatehouse/runs: where folders lie by default
  std::string run_id{};     // --run; empty: join or start
  std::string run_dir{};    // --run-dir; empty: below runs_root
  std::string intent_id{};  // it is the landing of this declared change; empty: of none

  bool is_landing() const { return !intent_id.empty(); }
};

/// Whose run it is, as the ledger keeps it. Whoever submits by one login has one run, whatever it
/// is about; the landing of a declared change has that of its intent.
std::string owner_of(const Submitter&);

std::string new_run_id(sys::Env&);  // prun- and 16 hex digits

/// A run that no ledger knows yet: a first submission, or a check that is only a question.
PatchRun new_run(const Submitter&, sys::Env&);

/// The run as the ledger has it, whoever it belongs to.
Result<std::optional<PatchRun>> load_run(store::Ledger&, std::string_view run_id);

/// The run that was named (unknown_id, not_permitted for somebody else's, bad_argument when it has
/// landed), else the owner's open rejected run on that base, else a new one.
Result<PatchRun> enter_run(store::Ledger&, const Submitter&, sys::Env&);

/// Whether a refusal under this rule is one of the run's attempts. A retry refused before it was
/// judged is not, nor is one that speaks of the surroundings and not of the patch.
bool uses_up_attempt(Rule);

/// The state after a refusal under `rule`. Pure.
patch::RunState after_rejection(patch::RunState, Rule rule, const patch::Attempt&,
                                std::string_view worktree_sha256);

/// gatehouse.retry_state/1
Map retry_state_document(const patch::RunState&);

/// A refused submission: `document` is gatehouse.patch_rejection/1.
struct Refusal {
  const patch::Outcome& outcome;
  const Map& document;
  std::string_view submission;
  std::string policy_sha256{}, worktree_sha256{};
};

/// Files the refusal of a submission and returns the run as it stands now.
Result<PatchRun> record_rejection(store::Ledger&, RunFolder&, const PatchRun&, const Submitter&,
                                  const Refusal&, sys::Env&);

/// Files the refusal of a check that named no run: its own folder, no attempt, no row. The audit
/// row is soft and its loss is no failure; `ledger` may be null.
Status record_question(store::Ledger* ledger, RunFolder&, const PatchRun&, const Submitter&,
                       const Refusal&, sys::Env&);

/// A patch that landed: `document` is gatehouse.patch_result/1. The receipt is stored with the row.
Result<PatchRun> record_landing(store::Ledger&, RunFolder&, const PatchRun&, const Submitter&,
                                const Map& document, const store::Document& receipt, sys::Env&);

/// The soft audit row of an accepted check (patch.checked).
store::AuditEvent checked_event(const Map& document, const Submitter&, Timestamp);

/// A landing that a crash had interrupted was undone.
store::AuditEvent rolled_back_event(const std::string& run_id, const Actor&,
                                    std::string_view surface, Timestamp);

/// Clears the alarm of a frozen run, or gives a blocked one its attempts again. Needs role admin
/// and a reason; bad_argument when the run is neither.
Result<PatchRun> unfreeze(store::Ledger&, std::string_view run_id, std::string_view reason,
                          const Actor&, std::string_view surface, sys::Env&);

}  // namespace gh::runs
