#include "ops/proposal_evidence.h"

#include <functional>

#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/text.h"
#include "proposal/meta.h"
#include "store/audit_chain.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

const std::string kDiff(64, '1'), kCanonical(64, '2');

std::string sha256(const Value& document) {
  return digest_of(wire::canonical_json(document)).hex();
}

/// A proposal that was submitted, reviewed by two, confirmed, promoted and rolled back, with the
/// events that such a life leaves behind; each test bends one thing.
struct Life {
  ProposalMeta meta;
  Record record;
  std::vector<ChainEvent> events;

  Life() {
    meta.patch_id = record.row.patch_id = "fix-001";
    meta.author_agent = record.row.author_agent = "model / role";
    meta.base_commit = record.row.base_commit = std::string(40, 'b');
    meta.source_gap = record.row.source_gap = "kb:1";
    meta.created_utc = record.row.created_utc = "2026-01-01T00:00:00Z";
    meta.trust_level = record.row.trust_level = "untrusted";
    meta.promotion_status = "promoted";
    meta.review_status = {"gemini_ok", "codex_ok"};
    meta.target_ref = record.row.target_ref = "refs/heads/main";
    meta.depends_on = {"other-001"};
    store::ProposalRow& row = record.row;
    row.diff_sha256 = kDiff;
    row.canonical_sha256 = kCanonical;
    row.actor = "drafter";
    row.received_utc = "2026-01-01T00:01:00Z";
    row.candidate_tree = std::string(40, 'c');
    row.added = 3;
    row.deleted = 1;
    row.promotion_status = "promoted";
    record.report = "report";
    record.admissions = {Map{{"n", 1}}, Map{{"n", 2}}};
    record.reviews = {Map{{"reviewer", "gemini"}}, Map{{"reviewer", "codex"}}};
    record.promotion = store::PromotionRow{.patch_id = "fix-001",
                                           .commit_id = "c1",
                                           .branch = "",
                                           .target_ref = "refs/heads/main",
                                           .old_head = "h0",
                                           .new_head = "h1",
                                           .promoter = "alice",
                                           .rollback_commit = "c2",
                                           .created_utc = ""};
    record.receipts.emplace("sha256:r", Map{});
    Map submitted = binding_of(row, meta, digest_of("report").hex());
    submitted.set("admission", sha256(record.admissions[0]));
    add("submitted", submitted);
    for (const Value& review : record.reviews)
      add("reviewed", Map{{"evidence", string_list({sha256(review)})}});
    add("reviewed", Map{{"confirmed_by", "claude"}, {"to", "reviewed"}});
    add("refused", Map{{"admission", "of somebody who wanted the same id"}});
    add("promoted", Map{{"admission", sha256(record.admissions[1])},
                        {"commit", "c1"},
                        {"asked_by", "alice"},
                        {"refs", Map{{"ref", "refs/heads/main"}, {"old", "h0"}, {"new", "h1"}}},
                        {"evidence", string_list({"sha256:r"})}});
    add("rolled_back", Map{{"admission", ""}, {"commit", "c2"}, {"evidence", string_list({""})}});
    row.trust_level = meta.trust_level = "reviewed";
    keep_meta();
  }
  void keep_meta() { record.row.body = Map{{"meta", proposal::to_document(meta)}}; }
  void add(const std::string& verb, Map payload) {
    events.push_back({std::ssize(events) + 1, "proposal." + verb, std::move(payload)});
  }
  Map& payload(std::size_t i) { return *events[i].payload.as_map(); }

  std::vector<std::string> faults() const {
    std::vector<std::string> out;
    for (const RecordFault& f : chain_faults(record, events))
      out.push_back(f.code + ": " + f.message);
    return out;
  }
};

TEST(ProposalEvidence, AnHonestRecordAgreesWithItsChain) {
  EXPECT_EQ(join(Life().faults(), "\n"), "");
}

struct Bend {
  const char* expected;  // each fault on a line
  std::function<void(Life&)> bend;
};

