// C by tree-sitter: its rows, and what needs more than a row. C++ extends them.
#include <array>
#include <string>

#include "syntax/c_constructs.h"
#include "syntax/c_family.h"
#include "syntax/c_macros.h"

extern "C" const TSLanguage* tree_sitter_c();

namespace gh::syntax {
namespace c_family {
namespace {

using parts::assign_statement;
using parts::binary;
using parts::block_or_empty;
using parts::first_named;
using parts::if_chain;
using parts::lower_field;
using parts::named;
using parts::Nodes;
using parts::step_statement;
using parts::type_of;

constexpr auto kPositional = static_cast<std::uint16_t>(ParamKind::pos_only);

bool is_cpp(const Lowering& l) { return l.cst.spec->language == Language::cpp; }

/// Around a name: says how it is reached, not what it is called.
bool is_wrapper(const Lowering& l, std::uint32_t node) {
  return l.is(node, "pointer_declarator") || l.is(node, "array_declarator") ||
         l.is(node, "function_declarator") || l.is(node, "parenthesized_declarator") ||
         l.is(node, "attributed_declarator") || l.is(node, "init_declarator") ||
         l.is(node, "reference_declarator") || l.is(node, "variadic_declarator") ||
         l.is(node, "pointer_type_declarator");
}

bool is_modifier(const Lowering& l, std::uint32_t node) {
  return l.is(node, "type_qualifier") || l.is(node, "ms_call_modifier") ||
         l.is(node, "ms_pointer_modifier") || l.is(node, "ms_based_modifier") ||
         l.is(node, "attribute_declaration") || l.is(node, "attribute_specifier");
}

bool names_something(const Lowering& l, std::uint32_t node) {
  return l.is(node, "identifier") || l.is(node, "field_identifier") ||
         l.is(node, "type_identifier") || l.is(node, "qualified_identifier") ||
         l.is(node, "operator_name") || l.is(node, "destructor_name") ||
         l.is(node, "template_function") || l.is(node, "template_method") ||
         l.is(node, "structured_binding_declarator") || l.is(node, "primitive_type");
}

/// One step towards the name; 0 at the end.
std::uint32_t inner_declarator(const Lowering& l, std::uint32_t node) {
  if (const std::uint32_t inner = l.child(node, Field::declarator)) return inner;
  std::uint32_t found = 0;
  l.each_named(node, [&](std::uint32_t i) {
    if (found == 0 && !is_modifier(l, i) && (is_wrapper(l, i) || names_something(l, i))) found = i;
  });
  return found;
}

bool has_word(const Lowering& l, std::uint32_t node, std::string_view type, std::string_view word) {
  bool found = false;
  l.each_named(node,
               [&](std::uint32_t i) { found = found || (l.is(i, type) && l.cst.text(i) == word); });
  return found;
}

/// `static` says two things: of the class in one, of this file alone elsewhere.
std::uint16_t static_flag(const Lowering& l, std::uint32_t node) {
  if (!has_word(l, node, "storage_class_specifier", "static")) return 0;
  const Node& around = l.enclosing_node();
  const bool is_member = around.kind == Kind::Class && (around.flags & flag::name_space) == 0;
  return is_member ? flag::of_class : flag::hidden;
}

/// Attributes stand before a function, after its parameters, or around its name.
std::uint16_t root_flag(const Lowering& l, std::uint32_t node, std::uint32_t outer) {
  std::uint16_t out = l.is_interface ? flag::hook : std::uint16_t{0};
  const auto look = [&](std::uint32_t i) {
    if ((l.is(i, "attribute_specifier") || l.is(i, "attribute_declaration")) &&
        names_root_attribute(l.cst.text(i)))
      out = flag::hook;
  };
  l.each_named(node, look);
  for (std::uint32_t at = outer; at != 0 && is_wrapper(l, at); at = inner_declarator(l, at))
    l.each_named(at, look);
  return out;
}

std::uint16_t virtual_flag(const Lowering& l, std::uint32_t node, std::uint32_t declarator) {
  bool found = l.has_token(node, "virtual");
  if (declarator != 0)
    l.each_named(declarator,
                 [&](std::uint32_t i) { found = found || l.is(i, "virtual_specifier"); });
  return found ? flag::hook : std::uint16_t{0};
}

bool has_body(const Lowering& l, std::uint32_t type) {
  return type != 0 && l.child(type, Field::body) != 0 &&
         (l.is(type, "struct_specifier") || l.is(type, "union_specifier") ||
          l.is(type, "class_specifier") || l.is(type, "enum_specifier"));
}

void parameter(Lowering& l, std::uint32_t node) {
  if (l.is(node, "variadic_parameter")) {
    l.leaf(Kind::Param, node, static_cast<std::uint16_t>(ParamKind::vararg));
    return;
  }
  if (l.is(node, "identifier") && l.cst.text(node) == "void") return;
  if (l.is(node, "identifier")) {  // its type follows the list, or is left to the compiler
    l.leaf(Kind::Param, node, kPositional, l.symbol(node));
    return;
  }
  const std::uint32_t type = l.child(node, Field::type);
  if (type == 0) return;
  const std::uint32_t declarator = l.child(node, Field::declarator);
  const std::uint32_t name = declarator == 0 ? 0 : declared_name(l, declarator);
  if (name == 0 && declarator == 0 && l.cst.text(type) == "void") return;
  const bool many = l.is(node, "variadic_parameter_declaration");
  const std::uint16_t place = many ? static_cast<std::uint16_t>(ParamKind::vararg) : kPositional;
  const bool has_default = l.child(node, Field::default_value) != 0;
  l.open(Kind::Param, node,
         static_cast<std::uint16_t>(place | (has_default ? flag::optional : std::uint16_t{0})),
         name == 0 ? 0 : l.symbol(name));
  type_of(l, type);
  lower_field(l, node, Field::default_value);
  l.close();
}

/// The initializers of a constructor are its first statements.
void body_of_function(Lowering& l, std::uint32_t node, std::uint32_t body) {
  l.open(Kind::Block, body, static_cast<std::uint16_t>(Arm::body));
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "field_initializer_list")) l.lower(i);
  });
  l.is(body, "compound_statement") ? l.inside(body) : l.lower(body);
  l.close();
}

