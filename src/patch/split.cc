#include <algorithm>
#include <map>

#include "base/unicode.h"
#include "patch/gates.h"
#include "patch/paths.h"

namespace gh::patch {
namespace {

using diff::Operation;
using diff::Section;

constexpr std::size_t kMaxSplitSections =
    10'000;  // first fit compares every section with every part

const std::string& canonical_key(const Section& s) {
  return s.op == Operation::remove ? s.old_path : s.new_path;
}

/// Sections that have to land together, and what they cost.
struct Group {
  std::vector<const Section*> sections;
  SplitPart cost;
  bool has_long_line = false;
};

void add_paths(SplitPart& part, const Section& s) {
  part.paths.push_back(s.old_path);
  if (s.new_path != s.old_path) part.paths.push_back(s.new_path);
}

void add(SplitPart& to, const SplitPart& cost) {
  to.paths.insert(to.paths.end(), cost.paths.begin(), cost.paths.end());
  to.files += cost.files;
  to.added_lines += cost.added_lines;
  to.deleted_lines += cost.deleted_lines;
  to.deleted_files += cost.deleted_files;
  to.hunks += cost.hunks;
  to.bytes += cost.bytes;
}

SplitPart cost_of(const Section& s) {
  diff::Patch alone;
  alone.sections = {s};
  SplitPart cost;
  add_paths(cost, s);
  cost.files = std::ssize(cost.paths);
  cost.added_lines = s.added;
  cost.deleted_lines = s.deleted;
  cost.deleted_files = s.op == Operation::remove ? 1 : 0;
  cost.hunks = std::ssize(s.hunks);
  cost.bytes = std::ssize(diff::print_canonical(alone));
  return cost;
}

bool has_long_line(const Section& s, std::int64_t limit) {
  bool found = false;
  for (const diff::Hunk& h : s.hunks) {
    if (std::ssize(h.body) <= limit) continue;
    diff::for_each_line(h, [&](char kind, std::string_view text, std::int64_t, bool) {
      found = found || (kind == '+' && std::ssize(text) > limit);
    });
  }
  return found;
}

bool fits(const SplitPart& part, const SplitPart& more, const policy::PatchPolicy& p) {
  return part.files + more.files <= p.max_files &&
         part.added_lines + more.added_lines <= p.max_added_lines &&
         part.deleted_lines + more.deleted_lines <= p.max_deleted_lines &&
         part.deleted_files + more.deleted_files <= p.max_deleted_files &&
         part.hunks + more.hunks <= p.max_hunks && part.bytes + more.bytes <= p.max_patch_bytes;
}

/// Calls fn(prefix) for every folder of `path` and for the path itself.
template <class Fn>
void for_each_prefix(std::string_view path, Fn&& fn) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1))
    fn(path.substr(0, slash));
  fn(path);
}

/// For each section the first one it must share a part with. A path that appears where another
/// goes away (a folder in place of a file, a folder that differs only in case) needs both at once.
std::vector<std::size_t> leaders(const std::vector<const Section*>& sections) {
  std::map<std::string, std::string> spelling_removed;  // folded prefix -> one spelling
  std::map<std::string, std::vector<std::size_t>> removers;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const Section& s = *sections[i];
    if (s.op != Operation::remove && s.op != Operation::rename) continue;
    for_each_prefix(s.old_path, [&](std::string_view prefix) {
      removers[nfc_casefold(prefix)].push_back(i);
      spelling_removed.try_emplace(nfc_casefold(prefix), prefix);
    });
  }
  std::vector<std::size_t> leader(sections.size());
  for (std::size_t i = 0; i < leader.size(); ++i)
    leader[i] = i;
  const auto root_of = [&](std::size_t i) {
    while (leader[i] != i)
      i = leader[i] = leader[leader[i]];
    return i;
  };
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const Section& s = *sections[i];
    if (s.op == Operation::remove || s.op == Operation::modify) continue;
    for_each_prefix(s.new_path, [&](std::string_view prefix) {
      const std::string folded = nfc_casefold(prefix);
      const auto gone = removers.find(folded);
      if (gone == removers.end()) return;
      const bool replaces_file = std::ranges::any_of(
          gone->second, [&](std::size_t r) { return sections[r]->old_path == prefix; });
      if (!replaces_file && spelling_removed.at(folded) == prefix) return;
      for (const std::size_t r : gone->second) {
        const std::size_t a = root_of(i), b = root_of(r);
        leader[std::max(a, b)] = std::min(a, b);
      }
    });
  }
  for (std::size_t i = 0; i < leader.size(); ++i)
    leader[i] = root_of(i);
  return leader;
}

std::vector<Group> groups_of(const diff::Patch& patch, std::int64_t max_line_bytes) {
  std::vector<const Section*> sections;
  for (const Section& s : patch.sections)
    sections.push_back(&s);
  std::ranges::sort(sections, {}, [](const Section* s) { return canonical_key(*s); });
  const std::vector<std::size_t> leader = leaders(sections);
  std::map<std::size_t, Group> by_leader;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    Group& g = by_leader[leader[i]];
    g.sections.push_back(sections[i]);
    add(g.cost, cost_of(*sections[i]));
    g.has_long_line = g.has_long_line || has_long_line(*sections[i], max_line_bytes);
  }
  std::vector<Group> groups;
  for (auto& [first, group] : by_leader)
    groups.push_back(std::move(group));
  return groups;
}

}  // namespace

SplitAdvice split_advice(const diff::Patch& patch, const policy::PatchPolicy& policy) {
  SplitAdvice advice;
  if (patch.sections.size() > kMaxSplitSections) return advice;
  for (const Group& g : groups_of(patch, policy.max_line_bytes)) {
    if (g.has_long_line || !fits({}, g.cost, policy)) {
      for (const Section* s : g.sections)
        advice.indivisible.push_back(canonical_key(*s));
      continue;
    }
    const auto part = std::ranges::find_if(
        advice.parts, [&](const SplitPart& p) { return fits(p, g.cost, policy); });
    if (part == advice.parts.end()) {
      advice.parts.push_back(g.cost);
    } else {
      add(*part, g.cost);
    }
  }
  return advice;
}

}  // namespace gh::patch
