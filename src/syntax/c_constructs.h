// Constructs of C and C++ that the grammars do not know. Where one of the same length and the same
// meaning for every measure is known, it is written over them; names and literals are still taken
// from the source itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gh::syntax {

/// Text for the parser, as long as the source; nullopt when there is nothing to write over.
std::optional<std::string> known_constructs(std::string_view source, bool cpp);

/// The same for a text that could not be read whole, such as a `switch` whose body has no braces,
/// as a `while`, and its labels, if it begins with some, as an `if` each. nullopt when it has none.
std::optional<std::string> unread_constructs(std::string_view source, bool cpp);

/// The words in the parentheses behind a `typeof`, which ends at `end`; `known_constructs` leaves
/// them out.
std::vector<std::string_view> words_of_typeof(std::string_view source, std::size_t end);

}  // namespace gh::syntax
