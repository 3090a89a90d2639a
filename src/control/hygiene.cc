#include "control/hygiene.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_map>

#include "control/environment.h"
#include "control/intent_record.h"
#include "control/path_index.h"
#include "control/rows.h"

namespace gh::control {
namespace {

using Strings = std::vector<std::string>;

constexpr std::size_t kSample = 10;
constexpr std::uint32_t kAllowed = 1, kRelated = 2;

constexpr std::array<std::string_view, 3> kRelationWords{"own_allowed", "own_related", "outside"};
constexpr std::array<std::string_view, 4> kStartWords{"unknown", "absent", "present_same",
                                                      "present_changed"};

struct ClassWord {
  DirtClass classification;
  std::string_view word;   // of the classification and of its list in the payload
  std::string_view count;  // member of counts; empty: counted otherwise
};
// table: dirt_classes
constexpr std::array kClassWords{
    ClassWord{DirtClass::missing_evidence, "missing_evidence", "missing_evidence"},
    ClassWord{DirtClass::declared_scope_dirty, "declared_scope_dirty", ""},
    ClassWord{DirtClass::preexisting_unscoped_dirty, "preexisting_unscoped_dirty",
              "preexisting_unscoped"},
    ClassWord{DirtClass::new_unattributed_unscoped_dirty, "new_unattributed_unscoped_dirty",
              "new_unattributed_unscoped"},
    ClassWord{DirtClass::modified_unattributed_unscoped_dirty,
              "modified_unattributed_unscoped_dirty", "modified_unattributed_unscoped"},
    ClassWord{DirtClass::unknown_unattributed_unscoped_dirty, "unknown_unattributed_unscoped_dirty",
              "unknown_unattributed_unscoped"},
    ClassWord{DirtClass::foreign_attributed_outside_scope, "foreign_attributed_outside_scope",
              "foreign_attributed_outside_scope"},
};

const ClassWord& word_of(DirtClass classification) {
  return *std::ranges::find(kClassWords, classification, &ClassWord::classification);
}

struct DirtTableRow {
  Is in_scope, evidence, foreign;
  std::optional<StartState> start;
  DirtClass classification;
};
// table: dirt_classification
constexpr auto kDirtRows = [] {
  using enum Is;
  using enum StartState;
  using enum DirtClass;
  const std::nullopt_t any_state = std::nullopt;
  // clang-format off
  return std::array{
      //           in D evidence foreign at start
      DirtTableRow{yes, no,      any,    any_state,       missing_evidence},
      DirtTableRow{yes, yes,     any,    any_state,       declared_scope_dirty},
      DirtTableRow{no,  any,     yes,    any_state,       foreign_attributed_outside_scope},
      DirtTableRow{no,  any,     no,     present_same,    preexisting_unscoped_dirty},
      DirtTableRow{no,  any,     no,     absent,          new_unattributed_unscoped_dirty},
      DirtTableRow{no,  any,     no,     present_changed, modified_unattributed_unscoped_dirty},
      DirtTableRow{no,  any,     no,     unknown,         unknown_unattributed_unscoped_dirty},
  };
  // clang-format on
}();

struct BlockRow {
  bool (*holds)(const BlockFacts&);
  std::string_view reason;
};
// table: finish_block_reasons
constexpr std::array kBlockRows{
    BlockRow{[](const BlockFacts& f) { return f.git_failed; }, "git_error"},
    BlockRow{[](const BlockFacts& f) { return f.missing_evidence; }, "missing_evidence"},
    BlockRow{[](const BlockFacts& f) { return f.foreign_dirty_overlap; }, "foreign_dirty_overlap"},
    BlockRow{[](const BlockFacts& f) { return f.strict_finish && f.unattributed; },
             "own_unscoped_dirty"},
};

std::vector<PathIndex::Entry> entries_of(const Scope& scope, bool with_related) {
  std::vector<PathIndex::Entry> entries;
  for (const std::string& path : scope.allowed_files)
    entries.push_back({path, kAllowed});
  if (with_related)
    for (const std::string& path : scope.allowed_related)
      entries.push_back({path, kRelated});
  return entries;
}

/// What living others declared: their allowed files, by path.
class ForeignFiles {
 public:
  explicit ForeignFiles(std::span<const Held> records) {
    for (const Held& held : records) {
      if (!is_live_foreign(held.ownership) || !holds_files(*held.intent)) continue;
      for (const std::string& path : held.intent->scope.allowed_files)
        holders_[path].push_back(&held);
    }
  }
  bool cover(std::string_view path) const {
    bool found = false;
    each_cover(path, [&](std::string_view c) { found = found || holders_.contains(c); });
    return found;
  }
  /// Each record once, by id.
  void overlaps(const std::string& path, std::vector<ForeignDirtyOverlap>& out) const {
    std::vector<const Held*> found;
    each_cover(path, [&](std::string_view c) {
      if (const auto held = holders_.find(c); held != holders_.end())
        found.insert(found.end(), held->second.begin(), held->second.end());
    });
    std::sort(found.begin(), found.end(), [](const Held* a, const Held* b) {
      return std::tie(a->intent->id, a) < std::tie(b->intent->id, b);
    });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    for (const Held* held : found)
      out.push_back({path, held});
  }

