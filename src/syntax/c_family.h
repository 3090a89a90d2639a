// What C and C++ have in common: how declarators are read, and the rows of C, which C++ extends.
#pragma once

#include <span>

#include "syntax/parts.h"

namespace gh::syntax::c_family {

/// The node that names what a declarator declares; 0 when it names nothing.
std::uint32_t declared_name(const Lowering&, std::uint32_t declarator);
/// The function_declarator when it is a function that is declared, not a pointer to one; else 0.
std::uint32_t declared_function(const Lowering&, std::uint32_t declarator);
/// The last word of a name, without what it is qualified by or instantiated with.
std::uint32_t last_word(const Lowering&, std::uint32_t name);
/// `A::B` of `A::B::f` as `A.B`; 0 when it is not qualified.
std::uint32_t qualifier_symbol(Lowering&, std::uint32_t name);

void declaration(Lowering&, std::uint32_t node);
void field_declaration(Lowering&, std::uint32_t node);
void type_definition(Lowering&, std::uint32_t node);
void linkage(Lowering&, std::uint32_t node);
void struct_specifier(Lowering&, std::uint32_t node);
void enum_specifier(Lowering&, std::uint32_t node);
void enumerator(Lowering&, std::uint32_t node);
/// An `else` that stands where a type or an expression would.
bool is_stray_else(const Lowering&, std::uint32_t node);

void parameters(Lowering&, std::uint32_t list);
/// A target of any shape, as something written to.
void declared_target(Lowering&, std::uint32_t declarator);
/// A list of expressions where statements stand, each as one.
void as_statements(Lowering&, std::uint32_t expression);
/// A function with or without a body.
void function(Lowering&, std::uint32_t node);
/// A struct, union or class; `name` when its own is missing.
void record(Lowering&, std::uint32_t node, std::uint32_t name = 0);
/// The parameters of the templates around a declaration, as names that it binds.
void names_of_template(Lowering&, std::uint32_t node);
/// Parameters, result and body of a lambda of C++.
void lambda_parts(Lowering&, std::uint32_t node);
void finally_clause(Lowering&, std::uint32_t node);

std::span<const Row> rows();

}  // namespace gh::syntax::c_family
