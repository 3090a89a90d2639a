#pragma once
// Whether one pattern takes everything that another takes. Decided exactly for patterns of letters
// and stars, over any alphabet: no text is tried.
#include <string_view>

namespace gh::powers {

/// A star stands for any text, also for none; a backslash before it for the star itself.
bool takes_all_of(std::string_view wide, std::string_view narrow);

/// The same of paths as gitignore writes them, part by part: a star stays within its part, two of
/// them alone in a part are any number of parts. What names a folder takes everything below it.
bool path_takes_all_of(std::string_view wide, std::string_view narrow);

}  // namespace gh::powers
