#include "control/conflicts.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <tuple>
#include <unordered_map>

#include "control/path_index.h"
#include "control/rows.h"
#include "policy/glob.h"

namespace gh::control {
namespace {

using Strings = std::vector<std::string>;

constexpr std::uint32_t kAllowed = 1, kRelated = 2;

struct SeverityRow {
  Ownership ownership;
  std::string_view severity, action;
};
// table: overlap_severities
constexpr std::array kSeverities{
    SeverityRow{Ownership::foreign_active, "active", "stop_and_coordinate"},
    SeverityRow{Ownership::foreign_stale, "stale", "coordinate_or_recover"},
};

std::string_view overlap_type(const Overlap& overlap) {
  if (overlap.soft.empty()) return "hard";
  return overlap.hard.empty() ? "soft" : "both";
}

Map who(const Held& held) {
  const Intent& i = *held.intent;
  return Map{{"intent_id", i.id},
             {"agent_pid", i.agent_pid},
             {"agent_start_epoch", i.agent_start_epoch},
             {"agent_label", i.agent_label},
             {"intent", i.description},
             {"ownership", to_string(held.ownership)},
             {"declared_at_utc", gh::to_string(i.declared_at)},
             {"expires_at_utc", gh::to_string(i.expires_at)}};
}

Map overlap_entry(const Overlap& overlap) {
  const SeverityRow& row =
      *std::ranges::find(kSeverities, overlap.held->ownership, &SeverityRow::ownership);
  Map entry = who(*overlap.held);
  entry.set("severity", row.severity);
  entry.set("recommended_action", row.action);
  entry.set("overlap_type", overlap_type(overlap));
  entry.set("hard_overlap", string_list(overlap.hard));
  entry.set("soft_overlap", string_list(overlap.soft));
  return entry;
}

/// Patterns of which nearly every path is told by its first byte that none of them matches.
class Patterns {
 public:
  explicit Patterns(const Strings& patterns) {
    for (const std::string& pattern : patterns) {
      const std::size_t meta = std::min(pattern.find_first_of("*?["), pattern.size());
      rows_.push_back({pattern, std::string_view(pattern).substr(0, meta)});
      if (meta == 0)
        first_.set();
      else
        first_.set(static_cast<unsigned char>(pattern[0]));
    }
    hit_.resize(rows_.size());
  }
  /// Remembers which patterns match; `matching` gives them.
  void ask(std::string_view path) {
    if (!path.empty() && !first_.test(static_cast<unsigned char>(path[0]))) return;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (!hit_[i] && path.starts_with(rows_[i].head) &&
          policy::matches_glob(path, rows_[i].pattern))
        hit_[i] = true;
  }
  Strings matching() const {
    Strings out;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (hit_[i]) out.emplace_back(rows_[i].pattern);
    return out;
  }
  void forget() { std::fill(hit_.begin(), hit_.end(), false); }

 private:
  struct Row {
    std::string_view pattern, head;  // head: what it begins with before the first wildcard
  };
  std::vector<Row> rows_{};
  std::vector<bool> hit_{};
  std::bitset<256> first_{};
};

std::vector<PathIndex::Entry> entries_of(const Scope& scope) {
  std::vector<PathIndex::Entry> entries;
  for (const std::string& path : scope.allowed_files)
    entries.push_back({path, kAllowed});
  for (const std::string& path : scope.allowed_related)
    entries.push_back({path, kRelated});
  return entries;
}

/// One scope against many records.
class Comparison {
 public:
  Comparison(const Scope& scope, policy::ConflictMatching matching)
      : scope_(scope),
        matching_(matching),
        index_(entries_of(scope)),
        forbidden_(scope.forbidden) {}

  Overlap overlap(const Held& held) {
    Overlap out{&held};
    for (const std::string& path : held.intent->scope.allowed_files)
      for (const auto& [specific, mark] : meetings(path)) {
        if ((mark & kAllowed) != 0) out.hard.emplace_back(specific);
        if ((mark & kRelated) != 0) out.soft.emplace_back(specific);
      }
    for (const std::string& path : held.intent->scope.allowed_related)
      for (const auto& [specific, mark] : meetings(path))
        if ((mark & kAllowed) != 0) out.soft.emplace_back(specific);
    sort_unique(out.hard);
    sort_unique(out.soft);
    return out;
  }

  Strings hard_overlap(const Held& held) {
    Strings out;
    for (const std::string& path : held.intent->scope.allowed_files)
      for (const auto& [specific, mark] : meetings(path))
        if ((mark & kAllowed) != 0) out.emplace_back(specific);
    sort_unique(out);
    return out;
  }

  /// Patterns of theirs that forbid something here.
  Strings they_exclude(const Held& held) {
    Strings out;
    for (const std::string& pattern : held.intent->scope.forbidden)
      if (forbids_something_here(pattern)) out.push_back(pattern);
    return out;
  }

  Strings we_exclude(const Held& held) {
    forbidden_.forget();
    for (const std::string& path : held.intent->scope.allowed_files)
      forbidden_.ask(path);
    return forbidden_.matching();
  }

 private:
  const std::vector<PathIndex::Meeting>& meetings(std::string_view path) {
    found_.clear();
    index_.meetings(path, matching_, found_);
    return found_;
  }

  /// All records forbid the state artifacts, so an answer is worth remembering.
  bool forbids_something_here(std::string_view pattern) {
    const auto [known, is_new] = asked_.try_emplace(pattern, false);
    if (is_new)
      known->second = std::ranges::any_of(scope_.allowed_files, [&](const std::string& path) {
        return policy::matches_glob(path, pattern);
      });
    return known->second;
  }

