#pragma once
// store: the ledger (interfaces 0.7). A state change and its audit row are one transaction; the
// audit chain is append-only and hash-chained. Nothing that was acknowledged as durable is lost.
// SQL lives behind this interface and nowhere else.
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "model/value.h"

namespace gh::store {

struct AuditEvent {
  Timestamp ts;
  std::string event, severity = "info";  // <area>.<verb>; info, warn, error
  Value actor;                           // {name, kind, via}
  std::string surface = "cli";
  Map subject;
  Value payload;  // already redacted; null is stored as {}
};

struct AuditRow {
  std::int64_t seq = 0;
  AuditEvent event;  // payload is null when it was dropped after its retention time
  std::string payload_sha256, prev_hash, hash;
};

struct PatchRunRow {
  std::string run_id, actor, base_commit, state, folder;  // folder: absolute path of its evidence
  bool frozen = false;
  std::int64_t rev = 0;  // as last read; 0: a new row
  List attempts;
  Value body;  // the rest of the run state
};

/// Content-addressed document (receipts). A member `meta.audit_seq` of the body is set to the seq
/// of the last event it is stored with, which is why a digest leaves `meta` out.
struct Document {
  std::string digest, kind;
  Value body;
};

/// Bytes kept under their own SHA-256 (submitted diffs, canonical patches, reports).
struct Blob {
  std::string sha256, bytes;
};

// --- proposals (docs/formats/ledger.md); their words are the proposal module's business ---

struct ProposalRow {
  std::string patch_id;
  std::int64_t revision = 1;
  std::string digest, canonical_sha256, diff_sha256, author_agent, actor;
  std::string trust_level, promotion_status, sub_state;
  std::string base_commit, candidate_tree, target_ref, source_gap;
  bool docs_only = false;
  std::int64_t added = 0, deleted = 0, files_n = 0;
  std::string created_utc, received_utc, updated_utc;
  Value body;            // metadata with its current statuses, digests of the kept bytes
  std::int64_t rev = 0;  // as last read; 0: a new row
};

struct ProposalFile {
  std::string path, op, old_mode, new_mode, old_blob, new_blob;
};

struct ReviewRow {
  std::string patch_id, reviewer, actor, digest, verdict;
  Value reasons;
  bool stale = false;
  std::string created_utc, sha256;  // of the review document, kept in `documents`
};

struct AdmissionRow {
  std::string id;  // digest of the admission document
  std::string patch_id, phase, decision;
  Value checks;
  std::string created_utc;
};

struct ConflictRow {
  std::string a, b, kind;  // a < b
  Value paths;
  std::string computed_at_head;
};

struct PromotionRow {
  std::string patch_id, commit_id, branch, target_ref, old_head, new_head, promoter;
  std::string rollback_commit, created_utc;
};

struct ProposalFilter {
  std::string status{}, sub_state{}, author{}, file{}, target_ref{}, canonical_sha256{};
  std::string after{};  // patch_id; the page behind it
  std::int64_t limit = 50;
};

// --- analysis runs: one row per place that was analysed and inputs that were found there ---

struct AnalysisRunRow {
  std::string root, run_id;            // key; what was analysed, and the id of the run
  std::string source, revision, tree;  // work_tree, index, revision; of a revision as it was named
  std::string inputs_sha256, report_digest, settings_sha256;
  std::string report_sha256;  // of the report's canonical JSON, kept as a blob; empty: dropped
  Value summary;
  std::string extract_sha256{};           // of what declared changes read of it; empty: nothing
  std::string created_utc{}, seen_utc{};  // when it was stored first, and when it was met last
};

struct AnalysisRunFilter {
  std::string root{};    // empty: of every place
  std::string prefix{};  // of the id, hex digits
  std::int64_t limit = 50;
};

/// What is kept of old runs, per place that was analysed.
struct RunRetention {
  Timestamp before{};             // reports of runs that were met last before that may go,
  std::int64_t reports_kept = 1;  // but never those of the latest ones
  std::int64_t rows_kept = 1;     // the numbers of a run stay longer than its report
};
struct DroppedRuns {
  std::int64_t reports = 0, rows = 0;
  bool operator==(const DroppedRuns&) const = default;
};

// --- leases: one holder at a time, and a token that only ever grows ---

/// `token` is the fencing token: whoever presents an older one has lost the lease, whatever its
/// clock says.
struct Lease {
  std::string name, owner;
  std::int64_t token = 0, expires_ms = 0;  // milliseconds since the epoch, by the caller's clock
};

/// durable: on disk before the call returns. soft: may be lost with the power, never torn.
enum class Durability : std::uint8_t { durable, soft };

// --- intents: the registry of declared changes. What a record means is its readers' business ---

/// The record of an intent. It is kept as text and read when somebody asks for its value: whoever
/// looks through a thousand of them need not pay for each.
class IntentPayload {
 public:
  IntentPayload() : IntentPayload(Value()) {}
  template <class T>
  requires(!std::same_as<std::remove_cvref_t<T>, IntentPayload> && std::convertible_to<T, Value>)
      // It hides neither copy nor move: the check does not read what is required.
      // NOLINTNEXTLINE(google-explicit-constructor,bugprone-forwarding-reference-overload)
      IntentPayload(T&& value)
      : value_(std::forward<T>(value)) {}
  static IntentPayload of_text(std::string text);

