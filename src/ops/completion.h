#pragma once
// Completion scripts from the operation table.
#include <string>

namespace gh::ops {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace gh::ops
