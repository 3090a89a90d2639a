#include "ops/candidate_tree.h"

namespace gh::ops {

Status write_candidate(PatchSession& session, const git::Quarantine& quarantine,
                       const patch::Outcome& outcome) {
  GH_DO(session.repo.read_tree(quarantine, session.base.tree));
  GH_TRY(applied, session.repo.apply_cached(quarantine, outcome.canonical));
  (void)applied;
  GH_TRY(tree, session.repo.write_tree(quarantine));
  if (tree == outcome.candidate->tree) return {};
  return fail(Code::internal_error, "git made another tree of the patch than the gate expected");
}

}  // namespace gh::ops
