// Java by tree-sitter: its rows, and what needs more than a row.
#include "syntax/java.h"

#include <array>
#include <string_view>

#include "syntax/word_constructs.h"

extern "C" const TSLanguage* tree_sitter_java();

namespace gh::syntax {
namespace java {
namespace {

using parts::named;
using parts::Nodes;
using parts::yield_statement;

std::string_view spelling(const Lowering& l, std::uint32_t node) {
  const std::uint32_t op = l.child(node, Field::operator_);
  return op == 0 ? std::string_view() : l.cst.text(op);
}

void as_type(Lowering& l, std::uint32_t node) {
  l.open(Kind::Type, node);
  l.inside(node);
  l.close();
}

/// `T extends B`: a name that is bound there.
void type_parameter(Lowering& l, std::uint32_t node) {
  l.each_named(node, [&](std::uint32_t i) { l.lower(i, l.is(i, "type_identifier")); });
}

void bound(Lowering& l, std::uint32_t name) {
  l.open(Kind::Arg, name, flag::target);
  l.lower(name, true);
  l.close();
}

// ------------------------------------------------------------------------------------- statements

/// The operand of ++ or --, which has no field.
std::uint32_t operand(const Lowering& l, std::uint32_t node) {
  const Nodes all = named(l, node);
  return all.empty() ? 0 : all.front();
}

std::string_view step_of(const Lowering& l, std::uint32_t node) {
  return l.has_token(node, "++") ? "++" : "--";
}

void assignment(Lowering& l, std::uint32_t node) {
  std::string_view op = spelling(l, node);
  const std::uint32_t left = l.child(node, Field::left), right = l.child(node, Field::right);
  if (op != "=") {
    op.remove_suffix(op.empty() ? 0 : 1);
    l.open(Kind::AugAssign, node, op_of(op));
    if (left != 0) l.lower(left, true);
    if (right != 0) l.lower(right);
    return l.close();
  }
  l.open(Kind::Assign, node);
  for (std::uint32_t at = node;;) {  // `a = b = c` has two targets
    const std::uint32_t target = l.child(at, Field::left), held = l.child(at, Field::right);
    if (target != 0) l.lower(target, true);
    if (held == 0) break;
    if (!l.is(held, "assignment_expression") || spelling(l, held) != "=") {
      l.lower(held);
      break;
    }
    at = held;
  }
  l.close();
}

void as_statement(Lowering& l, std::uint32_t expression) {
  if (l.is(expression, "assignment_expression")) return assignment(l, expression);
  if (l.is(expression, "update_expression")) {
    l.open(Kind::AugAssign, expression, op_of(step_of(l, expression).substr(0, 1)));
    if (const std::uint32_t what = operand(l, expression)) l.lower(what, true);
    l.leaf(Kind::Const, expression);
    return l.close();
  }
  if (l.is(expression, "switch_expression")) return l.lower(expression);
  l.open(Kind::Expr, expression);
  l.lower(expression);
  l.close();
}

void expression_statement(Lowering& l, std::uint32_t node) {
  l.each_named(node, [&](std::uint32_t i) { as_statement(l, i); });
}

void for_statement(Lowering& l, std::uint32_t node) {
  l.open(Kind::For, node);
  each_of(l, node, Field::init, [&](std::uint32_t i) {
    l.is(i, "local_variable_declaration") ? l.lower(i) : as_statement(l, i);
  });
  if (const std::uint32_t test = l.child(node, Field::condition)) {
    l.open(Kind::Arg, test, flag::condition);
    l.lower(test);
    l.close();
  }
  each_of(l, node, Field::update, [&](std::uint32_t i) { as_statement(l, i); });
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::body);
  l.close();
}

void enhanced_for(Lowering& l, std::uint32_t node) {
  l.open(Kind::For, node);
  if (const std::uint32_t name = l.child(node, Field::name)) l.lower(name, true);
  parts::type_of(l, l.child(node, Field::type));
  if (const std::uint32_t held = l.child(node, Field::value)) l.lower(held);
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::body);
  l.close();
}

void do_statement(Lowering& l, std::uint32_t node) {
  l.open(Kind::DoWhile, node);
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::body);
  if (const std::uint32_t test = l.child(node, Field::condition)) l.lower(test);
  l.close();
}

