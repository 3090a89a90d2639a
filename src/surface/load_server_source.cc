// Registrations in the source of an MCP server: TypeScript, JavaScript, Go and Python (tool-surface
// 5.12). A tool is a registration whose name is a literal; whatever else looks like one is an
// omission that is said aloud. A server's claim of harmlessness is no evidence.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "surface/hints.h"
#include "surface/loaders.h"
#include "surface/python_givings.h"
#include "surface/python_source.h"
#include "surface/server_uses.h"

namespace gh::surface {
namespace {

using syntax::Field;

constexpr std::string_view kSuffixes = ".ts .tsx .mts .cts .js .jsx .mjs .cjs .go .py";
/// Languages that servers are written in and that nothing here reads.
// table: languages of servers that are not read
constexpr std::string_view kUnreadSuffixes =
    ".rs .cs .java .kt .kts .scala .rb .php .swift .dart .ex .exs .lua .cc .cpp .cxx .vue .svelte";
// table: folders without registrations
constexpr std::string_view kSkippedFolders =
    "test tests __tests__ __mocks__ spec specs testdata fixtures node_modules vendor third_party "
    "dist build out target coverage .git .venv venv __pycache__ site-packages";
constexpr std::size_t kMaxNameLength = 128;
constexpr std::string_view kRegistrars = "tool registerTool setRequestHandler";

/// `operationType` may only make a tool look more dangerous.
struct OperationHint {
  std::string_view words, tag;
};
// table: operation hints
constexpr std::array<OperationHint, 3> kOperations{{
    {"create update write", "write"},
    {"delete destroy drop", "destructive"},
    {"execute", "code_execution"},
}};

// table: reasons of omissions
constexpr std::array<std::string_view, 8> kOmissions{
    "name_not_literal",          "implausible_tool_name",
    "server_binding_not_proven", "wrapped_before_registration",
    "unparseable_source",        "file_too_large",
    "unreadable_file",           "walk_capped"};
enum Omission : std::uint8_t {
  name_not_literal,
  implausible_tool_name,
  server_binding_not_proven,
  wrapped_before_registration,
  unparseable_source,
  file_too_large,
  unreadable_file,
  walk_capped,
};

bool is_test_file(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return contains(name, ".test.") || contains(name, ".spec.") || contains(name, ".min.") ||
         name.ends_with(".d.ts") || name.ends_with("_test.go") || name.ends_with("_test.py") ||
         (name.starts_with("test_") && name.ends_with(".py"));
}

bool is_plausible(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./").find(c) != std::string_view::npos;
  };
  return !name.empty() && name.size() <= kMaxNameLength && std::ranges::all_of(name, fits);
}

/// What a registration says.
struct Registration {
  std::string name, description{}, operation{};
  Place place{};
};

/// Registrations and omissions of one file.
struct FileFacts {
  std::vector<Registration> found{};
  std::vector<std::pair<Omission, std::int64_t>> omitted{};    // with its line
  std::set<std::string> makers{};                              // functions that make tools
  std::vector<std::pair<std::string, std::int64_t>> wanted{};  // makers that this file calls
};

/// Uses of servers on lines of which nothing is said yet.
void add_uses(FileFacts& facts, const std::vector<UnreadUse>& uses, auto line_of) {
  for (const UnreadUse& use : uses) {
    const auto why =
        static_cast<Omission>(std::ranges::find(kOmissions, use.why) - kOmissions.begin());
    const std::int64_t line = line_of(use.at);
    const auto is_there = [&](const auto& one) { return one.second == line; };
    if (std::ranges::none_of(facts.omitted, is_there)) facts.omitted.emplace_back(why, line);
  }
}

// ------------------------------------------------------------------- TypeScript, JavaScript and Go

/// Between quotes, when nothing is put in at run time.
std::optional<std::string> literal_of(const SourceTree& tree, Node n) {
  const std::string_view type = tree.type(n);
  if (n == 0 || !is_one_of(type,
                           "string template_string interpreted_string_literal "
                           "raw_string_literal"))
    return std::nullopt;
  if (!tree.below(n, "template_substitution").empty()) return std::nullopt;
  std::string_view text = tree.text(n);
  if (text.size() < 2) return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size() && type != "raw_string_literal";
    out += escape ? (text[++i] == 'n' ? '\n' : text[i]) : text[i];
  }
  return out;
}

/// A literal, or literals with plus signs between them.
std::optional<std::string> text_of(const SourceTree& tree, Node n) {
  Nodes open{n};
  std::string out;
  while (!open.empty()) {
    const Node at = open.back();
    open.pop_back();
    if (tree.is(at, "binary_expression") && tree.text(tree.child(at, Field::operator_)) == "+") {
      open.push_back(tree.child(at, Field::right));
      open.push_back(tree.child(at, Field::left));
      continue;
    }
    const auto part = literal_of(tree, at);
    if (!part) return std::nullopt;
    out += *part;
  }
  return out;
}

