// Functions that the OpenAI Agents SDK offers as tools (tool-surface 5.6).
#include <set>

#include <fmt/format.h>

#include "model/peek.h"
#include "surface/loaders.h"
#include "surface/python_decorators.h"
#include "surface/python_files.h"
#include "surface/python_toolkits.h"

namespace gh::surface {
namespace {

// table: decorators of the Agents SDK
constexpr std::string_view kDecorators =
    "function_tool agents.function_tool openai_agents.function_tool agents.tool.function_tool "
    "agents.decorators.function_tool agents.decorators.tool";

/// By its name, wherever it comes from, or by where it comes from, whatever its name.
bool is_function_tool(const PythonSource& source, const std::string& name) {
  return is_one_of(name, kDecorators) || is_one_of(source.origin(name), kDecorators);
}

Tool tool_of(const PythonSource& source, Node function, Node decorator, const ToolSource& from) {
  const auto given = [&](std::string_view key) -> std::optional<std::string> {
    return source.is(decorator, "call") ? source.literal(source.keyword(decorator, key))
                                        : std::nullopt;
  };
  const std::string name = given("name_override").value_or(source.name_of(function));
  Tool tool = make_tool("sdk_function", name);
  tool.description = given("description_override").value_or(source.docstring(function));
  tool.source_id = from.id;
  FunctionShape shape = function_shape(source, function, name, kSkippedParameters);
  tool.parameters = std::move(shape.parameters);
  tool.input_schema = std::move(shape.input_schema);
  tool.output_schema = std::move(shape.output_schema);
  tool.signature = std::move(shape.signature);
  tool.auth.source = "sdk_static";
  place_at(tool, source, function);
  return tool;
}

}  // namespace

Result<Loaded> load_agents_sdk(const ToolSource& from, const Manifest& manifest, Files& files) {
  Loaded out;
  std::string path = from.path;
  if (path.empty() && manifest.sdk)
    path = std::string(Peek(manifest.sdk->find("entrypoint")).text());
  if (path.empty()) {
    out.warnings.emplace_back("OpenAI Agents SDK source has no entrypoint");
    return out;
  }
  GH_TRY(found, files.find(path));
  if (found.kind == EntryKind::missing) {
    out.warnings.push_back(fmt::format("OpenAI Agents SDK entrypoint '{}' does not exist", path));
    return out;
  }
  GH_TRY(sources, python_files(files, path, out.warnings));
  std::set<std::pair<std::string, std::string>> seen;
  for (const PythonSource& source : sources) {
    const auto add = [&](Node function, Node decorator) {
      Tool tool = tool_of(source, function, decorator, from);
      if (auto warning = name_warning(tool.name)) out.warnings.push_back(std::move(*warning));
      if (seen.emplace(tool.name, tool.source_location).second)
        out.tools.push_back(std::move(tool));
    };
    const auto makes_tools = [&](const std::string& name) {
      return is_function_tool(source, name);
    };
    find_toolkits(source, out);
    for (const Node function : source.all("function_definition"))
      for (const Node decorator : source.decorators(function)) {
        if (!makes_tools(source.dotted(decorator))) continue;
        add(function, decorator);
        break;
      }
    const DecoratorUses uses = decorator_uses(source, makes_tools);
    for (const Decoration& one : uses.calls)
      add(one.function, one.decorator);
    for (const Node use : uses.unread)
      out.warnings.push_back(unread_decorator(source, use, "OpenAI Agents SDK"));
  }
  return out;
}

}  // namespace gh::surface
