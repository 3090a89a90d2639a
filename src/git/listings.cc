#include "git/listings.h"

#include <charconv>
#include <optional>

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
std::optional<TrackedChange> tracked_change(std::string_view record) {
  const bool unmerged = record.starts_with("u ");
  const auto words = words_and_rest(record, unmerged ? 10 : 8);
  if (words.empty() || (!unmerged && words[0] != "1") || words[1].size() != 2) return std::nullopt;
  TrackedChange change{.path = std::string(words.back()),
                       .index_mode = {},
                       .index_id = {},
                       .work_mode = {},
                       .work_sha256 = {}};
  change.staged = words[1][0] != '.';
  change.in_work_tree = words[1][1] != '.';
  change.index_mode = words[4];
  change.index_id = words[unmerged ? 8 : 7];
  return change;
}

}  // namespace

Result<std::vector<TrackedChange>> parse_status(std::string_view bytes) {
  std::vector<TrackedChange> changes;
  for (const std::string_view record : records(bytes)) {
    auto change = tracked_change(record);
    if (!change) return unknown_form("status", record);
    changes.push_back(*std::move(change));
  }
  return changes;
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

Result<std::vector<Attribute>> parse_attributes(std::string_view bytes) {
  const auto all = records(bytes);
  if (all.size() % 3 != 0) return unknown_form("check-attr", all.back());
  std::vector<Attribute> out;
  for (std::size_t at = 0; at < all.size(); at += 3)
    out.push_back({std::string(all[at]), std::string(all[at + 1]), std::string(all[at + 2])});
  return out;
}

}  // namespace gh::git
