#pragma once
// The SQL seam over one SQLite file. No SQLite type leaves the module.
#include <memory>
#include <string>

#include "store/sql.h"

namespace gh::store {

/// To write: creates the file when it is missing, never its tables.
Result<std::unique_ptr<Connection>> connect_sqlite(const std::string& path,
                                                   std::int64_t busy_timeout_ms,
                                                   Access = Access::write);

}  // namespace gh::store
