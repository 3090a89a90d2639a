#pragma once
// Where a repository's ledger lies.
#include <memory>
#include <string>

#include "git/repo.h"
#include "store/ledger.h"

namespace gh::ops {

inline std::string ledger_path(const git::Repo& repo) { return repo.state_dir() + "/ledger.db"; }

}  // namespace gh::ops
