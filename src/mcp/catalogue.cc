#include "mcp/catalogue.h"

#include <algorithm>

#include "base/text.h"
#include "mcp/inside.h"
#include "mcp/opaque.h"
#include "wire/json.h"

namespace gh::mcp {
namespace {

Map text_type() { return Map{{"type", "string"}}; }
Map list_type() { return Map{{"type", "array"}, {"items", text_type()}}; }

Map choice_type(std::vector<std::string> words) {
  return Map{{"type", "string"}, {"enum", string_list(words)}};
}

/// "a=1 b=2": the words before the equals signs.
std::vector<std::string> words_of(std::string_view words) {
  std::vector<std::string> out;
  for (const std::string_view word : split(words, ' '))
    out.emplace_back(word.substr(0, word.find('=')));
  return out;
}

Map type_of(const ops::Option& option) {
  switch (option.type) {
    case ops::OptionType::flag:
      return Map{{"type", "boolean"}};
    case ops::OptionType::integer:
    case ops::OptionType::duration:
      return Map{{"type", "integer"}};
    case ops::OptionType::choice:
      return choice_type(words_of(option.choices));
    case ops::OptionType::text_list:
    case ops::OptionType::path_list:
      return list_type();
    case ops::OptionType::text:
    case ops::OptionType::path:
      return text_type();
  }
  return text_type();
}

Map type_of(const ops::Operation& operation, const Argument& argument) {
  if (!argument.type.empty()) return Map{{"type", argument.type}};
  if (!argument.words.empty()) return choice_type(words_of(argument.words));
  if (argument.is_input || argument.to.empty()) return text_type();
  if (argument.is_digest)  // not a list of types, which not every client takes
    return Map{{"anyOf", List{Map{{"type", "string"}}, Map{{"type", "object"}}}}};
  if (!is_operand(argument.to)) return type_of(*ops::find_option(operation, argument.to));
  const auto operand = std::ranges::find(operation.operands, argument.to, &ops::Operand::name);
  return operand->arity == ops::Arity::many ? list_type() : text_type();
}

void add_required(Map& schema, std::string_view name) {
  if (schema.find("required") == nullptr) schema.set("required", List{});
  if (std::ranges::find(*schema.find("required")->as_list(), Value(name)) !=
      schema.find("required")->as_list()->end())
    return;
  schema.find("required")->as_list()->emplace_back(name);
}

Map& properties_of(Map& schema) { return *schema.find("properties")->as_map(); }

Map object_type() {
  return Map{{"type", "object"}, {"additionalProperties", false}, {"properties", Map{}}};
}

void add_argument(Map& schema, const Argument& argument, Map type, bool is_required) {
  if (!argument.help.empty()) type.set("description", argument.help);
  const std::size_t dot = argument.name.find('.');
  if (dot == std::string_view::npos) {
    properties_of(schema).set(std::string(argument.name), std::move(type));
    if (is_required) add_required(schema, argument.name);
    return;
  }
  const std::string outer(argument.name.substr(0, dot));
  if (properties_of(schema).find(outer) == nullptr) {
    properties_of(schema).set(outer, object_type());
    if (is_required) add_required(schema, outer);
  }
  Map& inner = *properties_of(schema).find(outer)->as_map();
  properties_of(inner).set(std::string(argument.name.substr(dot + 1)), std::move(type));
  if (is_required) add_required(inner, argument.name.substr(dot + 1));
}

/// What a list that is shown in pages takes besides.
void add_paging(Map& properties) {
  properties.set("detail_level", choice_type({"summary", "normal", "full"}));
  properties.set("limit", Map{{"type", "integer"}, {"minimum", 1}, {"maximum", 100}});
  properties.set("cursor", text_type());
}

bool is_visible(const Tool& tool, Role role, Profile profile) {
  const bool may = role == Role::admin || tool.role == Role::agent || tool.role == role;
  return may && tool.profile <= profile;
}

/// Segments of a URI, variables in braces.
bool matches(std::string_view pattern, std::string_view uri,
             std::map<std::string, std::string, std::less<>>& variables) {
  const auto wanted = split(pattern, '/'), given = split(uri, '/');
  if (wanted.size() != given.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i].starts_with('{')) {
      if (wanted[i] != given[i]) return false;
      continue;
    }
    auto value = percent_decoded(given[i]);
    if (!value || value->empty() || !is_utf8(*value)) return false;
    variables.emplace(wanted[i].substr(1, wanted[i].size() - 2), std::move(*value));
  }
  return true;
}

}  // namespace

