#pragma once
// Starts that were blocked. They own nothing, so the registry has no record of them: only the audit
// chain and whoever asked know their id. The session that asked may go on to use it, and is told
// that the intent is not active.
#include <string>

#include "ops/change_registry.h"

namespace gh::ops {

/// An intent as a command of its session names it.
struct NamedIntent {
  Intent intent{};
  bool is_blocked = false;

  /// Its start was blocked, or it was promoted into files that are not clean.
  bool may_not_edit() const;
  /// As it counts for what may be done with it: blocked, or the status of its record.
  std::string status() const;
  /// Neither queued nor blocked.
  bool is_active() const;
};

/// One of the registry, as own_intent finds it, else a start of this session that was blocked and
/// neither given up nor followed by another one of that id since.
Result<NamedIntent> named_intent(ChangeSession&, const Workspace&, const std::string& id);

/// no_active_intent with what became of the last intent of this session, or ownership_lost when
/// somebody else recovered it; any other error as it is.
Error why_none_is_held(ChangeSession&, const Workspace&, Error);

}  // namespace gh::ops