class BraceReader {
 public:
  explicit BraceReader(const SourceTree& tree) : tree_(tree) {}

  FileFacts read(bool is_go, bool has_neighbours) {
    for (const Node call : tree_.all("call_expression"))
      is_go ? take_go_call(call) : take_script_call(call);
    if (is_go) {
      for (const Node literal : tree_.all("composite_literal"))
        take_composite(literal);
      collect_go_makers();
      for (const Node call : tree_.all("call_expression"))
        take_go_adding(call);
    } else {
      for (const char* type : {"public_field_definition", "field_definition"})
        for (const Node field : tree_.all(type))
          take_field(field);
      add_uses(out_, unread_script_uses(tree_, has_neighbours),
               [&](Node at) { return tree_.line(at); });
    }
    std::ranges::stable_sort(out_.found, {}, [](const Registration& r) {
      return std::pair(r.place.start_line, r.place.start_column);
    });
    return std::move(out_);
  }

 private:
  Nodes arguments(Node call) const {
    const Node list = tree_.child(call, Field::arguments);
    return list != 0 ? tree_.named(list) : Nodes{};
  }

  void add(Node at, const std::optional<std::string>& name, std::string description,
           std::string operation = {}) {
    if (!name) return omit(name_not_literal, at);
    if (!is_plausible(*name)) return omit(implausible_tool_name, at);
    out_.found.push_back({*name, std::move(description), std::move(operation), tree_.place(at)});
  }

  void omit(Omission why, Node at) { out_.omitted.emplace_back(why, tree_.line(at)); }

  /// `server.tool("x", "what it does", …)` and `server.registerTool("x", {description: …}, …)`.
  void take_script_call(Node call) {
    const Node function = tree_.child(call, Field::function);
    const std::string name = registrar(function);
    if (makes_object(call)) omit(server_binding_not_proven, call);
    if (!is_one_of(name, kRegistrars)) return;
    const Nodes given = arguments(call);
    if (given.size() < 2) return;  // a registration has a handler
    if (is_unbound(function)) return omit(server_binding_not_proven, call);
    if (name == "setRequestHandler") {
      const std::optional<bool> lists = lists_tools(given[0]);
      if (!lists) return omit(wrapped_before_registration, call);
      if (*lists) take_listing(call, given[1]);
      return;
    }
    std::string description;
    if (name == "tool") description = text_of(tree_, given[1]).value_or("");
    if (name == "registerTool") description = member_text(given[1], "description");
    add(call, literal_of(tree_, given[0]), std::move(description));
  }

