#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "store/audit_chain.h"
#include "store/ledger.h"
#include "store/sqlite.h"
#include "wire/json.h"

namespace gh::store {
namespace {

// Migration n brings a ledger of version n to version n + 1. Forward only: a row that was released
// is never edited.
constexpr std::array<const char*, 1> kMigrations{
    R"(CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
       CREATE TABLE audit(
         seq INTEGER PRIMARY KEY, ts TEXT NOT NULL, event TEXT NOT NULL, severity TEXT NOT NULL,
         actor TEXT NOT NULL, surface TEXT NOT NULL, subject TEXT NOT NULL, payload TEXT,
         payload_sha256 TEXT NOT NULL, prev_hash TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
       CREATE TABLE patch_runs(
         run_id TEXT PRIMARY KEY, actor TEXT NOT NULL, base_commit TEXT NOT NULL,
         state TEXT NOT NULL, attempts TEXT NOT NULL, frozen INTEGER NOT NULL,
         folder TEXT NOT NULL, body TEXT NOT NULL, audit_seq INTEGER NOT NULL,
         rev INTEGER NOT NULL) STRICT;
       CREATE INDEX patch_runs_by_actor ON patch_runs(actor, base_commit, audit_seq);
       CREATE TABLE documents(
         digest TEXT PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL) STRICT;)",
};
constexpr std::int64_t kSchemaVersion = static_cast<std::int64_t>(kMigrations.size());

constexpr const char* kReadMeta = "SELECT value FROM meta WHERE key = ?";
constexpr const char* kWriteMeta =
    "INSERT INTO meta(key, value) VALUES(?, ?) "
    "ON CONFLICT(key) DO UPDATE SET value = excluded.value";
constexpr const char* kInsertAudit = "INSERT INTO audit VALUES(?,?,?,?,?,?,?,?,?,?,?)";
constexpr const char* kSelectAudit =
    "SELECT seq, ts, event, severity, actor, surface, subject, payload, payload_sha256, prev_hash, "
    "hash FROM audit WHERE seq >= ? ORDER BY seq LIMIT ?";
constexpr const char* kInsertRun =
    "INSERT INTO patch_runs(actor, base_commit, state, attempts, frozen, folder, body, audit_seq, "
    "rev, run_id) VALUES(?,?,?,?,?,?,?,?,?,?) ON CONFLICT(run_id) DO NOTHING";
constexpr const char* kUpdateRun =
    "UPDATE patch_runs SET actor = ?, base_commit = ?, state = ?, attempts = ?, frozen = ?, "
    "folder = ?, body = ?, audit_seq = ?, rev = ? WHERE run_id = ? AND rev = ?";
constexpr const char* kSelectRun =
    "SELECT run_id, actor, base_commit, state, attempts, frozen, folder, body, rev "
    "FROM patch_runs WHERE run_id = ?";
constexpr const char* kSelectOpenRun =
    "SELECT run_id, actor, base_commit, state, attempts, frozen, folder, body, rev "
    "FROM patch_runs WHERE actor = ? AND base_commit = ? AND state IN ('rejected', 'blocked') "
    "ORDER BY audit_seq DESC LIMIT 1";
constexpr const char* kInsertDocument =
    "INSERT INTO documents(digest, kind, body) VALUES(?,?,?) ON CONFLICT(digest) DO NOTHING";
constexpr const char* kSelectDocument = "SELECT body FROM documents WHERE digest = ?";

/// Last link of the chain. Kept apart from the rows, so that a cut-off tail is seen.
struct Head {
  std::int64_t seq = 0;
  std::string hash{kFirstPrevHash};
};

Error damaged(const Database& db, std::string_view what) {
  return Error{Code::ledger_unavailable,
               fmt::format("ledger {}: the file is damaged ({})", db.path(), what)};
}

std::optional<std::int64_t> to_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Result<std::optional<std::string>> read_meta(Database& db, std::string_view key) {
  GH_TRY(query, db.query(kReadMeta));
  GH_TRY(found, query.bind(key).step());
  return found ? query.optional_text(0) : std::nullopt;
}

Status write_meta(Database& db, std::string_view key, std::string_view value) {
  GH_TRY(query, db.query(kWriteMeta));
  return query.bind(key).bind(value).run();
}

/// 0 for a file without tables. A file with other tables is no ledger of ours.
Result<std::int64_t> schema_version(Database& db) {
  GH_TRY(tables, db.query("SELECT count(*), coalesce(sum(name = 'meta'), 0) FROM sqlite_schema"));
  GH_DO(tables.step());
  if (tables.number(0) == 0) return 0;
  if (tables.number(1) == 0)
    return tl::make_unexpected(damaged(db, "it has tables but no schema version"));
  GH_TRY(text, read_meta(db, "schema_version"));
  const auto version = to_number(text.value_or(""));
  if (!version || *version < 1)
    return tl::make_unexpected(damaged(db, "its schema version cannot be read"));
  return *version;
}

Status check_known(const Database& db, std::int64_t version) {
  if (version <= kSchemaVersion) return {};
  return fail(Code::ledger_too_new,
              fmt::format("ledger {}: schema version {}, this program knows versions up to {}",
                          db.path(), version, kSchemaVersion));
}

Status migrate(Database& db) {
  GH_TRY(transaction, Transaction::begin(db));
  GH_TRY(from, schema_version(db));  // again: another process may have been first
  GH_DO(check_known(db, from));
  for (std::size_t i = static_cast<std::size_t>(from); i < kMigrations.size(); ++i)
    GH_DO(db.execute(kMigrations[i]));
  GH_DO(write_meta(db, "schema_version", fmt::to_string(kSchemaVersion)));
  return transaction.commit();
}

Result<Head> read_head(Database& db) {
  GH_TRY(text, read_meta(db, "audit_head"));
  if (!text) return Head{};
  const std::size_t space = text->find(' ');
  const auto seq = to_number(std::string_view(*text).substr(0, space));
  if (space == std::string::npos || !seq)
    return tl::make_unexpected(damaged(db, "the head of the audit chain cannot be read"));
  return Head{*seq, text->substr(space + 1)};
}

Result<std::int64_t> append_link(Database& db, const AuditEvent& event) {
  GH_TRY(head, read_head(db));
  const AuditColumns row = make_link(event, head.seq + 1, head.hash);
  GH_TRY(insert, db.query(kInsertAudit));
  GH_DO(insert.bind(row.seq)
            .bind(row.ts)
            .bind(row.event)
            .bind(row.severity)
            .bind(row.actor)
            .bind(row.surface)
            .bind(row.subject)
            .bind(*row.payload)
            .bind(row.payload_sha256)
            .bind(row.prev_hash)
            .bind(row.hash)
            .run());
  GH_DO(write_meta(db, "audit_head", fmt::format("{} {}", row.seq, row.hash)));
  return row.seq;
}

/// Rows 1 to `last` hold among themselves: 0 when they also end where the head says, else the first
/// row that was cut off, put on top, or rewritten together with its hash.
std::int64_t first_off_head(std::int64_t last, std::string_view last_hash, const Head& head) {
  if (last != head.seq) return std::min(last, head.seq) + 1;
  return last_hash == head.hash ? 0 : std::max<std::int64_t>(last, 1);
}

AuditColumns audit_columns(const Query& q) {
  return {q.number(0), q.text(1),          q.text(2), q.text(3), q.text(4), q.text(5),
          q.text(6),   q.optional_text(7), q.text(8), q.text(9), q.text(10)};
}

Status write_run(Database& db, const PatchRunRow& run, std::int64_t seq) {
  const std::string attempts = wire::canonical_json(run.attempts);
  const std::string body = wire::canonical_json(run.body);
  GH_TRY(query, db.query(run.rev == 0 ? kInsertRun : kUpdateRun));
  query.bind(run.actor)
      .bind(run.base_commit)
      .bind(run.state)
      .bind(attempts)
      .bind(std::int64_t{run.frozen})
      .bind(run.folder)
      .bind(body)
      .bind(seq)
      .bind(run.rev + 1)
      .bind(run.run_id);
  if (run.rev != 0) query.bind(run.rev);
  GH_DO(query.run());
  if (db.changes() != 1)
    return fail(Code::conflict, fmt::format("patch run {} was changed by another process since "
                                            "revision {}",
                                            run.run_id, run.rev));
  return {};
}

Status write_document(Database& db, Document document, std::int64_t seq, bool once) {
  if (Map* body = document.body.as_map())
    if (Value* meta = body->find("meta"); meta != nullptr && meta->as_map() != nullptr)
      if (Value* audit_seq = meta->as_map()->find("audit_seq")) *audit_seq = seq;
  const std::string body = wire::canonical_json(document.body);
  GH_TRY(query, db.query(kInsertDocument));
  GH_DO(query.bind(document.digest).bind(document.kind).bind(body).run());
  if (once && db.changes() != 1)
    return fail(Code::conflict, fmt::format("document {} is there already", document.digest));
  return {};
}

Result<std::optional<PatchRunRow>> read_run(Database& db, Query& query) {
  GH_TRY(found, query.step());
  if (!found) return std::nullopt;
  auto attempts = wire::read_own_json(query.text(4), "attempts");
  auto body = wire::read_own_json(query.text(7), "body");
  if (!attempts || attempts->as_list() == nullptr || !body)
    return tl::make_unexpected(damaged(db, "patch run " + query.text(0) + " cannot be read"));
  return PatchRunRow{.run_id = query.text(0),
                     .actor = query.text(1),
                     .base_commit = query.text(2),
                     .state = query.text(3),
                     .folder = query.text(6),
                     .frozen = query.number(5) != 0,
                     .rev = query.number(8),
                     .attempts = *attempts->as_list(),
                     .body = *body};
}

class SqliteLedger final : public Ledger {
 public:
  explicit SqliteLedger(std::unique_ptr<Database> db) : db_(std::move(db)) {}

