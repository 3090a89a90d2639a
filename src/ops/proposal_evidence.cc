#include "ops/proposal_evidence.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "ops/members.h"
#include "proposal/meta.h"
#include "store/audit_chain.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr int kReadTries = 20;
constexpr std::string_view kForged = "PROP_RECORD_FORGED", kReviewForged = "PROP_REVIEW_FORGED",
                           kPromotionForged = "PROP_PROMOTION_FORGED",
                           kTrustForged = "PROP_TRUST_EXCEEDED", kBroken = "AUDIT_BROKEN";

struct BoundColumn {
  std::string_view name;
  Value (*value)(const store::ProposalRow&);
};
// What the gate measured or decided when the record was taken in; no later event changes it.
// table: bound columns
constexpr std::array<BoundColumn, 8> kBoundColumns{{
    {"actor", [](const store::ProposalRow& r) { return Value(r.actor); }},
    {"target_ref", [](const store::ProposalRow& r) { return Value(r.target_ref); }},
    {"received_utc", [](const store::ProposalRow& r) { return Value(r.received_utc); }},
    {"candidate_tree", [](const store::ProposalRow& r) { return Value(r.candidate_tree); }},
    {"docs_only", [](const store::ProposalRow& r) { return Value(r.docs_only); }},
    {"added", [](const store::ProposalRow& r) { return Value(r.added); }},
    {"deleted", [](const store::ProposalRow& r) { return Value(r.deleted); }},
    {"revision", [](const store::ProposalRow& r) { return Value(r.revision); }},
}};

struct MetaColumn {
  std::string_view name;
  std::string store::ProposalRow::*column;
  std::string ProposalMeta::*field;
};
// Columns that repeat a field of the metadata, so that lists can be asked by them.
// table: repeated columns
constexpr std::array<MetaColumn, 5> kRepeatedColumns{{
    {"patch_id", &store::ProposalRow::patch_id, &ProposalMeta::patch_id},
    {"author_agent", &store::ProposalRow::author_agent, &ProposalMeta::author_agent},
    {"base_commit", &store::ProposalRow::base_commit, &ProposalMeta::base_commit},
    {"source_gap", &store::ProposalRow::source_gap, &ProposalMeta::source_gap},
    {"created_utc", &store::ProposalRow::created_utc, &ProposalMeta::created_utc},
}};

struct SaidStatus {
  std::string_view event, status;
};
// table: statuses of events
constexpr std::array<SaidStatus, 7> kSaidStatuses{{
    {"proposal.submitted", "proposed"},
    {"proposal.refused", "sandbox"},
    {"proposal.rejected", "rejected"},
    {"proposal.withdrawn", "rejected"},
    {"proposal.superseded", "rejected"},
    {"proposal.promoted", "promoted"},
    {"proposal.rolled_back", "promoted"},
}};

struct SaidTrust {
  std::string_view event, trust;
};
// table: trust of events
constexpr std::array<SaidTrust, 2> kSaidTrust{{
    {"proposal.promoted", "promoted"},
    {"proposal.rolled_back", "reviewed"},
}};

// table: sub-states
constexpr std::array<std::string_view, 8> kSubStates{"in_review", "changes_requested", "approved",
                                                     "stale",     "refused",           "superseded",
                                                     "withdrawn", "rolled_back"};

std::string digest_of_document(const Value& document) {
  return digest_of(wire::canonical_json(document)).hex();
}

/// A refusal that could not touch the record is told under its id all the same.
bool takes_in(const ChainEvent& event) { return !text_in(event.payload, "metadata").empty(); }

class Comparison {
 public:
  Comparison(const Record& record, const std::vector<ChainEvent>& events) : record_(record) {
    for (const ChainEvent& event : events)
      if (sound(event)) events_.push_back(&event);
    for (const ChainEvent* event : events_)
      if (takes_in(*event)) binding_ = event;
  }

  std::vector<RecordFault> run() {
    check_status();
    if (binding_ == nullptr) {
      blame(kForged, "nothing in the audit chain says what was submitted under this id");
      return std::move(faults_);
    }
    check_metadata();
    check_bytes();
    check_trust();
    check_reviews();
    check_admissions();
    check_promotion();
    if (faults_.empty()) check_seals();  // which only know that something is different
    return std::move(faults_);
  }

