#pragma once
// store: the ledger (interfaces 0.7). A state change and its audit row are one transaction; the
// audit chain is append-only and hash-chained. Nothing that was acknowledged as durable is lost.
// SQL lives behind this interface and nowhere else.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

/// durable: on disk before the call returns. soft: may be lost with the power, never torn.
enum class Durability : std::uint8_t { durable, soft };

/// All of it happens, or nothing.
struct Change {
  std::vector<AuditEvent> events;  // at least one
  std::optional<PatchRunRow> run{};
  std::optional<Document> document{};
  bool once = false;  // conflict when the document is there already
};

/// Fails with ledger_unavailable and its cause (disk full, read-only, locked, damaged), or with
/// conflict when somebody else changed the row first.
class Ledger {
 public:
  /// Creates the file and schema when missing; ledger_too_new for a schema of a later version.
  static Result<std::unique_ptr<Ledger>> open_sqlite(const std::string& path,
                                                     std::int64_t busy_timeout_ms);
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
  /// 0 when the whole chain holds, else the first broken seq.
  virtual Result<std::int64_t> first_broken_link() = 0;

  /// Id of the repository this ledger belongs to; empty until it was told.
  virtual Result<std::string> repo_id() = 0;
  virtual Status set_repo_id(std::string_view) = 0;  // conflict when it is another one already

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
