#pragma once
// The audit chain as pure functions over the stored columns: what a row hashes to, and where a
// chain breaks. Every back end and `audit verify` use these and nothing else.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/ledger.h"

namespace gh::store {

inline constexpr std::string_view kFirstPrevHash =
    "0000000000000000000000000000000000000000000000000000000000000000";

/// One row as it lies in the table; actor, subject and payload are canonical JSON text.
struct AuditColumns {
  std::int64_t seq = 0;
  std::string ts, event, severity, actor, surface, subject;
  std::optional<std::string> payload;
  std::string payload_sha256, prev_hash, hash;
};

/// The columns of `event` as link number `seq` behind `prev_hash`.
AuditColumns make_link(const AuditEvent& event, std::int64_t seq, std::string_view prev_hash);

/// Whether the row is exactly what make_link once wrote at this place of the chain. The payload of
/// an info row may be gone; its digest stays. `good_actor` may hold the actor of a row that held:
/// most rows have the same one as the row before.
bool link_holds(const AuditColumns& row, std::int64_t seq, std::string_view prev_hash,
                std::string_view good_actor = {});

/// json_invalid when a column is not what the chain writes.
Result<AuditRow> to_audit_row(const AuditColumns&);

}  // namespace gh::store
