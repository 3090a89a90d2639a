#pragma once
// The landing journal: written and flushed before the first change, so that whoever starts next
// after a crash knows what to undo or to finish (docs/formats/landing-journal.md).
//
// State on disk: <state>/landing.jsonl while a landing is under way, with a copy in the run folder
// that stays. It begins with what is to happen; one further line, "landed", "rolled_back" or
// "abandoned", says what became of it.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/value.h"
#include "patch/outcome.h"

namespace gh::landing {

struct Plan {
  std::string mode;  // worktree, commit
  std::string run_id, run_folder, root;
  std::string base_commit, candidate_tree;
  std::string ref{}, commit{};                   // commit only
  std::vector<patch::TouchedEntry> entries{};    // worktree only
  std::vector<std::uint32_t> old_permissions{};  // one per entry; 0: no file before
  std::vector<std::string> created_folders{};    // deepest last
};

struct Journal {
  Plan plan;
  std::string path;
  std::optional<Value>
      landed;  // the record to be finished, when the landing reached its commit point
  bool rolled_back = false;
};

/// Writes the copy into the run folder's logs and the journal into `state`, both flushed.
Result<Journal> open_journal(const std::string& state, const Plan&);
bool is_landing(const std::string& state);
/// The landing under way in the repository at `root`, if any. io_error for a journal that no
/// landing there can have written.
Result<std::optional<Journal>> find_journal(const std::string& state, const std::string& root);
Status mark_landed(Journal&, Value record);
Status mark_rolled_back(Journal&);
/// Somebody went on working before it could be undone; their work is left as it is.
Status mark_abandoned(const Journal&);
/// Removes the journal: nothing is left to do.
Status close_journal(const std::string& state);

}  // namespace gh::landing