  std::string text() const;  // as stored, or canonical JSON of the value
  std::string_view stored_text() const { return text_; }  // empty: made from a value
  const Value& value() const;                             // null: the text cannot be read
  Value take() && {                                       // to change it without a copy
    (void)value();
    return std::move(*value_);
  }
  operator const Value&() const { return value(); }  // NOLINT(google-explicit-constructor)

 private:
  std::string text_;                    // empty: made from a value
  mutable std::optional<Value> value_;  // once it was asked for
};

/// One of the texts that a record is found by; its readers know the kinds. Any bytes.
struct IntentKey {
  std::int64_t kind = 0;
  std::string key;
  auto operator<=>(const IntentKey&) const = default;
};

/// What others need of an open record without reading it: a short text, and the keys it is found
/// by. Both follow from the record alone; where they are missing the record is read instead.
struct IntentExtract {
  std::string head{};  // not empty; any bytes
  /// nullopt: those that were written before stay; a record that has no extract gets none.
  std::optional<std::vector<IntentKey>> keys{};
};

struct IntentRow {
  std::string intent_id;
  std::int64_t agent_pid = 0, agent_start_epoch = 0;
  std::string declared_at_utc;
  IntentPayload payload;
  std::int64_t fence = 0;       // a write with a lower one than stored is ownership_lost
  std::int64_t rev = 0;         // as last read; 0: a new row
  std::string closed_at_utc{};  // empty: open
  /// Only written, never read; without one the record has none from then on.
  std::optional<IntentExtract> extract{};
};

/// Rows, audit rows, documents and bytes together or nothing. Without events it holds nothing at
/// all: no record changes without its audit row.
struct IntentChange {
  /// rev 0 is a new record, conflict when one with that id is open; a closed one makes room. Any
  /// other rev is compared and counted up.
  std::vector<IntentRow> put{};
  std::vector<std::string> remove{};  // ids; one that is not there is no error
  /// Of open records that lack theirs and stay as they are.
  std::vector<std::pair<std::string, IntentExtract>> extracts{};
  std::vector<AuditEvent> events{};
  std::vector<Document> documents{};
  std::vector<Blob> blobs{};
};

struct IntentHead {
  std::string intent_id, head;  // head empty: the record has no extract
};

/// Open records by their extracts: a thousand cost what a handful does, as long as few are meant.
class IntentIndex {
 public:
  virtual ~IntentIndex() = default;
  /// In record order: declared_at_utc, agent_pid, intent_id. A row whose text is damaged is among
  /// them; the value of its payload is null.
  virtual Result<std::vector<IntentRow>> open() = 0;
  /// Of every open record, in no order.
  virtual Result<std::vector<IntentHead>> heads() = 0;
  /// Ids of records that have one of these keys; each at least once, in no order. A record that is
  /// closed or was edited by hand may be among them.
  virtual Result<std::vector<std::string>> with_keys(std::int64_t kind,
                                                     std::span<const std::string> keys) = 0;
  /// Keys k with from <= k < to, each once, in the order of bytes.
  virtual Result<std::vector<std::string>> keys(std::int64_t kind, std::string_view from,
                                                std::string_view to) = 0;
  /// Open records without an extract: they may have any key.
  virtual Result<std::vector<std::string>> without_extract() = 0;
  virtual Result<std::optional<IntentRow>> find(std::string_view intent_id) = 0;  // closed ones too
};

/// The caller's clock. Whoever waits for the lock may wait for seconds, and clocks are set back: a
/// time from before would tell that a lease is over which was renewed since.
using Clock = std::function<Timestamp()>;
inline Clock standing_at(Timestamp time) {
  return [time] { return time; };
}

/// The registry as it is inside the transaction that decides: nobody writes until it ends.
class IntentView : public IntentIndex {
 public:
  /// One time for the whole decision, asked once nobody else can write: the server's where there is
  /// one, else the caller's.
  virtual Result<Timestamp> now() = 0;
  /// Event number n of the change, counted from 1, will have the seq last_seq + n.
  virtual std::int64_t last_seq() const = 0;
  /// Ids of records that were closed before that time, the oldest first.
  virtual Result<std::vector<std::string>> closed_before(Timestamp) = 0;
  /// Larger than any that was given out before, also by a process that was killed since. Only in
  /// a durable change: one that is lost with the power would be given out twice.
  virtual Result<std::int64_t> next_fence() = 0;
};

using DecideIntents = std::function<Result<IntentChange>(IntentView&)>;

/// All of it happens, or nothing.
struct Change {
  std::vector<AuditEvent> events;  // at least one
  std::optional<PatchRunRow> run{};
  std::optional<Document> document{};
  bool once = false;  // conflict when the document is there already
  std::vector<Document> more_documents{};
  std::vector<Blob> blobs{};
  std::optional<ProposalRow> proposal{};
  std::optional<std::vector<ProposalFile>> proposal_files{};  // replaces those of `proposal`
  std::vector<ProposalRow> more_proposals{};                  // superseded ones, rev compared too
  std::vector<ReviewRow> reviews{};
  std::string stale_reviews_of{};  // marks all reviews of that patch_id stale first
  std::optional<AdmissionRow> admission{};
  std::optional<PromotionRow> promotion{};  // one row per patch_id; replaces an earlier one
  std::optional<std::pair<std::string, std::vector<ConflictRow>>> conflicts_of{};  // replaces
  std::optional<AnalysisRunRow> analysis_run{};  // known already: it is the latest one again
  std::vector<std::string> run_parts{};          // of its extract, by number; none: as they are
  std::optional<Lease> fence{};  // conflict when that lease is no longer held with this token
};

/// What a ledger is, for people and for `db migrate`.
struct LedgerFacts {
  std::string backend, name;  // sqlite, postgres; a path or an address without its password
  std::int64_t schema_version = 0;
  std::int64_t found_version = 0;  // when it was opened; 0: it was made then
};

/// What a copy was found to hold when it was read again.
struct Backup {
  std::int64_t rows = 0, first_broken_seq = 0;
};

/// Fails with ledger_unavailable and its cause (disk full, read-only, locked, damaged, server
/// away), or with conflict when somebody else changed the row first.
class Ledger {
 public:
  /// Creates the file and schema when missing; ledger_too_new for a schema of a later version.
  static Result<std::unique_ptr<Ledger>> open_sqlite(const std::string& path,
                                                     std::int64_t busy_timeout_ms);
  /// Many repositories share one database: each has a schema of its own, named from its id.
  static Result<std::unique_ptr<Ledger>> open_postgres(const std::string& url,
                                                       std::string_view repo_id,
                                                       std::int64_t busy_timeout_ms);
  /// Ledgers for readers that must not disturb: nothing is made, migrated or written, and a lock is
  /// waited for at most kReaderWaitMs. nullptr: there is no ledger yet. One of an older version
  /// is read as it is; it has no intents when it does not know them.
  static constexpr std::int64_t kReaderWaitMs = 250;
  static Result<std::unique_ptr<Ledger>> open_sqlite_to_read(const std::string& path);
  static Result<std::unique_ptr<Ledger>> open_postgres_to_read(const std::string& url,
                                                               std::string_view repo_id);
  virtual ~Ledger() = default;

