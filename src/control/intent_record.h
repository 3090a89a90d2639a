#pragma once
// The record of a declared change as the registry keeps it (change-control 4.1), its digests and
// its id. Reading is suspicious: a record that breaks one rule is corrupted as a whole.
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/intent.h"

namespace gh::control {

/// Version "2", or "3" as soon as a member beyond it is there.
Value to_record(const Intent&);

/// json_invalid, with the member and what is wrong with it: the record is corrupted. `text` is what
/// the record was read from, where that is known: it need not be made again for its digest.
Result<Intent> from_record(const Value&, std::string_view text = {});

/// The canonical text of a record of which only the lease changed since it was `text`. Empty: it
/// has to be made by to_record.
std::string with_lease(std::string_view text, const Intent& renewed);

Value scope_value(const Scope&);
std::string scope_digest(const Scope&);  // 64 hex digits

Value snapshot_value(const DirtySnapshot&);
Value owner_value(const Owner&);

/// Compares every byte whatever the first ones say.
bool equal_in_constant_time(std::string_view, std::string_view);

/// What distinguishes one holder from another; the last part of an intent id comes from it.
std::string owner_identity(std::int64_t agent_pid, std::int64_t agent_start_epoch,
                           const Owner* owner);

/// `intent-<run8>-<seq3>-<owner6>`; `sequence` begins with 1 in each session.
std::string compose_intent_id(std::string_view run_id, std::int64_t sequence,
                              std::string_view owner_identity);
bool is_safe_intent_id(std::string_view);

/// Trimmed, and cut to what a record holds (4,000 characters).
std::string stored_description(std::string_view);

}  // namespace gh::control
