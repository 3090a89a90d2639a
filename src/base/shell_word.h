#pragma once
// A word as a POSIX shell takes it back, for commands that somebody is to paste.
#include <string>
#include <string_view>

namespace gh {

std::string shell_word(std::string_view);

}  // namespace gh
