#include "surface/tool.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "model/peek.h"

namespace gh::surface {
namespace {

using enum Confidence;

// clang-format off
// table: source types
constexpr std::array<SourceType, 29> kSourceTypes{{
    {"openai_api", high, "openai_api_artifact", 40, "openai_api_keyword"},
    {"anthropic_api", high, "anthropic_api_artifact", 40, "anthropic_api_keyword"},
    {"openapi", high, "openapi", 30, ""},
    {"google_adk_inventory", high, "mcp_json", 25, ""},
    {"langchain_inventory", high, "mcp_json", 25, ""},
    {"crewai_inventory", high, "mcp_json", 25, ""},
    {"codex_plugin_mcp_inventory", high, "mcp_json", 25, ""},
    {"n8n_inventory", high, "mcp_json", 25, "keyword"},
    {"mcp", high, "mcp_json", 20, ""},
    {"mcp_server_source", medium, "mcp_source_registration", 15, ""},
    {"sdk_function", medium, "openai_agents_sdk_ast", 10, "sdk_keyword"},
    {"sdk_tool_object", medium, "openai_agents_sdk_tool_ast", 10, "sdk_keyword"},
    {"google_adk_function", medium, "google_adk_python_ast", 10, ""},
    {"langchain_function", medium, "langchain_tool_decorator_ast", 10, "keyword"},
    {"langchain_structured_tool", medium, "langchain_structured_tool_ast", 10, "keyword"},
    {"langchain_class_tool", medium, "langchain_base_tool_ast", 10, "keyword"},
    {"crewai_function", medium, "crewai_tool_decorator_ast", 10, "keyword"},
    {"crewai_class_tool", medium, "crewai_base_tool_ast", 10, "keyword"},
    {"n8n_ai_tool", medium, "n8n_workflow_json", 10, "keyword"},
    {"n8n_workflow_tool", medium, "n8n_workflow_json", 10, "keyword"},
    {"n8n_code_tool", medium, "n8n_workflow_json", 10, "keyword"},
    {"n8n_http_tool", medium, "n8n_workflow_json", 10, "keyword"},
    {"n8n_mcp_client_tool", medium, "n8n_workflow_json", 10, "keyword"},
    {"conductor_mcp_call", medium, "conductor_workflow_json", 10, ""},
    {"google_adk_config", low, "google_adk_agent_config", 5, ""},
    {"sdk_hosted_tool", low, "openai_agents_sdk_reference", 5, ""},
    {"langchain_prebuilt_tool", low, "langchain_prebuilt_tool_reference", 5, ""},
    {"crewai_prebuilt_tool", low, "crewai_prebuilt_tool_reference", 5, ""},
    {"action_surface", high, "manifest", 0, ""},
}};
// clang-format on

constexpr std::string_view kMutating = "write destructive external_write";
// table: high-risk tags
constexpr std::string_view kHighRisk =
    "destructive external_write financial_action customer_communication sensitive_data_access "
    "infrastructure_change code_execution";

Confidence best_of(const Tool& tool, std::string_view tags) {
  Confidence out = unknown;
  for (const Hint& hint : tool.hints)
    if (is_one_of(hint.tag, tags)) out = std::max(out, hint.confidence);
  return out;
}

Value member(const Map& map, std::string_view key) {
  const Value* found = map.find(key);
  return found != nullptr ? *found : Value();
}

std::string joined_types(const List& types) {
  std::vector<std::string> names;
  for (const Value& type : types)
    if (type.as_string() != nullptr) names.push_back(*type.as_string());
  return join(names, "|");
}

std::string type_of(const Map& schema) {
  const Value* type = schema.find("type");
  if (type != nullptr && type->as_list() != nullptr) return joined_types(*type->as_list());
  if (type != nullptr && type->as_string() != nullptr) return *type->as_string();
  if (schema.find("enum") != nullptr) return "enum";
  if (schema.find("properties") != nullptr) return "object";
  return schema.find("items") != nullptr ? "array" : "";
}

Parameter parameter_of(std::string_view name, const Value& schema, bool required) {
  static const Map kNothing;
  const Map& map = schema.as_map() != nullptr ? *schema.as_map() : kNothing;
  return {.name = std::string(name),
          .type = type_of(map),
          .required = required,
          .description = member(map, "description"),
          .enumeration = member(map, "enum"),
          .minimum = member(map, "minimum"),
          .maximum = member(map, "maximum"),
          .format = member(map, "format"),
          .fallback = member(map, "default")};
}

/// Python's names of the types that JSON has.
struct TypeName {
  std::string_view names, opens, json;
};
// table: JSON types of annotations
constexpr std::array<TypeName, 7> kTypeNames{{
    {"str", "", "string"},
    {"int", "", "integer"},
    {"float Decimal", "", "number"},
    {"bool", "", "boolean"},
    {"dict Dict", "dict[ Dict[ Mapping[", "object"},
    {"list List set Set tuple Tuple", "list[ List[ set[ Set[ tuple[ Tuple[ Sequence[", "array"},
    {"Any", "", ""},
}};
constexpr std::string_view kJsonTypes = "string integer boolean number object array";
constexpr std::string_view kOrNone = " | None", kAndNone = ", None";

std::string_view without_module(std::string_view type) {
  for (const std::string_view module : {"typing.", "decimal."})
    if (type.starts_with(module)) type.remove_prefix(module.size());
  return type;
}

/// What stands between `Optional[` and its end, when that is all there is.
std::optional<std::string_view> inside_of(std::string_view type, std::string_view opening) {
  type = without_module(type);
  if (!type.starts_with(opening) || !type.ends_with(']')) return std::nullopt;
  return type.substr(opening.size(), type.size() - opening.size() - 1);
}

bool is_bounded(std::string_view metadata) {
  for (const char* bound : {"le=", "lt=", "Le(", "Lt(", "max"})
    if (contains(metadata, bound)) return true;
  return false;
}

bool holds(const List& list, std::string_view text) {
  return std::ranges::any_of(
      list, [&](const Value& v) { return v.as_string() != nullptr && *v.as_string() == text; });
}

bool is_conventional(std::string_view name) {
  constexpr std::size_t kMaxRest = 128;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto fits = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= kMaxRest + 1 && is_letter(name[0]) &&
         std::ranges::all_of(name, fits);
}

}  // namespace

std::string json_type_of(std::string_view type) {
  if (is_one_of(type, kJsonTypes)) return std::string(type);
  const std::string_view given = type;
  constexpr int kMaxLayers = 8;
  for (int layer = 0; layer < kMaxLayers; ++layer) {
    if (const auto inner = inside_of(type, "Annotated[")) {
      const std::size_t comma = inner->find(',');
      if (is_bounded(inner->substr(std::min(comma, inner->size())))) return std::string(given);
      type = inner->substr(0, comma);
    } else if (const auto optional = inside_of(type, "Optional[")) {
      type = *optional;
    } else if (const auto either = inside_of(type, "Union[");
               either && either->ends_with(kAndNone)) {
      type = either->substr(0, either->size() - kAndNone.size());
    } else if (type.ends_with(kOrNone)) {
      type.remove_suffix(kOrNone.size());
    } else {
      break;
    }
  }
  for (const TypeName& row : kTypeNames)
    if (is_one_of(without_module(type), row.names) ||
        std::ranges::any_of(split(row.opens, ' '), [&](std::string_view opening) {
          return !opening.empty() && without_module(type).starts_with(opening);
        }))
      return std::string(row.json);
  return std::string(given);
}

Map document_of(const Parameter& p) {
  return {{"name", p.name},         {"type", p.type.empty() ? Value() : Value(p.type)},
          {"required", p.required}, {"description", p.description},
          {"enum", p.enumeration},  {"minimum", p.minimum},
          {"maximum", p.maximum},   {"format", p.format},
          {"default", p.fallback},  {"risk_hints", List{}}};
}

const SourceType* source_type_named(std::string_view name) {
  const auto row = std::ranges::find(kSourceTypes, name, &SourceType::name);
  return row == kSourceTypes.end() ? nullptr : &*row;
}

Tool make_tool(std::string_view source_type, std::string_view name) {
  const SourceType* row = source_type_named(source_type);
  GH_ASSERT(row != nullptr);
  Tool tool;
  tool.id = fmt::format("tool:{}", name);
  tool.name = name;
  tool.source_type = source_type;
  tool.confidence = row->confidence;
  tool.method = row->method;
  return tool;
}

std::vector<Parameter> parameters_of(const Value& schema) {
  const Map* map = schema.as_map();
  if (map == nullptr || map->empty()) return {};
  const Value* properties = map->find("properties");
  if (properties == nullptr && Peek(schema)["type"].text() != "object")
    return {parameter_of("input", schema, true)};
  const List& required = Peek(schema)["required"].list();
  std::vector<Parameter> out;
  out.reserve(Peek(properties).map().size());
  for (const auto& [name, property] : Peek(properties).map().entries())
    out.push_back(parameter_of(name, property, holds(required, name)));
  return out;
}

bool annotation_is_true(const Tool& tool, std::string_view key) {
  return Peek(tool.annotations.find(key)).is_true();
}

bool is_truthy(const Value* v) {
  if (v == nullptr || v->is_null()) return false;
  if (const bool* b = v->as_bool()) return *b;
  if (const std::int64_t* i = v->as_int()) return *i != 0;
  if (const auto* d = std::get_if<Decimal>(&v->data())) return d->ten_thousandths != 0;
  if (const auto* n = std::get_if<Number>(&v->data())) return n->value != 0;
  if (const std::string* s = v->as_string()) return !s->empty();
  if (const List* l = v->as_list()) return !l->empty();
  return !v->as_map()->empty();
}

std::string http_method(const Tool& tool) {
  std::string method(Peek(tool.annotations.find("httpMethod")).text());
  std::ranges::transform(method, method.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  });
  return method;
}

