#pragma once
// A word as a POSIX shell takes it back, for commands that somebody is to paste.
#include <string>
#include <string_view>

namespace gh {

std::string shell_word(std::string_view);

/// The same of a file: one whose name begins with a dash is no option.
std::string path_word(std::string_view path);

}  // namespace gh
