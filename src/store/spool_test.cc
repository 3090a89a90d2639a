#include "store/spool.h"

#include <cstdio>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

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
  ASSERT_TRUE(spool_event(folder->path(), event_named("patch.checked")));
  ASSERT_TRUE(spool_event(folder->path(), event_named("patch.applied")));
  ASSERT_TRUE(drain_spool(**ledger, folder->path(), sys::real_env()));
  ASSERT_TRUE(drain_spool(**ledger, folder->path(), sys::real_env()));
  EXPECT_EQ(chain(**ledger), (std::vector<std::string>{"patch.checked", "patch.checked"}));
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

TEST(Spool, ProcessesThatDrainTogetherTakeEachBatchOnce) {
  const auto folder = sys::TempDir::create("/tmp", "gh-spool-");
  ASSERT_TRUE(Ledger::open_sqlite(folder->path() + "/ledger.db", 60'000));
  constexpr int kBatches = 20, kProcesses = 4;
  for (int i = 0; i < kBatches; ++i) {
    ASSERT_TRUE(spool_event(folder->path(), event_named("patch.checked")));
    const std::string spool = folder->path() + "/audit.spool";
    ASSERT_EQ(rename(spool.c_str(), (spool + "." + std::to_string(i)).c_str()), 0);
  }
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      const auto ledger = Ledger::open_sqlite(folder->path() + "/ledger.db", 60'000);
      _exit(ledger && drain_spool(**ledger, folder->path(), sys::real_env()) ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const auto ledger = Ledger::open_sqlite(folder->path() + "/ledger.db", 5000);
  EXPECT_EQ(chain(**ledger).size(), static_cast<std::size_t>(kBatches));
  EXPECT_EQ((*ledger)->first_broken_link(), 0);
}

TEST(Spool, WhatIsNoEventOfOursIsPassedOver) {
  const auto folder = sys::TempDir::create("/tmp", "gh-spool-");
  const auto ledger = Ledger::open_sqlite(folder->path() + "/ledger.db", 5000);
  ASSERT_TRUE(ledger);
  ASSERT_TRUE(spool_event(folder->path(), event_named("patch.checked")));
  const std::string spool = folder->path() + "/audit.spool";
  const std::string line = *sys::read_file(spool, 1u << 16);
  std::string number = line;
  number.replace(number.find("\"n\":1"), 5, "\"n\":1e300");
  ASSERT_TRUE(sys::write_file_atomic(
      spool, "\n[]\n{}\n{\"ts\":1}\nnot JSON\n" + number + std::string("\0\n", 2) + line));
  ASSERT_TRUE(sys::make_folders(spool + ".folder"));
  ASSERT_TRUE(drain_spool(**ledger, folder->path(), sys::real_env()));
  EXPECT_EQ(chain(**ledger).size(), 1u);
}

TEST(Spool, AFullSpoolTakesNoMore) {
  const auto folder = sys::TempDir::create("/tmp", "gh-spool-");
  const std::string spool = folder->path() + "/audit.spool";
  ASSERT_TRUE(sys::write_file_atomic(spool, std::string((16u << 20) + 1, '\n')));
  EXPECT_EQ(spool_event(folder->path(), event_named("patch.checked")).error().code,
            Code::document_too_large);
  const auto ledger = Ledger::open_sqlite(folder->path() + "/ledger.db", 5000);
  ASSERT_TRUE(drain_spool(**ledger, folder->path(), sys::real_env()));
  EXPECT_TRUE(spool_event(folder->path(), event_named("patch.checked")));
}

}  // namespace gh::store
