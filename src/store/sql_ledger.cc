#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "store/audit_chain.h"
#include "store/audit_index.h"
#include "store/ledger.h"
#include "store/postgres.h"
#include "store/schema.h"
#include "store/seal.h"
#include "store/sql.h"
#include "store/sql_analysis_runs.h"
#include "store/sql_check.h"
#include "store/sql_intents.h"
#include "store/sql_leases.h"
#include "store/sql_proposals.h"
#include "store/sqlite.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::store {
namespace {

constexpr std::string_view kInsertAudit = "INSERT INTO audit VALUES(?,?,?,?,?,?,?,?,?,?,?)";
constexpr std::string_view kAuditColumns =
    "SELECT seq, ts, event, severity, actor, surface, subject, payload, payload_sha256, prev_hash, "
    "hash FROM audit ";
constexpr std::string_view kIndexProposal =
    "INSERT INTO audit_proposals(patch_id, seq) VALUES(?,?)";
constexpr std::string_view kInsertRun =
    "INSERT INTO patch_runs(actor, base_commit, state, attempts, frozen, folder, body, audit_seq, "
    "rev, run_id) VALUES(?,?,?,?,?,?,?,?,?,?) ON CONFLICT(run_id) DO NOTHING";
constexpr std::string_view kUpdateRun =
    "UPDATE patch_runs SET actor = ?, base_commit = ?, state = ?, attempts = ?, frozen = ?, "
    "folder = ?, body = ?, audit_seq = ?, rev = ? WHERE run_id = ? AND rev = ?";
constexpr std::string_view kSelectRun =
    "SELECT run_id, actor, base_commit, state, attempts, frozen, folder, body, rev "
    "FROM patch_runs WHERE run_id = ?";
constexpr std::string_view kSelectOpenRun =
    "SELECT run_id, actor, base_commit, state, attempts, frozen, folder, body, rev "
    "FROM patch_runs WHERE actor = ? AND base_commit = ? AND state IN ('rejected', 'blocked') "
    "ORDER BY audit_seq DESC LIMIT 1";
constexpr std::string_view kInsertDocument =
    "INSERT INTO documents(digest, kind, body) VALUES(?,?,?) ON CONFLICT(digest) DO NOTHING";
constexpr std::string_view kSelectDocument = "SELECT body FROM documents WHERE digest = ?";

constexpr std::string_view kDropPayloads =
    "UPDATE audit SET payload = NULL "
    "WHERE severity = 'info' AND payload IS NOT NULL AND event NOT LIKE 'proposal.%' AND ts < ?";
constexpr std::string_view kInsertBlob =
    "INSERT INTO blobs(sha256, bytes) VALUES(?,?) ON CONFLICT(sha256) DO NOTHING";
constexpr std::string_view kSelectBlob = "SELECT bytes FROM blobs WHERE sha256 = ?";

std::string folder_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : file.substr(0, slash);
}

/// Last link of the chain. Kept apart from the rows, so that a cut-off tail is seen.
struct Head {
  std::int64_t seq = 0;
  std::string hash{kFirstPrevHash};
};

Result<Head> read_head(Connection& db) {
  GH_TRY(text, read_meta(db, "audit_head"));
  if (!text) return Head{};
  const std::size_t space = text->find(' ');
  const auto seq = to_number(std::string_view(*text).substr(0, space));
  if (space == std::string::npos || !seq)
    return tl::make_unexpected(damaged(db, "the head of the audit chain cannot be read"));
  return Head{*seq, text->substr(space + 1)};
}

Status insert_link(Connection& db, const AuditColumns& row, const Map& subject) {
  GH_TRY(insert, db.query(kInsertAudit));
  GH_DO(insert
            .bind_all(row.seq, row.ts, row.event, row.severity, row.actor, row.surface, row.subject,
                      *row.payload, row.payload_sha256, row.prev_hash, row.hash)
            .run());
  for (const std::string& patch_id : proposals_named(subject)) {
    GH_TRY(index, db.query(kIndexProposal));
    GH_DO(index.bind(patch_id).bind(row.seq).run());
  }
  return {};
}