  /// Returns the seq of the last event. The row's rev is compared and incremented; a document that
  /// is there already stays as it is.
  virtual Result<std::int64_t> commit(const Change&, Durability) = 0;

  virtual Result<std::optional<PatchRunRow>> patch_run(std::string_view run_id) = 0;
  /// The actor's latest run on that base that was refused and has not landed, blocked and frozen
  /// ones included: a new run cannot reset the attempts.
  virtual Result<std::optional<PatchRunRow>> open_rejected_run(std::string_view actor,
                                                               std::string_view base_commit) = 0;
  virtual Result<std::optional<Value>> document(std::string_view digest) = 0;
  virtual Result<std::vector<AuditRow>> audit_rows(std::int64_t from_seq, std::int64_t limit) = 0;
  virtual Result<std::int64_t> last_seq() = 0;  // 0: no rows
  /// 0 when the whole chain holds, else the first broken seq.
  virtual Result<std::int64_t> first_broken_link() = 0;

  virtual Result<std::optional<std::string>> blob(std::string_view sha256) = 0;

  virtual Result<std::optional<ProposalRow>> proposal(std::string_view patch_id) = 0;
  /// In order of patch_id; at most `limit`.
  virtual Result<std::vector<ProposalRow>> proposals(const ProposalFilter&) = 0;
  virtual Result<std::int64_t> count_proposals(const ProposalFilter&) = 0;
  virtual Result<std::vector<ProposalFile>> proposal_files(std::string_view patch_id) = 0;
  /// In order of writing.
  virtual Result<std::vector<ReviewRow>> reviews(std::string_view patch_id) = 0;
  virtual Result<std::vector<AdmissionRow>> admissions(std::string_view patch_id) = 0;
  virtual Result<std::optional<PromotionRow>> promotion(std::string_view patch_id) = 0;
  /// Of one proposal, or all of them.
  virtual Result<std::vector<ConflictRow>> conflicts(std::string_view patch_id) = 0;
  /// Audit rows whose subject names this proposal, oldest first.
  virtual Result<std::vector<AuditRow>> audit_of_proposal(std::string_view patch_id) = 0;
  /// Audit rows of one event, by the chain itself and not by an index beside it, oldest first.
  virtual Result<std::vector<AuditRow>> audit_of_event(std::string_view event) = 0;

