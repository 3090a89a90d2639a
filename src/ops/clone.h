#pragma once
// Which clone this is, where several share one ledger: a session of the same name in another clone
// is somebody else, and what is declared there is edited there.
#include <string>

#include "base/error.h"
#include "sys/env.h"

namespace gh::ops {

/// Of a repository's state folder, the same for all of its work trees; "none": nothing was ever
/// declared from here. A copy of the folder is another clone, a folder that was moved is not.
std::string clone_id(const std::string& state_dir);
/// The same, made where there is none.
Result<std::string> needed_clone_id(const std::string& state_dir, sys::Env&);

}  // namespace gh::ops
