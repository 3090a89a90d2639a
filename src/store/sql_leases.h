#pragma once
// Leases: one holder at a time by the clock that is handed in, and fencing tokens that only grow.
// A released lease keeps its row, so that its token is never given out again.
#include <optional>
#include <string_view>

#include "store/sql.h"

namespace gh::store {

Result<std::optional<Lease>> acquire(Connection&, std::string_view name, std::string_view owner,
                                     std::int64_t now_ms, std::int64_t ttl_ms);
Result<std::optional<Lease>> renew(Connection&, const Lease&, std::int64_t now_ms,
                                   std::int64_t ttl_ms);
Status release(Connection&, const Lease&);
Result<std::optional<Lease>> holder(Connection&, std::string_view name);

/// Inside a transaction: conflict unless the lease is still held with this token. The clock has no
/// say here: a late holder that nobody replaced still has the lease.
Status check_fence(Connection&, const Lease&);

}  // namespace gh::store
