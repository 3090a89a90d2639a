#include "surface/tool.h"

#include <gtest/gtest.h>

#include "surface/hints.h"
#include "wire/json.h"

namespace gh::surface {
namespace {

using Names = std::vector<std::string>;

Value json(std::string_view text) { return *wire::read_json(text); }

Tool classified(std::string_view type, std::string_view name, std::string_view description = "",
                std::string_view annotations = "{}", const Names& scopes = {}) {
  Tool tool = make_tool(type, name);
  tool.description = description;
  tool.annotations = *json(annotations).as_map();
  tool.auth.scopes = scopes;
  classify(tool, {});
  return tool;
}

// docs/reference/tool-surface.md, "Source types".
TEST(SourceTypes, EveryTypeHasItsConfidenceMethodPriorityAndKeywords) {
  struct Row {
    std::string_view name, confidence, method;
    int priority;
    bool keywords;
  };
  const Row rows[] = {
      {"openai_api", "high", "openai_api_artifact", 40, true},
      {"anthropic_api", "high", "anthropic_api_artifact", 40, true},
      {"openapi", "high", "openapi", 30, false},
      {"google_adk_inventory", "high", "mcp_json", 25, false},
      {"langchain_inventory", "high", "mcp_json", 25, false},
      {"crewai_inventory", "high", "mcp_json", 25, false},
      {"codex_plugin_mcp_inventory", "high", "mcp_json", 25, false},
      {"n8n_inventory", "high", "mcp_json", 25, true},
      {"mcp", "high", "mcp_json", 20, false},
      {"mcp_server_source", "medium", "mcp_source_registration", 15, false},
      {"sdk_function", "medium", "openai_agents_sdk_ast", 10, true},
      {"sdk_tool_object", "medium", "openai_agents_sdk_tool_ast", 10, true},
      {"google_adk_function", "medium", "google_adk_python_ast", 10, false},
      {"langchain_function", "medium", "langchain_tool_decorator_ast", 10, true},
      {"langchain_structured_tool", "medium", "langchain_structured_tool_ast", 10, true},
      {"langchain_class_tool", "medium", "langchain_base_tool_ast", 10, true},
      {"crewai_function", "medium", "crewai_tool_decorator_ast", 10, true},
      {"crewai_class_tool", "medium", "crewai_base_tool_ast", 10, true},
      {"n8n_ai_tool", "medium", "n8n_workflow_json", 10, true},
      {"n8n_workflow_tool", "medium", "n8n_workflow_json", 10, true},
      {"n8n_code_tool", "medium", "n8n_workflow_json", 10, true},
      {"n8n_http_tool", "medium", "n8n_workflow_json", 10, true},
      {"n8n_mcp_client_tool", "medium", "n8n_workflow_json", 10, true},
      {"conductor_mcp_call", "medium", "conductor_workflow_json", 10, false},
      {"google_adk_config", "low", "google_adk_agent_config", 5, false},
      {"sdk_hosted_tool", "low", "openai_agents_sdk_reference", 5, false},
      {"langchain_prebuilt_tool", "low", "langchain_prebuilt_tool_reference", 5, false},
      {"crewai_prebuilt_tool", "low", "crewai_prebuilt_tool_reference", 5, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const SourceType* type = source_type_named(row.name);
    ASSERT_NE(type, nullptr);
    EXPECT_EQ(to_string(type->confidence), row.confidence);
    EXPECT_EQ(type->method, row.method);
    EXPECT_EQ(type->priority, row.priority);
    EXPECT_EQ(!type->keyword.empty(), row.keywords);
  }
  EXPECT_EQ(std::size(rows), 28u);
}

TEST(Parameters, AnObjectSchemaGivesOnePerPropertyInOrder) {
  const auto all = parameters_of(json(
      R"({"properties":{"b":{"type":["string","null"],"enum":["x"]},"a":{"items":{}},"c":7},
          "required":["a"]})"));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "b");
  EXPECT_EQ(all[0].type, "string|null");
  EXPECT_FALSE(all[0].required);
  EXPECT_EQ(all[1].type, "array");
  EXPECT_TRUE(all[1].required);
  EXPECT_EQ(all[2].type, "");
}

TEST(Parameters, AnyOtherSchemaIsOneRequiredInput) {
  const auto one = parameters_of(json(R"({"type":"number","maximum":5})"));
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].name, "input");
  EXPECT_TRUE(one[0].required);
  EXPECT_EQ(one[0].maximum, Value(5));
  EXPECT_TRUE(parameters_of(json("{}")).empty());
  EXPECT_TRUE(parameters_of(json("[]")).empty());
  EXPECT_TRUE(parameters_of(json(R"({"type":"object"})")).empty());
}

// docs/reference/tool-surface.md, "Types of parameters".
TEST(Parameters, OfPythonHaveTheJsonTypesOfTheirAnnotations) {
  const std::pair<std::string, std::string> rows[] = {
      {"str", "string"},
      {"int", "integer"},
      {"float", "number"},
      {"Decimal", "number"},
      {"decimal.Decimal", "number"},
      {"bool", "boolean"},
      {"dict", "object"},
      {"Dict", "object"},
      {"dict[str, int]", "object"},
      {"Dict[str, int]", "object"},
      {"Mapping[str, int]", "object"},
      {"typing.Dict[str, int]", "object"},
      {"list", "array"},
      {"List", "array"},
      {"set", "array"},
      {"Set", "array"},
      {"tuple", "array"},
      {"Tuple", "array"},
      {"list[str]", "array"},
      {"List[str]", "array"},
      {"set[str]", "array"},
      {"Set[str]", "array"},
      {"tuple[str]", "array"},
      {"Tuple[str]", "array"},
      {"Sequence[str]", "array"},
      {"Any", ""},
      {"Optional[float]", "number"},
      {"typing.Optional[str]", "string"},
      {"float | None", "number"},
      {"Union[int, None]", "integer"},
      {"Annotated[float, 'how much']", "number"},
      {"Annotated[float, Field(gt=0)]", "number"},
      {"Annotated[float, Field(le=10)]", "Annotated[float, Field(le=10)]"},
      {"Literal['a', 'b']", "Literal['a', 'b']"},
      {"Kind", "Kind"},
      {"string", "string"},
      {"number|null", "number|null"},
      {"", ""},
  };
  for (const auto& [annotation, type] : rows)
    EXPECT_EQ(json_type_of(annotation), type) << annotation;
}

TEST(NameWarning, FiresOnNamesThatHostsMayRefuse) {
  EXPECT_FALSE(name_warning("a.b_c-9"));
  EXPECT_FALSE(name_warning("a" + std::string(128, 'b')));
  for (const auto& name : {std::string("9a"), std::string("a b"), std::string("\xC3\xA9"),
                           "a" + std::string(129, 'b')})
    EXPECT_TRUE(name_warning(name)) << name;
}

// docs/reference/tool-surface.md, "Risk hints".
TEST(Hints, EachRuleGivesItsTags) {
  struct Row {
    std::string_view type, name, description, annotations;
    Names scopes, tags;
  };
  const Row rows[] = {
      {"sdk_function", "preview_refund", "Preview", "{}", {}, {"read_only"}},
      {"openai_api", "lookup_order", "", "{}", {}, {"read_only"}},
      {"openai_api", "create_refund", "Create a refund", "{}", {}, {"financial_action", "write"}},
      {"openai_api",
       "send_customer_email",
       "Send an email",
       "{}",
       {},
       {"customer_communication", "external_write", "write"}},
      {"mcp", "create_user", "", "{}", {}, {}},
      {"mcp", "docs", "", R"({"readOnlyHint":true})", {}, {"read_only"}},
      {"mcp", "wipe", "", R"({"destructiveHint":true})", {}, {"destructive", "write"}},
      {"mcp", "delete_row", "", "{}", {}, {"destructive"}},
      {"openapi", "x", "", R"({"httpMethod":"delete"})", {}, {"destructive", "write"}},
      {"openapi", "x", "", R"({"httpMethod":"POST"})", {}, {"write"}},
      {"openapi", "x", "", R"({"httpMethod":"GET"})", {}, {"read_only"}},
      {"mcp", "x", "", "{}", {"billing:write"}, {"financial_action"}},
      {"mcp", "x", "refund", "{}", {}, {}},
      {"mcp",
       "notify",
       "message the customer",
       "{}",
       {},
       {"customer_communication", "external_write"}},
      {"mcp", "vault", "reads a secret", "{}", {}, {"sensitive_data_access"}},
      {"mcp", "sh", "runs a shell", "{}", {}, {"code_execution"}},
      {"mcp", "up", "deploy it", "{}", {}, {"infrastructure_change"}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(
        risk_tags(classified(row.type, row.name, row.description, row.annotations, row.scopes)),
        row.tags)
        << row.name << " " << row.description;
}

TEST(Hints, AReadOnlyAnnotationMakesMoneyAndMailWeakEvidence) {
  const Tool tool =
      classified("mcp", "list_refunds", "email message customer", R"({"readOnlyHint":true})");
  EXPECT_EQ(risk_tags(tool), Names{"read_only"});
  EXPECT_EQ(risk_tags(tool, Confidence::low),
            (Names{"customer_communication", "financial_action", "read_only"}));
  EXPECT_FALSE(is_high_risk(tool));
}

TEST(Hints, TheManifestRemovesAndAddsTags) {
  Manifest manifest;
  manifest.risk_overrides = {{"x", {"financial_action"}, {"destructive"}, "team", "manual", "why"}};
  Tool tool = make_tool("mcp", "x");
  tool.description = "delete";
  classify(tool, manifest);
  EXPECT_EQ(risk_tags(tool), Names{"financial_action"});
  EXPECT_EQ(tool.owner, "team");
  EXPECT_EQ(tool.hints.back().source, "manual");
  EXPECT_EQ(tool.hints.back().confidence, Confidence::high);
}

TEST(Hints, TheStrongerOfTwoHintsStays) {
  Tool tool = make_tool("mcp", "x");
  add_hint(tool, "write", "s", Confidence::medium, {{"a", 1}, {"n", nullptr}});
  add_hint(tool, "write", "s", Confidence::low, {{"b", 2}});
  add_hint(tool, "write", "s", Confidence::high, {{"c", 3}});
  ASSERT_EQ(tool.hints.size(), 1u);
  EXPECT_EQ(tool.hints[0].confidence, Confidence::high);
  EXPECT_EQ(tool.hints[0].evidence, (Map{{"a", 1}, {"c", 3}}));
}

TEST(Scopes, BroadOnesAndCoverageAreAsTheReferenceSays) {
  for (const char* scope :
       {"*", " Admin ", "repo:*", "files/*", "org-admin", "write-all", "write_all"})
    EXPECT_TRUE(is_broad_scope(scope)) << scope;
  for (const char* scope : {"orders:read", "write", "all", ""})
    EXPECT_FALSE(is_broad_scope(scope)) << scope;
  EXPECT_TRUE(is_covered("Orders:Read", {"orders:read"}));
  EXPECT_TRUE(is_covered("orders:read", {"orders:*"}));
  EXPECT_TRUE(is_covered("x", {"*"}));
  EXPECT_FALSE(is_covered("orders", {"orders:*"}));
  EXPECT_FALSE(is_covered("orders:write", {"orders:read"}));
}

}  // namespace
}  // namespace gh::surface
