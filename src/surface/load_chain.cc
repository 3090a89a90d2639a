// LangChain and CrewAI: decorated functions, tool objects, and the lists that agents are given
// (tool-surface 5.7, 5.8). Whatever is put together at run time is said to be dynamic.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "surface/loaders.h"
#include "surface/python_decorators.h"
#include "surface/python_files.h"
#include "surface/python_givings.h"
#include "surface/python_makers.h"
#include "surface/python_toolkits.h"

namespace gh::surface {
namespace {

using syntax::Field;

/// What differs between the two frameworks.
struct Framework {
  std::string_view name, key;
  std::string_view tool_origins;  // where the decorator `tool` comes from
  std::string_view function_type, class_type, prebuilt_type;
  std::string_view package;   // what the names of its modules begin with
  std::string_view prebuilt;  // endings of the classes that are tools as they come
  std::string_view objects;   // classes that make a tool of a function …
  std::string_view object_package, object_type;  // … where they come from, what is made
  std::string_view given;                        // arguments and members that hold tools
  bool described_by_decorator;
};
constexpr Framework kLangChain{"LangChain",
                               "langchain",
                               "langchain.tools.tool langchain_core.tools.tool "
                               "langchain.agents.tool langchain.tools.base.tool "
                               "langchain_core.tools.base.tool langchain_core.tools.convert.tool",
                               "langchain_function",
                               "langchain_class_tool",
                               "langchain_prebuilt_tool",
                               "langchain",
                               "Tool Toolkit Run Results",
                               "Tool StructuredTool",
                               "langchain",
                               "langchain_structured_tool",
                               "tools",
                               true};
constexpr Framework kCrewAi{"CrewAI",
                            "crewai",
                            "crewai.tools.tool",
                            "crewai_function",
                            "crewai_class_tool",
                            "crewai_prebuilt_tool",
                            "crewai_tools.",
                            "Tool",
                            "Tool CrewStructuredTool",
                            "crewai.",
                            "crewai_function",
                            "tools mcps",
                            false};

/// Classes that make a tool of a function, wherever they come from.
constexpr std::string_view kPlainObjects = "StructuredTool CrewStructuredTool";
/// Classes that are no tools as they come, though their names end like one.
constexpr std::string_view kNoPrebuilt = "BaseTool BaseToolkit Tool StructuredTool";

/// Calls that hand tools to an agent: where the list stands among the arguments.
struct Binding {
  std::string_view callee, kind, keyword;
  int position;  // -1: by keyword only
};
// table: tool bindings
constexpr std::array<Binding, 14> kBindings{{
    {"create_agent", "agent", "tools", 1},
    {"create_react_agent", "agent", "tools", 1},
    {"create_tool_calling_agent", "agent", "tools", 1},
    {"create_openai_functions_agent", "agent", "tools", 1},
    {"create_openai_tools_agent", "agent", "tools", 1},
    {"create_structured_chat_agent", "agent", "tools", 1},
    {"create_json_chat_agent", "agent", "tools", 1},
    {"initialize_agent", "agent", "tools", 0},
    {"AgentExecutor", "agent", "tools", -1},
    {"from_agent_and_tools", "agent", "tools", 1},
    {"create_supervisor", "agent", "tools", -1},
    {"ToolNode", "tool_node", "tools", 0},
    {"bind_tools", "bind_tools", "tools", 0},
    {"Agent", "agent", "tools", -1},
}};

/// Makers of agents and clients that bring tools of their own, which no list names.
struct OwnTools {
  std::string_view callee, what;
};
// table: makers with tools of their own
constexpr std::array<OwnTools, 9> kOwnTools{{
    {"create_deep_agent", "tools for files, plans and sub-agents"},
    {"create_sql_agent", "tools for a database"},
    {"create_spark_sql_agent", "tools for a database"},
    {"create_pandas_dataframe_agent", "a tool that runs Python"},
    {"create_csv_agent", "a tool that runs Python"},
    {"create_python_agent", "a tool that runs Python"},
    {"create_json_agent", "tools for a document"},
    {"create_openapi_agent", "tools that send requests"},
    {"MultiServerMCPClient", "the tools of MCP servers"},
}};

class ChainReader {
 public:
  ChainReader(const Framework& framework, const PythonSource& source, std::string source_id)
      : framework_(framework), source_(source), source_id_(std::move(source_id)) {}

