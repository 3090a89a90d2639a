#pragma once
// One submission inside its run (patch-gate 12): the bytes go into the slot first, then they are
// judged, then everything that was found out is filed.
#include <memory>
#include <string>

#include "ops/patch_session.h"
#include "runs/lifecycle.h"
#include "runs/run_folder.h"
#include "store/ledger.h"

namespace gh::ops {

struct Submission {
  PatchSession& session;
  Context& context;
  std::string_view bytes;
  runs::Submitter who;
  std::unique_ptr<store::Ledger> ledger;
  runs::PatchRun run;
  runs::RunFolder folder;
  std::int64_t landings_at_start = 0;
};

/// Finds or starts the run that the request belongs to and keeps the bytes in its slot.
/// `landing_of`: the intent whose change lands; empty: somebody submits.
Result<Submission> enter(PatchSession&, const Request&, std::string_view bytes, Context&,
                         const std::string& landing_of = {});

/// The retry rule, then steps 1 to 5.
patch::Outcome judge_submission(Submission&);

/// Files a refusal in folder, ledger and audit, and completes the answer's document context.
Status file_refusal(Submission&, PatchAnswer&);

/// Files an accepted check of a named run.
Status file_acceptance(Submission&, PatchAnswer&);

runs::Submitter submitter_of(const PatchSession&, const Request&, const Context&);

/// Finishes or undoes a landing that a crash interrupted; nothing to do is the usual case.
/// Keeps what a question was answered with: an audit row, or the refused bytes and documents in a
/// folder of their own.
Status file_question(PatchSession&, const Request&, std::string_view bytes, PatchAnswer&, Context&);

Status recover_landing(PatchSession&, Context&, bool lock_is_held);

/// Ledger, evidence and landing log of a landing that reached its commit point. May be called again
/// after a crash: what is already there stays.
Status finish_landing(PatchSession&, store::Ledger&, const Value& record,
                      const std::string& run_folder, Context&);

}  // namespace gh::ops
