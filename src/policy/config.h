#pragma once
// The one loader of gatehouse.yaml. Unknown keys are errors with file:line:column and did-you-mean.
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/error.h"
#include "policy/analysis_policy.h"
#include "policy/control_policy.h"
#include "policy/hook_policy.h"
#include "policy/patch_policy.h"
#include "policy/proposal_policy.h"

namespace gh::policy {

struct StoreConfig {
  std::string url{};  // of a PostgreSQL database, perhaps with a password; empty: SQLite
  std::int64_t busy_timeout_ms = 5000, audit_payload_days = 30;
  std::int64_t run_days = 14, runs_kept = 1000;  // reports of analysis runs, and their numbers
  std::string signing_key;  // path of an OpenSSH Ed25519 private key; empty: receipts are unsigned
};

struct Config {
  PatchPolicy patch = default_patch_policy();
  StoreConfig store;
  ProposalPolicy proposals = default_proposal_policy();
  ControlPolicy control{};
  AnalysisPolicy analysis{};
  HookPolicy hooks{};
  std::string source = "defaults";  // or the name that parse_config was given
};

/// `name` is what messages show, e.g. "gatehouse.yaml" or "HEAD:gatehouse.yaml".
Result<Config> parse_config(std::string_view yaml, std::string_view name);

/// Only the block that says which registry there is; what else is wrong with the file is not asked.
Status check_store_block(std::string_view yaml, std::string_view name);

/// SHA-256 of the canonical JSON of the effective policy.
Digest policy_digest(const PatchPolicy&);

}  // namespace gh::policy
