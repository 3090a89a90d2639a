#include "model/patch_rule.h"

#include <array>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace gh {
namespace {

struct Group {
  std::string_view gate, stage, code, rules;
};

// patch-gate 10.2, with the lists that it refers to (5, 6.1, 7), written out from the
// specification.
constexpr std::array kSpecified{
    Group{"shape", "parse", "PATCH_PARSE_INVALID",
          "input_too_large empty_input nul_byte not_a_diff missing_final_newline too_many_lines "
          "git_line_malformed git_line_ambiguous prefix_missing quote_unterminated "
          "quote_invalid_escape name_trailing_garbage name_control_char name_mismatch "
          "devnull_mismatch crlf_header header_unknown duplicate_header header_conflict "
          "mode_malformed mode_unknown mode_pair_incomplete index_malformed similarity_malformed "
          "similarity_contradicts_hunks rename_incomplete copy_incomplete rename_same_name "
          "missing_minus_line missing_plus_line missing_hunk section_empty section_without_hunks "
          "binary_payload hunk_header_malformed hunk_range_invalid hunk_position_inconsistent "
          "hunk_order hunk_overlap hunk_body_invalid_line hunk_count_mismatch hunk_truncated "
          "hunk_no_change no_newline_marker_malformed no_newline_marker_misplaced "
          "junk_between_sections duplicate_path"},
    Group{"path", "parse", "PATCH_PARSE_INVALID",
          "path_empty path_invalid_utf8 path_control_char path_backslash path_absolute "
          "path_drive_letter path_colon path_empty_component path_traversal path_dot_component "
          "path_dotgit path_unsafe_codepoint path_not_nfc path_trailing_dot_space "
          "path_windows_reserved path_windows_char path_too_long path_case_collision "
          "path_file_dir_conflict"},
    Group{"policy", "policy", "PATCH_POLICY_DENY",
          "max_patch_bytes max_files max_added_lines max_deleted_lines max_deleted_files max_hunks "
          "max_line_bytes secret_file control_file deny_prefixes deny_components lock_file "
          "deny_suffixes binary_target artifact_target allow_roots mode_symlink mode_gitlink "
          "rename_not_allowed copy_not_allowed mode_change new_executable content_bidi "
          "content_control_char content_invalid_utf8 full_rewrite max_result_file_bytes "
          "retry_channel retry_exhausted retry_identical"},
    Group{"tree", "git_check", "PATCH_GIT_CHECK_FAIL",
          "base_missing already_exists base_symlink base_gitlink base_mode_mismatch "
          "base_blob_mismatch symlink_in_path gitlink_in_path file_dir_conflict case_collision "
          "base_binary filtered_path hunk_position_mismatch hunk_position_ambiguous hunk_not_found "
          "hunk_no_context no_newline_conflict delete_leaves_content no_effect"},
    Group{"git", "git_check", "PATCH_GIT_CHECK_FAIL",
          "git_apply_check_failed oracle_disagrees git_timeout"},
    Group{"apply", "apply", "PATCH_APPLY_FAIL",
          "git_apply_failed result_tree_mismatch base_moved worktree_dirty object_migration_failed "
          "rollback_incomplete post_verify_mismatch verify_failed"},
};

TEST(PatchRule, EveryRuleHasTheGateStageAndCodeOfTheSpecification) {
  std::set<std::string> seen;
  for (const auto& group : kSpecified) {
    std::istringstream words{std::string(group.rules)};
    for (std::string id; words >> id;) {
      SCOPED_TRACE(id);
      seen.insert(id);
      const auto rule = rule_from(id);
      ASSERT_TRUE(rule);
      EXPECT_EQ(to_string(*rule), id);
      const PatchStep step = step_of(*rule);
      EXPECT_EQ(to_string(step), group.gate);
      EXPECT_EQ(to_string(stage_of(step)), group.stage);
      EXPECT_EQ(code_of(stage_of(step)), group.code);
      EXPECT_EQ(is_alarm(*rule), id == "oracle_disagrees" || id == "result_tree_mismatch");
    }
  }
  EXPECT_EQ(seen.size(), kRuleCount) << "a rule that the specification does not list";
}

TEST(PatchRule, NothingElseIsARule) {
  for (const std::string_view id : {"", "Max_files", "max_files ", "max_file", "PATCH_OK", "shape"})
    EXPECT_FALSE(rule_from(id)) << id;
}

}  // namespace
}  // namespace gh