  void read() {
    for (const Node function : source_.all("function_definition"))
      take_function(function);
    take_calls_of_decorators();
    read_classes();
    take_tool_objects();
    take_prebuilt();
    for (const Node assignment : source_.all("assignment"))
      take_assignment(assignment);
    take_growth();
    find_agent_classes();
    for (const Node call : source_.all("call"))
      take_call(call);
    for (const Giving& giving : givings(source_, framework_.given))
      take_giving(giving);
  }

  Loaded loaded;
  std::vector<DynamicSurface> dynamic;
  std::int64_t functions = 0, structured = 0, classes = 0, prebuilt = 0, nodes = 0, bindings = 0,
               agents = 0, crews = 0;

 private:
  bool is_langchain() const { return &framework_ == &kLangChain; }

  bool is_tool_decorator(const std::string& name) const {
    return !name.empty() && is_one_of(source_.origin(name), framework_.tool_origins);
  }

  /// Called `tool` where it was made, but nobody here knows what that is.
  bool looks_like_tool_decorator(const std::string& name) const {
    const bool is_of_object =
        contains(name, ".") && !source_.imports().contains(name.substr(0, name.find('.')));
    return !is_of_object && last_name(source_.origin(name)) == "tool";
  }

  void say_dynamic(std::string_view kind, Node at, std::string reason) {
    dynamic.push_back({std::string(kind), source_.path(), source_.line(at), std::move(reason)});
  }

  void set_shape(Tool& tool, FunctionShape shape) {
    tool.parameters = std::move(shape.parameters);
    tool.input_schema = std::move(shape.input_schema);
    if (!shape.output_schema.empty()) tool.output_schema = std::move(shape.output_schema);
    if (!shape.signature.empty()) tool.signature = std::move(shape.signature);
  }

  /// A model of the same file that describes the arguments; another one is dynamic.
  void apply_schema(Tool& tool, Node schema, Node at) {
    if (schema == 0) return;
    const std::string name = source_.dotted(schema);
    if (auto shape = name.empty() ? std::nullopt : model_shape(source_, name))
      set_shape(tool, std::move(*shape));
    else
      say_dynamic("args_schema", at,
                  fmt::format("unresolved args_schema '{}'", source_.text(schema)));
  }

  void add(Tool tool, Node at, const std::string& variable) {
    tool.source_id = source_id_;
    tool.auth.source = fmt::format("{}_static", framework_.key);
    tool.annotations.set("framework", framework_.key);
    if (tool.place.path.empty()) place_at(tool, source_, at);
    if (auto warning = name_warning(tool.name)) loaded.warnings.push_back(std::move(*warning));
    bind(variable, at);
    if (seen_.emplace(tool.name, tool.source_location).second)
      loaded.tools.push_back(std::move(tool));
  }

  void bind(const std::string& variable, Node at) {
    if (variable.empty()) return;
    const auto [known, is_new] = tool_variables_.emplace(variable, source_.line(at));
    if (!is_new && known->second != source_.line(at))
      say_dynamic("tool_shadowing", at, fmt::format("tool variable '{}' is reassigned", variable));
  }

  void take_function(Node function) {
    functions_.emplace(source_.name_of(function), function);
    const Nodes decorators = source_.decorators(function);
    for (const Node decorator : decorators)
      if (is_tool_decorator(source_.dotted(decorator)))
        return add_function(function, decorator, source_.name_of(function));
    for (const Node decorator : decorators)
      if (const std::string name = source_.dotted(decorator); looks_like_tool_decorator(name))
        return loaded.warnings.push_back(fmt::format(
            "{} function '{}' at {}:{} is decorated with '{}', which is not known to come from {}; "
            "a tool may be missing.",
            framework_.name, source_.name_of(function), source_.path(), source_.line(function),
            name, framework_.name));
  }

  void take_calls_of_decorators() {
    const DecoratorUses uses =
        decorator_uses(source_, [&](const std::string& name) { return is_tool_decorator(name); });
    for (const Decoration& one : uses.calls)
      add_function(one.function, one.decorator, variable_of(source_, one.call));
    for (const Node use : uses.unread)
      loaded.warnings.push_back(unread_decorator(source_, use, framework_.name));
  }

