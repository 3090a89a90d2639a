#include "patch/touched_tree.h"

#include <algorithm>

#include "base/text.h"
#include "base/unicode.h"
#include "patch/gates.h"
#include "patch/paths.h"

namespace gh::patch {
namespace {

bool is_tree(const TreeEntry& e) { return e.mode == FileMode::tree; }

bool entry_before(const TreeEntry* a, const TreeEntry* b) {
  return comes_before(a->name, is_tree(*a), b->name, is_tree(*b));
}

constexpr std::size_t kUsualEntryBytes = 48;

/// Names of a base tree need not be UTF-8.
std::string folded_name(std::string_view name) {
  if (is_utf8(name)) return nfc_casefold(name);
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return lower;
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

}  // namespace

Result<TouchedTree::Folder*> TouchedTree::load(std::string_view path, const ObjectId& id) {
  if (const auto known = folders_.find(path); known != folders_.end()) return &known->second;
  GH_TRY(entries, source_.tree(id));
  return &folders_.emplace(path, Folder{std::move(entries), {}, {}}).first->second;
}

Result<Found> TouchedTree::find(std::string_view path) {
  GH_TRY(root, load("", root_));
  const Folder* folder = root;
  for (std::size_t start = 0;;) {
    const std::size_t slash = path.find('/', start);
    auto entry = folder->base.find(path.substr(start, slash - start));
    if (!entry) return Found{};
    if (slash == std::string_view::npos) return Found{std::move(entry), {}};
    const std::string_view here = path.substr(0, slash);
    if (!is_tree(*entry)) return Found{{}, entry->mode, std::string(here)};
    GH_TRY(next, load(here, entry->id));
    folder = next;
    start = slash + 1;
  }
}

Result<TouchedTree::Folder*> TouchedTree::parent_for_change(std::string_view path) {
  const std::string_view folder = folder_of(path);
  GH_DO(find(path));  // loads every folder of the base on the way
  for (std::size_t slash = folder.find('/');; slash = folder.find('/', slash + 1)) {
    const std::string_view here = folder.substr(0, slash);
    const auto known = folders_.find(here);
    Folder& at = known != folders_.end() ? known->second : folders_[std::string(here)];
    if (slash == std::string_view::npos) return &at;
  }
}

Status TouchedTree::put(std::string_view path, FileMode mode, ObjectId id) {
  GH_TRY(folder, parent_for_change(path));
  const std::string name(basename(path));
  folder->changes.insert_or_assign(name, TreeEntry{name, mode, id});
  return {};
}

Status TouchedTree::remove(std::string_view path) {
  GH_TRY(folder, parent_for_change(path));
  folder->changes.insert_or_assign(std::string(basename(path)), std::nullopt);
  return {};
}

/// Visits the folder's entries in git's order, with the changes laid over them.
template <typename Visit>
void TouchedTree::visit_result(const Folder& folder, Visit visit) {
  std::vector<const TreeEntry*> added;
  for (const auto& [name, entry] : folder.changes)
    if (entry) added.push_back(&*entry);
  std::ranges::sort(added, entry_before);
  auto next = added.begin();
  const auto visit_added = [&] {
    visit(TreeEntryView{(*next)->name, (*next)->mode, (*next)->id});
    ++next;
  };
  for (const TreeEntryView e : folder.base) {
    if (folder.changes.contains(e.name)) continue;
    while (next != added.end() &&
           comes_before((*next)->name, is_tree(**next), e.name, e.mode == FileMode::tree))
      visit_added();
    visit(e);
  }
  while (next != added.end())
    visit_added();
}

Result<ObjectId> TouchedTree::write() {
  GH_DO(load("", root_));
  const HashKind kind = source_.hash_kind();
  const ObjectId empty = ObjectId::of(kind, "tree", "");
  // A folder sorts before what lies below it, so backwards means bottom-up.
  for (auto at = folders_.rbegin(); at != folders_.rend(); ++at) {
    const auto& [path, folder] = *at;
    if (folder.changes.empty()) continue;
    std::string bytes;
    bytes.reserve(folder.base.byte_size() + folder.changes.size() * kUsualEntryBytes);
    visit_result(folder, [&](const TreeEntryView& e) {
      // git's index has no place for a folder without files, so a rewritten tree loses it.
      if (e.mode != FileMode::tree || e.id != empty) append_entry(bytes, e.name, e.mode, e.id);
    });
    const ObjectId id = ObjectId::of(kind, "tree", bytes);
    if (path.empty()) {
      root_ = id;
      continue;
    }
    const std::string name(basename(path));
    auto& in_parent = folders_.find(folder_of(path))->second.changes[name];
    if (bytes.empty()) {
      in_parent.reset();
    } else {
      in_parent = TreeEntry{name, FileMode::tree, id};
    }
  }
  return root_;
}

const std::vector<std::pair<std::string, std::string>>& TouchedTree::folded_names(Folder& folder) {
  if (!folder.folded_names) {
    folder.folded_names.emplace();
    visit_result(folder, [&](const TreeEntryView& e) {
      folder.folded_names->emplace_back(folded_name(e.name), e.name);
    });
    std::ranges::sort(*folder.folded_names);
  }
  return *folder.folded_names;
}

std::optional<TouchedTree::Collision> TouchedTree::case_collision(std::string_view path) {
  for (std::size_t start = 0;;) {
    const std::size_t slash = path.find('/', start);
    const std::string_view name = path.substr(start, slash - start);
    const std::string_view parent = path.substr(0, start == 0 ? 0 : start - 1);
    const auto at = folders_.find(parent);
    if (at == folders_.end()) return std::nullopt;
    if (!at->second.base.find(name)) {
      const auto& names = folded_names(at->second);
      const std::string folded = folded_name(name);
      for (auto same = std::ranges::lower_bound(names, std::pair(folded, std::string()));
           same != names.end() && same->first == folded; ++same)
        if (same->second != name)
          return Collision{std::string(path.substr(0, slash)),
                           std::string(path.substr(0, start)) + same->second};
    }
    if (slash == std::string_view::npos) return std::nullopt;
    start = slash + 1;
  }
}

Result<std::optional<TreeEntry>> find_entry(TreeSource& source, const ObjectId& base_tree,
                                            std::string_view path) {
  GH_TRY(found, TouchedTree(source, base_tree).find(path));
  return std::move(found.entry);
}

}  // namespace gh::patch
