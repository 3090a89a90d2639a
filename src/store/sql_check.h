#pragma once
// What `db check` and `db backup` do over whole tables.
#include <string>
#include <vector>

#include "store/sql.h"

namespace gh::store {

/// One line per defect, at most some twenty of each kind.
Result<std::vector<std::string>> defects(Connection&);

/// All rows of all tables into a new ledger without rows.
Status copy_tables(Connection& from, Connection& to);

}  // namespace gh::store
