#include "analysis/segments.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/runs_of_statements.h"
#include "analysis/statements.h"

namespace gh::analysis {
namespace {

using syntax::Kind;

bool is_admitted(const UnitFact& unit, const Profile& profile) {
  return !unit.incomplete && unit.loc() >= profile.segment_min_loc &&
         unit.statements.size() >= profile.segment_min_stmt;
}

/// The same run at several places of one list; none overlaps another.
struct Repetition {
  std::vector<std::uint32_t> starts{};
  std::uint32_t length = kSegmentRun;

  bool holds(std::uint32_t at) const {
    return std::ranges::any_of(starts, [&](std::uint32_t s) { return at >= s && at < s + length; });
  }
  bool covers(const Repetition& other) const {
    for (const std::uint32_t start : other.starts)
      for (std::uint32_t i = 0; i < other.length; ++i)
        if (!holds(start + i)) return false;
    return true;
  }
};

/// Greedily from the left.
std::vector<std::uint32_t> without_overlap(const std::vector<std::uint32_t>& starts) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t start : starts)
    if (out.empty() || start >= out.back() + kSegmentRun) out.push_back(start);
  return out;
}

bool agree(const Repetition& r, Statements list, std::uint32_t offset) {
  return std::ranges::all_of(r.starts, [&](std::uint32_t s) {
    return list[s + offset].hash == list[r.starts.front() + offset].hash;
  });
}

/// As long as all places stay equal and apart.
void extend(Repetition& r, Statements list) {
  const auto has_room = [&] {
    for (std::size_t i = 1; i < r.starts.size(); ++i)
      if (r.starts[i - 1] + r.length >= r.starts[i]) return false;
    return true;
  };
  while (r.starts.back() + r.length < list.size() && has_room() && agree(r, list, r.length))
    ++r.length;
  const auto steps_left = [&] {
    return r.starts.front() > 0 && has_room() &&
           std::ranges::all_of(r.starts, [&](std::uint32_t s) {
             return list[s - 1].hash == list[r.starts.front() - 1].hash;
           });
  };
  while (steps_left()) {
    for (std::uint32_t& start : r.starts)
      --start;
    ++r.length;
  }
}

/// A repetition that lies in a larger one is not told again.
std::vector<Repetition> repetitions(Statements list) {
  const auto windows = std::min<std::size_t>(
      list.size() < kSegmentRun ? 0 : list.size() - kSegmentRun + 1, kMaxSegmentWindows);
  std::map<Hash, std::vector<std::uint32_t>> places;
  for (std::uint32_t i = 0; i < windows; ++i)
    places[key_of(list.subspan(i, kSegmentRun))].push_back(i);
  std::vector<Repetition> all;
  for (const auto& [key, starts] : places) {
    Repetition r{.starts = without_overlap(starts)};
    if (r.starts.size() < 2) continue;
    extend(r, list);
    all.push_back(std::move(r));
  }
  std::ranges::sort(all, [](const Repetition& a, const Repetition& b) {
    return std::tuple(b.starts.size(), b.length, a.starts) <
           std::tuple(a.starts.size(), a.length, b.starts);
  });
  std::vector<Repetition> out;
  for (Repetition& r : all)
    if (std::ranges::none_of(out, [&](const Repetition& known) { return known.covers(r); }))
      out.push_back(std::move(r));
  return out;
}

/// Many plain assignments to attributes, or one kind of statement alone: nothing to share.
bool is_boilerplate(Statements run) {
  std::size_t assignments = 0;
  bool only_attributes = true, leaves = false, calls = false;
  std::set<Kind> kinds;
  for (const StatementFact& fact : run) {
    if (is_compound(fact.kind)) return false;
    kinds.insert(fact.kind);
    const bool is_assignment = fact.kind == Kind::Assign || fact.kind == Kind::VarDecl;
    assignments += is_assignment ? 1 : 0;
    if (is_assignment || fact.kind == Kind::AugAssign)
      only_attributes = only_attributes && (fact.flags & statement_flag::attr_only_assign) != 0;
    leaves = leaves || fact.kind == Kind::Return || fact.kind == Kind::Raise ||
             fact.kind == Kind::Assert;
    calls = calls || (fact.flags & statement_flag::call_statement) != 0;
  }
  const bool only_assigns =
      assignments * 5 >= run.size() * 4 && only_attributes && !leaves && !calls;
  return only_assigns || kinds.size() < 2;
}

SegmentGroup group_of(UnitRef ref, Statements list, const Repetition& r) {
  const Statements first = list.subspan(r.starts.front(), r.length);
  SegmentGroup out{.key = key_of(first), .unit = ref, .statements = r.length};
  for (const std::uint32_t start : r.starts) {
    const Statements here = list.subspan(start, r.length);
    if (text_of(here) != text_of(first)) out.type = CloneType::type2;
    out.items.push_back({ref, here.front().start_line, here.back().end_line});
  }
  return out;
}

}  // namespace

Segments segments(const Project& project) {
  Segments out;
  for (std::uint32_t f = 0; f < project.files.size(); ++f)
    for (std::uint32_t u = 0; u < project.files[f].facts.units.size(); ++u) {
      const UnitRef ref{f, u};
      const UnitFact& unit = unit_of(project, ref);
      if (!is_admitted(unit, project.profile)) continue;
      const Statements list = unit.statements;
      for (const Repetition& r : repetitions(list)) {
        const bool suppressed = std::ranges::all_of(r.starts, [&](std::uint32_t start) {
          return is_boilerplate(list.subspan(start, r.length));
        });
        if (suppressed)
          ++out.suppressed;
        else
          out.groups.push_back(group_of(ref, list, r));
      }
    }
  return out;
}

}  // namespace gh::analysis
