#include "surface/python_source.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::surface {
namespace {

using syntax::Field;

void append_utf8(std::string& out, std::uint32_t c) {
  if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) c = 0xFFFD;
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

/// At most `count` hex digits at `at`, which moves behind them.
std::uint32_t hex_at(std::string_view text, std::size_t& at, std::size_t count) {
  std::uint32_t value = 0;
  for (; count > 0 && at < text.size(); --count, ++at) {
    const char c = static_cast<char>(text[at] | 0x20);
    if (c >= '0' && c <= '9')
      value = value * 16 + static_cast<std::uint32_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      value = value * 16 + static_cast<std::uint32_t>(c - 'a' + 10);
    else
      break;
  }
  return value;
}

/// What stands between the quotes, with its escapes.
std::string unescaped(std::string_view text) {
  constexpr std::string_view kFrom = "ntrabfv0\\'\"", kTo("\n\t\r\a\b\f\v\0\\'\"", 11);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      out += text[at++];
      continue;
    }
    const char c = text[at + 1];
    at += 2;
    if (c == '\n') continue;
    if (const std::size_t row = kFrom.find(c); row != std::string_view::npos)
      out += kTo[row];
    else if (c == 'x')
      append_utf8(out, hex_at(text, at, 2));
    else if (c == 'u')
      append_utf8(out, hex_at(text, at, 4));
    else if (c == 'U')
      append_utf8(out, hex_at(text, at, 8));
    else
      (out += '\\') += c;
  }
  return out;
}

/// As inspect.cleandoc: the margin of all lines but the first goes, and blank lines at both ends.
std::string clean_docstring(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, '\n'))
    lines.emplace_back(line);
  std::size_t margin = std::string::npos;
  for (std::size_t i = 1; i < lines.size(); ++i)
    margin = std::min(margin, lines[i].find_first_not_of(" \t"));
  lines[0] = lines[0].substr(std::min(lines[0].find_first_not_of(" \t"), lines[0].size()));
  for (std::size_t i = 1; i < lines.size() && margin != std::string::npos; ++i)
    lines[i] = lines[i].substr(std::min(margin, lines[i].size()));
  while (!lines.empty() && trimmed(lines.back()).empty())
    lines.pop_back();
  while (!lines.empty() && trimmed(lines.front()).empty())
    lines.erase(lines.begin());
  return join(lines, "\n");
}

/// JSON type of an annotation (tool-surface 5.5); Google ADK knows fewer names.
std::string_view json_type(std::string_view annotation, TypeNames names = TypeNames::wide) {
  if (annotation.starts_with("typing.")) annotation.remove_prefix(7);
  const std::string lower = lower_case(annotation);
  const auto opens = [&](std::string_view words) {
    return std::ranges::any_of(split(words, ' '),
                               [&](std::string_view w) { return lower.starts_with(w); });
  };
  if (is_one_of(annotation, "int float")) return "number";
  if (annotation == "bool") return "boolean";
  if (names == TypeNames::narrow)
    return is_one_of(annotation, "dict Dict") || annotation.starts_with("dict[")   ? "object"
           : is_one_of(annotation, "list List") || annotation.starts_with("list[") ? "array"
                                                                                   : "string";
  if (is_one_of(annotation, "dict Dict") || opens("dict[ mapping[ typedict")) return "object";
  if (is_one_of(annotation, "list List set Set tuple Tuple") ||
      opens("list[ set[ tuple[ sequence["))
    return "array";
  return "string";
}

/// Names that loaders look for, by the module whose star import brings them.
struct StarImport {
  std::string_view module, names;
};
// table: star imports
constexpr std::array<StarImport, 11> kStarImports{{
    {"agents",
     "function_tool FunctionTool WebSearchTool FileSearchTool ComputerTool HostedMCPTool "
     "CodeInterpreterTool ImageGenerationTool LocalShellTool ShellTool ApplyPatchTool"},
    {"openai_agents", "function_tool FunctionTool"},
    {"agents.mcp", "MCPServerStdio MCPServerSse MCPServerStreamableHttp"},
    {"langchain.tools", "tool StructuredTool Tool BaseTool"},
    {"langchain.agents", "tool Tool"},
    {"langchain_core.tools", "tool StructuredTool Tool BaseTool"},
    {"crewai.tools", "tool BaseTool"},
    {"fastmcp", "FastMCP MCPServer"},
    {"mcp.server", "FastMCP"},
    {"mcp.server.fastmcp", "FastMCP"},
    {"mcp.server.mcpserver", "MCPServer"},
}};

