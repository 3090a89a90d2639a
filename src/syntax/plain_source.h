// What compilers do to a text before they read its first token; a reader that does not would see a
// comment where they see code.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "syntax/language.h"

namespace gh::syntax {

/// The text as the compilers of the language see it; nullopt when that is the text itself. Lines
/// keep their numbers, columns may not.
std::optional<std::string> plain_source(Language, std::string_view source);

/// Python in which a dot at the end of a line inside of brackets stands before the name that it is
/// for, wherever that is; nullopt when there is none. The grammar takes a line that is indented
/// less than the block around it for the end of that block when it follows such a dot.
std::optional<std::string> with_dots_at_names(std::string_view python);

}  // namespace gh::syntax
