#include "git/numstat.h"

#include <charconv>

#include "base/text.h"

namespace gh::git {
namespace {

constexpr char kCommitMark = '\x01';

/// "<added> TAB <deleted> TAB <path>", counts "-" for binary content.
struct Counted {
  std::optional<std::int64_t> added, deleted;  // both or none
  std::string_view path;
};

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (bad != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::optional<Counted> counted(std::string_view record) {
  const std::size_t first = record.find('\t');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = record.find('\t', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto added = record.substr(0, first);
  const auto deleted = record.substr(first + 1, second - first - 1);
  const auto path = record.substr(second + 1);
  if (added == "-" && deleted == "-") return Counted{{}, {}, path};
  const Counted row{whole_number(added), whole_number(deleted), path};
  if (!row.added || !row.deleted) return std::nullopt;
  return row;
}

/// Records between NULs; nullopt when the last one has no NUL.
std::optional<std::vector<std::string_view>> records(std::string_view bytes) {
  if (bytes.empty()) return std::vector<std::string_view>{};
  if (bytes.back() != '\0') return std::nullopt;
  return split(bytes.substr(0, bytes.size() - 1), '\0');
}

}  // namespace

std::optional<std::vector<NumstatRow>> parse_apply_numstat(std::string_view bytes) {
  const auto all = records(bytes);
  if (!all) return std::nullopt;
  std::vector<NumstatRow> rows;
  for (const std::string_view record : *all) {
    const auto row = counted(record);
    if (!row || !row->added || row->path.empty()) return std::nullopt;
    rows.push_back({std::string(row->path), *row->added, *row->deleted});
  }
  return rows;
}

std::optional<std::vector<CommitSize>> parse_log_numstat(std::string_view bytes) {
  const auto all = records(bytes);
  if (!all) return std::nullopt;
  std::vector<CommitSize> commits;
  for (std::size_t at = 0; at < all->size(); ++at) {
    std::string_view record = (*all)[at];
    if (record.starts_with('\n')) record.remove_prefix(1);
    if (record.starts_with(kCommitMark)) {
      const auto id = ObjectId::parse(record.substr(1));
      if (!id) return std::nullopt;
      commits.push_back({.id = *id});
      continue;
    }
    const auto row = counted(record);
    if (!row || commits.empty()) return std::nullopt;
    const bool renamed = row->path.empty();  // then both names follow as records of their own
    if (renamed && all->size() - at < 3) return std::nullopt;
    if (renamed) at += 2;
    CommitSize& size = commits.back();
    size.paths += renamed ? 2 : 1;
    size.added += row->added.value_or(0);
    size.deleted += row->deleted.value_or(0);
    size.binary = size.binary || !row->added;
  }
  return commits;
}

}  // namespace gh::git
