#include "surface/n8n_workflow.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "model/peek.h"
#include "surface/loaders.h"
#include "wire/document.h"
#include "wire/json.h"

namespace gh::surface {
namespace {

/// Words in the type of a node, tested in this order; those that start with '.' end it.
struct KindRow {
  N8nKind kind;
  std::string_view holds, ends;
};
// clang-format off
// table: n8n node kinds
constexpr std::array<KindRow, 8> kKinds{{
    {N8nKind::mcp_server_trigger, "mcptrigger", ""},
    {N8nKind::mcp_client_tool, "toolmcp mcpclient", ""},
    {N8nKind::workflow_tool, "toolworkflow", ""},
    {N8nKind::code_tool, "toolcode", ".code .function"},
    {N8nKind::http_tool, "toolhttprequest toolhttp", ".httprequest"},
    {N8nKind::ai_agent, "langchain.agent", ".agent"},
    {N8nKind::ingress, "", ".webhook .chattrigger .manualtrigger .formtrigger"},
    {N8nKind::ai_tool, ".tool", ""},
}};
// clang-format on

bool any_word(std::string_view words, auto test) {
  return !words.empty() && std::ranges::any_of(split(words, ' '), test);
}

std::string plain_type(std::string_view type) {
  std::string out;
  for (const char c : lower_case(type))
    if (c != '-' && c != '_') out += c;
  return out;
}

constexpr std::size_t kNodeIdLength = 16, kWorkflowIdLength = 12;

N8nNode node_of(const Value& value, std::size_t index) {
  N8nNode out;
  out.name = text_at(value, "name");
  if (out.name.empty()) out.name = fmt::format("node_{}", index);
  out.id = text_at(value, "id");
  if (out.id.empty())
    out.id = digest_of(fmt::format("{}:{}", out.name, index)).hex().substr(0, kNodeIdLength);
  out.type = text_at(value, "type");
  out.kind = n8n_kind(out.type);
  out.index = index;
  out.disabled = Peek(value)["disabled"].is_true();
  out.value = &value;
  return out;
}

std::string json_type(std::string_view given) {
  const std::string type = lower_case(given);
  if (is_one_of(type, "number integer boolean array object string")) return type;
  return is_one_of(type, "json any") ? "object" : "string";
}

Map object_schema(const std::vector<N8nArgument>& fields, bool all_required) {
  Map properties;
  std::vector<std::string> names;
  for (const N8nArgument& f : fields) {
    Map property{{"type", json_type(f.type)}};
    if (!f.description.empty()) property.set("description", f.description);
    properties.set(f.name, std::move(property));
    names.push_back(f.name);
  }
  Map out{{"type", "object"}, {"properties", std::move(properties)}};
  if (all_required) out.set("required", string_list(names));
  return out;
}

/// `fields.values[]`, `workflowInputs.schema[]`, or the keys of `workflowInputs.value`.
std::vector<N8nArgument> declared_fields(const Value& parameters) {
  std::vector<N8nArgument> out;
  const auto add_rows = [&](const List& rows) {
    for (const Value& row : rows) {
      std::string name = text_at(row, "name");
      if (name.empty()) name = text_at(row, "id");
      if (!name.empty()) out.push_back({name, text_at(row, "description"), text_at(row, "type")});
    }
  };
  const Peek fields = Peek(parameters)["fields"], inputs = Peek(parameters)["workflowInputs"];
  add_rows(fields.list());
  add_rows(fields["values"].list());
  if (!out.empty()) return out;
  add_rows(inputs["schema"].list());
  add_rows(inputs["values"].list());
  if (out.empty())
    for (const auto& entry : inputs["value"].map().entries())
      out.push_back({entry.first, "", "string"});
  return out;
}

/// The text between quotes at `at`, which moves behind it; nothing when no quote stands there.
bool quoted(std::string_view text, std::size_t& at, std::string& out) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t'))
    ++at;
  if (at >= text.size() || std::string_view("'\"`").find(text[at]) == std::string_view::npos)
    return false;
  const char quote = text[at++];
  out.clear();
  for (; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    out += text[at];
  }
  if (at >= text.size()) return false;
  ++at;
  return true;
}

bool comma(std::string_view text, std::size_t& at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t'))
    ++at;
  if (at >= text.size() || text[at] != ',') return false;
  ++at;
  return true;
}

/// Packages of the community are named so too, as n8n asks them to.
bool is_named_as_node(std::string_view node_type) {
  if (node_type.starts_with("@n8n/")) node_type.remove_prefix(5);
  return node_type.starts_with("n8n-nodes-");
}

}  // namespace

Map document_of(const N8nDynamic& d) {
  return {{"kind", d.kind},
          {"source_ref", d.place.source_ref},
          {"workflow_id", d.place.workflow_id},
          {"node_id", d.place.node_id},
          {"source_pointer", d.place.compat_pointer},
          {"reason", d.reason}};
}

N8nKind n8n_kind(std::string_view node_type) {
  const std::string type = plain_type(node_type);
  for (const KindRow& row : kKinds)
    if (any_word(row.holds, [&](std::string_view w) { return contains(type, w); }) ||
        any_word(row.ends, [&](std::string_view w) { return type.ends_with(w); }))
      return row.kind;
  return N8nKind::unknown;
}

bool is_built_in_n8n(std::string_view node_type) {
  return node_type.starts_with("n8n-nodes-base.") || node_type.starts_with("@n8n/");
}