 private:
  void blame(std::string_view code, std::string message) {
    faults_.push_back({record_.row.patch_id, std::string(code), std::move(message)});
  }

  bool sound(const ChainEvent& event) {
    if (!event.whole) {
      blame(kBroken, fmt::format("row {} of the audit chain was changed", event.seq));
    } else if (event.payload.is_null()) {  // those of proposals are kept for ever
      blame(kBroken, fmt::format("row {} of the audit chain has lost its payload", event.seq));
    } else {
      return true;
    }
    return false;
  }

  void check_status() {
    std::string_view said = "nothing";
    for (const ChainEvent* event : events_)
      // Somebody's refused attempt to use a taken id changes nothing.
      if (const std::string_view to = status_said(*event);
          !to.empty() && (to != "sandbox" || takes_in(*event)))
        said = to;
    if (said != record_.row.promotion_status)
      blame(kPromotionForged,
            fmt::format("the record says {}, the audit chain says {}",
                        printable(record_.row.promotion_status, 40), printable(said, 40)));
  }

  void check_metadata() {
    const Map* body = record_.row.body.as_map();
    const Value* document = body == nullptr ? nullptr : body->find("meta");
    const auto meta = document == nullptr ? Result<ProposalMeta>(fail(Code::json_invalid, ""))
                                          : proposal::meta_from_document(*document);
    if (!meta) {
      blame(kForged, "the metadata cannot be read");
      return;
    }
    if (proposal::metadata_digest(*meta) != text_in(binding_->payload, "metadata"))
      blame(kForged, "the metadata is not the one that was submitted");
    for (const MetaColumn& c : kRepeatedColumns)
      if (record_.row.*c.column != *meta.*c.field)
        blame(kForged,
              fmt::format("{} is '{}' in the record and '{}' in the metadata", c.name,
                          printable(record_.row.*c.column, 100), printable(*meta.*c.field, 100)));
    if (!meta->target_ref.empty() && meta->target_ref != record_.row.target_ref)
      blame(kForged,
            fmt::format("target_ref is '{}' in the record and '{}' in the metadata",
                        printable(record_.row.target_ref, 100), printable(meta->target_ref, 100)));
    const Value* bound = binding_->payload.as_map()->find("record");
    for (const BoundColumn& c : kBoundColumns) {
      const Value* said =
          bound == nullptr || bound->as_map() == nullptr ? nullptr : bound->as_map()->find(c.name);
      if (said == nullptr || !(*said == c.value(record_.row)))
        blame(kForged, fmt::format("{} is not what the audit chain says", c.name));
    }
  }

  void check_bytes() {
    const std::vector<std::string> kept = texts_in(binding_->payload, "evidence");
    const auto is_kept = [&](const std::string& sha256) {
      return std::ranges::find(kept, sha256) != kept.end();
    };
    if (!is_kept(record_.row.diff_sha256))
      blame(kForged, "the submitted diff is not the one that the audit chain names");
    if (!is_kept(record_.row.canonical_sha256))
      blame(kForged, "the canonical patch is not the one that the audit chain names");
    if (record_.report && !is_kept(digest_of(*record_.report).hex()))
      blame(kForged, "the report is not the one that the audit chain names");
  }

  void check_trust() {
    std::string said;
    for (const ChainEvent* event : events_) {
      if (takes_in(*event)) said = text_in(event->payload, "trust_level");
      if (!text_in(event->payload, "confirmed_by").empty()) said = text_in(event->payload, "to");
      const auto row = std::ranges::find(kSaidTrust, event->event, &SaidTrust::event);
      if (row != kSaidTrust.end()) said = row->trust;
    }
    if (said != record_.row.trust_level)
      blame(kTrustForged, fmt::format("the record says {}, the audit chain says {}",
                                      printable(record_.row.trust_level, 40), printable(said, 40)));
  }

