#include "base/error.h"

#include <array>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace gh {
namespace {

struct Group {
  CodeClass klass;
  std::string_view codes;
};

// interfaces 5.6 and patch-gate 10.2, written out again: which codes blame the caller, a document,
// the machine, or ourselves.
constexpr std::array kSpecified{
    Group{CodeClass::usage,
          "unknown_command unknown_option bad_argument missing_argument unknown_id ref_unresolved "
          "not_permitted path_invalid policy_unreadable policy_not_object policy_unknown_key "
          "policy_bad_value policy_bad_path "
          "root_required_absolute root_not_found root_not_directory root_unresolvable "
          "invalid_choice scope_invalid scope_empty scope_entry_not_a_file intent_path_absolute "
          "path_traversal path_outside_root intent_text_required expected_effects_invalid "
          "evidence_required evidence_exclusive git_ref_invalid git_diff_failed unknown_intent "
          "no_active_intent intent_not_queued intent_id_required run_not_found run_id_ambiguous "
          "finding_not_found coverage_required receipt_intent_root_mismatch text_not_string "
          "text_empty text_too_long artifact_key_required resource_unknown section_unknown"},
    Group{CodeClass::input,
          "patch_missing input_unreadable document_too_large json_invalid yaml_invalid "
          "xml_invalid digest_mismatch signature_invalid baseline_untrusted"},
    Group{
        CodeClass::environment,
        "repo_root_missing not_a_repository repo_root_not_toplevel dubious_ownership repo_busy "
        "lock_busy git_not_found git_too_old git_failed run_dir_is_repo run_dir_overlaps io_error "
        "ledger_unavailable ledger_too_new conflict signing_key_invalid interrupted "
        "root_not_a_repository registry_busy registry_schema_unsupported registry_config_invalid "
        "registry_write_failed ownership_lost"},
    Group{CodeClass::internal, "internal_error"},
};

std::set<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::set<std::string> out;
  for (std::string word; in >> word;)
    out.insert(word);
  return out;
}

TEST(ErrorCode, EachHasTheClassThatDecidesItsExitStatus) {
  std::set<std::string> listed;
  for (std::size_t i = 0; i < kCodeCount; ++i) {
    const auto code = static_cast<Code>(i);
    const std::string name{to_string(code)};
    listed.insert(name);
    for (const auto& group : kSpecified)
      EXPECT_EQ(class_of(code) == group.klass, words(group.codes).contains(name)) << name;
  }
  EXPECT_EQ(listed.size(), kCodeCount);
}

TEST(ErrorCode, EachSaysWhatToDoNext) {
  for (std::size_t i = 0; i < kCodeCount; ++i) {
    const auto text = help(static_cast<Code>(i));
    EXPECT_TRUE(text.ends_with('.')) << to_string(static_cast<Code>(i)) << ": " << text;
  }
}

Status fails_when(bool bad) {
  if (bad) return fail(Code::io_error, "disk full");
  return {};
}

Result<int> doubled(Result<int> in) {
  GH_TRY(value, std::move(in));
  GH_DO(fails_when(value < 0));
  return value * 2;
}

TEST(Result, TryAndDoHandTheErrorUp) {
  EXPECT_EQ(doubled(21).value(), 42);
  EXPECT_EQ(doubled(-1).error().code, Code::io_error);
  EXPECT_EQ(doubled(fail(Code::json_invalid, "line 1")).error().message, "line 1");
}

TEST(Error, TheTrailGrowsOutwards) {
  const Error error = Error{Code::io_error, "no space"}.at("write").at("apply");
  EXPECT_EQ(error.trail, (std::vector<std::string>{"write", "apply"}));
}

TEST(ErrorDeath, ABrokenPromiseNamesItselfAndAborts) {
  EXPECT_DEATH(GH_ASSERT(1 + 1 == 3), "1 \\+ 1 == 3");
}

}  // namespace
}  // namespace gh