  /// The latest first.
  virtual Result<std::vector<AnalysisRunRow>> analysis_runs(const AnalysisRunFilter&) = 0;
  /// A part of the run's extract; nullopt when it is not there. Who reads knows its digest.
  virtual Result<std::optional<std::string>> run_part(const AnalysisRunRow&, std::int64_t part) = 0;

  /// Drops old reports and rows, with `event` as their record when there were any. A blob that
  /// anything else names stays.
  virtual Result<DroppedRuns> drop_analysis_runs(const RunRetention&, AuditEvent event) = 0;

  /// Reads, decides and writes as one transaction that no other writer of the repository gets
  /// between; `decide` is called once. Returns the seq of the last event, 0 when the change was
  /// empty and nothing was written. An error of `decide` is returned as it is, and nothing was
  /// written. registry_busy: another process held the lock for too long; registry_write_failed:
  /// with the cause; conflict, ownership_lost: see IntentRow and IntentChange.
  virtual Result<std::int64_t> change_intents(const Clock& ours, Durability,
                                              const DecideIntents& decide) = 0;
  /// In record order, as IntentIndex::open.
  virtual Result<std::vector<IntentRow>> open_intents() = 0;
  /// Those that were closed last come first.
  virtual Result<std::vector<IntentRow>> closed_intents(std::int64_t limit) = 0;
  virtual Result<std::optional<IntentRow>> intent(std::string_view intent_id) = 0;
  /// nullptr: the ledger is of a version that has none, and was opened to read.
  virtual Result<std::unique_ptr<IntentIndex>> intent_index() = 0;  // must not outlive the ledger
  /// Server time where there is a server, else `ours`.
  virtual Result<Timestamp> now(Timestamp ours) = 0;

  /// nullopt: somebody else holds it at `now_ms`. An expired lease is taken over with a new token.
  virtual Result<std::optional<Lease>> acquire_lease(std::string_view name, std::string_view owner,
                                                     std::int64_t now_ms, std::int64_t ttl_ms) = 0;
  /// nullopt: it was lost.
  virtual Result<std::optional<Lease>> renew_lease(const Lease&, std::int64_t now_ms,
                                                   std::int64_t ttl_ms) = 0;
  virtual Status release_lease(const Lease&) = 0;  // losing it before is no error
  virtual Result<std::optional<Lease>> lease(std::string_view name) = 0;

  /// Id of the repository this ledger belongs to; empty until it was told.
  virtual Result<std::string> repo_id() = 0;
  virtual Status set_repo_id(std::string_view) = 0;  // conflict when it is another one already

  virtual LedgerFacts facts() const = 0;
  /// Defects besides the chain: what the database finds itself, records that cannot be read, bytes
  /// that are not those of their digest, an index that leaves out audit rows.
  virtual Result<std::vector<std::string>> check() = 0;
  /// A copy of all tables as an SQLite ledger in one file, which must not be there yet.
  virtual Result<Backup> back_up(const std::string& file) = 0;
  /// Drops the payloads of info rows from before that time, with `event` as their record when there
  /// were any; returns how many. The hashes do not need them. Those of proposals stay: they bind
  /// records that are checked for ever.
  virtual Result<std::int64_t> drop_payloads(Timestamp before, AuditEvent event) = 0;
  virtual Status compact() = 0;

  Status append(const AuditEvent& event, Durability durability) {
    return commit({{event}}, durability).map([](std::int64_t) {});
  }
  Status put_patch_run(const PatchRunRow& run, const AuditEvent& event) {
    return commit({{event}, run}, Durability::durable).map([](std::int64_t) {});
  }
  Status put_document(std::string_view digest, std::string_view kind, const Value& body,
                      const AuditEvent& event) {
    return commit({{event}, std::nullopt, Document{std::string(digest), std::string(kind), body}},
                  Durability::durable)
        .map([](std::int64_t) {});
  }
};

}  // namespace gh::store