  void check_reviews() {
    std::set<std::string> kept, named;
    for (const ChainEvent* event : events_)
      for (std::string& sha256 : texts_in(event->payload, "evidence"))
        named.insert(std::move(sha256));
    for (const Value& review : record_.reviews) {
      const std::string sha256 = digest_of_document(review);
      kept.insert(sha256);
      if (!named.contains(sha256))
        blame(kReviewForged, fmt::format("no event of the audit chain speaks of the review by {}",
                                         printable(text_in(review, "reviewer"), 60)));
    }
    for (const Value& carry : record_.carries) {
      const std::string sha256 = digest_of_document(carry);
      kept.insert(sha256);
      if (!named.contains(sha256))
        blame(kReviewForged,
              fmt::format("no event of the audit chain speaks of the review by {} carried over",
                          printable(text_in(carry, "reviewer"), 60)));
    }
    check_order_of_reviews();
    for (const ChainEvent* event : events_) {
      const bool all =
          event->event == "proposal.reviewed" || event->event == "proposal.reviews_carried";
      for (const std::string& sha256 : texts_in(event->payload, all ? "evidence" : "reviews"))
        if (!kept.contains(sha256))
          blame(kReviewForged,
                fmt::format("the review of audit row {} is gone or was changed", event->seq));
    }
  }

  /// The last verdict of a reviewer counts, so their order is the chain's.
  void check_order_of_reviews() {
    std::map<std::string, std::size_t> place;
    for (const ChainEvent* event : events_)
      for (const std::string& sha256 : texts_in(event->payload, "evidence"))
        place.emplace(sha256, place.size());
    std::size_t last = 0;
    for (const Value& review : record_.reviews) {
      const auto at = place.find(digest_of_document(review));
      if (at == place.end()) continue;  // blamed already
      if (at->second < last) {
        blame(kReviewForged, "the reviews do not stand in the order in which they were given");
        return;
      }
      last = at->second;
    }
  }

  void check_admissions() {
    std::set<std::string> kept, named;
    for (const ChainEvent* event : events_)
      named.insert(text_in(event->payload, "admission"));
    for (const Value& document : record_.admissions) {
      const std::string sha256 = digest_of_document(document);
      kept.insert(sha256);
      if (!named.contains(sha256))
        blame(kForged, "an admission is not one that the audit chain speaks of");
    }
    for (const ChainEvent* event : events_) {
      const std::string sha256 = text_in(event->payload, "admission");
      const bool belongs = event->event != "proposal.refused" || takes_in(*event);
      if (!sha256.empty() && belongs && !kept.contains(sha256))
        blame(kForged,
              fmt::format("the admission of audit row {} is gone or was changed", event->seq));
    }
  }

  void check_promotion() {
    for (const ChainEvent* event : events_) {
      const bool rollback = event->event == "proposal.rolled_back";
      if (event->event != "proposal.promoted" && !rollback) continue;
      const std::string commit = text_in(event->payload, "commit");
      const std::string kept = !record_.promotion ? std::string()
                               : rollback         ? record_.promotion->rollback_commit
                                                  : record_.promotion->commit_id;
      if (commit != kept)
        blame(kPromotionForged,
              fmt::format("audit row {} says commit {}, the record says {}", event->seq,
                          printable(commit, 64), kept.empty() ? "none" : printable(kept, 64)));
      if (!rollback && record_.promotion) check_landing(*event, *record_.promotion);
    }
  }

  void check_seals() {
    std::vector<const Value*> payloads;
    for (const ChainEvent* event : events_)
      payloads.push_back(&event->payload);
    const store::Seals said = store::seals_said(payloads, record_.row.patch_id);
    const store::Seals& found = record_.seals;
    if (said.row.empty()) return;  // written before rows were sealed
    if (found.row != said.row)
      blame(kForged, "a column of the record is not what the audit chain sealed");
    const std::string files =
        said.files.empty() ? store::seal_of(std::vector<store::ProposalFile>()) : said.files;
    if (found.files != files && !(found.files.empty() && said.files.empty()))
      blame(kForged, "the list of touched files is not what the audit chain sealed");
    if (found.promotion != said.promotion)
      blame(kPromotionForged, "the promotion is not what the audit chain sealed");
    check_sealed(found.reviews, said.reviews, kReviewForged, "a review");
    check_sealed(found.admissions, said.admissions, kForged, "an admission");
  }

