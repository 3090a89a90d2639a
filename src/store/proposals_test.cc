// The proposal tables, blobs and leases over both back ends.
#include <gtest/gtest.h>

#include "store/ledger.h"
#include "tests/ledger_kit.h"

namespace gh::store {
namespace {

using testing::BackEnd;
using testing::event;
using testing::LedgerPlace;
using testing::proposal_event;
using testing::proposal_row;

class LedgerProposals : public ::testing::TestWithParam<BackEnd> {
 protected:
  Result<std::int64_t> put(ProposalRow row) {
    Change change{.events = {proposal_event(row.patch_id)}};
    change.proposal = std::move(row);
    return ledger->commit(change, Durability::soft);
  }
  std::string ids(const ProposalFilter& filter) {
    std::string out;
    const auto rows = ledger->proposals(filter).value();
    for (const ProposalRow& row : rows)
      out += row.patch_id + " ";
    return out;
  }
  LedgerPlace place{GetParam()};
  std::unique_ptr<Ledger> ledger = place.open();
};
INSTANTIATE_TEST_SUITE_P(, LedgerProposals, ::testing::Values(BackEnd::sqlite, BackEnd::postgres),
                         testing::name_of);

TEST_P(LedgerProposals, EveryColumnComesBack) {
  ProposalRow row = proposal_row("p-1");
  row.revision = 4;
  row.source_gap = "gap: \"quoted\" \xC3\xA4 ? $1";
  row.docs_only = true;
  row.deleted = 1LL << 40;
  ASSERT_TRUE(put(row).has_value());
  const ProposalRow got = ledger->proposal("p-1").value().value();
  EXPECT_EQ(got.rev, 1);
  EXPECT_EQ(got.revision, 4);
  EXPECT_EQ(got.digest, row.digest);
  EXPECT_EQ(got.canonical_sha256, row.canonical_sha256);
  EXPECT_EQ(got.diff_sha256, row.diff_sha256);
  EXPECT_EQ(got.author_agent, "agent-a");
  EXPECT_EQ(got.actor, "local:1000");
  EXPECT_EQ(got.trust_level, "untrusted");
  EXPECT_EQ(got.promotion_status, "proposed");
  EXPECT_EQ(got.sub_state, "in_review");
  EXPECT_EQ(got.base_commit, "abc");
  EXPECT_EQ(got.candidate_tree, "def");
  EXPECT_EQ(got.target_ref, "refs/heads/main");
  EXPECT_EQ(got.source_gap, row.source_gap);
  EXPECT_TRUE(got.docs_only);
  EXPECT_EQ(got.added, 3);
  EXPECT_EQ(got.deleted, 1LL << 40);
  EXPECT_EQ(got.files_n, 1);
  EXPECT_EQ(got.created_utc, row.created_utc);
  EXPECT_EQ(got.received_utc, row.received_utc);
  EXPECT_EQ(got.updated_utc, row.updated_utc);
  EXPECT_EQ(got.body, row.body);
  EXPECT_FALSE(ledger->proposal("p-2").value().has_value());
}

TEST_P(LedgerProposals, ARecordChangesOnlyFromItsLatestRevision) {
  ASSERT_TRUE(put(proposal_row("p-1")).has_value());
  EXPECT_EQ(put(proposal_row("p-1")).error().code, Code::conflict);
  ProposalRow row = ledger->proposal("p-1").value().value();
  const ProposalRow stale = row;
  row.promotion_status = "promoted";
  ASSERT_TRUE(put(row).has_value());
  EXPECT_EQ(put(stale).error().code, Code::conflict);
  EXPECT_EQ(ledger->proposal("p-1").value()->rev, 2);
  EXPECT_EQ(ledger->proposal("p-1").value()->promotion_status, "promoted");
  EXPECT_EQ(ledger->last_seq().value(), 2);  // refused changes left no audit row
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
}

TEST_P(LedgerProposals, ADigestBelongsToOneProposal) {
  ASSERT_TRUE(put(proposal_row("p-1")).has_value());
  ProposalRow thief = proposal_row("p-2");
  thief.digest = proposal_row("p-1").digest;
  EXPECT_EQ(put(thief).error().code, Code::conflict);
  EXPECT_FALSE(ledger->proposal("p-2").value().has_value());
  EXPECT_TRUE(put(proposal_row("p-2")).has_value());
}

TEST_P(LedgerProposals, ASupersededOneChangesWithItsSuccessorOrNotAtAll) {
  ASSERT_TRUE(put(proposal_row("p-1")).has_value());
  ProposalRow old = ledger->proposal("p-1").value().value();
  old.sub_state = "superseded";
  Change change{.events = {proposal_event("p-2")}};
  change.proposal = proposal_row("p-2");
  change.more_proposals = {old};
  ASSERT_TRUE(ledger->commit(change, Durability::durable).has_value());
  EXPECT_EQ(ledger->proposal("p-1").value()->sub_state, "superseded");
  change.proposal = proposal_row("p-3");  // `old` is of an earlier revision now
  EXPECT_EQ(ledger->commit(change, Durability::durable).error().code, Code::conflict);
  EXPECT_FALSE(ledger->proposal("p-3").value().has_value());
}

TEST_P(LedgerProposals, FiltersAndPagesInOrderOfTheId) {
  // Byte order, whatever the language of the database: capitals come first.
  for (const char* id : {"p-b", "p-a", "P-Z", "p-c"}) {
    ProposalRow row = proposal_row(id);
    if (row.patch_id == "p-a") row.promotion_status = "rejected";
    if (row.patch_id == "p-b") row.author_agent = "agent-b";
    if (row.patch_id == "p-c") row.sub_state = "stale";
    if (row.patch_id == "P-Z") row.target_ref = "refs/heads/other";
    ASSERT_TRUE(put(row).has_value());
  }
  EXPECT_EQ(ids({}), "P-Z p-a p-b p-c ");
  EXPECT_EQ(ids({.status = "rejected"}), "p-a ");
  EXPECT_EQ(ids({.status = "proposed"}), "P-Z p-b p-c ");
  EXPECT_EQ(ids({.sub_state = "in_review"}), "P-Z p-a p-b ");
  EXPECT_EQ(ids({.author = "agent-b"}), "p-b ");
  EXPECT_EQ(ids({.target_ref = "refs/heads/other"}), "P-Z ");
  EXPECT_EQ(ids({.canonical_sha256 = proposal_row("p-b").canonical_sha256}), "p-b ");
  EXPECT_EQ(ids({.status = "proposed", .author = "agent-a"}), "P-Z p-c ");
  EXPECT_EQ(ids({.after = "p-a"}), "p-b p-c ");
  EXPECT_EQ(ids({.after = "p-a", .limit = 1}), "p-b ");
  EXPECT_EQ(ids({.author = "nobody"}), "");
  EXPECT_EQ(ledger->count_proposals({.status = "proposed", .limit = 1}).value(), 3);
  EXPECT_EQ(ledger->count_proposals({}).value(), 4);
  EXPECT_EQ(ledger->count_proposals({.author = "agent-a"}).value(), 3);
  ProposalRow moved = ledger->proposal("p-b").value().value();
  moved.promotion_status = "rejected";
  ASSERT_TRUE(put(moved).has_value());
  EXPECT_EQ(ledger->count_proposals({.status = "rejected"}).value(), 2);
  EXPECT_EQ(ledger->count_proposals({.status = "proposed"}).value(), 2);
  EXPECT_EQ(ledger->count_proposals({.status = "promoted"}).value(), 0);
  EXPECT_EQ(ledger->count_proposals({}).value(), 4);
  EXPECT_TRUE(ledger->check().value().empty());
}

TEST_P(LedgerProposals, FilesAreReplacedAsAWholeAndFoundByTheBytesOfTheirPath) {
  const std::string odd = "src/\xFF'?.c";  // git names need not be UTF-8
  Change change{.events = {proposal_event("p-1")}};
  change.proposal = proposal_row("p-1");
  change.proposal_files = {{"b.txt", "modify", "100644", "100644", "1", "2"},
                           {odd, "create", "", "100644", "", "3"}};
  ASSERT_TRUE(ledger->commit(change, Durability::soft).has_value());
  auto files = ledger->proposal_files("p-1").value();
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].path, "b.txt");
  EXPECT_EQ(files[0].op, "modify");
  EXPECT_EQ(files[0].old_blob + files[0].new_blob, "12");
  EXPECT_EQ(files[1].path, odd);
  EXPECT_EQ(files[1].old_mode + files[1].new_mode, "100644");
  EXPECT_EQ(ids({.file = odd}), "p-1 ");
  EXPECT_EQ(ids({.file = "b.tx"}), "");

