// What every back end of the ledger promises. One suite, run over each of them.
#include "store/ledger.h"

#include <csignal>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/ledger_kit.h"

namespace gh::store {
namespace {

using testing::append_many;
using testing::BackEnd;
using testing::event;
using testing::LedgerPlace;
using testing::proposal_event;
using testing::proposal_row;
using testing::run_row;

class LedgerConformance : public ::testing::TestWithParam<BackEnd> {
 protected:
  LedgerPlace place{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(, LedgerConformance, ::testing::Values(BackEnd::sqlite, BackEnd::postgres),
                         testing::name_of);

TEST_P(LedgerConformance, CreatesItsSchemaOnceAndReadsBackWhatWasWritten) {
  ASSERT_TRUE(place.open()->append(event(), Durability::durable).has_value());
  auto ledger = place.open();
  const auto rows = ledger->audit_rows(1, 10).value();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].event.event, "patch.checked");
  EXPECT_EQ(rows[0].event.subject, (Map{{"patch_run_id", "prun-0123456789abcdef"}}));
  EXPECT_EQ(rows[0].prev_hash, std::string(64, '0'));
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
}

TEST_P(LedgerConformance, AnEmptyChainHolds) {
  EXPECT_EQ(place.open()->first_broken_link().value(), 0);
}

TEST_P(LedgerConformance, AuditRowsArePagedBySeq) {
  auto ledger = place.open();
  append_many(*ledger, 5);
  const auto rows = ledger->audit_rows(3, 2).value();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].seq, 3);
  EXPECT_EQ(rows[1].seq, 4);
}

