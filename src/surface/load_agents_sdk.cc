// What the OpenAI Agents SDK offers as tools: decorated functions, tool objects, tools that run
// elsewhere, and MCP servers (tool-surface 5.6).
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "surface/hints.h"
#include "surface/loaders.h"
#include "surface/python_decorators.h"
#include "surface/python_files.h"
#include "surface/python_givings.h"
#include "surface/python_makers.h"
#include "surface/python_toolkits.h"

namespace gh::surface {
namespace {

using syntax::Field;

// table: decorators of the Agents SDK
constexpr std::string_view kDecorators =
    "function_tool agents.function_tool openai_agents.function_tool agents.tool.function_tool "
    "agents.decorators.function_tool agents.decorators.tool";

/// Classes whose objects are tools that this file does not define.
struct HostedTool {
  std::string_view name, hints;
  bool is_server = false;  // of MCP: which tools it has is not known here
};
// table: hosted tools of the Agents SDK
constexpr std::array<HostedTool, 13> kHosted{{
    {"WebSearchTool", ""},
    {"FileSearchTool", ""},
    {"ImageGenerationTool", ""},
    {"CodeInterpreterTool", "code_execution"},
    {"LocalShellTool", "code_execution destructive write"},
    {"ShellTool", "code_execution destructive write"},
    {"ComputerTool", "code_execution destructive write"},
    {"ApplyPatchTool", "destructive write"},
    {"HostedMCPTool", "", true},
    {"MCPServerStdio", "", true},
    {"MCPServerSse", "", true},
    {"MCPServerStreamableHttp", "", true},
    {"MCPServer", "", true},
}};
constexpr std::string_view kToolObject = "FunctionTool";
/// What an agent is given, by keyword or by assignment.
constexpr std::string_view kGiven = "tools mcp_servers";

bool is_of_sdk(std::string_view origin) {
  return is_one_of(origin.substr(0, origin.find('.')), "agents openai_agents");
}

const HostedTool* hosted_class(std::string_view origin) {
  const auto row = std::ranges::find(kHosted, last_name(origin), &HostedTool::name);
  return row != kHosted.end() && is_of_sdk(origin) ? &*row : nullptr;
}

bool is_maker(const std::string& origin) {
  return hosted_class(origin) != nullptr || (last_name(origin) == kToolObject && is_of_sdk(origin));
}

using Names = std::set<std::string, std::less<>>;
/// Of each file of a source, by its module.
using SdkNames = std::map<std::string, Names>;

class SdkReader {
 public:
  SdkReader(const PythonSource& source, const ToolSource& from, Loaded& out)
      : source_(source), from_(from), out_(out) {}

  void read() {
    find_toolkits(source_, out_);
    take_functions();
    take_makers();
    take_classes();
    find_agent_classes();
    given_ = givings(source_, kGiven);
    for (const Node call : source_.all("call"))
      take_call(call);
  }

  /// Told when every file of the source has been read: one may be given what another defines.
  void tell_unread(const SdkNames& names) {
    const GivenItems items(source_);
    for (const Giving& giving : given_) {
      const auto unread =
          items.unread(giving.what, [&](Node item) { return is_read(item, names); });
      if (!unread.empty())
        out_.warnings.push_back(
            fmt::format("OpenAI Agents SDK agent at {}:{} is given tools that are not read: {}.",
                        source_.path(), source_.line(giving.at), join(unread, ", ")));
    }
  }

  /// The file as modules name it, and the tools that it defines.
  std::pair<std::string, Names> names() const {
    std::string module = source_.path().substr(0, source_.path().rfind('.'));
    std::ranges::replace(module, '/', '.');
    return {std::move(module), known_};
  }

 private:
  /// By its name, wherever it comes from, or by where it comes from, whatever its name.
  bool is_function_tool(const std::string& name) const {
    return is_one_of(name, kDecorators) || is_one_of(source_.origin(name), kDecorators);
  }

  std::optional<std::string> literal(Node value, std::string_view what, Node at) {
    return literal_or_say(source_, value, what, at, out_.warnings);
  }