std::uint32_t body_node(const Lowering& l, std::uint32_t node) {
  if (const std::uint32_t body = l.child(node, Field::body)) return body;
  std::uint32_t found = 0;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "try_statement")) found = i;
  });
  return found;
}

void signature(Lowering& l, std::uint32_t node, std::uint32_t declarator) {
  if (declarator != 0) parameters(l, l.child(declarator, Field::parameters));
  type_of(l, l.child(node, Field::type), flag::returns);
  if (declarator != 0)
    l.each_named(declarator, [&](std::uint32_t i) {
      if (l.is(i, "trailing_return_type")) type_of(l, i, flag::returns);
    });
}

/// What `operator T()` declares its parameters with.
std::uint32_t conversion_of(const Lowering& l, std::uint32_t declarator) {
  for (std::uint32_t at = declarator; at != 0;) {
    if (l.is(at, "operator_cast")) return at;
    at = l.is(at, "qualified_identifier") ? l.child(at, Field::name) : inner_declarator(l, at);
  }
  return 0;
}

std::uint32_t function_symbol(Lowering& l, std::uint32_t name, std::uint32_t conversion) {
  if (conversion != 0) {
    const std::uint32_t type = l.child(conversion, Field::type);
    return l.tree.symbols.id_of_copy("operator " + std::string(type == 0 ? "" : l.cst.text(type)));
  }
  return name == 0 ? 0 : l.symbol(last_word(l, name));
}

// ---------------------------------------------------------------------------------- declarations

void typed_target(Lowering& l, std::uint32_t declarator, std::uint32_t type, bool is_first) {
  declared_target(l, declarator);
  if (is_first && !has_body(l, type))
    type_of(l, type);
  else if (type != 0)
    l.leaf(Kind::Type, type);
}

/// A lambda that is given a name is a function of that name.
void named_lambda(Lowering& l, std::uint32_t lambda, std::uint32_t name) {
  l.open(Kind::Function, lambda, 0, l.symbol(name));
  lambda_parts(l, lambda);
  l.close();
}

void value_of(Lowering& l, std::uint32_t value, std::uint32_t name) {
  if (name != 0 && l.is(value, "lambda_expression")) {
    named_lambda(l, value, name);
    return;
  }
  if (!l.is(value, "argument_list")) {
    l.lower(value);
    return;
  }
  const bool is_one = named(l, value).size() == 1;
  if (!is_one) l.open(Kind::Tuple, value);
  l.inside(value);
  if (!is_one) l.close();
}

/// Inside a function `T x(y);` is a variable: a function would be declared elsewhere.
bool holds_values(const Lowering& l, std::uint32_t function) {
  const std::uint32_t list = l.child(function, Field::parameters);
  bool values = list != 0 && first_named(l, list) != 0;
  if (values)
    l.each_named(list, [&](std::uint32_t i) {
      values = values && l.is(i, "parameter_declaration") && l.child(i, Field::declarator) == 0;
      const std::uint32_t type = values ? l.child(i, Field::type) : 0;
      values = values && type != 0 &&
               (l.is(type, "type_identifier") || l.is(type, "qualified_identifier"));
    });
  return values;
}

void constructed(Lowering& l, std::uint32_t function, std::uint32_t type) {
  l.open(Kind::Assign, function);
  typed_target(l, function, type, true);
  const Nodes values = named(l, l.child(function, Field::parameters));
  if (values.size() != 1) l.open(Kind::Tuple, function);
  for (const std::uint32_t value : values)
    lower_field(l, value, Field::type);
  if (values.size() != 1) l.close();
  l.close();
}

void prototype(Lowering& l, std::uint32_t node, std::uint32_t declarator, std::uint32_t function) {
  const std::uint32_t name = declared_name(l, declarator);
  l.open(Kind::Function, node,
         static_cast<std::uint16_t>(static_flag(l, node) | virtual_flag(l, node, function) |
                                    root_flag(l, node, declarator)),
         name == 0 ? 0 : l.symbol(last_word(l, name)));
  names_of_template(l, node);
  signature(l, node, function);
  l.close();
}

