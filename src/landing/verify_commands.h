#pragma once
// Runs the policy's verify commands on a landed candidate (patch-gate 9.4): one after the other,
// the first failure ends the list, isolated from network and file system as far as this machine
// allows.
#include <functional>
#include <string>
#include <vector>

#include "patch/outcome.h"
#include "policy/patch_policy.h"

namespace gh::landing {

struct VerifyPlace {
  std::string cwd;                      // top level of the tree under test
  std::string private_folder;           // empty, ours: HOME, TMPDIR and the isolation report
  std::vector<std::string> read_only;   // git folders inside cwd
  std::string self;                     // path of this program, for the isolated start
  std::function<bool()> interrupted{};  // the caller wants to stop
};

/// The commands' own results; what they did to tracked files is judged by the caller.
patch::VerifyReport run_verify_commands(const std::vector<policy::VerifyCommand>&,
                                        const VerifyPlace&);

}  // namespace gh::landing
