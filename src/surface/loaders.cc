#include "surface/loaders.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/peek.h"

namespace gh::surface {

Place place_in(const InputDocument& input, std::string_view pointer) {
  const wire::Mark mark = input.document.mark_of(pointer);
  return {input.path, mark.line, mark.end_line, mark.column, std::string(pointer)};
}

Map object_at(const Value& item, std::string_view key) { return Peek(item)[key].map(); }

std::vector<std::string> strings_at(const Value& item, std::string_view key) {
  std::vector<std::string> out;
  for (const Value& v : Peek(item)[key].list())
    if (v.as_string() != nullptr) out.push_back(*v.as_string());
  return out;
}

std::string text_at(const Value& item, std::string_view key) {
  return std::string(Peek(item)[key].text());
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(path.substr(0, slash == std::string_view::npos ? 0 : slash));
}

Result<Found> find_below(Files& files, std::string_view path, const std::string& folder) {
  GH_TRY(found, files.find(path, folder));
  if (folder.empty() || found.path == folder || found.path.starts_with(folder + "/")) return found;
  return refuse_outside(path, found.path);
}

std::vector<ToolItem> tool_items(const Value& root) {
  std::vector<ToolItem> out;
  const List* list = root.as_list();
  std::string prefix;
  if (list == nullptr && root.as_map() != nullptr) {
    const Value* tools = root.as_map()->find("tools");
    list = tools != nullptr ? tools->as_list() : nullptr;
    if (list == nullptr) return {{&root, "", 0}};
    prefix = "/tools";
  }
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
    if ((*list)[i].as_map() != nullptr)
      out.push_back({&(*list)[i], fmt::format("{}/{}", prefix, i), i});
  return out;
}

void set_schemas(Tool& tool, Schema input, Schema output) {
  tool.parameters = parameters_of(input);
  tool.input_schema = std::move(input);
  tool.output_schema = std::move(output);
}

std::vector<std::string> ApiArtifacts::rule_list(std::string_view key) const {
  return strings_at(policy_rules, key);
}

Map ApiArtifacts::operating(std::string_view key) const {
  if (const Value* found = policy_rules.find(key); is_truthy(found) && found->as_map() != nullptr)
    return *found->as_map();
  return object_at(model_config, key);
}

Map document_of(const DynamicSurface& s) {
  return {{"kind", s.kind}, {"source_ref", s.source_ref}, {"line", s.line}, {"reason", s.reason}};
}

}  // namespace gh::surface
