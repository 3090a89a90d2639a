// C++ by tree-sitter: what it has beyond C.
#include <array>
#include <string>
#include <vector>

#include "syntax/c_constructs.h"
#include "syntax/c_family.h"
#include "syntax/c_macros.h"

extern "C" const TSLanguage* tree_sitter_cpp();

namespace gh::syntax {
namespace {

using c_family::declared_name;
using c_family::declared_target;
using c_family::lambda_parts;
using c_family::last_word;
using c_family::record;
using parts::block_or_empty;
using parts::first_named;
using parts::lower_field;
using parts::named;
using parts::Nodes;
using parts::type_of;
using parts::yield_statement;

// --------------------------------------------------------------------------------------- modules

constexpr char kRestOfModule = ';';  // before the name of a module that others take elsewhere

/// The module that a file, a part of one or the rest of one is of.
std::string_view module_around(std::string_view package) {
  if (package.starts_with(kRestOfModule)) package.remove_prefix(1);
  return package.substr(0, package.find(':'));
}

/// What a module hands out is used where nobody sees it; how it says so, the grammar does not know.
void translation_unit(Lowering& l, std::uint32_t node) {
  l.is_interface = l.cst.source.find("export module ") != std::string_view::npos;
  l.open(Kind::Module, node);
  l.inside(node);
  l.close();
}

/// Is it handed on to whoever takes this module?
bool is_exported(const Lowering& l, std::uint32_t node) {
  std::string_view before = l.cst.source.substr(0, l.cst.nodes[node].start);
  while (!before.empty() && before.ends_with(' '))
    before.remove_suffix(1);
  return before.ends_with("export");
}

/// `module a.b:c;` and `import a.b;`, which the grammar was shown as `using`. Other files can take
/// what is exported and what is a part; of the rest of a module it is kept which one it is of.
void module_or_using(Lowering& l, std::uint32_t node) {
  constexpr std::string_view kImport = "import", kModule = "module";
  const std::string_view text = l.cst.text(node);
  const bool imports = text.starts_with(kImport);
  if (!imports && !text.starts_with(kModule)) {
    l.open(Kind::TypeAlias, node);
    l.inside(node);
    l.close();
    return;
  }
  std::string name;
  for (const char c : text.substr(kImport.size(), text.find_first_of(";[") - kImport.size()))
    if (c != ' ' && c != '\t') name += c;
  if (!imports) {
    const bool can_be_taken = is_exported(l, node) || name.find(':') != std::string::npos;
    l.tree.package = (can_be_taken ? "" : std::string(1, kRestOfModule)) + name;
    return;
  }
  const bool is_system = name.starts_with('<');
  if (is_system || name.starts_with('"'))
    name = name.substr(1, name.size() - 2);
  else if (name.starts_with(':'))
    name.insert(0, module_around(l.tree.package));
  const bool is_file = is_system || text.find('"') != std::string_view::npos;
  const std::uint16_t where = is_system ? flag::external : is_file ? 0 : flag::submodule;
  l.open(Kind::Import, node, static_cast<std::uint16_t>(flag::textual | where));
  l.leaf(Kind::Name, node, 0, l.tree.symbols.id_of_copy(name));
  l.close();
}

// ---------------------------------------------------------------------------------- declarations

/// `a::b` as `a.b`.
std::uint32_t joined_name(Lowering& l, std::uint32_t name) {
  std::string out;
  for (const char c : l.cst.text(name)) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
    if (c != ':')
      out += c;
    else if (!out.ends_with('.'))
      out += '.';
  }
  return l.tree.symbols.id_of_copy(out);
}

/// One without a name hides what it holds, but is no part of what that is called.
void name_space(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name), body = l.child(node, Field::body);
  if (body == 0) return;
  if (name == 0) {
    l.leaf(Kind::Pass, node, 0, l.tree.symbols.id_of("private"));
    l.inside(body);
    l.leaf(Kind::Pass, node, 0, l.tree.symbols.id_of("public"));
    return;
  }
  l.open(Kind::Class, node, flag::name_space, joined_name(l, name));
  l.block(body, Arm::body);
  l.close();
}

void class_specifier(Lowering& l, std::uint32_t node) { record(l, node); }

void access(Lowering& l, std::uint32_t node) { l.leaf(Kind::Pass, node, 0, l.symbol(node)); }

