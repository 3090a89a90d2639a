#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "surface/loaders.h"

namespace gh::surface {
namespace {

/// What an export holds under `tools`, itself and in the `result` of a response that was kept as
/// it came: an export may have both.
struct Holder {
  const Value* tools;
  std::string pointer;
};
std::vector<Holder> holders_of(const Value& export_, const std::string& pointer) {
  std::vector<Holder> out;
  const Map* map = export_.as_map();
  if (map == nullptr) return out;
  if (const Value* tools = map->find("tools")) out.push_back({tools, pointer + "/tools"});
  const Value* result = map->find("result");
  if (result == nullptr || result->as_map() == nullptr) return out;
  if (const Value* tools = result->as_map()->find("tools"))
    out.push_back({tools, pointer + "/result/tools"});
  return out;
}

bool is_page(const Value& item) { return Peek(item)["result"]["tools"].exists(); }

/// Tools of a list, a mapping, a response, or several responses.
std::vector<ToolItem> mcp_items(const Value& root) {
  std::vector<ToolItem> out;
  const auto add = [&](const Value& holder, const std::string& pointer) {
    for (const Holder& one : holders_of(holder, pointer)) {
      const List& list = Peek(*one.tools).list();
      for (std::size_t i = 0; i < list.size(); ++i)
        out.push_back({&list[i], fmt::format("{}/{}", one.pointer, i), i});
    }
  };
  if (root.as_list() == nullptr) {
    add(root, "");
    return out;
  }
  const List& items = *root.as_list();
  for (std::size_t i = 0; i < items.size(); ++i)
    if (is_page(items[i]))
      add(items[i], fmt::format("/{}", i));
    else
      out.push_back({&items[i], fmt::format("/{}", i), i});
  return out;
}

bool is_wildcard_export(const Value& root) {
  return Peek(root)["wildcard"].is_true() || Peek(root)["tools"].text() == "*";
}

/// Lists of tools beside those that are read.
void tell_unread_lists(const Value& root, const SourceRef& source, Loaded& out) {
  const auto tell = [&](const std::string& pointer) {
    out.warnings.push_back(
        fmt::format("MCP source '{}' has tools at {} that are not read", source.id, pointer));
  };
  for (const Holder& one : holders_of(root, ""))
    if (one.tools->as_list() == nullptr && !one.tools->is_null() && !is_wildcard_export(root))
      tell(one.pointer);
  for (const auto& [key, value] : Peek(root).map().entries())
    if (key != "result" && Peek(value)["tools"].exists()) tell(wire::pointer_part(key) + "/tools");
}

Tool wildcard_tool(const SourceRef& source, const InputDocument& input) {
  Tool tool = make_tool(source.type, source.id + ".*");
  tool.description = "Wildcard MCP tool exposure.";
  tool.source_id = source.id;
  tool.source_ref = source.path;
  tool.annotations.set("wildcard_tools", true);
  tool.place =
      place_in(input, Peek(input.document.root)["wildcard"].is_true() ? "/wildcard" : "/tools");
  return tool;
}

/// The first of two spellings that says something.
Map either_object(const Value& item, std::string_view one, std::string_view other) {
  Map first = object_at(item, one);
  return first.empty() ? object_at(item, other) : first;
}

Tool tool_of(const ToolItem& item, const SourceRef& source, const InputDocument& input) {
  const Value& v = *item.value;
  Tool tool = make_tool(source.type, Peek(v)["name"].text());
  tool.description = text_at(v, "description");
  tool.source_id = source.id;
  tool.source_ref = source.path;
  tool.place = place_in(input, item.pointer);
  set_schemas(tool, either_object(v, "inputSchema", "input_schema"),
              either_object(v, "outputSchema", "output_schema"));
  tool.annotations = object_at(v, "annotations");
  const Value auth = object_at(v, "auth");
  tool.auth = {text_at(auth, "type"), text_at(auth, "credential_mode"), "mcp",
               strings_at(auth, "scopes")};
  tool.owner = text_at(v, "owner");
  return tool;
}

/// Members of a tool and what each of them must be to be read.
struct TypedMember {
  std::string_view path, wants;
};
// table: members of MCP tools
constexpr std::array<TypedMember, 15> kTypedMembers{{
    {"description", "a string"},
    {"owner", "a string"},
    {"inputSchema", "an object"},
    {"input_schema", "an object"},
    {"outputSchema", "an object"},
    {"output_schema", "an object"},
    {"annotations", "an object"},
    {"annotations.readOnlyHint", "true or false"},
    {"annotations.destructiveHint", "true or false"},
    {"annotations.idempotentHint", "true or false"},
    {"annotations.openWorldHint", "true or false"},
    {"auth", "an object"},
    {"auth.type", "a string"},
    {"auth.credential_mode", "a string"},
    {"auth.scopes", "a list of strings"},
}};

bool is_what(const Value& v, std::string_view wants) {
  const auto is_text = [](const Value& one) { return one.as_string() != nullptr; };
  if (wants == "a string") return is_text(v);
  if (wants == "an object") return v.as_map() != nullptr;
  if (wants == "true or false") return v.as_bool() != nullptr;
  return v.as_list() != nullptr && std::ranges::all_of(*v.as_list(), is_text);
}

/// What is not what it must be is not read, and said.
void tell_unread_members(const Value& item, const std::string& name, const SourceRef& source,
                         Loaded& out) {
  for (const TypedMember& row : kTypedMembers) {
    const Value* at = &item;
    for (const std::string_view key : split(row.path, '.'))
      at = at != nullptr && at->as_map() != nullptr ? at->as_map()->find(key) : nullptr;
    if (at != nullptr && !at->is_null() && !is_what(*at, row.wants))
      out.warnings.push_back(
          fmt::format("MCP tool '{}' in source '{}' has a member that is not read: {} must be {}",
                      name, source.id, row.path, row.wants));
  }
}

/// The last page names another one: there are tools that the export does not hold.
bool is_unfinished(const Value& root) {
  const Value& last =
      root.as_list() != nullptr && !root.as_list()->empty() ? root.as_list()->back() : root;
  return !Peek(last)["nextCursor"].text().empty() ||
         !Peek(last)["result"]["nextCursor"].text().empty();
}

/// Prompts and resources that the export lists beside its tools, also as responses of their own.
void take_offers(const Value& root, const SourceRef& source, Loaded& out) {
  std::vector<const Value*> holders{&root};
  if (const Value* result = root.as_map() != nullptr ? root.as_map()->find("result") : nullptr)
    holders.push_back(result);
  for (const Value& page : Peek(root).list())
    if (const Value* result = page.as_map() != nullptr ? page.as_map()->find("result") : nullptr)
      holders.push_back(result);
  for (const Value* holder : holders)
    for (const auto& [key, kind] :
         {std::pair{"prompts", "prompt"}, std::pair{"resources", "resource"}})
      for (const Value& item : Peek(*holder)[key].list()) {
        std::string name = text_at(item, "name");
        if (name.empty()) name = text_at(item, "uri");
        if (!name.empty())
          out.offers.push_back(
              {kind, std::move(name), text_at(item, "description"), source.id, source.path});
      }
}

Status check_shape(const InputDocument& input) {
  const Value& root = input.document.root;
  if (root.as_list() != nullptr) return {};
  if (root.as_map() == nullptr) return refuse_input(input, "", "must be an object or array");
  const auto holders = holders_of(root, "");
  const auto is_list = [](const Holder& h) { return h.tools->as_list() != nullptr; };
  const bool has_tools = std::ranges::any_of(holders, is_list);
  if (is_wildcard_export(root)) {
    for (const Holder& one : holders)
      if (is_list(one) && !one.tools->as_list()->empty())
        return refuse_input(input, one.pointer,
                            "a wildcard and a list of tools exclude each other");
    return {};
  }
  return has_tools ? Status() : refuse_input(input, "", "must contain a tools array");
}

}  // namespace

Result<Loaded> load_mcp(const SourceRef& source, Files& files) {
  Loaded out;
  GH_TRY(input, read_input_document(files, source.path, source.base, out.warnings));
  GH_DO(check_shape(input));
  tell_unread_lists(input.document.root, source, out);
  take_offers(input.document.root, source, out);
  if (is_wildcard_export(input.document.root)) {
    out.tools.push_back(wildcard_tool(source, input));
    out.warnings.emplace_back("MCP source declares wildcard tool exposure");
    return out;
  }
  if (is_unfinished(input.document.root))
    out.warnings.push_back(fmt::format(
        "MCP source '{}' ends with a nextCursor: tools of further pages are missing", source.id));
  std::set<std::string> names;
  for (const ToolItem& item : mcp_items(input.document.root)) {
    if (item.value->as_map() == nullptr) {
      out.warnings.emplace_back("Skipping non-object MCP tool entry");
      continue;
    }
    const std::string name = text_at(*item.value, "name");
    if (name.empty()) {
      out.warnings.emplace_back("Skipping MCP tool without name");
      continue;
    }
    if (!names.insert(name).second)
      out.warnings.push_back(
          fmt::format("Duplicate MCP tool name '{}' in source '{}'", name, source.id));
    if (auto warning = name_warning(name)) out.warnings.push_back(std::move(*warning));
    tell_unread_members(*item.value, name, source, out);
    out.tools.push_back(tool_of(item, source, input));
  }
  return out;
}

}  // namespace gh::surface