// docs/formats/mirror.md, What the chain vouches for; typed out from there.
const std::vector<Bend> kBends = {
    {"PROP_RECORD_FORGED: the metadata is not the one that was submitted",
     [](Life& l) { l.meta.depends_on.clear(), l.keep_meta(); }},
    {"PROP_RECORD_FORGED: the metadata is not the one that was submitted",
     [](Life& l) { l.meta.supersedes = {"victim-001"}, l.keep_meta(); }},
    {"PROP_RECORD_FORGED: the metadata is not the one that was submitted",
     [](Life& l) { l.meta.intent_id = "intent-2", l.keep_meta(); }},
    {"PROP_RECORD_FORGED: the metadata is not the one that was submitted\n"
     "PROP_RECORD_FORGED: target_ref is 'refs/heads/main' in the record and 'refs/heads/other' in "
     "the metadata",
     [](Life& l) { l.meta.target_ref = "refs/heads/other", l.keep_meta(); }},
    {"PROP_RECORD_FORGED: the metadata is not the one that was submitted",
     [](Life& l) { l.meta.extra.set("x_note", "new"), l.keep_meta(); }},
    {"PROP_RECORD_FORGED: the metadata cannot be read",
     [](Life& l) {
       l.record.row.body = Map{{"meta", "gone"}};
     }},
    {"PROP_RECORD_FORGED: nothing in the audit chain says what was submitted under this id",
     [](Life& l) { l.payload(0).erase("metadata"); }},
    {"PROP_RECORD_FORGED: target_ref is 'refs/heads/other' in the record and 'refs/heads/main' in "
     "the metadata\n"
     "PROP_RECORD_FORGED: target_ref is not what the audit chain says",
     [](Life& l) { l.record.row.target_ref = "refs/heads/other"; }},
    {"PROP_RECORD_FORGED: actor is not what the audit chain says",
     [](Life& l) { l.record.row.actor = "external"; }},
    {"PROP_RECORD_FORGED: received_utc is not what the audit chain says",
     [](Life& l) { l.record.row.received_utc = "2020-01-01T00:00:00Z"; }},
    {"PROP_RECORD_FORGED: candidate_tree is not what the audit chain says",
     [](Life& l) { l.record.row.candidate_tree = std::string(40, 'd'); }},
    {"PROP_RECORD_FORGED: docs_only is not what the audit chain says",
     [](Life& l) { l.record.row.docs_only = true; }},
    {"PROP_RECORD_FORGED: added is not what the audit chain says",
     [](Life& l) { l.record.row.added = 0; }},
    {"PROP_RECORD_FORGED: deleted is not what the audit chain says",
     [](Life& l) { l.record.row.deleted = 0; }},
    {"PROP_RECORD_FORGED: revision is not what the audit chain says",
     [](Life& l) { l.record.row.revision = 7; }},
    {"PROP_RECORD_FORGED: patch_id is 'fix-002' in the record and 'fix-001' in the metadata",
     [](Life& l) { l.record.row.patch_id = "fix-002"; }},
    {"PROP_RECORD_FORGED: author_agent is 'a / b' in the record and 'model / role' in the metadata",
     [](Life& l) { l.record.row.author_agent = "a / b"; }},
    {"PROP_RECORD_FORGED: base_commit is 'x' in the record and "
     "'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb' in the metadata",
     [](Life& l) { l.record.row.base_commit = "x"; }},
    {"PROP_RECORD_FORGED: source_gap is 'kb:2' in the record and 'kb:1' in the metadata",
     [](Life& l) { l.record.row.source_gap = "kb:2"; }},
    {"PROP_RECORD_FORGED: created_utc is 'x' in the record and '2026-01-01T00:00:00Z' in the "
     "metadata",
     [](Life& l) { l.record.row.created_utc = "x"; }},
    {"PROP_RECORD_FORGED: the submitted diff is not the one that the audit chain names",
     [](Life& l) { l.record.row.diff_sha256 = std::string(64, '3'); }},
    {"PROP_RECORD_FORGED: the canonical patch is not the one that the audit chain names",
     [](Life& l) { l.record.row.canonical_sha256 = std::string(64, '3'); }},
    {"PROP_RECORD_FORGED: the report is not the one that the audit chain names",
     [](Life& l) { l.record.report = "another"; }},
    {"PROP_TRUST_EXCEEDED: the record says promoted, the audit chain says reviewed",
     [](Life& l) { l.record.row.trust_level = "promoted"; }},
    {"PROP_PROMOTION_FORGED: the record says proposed, the audit chain says promoted",
     [](Life& l) { l.record.row.promotion_status = "proposed"; }},
    {"PROP_REVIEW_FORGED: no event of the audit chain speaks of the review by mallory",
     [](Life& l) {
       l.record.reviews.emplace_back(Map{{"reviewer", "mallory"}});
     }},
    {"PROP_REVIEW_FORGED: the review of audit row 3 is gone or was changed",
     [](Life& l) { l.record.reviews.pop_back(); }},
    {"PROP_REVIEW_FORGED: no event of the audit chain speaks of the review by codex\n"
     "PROP_REVIEW_FORGED: the review of audit row 3 is gone or was changed",
     [](Life& l) { l.record.reviews[1].as_map()->set("verdict", "ok"); }},
    {"PROP_RECORD_FORGED: an admission is not one that the audit chain speaks of",
     [](Life& l) {
       l.record.admissions.emplace_back(Map{{"n", 3}});
     }},
    {"PROP_RECORD_FORGED: the admission of audit row 1 is gone or was changed",
     [](Life& l) { l.record.admissions.erase(l.record.admissions.begin()); }},
    {"PROP_PROMOTION_FORGED: audit row 6 says commit c1, the record says c9",
     [](Life& l) { l.record.promotion->commit_id = "c9"; }},
    {"PROP_PROMOTION_FORGED: audit row 7 says commit c2, the record says none",
     [](Life& l) { l.record.promotion->rollback_commit = ""; }},
    {"PROP_PROMOTION_FORGED: audit row 6 names another promoter",
     [](Life& l) { l.record.promotion->promoter = "bob"; }},
    {"PROP_PROMOTION_FORGED: audit row 6 tells of another move of refs",
     [](Life& l) { l.record.promotion->old_head = "h9"; }},
    {"PROP_PROMOTION_FORGED: the receipt of audit row 6 is gone",
     [](Life& l) { l.record.receipts.clear(); }},
    {"AUDIT_BROKEN: row 4 of the audit chain was changed\n"
     "PROP_TRUST_EXCEEDED: the record says reviewed, the audit chain says untrusted",
     [](Life& l) {
       l.events.resize(4);
       l.events[3].whole = false;
       l.record.row.promotion_status = "proposed";
       l.record.admissions.pop_back();
       l.record.promotion.reset();
     }},
    {"AUDIT_BROKEN: row 2 of the audit chain has lost its payload\n"
     "PROP_REVIEW_FORGED: no event of the audit chain speaks of the review by gemini",
     [](Life& l) { l.events[1].payload = Value(); }},
};

