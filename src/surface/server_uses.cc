#include "surface/server_uses.h"

#include "base/text.h"
#include "surface/words.h"

namespace gh::surface {
namespace {

using syntax::Field;

constexpr std::string_view kHandedOn = "wrapped_before_registration";
constexpr std::string_view kNoLiteral = "name_not_literal";
constexpr std::size_t kMaxName = 200;  // of a server: what is longer is an expression

/// Classes whose objects are servers, and members of them that take tools.
constexpr std::string_view kServerClasses = "McpServer MCPServer FastMCP";
constexpr std::string_view kPlainClass = "Server";  // of the SDK, where a file names it
constexpr std::string_view kSdk = "modelcontextprotocol";
constexpr std::string_view kLookers = "print isinstance type id repr str";  // of Python
constexpr std::string_view kRegistrars = "tool registerTool setRequestHandler";
/// Members whose names speak of tools and that register none.
constexpr std::string_view kHarmless =
    "sendToolListChanged list_tools call_tool get_tools get_tool remove_tool _list_tools "
    "removeTool listTools";

bool speaks_of_tools(std::string_view member) {
  return contains(lower_case(member), "tool") && !is_one_of(member, kHarmless);
}

class ScriptUses {
 public:
  ScriptUses(const SourceTree& tree, bool has_neighbours)
      : tree_(tree), has_neighbours_(has_neighbours) {}

  std::vector<UnreadUse> find() {
    collect_names();
    collect_servers();
    for (const char* type : {"identifier", "member_expression"})
      for (const Node n : tree_.all(type))
        if (is_server_name(n)) look_at(n);
    return std::move(out_);
  }

 private:
  bool is_part(Node whole, Node part, Field field) const {
    return tree_.child(whole, field) == part;
  }

  bool is_wrapping(Node n) const {
    return is_one_of(tree_.type(n),
                     "parenthesized_expression as_expression non_null_expression "
                     "satisfies_expression type_assertion await_expression");
  }

  Node inside_of(Node n) const {
    while (is_wrapping(n)) {
      const Nodes parts = tree_.named(n);
      if (parts.empty()) return 0;
      n = parts[0];
    }
    return n;
  }

  std::string_view property(Node member) const {
    const Node name = tree_.child(member, Field::property);
    return name != 0 ? tree_.text(name) : std::string_view();
  }

  // ------------------------------------------------------------------------------ what is defined

  void collect_names() {
    for (const char* type :
         {"function_declaration", "class_declaration", "generator_function_declaration"})
      for (const Node n : tree_.all(type))
        own_.insert(tree_.text(tree_.child(n, Field::name)));
    for (const Node n : tree_.all("variable_declarator"))
      if (!is_foreign_require(inside_of(tree_.child(n, Field::value))))
        for (const Node name : names_in(tree_.child(n, Field::name)))
          own_.insert(tree_.text(name));
    for (const char* type : {"required_parameter", "optional_parameter"})
      for (const Node n : tree_.all(type))
        for (const Node name : names_in(tree_.child(n, Field::pattern)))
          own_.insert(tree_.text(name));
    for (const Node n : tree_.all("import_statement"))
      if (is_near(tree_.child(n, Field::source)))
        for (const Node name : tree_.below(n, "identifier"))
          own_.insert(tree_.text(name));
  }

  Nodes names_in(Node pattern) const {
    Nodes out = tree_.below(pattern, "identifier");
    for (const Node n : tree_.below(pattern, "shorthand_property_identifier_pattern"))
      out.push_back(n);
    return pattern != 0 ? out : Nodes{};
  }

  /// A module whose file stands beside this one and is read, too.
  bool is_near(Node path) const {
    if (path == 0 || !has_neighbours_) return false;
    const std::string_view text = tree_.text(path);
    return text.size() > 2 &&
           (text[1] == '.' || text[1] == '~' || text[1] == '#' ||
            text.substr(1).starts_with("@/") || text.substr(1).starts_with("src/"));
  }

  bool is_foreign_require(Node call) const {
    if (!tree_.is(call, "call_expression")) return false;
    if (tree_.text(tree_.child(call, Field::function)) != "require") return false;
    const Nodes given = tree_.named(tree_.child(call, Field::arguments));
    return given.empty() || !is_near(given[0]);
  }

  // -------------------------------------------------------------------------------------- servers

  bool makes_server(Node value) const {
    if (!tree_.is(value, "new_expression")) return false;
    const std::string_view name = tree_.text(tree_.child(value, Field::constructor));
    const std::string_view last = name.substr(name.rfind('.') + 1);
    return is_one_of(last, kServerClasses) ||
           (last == kPlainClass && contains(tree_.text(0), kSdk));
  }

