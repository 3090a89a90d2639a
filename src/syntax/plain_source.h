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

}  // namespace gh::syntax