/// Expressions of the grammar and their classes in Python's `ast`.
struct AstClass {
  std::string_view types, name;
};
// table: classes of expressions
constexpr std::array<AstClass, 22> kAstClasses{{
    {"identifier", "Name"},
    {"attribute", "Attribute"},
    {"subscript", "Subscript"},
    {"call", "Call"},
    {"list", "List"},
    {"tuple expression_list", "Tuple"},
    {"set", "Set"},
    {"dictionary", "Dict"},
    {"list_comprehension", "ListComp"},
    {"set_comprehension", "SetComp"},
    {"dictionary_comprehension", "DictComp"},
    {"generator_expression", "GeneratorExp"},
    {"boolean_operator", "BoolOp"},
    {"not_operator unary_operator", "UnaryOp"},
    {"binary_operator", "BinOp"},
    {"comparison_operator", "Compare"},
    {"conditional_expression", "IfExp"},
    {"named_expression", "NamedExpr"},
    {"await", "Await"},
    {"lambda", "Lambda"},
    {"list_splat", "Starred"},
    {"integer float true false none ellipsis", "Constant"},
}};

}  // namespace

std::string_view last_name(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

Result<PythonSource> PythonSource::read(std::string path, std::string bytes) {
  GH_TRY(tree, SourceTree::read(std::move(path), std::move(bytes), syntax::Language::python));
  if (const auto bad = tree.first_error())
    return fail(Code::input_unreadable,
                fmt::format("{}:{}: invalid Python syntax", tree.path(), tree.line(*bad)));
  PythonSource out(std::move(tree));
  out.read_imports();
  out.read_aliases();
  return out;
}

Node PythonSource::bare(Node n) const {
  while (is(n, "parenthesized_expression")) {
    const Nodes inside = SourceTree::named(n);
    if (inside.size() != 1) return n;
    n = inside[0];
  }
  return n;
}

Nodes PythonSource::named(Node n) const {
  Nodes out = SourceTree::named(n);
  for (Node& one : out)
    one = bare(one);
  return out;
}

Node PythonSource::child(Node n, Field field) const { return bare(SourceTree::child(n, field)); }

Node PythonSource::parent(Node n) const {
  n = SourceTree::parent(n);
  while (is(n, "parenthesized_expression"))
    n = SourceTree::parent(n);
  return n;
}

std::string_view PythonSource::ast_class(Node n) const {
  const std::string_view node_type = type(n);
  for (const AstClass& row : kAstClasses)
    if (is_one_of(node_type, row.types)) return row.name;
  if (node_type == "yield") return text(n).starts_with("yield from") ? "YieldFrom" : "Yield";
  for (const Node start : below(n, "string_start"))
    if (text(start).find_first_of("fF") != std::string_view::npos) return "JoinedStr";
  return is_one_of(node_type, "string concatenated_string") ? "Constant" : "expr";
}

void PythonSource::read_imports() {
  const auto bind = [&](Node item, std::string_view module) {
    const Node name = is(item, "aliased_import") ? child(item, Field::name) : item;
    const Node alias = is(item, "aliased_import") ? child(item, Field::alias) : 0;
    const std::string full =
        module.empty() ? std::string(text(name)) : fmt::format("{}.{}", module, text(name));
    const std::string local(alias != 0 ? text(alias) : text(name));
    if (alias != 0 || !module.empty()) imports_[local] = full;
  };
  for (const Node statement : all("import_statement"))
    for (const Node item : named(statement))
      bind(item, "");
  for (const Node statement : all("import_from_statement")) {
    const Node module = child(statement, Field::module_name);
    for (const Node item : named(statement))
      if (item != module && (is(item, "dotted_name") || is(item, "aliased_import")))
        bind(item, text(module));
      else if (is(item, "wildcard_import"))
        read_star_import(text(module));
  }
}

void PythonSource::read_star_import(std::string_view module) {
  for (const StarImport& row : kStarImports)
    if (row.module == module)
      for (const std::string_view name : split(row.names, ' '))
        imports_.emplace(name, fmt::format("{}.{}", module, name));
}

void PythonSource::read_aliases() {
  std::map<std::string, int> bindings;
  for (const auto& [name, from] : imports_)
    ++bindings[name];
  for (const char* definition : {"function_definition", "class_definition"})
    for (const Node n : all(definition))
      ++bindings[name_of(n)];
  const Nodes assignments = all("assignment");
  for (const Node n : assignments)
    ++bindings[std::string(text(child(n, Field::left)))];
  for (const Node n : assignments) {
    const Node left = child(n, Field::left);
    Node right = child(n, Field::right);
    while (is(right, "assignment"))  // a = b = c
      right = child(right, Field::right);
    if (!is(left, "identifier") || (!is(right, "identifier") && !is(right, "attribute"))) continue;
    const std::string name(text(left));
    if (const std::string other = dotted(right); !other.empty() && bindings[name] == 1)
      aliases_[name] = other;
  }
}

std::string PythonSource::dotted(Node n) const {
  std::vector<std::string> parts;
  while (is(n, "attribute") || (is(n, "call") && parts.empty())) {
    const bool is_call = is(n, "call");
    if (!is_call) parts.emplace_back(text(child(n, Field::attribute)));
    n = child(n, is_call ? Field::function : Field::object);
  }
  if (!is(n, "identifier") && !is(n, "dotted_name")) return {};
  parts.emplace_back(text(n));
  std::ranges::reverse(parts);
  return join(parts, ".");
}

Nodes PythonSource::positional(Node call) const {
  Nodes out;
  const Node arguments = child(call, Field::arguments);
  if (arguments == 0) return out;
  for (const Node n : named(arguments))
    if (!is(n, "keyword_argument") && !is(n, "dictionary_splat") && !is(n, "list_splat"))
      out.push_back(n);
  return out;
}

Node PythonSource::keyword(Node call, std::string_view name) const {
  const Node arguments = child(call, Field::arguments);
  if (arguments == 0) return 0;
  for (const Node n : named(arguments))
    if (is(n, "keyword_argument") && text(child(n, Field::name)) == name)
      return child(n, Field::value);
  return 0;
}

std::string PythonSource::shown(Node n) const {
  constexpr std::size_t kMaxShown = 80;
  std::string line;
  for (const char c : text(n)) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return printable(line, kMaxShown);
}

std::optional<std::string> PythonSource::literal(Node n) const {
  if (is(n, "concatenated_string")) {
    std::string out;
    for (const Node part : named(n)) {
      const auto text_part = literal(part);
      if (!text_part) return std::nullopt;
      out += *text_part;
    }
    return out;
  }
  if (!is(n, "string")) return std::nullopt;
  std::string_view start, end;
  for (const Node part : named(n)) {
    if (is(part, "interpolation")) return std::nullopt;
    if (is(part, "string_start")) start = text(part);
    if (is(part, "string_end")) end = text(part);
  }
  const std::string prefix = lower_case(start.substr(0, start.find_first_of("'\"")));
  if (contains(prefix, "b")) return std::nullopt;
  std::string_view inside = text(n);
  inside.remove_prefix(std::min(start.size(), inside.size()));
  inside.remove_suffix(std::min(end.size(), inside.size()));
  return contains(prefix, "r") ? std::string(inside) : unescaped(inside);
}

std::optional<Value> PythonSource::literal_value(Node n) const {
  if (auto text = literal(n)) return Value(std::move(*text));
  const std::string word(this->text(n));
  if (is(n, "true") || is(n, "false")) return Value(word == "True");
  if (is(n, "none")) return Value();
  if (is(n, "integer") && word.size() < 18 && word.find_first_not_of("0123456789") == word.npos)
    return Value(std::int64_t{std::strtoll(word.c_str(), nullptr, 10)});
  if (is(n, "float")) return Value(Number{std::strtod(word.c_str(), nullptr), word});
  return std::nullopt;
}

std::optional<Value> PythonSource::document(Node root) const {
  struct Level {
    Node node;
    Nodes parts;
    std::size_t next = 0;
    Map map{};
    List list{};
  };
  constexpr std::size_t kMaxLevels = 64;
  std::vector<Level> open;
  std::optional<Value> done;
  const auto enter = [&](Node n) {
    done.reset();
    if (is(n, "dictionary") || is(n, "list") || is(n, "tuple"))
      open.push_back({n, named(n)});
    else
      done = literal_value(n);
    return done.has_value() || (!open.empty() && open.back().node == n);
  };
  if (!enter(root)) return std::nullopt;
  while (!open.empty()) {
    Level& top = open.back();
    const bool is_map = is(top.node, "dictionary");
    if (done) {
      const Node part = top.parts[top.next - 1];
      if (is_map)
        top.map.set(*literal(child(part, Field::key)), std::move(*done));
      else
        top.list.push_back(std::move(*done));
      done.reset();
    }
    if (top.next == top.parts.size()) {
      done = is_map ? Value(std::move(top.map)) : Value(std::move(top.list));
      open.pop_back();
      continue;
    }
    const Node part = top.parts[top.next++];
    if (open.size() > kMaxLevels ||
        (is_map && (!is(part, "pair") || !literal(child(part, Field::key)))))
      return std::nullopt;
    if (!enter(is_map ? child(part, Field::value) : part)) return std::nullopt;
  }
  return done;
}

std::string PythonSource::docstring(Node definition) const {
  const Node body = child(definition, Field::body);
  if (body == 0) return {};
  const Nodes statements = named(body);
  if (statements.empty() || !is(statements[0], "expression_statement")) return {};
  const Nodes parts = named(statements[0]);
  const auto text_value = parts.size() == 1 ? literal(parts[0]) : std::nullopt;
  return text_value ? clean_docstring(*text_value) : std::string();
}

/// Blanks as Python prints them, strings in single quotes.
std::string PythonSource::annotation(Node type_node) const {
  std::string out;
  if (const Nodes parts = named(type_node); parts.size() == 1) type_node = parts[0];
  for (const char c : text(type_node)) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
    if (c == '|')
      out += " | ";
    else if (c == ',')
      out += ", ";
    else
      out += c == '"' ? '\'' : c;
  }
  return out;
}