  /// `tool({description: …, execute: run})` of an SDK of agents: its name stands elsewhere.
  bool makes_object(Node call) {
    const Node function = inside_of(tree_.child(call, Field::function));
    const Nodes given = arguments(call);
    if (!tree_.is(function, "identifier") || given.size() != 1) return false;
    if (!is_one_of(tree_.text(function), "tool dynamicTool createTool defineTool")) return false;
    const Node object = inside_of(given[0]);
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"description", "execute", "inputSchema"},
        [&](std::string_view key) { return member_of(object, key) != 0; });
  }

  /// Whether a schema of requests is that of tools/list; nothing when it is not known here.
  std::optional<bool> lists_tools(Node schema) {
    constexpr int kMaxNames = 8;
    for (int step = 0; step < kMaxNames; ++step) {
      schema = inside_of(schema);
      const std::string_view name = last_word(schema);
      if (name == "ListToolsRequestSchema") return true;
      if (name.ends_with("RequestSchema") || name.ends_with("NotificationSchema")) return false;
      if (!tree_.is(schema, "identifier")) break;
      schema = bound_to(name);
    }
    const Node method = tree_.is(schema, "object") ? member_of(schema, "method") : schema;
    const auto text = literal_of(tree_, inside_of(method));
    return text ? std::optional(*text == "tools/list") : std::nullopt;
  }

  /// What is called without the brackets around it: `(server.tool)`, `server.tool!`.
  Node inside_of(Node n) const {
    while (is_one_of(tree_.type(n), "parenthesized_expression non_null_expression as_expression")) {
      const Nodes parts = tree_.named(n);
      if (parts.empty()) return 0;
      n = parts[0];
    }
    return n;
  }

  /// The method that a callee means: `server.tool`, `server["tool"]`, or a name that this file
  /// took from an object. Empty for anything else.
  std::string registrar(Node callee) {
    constexpr int kMaxSteps = 8;
    for (int step = 0; step < kMaxSteps; ++step) {
      callee = inside_of(callee);
      if (tree_.is(callee, "subscript_expression")) {
        const Nodes parts = tree_.named(callee);
        return parts.size() == 2 ? literal_of(tree_, parts[1]).value_or("") : "";
      }
      if (tree_.is(callee, "member_expression"))
        return std::string(tree_.text(tree_.child(callee, Field::property)));
      if (!tree_.is(callee, "identifier")) return {};
      const std::string_view name = tree_.text(callee);
      if (const auto taken = taken_members().find(name); taken != taken_members().end())
        return std::string(taken->second);
      if (const Node value = inside_of(bound_to(name)); value != 0) {
        callee = tree_.is(value, "call_expression") ? bound_method(value) : value;
        if (callee == 0 || !is_method(callee)) return {};
        continue;
      }
      return name == "registerTool" && !bindings_.contains(name) ? std::string(name) : "";
    }
    return {};
  }

  bool is_method(Node n) const {
    return is_one_of(tree_.type(n), "member_expression subscript_expression identifier");
  }

  /// `server.tool` of `server.tool.bind(server)`.
  Node bound_method(Node call) const {
    const Node function = tree_.child(call, Field::function);
    if (!tree_.is(function, "member_expression") ||
        tree_.text(tree_.child(function, Field::property)) != "bind")
      return 0;
    return inside_of(tree_.child(function, Field::object));
  }

  /// `registerTool("x", …)` of which nobody here knows where it comes from.
  bool is_unbound(Node callee) {
    callee = inside_of(callee);
    const std::string_view name = tree_.text(callee);
    return tree_.is(callee, "identifier") && !taken_members().contains(name) && bound_to(name) == 0;
  }

  /// `const { tool, registerTool: add } = server`: local name -> member.
  const std::map<std::string_view, std::string_view>& taken_members() {
    if (taken_members_) return *taken_members_;
    taken_members_.emplace();
    for (const Node declarator : tree_.all("variable_declarator"))
      take_members(tree_.child(declarator, Field::name), tree_.child(declarator, Field::value));
    for (const Node assignment : tree_.all("assignment_expression"))
      take_members(tree_.child(assignment, Field::left), tree_.child(assignment, Field::right));
    return *taken_members_;
  }

  void take_members(Node names, Node value) {
    value = inside_of(value);
    const bool is_of_object = is_one_of(tree_.type(value), "identifier member_expression this");
    if (!tree_.is(names, "object_pattern") || !is_of_object) return;
    for (const Node one : tree_.named(names)) {
      if (tree_.is(one, "shorthand_property_identifier_pattern"))
        taken_members_->emplace(tree_.text(one), tree_.text(one));
      if (tree_.is(one, "pair_pattern"))
        taken_members_->emplace(tree_.text(tree_.child(one, Field::value)),
                                key_of(tree_.child(one, Field::key)));
    }
  }

  /// `tool`, `"tool"` or `["tool"]`.
  std::string_view key_of(Node key) const {
    if (tree_.is(key, "computed_property_name") && !tree_.named(key).empty())
      key = tree_.named(key)[0];
    std::string_view text = tree_.text(key);
    if (tree_.is(key, "string") && text.size() > 2) text = text.substr(1, text.size() - 2);
    return text;
  }

  Node member_of(Node object, std::string_view key) const {
    for (const Node pair : tree_.is(object, "object") ? tree_.named(object) : Nodes{})
      if (is_pair_of(pair, key)) return tree_.child(pair, Field::value);
    return 0;
  }

  bool is_pair_of(Node pair, std::string_view key) const {
    const Node name = tree_.is(pair, "pair") ? tree_.child(pair, Field::key) : 0;
    return name != 0 && (tree_.text(name) == key || literal_of(tree_, name) == std::string(key));
  }

  std::string member_text(Node object, std::string_view key) const {
    return text_of(tree_, member_of(object, key)).value_or("");
  }

  /// What is meant without brackets and types; a name means what this file binds it to, if once.
  Node meant_by(Node n) {
    constexpr int kMaxSteps = 32;
    for (int step = 0; step < kMaxSteps && n != 0; ++step) {
      if (is_one_of(tree_.type(n), "parenthesized_expression as_expression satisfies_expression")) {
        const Nodes parts = tree_.named(n);
        n = parts.empty() ? 0 : parts[0];
      } else if (is_one_of(tree_.type(n), "identifier shorthand_property_identifier")) {
        n = bound_to(tree_.text(n));
      } else {
        return n;
      }
    }
    return 0;
  }

  Node bound_to(std::string_view name) {
    if (bindings_.empty()) {
      for (const Node declarator : tree_.all("variable_declarator"))
        bind(tree_.child(declarator, Field::name), tree_.child(declarator, Field::value));
      for (const Node function : tree_.all("function_declaration"))
        bind(tree_.child(function, Field::name), function);
    }
    const auto found = bindings_.find(name);
    return found != bindings_.end() ? found->second : 0;
  }

  void bind(Node name, Node value) {
    if (name == 0) return;
    const auto [place, is_new] = bindings_.emplace(tree_.text(name), value);
    if (!is_new) place->second = 0;  // which of the two is meant is not known here
  }

  /// `setRequestHandler(ListToolsRequestSchema, () => ({tools: [{name: "x", …}]}))`: each tool of
  /// an answer counts, in place or behind a name of this file.
  void take_listing(Node call, Node given) {
    const Node handler = meant_by(given);
    Nodes answers;
    if (handler != 0) {
      for (const Node pair : tree_.below(handler, "pair"))
        if (is_pair_of(pair, "tools")) answers.push_back(tree_.child(pair, Field::value));
      for (const Node name : tree_.below(handler, "shorthand_property_identifier"))
        if (tree_.text(name) == "tools") answers.push_back(name);
    }
    if (answers.empty()) omit(wrapped_before_registration, call);
    for (const Node answer : answers)  // a schema inside of a tool may have a property of that name
      if (!is_inside_of(answer, answers)) take_tools(answer);
  }

  bool is_inside_of(Node inner, const Nodes& answers) const {
    for (Node n = tree_.parent(inner); n != 0; n = tree_.parent(n))
      if (std::ranges::find(answers, n) != answers.end()) return true;
    return false;
  }

  void take_tools(Node answer) {
    Nodes open{answer};
    std::size_t lists = 0;
    constexpr std::size_t kMaxLists = 200;
    while (!open.empty()) {
      const Node at = open.back();
      open.pop_back();
      const Node what = meant_by(at);
      if (tree_.is(what, "array") && ++lists <= kMaxLists) {
        const Nodes items = tree_.named(what);
        open.insert(open.end(), items.rbegin(), items.rend());
      } else if (tree_.is(what, "spread_element") && !tree_.named(what).empty()) {
        open.push_back(tree_.named(what)[0]);
      } else if (tree_.is(what, "object")) {
        add(what, literal_of(tree_, member_of(what, "name")), member_text(what, "description"));
      } else {
        omit(wrapped_before_registration, at);
      }
    }
  }

  std::string_view field_name(Node field) const {
    Node name = tree_.child(field, Field::name);
    if (name == 0) name = tree_.child(field, Field::property);
    return name != 0 ? tree_.text(name) : std::string_view();
  }

  /// `static toolName = "x"`, with `description` and `operationType` beside it.
  void take_field(Node field) {
    if (field_name(field) != "toolName") return;
    std::string description, operation;
    for (const Node sibling : tree_.named(tree_.parent(field))) {
      const auto text = literal_of(tree_, tree_.child(sibling, Field::value));
      if (text && field_name(sibling) == "description") description = *text;
      if (text && field_name(sibling) == "operationType") operation = *text;
    }
    add(field, literal_of(tree_, tree_.child(field, Field::value)), std::move(description),
        std::move(operation));
  }

  std::string_view last_word(Node n) const {
    const std::string_view text = tree_.text(n);
    return text.substr(text.rfind('.') + 1);
  }

  /// `MustTool("x", "what it does", …)` and `NewTool("x", WithDescription("…"))`.
  void take_go_call(Node call) {
    const std::string_view name = last_word(tree_.child(call, Field::function));
    if (!is_one_of(name, "MustTool NewTool")) return;
    const Nodes given = arguments(call);
    if (given.empty()) return;
    std::string description;
    if (name == "MustTool" && given.size() > 1)
      description = literal_of(tree_, given[1]).value_or("");
    for (const Node option : given)
      if (tree_.is(option, "call_expression") &&
          last_word(tree_.child(option, Field::function)) == "WithDescription")
        for (const Node text : arguments(option))
          description = literal_of(tree_, text).value_or(description);
    add(call, literal_of(tree_, given[0]), std::move(description));
  }

  // What is added to a server in Go: a tool that is written there or in a function of the source.

  /// Whether a tool is written somewhere in the expression.
  bool writes_tool(Node n) const {
    if (n == 0) return false;
    const auto is_maker = [&](Node call) {
      return is_one_of(last_word(tree_.child(call, Field::function)), "MustTool NewTool");
    };
    const auto is_tool = [&](Node literal) {
      const Node type = tree_.child(literal, Field::type);
      return type != 0 && last_word(type) == "Tool";
    };
    return std::ranges::any_of(tree_.below(n, "call_expression"), is_maker) ||
           std::ranges::any_of(tree_.below(n, "composite_literal"), is_tool);
  }

  void collect_go_makers() {
    for (const char* type : {"function_declaration", "method_declaration"})
      for (const Node n : tree_.all(type))
        if (writes_tool(tree_.child(n, Field::body)))
          out_.makers.emplace(tree_.text(tree_.child(n, Field::name)));
    for (const char* type : {"short_var_declaration", "range_clause", "assignment_statement"})
      for (const Node n : tree_.all(type))
        bind_go(tree_.child(n, Field::left), tree_.child(n, Field::right), n);
    for (const Node n : tree_.all("var_spec")) {
      bind_go(tree_.child(n, Field::name), tree_.child(n, Field::value), n);
      if (writes_tool(tree_.child(n, Field::value)))
        out_.makers.emplace(tree_.text(tree_.child(n, Field::name)));
    }
  }

  /// Each name on the left stands for its value, or for all there is on the right.
  void bind_go(Node left, Node right, Node at) {
    if (left == 0 || right == 0) return;
    const Nodes names = tree_.is(left, "identifier") ? Nodes{left} : tree_.named(left);
    const Nodes values = tree_.is(right, "expression_list") ? tree_.named(right) : Nodes{right};
    for (std::size_t i = 0; i < names.size(); ++i)
      go_values_.push_back(
          {tree_.text(names[i]), at, values.size() == names.size() ? values[i] : values[0]});
  }

  /// What a name was last given in front of its use.
  Node go_value(std::string_view name, Node use) const {
    Node out = 0;
    for (const GoValue& one : go_values_)
      if (one.name == name && one.at < use) out = one.value;
    return out;
  }

  /// `mcp.AddTool(server, tool, run)`, `server.AddTool(tool, run)` and `server.AddTools(tools…)`.
  void take_go_adding(Node call) {
    const Node function = tree_.child(call, Field::function);
    const std::string_view name = last_word(function);
    const Nodes given = arguments(call);
    if (!tree_.is(function, "selector_expression") || given.empty()) return;
    if (name == "AddTools")
      for (const Node one : given)
        take_go_tool(one, call);
    if (name == "AddTool") take_go_tool(given[given.size() == 3 ? 1 : 0], call);
  }

  void want(std::string_view maker, Node call) {
    out_.wanted.emplace_back(maker, tree_.line(call));
  }

  void take_go_tool(Node n, Node call) {
    constexpr int kMaxSteps = 16;
    Node use = call;
    for (int step = 0; step < kMaxSteps && n != 0; ++step) {
      if (writes_tool(n)) return;  // read, or said, where it is written
      if (tree_.is(n, "call_expression"))
        return want(last_word(tree_.child(n, Field::function)), call);
      if (tree_.is(n, "identifier")) {
        const Node value = go_value(tree_.text(n), use);
        if (value == 0) return want(tree_.text(n), call);
        use = value;
        n = value;
        continue;
      }
      const Nodes parts = tree_.named(n);
      n = parts.empty() ? 0 : parts[0];  // `t` of `t.Tool`, `*t`, `tools[0]` and `tools...`
    }
    omit(name_not_literal, call);
  }

  /// `Tool{Name: "x", Description: "…"}`.
  void take_composite(Node literal) {
    const Node type = tree_.child(literal, Field::type), body = tree_.child(literal, Field::body);
    if (type == 0 || body == 0 || last_word(type) != "Tool") return;
    Node name = 0;
    std::string description;
    for (const Node element : tree_.named(body)) {
      if (!tree_.is(element, "keyed_element")) continue;
      const Nodes parts = tree_.named(element);
      if (parts.size() != 2) continue;
      Node value = parts[1];
      if (tree_.is(value, "literal_element") && !tree_.named(value).empty())
        value = tree_.named(value)[0];
      if (tree_.text(parts[0]) == "Name") name = value;
      if (tree_.text(parts[0]) == "Description")
        description = literal_of(tree_, value).value_or("");
    }
    if (name != 0) add(literal, literal_of(tree_, name), std::move(description));
  }

  const SourceTree& tree_;
  FileFacts out_;
  std::map<std::string_view, Node> bindings_;  // 0: bound twice
  std::optional<std::map<std::string_view, std::string_view>> taken_members_;
  struct GoValue {
    std::string_view name;
    Node at, value;
  };
  std::vector<GoValue> go_values_;
};

