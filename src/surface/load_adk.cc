// Google ADK: agents in Python and in Agent Config files, the toolsets they are given, and what is
// recorded about them (tool-surface 5.9).
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "surface/loaders.h"
#include "surface/python_files.h"
#include "surface/python_givings.h"
#include "surface/python_makers.h"
#include "surface/python_toolkits.h"

namespace gh::surface {
namespace {

using syntax::Field;

constexpr std::string_view kSkipped = "self ctx context tool_context";
constexpr std::string_view kAgentNames =
    "Agent LlmAgent google.adk.Agent google.adk.agents.Agent google.adk.agents.LlmAgent "
    "google.adk.agents.llm_agent.Agent google.adk.agents.llm_agent.LlmAgent";
/// Agents that run elsewhere: what they do, is not read here.
constexpr std::string_view kFarAgents = "RemoteA2aAgent";
constexpr std::string_view kPluginHolders = "Agent LlmAgent App Runner InMemoryRunner";
constexpr std::string_view kEvalKeys =
    "eval_set eval_sets eval_file eval_files eval_path eval_paths";
constexpr std::size_t kMaxConfigs = 4000;

/// A kind of toolset and the arguments that may name what it offers.
struct ToolsetKind {
  std::string_view kind, word, title, path_keys;
};
// table: ADK toolsets
constexpr std::array<ToolsetKind, 2> kToolsets{{
    {"openapi", "openapi", "OpenAPIToolset", "spec_path path spec_file openapi_path openapi_spec"},
    {"mcp", "mcp", "McpToolset", "inventory_path tool_inventory_path mcp_tools_path mcp_inventory"},
}};

/// `OpenAPIToolset`, `McpToolset` and `MCPToolset`, wherever they are imported from.
const ToolsetKind* toolset_class(std::string_view name) {
  if (name == "OpenAPIToolset") return &kToolsets[0];
  return is_one_of(name, "McpToolset MCPToolset") ? &kToolsets[1] : nullptr;
}

/// By the words in the name of a reference.
const ToolsetKind* toolset_reference(std::string_view name) {
  const std::string lower = lower_case(name);
  for (const ToolsetKind& row : kToolsets)
    if (contains(lower, row.word) && contains(lower, "toolset")) return &row;
  return nullptr;
}

bool is_eval_path(std::string_view text) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{".json", ".jsonl", ".yaml", ".yml"},
      [&](std::string_view suffix) { return text.ends_with(suffix); });
}

bool is_callback(std::string_view key) {
  return key.ends_with("_callback") || key.ends_with("_callbacks");
}

/// Where something is said: an agent in a file of a source.
struct Speaker {
  std::string source_id, ref, agent_name;
};

class AdkLoader {
 public:
  explicit AdkLoader(Files& files) : files_(files) {}

  Result<LoadedAdk> load(const Manifest& manifest) {
    for (const ToolSource& source : manifest.tool_sources)
      if (source.type == "google_adk")
        GH_DO(unless_optional(
            source.optional, fmt::format("Optional source {} failed to load", source.id),
            loaded().warnings, [&] { return read_source(source.path, source.id); }));
    if (manifest.google_adk) GH_DO(read_block(*manifest.google_adk));
    finish();
    return std::move(out_);
  }

  // ----------------------------------------------------------------------- told by both readers

  /// False for one that is known already: two agents may share a function.
  bool add(Tool tool, const Speaker& who) {
    tool.source_id = who.source_id;
    tool.auth.source = "google_adk_static";
    tool.annotations.set("adk_agent_name", who.agent_name);
    if (auto warning = name_warning(tool.name)) warn(std::move(*warning));
    const bool is_new = seen_.emplace(tool.name, tool.source_location).second;
    if (is_new) loaded().tools.push_back(std::move(tool));
    return is_new;
  }

  void warn(std::string text) { adk().facts.warnings.push_back(std::move(text)); }
  void take_instruction(std::string_view text) {
    if (adk().instruction.empty()) adk().instruction = std::string(text);
  }