  change.proposal = ledger->proposal("p-1").value().value();
  change.proposal_files = {{"c.txt", "delete", "100644", "", "4", ""}};
  ASSERT_TRUE(ledger->commit(change, Durability::soft).has_value());
  EXPECT_EQ(ledger->proposal_files("p-1").value().size(), 1U);
  EXPECT_EQ(ids({.file = odd}), "");
  EXPECT_EQ(ids({.status = "proposed", .file = "c.txt"}), "p-1 ");
  EXPECT_EQ(ledger->count_proposals({.file = "c.txt"}).value(), 1);
}

TEST_P(LedgerProposals, ReviewsStandInOrderOfWritingAndBecomeStaleTogether) {
  const auto review = [](const char* who, const char* verdict) {
    return ReviewRow{"p-1",     who,
                     "human:x", "sha256:d",
                     verdict,   List{Value("why")},
                     false,     "2026-01-02T03:04:05Z",
                     "aa"};
  };
  Change change{.events = {proposal_event("p-1")}};
  change.reviews = {review("zoe", "approve"), review("adam", "request_changes")};
  ASSERT_TRUE(ledger->commit(change, Durability::soft).has_value());
  EXPECT_EQ(ledger->commit(change, Durability::soft).error().code, Code::conflict);
  change.stale_reviews_of = "p-1";
  change.reviews = {review("bea", "approve")};
  ASSERT_TRUE(ledger->commit(change, Durability::soft).has_value());
  const auto reviews = ledger->reviews("p-1").value();
  ASSERT_EQ(reviews.size(), 3U);
  EXPECT_EQ(reviews[0].reviewer + reviews[1].reviewer + reviews[2].reviewer, "zoeadambea");
  EXPECT_TRUE(reviews[0].stale && reviews[1].stale && !reviews[2].stale);
  EXPECT_EQ(reviews[1].verdict, "request_changes");
  EXPECT_EQ(reviews[1].reasons, Value(List{Value("why")}));
  EXPECT_EQ(reviews[1].actor + reviews[1].digest + reviews[1].sha256, "human:xsha256:daa");
  EXPECT_TRUE(ledger->reviews("p-2").value().empty());
}