  /// `variable` is the name that lists know the tool by.
  void add_function(Node function, Node decorator, const std::string& variable) {
    const bool is_call = source_.is(decorator, "call");
    std::optional<std::string> name, description;
    if (is_call) {
      const Nodes positional = source_.positional(decorator);
      const bool is_function =
          !positional.empty() && functions_.contains(source_.dotted(positional[0]));
      if (!positional.empty() && !is_function) name = literal(positional[0], "name", function);
      if (!name) name = literal(source_.keyword(decorator, "name"), "name", function);
      if (framework_.described_by_decorator)
        description = literal(source_.keyword(decorator, "description"), "description", function);
    }
    const std::string own = source_.name_of(function);
    Tool tool = make_tool(framework_.function_type, name.value_or(own));
    tool.description = description.value_or(source_.docstring(function));
    set_shape(tool, function_shape(source_, function, tool.name, kSkippedParameters));
    place_at(tool, source_, function);
    if (is_call) apply_schema(tool, source_.keyword(decorator, "args_schema"), function);
    ++functions;
    add(std::move(tool), function, variable);
  }

  std::optional<std::string> literal(Node value, std::string_view what, Node at) {
    return literal_or_say(source_, value, what, at, loaded.warnings);
  }

  // ---------------------------------------------------------------------------- classes of tools

  /// A string of a class attribute, or of the default of its Field.
  std::optional<std::string> class_text(Node definition, std::string_view name) {
    const Node value = classes_.value(definition, name);
    if (value == 0) return std::nullopt;
    if (!source_.is(value, "call") || last_name(source_.callee(value)) != "Field")
      return literal(value, name, definition);
    const Node fallback = source_.keyword(value, "default");
    const Nodes positional = source_.positional(value);
    if (fallback != 0) return literal(fallback, name, definition);
    return positional.empty() ? std::nullopt : literal(positional[0], name, definition);
  }

  /// The last name is a class of tools that the framework brings with it.
  bool is_prebuilt(std::string_view origin) const {
    const std::string_view name = last_name(origin);
    const bool is_class = !name.empty() && name[0] >= 'A' && name[0] <= 'Z';
    return is_class && origin.starts_with(framework_.package) && !is_one_of(name, kNoPrebuilt) &&
           std::ranges::any_of(split(framework_.prebuilt, ' '), [&](std::string_view ending) {
             return name.ends_with(ending) && name != ending;
           });
  }

  /// A base that makes a tool of a class: BaseTool wherever it comes from, or the framework's own.
  bool makes_tool(std::string_view origin) const {
    const std::string_view name = last_name(origin);
    return name == "BaseTool" || is_prebuilt(origin) ||
           (is_langchain() && is_one_of(name, framework_.objects) &&
            origin.starts_with(framework_.package));
  }

  void read_classes() {
    for (const Node definition : source_.all("class_definition")) {
      const auto bases = classes_.outer_bases(definition);
      const auto base = std::ranges::find_if(bases, [&](const auto& b) { return makes_tool(b); });
      const auto like =
          std::ranges::find_if(bases, [](const auto& b) { return last_name(b).ends_with("Tool"); });
      if (base != bases.end())
        take_class(definition, last_name(*base));
      else if (like != bases.end())
        loaded.warnings.push_back(fmt::format(
            "{} class '{}' at {}:{} derives from '{}', which is not known to come from {}; a tool "
            "may be missing.",
            framework_.name, source_.name_of(definition), source_.path(), source_.line(definition),
            *like, framework_.name));
    }
  }

  void take_class(Node definition, std::string_view base) {
    const std::string own = source_.name_of(definition);
    Tool tool = make_tool(framework_.class_type, class_text(definition, "name").value_or(own));
    tool.description =
        class_text(definition, "description").value_or(source_.docstring(definition));
    Node run = classes_.method(definition, "_run");
    if (run == 0) run = classes_.method(definition, "run");
    if (run == 0) run = classes_.method(definition, "_arun");
    if (run != 0) set_shape(tool, function_shape(source_, run, tool.name, kSkippedParameters));
    place_at(tool, source_, definition);
    apply_schema(tool, classes_.value(definition, "args_schema"), definition);
    if (base != "BaseTool")
      loaded.warnings.push_back(
          fmt::format("{} tool class '{}' at {}:{} derives from {}; what it inherits is not read.",
                      framework_.name, own, source_.path(), source_.line(definition), base));
    ++classes;
    tool_classes_.insert(own);
    add(std::move(tool), definition, "");
  }

