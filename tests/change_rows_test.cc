// Every table of docs/reference/change-control.md has a test that types its rows again. Here the
// rows of the page are counted: a table that is not listed, a row more or less, or a test that is
// gone fails, so that nobody adds a row without its case.
#include <algorithm>

#include "base/text.h"
#include "control/conflicts.h"
#include "control/hygiene.h"
#include "control/start_decision.h"
#include "control/test_intent.h"
#include "tests/agents_kit.h"

namespace gh::testing {
namespace {

struct Table {
  std::string section, column;  // the heading above it, and the head of its first column
  std::size_t rows;
  std::string test;  // where its rows are typed again
};
bool operator==(const Table& a, const Table& b) {
  return a.section == b.section && a.column == b.column && a.rows == b.rows;
}
void PrintTo(const Table& table, std::ostream* out) {
  *out << table.section << " / " << table.column << ": " << table.rows;
}

// In the order of the page.
const std::vector<Table> kTables{
    {"Configuration", "key", 11, "ControlPolicy.EveryKeyHasItsDefaultAGoodAndABadValue"},
    {"Paths and matching", "given", 9, "ScopePaths.AnEntryIsFoldedOrRefused"},
    {"Paths and matching", "asked by", 4, "ScopeCheck.EachListHasItsDefinition"},
    {"The record", "member", 28, "IntentRecord.OneBrokenRuleMakesItCorrupted"},
    {"Ownership", "seen of the owner", 8, "Ownership.EightObservationsDecideWhetherAHolderLives"},
    {"Ownership", "first that holds", 6, "Ownership.SixRowsInTheirOrder"},
    {"Ownership", "stale because", 3,
     "Ownership.ALookClosesWhatExpiredAndASweepAlsoWhatIsOrphaned"},
    {"Leases", "renewed by", 6, "BothLedgers/Fencing.EveryCommandAboutTheIntentRenewsItsLease"},
    {"Fencing", "queued", 4, "Ownership.AHolderWhoFellSilentLosesTheFilesToWhoeverCame"},
    {"Conflicts", "first that holds", 3,
     "Conflicts.ForbiddenPatternsOfEitherSideAreToldButStopNobody"},
    {"Conflicts", "ownership", 2, "Conflicts.AnEntrySaysWhoHoldsWhatAndWhatToDo"},
    {"Registry", "action", 8, "ChangeSchemas.TheLifeOfAnIntentConforms"},
    {"Registry", "", 3, "BothLedgers/ChangeControl.TwoAgentsOnOneFileTakeTurns"},
    {"Start", "run", 5, "StartDecision.FiveRows"},
    {"Start", "what stands in the way", 6,
     "StartDecision.TheNextStepFollowsFromWhatStandsInTheWay"},
    {"The write gate", "records", 6,
     "WriteGate.OnlyALivingOwnerOfAnOpenRecordThatHoldsItsFilesMayWrite"},
    {"Evidence", "given", 3, "ChangeWork.Correction07ADiffNamesBothEndsOfARenameAndNewFiles"},
    {"Scope check", "list", 3, "ScopeCheck.EachListHasItsDefinition"},
    {"Scope check", "first that holds", 3, "ScopeCheck.EachListHasItsDefinition"},
    {"Profiles", "profile", 6, "Profiles.EachSaysWhatItNeedsAndWhatDoesNotApply"},
    {"Profiles", "`reason`", 5, "Profiles.WhatCouldBeReadNeitherTimeIsNamed"},
    {"Dirt", "On disk or in the index", 11,
     "ChangeStates.WhateverGitHasInAWorkTreeIsSeenAndCanBeNamed"},
    {"Hygiene", "actor", 9, "ChangeRows.WhoBlocksWhom"},
    {"Hygiene", "where", 7, "FinishHygiene.SevenClasses"},
    {"Hygiene", "first that holds", 4, "FinishHygiene.TheFirstOfFourReasonsBlocks"},
    {"Gates and budgets", "gate key", 19, "GatesOfAStoredRun.EveryRowFailsAlone"},
    {"Gates and budgets", "budget", 12, "Budgets.EveryCellOfTheTable"},
    {"Verify", "step", 12, "Verify.EveryStepInItsOrder"},
    {"Verify", "step", 4, "Verify.FastPath"},
    {"Verify", "intent", 7, "Verify.DecisionTableWithAnIntent"},
    {"Verify", "status", 5, "Verify.StatusWords"},
    {"Verify", "reason", 14, "Verify.EveryReasonHasItsNextStep"},
    {"Baseline abuse", "trigger", 4, "BaselineAbuse.EveryTriggerInEveryCombination"},
    {"Finish", "exit", 9, "Finish.EveryExitOfThePipeline"},
    {"Finish", "answer", 9, "Finish.EveryAnswerHasAnActionForTheAgent"},
    {"Receipt", "member", 13, "ReceiptBody.HasTheMembersOfTheReference"},
    {"Receipt", "the first that applies", 5, "ReceiptBody.Verdict"},
    {"Receipt", "`receipt show` answers", 6, "BothLedgers/Receipts.WhatCannotBeShownHasAStatus"},
    {"Claim guard", "pattern", 6, "Claims.EveryKeywordOfEveryPattern"},
    {"Claim guard", "warning", 5, "Claims.EveryWarningInTheOrderOfTheTable"},
    {"Patch trail", "list", 11, "PatchTrail.EveryLimitAndItsTruncation"},
    {"Exit codes", "answer", 10, "BothLedgers/ChangeScenarios.EveryOutcomeHasItsExitCode"},
    {"Audit events", "event", 22, "AuditEvents.EveryEventHasItsSeverity"},
};

std::string first_cell(std::string_view row) {
  const std::size_t end = row.find('|', 1);
  std::string out(row.substr(1, end - 1));
  out.erase(0, out.find_first_not_of(' '));
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

std::vector<Table> tables_of(std::string_view page) {
  std::vector<Table> out;
  std::string section;
  bool inside = false;
  const std::vector<std::string_view> lines = split(page, '\n');
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    if (lines[i].starts_with('#')) section = lines[i].substr(lines[i].find(' ') + 1);
    const bool is_row = lines[i].starts_with('|');
    if (is_row && !inside) {
      out.push_back({section, first_cell(lines[i]), 0, ""});
      ++i;  // the line below the head
    } else if (is_row) {
      ++out.back().rows;
    }
    inside = is_row;
  }
  return out;
}

bool is_there(const std::string& name) {
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const ::testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k) {
      const std::string test = suite.GetTestInfo(k)->name();  // "Name/Parameter"
      if (suite.name() + ("." + test.substr(0, test.find('/'))) == name) return true;
    }
  }
  return false;
}