/// Parameters of a template are declared types; what it is a template of stays.
void template_declaration(Lowering& l, std::uint32_t node) {
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) == Field::parameters)
      l.leaf(Kind::Type, i);  // where the declaration begins
    else if (!l.is(i, "requires_clause"))
      l.lower(i);
  });
}

void alias(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name);
  l.open(Kind::TypeAlias, node, 0, name == 0 ? 0 : l.symbol(name));
  c_family::names_of_template(l, node);
  l.each_named(node, [&](std::uint32_t i) {
    if (i != name) l.lower(i);
  });
  l.close();
}

/// `member(value)` before the body of a constructor.
void field_initializer(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = first_named(l, node);
  if (name == 0) return;
  l.open(Kind::Assign, node, flag::of_member);
  l.leaf(Kind::Name, name, flag::store, l.symbol(last_word(l, name)));
  l.each_named(node, [&](std::uint32_t i) {
    if (i == name) return;
    const bool is_one = named(l, i).size() == 1;
    if (!is_one) l.open(Kind::Tuple, i);
    l.inside(i);
    if (!is_one) l.close();
  });
  l.close();
}

void lambda(Lowering& l, std::uint32_t node) {
  l.open(Kind::Lambda, node);
  lambda_parts(l, node);
  l.close();
}

void captured(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::left);
  l.open(Kind::KwArg, node, 0, name == 0 ? 0 : l.symbol(name));
  lower_field(l, node, Field::right);
  l.close();
}

// ------------------------------------------------------------------------------------ statements

/// The test comes first, what is declared for it after.
void condition(Lowering& l, std::uint32_t node) {
  lower_field(l, node, Field::value);
  lower_field(l, node, Field::initializer);
}

void range_loop(Lowering& l, std::uint32_t node) {
  l.open(Kind::For, node);
  if (const std::uint32_t target = l.child(node, Field::declarator)) declared_target(l, target);
  type_of(l, l.child(node, Field::type));
  lower_field(l, node, Field::right);
  lower_field(l, node, Field::initializer);
  block_or_empty(l, l.child(node, Field::body), node, Arm::body);
  l.close();
}

void try_statement(Lowering& l, std::uint32_t node) {
  l.open(Kind::Try, node);
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) == Field::body)
      l.block(i, Arm::body);
    else
      l.lower(i);
  });
  l.close();
}

/// The type stays as it is written, the name is a target.
void catch_clause(Lowering& l, std::uint32_t node) {
  l.open(Kind::Handler, node);
  if (const std::uint32_t list = l.child(node, Field::parameters))
    l.each_named(list, [&](std::uint32_t i) {
      lower_field(l, i, Field::type);
      const std::uint32_t declarator = l.child(i, Field::declarator);
      if (declarator == 0 || declared_name(l, declarator) == 0) return;
      l.open(Kind::Arg, declarator, flag::target);
      declared_target(l, declarator);
      l.close();
    });
  block_or_empty(l, l.child(node, Field::body), node, Arm::body);
  l.close();
}

// ----------------------------------------------------------------------------------- expressions

/// Arguments of a template as what is declared.
void template_arguments(Lowering& l, std::uint32_t node) {
  for (std::uint32_t at = node; at != 0;) {
    if (const std::uint32_t list = l.child(at, Field::arguments)) {
      l.open(Kind::Type, list);
      l.inside(list);
      l.close();
    }
    at = l.is(at, "dependent_name") ? first_named(l, at) : 0;
  }
}

/// `A::B::c` reaches c in B in A.
void qualified(Lowering& l, std::uint32_t node) {
  Nodes words;
  std::uint32_t at = node;
  for (; l.is(at, "qualified_identifier");) {
    if (const std::uint32_t scope = l.child(at, Field::scope)) words.push_back(scope);
    std::uint32_t next = 0;  // of several the last: `template` comes before the name
    l.each_named(at, [&](std::uint32_t i) {
      if (l.field(i) == Field::name) next = i;
    });
    if (next == 0) break;
    at = next;
  }
  if (at != node) words.push_back(at);
  if (words.empty()) return;
  const std::uint16_t store = l.as_target() ? flag::store : std::uint16_t{0};
  for (std::size_t i = words.size(); i > 1; --i)
    l.open(Kind::Attribute, node, i == words.size() ? store : std::uint16_t{0},
           l.symbol(last_word(l, words[i - 1])));
  l.leaf(Kind::Name, words[0], words.size() == 1 ? store : std::uint16_t{0},
         l.symbol(last_word(l, words[0])));
  template_arguments(l, words[0]);
  for (std::size_t i = 1; i < words.size(); ++i) {
    template_arguments(l, words[i]);
    l.close();
  }
}

