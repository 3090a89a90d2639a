#pragma once
// The commit that a declared change began from, as a run. A change is compared with the run before
// it only as long as that run has the files of the change as this commit has them: whoever chose
// what a run reads would choose what their change is judged by (docs/adr/0035).
#include <string>
#include <vector>

#include "ops/change_runs.h"

namespace gh::ops {

/// How the run before stands to the commit that the change began from.
struct BaseLook {
  std::string commit{};         // empty: nothing was ever committed
  std::string inputs_sha256{};  // of what a run of it reads, where something differs; empty: the
                                // commit is gone
  /// Files that the run before has otherwise: those of the change, declared or changed, and any
  /// other whose difference was gone when the run after was made. What was dirty elsewhere and
  /// still is, is other people's work, and is in both runs. Sorted.
  std::vector<std::string> differs{};
};
Result<BaseLook> look_at_base(ChangeSession&, const Intent&, ControlRun& before, ControlRun& after,
                              const std::vector<std::string>& changed);

/// Files beside the change that the run after has otherwise than the base, and that are by now as
/// the base has them: what it saw there is gone, and with it what that may have hidden. With the
/// dirt that a finish saw, also those that were clean then and not as HEAD has them in the run:
/// they came after the look, or went before it. Sorted.
Result<std::vector<std::string>> gone_since(ChangeSession&, Context&, const Intent&,
                                            ControlRun& before, ControlRun& after,
                                            const std::vector<std::string>& changed,
                                            const DirtySnapshot* seen);

/// A run of that content that is kept, by the settings of the session's policy.
Result<std::optional<ControlRun>> kept_base(ChangeSession&, const BaseLook&);

/// The same, made now from the objects of the commit. It is kept nowhere: the latest run is still
/// the one that somebody asked for.
struct ReadBase {
  ControlRun run{};
  Value report{};
};
Result<ReadBase> read_base(ChangeSession&, Context&, const BaseLook&);

}  // namespace gh::ops