// ----------------------------------------------------------------------------------------- Python

class PythonServer {
 public:
  explicit PythonServer(const PythonSource& source) : source_(source) {}

  FileFacts read(bool has_neighbours) {
    for (const Node assignment : source_.all("assignment"))
      take_assignment(assignment);
    for (const Node function : source_.all("function_definition")) {
      functions_.emplace(source_.name_of(function), function);
      take_function(function);
    }
    for (const Node attribute : source_.all("attribute"))
      take_attribute(attribute);
    for (const Node call : source_.all("call")) {
      const std::string origin = source_.origin(source_.callee(call));
      if (is_server(origin)) take_given_tools(call);
      if (is_made_of_other(origin)) omit(wrapped_before_registration, call);
      take_applied_listing(call);
    }
    for (const Node subscript : source_.all("subscript"))
      if (contains(source_.text(subscript), "ListToolsRequest")) take_request_handler(subscript);
    add_uses(out_, unread_python_uses(source_, servers_, has_neighbours),
             [&](Node at) { return source_.line(at); });
    return std::move(out_);
  }

 private:
  static bool is_server(std::string_view origin) {
    return is_one_of(origin,
                     "fastmcp.FastMCP mcp.server.fastmcp.FastMCP mcp.server.mcpserver.MCPServer "
                     "fastmcp.MCPServer mcp.server.FastMCP mcp.server.fastmcp.server.FastMCP");
  }

