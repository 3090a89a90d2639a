#pragma once
// The SQL seam over PostgreSQL through libpq, which is loaded when the first connection is made
// (docs/adr/0009). No libpq type leaves the module, and no password leaves it in a message.
#include <memory>
#include <string>
#include <string_view>

#include "store/sql.h"

namespace gh::store {

/// "gh_" and the first 16 hex digits of the repository's id.
std::string schema_of(std::string_view repo_id);

/// The schema is made by prepare_schema when it is missing.
Result<std::unique_ptr<Connection>> connect_postgres(const std::string& url,
                                                     std::string_view repo_id,
                                                     std::int64_t busy_timeout_ms,
                                                     Access = Access::write);

}  // namespace gh::store
