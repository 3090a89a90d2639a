#pragma once
// The log of an SQLite ledger, taken into the file itself.
#include <string>

#include "base/error.h"

namespace gh::store {

/// Whoever opens a ledger that nobody has open reads its log from one end to the other first. Hooks
/// open it at every step of an agent, so they leave it without a log where they have the time.
/// Nothing to do, or somebody else at it: no failure.
Status empty_log(const std::string& ledger_file);

}  // namespace gh::store