Nodes PythonSource::decorators(Node definition) const {
  Nodes out;
  const Node holder = parent(definition);
  if (!is(holder, "decorated_definition")) return out;
  for (const Node n : named(holder))
    if (is(n, "decorator"))
      for (const Node expression : named(n))
        out.push_back(expression);
  return out;
}

bool PythonSource::is_top_level(Node n) const {
  const Node holder = parent(n);
  return holder == 0 || (is(holder, "decorated_definition") && parent(holder) == 0);
}

std::string PythonSource::origin(std::string_view name) const {
  constexpr int kMaxSteps = 8;  // a name may be an alias of an alias
  std::string out(name);
  for (int step = 0; step < kMaxSteps; ++step) {
    const std::size_t dot = std::min(out.find('.'), out.size());
    const std::string first = out.substr(0, dot);
    if (const auto alias = aliases_.find(first); alias != aliases_.end())
      out = alias->second + out.substr(dot);
    else if (const auto imported = imports_.find(first); imported != imports_.end())
      return imported->second + out.substr(dot);
    else
      break;
  }
  return out;
}

// --------------------------------------------------------------------- tools out of definitions

namespace {

/// Name, annotation and whether there is a default; an empty name is none of the model's.
struct RawParameter {
  std::string name, annotation{};
  bool required = true;
};

RawParameter raw_parameter(const PythonSource& source, Node n) {
  if (source.is(n, "identifier")) return {std::string(source.text(n))};
  const Node type_node = source.child(n, Field::type);
  const std::string annotation = type_node != 0 ? source.annotation(type_node) : "";
  if (source.is(n, "typed_parameter")) {
    const Nodes parts = source.named(n);
    const bool is_plain = !parts.empty() && source.is(parts[0], "identifier");
    return {is_plain ? std::string(source.text(parts[0])) : "", annotation};
  }
  if (source.is(n, "default_parameter") || source.is(n, "typed_default_parameter"))
    return {std::string(source.text(source.child(n, Field::name))), annotation, false};
  return {};
}

void add_field(FunctionShape& shape, Map& properties, std::vector<std::string>& required,
               const RawParameter& raw, TypeNames type_names) {
  const std::string_view type = json_type(raw.annotation, type_names);
  shape.parameters.push_back({.name = raw.name, .type = raw.annotation, .required = raw.required});
  properties.set(raw.name, Map{{"type", type}});
  if (raw.required) required.push_back(raw.name);
}

Map object_schema(Map properties, const std::vector<std::string>& required) {
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", string_list(required)}};
}

/// The number in `ge=0`; null when it is no literal.
Value number_literal(const PythonSource& source, Node n) {
  if (!source.is(n, "integer") && !source.is(n, "float")) return {};
  const std::string text(source.text(n));
  if (source.is(n, "float")) return Number{std::strtod(text.c_str(), nullptr), text};
  return std::int64_t{std::strtoll(text.c_str(), nullptr, 10)};
}

void read_field_call(const PythonSource& source, Node call, Parameter& parameter, Map& schema) {
  if (const auto description = source.literal(source.keyword(call, "description")))
    parameter.description = *description;
  for (const auto& [key, member] : {std::pair{"ge", "minimum"}, std::pair{"gt", "minimum"},
                                    std::pair{"le", "maximum"}, std::pair{"lt", "maximum"}}) {
    const Node given = source.keyword(call, key);
    const Value number = given != 0 ? number_literal(source, given) : Value();
    if (number.is_null()) continue;
    (std::string_view(member) == "minimum" ? parameter.minimum : parameter.maximum) = number;
    schema.set(member, number);
  }
  if (!parameter.description.is_null()) schema.set("description", parameter.description);
  const Nodes positional = source.positional(call);
  parameter.required = !positional.empty() && source.is(positional[0], "ellipsis");
}

}  // namespace

