#pragma once
// Lists of commands: `patch.verify`, what must pass after landing (patch-gate 9.4), and
// `proposals.verify_commands`. Private to policy.
#include "policy/key_table.h"
#include "policy/patch_policy.h"

namespace gh::policy {

Status load_commands(std::vector<VerifyCommand>&, const Value&, const At&);
Value show_commands(const std::vector<VerifyCommand>&);

Status load_verify(PatchPolicy&, const Value&, const At&);
Value show_verify(const PatchPolicy&);

/// Adds commands; one that would replace another of the same name is left out.
bool narrow_verify(PatchPolicy& into, const PatchPolicy& asked);

}  // namespace gh::policy
