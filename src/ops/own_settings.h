#pragma once
// Settings of git that we write into a repository. Each is noted beside it, so that taking ours out
// leaves alone what a person wrote, the same words included.
#include <string_view>

#include "git/repo.h"

namespace gh::ops {

/// One more value of the setting; nothing when it has that value already.
Status add_own_setting(const git::Repo&, std::string_view name, std::string_view value);
/// Nothing unless add_own_setting put it there.
Status drop_own_setting(const git::Repo&, std::string_view name, std::string_view value);

}  // namespace gh::ops
