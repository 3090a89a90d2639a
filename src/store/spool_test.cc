#include "store/spool.h"

#include <gtest/gtest.h>

#include "sys/files.h"

namespace gh::store {
namespace {

AuditEvent event_named(const std::string& name) {
  return {.ts = Timestamp{1'700'000'000},
          .event = name,
          .actor = Map{{"name", "local:1"}, {"kind", "human"}, {"via", "local"}},
          .subject = Map{{"run_id", "r"}},
          .payload = Map{{"n", 1}}};
}

std::vector<std::string> chain(Ledger& ledger) {
  std::vector<std::string> out;
  const auto rows = ledger.audit_rows(1, 100);
  EXPECT_TRUE(rows);
  for (const AuditRow& row : *rows)
    out.push_back(row.event.event);
  return out;
}

}  // namespace

TEST(Spool, EventsReachTheChainInOrderAndOnce) {
  const auto folder = sys::TempDir::create("/tmp", "gh-spool-");
  const auto ledger = Ledger::open_sqlite(folder->path() + "/ledger.db", 5000);
  ASSERT_TRUE(ledger);
  ASSERT_TRUE(spool_event(folder->path(), event_named("patch.checked")));
  ASSERT_TRUE(spool_event(folder->path(), event_named("patch.second")));
  ASSERT_TRUE(drain_spool(**ledger, folder->path(), sys::real_env()));
  ASSERT_TRUE(drain_spool(**ledger, folder->path(), sys::real_env()));
  EXPECT_EQ(chain(**ledger), (std::vector<std::string>{"patch.checked", "patch.second"}));
  EXPECT_EQ((*ledger)->first_broken_link(), 0);
}

TEST(Spool, BatchThatOutlivedACrashIsNotTakenTwice) {
  const auto folder = sys::TempDir::create("/tmp", "gh-spool-");
  const auto ledger = Ledger::open_sqlite(folder->path() + "/ledger.db", 5000);
  ASSERT_TRUE(ledger);
  ASSERT_TRUE(spool_event(folder->path(), event_named("patch.checked")));
  const std::string spool = folder->path() + "/audit.spool", batch = spool + ".0011223344556677";
  const auto bytes = sys::read_file(spool, 1u << 16);
  ASSERT_TRUE(sys::write_file_atomic(batch, *bytes));
  ASSERT_TRUE(sys::remove_file(spool));
  ASSERT_TRUE(drain_spool(**ledger, folder->path(), sys::real_env()));
  ASSERT_TRUE(sys::write_file_atomic(batch, *bytes));  // as if the removal had been lost
  ASSERT_TRUE(drain_spool(**ledger, folder->path(), sys::real_env()));
  EXPECT_EQ(chain(**ledger).size(), 1u);
}

TEST(Spool, TornLineIsLeftOutAndTheRestIsKept) {
  const auto folder = sys::TempDir::create("/tmp", "gh-spool-");
  const auto ledger = Ledger::open_sqlite(folder->path() + "/ledger.db", 5000);
  ASSERT_TRUE(ledger);
  ASSERT_TRUE(spool_event(folder->path(), event_named("patch.checked")));
  const std::string spool = folder->path() + "/audit.spool";
  const auto bytes = sys::read_file(spool, 1u << 16);
  ASSERT_TRUE(sys::write_file_atomic(spool, *bytes + bytes->substr(0, 40)));
  ASSERT_TRUE(drain_spool(**ledger, folder->path(), sys::real_env()));
  EXPECT_EQ(chain(**ledger).size(), 1u);
}

}  // namespace gh::store
