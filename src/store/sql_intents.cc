#include "store/sql_intents.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "store/schema.h"
#include "wire/json.h"

namespace gh::store {
namespace {

constexpr std::string_view kFenceKey = "intent_fence";

// An SQLite ledger may learn its repository's id late; asking within the statement leaves no moment
// in which the two disagree.
#define GH_HERE "coalesce((SELECT value FROM meta WHERE key = 'repo_id'), '')"
#define GH_SELECT                                                                               \
  "SELECT intent_id, agent_pid, agent_start_epoch, declared_at_utc, payload_json, fence, rev, " \
  "closed_at_utc FROM intents WHERE repo_id = " GH_HERE

constexpr std::string_view kSelectOpen =
    GH_SELECT " AND closed_at_utc IS NULL ORDER BY declared_at_utc, agent_pid, intent_id";
constexpr std::string_view kSelectClosed =
    GH_SELECT " AND closed_at_utc IS NOT NULL ORDER BY closed_at_utc DESC, intent_id LIMIT ?";
constexpr std::string_view kSelectOne = GH_SELECT " AND intent_id = ?";
constexpr std::string_view kClosedBefore =
    "SELECT intent_id FROM intents WHERE repo_id = " GH_HERE
    " AND closed_at_utc < ? ORDER BY closed_at_utc, intent_id";
constexpr std::string_view kRemove =
    "DELETE FROM intents WHERE repo_id = " GH_HERE " AND intent_id = ?";
// A closed record makes room for a new one; its revisions go on, so that nobody who still holds an
// old one can write.
constexpr std::string_view kInsert =
    "INSERT INTO intents(repo_id, payload_json, fence, rev, updated_at_utc, agent_pid, "
    "agent_start_epoch, declared_at_utc, closed_at_utc, intent_id) VALUES(" GH_HERE
    ",?,?,?,?,?,?,?,?,?) ON CONFLICT(repo_id, intent_id) DO UPDATE SET "
    "payload_json = excluded.payload_json, fence = excluded.fence, rev = intents.rev + 1, "
    "updated_at_utc = excluded.updated_at_utc, agent_pid = excluded.agent_pid, "
    "agent_start_epoch = excluded.agent_start_epoch, declared_at_utc = excluded.declared_at_utc, "
    "closed_at_utc = excluded.closed_at_utc WHERE intents.closed_at_utc IS NOT NULL";
constexpr std::string_view kUpdate =
    "UPDATE intents SET payload_json = ?, fence = ?, rev = ?, updated_at_utc = ?, agent_pid = ?, "
    "agent_start_epoch = ?, declared_at_utc = ?, closed_at_utc = ? "
    "WHERE repo_id = " GH_HERE " AND intent_id = ? AND rev = ? AND fence <= ?";
// What no index holds. SQLite rewrites each index that a statement names a column of, changed or
// not, and most writes are renewals.
constexpr std::string_view kUpdateInPlace =
    "UPDATE intents SET payload_json = ?, fence = ?, rev = ?, updated_at_utc = ? "
    "WHERE agent_pid = ? AND agent_start_epoch = ? AND declared_at_utc = ? "
    "AND closed_at_utc IS NULL "
    "AND repo_id = " GH_HERE " AND intent_id = ? AND rev = ? AND fence <= ?";

// From the rows that are open: what was extracted from others says nothing.
constexpr std::string_view kSelectHeads =
    "SELECT i.intent_id, h.head FROM intents i LEFT JOIN intent_heads h "
    "ON h.repo_id = i.repo_id AND h.intent_id = i.intent_id "
    "WHERE i.repo_id = " GH_HERE " AND i.closed_at_utc IS NULL";
constexpr std::string_view kWithoutExtract =
    "SELECT i.intent_id FROM intents i WHERE i.repo_id = " GH_HERE
    " AND i.closed_at_utc IS NULL AND NOT EXISTS (SELECT 1 FROM intent_heads h "
    "WHERE h.repo_id = i.repo_id AND h.intent_id = i.intent_id)";
constexpr std::string_view kKeysBetween =
    "SELECT DISTINCT key FROM intent_keys WHERE repo_id = " GH_HERE
    " AND kind = ? AND key >= ? AND key < ? ORDER BY key";
constexpr std::string_view kWithKeys =
    "SELECT intent_id FROM intent_keys WHERE repo_id = " GH_HERE " AND kind = ? AND key IN (?";
constexpr std::string_view kPutHead =
    "INSERT INTO intent_heads(repo_id, intent_id, head) VALUES(" GH_HERE
    ",?,?) ON CONFLICT(repo_id, intent_id) DO UPDATE SET head = excluded.head";
constexpr std::string_view kUpdateHead =
    "UPDATE intent_heads SET head = ? WHERE repo_id = " GH_HERE " AND intent_id = ?";
constexpr std::string_view kPutKey =
    "INSERT INTO intent_keys(repo_id, kind, key, intent_id) VALUES(" GH_HERE
    ",?,?,?) ON CONFLICT(repo_id, kind, key, intent_id) DO NOTHING";
constexpr std::string_view kDropHead =
    "DELETE FROM intent_heads WHERE repo_id = " GH_HERE " AND intent_id = ?";
constexpr std::string_view kDropKeys =
    "DELETE FROM intent_keys WHERE repo_id = " GH_HERE " AND intent_id = ?";
#undef GH_SELECT
#undef GH_HERE

/// Keys that are asked for at once; a statement of that size is prepared once.
constexpr std::size_t kKeysAtOnce = 32;

IntentRow intent_row(const Query& q) {
  return {.intent_id = q.text(0),
          .agent_pid = q.number(1),
          .agent_start_epoch = q.number(2),
          .declared_at_utc = q.text(3),
          .payload = IntentPayload::of_text(q.text(4)),
          .fence = q.number(5),
          .rev = q.number(6),
          .closed_at_utc = q.text(7)};
}

Result<std::vector<IntentRow>> all_rows(Query& query) {
  std::vector<IntentRow> rows;
  while (true) {
    GH_TRY(found, query.step());
    if (!found) return rows;
    rows.push_back(intent_row(query));
  }
}

void bind_close(Query& query, const IntentRow& row) {
  if (row.closed_at_utc.empty())
    query.bind_null();
  else
    query.bind(row.closed_at_utc);
}

/// One row as the statements above take it.
class IntentWriter {
 public:
  IntentWriter(Connection& db, const IntentRow& row, const std::string& now)
      : db_(db), row_(row), now_(now), payload_(row.payload.text()) {}

