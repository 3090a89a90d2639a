#pragma once
// The policy in the form the gate walks: deny lists folded, names and endings indexed. Build one
// per policy and keep it for all patches.
#include <optional>
#include <string>
#include <string_view>

#include "model/object_id.h"
#include "patch/matchers.h"
#include "policy/patch_policy.h"

namespace gh::patch {

struct CompiledPolicy {
  explicit CompiledPolicy(policy::PatchPolicy);

  policy::PatchPolicy values;
  EntrySet secrets, secret_exceptions, control_files, artifacts;
  NameSet allow_control_files, deny_components, deny_names;
  std::vector<std::string> deny_prefixes;
  SuffixSet deny_suffixes, binary_suffixes;
  std::string allow_roots_shown;
};

bool is_in_allow_roots(const policy::PatchPolicy&, std::string_view path);

/// Why a symbolic link at `link` may not point to `target`; nullopt when it may.
std::optional<std::string> link_target_defect(const policy::PatchPolicy&, std::string_view link,
                                              std::string_view target);

}  // namespace gh::patch
