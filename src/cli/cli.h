#pragma once
// The command-line door: arguments to a request, a reply to standard output and an exit status.
#include <span>
#include <string>
#include <string_view>

#include "ops/operation.h"
#include "sys/env.h"

namespace gh::cli {

/// What opens when a row of the operation table is a door of its own.
struct Door {
  std::string_view operation;
  ops::Run open;
};

/// `args` without the program name. Returns the exit status.
int run(std::span<const std::string> args, sys::Env&, std::span<const Door> doors = {},
        bool by_old_name = false);

/// Was the program started under the old name of the release gate?
bool is_old_name(std::string_view started_as);

}  // namespace gh::cli