  void take_prebuilt() {
    const MakerUses uses =
        maker_uses(source_, [&](const std::string& origin) { return is_prebuilt(origin); });
    for (const Node call : uses.calls)
      add_prebuilt(call);
    tell_unread(uses);
  }

  void tell_unread(const MakerUses& uses) {
    for (const Node use : uses.unread)
      loaded.warnings.push_back(unread_maker(source_, use, framework_.name));
  }

  void add_prebuilt(Node call) {
    const std::string origin = source_.origin(source_.callee(call));
    Tool tool = make_tool(framework_.prebuilt_type, last_name(origin));
    tool.description = fmt::format(
        "{} prebuilt tool {}. Static reference only; provide an explicit inventory for full "
        "metadata.",
        framework_.name, tool.name);
    tool.annotations.set("prebuilt_tool", true);
    ++prebuilt;
    loaded.warnings.push_back(
        fmt::format("{} prebuilt tool {} at {}:{} is a static reference only.", framework_.name,
                    tool.name, source_.path(), source_.line(call)));
    add(std::move(tool), call, variable_of(source_, call));
  }

  // -------------------------------------------------------------------------------- assignments

  void take_assignment(Node assignment) {
    const Node left = source_.child(assignment, Field::left);
    const Node right = source_.child(assignment, Field::right);
    if (right == 0 || !source_.is(left, "identifier")) return;
    const std::string variable(source_.text(left));
    if (source_.is(right, "list") || source_.is(right, "tuple")) {
      lists_[variable] = right;
      return;
    }
    if (source_.is(right, "call") && tool_classes_.contains(source_.callee(right)))
      bind(variable, right);
  }

  // ------------------------------------------------------------------------------- tool objects

  /// `langchain….StructuredTool`, `crewai….Tool`, or its `from_function`.
  bool is_tool_object(std::string origin) const {
    constexpr std::string_view kMaker = ".from_function";
    if (origin.ends_with(kMaker)) origin.resize(origin.size() - kMaker.size());
    if (is_one_of(origin, kPlainObjects)) return true;
    return origin.starts_with(framework_.object_package) &&
           is_one_of(last_name(origin), framework_.objects);
  }

  void take_tool_objects() {
    const MakerUses uses =
        maker_uses(source_, [&](const std::string& origin) { return is_tool_object(origin); });
    for (const Node call : uses.calls)
      take_tool_object(call);
    tell_unread(uses);
  }

  static Node at(const Nodes& nodes, std::size_t index) {
    return index < nodes.size() ? nodes[index] : 0;
  }

  /// `Tool("x", f, "what it does")`, `StructuredTool(name=…, func=…)`, `Tool.from_function(f, …)`.
  void take_tool_object(Node call) {
    const std::string callee = source_.origin(source_.callee(call));
    const bool is_from = callee.ends_with(".from_function");
    const Nodes positional = source_.positional(call);
    Node given = at(positional, is_from ? 0 : 1), name_node = at(positional, is_from ? 1 : 0);
    for (const char* key : {"coroutine", "func"})
      if (const Node value = source_.keyword(call, key); value != 0) given = value;
    if (const Node value = source_.keyword(call, "name"); value != 0) name_node = value;
    const auto known = functions_.find(given != 0 ? source_.dotted(given) : "");
    const bool is_known = known != functions_.end();
    if (!is_known && is_from)
      say_dynamic("structured_tool", call, "StructuredTool function is not defined in this file");
    const auto said = literal(name_node, "name", call);
    if (!said && !is_known) {
      if (!is_from && name_node == 0)
        say_dynamic("structured_tool", call, "tool object has neither a name nor a function");
      return;
    }
    Tool tool = make_tool(framework_.object_type, said ? *said : source_.name_of(known->second));
    tool.description = literal(source_.keyword(call, "description"), "description", call)
                           .value_or(is_known ? source_.docstring(known->second) : "");
    if (is_known)
      set_shape(tool, function_shape(source_, known->second, tool.name, kSkippedParameters));
    else if (!is_from && source_.keyword(call, "args_schema") == 0)
      loaded.warnings.push_back(
          fmt::format("The parameters of {} tool '{}' at {}:{} are not read: its function is not "
                      "defined in this file.",
                      framework_.name, tool.name, source_.path(), source_.line(call)));
    place_at(tool, source_, is_known ? known->second : call);
    apply_schema(tool, source_.keyword(call, "args_schema"), call);
    ++structured;
    add(std::move(tool), call, variable_of(source_, call));
  }