  /// `FastMCP.from_openapi(…)`: a server whose tools are those of something else.
  static bool is_made_of_other(const std::string& origin) {
    const std::size_t dot = origin.rfind('.');
    return dot != std::string::npos && is_server(std::string_view(origin).substr(0, dot)) &&
           is_one_of(last_name(origin), "from_openapi from_fastapi as_proxy from_client");
  }

  void take_assignment(Node assignment) {
    Node right = source_.child(assignment, Field::right);
    while (source_.is(right, "assignment"))  // a = b = FastMCP()
      right = source_.child(right, Field::right);
    const std::string origin =
        source_.is(right, "call") ? source_.origin(source_.callee(right)) : "";
    const bool is_made = is_server(origin) || is_made_of_other(origin);
    const bool is_alias = !source_.is(right, "call") && servers_.contains(source_.dotted(right));
    if (is_made || is_alias)
      servers_.insert(std::string(source_.text(source_.child(assignment, Field::left))));
  }

  // ------------------------------------------------------------------------ registrations by call

  void omit(Omission why, Node at) { out_.omitted.emplace_back(why, source_.line(at)); }

  bool is_called_by(Node call, Node callee) const {
    return source_.is(call, "call") && source_.child(call, Field::function) == callee;
  }

  /// `server.add_tool(f)`, `server.tool(f)` and `server.tool(…)(f)`; whatever else is done with
  /// the `tool` of a server is said.
  void take_attribute(Node attribute) {
    const std::string_view name = source_.text(source_.child(attribute, Field::attribute));
    if (is_one_of(name, "mount import_server")) return take_mount(attribute);
    if (!is_one_of(name, "tool add_tool")) return;
    const Node holder = source_.parent(attribute);
    const bool is_proven =
        servers_.contains(source_.dotted(source_.child(attribute, Field::object)));
    const bool is_called = is_called_by(holder, attribute);
    const Node outer = is_called ? source_.parent(holder) : 0;
    const bool is_applied = is_called_by(outer, holder);
    if (source_.is(holder, "decorator") || source_.is(outer, "decorator")) return;
    if (!is_proven) {
      const Nodes given = is_called ? source_.positional(holder) : Nodes{};
      if (is_applied || (name == "add_tool" && !given.empty()))
        omit(server_binding_not_proven, attribute);
      return;
    }
    if (!is_called) return omit(wrapped_before_registration, attribute);
    take_registration(holder, is_applied ? outer : holder, name == "add_tool");
  }