  void collect_servers() {
    for (const char* type : {"required_parameter", "optional_parameter"})
      for (const Node n : tree_.all(type))
        if (is_server_type(tree_.child(n, Field::type)))
          servers_.insert(std::string(tree_.text(tree_.child(n, Field::pattern))));
    for (const Node n : tree_.all("public_field_definition"))
      if (makes_server(inside_of(tree_.child(n, Field::value))) ||
          is_server_type(tree_.child(n, Field::type)))
        servers_.insert("this." + std::string(tree_.text(tree_.child(n, Field::name))));
    constexpr int kMaxAliases = 8;  // of aliases
    for (int round = 0; round < kMaxAliases; ++round) {
      const std::size_t before = servers_.size();
      for (const Node n : tree_.all("variable_declarator"))
        take_binding(tree_.child(n, Field::name), tree_.child(n, Field::value));
      for (const Node n : tree_.all("assignment_expression"))
        take_binding(tree_.child(n, Field::left), tree_.child(n, Field::right));
      if (servers_.size() == before) break;
    }
  }

  bool is_server_type(Node annotation) const {
    if (annotation == 0) return false;
    for (const Node name : tree_.below(annotation, "type_identifier"))
      if (is_one_of(tree_.text(name), "McpServer MCPServer FastMCP")) return true;
    return false;
  }

  void take_binding(Node name, Node value) {
    value = inside_of(value);
    if (!tree_.is(name, "identifier") && !tree_.is(name, "member_expression")) return;
    if (makes_server(value) || (value != 0 && is_server(value)))
      servers_.insert(std::string(tree_.text(name)));
  }

  bool is_server_name(Node n) const {
    const std::string_view name = tree_.text(n);
    return name.size() <= kMaxName && servers_.contains(name);
  }

  /// A server, or the server inside of one.
  bool is_server(Node n) const {
    n = inside_of(n);
    while (tree_.is(n, "member_expression") && !is_server_name(n) && property(n) == "server")
      n = inside_of(tree_.child(n, Field::object));
    return n != 0 && is_server_name(n);
  }

  // ----------------------------------------------------------------------------------------- uses

  void add(Node at, std::string_view why) {
    const auto line = tree_.line(at);
    if (told_.insert({line, why}).second) out_.push_back({at, why});
  }

  void look_at(Node n) {
    Node holder = tree_.parent(n);
    for (;;) {
      const bool is_inner = tree_.is(holder, "member_expression") &&
                            is_part(holder, n, Field::object) && property(holder) == "server";
      if (!is_wrapping(holder) && !is_inner) break;
      n = holder;
      holder = tree_.parent(n);
    }
    if (tree_.is(holder, "member_expression") && is_part(holder, n, Field::object))
      return look_at_member(holder, property(holder));
    if (tree_.is(holder, "subscript_expression") && is_part(holder, n, Field::object))
      return look_at_index(holder);
    if (tree_.is(holder, "variable_declarator") && is_part(holder, n, Field::value))
      return look_at_pattern(tree_.child(holder, Field::name));
    if (tree_.is(holder, "assignment_expression") && is_part(holder, n, Field::right))
      return look_at_pattern(tree_.child(holder, Field::left));
    look_at_argument(holder);
  }

  void look_at_index(Node access) {
    const Nodes parts = tree_.named(access);
    const std::string_view key = parts.size() == 2 ? tree_.text(parts[1]) : std::string_view();
    const bool is_literal = parts.size() == 2 && tree_.is(parts[1], "string") && key.size() > 2;
    if (!is_literal) return add(access, kNoLiteral);
    look_at_member(access, key.substr(1, key.size() - 2));
  }

  void look_at_member(Node member, std::string_view name) {
    Node whole = member, holder = tree_.parent(member);
    while (is_wrapping(holder)) {
      whole = holder;
      holder = tree_.parent(holder);
    }
    if (is_one_of(name, kRegistrars)) return look_at_registrar(whole, holder);
    // What leads on to a member that takes tools: `server.experimental.tasks.registerToolTask`.
    bool speaks = speaks_of_tools(name);
    while (tree_.is(holder, "member_expression") && is_part(holder, whole, Field::object)) {
      speaks = speaks || speaks_of_tools(property(holder));
      whole = holder;
      holder = tree_.parent(holder);
    }
    if (speaks) add(member, kHandedOn);
  }

  void look_at_registrar(Node whole, Node holder) {
    if (tree_.is(holder, "call_expression") && is_part(holder, whole, Field::function)) {
      const Node arguments = tree_.child(holder, Field::arguments);
      if (arguments != 0 && !tree_.below(arguments, "spread_element").empty() &&
          tree_.is(tree_.named(arguments).front(), "spread_element"))
        add(holder, kNoLiteral);
      return;
    }
    if (is_bound_to_name(whole, holder)) return;  // what the name is called with, is read
    if (tree_.is(holder, "member_expression") && property(holder) == "bind") {
      const Node call = tree_.parent(holder);
      if (tree_.is(call, "call_expression") && is_bound_to_name(call, tree_.parent(call))) return;
    }
    add(whole, kHandedOn);
  }

  bool is_bound_to_name(Node value, Node holder) const {
    return tree_.is(holder, "variable_declarator") && is_part(holder, value, Field::value) &&
           tree_.is(tree_.child(holder, Field::name), "identifier");
  }

