// What the lowering of Java shares: helpers, and declarations, which stand in a file of their own.
#pragma once

#include <string_view>

#include "syntax/parts.h"

namespace gh::syntax::java {

/// The first child of the type; 0: none.
std::uint32_t child_of_type(const Lowering&, std::uint32_t node, std::string_view type);

template <class F>
void each_of(const Lowering& l, std::uint32_t node, Field field, F&& f) {
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) == field) f(i);
  });
}

bool is_annotation(const Lowering&, std::uint32_t node);
/// The block of a class; the components of a record are its fields.
void class_body(Lowering&, std::uint32_t node, std::uint32_t components);

// Special rows.
void annotation(Lowering&, std::uint32_t node);
void local_variables(Lowering&, std::uint32_t node);
void fields(Lowering&, std::uint32_t node);
void constants(Lowering&, std::uint32_t node);
void method(Lowering&, std::uint32_t node);
void lambda(Lowering&, std::uint32_t node);
void declared_class(Lowering&, std::uint32_t node);
void enum_constant(Lowering&, std::uint32_t node);
void package_declaration(Lowering&, std::uint32_t node);
void import_declaration(Lowering&, std::uint32_t node);

}  // namespace gh::syntax::java
