// How C and C++ declare: functions, variables, types and what their declarators name.
#include <string>

#include "syntax/c_family.h"
#include "syntax/c_macros.h"

namespace gh::syntax::c_family {
namespace {

using parts::first_named;
using parts::lower_field;
using parts::named;
using parts::Nodes;
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

/// Names in it are used; what it says is about a declaration, not done by it.
void said(Lowering& l, std::uint32_t node) {
  l.open(Kind::Type, node);
  l.inside(node);
  l.close();
}

/// `[n]` of each array.
void extents(Lowering& l, std::uint32_t declarator) {
  for (std::uint32_t at = declarator; at != 0 && is_wrapper(l, at); at = inner_declarator(l, at))
    if (l.is(at, "array_declarator")) type_of(l, l.child(at, Field::size));
}

/// `alignas(…)`, `explicit(…)`, `noexcept(…)`, `requires …`, and the width of a bit field.
void conditions(Lowering& l, std::uint32_t node) {
  l.each_named(node, [&](std::uint32_t i) {
    const std::uint32_t first = l.is(i, "type_qualifier") ? first_named(l, i) : 0;
    const std::uint32_t at = first != 0 ? first : i;
    if (l.is(at, "requires_clause")) return l.lower(at);
    const bool holds_names = l.is(at, "alignas_qualifier") || l.is(at, "noexcept") ||
                             l.is(at, "explicit_function_specifier") || l.is(at, "bitfield_clause");
    if (holds_names && first_named(l, at) != 0) said(l, at);
  });
}

/// The list that a name is instantiated with; 0 when there is none.
std::uint32_t arguments_of(const Lowering& l, std::uint32_t name) {
  while (name != 0 && l.is(name, "qualified_identifier"))
    name = l.child(name, Field::name);
  return name == 0 ? 0 : l.child(name, Field::arguments);
}

/// A template of the library, made for a type: its users are not seen.
std::uint16_t specialisation_flag(const Lowering& l, std::uint32_t name) {
  if (name == 0 || !is_cpp(l) || arguments_of(l, name) == 0) return 0;
  const Node& around = l.enclosing_node();
  const bool is_inside = around.kind == Kind::Class && (around.flags & flag::name_space) != 0;
  const std::string_view space =
      is_inside ? l.tree.symbols.text(around.symbol) : std::string_view();
  const std::string_view text = l.cst.text(name);
  const bool is_of_library = space == "std" || space.starts_with("std.") ||
                             text.starts_with("std::") || text.starts_with("::std::");
  return is_of_library ? flag::hook : std::uint16_t{0};
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
  extents(l, declarator);
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
  conditions(l, node);
  if (declarator != 0) conditions(l, declarator);
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
  extents(l, at);
  if (is_first) conditions(l, node);
  if (value != 0) value_of(l, value, l.is(name, "identifier") ? name : 0);
  l.close();
}

}  // namespace

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
  // That of a condition, `if (int v = f())`, stands beside its declarator.
  const std::uint32_t given = l.child(node, Field::value);
  const std::uint32_t value = given != 0 ? given : l.child(node, Field::default_value);
  bool is_first = true;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) != Field::declarator) return;
    if (l.is(i, "operator_cast")) {
      l.open(Kind::Function, i, 0, function_symbol(l, 0, i));
      type_of(l, l.child(i, Field::type));
      l.close();
      return;
    }
    declarator(l, node, i, type, is_first, value);
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
  if (l.is(node, "optional_type_parameter_declaration")) return 0;  // `class = D`
  std::uint32_t last = 0;
  l.each_named(node, [&](std::uint32_t i) { last = i; });
  if (last != 0 && l.is(node, "template_template_parameter_declaration"))
    return name_of_parameter(l, last);
  return last != 0 && l.is(last, "type_identifier") ? last : 0;
}

/// `TEST(a, b) { … }`: a function that a macro makes, and hands to who calls it.
std::uint16_t macro_flag(const Lowering& l, std::uint32_t node, std::uint32_t name) {
  const Node& around = l.enclosing_node();
  const bool is_member = around.kind == Kind::Class && (around.flags & flag::name_space) == 0;
  const bool is_macro = name != 0 && !is_member && l.child(node, Field::type) == 0 &&
                        l.is(name, "identifier") && is_shouted(l.cst.text(name));
  return is_macro ? flag::hook : std::uint16_t{0};
}

}  // namespace

void names_of_template(Lowering& l, std::uint32_t node) {
  for (std::uint32_t at = parent_of(l, node); is_cpp(l) && l.is(at, "template_declaration");
       at = parent_of(l, at)) {
    const std::uint32_t list = l.child(at, Field::parameters);
    if (list == 0) continue;
    l.open(Kind::Type, list);
    l.each_named(list, [&](std::uint32_t i) {
      const std::uint32_t name = name_of_parameter(l, i);
      if (name != 0) l.leaf(Kind::Name, name, flag::store, l.symbol(name));
      l.each_named(i, [&](std::uint32_t part) {  // its type, what it is without an argument
        const bool is_name = part == name || l.field(part) == Field::declarator;
        if (!is_name && !l.is(part, "type_parameter_declaration")) l.lower(part);
      });
    });
    l.each_named(at, [&](std::uint32_t i) {
      if (l.is(i, "requires_clause")) l.lower(i);
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
                                    root_flag(l, node, outer) |
                                    macro_flag(l, node, owner == 0 ? name : 0)),
         function_symbol(l, name, conversion));
  names_of_template(l, node);
  if (const std::uint32_t list = name == 0 ? 0 : arguments_of(l, name)) said(l, list);
  signature(l, node, declarator);
  if (conversion != 0) type_of(l, l.child(conversion, Field::type));
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
                                 (is_cpp(l) && l.is_interface ? flag::hook : std::uint16_t{0}) |
                                 specialisation_flag(l, own)),
      name == 0 ? 0 : l.symbol(last_word(l, name)));
  names_of_template(l, node);
  if (const std::uint32_t list = own == 0 ? 0 : arguments_of(l, own)) said(l, list);
  conditions(l, node);
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

}  // namespace gh::syntax::c_family