  /// `server.mount("prefix", other)`: the other one is a server of this file, or its tools are
  /// not known.
  void take_mount(Node attribute) {
    const Node call = source_.parent(attribute);
    const bool is_proven =
        servers_.contains(source_.dotted(source_.child(attribute, Field::object)));
    if (!is_proven || !is_called_by(call, attribute)) return;
    for (const Node given : source_.positional(call))
      if (servers_.contains(source_.dotted(given))) return;
    omit(wrapped_before_registration, call);
  }

  /// `server.list_tools()(answer)`.
  void take_applied_listing(Node call) {
    const Node inner = source_.child(call, Field::function);
    if (!source_.is(inner, "call") || last_name(source_.callee(inner)) != "list_tools") return;
    const Nodes given = source_.positional(call);
    take_listing_of(given.empty() ? 0 : given[0], call);
  }

  /// `server.request_handlers[types.ListToolsRequest] = answer`.
  void take_request_handler(Node subscript) {
    const Node assignment = source_.parent(subscript);
    if (source_.is(assignment, "assignment") && source_.child(assignment, Field::left) == subscript)
      take_listing_of(source_.child(assignment, Field::right), assignment);
  }

  void take_listing_of(Node handler, Node at) {
    const std::string name = handler != 0 ? source_.dotted(handler) : "";
    const auto function = functions_.find(std::string(last_name(name)));
    if (function == functions_.end()) return omit(wrapped_before_registration, at);
    take_listing(function->second);
  }

