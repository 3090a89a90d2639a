#pragma once
#include <optional>

#include "git/repo.h"
#include "policy/config.h"
#include "runs/ssh_signature.h"

namespace gh::ops {

/// The key of store.signing_key, nullopt when none is named; a relative path starts at the top of
/// the repository.
Result<std::optional<runs::SigningKey>> read_signing_key(const git::Repo&,
                                                         const policy::StoreConfig&);

}  // namespace gh::ops
