#pragma once
// patch: decides whether one unified diff may enter the repository, and says why not.
//
// Steps run in the order of patch-gate 3: shape, path, policy, tree, git. The first step with a
// violation ends the walk and is the answer. Nothing outside a private index is written.
#include <string_view>

#include "base/error.h"
#include "diff/patch.h"
#include "git/repo.h"
#include "patch/gates.h"
#include "patch/outcome.h"

namespace gh::patch {

/// One base and one policy for any number of submissions.
struct GateBase {
  git::Repo& repo;
  const git::Quarantine& quarantine;  // private index of the checks
  ObjectId commit, tree;
  const CompiledPolicy& policy;
};

struct JudgeOptions {
  diff::Profile profile = diff::Profile::strict;
  bool is_retry = false;  // full_rewrite.mode retry_only
};

diff::Profile profile_of(const policy::PatchPolicy&);

/// Steps 1 to 3, from bytes and policy alone. The outcome keeps no parsed model.
Outcome judge_bytes(std::string_view bytes, const CompiledPolicy&, diff::Profile);

/// Steps 1 to 5. An accepted outcome has a candidate and a canonical patch.
Outcome judge(std::string_view bytes, const GateBase&, const JudgeOptions&);

/// A command of ours as evidence (details.command).
CommandRecord record_of(const git::GitRun&, const std::string& repo_root);

/// Makes `violation` the answer of the outcome.
void refuse(Outcome&, Violation violation);

}  // namespace gh::patch