  /// Loads what the toolset offers, when the file that says so is named.
  Status take_toolset(const ToolsetKind& kind, AdkToolset set, const std::string& path) {
    if (path.empty()) return leave_open(std::move(set), "names no local file");
    GH_TRY(found, find_below(files_, path, folder_of(set.source_ref)));
    set.inventory_path = found.path;
    if (found.kind != EntryKind::file)
      return leave_open(std::move(set), fmt::format("names '{}', which is no file", path));
    const bool is_mcp = kind.kind == "mcp";
    const SourceRef ref{.id = fmt::format("{}:{}:{}", set.source_id, kind.kind, ++toolset_files_),
                        .path = found.path,
                        .type = is_mcp ? "google_adk_inventory" : "openapi"};
    GH_TRY(offered, is_mcp ? load_mcp(ref, files_) : load_openapi(ref, files_));
    for (Tool& tool : offered.tools) {
      tool.annotations.set("adk_toolset", kind.title);
      tool.annotations.set("adk_agent_name", set.agent_name);
      loaded().tools.push_back(std::move(tool));
    }
    std::ranges::move(offered.warnings, std::back_inserter(loaded().warnings));
    set.resolved = true;
    adk().toolsets.push_back(std::move(set));
    return {};
  }

  Status leave_open(AdkToolset set, std::string_view why) {
    warn(fmt::format("Google ADK {} toolset of agent '{}' in {} {}; its tools are unknown.",
                     set.kind, set.agent_name, set.source_ref, why));
    set.dynamic = true;
    adk().toolsets.push_back(std::move(set));
    return {};
  }

  /// A file of evaluations beside the one that names it.
  void take_eval(const std::string& path, const std::string& ref) {
    const auto found = find_below(files_, path, folder_of(ref));
    if (found && found->kind == EntryKind::file) return add_eval(found->path);
    warn(fmt::format("Google ADK eval file '{}' named in {} is missing or outside of its folder.",
                     path, ref));
  }

  LoadedAdk& out() { return out_; }
  AdkFacts& adk() { return out_.adk; }
  Loaded& loaded() { return out_.loaded; }
  Files& files() { return files_; }
  std::int64_t functions = 0, long_running = 0, sub_agents = 0;

 private:
  template <class Read>
  Status optional_entry(const PathEntry& entry, std::string_view kind, Read read) {
    return unless_optional(
        entry.optional,
        fmt::format("Optional Google ADK {} artifact '{}' failed to load.", kind, entry.path),
        loaded().warnings, read);
  }

  void add_eval(const std::string& path) {
    if (std::ranges::find(adk().eval_files, path) == adk().eval_files.end())
      adk().eval_files.push_back(path);
  }

  Status read_block(const FrameworkBlock& block) {
    for (const PathEntry& entry : block.python_entrypoints)
      GH_DO(optional_entry(entry, "python entrypoint", [&] {
        return read_python(entry.path, fmt::format("google_adk:{}", entry.path));
      }));
    for (const PathEntry& entry : block.agent_configs)
      GH_DO(optional_entry(entry, "agent config", [&] {
        return read_config(entry.path, fmt::format("google_adk:{}", entry.path));
      }));
    for (const PathEntry& entry : block.eval_sets)
      GH_DO(optional_entry(entry, "eval set", [&] { return read_eval(entry.path); }));
    for (const PathEntry& entry : block.tool_inventories)
      GH_DO(optional_entry(entry, "tool inventory", [&] { return read_inventory(entry); }));
    for (const PathEntry& entry : block.trace_samples)
      GH_DO(optional_entry(entry, "trace sample", [&]() -> Status {
        GH_TRY(events, load_traces(entry, files_, adk().facts.warnings));
        traces_ += static_cast<std::int64_t>(events.size());
        return {};
      }));
    return {};
  }

  Status read_source(const std::string& path, const std::string& id) {
    GH_TRY(found, files_.find(path));
    if (found.kind == EntryKind::folder)
      return read_python(found.path.empty() ? "agent.py" : found.path + "/agent.py", id);
    return lower_case(path).ends_with(".py") ? read_python(path, id) : read_config(path, id);
  }

