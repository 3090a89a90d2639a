// Which changes the gate looks at (release-gate 19): rules typed out from the specification.
#include "release/triggers.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "model/peek.h"

namespace gh::release {
namespace {

using Texts = std::vector<std::string>;

TriggerResult evaluated(TriggerFacts facts) { return TriggerCatalogue::built_in().evaluate(facts); }

/// Ids without their prefix.
std::string matched(const TriggerResult& r) {
  Texts ids;
  for (const TriggerMatch& m : r.matched)
    ids.push_back(m.id.substr(8));
  return join(ids, " ");
}

TEST(Triggers, EveryRuleMatchesItsPaths) {
  const std::pair<const char*, const char*> rows[] = {
      {"tools/payments.mcp.json", "MCP-EXPORT-CHANGED"},
      {".agents-shipgate/baseline.json", "MCP-EXPORT-CHANGED"},
      {"api/openapi.v2.yaml", "OPENAPI-SPEC-CHANGED"},
      {"api/swagger.yml", "OPENAPI-SPEC-CHANGED"},
      {"x/my-openapi.json", "OPENAPI-SPEC-CHANGED"},
      {"tools/openai.tools.json", "STATIC-TOOL-INVENTORY-CHANGED"},
      {"tools/anthropic-tools.json", "STATIC-TOOL-INVENTORY-CHANGED"},
      {".codex-plugin/plugin.json", "CODEX-PLUGIN-CHANGED"},
      {"p/.agents/plugins/x", "CODEX-PLUGIN-CHANGED"},
      {"a/.app.json", "CODEX-PLUGIN-CHANGED"},
      {"prompts/a.txt", "PROMPTS-OR-POLICIES"},
      {"policies/a.yaml", "PROMPTS-OR-POLICIES"},
      {"shipgate.yaml", "SHIPGATE-MANIFEST"},
      {"Shipgate.YAML", "SHIPGATE-MANIFEST"},
      {".github/workflows/agents-shipgate.yaml", "SHIPGATE-CI-WORKFLOW"},
      {"docs/a.md", "DOCS-ONLY-NEGATIVE"},
      {"src/test_a.py", "DOCS-ONLY-NEGATIVE"},
      {"src/a.py", ""},
      {"nested/shipgate.yaml", ""},
  };
  for (const auto& [path, rule] : rows)
    EXPECT_EQ(matched(evaluated({.changed_files = {path}, .user_requested = true})), rule) << path;
}

TEST(Triggers, TokensCountInAddedLinesAsWords) {
  const auto of = [](const std::string& diff) {
    return matched(evaluated({.changed_files = {"src/a.py"}, .diff = diff}));
  };
  EXPECT_EQ(of("+@function_tool\n"), "FUNCTION-TOOL-DECORATOR");
  EXPECT_EQ(of("+x = FunctionTool(f)\n"), "FUNCTION-TOOL-DECORATOR");
  EXPECT_EQ(of("+langchain==1.0\n"), "FRAMEWORK-VERSION-BUMP");
  EXPECT_EQ(of("+run: agents-shipgate verify\n"), "SHIPGATE-CI-WORKFLOW");
  EXPECT_EQ(of("-@function_tool\n @tool\n"), "");
  EXPECT_EQ(of("+mail me@toolbox.example\n"), "");
  EXPECT_EQ(of("+++ b/langchain\n"), "");
}

TEST(Triggers, PrecedenceIsThatOfTheSpecification) {
  struct Row {
    const char* name;
    TriggerFacts facts;
    bool runs;
    const char *skip, *action;
  };
  const Row rows[] = {
      {"a manifest forces",
       {.changed_files = {"README.md"}, .manifest_present = true},
       true,
       "",
       "force_run"},
      {"a manifest that is taken away forces",
       {.changed_files = {"README.md"}, .forced = true},
       true,
       "",
       "force_run"},
      {"documents skip", {.changed_files = {"README.md"}}, false, "skip_rule", "skip_shipgate"},
      {"documents beside tools run",
       {.changed_files = {"README.md", "a.mcp.json"}},
       true,
       "",
       "run_shipgate"},
      {"skills are no documents", {.changed_files = {"a/SKILL.md"}}, true, "", "run_shipgate"},
      {"a framework is advice",
       {.changed_files = {"r.txt"}, .diff = "+crewai\n"},
       false,
       "dry_run_only",
       "dry_run"},
      {"nothing", {.changed_files = {"src/a.py"}}, false, "no_match", "none"},
      {"no change at all", {}, false, "no_match", "none"},
      {"the block of a gatehouse.yaml",
       {.changed_files = {"gatehouse.yaml"}, .gatehouse_yaml = "gatehouse.yaml"},
       true,
       "",
       "run_shipgate"},
  };
  for (const Row& row : rows) {
    const TriggerResult r = evaluated(row.facts);
    EXPECT_EQ(r.should_run, row.runs) << row.name;
    EXPECT_EQ(to_string(r.skip), row.skip) << row.name;
    EXPECT_EQ(r.action(), row.action) << row.name;
    EXPECT_EQ(r.dry_run_recommended, r.skip == SkipReason::dry_run_only) << row.name;
  }
}

TEST(Triggers, StopConditionsComeFirst) {
  const auto read = [](const std::string& stop) {
    return *TriggerCatalogue::read(
        R"({"schema_version":"0.1","rules":[{"id":"X","when":{"glob":"**"},"action":"force_run","command":null}],"stop_conditions":)" +
            stop + "}",
        "t.json");
  };
  const TriggerFacts facts{.changed_files = {"a"}, .program = "gatehouse release"};
  const TriggerResult stopped =
      read(R"({"all_of":[{"file_absent":"shipgate.yaml"},{"user_did_not_request":true}]})")
          .evaluate(facts);
  EXPECT_FALSE(stopped.should_run);
  EXPECT_FALSE(stopped.force_run);
  EXPECT_TRUE(stopped.stop_conditions_fired);
  EXPECT_EQ(to_string(stopped.skip), "stop_conditions");
  EXPECT_EQ(stopped.action(), "skip_shipgate");
  TriggerFacts asked = facts;
  asked.user_requested = true;
  EXPECT_TRUE(read(R"({"user_did_not_request":true})").evaluate(asked).should_run);
  // Nobody looked whether there is an agent: that never stops anything.
  EXPECT_TRUE(read(R"({"all_of":[{"detect_returns":{"is_agent_project":false}},)"
                   R"({"user_did_not_request":true}]})")
                  .evaluate(facts)
                  .should_run);
}

TEST(Triggers, ACatalogueOfUnknownWordsIsRefused) {
  const auto reads = [](const std::string& when, const std::string& action = "run_shipgate") {
    return TriggerCatalogue::read(R"({"schema_version":"0.1","rules":[{"id":"X","when":)" + when +
                                      R"(,"action":")" + action + R"(","command":null}]})",
                                  "t.json")
        .has_value();
  };
  EXPECT_TRUE(reads(R"({"glob":"a"})"));
  EXPECT_FALSE(reads(R"({"globs":"a"})"));
  EXPECT_FALSE(reads(R"({"any_of":[{"glob":"a"},{"matches":"b"}]})"));
  EXPECT_FALSE(reads(R"({"glob":"a"})", "run"));
  EXPECT_FALSE(TriggerCatalogue::read("{}", "t.json").has_value());
}

TEST(Triggers, TheCatalogueHasElevenRulesInTheirOrder) {
  Texts ids;
  for (const Value& rule : Peek(TriggerCatalogue::built_in().document())["rules"].list())
    ids.emplace_back(Peek(rule)["id"].text().substr(8));
  EXPECT_EQ(ids,
            (Texts{"MCP-EXPORT-CHANGED", "OPENAPI-SPEC-CHANGED", "STATIC-TOOL-INVENTORY-CHANGED",
                   "CODEX-PLUGIN-CHANGED", "FUNCTION-TOOL-DECORATOR", "PROMPTS-OR-POLICIES",
                   "SHIPGATE-MANIFEST", "SHIPGATE-CI-WORKFLOW", "EXISTING-MANIFEST-PRESENT",
                   "FRAMEWORK-VERSION-BUMP", "DOCS-ONLY-NEGATIVE"}));
}

}  // namespace
}  // namespace gh::release