void declarator(Lowering& l, std::uint32_t node, std::uint32_t at, std::uint32_t type,
                bool is_first, std::uint32_t default_value) {
  const std::uint32_t function = declared_function(l, at);
  const bool is_variable = function != 0 && l.enclosing() != Kind::Class &&
                           l.enclosing() != Kind::Module && is_cpp(l) && holds_values(l, function);
  if (is_variable) {
    constructed(l, function, type);
    return;
  }
  if (function != 0 && !l.is(at, "init_declarator")) {
    prototype(l, node, at, function);
    return;
  }
  if (l.is(at, "gnu_asm_expression") || is_modifier(l, at)) return;
  const std::uint32_t value =
      l.is(at, "init_declarator") ? l.child(at, Field::value) : default_value;
  const std::uint32_t name = declared_name(l, at);
  if (name == 0) return;
  l.open(Kind::Assign, at,
         static_cast<std::uint16_t>(static_flag(l, node) |
                                    (value == 0 ? flag::bare : std::uint16_t{0})));
  typed_target(l, at, type, is_first);
  if (value != 0) value_of(l, value, l.is(name, "identifier") ? name : 0);
  l.close();
}

/// An `else` that follows no statement; elsewhere a macro may hold the `if`.
bool is_stray_else(const Lowering& l, std::uint32_t node) {
  if (node == 0 || l.cst.text(node) != "else") return false;
  const std::string_view before = l.cst.source.substr(0, l.cst.nodes[node].start);
  const std::size_t last = before.find_last_not_of(" \t\r\n");
  return last != std::string_view::npos && before[last] == '{';
}

/// One Assign for each name; what the type itself defines comes before them.
void declaration(Lowering& l, std::uint32_t node) {
  const std::uint32_t type = l.child(node, Field::type);
  if (is_stray_else(l, type)) l.refuse(type);
  if (has_body(l, type)) l.lower(type);
  bool is_first = true;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) != Field::declarator) return;
    if (l.is(i, "operator_cast")) {
      l.leaf(Kind::Function, i, 0, function_symbol(l, 0, i));
      return;
    }
    declarator(l, node, i, type, is_first, l.child(node, Field::default_value));
    is_first = false;
  });
}

/// Members of an unnamed struct inside another are reached as its own.
void field_declaration(Lowering& l, std::uint32_t node) {
  const std::uint32_t type = l.child(node, Field::type);
  const bool is_unnamed =
      has_body(l, type) && l.child(type, Field::name) == 0 && l.child(node, Field::declarator) == 0;
  if (is_unnamed)
    l.inside(l.child(type, Field::body));
  else
    declaration(l, node);
}

void type_definition(Lowering& l, std::uint32_t node) {
  const std::uint32_t type = l.child(node, Field::type);
  const std::uint32_t at = l.child(node, Field::declarator);
  const std::uint32_t name = at == 0 ? 0 : declared_name(l, at);
  if (has_body(l, type)) {
    if (!l.is(type, "enum_specifier"))
      record(l, type, name);
    else
      l.lower(type);
    return;
  }
  l.open(Kind::TypeAlias, node, 0, name == 0 ? 0 : l.symbol(name));
  type_of(l, type);
  l.close();
}

void linkage(Lowering& l, std::uint32_t node) { lower_field(l, node, Field::body); }

void struct_specifier(Lowering& l, std::uint32_t node) { record(l, node); }

void enum_specifier(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name), body = l.child(node, Field::body);
  if (body == 0) {
    if (name != 0) l.lower(name);
    return;
  }
  l.open(Kind::TypeAlias, node, 0, name == 0 ? 0 : l.symbol(last_word(l, name)));
  l.inside(body);
  l.close();
}

void enumerator(Lowering& l, std::uint32_t node) {
  const std::uint32_t value = l.child(node, Field::value);
  l.open(Kind::Assign, node, value == 0 ? flag::bare : std::uint16_t{0});
  lower_field(l, node, Field::name, true);
  if (value != 0) l.lower(value);
  l.close();
}

// --------------------------------------------------------------------------------- preprocessor

void include(Lowering& l, std::uint32_t node) {
  const std::uint32_t path = l.child(node, Field::path);
  std::string_view text = path == 0 ? std::string_view() : l.cst.text(path);
  const bool is_system = path != 0 && l.is(path, "system_lib_string");
  if (text.size() < 3 || !(is_system || l.is(path, "string_literal"))) return;
  text = text.substr(1, text.size() - 2);
  const auto flags = static_cast<std::uint16_t>(flag::textual | (is_system ? flag::external : 0));
  l.open(Kind::Import, node, flags);
  l.leaf(Kind::Name, path, 0, l.tree.symbols.id_of(text));
  l.close();
}

/// Every branch is read; what is asked is about the build, not the program.
void conditional_part(Lowering& l, std::uint32_t node) {
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) != Field::condition && l.field(i) != Field::name) l.lower(i);
  });
}

// ------------------------------------------------------------------------------------ statements