  Status read_eval(const std::string& path) {
    GH_TRY(file, read_input(files_, path));
    if (lower_case(path).ends_with(".jsonl")) {
      std::int64_t line = 0;
      for (const std::string_view text : split(file.bytes, '\n')) {
        ++line;
        if (!trimmed(text).empty()) GH_DO(wire::read_json_line(text, file.path, line));
      }
    } else {
      GH_DO(wire::read_document(file.bytes, file.path));
    }
    add_eval(file.path);
    return {};
  }

  Status read_inventory(const PathEntry& entry) {
    GH_TRY(inventory, load_mcp({.id = fmt::format("google_adk_inventory:{}", entry.path),
                                .path = entry.path,
                                .type = "google_adk_inventory"},
                               files_));
    adk().facts.has_inventory = true;
    ++inventories_;
    for (Tool& tool : inventory.tools) {
      tool.annotations.set("adk_inventory", true);
      loaded().tools.push_back(std::move(tool));
    }
    std::ranges::move(inventory.warnings, std::back_inserter(loaded().warnings));
    return {};
  }

  Status read_python(const std::string& path, const std::string& id);
  Status read_config(const std::string& path, const std::string& id);

  void finish() {
    FrameworkFacts& facts = adk().facts;
    const auto dynamic = std::ranges::count_if(adk().toolsets, &AdkToolset::dynamic);
    facts.counts = {{"python_entrypoint_count", entrypoints_},
                    {"agent_config_count", configs_},
                    {"agent_count", adk().agents},
                    {"function_tool_count", functions},
                    {"long_running_tool_count", long_running},
                    {"toolset_count", static_cast<std::int64_t>(adk().toolsets.size())},
                    {"dynamic_toolset_count", std::int64_t{dynamic}},
                    {"callback_count", adk().callbacks},
                    {"plugin_count", adk().plugins},
                    {"sub_agent_count", sub_agents},
                    {"eval_file_count", static_cast<std::int64_t>(adk().eval_files.size())},
                    {"trace_sample_count", traces_},
                    {"tool_inventory_file_count", inventories_},
                    {"warnings", string_list(facts.warnings)}};
  }

  Files& files_;
  LoadedAdk out_;
  std::set<std::pair<std::string, std::string>> seen_;
  std::set<std::string> read_configs_;
  std::int64_t entrypoints_ = 0, configs_ = 0, inventories_ = 0, traces_ = 0, toolset_files_ = 0;
};

// ----------------------------------------------------------------------------------------- Python

class AdkPython {
 public:
  AdkPython(AdkLoader& loader, const PythonSource& source, std::string source_id)
      : loader_(loader), source_(source), source_id_(std::move(source_id)) {}

  Status read() {
    for (const Node function : source_.all("function_definition"))
      functions_.emplace(source_.name_of(function), function);
    for (const Node assignment : source_.all("assignment"))
      take_assignment(assignment);
    find_agent_classes();
    for (const Node call : source_.all("call")) {
      const std::string callee = source_.callee(call);
      if (is_agent(callee) || is_partial(call)) GH_DO(take_agent(call));
      if (is_one_of(last_name(source_.origin(callee)), kFarAgents))
        loader_.warn(
            fmt::format("Google ADK {} at {}:{} is an agent that runs elsewhere; its tools "
                        "are not read.",
                        last_name(source_.origin(callee)), source_.path(), source_.line(call)));
      if (is_one_of(last_name(source_.callee(call)), kPluginHolders))
        loader_.adk().plugins += items_in(source_.keyword(call, "plugins"));
      for (const std::string_view key : split(kEvalKeys, ' '))
        take_evals(source_.keyword(call, key));
    }
    for (const Giving& giving : givings(source_, "tools"))
      GH_DO(take_giving(giving));
    return {};
  }

 private:
  // ------------------------------------------------------------------------------------- agents