/// `break` and `continue`, with the label they name.
void jump(Lowering& l, std::uint32_t node) {
  const Nodes label = named(l, node);
  l.leaf(l.is(node, "break_statement") ? Kind::Break : Kind::Continue, node, 0,
         label.empty() ? 0 : l.symbol(label.front()));
}

/// The label stands before its statement, which stays where metrics look for it.
void labeled_statement(Lowering& l, std::uint32_t node) {
  const Nodes parts = named(l, node);
  for (std::size_t i = 0; i < parts.size(); ++i)
    i == 0 ? l.leaf(Kind::Label, parts[i], 0, l.symbol(parts[i])) : l.lower(parts[i]);
}

void synchronized_statement(Lowering& l, std::uint32_t node) {
  l.open(Kind::With, node);
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) == Field::body) return l.block(i, Arm::body);
    l.open(Kind::Arg, i);
    l.lower(i);
    l.close();
  });
  l.close();
}

void resource(Lowering& l, std::uint32_t node) {
  l.open(Kind::Arg, node);
  if (const std::uint32_t held = l.child(node, Field::value)) {
    l.lower(held);
    if (const std::uint32_t name = l.child(node, Field::name)) bound(l, name);
    parts::type_of(l, l.child(node, Field::type));
  } else {
    l.inside(node);
  }
  l.close();
}

/// Handlers and `finally` are around the resources, which are a With on the same level.
void try_statement(Lowering& l, std::uint32_t node) {
  const std::uint32_t resources = l.child(node, Field::resources);
  const std::uint32_t body = l.child(node, Field::body);
  const bool has_arms =
      child_of_type(l, node, "catch_clause") != 0 || child_of_type(l, node, "finally_clause") != 0;
  const bool is_try = has_arms || resources == 0;
  if (is_try) l.open(Kind::Try, node);
  if (resources != 0) {
    if (is_try) l.open(Kind::Block, body, static_cast<std::uint16_t>(Arm::body));
    l.open_from(resources, Kind::With, body == 0 ? node : body,
                is_try ? flag::elif : std::uint16_t{0});
    l.inside(resources);
  }
  if (body != 0) l.block(body, Arm::body);
  if (resources != 0) {
    l.close();
    if (is_try) l.close();
  }
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "catch_clause")) l.lower(i);
    if (l.is(i, "finally_clause")) {
      const std::uint32_t block = child_of_type(l, i, "block");
      l.block(block == 0 ? i : block, Arm::finally);
    }
  });
  if (is_try) l.close();
}

/// The types stay expressions, the name they are bound to is a target.
void catch_clause(Lowering& l, std::uint32_t node) {
  l.open(Kind::Handler, node);
  if (const std::uint32_t parameter = child_of_type(l, node, "catch_formal_parameter")) {
    if (const std::uint32_t types = child_of_type(l, parameter, "catch_type")) l.inside(types);
    if (const std::uint32_t name = l.child(parameter, Field::name)) bound(l, name);
  }
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::body);
  l.close();
}

// ----------------------------------------------------------------------------------------- switch

void open_case(Lowering& l, std::uint32_t label, std::uint32_t span) {
  const bool is_case = l.has_token(label, "case");  // also `case null, default`
  l.open(Kind::Case, span, is_case ? std::uint16_t{0} : flag::fallback);
  l.inside(label);
  l.open(Kind::Block, span, static_cast<std::uint16_t>(Arm::body));
}

/// `case 1: case 2: …` are two cases, of which the second has the statements.
void switch_group(Lowering& l, std::uint32_t node) {
  const Nodes parts = named(l, node);
  bool open = false;
  for (const std::uint32_t i : parts) {
    if (l.is(i, "switch_label")) {
      if (open) {
        l.close();
        l.close();
      }
      open_case(l, i, open ? i : node);
      open = true;
    } else {
      l.lower(i);
    }
  }
  if (open) {
    l.close();
    l.close();
  }
}