  Result<std::int64_t> commit(const Change& change, Durability durability) override {
    GH_ASSERT(!change.events.empty());
    GH_DO(set_durability(durability));
    GH_TRY(transaction, Transaction::begin(*db_));
    std::int64_t seq = 0;
    for (const AuditEvent& event : change.events) {
      GH_TRY(link, append_link(*db_, event));
      seq = link;
    }
    if (change.run) GH_DO(write_run(*db_, *change.run, seq));
    if (change.document) GH_DO(write_document(*db_, *change.document, seq, change.once));
    GH_DO(transaction.commit());
    return seq;
  }

  Result<std::optional<PatchRunRow>> patch_run(std::string_view run_id) override {
    GH_TRY(query, db_->query(kSelectRun));
    return read_run(*db_, query.bind(run_id));
  }

  Result<std::optional<PatchRunRow>> open_rejected_run(std::string_view actor,
                                                       std::string_view base_commit) override {
    GH_TRY(query, db_->query(kSelectOpenRun));
    return read_run(*db_, query.bind(actor).bind(base_commit));
  }

  Result<std::optional<Value>> document(std::string_view digest) override {
    GH_TRY(query, db_->query(kSelectDocument));
    GH_TRY(found, query.bind(digest).step());
    if (!found) return std::nullopt;
    auto body = wire::read_own_json(query.text(0), "document");
    if (!body)
      return tl::make_unexpected(
          damaged(*db_, "document " + std::string(digest) + " cannot be read"));
    return std::move(*body);
  }

