#include "store/ledger.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/files.h"

namespace gh::store {
namespace {

constexpr std::int64_t kBusyMs = 5000;

struct Folder {
  sys::TempDir dir = std::move(*sys::TempDir::create("/tmp", "gh-ledger-"));
  std::string ledger() const { return dir.path() + "/ledger.db"; }
};

std::unique_ptr<Ledger> open_ledger(const std::string& path) {
  auto ledger = Ledger::open_sqlite(path, kBusyMs);
  EXPECT_TRUE(ledger.has_value()) << (ledger ? "" : ledger.error().message);
  return std::move(*ledger);
}

AuditEvent event(std::string name = "patch.checked", std::string severity = "info") {
  AuditEvent out;
  out.ts = Timestamp{1'767'323'045};
  out.event = std::move(name);
  out.severity = std::move(severity);
  out.actor = Map{{"name", "local:1000"}, {"kind", "human"}, {"via", "local"}};
  out.subject = Map{{"patch_run_id", "prun-0123456789abcdef"}};
  out.payload = Map{{"code", "PATCH_OK"}};
  return out;
}

PatchRunRow run(std::string id, std::string state = "rejected") {
  PatchRunRow row;
  row.run_id = std::move(id);
  row.actor = "local:1000";
  row.base_commit = "abc";
  row.state = std::move(state);
  row.folder = "/runs/" + row.run_id;
  row.attempts = {Map{{"sha256", "11"}}};
  row.body = Map{{"max_attempts", 3}};
  return row;
}

/// SQL by the back door, as somebody who edits the file would.
void edit(const std::string& path, const std::string& sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  char* error = nullptr;
  ASSERT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK)
      << (error ? error : "");
  sqlite3_close(db);
}

void append_many(Ledger& ledger, int count) {
  for (int i = 0; i < count; ++i)
    ASSERT_TRUE(ledger.append(event(), Durability::soft).has_value());
}

TEST(Ledger, CreatesItsSchemaOnceAndReadsBackWhatWasWritten) {
  Folder folder;
  ASSERT_TRUE(open_ledger(folder.ledger())->append(event(), Durability::durable).has_value());
  auto ledger = open_ledger(folder.ledger());
  const auto rows = ledger->audit_rows(1, 10).value();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].event.event, "patch.checked");
  EXPECT_EQ(rows[0].event.subject, (Map{{"patch_run_id", "prun-0123456789abcdef"}}));
  EXPECT_EQ(rows[0].prev_hash, std::string(64, '0'));
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
}

TEST(Ledger, AnEmptyChainHolds) {
  Folder folder;
  EXPECT_EQ(open_ledger(folder.ledger())->first_broken_link().value(), 0);
}

TEST(Ledger, AuditRowsArePagedBySeq) {
  Folder folder;
  auto ledger = open_ledger(folder.ledger());
  append_many(*ledger, 5);
  const auto rows = ledger->audit_rows(3, 2).value();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].seq, 3);
  EXPECT_EQ(rows[1].seq, 4);
}

TEST(Ledger, ARunIsInsertedOnceAndUpdatedOnlyFromItsLatestRevision) {
  Folder folder;
  auto ledger = open_ledger(folder.ledger());
  ASSERT_TRUE(ledger->put_patch_run(run("prun-1"), event("patch.rejected")).has_value());
  EXPECT_EQ(ledger->put_patch_run(run("prun-1"), event()).error().code, Code::conflict);

  PatchRunRow row = ledger->patch_run("prun-1").value().value();
  EXPECT_EQ(row.rev, 1);
  EXPECT_EQ(row.folder, "/runs/prun-1");
  EXPECT_EQ(row.attempts, (List{Map{{"sha256", "11"}}}));
  EXPECT_EQ(row.body, Value(Map{{"max_attempts", 3}}));
  PatchRunRow stale = row;
  row.state = "applied";
  row.frozen = true;
  ASSERT_TRUE(ledger->put_patch_run(row, event("patch.applied")).has_value());
  EXPECT_EQ(ledger->put_patch_run(stale, event()).error().code, Code::conflict);

  const PatchRunRow now = ledger->patch_run("prun-1").value().value();
  EXPECT_EQ(now.rev, 2);
  EXPECT_EQ(now.state, "applied");
  EXPECT_TRUE(now.frozen);
  EXPECT_FALSE(ledger->patch_run("prun-2").value().has_value());
}

