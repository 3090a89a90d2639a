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
/// From this one on there are intents.
inline constexpr std::int64_t kIntentsVersion = 4;
/// From this one on they have extracts.
inline constexpr std::int64_t kExtractsVersion = 5;

// Whoever edits a record by hand does not count its revision on; what was extracted from the
// earlier text would lie then. Both back ends have words of their own for it.
#define GH_EDITED_BY_HAND                                                  \
  "CREATE TRIGGER intents_edited AFTER UPDATE OF payload_json ON intents " \
  "WHEN NEW.rev = OLD.rev BEGIN "                                          \
  "DELETE FROM intent_heads WHERE repo_id = OLD.repo_id AND intent_id = OLD.intent_id; END;"

/// Brings the tables to the newest version; returns the version they had before, 0 for none.
Result<std::int64_t> migrate(Connection&);

/// The version that the tables have, 0 without any; ledger_too_new for one of a later program.
Result<std::int64_t> known_version(Connection&);

/// Every table, in an order in which they may be copied.
std::span<const std::string_view> tables();

/// A value of `meta` that is a number.
std::optional<std::int64_t> to_number(std::string_view text);

Result<std::optional<std::string>> read_meta(Connection&, std::string_view key);
Status write_meta(Connection&, std::string_view key, std::string_view value);

}  // namespace gh::store