TEST_P(LedgerConformance, ARunIsInsertedOnceAndUpdatedOnlyFromItsLatestRevision) {
  auto ledger = place.open();
  ASSERT_TRUE(ledger->put_patch_run(run_row("prun-1"), event("patch.rejected")).has_value());
  EXPECT_EQ(ledger->put_patch_run(run_row("prun-1"), event()).error().code, Code::conflict);

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

TEST_P(LedgerConformance, ARefusedChangeLeavesNoAuditRow) {
  auto ledger = place.open();
  ASSERT_TRUE(ledger->put_patch_run(run_row("prun-1"), event()).has_value());
  ASSERT_FALSE(ledger->put_patch_run(run_row("prun-1"), event()).has_value());
  EXPECT_EQ(ledger->audit_rows(1, 10).value().size(), 1U);
  ASSERT_TRUE(ledger->append(event(), Durability::soft).has_value());
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
}

TEST_P(LedgerConformance, FindsTheLatestOpenRunOfTheActorOnThatBase) {
  auto ledger = place.open();
  const auto put = [&](PatchRunRow row) {
    ASSERT_TRUE(ledger->put_patch_run(row, event()).has_value());
  };
  const auto found = [&](const char* actor, const char* base) {
    const auto row = ledger->open_rejected_run(actor, base).value();
    return row ? row->run_id : std::string("none");
  };
  EXPECT_EQ(found("local:1000", "abc"), "none");
  put(run_row("prun-old"));
  put(run_row("prun-new"));
  put(run_row("prun-open", "open"));
  put(run_row("prun-done", "applied"));
  EXPECT_EQ(found("local:1000", "abc"), "prun-new");
  EXPECT_EQ(found("local:1001", "abc"), "none");
  EXPECT_EQ(found("local:1000", "def"), "none");
  put(ledger->patch_run("prun-old").value().value());
  EXPECT_EQ(found("local:1000", "abc"), "prun-old");
  put(run_row("prun-blocked", "blocked"));
  EXPECT_EQ(found("local:1000", "abc"), "prun-blocked");
}

TEST_P(LedgerConformance, ADocumentLearnsTheSeqOfItsEventAndIsNeverReplaced) {
  auto ledger = place.open();
  append_many(*ledger, 2);
  const Map body{{"schema", "x/1"}, {"meta", Map{{"audit_seq", nullptr}}}};
  ASSERT_TRUE(ledger->put_document("sha256:aa", "patch", body, event()).has_value());
  const Value stored = ledger->document("sha256:aa").value().value();
  EXPECT_EQ(stored, Value(Map{{"schema", "x/1"}, {"meta", Map{{"audit_seq", 3}}}}));
  ASSERT_TRUE(ledger->put_document("sha256:aa", "patch", Map{}, event()).has_value());
  EXPECT_EQ(ledger->document("sha256:aa").value().value(), stored);
  EXPECT_FALSE(ledger->document("sha256:bb").value().has_value());
}

TEST_P(LedgerConformance, AChangeThatMayHappenOnceStopsAtItsDocument) {
  auto ledger = place.open();
  const Change change{{event()}, std::nullopt, Document{"sha256:aa", "mark", Map{}}, true};
  ASSERT_TRUE(ledger->commit(change, Durability::soft).has_value());
  EXPECT_EQ(ledger->commit(change, Durability::soft).error().code, Code::conflict);
  EXPECT_EQ(ledger->audit_rows(1, 10).value().size(), 1U);
}

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

TEST_P(LedgerConformance, TamperingIsFoundAtTheRowThatWasTouched) {
  for (const Tampering& tampering : kTamperings) {
    SCOPED_TRACE(tampering.sql);
    const LedgerPlace one(GetParam());
    append_many(*one.open(), 5);
    one.edit(tampering.sql);
    EXPECT_EQ(one.open()->first_broken_link().value(), tampering.broken);
  }
}

TEST_P(LedgerConformance, ADroppedInfoPayloadDoesNotBreakTheChain) {
  append_many(*place.open(), 3);
  place.edit("UPDATE audit SET payload = NULL WHERE seq = 2");
  auto ledger = place.open();
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
  EXPECT_TRUE(ledger->audit_rows(2, 1).value().at(0).event.payload.is_null());
}

TEST_P(LedgerConformance, AppendingGoesOnBehindACutTailWithoutHidingTheGap) {
  append_many(*place.open(), 3);
  place.edit("DELETE FROM audit WHERE seq = 3");
  auto ledger = place.open();
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
    {"UPDATE meta SET value = '6' WHERE key = 'schema_version'", Code::ledger_too_new,
     "schema version 6, this program knows versions up to 5"},
    {"UPDATE meta SET value = 'one' WHERE key = 'schema_version'", Code::ledger_unavailable,
     "its schema version cannot be read"},
    {"UPDATE meta SET value = '0' WHERE key = 'schema_version'", Code::ledger_unavailable,
     "its schema version cannot be read"},
    {"DELETE FROM meta", Code::ledger_unavailable, "its schema version cannot be read"},
    {"DROP TABLE meta", Code::ledger_unavailable, "it has tables but no schema version"},
};

TEST_P(LedgerConformance, AnUnknownSchemaIsAnErrorAndNeverRebuilt) {
  for (const BadFile& bad : kBadFiles) {
    SCOPED_TRACE(bad.sql);
    const LedgerPlace one(GetParam());
    append_many(*one.open(), 1);
    one.edit(bad.sql);
    const auto ledger = one.try_open();
    ASSERT_FALSE(ledger.has_value());
    EXPECT_EQ(ledger.error().code, bad.code);
    EXPECT_NE(ledger.error().message.find(bad.words), std::string::npos) << ledger.error().message;
  }
}

TEST_P(LedgerConformance, AKillAtAnyMomentKeepsEveryAcknowledgedRow) {
  std::int64_t acknowledged = 0;
  for (int round = 0; round < 8; ++round) {
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
    auto ledger = place.open();
    EXPECT_EQ(ledger->first_broken_link().value(), 0);
    EXPECT_EQ(ledger->audit_rows(acknowledged, 1).value().size(), 1U);
  }
}

TEST_P(LedgerConformance, WritersInSeveralProcessesLeaveNoGap) {
  constexpr int kWriters = 6, kRows = 40;
  std::vector<pid_t> writers;
  for (int w = 0; w < kWriters; ++w) {
    const pid_t writer = fork();
    if (writer == 0) {
      auto ledger = place.try_open(60'000);
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
  auto ledger = place.open();
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
  const auto rows = ledger->audit_rows(1, 1000).value();
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(kWriters * kRows));
  EXPECT_EQ(rows.back().seq, kWriters * kRows);
}

TEST_P(LedgerConformance, AnOlderSchemaIsBroughtForwardWithItsRows) {
  EXPECT_EQ(place.open()->facts().found_version, 0);
  ASSERT_TRUE(place.open()->put_patch_run(run_row("prun-1"), event()).has_value());
  for (const char* table :
       {"audit_proposals", "blobs", "proposals", "proposal_counts", "proposal_files", "reviews",
        "admissions", "conflicts", "promotions", "leases", "analysis_runs", "intents", "run_parts",
        "intent_heads", "intent_keys"})
    place.edit(std::string("DROP TABLE ") + table);
  place.edit("UPDATE meta SET value = '1' WHERE key = 'schema_version'");
  auto ledger = place.open();
  EXPECT_EQ(ledger->facts().found_version, 1);
  EXPECT_EQ(ledger->facts().schema_version, 5);
  EXPECT_EQ(place.open()->facts().found_version, 5);
  EXPECT_EQ(ledger->patch_run("prun-1").value()->rev, 1);
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
  EXPECT_TRUE(ledger->check().value().empty());
  Change change{.events = {proposal_event("p-1")}};
  change.proposal = proposal_row("p-1");
  EXPECT_TRUE(ledger->commit(change, Durability::soft).has_value());
}

TEST_P(LedgerConformance, ALedgerOfVersionTwoLearnsAnalysisRunsAndKeepsItsProposals) {
  Change change{.events = {proposal_event("p-1")}};
  change.proposal = proposal_row("p-1");
  ASSERT_TRUE(place.open()->commit(change, Durability::soft).has_value());
  place.edit("DROP TABLE analysis_runs");
  place.edit("DROP TABLE intents");
  place.edit("DROP TABLE run_parts");
  place.edit("DROP TABLE intent_heads");
  place.edit("DROP TABLE intent_keys");
  place.edit("UPDATE meta SET value = '2' WHERE key = 'schema_version'");
  auto ledger = place.open();
  EXPECT_EQ(ledger->facts().found_version, 2);
  EXPECT_TRUE(ledger->proposal("p-1").value().has_value());
  EXPECT_TRUE(ledger->analysis_runs({}).value().empty());
  EXPECT_EQ(place.open()->facts().found_version, 5);
}

TEST_P(LedgerConformance, ALedgerOfVersionThreeLearnsIntents) {
  append_many(*place.open(), 2);
  place.edit("ALTER TABLE analysis_runs DROP COLUMN extract_sha256");
  place.edit("DROP TABLE intents");
  place.edit("DROP TABLE run_parts");
  place.edit("DROP TABLE intent_heads");
  place.edit("DROP TABLE intent_keys");
  place.edit("UPDATE meta SET value = '3' WHERE key = 'schema_version'");
  auto ledger = place.open();
  EXPECT_EQ(ledger->facts().found_version, 3);
  EXPECT_EQ(ledger->facts().schema_version, 5);
  EXPECT_TRUE(ledger->open_intents().value().empty());
  EXPECT_EQ(ledger->last_seq().value(), 2);
  EXPECT_EQ(ledger->check().value(), std::vector<std::string>{});
}

TEST_P(LedgerConformance, ALockedLedgerIsNamedAsLockedAfterTheTimeGiven) {
  append_many(*place.open(), 1);
  const auto holder = place.back_door();
  ASSERT_TRUE(holder->begin(Durability::soft).has_value());
  auto ledger = place.open(50);
  const auto status = ledger->append(event(), Durability::soft);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, Code::ledger_unavailable);
  EXPECT_NE(status.error().message.find("holds its lock"), std::string::npos)
      << status.error().message;
  holder->roll_back();
  EXPECT_TRUE(ledger->append(event(), Durability::soft).has_value());
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
}

TEST_P(LedgerConformance, AReaderIsNotDisturbedByAWriter) {
  append_many(*place.open(), 3);
  const auto writer = place.back_door();
  ASSERT_TRUE(writer->begin(Durability::soft).has_value());
  ASSERT_TRUE(writer->execute("DELETE FROM audit WHERE seq = 2").has_value());
  auto ledger = place.open(50);
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
  EXPECT_EQ(ledger->audit_rows(1, 10).value().size(), 3U);
  writer->roll_back();
}

}  // namespace
}  // namespace gh::store