  const Scope& scope_;
  policy::ConflictMatching matching_;
  PathIndex index_;
  Patterns forbidden_;
  std::vector<PathIndex::Meeting> found_{};
  std::unordered_map<std::string_view, bool> asked_{};
};

Map exclusion(const Held& held, std::string_view relation, const Strings& patterns) {
  Map entry = who(held);
  entry.set("severity", "info");
  entry.set("relation", relation);
  entry.set("matching_patterns", string_list(patterns));
  return entry;
}

Map waiting(const Held& held, const Strings& files) {
  return Map{{"intent_id", held.intent->id},
             {"overlapping_files", string_list(files)},
             {"message", "Another agent waits for part of this scope."}};
}

Map blocker(const Overlap& overlap) {
  Strings files = overlap.hard;
  files.insert(files.end(), overlap.soft.begin(), overlap.soft.end());
  sort_unique(files);
  const Intent& intent = *overlap.held->intent;
  return Map{{"intent_id", intent.id},
             {"agent_pid", intent.agent_pid},
             {"agent_label", intent.agent_label},
             {"ownership", to_string(overlap.held->ownership)},
             {"overlapping_files", string_list(files)}};
}

/// A relation on its way into a list, with what it is sorted by.
struct Relation {
  std::string_view severity, kind, type;
  const Held* held;
  Map entry;

  auto key() const {
    return std::tie(severity, kind, type, held->intent->agent_label, held->intent->agent_pid,
                    held->intent->id);
  }
};

std::string_view severity_of(Ownership ownership) {
  return std::ranges::find(kSeverities, ownership, &SeverityRow::ownership)->severity;
}

}  // namespace

bool Conflicts::any_of(Ownership ownership) const {
  return std::ranges::any_of(overlaps,
                             [&](const Overlap& o) { return o.held->ownership == ownership; });
}

Conflicts find_conflicts(const Scope& scope, std::span<const Held> records,
                         policy::ConflictMatching matching) {
  Comparison comparison(scope, matching);
  Conflicts out;
  std::vector<Relation> relations;
  for (const Held& held : records) {
    if (!is_live_foreign(held.ownership)) continue;
    if (held.intent->status == IntentStatus::queued) {
      if (const Strings files = comparison.hard_overlap(held); !files.empty())
        out.queued_context.emplace_back(waiting(held, files));
      continue;
    }
    if (!holds_files(*held.intent)) continue;
    if (Overlap overlap = comparison.overlap(held);
        !overlap.hard.empty() || !overlap.soft.empty()) {
      out.overlaps.push_back(std::move(overlap));
    } else if (const Strings theirs = comparison.they_exclude(held); !theirs.empty()) {
      relations.push_back({"info", "foreign_excludes_target", "", &held,
                           exclusion(held, "foreign_excludes_target", theirs)});
    } else if (const Strings ours = comparison.we_exclude(held); !ours.empty()) {
      relations.push_back({"info", "target_excludes_foreign", "", &held,
                           exclusion(held, "target_excludes_foreign", ours)});
    }
  }
  std::ranges::sort(out.overlaps, [](const Overlap& a, const Overlap& b) {
    const auto key = [](const Overlap& o) {
      const Intent& i = *o.held->intent;
      return std::tuple(severity_of(o.held->ownership), overlap_type(o),
                        std::string_view(i.agent_label), i.agent_pid, std::string_view(i.id));
    };
    return key(a) < key(b);
  });
  for (const Overlap& overlap : out.overlaps) {
    Map entry = overlap_entry(overlap);
    out.concurrent_intents.emplace_back(entry);
    out.blocked_by.emplace_back(blocker(overlap));
    entry.set("relation", "edit_overlap");
    relations.push_back({severity_of(overlap.held->ownership), "edit_overlap",
                         overlap_type(overlap), overlap.held, std::move(entry)});
  }
  std::ranges::sort(relations,
                    [](const Relation& a, const Relation& b) { return a.key() < b.key(); });
  for (Relation& relation : relations)
    out.workspace_relations.emplace_back(std::move(relation.entry));
  return out;
}

std::vector<const Held*> overtaken(const Scope& scope, std::span<const Held> records,
                                   policy::ConflictMatching matching) {
  Comparison comparison(scope, matching);
  std::vector<const Held*> out;
  for (const Held& held : records) {
    const bool is_gone =
        held.ownership == Ownership::recoverable || held.ownership == Ownership::expired;
    if (!is_gone || !holds_files(*held.intent)) continue;
    if (const Overlap met = comparison.overlap(held); !met.hard.empty() || !met.soft.empty())
      out.push_back(&held);
  }
  return out;
}

Value workspace_value(const Conflicts& conflicts, const WorkspaceCounts& counts) {
  return Map{{"concurrent_intents", conflicts.concurrent_intents},
             {"workspace_relations", conflicts.workspace_relations},
             {"queued_context", conflicts.queued_context},
             {"total_agents", counts.total_agents},
             {"stale_count", counts.stale_count}};
}

std::int64_t queue_position(const Intent& queued, std::span<const Held> records) {
  const auto key = [](const Intent& i) { return std::tie(i.declared_at, i.id); };
  return 1 + std::ranges::count_if(records, [&](const Held& held) {
           return held.intent->status == IntentStatus::queued &&
                  held.ownership != Ownership::expired && key(*held.intent) < key(queued);
         });
}

}  // namespace gh::control
