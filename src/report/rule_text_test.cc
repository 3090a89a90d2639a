#include "report/rule_text.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/data.h"
#include "base/text.h"
#include "checks/catalogue.h"
#include "model/patch_rule.h"
#include "policy/analysis_policy.h"
#include "policy/proposal_policy.h"
#include "wire/yaml.h"

namespace gh::report {
namespace {

TEST(RuleText, EveryRuleAndCodeHasACompleteText) {
  for (const std::string& id : rule_ids()) {
    SCOPED_TRACE(id);
    const auto text = rule_text(id);
    ASSERT_TRUE(text) << text.error().message;
    for (const std::string* part : {&text->why, &text->fires, &text->fix, &text->suppress})
      EXPECT_GT(part->size(), 3u);
    EXPECT_GT(text->fix.size(), 15u);
    if (text->kind == "check") {
      EXPECT_EQ(text->gate, "surface");
      continue;  // what they find are tools, which have no example of one line
    }
    EXPECT_GT(text->bad.size(), 3u);
    EXPECT_GT(text->good.size(), 3u);
    EXPECT_NE(text->bad, text->good);
    EXPECT_EQ(text->since, "0.1.0");
  }
}

TEST(RuleText, IdsAreUniqueAcrossRulesAndCodes) {
  const auto ids = rule_ids();
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
  constexpr std::size_t kAnalysisRules = 17, kAnalysisGates = 21, kChangeCodes = 109,
                        kPowerReasons = 3;
  constexpr std::size_t kShared =
      1;  // path_traversal: a rule of patches and a code of change control
  EXPECT_EQ(ids.size(), kRuleCount + kCodeCount - kShared + proposal::kPropCodeCount +
                            kAnalysisRules + kAnalysisGates + kChangeCodes + kPowerReasons +
                            checks::catalogue().size());
}

TEST(RuleText, NoTextIsLeftBehindByARemovedId) {
  const auto ids = rule_ids();
  const std::set<std::string> known(ids.begin(), ids.end());
  std::size_t entries = 0;
  for (const char* file : {"rules/patch.yaml", "rules/errors.yaml", "rules/proposals.yaml",
                           "rules/analysis.yaml", "rules/change.yaml", "rules/checks.yaml"}) {
    const auto document = wire::read_yaml(data::find(file), file, wire::YamlDialect::strict);
    ASSERT_TRUE(document) << document.error().message;
    for (const auto& [id, entry] : document->root.as_map()->entries()) {
      EXPECT_TRUE(known.contains(id)) << file << ": " << id;
      ++entries;
    }
  }
  EXPECT_EQ(entries, known.size());
}

TEST(RuleText, AdviceDoesNotBreakABackquotedCommand) {
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    const std::string_view text = advice(static_cast<Rule>(i));
    EXPECT_EQ(std::ranges::count(text, '`') % 2, 0) << text;
    EXPECT_EQ(text.find('\n'), std::string_view::npos);
  }
}

TEST(RuleText, UnknownIdsSuggestTheNearest) {
  const auto text = rule_text("max_file");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, Code::unknown_id);
  EXPECT_EQ(text.error().message,
            "there is no rule or error code 'max_file'; did you mean 'max_files'?");
}

TEST(RuleText, GatesStagesAndChecksNameTheirRules) {
  for (const auto& [group, member] :
       {std::pair{"A12", "PROP_RISK_VAGUE"}, std::pair{"PATCH_POLICY_DENY", "max_files"},
        std::pair{"PATCH_ENV_INVALID", "not_a_repository"}}) {
    const auto text = rule_text(group);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, Code::unknown_id);
    EXPECT_NE(text.error().message.find(member), std::string::npos) << text.error().message;
  }
}

TEST(RuleText, UnknownProposalCodesSuggestTheNearest) {
  for (const auto& [wrong, right] : {std::pair{"PROP_TEST_EMPTY", "PROP_TESTS_EMPTY"},
                                     std::pair{"REVIEW_STALLE", "REVIEW_STALE"}}) {
    const auto text = rule_text(wrong);
    ASSERT_FALSE(text);
    EXPECT_TRUE(text.error().message.ends_with(fmt::format("did you mean '{}'?", right)))
        << text.error().message;
  }
}

// docs/reference/proposals.md, Codes: the check of a code; two groups belong to none.
TEST(RuleText, ProposalCodesNameTheirCheck) {
  struct Case {
    const char *id, *gate, *heading;
  };
  for (const Case& c : {
           Case{"PROP_META_MISSING", "A1", "proposal, check A1, exit 1"},
           Case{"PROP_GAP_UNKNOWN", "A12", "proposal, check A12, exit 1"},
           Case{"PROP_RELEASE_BLOCKED", "A20", "proposal, check A20, exit 1"},
           Case{"PROP_ROLLBACK_CONFLICT", "after", "proposal, after the admission, exit 1"},
           Case{"PROP_MIRROR_FORGED", "after", "proposal, after the admission, exit 1"},
           Case{"REVIEW_NOT_AUTHORIZED", "review", "answer to a review, exit 1"},
           Case{"REVIEW_STATE_INVALID", "review", "answer to a review, exit 1"},
       }) {
    SCOPED_TRACE(c.id);
    const auto text = rule_text(c.id);
    ASSERT_TRUE(text) << text.error().message;
    const Map document = rule_document(*text);
    EXPECT_EQ(*document.find("kind"), Value("proposal"));
    EXPECT_EQ(*document.find("gate"), Value(c.gate));
    EXPECT_TRUE(document.find("stage")->is_null());
    EXPECT_TRUE(document.find("code")->is_null());
    EXPECT_EQ(*document.find("exit_code"), Value(1));
    EXPECT_TRUE(render_rule(*text, Look{}).starts_with(fmt::format("{}  ({})\n", c.id, c.heading)));
  }
}