std::vector<const Tool*> tools_for(const Catalogue& catalogue, Role role, Profile profile) {
  std::vector<const Tool*> out;
  for (const Tool& tool : catalogue.tools)
    if (is_visible(tool, role, profile)) out.push_back(&tool);
  return out;
}

bool is_switch(const Tool& tool) {
  return tool.cases.size() == 2 && tool.cases.front().when == "false";
}

bool is_template(const Resource& resource) { return contains(resource.uri, "{"); }

const ops::Operation& operation_named(std::string_view name) {
  const auto all = ops::operations();
  const auto found = std::ranges::find(all, name, &ops::Operation::name);
  GH_ASSERT(found != all.end());  // a test walks over all rows
  return *found;
}

Value input_schema(const Tool& tool) {
  if (!tool.input_schema.empty()) return *wire::read_json(tool.input_schema, tool.name);
  Map schema = object_type();
  Map& properties = properties_of(schema);
  if (tool.cases.empty()) return schema;
  properties.set("root", Map{{"type", "string"}, {"x-mcp-header", "Root"}});
  if (is_switch(tool)) {
    properties.set(std::string(tool.selector), Map{{"type", "boolean"}});
  } else if (!tool.selector.empty()) {
    std::vector<std::string> values;
    for (const Case& each : tool.cases)
      values.emplace_back(each.when);
    properties.set(std::string(tool.selector), choice_type(std::move(values)));
    add_required(schema, tool.selector);
  }
  for (const Case& each : tool.cases)
    for (const Argument& argument : each.arguments)
      add_argument(schema, argument, type_of(operation_named(each.operation), argument),
                   argument.is_required && (tool.cases.size() == 1 || is_switch(tool)));
  if (!tool.pages.empty()) add_paging(properties_of(schema));
  return schema;
}

Value to_value(const Tool& tool) {
  Map annotations{{"title", tool.title},
                  {"readOnlyHint", tool.is_read_only},
                  {"idempotentHint", tool.is_idempotent},
                  {"openWorldHint", false}};
  if (!tool.is_read_only) annotations.set("destructiveHint", tool.is_destructive);
  Map out{{"name", tool.name},
          {"title", tool.title},
          {"description", tool.description},
          {"inputSchema", input_schema(tool)}};
  if (tool.run == nullptr) {
    out.set("annotations", std::move(annotations));
    out.set("outputSchema", Map{{"type", "object"}});
  }
  if (tool.name == "report_get") out.set("_meta", Map{{"anthropic/maxResultSizeChars", 200'000}});
  return out;
}

Value to_value(const Resource& resource) {
  return Map{{is_template(resource) ? "uriTemplate" : "uri", resource.uri},
             {"name", resource.name},
             {"title", resource.title},
             {"description", resource.description},
             {"mimeType", resource.mime_type}};
}

Value to_value(const Prompt& prompt) {
  List arguments;
  for (const PromptArgument& argument : prompt.arguments)
    arguments.emplace_back(Map{{"name", argument.name},
                               {"description", argument.description},
                               {"required", argument.is_required}});
  Map out{{"name", prompt.name}, {"title", prompt.title}, {"description", prompt.description}};
  if (!arguments.empty()) out.set("arguments", std::move(arguments));
  return out;
}

FoundResource find_resource(const Catalogue& catalogue, std::string_view uri) {
  for (const Resource& resource : catalogue.resources) {
    FoundResource found{&resource};
    if (resource.uri == uri) return found;
    if (is_template(resource) && matches(resource.uri, uri, found.variables)) return found;
  }
  return {};
}

}  // namespace gh::mcp
