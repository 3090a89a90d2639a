#pragma once
// The command-line door: arguments to a request, a reply to standard output and an exit status.
#include <span>
#include <string>

#include "sys/env.h"

namespace gh::cli {

/// `args` without the program name. Returns the exit status.
int run(std::span<const std::string> args, sys::Env&);

}  // namespace gh::cli
