#include "ops/promotion_queue.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/members.h"
#include "ops/proposal_forecast.h"
#include "ops/proposal_record.h"
#include "proposal/conflicts.h"
#include "proposal/meta.h"

namespace gh::ops {
namespace {

using proposal::ConflictKind;
using proposal::Finding;

constexpr std::int64_t kPage = 500;

std::int64_t priority_of(const store::ProposalRow& row) {
  const Map* body = row.body.as_map();
  return body == nullptr ? 0 : number_in(*body, "priority");
}

/// When the last of the reviews was given that it is approved by.
std::string approved_at(const Stored& stored) {
  std::string last;
  for (const Review& review : stored.reviews)
    if (review.proposal_digest == stored.row.digest) last = std::max(last, review.created_utc);
  return last.empty() ? stored.row.updated_utc : last;
}

Result<std::vector<store::ProposalRow>> approved_rows(ProposalSession& session) {
  std::vector<store::ProposalRow> all;
  for (std::string after;;) {
    GH_TRY(rows, session.ledger->proposals({.status = "proposed",
                                            .sub_state = "approved",
                                            .target_ref = session.target_ref,
                                            .after = after,
                                            .limit = kPage}));
    all.insert(all.end(), rows.begin(), rows.end());
    if (std::ssize(rows) < kPage) return all;
    after = rows.back().patch_id;
  }
}

const std::string& other_side(const store::ConflictRow& row, const std::string& id) {
  return row.a == id ? row.b : row.a;
}

/// A pair that trying settled stands; any other is tried again, for the target has moved on.
Result<bool> stands_in_the_way(ProposalSession& session, const store::ConflictRow& pair,
                               const Stored& mine) {
  if (pair.kind == to_string(ConflictKind::semantic)) return true;
  if (pair.kind != to_string(ConflictKind::textual) && pair.kind != to_string(ConflictKind::order))
    return false;
  GH_TRY(other, load_proposal(*session.ledger, other_side(pair, mine.row.patch_id)));
  GH_TRY(fits, applies_after(session.repo, session.head, other.canonical, mine.canonical));
  return fits && !*fits;
}

}  // namespace

Result<std::vector<std::string>> queue_of(ProposalSession& session) {
  GH_TRY(rows, approved_rows(session));
  std::vector<proposal::Queued> queue;
  std::set<std::string> replaced;
  for (const store::ProposalRow& row : rows) {
    GH_TRY(stored, load_proposal(*session.ledger, row.patch_id));
    replaced.insert(stored.meta.supersedes.begin(), stored.meta.supersedes.end());
    queue.push_back({.patch_id = row.patch_id,
                     .approved_utc = approved_at(stored),
                     .depends_on = stored.meta.depends_on,
                     .priority = priority_of(row)});
  }
  std::erase_if(queue, [&](const proposal::Queued& q) { return replaced.contains(q.patch_id); });
  return proposal::queue_order(std::move(queue));
}

Result<std::vector<Finding>> conflicts_ahead(ProposalSession& session, const Stored& mine) {
  std::vector<Finding> out;
  const std::string& id = mine.row.patch_id;
  GH_TRY(pairs, session.ledger->conflicts(id));
  std::erase_if(pairs, [&](const store::ConflictRow& pair) {
    return std::ranges::find(mine.meta.supersedes, other_side(pair, id)) !=
           mine.meta.supersedes.end();
  });
  if (pairs.empty()) return out;
  GH_TRY(order, queue_of(session));
  const auto place = std::ranges::find(order, id);
  if (place == order.end()) return out;  // not approved: it has no place, and waits anyway
  for (const store::ConflictRow& pair : pairs) {
    const std::string& other = other_side(pair, id);
    if (std::find(order.begin(), place, other) == place) continue;
    GH_TRY(blocked, stands_in_the_way(session, pair, mine));
    if (!blocked) continue;
    out.push_back({.code = proposal::PropCode::PROP_CONFLICT,
                   .message = fmt::format("{} is ahead in the queue and the two do not go together",
                                          printable(other, 100)),
                   .details = Map{{"with", other}, {"kind", pair.kind}, {"paths", pair.paths}},
                   .waits = true});
  }
  return out;
}

Result<std::vector<store::ConflictRow>> measured_conflicts(store::Ledger& ledger,
                                                           const std::string& patch_id) {
  GH_TRY(rows, ledger.conflicts(patch_id));
  std::erase_if(rows, [](const store::ConflictRow& row) {
    return row.kind != to_string(ConflictKind::semantic);
  });
  return rows;
}

Status put_first(ProposalSession& session, Context& context, const std::string& patch_id) {
  GH_TRY(stored, load_proposal(*session.ledger, patch_id));
  if (stored.row.promotion_status != "proposed" || stored.row.target_ref != session.target_ref)
    return fail(Code::bad_argument, fmt::format("{} is no open proposal for {}", patch_id,
                                                printable(session.target_ref, 200)));
  std::int64_t highest = 0;
  for (std::string after;;) {
    GH_TRY(rows, session.ledger->proposals({.status = "proposed",
                                            .target_ref = session.target_ref,
                                            .after = after,
                                            .limit = kPage}));
    for (const store::ProposalRow& row : rows)
      if (row.patch_id != patch_id) highest = std::max(highest, priority_of(row));
    if (std::ssize(rows) < kPage) break;
    after = rows.back().patch_id;
  }
  const std::int64_t before = priority_of(stored.row);
  if (before > highest) return {};
  stored.row.body.as_map()->set("priority", highest + 1);
  stored.row.updated_utc = to_string(context.env.now());
  store::Change change;
  change.proposal = stored.row;
  change.events.push_back(
      proposal_event(session, context, "prioritised", stored.row,
                     Map{{"from", before}, {"to", highest + 1}, {"asked_by", session.actor.name}}));
  return record(session, context, change, patch_id);
}

}  // namespace gh::ops
