#pragma once
// Does git agree with what was declared (change-control 15)? Dirt is what one look at the
// work tree found, as a DirtySnapshot whose paths have the form of control/scope_paths.h.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/ownership.h"
#include "model/intent.h"

namespace gh::control {

// --- snapshot ------------------------------------------------------------------------------------

/// More dirty paths than this are only counted.
inline constexpr std::size_t kSnapshotLimit = 20'000;

/// The snapshot as a record keeps it: without entries when there are too many.
DirtySnapshot stored_snapshot(DirtySnapshot);

/// The snapshot of a change that comes after another one of the same session which nobody accepted:
/// what appeared since that one began, and nobody declared, was not there before.
DirtySnapshot carried_snapshot(DirtySnapshot now, const DirtySnapshot& earlier,
                               std::span<const Scope> declared);

Value snapshot_summary(const DirtySnapshot&);
std::string_view snapshot_status(const std::optional<DirtySnapshot>& at_start, bool partial_now);

/// `{git_available, dirty_paths_count, dirty_paths_sample, sample_truncated}`.
Value workspace_dirty_summary(const DirtySnapshot&);

// --- start ---------------------------------------------------------------------------------------

struct ForeignDirtyOverlap {
  std::string path{};
  const Held* held = nullptr;
};

struct StartHygiene {
  bool git_failed = false;
  std::vector<std::string> dirty_in_scope{}, dirty_outside{};
  std::vector<ForeignDirtyOverlap> foreign_dirty_overlaps{};
  bool blocks_edit() const { return git_failed || !dirty_in_scope.empty(); }
};
/// No dirt: git could not tell.
StartHygiene start_hygiene(const Scope&, const DirtySnapshot* dirt, std::span<const Held>);
Map to_value(const StartHygiene&, bool continuing_own_wip);

// --- finish --------------------------------------------------------------------------------------

enum class ScopeRelation : std::uint8_t { own_allowed, own_related, outside };
enum class StartState : std::uint8_t { unknown, absent, present_same, present_changed };
enum class DirtClass : std::uint8_t {
  missing_evidence,
  declared_scope_dirty,
  foreign_attributed_outside_scope,
  preexisting_unscoped_dirty,
  new_unattributed_unscoped_dirty,
  modified_unattributed_unscoped_dirty,
  unknown_unattributed_unscoped_dirty
};
std::string_view to_string(ScopeRelation);
std::string_view to_string(StartState);
std::string_view to_string(DirtClass);

struct DirtFacts {
  ScopeRelation relation = ScopeRelation::outside;
  bool evidence = false, foreign = false;
  StartState start = StartState::unknown;
};
DirtClass classify_dirt(const DirtFacts&);

struct DirtRow {
  std::string path{};
  DirtFacts facts{};
  DirtClass classification = DirtClass::unknown_unattributed_unscoped_dirty;
};

struct BlockFacts {
  bool git_failed = false, missing_evidence = false, foreign_dirty_overlap = false;
  bool strict_finish = false, unattributed = false;
};
/// Empty: nothing blocks.
std::string_view finish_block_reason(const BlockFacts&);

struct FinishQuestion {
  const Scope* scope = nullptr;
  std::vector<std::string> evidence{};  // normalised
  const DirtySnapshot* dirt = nullptr;  // nullptr: git could not tell
  const std::optional<DirtySnapshot>* at_start = nullptr;
  std::span<const Held> records{};
  bool strict_finish = false;
};
struct FinishHygiene {
  bool git_failed = false;
  std::vector<DirtRow> rows{};  // sorted by path
  std::vector<std::string> files_for_scope_check{};
  std::vector<ForeignDirtyOverlap> foreign_dirty_overlaps{};
  std::string_view block_reason{};
  std::string_view snapshot_status{};
  std::optional<DirtySnapshot> at_start{};

  bool blocks() const { return !block_reason.empty(); }
  std::vector<std::string> paths(DirtClass) const;
  std::vector<std::string> dirty_in_scope() const;
  std::vector<std::string> dirty_outside() const;
  std::vector<std::string> unacknowledged() const;  // missing_evidence
  std::vector<std::string> unattributed() const;    // new, modified and unknown
  std::vector<std::string> blocking() const;        // what the block reason is about
};
FinishHygiene finish_hygiene(const FinishQuestion&);
/// `full`: with the lists and the row of each path.
Map to_value(const FinishHygiene&, bool full);

/// `environment` is GATEHOUSE_STRICT_FINISH, empty when unset.
bool strict_finish(std::string_view environment, bool configured);

}  // namespace gh::control