  /// `call` is given the function, `options` may be given its name.
  void take_registration(Node options, Node call, bool is_add) {
    const Nodes positional = source_.positional(call);
    Node given = !positional.empty() ? positional[0] : source_.keyword(call, "fn");
    Node name = source_.keyword(options, "name");
    const Nodes first = source_.positional(options);
    if (name == 0 && options != call && !first.empty()) name = first[0];
    if (name == 0 && is_add && positional.size() > 1) name = positional[1];
    Node description = source_.keyword(options, "description");
    if (source_.is(given, "call") && source_.callee(given).ends_with("Tool.from_function")) {
      if (name == 0) name = source_.keyword(given, "name");
      if (description == 0) description = source_.keyword(given, "description");
      const Nodes inner = source_.positional(given);
      given = !inner.empty() ? inner[0] : source_.keyword(given, "fn");
    }
    add_function(given, name, description, call);
  }

  /// A function of this file, or another one whose name is said.
  void add_function(Node given, Node name, Node description, Node at) {
    const auto function = functions_.find(given != 0 ? std::string(source_.text(given)) : "");
    const bool is_known = function != functions_.end();
    if (!is_known && name == 0) return omit(wrapped_before_registration, at);
    const auto text = name != 0 ? source_.literal(name) : source_.name_of(function->second);
    if (!text) return omit(name_not_literal, at);
    if (!is_plausible(*text)) return omit(implausible_tool_name, at);
    out_.found.push_back(
        {*text,
         source_.literal(description).value_or(is_known ? source_.docstring(function->second) : ""),
         "", source_.place(is_known ? function->second : at)});
  }

  /// `FastMCP("x", tools=[f, g])`.
  void take_given_tools(Node call) {
    const Node tools = source_.keyword(call, "tools");
    if (tools == 0 || source_.is(tools, "none")) return;
    if (!source_.is(tools, "list") && !source_.is(tools, "tuple"))
      return omit(wrapped_before_registration, tools);
    for (const Node item : source_.named(tools))
      add_function(item, 0, 0, item);
  }

  // ----------------------------------------------------------------------------------- decorators

  void take_function(Node function) {
    const Nodes decorators = source_.decorators(function);
    for (std::size_t i = 0; i < decorators.size(); ++i) {
      const std::string name = source_.dotted(decorators[i]);
      if (last_name(name) == "list_tools" && name != "list_tools") return take_listing(function);
      if (last_name(name) != "tool" || name == "tool") continue;
      take_tool(function, decorators[i], name.substr(0, name.size() - 5),
                i + 1 < decorators.size());
      return;
    }
  }

  /// A handler that answers with the tools: each that is made in it counts.
  void take_listing(Node function) {
    const Place whole = source_.place(function);
    bool is_empty = true;
    for (const Node call : source_.all("call")) {
      const std::int64_t line = source_.line(call);
      const bool is_inside = line >= whole.start_line && line <= whole.end_line;
      if (!is_inside || last_name(source_.callee(call)) != "Tool") continue;
      is_empty = false;
      const auto name = source_.literal(source_.keyword(call, "name"));
      if (!name)
        out_.omitted.emplace_back(name_not_literal, line);
      else if (!is_plausible(*name))
        out_.omitted.emplace_back(implausible_tool_name, line);
      else
        out_.found.push_back({*name,
                              source_.literal(source_.keyword(call, "description")).value_or(""),
                              "", source_.place(call)});
    }
    if (is_empty) out_.omitted.emplace_back(wrapped_before_registration, source_.line(function));
  }

  void take_tool(Node function, Node decorator, const std::string& object, bool is_wrapped) {
    const auto omit = [&](Omission why) { out_.omitted.emplace_back(why, source_.line(function)); };
    if (!servers_.contains(object)) return omit(server_binding_not_proven);
    Node given = 0;
    std::string description = source_.docstring(function);
    if (source_.is(decorator, "call")) {
      given = source_.keyword(decorator, "name");
      const Nodes positional = source_.positional(decorator);
      if (given == 0 && !positional.empty()) given = positional[0];
      if (const auto text = source_.literal(source_.keyword(decorator, "description")))
        description = *text;
    }
    if (given == 0 && is_wrapped) return omit(wrapped_before_registration);
    const auto name = given != 0 ? source_.literal(given) : source_.name_of(function);
    if (!name) return omit(name_not_literal);
    if (!is_plausible(*name)) return omit(implausible_tool_name);
    out_.found.push_back({*name, std::move(description), "", source_.place(function)});
  }

  const PythonSource& source_;
  std::set<std::string> servers_;
  std::map<std::string, Node> functions_;
  FileFacts out_;
};

// ------------------------------------------------------------------------------------- the source

class ServerSource {
 public:
  ServerSource(const ToolSource& source, Files& files) : source_(source), files_(files) {}