  void add(Tool tool, Node at, const std::string& holder) {
    tool.source_id = from_.id;
    tool.auth.source = "sdk_static";
    place_at(tool, source_, at);
    if (!holder.empty()) known_.insert(holder);
    if (auto warning = name_warning(tool.name); warning && !is_wildcard(tool))
      out_.warnings.push_back(std::move(*warning));
    if (seen_.emplace(tool.name, tool.source_location).second)
      out_.tools.push_back(std::move(tool));
  }

  // ---------------------------------------------------------------------------------- functions

  void take_functions() {
    const auto makes_tools = [&](const std::string& name) { return is_function_tool(name); };
    for (const Node function : source_.all("function_definition"))
      for (const Node decorator : source_.decorators(function)) {
        if (!makes_tools(source_.dotted(decorator))) continue;
        add_function(function, decorator, source_.name_of(function));
        break;
      }
    const DecoratorUses uses = decorator_uses(source_, makes_tools);
    for (const Decoration& one : uses.calls)
      add_function(one.function, one.decorator, variable_of(source_, one.call));
    for (const Node use : uses.unread)
      out_.warnings.push_back(unread_decorator(source_, use, "OpenAI Agents SDK"));
  }

  void add_function(Node function, Node decorator, const std::string& holder) {
    const auto given = [&](std::string_view key) -> std::optional<std::string> {
      return source_.is(decorator, "call") ? literal(source_.keyword(decorator, key), key, function)
                                           : std::nullopt;
    };
    const std::string name = given("name_override").value_or(source_.name_of(function));
    Tool tool = make_tool("sdk_function", name);
    tool.description = given("description_override").value_or(source_.docstring(function));
    FunctionShape shape = function_shape(source_, function, name, kSkippedParameters);
    tool.parameters = std::move(shape.parameters);
    tool.input_schema = std::move(shape.input_schema);
    tool.output_schema = std::move(shape.output_schema);
    tool.signature = std::move(shape.signature);
    add(std::move(tool), function, holder);
  }

  // ------------------------------------------------------------------------------------- objects

  void take_makers() {
    const MakerUses uses = maker_uses(source_, is_maker);
    for (const Node call : uses.calls)
      if (const HostedTool* row = hosted_class(source_.origin(source_.callee(call))))
        add_hosted(call, *row);
      else
        add_object(call);
    for (const Node use : uses.unread)
      out_.warnings.push_back(unread_maker(source_, use, "OpenAI Agents SDK"));
  }

  static Node at(const Nodes& nodes, std::size_t index) {
    return index < nodes.size() ? nodes[index] : 0;
  }

  /// The arguments of a FunctionTool, by their names or in their order.
  Node argument(Node call, std::string_view name, std::size_t place) const {
    const Node given = source_.keyword(call, name);
    return given != 0 ? given : at(source_.positional(call), place);
  }

  void add_object(Node call) {
    const Node name_node = argument(call, "name", 0);
    const auto name = literal(name_node, "name", call);
    if (!name) {
      if (name_node == 0)
        out_.warnings.push_back(fmt::format("OpenAI Agents SDK tool at {}:{} has no name to read.",
                                            source_.path(), source_.line(call)));
      return note_holder(call);
    }
    Tool tool = make_tool("sdk_tool_object", *name);
    tool.description = literal(argument(call, "description", 1), "description", call).value_or("");
    apply_schema(tool, argument(call, "params_json_schema", 2), call);
    add(std::move(tool), call, holder_of(source_, call));
  }

  void note_holder(Node call) {
    if (std::string holder = holder_of(source_, call); !holder.empty())
      known_.insert(std::move(holder));
  }

