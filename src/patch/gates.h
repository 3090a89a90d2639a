#pragma once
// The pure gates of the patch gate: path, policy, tree (own applier). No world, no clock; base
// objects come through a TreeSource.
#include <string>
#include <string_view>
#include <vector>

#include "diff/patch.h"
#include "model/patch_rule.h"
#include "model/tree_source.h"
#include "patch/outcome.h"
#include "patch/policy_gate.h"
#include "patch/violations.h"
#include "policy/patch_policy.h"
#include "policy/path_rules.h"

namespace gh::patch {

using policy::path_defect;

/// Path gate over all sections, then the collisions between paths of the patch.
Violations check_paths(const diff::Patch&, bool windows_rules);

/// Policy gate, everything that needs only the patch (6.3 order). `submitted_bytes` is the size of
/// the submission. The policy is compiled once and serves any number of patches.
Violations check_policy(const diff::Patch&, const CompiledPolicy&, std::size_t submitted_bytes);

/// Where only budgets fail: a partition that fits them all, first fit in canonical order (13).
SplitAdvice split_advice(const diff::Patch&, const policy::PatchPolicy&);

/// Own applier: the bytes that `section` makes of `base`, or why it does not fit. Pure.
struct Applied {
  std::string bytes;
  std::vector<std::int64_t> begins;  // per hunk: lines of the base before it
  std::vector<Note> notes;           // hunk_relocated
};
Judged<Applied> apply_section(const diff::Section&, std::string_view base, diff::Position);

/// What step 4 has read and decided.
struct Prediction {
  Violations violations;              // tree gate, or the two policy rules that need the base
  std::vector<TouchedEntry> entries;  // sorted; old and new side of every touched path
  std::vector<Note> notes;
  std::optional<ObjectId> tree;  // expected root tree, when there are no violations
  std::vector<std::pair<std::string, TreeEntry>>
      base_entries;  // touched paths in the base, for the private index
  // Positions that git must be shown: the same patch with the hunks at their real places.
  diff::Patch placed;
};

struct PredictOptions {
  bool is_retry = false;  // full_rewrite.mode retry_only
};

/// Tree gate. Fails only when an object cannot be read.
Result<Prediction> predict(const diff::Patch&, const policy::PatchPolicy&,
                           const ObjectId& base_tree, TreeSource&, PredictOptions);

/// Walks base_tree to `path` (bytes, '/'-separated); nullopt when there is no such entry.
Result<std::optional<TreeEntry>> find_entry(TreeSource&, const ObjectId& base_tree,
                                            std::string_view path);

}  // namespace gh::patch