TEST_P(LedgerProposals, AdmissionsPromotionsAndConflicts) {
  Change change{.events = {proposal_event("p-1")}};
  change.admission = AdmissionRow{"sha256:z", "p-1", "submit", "admit", List{}, "t1"};
  change.promotion = PromotionRow{"p-1", "c1", "b", "r", "o", "n", "who", "", "t"};
  change.conflicts_of = {
      "p-1", {{"p-0", "p-1", "text", List{Value("a")}, "h"}, {"p-1", "p-2", "text", List{}, "h"}}};
  ASSERT_TRUE(ledger->commit(change, Durability::soft).has_value());
  change.admission = AdmissionRow{"sha256:a", "p-1", "promote", "defer", List{Value(1)}, "t2"};
  change.promotion->rollback_commit = "c2";
  change.conflicts_of = {"p-2", {{"p-2", "p-3", "path", List{}, "h2"}}};
  ASSERT_TRUE(ledger->commit(change, Durability::soft).has_value());

  const auto admissions = ledger->admissions("p-1").value();
  ASSERT_EQ(admissions.size(), 2U);
  EXPECT_EQ(admissions[0].id, "sha256:z");
  EXPECT_EQ(admissions[1].phase + admissions[1].decision, "promotedefer");
  EXPECT_EQ(admissions[1].checks, Value(List{Value(1)}));
  const auto promotion = ledger->promotion("p-1").value().value();
  EXPECT_EQ(promotion.commit_id + promotion.rollback_commit + promotion.promoter, "c1c2who");
  EXPECT_FALSE(ledger->promotion("p-2").value().has_value());
  const auto all = ledger->conflicts("").value();
  ASSERT_EQ(all.size(), 2U);  // p-1 with p-2 went with the replacement for p-2
  EXPECT_EQ(all[0].b + all[1].b, "p-1p-3");
  EXPECT_EQ(all[0].paths, Value(List{Value("a")}));
  EXPECT_EQ(ledger->conflicts("p-3").value().size(), 1U);
  EXPECT_EQ(ledger->conflicts("p-3").value()[0].computed_at_head, "h2");
  EXPECT_TRUE(ledger->conflicts("p-2 ").value().empty());
}

