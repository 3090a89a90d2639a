#include "ops/promotion_check.h"

#include <array>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "base/trailers.h"
#include "ops/members.h"
#include "runs/receipt.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::string_view kForged = "PROP_PROMOTION_FORGED";
constexpr std::int64_t kPage = 500;

struct ReceiptMember {
  std::string_view outer, inner;  // inner empty: a member of the receipt itself
  std::string (*wanted)(const Record&);
};
// table: receipt members
constexpr std::array<ReceiptMember, 11> kReceiptMembers{{
    {"kind", "", [](const Record&) { return std::string("promotion"); }},
    {"decision", "", [](const Record&) { return std::string("allow"); }},
    {"status", "", [](const Record&) { return std::string("promoted"); }},
    {"subject", "base", [](const Record& r) { return r.row.base_commit; }},
    {"subject", "proposal_id", [](const Record& r) { return r.row.patch_id; }},
    {"inputs", "canonical_sha256", [](const Record& r) { return r.row.canonical_sha256; }},
    {"inputs", "candidate_tree", [](const Record& r) { return r.row.candidate_tree; }},
    {"actor", "name", [](const Record& r) { return r.promotion->promoter; }},
    {"body", "proposal_digest", [](const Record& r) { return r.row.digest; }},
    {"body", "target_ref", [](const Record& r) { return r.row.target_ref; }},
    {"body", "author_agent", [](const Record& r) { return r.row.author_agent; }},
}};

std::string member_of(const Map& receipt, std::string_view outer, std::string_view inner) {
  const Value* value = receipt.find(outer);
  if (inner.empty()) return text_in(receipt, outer);
  return value == nullptr ? std::string() : text_in(*value, inner);
}

std::vector<NamedReview> reviews_in(const Map& receipt) {
  std::vector<NamedReview> out;
  const Value* body = receipt.find("body");
  const Value* list =
      body == nullptr || body->as_map() == nullptr ? nullptr : body->as_map()->find("reviews");
  if (list != nullptr && list->as_list() != nullptr)
    for (const Value& item : *list->as_list())
      out.push_back({text_in(item, "reviewer"), text_in(item, "sha256")});
  return out;
}

std::vector<std::string_view> last_paragraph(std::string_view message) {
  while (message.ends_with('\n'))
    message.remove_suffix(1);
  const std::size_t before = message.rfind("\n\n");
  if (before == std::string_view::npos) return {};
  return split(message.substr(before + 2), '\n');
}

/// Does the commit hold the tree, and say what the receipt says?
void check_commit(const git::Commit& commit, std::string_view tree,
                  const std::vector<Trailer>& wanted,
                  const std::function<void(std::string)>& blame) {
  const std::string name = commit.id.hex().substr(0, 12);
  if (commit.tree.hex() != tree)
    blame(fmt::format("commit {} holds another tree than its receipt names", name));
  if (const auto defect = trailer_defect(commit.message, wanted))
    blame(fmt::format("commit {}: {}", name, *defect));
}

using Load = std::function<Result<std::optional<AuditedRecord>>(const std::string& patch_id)>;

bool is_told(const std::vector<ChainEvent>& events) {
  for (const ChainEvent& event : events)
    if (event.event == "proposal.promoted" ||
        (event.event == "proposal.imported" && status_said(event) == "promoted"))
      return true;
  return false;
}

Result<PromotionCheck> check_all(git::Repo& repo, const std::set<std::string>& ids,
                                 const Load& load) {
  PromotionCheck out;
  for (const std::string& id : ids) {
    ++out.promotions;
    GH_TRY(kept, load(id));
    if (!kept || kept->record.row.promotion_status != "promoted" || !kept->record.promotion) {
      out.faults.push_back(
          {id, std::string(kForged), "the audit chain tells of a promotion that is not on record"});
      continue;
    }
    if (!is_told(kept->events))
      out.faults.push_back(
          {id, std::string(kForged), "no row of the audit chain tells of this promotion"});
    for (RecordFault& fault : promotion_faults(repo, kept->record))
      out.faults.push_back(std::move(fault));
  }
  return out;
}

}  // namespace

std::vector<Trailer> trailers_of(std::string_view patch_id, std::string_view receipt_digest,
                                 std::string_view agent, const std::vector<NamedReview>& reviews,
                                 std::string_view promoter) {
  std::vector<Trailer> out{
      {std::string(to_string(TrailerKey::proposal)), std::string(patch_id)},
      {std::string(to_string(TrailerKey::receipt)), std::string(receipt_digest)},
      {std::string(to_string(TrailerKey::decision)), "promoted"},
      {std::string(to_string(TrailerKey::agent)), printable(agent, 200)}};
  for (const NamedReview& review : reviews)
    out.push_back({std::string(to_string(TrailerKey::reviewed_by)),
                   fmt::format("{} {}", review.reviewer, review.sha256)});
  out.push_back({std::string(to_string(TrailerKey::promoted_by)), printable(promoter, 100)});
  return out;
}

std::vector<Trailer> promotion_trailers(const Record& record, std::string_view receipt_digest,
                                        const Map& receipt) {
  return trailers_of(record.row.patch_id, receipt_digest, record.row.author_agent,
                     reviews_in(receipt), record.promotion->promoter);
}

