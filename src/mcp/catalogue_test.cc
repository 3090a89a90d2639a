#include "mcp/catalogue.h"

#include <algorithm>
#include <array>
#include <set>

#include <gtest/gtest.h>

#include "mcp/inside.h"
#include "mcp/translate.h"
#include "model/peek.h"
#include "wire/json.h"

namespace gh::mcp {
namespace {

struct ToolRow {
  std::string_view name;
  Role role;
  bool read_only, idempotent, destructive;
  Profile profile;
};
constexpr Role kAgent = Role::agent;
constexpr Profile kMinimal = Profile::minimal, kStandard = Profile::standard, kFull = Profile::full;
// Interfaces 1.10.
constexpr std::array<ToolRow, 25> kDocument{{
    {"status", kAgent, true, true, false, kMinimal},
    {"check", kAgent, true, true, false, kMinimal},
    {"patch_check", kAgent, true, true, false, kStandard},
    {"patch_apply", kAgent, false, false, false, kStandard},
    {"analyze_repository", kAgent, false, true, false, kMinimal},
    {"start_controlled_change", kAgent, false, false, false, kMinimal},
    {"manage_change_intent", kAgent, false, false, true, kMinimal},
    {"check_patch_contract", kAgent, true, true, false, kStandard},
    {"finish_controlled_change", kAgent, false, false, false, kMinimal},
    {"compare_runs", kAgent, true, true, false, kStandard},
    {"get_blast_radius", kAgent, true, true, false, kStandard},
    {"validate_review_claims", kAgent, true, true, false, kStandard},
    {"create_review_receipt", kAgent, false, true, false, kStandard},
    {"findings", kAgent, true, true, false, kStandard},
    {"proposal_submit", kAgent, false, false, false, kStandard},
    {"proposal_list", kAgent, true, true, false, kStandard},
    {"proposal_get", kAgent, true, true, false, kStandard},
    {"proposal_review", Role::reviewer, false, false, false, kFull},
    {"proposal_promote", Role::promoter, false, false, true, kFull},
    {"release_scan", kAgent, true, true, false, kStandard},
    {"release_verify", kAgent, true, true, false, kStandard},
    {"receipt_get", kAgent, true, true, false, kStandard},
    {"receipt_verify", kAgent, true, true, false, kStandard},
    {"explain", kAgent, true, true, false, kStandard},
    {"report_get", kAgent, true, true, false, kStandard},
}};

TEST(ToolTable, HasTheRowsOfTheDocumentInItsOrder) {
  const auto tools = product_catalogue().tools;
  ASSERT_EQ(tools.size(), kDocument.size());
  for (std::size_t i = 0; i < tools.size(); ++i) {
    const ToolRow& row = kDocument[i];
    EXPECT_EQ(tools[i].name, row.name);
    EXPECT_EQ(tools[i].role, row.role) << row.name;
    EXPECT_EQ(tools[i].is_read_only, row.read_only) << row.name;
    EXPECT_EQ(tools[i].is_idempotent, row.idempotent) << row.name;
    EXPECT_EQ(tools[i].is_destructive, row.destructive) << row.name;
    EXPECT_EQ(tools[i].profile, row.profile) << row.name;
  }
}

struct Parameters {
  std::string_view tool, names, required;  // sorted
};
// Change-control 20.1, and the two members that 10.1 and 16.1 add.
constexpr std::array<Parameters, 9> kParameters{{
    {"start_controlled_change",
     "analyze blast_radius_depth blast_radius_detail dirty_scope_policy expected_effects intent "
     "isolation "
     "on_conflict root scope strictness ttl_seconds",
     "intent scope"},
    {"finish_controlled_change",
     "after_run_id analyze auto_clear changed_files claims_text create_receipt detail_level "
     "diff_ref "
     "intent_id land patch_trail_detail propose_memory review_text root strictness",
     "intent_id"},
    {"manage_change_intent",
     "action changed_files diff_ref expected_effects intent intent_id lease_seconds on_conflict "
     "root run_id scope ttl_seconds",
     "action"},
    {"check_patch_contract",
     "after_run_id before_run_id changed_files diff_ref intent_id mode root run_id strictness",
     "mode"},
    {"get_blast_radius", "depth files include root run_id", "files"},
    {"create_review_receipt",
     "format include_blast_radius include_patch_contract intent_id root run_id", ""},
    {"validate_review_claims", "patch_health_delta require_citations root run_id text", "text"},
    {"compare_runs", "focus root run_id_after run_id_before", "run_id_before"},
    {"analyze_repository",
     "analysis_mode api_surface baseline_path block_min_loc block_min_stmt cache_policy "
     "changed_paths cohesion_threshold complexity_threshold coupling_threshold coverage_min "
     "coverage_xml git_diff_ref min_loc min_stmt processes rev root segment_min_loc "
     "segment_min_stmt",
     ""},
}};

std::string joined(std::vector<std::string> names) {
  std::ranges::sort(names);
  std::string out;
  for (const std::string& name : names)
    out += (out.empty() ? "" : " ") + name;
  return out;
}

const Tool& tool_named(std::string_view name) {
  return *std::ranges::find(product_catalogue().tools, name, &Tool::name);
}

TEST(ToolTable, TakesTheParametersOfTheNineTools) {
  for (const Parameters& row : kParameters) {
    const Value schema = input_schema(tool_named(row.tool));
    std::vector<std::string> names, required;
    for (const auto& [name, property] : Peek(schema)["properties"].map().entries())
      names.push_back(name);
    for (const Value& name : Peek(schema)["required"].list())
      required.push_back(*name.as_string());
    EXPECT_EQ(joined(names), row.names) << row.tool;
    EXPECT_EQ(joined(required), row.required) << row.tool;
  }
}

TEST(ToolTable, NamesOperationsAndWhatTheyTake) {
  for (const Tool& tool : product_catalogue().tools)
    for (const Case& each : tool.cases) {
      const ops::Operation& operation = operation_named(each.operation);
      for (const Argument& argument : each.arguments) {
        const bool is_operand = std::ranges::find(operation.operands, argument.to,
                                                  &ops::Operand::name) != operation.operands.end();
        EXPECT_TRUE(argument.to.empty() || is_operand ||
                    ops::find_option(operation, argument.to) != nullptr)
            << tool.name << " " << argument.name;
      }
    }
  for (const Resource& resource : product_catalogue().resources)
    EXPECT_EQ(operation_named(resource.operation).name, resource.operation);
}

/// What only people may ask for is behind a role of people, and what starts programs behind none.
TEST(ToolTable, OffersAgentsNothingThatIsForPeopleAndNobodyAnInventory) {
  const auto expect_fit = [](std::string_view door, std::string_view name, bool is_for_agents) {
    const ops::Operation& operation = operation_named(name);
    EXPECT_NE(operation.name, "inventory_release") << door;
    EXPECT_TRUE(!is_for_agents || operation.audience == ops::Audience::anybody)
        << door << " " << operation.name;
  };
  EXPECT_EQ(operation_named("inventory_release").audience, ops::Audience::people);
  for (const Tool& tool : product_catalogue().tools)
    for (const Case& each : tool.cases)
      expect_fit(tool.name, each.operation, tool.role == Role::agent);
  for (const Resource& resource : product_catalogue().resources)
    expect_fit(resource.uri, resource.operation, true);
}

TEST(ToolTable, OffersEachRoleItsToolsAndAShortIntroduction) {
  EXPECT_EQ(tools_for(product_catalogue(), Role::agent, Profile::minimal).size(), 6U);
  EXPECT_EQ(tools_for(product_catalogue(), Role::agent, Profile::full).size(), 23U);
  EXPECT_EQ(tools_for(product_catalogue(), Role::reviewer, Profile::full).size(), 24U);
  EXPECT_EQ(tools_for(product_catalogue(), Role::admin, Profile::full).size(), 25U);
  EXPECT_LE(product_catalogue().instructions.size(), 900U);
}

TEST(ToolTable, SetsEveryHint) {
  for (const Tool& tool : product_catalogue().tools) {
    const Value shown = to_value(tool);
    const Peek hints = Peek(shown)["annotations"];
    for (const std::string_view name : {"title", "readOnlyHint", "idempotentHint", "openWorldHint"})
      EXPECT_TRUE(hints[name].exists()) << tool.name << " " << name;
    EXPECT_EQ(hints["destructiveHint"].exists(), !tool.is_read_only) << tool.name;
    EXPECT_FALSE(hints["openWorldHint"].is_true());
    EXPECT_FALSE(Peek(shown)["inputSchema"]["additionalProperties"].is_true());
    EXPECT_EQ(Peek(shown)["_meta"].exists(), tool.name == "report_get");
  }
}

Result<Translated> translated(std::string_view tool, std::string_view arguments) {
  return translate(tool_named(tool), *wire::read_json(arguments)->as_map());
}

TEST(Translation, TurnsArgumentsIntoARequest) {
  const auto start = translated(
      "start_controlled_change",
      R"({"root":"/r","scope":{"allowed_files":["a","b"],"forbidden":["c"]},"intent":"x","ttl_seconds":90,
          "on_conflict":"queue","blast_radius_detail":"full","dirty_scope_policy":"block","expected_effects":null})");
  ASSERT_TRUE(start) << start.error().message;
  const auto& options = start->request.options;
  EXPECT_EQ(options.at("allow"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(options.at("forbid"), std::vector<std::string>{"c"});
  EXPECT_EQ(options.at("ttl"), std::vector<std::string>{"90"});
  EXPECT_EQ(options.at("full"), std::vector<std::string>{"true"});
  EXPECT_FALSE(options.contains("continue-own-wip"));
  EXPECT_FALSE(options.contains("expect"));
  EXPECT_EQ(start->root, "/r");
}

TEST(Translation, ChoosesTheOperationByTheSelector) {
  EXPECT_EQ(translated("manage_change_intent", R"({"action":"renew"})")->chosen->operation,
            "renew_change");
  EXPECT_EQ(translated("proposal_submit", R"({"diff":"d","meta":"m"})")->chosen->operation,
            "submit_proposal");
  const auto dry = translated("proposal_submit", R"({"diff":"d","meta":"m","dry_run":true})");
  EXPECT_EQ(dry->chosen->operation, "lint_proposal");
  EXPECT_EQ(dry->input, R"({"diff":"d","meta":"m"})");
  EXPECT_EQ(dry->request.operands, std::vector<std::string>{"-"});
}

TEST(Translation, ClearsEverythingUnlessAnIntentIsNamed) {
  EXPECT_TRUE(
      translated("manage_change_intent", R"({"action":"clear"})")->request.options.contains("all"));
  EXPECT_FALSE(translated("manage_change_intent", R"({"action":"clear","intent_id":"i"})")
                   ->request.options.contains("all"));
}

TEST(Translation, NamesTheArgumentThatIsWrong) {
  struct Row {
    std::string_view tool, arguments, named;
    Code code;
  };
  for (const Row& row : {
           Row{"findings", R"({"severity":"huge"})", "severity", Code::invalid_choice},
           Row{"findings", R"({"nonsense":1})", "nonsense", Code::bad_argument},
           Row{"findings", R"({"limit":0})", "limit", Code::bad_argument},
           Row{"manage_change_intent", R"({"action":"fly"})", "action", Code::invalid_choice},
           Row{"manage_change_intent", R"({})", "action", Code::missing_argument},
           Row{"start_controlled_change", R"({"scope":{"allowed_files":["a"]}})", "intent",
               Code::intent_text_required},
           Row{"start_controlled_change", R"({"scope":[],"intent":"x"})", "scope",
               Code::scope_invalid},
           Row{"start_controlled_change", R"({"scope":{"files":[]},"intent":"x"})", "scope.files",
               Code::bad_argument},
           Row{"start_controlled_change", R"({"scope":{"allowed_files":"a"},"intent":"x"})",
               "scope.allowed_files", Code::scope_invalid},
           Row{"get_blast_radius", R"({"files":[1]})", "files", Code::bad_argument},
           Row{"check", R"({"target":"moon"})", "target", Code::invalid_choice},
       }) {
    const auto asked = translated(row.tool, row.arguments);
    ASSERT_FALSE(asked) << row.arguments;
    EXPECT_EQ(asked.error().code, row.code) << row.arguments;
    EXPECT_NE(asked.error().message.find(row.named), std::string::npos) << asked.error().message;
  }
}

TEST(ResourceTable, HasTheUrisOfTheDocument) {
  const std::set<std::string_view> wanted{"gatehouse://policy",
                                          "gatehouse://status",
                                          "gatehouse://intents",
                                          "gatehouse://proposals",
                                          "gatehouse://help/{topic}",
                                          "gatehouse://proposal/{id}",
                                          "gatehouse://proposal/{id}/diff",
                                          "gatehouse://intent/{id}",
                                          "gatehouse://run/{run_id}",
                                          "gatehouse://run/{run_id}/findings",
                                          "gatehouse://receipt/{digest}",
                                          "gatehouse://report/{digest}",
                                          "gatehouse://explain/{rule_id}"};
  std::set<std::string_view> found;
  for (const Resource& resource : product_catalogue().resources)
    found.insert(resource.uri);
  EXPECT_EQ(found, wanted);
}

TEST(ResourceTable, FindsTemplatesByTheirShape) {
  const auto found = find_resource(product_catalogue(), "gatehouse://run/latest/findings");
  ASSERT_NE(found.resource, nullptr);
  EXPECT_EQ(found.resource->name, "run-findings");
  EXPECT_EQ(found.variables.at("run_id"), "latest");
  EXPECT_EQ(find_resource(product_catalogue(), "gatehouse://explain/a%20b").variables.at("rule_id"),
            "a b");
  EXPECT_EQ(find_resource(product_catalogue(), "gatehouse://explain/").resource, nullptr);
  EXPECT_EQ(find_resource(product_catalogue(), "gatehouse://run/a/b/c").resource, nullptr);
}

TEST(PromptTable, HasThePromptsOfTheDocument) {
  const std::vector<std::string_view> wanted{"start_change", "fix_rejection", "review_proposal",
                                             "explain_finding", "release_readiness"};
  std::vector<std::string_view> found;
  for (const Prompt& prompt : product_catalogue().prompts)
    found.push_back(prompt.name);
  EXPECT_EQ(found, wanted);
}

TEST(Paging, GoesOnBehindTheItemItStoppedAt) {
  const auto list = [](std::initializer_list<const char*> names) {
    std::vector<std::pair<std::string, Value>> out;
    for (const char* name : names)
      out.emplace_back(name, name);
    return out;
  };
  const auto first = page_of("k", list({"a", "b", "c", "d"}), "", 2);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->items, (List{Value("a"), Value("b")}));
  const auto second = page_of("k", list({"a", "b", "c", "d"}), first->next, 2);
  EXPECT_EQ(second->items, (List{Value("c"), Value("d")}));
  EXPECT_EQ(second->next, "");
  const auto changed = page_of("k", list({"_", "a", "b", "c"}), first->next, 2);
  EXPECT_EQ(changed->items, List{Value("c")});
  EXPECT_FALSE(page_of("other", list({"a"}), first->next, 2));
  EXPECT_FALSE(page_of("k", list({"a"}), "nonsense", 2));
}

}  // namespace
}  // namespace gh::mcp