  void check_sealed(const std::vector<std::string>& found, const std::vector<std::string>& said,
                    std::string_view code, std::string_view what) {
    for (const std::string& seal : found)
      if (std::ranges::find(said, seal) == said.end())
        blame(code, fmt::format("a column of {} is not what the audit chain sealed", what));
  }

  void check_landing(const ChainEvent& event, const store::PromotionRow& kept) {
    const Value* refs = event.payload.as_map()->find("refs");
    const auto ref = [&](std::string_view key) {
      return refs == nullptr ? "" : text_in(*refs, key);
    };
    if (text_in(event.payload, "asked_by") != kept.promoter)
      blame(kPromotionForged, fmt::format("audit row {} names another promoter", event.seq));
    if (ref("ref") != kept.target_ref || ref("old") != kept.old_head || ref("new") != kept.new_head)
      blame(kPromotionForged, fmt::format("audit row {} tells of another move of refs", event.seq));
    for (const std::string& receipt : texts_in(event.payload, "evidence"))
      if (!record_.receipts.contains(receipt))
        blame(kPromotionForged, fmt::format("the receipt of audit row {} is gone", event.seq));
  }

  const Record& record_;
  std::vector<const ChainEvent*> events_{};
  const ChainEvent* binding_ = nullptr;  // the last: a refused proposal may come again
  std::vector<RecordFault> faults_{};
};

}  // namespace

std::vector<ChainEvent> chain_events(const std::vector<store::AuditRow>& rows) {
  std::vector<ChainEvent> out;
  for (const store::AuditRow& row : rows) {
    const store::AuditColumns link = store::make_link(row.event, row.seq, row.prev_hash);
    const bool whole = row.event.payload.is_null() ||
                       (link.hash == row.hash && link.payload_sha256 == row.payload_sha256);
    out.push_back({row.seq, row.event.event, row.event.payload, whole});
  }
  return out;
}

Map binding_of(const store::ProposalRow& row, const ProposalMeta& meta,
               std::string_view report_sha256) {
  Map record;
  for (const BoundColumn& column : kBoundColumns)
    record.set(std::string(column.name), column.value(row));
  const std::string metadata = proposal::metadata_digest(meta);
  std::vector<std::string> evidence{row.diff_sha256, row.canonical_sha256, metadata};
  if (!report_sha256.empty()) evidence.emplace_back(report_sha256);
  return Map{{"metadata", metadata},
             {"record", std::move(record)},
             {"trust_level", row.trust_level},
             {"evidence", string_list(evidence)}};
}

Result<std::optional<AuditedRecord>> audited_record(store::Ledger& ledger,
                                                    std::string_view patch_id) {
  // A record and its events are written together and read one after the other: whatever was written
  // in between must not look like a forgery.
  for (int i = 0; i < kReadTries; ++i) {
    GH_TRY(before, ledger.audit_of_proposal(patch_id));
    GH_TRY(record, record_in_ledger(ledger, patch_id));
    if (!record) return std::nullopt;
    GH_TRY(after, ledger.audit_of_proposal(patch_id));
    if (before.size() == after.size())
      return AuditedRecord{std::move(*record), chain_events(after)};
  }
  return fail(Code::conflict, fmt::format("other processes keep changing proposal {}", patch_id));
}

std::vector<RecordFault> chain_faults(const Record& record, const std::vector<ChainEvent>& events) {
  return Comparison(record, events).run();
}

bool is_sub_state(std::string_view word) {
  return word.empty() || std::ranges::find(kSubStates, word) != kSubStates.end();
}

std::string_view status_said(const ChainEvent& event) {
  const auto row = std::ranges::find(kSaidStatuses, event.event, &SaidStatus::event);
  if (row != kSaidStatuses.end()) return row->status;
  if (event.event != "proposal.imported" || event.payload.as_map() == nullptr) return {};
  const Value* to = event.payload.as_map()->find("to");
  return to != nullptr && to->as_string() != nullptr ? std::string_view(*to->as_string())
                                                     : std::string_view();
}

bool is_only_imported(const std::vector<ChainEvent>& events) {
  return !events.empty() && std::ranges::all_of(events, [](const ChainEvent& event) {
    return event.event == "proposal.imported";
  });
}

}  // namespace gh::ops
