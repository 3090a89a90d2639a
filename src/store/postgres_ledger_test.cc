// What only a ledger in PostgreSQL can meet: a server that is away, restarted or killed, other
// repositories in the same database, passwords.
#include <csignal>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/ledger.h"
#include "tests/ledger_kit.h"

namespace gh::store {
namespace {

using testing::append_many;
using testing::BackEnd;
using testing::event;
using testing::kBusyMs;
using testing::LedgerPlace;
using testing::postgres_server;
using testing::PostgresServer;
using testing::run_row;

TEST(PostgresLedger, RepositoriesInOneDatabaseDoNotSeeEachOther) {
  const LedgerPlace one(BackEnd::postgres), two(BackEnd::postgres);
  append_many(*one.open(), 3);
  append_many(*two.open(), 1);
  EXPECT_EQ(one.open()->last_seq().value(), 3);
  EXPECT_EQ(two.open()->last_seq().value(), 1);
  EXPECT_EQ(one.open()->repo_id().value(), one.repo_id());
  EXPECT_EQ(one.open()->facts().backend, "postgres");
}

TEST(PostgresLedger, AnIdThatOnlyStartsAlikeIsAnotherRepository) {
  const LedgerPlace place(BackEnd::postgres);
  (void)place.open();
  std::string other = place.repo_id();
  other.back() = other.back() == '0' ? '1' : '0';
  const auto ledger = Ledger::open_postgres(postgres_server().url(), other, kBusyMs);
  ASSERT_FALSE(ledger.has_value());
  EXPECT_EQ(ledger.error().code, Code::conflict);
}

struct BadAddress {
  const char *url, *words;  // SECRET and PORT are filled in
};
constexpr BadAddress kBadAddresses[] = {
    {"postgres://gatehouse:SECRET@127.0.0.1:PORT/postgres", "password authentication failed"},
    {"postgres://gatehouse:SECRET@127.0.0.1:1/postgres", "cannot be reached"},
    {"postgres://gatehouse:SECRET@127.0.0.1:x/postgres", ""},
    {"postgres://gatehouse:SECRET%ZZ@127.0.0.1/postgres", "no address of PostgreSQL"},
    {"postgres://gatehouse@127.0.0.1/postgres?passwort=SECRET", "no address of PostgreSQL"},
};

TEST(PostgresLedger, FailuresToConnectAreNamedWithoutThePassword) {
  const LedgerPlace place(BackEnd::postgres);
  const std::string good = postgres_server().url();
  const std::string port = good.substr(good.rfind(':') + 1, good.rfind('/') - good.rfind(':') - 1);
  for (const BadAddress& bad : kBadAddresses) {
    SCOPED_TRACE(bad.url);
    std::string url = bad.url;
    if (const auto at = url.find("PORT"); at != std::string::npos) url.replace(at, 4, port);
    url.replace(url.find("SECRET"), 6, "very-secret");
    const auto ledger = Ledger::open_postgres(url, place.repo_id(), kBusyMs);
    ASSERT_FALSE(ledger.has_value());
    EXPECT_EQ(ledger.error().code, Code::ledger_unavailable);
    EXPECT_NE(ledger.error().message.find(bad.words), std::string::npos) << ledger.error().message;
    EXPECT_EQ(ledger.error().message.find("very-secret"), std::string::npos)
        << ledger.error().message;
  }
  EXPECT_EQ(place.open()->facts().name.find(PostgresServer::kPassword), std::string::npos);
}

TEST(PostgresLedger, ARepositoryWithoutCommitsHasNoPlaceYet) {
  const auto ledger = Ledger::open_postgres("postgres://nowhere/x", "", kBusyMs);
  ASSERT_FALSE(ledger.has_value());
  EXPECT_EQ(ledger.error().code, Code::ledger_unavailable);
  EXPECT_NE(ledger.error().message.find("at least one commit"), std::string::npos);
}

struct State {
  const char *state, *words;
  Code code = Code::ledger_unavailable;
};
constexpr State kStates[] = {
    {"53100", "the server's disk is full"},
    {"53200", "the server lacks resources"},
    {"53300", "the server takes no more connections"},
    {"58030", "input/output error on the server"},
    {"25006", "it cannot be written (read-only)"},
    {"55P03", "another process holds its lock"},
    {"42501", "permission denied"},
    {"XX001", "the database is damaged"},
    {"57P03", "the server is away"},
    {"08006", "the connection to the server is lost"},
    {"23505", "a record with that key is there already", Code::conflict},
    {"99999", "PostgreSQL error"},
};

TEST(PostgresLedger, TheServersComplaintsAreSaidInPlainWords) {
  const LedgerPlace place(BackEnd::postgres);
  const auto door = place.back_door();
  for (const State& s : kStates) {
    const auto failed = door->execute(fmt::format(
        "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{}', MESSAGE = 'told so'; END $$", s.state));
    ASSERT_FALSE(failed.has_value());
    EXPECT_EQ(failed.error().code, s.code) << s.state;
    EXPECT_NE(failed.error().message.find(fmt::format("{}", s.words)), std::string::npos)
        << failed.error().message;
    EXPECT_NE(failed.error().message.find("(told so)"), std::string::npos);
  }
}

TEST(PostgresLedger, TextThatTheServerCannotHoldIsRefusedAndNotCut) {
  const LedgerPlace place(BackEnd::postgres);
  const auto ledger = place.open();
  for (const std::string& name : {std::string("a\0b", 3), std::string("a\xFF")}) {
    PatchRunRow row = run_row("prun-1");
    row.actor = name;
    const auto put = ledger->put_patch_run(row, event());
    ASSERT_FALSE(put.has_value());
    EXPECT_EQ(put.error().code, Code::ledger_unavailable);
  }
  EXPECT_EQ(ledger->last_seq().value(), 0);
}

TEST(PostgresLedger, ARestartBetweenTwoCallsIsNotNoticed) {
  const LedgerPlace place(BackEnd::postgres);
  const auto ledger = place.open();
  append_many(*ledger, 2);
  postgres_server().stop(SIGINT);
  postgres_server().start();
  EXPECT_EQ(ledger->last_seq().value(), 2);
  postgres_server().stop(SIGINT);
  postgres_server().start();
  append_many(*ledger, 1);
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
}

TEST(PostgresLedger, AServerThatIsAwayIsNamedAndMissedOnlyWhileItIs) {
  const LedgerPlace place(BackEnd::postgres);
  const auto ledger = place.open();
  append_many(*ledger, 1);
  postgres_server().stop(SIGINT);
  const auto lost = ledger->append(event(), Durability::durable);
  ASSERT_FALSE(lost.has_value());
  EXPECT_EQ(lost.error().code, Code::ledger_unavailable);
  EXPECT_NE(lost.error().message.find("cannot be reached"), std::string::npos)
      << lost.error().message;
  EXPECT_EQ(ledger->last_seq().error().code, Code::ledger_unavailable);
  postgres_server().start();
  append_many(*ledger, 1);
  EXPECT_EQ(ledger->last_seq().value(), 2);
}

TEST(PostgresLedger, ATransactionDoesNotSurviveARestart) {
  const LedgerPlace place(BackEnd::postgres);
  append_many(*place.open(), 1);
  const auto door = place.back_door();
  ASSERT_TRUE(door->begin(Durability::durable).has_value());
  ASSERT_TRUE(door->execute("DELETE FROM audit").has_value());
  postgres_server().stop(SIGINT);
  postgres_server().start();
  // Going on through a new connection would split the transaction in two.
  EXPECT_EQ(door->execute("DELETE FROM meta").error().code, Code::ledger_unavailable);
  EXPECT_EQ(door->commit().error().code, Code::ledger_unavailable);
  EXPECT_EQ(place.open()->first_broken_link().value(), 0);
  EXPECT_EQ(place.open()->last_seq().value(), 1);
}

TEST(PostgresLedger, AServerKilledDuringCommitsKeepsEveryAcknowledgedRow) {
  const LedgerPlace place(BackEnd::postgres);
  (void)place.open();
  std::int64_t acknowledged = 0;
  for (int round = 0; round < 3; ++round) {
    int words[2];
    ASSERT_EQ(pipe(words), 0);
    const pid_t writer = fork();
    if (writer == 0) {
      close(words[0]);
      auto ledger = place.try_open();
      if (!ledger) _exit(2);
      while (true) {
        const auto seq =
            (*ledger)->commit({{event("patch.rejected", "warn")}}, Durability::durable);
        if (!seq) _exit(seq.error().code == Code::ledger_unavailable ? 0 : 3);
        if (write(words[1], &*seq, sizeof *seq) != sizeof *seq) _exit(4);
      }
    }
    close(words[1]);
    std::int64_t seq = 0;
    for (int rows = 0; rows < 30 + 13 * round; ++rows)
      ASSERT_EQ(read(words[0], &seq, sizeof seq), static_cast<ssize_t>(sizeof seq));
    postgres_server().kill_hard();
    while (read(words[0], &seq, sizeof seq) == static_cast<ssize_t>(sizeof seq)) {
    }
    close(words[0]);
    int status = -1;
    waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0) << WEXITSTATUS(status);
    postgres_server().start();
    EXPECT_GT(seq, acknowledged);
    acknowledged = seq;
    const auto ledger = place.open();
    EXPECT_EQ(ledger->first_broken_link().value(), 0);
    EXPECT_GE(ledger->last_seq().value(), acknowledged);
  }
}

TEST(PostgresLedger, AUserWithoutTheRightIsToldSo) {
  const LedgerPlace place(BackEnd::postgres);
  const std::string role = "weak_" + place.repo_id().substr(0, 8);
  place.edit("CREATE ROLE " + role + " LOGIN PASSWORD 'x'");
  std::string url = postgres_server().url("x");
  url.replace(url.find("gatehouse"), 9, role);
  const auto ledger = Ledger::open_postgres(url, place.repo_id(), kBusyMs);
  ASSERT_FALSE(ledger.has_value());
  EXPECT_EQ(ledger.error().code, Code::ledger_unavailable);
  EXPECT_NE(ledger.error().message.find("permission denied"), std::string::npos)
      << ledger.error().message;
}

}  // namespace
}  // namespace gh::store
