// Pieces of lowering that languages have in common.
#pragma once

#include <vector>

#include "syntax/lowering.h"

namespace gh::syntax::parts {

using Nodes = std::vector<std::uint32_t>;

Nodes named(const Lowering&, std::uint32_t node);
std::uint32_t first_named(const Lowering&, std::uint32_t node);  // 0: none
std::uint32_t last_child(const Lowering&, std::uint32_t node);   // also a token

/// Nothing where the field is empty.
void lower_field(Lowering&, std::uint32_t node, Field, bool as_target = false);

/// A Block in any case; `list` 0: an empty one at `span`.
void block_or_empty(Lowering&, std::uint32_t list, std::uint32_t span, Arm);

/// What is declared: a Type around `node`; 0: nothing.
void type_of(Lowering&, std::uint32_t node, std::uint16_t flags = 0);

/// `a && b && c` is one BoolOp, a comparison a Compare, anything else a BinOp. What stands in
/// parentheses stays on its own.
void binary(Lowering&, std::uint32_t node);

/// From an operand to what it is about.
using Through = std::uint32_t (*)(const Lowering&, std::uint32_t);
/// The operands of one boolean operator, which grammars nest to the left, as one BoolOp `op`.
/// What stands in parentheses stays on its own.
void boolean_chain(Lowering&, std::uint32_t node, std::string_view op, Through = nullptr);

/// A value that is handed out where a statement stands.
void yield_statement(Lowering&, std::uint32_t node);

/// `x++` as a statement adds one.
void step_statement(Lowering&, std::uint32_t node, std::uint32_t target, std::string_view op);

/// `target op= value`; the operator is spelled with its '='.
void assign_statement(Lowering&, std::uint32_t node, std::uint32_t target, std::string_view op,
                      std::uint32_t value);

/// The whole chain of `if … else if … else`; a declaration before a test follows it, so that the
/// test stays first.
void if_chain(Lowering&, std::uint32_t node);

/// Each list of the node's children, as one value or as a Tuple.
void tuple_or_one(Lowering&, std::uint32_t node);

}  // namespace gh::syntax::parts