/// What an expression is where a statement stands.
void as_statement(Lowering& l, std::uint32_t at, std::uint32_t span) {
  if (is_stray_else(l, at)) l.refuse(at);
  const std::uint32_t op = l.child(at, Field::operator_);
  if (l.is(at, "assignment_expression")) {
    const std::uint32_t value = l.child(at, Field::right);
    assign_statement(l, span, l.child(at, Field::left), op == 0 ? "=" : l.operator_text(op), value);
  } else if (l.is(at, "update_expression")) {
    step_statement(l, at, l.child(at, Field::argument), op == 0 ? "++" : l.cst.text(op));
  } else if (l.is(at, "delete_expression")) {
    l.lower(at);
  } else {
    l.open(Kind::Expr, span);
    l.lower(at);
    l.close();
  }
}

void expression_statement(Lowering& l, std::uint32_t node) {
  const std::uint32_t at = first_named(l, node);
  if (at == 0) return;
  l.is(at, "comma_expression") ? as_statements(l, at) : as_statement(l, at, node);
}

// What is in the source where `unread_constructs` wrote `while` and `if`.
constexpr std::string_view kSwitch = "switc";
constexpr std::string_view kCase = "ca";
constexpr std::string_view kDefault = "de";

bool is_lone_label(const Lowering& l, std::uint32_t node) {
  return l.is(node, "if_statement") &&
         (l.cst.text(node + 1) == kCase || l.cst.text(node + 1) == kDefault);
}

/// `case 1: case 2: …` are two cases, of which the second has the statement.
void lone_labels(Lowering& l, std::uint32_t node) {
  for (std::uint32_t at = node; at != 0;) {
    const bool is_default = l.cst.text(at + 1) == kDefault;
    const std::uint32_t body = l.child(at, Field::consequence);
    const bool leads_on = body != 0 && is_lone_label(l, body);
    l.open(Kind::Case, at, is_default ? flag::fallback : std::uint16_t{0});
    if (!is_default) lower_field(l, at, Field::condition);
    block_or_empty(l, leads_on ? 0 : body, at, Arm::body);
    l.close();
    at = leads_on ? body : 0;
  }
}

/// What stands before the first case, or is the whole body, is a list of its own.
void part_of_switch(Lowering& l, std::uint32_t node) {
  const bool is_list = !l.is(node, "case_statement") && !l.is(node, "labeled_statement") &&
                       !l.is(node, "attributed_statement") &&
                       !l.cst.type(node).starts_with("preproc_");
  if (is_list) l.open(Kind::Block, node, static_cast<std::uint16_t>(Arm::body));
  l.lower(node);
  if (is_list) l.close();
}

void switch_statement(Lowering& l, std::uint32_t node) {
  l.open(Kind::Match, node);
  lower_field(l, node, Field::condition);
  if (const std::uint32_t body = l.child(node, Field::body)) {
    if (l.is(body, "compound_statement"))
      l.each_named(body, [&](std::uint32_t i) { part_of_switch(l, i); });
    else if (is_lone_label(l, body))
      lone_labels(l, body);
    else
      part_of_switch(l, body);
  }
  l.close();
}

/// A macro that loops is read as `while`; its own name is still in the source.
void while_statement(Lowering& l, std::uint32_t node) {
  if (l.cst.text(node + 1) == kSwitch) return switch_statement(l, node);
  const bool is_macro = l.cst.text(node + 1) != "while";
  l.open(is_macro ? Kind::For : Kind::While, node);
  if (is_macro) {
    l.open(Kind::Call, node);
    l.leaf(Kind::Name, node + 1, 0, l.symbol(node + 1));
  }
  lower_field(l, node, Field::condition);
  if (is_macro) l.close();
  block_or_empty(l, l.child(node, Field::body), node, Arm::body);
  l.close();
}

void for_statement(Lowering& l, std::uint32_t node) {
  l.open(Kind::For, node);
  if (const std::uint32_t init = l.child(node, Field::initializer))
    l.is(init, "declaration") ? l.lower(init) : as_statements(l, init);
  if (const std::uint32_t test = l.child(node, Field::condition)) {
    l.open(Kind::Arg, test, flag::condition);
    l.lower(test);
    l.close();
  }
  if (const std::uint32_t update = l.child(node, Field::update)) as_statements(l, update);
  block_or_empty(l, l.child(node, Field::body), node, Arm::body);
  l.close();
}

/// A label that stands in a loop or block of its `switch` is a statement of that list.
void inner_case(Lowering& l, std::uint32_t node, std::uint32_t value, std::uint16_t flags) {
  l.open(Kind::Case, node, flags);
  if (value != 0) l.lower(value);
  l.close();
  l.each_named(node, [&](std::uint32_t i) {
    if (i != value) l.lower(i);
  });
}

void case_statement(Lowering& l, std::uint32_t node) {
  const bool is_default = l.has_token(node, "default");
  const std::uint32_t value = l.child(node, Field::value);
  const std::uint16_t flags = is_default ? flag::fallback : std::uint16_t{0};
  if (l.around() != Kind::Match) {
    inner_case(l, node, value, flags);
    return;
  }
  l.open(Kind::Case, node, flags);
  if (value != 0) l.lower(value);
  l.open(Kind::Block, node, static_cast<std::uint16_t>(Arm::body));
  l.each_named(node, [&](std::uint32_t i) {
    if (i != value) l.lower(i);
  });
  l.close();
  l.close();
}

