#pragma once
// The `patch` block of gatehouse.yaml (patch-gate 6.1): defaults, loading, narrowing.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/patch_rule.h"
#include "model/value.h"

namespace gh::policy {

struct VerifyCommand {
  std::string name;
  std::vector<std::string> argv;
  std::int64_t timeout_s = 600;
  bool operator==(const VerifyCommand&) const = default;
};

enum class RewriteMode : std::uint8_t { off, retry_only, always };

struct PatchPolicy {
  std::vector<std::string> allow_roots;
  std::vector<std::string> deny_prefixes, deny_components, deny_suffixes, deny_names;
  std::vector<std::string> binary_suffixes, artifact_patterns, control_files, allow_control_files;
  std::vector<std::string> secret_patterns, secret_exceptions, allow_filters;
  std::int64_t max_files = 5, max_added_lines = 400, max_deleted_lines = 1000,
               max_deleted_files = 3;
  std::int64_t max_hunks = 200, max_patch_bytes = 1'048'576, max_line_bytes = 16'384;
  std::int64_t max_result_file_bytes = 2'097'152;
  bool allow_renames = true, allow_copies = false, allow_mode_changes = false;
  bool allow_new_executable = false, allow_symlinks = false, allow_gitlinks = false;
  bool deny_bidi = true, deny_control = true, require_utf8_content = true;
  RewriteMode rewrite_mode = RewriteMode::retry_only;
  std::int64_t rewrite_ratio_ten_thousandths = 9000, rewrite_min_lines = 20;
  std::string profile = "strict";  // grammar.profile: strict, git
  std::string position = "exact";  // exact, unique
  bool windows_rules = true;       // path.windows_rules
  std::string git_path;            // git.path: folder that holds git; empty: system default
  std::int64_t git_timeout_ms = 30'000;
  bool git_allow_old = false;
  std::int64_t lock_timeout_ms = 10'000;
  std::int64_t max_attempts = 3;            // retry.max_attempts
  std::vector<std::string> trusted_owners;  // user names or numeric ids
  std::vector<VerifyCommand> verify;

  bool operator==(const PatchPolicy&) const = default;
};

PatchPolicy default_patch_policy();
Result<PatchPolicy> preset(std::string_view name);  // "ctcp"

/// The effective values as a document (evidence `policy`, `contract`), every key of 6.1 present.
Value to_value(const PatchPolicy&);

/// A run may only narrow: roots intersect, denies and verify unite, limits take the minimum; a
/// wider value is ignored and noted (policy_widening_ignored). `document` has the keys of the patch
/// block.
struct Narrowed {
  PatchPolicy policy;
  std::vector<Note> notes;
};
Result<Narrowed> narrow(const PatchPolicy& base, const Value& document,
                        std::string_view source_name);

}  // namespace gh::policy
