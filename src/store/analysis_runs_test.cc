// Runs of the analysis over both back ends.
#include <gtest/gtest.h>

#include "store/ledger.h"
#include "store/run_base.h"
#include "tests/ledger_kit.h"

namespace gh::store {
namespace {

using testing::BackEnd;
using testing::event;
using testing::LedgerPlace;

std::string id_of(char digit) { return std::string(64, digit); }

AnalysisRunRow run(std::string root, std::string run_id, std::string time) {
  return {.root = std::move(root),
          .run_id = std::move(run_id),
          .source = "revision",
          .revision = "HEAD~1",
          .tree = "def",
          .inputs_sha256 = "aa",
          .report_digest = "bb",
          .settings_sha256 = "cc",
          .report_sha256 = "dd",
          .summary = Map{{"files", 3}, {"average", Decimal{15'000}}},
          .created_utc = time,
          .seen_utc = time};
}

class LedgerAnalysisRuns : public ::testing::TestWithParam<BackEnd> {
 protected:
  void put(AnalysisRunRow row) {
    Change change{.events = {event("analysis.completed")}};
    change.analysis_run = std::move(row);
    const auto done = ledger->commit(change, Durability::durable);
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }
  std::string seen(const AnalysisRunFilter& filter) {
    std::string out;
    const auto rows = ledger->analysis_runs(filter).value();
    for (const AnalysisRunRow& row : rows)
      out += row.root + row.run_id.substr(0, 2) + " ";
    return out;
  }
  LedgerPlace place{GetParam()};
  std::unique_ptr<Ledger> ledger = place.open();
};
INSTANTIATE_TEST_SUITE_P(, LedgerAnalysisRuns,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), testing::name_of);

TEST_P(LedgerAnalysisRuns, EveryColumnComesBack) {
  put(run("/r", id_of('a'), "2026-01-02T03:04:05Z"));
  const auto rows = ledger->analysis_runs({}).value();
  ASSERT_EQ(rows.size(), 1u);
  const AnalysisRunRow& got = rows[0];
  EXPECT_EQ(got.root, "/r");
  EXPECT_EQ(got.run_id, id_of('a'));
  EXPECT_EQ(got.source, "revision");
  EXPECT_EQ(got.revision, "HEAD~1");
  EXPECT_EQ(got.tree, "def");
  EXPECT_EQ(got.inputs_sha256, "aa");
  EXPECT_EQ(got.report_digest, "bb");
  EXPECT_EQ(got.settings_sha256, "cc");
  EXPECT_EQ(got.report_sha256, "dd");
  EXPECT_EQ(got.summary, Value(Map{{"files", 3}, {"average", Decimal{15'000}}}));
  EXPECT_EQ(got.created_utc, "2026-01-02T03:04:05Z");
  EXPECT_EQ(got.seen_utc, "2026-01-02T03:04:05Z");
  EXPECT_EQ(ledger->check().value(), std::vector<std::string>{});
}

TEST_P(LedgerAnalysisRuns, AreListedLatestFirstByRootAndPrefix) {
  put(run("/r", "ab" + id_of('0').substr(2), "t1"));
  put(run("/r", "ac" + id_of('0').substr(2), "t2"));
  put(run("/s", "ab" + id_of('0').substr(2), "t3"));
  put(run("/r", "f" + id_of('f').substr(1), "t4"));
  EXPECT_EQ(seen({}), "/rff /sab /rac /rab ");
  EXPECT_EQ(seen({.root = "/r"}), "/rff /rac /rab ");
  EXPECT_EQ(seen({.root = "/r", .prefix = "a"}), "/rac /rab ");
  EXPECT_EQ(seen({.prefix = "ab"}), "/sab /rab ");
  EXPECT_EQ(seen({.prefix = "ffff"}), "/rff ");
  EXPECT_EQ(seen({.prefix = id_of('f')}), "/rff ");
  EXPECT_EQ(seen({.prefix = "b"}), "");
  EXPECT_EQ(seen({.root = "/r", .limit = 1}), "/rff ");
  EXPECT_EQ(seen({.root = "/x"}), "");
}

TEST_P(LedgerAnalysisRuns, AreStoredOnceAndTheOneMetLastIsTheLatest) {
  put(run("/r", id_of('a'), "t1"));
  put(run("/r", id_of('b'), "t2"));
  AnalysisRunRow again = run("/r", id_of('a'), "t3");
  again.source = "work_tree";
  again.revision = again.tree = "";
  put(again);
  EXPECT_EQ(seen({.root = "/r"}), "/raa /rbb ");
  const AnalysisRunRow got = ledger->analysis_runs({.root = "/r"}).value()[0];
  EXPECT_EQ(got.created_utc, "t1");
  EXPECT_EQ(got.seen_utc, "t3");
  EXPECT_EQ(got.source, "work_tree");
  EXPECT_EQ(got.tree, "");
}

TEST_P(LedgerAnalysisRuns, GoIntoTheCopyThatABackupMakes) {
  put(run("/r", id_of('a'), "t1"));
  const std::string file = place.folder() + "/copy.db";
  ASSERT_TRUE(ledger->back_up(file).has_value());
  auto copy = Ledger::open_sqlite(file, 1000).value();
  EXPECT_EQ(copy->analysis_runs({}).value().size(), 1u);
}

TEST_P(LedgerAnalysisRuns, ADamagedSummaryIsFound) {
  put(run("/r", id_of('a'), "t1"));
  place.edit("UPDATE analysis_runs SET summary_json = '{'");
  EXPECT_FALSE(ledger->analysis_runs({}).has_value());
  EXPECT_EQ(ledger->check().value().size(), 1u);
}

TEST_P(LedgerAnalysisRuns, KeepTheirPartsUntilOthersTakeTheirPlace) {
  const AnalysisRunRow a = run("/r", id_of('a'), "t1"), b = run("/r", id_of('b'), "t1");
  const auto with = [&](const AnalysisRunRow& row, std::vector<std::string> parts) {
    Change change{.events = {event("analysis.completed")}};
    change.analysis_run = row;
    change.run_parts = std::move(parts);
    ASSERT_TRUE(ledger->commit(change, Durability::durable).has_value());
  };
  with(a, {"zero", "", std::string("t\0wo", 4)});
  with(b, {"of b"});
  EXPECT_EQ(ledger->run_part(a, 0).value(), "zero");
  EXPECT_FALSE(ledger->run_part(a, 1).value().has_value());
  EXPECT_EQ(ledger->run_part(a, 2).value(), std::string("t\0wo", 4));
  EXPECT_EQ(ledger->run_part(b, 0).value(), "of b");
  put(a);  // met again
  EXPECT_EQ(ledger->run_part(a, 0).value(), "zero");
  with(a, {"", "one"});
  EXPECT_FALSE(ledger->run_part(a, 0).value().has_value());
  EXPECT_EQ(ledger->run_part(a, 1).value(), "one");
  EXPECT_FALSE(ledger->run_part(a, 2).value().has_value());
  EXPECT_EQ(ledger->run_part(b, 0).value(), "of b");
  EXPECT_EQ(ledger->check().value(), std::vector<std::string>{});
  place.edit("UPDATE run_parts SET sha256 = 'aa' WHERE part = 1");
  EXPECT_EQ(ledger->check().value().size(), 1u);
}

TEST_P(LedgerAnalysisRuns, OneThatWasToldFromAnotherHasThePartsOfThatOneWhereItHasNone) {
  const AnalysisRunRow a = run("/r", id_of('a'), "t1"), b = run("/r", id_of('b'), "t2");
  const auto with = [&](const AnalysisRunRow& row, std::vector<std::string> parts,
                        const std::string& base) {
    Change change{.events = {event("analysis.completed")}};
    change.analysis_run = row;
    if (!base.empty()) {
      parts.resize(kBasePart + 1);
      parts[kBasePart] = base;
    }
    change.run_parts = std::move(parts);
    ASSERT_TRUE(ledger->commit(change, Durability::durable).has_value());
  };
  with(a, {"zero", "one"}, "");
  with(b, {"", "other"}, a.run_id);
  EXPECT_EQ(ledger->run_part(b, 0).value(), "zero");
  EXPECT_EQ(ledger->run_part(b, 1).value(), "other");
  EXPECT_FALSE(ledger->run_part(b, 2).value().has_value());
  EXPECT_EQ(ledger->run_part(a, 1).value(), "one");
  EXPECT_EQ(ledger->check().value(), std::vector<std::string>{});
  // The earlier one goes when the later one has gone, and not before.
  const auto kept = [&] { return ledger->analysis_runs({}).value().size(); };
  const auto drop = [&](std::int64_t rows) {
    ASSERT_TRUE(ledger->drop_analysis_runs({Timestamp{}, 1, rows}, event("analysis.dropped")));
  };
  drop(1);
  EXPECT_EQ(kept(), 2u);
  with(run("/r", id_of('c'), "t3"), {"of c"}, "");
  drop(1);
  EXPECT_EQ(kept(), 2u);
  drop(1);
  EXPECT_EQ(kept(), 1u);
}

/// Runs of the days 1 to `days`, the later the newer, each with a report of its own.
class RunRetentionTest : public LedgerAnalysisRuns {
 protected:
  void put_days(const std::string& root, int days) {
    for (int day = 1; day <= days; ++day) {
      Change change{.events = {event("analysis.completed")}};
      const std::string bytes = root + std::to_string(day);
      change.blobs = {{digest_of(bytes).hex(), bytes}};
      change.analysis_run = run(root, id_of(static_cast<char>('0' + day)), time_of(day));
      change.analysis_run->report_sha256 = change.blobs[0].sha256;
      change.run_parts = {bytes};
      ASSERT_TRUE(ledger->commit(change, Durability::durable).has_value());
    }
  }
  static std::string time_of(int day) { return "2026-01-0" + std::to_string(day) + "T00:00:00Z"; }
  DroppedRuns drop(int before, std::int64_t reports, std::int64_t rows) {
    const Timestamp time{1'767'225'600 + (before - 1) * 86'400};  // 2026-01-01
    return ledger->drop_analysis_runs({time, reports, rows}, event("analysis.dropped")).value();
  }
  /// Days whose row is there, with a plus for those whose report can be read.
  std::string kept(const std::string& root) {
    std::string out;
    const auto rows = ledger->analysis_runs({.root = root}).value();
    for (const AnalysisRunRow& row : rows) {
      const bool has = !row.report_sha256.empty() && ledger->blob(row.report_sha256).value();
      EXPECT_EQ(ledger->run_part(row, 0).value().has_value(), has) << row.run_id;
      out += row.run_id.substr(0, 1) + (has ? "+" : "-");
    }
    return out;
  }
};
INSTANTIATE_TEST_SUITE_P(, RunRetentionTest, ::testing::Values(BackEnd::sqlite, BackEnd::postgres),
                         testing::name_of);

TEST_P(RunRetentionTest, OldReportsGoAndTheirNumbersStay) {
  put_days("/r", 6);
  put_days("/s", 2);
  EXPECT_EQ(drop(5, 1, 100), (DroppedRuns{5, 0}));
  EXPECT_EQ(kept("/r"), "6+5+4-3-2-1-");
  EXPECT_EQ(kept("/s"), "2+1-");  // of each place the latest stays, however old
  EXPECT_EQ(drop(5, 1, 100), DroppedRuns{});
  EXPECT_EQ(ledger->check().value(), std::vector<std::string>{});
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
}

TEST_P(RunRetentionTest, TheLatestReportsStayHoweverOldTheyAre) {
  put_days("/r", 6);
  EXPECT_EQ(drop(9, 4, 100), (DroppedRuns{2, 0}));
  EXPECT_EQ(kept("/r"), "6+5+4+3+2-1-");
}

TEST_P(RunRetentionTest, RowsBeyondTheLimitGoWithTheirReports) {
  put_days("/r", 6);
  EXPECT_EQ(drop(1, 1, 4), (DroppedRuns{0, 2}));
  EXPECT_EQ(kept("/r"), "6+5+4+3+");
  EXPECT_FALSE(ledger->blob(digest_of("/r1").hex()).value().has_value());
}

TEST_P(RunRetentionTest, OneAuditRowTellsWhatWent) {
  put_days("/r", 3);
  const std::int64_t before = ledger->last_seq().value();
  drop(3, 1, 100);
  const auto rows = ledger->audit_rows(before + 1, 10).value();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].event.event, "analysis.dropped");
  EXPECT_EQ(rows[0].event.payload,
            Value(Map{{"reports", 2}, {"rows", 0}, {"before", "2026-01-03T00:00:00Z"}}));
  drop(3, 1, 100);
  EXPECT_EQ(ledger->last_seq().value(), before + 1);
}

TEST_P(RunRetentionTest, AReportThatAnythingElseNamesStays) {
  put_days("/r", 3);
  AnalysisRunRow other = run("/other", id_of('a'), time_of(3));
  other.report_sha256 = digest_of("/r1").hex();
  put(other);
  ASSERT_TRUE(
      ledger->put_document("d", "evidence", Map{{"report", digest_of("/r2").hex()}}, event("x"))
          .has_value());
  EXPECT_EQ(drop(9, 1, 100), (DroppedRuns{2, 0}));
  EXPECT_TRUE(ledger->blob(digest_of("/r1").hex()).value().has_value());
  EXPECT_TRUE(ledger->blob(digest_of("/r2").hex()).value().has_value());
}

TEST_P(RunRetentionTest, ARunThatIsMetAgainHasItsReportAgain) {
  put_days("/r", 3);
  drop(9, 1, 100);
  EXPECT_EQ(kept("/r"), "3+2-1-");
  put_days("/r", 1);
  EXPECT_EQ(kept("/r"), "1+3+2-");
}

}  // namespace
}  // namespace gh::store