void goto_statement(Lowering& l, std::uint32_t node) {
  const std::uint32_t label = l.child(node, Field::label);
  l.leaf(Kind::Goto, node, 0, label == 0 ? 0 : l.symbol(label));
}

void labelled(Lowering& l, std::uint32_t node) {
  const std::uint32_t label = l.child(node, Field::label);
  if (label != 0) l.leaf(Kind::Label, label, 0, l.symbol(label));
  l.each_named(node, [&](std::uint32_t i) {
    if (i != label) l.lower(i);
  });
}

// ----------------------------------------------------------------------------------- expressions

void assignment(Lowering& l, std::uint32_t node) {
  const std::uint32_t op = l.child(node, Field::operator_);
  const bool is_plain = op == 0 || l.cst.text(op) == "=";
  l.open(Kind::NamedExpr, node);
  if (is_plain) {
    lower_field(l, node, Field::left, true);
    lower_field(l, node, Field::right);
  } else {
    assign_statement(l, node, l.child(node, Field::left), l.operator_text(op),
                     l.child(node, Field::right));
  }
  l.close();
}

void update(Lowering& l, std::uint32_t node) {
  const std::uint32_t op = l.child(node, Field::operator_);
  const std::uint32_t argument = l.child(node, Field::argument);
  const bool is_postfix = op > argument;
  l.open(Kind::UnaryOp, node, op == 0 ? Op{0} : op_of(l.cst.text(op)),
         is_postfix ? l.tree.symbols.id_of("postfix") : 0);
  if (argument != 0) l.lower(argument, true);
  l.close();
}

/// `({ … })` is a block with a value.
void list_or_blocks(Lowering& l, std::uint32_t node) {
  l.each_named(node, [&](std::uint32_t i) {
    l.is(i, "compound_statement") ? l.block(i, Arm::body) : l.lower(i);
  });
}

/// sizeof, alignof, offsetof: an operator with a word.
void word_operator(Lowering& l, std::uint32_t node) {
  l.open(Kind::UnaryOp, node, 0, l.symbol(node + 1));
  lower_field(l, node, Field::value);
  if (const std::uint32_t type = l.child(node, Field::type)) l.lower(type);
  l.close();
}

void cast(Lowering& l, std::uint32_t node) {
  l.open(Kind::Cast, node);
  type_of(l, l.child(node, Field::type));
  lower_field(l, node, Field::value);
  l.close();
}

/// `typeof(x)`: the grammar is shown a name without the parentheses; what they hold is named.
void type_name(Lowering& l, std::uint32_t node) {
  l.leaf(Kind::Name, node, l.as_target() ? flag::store : std::uint16_t{0}, l.symbol(node));
  if (l.cst.text(node).find("typeof") == std::string_view::npos) return;
  for (const std::string_view word : words_of_typeof(l.cst.source, l.cst.nodes[node].end))
    l.leaf(Kind::Name, node, 0, l.tree.symbols.id_of(word));
}

void field_expression(Lowering& l, std::uint32_t node) {
  const std::uint32_t field = l.child(node, Field::field);
  l.open(Kind::Attribute, node, l.as_target() ? flag::store : std::uint16_t{0},
         field == 0 ? 0 : l.symbol(last_word(l, field)));
  lower_field(l, node, Field::argument);
  l.close();
}

/// The grammar takes a sign for a part of the number.
void number(Lowering& l, std::uint32_t node) {
  const std::string_view sign = l.cst.text(node).substr(0, 1);
  const bool has_sign = sign == "-" || sign == "+";
  if (has_sign) l.open(Kind::UnaryOp, node, op_of(sign));
  l.leaf(Kind::Const, node);
  if (has_sign) l.close();
}

void initializer_pair(Lowering& l, std::uint32_t node) {
  const std::uint32_t designator = l.child(node, Field::designator);
  std::uint32_t word = designator;
  if (designator != 0 && l.is(designator, "field_designator")) word = first_named(l, designator);
  if (word == 0 || !l.is(word, "field_identifier")) {
    l.inside(node);
    return;
  }
  l.open(Kind::KwArg, node, 0, l.symbol(word));
  lower_field(l, node, Field::value);
  l.close();
}