TEST(Ledger, ARefusedChangeLeavesNoAuditRow) {
  Folder folder;
  auto ledger = open_ledger(folder.ledger());
  ASSERT_TRUE(ledger->put_patch_run(run("prun-1"), event()).has_value());
  ASSERT_FALSE(ledger->put_patch_run(run("prun-1"), event()).has_value());
  EXPECT_EQ(ledger->audit_rows(1, 10).value().size(), 1U);
  ASSERT_TRUE(ledger->append(event(), Durability::soft).has_value());
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
}

TEST(Ledger, FindsTheLatestOpenRunOfTheActorOnThatBase) {
  Folder folder;
  auto ledger = open_ledger(folder.ledger());
  const auto put = [&](PatchRunRow row) {
    ASSERT_TRUE(ledger->put_patch_run(row, event()).has_value());
  };
  const auto found = [&](const char* actor, const char* base) {
    const auto row = ledger->open_rejected_run(actor, base).value();
    return row ? row->run_id : std::string("none");
  };
  EXPECT_EQ(found("local:1000", "abc"), "none");
  put(run("prun-old"));
  put(run("prun-new"));
  put(run("prun-open", "open"));
  put(run("prun-done", "applied"));
  EXPECT_EQ(found("local:1000", "abc"), "prun-new");
  EXPECT_EQ(found("local:1001", "abc"), "none");
  EXPECT_EQ(found("local:1000", "def"), "none");
  put(ledger->patch_run("prun-old").value().value());
  EXPECT_EQ(found("local:1000", "abc"), "prun-old");
  put(run("prun-blocked", "blocked"));
  EXPECT_EQ(found("local:1000", "abc"), "prun-blocked");
}

TEST(Ledger, ADocumentLearnsTheSeqOfItsEventAndIsNeverReplaced) {
  Folder folder;
  auto ledger = open_ledger(folder.ledger());
  append_many(*ledger, 2);
  const Map body{{"schema", "x/1"}, {"meta", Map{{"audit_seq", nullptr}}}};
  ASSERT_TRUE(ledger->put_document("sha256:aa", "patch", body, event()).has_value());
  const Value stored = ledger->document("sha256:aa").value().value();
  EXPECT_EQ(stored, Value(Map{{"schema", "x/1"}, {"meta", Map{{"audit_seq", 3}}}}));
  ASSERT_TRUE(ledger->put_document("sha256:aa", "patch", Map{}, event()).has_value());
  EXPECT_EQ(ledger->document("sha256:aa").value().value(), stored);
  EXPECT_FALSE(ledger->document("sha256:bb").value().has_value());
}

TEST(Ledger, AChangeThatMayHappenOnceStopsAtItsDocument) {
  Folder folder;
  auto ledger = open_ledger(folder.ledger());
  const Change change{{event()}, std::nullopt, Document{"sha256:aa", "mark", Map{}}, true};
  ASSERT_TRUE(ledger->commit(change, Durability::soft).has_value());
  EXPECT_EQ(ledger->commit(change, Durability::soft).error().code, Code::conflict);
  EXPECT_EQ(ledger->audit_rows(1, 10).value().size(), 1U);
}

TEST(Ledger, BelongsToOneRepository) {
  Folder folder;
  auto ledger = open_ledger(folder.ledger());
  EXPECT_EQ(ledger->repo_id().value(), "");
  ASSERT_TRUE(ledger->set_repo_id("0123").has_value());
  ASSERT_TRUE(ledger->set_repo_id("0123").has_value());
  EXPECT_EQ(ledger->set_repo_id("4567").error().code, Code::conflict);
  EXPECT_EQ(open_ledger(folder.ledger())->repo_id().value(), "0123");
}

// ---- a hostile or unlucky file ----