  void find_agent_classes() {
    const ClassChains classes(source_);
    for (const Node definition : source_.all("class_definition"))
      for (const std::string& base : classes.outer_bases(definition))
        if (is_one_of(base, kAgentNames)) agent_classes_.insert(source_.name_of(definition));
  }

  /// One of ADK, one of this file that derives from it, or what `partial` made of one.
  bool is_agent(const std::string& name) const {
    if (is_one_of(source_.origin(name), kAgentNames) || agent_classes_.contains(name)) return true;
    const auto made = variables_.find(name);
    return made != variables_.end() && is_partial(made->second);
  }

  bool is_partial(Node call) const {
    const Nodes given = source_.positional(call);
    if (given.empty() || last_name(source_.origin(source_.callee(call))) != "partial") return false;
    const std::string name = source_.dotted(given[0]);
    return is_one_of(source_.origin(name), kAgentNames) || agent_classes_.contains(name);
  }

  /// What is given in another way than to the constructor of an agent.
  Status take_giving(const Giving& giving) {
    if (giving.is_argument && (is_agent(source_.callee(giving.at)) || is_partial(giving.at)))
      return {};
    const Speaker who{source_id_, source_.path(),
                      giving.is_argument ? "adk_agent" : holder_of_tools(giving.at)};
    const bool is_sum = source_.is(giving.at, "augmented_assignment") ||
                        source_.is(giving.at, "assignment") || giving.is_argument;
    if (is_list(giving.what)) {
      for (const Node item : source_.named(giving.what))
        GH_DO(take_item(item, who));
      return {};
    }
    return is_sum ? unknown(giving.what, who) : take_item(giving.what, who);
  }

  /// `root` of `root.tools.append(…)` and of `root.tools = …`.
  std::string holder_of_tools(Node at) const {
    Node n = source_.is(at, "call") ? source_.child(at, Field::function)
                                    : source_.child(at, Field::left);
    while (source_.is(n, "attribute"))
      n = source_.child(n, Field::object);
    return source_.is(n, "identifier") ? std::string(source_.text(n)) : "adk_agent";
  }

  bool is_list(Node n) const { return source_.is(n, "list") || source_.is(n, "tuple"); }

  /// Of a literal list; anything else is one.
  std::int64_t items_in(Node value) const {
    if (value == 0 || source_.text(value) == "None") return 0;
    return is_list(value) ? static_cast<std::int64_t>(source_.named(value).size()) : 1;
  }

  void take_assignment(Node assignment) {
    const Node left = source_.child(assignment, Field::left);
    const Node right = source_.child(assignment, Field::right);
    if (right == 0 || !source_.is(left, "identifier")) return;
    const std::string name(source_.text(left));
    if (source_.is(right, "call")) {
      variables_[name] = right;
      names_.emplace(right, name);
    }
    if (contains(lower_case(name), "eval")) take_evals(right);
  }

  void take_evals(Node value) {
    if (value == 0) return;
    for (const Node text : source_.below(value, "string"))
      if (const auto path = source_.literal(text); path && is_eval_path(*path))
        loader_.take_eval(*path, source_.path());
  }

  std::string agent_name(Node call) const {
    if (const auto given = source_.literal(source_.keyword(call, "name"))) return *given;
    const auto assigned = names_.find(call);
    return assigned != names_.end() ? assigned->second : "adk_agent";
  }

