#include "report/rule_text.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "base/data.h"
#include "model/patch_rule.h"
#include "wire/yaml.h"

namespace gh::report {
namespace {

TEST(RuleText, EveryRuleAndCodeHasACompleteText) {
  for (const std::string& id : rule_ids()) {
    SCOPED_TRACE(id);
    const auto text = rule_text(id);
    ASSERT_TRUE(text) << text.error().message;
    for (const std::string* part :
         {&text->why, &text->fires, &text->bad, &text->good, &text->fix, &text->suppress})
      EXPECT_GT(part->size(), 3u);
    EXPECT_GT(text->fix.size(), 20u);
    EXPECT_NE(text->bad, text->good);
    EXPECT_EQ(text->since, "0.1.0");
  }
}

TEST(RuleText, IdsAreUniqueAcrossRulesAndCodes) {
  const auto ids = rule_ids();
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
  EXPECT_EQ(ids.size(), kRuleCount + kCodeCount);
}

TEST(RuleText, NoTextIsLeftBehindByARemovedId) {
  const auto ids = rule_ids();
  const std::set<std::string> known(ids.begin(), ids.end());
  for (const char* file : {"rules/patch.yaml", "rules/errors.yaml"}) {
    const auto document = wire::read_yaml(data::find(file), file, wire::YamlDialect::strict);
    ASSERT_TRUE(document) << document.error().message;
    for (const auto& [id, entry] : document->root.as_map()->entries())
      EXPECT_TRUE(known.contains(id)) << file << ": " << id;
  }
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