TEST_P(LedgerProposals, TheAuditRowsOfAProposalAreFound) {
  ASSERT_TRUE(put(proposal_row("p-1")).has_value());
  ASSERT_TRUE(put(proposal_row("p-2")).has_value());
  AuditEvent both = event("proposal.superseded");
  both.subject = Map{{"proposal_id", List{Value("p-1"), Value("p-2")}}};
  ASSERT_TRUE(ledger->append(both, Durability::soft).has_value());
  const auto rows = ledger->audit_of_proposal("p-1").value();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].seq, 1);
  EXPECT_EQ(rows[1].event.event, "proposal.superseded");
  EXPECT_TRUE(ledger->audit_of_proposal("p-3").value().empty());
  EXPECT_TRUE(ledger->check().value().empty());
}

TEST_P(LedgerProposals, TheRowsOfAnEventAreFoundWithoutTheIndex) {
  ASSERT_TRUE(put(proposal_row("p-1")).has_value());
  AuditEvent promoted = event("proposal.promoted");
  promoted.subject = Map{{"proposal_id", "p-1"}};
  ASSERT_TRUE(ledger->append(promoted, Durability::soft).has_value());
  ASSERT_TRUE(ledger->append(event(), Durability::soft).has_value());
  place.edit("DELETE FROM audit_proposals");
  const auto rows = ledger->audit_of_event("proposal.promoted").value();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].seq, 2);
  EXPECT_EQ(rows[0].event.subject, promoted.subject);
  EXPECT_TRUE(ledger->audit_of_event("proposal.promote").value().empty());
}