TEST(ChangeRows, EveryTableOfTheReferenceIsTypedAgainInATest) {
  const auto page = sys::read_file("docs/reference/change-control.md", 1u << 20);
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(tables_of(*page), kTables);
  for (const Table& table : kTables)
    EXPECT_TRUE(is_there(table.test)) << table.test;
}

// ------------------------------------------------------------------------------- who blocks whom

using control::Held;
using control::Ownership;

/// One agent wants pkg/a.py; somebody else may hold something, and something is dirty.
struct Meeting {
  Words mine{"pkg/a.py"}, theirs{};  // empty: nobody else is there
  std::string dirty{};               // empty: nothing is
  bool was_dirty = false, changed_since = false, is_known = true, is_named = false;
};

struct Met {
  bool conflict = false;
  control::StartHygiene start{};
  control::FinishHygiene finish{};
};

DirtySnapshot dirt_of(const std::string& path, char content) {
  DirtySnapshot out{.captured_at = control::kDeclared};
  if (!path.empty()) out.entries[path] = {".M", std::string(64, content)};
  out.paths_count = static_cast<std::int64_t>(out.entries.size());
  return out;
}

Met met(const Meeting& m) {
  Intent other = control::test_intent("theirs");
  std::vector<Held> records;
  if (!m.theirs.empty()) {
    other.scope = control::scope_of(m.theirs);
    records.push_back({&other, Ownership::foreign_active, control::Liveness::alive});
  }
  const Scope scope = control::scope_of(m.mine);
  const DirtySnapshot now = dirt_of(m.dirty, 'b');
  std::optional<DirtySnapshot> then;
  if (m.is_known) then = dirt_of(m.was_dirty ? m.dirty : "", m.changed_since ? 'a' : 'b');
  return {control::find_conflicts(scope, records, policy::ConflictMatching::prefix).any(),
          control::start_hygiene(scope, &now, records),
          control::finish_hygiene({.scope = &scope,
                                   .evidence = m.is_named ? Words{m.dirty} : Words{},
                                   .dirt = &now,
                                   .at_start = &then,
                                   .records = records})};
}

// The nine rows, in the order of the founding document.
TEST(ChangeRows, WhoBlocksWhom) {
  struct Row {
    Meeting meeting;
    bool conflict, blocks_edit, overlaps;
    std::string classification, block_reason;
  };
  const std::vector<Row> rows{
      {{.theirs = {"pkg/a.py"}}, true, false, false, "", ""},
      {{.dirty = "pkg/a.py", .is_named = true}, false, true, false, "declared_scope_dirty", ""},
      {{.dirty = "pkg/a.py"}, false, true, false, "missing_evidence", "missing_evidence"},
      {{.dirty = "out", .was_dirty = true}, false, false, false, "preexisting_unscoped_dirty", ""},
      {{.dirty = "out"}, false, false, false, "new_unattributed_unscoped_dirty", ""},
      {{.dirty = "out", .was_dirty = true, .changed_since = true},
       false,
       false,
       false,
       "modified_unattributed_unscoped_dirty",
       ""},
      {{.dirty = "out", .is_known = false},
       false,
       false,
       false,
       "unknown_unattributed_unscoped_dirty",
       ""},
      {{.theirs = {"out"}, .dirty = "out"},
       false,
       false,
       false,
       "foreign_attributed_outside_scope",
       ""},
      {{.theirs = {"pkg/a.py"}, .dirty = "pkg/a.py", .is_named = true},
       true,
       true,
       true,
       "declared_scope_dirty",
       "foreign_dirty_overlap"},
  };
  EXPECT_EQ(rows.size(), 9u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(i);
    const Met out = met(rows[i].meeting);
    EXPECT_EQ(out.conflict, rows[i].conflict);
    EXPECT_EQ(out.start.blocks_edit(), rows[i].blocks_edit);
    EXPECT_EQ(!out.start.foreign_dirty_overlaps.empty(), rows[i].overlaps);
    EXPECT_EQ(out.finish.rows.empty() ? "" : to_string(out.finish.rows[0].classification),
              rows[i].classification);
    EXPECT_EQ(out.finish.block_reason, rows[i].block_reason);
  }
}

}  // namespace
}  // namespace gh::testing