/// Returns the seq of the last one.
Result<std::int64_t> append_links(Connection& db, Head head,
                                  const std::vector<AuditEvent>& events) {
  for (const AuditEvent& event : events) {
    AuditColumns row = make_link(event, head.seq + 1, head.hash);
    GH_DO(insert_link(db, row, event.subject));
    head = {row.seq, std::move(row.hash)};
  }
  GH_DO(write_meta(db, "audit_head", fmt::format("{} {}", head.seq, head.hash)));
  return head.seq;
}

Result<std::int64_t> append_links(Connection& db, const std::vector<AuditEvent>& events) {
  GH_TRY(head, read_head(db));
  return append_links(db, std::move(head), events);
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

Status write_run(Connection& db, const PatchRunRow& run, std::int64_t seq) {
  const std::string attempts = wire::canonical_json(run.attempts);
  const std::string body = wire::canonical_json(run.body);
  GH_TRY(query, db.query(run.rev == 0 ? kInsertRun : kUpdateRun));
  query.bind_all(run.actor, run.base_commit, run.state, attempts, run.frozen, run.folder, body, seq,
                 run.rev + 1, run.run_id);
  if (run.rev != 0) query.bind(run.rev);
  GH_DO(query.run());
  if (db.changes() != 1)
    return fail(Code::conflict, fmt::format("patch run {} was changed by another process since "
                                            "revision {}",
                                            run.run_id, run.rev));
  return {};
}

Status write_document(Connection& db, Document document, std::int64_t seq, bool once) {
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

Status write_blob(Connection& db, const Blob& blob) {
  GH_TRY(query, db.query(kInsertBlob));
  return query.bind(blob.sha256).bind(Bytes{blob.bytes}).run();
}

Status write_documents(Connection& db, const Change& change, std::int64_t seq) {
  if (change.document) GH_DO(write_document(db, *change.document, seq, change.once));
  for (const Document& document : change.more_documents)
    GH_DO(write_document(db, document, seq, false));
  for (const Blob& blob : change.blobs)
    GH_DO(write_blob(db, blob));
  return {};
}

Result<std::vector<AuditRow>> read_audit(Connection& db, Query& query) {
  std::vector<AuditRow> rows;
  while (true) {
    GH_TRY(found, query.step());
    if (!found) return rows;
    auto row = to_audit_row(audit_columns(query));
    if (!row)
      return tl::make_unexpected(
          damaged(db, fmt::format("audit row {} cannot be read", query.number(0))));
    rows.push_back(std::move(*row));
  }
}

Result<std::int64_t> scan_chain(Connection& db) {
  GH_TRY(head, read_head(db));
  GH_TRY(query, db.query(fmt::format("{}ORDER BY seq", kAuditColumns), Fetch::streamed));
  AuditColumns before;
  before.hash = kFirstPrevHash;
  for (std::int64_t seq = 1;; ++seq) {
    GH_TRY(found, query.step());
    if (!found) return first_off_head(seq - 1, before.hash, head);
    AuditColumns row = audit_columns(query);
    if (!link_holds(row, seq, before.hash, before.actor)) return seq;
    before = std::move(row);
  }
}

Result<std::optional<PatchRunRow>> read_run(Connection& db, Query& query) {
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

/// Reads the copy as a ledger, and leaves it as one file without a log.
Result<Backup> read_backup(const std::string& file) {
  GH_TRY(copy, connect_sqlite(file, 0));
  GH_TRY(head, read_head(*copy));
  GH_TRY(broken, scan_chain(*copy));
  GH_DO(copy->execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=DELETE"));
  return Backup{head.seq, broken};
}

/// What decides the next step is that nothing was recorded, not which database failed how.
Error as_write_failure(Error error) {
  if (error.code == Code::ledger_unavailable) error.code = Code::registry_write_failed;
  return error;
}

bool holds_nothing(const IntentChange& change) {
  return change.put.empty() && change.remove.empty() && change.documents.empty() &&
         change.blobs.empty();
}

class SqlLedger final : public Ledger {
 public:
  /// `version`: of the tables now.
  SqlLedger(std::unique_ptr<Connection> db, std::int64_t found_version, std::int64_t version)
      : db_(std::move(db)), found_version_(found_version), version_(version) {}

  Result<std::int64_t> commit(const Change& change, Durability durability) override {
    GH_ASSERT(!change.events.empty());
    GH_TRY(transaction, Transaction::begin(*db_, durability));
    if (change.fence) GH_DO(check_fence(*db_, *change.fence));
    GH_TRY(seq, append_links(*db_, sealed_events(change)));
    if (change.run) GH_DO(write_run(*db_, *change.run, seq));
    GH_DO(write_documents(*db_, change, seq));
    GH_DO(write_proposals(*db_, change, seq));
    if (change.analysis_run)
      GH_DO(write_analysis_run(*db_, *change.analysis_run, change.run_parts, seq));
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
    GH_TRY(query, db_->query(fmt::format("{}WHERE seq >= ? ORDER BY seq LIMIT ?", kAuditColumns)));
    return read_audit(*db_, query.bind(from_seq).bind(limit));
  }

  Result<std::int64_t> last_seq() override {
    return read_head(*db_).map([](const Head& head) { return head.seq; });
  }

  Result<std::int64_t> first_broken_link() override {
    // One read transaction: a writer in between must not look like a break.
    GH_TRY(transaction, Transaction::begin_reading(*db_));
    GH_TRY(broken, scan_chain(*db_));
    GH_DO(transaction.commit());
    return broken;
  }

  Result<std::optional<std::string>> blob(std::string_view sha256) override {
    GH_TRY(query, db_->query(kSelectBlob));
    GH_TRY(found, query.bind(sha256).step());
    if (!found) return std::nullopt;
    std::string bytes = query.text(0);
    if (!is_digest_of(sha256, bytes))
      return tl::make_unexpected(
          damaged(*db_, fmt::format("the bytes kept as {} are other ones", sha256)));
    return bytes;
  }

  Result<std::optional<ProposalRow>> proposal(std::string_view patch_id) override {
    return read_proposal(*db_, patch_id);
  }
  Result<std::vector<ProposalRow>> proposals(const ProposalFilter& filter) override {
    return read_proposals(*db_, filter);
  }
  Result<std::int64_t> count_proposals(const ProposalFilter& filter) override {
    return store::count_proposals(*db_, filter);
  }
  Result<std::vector<ProposalFile>> proposal_files(std::string_view patch_id) override {
    return read_files(*db_, patch_id);
  }
  Result<std::vector<ReviewRow>> reviews(std::string_view patch_id) override {
    return read_reviews(*db_, patch_id);
  }
  Result<std::vector<AdmissionRow>> admissions(std::string_view patch_id) override {
    return read_admissions(*db_, patch_id);
  }
  Result<std::optional<PromotionRow>> promotion(std::string_view patch_id) override {
    return read_promotion(*db_, patch_id);
  }
  Result<std::vector<ConflictRow>> conflicts(std::string_view patch_id) override {
    return read_conflicts(*db_, patch_id);
  }
  Result<std::vector<AuditRow>> audit_of_proposal(std::string_view patch_id) override {
    GH_TRY(query, db_->query(fmt::format("{}WHERE seq IN (SELECT seq FROM audit_proposals "
                                         "WHERE patch_id = ?) ORDER BY seq",
                                         kAuditColumns)));
    return read_audit(*db_, query.bind(patch_id));
  }

  Result<std::vector<AuditRow>> audit_of_event(std::string_view event) override {
    GH_TRY(query, db_->query(fmt::format("{}WHERE event = ? ORDER BY seq", kAuditColumns)));
    return read_audit(*db_, query.bind(event));
  }

  Result<std::vector<AnalysisRunRow>> analysis_runs(const AnalysisRunFilter& filter) override {
    return read_analysis_runs(*db_, filter);
  }
  Result<std::optional<std::string>> run_part(const AnalysisRunRow& run,
                                              std::int64_t part) override {
    return read_run_part(*db_, run, part);
  }

  Result<DroppedRuns> drop_analysis_runs(const RunRetention& retention, AuditEvent event) override {
    GH_TRY(transaction, Transaction::begin(*db_, Durability::durable));
    GH_TRY(dropped, store::drop_analysis_runs(*db_, retention));
    if (dropped == DroppedRuns{}) return dropped;
    event.payload = Map{{"reports", dropped.reports},
                        {"rows", dropped.rows},
                        {"before", to_string(retention.before)}};
    GH_DO(append_links(*db_, {event}));
    GH_DO(transaction.commit());
    return dropped;
  }

  Result<std::int64_t> change_intents(const Clock& ours, Durability durability,
                                      const DecideIntents& decide) override {
    auto transaction = Transaction::begin(*db_, durability);
    if (!transaction && db_->lock_refused())
      return fail(Code::registry_busy, transaction.error().message);
    if (!transaction) return tl::make_unexpected(as_write_failure(transaction.error()));
    GH_TRY(head, read_head(*db_));
    SqlIntentView view(*db_, head.seq, ours);
    GH_TRY(change, decide(view));
    if (change.events.empty()) {
      GH_ASSERT(holds_nothing(change));
      return 0;
    }
    GH_ASSERT(durability == Durability::durable || view.last_fence() == 0);
    return record(view, head, change, *transaction).map_error(as_write_failure);
  }
  Result<std::vector<IntentRow>> open_intents() override {
    GH_TRY(known, knows(kIntentsVersion));
    return known ? read_open_intents(*db_) : std::vector<IntentRow>();
  }
  Result<std::vector<IntentRow>> closed_intents(std::int64_t limit) override {
    GH_TRY(known, knows(kIntentsVersion));
    return known ? read_closed_intents(*db_, limit) : std::vector<IntentRow>();
  }
  Result<std::optional<IntentRow>> intent(std::string_view intent_id) override {
    GH_TRY(known, knows(kIntentsVersion));
    return known ? read_intent(*db_, intent_id) : std::optional<IntentRow>();
  }
  Result<std::unique_ptr<IntentIndex>> intent_index() override {
    GH_TRY(known, knows(kExtractsVersion));
    return known ? std::make_unique<SqlIntentIndex>(*db_) : std::unique_ptr<IntentIndex>();
  }
  Result<Timestamp> now(Timestamp ours) override { return time_of(*db_, ours); }

  Result<std::optional<Lease>> acquire_lease(std::string_view name, std::string_view owner,
                                             std::int64_t now_ms, std::int64_t ttl_ms) override {
    return acquire(*db_, name, owner, now_ms, ttl_ms);
  }
  Result<std::optional<Lease>> renew_lease(const Lease& held, std::int64_t now_ms,
                                           std::int64_t ttl_ms) override {
    return renew(*db_, held, now_ms, ttl_ms);
  }
  Status release_lease(const Lease& held) override { return release(*db_, held); }
  Result<std::optional<Lease>> lease(std::string_view name) override { return holder(*db_, name); }

  Result<std::string> repo_id() override {
    GH_TRY(id, read_meta(*db_, "repo_id"));
    return id.value_or("");
  }

  Status set_repo_id(std::string_view id) override {
    GH_TRY(transaction, Transaction::begin(*db_, Durability::durable));
    GH_TRY(known, read_meta(*db_, "repo_id"));
    if (known && *known != id)
      return fail(Code::conflict,
                  fmt::format("ledger {} belongs to repository {}", db_->name(), *known));
    if (known) return {};
    GH_DO(write_meta(*db_, "repo_id", id));
    GH_DO(adopt_intents(*db_, id));
    return transaction.commit();
  }

  LedgerFacts facts() const override {
    return {std::string(db_->backend()), db_->name(), version_, found_version_};
  }

  Result<std::vector<std::string>> check() override { return defects(*db_); }

  Result<Backup> back_up(const std::string& file) override {
    if (sys::info(file).kind != sys::FileKind::missing)
      return fail(Code::bad_argument, fmt::format("{} is there already", file));
    const Status copied = db_->copy_to(file);
    auto found = copied ? read_backup(file) : tl::make_unexpected(copied.error());
    if (!found)
      for (const char* part : {"", "-journal", "-wal", "-shm"})
        (void)sys::remove_file(file + part);
    if (found) GH_DO(sys::sync_folder(folder_of(file)));
    return found;
  }

  Result<std::int64_t> drop_payloads(Timestamp before, AuditEvent event) override {
    GH_TRY(transaction, Transaction::begin(*db_, Durability::durable));
    const std::string time = to_string(before);
    GH_TRY(query, db_->query(kDropPayloads));
    GH_DO(query.bind(time).run());
    const std::int64_t dropped = db_->changes();
    if (dropped == 0) return 0;
    event.payload = Map{{"payloads", dropped}, {"before", time}};
    GH_DO(append_links(*db_, {event}));
    GH_DO(transaction.commit());
    return dropped;
  }

  Status compact() override { return db_->compact(); }

 private:
  Result<std::int64_t> record(SqlIntentView& view, const Head& head, const IntentChange& change,
                              Transaction& transaction) {
    GH_TRY(seq, append_links(*db_, head, change.events));
    GH_DO(write_intents(*db_, view, change));
    for (const Document& document : change.documents)
      GH_DO(write_document(*db_, document, seq, false));
    for (const Blob& blob : change.blobs)
      GH_DO(write_blob(*db_, blob));
    GH_DO(transaction.commit());
    return seq;
  }

  /// Asked again, because somebody else may bring the ledger forward while we only read it.
  Result<bool> knows(std::int64_t wanted) {
    if (version_ < wanted) {
      GH_TRY(version, known_version(*db_));
      version_ = version;
    }
    return version_ >= wanted;
  }

  std::unique_ptr<Connection> db_;
  std::int64_t found_version_, version_;
};

Result<std::unique_ptr<Ledger>> open(std::unique_ptr<Connection> db) {
  GH_TRY(found, migrate(*db));
  return std::make_unique<SqlLedger>(std::move(db), found, newest_schema_version());
}

Result<std::unique_ptr<Ledger>> open_to_read(std::unique_ptr<Connection> db) {
  GH_TRY(version, known_version(*db));
  if (version == 0) return std::unique_ptr<Ledger>();
  return std::make_unique<SqlLedger>(std::move(db), version, version);
}

}  // namespace

Result<std::unique_ptr<Ledger>> Ledger::open_sqlite(const std::string& path,
                                                    std::int64_t busy_timeout_ms) {
  GH_TRY(db, connect_sqlite(path, busy_timeout_ms));
  return open(std::move(db));
}

Result<std::unique_ptr<Ledger>> Ledger::open_postgres(const std::string& url,
                                                      std::string_view repo_id,
                                                      std::int64_t busy_timeout_ms) {
  GH_TRY(db, connect_postgres(url, repo_id, busy_timeout_ms));
  GH_TRY(ledger, open(std::move(db)));
  // The schema is named by a part of the id only.
  GH_TRY(known, ledger->repo_id());
  if (known != repo_id) GH_DO(ledger->set_repo_id(repo_id));
  return std::move(ledger);
}

Result<std::unique_ptr<Ledger>> Ledger::open_sqlite_to_read(const std::string& path) {
  if (sys::info(path).kind == sys::FileKind::missing) return std::unique_ptr<Ledger>();
  GH_TRY(db, connect_sqlite(path, kReaderWaitMs, Access::read));
  return open_to_read(std::move(db));
}

Result<std::unique_ptr<Ledger>> Ledger::open_postgres_to_read(const std::string& url,
                                                              std::string_view repo_id) {
  GH_TRY(db, connect_postgres(url, repo_id, kReaderWaitMs, Access::read));
  GH_TRY(ledger, open_to_read(std::move(db)));
  if (ledger == nullptr) return std::move(ledger);
  GH_TRY(known, ledger->repo_id());
  if (known == repo_id) return std::move(ledger);
  return fail(Code::conflict,
              fmt::format("ledger {} belongs to repository {}", ledger->facts().name, known));
}

}  // namespace gh::store