  // ------------------------------------------------------------------------------------- calls

  void find_agent_classes() {
    for (const Node definition : source_.all("class_definition"))
      for (const std::string& base : classes_.outer_bases(definition))
        if (!is_langchain() && last_name(base) == "Agent")
          agent_classes_.insert(source_.name_of(definition));
  }

  /// The row of a call by the name that it is written with, or by what that name comes from.
  const Binding* binding_of(Node call) const {
    const std::string callee = source_.callee(call);
    const Node function = source_.child(call, Field::function);
    const std::string_view written = source_.is(function, "attribute")
                                         ? source_.text(source_.child(function, Field::attribute))
                                         : source_.text(function);
    const std::string origin = agent_classes_.contains(callee) ? "Agent" : source_.origin(callee);
    for (const std::string_view name : {last_name(origin), written}) {
      const auto row = std::ranges::find(kBindings, name, &Binding::callee);
      if (row != kBindings.end() && (row->callee == "Agent") != is_langchain()) return &*row;
    }
    return nullptr;
  }

  Node given_to(Node call, const Binding& row) const {
    const Node given = source_.keyword(call, row.keyword);
    if (given != 0 || row.position < 0) return given;
    return at(source_.positional(call), static_cast<std::size_t>(row.position));
  }

  void take_call(Node call) {
    const std::string origin = source_.origin(source_.callee(call));
    if (!is_langchain() && last_name(origin) == "Crew") ++crews;
    if (is_langchain()) tell_own_tools(call, last_name(origin));
    const Binding* row = binding_of(call);
    if (row == nullptr) return;
    if (row->kind == "tool_node")
      ++nodes;
    else
      ++bindings;
    if (!is_langchain()) ++agents;
    if (!is_langchain()) take_agent(call);
    if (const Node tools = given_to(call, *row); tools != 0)
      if (const std::string reason = why_unresolved(tools); !reason.empty())
        say_dynamic(row->kind, call, reason);
  }

  void tell_own_tools(Node call, std::string_view callee) {
    const auto row = std::ranges::find(kOwnTools, callee, &OwnTools::callee);
    if (row == kOwnTools.end()) return;
    loaded.warnings.push_back(fmt::format("LangChain {} at {}:{} brings {}, and none is read.",
                                          row->callee, source_.path(), source_.line(call),
                                          row->what));
  }

  /// What an agent of CrewAI can do beside its tools.
  void take_agent(Node call) {
    const Node code = source_.keyword(call, "allow_code_execution");
    if (code != 0 && !is_one_of(source_.type(code), "false none"))
      loaded.warnings.push_back(
          fmt::format("CrewAI agent at {}:{} runs code that the model writes: "
                      "allow_code_execution={}.",
                      source_.path(), source_.line(call), source_.shown(code)));
    if (has_open_arguments(source_, call) && source_.keyword(call, "tools") == 0)
      loaded.warnings.push_back(
          fmt::format("CrewAI agent at {}:{} is given arguments that are not read; a tool may be "
                      "missing.",
                      source_.path(), source_.line(call)));
  }

  /// Tools that something else is given than what `kBindings` knows.
  void take_giving(const Giving& giving) {
    const Binding* row = giving.is_argument ? binding_of(giving.at) : nullptr;
    if (row != nullptr && given_to(giving.at, *row) == giving.what) return;
    if (is_own_member(giving)) return;
    const auto unread = items_.unread(giving.what, [&](Node item) {
      return is_known_tool(item) || is_made_tool(item) || is_read_list(item);
    });
    if (!unread.empty())
      loaded.warnings.push_back(fmt::format("{} tools that are given at {}:{} are not read: {}.",
                                            framework_.name, source_.path(),
                                            source_.line(giving.at), join(unread, ", ")));
  }

  /// `self.tools = …`: whom it is given to, is looked at where that happens.
  bool is_own_member(const Giving& giving) const {
    const Node left = giving.is_argument ? 0 : source_.child(giving.at, Field::left);
    return left != 0 && source_.text(left).starts_with("self.");
  }