  Status take_agent(Node call) {
    const Speaker who{source_id_, source_.path(), agent_name(call)};
    ++loader_.adk().agents;
    if (const auto text = source_.literal(source_.keyword(call, "instruction")))
      loader_.take_instruction(*text);
    const Node arguments = source_.child(call, Field::arguments);
    for (const Node n : arguments != 0 ? source_.named(arguments) : Nodes{})
      if (source_.is(n, "keyword_argument") &&
          is_callback(source_.text(source_.child(n, Field::name))))
        loader_.adk().callbacks += items_in(source_.child(n, Field::value)) > 0 ? 1 : 0;
    loader_.sub_agents += items_in(source_.keyword(call, "sub_agents"));
    if (const Node code = source_.keyword(call, "code_executor");
        code != 0 && !source_.is(code, "none"))
      loader_.warn(
          fmt::format("Google ADK agent '{}' at {}:{} runs code that the model writes: {}.",
                      who.agent_name, who.ref, source_.line(call), source_.shown(code)));
    const Node tools = source_.keyword(call, "tools");
    if (tools == 0 && has_open_arguments(source_, call))
      loader_.warn(
          fmt::format("Google ADK agent '{}' at {}:{} is given arguments that are not "
                      "read; a tool may be missing.",
                      who.agent_name, who.ref, source_.line(call)));
    if (tools == 0) return {};
    if (!is_list(tools))
      return loader_.leave_open({.kind = "dynamic",
                                 .source_id = source_id_,
                                 .source_ref = who.ref,
                                 .agent_name = who.agent_name},
                                "is no literal list of tools");
    for (const Node item : source_.named(tools))
      GH_DO(take_item(item, who));
    return {};
  }

  Status take_item(Node item, const Speaker& who) {
    if (source_.is(item, "identifier")) {
      const std::string name(source_.text(item));
      if (const auto function = functions_.find(name); function != functions_.end()) {
        add_function(function->second, who, false);
        return {};
      }
      const auto variable = variables_.find(name);
      if (variable != variables_.end()) item = variable->second;
    }
    if (source_.is(item, "call")) {
      const std::string callee = source_.origin(source_.callee(item));
      const std::string_view name = last_name(callee);
      if (is_one_of(name, "FunctionTool LongRunningFunctionTool"))
        return take_wrapped(item, who, name == "LongRunningFunctionTool");
      if (const ToolsetKind* kind = toolset_class(name)) return take_toolset(item, *kind, who);
    }
    return unknown(item, who);
  }

  Status unknown(Node item, const Speaker& who) {
    loader_.warn(fmt::format("Google ADK agent '{}' at {}:{} has a tool that is not resolved: {}",
                             who.agent_name, who.ref, source_.line(item), source_.shown(item)));
    return {};
  }

  Status take_wrapped(Node call, const Speaker& who, bool is_long) {
    Node given = source_.keyword(call, "func");
    const Nodes positional = source_.positional(call);
    if (given == 0 && !positional.empty()) given = positional[0];
    const auto function =
        given != 0 ? functions_.find(std::string(source_.text(given))) : functions_.end();
    if (function == functions_.end()) return unknown(call, who);
    add_function(function->second, who, is_long);
    return {};
  }

  void add_function(Node function, const Speaker& who, bool is_long) {
    const std::string name = source_.name_of(function);
    Tool tool = make_tool("google_adk_function", name);
    tool.description = source_.docstring(function);
    FunctionShape shape = function_shape(source_, function, name, kSkipped, TypeNames::narrow);
    tool.parameters = std::move(shape.parameters);
    tool.input_schema = std::move(shape.input_schema);
    tool.output_schema = std::move(shape.output_schema);
    tool.signature = std::move(shape.signature);
    if (is_long) tool.annotations.set("long_running", true);
    place_at(tool, source_, function);
    if (!loader_.add(std::move(tool), who)) return;
    ++loader_.functions;
    loader_.long_running += is_long ? 1 : 0;
  }

  /// `Path("x").read_text()`, `open("x").read()`, and loaders of documents around them.
  std::string path_in(Node value) const {
    for (const Node call : value != 0 ? source_.below(value, "call") : Nodes{}) {
      const std::string_view name = last_name(source_.callee(call));
      const Nodes positional = source_.positional(call);
      if (!is_one_of(name, "Path open") || positional.empty()) continue;
      if (const auto path = source_.literal(positional[0])) return *path;
    }
    return {};
  }

  std::string path_of(Node call, const ToolsetKind& kind) const {
    for (const std::string_view key : split(kind.path_keys, ' '))
      if (const auto path = source_.literal(source_.keyword(call, key))) return *path;
    if (kind.kind != "openapi") return {};
    Nodes texts{source_.keyword(call, "spec_str"), source_.keyword(call, "spec_dict")};
    for (const Node n : source_.positional(call))
      texts.push_back(n);
    for (const Node n : texts)
      if (std::string path = path_in(n); !path.empty()) return path;
    return {};
  }