std::optional<std::string> name_warning(std::string_view name) {
  if (is_conventional(name)) return std::nullopt;
  return fmt::format(
      "Tool name '{}' is accepted but non-conventional; prefer letters, numbers, dots, "
      "underscores, "
      "or hyphens, starting with a letter.",
      name);
}

Confidence best(const Tool& tool, Tags tags) {
  Confidence out = unknown;
  for (const Hint& hint : tool.hints)
    if (std::ranges::find(tags, hint.tag) != tags.end()) out = std::max(out, hint.confidence);
  return out;
}

std::vector<std::string> risk_tags(const Tool& tool, Confidence least) {
  std::set<std::string> out;
  for (const Hint& hint : tool.hints)
    if (hint.confidence >= least) out.insert(hint.tag);
  return {out.begin(), out.end()};
}

bool is_read_only(const Tool& tool) {
  return annotation_is_true(tool, "readOnlyHint") ||
         (best(tool, {"read_only"}) >= high && best_of(tool, kMutating) < medium);
}

bool is_write(const Tool& tool) {
  return !is_read_only(tool) && best_of(tool, kMutating) >= medium;
}

bool is_high_risk(const Tool& tool) {
  return !is_read_only(tool) && best_of(tool, kHighRisk) >= medium;
}

bool is_wildcard(const Tool& tool) { return annotation_is_true(tool, "wildcard_tools"); }

bool is_broad_scope(std::string_view scope) {
  const std::string word = lower_case(trimmed(scope));
  return word == "*" || word == "admin" || word.ends_with(":*") || word.ends_with("/*") ||
         contains(word, "admin") || contains(word, "write-all") || contains(word, "write_all");
}

bool is_covered(std::string_view scope, const std::vector<std::string>& declared) {
  const std::string required = lower_case(scope);
  return std::ranges::any_of(declared, [&](const std::string& given) {
    const std::string word = lower_case(given);
    if (word == "*" || word == required) return true;
    return word.ends_with(":*") &&
           required.starts_with(std::string_view(word).substr(0, word.size() - 1));
  });
}

bool has_idempotency_evidence(const Tool& tool, const std::set<std::string>& declared) {
  return declared.contains(tool.name) || annotation_is_true(tool, "idempotentHint") ||
         std::ranges::any_of(tool.parameters,
                             [](const Parameter& p) { return p.name == "idempotency_key"; });
}

}  // namespace gh::surface