  /// A name of a list of which every item is known.
  bool is_read_list(Node item) {
    return source_.is(item, "identifier") && why_unresolved(item).empty();
  }

  /// What lists are given after they were made: `tools.append(x)`, `tools += [x]`.
  void take_growth() {
    for (const Node call : source_.all("call")) {
      const Node function = source_.child(call, Field::function);
      const Node object = source_.child(function, Field::object);
      const Nodes given = source_.positional(call);
      if (!source_.is(object, "identifier") || given.empty()) continue;
      const std::string list(source_.text(object));
      const std::string_view how = source_.text(source_.child(function, Field::attribute));
      if (is_one_of(how, "append insert")) grown_[list].push_back(given.back());
      if (how == "extend") grow_by(list, given.back());
    }
    for (const Node n : source_.all("augmented_assignment"))
      grow_by(std::string(source_.text(source_.child(n, Field::left))),
              source_.child(n, Field::right));
  }

  void grow_by(const std::string& list, Node items) {
    const bool is_literal = source_.is(items, "list") || source_.is(items, "tuple");
    for (const Node item : is_literal ? source_.named(items) : Nodes{items})
      grown_[list].push_back(item);
  }

  bool is_known_tool(Node item) {
    if (source_.is(item, "identifier"))
      return tool_variables_.contains(std::string(source_.text(item)));
    if (!source_.is(item, "call")) return false;
    const std::string callee = source_.callee(item);
    return tool_classes_.contains(callee) || is_prebuilt(source_.origin(callee));
  }

  /// A tool object that is made where it stands is read like any other.
  bool is_made_tool(Node item) const {
    return source_.is(item, "call") && is_tool_object(source_.origin(source_.callee(item)));
  }

  /// Empty when every item of the list is a tool of this file.
  std::string why_unresolved(Node tools) {
    Nodes later;
    if (source_.is(tools, "identifier")) {
      const std::string name(source_.text(tools));
      const auto known = lists_.find(name);
      if (known == lists_.end()) return fmt::format("unresolved tool reference '{}'", name);
      tools = known->second;
      later = grown_[name];
    }
    if (source_.is(tools, "list_comprehension") || source_.is(tools, "generator_expression"))
      return "tool list is built by a comprehension";
    if (source_.is(tools, "call")) return "tool list comes from a runtime call";
    if (!source_.is(tools, "list") && !source_.is(tools, "tuple"))
      return fmt::format("unsupported static tool expression {}", source_.ast_class(tools));
    bool all_known = true;
    for (const Node item : source_.named(tools))
      all_known = is_known_tool(item) && all_known;
    for (const Node item : later)
      all_known = (is_known_tool(item) || is_made_tool(item)) && all_known;
    return all_known ? "" : "tool list contains unresolved or inline tool expressions";
  }

  const Framework& framework_;
  const PythonSource& source_;
  std::string source_id_;
  ClassChains classes_{source_};
  GivenItems items_{source_};
  std::set<std::string> agent_classes_;
  std::map<std::string, Node> functions_, lists_;
  std::map<std::string, Nodes> grown_;
  std::map<std::string, std::int64_t> tool_variables_;
  std::set<std::string> tool_classes_;
  std::set<std::pair<std::string, std::string>> seen_;
};

class ChainLoader {
 public:
  ChainLoader(const Framework& framework, Files& files) : framework_(framework), files_(files) {}

  Result<LoadedFramework> load(const Manifest& manifest,
                               const std::optional<FrameworkBlock>& block) {
    for (const ToolSource& source : manifest.tool_sources)
      if (source.type == framework_.key)
        GH_DO(unless_optional(
            source.optional, fmt::format("Optional source {} failed to load", source.id),
            out_.loaded.warnings, [&] { return read_python(source.path, source.id); }));
    if (block) GH_DO(read_block(*block));
    finish();
    return std::move(out_);
  }

 private:
  template <class Read>
  Status optional_entry(const PathEntry& entry, std::string_view kind, Read read) {
    return unless_optional(entry.optional,
                           fmt::format("Optional {} {} artifact '{}' failed to load.",
                                       framework_.name, kind, entry.path),
                           out_.loaded.warnings, read);
  }

