#include "proposal/finding.h"

#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace gh::proposal {
namespace {

struct Expected {
  std::string_view code, check, weight;
};

// docs/reference/proposals.md, Codes; typed from the document.
constexpr Expected kExpected[] = {
    {"PROP_META_MISSING", "A1", "fixable"},
    {"PROP_META_INVALID", "A1", "fixable"},
    {"PROP_REPORT_MISSING", "A1", "fixable"},
    {"PROP_REPORT_INVALID", "A1", "fixable"},
    {"PROP_DENY_PATH", "A2", "fatal"},
    {"PROP_SIGNATURE_MISSING", "A3", "fixable"},
    {"PROP_SIGNATURE_INVALID", "A3", "fatal"},
    {"PROP_ACTOR_UNKNOWN", "A3", "fixable"},
    {"PROP_ID_INVALID", "A4", "fixable"},
    {"PROP_ID_MISMATCH", "A4", "fixable"},
    {"PROP_ID_TAKEN", "A4", "fixable"},
    {"PROP_DUPLICATE", "A4", "fixable"},
    {"PROP_REPLAY", "A4", "fatal"},
    {"PROP_ALREADY_APPLIED", "A4", "fixable"},
    {"PROP_TRUST_INVALID", "A5", "fixable"},
    {"PROP_TRUST_EXCEEDED", "A5", "fatal"},
    {"PROP_REVIEW_STATUS_INVALID", "A5", "fixable"},
    {"PROP_REVIEW_FORGED", "A5", "fatal"},
    {"PROP_PROMOTION_STATUS_INVALID", "A5", "fixable"},
    {"PROP_PROMOTION_FORGED", "A5", "fatal"},
    {"PROP_RECORD_FORGED", "A5", "fatal"},
    {"PROP_STATE_INCONSISTENT", "A5", "fixable"},
    {"PROP_BASE_INVALID", "A6", "fixable"},
    {"PROP_BASE_UNKNOWN", "A6", "fatal"},
    {"PROP_BASE_NOT_COMMIT", "A6", "fatal"},
    {"PROP_BASE_UNREACHABLE", "A6", "fatal"},
    {"PROP_DIFF_MISSING", "A7", "fixable"},
    {"PROP_DIGEST_MISMATCH", "A7", "fixable"},
    {"PROP_MAIL_INVALID", "A7", "fixable"},
    {"PROP_TRADITIONAL_AMBIGUOUS", "A7", "fixable"},
    {"PROP_PATCH_REJECTED", "A7", "fixable"},
    {"PROP_DIFF_NOT_REDERIVABLE", "A8", "fixable"},
    {"PROP_FILES_INVALID", "A9", "fixable"},
    {"PROP_FILES_MISMATCH", "A9", "fixable"},
    {"PROP_TESTS_EMPTY", "A10", "fixable"},
    {"PROP_TESTS_NOT_REAL", "A10", "fixable"},
    {"PROP_TESTS_DO_NOT_DISCRIMINATE", "A10", "fixable"},
    {"PROP_COMMANDS_EMPTY", "A11", "fixable"},
    {"PROP_COMMANDS_INVALID", "A11", "fixable"},
    {"PROP_COMMANDS_NO_TEST", "A11", "fixable"},
    {"PROP_COMMANDS_FAILED", "A11", "fixable"},
    {"PROP_PRODUCTION_CLAIM", "A11", "fatal"},
    {"PROP_RISK_VAGUE", "A12", "fixable"},
    {"PROP_ROLLBACK_VAGUE", "A12", "fixable"},
    {"PROP_AUTHOR_INVALID", "A12", "fixable"},
    {"PROP_GAP_INVALID", "A12", "fixable"},
    {"PROP_GAP_UNKNOWN", "A12", "fixable"},
    {"PROP_TIME_INVALID", "A12", "fixable"},
    {"PROP_TIME_FUTURE", "A12", "fixable"},
    {"PROP_TIME_BEFORE_BASE", "A12", "fixable"},
    {"PROP_EXPIRED", "A12", "fixable"},
    {"PROP_SUPERSEDES_INVALID", "A12", "fixable"},
    {"PROP_DEPENDS_INVALID", "A12", "fixable"},
    {"PROP_STATE_INVALID", "A13", "fixable"},
    {"PROP_REVIEW_PENDING", "A14", "defer"},
    {"PROP_REVIEW_CHANGES", "A14", "fixable"},
    {"PROP_REVIEW_STALE", "A14", "fixable"},
    {"PROP_REVIEW_NOT_INDEPENDENT", "A14", "fixable"},
    {"PROP_NOT_PROMOTER", "A15", "fixable"},
    {"PROP_CONFIRMATION_MISSING", "A15", "defer"},
    {"PROP_STALE_BASE", "A16", "defer"},
    {"PROP_TARGET_MOVED", "A16", "defer"},
    {"PROP_CONFLICT", "A17", "fixable"},
    {"PROP_DEPENDENCY_OPEN", "A18", "defer"},
    {"PROP_TREE_CHANGED", "A19", "fixable"},
    {"PROP_VERIFY_FAILED", "A19", "fixable"},
    {"PROP_VERIFY_DIRTY", "A19", "fixable"},
    {"PROP_OUT_OF_SCOPE", "A20", "fixable"},
    {"PROP_RELEASE_BLOCKED", "A20", "fixable"},
    {"PROP_ROLLBACK_CONFLICT", "", "fixable"},
    {"PROP_MIRROR_FORGED", "", "fatal"},
    {"REVIEW_NOT_AUTHORIZED", "", "review"},
    {"REVIEW_NOT_INDEPENDENT", "", "review"},
    {"REVIEW_STALE", "", "review"},
    {"REVIEW_STATE_INVALID", "", "review"},
};

TEST(ProposalCodes, EveryCodeHasItsCheckItsWeightAndANextStep) {
  EXPECT_EQ(std::size(kExpected), kPropCodeCount);
  std::set<std::string_view> helps;
  for (const Expected& row : kExpected) {
    SCOPED_TRACE(row.code);
    const auto code = prop_code_from(row.code);
    ASSERT_TRUE(code.has_value());
    EXPECT_EQ(to_string(*code), row.code);
    EXPECT_EQ(check_of(*code), row.check);
    EXPECT_EQ(to_string(weight_of(*code)), row.weight);
    EXPECT_TRUE(help(*code).ends_with('.')) << help(*code);
    EXPECT_TRUE(helps.insert(help(*code)).second);
  }
  EXPECT_FALSE(prop_code_from("PROP_NOTHING").has_value());
  EXPECT_FALSE(prop_code_from("").has_value());
}

TEST(ProposalPage, ListsEveryCodeAsItIs) {
  std::ifstream page("docs/reference/proposals.md");
  std::vector<std::string> lines, expected;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) inside = line == "## Codes";
    if (inside && line.starts_with("| `")) lines.push_back(line);
  }
  for (std::size_t i = 0; i < kPropCodeCount; ++i) {
    const auto code = static_cast<PropCode>(i);
    expected.push_back(fmt::format("| `{}` | {} | {} | {} |", to_string(code),
                                   check_of(code).empty() ? "–" : check_of(code),
                                   to_string(weight_of(code)), help(code)));
  }
  EXPECT_EQ(lines, expected);
}

}  // namespace
}  // namespace gh::proposal
