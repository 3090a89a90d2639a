// The ledger's own commands, through the program, on both back ends.
#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/gatehouse_binary.h"
#include "tests/git_sandbox.h"
#include "tests/ledger_kit.h"

namespace gh::testing {
namespace {

constexpr const char* kGood =
    "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";

class Db : public ::testing::TestWithParam<BackEnd> {
 protected:
  void SetUp() override {
    // Of its own: the id of the first commit names the place in PostgreSQL.
    repo.write("a.txt", "one\n");
    repo.write("id.txt", sys::real_env().random_hex(32));
    if (GetParam() == BackEnd::postgres)
      repo.write("gatehouse.yaml", "store:\n  url: " + postgres_server().url() + "\n");
    repo.commit("first");
  }
  /// No output of any command may hold the password.
  Ran ask(std::vector<std::string> words, std::string_view input = {}) {
    const Ran ran = gatehouse(std::move(words), repo.root(), input);
    EXPECT_FALSE(contains(ran.out + ran.err, PostgresServer::kPassword)) << ran.out << ran.err;
    return ran;
  }
  void land_one() {
    const Ran ran = ask({"patch", "apply", "-"}, kGood);
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  std::string file() const { return repo.root() + "/.git/gatehouse/ledger.db"; }
  std::string id() const { return repo.git({"rev-list", "--max-parents=0", "HEAD"}); }
  std::unique_ptr<store::Ledger> open_ledger() const {
    EXPECT_TRUE(sys::make_folders(repo.root() + "/.git/gatehouse").has_value());
    return std::move(*(GetParam() == BackEnd::sqlite
                           ? store::Ledger::open_sqlite(file(), kBusyMs)
                           : store::Ledger::open_postgres(postgres_server().url(), id(), kBusyMs)));
  }
  void edit(const std::string& sql) {
    auto door = GetParam() == BackEnd::sqlite
                    ? store::connect_sqlite(file(), kBusyMs)
                    : store::connect_postgres(postgres_server().url(), id(), kBusyMs);
    ASSERT_TRUE(door.has_value()) << door.error().message;
    ASSERT_TRUE((*door)->execute(sql).has_value());
  }
  GitSandbox repo;
};
INSTANTIATE_TEST_SUITE_P(, Db, ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

TEST_P(Db, TheLedgerIsWhereTheConfigurationSays) {
  land_one();
  const bool is_there = sys::info(file()).kind == sys::FileKind::file;
  EXPECT_EQ(is_there, GetParam() == BackEnd::sqlite);
  const Ran check = ask({"db", "check", "--field", "backend"});
  EXPECT_EQ(check.out, GetParam() == BackEnd::sqlite ? "sqlite\n" : "postgres\n");
  EXPECT_EQ(ask({"audit", "verify", "--field", "rows"}).out, "1\n");
  EXPECT_EQ(ask({"doctor"}).code, 0);
  EXPECT_EQ(ask({"config", "show"}).code, 0);
  EXPECT_EQ(ask({"config", "show", "--base", "HEAD", "--json"}).code, 0);
}

TEST_P(Db, CheckNamesEachDefectAndEndsWithOne) {
  land_one();
  EXPECT_EQ(ask({"db", "check"}).code, 0);
  edit("UPDATE audit SET event = 'patch.denied'");
  edit("UPDATE documents SET body = 'x'");
  const Ran ran = ask({"db", "check"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(contains(ran.out, "AUDIT_BROKEN: the chain breaks at row 1")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "cannot be read")) << ran.out;
  EXPECT_EQ(ask({"db", "check", "--field", "first_broken_seq"}).out, "1\n");
  EXPECT_EQ(ask({"audit", "verify"}).code, 1);
}

TEST_P(Db, ABackupIsOneFileThatTakesTheLedgersPlace) {
  land_one();
  const std::string place = repo.folder() + "/copy.db";
  ASSERT_EQ(ask({"db", "backup", place}).code, 0);
  EXPECT_EQ(ask({"db", "backup", place}).code, 2);  // never overwritten
  EXPECT_EQ(sys::info(place + "-wal").kind, sys::FileKind::missing);
  const auto copy = std::move(*store::Ledger::open_sqlite(place, kBusyMs));
  EXPECT_EQ(copy->first_broken_link().value(), 0);
  EXPECT_EQ(copy->audit_rows(1, 10).value().at(0).event.event, "patch.applied");
}

TEST_P(Db, MigrateSaysWhatWasThere) {
  EXPECT_EQ(ask({"db", "migrate", "--field", "from_version"}).out, "0\n");
  EXPECT_EQ(ask({"db", "migrate", "--field", "from_version"}).out, "5\n");
  edit("UPDATE meta SET value = '99' WHERE key = 'schema_version'");
  const Ran ran = ask({"db", "migrate"});
  EXPECT_EQ(ran.code, 4);
  EXPECT_TRUE(contains(ran.err, "ledger_too_new")) << ran.err;
}

TEST_P(Db, VacuumDropsOnlyOldPayloads) {
  store::AuditEvent old = event();
  old.ts = Timestamp{1'000'000'000};
  ASSERT_TRUE(open_ledger()->append(old, store::Durability::soft).has_value());
  land_one();
  EXPECT_EQ(ask({"db", "vacuum", "--field", "payloads_dropped"}).out, "1\n");
  EXPECT_EQ(ask({"db", "vacuum", "--field", "payloads_dropped"}).out, "0\n");
  const auto rows = open_ledger()->audit_rows(1, 10).value();
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_TRUE(rows[0].event.payload.is_null());
  EXPECT_FALSE(rows[1].event.payload.is_null());
  EXPECT_EQ(rows[2].event.event, "ledger.vacuumed");
  EXPECT_EQ(ask({"audit", "verify"}).code, 0);
}

TEST_P(Db, ExportIsTheChainAsLines) {
  EXPECT_EQ(ask({"audit", "export"}).out, "");
  land_one();
  ask({"patch", "apply", "-"}, "no diff\n");
  const Ran all = ask({"audit", "export"});
  ASSERT_EQ(all.code, 0) << all.err;
  const auto lines = split(all.out, '\n');
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[0].starts_with("{\"actor\":")) << lines[0];
  EXPECT_TRUE(contains(lines[1], "\"seq\":2,")) << lines[1];
  EXPECT_EQ(ask({"audit", "export", "--from", "2"}).out, std::string(lines[1]) + "\n");
}

TEST(DbOnPostgres, AServerThatIsAwayIsAnErrorWithItsCause) {
  GitSandbox repo;
  repo.write("a.txt", "one\n");
  repo.write("gatehouse.yaml", "store:\n  url: postgres://me:hush-hush@127.0.0.1:1/x\n");
  repo.commit("first");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"audit", "verify"},
                                                {"db", "check", "--json"},
                                                {"patch", "apply", "-"},
                                                {"doctor"},
                                                {"config", "show"},
                                                {"config", "show", "--json"}}) {
    const Ran ran = gatehouse(words, repo.root(), kGood);
    const bool shows = words[0] == "config";
    EXPECT_EQ(ran.code, shows ? 0 : words[0] == "doctor" ? 1 : 4) << words[0];
    EXPECT_EQ(contains(ran.out + ran.err, "cannot be reached"), !shows) << ran.out << ran.err;
    EXPECT_FALSE(contains(ran.out + ran.err, "hush-hush")) << ran.out << ran.err;
  }
  EXPECT_EQ(bytes_of(repo.root() + "/a.txt"), "one\n");
}

}  // namespace
}  // namespace gh::testing
