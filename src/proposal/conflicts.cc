#include "proposal/conflicts.h"

#include <algorithm>
#include <array>
#include <set>

#include "proposal/admission.h"

namespace gh::proposal {
namespace {

constexpr std::int64_t kApart = 3;  // lines between hunks that do not disturb each other

/// Lines of the old side, as a half-open range; a pure insertion is empty and lies behind its line.
struct Range {
  std::int64_t begin, end;
};

Range range_of(const diff::Hunk& h) {
  const std::int64_t begin = h.old_count == 0 ? h.old_start + 1 : h.old_start;
  return {begin, begin + h.old_count};
}

bool are_apart(const diff::Hunk& a, const diff::Hunk& b) {
  const Range x = range_of(a), y = range_of(b);
  return y.begin - x.end >= kApart || x.begin - y.end >= kApart;
}

bool is_plain_change(const diff::Section& s) {
  return s.op == diff::Operation::modify && !s.old_mode && !s.new_mode;
}

bool touches(const diff::Section& s, const std::string& path) {
  return s.old_path == path || s.new_path == path;
}

/// A file that is created, deleted, renamed or given another mode leaves no room beside it.
bool are_adjacent(const diff::Section& a, const diff::Section& b) {
  if (!is_plain_change(a) || !is_plain_change(b)) return false;
  return std::ranges::all_of(a.hunks, [&](const diff::Hunk& x) {
    return std::ranges::all_of(b.hunks, [&](const diff::Hunk& y) { return are_apart(x, y); });
  });
}

bool all_adjacent(const diff::Patch& a, const diff::Patch& b, const std::string& path) {
  for (const diff::Section& x : a.sections)
    for (const diff::Section& y : b.sections)
      if (touches(x, path) && touches(y, path) && !are_adjacent(x, y)) return false;
  return true;
}

bool comes_before(const Queued& a, const Queued& b) {
  if (a.priority != b.priority) return a.priority > b.priority;
  if (a.approved_utc != b.approved_utc) return a.approved_utc < b.approved_utc;
  return a.patch_id < b.patch_id;
}

std::set<std::string_view> added_lines(const diff::Patch& patch) {
  std::set<std::string_view> lines;
  for (const diff::Section& s : patch.sections)
    for (const diff::Hunk& h : s.hunks)
      diff::for_each_line(h, [&](char kind, std::string_view text, std::int64_t, bool) {
        if (kind == '+') lines.insert(text);
      });
  return lines;
}

}  // namespace

std::string_view to_string(ConflictKind k) {
  // table: conflict kinds
  static constexpr std::array<std::string_view, 5> kNames{"none", "adjacent", "textual", "order",
                                                          "semantic"};
  return kNames[static_cast<std::size_t>(k)];
}

Overlap overlap_of(const diff::Patch& a, const diff::Patch& b) {
  Overlap out;
  std::ranges::set_intersection(paths_of(a), paths_of(b), std::back_inserter(out.paths));
  if (out.paths.empty()) return out;
  const bool adjacent = std::ranges::all_of(
      out.paths, [&](const std::string& path) { return all_adjacent(a, b, path); });
  out.kind = adjacent ? ConflictKind::adjacent : ConflictKind::textual;
  return out;
}

ConflictKind kind_of(const Overlap& overlap, bool a_then_b_applies, bool b_then_a_applies) {
  if (overlap.kind == ConflictKind::none) return ConflictKind::none;
  if (a_then_b_applies && b_then_a_applies) return ConflictKind::adjacent;
  if (a_then_b_applies || b_then_a_applies) return ConflictKind::order;
  return ConflictKind::textual;
}

std::vector<std::string> queue_order(std::vector<Queued> queue) {
  std::ranges::sort(queue, comes_before);
  std::set<std::string> waiting;
  for (const Queued& q : queue)
    waiting.insert(q.patch_id);
  const auto is_ready = [&](const Queued& q) {
    return std::ranges::none_of(q.depends_on,
                                [&](const std::string& id) { return waiting.contains(id); });
  };
  std::vector<std::string> order;
  while (!queue.empty()) {
    auto next = std::ranges::find_if(queue, is_ready);
    if (next == queue.end()) next = queue.begin();  // a circle: admission refuses it, order stays
    order.push_back(next->patch_id);
    waiting.erase(next->patch_id);
    queue.erase(next);
  }
  return order;
}

std::int64_t added_overlap(const diff::Patch& patch, const diff::Patch& other) {
  const auto mine = added_lines(patch), theirs = added_lines(other);
  if (mine.empty()) return 0;
  const auto shared =
      std::ranges::count_if(mine, [&](std::string_view line) { return theirs.contains(line); });
  return shared * 10'000 / static_cast<std::int64_t>(mine.size());
}

}  // namespace gh::proposal
