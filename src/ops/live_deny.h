#pragma once
// Does the hook of a host really stop a write? It is run as the host would run it, with a write
// that no intent covers.
#include <optional>
#include <string>

#include "git/repo.h"
#include "ops/operation.h"
#include "setup/hosts.h"

namespace gh::ops {

struct LiveAnswer {
  bool denied = false;
  std::string what{};  // why it did not; or what it said
};
/// `enforce`: as if the repository enforced; else as it is set.
LiveAnswer try_hook(setup::Host, const git::Repo&, Context&, bool enforce);

/// Where a shell that is no login shell finds the program; nothing: it does not.
std::optional<std::string> resolved_program(Context&);

/// A program of that name in a folder of PATH; empty: none.
std::string program_on_path(std::string_view name, sys::Env&);

}  // namespace gh::ops
