#include "landing/candidate.h"

#include <fmt/format.h>

#include "base/text.h"

namespace gh::landing {
Status build_candidate(const git::Repo& repo, const git::Quarantine& quarantine,
                       patch::Outcome& outcome, git::GitRun& last) {
  const patch::Candidate& candidate = *outcome.candidate;
  outcome.stage = Stage::apply;
  GH_DO(repo.read_tree(quarantine, candidate.base_tree));
  GH_TRY(applied, repo.apply_cached(quarantine, outcome.canonical));
  last = applied;
  if (!applied.ok()) {
    outcome.command = patch::record_of(applied, repo.root());
    patch::refuse(
        outcome,
        {.rule = Rule::git_apply_failed,
         .message = applied.timed_out
                        ? "git apply --cached did not answer in time"
                        : "git apply --cached refuses the patch: " +
                              printable(applied.err.substr(0, applied.err.find('\n')), 120)});
    return {};
  }
  GH_TRY(tree, repo.write_tree(quarantine));
  if (tree != candidate.tree)
    patch::refuse(outcome, {.rule = Rule::result_tree_mismatch,
                            .message = fmt::format(
                                "git built tree {} where this gate expected {}; the run is "
                                "frozen until a person has looked at it",
                                tree.hex(), candidate.tree.hex())});
  return {};
}

}  // namespace gh::landing