 private:
  std::unordered_map<std::string_view, std::vector<const Held*>> holders_{};
};

Value overlap_list(const std::vector<ForeignDirtyOverlap>& overlaps) {
  List out;
  for (const auto& [path, held] : overlaps)
    out.emplace_back(
        Map{{"path", path},
            {"foreign_intent_id", held->intent->id},
            {"foreign_persisted_status", gh::to_string(held->intent->status)},
            {"foreign_ownership", to_string(held->ownership)},
            {"foreign_agent_label", held->intent->agent_label},
            {"message", "A live agent declared this path, and it has uncommitted changes."}});
  return out;
}

Map counts_of(std::int64_t in_scope, std::int64_t outside) {
  Map counts{{"in_scope", in_scope}, {"outside_scope", outside}};
  for (const ClassWord& row : kClassWords)
    if (!row.count.empty()) counts.set(std::string(row.count), 0);
  return counts;
}

void set_if_any(Map& out, std::string_view name, const Strings& paths) {
  if (!paths.empty()) out.set(std::string(name), string_list(paths));
}

/// change-control 15.5: how a dirty path stood at the start.
StartState start_state(const std::string& path, const DirtyEntry& now, const DirtySnapshot* start) {
  if (start == nullptr || !start->git_available) return StartState::unknown;
  const auto then = start->entries.find(path);
  if (then == start->entries.end())
    return start->partial ? StartState::unknown : StartState::absent;
  if (!then->second.digest || !now.digest) return StartState::unknown;
  return then->second == now ? StartState::present_same : StartState::present_changed;
}

Map attribution(const DirtRow& row) {
  return Map{{"path", row.path},
             {"scope_relation", to_string(row.facts.relation)},
             {"evidence", row.facts.evidence ? "present" : "absent"},
             {"start_state", to_string(row.facts.start)},
             {"intent_attribution", row.facts.foreign ? "foreign_active_or_stale" : "none"},
             {"classification", to_string(row.classification)},
             {"blocking", row.classification == DirtClass::missing_evidence}};
}

template <class Wanted>
Strings paths_where(const std::vector<DirtRow>& rows, Wanted wanted) {
  Strings out;
  for (const DirtRow& row : rows)
    if (wanted(row)) out.push_back(row.path);
  return out;
}

void add_lists(Map& out, const FinishHygiene& hygiene) {
  set_if_any(out, "dirty_paths_in_scope", hygiene.dirty_in_scope());
  set_if_any(out, "dirty_paths_outside_scope", hygiene.dirty_outside());
  set_if_any(out, "unattributed_unscoped_dirty", hygiene.unattributed());
  set_if_any(out, "own_unscoped_dirty", hygiene.unattributed());
  for (const ClassWord& row : kClassWords)
    if (row.word.find("unscoped") != row.word.npos || row.word.starts_with("foreign"))
      set_if_any(out, row.word, hygiene.paths(row.classification));
  set_if_any(out, "files_for_scope_check", hygiene.files_for_scope_check);
  List rows;
  for (const DirtRow& row : hygiene.rows)
    rows.emplace_back(attribution(row));
  if (!rows.empty()) out.set("dirty_attribution", std::move(rows));
}

}  // namespace

DirtySnapshot stored_snapshot(DirtySnapshot snapshot) {
  if (snapshot.entries.size() > kSnapshotLimit) {
    snapshot.paths_count = static_cast<std::int64_t>(snapshot.entries.size());
    snapshot.entries.clear();
    snapshot.partial = true;
  }
  return snapshot;
}

DirtySnapshot carried_snapshot(DirtySnapshot now, const DirtySnapshot& earlier,
                               std::span<const Scope> declared) {
  if (!earlier.git_available || earlier.partial || now.partial) return now;
  std::vector<PathIndex::Entry> entries;
  for (const Scope& scope : declared)
    for (PathIndex::Entry& entry : entries_of(scope, true))
      entries.push_back(std::move(entry));
  const PathIndex explained(std::move(entries));
  std::erase_if(now.entries, [&](const auto& item) {
    return explained.cover(item.first) == 0 && !earlier.entries.contains(item.first);
  });
  for (auto& [path, entry] : now.entries)
    if (const auto then = earlier.entries.find(path);
        then != earlier.entries.end() && explained.cover(path) == 0)
      entry = then->second;
  return now;
}

Value snapshot_summary(const DirtySnapshot& snapshot) {
  std::int64_t ok = 0, unavailable = 0;
  for (const auto& [path, entry] : snapshot.entries)
    ++(entry.digest ? ok : unavailable);
  return Map{{"git_available", snapshot.git_available},
             {"captured_at_utc", gh::to_string(snapshot.captured_at)},
             {"paths_count", snapshot.partial ? snapshot.paths_count
                                              : static_cast<std::int64_t>(snapshot.entries.size())},
             {"digest_status_counts", Map{{"ok", ok}, {"unavailable", unavailable}}}};
}

std::string_view snapshot_status(const std::optional<DirtySnapshot>& at_start, bool partial_now) {
  if (!at_start) return "missing_legacy_conservative";
  if (!at_start->git_available) return "git_unavailable";
  return at_start->partial || partial_now ? "partial" : "available";
}

Value workspace_dirty_summary(const DirtySnapshot& dirt) {
  Strings paths;
  for (const auto& [path, entry] : dirt.entries) {
    paths.push_back(path);
    if (paths.size() == kSample) break;
  }
  const std::int64_t count =
      std::max(dirt.paths_count, static_cast<std::int64_t>(dirt.entries.size()));
  return Map{{"git_available", dirt.git_available},
             {"dirty_paths_count", count},
             {"dirty_paths_sample", string_list(paths)},
             {"sample_truncated", count > static_cast<std::int64_t>(paths.size())}};
}

StartHygiene start_hygiene(const Scope& scope, const DirtySnapshot* dirt,
                           std::span<const Held> records) {
  StartHygiene out{.git_failed = dirt == nullptr};
  if (dirt == nullptr) return out;
  const PathIndex allowed(entries_of(scope, false));
  const ForeignFiles foreign(records);
  for (const auto& [path, entry] : dirt->entries) {
    if (allowed.cover(path) == 0) {
      out.dirty_outside.push_back(path);
      continue;
    }
    out.dirty_in_scope.push_back(path);
    foreign.overlaps(path, out.foreign_dirty_overlaps);
  }
  return out;
}

Map to_value(const StartHygiene& hygiene, bool continuing_own_wip) {
  Map out{{"git_available", true},
          {"blocks_edit", hygiene.blocks_edit()},
          {"counts", counts_of(static_cast<std::int64_t>(hygiene.dirty_in_scope.size()),
                               static_cast<std::int64_t>(hygiene.dirty_outside.size()))},
          {"foreign_dirty_overlaps", overlap_list(hygiene.foreign_dirty_overlaps)}};
  set_if_any(out, "dirty_paths_in_scope", hygiene.dirty_in_scope);
  if (hygiene.git_failed) out.set("git_error", true);
  if (continuing_own_wip) out.set("continuing_own_wip", true);
  return out;
}

std::string_view to_string(ScopeRelation relation) {
  return kRelationWords[static_cast<std::size_t>(relation)];
}
std::string_view to_string(StartState state) {
  return kStartWords[static_cast<std::size_t>(state)];
}
std::string_view to_string(DirtClass classification) { return word_of(classification).word; }

DirtClass classify_dirt(const DirtFacts& f) {
  for (const DirtTableRow& row : kDirtRows)
    if (fits(row.in_scope, f.relation != ScopeRelation::outside) &&
        fits(row.evidence, f.evidence) && fits(row.foreign, f.foreign) &&
        (!row.start || *row.start == f.start))
      return row.classification;
  return kDirtRows.back().classification;
}

std::string_view finish_block_reason(const BlockFacts& facts) {
  for (const BlockRow& row : kBlockRows)
    if (row.holds(facts)) return row.reason;
  return {};
}

Strings FinishHygiene::paths(DirtClass wanted) const {
  return paths_where(rows, [&](const DirtRow& row) { return row.classification == wanted; });
}
Strings FinishHygiene::dirty_in_scope() const {
  return paths_where(
      rows, [](const DirtRow& row) { return row.facts.relation != ScopeRelation::outside; });
}
Strings FinishHygiene::dirty_outside() const {
  return paths_where(
      rows, [](const DirtRow& row) { return row.facts.relation == ScopeRelation::outside; });
}
Strings FinishHygiene::unacknowledged() const { return paths(DirtClass::missing_evidence); }
Strings FinishHygiene::unattributed() const {
  return paths_where(rows, [](const DirtRow& row) {
    using enum DirtClass;
    return row.classification == new_unattributed_unscoped_dirty ||
           row.classification == modified_unattributed_unscoped_dirty ||
           row.classification == unknown_unattributed_unscoped_dirty;
  });
}

Strings FinishHygiene::blocking() const {
  if (block_reason == "missing_evidence") return unacknowledged();
  if (block_reason == "own_unscoped_dirty") return unattributed();
  Strings out;
  if (block_reason == "foreign_dirty_overlap")
    for (const ForeignDirtyOverlap& overlap : foreign_dirty_overlaps)
      if (out.empty() || out.back() != overlap.path) out.push_back(overlap.path);
  return out;
}

FinishHygiene finish_hygiene(const FinishQuestion& question) {
  FinishHygiene out{.git_failed = question.dirt == nullptr,
                    .files_for_scope_check = question.evidence};
  std::ranges::sort(out.files_for_scope_check);
  if (question.at_start != nullptr) out.at_start = *question.at_start;
  out.snapshot_status =
      snapshot_status(out.at_start, question.dirt != nullptr && question.dirt->partial);
  if (question.dirt != nullptr) {
    const PathIndex declared(entries_of(*question.scope, true));
    const ForeignFiles foreign(question.records);
    const DirtySnapshot* start = out.at_start ? &*out.at_start : nullptr;
    for (const auto& [path, entry] : question.dirt->entries) {
      const std::uint32_t cover = declared.cover(path);
      DirtRow row{.path = path};
      row.facts.relation = (cover & kAllowed) != 0   ? ScopeRelation::own_allowed
                           : (cover & kRelated) != 0 ? ScopeRelation::own_related
                                                     : ScopeRelation::outside;
      row.facts.evidence = std::ranges::binary_search(out.files_for_scope_check, path);
      row.facts.foreign = cover == 0 && foreign.cover(path);
      row.facts.start = start_state(path, entry, start);
      row.classification = classify_dirt(row.facts);
      if ((cover & kAllowed) != 0) foreign.overlaps(path, out.foreign_dirty_overlaps);
      out.rows.push_back(std::move(row));
    }
  }
  out.block_reason =
      finish_block_reason({.git_failed = out.git_failed,
                           .missing_evidence = !out.unacknowledged().empty(),
                           .foreign_dirty_overlap = !out.foreign_dirty_overlaps.empty(),
                           .strict_finish = question.strict_finish,
                           .unattributed = !out.unattributed().empty()});
  return out;
}

Map to_value(const FinishHygiene& hygiene, bool full) {
  const Strings in_scope = hygiene.dirty_in_scope();
  Map counts = counts_of(static_cast<std::int64_t>(in_scope.size()),
                         static_cast<std::int64_t>(hygiene.rows.size() - in_scope.size()));
  for (const ClassWord& row : kClassWords)
    if (!row.count.empty())
      counts.set(std::string(row.count),
                 static_cast<std::int64_t>(hygiene.paths(row.classification).size()));
  Map out{{"git_available", true},
          {"blocks_edit", hygiene.git_failed || !in_scope.empty()},
          {"counts", std::move(counts)},
          {"foreign_dirty_overlaps", overlap_list(hygiene.foreign_dirty_overlaps)}};
  set_if_any(out, "unacknowledged_dirty_in_scope", hygiene.unacknowledged());
  if (hygiene.at_start)
    out.set("dirty_snapshot",
            full ? snapshot_value(*hygiene.at_start) : snapshot_summary(*hygiene.at_start));
  out.set("dirty_snapshot_status", hygiene.snapshot_status);
  if (hygiene.blocks()) {
    out.set("blocks_finish", true);
    out.set("finish_block_reason", hygiene.block_reason);
  }
  if (full) add_lists(out, hygiene);
  return out;
}

bool strict_finish(std::string_view environment, bool configured) {
  return environment.empty() ? configured : is_yes(environment);
}

}  // namespace gh::control