  Result<Loaded> load() {
    GH_TRY(found, files_.find(source_.path));
    if (found.kind == EntryKind::missing)
      return fail(Code::input_unreadable,
                  fmt::format("{}: there is no such file", printable(source_.path, 400)));
    std::vector<std::string> paths{found.path};
    has_neighbours_ = found.kind == EntryKind::folder;
    if (has_neighbours_) {
      GH_TRY(below, files_below(files_, found, kSuffixes, kSkippedFolders));
      for (const std::string& path : below.refused)
        say(unreadable_file, path);
      if (below.was_cut) say(walk_capped, source_.path);
      paths = std::move(below.paths);
      std::erase_if(paths, is_test_file);
      GH_DO(tell_unread_languages(found));
    }
    for (const std::string& path : paths)
      read_file(path);
    tell_unknown_makers();
    if (out_.tools.empty() && out_.warnings.empty()) {
      out_.is_partial = true;
      out_.warnings.push_back(nothing_read("MCP server", source_.id, source_.path));
    }
    if (is_partial_)
      for (Tool& tool : out_.tools)
        mark_partial(tool);
    return std::move(out_);
  }

 private:
  static void mark_partial(Tool& tool) { tool.annotations.set("extraction_surface", "partial"); }

  void say(Omission why, const std::string& at) {
    out_.is_partial = true;
    out_.warnings.push_back(fmt::format("MCP server source '{}' omits something at {}: {}",
                                        source_.id, at, kOmissions[why]));
    is_partial_ =
        is_partial_ || why == file_too_large || why == unreadable_file || why == walk_capped;
  }

  /// Files of other languages that speak of tools, or cannot be looked at.
  Status tell_unread_languages(const Found& folder) {
    GH_TRY(below, files_below(files_, folder, kUnreadSuffixes, kSkippedFolders));
    std::erase_if(below.paths, is_test_file);
    for (const std::string& path : below.paths) {
      const auto file = read_input(files_, path, "", kMaxSourceFile);
      if (file && !contains(lower_case(file->bytes), "tool")) continue;
      out_.is_partial = true;
      out_.warnings.push_back(
          fmt::format("MCP server source '{}' does not read the language of {}; a tool may be "
                      "missing.",
                      source_.id, path));
    }
    return {};
  }

  /// Tools that are added and written in no file of the source.
  void tell_unknown_makers() {
    for (const auto& [name, place] : wanted_)
      if (!makers_.contains(name)) say(name_not_literal, place);
  }

  void read_file(const std::string& path) {
    auto file = read_input(files_, path, "", kMaxSourceFile);
    if (!file)
      return say(file.error().code == Code::document_too_large ? file_too_large : unreadable_file,
                 path);
    const auto language = syntax::language_of_path(lower_case(path));
    const auto facts = language ? facts_of(std::move(*file), *language) : std::nullopt;
    if (!facts) return say(unparseable_source, path);
    for (const auto& [why, line] : facts->omitted)
      say(why, fmt::format("{}:{}", path, line));
    for (const Registration& found : facts->found)
      add(found, !facts->omitted.empty());
    makers_.insert(facts->makers.begin(), facts->makers.end());
    for (const auto& [name, line] : facts->wanted)
      wanted_.emplace_back(name, fmt::format("{}:{}", path, line));
  }

  std::optional<FileFacts> facts_of(InputFile file, syntax::Language language) const {
    if (language == syntax::Language::python) {
      const auto source = PythonSource::read(std::move(file.path), std::move(file.bytes));
      return source ? std::optional(PythonServer(*source).read(has_neighbours_)) : std::nullopt;
    }
    const auto tree = SourceTree::read(std::move(file.path), std::move(file.bytes), language);
    if (!tree || tree->first_error()) return std::nullopt;
    return BraceReader(*tree).read(language == syntax::Language::go, has_neighbours_);
  }

  void add(const Registration& found, bool is_partial) {
    Tool tool = make_tool("mcp_server_source", found.name);
    tool.description = found.description;
    tool.source_id = source_.id;
    tool.source_ref = found.place.path;
    tool.source_location = fmt::format("{}:{}", found.place.path, found.place.start_line);
    tool.place = found.place;
    tool.auth.source = "mcp_source";
    for (const OperationHint& row : kOperations)
      if (is_one_of(lower_case(found.operation), row.words))
        add_hint(tool, row.tag, "mcp_source", Confidence::low, {{"operation", found.operation}});
    if (is_partial) mark_partial(tool);
    if (auto warning = name_warning(tool.name)) out_.warnings.push_back(std::move(*warning));
    if (!seen_.insert(tool.name).second)
      out_.warnings.push_back(
          fmt::format("Duplicate MCP tool name '{}' in source '{}'", tool.name, source_.id));
    out_.tools.push_back(std::move(tool));
  }

  const ToolSource& source_;
  Files& files_;
  Loaded out_;
  std::set<std::string> seen_, makers_;
  std::vector<std::pair<std::string, std::string>> wanted_;  // with its place
  bool is_partial_ = false, has_neighbours_ = false;
};

}  // namespace

Result<Loaded> load_server_source(const ToolSource& source, Files& files) {
  return ServerSource(source, files).load();
}

}  // namespace gh::surface
