#pragma once
// After a crash: undo the landing that did not reach its commit point, or hand back the record of
// the one that did, so that the ledger and the evidence can be finished. The apply lock must be
// held.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/repo.h"
#include "landing/journal.h"

namespace gh::landing {

struct Recovered {
  Journal journal;
  bool landed = false;              // true: `journal.landed` is the record to finish
  bool abandoned = false;           // HEAD has moved since: nothing was touched
  std::vector<std::string> left{};  // paths that could not be put back
};

/// Where the commands of the policy try the candidate of `id`: never the folder of an intent,
/// though a patch may be named as one.
std::string verify_worktree(const git::Repo&, std::string_view id);

/// nullopt when no landing was under way. The journal stays open until close_journal.
Result<std::optional<Recovered>> recover(git::Repo&);

/// Cheap: is there anything to recover?
bool needs_recovery(const git::Repo&);

}  // namespace gh::landing