std::optional<std::string> trailer_defect(std::string_view message,
                                          const std::vector<Trailer>& wanted) {
  const std::vector<std::string_view> lines = last_paragraph(message);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::string start = wanted[i].key + ": ";
    if (i >= lines.size()) return fmt::format("{} is missing", wanted[i].key);
    if (!lines[i].starts_with(start))
      return fmt::format("'{}' stands where {} belongs", printable(lines[i], 120), wanted[i].key);
    if (const std::string_view said = lines[i].substr(start.size()); said != wanted[i].value)
      return fmt::format("{} says '{}', not '{}'", wanted[i].key, printable(said, 120),
                         printable(wanted[i].value, 120));
  }
  if (lines.size() > wanted.size())
    return fmt::format("'{}' is a line too many", printable(lines[wanted.size()], 120));
  return std::nullopt;
}

std::vector<std::string> receipt_defects(const Record& record, const Map& receipt) {
  std::vector<std::string> out;
  for (const ReceiptMember& m : kReceiptMembers)
    if (const std::string said = member_of(receipt, m.outer, m.inner); said != m.wanted(record))
      out.push_back(fmt::format("{}{}{} of the receipt is '{}', not '{}'", m.outer,
                                m.inner.empty() ? "" : ".", m.inner, printable(said, 120),
                                printable(m.wanted(record), 120)));
  std::set<std::string> kept;
  for (const Value& review : record.reviews)
    kept.insert(digest_of(wire::canonical_json(review)).hex());
  for (const Value& carry : record.carries)
    kept.insert(text_in(carry, "review_sha256"));
  for (const NamedReview& review : reviews_in(receipt))
    if (!kept.contains(review.sha256))
      out.push_back(fmt::format("the receipt names a review by {} that is not on record",
                                printable(review.reviewer, 60)));
  return out;
}

std::vector<RecordFault> promotion_faults(git::Repo& repo, const Record& record) {
  std::vector<RecordFault> faults;
  const auto blame = [&](std::string message) {
    faults.push_back({record.row.patch_id, std::string(kForged), std::move(message)});
  };
  const store::PromotionRow& promotion = *record.promotion;
  const auto commit = repo.objects().commit(promotion.commit_id);
  if (!commit) {
    blame(
        "the promoted commit is not in this repository; if this clone is behind, 'git pull' first");
    return faults;
  }
  const std::vector<std::string> named = trailers(commit->message, TrailerKey::receipt);
  const auto found =
      named.size() == 1 ? record.receipts.find(named.front()) : record.receipts.end();
  const Map* receipt = found == record.receipts.end() ? nullptr : found->second.as_map();
  if (receipt == nullptr) {
    blame("the receipt that the commit names is not there");
    return faults;
  }
  if (runs::receipt_digest(*receipt) != named.front())
    blame("the receipt does not have the digest that the commit names");
  for (std::string& defect : receipt_defects(record, *receipt))
    blame(std::move(defect));
  const std::vector<Trailer> wanted = promotion_trailers(record, named.front(), *receipt);
  check_commit(*commit, record.row.candidate_tree, wanted, blame);
  const bool merged =
      promotion.new_head != promotion.commit_id && promotion.new_head != promotion.old_head;
  if (!merged) return faults;
  const auto merge = repo.objects().commit(promotion.new_head);
  if (merge)
    check_commit(*merge, member_of(*receipt, "subject", "tree"), wanted, blame);
  else
    blame("the merge of the promoted commit is not in this repository");
  return faults;
}

Result<PromotionCheck> check_promotions(git::Repo& repo, store::Ledger& ledger) {
  std::set<std::string> ids;
  GH_TRY(rows, ledger.audit_of_event("proposal.promoted"));
  for (const store::AuditRow& row : rows)
    ids.insert(text_in(row.event.subject, "proposal_id"));
  for (std::string after;;) {
    GH_TRY(page, ledger.proposals({.status = "promoted", .after = after, .limit = kPage}));
    for (const store::ProposalRow& row : page)
      ids.insert(after = row.patch_id);
    if (std::ssize(page) < kPage) break;
  }
  return check_all(repo, ids, [&](const std::string& id) { return audited_record(ledger, id); });
}

Result<PromotionCheck> check_promotions(git::Repo& repo, const MirroredChain& chain) {
  std::set<std::string> ids;
  for (const auto& [id, events] : chain.events)
    if (is_told(events)) ids.insert(id);
  GH_TRY(mirrored, ids_in_refs(repo));
  const auto load = [&](const std::string& id) -> Result<std::optional<AuditedRecord>> {
    GH_TRY(record, record_in_refs(repo, id));
    if (!record) return std::nullopt;
    const auto events = chain.events.find(id);
    return AuditedRecord{std::move(*record),
                         events == chain.events.end() ? std::vector<ChainEvent>() : events->second};
  };
  for (const std::string& id : mirrored) {
    GH_TRY(kept, load(id));
    if (kept && kept->record.row.promotion_status == "promoted") ids.insert(id);
  }
  return check_all(repo, ids, load);
}

}  // namespace gh::ops
