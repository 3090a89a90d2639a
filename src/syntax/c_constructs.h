// Constructs of C and C++ that the grammars do not know. Where one of the same length and the same
// meaning for every measure is known, it is written over them; names and literals are still taken
// from the source itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gh::syntax {

/// Text for the parser, as long as the source; nullopt when there is nothing to write over.
std::optional<std::string> known_constructs(std::string_view source, bool cpp);

}  // namespace gh::syntax