void instantiated(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = last_word(l, node);
  l.leaf(Kind::Name, name, 0, l.symbol(name));
  template_arguments(l, node);
}

void new_expression(Lowering& l, std::uint32_t node) {
  l.open(Kind::New, node);
  lower_field(l, node, Field::type);
  lower_field(l, node, Field::placement);
  lower_field(l, node, Field::declarator);
  lower_field(l, node, Field::arguments);
  l.close();
}

void fold(Lowering& l, std::uint32_t node) {
  const std::uint32_t op = l.child(node, Field::operator_);
  l.open(Kind::BinOp, node, op == 0 ? Op{0} : op_of(l.operator_text(op)),
         op == 0 ? 0 : l.tree.symbols.id_of("fold"));
  l.inside(node);
  l.close();
}

/// `delete[] p` lets go of many.
void deletion(Lowering& l, std::uint32_t node) {
  l.open(Kind::Delete, node, l.has_token(node, "[") ? flag::twice : std::uint16_t{0});
  l.inside(node);
  l.close();
}

void await(Lowering& l, std::uint32_t node) {
  l.open(Kind::Await, node);
  lower_field(l, node, Field::argument);
  l.close();
}

// clang-format off
// table: c++ nodes
constexpr std::array kRows = std::to_array<Row>({
    {"translation_unit",          Shape::special, Kind::Module, 0, {}, translation_unit},
    {"namespace_definition",      Shape::special, Kind::Class, 0, {}, name_space},
    {"namespace_alias_definition", Shape::special, Kind::TypeAlias, 0, {}, alias},
    {"namespace_identifier",      Shape::name,    Kind::Name},
    {"nested_namespace_specifier", Shape::inside},
    {"class_specifier",           Shape::special, Kind::Class, 0, {}, class_specifier},
    {"base_class_clause",         Shape::inside},
    {"access_specifier",          Shape::special, Kind::Pass, 0, {}, access},
    {"virtual_specifier",         Shape::skip},
    {"explicit_function_specifier", Shape::skip},
    {"default_method_clause",     Shape::skip},
    {"delete_method_clause",      Shape::skip},
    {"pure_virtual_clause",       Shape::skip},
    {"friend_declaration",        Shape::skip},
    {"field_initializer_list",    Shape::inside},
    {"field_initializer",         Shape::special, Kind::Assign, 0, {}, field_initializer},
    {"template_declaration",      Shape::special, Kind::Block, 0, {}, template_declaration},
    {"template_instantiation",    Shape::skip},
    {"alias_declaration",         Shape::special, Kind::TypeAlias, 0, {}, alias},
    {"using_declaration",         Shape::special, Kind::TypeAlias, 0, {}, module_or_using},
    {"concept_definition",        Shape::special, Kind::TypeAlias, 0, {}, alias},
    {"static_assert_declaration", Shape::node,    Kind::Assert},
    // statements
    {"init_statement",            Shape::inside},
    {"condition_clause",          Shape::special, Kind::Block, 0, {}, condition},
    {"for_range_loop",            Shape::special, Kind::For, 0, {}, range_loop},
    {"try_statement",             Shape::special, Kind::Try, 0, {}, try_statement},
    {"catch_clause",              Shape::special, Kind::Handler, 0, {}, catch_clause},
    {"throw_statement",           Shape::node,    Kind::Raise},
    {"co_return_statement",       Shape::node,    Kind::Return},
    {"co_yield_statement",        Shape::special, Kind::Expr, 0, {}, yield_statement},
    // expressions
    {"this",                      Shape::name,    Kind::Name},
    {"qualified_identifier",      Shape::special, Kind::Attribute, 0, {}, qualified},
    {"template_function",         Shape::special, Kind::Name, 0, {}, instantiated},
    {"template_method",           Shape::special, Kind::Name, 0, {}, instantiated},
    {"template_type",             Shape::special, Kind::Name, 0, {}, instantiated},
    {"template_argument_list",    Shape::inside},
    {"dependent_name",            Shape::inside},
    {"dependent_type",            Shape::inside},
    {"operator_name",             Shape::name,    Kind::Name},
    {"destructor_name",           Shape::name,    Kind::Name},
    {"operator_cast",             Shape::skip},
    {"lambda_expression",         Shape::special, Kind::Lambda, 0, {}, lambda},
    {"lambda_capture_specifier",  Shape::inside},
    {"lambda_capture_initializer", Shape::special, Kind::KwArg, 0, {}, captured},
    {"lambda_default_capture",    Shape::skip},
    {"new_expression",            Shape::special, Kind::New, 0, {}, new_expression},
    {"new_declarator",            Shape::inside},
    {"delete_expression",         Shape::special, Kind::Delete, 0, {}, deletion},
    {"co_await_expression",       Shape::special, Kind::Await, 0, {}, await},
    {"fold_expression",           Shape::special, Kind::BinOp, 0, {}, fold},
    {"parameter_pack_expansion",  Shape::node,    Kind::Star},
    {"subscript_argument_list",   Shape::inside},
    {"requires_expression",       Shape::node,    Kind::Opaque, 3},
    {"requirement_seq",           Shape::inside},
    {"simple_requirement",        Shape::inside},
    {"compound_requirement",      Shape::inside},
    {"type_requirement",          Shape::node,    Kind::Type},
    {"requires_clause",           Shape::node,    Kind::Type},
    {"constraint_conjunction",    Shape::inside},
    {"constraint_disjunction",    Shape::inside},
    {"user_defined_literal",      Shape::leaf,    Kind::Const},
    {"literal_suffix",            Shape::skip},
    {"raw_string_literal",        Shape::leaf,    Kind::Str},
    {"raw_string_content",        Shape::skip},
    {"raw_string_delimiter",      Shape::skip},
    // types and declarators
    {"auto",                      Shape::leaf,    Kind::Type},
    {"decltype",                  Shape::node,    Kind::Type},
    {"placeholder_type_specifier", Shape::node,   Kind::Type},
    {"trailing_return_type",      Shape::inside},
    {"noexcept",                  Shape::skip},
    {"throw_specifier",           Shape::skip},
    {"ref_qualifier",             Shape::skip},
    {"reference_declarator",      Shape::inside},
    {"variadic_declarator",       Shape::inside},
    {"pointer_type_declarator",   Shape::inside},
    {"structured_binding_declarator", Shape::node, Kind::Tuple},
    {"abstract_reference_declarator", Shape::inside},
    {"optional_parameter_declaration", Shape::node, Kind::Type, 0, {{{Field::declarator, Role::drop}}}},
    {"variadic_parameter_declaration", Shape::node, Kind::Type, 0, {{{Field::declarator, Role::drop}}}},
    {"template_parameter_list",   Shape::skip},
    {"type_parameter_declaration", Shape::skip},
    {"optional_type_parameter_declaration", Shape::skip},
    {"variadic_type_parameter_declaration", Shape::skip},
    {"template_template_parameter_declaration", Shape::skip},
});
// clang-format on

