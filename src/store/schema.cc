#include "store/schema.h"

#include <array>
#include <charconv>

#include <fmt/format.h>

namespace gh::store {
namespace {

// Migration n brings a ledger of version n to version n + 1. Forward only: a row that was released
// is never edited.
constexpr std::array<const char*, 5> kMigrations{
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

    // Indexes end in patch_id, because every list is in that order.
    R"(CREATE TABLE audit_proposals(
         patch_id TEXT NOT NULL, seq INTEGER NOT NULL,
         PRIMARY KEY(patch_id, seq)) STRICT, WITHOUT ROWID;
       CREATE TABLE blobs(sha256 TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
       CREATE TABLE proposals(
         patch_id TEXT PRIMARY KEY, revision INTEGER NOT NULL, digest TEXT NOT NULL UNIQUE,
         canonical_sha256 TEXT NOT NULL, diff_sha256 TEXT NOT NULL, author_agent TEXT NOT NULL,
         actor TEXT NOT NULL, trust_level TEXT NOT NULL, promotion_status TEXT NOT NULL,
         sub_state TEXT NOT NULL, base_commit TEXT NOT NULL, candidate_tree TEXT NOT NULL,
         target_ref TEXT NOT NULL, source_gap TEXT NOT NULL, docs_only INTEGER NOT NULL,
         added INTEGER NOT NULL, deleted INTEGER NOT NULL, files_n INTEGER NOT NULL,
         created_utc TEXT NOT NULL, received_utc TEXT NOT NULL, updated_utc TEXT NOT NULL,
         body TEXT NOT NULL, audit_seq INTEGER NOT NULL, rev INTEGER NOT NULL) STRICT;
       CREATE TABLE proposal_counts(
         promotion_status TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;
       CREATE INDEX proposals_by_status ON proposals(promotion_status, patch_id);
       CREATE INDEX proposals_by_sub_state ON proposals(sub_state, patch_id);
       CREATE INDEX proposals_by_author ON proposals(author_agent, patch_id);
       CREATE INDEX proposals_by_target ON proposals(target_ref, patch_id);
       CREATE INDEX proposals_by_canonical ON proposals(canonical_sha256, patch_id);
       CREATE TABLE proposal_files(
         patch_id TEXT NOT NULL, n INTEGER NOT NULL, path BLOB NOT NULL, op TEXT NOT NULL,
         old_mode TEXT NOT NULL, new_mode TEXT NOT NULL, old_blob TEXT NOT NULL,
         new_blob TEXT NOT NULL, PRIMARY KEY(patch_id, n)) STRICT, WITHOUT ROWID;
       CREATE INDEX proposal_files_by_path ON proposal_files(path, patch_id);
       CREATE TABLE reviews(
         patch_id TEXT NOT NULL, audit_seq INTEGER NOT NULL, n INTEGER NOT NULL,
         reviewer TEXT NOT NULL, actor TEXT NOT NULL, digest TEXT NOT NULL, verdict TEXT NOT NULL,
         reasons_json TEXT NOT NULL, stale INTEGER NOT NULL, created_utc TEXT NOT NULL,
         sha256 TEXT NOT NULL, PRIMARY KEY(patch_id, audit_seq, n),
         UNIQUE(patch_id, reviewer, digest, created_utc)) STRICT, WITHOUT ROWID;
       CREATE TABLE admissions(
         id TEXT PRIMARY KEY, patch_id TEXT NOT NULL, audit_seq INTEGER NOT NULL,
         phase TEXT NOT NULL, decision TEXT NOT NULL, checks_json TEXT NOT NULL,
         created_utc TEXT NOT NULL) STRICT;
       CREATE INDEX admissions_by_proposal ON admissions(patch_id, audit_seq);
       CREATE TABLE conflicts(
         a TEXT NOT NULL, b TEXT NOT NULL, kind TEXT NOT NULL, paths_json TEXT NOT NULL,
         computed_at_head TEXT NOT NULL, PRIMARY KEY(a, b, kind)) STRICT, WITHOUT ROWID;
       CREATE INDEX conflicts_by_b ON conflicts(b, a, kind);
       CREATE TABLE promotions(
         patch_id TEXT PRIMARY KEY, commit_id TEXT NOT NULL, branch TEXT NOT NULL,
         target_ref TEXT NOT NULL, old_head TEXT NOT NULL, new_head TEXT NOT NULL,
         promoter TEXT NOT NULL, rollback_commit TEXT NOT NULL,
         created_utc TEXT NOT NULL) STRICT;
       CREATE TABLE leases(
         name TEXT PRIMARY KEY, owner TEXT NOT NULL, token INTEGER NOT NULL,
         expires_ms INTEGER NOT NULL) STRICT;)",

    R"(CREATE TABLE analysis_runs(
         root TEXT NOT NULL, run_id TEXT NOT NULL, source TEXT NOT NULL, revision TEXT NOT NULL,
         tree TEXT NOT NULL, inputs_sha256 TEXT NOT NULL, report_digest TEXT NOT NULL,
         settings_sha256 TEXT NOT NULL, report_sha256 TEXT NOT NULL, summary_json TEXT NOT NULL,
         created_utc TEXT NOT NULL, seen_utc TEXT NOT NULL, audit_seq INTEGER NOT NULL,
         PRIMARY KEY(root, run_id)) STRICT, WITHOUT ROWID;
       CREATE INDEX analysis_runs_by_id ON analysis_runs(run_id, root);
       CREATE INDEX analysis_runs_by_time ON analysis_runs(root, audit_seq);)",

