#include "setup/line_text.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "wire/toml.h"

namespace gh::setup {
namespace {

/// Lines with their ends; the last one may have none.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t size = end == text.npos ? text.size() : end + 1;
    out.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return out;
}

std::string_view bare(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r\n");
  if (first == line.npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r\n") - first + 1);
}

std::string line_end_of(std::string_view text) {
  const std::size_t first = text.find('\n');
  // A carriage return at an open end must not become half of an end that we add.
  if (first == text.npos && text.ends_with('\r')) return "\r\n";
  return first != text.npos && first > 0 && text[first - 1] == '\r' ? "\r\n" : "\n";
}

/// Puts whole lines before line `at`. Behind a last line without end they get its end, and it
/// theirs.
std::string with_lines(std::string_view text, std::size_t at, const Lines& added) {
  const std::vector<std::string_view> lines = lines_of(text);
  const std::string end = line_end_of(text);
  std::string out, block;
  for (const std::string& line : added)
    block += line + end;
  const bool is_behind_open_end = at == lines.size() && !text.empty() && !text.ends_with('\n');
  if (is_behind_open_end) {
    block.resize(block.size() - end.size());
    return std::string(text) + end + block;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == at) out += block;
    out += lines[i];
  }
  if (at == lines.size()) out += block;
  return out;
}

/// Takes lines [from, to) away, the reverse of with_lines.
std::string without_lines(std::string_view text, std::size_t from, std::size_t to) {
  const std::vector<std::string_view> lines = lines_of(text);
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (i < from || i >= to) out += lines[i];
  const bool was_open_end = to == lines.size() && !text.ends_with('\n') && from > 0;
  if (!was_open_end) return out;
  // Its end was added with our lines, and is like theirs: a carriage return before it may not be.
  const bool is_short = lines[from].ends_with('\n') && !lines[from].ends_with("\r\n");
  const std::string_view last = lines[from - 1];
  out.resize(out.size() - (is_short ? 1 : last.size() - bare(last).size()));
  return out;
}

struct Range {
  std::size_t from = 0, to = 0;
};

std::optional<Range> block_in(std::string_view text, const Marks& marks) {
  const std::vector<std::string_view> lines = lines_of(text);
  std::optional<std::size_t> from;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (trimmed(lines[i]) == marks.begin) from = i;
    if (from && trimmed(lines[i]) == marks.end) return Range{*from, i + 1};
  }
  return std::nullopt;
}

Lines marked(const Lines& lines, const Marks& marks, std::string_view indent) {
  Lines out{std::string(indent) + marks.begin};
  for (const std::string& line : lines)
    out.push_back(line.empty() ? line : std::string(indent) + line);
  out.push_back(std::string(indent) + marks.end);
  return out;
}

std::string replaced(std::string_view text, Range old, const Lines& lines) {
  const std::vector<std::string_view> all = lines_of(text);
  const std::string end = line_end_of(text);
  std::string out;
  for (std::size_t i = 0; i < old.from; ++i)
    out += all[i];
  for (const std::string& line : lines)
    out += line + end;
  if (old.to == all.size() && !text.ends_with('\n')) out.resize(out.size() - end.size());
  for (std::size_t i = old.to; i < all.size(); ++i)
    out += all[i];
  return out;
}

bool is_empty_line(std::string_view line) { return bare(line).empty(); }

// ------------------------------------------------------------------------------------- TOML

/// Which lines of a TOML text stand inside of a text of several lines.
std::vector<bool> inside_texts(const std::vector<std::string_view>& lines) {
  std::vector<bool> out(lines.size(), false);
  std::string_view open;  // """ or '''
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out[i] = !open.empty();
    const std::string_view line = lines[i];
    for (std::size_t at = 0; at < line.size(); ++at) {
      if (!open.empty()) {
        if (open == "\"\"\"" && line[at] == '\\')
          ++at;
        else if (line.substr(at, 3) == open) {
          at += 2;
          open = {};
        }
        continue;
      }
      if (line[at] == '#') break;
      if (line.substr(at, 3) == "\"\"\"" || line.substr(at, 3) == "'''") {
        open = line[at] == '"' ? "\"\"\"" : "'''";
        at += 2;
      } else if (line[at] == '"' || line[at] == '\'') {
        const char quote = line[at];
        for (++at; at < line.size() && line[at] != quote; ++at)
          if (quote == '"' && line[at] == '\\') ++at;
      }
    }
  }
  return out;
}

bool is_header(std::string_view line) { return trimmed(line).starts_with('['); }

