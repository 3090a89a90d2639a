#pragma once
// Audit events that change no state, on a path where a database would cost more than the work
// itself: one append without a flush. The next opening of the ledger takes them into the chain, in
// order.
#include <string>

#include "base/error.h"
#include "store/ledger.h"
#include "sys/env.h"

namespace gh::store {

/// Appends to <state>/audit.spool.
Status spool_event(const std::string& state, const AuditEvent&);

/// Takes spooled events into the chain, each batch once, whatever is killed and when.
Status drain_spool(Ledger&, const std::string& state, sys::Env&);

}  // namespace gh::store
