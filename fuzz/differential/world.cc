#include "fuzz/differential/world.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gh::fuzz {
namespace {

// No name is a folder of another, so that any subset of them is a tree.
constexpr std::array<std::string_view, 28> kPaths{"README.md",
                                                  "aa",
                                                  "b.txt",
                                                  "src/main.c",
                                                  "src/util.c",
                                                  "src/util.h",
                                                  "src/deep/x.c",
                                                  "src/deep/er/y.c",
                                                  "docs/guide.md",
                                                  "docs/a b.md",
                                                  "with space/f",
                                                  "x b/y",
                                                  "caf\xc3\xa9.txt",
                                                  "\xc3\xa9/\xc3\xbc",
                                                  "tools/run.sh",
                                                  "tools/run",
                                                  "long/component/path",
                                                  "z.json",
                                                  "dev/null",
                                                  "b/b",
                                                  "a/a.txt/x",
                                                  "-dash",
                                                  "+plus",
                                                  "@@at",
                                                  "link",
                                                  "module",
                                                  "empty",
                                                  "sub/.gitattributes"};

constexpr std::array<std::string_view, 22> kLines{"",
                                                  "a",
                                                  "a",
                                                  "a",
                                                  "b",
                                                  "b",
                                                  "}",
                                                  "int f(void) {",
                                                  "  return 0;",
                                                  "- x",
                                                  "-- ",
                                                  "++ b/one",
                                                  "@@ -1 +1 @@",
                                                  "diff --git a/a b/a",
                                                  "\\ No newline at end of file",
                                                  " leading",
                                                  "trailing ",
                                                  "tab\tinside",
                                                  "carriage\r",
                                                  "caf\xc3\xa9",
                                                  "line\xe2\x80\xa8separator",
                                                  "raw\xff\xfe"};

std::string random_line(Chance& chance) {
  std::string line(chance.pick(kLines));
  if (chance.one_in(3)) line += std::to_string(chance.below(20));
  return line;
}

std::string random_text(Chance& chance) {
  if (chance.one_in(12)) return "";
  std::string text;
  const bool crlf = chance.one_in(10);
  for (std::size_t lines = chance.one_in(8) ? chance.below(80) : 1 + chance.below(15); lines > 0;
       --lines)
    text += random_line(chance) + (crlf ? "\r\n" : "\n");
  if (chance.one_in(6) && !text.empty()) text.pop_back();
  return text;
}

Entry random_entry(std::string_view path, Chance& chance) {
  if (path == "link") return {FileMode::symlink, chance.one_in(2) ? "aa" : "src/main.c"};
  if (path == "module") {
    std::string id(40, '1');
    id[chance.below(40)] = '2';
    return {FileMode::gitlink, id};
  }
  if (path.ends_with(".gitattributes"))
    return {FileMode::regular, chance.one_in(2) ? "*.bin filter=lfs\n" : "* text=auto\n"};
  return {chance.one_in(6) ? FileMode::executable : FileMode::regular, random_text(chance)};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t lf = text.find('\n', at);
    const std::size_t end = lf == text.npos ? text.size() : lf + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

std::string edit_text(const std::string& text, Chance& chance) {
  std::vector<std::string> lines = lines_of(text);
  for (std::size_t edits = 1 + chance.below(4); edits > 0; --edits) {
    const std::size_t at = chance.below(lines.size() + 1);
    const auto where = lines.begin() + static_cast<std::ptrdiff_t>(at);
    if (at == lines.size() || chance.one_in(3)) {
      lines.insert(where, random_line(chance) + "\n");
    } else if (chance.one_in(2)) {
      lines.erase(where);
    } else {
      lines[at] = random_line(chance) + "\n";
    }
  }
  std::string out;
  for (const std::string& line : lines)
    out += line;
  if (chance.one_in(6) && out.ends_with('\n')) out.pop_back();
  return out;
}

void edit_entry(Entry& entry, std::string_view path, Chance& chance) {
  const bool is_text = entry.mode == FileMode::regular || entry.mode == FileMode::executable;
  if (!is_text) {
    entry = random_entry(path, chance);
  } else if (chance.one_in(6)) {
    entry.mode = entry.mode == FileMode::regular ? FileMode::executable : FileMode::regular;
  } else {
    entry.bytes = edit_text(entry.bytes, chance);
  }
}

bool is_free(const Tree& tree, std::string_view path) { return !tree.contains(std::string(path)); }

/// Moves or copies a random file to a path that is free.
void move_entry(Tree& tree, Chance& chance) {
  const std::string_view to = chance.pick(kPaths);
  auto from = tree.begin();
  std::advance(from, static_cast<std::ptrdiff_t>(chance.below(tree.size())));
  if (!is_free(tree, to) || to.ends_with(".gitattributes") || to == "link" || to == "module")
    return;
  Entry moved = from->second;
  if (moved.mode == FileMode::symlink || moved.mode == FileMode::gitlink) return;
  if (chance.one_in(2)) moved.bytes = edit_text(moved.bytes, chance);
  if (!chance.one_in(3)) tree.erase(from);
  tree[std::string(to)] = std::move(moved);
}

void sort_as_git(std::vector<TreeEntry>& entries) {
  std::ranges::sort(entries, {}, [](const TreeEntry& e) {
    return e.name + (e.mode == FileMode::tree ? "/" : "");
  });
}

}  // namespace

Tree random_tree(Chance& chance) {
  Tree tree;
  for (const std::string_view path : kPaths)
    if (!chance.one_in(3)) tree[std::string(path)] = random_entry(path, chance);
  tree["README.md"] = {FileMode::regular, "# readme\n"};
  return tree;
}

Tree random_edit(const Tree& base, Chance& chance) {
  Tree tree = base;
  for (std::size_t edits = 1 + chance.below(4); edits > 0; --edits) {
    const std::string path(chance.pick(kPaths));
    const auto found = tree.find(path);
    if (chance.one_in(5)) {
      move_entry(tree, chance);
    } else if (found == tree.end()) {
      tree[path] = random_entry(path, chance);
    } else if (chance.one_in(5) && tree.size() > 1) {
      tree.erase(found);
    } else {
      edit_entry(found->second, path, chance);
    }
  }
  return tree;
}

bool is_plain_edit(const Tree& base, const Tree& edited) {
  const auto is_plain = [](const Tree& from, const Tree& other) {
    return std::ranges::all_of(from, [&](const auto& row) {
      const auto twin = other.find(row.first);
      if (twin != other.end() && twin->second == row.second) return true;
      return row.second.mode != FileMode::symlink && row.second.mode != FileMode::gitlink &&
             !row.first.ends_with(".gitattributes") && row.first.find(" b/") == std::string::npos;
    });
  };
  return is_plain(base, edited) && is_plain(edited, base);
}

std::string tree_bytes(std::vector<TreeEntry> entries) {
  sort_as_git(entries);
  std::string out;
  for (const TreeEntry& e : entries) {
    const std::string mode = e.mode == FileMode::tree ? "40000" : to_string(e.mode);
    out += mode + " " + e.name + std::string(1, '\0') + std::string(e.id.raw());
  }
  return out;
}

ObjectId MemorySource::add(const Tree& tree) { return add_folder(tree, ""); }

ObjectId MemorySource::add_folder(const Tree& tree, const std::string& prefix) {
  std::vector<TreeEntry> entries;
  for (auto it = tree.lower_bound(prefix); it != tree.end() && it->first.starts_with(prefix);) {
    const std::string rest = it->first.substr(prefix.size());
    const std::string name = rest.substr(0, rest.find('/'));
    if (name.size() < rest.size()) {
      const std::string folder = prefix + name + "/";
      entries.push_back({name, FileMode::tree, add_folder(tree, folder)});
      while (it != tree.end() && it->first.starts_with(folder))
        ++it;
      continue;
    }
    if (it->second.mode == FileMode::gitlink) {
      entries.push_back({name, FileMode::gitlink, *ObjectId::parse(it->second.bytes)});
    } else {
      const ObjectId id = ObjectId::of(HashKind::sha1, "blob", it->second.bytes);
      blobs_.emplace(id.hex(), it->second.bytes);
      entries.push_back({name, it->second.mode, id});
    }
    ++it;
  }
  sort_as_git(entries);
  const ObjectId id = ObjectId::of(HashKind::sha1, "tree", tree_bytes(entries));
  trees_.emplace(id.hex(), std::move(entries));
  return id;
}

Result<gh::Tree> MemorySource::tree(const ObjectId& id) {
  const auto found = trees_.find(id.hex());
  if (found == trees_.end()) return fail(Code::io_error, "no tree " + id.hex());
  return gh::Tree(found->second);
}

Result<std::string> MemorySource::blob(const ObjectId& id) {
  const auto found = blobs_.find(id.hex());
  if (found == blobs_.end()) return fail(Code::io_error, "no blob " + id.hex());
  return found->second;
}

}  // namespace gh::fuzz