    // With an index of the open rows alone: closed ones are kept for weeks, and every decision
    // reads what is open.
    R"(CREATE TABLE intents(
         repo_id TEXT NOT NULL, intent_id TEXT NOT NULL, agent_pid INTEGER NOT NULL,
         agent_start_epoch INTEGER NOT NULL, declared_at_utc TEXT NOT NULL,
         payload_json TEXT NOT NULL, fence INTEGER NOT NULL, rev INTEGER NOT NULL,
         closed_at_utc TEXT, updated_at_utc TEXT NOT NULL,
         PRIMARY KEY(repo_id, intent_id)) STRICT;
       CREATE INDEX intents_by_time ON intents(repo_id, declared_at_utc, agent_pid, intent_id);
       CREATE INDEX intents_by_close ON intents(closed_at_utc);
       CREATE INDEX intents_open ON intents(repo_id, declared_at_utc, agent_pid, intent_id)
         WHERE closed_at_utc IS NULL;
       ALTER TABLE analysis_runs ADD COLUMN extract_sha256 TEXT NOT NULL DEFAULT '';
       CREATE TABLE run_parts(
         root TEXT NOT NULL, run_id TEXT NOT NULL, part INTEGER NOT NULL,
         sha256 TEXT NOT NULL, bytes BLOB NOT NULL,
         PRIMARY KEY(root, run_id, part)) STRICT;)",

    // Of open intents alone. They are filled in as records are written. The index holds all that is
    // asked of the rows beside them, so that no record is touched.
    R"(CREATE INDEX intents_open_ids ON intents(repo_id, closed_at_utc, intent_id)
         WHERE closed_at_utc IS NULL;
       CREATE TABLE intent_heads(
         repo_id TEXT NOT NULL, intent_id TEXT NOT NULL, head BLOB NOT NULL,
         PRIMARY KEY(repo_id, intent_id)) STRICT, WITHOUT ROWID;
       CREATE TABLE intent_keys(
         repo_id TEXT NOT NULL, kind INTEGER NOT NULL, key BLOB NOT NULL, intent_id TEXT NOT NULL,
         PRIMARY KEY(repo_id, kind, key, intent_id)) STRICT, WITHOUT ROWID;
       CREATE INDEX intent_keys_by_intent ON intent_keys(repo_id, intent_id);
       )" GH_EDITED_BY_HAND,
};
constexpr std::int64_t kNewest = static_cast<std::int64_t>(kMigrations.size());

constexpr std::array<std::string_view, 19> kTables{
    "proposal_counts", "meta",      "audit",        "patch_runs",     "documents",
    "audit_proposals", "blobs",     "proposals",    "proposal_files", "reviews",
    "admissions",      "conflicts", "promotions",   "leases",         "analysis_runs",
    "intents",         "run_parts", "intent_heads", "intent_keys",
};

/// 0 without tables. A database with other tables is no ledger of ours.
Result<std::int64_t> schema_version(Connection& db) {
  GH_TRY(found, db.tables());
  if (found.first == 0) return 0;
  if (!found.second) return tl::make_unexpected(damaged(db, "it has tables but no schema version"));
  GH_TRY(text, read_meta(db, "schema_version"));
  const auto version = to_number(text.value_or(""));
  if (!version || *version < 1)
    return tl::make_unexpected(damaged(db, "its schema version cannot be read"));
  return *version;
}

Status check_known(const Connection& db, std::int64_t version) {
  if (version <= kNewest) return {};
  return fail(Code::ledger_too_new,
              fmt::format("ledger {}: schema version {}, this program knows versions up to {}",
                          db.name(), version, kNewest));
}

Status bring_forward(Connection& db) {
  GH_TRY(transaction, Transaction::begin(db, Durability::durable));
  GH_TRY(from, schema_version(db));  // again: another process may have been first
  GH_DO(check_known(db, from));
  if (from == 0) GH_DO(db.prepare_schema());
  for (std::size_t i = static_cast<std::size_t>(from); i < kMigrations.size(); ++i)
    GH_DO(db.define(kMigrations[i]));
  if (from < kNewest) GH_DO(write_meta(db, "schema_version", fmt::to_string(kNewest)));
  return transaction.commit();
}

}  // namespace

Error damaged(const Connection& db, std::string_view what) {
  return Error{Code::ledger_unavailable,
               fmt::format("ledger {}: it is damaged ({})", db.name(), what)};
}

std::optional<std::int64_t> to_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::int64_t newest_schema_version() { return kNewest; }

std::span<const std::string_view> tables() { return kTables; }

Result<std::int64_t> known_version(Connection& db) {
  GH_TRY(version, schema_version(db));
  GH_DO(check_known(db, version));
  return version;
}

Result<std::int64_t> migrate(Connection& db) {
  GH_TRY(version, known_version(db));
  if (version < kNewest) GH_DO(bring_forward(db));
  return version;
}

Result<std::optional<std::string>> read_meta(Connection& db, std::string_view key) {
  GH_TRY(query, db.query("SELECT value FROM meta WHERE key = ?"));
  GH_TRY(found, query.bind(key).step());
  return found ? query.optional_text(0) : std::nullopt;
}

Status write_meta(Connection& db, std::string_view key, std::string_view value) {
  GH_TRY(query, db.query("INSERT INTO meta(key, value) VALUES(?, ?) "
                         "ON CONFLICT(key) DO UPDATE SET value = excluded.value"));
  return query.bind(key).bind(value).run();
}

}  // namespace gh::store