// clang-format off
// table: c nodes
constexpr std::array kRows = std::to_array<Row>({
    {"translation_unit",          Shape::node,    Kind::Module},
    {"declaration_list",          Shape::inside},
    {"linkage_specification",     Shape::special, Kind::Block, 0, {}, linkage},
    {"function_definition",       Shape::special, Kind::Function, 0, {}, function},
    {"declaration",               Shape::special, Kind::Assign, 0, {}, declaration},
    {"field_declaration",         Shape::special, Kind::Assign, 0, {}, field_declaration},
    {"type_definition",           Shape::special, Kind::TypeAlias, 0, {}, type_definition},
    {"struct_specifier",          Shape::special, Kind::TypeAlias, 0, {}, struct_specifier},
    {"union_specifier",           Shape::special, Kind::TypeAlias, 0, {}, struct_specifier},
    {"enum_specifier",            Shape::special, Kind::TypeAlias, 0, {}, enum_specifier},
    {"enumerator_list",           Shape::inside},
    {"enumerator",                Shape::special, Kind::Assign, 0, {}, enumerator},
    {"field_declaration_list",    Shape::inside},
    // preprocessor
    {"preproc_include",           Shape::special, Kind::Import, 0, {}, include},
    {"preproc_if",                Shape::special, Kind::Block, 0, {}, conditional_part},
    {"preproc_ifdef",             Shape::special, Kind::Block, 0, {}, conditional_part},
    {"preproc_elif",              Shape::special, Kind::Block, 0, {}, conditional_part},
    {"preproc_elifdef",           Shape::special, Kind::Block, 0, {}, conditional_part},
    {"preproc_else",              Shape::special, Kind::Block, 0, {}, conditional_part},
    {"preproc_def",               Shape::skip},
    {"preproc_function_def",      Shape::skip},
    {"preproc_call",              Shape::skip},
    {"preproc_arg",               Shape::skip},
    {"preproc_params",            Shape::skip},
    {"preproc_directive",         Shape::skip},
    {"preproc_defined",           Shape::inside},
    // statements
    {"compound_statement",        Shape::inside},
    {"expression_statement",      Shape::special, Kind::Expr, 0, {}, expression_statement},
    {"return_statement",          Shape::node,    Kind::Return},
    {"break_statement",           Shape::leaf,    Kind::Break},
    {"continue_statement",        Shape::leaf,    Kind::Continue},
    {"goto_statement",            Shape::special, Kind::Goto, 0, {}, goto_statement},
    {"labeled_statement",         Shape::special, Kind::Label, 0, {}, labelled},
    {"statement_identifier",      Shape::skip},
    {"attributed_statement",      Shape::inside},
    {"if_statement",              Shape::special, Kind::If, 0, {}, if_chain},
    {"else_clause",               Shape::inside},
    {"while_statement",           Shape::special, Kind::While, 0, {}, while_statement},
    {"do_statement",              Shape::node,    Kind::DoWhile, 0, {{{Field::body, Role::body}}}},
    {"for_statement",             Shape::special, Kind::For, 0, {}, for_statement},
    {"switch_statement",          Shape::special, Kind::Match, 0, {}, switch_statement},
    {"case_statement",            Shape::special, Kind::Case, 0, {}, case_statement},
    {"seh_try_statement",         Shape::node,    Kind::Try, 0, {{{Field::body, Role::body}}}},
    {"seh_except_clause",         Shape::node,    Kind::Handler, 0, {{{Field::body, Role::body}}}},
    {"seh_finally_clause",        Shape::special, Kind::Finally, 0, {}, finally_clause},
    {"seh_leave_statement",       Shape::leaf,    Kind::Break},
    // expressions
    {"identifier",                Shape::name,    Kind::Name},
    {"type_identifier",           Shape::special, Kind::Name, 0, {}, type_name},
    {"primitive_type",            Shape::name,    Kind::Name},
    {"field_identifier",          Shape::name,    Kind::Name},
    {"parenthesized_expression",  Shape::special, Kind::Block, 0, {}, list_or_blocks},
    {"argument_list",             Shape::special, Kind::Block, 0, {}, list_or_blocks},
    {"call_expression",           Shape::node,    Kind::Call},
    {"assignment_expression",     Shape::special, Kind::NamedExpr, 0, {}, assignment},
    {"update_expression",         Shape::special, Kind::UnaryOp, 0, {}, update},
    {"binary_expression",         Shape::special, Kind::BinOp, 0, {}, binary},
    {"unary_expression",          Shape::node,    Kind::UnaryOp, 0, {{{Field::operator_, Role::op}}}},
    {"pointer_expression",        Shape::node,    Kind::UnaryOp, 0, {{{Field::operator_, Role::op}}}},
    {"conditional_expression",    Shape::node,    Kind::Ternary},
    {"comma_expression",          Shape::node,    Kind::Tuple},
    {"field_expression",          Shape::special, Kind::Attribute, 0, {}, field_expression},
    {"subscript_expression",      Shape::node,    Kind::Subscript},
    {"cast_expression",           Shape::special, Kind::Cast, 0, {}, cast},
    {"compound_literal_expression", Shape::special, Kind::Cast, 0, {}, cast},
    {"sizeof_expression",         Shape::special, Kind::UnaryOp, 0, {}, word_operator},
    {"alignof_expression",        Shape::special, Kind::UnaryOp, 0, {}, word_operator},
    {"offsetof_expression",       Shape::special, Kind::UnaryOp, 0, {}, word_operator},
    {"generic_expression",        Shape::node,    Kind::Opaque, 1},
    {"extension_expression",      Shape::inside},
    {"initializer_list",          Shape::node,    Kind::List},
    {"initializer_pair",          Shape::special, Kind::KwArg, 0, {}, initializer_pair},
    {"field_designator",          Shape::inside},
    {"subscript_designator",      Shape::inside},
    {"subscript_range_designator", Shape::node,   Kind::Slice},
    {"number_literal",            Shape::special, Kind::Const, 0, {}, number},
    {"char_literal",              Shape::leaf,    Kind::Const},
    {"true",                      Shape::leaf,    Kind::Const},
    {"false",                     Shape::leaf,    Kind::Const},
    {"null",                      Shape::leaf,    Kind::Const},
    {"string_literal",            Shape::leaf,    Kind::Str},
    {"system_lib_string",         Shape::leaf,    Kind::Str},
    {"concatenated_string",       Shape::leaf,    Kind::Str},
    {"string_content",            Shape::skip},
    {"escape_sequence",           Shape::skip},
    {"character",                 Shape::skip},
    {"gnu_asm_expression",        Shape::node,    Kind::Opaque, 2},
    {"gnu_asm_qualifier",         Shape::skip},
    {"gnu_asm_output_operand_list", Shape::node,  Kind::Tuple},
    {"gnu_asm_input_operand_list", Shape::node,   Kind::Tuple},
    {"gnu_asm_output_operand",    Shape::inside},
    {"gnu_asm_input_operand",     Shape::inside},
    {"gnu_asm_clobber_list",      Shape::inside},
    {"gnu_asm_goto_list",         Shape::inside},
    // types and declarators
    {"type_descriptor",           Shape::node,    Kind::Type},
    {"sized_type_specifier",      Shape::leaf,    Kind::Type},
    {"macro_type_specifier",      Shape::node,    Kind::Type},
    {"parameter_list",            Shape::inside},
    {"parameter_declaration",     Shape::node,    Kind::Type, 0, {{{Field::declarator, Role::drop}}}},
    {"variadic_parameter",        Shape::skip},
    {"init_declarator",           Shape::inside},
    {"pointer_declarator",        Shape::inside},
    {"array_declarator",          Shape::inside},
    {"function_declarator",       Shape::node,    Kind::Type},
    {"parenthesized_declarator",  Shape::inside},
    {"attributed_declarator",     Shape::inside},
    {"abstract_array_declarator", Shape::skip},
    {"abstract_function_declarator", Shape::node, Kind::Type},
    {"abstract_parenthesized_declarator", Shape::inside},
    {"abstract_pointer_declarator", Shape::inside},
    {"bitfield_clause",           Shape::skip},
    {"storage_class_specifier",   Shape::skip},
    {"type_qualifier",            Shape::skip},
    {"alignas_qualifier",         Shape::skip},
    {"attribute",                 Shape::skip},
    {"attribute_declaration",     Shape::skip},
    {"attribute_specifier",       Shape::skip},
    {"ms_based_modifier",         Shape::skip},
    {"ms_call_modifier",          Shape::skip},
    {"ms_declspec_modifier",      Shape::skip},
    {"ms_pointer_modifier",       Shape::skip},
    {"ms_restrict_modifier",      Shape::skip},
    {"ms_signed_ptr_modifier",    Shape::skip},
    {"ms_unaligned_ptr_modifier", Shape::skip},
    {"ms_unsigned_ptr_modifier",  Shape::skip},
});
// clang-format on

}  // namespace