void guard(Lowering& l, std::uint32_t node) {
  l.open(Kind::Arg, node, flag::condition);
  l.inside(node);
  l.close();
}

// ------------------------------------------------------------------------------------ expressions

/// `Q x` of a case or a record: the name is a target.
void typed_pattern(Lowering& l, std::uint32_t node) {
  l.open(Kind::Tuple, node);
  l.each_named(node, [&](std::uint32_t i) { l.lower(i, l.is(i, "identifier")); });
  l.close();
}

void instanceof_expression(Lowering& l, std::uint32_t node) {
  l.open(Kind::Compare, node, op_of("instanceof"));
  l.each_named(node, [&](std::uint32_t i) { l.lower(i, l.field(i) == Field::name); });
  l.close();
}

/// Inside an expression; as a statement it is an Assign.
void assignment_expression(Lowering& l, std::uint32_t node) {
  if (spelling(l, node) != "=") return assignment(l, node);
  l.open(Kind::NamedExpr, node);
  if (const std::uint32_t left = l.child(node, Field::left)) l.lower(left, true);
  if (const std::uint32_t right = l.child(node, Field::right)) l.lower(right);
  l.close();
}

void update_expression(Lowering& l, std::uint32_t node) {
  const bool postfix = l.cst.nodes[node + 1].row != kTokenRow;
  l.open(Kind::UnaryOp, node, op_of(step_of(l, node)),
         postfix ? l.tree.symbols.id_of("postfix") : 0);
  if (const std::uint32_t what = operand(l, node)) l.lower(what, true);
  l.close();
}

void method_invocation(Lowering& l, std::uint32_t node) {
  const std::uint32_t object = l.child(node, Field::object), name = l.child(node, Field::name);
  l.open(Kind::Call, node);
  if (name != 0 && object != 0) {
    l.open(Kind::Attribute, node, 0, l.symbol(name));
    l.lower(object);
    l.close();
  } else if (name != 0) {
    l.lower(name);
  }
  if (const std::uint32_t types = l.child(node, Field::type_arguments)) l.lower(types);
  if (const std::uint32_t list = l.child(node, Field::arguments)) l.inside(list);
  l.close();
}

void explicit_constructor(Lowering& l, std::uint32_t node) {
  l.open(Kind::Expr, node);
  l.open(Kind::Call, node);
  if (const std::uint32_t name = l.child(node, Field::constructor)) l.lower(name);
  if (const std::uint32_t object = l.child(node, Field::object)) l.lower(object);
  if (const std::uint32_t list = l.child(node, Field::arguments)) l.inside(list);
  l.close();
  l.close();
}

/// A::b and A::new.
void method_reference(Lowering& l, std::uint32_t node) {
  const Nodes parts = named(l, node);
  if (parts.empty()) return;
  const bool makes = l.has_token(node, "new");
  const std::uint32_t name =
      makes || parts.size() < 2 ? l.tree.symbols.id_of("new") : l.symbol(parts.back());
  l.open(Kind::Attribute, node, 0, name);
  l.lower(parts.front());
  l.close();
}

void class_literal(Lowering& l, std::uint32_t node) {
  l.open(Kind::Attribute, node, 0, l.tree.symbols.id_of("class"));
  l.inside(node);
  l.close();
}

void cast_expression(Lowering& l, std::uint32_t node) {
  l.open(Kind::Cast, node);
  if (const std::uint32_t held = l.child(node, Field::value)) l.lower(held);
  each_of(l, node, Field::type, [&](std::uint32_t i) { parts::type_of(l, i); });
  l.close();
}

/// `a.b.C` as a type: a chain like that of a value.
void scoped_type(Lowering& l, std::uint32_t node) {
  const Nodes parts = named(l, node);
  if (parts.size() < 2) return l.inside(node);
  l.open(Kind::Attribute, node, 0, l.symbol(parts.back()));
  l.lower(parts.front());
  l.close();
}

