#pragma once
// Gathering what a verification is decided from.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/profiles.h"
#include "control/scope_check.h"
#include "control/verify.h"
#include "ops/change_registry.h"
#include "ops/change_runs.h"

namespace gh::ops {

/// What `control::verify` reads; it points into itself.
struct VerifyGathered {
  std::optional<ControlRun> before{}, after{};
  std::optional<ControlRun> base{};              // in place of `before`, which is not of the base
  std::optional<Value> base_report{};            // where that run was made now
  analysis::RunExtract::Pair reports{};          // where two runs are compared
  std::optional<analysis::Baseline> baseline{};  // where gates compare them with it
  control::ProfileFacts profile{};
  std::optional<control::ScopeCheck> scope{};
  control::VerifyFacts facts{};

  /// The run that the one after is compared with.
  std::optional<ControlRun>& began() { return base ? base : before; }
};

struct VerifyWish {
  std::string before_run{}, after_run{};  // words; empty: not named
  const Intent* intent = nullptr;
  bool is_blocked = false;  // the intent may not edit
  std::vector<std::string> changed{};
  bool evidence_given = false;
  std::string strictness{"ci"};
  Context* analyses = nullptr;          // null: runs that are kept have to do
  const DirtySnapshot* seen = nullptr;  // what a finish knows to be dirty
};

/// On the heap: the facts point into it.
Result<std::unique_ptr<VerifyGathered>> gather_verification(ChangeSession&, Context&,
                                                            const VerifyWish&);

/// What changed files are judged by.
Result<control::VerifyProfile> profile_for(ChangeSession&, std::vector<std::string> paths);

/// The verification with what the audit says about it.
ChangeEvent verification_event(const control::Verification&, const Intent*,
                               const std::string& run_id);

/// One for each sign that the baseline was bent to let the change pass.
std::vector<ChangeEvent> abuse_events(const control::Verification&, const Intent*,
                                      const std::string& run_id);

/// A run of the work tree as it is now, kept as the latest one, by the settings of the session's
/// policy: a change does not choose what it is measured by.
Result<std::string> analyse_now(ChangeSession&, Context&);

/// From here on the session has the policy of the commit that the change began from: what was
/// committed since is part of the change, and no change brings the policy that judges it.
Status use_policy_of_base(ChangeSession&, const Intent&);

}  // namespace gh::ops
