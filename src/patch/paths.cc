#include "patch/paths.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/text.h"
#include "base/unicode.h"
#include "patch/gates.h"

namespace gh::patch {
namespace {

/// FNV-1a, so that the hash of a folder comes by while its path is hashed. It only spares
/// comparisons: texts decide, and a flood of equal hashes costs a binary search each.
struct PathHash {
  std::uint64_t value = 0xcbf29ce484222325;
  void add(char c) { value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3; }
};

std::uint64_t hash_of(std::string_view text) {
  PathHash hash;
  for (const char c : text)
    hash.add(c);
  return hash.value;
}

/// One path of the patch with its place.
struct Named {
  std::string_view path;
  std::uint64_t hash;
  std::int64_t section = 0, line = 0;
  bool exists_afterwards = false;
};

struct Collision {
  std::size_t earlier, later;  // indices into the named paths
};

struct Hashed {
  std::uint64_t hash;
  std::size_t index;  // of the text
};

/// By hash, then by text, then by index. `text` gives the text of an index.
template <class TextOf>
void sort_by_text(std::vector<Hashed>& all, const TextOf& text) {
  std::ranges::sort(all, [&](const Hashed& a, const Hashed& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    const int order = text(a.index).compare(text(b.index));
    return order != 0 ? order < 0 : a.index < b.index;
  });
}

bool may_change_when_folded(const Named& n) {
  return std::ranges::any_of(n.path, [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 || (c >= 'A' && c <= 'Z');
  });
}

std::vector<Collision> case_collisions(const std::vector<Named>& paths) {
  if (std::ranges::none_of(paths, may_change_when_folded)) return {};  // distinct as they are
  std::string block;                                                   // all folded paths
  std::vector<std::size_t> ends{0};
  ends.reserve(paths.size() + 1);
  for (const Named& p : paths) {
    block += nfc_casefold(p.path);
    ends.push_back(block.size());
  }
  const auto text = [&](std::size_t i) {
    return std::string_view(block).substr(ends[i], ends[i + 1] - ends[i]);
  };
  std::vector<Hashed> folded;
  folded.reserve(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i)
    folded.push_back({hash_of(text(i)), i});
  sort_by_text(folded, text);
  std::vector<Collision> found;
  for (std::size_t i = 1, first = 0; i < folded.size(); ++i) {
    if (folded[i].hash != folded[first].hash ||
        text(folded[i].index) != text(folded[first].index)) {
      first = i;
    } else {
      found.push_back({folded[first].index, folded[i].index});
    }
  }
  return found;
}

/// The paths that exist after the patch, to be asked for by hash and text.
class ExistingPaths {
 public:
  explicit ExistingPaths(const std::vector<Named>& paths) : paths_(paths) {
    sorted_.reserve(paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i)
      if (paths[i].exists_afterwards) sorted_.push_back({paths[i].hash, i});
    sort_by_text(sorted_, [&](std::size_t i) { return paths[i].path; });
    seen_.resize(std::bit_ceil(8 * sorted_.size() + 1));
    for (const Hashed& h : sorted_)
      seen_[slot(h.hash)] = true;
  }
  const Hashed* find(std::uint64_t hash, std::string_view text) const {
    if (!seen_[slot(hash)]) return nullptr;  // nearly all questions end here
    const auto at = std::ranges::partition_point(sorted_, [&](const Hashed& h) {
      return h.hash != hash ? h.hash < hash : paths_[h.index].path < text;
    });
    const bool found = at != sorted_.end() && at->hash == hash && paths_[at->index].path == text;
    return found ? &*at : nullptr;
  }

 private:
  std::size_t slot(std::uint64_t hash) const { return (hash ^ hash >> 32) & (seen_.size() - 1); }

  const std::vector<Named>& paths_;
  std::vector<Hashed> sorted_;
  std::vector<bool> seen_;
};

std::vector<Collision> file_dir_conflicts(const std::vector<Named>& paths) {
  const ExistingPaths existing(paths);
  std::vector<Collision> found;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string_view path = paths[i].path;
    const Hashed* parent = nullptr;
    PathHash hash;
    for (std::size_t at = 0; at < path.size(); ++at) {
      if (path[at] == '/')
        if (const Hashed* file = existing.find(hash.value, path.substr(0, at))) parent = file;
      hash.add(path[at]);
    }
    if (parent != nullptr) found.push_back({parent->index, i});
  }
  return found;
}

void report(ViolationCollector& out, Rule rule, std::vector<Collision> found,
            const std::vector<Named>& paths, std::string_view sentence) {
  const auto place = [](const Collision& c) { return std::max(c.earlier, c.later); };
  std::ranges::sort(found, {}, place);
  for (const Collision& c : found)
    out.add(rule, [&] {
      const Named& at = paths[place(c)];
      return Violation{.rule = rule,
                       .message = fmt::format(fmt::runtime(sentence), shown(paths[c.earlier].path),
                                              shown(paths[c.later].path)),
                       .file = std::string(at.path),
                       .line = at.line,
                       .section = at.section};
    });
}

}  // namespace

Violations check_paths(const diff::Patch& patch, bool windows_rules) {
  ViolationCollector out;
  std::vector<Named> sound;
  sound.reserve(patch.sections.size());
  std::int64_t number = 0;
  for (const diff::Section& s : patch.sections) {
    ++number;
    const auto look = [&](const std::string& path, bool exists_afterwards) {
      auto defect = path_defect(path, windows_rules);
      if (!defect) {
        sound.push_back({path, hash_of(path), number, s.line, exists_afterwards});
        return;
      }
      defect->line = s.line;
      defect->section = number;
      out.add(*std::move(defect));
    };
    using enum diff::Operation;
    if (s.old_path != s.new_path) look(s.old_path, s.op == copy);
    look(s.new_path, s.op != remove);
    out.end_section();
  }
  report(out, Rule::path_case_collision, case_collisions(sound), sound,
         "paths {} and {} are equal after case folding");
  report(out, Rule::path_file_dir_conflict, file_dir_conflicts(sound), sound,
         "path {} is a file and also a folder of {}");
  return out.take();
}

}  // namespace gh::patch