FunctionShape function_shape(const PythonSource& source, Node function, std::string_view name,
                             std::string_view skipped, TypeNames type_names) {
  FunctionShape shape;
  Map properties;
  std::vector<std::string> required, names;
  const Node list = source.child(function, Field::parameters);
  for (const Node n : list != 0 ? source.named(list) : Nodes{}) {
    const RawParameter raw = raw_parameter(source, n);
    if (raw.name.empty() || is_one_of(raw.name, skipped)) continue;
    names.push_back(raw.name);
    add_field(shape, properties, required, raw, type_names);
  }
  shape.input_schema = object_schema(std::move(properties), required);
  const Node returned = source.child(function, Field::return_type);
  shape.signature = fmt::format("{}({})", name, join(names, ", "));
  if (returned != 0) {
    const std::string annotation = source.annotation(returned);
    shape.output_schema = {{"type", json_type(annotation, type_names)}};
    shape.signature += fmt::format(" -> {}", annotation);
  }
  return shape;
}

std::optional<FunctionShape> model_shape(const PythonSource& source, std::string_view model) {
  for (const Node definition : source.all("class_definition")) {
    if (source.name_of(definition) != model || !source.is_top_level(definition)) continue;
    const Node bases = source.child(definition, Field::superclasses);
    const bool is_model = bases != 0 && std::ranges::any_of(source.named(bases), [&](Node base) {
                            return last_name(source.dotted(base)) == "BaseModel";
                          });
    if (!is_model) continue;
    FunctionShape shape;
    Map properties;
    std::vector<std::string> required;
    for (const Node statement : source.named(source.child(definition, Field::body)))
      for (const Node n :
           source.is(statement, "expression_statement") ? source.named(statement) : Nodes{}) {
        const Node type_node = source.is(n, "assignment") ? source.child(n, Field::type) : 0;
        const Node left = source.child(n, Field::left);
        if (type_node == 0 || !source.is(left, "identifier")) continue;
        const Node value = source.child(n, Field::right);
        Parameter p{.name = std::string(source.text(left)),
                    .type = source.annotation(type_node),
                    .required = value == 0};
        Map schema{{"type", json_type(p.type)}};
        if (source.is(value, "call") && last_name(source.callee(value)) == "Field")
          read_field_call(source, value, p, schema);
        if (p.required) required.push_back(p.name);
        properties.set(p.name, std::move(schema));
        shape.parameters.push_back(std::move(p));
      }
    shape.input_schema = object_schema(std::move(properties), required);
    return shape;
  }
  return std::nullopt;
}

void place_at(Tool& tool, const PythonSource& source, Node definition) {
  tool.place = source.place(definition);
  tool.source_ref = source.path();
  tool.source_location = fmt::format("{}:{}", source.path(), tool.place.start_line);
}

}  // namespace gh::surface