  Status take_toolset(Node call, const ToolsetKind& kind, const Speaker& who) {
    AdkToolset set{.kind = std::string(kind.kind),
                   .source_id = who.source_id,
                   .source_ref = who.ref,
                   .agent_name = who.agent_name,
                   .name = std::string(last_name(source_.callee(call)))};
    if (kind.kind == "mcp") {
      const Node filter = source_.keyword(call, "tool_filter");
      const bool is_literal = filter != 0 && (is_list(filter) || source_.is(filter, "string"));
      for (const Node text : is_literal ? source_.below(filter, "string") : Nodes{})
        if (const auto value = source_.literal(text)) set.filter_values.push_back(*value);
      set.filtered = !set.filter_values.empty();
    }
    return loader_.take_toolset(kind, std::move(set), path_of(call, kind));
  }

  AdkLoader& loader_;
  const PythonSource& source_;
  std::string source_id_;
  std::map<std::string, Node> functions_, variables_;
  std::map<Node, std::string> names_;
  std::set<std::string> agent_classes_;
};

Status AdkLoader::read_python(const std::string& path, const std::string& id) {
  GH_TRY(found, files_.find(path));
  const std::string entry = found.kind == EntryKind::folder ? found.path + "/agent.py" : path;
  GH_TRY(sources, python_files(files_, entry, loaded().warnings));
  const auto said = [&] {
    return loaded().tools.size() + loaded().warnings.size() + adk().facts.warnings.size() +
           adk().toolsets.size();
  };
  const std::size_t before = said();
  for (const PythonSource& source : sources) {
    ++entrypoints_;
    find_toolkits(source, loaded());
    GH_DO(AdkPython(*this, source, id).read());
  }
  if (said() == before) warn(nothing_read("Google ADK", id, entry));
  return {};
}

// ----------------------------------------------------------------------------------- Agent Config

class AdkConfig {
 public:
  AdkConfig(AdkLoader& loader, const InputDocument& input, std::string source_id)
      : loader_(loader),
        input_(input),
        root_(input.document.root),
        who_{std::move(source_id), input.path,
             Peek(root_)["name"].exists() ? text_at(root_, "name") : "adk_agent"} {}

  Status read() {
    ++loader_.adk().agents;
    if (const std::string_view text = Peek(root_)["instruction"].text(); !text.empty())
      loader_.take_instruction(text);
    for (const auto& [key, value] : root_.as_map()->entries()) {
      if (is_callback(key) && is_truthy(&value)) ++loader_.adk().callbacks;
      if (is_one_of(key, kEvalKeys)) take_evals(value);
    }
    loader_.adk().plugins += items_in("plugins");
    loader_.sub_agents += items_in("sub_agents");
    const List& tools = Peek(root_)["tools"].list();
    for (std::size_t i = 0; i < tools.size(); ++i)
      GH_DO(take_tool(tools[i], i));
    return {};
  }

 private:
  std::int64_t items_in(std::string_view key) const {
    return static_cast<std::int64_t>(Peek(root_)[key].list().size());
  }

  void take_evals(const Value& value) {
    List paths{value};
    if (value.as_list() != nullptr) paths = *value.as_list();
    for (const Value& path : paths)
      if (path.as_string() != nullptr && is_eval_path(*path.as_string()))
        loader_.take_eval(*path.as_string(), input_.path);
  }

  /// `args` as a mapping or as a list of {name, value}, and every other key.
  static Map arguments_of(const Value& item) {
    Map out;
    for (const auto& [key, value] : Peek(item).map().entries())
      if (!is_one_of(key, "name tool args")) out.set(key, value);
    for (const auto& [key, value] : Peek(item)["args"].map().entries())
      out.set(key, value);
    for (const Value& argument : Peek(item)["args"].list())
      if (const std::string name = text_at(argument, "name"); !name.empty())
        out.set(name,
                Peek(argument)["value"].exists() ? *argument.as_map()->find("value") : Value());
    return out;
  }