void scoped_identifier(Lowering& l, std::uint32_t node) {
  const std::uint32_t scope = l.child(node, Field::scope), name = l.child(node, Field::name);
  l.open(Kind::Attribute, node, 0, name == 0 ? 0 : l.symbol(name));
  if (scope != 0) l.lower(scope);
  l.close();
}

/// The class is the callee; one that is made on the spot comes last.
void object_creation(Lowering& l, std::uint32_t node) {
  const std::uint32_t made = l.child(node, Field::type);
  const std::uint32_t body = child_of_type(l, node, "class_body");
  l.open(Kind::New, node);
  if (made != 0) l.lower(made);
  l.each_named(node, [&](std::uint32_t i) {
    if (i == made || i == body || is_annotation(l, i)) return;
    l.lower(i);
  });
  if (body != 0) {
    l.open(Kind::Class, body, 0, l.tree.symbols.id_of("<anonymous>"));
    class_body(l, body, 0);
    l.close();
  }
  l.close();
}

void dimension(Lowering& l, std::uint32_t node) {
  l.open(Kind::Arg, node);
  l.inside(node);
  l.close();
}

void string_literal(Lowering& l, std::uint32_t node) {
  bool formatted = false, after_text = false;
  const Nodes parts = named(l, node);
  for (const std::uint32_t i : parts)
    formatted = formatted || l.is(i, "string_interpolation");
  if (!formatted) return l.leaf(Kind::Str, node);
  l.open(Kind::Interp, node);
  for (const std::uint32_t i : parts) {
    const bool is_text = !l.is(i, "string_interpolation");
    if (is_text && !after_text) l.leaf(Kind::Str, i);
    if (!is_text) l.lower(i);
    after_text = is_text;
  }
  l.close();
}