/// Neither empty nor a remark, unless it is one of ours.
bool says_something(std::string_view line, const Lines& ours) {
  const std::string_view text = trimmed(line);
  return !text.empty() && (!text.starts_with('#') || std::ranges::find(ours, text) != ours.end());
}

/// The table's lines: just ours when it is as we wrote it, else from its header to its last line
/// that says something.
std::optional<Range> table_in(std::string_view text, std::string_view table, const Lines& ours) {
  const std::vector<std::string_view> lines = lines_of(text);
  const std::vector<bool> inside = inside_texts(lines);
  const std::string header = fmt::format("[{}]", table);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (inside[i] || trimmed(lines[i]) != header) continue;
    std::size_t to = i + 1;
    while (to - i - 1 < ours.size() && to < lines.size() && bare(lines[to]) == ours[to - i - 1])
      ++to;
    if (to - i - 1 == ours.size()) return Range{i, to};
    to = i + 1;
    for (std::size_t k = i + 1; k < lines.size() && (inside[k] || !is_header(lines[k])); ++k)
      if (says_something(lines[k], ours)) to = k + 1;
    return Range{i, to};
  }
  return std::nullopt;
}

std::vector<std::string_view> path_of(std::string_view table) { return split(table, '.'); }

Result<std::optional<Map>> read_table(std::string_view text, std::string_view table,
                                      std::string_view name) {
  return wire::read_toml_table(text, name, path_of(table));
}

}  // namespace

Marks html_marks() { return {"<!-- gatehouse:begin v1 -->", "<!-- gatehouse:end -->"}; }

Marks hash_marks(std::string_view part) {
  const std::string of = part.empty() ? "" : fmt::format(" {}", part);
  return {"# gatehouse:begin v1" + of, "# gatehouse:end" + of};
}

std::string with_block_at(std::string_view text, const Lines& lines, const Marks& marks,
                          std::size_t line, std::string_view indent) {
  const Lines ours = marked(lines, marks, indent);
  if (const auto old = block_in(text, marks)) return replaced(text, *old, ours);
  return with_lines(text, line, ours);
}

std::string with_block(std::string_view text, const Lines& lines, const Marks& marks) {
  if (const auto old = block_in(text, marks)) return replaced(text, *old, marked(lines, marks, ""));
  Lines ours = marked(lines, marks, "");
  if (!text.empty()) ours.insert(ours.begin(), "");
  return with_lines(text, lines_of(text).size(), ours);
}

std::string without_block(std::string_view text, const Marks& marks) {
  const auto found = block_in(text, marks);
  if (!found) return std::string(text);
  const std::vector<std::string_view> lines = lines_of(text);
  const bool is_last = found->to == lines.size();
  const bool has_gap = is_last && found->from > 0 && is_empty_line(lines[found->from - 1]);
  return without_lines(text, found->from - (has_gap ? 1 : 0), found->to);
}

bool has_block(std::string_view text, const Marks& marks) {
  return block_in(text, marks).has_value();
}

Result<std::string> with_toml_table(std::string_view text, std::string_view table,
                                    const Lines& lines, std::string_view name) {
  std::string fresh = fmt::format("[{}]\n", table);
  for (const std::string& line : lines)
    fresh += line + "\n";
  GH_TRY(wanted, read_table(fresh, table, name));
  GH_TRY(there, read_table(text, table, name));
  if (there && *there == *wanted) return std::string(text);
  Lines ours{fmt::format("[{}]", table)};
  ours.insert(ours.end(), lines.begin(), lines.end());
  std::string out;
  if (const auto old = table_in(text, table, lines)) {
    out = replaced(text, *old, ours);
  } else if (there) {
    return fail(Code::conflict,
                fmt::format("{} has {} in another form than [{}]", name, table, table));
  } else {
    if (!text.empty()) ours.insert(ours.begin(), "");
    out = with_lines(text, lines_of(text).size(), ours);
  }
  GH_TRY(after, read_table(out, table, name));
  if (!after || !(*after == *wanted))
    return fail(Code::conflict, fmt::format("{} has no room for [{}]", name, table));
  return out;
}

Result<std::string> without_toml_table(std::string_view text, std::string_view table,
                                       const Lines& ours, std::string_view name) {
  GH_TRY(there, read_table(text, table, name));
  const auto found = table_in(text, table, ours);
  if (!there || !found) return std::string(text);
  const std::vector<std::string_view> lines = lines_of(text);
  const bool is_last = found->to == lines.size();
  const bool has_gap = is_last && found->from > 0 && is_empty_line(lines[found->from - 1]);
  return without_lines(text, found->from - (has_gap ? 1 : 0), found->to);
}

}  // namespace gh::setup