// A text may name only keys that the policy has.
TEST(RuleText, PolicyKeysInProposalTextsExist) {
  const Value policy = policy::to_value(policy::default_proposal_policy());
  constexpr std::string_view kStart = "`proposals.";
  std::size_t named = 0;
  for (std::size_t i = 0; i < proposal::kPropCodeCount; ++i) {
    const auto text = rule_text(to_string(static_cast<proposal::PropCode>(i)));
    ASSERT_TRUE(text);
    const std::string& says = text->suppress;
    for (std::size_t at = says.find(kStart); at != says.npos; at = says.find(kStart, at + 1)) {
      const std::size_t begin = at + kStart.size();
      const std::string key = says.substr(begin, says.find_first_of("`:", begin) - begin);
      const Value* found = &policy;
      for (const std::string_view part : split(key, '.'))
        if (found != nullptr)
          found = found->as_map() == nullptr ? nullptr : found->as_map()->find(part);
      EXPECT_NE(found, nullptr) << text->id << ": " << key;
      ++named;
    }
  }
  EXPECT_GT(named, 20u);
}

// docs/reference/analysis.md, "Gates" and the rules of SARIF
TEST(RuleText, WhatAnAnalysisSaysIsExplained) {
  struct Case {
    const char *id, *shown, *kind, *gate, *heading;
  };
  for (const Case& c : {
           Case{"GH-CLONE-FUNCTION", "GH-CLONE-FUNCTION", "analysis", "clone",
                "finding of the analysis, exit 0"},
           Case{"GH-STRUCT-DRIFT", "GH-STRUCT-DRIFT", "analysis", "structural",
                "finding of the analysis, exit 0"},
           Case{"GH-DEAD-METHOD", "GH-DEAD-METHOD", "analysis", "dead_code",
                "finding of the analysis, exit 0"},
           Case{"GH-DESIGN-SCOPEGAP", "GH-DESIGN-SCOPEGAP", "analysis", "design",
                "finding of the analysis, exit 0"},
           Case{"metric:complexity_threshold", "metric:complexity_threshold", "analysis_gate",
                "gate", "gate of the analysis, exit 1"},
           Case{"clone:threshold:12:10", "clone:threshold", "analysis_gate", "gate",
                "gate of the analysis, exit 1"},
       }) {
    SCOPED_TRACE(c.id);
    const auto text = rule_text(c.id);
    ASSERT_TRUE(text) << text.error().message;
    const Map document = rule_document(*text);
    EXPECT_EQ(*document.find("id"), Value(c.shown));
    EXPECT_EQ(*document.find("kind"), Value(c.kind));
    EXPECT_EQ(*document.find("gate"), Value(c.gate));
    EXPECT_TRUE(
        render_rule(*text, Look{}).starts_with(fmt::format("{}  ({})\n", c.shown, c.heading)));
  }
  EXPECT_FALSE(rule_text("clone:thresholds"));
}

// A text may name only keys that the configuration has.
TEST(RuleText, KeysInTextsOfTheAnalysisExist) {
  const Value policy = policy::to_value(policy::AnalysisPolicy{});
  std::size_t named = 0;
  for (const std::string& id : rule_ids()) {
    const auto text = rule_text(id);
    ASSERT_TRUE(text);
    if (!text->kind.starts_with("analysis")) continue;
    for (const std::string& says : {text->fires, text->suppress})
      for (std::size_t at = says.find("analysis."); at != says.npos;
           at = says.find("analysis.", at + 1)) {
        const std::size_t begin = at + std::string_view("analysis.").size();
        const std::string key = says.substr(
            begin, says.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", begin) - begin);
        EXPECT_NE(policy.as_map()->find(key), nullptr) << id << ": " << key;
        ++named;
      }
  }
  EXPECT_GT(named, 25u);
}

TEST(RuleText, DocumentNamesStageCodeAndExit) {
  const Map rule = rule_document(*rule_text("max_files"));
  EXPECT_EQ(*rule.find("stage"), Value("policy"));
  EXPECT_EQ(*rule.find("code"), Value("PATCH_POLICY_DENY"));
  EXPECT_EQ(*rule.find("exit_code"), Value(1));
  const Map fault = rule_document(*rule_text("git_too_old"));
  EXPECT_EQ(*fault.find("stage"), Value("env"));
  EXPECT_EQ(*fault.find("code"), Value("PATCH_ENV_INVALID"));
  EXPECT_EQ(*fault.find("exit_code"), Value(4));
  const Map usage = rule_document(*rule_text("unknown_option"));
  EXPECT_TRUE(usage.find("code")->is_null());
  EXPECT_EQ(*usage.find("exit_code"), Value(2));
}

}  // namespace
}  // namespace gh::report
