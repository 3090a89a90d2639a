#pragma once
// The tree that a promotion would put on the target: built by git in quarantine, compared with what
// our own applier says, and tried by the policy's commands in a worktree of its own.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/quarantine.h"
#include "ops/proposal_session.h"
#include "patch/outcome.h"
#include "proposal/finding.h"

namespace gh::ops {

struct Built {
  patch::Outcome outcome;
  git::Quarantine quarantine;
};

/// No tree when it does not apply exactly, or when git and this gate disagree about the result.
Result<std::optional<Built>> build_on(ProposalSession&, std::string_view patch,
                                      const git::Commit& onto);

/// The commands run in a worktree of their own, named `run_id`; says what went wrong.
Result<std::optional<proposal::Finding>> verify_built(ProposalSession&, Context&, Built&,
                                                      const std::string& run_id,
                                                      const std::vector<policy::VerifyCommand>&);

/// Tests that pass without the change prove nothing about it (proposals 3.5, must_fail_before).
Result<std::optional<proposal::Finding>> check_tests_discriminate(ProposalSession&, Context&,
                                                                  const Stored&,
                                                                  const git::Commit& base,
                                                                  Built& candidate);

}  // namespace gh::ops