std::vector<Row> with_rows_of_c() {
  std::vector<Row> out(kRows.begin(), kRows.end());
  out.insert(out.end(), c_family::rows().begin(), c_family::rows().end());
  return out;
}

}  // namespace

void c_family::lambda_parts(Lowering& l, std::uint32_t node) {
  if (const std::uint32_t captures = l.child(node, Field::captures))
    l.each_named(captures, [&](std::uint32_t i) {
      if (l.is(i, "lambda_capture_initializer")) l.lower(i);
    });
  if (const std::uint32_t declarator = l.child(node, Field::declarator)) {
    parameters(l, l.child(declarator, Field::parameters));
    l.each_named(declarator, [&](std::uint32_t i) {
      if (l.is(i, "trailing_return_type")) type_of(l, i, flag::returns);
    });
  }
  block_or_empty(l, l.child(node, Field::body), node, Arm::body);
}

/// Made when it is asked for: what is made at the start of a program would be part of every one.
const LanguageSpec& cpp_spec() {
  static const std::vector<Row> rows = with_rows_of_c();
  static const LanguageSpec spec{
      Language::cpp, tree_sitter_cpp,
      rows,          false,
      readable_cpp,  [](std::string_view source) { return unread_constructs(source, true); }};
  return spec;
}

}  // namespace gh::syntax
