// C by tree-sitter: its rows, and what needs more than a row. C++ extends them.
#include <algorithm>
#include <array>

#include "syntax/c_constructs.h"
#include "syntax/c_family.h"
#include "syntax/c_macros.h"
#include "syntax/c_tokens.h"

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
using parts::step_statement;
using parts::type_of;

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

/// A macro that loops is read as `while`, or as `if` when its name is short; that name is still in
/// the source.
void loop_by_macro(Lowering& l, std::uint32_t node, Field body) {
  const std::string_view from = l.cst.source.substr(l.cst.nodes[node].start);
  const auto end = std::ranges::find_if_not(from, c_tokens::is_word_char);
  const std::string_view name = from.substr(0, static_cast<std::size_t>(end - from.begin()));
  l.open(Kind::For, node);
  l.open(Kind::Call, node);
  l.leaf(Kind::Name, node + 1, 0, l.tree.symbols.id_of(name));
  lower_field(l, node, Field::condition);
  l.close();
  block_or_empty(l, l.child(node, body), node, Arm::body);
  l.close();
}

void if_statement(Lowering& l, std::uint32_t node) {
  l.cst.text(node + 1) == "if" ? if_chain(l, node) : loop_by_macro(l, node, Field::consequence);
}

void while_statement(Lowering& l, std::uint32_t node) {
  if (l.cst.text(node + 1) == kSwitch) return switch_statement(l, node);
  if (l.cst.text(node + 1) != "while") return loop_by_macro(l, node, Field::body);
  l.open(Kind::While, node);
  lower_field(l, node, Field::condition);
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
    {"if_statement",              Shape::special, Kind::If, 0, {}, if_statement},
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
