// Readers of what git and the kernel print: whatever the bytes, they end, and what they accept has
// one meaning.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "fuzz/require.h"
#include "git/index_reader.h"
#include "git/listings.h"
#include "git/numstat.h"
#include "git/objects.h"
#include "git/tail.h"
#include "sys/process_identity.h"

namespace gh {
namespace {

/// A tree as git writes it; entries of historical modes come out shorter or equal.
std::string written(const Tree& entries) {
  std::string out;
  for (const TreeEntryView e : entries)
    append_entry(out, e.name, e.mode, e.id);
  return out;
}

void check_tree(std::string_view bytes, HashKind kind) {
  const auto tree = git::parse_tree(std::string(bytes), kind);
  if (!tree) return;
  const std::string again = written(*tree);
  const auto reread = git::parse_tree(again, kind);
  REQUIRE(reread.has_value() && written(*reread) == again && again.size() <= bytes.size());
}

void check_numstat(std::string_view bytes) {
  const auto rows = git::parse_apply_numstat(bytes);
  if (!rows) return;
  std::string again;
  for (const git::NumstatRow& row : *rows)
    again +=
        std::to_string(row.added) + '\t' + std::to_string(row.deleted) + '\t' + row.path + '\0';
  REQUIRE(git::parse_apply_numstat(again) == rows);
}

/// A record of git status that says no more than what is read of it.
std::string written(const git::DirtyPath& row) {
  if (row.status_xy == "??") return "? " + row.path + (row.is_submodule ? "/" : "") + '\0';
  const std::string sub = row.is_submodule ? "S..." : "N...";
  const std::string side = row.index_mode + " 0 0 0 ";
  return (row.is_unmerged ? "u " : "1 ") + row.status_xy + ' ' + sub + " 0 " +
         (row.is_unmerged ? side + row.index_id + " 0 "
                          : row.index_mode + " 0 0 " + row.index_id + ' ') +
         row.path + '\0';
}

void check_status(std::string_view bytes) {
  const auto rows = git::parse_status(bytes);
  if (!rows) return;
  std::string again;
  for (const git::DirtyPath& row : *rows) {
    REQUIRE(!row.path.empty() && row.path.find('\0') == std::string::npos);
    REQUIRE(row.status_xy.size() == 2 && row.top_path == row.path && !row.is_outside);
    again += written(row);
  }
  const auto reread = git::parse_status(again);
  REQUIRE(reread.has_value() && *reread == *rows);
}

void check_index_notes(std::string_view bytes) {
  const auto notes = git::parse_index_notes(bytes);
  if (!notes) return;
  for (const git::IndexNote& note : *notes)
    REQUIRE(note.path.find('\0') == std::string::npos &&
            (note.is_assumed_unchanged || note.mode == "160000"));
}

void check_index(std::string_view bytes, HashKind kind) {
  const auto notes = git::notes_in_index(bytes, kind);
  if (!notes) return;
  REQUIRE(bytes.size() > notes->size() * 60);
  for (const git::IndexNote& note : *notes)
    REQUIRE(!note.path.empty() && note.path.find('\0') == std::string::npos &&
            (note.is_assumed_unchanged || note.mode == "160000"));
}

void check_worktrees(std::string_view bytes) {
  const auto trees = git::parse_worktrees(bytes);
  if (!trees) return;
  for (const git::Worktree& tree : *trees)
    REQUIRE(!tree.folder.empty() && tree.folder.find('\0') == std::string::npos);
}

void check_process(std::string_view bytes) {
  const auto seen = sys::parse_process_stat(bytes);
  if (seen) REQUIRE(seen->parent >= 0 && seen->start_ticks >= 0);
}

void check_tail(std::string_view bytes) {
  const std::string tail = git::output_tail(bytes, "/repo");
  REQUIRE(tail.size() <= git::kTailBytes && is_utf8(tail));
  REQUIRE(std::ranges::count(tail, '\n') < static_cast<std::ptrdiff_t>(git::kTailLines));
}

}  // namespace
}  // namespace gh

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  gh::check_tree(bytes, gh::HashKind::sha1);
  gh::check_tree(bytes, gh::HashKind::sha256);
  gh::check_numstat(bytes);
  gh::check_tail(bytes);
  (void)gh::git::parse_log_numstat(bytes);
  gh::check_status(bytes);
  gh::check_index_notes(bytes);
  gh::check_index(bytes, gh::HashKind::sha1);
  gh::check_index(bytes, gh::HashKind::sha256);
  gh::check_worktrees(bytes);
  gh::check_process(bytes);
  (void)gh::git::parse_staged(bytes);
  (void)gh::git::parse_attributes(bytes);
  (void)gh::git::parse_commit(*gh::ObjectId::parse(std::string(40, 'a')), bytes);
  return 0;
}
