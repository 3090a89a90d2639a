// Parts of the lowering of Rust that stand in files of their own.
#pragma once

#include "syntax/parts.h"

namespace gh::syntax::rust {

/// What is said before a declaration, and its `pub`; `pub(crate)` is for this crate alone.
std::uint16_t outer_flags(const Lowering&, std::uint32_t node);

/// The file that `#[path = "…"]` before a declaration names; empty when it says none.
std::string_view path_before(const Lowering&, std::uint32_t node);
/// Names and texts that an attribute gives to a macro which is not known.
void attribute(Lowering&, std::uint32_t node);

/// One ImportFrom for every name; lists inside lists are opened.
void use_declaration(Lowering&, std::uint32_t node);
void extern_crate(Lowering&, std::uint32_t node);

}  // namespace gh::syntax::rust