// clang-format off
// table: java nodes
constexpr std::array kRows = std::to_array<Row>({
    {"program",                  Shape::node,    Kind::Module},
    {"package_declaration",      Shape::special, Kind::Pass, 0, {}, package_declaration},
    {"module_declaration",       Shape::skip},
    {"import_declaration",       Shape::special, Kind::ImportFrom, 0, {}, import_declaration},
    {"asterisk",                 Shape::skip},
    {"modifiers",                Shape::skip},
    {"annotation",               Shape::special, Kind::Decorator, 0, {}, annotation},
    {"marker_annotation",        Shape::special, Kind::Decorator, 0, {}, annotation},
    {"annotation_argument_list", Shape::inside},
    {"element_value_pair",       Shape::node,    Kind::KwArg, 0, {{{Field::key, Role::symbol}}}},
    {"element_value_array_initializer", Shape::node, Kind::List},
    {"class_declaration",        Shape::special, Kind::Class, 0, {}, declared_class},
    {"record_declaration",       Shape::special, Kind::Class, 0, {}, declared_class},
    {"enum_declaration",         Shape::special, Kind::Class, 0, {}, declared_class},
    {"interface_declaration",    Shape::special, Kind::Class, 0, {}, declared_class},
    {"annotation_type_declaration", Shape::special, Kind::Class, 0, {}, declared_class},
    {"class_body",               Shape::inside},
    {"interface_body",           Shape::inside},
    {"annotation_type_body",     Shape::inside},
    {"enum_body",                Shape::inside},
    {"enum_body_declarations",   Shape::inside},
    {"enum_constant",            Shape::special, Kind::Assign, 0, {}, enum_constant},
    {"superclass",               Shape::inside},
    {"super_interfaces",         Shape::inside},
    {"extends_interfaces",       Shape::inside},
    {"type_list",                Shape::inside},
    {"permits",                  Shape::special, Kind::Type, 0, {}, as_type},
    {"throws",                   Shape::special, Kind::Type, 0, {}, as_type},
    {"field_declaration",        Shape::special, Kind::Assign, 0, {}, fields},
    {"constant_declaration",     Shape::special, Kind::Assign, 0, {}, constants},
    {"method_declaration",       Shape::special, Kind::Function, 0, {}, method},
    {"constructor_declaration",  Shape::special, Kind::Function, 0, {}, method},
    {"compact_constructor_declaration", Shape::special, Kind::Function, 0, {}, method},
    {"annotation_type_element_declaration", Shape::special, Kind::Function, 0, {}, method},
    {"formal_parameters",        Shape::skip},
    {"inferred_parameters",      Shape::skip},
    {"formal_parameter",         Shape::skip},
    {"spread_parameter",         Shape::skip},
    {"receiver_parameter",       Shape::skip},
    {"static_initializer",       Shape::inside},
    {"block",                    Shape::inside},
    {"constructor_body",         Shape::inside},
    {"expression_statement",     Shape::special, Kind::Expr, 0, {}, expression_statement},
    {"local_variable_declaration", Shape::special, Kind::Assign, 0, {}, local_variables},
    {"variable_declarator",      Shape::skip},
    {"return_statement",         Shape::node,    Kind::Return},
    {"throw_statement",          Shape::node,    Kind::Raise},
    {"assert_statement",         Shape::node,    Kind::Assert},
    {"break_statement",          Shape::special, Kind::Break, 0, {}, jump},
    {"continue_statement",       Shape::special, Kind::Continue, 0, {}, jump},
    {"labeled_statement",        Shape::special, Kind::Label, 0, {}, labeled_statement},
    {"yield_statement",          Shape::special, Kind::Yield, 0, {}, yield_statement},
    {"if_statement",             Shape::special, Kind::If, 0, {}, parts::if_chain},
    {"for_statement",            Shape::special, Kind::For, 0, {}, for_statement},
    {"enhanced_for_statement",   Shape::special, Kind::For, 0, {}, enhanced_for},
    {"while_statement",          Shape::node,    Kind::While, 0, {{{Field::body, Role::body}}}},
    {"do_statement",             Shape::special, Kind::DoWhile, 0, {}, do_statement},
    {"synchronized_statement",   Shape::special, Kind::With, 0, {}, synchronized_statement},
    {"try_statement",            Shape::special, Kind::Try, 0, {}, try_statement},
    {"try_with_resources_statement", Shape::special, Kind::Try, 0, {}, try_statement},
    {"resource_specification",   Shape::inside},
    {"resource",                 Shape::special, Kind::Arg, 0, {}, resource},
    {"catch_clause",             Shape::special, Kind::Handler, 0, {}, catch_clause},
    {"catch_formal_parameter",   Shape::skip},
    {"catch_type",               Shape::inside},
    {"finally_clause",           Shape::inside},
    {"switch_expression",        Shape::node,    Kind::Match, 0, {{{Field::body, Role::inside}}}},
    {"switch_block",             Shape::inside},
    {"switch_block_statement_group", Shape::special, Kind::Case, 0, {}, switch_group},
    {"switch_rule",              Shape::special, Kind::Case, 0, {}, switch_group},
    {"switch_label",             Shape::inside},
    {"guard",                    Shape::special, Kind::Arg, 0, {}, guard},
    {"pattern",                  Shape::inside},
    {"type_pattern",             Shape::special, Kind::Tuple, 0, {}, typed_pattern},
    {"record_pattern",           Shape::node,    Kind::Call},
    {"record_pattern_body",      Shape::inside},
    {"record_pattern_component", Shape::special, Kind::Tuple, 0, {}, typed_pattern},
    {"underscore_pattern",       Shape::name,    Kind::Name},
    {"explicit_constructor_invocation", Shape::special, Kind::Expr, 0, {}, explicit_constructor},
    {"identifier",               Shape::name,    Kind::Name},
    {"this",                     Shape::name,    Kind::Name},
    {"super",                    Shape::name,    Kind::Name},
    {"scoped_identifier",        Shape::special, Kind::Attribute, 0, {}, scoped_identifier},
    {"field_access",             Shape::node,    Kind::Attribute, 0, {{{Field::field, Role::symbol}}}},
    {"array_access",             Shape::node,    Kind::Subscript},
    {"method_invocation",        Shape::special, Kind::Call, 0, {}, method_invocation},
    {"argument_list",            Shape::inside},
    {"method_reference",         Shape::special, Kind::Attribute, 0, {}, method_reference},
    {"lambda_expression",        Shape::special, Kind::Lambda, 0, {}, lambda},
    {"object_creation_expression", Shape::special, Kind::New, 0, {}, object_creation},
    {"array_creation_expression", Shape::node,   Kind::New},
    {"array_initializer",        Shape::node,    Kind::List},
    {"dimensions_expr",          Shape::special, Kind::Arg, 0, {}, dimension},
    {"dimensions",               Shape::skip},
    {"class_literal",            Shape::special, Kind::Attribute, 0, {}, class_literal},
    {"parenthesized_expression", Shape::inside},
    {"assignment_expression",    Shape::special, Kind::NamedExpr, 0, {}, assignment_expression},
    {"update_expression",        Shape::special, Kind::UnaryOp, 0, {}, update_expression},
    {"binary_expression",        Shape::special, Kind::BinOp, 0, {}, parts::binary},
    {"instanceof_expression",    Shape::special, Kind::Compare, 0, {}, instanceof_expression},
    {"unary_expression",         Shape::node,    Kind::UnaryOp, 0, {{{Field::operator_, Role::op}}}},
    {"ternary_expression",       Shape::node,    Kind::Ternary},
    {"cast_expression",          Shape::special, Kind::Cast, 0, {}, cast_expression},
    {"template_expression",      Shape::node,    Kind::Call},
    {"string_literal",           Shape::special, Kind::Str, 0, {}, string_literal},
    {"string_interpolation",     Shape::node,    Kind::Interp, flag::part},
    {"string_fragment",          Shape::skip},
    {"multiline_string_fragment", Shape::skip},
    {"escape_sequence",          Shape::skip},
    {"character_literal",        Shape::leaf,    Kind::Const},
    {"decimal_integer_literal",  Shape::leaf,    Kind::Const},
    {"hex_integer_literal",      Shape::leaf,    Kind::Const},
    {"octal_integer_literal",    Shape::leaf,    Kind::Const},
    {"binary_integer_literal",   Shape::leaf,    Kind::Const},
    {"decimal_floating_point_literal", Shape::leaf, Kind::Const},
    {"hex_floating_point_literal", Shape::leaf,  Kind::Const},
    {"true",                     Shape::leaf,    Kind::Const},
    {"false",                    Shape::leaf,    Kind::Const},
    {"null_literal",             Shape::leaf,    Kind::Const},
    // types
    {"type_identifier",          Shape::name,    Kind::Name},
    {"integral_type",            Shape::name,    Kind::Name},
    {"floating_point_type",      Shape::name,    Kind::Name},
    {"boolean_type",             Shape::name,    Kind::Name},
    {"void_type",                Shape::name,    Kind::Name},
    {"scoped_type_identifier",   Shape::special, Kind::Attribute, 0, {}, scoped_type},
    {"generic_type",             Shape::inside},
    {"array_type",               Shape::inside},
    {"annotated_type",           Shape::inside},
    {"type_arguments",           Shape::special, Kind::Type, 0, {}, as_type},
    {"type_parameters",          Shape::special, Kind::Type, 0, {}, as_type},
    {"type_parameter",           Shape::special, Kind::Type, 0, {}, type_parameter},
    {"type_bound",               Shape::inside},
    {"wildcard",                 Shape::inside},
});
// clang-format on

}  // namespace
}  // namespace java

extern const LanguageSpec kJava{
    Language::java, tree_sitter_java,
    java::kRows,    false,
    nullptr,        [](std::string_view source) { return unread_words(Language::java, source); }};

}  // namespace gh::syntax