  Status take_tool(const Value& item, std::size_t index) {
    const std::string name = item.as_string() != nullptr   ? *item.as_string()
                             : Peek(item)["name"].exists() ? text_at(item, "name")
                                                           : text_at(item, "tool");
    if (name.empty()) {
      loader_.warn(fmt::format("Google ADK tool {}#/tools/{} has no name.", input_.path, index));
      return {};
    }
    const Value arguments(arguments_of(item));
    if (const ToolsetKind* kind = toolset_reference(name))
      return take_toolset(*kind, name, arguments);
    add_reference(name, arguments, index);
    return {};
  }

  void add_reference(const std::string& name, const Value& arguments, std::size_t index) {
    Tool tool = make_tool("google_adk_config", last_name(name));
    tool.id = fmt::format("tool:{}", name);
    tool.description = text_at(arguments, "description");
    if (tool.description.empty())
      tool.description = fmt::format("Google ADK tool reference: {}", name);
    tool.source_ref = input_.path;
    tool.source_location = fmt::format("{}#/tools/{}", input_.path, index);
    tool.place = place_in(input_, fmt::format("/tools/{}", index));
    tool.annotations.set("adk_tool_reference", name);
    const bool is_long =
        tool.name == "LongRunningFunctionTool" || Peek(arguments)["long_running"].is_true();
    if (is_long) tool.annotations.set("long_running", true);
    if (Peek(arguments)["long_running_contract"].is_true())
      tool.annotations.set("long_running_contract", true);
    if (loader_.add(std::move(tool), who_)) loader_.long_running += is_long ? 1 : 0;
  }

  Status take_toolset(const ToolsetKind& kind, const std::string& name, const Value& arguments) {
    AdkToolset set{.kind = std::string(kind.kind),
                   .source_id = who_.source_id,
                   .source_ref = input_.path,
                   .agent_name = who_.agent_name,
                   .name = name};
    if (kind.kind == "mcp") {
      set.filter_values = strings_at(arguments, "tool_filter");
      if (const std::string one = text_at(arguments, "tool_filter"); !one.empty())
        set.filter_values = {one};
      set.filtered = !set.filter_values.empty();
    }
    std::string path;
    for (const std::string_view key : split(kind.path_keys, ' '))
      if (path.empty()) path = text_at(arguments, key);
    return loader_.take_toolset(kind, std::move(set), path);
  }

  AdkLoader& loader_;
  const InputDocument& input_;
  const Value& root_;
  Speaker who_;
};

/// The file and those that its sub-agents name, each once.
Status AdkLoader::read_config(const std::string& path, const std::string& id) {
  std::deque<std::string> open;
  GH_TRY(first, files_.find(path));
  open.push_back(first.path.empty() ? path : first.path);
  while (!open.empty()) {
    const std::string at = std::move(open.front());
    open.pop_front();
    if (!read_configs_.insert(at).second) continue;
    if (read_configs_.size() > kMaxConfigs)
      return fail(Code::input_unreadable,
                  fmt::format("{}: more than {} Agent Config files", path, kMaxConfigs));
    GH_TRY(input, read_input_document(files_, at, "", loaded().warnings));
    if (input.document.root.as_map() == nullptr)
      return refuse_input(input, "", "an Agent Config must be an object");
    ++configs_;
    GH_DO(AdkConfig(*this, input, id).read());
    for (const Value& agent : Peek(input.document.root)["sub_agents"].list()) {
      const std::string next = text_at(agent, "config_path");
      if (next.empty()) continue;
      GH_TRY(found, find_below(files_, next, folder_of(input.path)));
      open.push_back(found.path);
    }
  }
  return {};
}

}  // namespace

Result<LoadedAdk> load_adk(const Manifest& manifest, Files& files) {
  return AdkLoader(files).load(manifest);
}

}  // namespace gh::surface