std::uint32_t declared_name(const Lowering& l, std::uint32_t declarator) {
  std::uint32_t at = declarator;
  while (at != 0 && is_wrapper(l, at))
    at = inner_declarator(l, at);
  return at != 0 && names_something(l, at) ? at : 0;
}

std::uint32_t declared_function(const Lowering& l, std::uint32_t declarator) {
  for (std::uint32_t at = declarator; at != 0 && is_wrapper(l, at);) {
    const std::uint32_t inner = inner_declarator(l, at);
    if (l.is(at, "function_declarator") && inner != 0 && names_something(l, inner)) return at;
    at = inner;
  }
  return 0;
}

std::uint32_t last_word(const Lowering& l, std::uint32_t name) {
  for (std::uint32_t at = name;;) {
    const bool has_name = l.is(at, "qualified_identifier") || l.is(at, "template_function") ||
                          l.is(at, "template_method") || l.is(at, "template_type") ||
                          l.is(at, "dependent_name");
    if (!has_name) return at;
    std::uint32_t next = l.child(at, Field::name);
    if (next == 0) next = first_named(l, at);
    if (next == 0) return at;
    at = next;
  }
}

std::uint32_t qualifier_symbol(Lowering& l, std::uint32_t name) {
  std::string out;
  for (std::uint32_t at = name; at != 0 && l.is(at, "qualified_identifier");
       at = l.child(at, Field::name))
    if (const std::uint32_t scope = l.child(at, Field::scope)) {
      if (!out.empty()) out += '.';
      out += l.cst.text(last_word(l, scope));
    }
  return out.empty() ? 0 : l.tree.symbols.id_of_copy(out);
}

void parameters(Lowering& l, std::uint32_t list) {
  if (list == 0) return;
  l.each_named(list, [&](std::uint32_t i) { parameter(l, i); });
}

void declared_target(Lowering& l, std::uint32_t declarator) {
  const std::uint32_t name = declared_name(l, declarator);
  if (name == 0) return;
  if (l.is(name, "structured_binding_declarator")) {
    l.open(Kind::Tuple, name, flag::store);
    l.inside(name, true);
    l.close();
    return;
  }
  l.leaf(Kind::Name, name, flag::store, l.symbol(last_word(l, name)));
}

