// What only a ledger in an SQLite file can meet: damaged pages, a full disk, a read-only folder.
#include <csignal>
#include <functional>

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/ledger.h"
#include "tests/ledger_kit.h"

namespace gh::store {
namespace {

using testing::append_many;
using testing::BackEnd;
using testing::event;
using testing::LedgerPlace;

TEST(SqliteLedger, BelongsToOneRepository) {
  const LedgerPlace place(BackEnd::sqlite);
  auto ledger = place.open();
  EXPECT_EQ(ledger->repo_id().value(), "");
  ASSERT_TRUE(ledger->set_repo_id("0123").has_value());
  ASSERT_TRUE(ledger->set_repo_id("0123").has_value());
  EXPECT_EQ(ledger->set_repo_id("4567").error().code, Code::conflict);
  EXPECT_EQ(place.open()->repo_id().value(), "0123");
}

TEST(SqliteLedger, AFileThatIsNoDatabaseIsNamedAsDamaged) {
  const LedgerPlace place(BackEnd::sqlite);
  ASSERT_TRUE(sys::write_file_atomic(place.file(), std::string(8192, 'x')).has_value());
  const auto ledger = place.try_open();
  ASSERT_FALSE(ledger.has_value());
  EXPECT_EQ(ledger.error().code, Code::ledger_unavailable);
  EXPECT_NE(ledger.error().message.find("damaged"), std::string::npos) << ledger.error().message;
  EXPECT_EQ(sys::read_file(place.file(), 1 << 20).value(), std::string(8192, 'x'));
}

TEST(SqliteLedger, DamagedPagesAreAnErrorNotACrash) {
  const LedgerPlace place(BackEnd::sqlite);
  append_many(*place.open(), 200);
  place.edit("PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string good = sys::read_file(place.file(), 8 << 20).value();
  for (std::size_t page = 0; page < good.size() / 4096; ++page) {
    SCOPED_TRACE(page);
    std::string bad = good;
    // Behind the file header of page 0, which has its own test above.
    for (std::size_t at = page * 4096 + (page == 0 ? 100 : 0); at < (page + 1) * 4096; at += 3)
      bad[at] = static_cast<char>(bad[at] ^ 0x5A);
    ASSERT_TRUE(sys::remove_file(place.file() + "-wal").has_value());
    ASSERT_TRUE(sys::remove_file(place.file() + "-shm").has_value());
    ASSERT_TRUE(sys::write_file_atomic(place.file(), bad).has_value());
    const auto ledger = place.try_open();
    if (!ledger) {
      EXPECT_EQ(ledger.error().code, Code::ledger_unavailable);
      continue;
    }
    const auto broken = (*ledger)->first_broken_link();
    const auto defects = (*ledger)->check();
    EXPECT_TRUE(!broken || *broken != 0 || !defects || !defects->empty());
  }
}

TEST(SqliteLedger, AFolderInItsPlaceIsNamedAsNotToBeOpened) {
  const LedgerPlace place(BackEnd::sqlite);
  ASSERT_TRUE(sys::make_folders(place.file()).has_value());
  const auto ledger = place.try_open();
  ASSERT_FALSE(ledger.has_value());
  EXPECT_EQ(ledger.error().code, Code::ledger_unavailable);
  EXPECT_NE(ledger.error().message.find("cannot be opened"), std::string::npos)
      << ledger.error().message;
}

/// Runs `body` in a child process; returns its exit status as waitpid gives it.
int in_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(SqliteLedger, AReadOnlyFolderIsNamedAsReadOnly) {
  const LedgerPlace place(BackEnd::sqlite);
  append_many(*place.open(), 1);
  ASSERT_TRUE(sys::remove_file(place.file() + "-shm").has_value());
  chmod(place.folder().c_str(), 0555);
  for (const char* suffix : {"", "-wal"})
    chmod((place.file() + suffix).c_str(), 0444);
  const int status = in_child([&] {
    if (geteuid() == 0 && seteuid(65534) != 0) return 2;  // root may write anywhere
    auto ledger = place.try_open();
    auto written = ledger ? (*ledger)->append(event(), Durability::soft)
                          : Status(tl::make_unexpected(ledger.error()));
    if (written || written.error().code != Code::ledger_unavailable) return 3;
    const std::string& words = written.error().message;
    const bool named = words.find("cannot be written (read-only)") != std::string::npos ||
                       words.find("cannot be opened or created") != std::string::npos;
    return named ? 0 : 4;
  });
  chmod(place.folder().c_str(), 0755);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(place.open()->first_broken_link().value(), 0);
}

TEST(SqliteLedger, AReaderNeedsNoRightToWrite) {
  const LedgerPlace place(BackEnd::sqlite);
  append_many(*place.open(), 3);
  chmod(place.folder().c_str(), 0555);
  for (const char* suffix : {"", "-wal", "-shm"})
    chmod((place.file() + suffix).c_str(), 0444);
  const int status = in_child([&] {
    if (geteuid() == 0 && seteuid(65534) != 0) return 2;  // root may write anywhere
    const auto reader = place.open_to_read();
    if (!reader || *reader == nullptr) return 3;
    if ((*reader)->last_seq().value_or(-1) != 3) return 4;
    return (*reader)->open_intents() ? 0 : 5;
  });
  chmod(place.folder().c_str(), 0755);
  EXPECT_EQ(status, 0) << WEXITSTATUS(status);
}

TEST(SqliteLedger, ProcessesThatWriteOnceLeaveAShortLog) {
  const LedgerPlace place(BackEnd::sqlite);
  AuditEvent large = event();
  large.payload = Map{{"text", std::string(12'000, 'x')}};
  for (int i = 0; i < 60; ++i)
    ASSERT_TRUE(place.open()->append(large, Durability::durable));
  EXPECT_LT(sys::info(place.file() + "-wal").size, 150 * 4096) << "300 pages were written";
  EXPECT_EQ(place.open()->last_seq().value(), 60);
  EXPECT_EQ(place.open()->first_broken_link().value(), 0);
}

TEST(SqliteLedger, ALogThatSomebodyReadsIsShortenedLater) {
  const LedgerPlace place(BackEnd::sqlite);
  const auto writer = place.open();
  append_many(*writer, 3);
  const auto rows = [](Connection& door) {
    auto query = door.query("SELECT count(*) FROM audit", Fetch::all);
    return query->step() ? query->number(0) : -1;
  };
  const auto reader = place.back_door(Access::read);
  ASSERT_TRUE(reader->begin_reading());
  ASSERT_EQ(rows(*reader), 3);
  AuditEvent large = event();
  large.payload = Map{{"text", std::string(12'000, 'x')}};
  for (int i = 0; i < 60; ++i)
    ASSERT_TRUE(writer->append(large, Durability::durable));
  EXPECT_GT(sys::info(place.file() + "-wal").size, 150 * 4096);
  EXPECT_EQ(rows(*reader), 3) << "it reads what it began with";
  ASSERT_TRUE(reader->commit());
  ASSERT_TRUE(writer->append(event(), Durability::durable));
  EXPECT_EQ(sys::info(place.file() + "-wal").size, 0);
  EXPECT_EQ(rows(*reader), 64);
}

/// A file system of 768 KiB at `path`, or a limit on file size where the process may not mount.
void make_small(const std::string& path) {
  if (mount("tmpfs", path.c_str(), "tmpfs", 0, "size=768k") == 0) return;
  const rlimit limit{384 << 10, 384 << 10};
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, SIG_IGN);
}

TEST(SqliteLedger, AFullDiskLosesNothingThatWasAcknowledged) {
  const LedgerPlace place(BackEnd::sqlite);
  const int status = in_child([&] {
    make_small(place.folder());
    auto ledger = place.try_open();
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
    auto again = place.try_open();
    if (!again || (*again)->first_broken_link().value_or(-1) != 0) return 5;
    const auto rows = (*again)->audit_rows(1, 2000);
    if (!rows || static_cast<std::int64_t>(rows->size()) != acknowledged) return 6;
    return acknowledged > 10 ? 0 : 7;
  });
  umount2(place.folder().c_str(), MNT_DETACH);
  EXPECT_EQ(status, 0) << "child exit code " << WEXITSTATUS(status);
}

}  // namespace
}  // namespace gh::store
