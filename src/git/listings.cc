#include "git/listings.h"

#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::git {
namespace {

tl::unexpected<Error> unknown_form(std::string_view command, std::string_view record) {
  return fail(Code::git_failed,
              fmt::format("git {}: answer of unknown form '{}'", command, printable(record)));
}

std::vector<std::string_view> records(std::string_view bytes) {
  if (bytes.ends_with('\0')) bytes.remove_suffix(1);
  return bytes.empty() ? std::vector<std::string_view>{} : split(bytes, '\0');
}

template <class Number>
bool read_number(std::string_view text, Number& value, int base) {
  const char* const end = text.data() + text.size();
  const auto [at, bad] = std::from_chars(text.data(), end, value, base);
  return bad == std::errc{} && at == end;
}

/// The first `count` words and the rest, which may hold spaces; empty when there are fewer.
std::vector<std::string_view> words_and_rest(std::string_view record, std::size_t count) {
  std::vector<std::string_view> out;
  while (out.size() < count) {
    const std::size_t space = record.find(' ');
    if (space == std::string_view::npos) return {};
    out.push_back(record.substr(0, space));
    record.remove_prefix(space + 1);
  }
  out.push_back(record);
  return out;
}

/// "1 XY sub mH mI mW hH hI path" and "u XY sub m1 m2 m3 mW h1 h2 h3 path".
std::optional<DirtyPath> tracked_path(std::string_view record) {
  const bool unmerged = record.starts_with("u ");
  const auto words = words_and_rest(record, unmerged ? 10 : 8);
  if (words.empty() || (!unmerged && words[0] != "1") || words[1].size() != 2) return std::nullopt;
  if (words[1] == "??" || words[2].size() != 4 || words.back().empty()) return std::nullopt;
  return DirtyPath{.path = std::string(words.back()),
                   .top_path = std::string(words.back()),
                   .status_xy = std::string(words[1]),
                   .index_mode = std::string(words[4]),
                   .index_id = std::string(words[unmerged ? 8 : 7]),
                   .is_unmerged = unmerged,
                   .is_submodule = words[2].starts_with('S')};
}

/// "? path"; a folder that git does not look into, since it is a repository, ends in a slash.
std::optional<DirtyPath> untracked_path(std::string_view record) {
  record.remove_prefix(2);
  const bool is_repository = record.ends_with('/');
  if (is_repository) record.remove_suffix(1);
  if (record.empty()) return std::nullopt;
  return DirtyPath{.path = std::string(record),
                   .top_path = std::string(record),
                   .status_xy = "??",
                   .is_submodule = is_repository};
}

/// "T mode id stage\tpath", T in lower case for an entry that is assumed unchanged.
std::optional<IndexNote> index_note(std::string_view record) {
  const std::size_t tab = record.find('\t');
  if (tab == std::string_view::npos) return std::nullopt;
  const auto words = split(record.substr(0, tab), ' ');
  if (words.size() != 4 || words[0].size() != 1) return std::nullopt;
  return IndexNote{.path = std::string(record.substr(tab + 1)),
                   .mode = std::string(words[1]),
                   .id = std::string(words[2]),
                   .is_assumed_unchanged = words[0][0] >= 'a' && words[0][0] <= 'z'};
}

/// Most entries need no note: told by their first bytes, before anything is copied.
bool needs_note(std::string_view record) {
  const bool is_marked = !record.empty() && record[0] >= 'a' && record[0] <= 'z';
  return is_marked || record.substr(0, 8).ends_with(" 160000");
}

/// One line of a worktree: a word, or a word and its value.
bool take_worktree_line(std::string_view line, Worktree& tree) {
  const std::size_t space = line.find(' ');
  const std::string_view word = line.substr(0, space);
  const std::string_view value =
      space == std::string_view::npos ? std::string_view() : line.substr(space + 1);
  if (word == "worktree") tree.folder = value;
  if (word == "HEAD") tree.head = value;
  if (word == "branch") tree.branch = value;
  tree.is_bare |= word == "bare";
  tree.is_locked |= word == "locked";
  tree.is_gone |= word == "prunable";
  return word == "worktree" || !tree.folder.empty();
}

}  // namespace

Result<std::vector<DirtyPath>> parse_status(std::string_view bytes) {
  std::vector<DirtyPath> paths;
  for (const std::string_view record : records(bytes)) {
    auto path = record.starts_with("? ") ? untracked_path(record) : tracked_path(record);
    if (!path) return unknown_form("status", record);
    paths.push_back(*std::move(path));
  }
  return paths;
}

Result<std::vector<IndexNote>> parse_index_notes(std::string_view bytes) {
  std::vector<IndexNote> notes;
  for (const std::string_view record : records(bytes)) {
    if (!needs_note(record)) continue;
    auto note = index_note(record);
    if (!note) return unknown_form("ls-files", record);
    notes.push_back(*std::move(note));
  }
  return notes;
}

Result<std::vector<Worktree>> parse_worktrees(std::string_view bytes) {
  std::vector<Worktree> trees;
  Worktree tree;
  for (const std::string_view line : split(bytes, '\0')) {
    if (!line.empty()) {
      if (!take_worktree_line(line, tree)) return unknown_form("worktree list", line);
    } else if (!tree.folder.empty()) {
      trees.push_back(std::exchange(tree, {}));
    }
  }
  if (!tree.folder.empty()) return unknown_form("worktree list", tree.folder);
  return trees;
}

Result<std::vector<StagedEntry>> parse_staged(std::string_view bytes) {
  std::vector<StagedEntry> entries;
  for (const std::string_view record : records(bytes)) {
    const std::size_t tab = record.find('\t');
    if (tab == std::string_view::npos) return unknown_form("ls-files", record);
    const auto words = split(record.substr(0, tab), ' ');
    const auto id = words.size() == 3 ? ObjectId::parse(words[1]) : std::nullopt;
    if (!id) return unknown_form("ls-files", record);
    StagedEntry entry{.path = std::string(record.substr(tab + 1)), .id = *id};
    if (!read_number(words[0], entry.mode, 8) || !read_number(words[2], entry.stage, 10))
      return unknown_form("ls-files", record);
    entries.push_back(std::move(entry));
  }
  return entries;
}

Result<std::vector<TreeFile>> parse_tree_files(std::string_view bytes) {
  std::vector<TreeFile> files;
  for (const std::string_view record : records(bytes)) {
    const std::size_t tab = record.find('\t');
    if (tab == std::string_view::npos) return unknown_form("ls-tree", record);
    const auto words = split(record.substr(0, tab), ' ');
    const auto id = words.size() == 3 ? ObjectId::parse(words[2]) : std::nullopt;
    if (!id) return unknown_form("ls-tree", record);
    TreeFile file{.path = std::string(record.substr(tab + 1)), .id = *id};
    if (!read_number(words[0], file.mode, 8)) return unknown_form("ls-tree", record);
    files.push_back(std::move(file));
  }
  return files;
}

Result<std::vector<Attribute>> parse_attributes(std::string_view bytes) {
  const auto all = records(bytes);
  if (all.size() % 3 != 0) return unknown_form("check-attr", all.back());
  std::vector<Attribute> out;
  for (std::size_t at = 0; at < all.size(); at += 3)
    out.push_back({std::string(all[at]), std::string(all[at + 1]), std::string(all[at + 2])});
  return out;
}

}  // namespace gh::git
