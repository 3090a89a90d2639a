#pragma once
// The surface gate of `check`: what may the agent now do? The manifests that a change has to do
// with are verified, and what agent hosts read is compared, from the base of the change to what it
// gives. Both sides are read from git's objects, or from disk where the work tree is the change;
// nothing is written and no kept scan is believed (docs/adr/0039).
#include <optional>
#include <string>
#include <vector>

#include "model/verdict.h"
#include "ops/check_orders.h"
#include "ops/check_target.h"
#include "ops/patch_session.h"
#include "patch/outcome.h"

namespace gh::ops {

struct SurfaceQuestion {
  PatchSession& session;
  const CheckTarget& target;
  const patch::Outcome& outcome;       // of the patch gate
  std::vector<std::string> changed{};  // paths as git has them
  const std::vector<ApprovedFile>& approved;
  std::string target_branch{};  // that the change goes into; empty: nobody knows it
};

/// Skipped where neither a manifest nor a host has to do with the change; undecided where that
/// cannot be told, and then `fault` is why, unless it holds something.
GateAnswer judge_surface(const SurfaceQuestion&, Context&, std::optional<Code>& fault);

}  // namespace gh::ops
