#include "store/sql_leases.h"

#include <fmt/format.h>

namespace gh::store {
namespace {

/// The row as it is, also of a lease that was released (its owner is empty).
Result<std::optional<Lease>> read_row(Connection& db, std::string_view name) {
  GH_TRY(query, db.query("SELECT name, owner, token, expires_ms FROM leases WHERE name = ?"));
  GH_TRY(found, query.bind(name).step());
  if (!found) return std::nullopt;
  return Lease{query.text(0), query.text(1), query.number(2), query.number(3)};
}

Status write_row(Connection& db, const Lease& lease) {
  GH_TRY(query, db.query("INSERT INTO leases(name, owner, token, expires_ms) VALUES(?,?,?,?) "
                         "ON CONFLICT(name) DO UPDATE SET owner = excluded.owner, "
                         "token = excluded.token, expires_ms = excluded.expires_ms"));
  return query.bind_all(lease.name, lease.owner, lease.token, lease.expires_ms).run();
}

bool is_held(const std::optional<Lease>& row, const Lease& lease) {
  return row && row->token == lease.token && row->owner == lease.owner && !row->owner.empty();
}

}  // namespace

Result<std::optional<Lease>> acquire(Connection& db, std::string_view name, std::string_view owner,
                                     std::int64_t now_ms, std::int64_t ttl_ms) {
  GH_ASSERT(!owner.empty());
  // Durable: a token that was lost with the power would be given out twice.
  GH_TRY(transaction, Transaction::begin(db, Durability::durable));
  GH_TRY(row, read_row(db, name));
  const bool busy = row && !row->owner.empty() && row->owner != owner && row->expires_ms > now_ms;
  if (busy) return std::nullopt;
  // Also for the same owner: of two processes under one name the later one has the lease.
  Lease lease{std::string(name), std::string(owner), (row ? row->token : 0) + 1, now_ms + ttl_ms};
  GH_DO(write_row(db, lease));
  GH_DO(transaction.commit());
  return lease;
}

Result<std::optional<Lease>> renew(Connection& db, const Lease& lease, std::int64_t now_ms,
                                   std::int64_t ttl_ms) {
  GH_TRY(transaction, Transaction::begin(db, Durability::soft));
  GH_TRY(row, read_row(db, lease.name));
  // Expired but not taken: nobody acted in between, so it may go on.
  if (!is_held(row, lease)) return std::nullopt;
  row->expires_ms = now_ms + ttl_ms;
  GH_DO(write_row(db, *row));
  GH_DO(transaction.commit());
  return row;
}

Status release(Connection& db, const Lease& lease) {
  GH_TRY(transaction, Transaction::begin(db, Durability::soft));
  GH_TRY(row, read_row(db, lease.name));
  if (!is_held(row, lease)) return {};
  row->owner.clear();
  GH_DO(write_row(db, *row));
  return transaction.commit();
}

Result<std::optional<Lease>> holder(Connection& db, std::string_view name) {
  GH_TRY(row, read_row(db, name));
  if (row && row->owner.empty()) return std::nullopt;
  return row;
}

Status check_fence(Connection& db, const Lease& lease) {
  GH_TRY(row, read_row(db, lease.name));
  if (is_held(row, lease)) return {};
  return fail(Code::conflict,
              fmt::format("lease {} with token {} is no longer held{}", lease.name, lease.token,
                          row ? fmt::format("; the token is {} now", row->token) : ""));
}

}  // namespace gh::store