TEST(ProposalEvidence, EachDifferenceIsNamed) {
  for (const Bend& row : kBends) {
    SCOPED_TRACE(row.expected);
    Life life;
    row.bend(life);
    EXPECT_EQ(join(life.faults(), "\n"), row.expected);
  }
}

TEST(ProposalEvidence, EachEventLeavesItsStatus) {
  const std::vector<std::pair<const char*, const char*>> rows = {
      {"proposal.submitted", "proposed"},
      {"proposal.refused", "sandbox"},
      {"proposal.rejected", "rejected"},
      {"proposal.withdrawn", "rejected"},
      {"proposal.superseded", "rejected"},
      {"proposal.promoted", "promoted"},
      {"proposal.rolled_back", "promoted"},
      {"proposal.imported", "proposed"},
      {"proposal.reviewed", ""},
      {"proposal.deferred", ""}};
  for (const auto& [event, status] : rows)
    EXPECT_EQ(status_said({1, event, Map{{"to", "proposed"}}}), status) << event;
}

// docs/formats/ledger.md, proposals, and `refused` of a pair that may come again.
TEST(ProposalEvidence, SubStatesAreWordsOfTheLedger) {
  for (const char* word : {"", "in_review", "changes_requested", "approved", "stale", "superseded",
                           "withdrawn", "rolled_back", "refused"})
    EXPECT_TRUE(is_sub_state(word)) << word;
  for (const char* word : {"promoted", "Approved", "in_review ", "\x1b[31m"})
    EXPECT_FALSE(is_sub_state(word)) << word;
}

TEST(ProposalEvidence, TrustFollowsTheEvents) {
  Life life;
  life.events.pop_back();
  life.record.promotion->rollback_commit = "";
  life.record.row.trust_level = "promoted";
  EXPECT_EQ(join(life.faults(), "\n"), "");
}

TEST(ProposalEvidence, AChangedAuditRowIsNotWhole) {
  store::AuditEvent event;
  event.event = "proposal.submitted";
  event.actor = Map{{"name", "x"}};
  event.payload = Map{{"metadata", "1"}};
  const store::AuditColumns link = store::make_link(event, 4, "before");
  store::AuditRow row{4, event, link.payload_sha256, link.prev_hash, link.hash};
  EXPECT_TRUE(chain_events({row})[0].whole);
  row.event.payload = Map{{"metadata", "2"}};
  EXPECT_FALSE(chain_events({row})[0].whole);
  row.payload_sha256 = store::make_link(row.event, 4, "before").payload_sha256;
  EXPECT_FALSE(chain_events({row})[0].whole);  // the hash is still of the old one
}

}  // namespace
}  // namespace gh::ops
