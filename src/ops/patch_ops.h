#pragma once
// The operations of the patch gate (patch-gate 13) and the front door `check`.
#include "ops/operation.h"

namespace gh::ops {

Result<Reply> check_change(const Request&, Context&);
Result<Reply> patch_impact(const Request&, Context&);
Result<Reply> patch_check(const Request&, Context&);
Result<Reply> patch_apply(const Request&, Context&);
/// The same for a change that was declared and made in a work tree of its own: its refusals are
/// counted for this intent alone, and what others do in the tree that it lands in is theirs.
Result<Reply> apply_for_intent(const Request&, Context&, const std::string& intent_id);
Result<Reply> patch_explain(const Request&, Context&);
Result<Reply> patch_canon(const Request&, Context&);
Result<Reply> patch_bundle(const Request&, Context&);
Result<Reply> patch_calibrate(const Request&, Context&);
Result<Reply> patch_unfreeze(const Request&, Context&);

/// The submitted bytes: FILE, or "-" for the door's input. patch_missing when there is none;
/// at most diff::kMaxPatchBytes + 1 bytes are read, so that the gate itself says input_too_large.
Result<std::string> read_submission(const std::string& file, Context&);

}  // namespace gh::ops