  Result<std::vector<AuditRow>> audit_rows(std::int64_t from_seq, std::int64_t limit) override {
    GH_TRY(query, db_->query(kSelectAudit));
    query.bind(from_seq).bind(limit);
    std::vector<AuditRow> rows;
    while (true) {
      GH_TRY(found, query.step());
      if (!found) return rows;
      auto row = to_audit_row(audit_columns(query));
      if (!row)
        return tl::make_unexpected(
            damaged(*db_, fmt::format("audit row {} cannot be read", query.number(0))));
      rows.push_back(std::move(*row));
    }
  }

  Result<std::int64_t> first_broken_link() override {
    // One read transaction: a writer in between must not look like a break.
    GH_DO(db_->execute("BEGIN"));
    auto broken = scan_chain();
    GH_DO(db_->execute("COMMIT"));
    return broken;
  }

  Result<std::string> repo_id() override {
    GH_TRY(id, read_meta(*db_, "repo_id"));
    return id.value_or("");
  }

  Status set_repo_id(std::string_view id) override {
    GH_TRY(transaction, Transaction::begin(*db_));
    GH_TRY(known, read_meta(*db_, "repo_id"));
    if (known && *known != id)
      return fail(Code::conflict,
                  fmt::format("ledger {} belongs to repository {}", db_->path(), *known));
    GH_DO(write_meta(*db_, "repo_id", id));
    return transaction.commit();
  }

 private:
  /// `synchronous` belongs to the connection and cannot change inside a transaction.
  Status set_durability(Durability durability) {
    if (durability_ == durability) return {};
    GH_DO(db_->execute(durability == Durability::durable ? "PRAGMA synchronous=FULL"
                                                         : "PRAGMA synchronous=NORMAL"));
    durability_ = durability;
    return {};
  }

  Result<std::int64_t> scan_chain() {
    GH_TRY(head, read_head(*db_));
    GH_TRY(query, db_->query(kSelectAudit));
    query.bind(std::numeric_limits<std::int64_t>::min()).bind(std::int64_t{-1});
    std::int64_t seq = 1;
    for (std::string prev{kFirstPrevHash};; ++seq) {
      GH_TRY(found, query.step());
      if (!found) return first_off_head(seq - 1, prev, head);
      const AuditColumns row = audit_columns(query);
      if (!link_holds(row, seq, prev)) return seq;
      prev = row.hash;
    }
  }

  std::unique_ptr<Database> db_;
  std::optional<Durability> durability_;
};

}  // namespace

Result<std::unique_ptr<Ledger>> Ledger::open_sqlite(const std::string& path,
                                                    std::int64_t busy_timeout_ms) {
  GH_TRY(db, Database::open(path, busy_timeout_ms));
  GH_TRY(version, schema_version(*db));
  GH_DO(check_known(*db, version));
  if (version < kSchemaVersion) GH_DO(migrate(*db));
  return std::make_unique<SqliteLedger>(std::move(db));
}

}  // namespace gh::store