  Status read_block(const FrameworkBlock& block) {
    for (const PathEntry& entry : block.python_entrypoints)
      GH_DO(optional_entry(entry, "python entrypoint", [&] {
        return read_python(entry.path, fmt::format("{}:{}", framework_.key, entry.path));
      }));
    for (const PathEntry& entry : block.tool_inventories)
      GH_DO(optional_entry(entry, "tool inventory", [&] { return read_inventory(entry); }));
    return {};
  }

  std::size_t said() const {
    return out_.loaded.tools.size() + out_.loaded.warnings.size() + out_.facts.warnings.size() +
           out_.facts.dynamic.size();
  }

  Status read_python(const std::string& path, const std::string& id) {
    GH_TRY(sources, python_files(files_, path, out_.loaded.warnings));
    const std::size_t before = said();
    for (const PythonSource& source : sources) {
      ++entrypoints_;
      find_toolkits(source, out_.loaded);
      ChainReader reader(framework_, source, id);
      reader.read();
      functions_ += reader.functions;
      structured_ += reader.structured;
      classes_ += reader.classes;
      prebuilt_ += reader.prebuilt;
      nodes_ += reader.nodes;
      bindings_ += reader.bindings;
      agents_ += reader.agents;
      crews_ += reader.crews;
      std::ranges::move(reader.loaded.tools, std::back_inserter(out_.loaded.tools));
      std::ranges::move(reader.loaded.warnings, std::back_inserter(out_.facts.warnings));
      std::ranges::move(reader.dynamic, std::back_inserter(out_.facts.dynamic));
    }
    if (said() == before) out_.facts.warnings.push_back(nothing_read(framework_.name, id, path));
    return {};
  }

  Status read_inventory(const PathEntry& entry) {
    GH_TRY(loaded, load_mcp({.id = fmt::format("{}_inventory:{}", framework_.key, entry.path),
                             .path = entry.path,
                             .type = fmt::format("{}_inventory", framework_.key)},
                            files_));
    out_.facts.has_inventory = true;
    ++inventories_;
    for (Tool& tool : loaded.tools) {
      tool.annotations.set(fmt::format("{}_inventory", framework_.key), true);
      out_.loaded.tools.push_back(std::move(tool));
    }
    std::ranges::move(loaded.warnings, std::back_inserter(out_.loaded.warnings));
    return {};
  }

  void finish() {
    FrameworkFacts& facts = out_.facts;
    std::ranges::sort(facts.dynamic, [](const DynamicSurface& a, const DynamicSurface& b) {
      return std::tie(a.source_ref, a.line, a.reason) < std::tie(b.source_ref, b.line, b.reason);
    });
    for (const DynamicSurface& s : facts.dynamic)
      facts.warnings.push_back(fmt::format("{} {} at {}:{} has dynamic tool surface: {}.",
                                           framework_.name, s.kind, s.source_ref, s.line,
                                           s.reason));
    const auto dynamic = static_cast<std::int64_t>(facts.dynamic.size());
    if (&framework_ == &kLangChain)
      facts.counts = {
          {"python_entrypoint_count", entrypoints_},  {"function_tool_count", functions_},
          {"structured_tool_count", structured_},     {"tool_node_count", nodes_},
          {"agent_tool_binding_count", bindings_},    {"dynamic_tool_surface_count", dynamic},
          {"tool_inventory_file_count", inventories_}};
    else
      facts.counts = {{"python_entrypoint_count", entrypoints_},
                      {"agent_count", agents_},
                      {"crew_count", crews_},
                      {"function_tool_count", functions_},
                      {"class_tool_count", classes_},
                      {"prebuilt_tool_count", prebuilt_},
                      {"dynamic_tool_surface_count", dynamic},
                      {"tool_inventory_file_count", inventories_}};
    facts.counts.set("warnings", string_list(facts.warnings));
  }

  const Framework& framework_;
  Files& files_;
  LoadedFramework out_;
  std::int64_t entrypoints_ = 0, functions_ = 0, structured_ = 0, classes_ = 0, prebuilt_ = 0,
               nodes_ = 0, bindings_ = 0, agents_ = 0, crews_ = 0, inventories_ = 0;
};

}  // namespace

Result<LoadedFramework> load_langchain(const Manifest& manifest, Files& files) {
  return ChainLoader(kLangChain, files).load(manifest, manifest.langchain);
}

Result<LoadedFramework> load_crewai(const Manifest& manifest, Files& files) {
  return ChainLoader(kCrewAi, files).load(manifest, manifest.crewai);
}

}  // namespace gh::surface
