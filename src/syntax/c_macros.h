// What macros stand for is not seen in a file of C or C++. Some of them can be read all the same:
// by where they stand they are attributes, loops or types. Those are written over, byte for byte,
// with something that the grammar knows; names and literals are still taken from the source itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/ir.h"

namespace gh::syntax {

/// Text for the parser, as long as the source.
std::string readable_c(std::string_view source);
std::string readable_cpp(std::string_view source);

/// `__attribute__((constructor(101)))`, `[[gnu::__used__]]`: one of its words, with or without
/// underscores around it.
bool names_root_attribute(std::string_view text);

/// Written as macros are: more than three letters, none of them small.
bool is_shouted(std::string_view word);

/// Names in the arguments of macros that the parser was not shown.
std::vector<Comment> arguments_set_aside(std::string_view source, std::string_view read);

}  // namespace gh::syntax