void as_statements(Lowering& l, std::uint32_t expression) {
  std::uint32_t at = expression;
  for (; l.is(at, "comma_expression");) {
    const std::uint32_t left = l.child(at, Field::left), right = l.child(at, Field::right);
    if (left != 0) as_statement(l, left, left);
    if (right == 0) return;
    at = right;
  }
  as_statement(l, at, at);
}

namespace {

/// The node that holds it; 0 when it is not among the few before it.
std::uint32_t parent_of(const Lowering& l, std::uint32_t node) {
  constexpr std::uint32_t kFar = 400;  // nodes; a class may have thousands of members
  for (std::uint32_t i = node; i > 0 && node - i < kFar;)
    if (l.cst.nodes[--i].next > node) return i;
  return 0;
}

/// `class X`, `class X = D`, `class... X`, `int N`, `template<class> class X`: X, N; else 0.
std::uint32_t name_of_parameter(const Lowering& l, std::uint32_t node) {
  if (const std::uint32_t name = l.child(node, Field::name)) return name;
  if (const std::uint32_t value = l.child(node, Field::declarator)) return declared_name(l, value);
  std::uint32_t last = 0;
  l.each_named(node, [&](std::uint32_t i) { last = i; });
  if (last != 0 && l.is(node, "template_template_parameter_declaration"))
    return name_of_parameter(l, last);
  return last != 0 && l.is(last, "type_identifier") ? last : 0;
}

}  // namespace

void names_of_template(Lowering& l, std::uint32_t node) {
  for (std::uint32_t at = parent_of(l, node); is_cpp(l) && l.is(at, "template_declaration");
       at = parent_of(l, at)) {
    const std::uint32_t list = l.child(at, Field::parameters);
    if (list == 0) continue;
    l.open(Kind::Type, list);
    l.each_named(list, [&](std::uint32_t i) {
      if (const std::uint32_t name = name_of_parameter(l, i))
        l.leaf(Kind::Name, name, flag::store, l.symbol(name));
    });
    l.close();
  }
}

void function(Lowering& l, std::uint32_t node) {
  const std::uint32_t outer = l.child(node, Field::declarator);
  const std::uint32_t declarator = outer == 0 ? 0 : declared_function(l, outer);
  const std::uint32_t conversion = outer == 0 ? 0 : conversion_of(l, outer);
  const std::uint32_t name = declarator != 0 ? declared_name(l, declarator)
                             : outer != 0    ? declared_name(l, outer)
                                             : 0;
  const std::uint32_t owner = name == 0 ? 0 : qualifier_symbol(l, name);
  if (owner != 0) {
    l.open(Kind::Class, node, flag::extension, owner);
    l.open(Kind::Block, node, static_cast<std::uint16_t>(Arm::body));
  }
  l.open(Kind::Function, node,
         static_cast<std::uint16_t>(static_flag(l, node) | virtual_flag(l, node, declarator) |
                                    root_flag(l, node, outer)),
         function_symbol(l, name, conversion));
  names_of_template(l, node);
  signature(l, node, declarator);
  if (const std::uint32_t body = body_node(l, node)) body_of_function(l, node, body);
  l.close();
  if (owner != 0) {
    l.close();
    l.close();
  }
}

/// A friend that is defined in a class, or in one inside it, is a function beside the outermost.
void friends_of(Lowering& l, std::uint32_t body) {
  for (std::uint32_t i = body + 1; i < l.cst.nodes[body].next; ++i)
    if (l.is(i, "friend_declaration"))
      l.each_named(i, [&](std::uint32_t at) {
        if (l.is(at, "function_definition")) function(l, at);
      });
}

/// In C only a type; in C++ a class with its members.
void record(Lowering& l, std::uint32_t node, std::uint32_t name) {
  const std::uint32_t own = l.child(node, Field::name), body = l.child(node, Field::body);
  if (own != 0) name = own;
  if (body == 0) {
    if (own != 0) l.lower(own);
    return;
  }
  l.open(
      is_cpp(l) ? Kind::Class : Kind::TypeAlias, node,
      static_cast<std::uint16_t>((l.is(node, "class_specifier") ? flag::hidden : std::uint16_t{0}) |
                                 (is_cpp(l) && l.is_interface ? flag::hook : std::uint16_t{0})),
      name == 0 ? 0 : l.symbol(last_word(l, name)));
  names_of_template(l, node);
  l.each_named(node, [&](std::uint32_t i) {
    if (!l.is(i, "base_class_clause")) return;
    l.each_named(i, [&](std::uint32_t base) {
      if (!l.is(base, "access_specifier")) l.lower(base);
    });
  });
  is_cpp(l) ? l.block(body, Arm::body) : l.inside(body);
  l.close();
  const Node& around = l.enclosing_node();
  const bool is_inner = around.kind == Kind::Class && (around.flags & flag::name_space) == 0;
  if (is_cpp(l) && !is_inner) friends_of(l, body);
}

void finally_clause(Lowering& l, std::uint32_t node) {
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::finally);
}

std::span<const Row> rows() { return kRows; }

}  // namespace c_family

extern const LanguageSpec kC{
    Language::c,     tree_sitter_c,
    c_family::kRows, false,
    readable_c,      [](std::string_view source) {
                               return unread_constructs(source, false); }};

}  // namespace gh::syntax