  /// `const {tool, ...rest} = server`: members by their literal names are read where they are used.
  void look_at_pattern(Node names) {
    if (!tree_.is(names, "object_pattern")) return;
    for (const Node one : tree_.named(names)) {
      if (tree_.is(one, "rest_pattern")) add(one, kHandedOn);
      const Node key = tree_.is(one, "pair_pattern") ? tree_.child(one, Field::key) : 0;
      if (!tree_.is(key, "computed_property_name")) continue;
      const Nodes inside = tree_.named(key);
      if (inside.size() != 1 || !tree_.is(inside[0], "string")) add(one, kNoLiteral);
    }
  }

  /// Handed to code that is read itself, or to other code.
  void look_at_argument(Node holder) {
    constexpr int kMaxAround = 16;
    for (int around = 0; around < kMaxAround && holder != 0; ++around) {
      if (tree_.is(holder, "arguments")) {
        const Node call = tree_.parent(holder);
        Node callee = tree_.child(call, Field::function);
        if (callee == 0) callee = tree_.child(call, Field::constructor);
        if (!is_own(callee)) add(call, kHandedOn);
        return;
      }
      if (!is_one_of(tree_.type(holder),
                     "pair object array spread_element ternary_expression binary_expression"))
        return;
      holder = tree_.parent(holder);
    }
  }

  bool is_own(Node callee) const {
    callee = inside_of(callee);
    while (is_one_of(tree_.type(callee), "member_expression subscript_expression call_expression"))
      callee = inside_of(tree_.child(
          callee, tree_.is(callee, "call_expression") ? Field::function : Field::object));
    if (is_one_of(tree_.type(callee), "this super arrow_function function_expression")) return true;
    return callee != 0 && own_.contains(tree_.text(callee));
  }

  const SourceTree& tree_;
  bool has_neighbours_;
  std::set<std::string_view> own_;
  std::set<std::string, std::less<>> servers_;
  std::set<std::pair<std::int64_t, std::string_view>> told_;
  std::vector<UnreadUse> out_;
};

// ----------------------------------------------------------------------------------------- Python

class PythonUses {
 public:
  PythonUses(const PythonSource& source, const std::set<std::string>& servers, bool has_neighbours)
      : source_(source), servers_(servers), has_neighbours_(has_neighbours) {
    for (const char* type : {"function_definition", "class_definition"})
      for (const Node n : source_.all(type))
        own_.insert(source_.name_of(n));
    for (const Node n : source_.all("assignment"))
      own_.insert(std::string(source_.text(source_.child(n, Field::left))));
    for (const Node n : source_.all("parameters"))
      for (const Node name : source_.below(n, "identifier"))
        own_.insert(std::string(source_.text(name)));
  }

  std::vector<UnreadUse> find() {
    for (const char* type : {"identifier", "attribute"})
      for (const Node n : source_.all(type))
        if (servers_.contains(source_.dotted(n)) && !source_.is(n, "call")) look_at(n);
    return std::move(out_);
  }

 private:
  void add(Node at) {
    if (told_.insert(source_.line(at)).second) out_.push_back({at, kHandedOn});
  }

  void look_at(Node n) {
    Node holder = source_.parent(n);
    if (source_.is(holder, "attribute") && source_.child(holder, Field::object) == n)
      return look_at_member(holder);
    while (is_one_of(source_.type(holder),
                     "keyword_argument list tuple dictionary pair list_splat "
                     "conditional_expression")) {
      if (source_.is(holder, "keyword_argument") && source_.child(holder, Field::name) == n) return;
      n = holder;
      holder = source_.parent(holder);
    }
    if (!source_.is(holder, "argument_list")) return;
    const Node call = source_.parent(holder);
    if (source_.is(call, "call") && !is_own(source_.callee(call))) add(call);
  }

  void look_at_member(Node member) {
    const std::string_view first = source_.text(source_.child(member, Field::attribute));
    if (is_one_of(first, "tool add_tool")) return;  // registrations are looked at by themselves
    bool speaks = false;
    while (source_.is(member, "attribute")) {
      speaks = speaks || speaks_of_tools(source_.text(source_.child(member, Field::attribute)));
      const Node holder = source_.parent(member);
      if (!source_.is(holder, "attribute")) break;
      member = holder;
    }
    if (speaks) add(member);
  }

  bool is_own(const std::string& callee) const {
    if (callee.empty() || is_one_of(callee, kLookers)) return true;
    const std::string first = callee.substr(0, callee.find('.'));
    if (own_.contains(first) || servers_.contains(first)) return true;
    const auto imported = source_.imports().find(first);
    return imported != source_.imports().end() && has_neighbours_;
  }

  const PythonSource& source_;
  const std::set<std::string>& servers_;
  bool has_neighbours_;
  std::set<std::string> own_;
  std::set<std::int64_t> told_;
  std::vector<UnreadUse> out_;
};

}  // namespace

std::vector<UnreadUse> unread_script_uses(const SourceTree& tree, bool has_neighbours) {
  return ScriptUses(tree, has_neighbours).find();
}

std::vector<UnreadUse> unread_python_uses(const PythonSource& source,
                                          const std::set<std::string>& servers,
                                          bool has_neighbours) {
  return PythonUses(source, servers, has_neighbours).find();
}

}  // namespace gh::surface
