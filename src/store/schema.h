#pragma once
// The tables of the ledger and their versions. Migrations only go forward; a ledger of a version
// that this program does not know is refused, never rebuilt.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "store/sql.h"

namespace gh::store {

std::int64_t newest_schema_version();

/// Brings the tables to the newest version; returns the version they had before, 0 for none.
Result<std::int64_t> migrate(Connection&);

/// Every table, in an order in which they may be copied.
std::span<const std::string_view> tables();

Result<std::optional<std::string>> read_meta(Connection&, std::string_view key);
Status write_meta(Connection&, std::string_view key, std::string_view value);

}  // namespace gh::store
