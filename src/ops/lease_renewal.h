#pragma once
// What keeps a lease alive without being asked to (change control reference, "Leases"): calls of a
// session renew what it holds, and a long one does so again and again while it lasts.
#include <string_view>

#include "git/repo.h"
#include "ops/operation.h"

namespace gh::ops {

/// Renews what the session of the request holds in the repository; on one run alone, where it is
/// named. Whatever keeps it from that is no failure of the call. Makes no ledger.
void renew_held(const Request&, Context&, git::Repo*, std::string_view run_id = {});

/// Runs the operation. If it belongs to a session and writes, what that session holds is renewed
/// meanwhile, each time a third of the lease went by.
Result<Reply> run_with_heartbeat(const Request&, Context&);

/// The session that the environment names is over, and nobody can speak for it again: what it holds
/// in the repository around the folder may be recovered at once. Whatever keeps it from that is no
/// failure: then its leases run out. Makes no ledger.
void release_held(Context&);

}  // namespace gh::ops