N8nPlace N8nWorkflow::place_of(const N8nNode& node) const {
  const std::string compat = fmt::format("/nodes/{}", node.id);
  return {fmt::format("{}#{}", display, compat),           source_path, workflow_id, node.id,
          fmt::format("{}/nodes/{}", pointer, node.index), compat};
}

std::vector<const N8nNode*> N8nWorkflow::tool_targets(const N8nNode& node) const {
  std::vector<const N8nNode*> out;
  if (node.disabled) return out;
  for (const Value& port : Peek(*value)["connections"][node.name]["ai_tool"].list())
    for (const Value& edge : Peek(port).list()) {
      const auto target = by_name.find(text_at(edge, "node"));
      if (target != by_name.end() && !nodes[target->second].disabled)
        out.push_back(&nodes[target->second]);
    }
  return out;
}

N8nShape n8n_shape(const Value& v) {
  const List& nodes = Peek(v)["nodes"].list();
  const Value* connections = v.as_map() != nullptr ? v.as_map()->find("connections") : nullptr;
  const bool has_form =
      !nodes.empty() && connections != nullptr && connections->as_map() != nullptr &&
      std::ranges::all_of(nodes, [](const Value& n) { return n.as_map() != nullptr; });
  if (!has_form) return N8nShape::other;
  const bool is_known = !trimmed(Peek(v)["versionId"].text()).empty() ||
                        std::ranges::any_of(nodes, [](const Value& n) {
                          return is_named_as_node(text_at(n, "type"));
                        });
  return is_known ? N8nShape::workflow : N8nShape::community;
}

N8nWorkflow read_n8n_workflow(const Value& value, std::string_view path, int index,
                              std::vector<std::string>& warnings) {
  N8nWorkflow out;
  out.value = &value;
  out.source_path = path;
  out.display = index < 0 ? std::string(path) : fmt::format("{}:{}", path, index);
  out.source_id = fmt::format("n8n:{}", out.display);
  out.pointer = index < 0 ? "" : fmt::format("/{}", index);
  std::string id = text_at(value, "id");
  if (const std::int64_t* number =
          Peek(value)["id"].exists() ? value.as_map()->find("id")->as_int() : nullptr)
    id = std::to_string(*number);
  out.workflow_id = id.empty()
                        ? fmt::format("{}#generated:{}", out.display,
                                      digest_of(out.source_id).hex().substr(0, kWorkflowIdLength))
                        : fmt::format("{}#{}", out.display, id);
  const Value* active = value.as_map()->find("active");
  out.active = active == nullptr || *active != Value(false);
  const List& nodes = Peek(value)["nodes"].list();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    out.nodes.push_back(node_of(nodes[i], i));
    const std::string& name = out.nodes.back().name;
    if (!out.by_name.insert_or_assign(name, i).second)
      warnings.push_back(
          fmt::format("n8n workflow '{}' has several nodes named '{}'; the last one counts.",
                      out.display, printable(name, 80)));
  }
  return out;
}

std::vector<N8nArgument> from_ai_arguments(std::string_view text) {
  constexpr std::string_view kCall = "$fromai(";
  std::vector<N8nArgument> out;
  const std::string lower = lower_case(text);
  for (std::size_t at = lower.find(kCall); at != std::string::npos; at = lower.find(kCall, at)) {
    at += kCall.size();
    N8nArgument argument;
    if (!quoted(text, at, argument.name)) continue;
    if (comma(text, at) && quoted(text, at, argument.description) && comma(text, at))
      quoted(text, at, argument.type);
    if (!argument.name.empty()) out.push_back(std::move(argument));
  }
  return out;
}

std::vector<TextAt> texts_below(const Value& root, const std::string& pointer) {
  struct Open {
    const Value* value;
    std::string pointer;
  };
  std::vector<Open> open{{&root, pointer}};
  std::vector<TextAt> out;
  while (!open.empty()) {
    const Open at = std::move(open.back());
    open.pop_back();
    if (const std::string* text = at.value->as_string()) out.push_back({at.pointer, text});
    if (const List* list = at.value->as_list())
      for (std::size_t i = list->size(); i-- > 0;)
        open.push_back({&(*list)[i], fmt::format("{}/{}", at.pointer, i)});
    if (const Map* map = at.value->as_map())
      for (auto e = map->entries().rbegin(); e != map->entries().rend(); ++e)
        open.push_back({&e->second, at.pointer + wire::pointer_part(e->first)});
  }
  return out;
}

Map n8n_schema(const Value& parameters) {
  std::map<std::string, N8nArgument> by_name;
  for (const TextAt& t : texts_below(parameters, ""))
    for (N8nArgument& a : from_ai_arguments(*t.text))
      by_name.emplace(a.name, a);
  if (!by_name.empty()) {
    std::vector<N8nArgument> fields;
    for (auto& entry : by_name)
      fields.push_back(std::move(entry.second));
    return object_schema(fields, true);
  }
  if (Map given = object_at(parameters, "inputSchema"); !given.empty()) return given;
  if (const std::string_view text = Peek(parameters)["inputSchema"].text(); !text.empty())
    if (const auto read = wire::read_json(text, "inputSchema"); read && read->as_map() != nullptr)
      return *read->as_map();
  return object_schema(declared_fields(parameters), false);
}

}  // namespace gh::surface
