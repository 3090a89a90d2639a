// Which functions use something in these files: the sources of a run, read again.
#pragma once

#include <set>
#include <string>

#include "ops/kept_runs.h"

namespace gh::ops {

/// {status, items}. `current`: the sources are those of the run; otherwise `stale`, without items.
/// Only relations from other files are told. `concerned` are files that may use them.
Result<Map> symbol_users(const KnownRun&, const std::set<std::string>& files,
                         const std::set<std::string>& concerned, Context&);

}  // namespace gh::ops
