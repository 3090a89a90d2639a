// Constructs of JavaScript, TypeScript, Rust and Java that the grammars do not know, written over
// word by word with ones that they do, byte for byte as long. What stands in a comment or a literal
// may be written over too: both are taken from the source itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "syntax/languages.h"

namespace gh::syntax {

/// `using x = …` as `const x = …`; text for the parser.
std::string with_const_for_using(std::string_view source);

/// The same for TypeScript, and `a!.b` as `a .b`: the grammar gives the mark to all that stands
/// before it, so that `a && b!.c` would be `(a && b)!.c`.
std::string readable_typescript(std::string_view source);

/// For a text that could not be read whole; nullopt when it has none.
std::optional<std::string> unread_words(Language, std::string_view source);

}  // namespace gh::syntax