  /// A literal schema, or that of a model of this file.
  void apply_schema(Tool& tool, Node given, Node at_node) {
    if (auto value = source_.document(given); value && value->as_map() != nullptr)
      return set_schemas(tool, *value->as_map(), Map{});
    const std::string callee = source_.is(given, "call") ? source_.callee(given) : "";
    constexpr std::string_view kOfModel = ".model_json_schema";
    if (callee.ends_with(kOfModel))
      if (auto shape = model_shape(source_, callee.substr(0, callee.size() - kOfModel.size()))) {
        tool.parameters = std::move(shape->parameters);
        tool.input_schema = std::move(shape->input_schema);
        return;
      }
    out_.warnings.push_back(
        fmt::format("The schema of OpenAI Agents SDK tool '{}' at {}:{} is not read.", tool.name,
                    source_.path(), source_.line(at_node)));
  }

  void add_hosted(Node call, const HostedTool& row) {
    std::string name(row.name);
    const std::string holder = holder_of(source_, call);
    if (row.is_server) {
      const auto label = source_.document(source_.keyword(call, "tool_config"));
      const auto given = source_.literal(source_.keyword(call, "name"));
      if (label && !text_at(*label, "server_label").empty())
        name = text_at(*label, "server_label");
      else if (given || !holder.empty())
        name = given.value_or(holder);
      name += ".*";
    }
    if (row.is_server) take_command(call, name);
    Tool tool = make_tool("sdk_hosted_tool", name);
    tool.description = row.is_server
                           ? fmt::format("MCP server of the OpenAI Agents SDK ({}).", row.name)
                           : fmt::format("Hosted tool of the OpenAI Agents SDK ({}).", row.name);
    tool.annotations.set("framework", "openai_agents_sdk");
    if (row.is_server) tool.annotations.set("wildcard_tools", true);
    if (!row.hints.empty())
      for (const std::string_view hint : split(row.hints, ' '))
        add_hint(tool, hint, "agents_sdk_tool_type", Confidence::high);
    out_.warnings.push_back(
        fmt::format("OpenAI Agents SDK {} {} at {}:{} is a static reference only{}.",
                    row.is_server ? "MCP server" : "hosted tool", row.name, source_.path(),
                    source_.line(call), row.is_server ? "; its tools are not enumerable" : ""));
    add(std::move(tool), call, holder);
  }

  /// How a server is started, as far as it is literal; of its environment the names.
  void take_command(Node call, const std::string& name) {
    const Node params = source_.keyword(call, "params");
    Map given;
    for (const Node pair : source_.is(params, "dictionary") ? source_.named(params) : Nodes{}) {
      const auto key = source_.literal(source_.child(pair, Field::key));
      const Node value = source_.child(pair, Field::value);
      if (!key) continue;
      if (const auto literal_value = source_.document(value)) given.set(*key, *literal_value);
      if (*key != "env" || !source_.is(value, "dictionary")) continue;
      Map names;
      for (const Node one : source_.named(value))
        if (const auto variable = source_.literal(source_.child(one, Field::key)))
          names.set(*variable, nullptr);
      given.set(*key, std::move(names));
    }
    if (!given.empty()) out_.servers.push_back(server_command(name, source_.path(), given));
  }

  /// A class of this file that derives from one of theirs makes tools that nobody reads here.
  void take_classes() {
    const ClassChains classes(source_);
    for (const Node definition : source_.all("class_definition"))
      for (const std::string& base : classes.outer_bases(definition))
        if (is_maker(base))
          out_.warnings.push_back(
              fmt::format("OpenAI Agents SDK class '{}' at {}:{} derives from {} and is not read; "
                          "a tool may be "
                          "missing.",
                          source_.name_of(definition), source_.path(), source_.line(definition),
                          last_name(base)));
  }

  // -------------------------------------------------------------------------------- what is given

  static bool is_agent_class(std::string_view origin) {
    return last_name(origin) == "Agent" && is_of_sdk(origin);
  }

  /// A class of the SDK, or one of this file that derives from it.
  bool is_agent(const std::string& name) const {
    return is_agent_class(source_.origin(name)) || agent_classes_.contains(name);
  }

  void find_agent_classes() {
    const ClassChains classes(source_);
    for (const Node definition : source_.all("class_definition"))
      if (std::ranges::any_of(classes.outer_bases(definition), is_agent_class))
        agent_classes_.insert(source_.name_of(definition));
  }