struct Tampering {
  const char* sql;
  std::int64_t broken;  // first bad seq of five rows
};
constexpr Tampering kTamperings[] = {
    {"UPDATE audit SET seq = 9 WHERE seq = 2", 2},
    {"UPDATE audit SET ts = '2026-01-02T03:04:06Z' WHERE seq = 3", 3},
    {"UPDATE audit SET event = 'patch.applied' WHERE seq = 1", 1},
    {"UPDATE audit SET severity = 'error' WHERE seq = 4", 4},
    {"UPDATE audit SET actor = replace(actor, '1000', '1001') WHERE seq = 5", 5},
    {"UPDATE audit SET actor = '' WHERE seq = 2", 2},
    {"UPDATE audit SET surface = 'ci' WHERE seq = 2", 2},
    {"UPDATE audit SET subject = '{}' WHERE seq = 3", 3},
    {"UPDATE audit SET payload = '{\"code\":\"PATCH_NO\"}' WHERE seq = 3", 3},
    {"UPDATE audit SET payload_sha256 = upper(payload_sha256) WHERE seq = 3", 3},
    {"UPDATE audit SET prev_hash = hash WHERE seq = 3", 3},
    {"UPDATE audit SET hash = prev_hash WHERE seq = 3", 3},
    {"DELETE FROM audit WHERE seq = 1", 1},
    {"DELETE FROM audit WHERE seq = 3", 3},
    {"DELETE FROM audit WHERE seq = 5", 5},
    {"DELETE FROM audit WHERE seq >= 2", 2},
    {"DELETE FROM audit", 1},
    {"INSERT INTO audit SELECT 6, ts, event, severity, actor, surface, subject, payload, "
     "payload_sha256, hash, prev_hash FROM audit WHERE seq = 5",
     6},
    {"INSERT INTO audit SELECT -1, ts, event, severity, actor, surface, subject, payload, "
     "payload_sha256, prev_hash, hash FROM audit WHERE seq = 1",
     1},
    {"UPDATE meta SET value = '4' || substr(value, 2) WHERE key = 'audit_head'", 5},
    {"UPDATE meta SET value = replace(value, substr(value, 3), 'x') WHERE key = 'audit_head'", 5},
};

TEST(Ledger, TamperingIsFoundAtTheRowThatWasTouched) {
  for (const Tampering& tampering : kTamperings) {
    SCOPED_TRACE(tampering.sql);
    Folder folder;
    append_many(*open_ledger(folder.ledger()), 5);
    edit(folder.ledger(), tampering.sql);
    EXPECT_EQ(open_ledger(folder.ledger())->first_broken_link().value(), tampering.broken);
  }
}

TEST(Ledger, ADroppedInfoPayloadDoesNotBreakTheChain) {
  Folder folder;
  append_many(*open_ledger(folder.ledger()), 3);
  edit(folder.ledger(), "UPDATE audit SET payload = NULL WHERE seq = 2");
  auto ledger = open_ledger(folder.ledger());
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
  EXPECT_TRUE(ledger->audit_rows(2, 1).value().at(0).event.payload.is_null());
}

TEST(Ledger, AppendingGoesOnBehindACutTailWithoutHidingTheGap) {
  Folder folder;
  append_many(*open_ledger(folder.ledger()), 3);
  edit(folder.ledger(), "DELETE FROM audit WHERE seq = 3");
  auto ledger = open_ledger(folder.ledger());
  append_many(*ledger, 1);
  EXPECT_EQ(ledger->audit_rows(4, 1).value().size(), 1U);
  EXPECT_EQ(ledger->first_broken_link().value(), 3);
}

struct BadFile {
  const char* sql;
  Code code;
  const char* words;
};
constexpr BadFile kBadFiles[] = {
    {"UPDATE meta SET value = '2' WHERE key = 'schema_version'", Code::ledger_too_new,
     "schema version 2, this program knows versions up to 1"},
    {"UPDATE meta SET value = 'one' WHERE key = 'schema_version'", Code::ledger_unavailable,
     "its schema version cannot be read"},
    {"UPDATE meta SET value = '0' WHERE key = 'schema_version'", Code::ledger_unavailable,
     "its schema version cannot be read"},
    {"DELETE FROM meta", Code::ledger_unavailable, "its schema version cannot be read"},
    {"DROP TABLE meta", Code::ledger_unavailable, "it has tables but no schema version"},
};

TEST(Ledger, AnUnknownSchemaIsAnErrorAndNeverRebuilt) {
  for (const BadFile& bad : kBadFiles) {
    SCOPED_TRACE(bad.sql);
    Folder folder;
    append_many(*open_ledger(folder.ledger()), 1);
    edit(folder.ledger(), bad.sql);
    const auto ledger = Ledger::open_sqlite(folder.ledger(), kBusyMs);
    ASSERT_FALSE(ledger.has_value());
    EXPECT_EQ(ledger.error().code, bad.code);
    EXPECT_NE(ledger.error().message.find(bad.words), std::string::npos) << ledger.error().message;
  }
}

