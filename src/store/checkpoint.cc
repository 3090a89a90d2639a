#include "store/checkpoint.h"

#include "store/sqlite.h"
#include "sys/files.h"

namespace gh::store {

Status empty_log(const std::string& ledger_file) {
  constexpr std::int64_t kWaitMs = 20;
  if (sys::info(ledger_file + "-wal").size == 0) return {};  // missing, too
  GH_TRY(db, connect_sqlite(ledger_file, kWaitMs, Access::write));
  return db->execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

}  // namespace gh::store
