#include "proposal/carry.h"

#include <functional>

#include "proposal/meta.h"
#include "proposal/test_proposal.h"

namespace gh::proposal {
namespace {

const std::string kNewBase(40, 'e'), kNewTree(40, 'f'), kNewDigest(64, '1'), kRecord(64, '2');

std::string placed_at(int line, std::string_view with = "int cut();") {
  return fmt::format(
      "diff --git a/src/cut.cc b/src/cut.cc\n--- a/src/cut.cc\n+++ b/src/cut.cc\n"
      "@@ -{0},3 +{0},4 @@\n one\n+{1}\n two\n three\n",
      line, with);
}

diff::Patch parsed(const std::string& text) {
  auto patch = diff::parse(text, diff::Profile::git, diff::Position::exact);
  EXPECT_TRUE(patch.has_value()) << text;
  return patch ? std::move(*patch) : diff::Patch{};
}

struct SameCase {
  std::string a, b;
  bool same;
};
// docs/reference/proposals.md, Carried reviews: places may differ and nothing else.
const std::vector<SameCase> kSame = {
    {placed_at(1), placed_at(1), true},
    {placed_at(1), placed_at(40), true},
    {placed_at(1), placed_at(1, "int cut(int);"), false},
    {placed_at(1),
     "diff --git a/src/cut.cc b/src/cut.cc\n--- a/src/cut.cc\n+++ b/src/cut.cc\n"
     "@@ -1,3 +1,4 @@\n One\n+int cut();\n two\n three\n",
     false},
    {placed_at(1),
     "diff --git a/src/cut.cc b/src/cut.cc\n--- a/src/cut.cc\n+++ b/src/cut.cc\n"
     "@@ -2,2 +2,3 @@\n+int cut();\n two\n three\n",
     false},
    {placed_at(1), placed_at(1) + testing::section("tests/more.cc", "more"), false},
    {testing::section("a", "x"), testing::section("b", "x"), false},
    {"diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
     "diff --git a/x b/x\nold mode 100755\nnew mode 100644\n", false},
};

TEST(Carry, OnlyThePlaceOfAHunkMayDiffer) {
  for (const SameCase& c : kSame) {
    EXPECT_EQ(is_identical_patch(parsed(c.a), parsed(c.b)), c.same) << c.a << c.b;
    EXPECT_EQ(is_identical_patch(parsed(c.b), parsed(c.a)), c.same) << c.a << c.b;
  }
}

struct Both {
  ProposalMeta old_meta = testing::good_meta(), new_meta = testing::good_meta();
  std::string old_text = placed_at(1), new_text = placed_at(9);
  Review review = testing::good_review("gemini", "gemini");
  std::string sha256 = kRecord, old_report = "", new_report = "", new_digest = kNewDigest;
  Carry carry{.patch_id = "o11-fix-cutplan-001-r2",
              .proposal_digest = kNewDigest,
              .from_patch_id = "o11-fix-cutplan-001",
              .from_proposal_digest = testing::kDigest,
              .reviewer = "gemini",
              .review_sha256 = kRecord,
              .created_utc = "2026-05-22T10:00:00Z"};
  Both() {
    new_meta.patch_id = "o11-fix-cutplan-001-r2";
    new_meta.base_commit = kNewBase;
    new_meta.created_utc = "2026-05-22T10:00:00Z";
    new_meta.supersedes = {"o11-fix-cutplan-001"};
    new_meta.schema = "gatehouse.proposal/1";
    new_meta.diff_sha256 = std::string(64, '9');
    new_meta.promotion_status = "proposed";
  }
  std::optional<std::string> defect() const {
    const diff::Patch before = parsed(old_text), after = parsed(new_text);
    return carry_defect(
        carry, review, sha256,
        {old_meta, before, testing::kDigest, old_report, testing::kBase, testing::kTree},
        {new_meta, after, new_digest, new_report, kNewBase, kNewTree});
  }
};

struct DefectCase {
  std::string_view says;
  std::function<void(Both&)> spoil;
};
const std::vector<DefectCase> kDefects = {
    {"another proposal", [](Both& b) { b.carry.patch_id = "other"; }},
    {"another proposal", [](Both& b) { b.new_digest = std::string(64, '3'); }},
    {"another proposal", [](Both& b) { b.carry.from_patch_id = "other"; }},
    {"another proposal", [](Both& b) { b.carry.from_proposal_digest = kNewDigest; }},
    {"digest, base or tree", [](Both& b) { b.review.patch_id = "other"; }},
    {"digest, base or tree", [](Both& b) { b.review.proposal_digest = kNewDigest; }},
    {"digest, base or tree", [](Both& b) { b.review.base_commit = kNewBase; }},
    {"digest, base or tree", [](Both& b) { b.review.candidate_tree = kNewTree; }},
    {"another review", [](Both& b) { b.carry.reviewer = "codex"; }},
    {"another review", [](Both& b) { b.sha256 = std::string(64, '4'); }},
    {"author_agent", [](Both& b) { b.new_meta.author_agent = "m / r"; }},
    {"source_gap", [](Both& b) { b.new_meta.source_gap = "kb:1"; }},
    {"affected_files", [](Both& b) { b.new_meta.affected_files = {"src/cut.cc"}; }},
    {"tests_added", [](Both& b) { b.new_meta.tests_added = {}; }},
    {"commands_run", [](Both& b) { b.new_meta.commands_run = {}; }},
    {"risk_notes", [](Both& b) { b.new_meta.risk_notes = "none"; }},
    {"rollback_notes", [](Both& b) { b.new_meta.rollback_notes = "none"; }},
    {"title", [](Both& b) { b.new_meta.title = "harmless"; }},
    {"depends_on", [](Both& b) { b.new_meta.depends_on = {"x-1"}; }},
    {"target_ref", [](Both& b) { b.new_meta.target_ref = "refs/heads/release"; }},
    {"intent_id", [](Both& b) { b.new_meta.intent_id = "i"; }},
    {"command_results", [](Both& b) { b.new_meta.command_results = List{}; }},
    {"sandbox",
     [](Both& b) {
       b.new_meta.sandbox = Map{{"id", "s"}};
     }},
    {"report", [](Both& b) { b.new_report = std::string(64, '5'); }},
    {"identical", [](Both& b) { b.new_text = placed_at(9, "int cut(int);"); }},
};

TEST(Carry, AReviewCountsForTheSameChangeAndTheSameWordsOnly) {
  EXPECT_EQ(Both().defect(), std::nullopt);
  for (const DefectCase& c : kDefects) {
    Both both;
    c.spoil(both);
    const auto got = both.defect();
    ASSERT_TRUE(got.has_value()) << c.says;
    EXPECT_NE(got->find(c.says), std::string::npos) << *got;
  }
}

TEST(Carry, TheRecordStaysWhatTheReviewerMade) {
  const Both both;
  const diff::Patch patch = parsed(both.new_text);
  const Review counts =
      carried_review(both.review, {both.new_meta, patch, kNewDigest, "", kNewBase, kNewTree});
  EXPECT_EQ(counts.patch_id, "o11-fix-cutplan-001-r2");
  EXPECT_EQ(counts.proposal_digest, kNewDigest);
  EXPECT_EQ(counts.base_commit, kNewBase);
  EXPECT_EQ(counts.candidate_tree, kNewTree);
  EXPECT_TRUE(to_document(counts) == to_document(both.review));
}

TEST(Carry, TheDocumentNamesBothDigestsAndTheReview) {
  const Map document = to_document(Both().carry);
  for (const auto& [name, text] :
       std::vector<std::pair<std::string, std::string>>{{"schema", "gatehouse.review_carry/1"},
                                                        {"patch_id", "o11-fix-cutplan-001-r2"},
                                                        {"proposal_digest", kNewDigest},
                                                        {"from_patch_id", "o11-fix-cutplan-001"},
                                                        {"from_proposal_digest", testing::kDigest},
                                                        {"reviewer", "gemini"},
                                                        {"review_sha256", kRecord},
                                                        {"created_utc", "2026-05-22T10:00:00Z"}}) {
    ASSERT_NE(document.find(name), nullptr) << name;
    EXPECT_TRUE(*document.find(name) == Value(text)) << name;
    Map without = document;
    without.erase(name);
    EXPECT_FALSE(carry_from_document(Value(without)).has_value()) << name;
  }
  const auto back = carry_from_document(Value(document));
  ASSERT_TRUE(back.has_value());
  EXPECT_TRUE(*back == Both().carry);
  EXPECT_FALSE(carry_from_document(Value("text")).has_value());
}

}  // namespace
}  // namespace gh::proposal
