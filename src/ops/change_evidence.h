#pragma once
// The paths that an agent says it created, changed or deleted (change control reference,
// "Evidence").
#include <string>
#include <vector>

#include "ops/change_session.h"

namespace gh::ops {

struct ChangedPaths {
  bool given = false;  // any of --files, --files-from, --diff
  std::vector<std::string> paths{};
};

/// Normalised, sorted. `scope` says which untracked files count as changed against a revision;
/// null: none. evidence_exclusive, evidence_required (when nothing is left), git_ref_invalid,
/// git_diff_failed.
Result<ChangedPaths> changed_paths(const Request&, ChangeSession&, Context&,
                                   const gh::Scope* scope);
/// The same, and evidence_required when nothing is given.
Result<std::vector<std::string>> needed_paths(const Request&, ChangeSession&, Context&,
                                              const gh::Scope* scope);

}  // namespace gh::ops
