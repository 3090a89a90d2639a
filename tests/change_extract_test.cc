// What is extracted from open records (docs/formats/ledger.md, `intent_heads`, `intent_keys`) never
// decides otherwise than the records themselves, on both ledgers.
#include "control/intent_extract.h"
#include "tests/change_kit.h"

namespace gh::testing {
namespace {

class Extracts : public ChangeControl {
 protected:
  std::vector<std::string> without_extract() const {
    auto ledger = open_ledger();
    return (*ledger)->intent_index().value()->without_extract().value();
  }
  /// Every head is that of its record, and says what the record says.
  void expect_heads(std::size_t count) const {
    auto ledger = open_ledger();
    const auto heads = (*ledger)->intent_index().value()->heads().value();
    EXPECT_EQ(heads.size(), count);
    for (const store::IntentHead& row : heads) {
      const auto record = (*ledger)->intent(row.intent_id).value();
      const auto intent = control::from_record(record->payload.value());
      ASSERT_TRUE(intent.has_value()) << intent.error().message;
      EXPECT_EQ(row.head, control::head_of(*intent, control::scope_digest(intent->scope)));
    }
  }
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, Extracts,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

TEST_P(Extracts, FollowTheirRecordsFromStartToEnd) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("B", {"pkg/a.py"}, {"--related", "pkg/b.py"}), "active");
  expect_heads(2);
  EXPECT_EQ(field({"change", "renew", "--lease", "120s"}, "A", "lease_renewed"), "true");
  must({"change", "extend", "--add", "docs/index.md"}, "A");
  must({"change", "check", "--files", "docs/guide.md"}, "A");
  expect_heads(2);
  EXPECT_EQ(start("C", {"docs/index.md"}), "blocked");  // found by what was added
  must({"change", "abandon"}, "A");
  expect_heads(1);
  EXPECT_EQ(start("C", {"docs/index.md"}), "active");
  EXPECT_TRUE(without_extract().empty());
}

TEST_P(Extracts, ThatAreGoneAreMadeAgainByWhoeverStarts) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("B", {"pkg/a.py"}), "active");
  edit_ledger("DELETE FROM intent_heads");
  edit_ledger("DELETE FROM intent_keys");
  EXPECT_EQ(without_extract().size(), 2u);
  EXPECT_EQ(field({"change", "renew"}, "A", "lease_renewed"), "true");
  EXPECT_EQ(start("C", {"docs"}), "blocked");
  EXPECT_EQ(start("C", {"Makefile"}), "active");
  EXPECT_TRUE(without_extract().empty());
  expect_heads(3);
  EXPECT_EQ(start("D", {"docs/guide.md"}), "blocked");
}

TEST_P(Extracts, OfARecordThatIsDamagedByHandHoldNothing) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("B", {"pkg/a.py"}), "active");
  edit_ledger("UPDATE intents SET payload_json = '{' WHERE intent_id = '" + id_of("A") + "'");
  EXPECT_EQ(start("C", {"docs/guide.md"}), "active");
  EXPECT_EQ(events("workspace.gc_completed"), 1u);
  expect_heads(2);
}

TEST_P(Extracts, DoNotKeepAPassedHolderFromLosingItsFiles) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  const std::string first = id_of("A");
  EXPECT_EQ(start("B", {"pkg/a.py"}), "active");
  age(first, kLapsed);
  EXPECT_EQ(start("C", {"docs"}), "active");
  EXPECT_EQ(events("intent.passed"), 1u);
  EXPECT_EQ(field({"change", "renew"}, "A", "reason"), "ownership_lost");
  expect_heads(3);
}

TEST_P(Extracts, TellOfThoseThatForbidAndAreForbidden) {
  EXPECT_EQ(start("A", {"pkg/a.py"}, {"--forbid", "docs/*"}), "active");
  EXPECT_EQ(start("B", {"docs/guide.md"}, {}, "workspace.workspace_relations.0.relation"),
            "foreign_excludes_target");
  must({"change", "abandon"}, "B");
  EXPECT_EQ(
      start("C", {"Makefile"}, {"--forbid", "*/a.py"}, "workspace.workspace_relations.0.relation"),
      "target_excludes_foreign");
}

}  // namespace
}  // namespace gh::testing