TEST(Ledger, AFileThatIsNoDatabaseIsNamedAsDamaged) {
  Folder folder;
  ASSERT_TRUE(sys::write_file_atomic(folder.ledger(), std::string(8192, 'x')).has_value());
  const auto ledger = Ledger::open_sqlite(folder.ledger(), kBusyMs);
  ASSERT_FALSE(ledger.has_value());
  EXPECT_EQ(ledger.error().code, Code::ledger_unavailable);
  EXPECT_NE(ledger.error().message.find("damaged"), std::string::npos) << ledger.error().message;
  EXPECT_EQ(sys::read_file(folder.ledger(), 1 << 20).value(), std::string(8192, 'x'));
}

TEST(Ledger, DamagedPagesAreAnErrorNotACrash) {
  Folder folder;
  append_many(*open_ledger(folder.ledger()), 200);
  edit(folder.ledger(), "PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string good = sys::read_file(folder.ledger(), 8 << 20).value();
  for (std::size_t page = 0; page < good.size() / 4096; ++page) {
    SCOPED_TRACE(page);
    std::string bad = good;
    // Behind the file header of page 0, which has its own test above.
    for (std::size_t at = page * 4096 + (page == 0 ? 100 : 0); at < (page + 1) * 4096; at += 3)
      bad[at] = static_cast<char>(bad[at] ^ 0x5A);
    ASSERT_TRUE(sys::remove_file(folder.ledger() + "-wal").has_value());
    ASSERT_TRUE(sys::remove_file(folder.ledger() + "-shm").has_value());
    ASSERT_TRUE(sys::write_file_atomic(folder.ledger(), bad).has_value());
    const auto ledger = Ledger::open_sqlite(folder.ledger(), kBusyMs);
    if (!ledger) {
      EXPECT_EQ(ledger.error().code, Code::ledger_unavailable);
      continue;
    }
    const auto broken = (*ledger)->first_broken_link();
    const bool noticed = !broken || *broken != 0 ||
                         !(*ledger)->put_patch_run(run("prun-1"), event()) ||
                         !(*ledger)->put_document("d", "patch", Map{}, event());
    EXPECT_TRUE(noticed);
  }
}

TEST(Ledger, AFolderInItsPlaceIsNamedAsNotToBeOpened) {
  Folder folder;
  ASSERT_TRUE(sys::make_folders(folder.ledger()).has_value());
  const auto ledger = Ledger::open_sqlite(folder.ledger(), kBusyMs);
  ASSERT_FALSE(ledger.has_value());
  EXPECT_EQ(ledger.error().code, Code::ledger_unavailable);
  EXPECT_NE(ledger.error().message.find("cannot be opened"), std::string::npos)
      << ledger.error().message;
}

TEST(Ledger, ALockedLedgerIsNamedAsLockedAfterTheTimeGiven) {
  Folder folder;
  append_many(*open_ledger(folder.ledger()), 1);
  sqlite3* holder = nullptr;
  ASSERT_EQ(sqlite3_open(folder.ledger().c_str(), &holder), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(holder, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  auto ledger = std::move(*Ledger::open_sqlite(folder.ledger(), 20));
  const auto status = ledger->append(event(), Durability::soft);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, Code::ledger_unavailable);
  EXPECT_NE(status.error().message.find("holds its lock"), std::string::npos)
      << status.error().message;
  sqlite3_exec(holder, "ROLLBACK", nullptr, nullptr, nullptr);
  sqlite3_close(holder);
  EXPECT_TRUE(ledger->append(event(), Durability::soft).has_value());
}

// ---- other processes ----

/// Runs `body` in a child process; returns its exit status as waitpid gives it.
int in_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(Ledger, AReadOnlyFolderIsNamedAsReadOnly) {
  Folder folder;
  append_many(*open_ledger(folder.ledger()), 1);
  ASSERT_TRUE(sys::remove_file(folder.ledger() + "-shm").has_value());
  chmod(folder.dir.path().c_str(), 0555);
  for (const char* suffix : {"", "-wal"})
    chmod((folder.ledger() + suffix).c_str(), 0444);
  const int status = in_child([&] {
    if (geteuid() == 0 && seteuid(65534) != 0) return 2;  // root may write anywhere
    auto ledger = Ledger::open_sqlite(folder.ledger(), kBusyMs);
    auto written = ledger ? (*ledger)->append(event(), Durability::soft)
                          : Status(tl::make_unexpected(ledger.error()));
    if (written || written.error().code != Code::ledger_unavailable) return 3;
    const std::string& words = written.error().message;
    const bool named = words.find("cannot be written (read-only)") != std::string::npos ||
                       words.find("cannot be opened or created") != std::string::npos;
    return named ? 0 : 4;
  });
  chmod(folder.dir.path().c_str(), 0755);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(open_ledger(folder.ledger())->first_broken_link().value(), 0);
}

/// A file system of 256 KiB at `path`, or a limit on file size where the process may not mount.
void make_small(const std::string& path) {
  if (mount("tmpfs", path.c_str(), "tmpfs", 0, "size=256k") == 0) return;
  const rlimit limit{128 << 10, 128 << 10};
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, SIG_IGN);
}

TEST(Ledger, AFullDiskLosesNothingThatWasAcknowledged) {
  Folder folder;
  const int status = in_child([&] {
    make_small(folder.dir.path());
    auto ledger = Ledger::open_sqlite(folder.ledger(), kBusyMs);
    if (!ledger) return 2;
    AuditEvent large = event();
    large.payload = Map{{"text", std::string(3000, 'x')}};
    std::int64_t acknowledged = 0;
    Status last;
    while ((last = (*ledger)->append(large, Durability::durable)) && acknowledged < 1000)
      ++acknowledged;
    if (last || last.error().code != Code::ledger_unavailable) return 3;
    const std::string& words = last.error().message;
    if (words.find("the disk is full") == std::string::npos &&
        words.find("input/output error") == std::string::npos)
      return 4;
    ledger->reset();
    auto again = Ledger::open_sqlite(folder.ledger(), kBusyMs);
    if (!again || (*again)->first_broken_link().value_or(-1) != 0) return 5;
    const auto rows = (*again)->audit_rows(1, 2000);
    if (!rows || static_cast<std::int64_t>(rows->size()) != acknowledged) return 6;
    return acknowledged > 10 ? 0 : 7;
  });
  umount2(folder.dir.path().c_str(), MNT_DETACH);
  EXPECT_EQ(status, 0) << "child exit code " << WEXITSTATUS(status);
}

TEST(Ledger, AKillAtAnyMomentKeepsEveryAcknowledgedRow) {
  Folder folder;
  std::int64_t acknowledged = 0;
  for (int round = 0; round < 8; ++round) {
    int words[2];
    ASSERT_EQ(pipe(words), 0);
    const pid_t writer = fork();
    if (writer == 0) {
      close(words[0]);
      auto ledger = Ledger::open_sqlite(folder.ledger(), kBusyMs);
      if (!ledger) _exit(2);
      while (true) {
        const auto seq =
            (*ledger)->commit({{event("patch.rejected", "warn")}}, Durability::durable);
        if (!seq || write(words[1], &*seq, sizeof *seq) != sizeof *seq) _exit(3);
      }
    }
    close(words[1]);
    std::int64_t seq = 0;
    // A different number of rows each round, so that the kill falls at different places.
    for (int read_rows = 0; read_rows < 40 + 17 * round; ++read_rows)
      ASSERT_EQ(read(words[0], &seq, sizeof seq), static_cast<ssize_t>(sizeof seq));
    kill(writer, SIGKILL);
    waitpid(writer, nullptr, 0);
    while (read(words[0], &seq, sizeof seq) == static_cast<ssize_t>(sizeof seq)) {
    }
    close(words[0]);
    EXPECT_GT(seq, acknowledged);
    acknowledged = seq;
    auto ledger = open_ledger(folder.ledger());
    EXPECT_EQ(ledger->first_broken_link().value(), 0);
    EXPECT_EQ(ledger->audit_rows(acknowledged, 1).value().size(), 1U);
  }
}

TEST(Ledger, WritersInSeveralProcessesLeaveNoGap) {
  Folder folder;
  constexpr int kWriters = 6, kRows = 40;
  std::vector<pid_t> writers;
  for (int w = 0; w < kWriters; ++w) {
    const pid_t writer = fork();
    if (writer == 0) {
      auto ledger = Ledger::open_sqlite(folder.ledger(), 60'000);
      if (!ledger) _exit(2);
      for (int i = 0; i < kRows; ++i)
        if (!(*ledger)->append(event(), i % 2 ? Durability::soft : Durability::durable)) _exit(3);
      _exit(0);
    }
    writers.push_back(writer);
  }
  for (const pid_t writer : writers) {
    int status = -1;
    waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0) << WEXITSTATUS(status);
  }
  auto ledger = open_ledger(folder.ledger());
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
  const auto rows = ledger->audit_rows(1, 1000).value();
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(kWriters * kRows));
  EXPECT_EQ(rows.back().seq, kWriters * kRows);
}

}  // namespace
}  // namespace gh::store
