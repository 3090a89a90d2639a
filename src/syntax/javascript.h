// JavaScript by tree-sitter: its rows, which TypeScript has too, and what needs more than a row.
#pragma once

#include <array>

#include "syntax/parts.h"

namespace gh::syntax::js {

using parts::named;
using parts::Nodes;

// statements
void expression_statement(Lowering&, std::uint32_t node);
void variables(Lowering&, std::uint32_t node);
void using_declaration(Lowering&, std::uint32_t node);
void if_statement(Lowering&, std::uint32_t node);
void for_statement(Lowering&, std::uint32_t node);
void for_in_statement(Lowering&, std::uint32_t node);
void do_statement(Lowering&, std::uint32_t node);
void with_statement(Lowering&, std::uint32_t node);
void switch_case(Lowering&, std::uint32_t node);
void try_statement(Lowering&, std::uint32_t node);
void catch_clause(Lowering&, std::uint32_t node);
void jump(Lowering&, std::uint32_t node);
void labeled_statement(Lowering&, std::uint32_t node);

// expressions
void binary_expression(Lowering&, std::uint32_t node);
void member_expression(Lowering&, std::uint32_t);
void subscript_expression(Lowering&, std::uint32_t);
void call_expression(Lowering&, std::uint32_t);
void assignment_expression(Lowering&, std::uint32_t node);
void augmented_assignment(Lowering&, std::uint32_t node);
void update_expression(Lowering&, std::uint32_t node);
void template_string(Lowering&, std::uint32_t node);
void object(Lowering&, std::uint32_t node);
void pattern_with_default(Lowering&, std::uint32_t node);
void yield_expression(Lowering&, std::uint32_t node);
void jsx_element(Lowering&, std::uint32_t node);
void jsx_attribute(Lowering&, std::uint32_t node);

// declarations
void plain_function(Lowering&, std::uint32_t node);
void function_declaration(Lowering&, std::uint32_t node);
void method_of_object(Lowering&, std::uint32_t node);
void class_declaration(Lowering&, std::uint32_t node);
void import_statement(Lowering&, std::uint32_t node);
void export_statement(Lowering&, std::uint32_t node);

// shared by the parts
std::uint32_t without_parentheses(const Lowering&, std::uint32_t node);
/// The text of a string, or of a name that may be written as one.
std::uint32_t unquoted(Lowering&, std::uint32_t node);
/// A declared type, out of the way of comparisons; nothing for 0.
void type(Lowering&, std::uint32_t node, std::uint16_t flags = 0);
/// A value: a function or class in it has the name that it is bound to.
void value(Lowering&, std::uint32_t node, std::uint32_t name);
/// A declaration, `flags` say how it is seen.
void declaration(Lowering&, std::uint32_t node, std::uint16_t flags, const Nodes& decorators);
/// `declare …`: what is said there is somewhere else.
void ambient(Lowering&, std::uint32_t node);
/// Of a class or enum that is only said to be somewhere: nobody here needs to use it.
std::uint16_t elsewhere_flag(const Lowering&, std::uint32_t node);
/// A function, method or signature from its name on.
void function(Lowering&, std::uint32_t node, std::uint32_t name, std::uint16_t flags,
              const Nodes& decorators);
void class_body(Lowering&, std::uint32_t node);
void variables_of(Lowering&, std::uint32_t node, std::uint16_t flags);
/// Assignments, ++ and -- are statements of their own, the rest is an Expr.
void as_statement(Lowering&, std::uint32_t expression);

// clang-format off
// table: javascript nodes
inline constexpr std::array kRows = std::to_array<Row>({
    {"program",                  Shape::node,    Kind::Module},
    {"hash_bang_line",           Shape::skip},
    {"statement_block",          Shape::inside},
    {"else_clause",              Shape::inside},
    {"finally_clause",           Shape::inside},
    {"empty_statement",          Shape::skip},
    {"debugger_statement",       Shape::leaf,    Kind::Pass},
    {"expression_statement",     Shape::special, Kind::Expr, 0, {}, expression_statement},
    {"lexical_declaration",      Shape::special, Kind::Assign, 0, {}, variables},
    {"variable_declaration",     Shape::special, Kind::Assign, 0, {}, variables},
    {"variable_declarator",      Shape::skip},
    {"using_declaration",        Shape::special, Kind::With, 0, {}, using_declaration},
    {"return_statement",         Shape::node,    Kind::Return},
    {"throw_statement",          Shape::node,    Kind::Raise},
    {"break_statement",          Shape::special, Kind::Break, 0, {}, jump},
    {"continue_statement",       Shape::special, Kind::Continue, 0, {}, jump},
    {"labeled_statement",        Shape::special, Kind::Label, 0, {}, labeled_statement},
    {"statement_identifier",     Shape::skip},
    {"if_statement",             Shape::special, Kind::If, 0, {}, if_statement},
    {"for_statement",            Shape::special, Kind::For, 0, {}, for_statement},
    {"for_in_statement",         Shape::special, Kind::For, 0, {}, for_in_statement},
    {"while_statement",          Shape::node,    Kind::While, 0, {{{Field::body, Role::body}}}},
    {"do_statement",             Shape::special, Kind::DoWhile, 0, {}, do_statement},
    {"with_statement",           Shape::special, Kind::With, 0, {}, with_statement},
    {"switch_statement",         Shape::node,    Kind::Match, 0, {{{Field::body, Role::inside}}}},
    {"switch_body",              Shape::inside},
    {"switch_case",              Shape::special, Kind::Case, 0, {}, switch_case},
    {"switch_default",           Shape::special, Kind::Case, 0, {}, switch_case},
    {"try_statement",            Shape::special, Kind::Try, 0, {}, try_statement},
    {"catch_clause",             Shape::special, Kind::Handler, 0, {}, catch_clause},
    {"import_statement",         Shape::special, Kind::ImportFrom, 0, {}, import_statement},
    {"import_clause",            Shape::skip},
    {"named_imports",            Shape::skip},
    {"namespace_import",         Shape::skip},
    {"import_specifier",         Shape::skip},
    {"import_attribute",         Shape::skip},
    {"export_statement",         Shape::special, Kind::ImportFrom, 0, {}, export_statement},
    {"export_clause",            Shape::skip},
    {"export_specifier",         Shape::skip},
    {"namespace_export",         Shape::skip},
    {"function_declaration",     Shape::special, Kind::Function, 0, {}, function_declaration},
    {"generator_function_declaration", Shape::special, Kind::Function, 0, {}, function_declaration},
    {"function_expression",      Shape::special, Kind::Lambda, 0, {}, plain_function},
    {"generator_function",       Shape::special, Kind::Lambda, 0, {}, plain_function},
    {"arrow_function",           Shape::special, Kind::Lambda, 0, {}, plain_function},
    {"formal_parameters",        Shape::skip},
    {"method_definition",        Shape::special, Kind::Function, 0, {}, method_of_object},
    {"class_declaration",        Shape::special, Kind::Class, 0, {}, class_declaration},
    {"class",                    Shape::special, Kind::Class, 0, {}, class_declaration},
    {"class_heritage",           Shape::inside},
    {"class_body",               Shape::inside},
    {"class_static_block",       Shape::inside},
    {"field_definition",         Shape::skip},
    {"decorator",                Shape::node,    Kind::Decorator},
    {"identifier",               Shape::name,    Kind::Name},
    {"property_identifier",      Shape::name,    Kind::Name},
    {"private_property_identifier", Shape::name, Kind::Name},
    {"shorthand_property_identifier", Shape::name, Kind::Name},
    {"shorthand_property_identifier_pattern", Shape::name, Kind::Name},
    {"this",                     Shape::name,    Kind::Name},
    {"super",                    Shape::name,    Kind::Name},
    {"import",                   Shape::name,    Kind::Name},
    {"meta_property",            Shape::name,    Kind::Name},
    {"undefined",                Shape::leaf,    Kind::Const},
    {"null",                     Shape::leaf,    Kind::Const},
    {"true",                     Shape::leaf,    Kind::Const},
    {"false",                    Shape::leaf,    Kind::Const},
    {"number",                   Shape::leaf,    Kind::Const},
    {"regex",                    Shape::leaf,    Kind::Const},
    {"string",                   Shape::leaf,    Kind::Str},
    {"string_fragment",          Shape::skip},
    {"escape_sequence",          Shape::skip},
    {"template_string",          Shape::special, Kind::Interp, 0, {}, template_string},
    {"template_substitution",    Shape::node,    Kind::Interp, flag::part},
    {"parenthesized_expression", Shape::inside},
    {"sequence_expression",      Shape::node,    Kind::Tuple},
    {"member_expression",        Shape::special, Kind::Attribute, 0, {}, member_expression},
    {"optional_chain",           Shape::skip},
    {"subscript_expression",     Shape::special, Kind::Subscript, 0, {}, subscript_expression},
    {"call_expression",          Shape::special, Kind::Call, 0, {}, call_expression},
    {"new_expression",           Shape::node,    Kind::New},
    {"arguments",                Shape::inside},
    {"spread_element",           Shape::node,    Kind::Star},
    {"rest_pattern",             Shape::node,    Kind::Star},
    {"array",                    Shape::node,    Kind::List},
    {"array_pattern",            Shape::node,    Kind::List},
    {"object",                   Shape::special, Kind::Dict, 0, {}, object},
    {"object_pattern",           Shape::special, Kind::Dict, 0, {}, object},
    {"pair",                     Shape::skip},
    {"pair_pattern",             Shape::skip},
    {"computed_property_name",   Shape::inside},
    {"assignment_pattern",       Shape::special, Kind::NamedExpr, 0, {}, pattern_with_default},
    {"object_assignment_pattern", Shape::special, Kind::NamedExpr, 0, {}, pattern_with_default},
    {"binary_expression",        Shape::special, Kind::BinOp, 0, {}, binary_expression},
    {"unary_expression",         Shape::node,    Kind::UnaryOp, 0, {{{Field::operator_, Role::op}}}},
    {"update_expression",        Shape::special, Kind::UnaryOp, 0, {}, update_expression},
    {"ternary_expression",       Shape::node,    Kind::Ternary},
    {"assignment_expression",    Shape::special, Kind::NamedExpr, 0, {}, assignment_expression},
    {"augmented_assignment_expression", Shape::special, Kind::AugAssign, 0, {}, augmented_assignment},
    {"await_expression",         Shape::node,    Kind::Await},
    {"yield_expression",         Shape::special, Kind::Yield, 0, {}, yield_expression},
    {"jsx_element",              Shape::special, Kind::Call, 0, {}, jsx_element},
    {"jsx_self_closing_element", Shape::special, Kind::Call, 0, {}, jsx_element},
    {"jsx_opening_element",      Shape::skip},
    {"jsx_closing_element",      Shape::skip},
    {"jsx_attribute",            Shape::special, Kind::KwArg, 0, {}, jsx_attribute},
    {"jsx_expression",           Shape::inside},
    {"jsx_namespace_name",       Shape::name,    Kind::Name},
    {"jsx_text",                 Shape::skip},
    {"html_character_reference", Shape::skip},
});
// clang-format on

}  // namespace gh::syntax::js