TEST_P(LedgerProposals, PayloadsOfProposalsAreNeverDropped) {
  AuditEvent record = event("ledger.vacuumed");
  record.ts = Timestamp{event().ts.seconds + 86'400};
  ASSERT_TRUE(ledger->commit({{proposal_event("p-1"), event()}}, Durability::soft).has_value());
  EXPECT_EQ(ledger->drop_payloads(record.ts, record).value(), 1);
  const auto rows = ledger->audit_rows(1, 10).value();
  EXPECT_FALSE(rows[0].event.payload.is_null());
  EXPECT_TRUE(rows[1].event.payload.is_null());
}

TEST_P(LedgerProposals, BytesAreKeptOnceUnderTheirDigest) {
  std::string bytes(300'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(i * i);
  const std::string sha256 = digest_of(bytes).hex(), empty = digest_of("").hex();
  Change change{.events = {event()}};
  change.blobs = {{sha256, bytes}, {empty, ""}};
  change.more_documents = {{"sha256:1", "review", Map{}}, {"sha256:2", "review", Map{}}};
  ASSERT_TRUE(ledger->commit(change, Durability::soft).has_value());
  ASSERT_TRUE(ledger->commit(change, Durability::soft).has_value());
  EXPECT_EQ(ledger->blob(sha256).value(), bytes);
  EXPECT_EQ(ledger->blob(empty).value(), "");
  EXPECT_EQ(ledger->blob("aa").value(), std::nullopt);
  EXPECT_TRUE(ledger->document("sha256:2").value().has_value());

  place.edit("UPDATE blobs SET sha256 = 'aa' WHERE sha256 = '" + empty + "'");
  EXPECT_EQ(ledger->blob("aa").error().code, Code::ledger_unavailable);
  const auto defects = ledger->check().value();
  ASSERT_EQ(defects.size(), 1U);
  EXPECT_EQ(defects[0], "the bytes kept as aa are other ones");
}

struct Defect {
  const char *sql, *words;
};
constexpr Defect kDefects[] = {
    {"UPDATE proposals SET body = '{'", "proposal p-1 cannot be read"},
    {"DELETE FROM audit_proposals WHERE seq = 1",
     "audit_proposals and audit row 1 disagree about proposal p-1"},
    {"INSERT INTO audit_proposals VALUES('p-9', 1)",
     "audit_proposals and audit row 1 disagree about proposal p-9"},
    {"UPDATE documents SET body = 'x'", "document sha256:1 cannot be read"},
    {"UPDATE proposal_counts SET n = 2", "the number of proposals in state 'proposed' is wrong"},
    {"DELETE FROM proposal_counts", "the number of proposals in state 'proposed' is wrong"},
};

TEST_P(LedgerProposals, TheCheckNamesWhatIsWrong) {
  for (const Defect& defect : kDefects) {
    SCOPED_TRACE(defect.sql);
    const LedgerPlace one(GetParam());
    const auto checked = one.open();
    Change change{.events = {proposal_event("p-1")}};
    change.proposal = proposal_row("p-1");
    change.document = Document{"sha256:1", "receipt", Map{}};
    ASSERT_TRUE(checked->commit(change, Durability::soft).has_value());
    EXPECT_TRUE(checked->check().value().empty());
    one.edit(defect.sql);
    EXPECT_EQ(checked->check().value(), std::vector<std::string>{defect.words});
  }
}

TEST_P(LedgerProposals, ABackupIsALedgerWithEveryRow) {
  Change change{.events = {proposal_event("p-1"), event("patch.rejected", "warn")}};
  change.proposal = proposal_row("p-1");
  change.proposal_files = {{"src/\xFF.c", "create", "", "100644", "", "3"}};
  change.run = testing::run_row("prun-1");
  change.blobs = {{digest_of("x y").hex(), "x y"}};
  ASSERT_TRUE(ledger->commit(change, Durability::soft).has_value());
  ASSERT_TRUE(ledger->acquire_lease("promote", "me", 1, 1000).value().has_value());
  const std::string file = place.folder() + "/copy.db";
  const auto copied = ledger->back_up(file);
  ASSERT_TRUE(copied.has_value()) << copied.error().message;
  EXPECT_EQ(ledger->back_up(file).error().code, Code::bad_argument);
  EXPECT_EQ(sys::info(file + "-wal").kind, sys::FileKind::missing);

  const auto copy = std::move(*Ledger::open_sqlite(file, 5000));
  EXPECT_EQ(copy->first_broken_link().value(), 0);
  EXPECT_TRUE(copy->check().value().empty());
  EXPECT_EQ(copy->last_seq().value(), 2);
  EXPECT_EQ(copy->repo_id().value(), ledger->repo_id().value());
  EXPECT_EQ(copy->proposal_files("p-1").value().at(0).path, "src/\xFF.c");
  EXPECT_EQ(copy->patch_run("prun-1").value()->rev, 1);
  EXPECT_EQ(copy->lease("promote").value()->token, 1);
  EXPECT_EQ(copy->audit_of_proposal("p-1").value().size(), 1U);
  EXPECT_EQ(copy->append(event(), Durability::durable).has_value(), true);
}

TEST_P(LedgerProposals, OldPayloadsGoAndTheChainHolds) {
  AuditEvent young = event(), warning = event("patch.rejected", "warn"),
             record = event("ledger.vacuumed");
  young.ts = record.ts = Timestamp{event().ts.seconds + 86'400};
  ASSERT_TRUE(ledger->commit({{event(), warning, young}}, Durability::soft).has_value());
  const Timestamp before{event().ts.seconds + 1};
  EXPECT_EQ(ledger->drop_payloads(before, record).value(), 1);
  EXPECT_EQ(ledger->drop_payloads(before, record).value(), 0);
  ASSERT_TRUE(ledger->compact().has_value());
  const auto rows = ledger->audit_rows(1, 10).value();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_TRUE(rows[0].event.payload.is_null());
  EXPECT_FALSE(rows[1].event.payload.is_null());
  EXPECT_FALSE(rows[2].event.payload.is_null());
  EXPECT_EQ(rows[3].event.payload, Value(Map{{"payloads", 1}, {"before", "2026-01-02T03:04:06Z"}}));
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
}

// ---- leases ----

enum class Do : std::uint8_t { acquire, renew, release, commit };
struct Step {
  Do what;
  int who;              // 0 or 1, each with the lease it got last
  std::int64_t now_ms;  // the clock of whoever acts
  std::int64_t token;   // wanted; 0: refused
};
struct Story {
  const char* name;
  std::vector<Step> steps;
};

/// The lease lasts 100 ms.
const std::vector<Story>& stories() {
  static const std::vector<Story> all{
      {"one holder at a time",
       {{Do::acquire, 0, 0, 1}, {Do::acquire, 1, 99, 0}, {Do::commit, 0, 99, 1}}},
      {"an expired lease is taken with a new token, and the old one is fenced off",
       {{Do::acquire, 0, 0, 1},
        {Do::acquire, 1, 100, 2},
        {Do::commit, 0, 100, 0},
        {Do::renew, 0, 100, 0},
        {Do::commit, 1, 100, 2}}},
      {"a late holder that nobody replaced goes on",
       {{Do::acquire, 0, 0, 1},
        {Do::commit, 0, 500, 1},
        {Do::renew, 0, 500, 1},
        {Do::acquire, 1, 599, 0},
        {Do::acquire, 1, 600, 2}}},
      {"renewing moves the end",
       {{Do::acquire, 0, 0, 1},
        {Do::renew, 0, 90, 1},
        {Do::acquire, 1, 150, 0},
        {Do::acquire, 1, 190, 2}}},
      {"released at once, and tokens still grow",
       {{Do::acquire, 0, 0, 1},
        {Do::release, 0, 1, 1},
        {Do::commit, 0, 2, 0},
        {Do::acquire, 1, 2, 2},
        {Do::release, 1, 3, 2},
        {Do::acquire, 0, 4, 3}}},
      {"releasing a lost lease takes it from nobody",
       {{Do::acquire, 0, 0, 1},
        {Do::acquire, 1, 200, 2},
        {Do::release, 0, 201, 1},
        {Do::commit, 1, 201, 2}}},
      {"a clock that is behind does not bring a lost lease back",
       {{Do::acquire, 0, 0, 1},
        {Do::acquire, 1, 100, 2},
        {Do::renew, 0, 5, 0},
        {Do::commit, 0, 5, 0}}},
      {"the same owner again has a new token",
       {{Do::acquire, 0, 0, 1}, {Do::acquire, 0, 1, 2}, {Do::commit, 0, 2, 2}}},
  };
  return all;
}

TEST_P(LedgerProposals, LeasesFollowTheirStories) {
  for (const Story& story : stories()) {
    SCOPED_TRACE(story.name);
    const LedgerPlace one(GetParam());
    const auto two = one.open();
    Lease held[2];
    for (const Step& step : story.steps) {
      Lease& lease = held[step.who];
      std::int64_t token = 0;
      if (step.what == Do::commit) {
        Change change{.events = {event()}};
        change.fence = lease;
        const auto done = two->commit(change, Durability::soft);
        EXPECT_TRUE(done || done.error().code == Code::conflict);
        token = done ? lease.token : 0;
      } else if (step.what == Do::release) {
        ASSERT_TRUE(two->release_lease(lease).has_value());
        token = step.token;
      } else {
        const auto got =
            step.what == Do::acquire
                ? two->acquire_lease("promote", step.who == 0 ? "a" : "b", step.now_ms, 100)
                : two->renew_lease(lease, step.now_ms, 100);
        ASSERT_TRUE(got.has_value()) << got.error().message;
        if (*got) lease = **got;
        token = *got ? (**got).token : 0;
      }
      EXPECT_EQ(token, step.token) << "at " << step.now_ms;
    }
  }
}

TEST_P(LedgerProposals, ALeaseIsShownWhileItIsHeld) {
  EXPECT_FALSE(ledger->lease("promote").value().has_value());
  const Lease held = ledger->acquire_lease("promote", "me", 1000, 50).value().value();
  EXPECT_EQ(held.expires_ms, 1050);
  const Lease seen = place.open()->lease("promote").value().value();
  EXPECT_EQ(seen.owner, "me");
  EXPECT_EQ(seen.token, 1);
  ASSERT_TRUE(ledger->release_lease(held).has_value());
  EXPECT_FALSE(ledger->lease("promote").value().has_value());
}

}  // namespace
}  // namespace gh::store