  void take_call(Node call) {
    const Node function = source_.child(call, Field::function);
    if (source_.is(function, "attribute") &&
        source_.text(source_.child(function, Field::attribute)) == "as_tool")
      take_agent(call);
    const std::string callee = source_.callee(call);
    Nodes given = source_.positional(call);
    const bool is_partial = last_name(source_.origin(callee)) == "partial" && !given.empty() &&
                            is_agent(source_.dotted(given[0]));
    if (is_partial) given.erase(given.begin());
    if (!is_partial && !is_agent(callee)) return;
    constexpr std::size_t kTools = 2, kServers = 3;  // places among the arguments of an agent
    for (const std::size_t place : {kTools, kServers})
      if (const Node tools = at(given, place); tools != 0 && !source_.is(tools, "none"))
        given_.push_back({call, tools, true});
    if (has_open_arguments(source_, call) && source_.keyword(call, "tools") == 0)
      out_.warnings.push_back(
          fmt::format("OpenAI Agents SDK agent at {}:{} is given arguments that are not read; a "
                      "tool may be missing.",
                      source_.path(), source_.line(call)));
  }

  /// `agent.as_tool(tool_name="x", tool_description="…")`.
  void take_agent(Node call) {
    const Node name_node = argument(call, "tool_name", 0);
    const auto name = literal(name_node, "name", call);
    if (name_node == 0)
      out_.warnings.push_back(
          fmt::format("The name of the agent that is a tool at {}:{} is made at run time.",
                      source_.path(), source_.line(call)));
    if (!name) return note_holder(call);
    Tool tool = make_tool("sdk_tool_object", *name);
    tool.description =
        literal(argument(call, "tool_description", 1), "description", call).value_or("");
    add(std::move(tool), call, holder_of(source_, call));
  }

  bool is_read(Node item, const SdkNames& names) const {
    const std::string name = source_.is(item, "call") ? "" : source_.dotted(item);
    if (source_.is(item, "identifier") && known_.contains(name)) return true;
    if (!name.empty()) return is_read_there(source_.origin(name), names);
    if (!source_.is(item, "call")) return false;
    const std::string callee = source_.callee(item);
    // A decorator that is called is read or said where decorators are.
    return is_maker(source_.origin(callee)) || is_function_tool(callee) ||
           last_name(callee) == "as_tool" || is_applied(item);
  }

  /// `.kit.look` is the tool `look` of the file `kit.py` beside this one.
  bool is_read_there(std::string_view origin, const SdkNames& names) const {
    const std::string_view name = last_name(origin);
    if (name.size() == origin.size()) return false;
    std::string_view module = origin.substr(0, origin.size() - name.size() - 1);
    const bool is_near = module.starts_with('.');
    while (module.starts_with('.'))
      module.remove_prefix(1);
    return std::ranges::any_of(names, [&](const auto& file) {
      const std::string& path = file.first;
      const bool is_meant = is_near ? last_name(path) == module
                                    : path == module || path.ends_with(fmt::format(".{}", module));
      return is_meant && file.second.contains(name);
    });
  }

  /// `function_tool(…)(f)`.
  bool is_applied(Node call) const {
    const Node inner = source_.child(call, Field::function);
    return source_.is(inner, "call") && is_function_tool(source_.callee(inner));
  }

  const PythonSource& source_;
  const ToolSource& from_;
  Loaded& out_;
  Names known_;  // of what is read
  std::set<std::string> agent_classes_;
  std::vector<Giving> given_;
  std::set<std::pair<std::string, std::string>> seen_;
};

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
  std::vector<SdkReader> readers;
  SdkNames names;
  for (const PythonSource& source : sources) {
    readers.emplace_back(source, from, out).read();
    names.insert(readers.back().names());
  }
  for (SdkReader& reader : readers)
    reader.tell_unread(names);
  if (out.tools.empty() && out.warnings.empty())
    out.warnings.push_back(nothing_read("OpenAI Agents SDK", from.id, path));
  return out;
}

}  // namespace gh::surface
