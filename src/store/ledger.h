#pragma once
// store: the ledger (interfaces 0.7). A state change and its audit row are one transaction; the
// audit chain is append-only and hash-chained. SQLite, WAL, synchronous=FULL.
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
  Value payload;  // already redacted
};

struct AuditRow {
  std::int64_t seq = 0;
  AuditEvent event;
  std::string payload_sha256, prev_hash, hash;
};

struct PatchRunRow {
  std::string run_id, actor, base_commit, state, folder;  // folder: absolute path of its evidence
  bool frozen = false;
  std::int64_t rev = 0;
  Value body;  // attempts and the rest of the run state, canonical JSON
};

enum class Durability : std::uint8_t { durable, soft };

class Ledger {
 public:
  /// Creates the file and schema when missing; ledger_too_new for a schema of a later version.
  static Result<std::unique_ptr<Ledger>> open_sqlite(const std::string& path,
                                                     std::int64_t busy_timeout_ms);
  virtual ~Ledger() = default;

  virtual Status append(const AuditEvent&, Durability) = 0;
  virtual Result<std::optional<PatchRunRow>> patch_run(std::string_view run_id) = 0;
  /// The actor's open rejected run on that base, newest first: a new run cannot reset the attempts.
  virtual Result<std::optional<PatchRunRow>> open_rejected_run(std::string_view actor,
                                                               std::string_view base_commit) = 0;
  /// Inserts (rev 0) or updates (rev compared and incremented) the row with its event, durably.
  virtual Status put_patch_run(const PatchRunRow&, const AuditEvent&) = 0;
  /// Content-addressed document (receipts): digest of its canonical JSON without meta and
  /// signature.
  virtual Status put_document(std::string_view digest, std::string_view kind, const Value& body,
                              const AuditEvent&) = 0;
  virtual Result<std::optional<Value>> document(std::string_view digest) = 0;
  virtual Result<std::vector<AuditRow>> audit_rows(std::int64_t from_seq, std::int64_t limit) = 0;
  /// 0 when the whole chain holds, else the first broken seq.
  virtual Result<std::int64_t> first_broken_link() = 0;
};

}  // namespace gh::store
