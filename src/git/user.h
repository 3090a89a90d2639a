#pragma once
// Whose commit would it be, if it were made by hand?
#include <optional>
#include <string_view>

#include "git/repo.h"

namespace gh::git {

/// Whom git takes for the `role` ("AUTHOR", "COMMITTER") of a commit here: its variables, then the
/// settings of the repository, then those of the user and the machine. nullopt: nobody said.
Result<std::optional<Identity>> configured_user(const Repo&, std::string_view role, sys::Env&);

}  // namespace gh::git
