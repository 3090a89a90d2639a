#pragma once
// The rows of the `patch` block. Private to policy.
#include "policy/key_table.h"
#include "policy/patch_policy.h"
#include "policy/path_entry.h"

namespace gh::policy {

/// The block over the defaults, or over the preset it names.
Result<PatchPolicy> load_patch_block(const Value& block, const At&);

/// A list of entries of one kind, each looked at before any is believed.
Status load_entries(std::vector<std::string>&, const Value&, const At&, EntryKind);

}  // namespace gh::policy