  Result<bool> insert() const {
    GH_TRY(query, db_.query(kInsert));
    bind_columns(query);
    bind_close(query, row_);
    return ran(query.bind(row_.intent_id));
  }
  Result<bool> update() const {
    GH_TRY(query, db_.query(kUpdate));
    bind_columns(query);
    bind_close(query, row_);
    return ran(query.bind_all(row_.intent_id, row_.rev, row_.fence));
  }
  Result<bool> update_in_place() const {
    GH_TRY(query, db_.query(kUpdateInPlace));
    bind_columns(query);
    return ran(query.bind_all(row_.intent_id, row_.rev, row_.fence));
  }

 private:
  void bind_columns(Query& query) const {
    query.bind_all(payload_, row_.fence, row_.rev + 1, now_, row_.agent_pid, row_.agent_start_epoch,
                   row_.declared_at_utc);
  }
  Result<bool> ran(Query& query) const {
    GH_DO(query.run());
    return db_.changes() == 1;
  }

  Connection& db_;
  const IntentRow& row_;
  const std::string& now_;
  std::string payload_;
};

Result<bool> write_row(Connection& db, const IntentRow& row, const std::string& now) {
  const IntentWriter writer(db, row, now);
  if (row.rev == 0) return writer.insert();
  if (row.closed_at_utc.empty()) {
    GH_TRY(written, writer.update_in_place());
    if (written) return true;
  }
  return writer.update();
}

Status refusal(Connection& db, const IntentRow& row) {
  GH_TRY(stored, read_intent(db, row.intent_id));
  if (!stored) return fail(Code::conflict, fmt::format("intent {} is gone", row.intent_id));
  if (row.rev == 0)
    return fail(Code::conflict, fmt::format("intent {} is there already", row.intent_id));
  if (row.fence < stored->fence)
    return fail(Code::ownership_lost,
                fmt::format("intent {} has another owner: its fence is {}, not {} any more",
                            row.intent_id, stored->fence, row.fence));
  return fail(Code::conflict,
              fmt::format("intent {} was changed by another process since revision {}",
                          row.intent_id, row.rev));
}

Status run_for(Connection& db, std::string_view sql, std::string_view intent_id) {
  GH_TRY(query, db.query(sql));
  return query.bind(intent_id).run();
}

Status drop_extract(Connection& db, std::string_view intent_id) {
  GH_DO(run_for(db, kDropHead, intent_id));
  return run_for(db, kDropKeys, intent_id);
}

Status remove_row(Connection& db, std::string_view intent_id) {
  GH_DO(run_for(db, kRemove, intent_id));
  return drop_extract(db, intent_id);
}

Status write_extract(Connection& db, std::string_view intent_id, const IntentExtract& extract) {
  if (!extract.keys) {
    GH_TRY(update, db.query(kUpdateHead));
    return update.bind(Bytes{extract.head}).bind(intent_id).run();
  }
  GH_TRY(head, db.query(kPutHead));
  GH_DO(head.bind(intent_id).bind(Bytes{extract.head}).run());
  GH_DO(run_for(db, kDropKeys, intent_id));
  for (const IntentKey& key : *extract.keys) {
    GH_TRY(put, db.query(kPutKey));
    GH_DO(put.bind(key.kind).bind(Bytes{key.key}).bind(intent_id).run());
  }
  return {};
}

Status write_extract(Connection& db, const IntentRow& row) {
  if (row.closed_at_utc.empty() && row.extract)
    return write_extract(db, row.intent_id, *row.extract);
  return drop_extract(db, row.intent_id);
}

Result<std::vector<std::string>> all_texts(Query& query) {
  std::vector<std::string> out;
  while (true) {
    GH_TRY(found, query.step());
    if (!found) return out;
    out.push_back(query.text(0));
  }
}

/// A statement for so many keys.
std::string with_keys_sql(std::size_t count) {
  std::string sql(kWithKeys);
  for (std::size_t i = 1; i < count; ++i)
    sql += ",?";
  return sql += ')';
}

}  // namespace

IntentPayload IntentPayload::of_text(std::string text) {
  IntentPayload out;
  out.text_ = std::move(text);
  out.value_.reset();
  return out;
}

std::string IntentPayload::text() const {
  return text_.empty() && value_ ? wire::canonical_json(*value_) : text_;
}

const Value& IntentPayload::value() const {
  if (!value_) value_ = wire::read_own_json(text_, "intent").value_or(Value());
  return *value_;
}

Result<std::vector<IntentRow>> read_open_intents(Connection& db) {
  GH_TRY(query, db.query(kSelectOpen));
  return all_rows(query);
}

Result<std::vector<IntentRow>> read_closed_intents(Connection& db, std::int64_t limit) {
  GH_TRY(query, db.query(kSelectClosed));
  return all_rows(query.bind(limit));
}

Result<std::optional<IntentRow>> read_intent(Connection& db, std::string_view intent_id) {
  GH_TRY(query, db.query(kSelectOne));
  GH_TRY(found, query.bind(intent_id).step());
  if (!found) return std::nullopt;
  return intent_row(query);
}

Result<Timestamp> time_of(Connection& db, Timestamp ours) {
  GH_TRY(theirs, db.server_time());
  return theirs.value_or(ours);
}

Status adopt_intents(Connection& db, std::string_view repo_id) {
  for (const std::string_view table : {"intents", "intent_heads", "intent_keys"}) {
    GH_TRY(query, db.query(fmt::format("UPDATE {} SET repo_id = ? WHERE repo_id = ''", table)));
    GH_DO(query.bind(repo_id).run());
  }
  return {};
}

Result<std::vector<IntentHead>> SqlIntentIndex::heads() {
  GH_TRY(query, db_.query(kSelectHeads));
  std::vector<IntentHead> out;
  while (true) {
    GH_TRY(found, query.step());
    if (!found) return out;
    out.push_back({query.text(0), query.text(1)});
  }
}

Result<std::vector<std::string>> SqlIntentIndex::with_keys(std::int64_t kind,
                                                           std::span<const std::string> keys) {
  static const std::string many = with_keys_sql(kKeysAtOnce), one = with_keys_sql(1);
  std::vector<std::string> out;
  while (!keys.empty()) {
    const bool alone = keys.size() == 1;
    GH_TRY(query, db_.query(alone ? one : many));
    query.bind(kind);
    for (std::size_t i = 0; i < (alone ? 1 : kKeysAtOnce); ++i)
      query.bind(Bytes{keys[std::min(i, keys.size() - 1)]});
    GH_TRY(found, all_texts(query));
    out.insert(out.end(), found.begin(), found.end());
    keys = keys.subspan(std::min(keys.size(), kKeysAtOnce));
  }
  return out;
}

Result<std::vector<std::string>> SqlIntentIndex::keys(std::int64_t kind, std::string_view from,
                                                      std::string_view to) {
  GH_TRY(query, db_.query(kKeysBetween));
  return all_texts(query.bind(kind).bind(Bytes{from}).bind(Bytes{to}));
}

Result<std::vector<std::string>> SqlIntentIndex::without_extract() {
  GH_TRY(query, db_.query(kWithoutExtract));
  return all_texts(query);
}

Result<Timestamp> SqlIntentView::now() {
  if (!now_) {
    GH_TRY(theirs, db_.server_time());
    now_ = theirs ? *theirs : ours_();
  }
  return *now_;
}

Result<std::vector<std::string>> SqlIntentView::closed_before(Timestamp time) {
  const std::string text = to_string(time);
  GH_TRY(query, db_.query(kClosedBefore));
  query.bind(text);
  return all_texts(query);
}

Result<std::int64_t> SqlIntentView::next_fence() {
  if (fence_ == 0) {
    GH_TRY(text, read_meta(db_, kFenceKey));
    const auto last = to_number(text.value_or("0"));
    if (!last) return tl::make_unexpected(damaged(db_, "the last fence cannot be read"));
    fence_ = *last;
  }
  return ++fence_;
}

Status write_intents(Connection& db, SqlIntentView& view, const IntentChange& change) {
  GH_TRY(time, view.now());
  const std::string now = to_string(time);
  for (const std::string& intent_id : change.remove)
    GH_DO(remove_row(db, intent_id));
  for (const IntentRow& row : change.put) {
    GH_TRY(written, write_row(db, row, now));
    if (!written) return refusal(db, row);
    GH_DO(write_extract(db, row));
  }
  for (const auto& [intent_id, extract] : change.extracts)
    GH_DO(write_extract(db, intent_id, extract));
  if (view.last_fence() == 0) return {};
  return write_meta(db, kFenceKey, fmt::to_string(view.last_fence()));
}

}  // namespace gh::store
