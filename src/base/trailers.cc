#include "base/trailers.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/letters.h"

namespace gh {
namespace {

// clang-format off
// table: commit_trailers
constexpr std::array<std::string_view, 9> kKeys{
    "Gatehouse-Intent", "Gatehouse-Receipt", "Gatehouse-Decision", "Gatehouse-Agent", "Gatehouse-Proposal",
    "Gatehouse-Rollback", "Reviewed-By", "Promoted-By", "Co-Authored-By"};

/// Lines that git writes itself: where one stands, a quarter of trailers is enough.
// table: commit_trailer_prefixes
constexpr std::array<std::string_view, 2> kGitLines{"Signed-off-by: ", "(cherry picked from commit "};
// clang-format on
constexpr std::string_view kOurs = "gatehouse-", kConflicts = "Conflicts:\n";
constexpr std::string_view kScissors = " ------------------------ >8 ------------------------\n";
constexpr char kNoComment = '\0';

/// One way to read a message.
struct Way {
  char comment = '#';
  bool has_divider = false;
  bool is_exact = true;  // only where git is sure that the lines are trailers
  std::string_view separators = ":";
};

/// White space as git means it.
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool holds(std::string_view text, std::string_view word) {
  const auto is_same = [](char a, char b) { return lower_ascii(a) == lower_ascii(b); };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), is_same) != text.end();
}
bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back()))
    text.remove_suffix(1);
  return text;
}

bool is_same_key(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower_ascii(x) == lower_ascii(y); });
}

std::size_t next_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == text.npos ? text.size() : end + 1;
}
std::string_view line_at(std::string_view text, std::size_t at) {
  return text.substr(at, next_line(text, at) - at);
}
/// Where the last line before `end` begins; a newline right before it belongs to that line.
std::size_t line_before(std::string_view text, std::size_t end) {
  if (end < 2) return 0;
  const std::size_t newline = text.rfind('\n', end - 2);
  return newline == text.npos ? 0 : newline + 1;
}
bool is_blank_line(std::string_view line) { return trimmed(line).empty(); }

/// Where key and value part; npos: this is no trailer.
std::size_t separator_in(std::string_view line, std::string_view separators) {
  bool is_over = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (separators.find(line[i]) != separators.npos) return i == 0 ? line.npos : i;
    if (!is_over && is_word(line[i])) continue;
    if (i == 0 || (line[i] != ' ' && line[i] != '\t')) return line.npos;
    is_over = true;
  }
  return line.npos;
}

bool is_comment(std::string_view line, const Way& way) {
  return way.comment != kNoComment && line.starts_with(way.comment);
}

/// What a patch in a mail begins with.
std::string_view before_divider(std::string_view message) {
  for (std::size_t at = 0; at < message.size(); at = next_line(message, at)) {
    const std::string_view line = line_at(message, at);
    if (line.starts_with("---") && line.size() > 3 && is_blank(line[3]))
      return message.substr(0, at);
  }
  return message;
}

std::size_t scissors_in(std::string_view message, const Way& way) {
  const std::string mark = std::string(1, way.comment) + std::string(kScissors);
  if (message.starts_with(mark)) return 0;
  const std::size_t at = message.find("\n" + mark);
  return at == message.npos ? message.size() : at + 1;
}

/// Without the comments, empty lines and old lists of conflicts that it ends with.
std::size_t end_of_trailers(std::string_view message, const Way& way) {
  const std::size_t cut = scissors_in(message, way);
  std::size_t tail = 0;  // where such lines began; never at the first one, as git counts
  bool in_conflicts = false;
  for (std::size_t at = 0; at < cut; at = next_line(message, at)) {
    const std::string_view line = line_at(message, at);
    if (is_comment(line, way) || line == "\n") {
      if (tail == 0) tail = at;
    } else if (line == kConflicts) {
      in_conflicts = true;
      if (tail == 0) tail = at;
    } else if (in_conflicts && line.starts_with('\t')) {
      continue;
    } else if (tail != 0) {
      tail = 0;
      in_conflicts = false;
    }
  }
  return tail == 0 ? cut : tail;
}

std::size_t end_of_title(std::string_view message, const Way& way) {
  std::size_t at = 0;
  for (; at < message.size(); at = next_line(message, at)) {
    const std::string_view line = line_at(message, at);
    if (!is_comment(line, way) && is_blank_line(line)) break;
  }
  return at;
}

/// What git counts while it goes up from the end.
struct Count {
  std::size_t trailers = 0, others = 0, maybe_folded = 0;
  bool has_git_line = false;

  void add(std::string_view line, const Way& way) {
    if (std::ranges::any_of(kGitLines, [&](auto start) { return line.starts_with(start); })) {
      ++trailers;
      maybe_folded = 0;
      has_git_line = true;
    } else if (separator_in(line, way.separators) != line.npos) {
      ++trailers;
      maybe_folded = 0;
    } else if (is_blank(line[0])) {
      ++maybe_folded;
    } else {
      others += 1 + maybe_folded;
      maybe_folded = 0;
    }
  }
  bool are_trailers() const {
    if (has_git_line && trailers * 3 >= others) return true;
    return trailers > 0 && others == 0;
  }
};

/// Where the last paragraph begins, if its lines are trailers; else its end.
std::size_t begin_of_trailers(std::string_view message, const Way& way) {
  const std::size_t title = end_of_title(message, way);
  Count count;
  bool only_blank = true;
  for (std::size_t end = message.size(); end > 0;) {
    const std::size_t at = line_before(message, end);
    if (at < title) break;
    const std::string_view line = line_at(message, at);
    end = at;
    if (is_comment(line, way)) {
      count.others += std::exchange(count.maybe_folded, 0);
    } else if (!is_blank_line(line)) {
      only_blank = false;
      count.add(line, way);
    } else if (!only_blank) {
      count.others += count.maybe_folded;
      const bool counts = way.is_exact ? count.are_trailers() : count.trailers > 0;
      return counts ? next_line(message, at) : message.size();
    }
  }
  return message.size();
}

std::string unfolded(std::string_view value) {
  std::string out;
  value = trimmed(value);
  for (std::size_t i = 0; i < value.size();) {
    const char c = value[i++];
    out += c == '\n' ? ' ' : c;
    while (c == '\n' && i < value.size() && is_blank(value[i]))
      ++i;
  }
  return std::string(trimmed(out));
}

struct Placed {
  std::size_t at;
  MessageTrailer trailer;
};

/// The trailers among the lines from `from`, each with the lines that go on with its value.
std::vector<Placed> trailers_in(std::string_view text, std::size_t from, const Way& way) {
  std::vector<Placed> out;
  for (std::size_t at = from; at < text.size();) {
    const std::string_view line = line_at(text, at);
    const std::size_t start = at, separator = separator_in(line, way.separators);
    at = next_line(text, at);
    if (separator == line.npos) continue;
    while (at < text.size() && is_blank(text[at]))
      at = next_line(text, at);
    const std::string_view value = text.substr(start + separator + 1, at - start - separator - 1);
    out.push_back({start, {std::string(trimmed(line.substr(0, separator))), unfolded(value)}});
  }
  return out;
}

std::vector<Placed> read(std::string_view message, const Way& way) {
  if (way.has_divider) message = before_divider(message);
  message = message.substr(0, end_of_trailers(message, way));
  return trailers_in(message, begin_of_trailers(message, way), way);
}

bool is_punctuation(char c) { return c > ' ' && c < 0x7f && !is_word(c); }

/// Whatever may begin a comment by somebody's settings, and nothing at all.
std::set<char> comments_in(std::string_view message) {
  std::set<char> out{kNoComment, '#'};
  for (std::size_t at = 0; at < message.size(); at = next_line(message, at))
    if (is_punctuation(message[at])) out.insert(message[at]);
  return out;
}

/// What git keeps of a message that holds a zero.
std::string_view before_zero(std::string_view message) {
  return message.substr(0, message.find('\0'));
}

std::size_t leading_blank_lines(std::string_view message) {
  std::size_t at = 0;
  while (at < message.size() && is_blank_line(line_at(message, at)))
    at = next_line(message, at);
  return at;
}

std::vector<std::string> values_of(const std::vector<Placed>& found, std::string_view key) {
  std::set<std::pair<std::size_t, std::string>> seen;
  for (const Placed& one : found)
    if (is_same_key(one.trailer.key, key)) seen.emplace(one.at, one.trailer.value);
  std::vector<std::string> out;
  for (const auto& [at, value] : seen)
    out.push_back(value);
  return out;
}

}  // namespace

std::string_view to_string(TrailerKey key) { return kKeys[static_cast<std::size_t>(key)]; }

std::vector<MessageTrailer> git_trailers(std::string_view message, bool has_divider) {
  message = before_zero(message);
  // What git shows of a commit begins with its first line; what it is given as a file does not.
  if (!has_divider) message.remove_prefix(leading_blank_lines(message));
  std::vector<MessageTrailer> out;
  for (Placed& one : read(message, {.has_divider = has_divider}))
    out.push_back(std::move(one.trailer));
  return out;
}

std::vector<std::string> trailers(std::string_view message, TrailerKey key) {
  if (!holds(message, to_string(key))) return {};
  std::set<std::size_t> ends{message.size(), before_zero(message).size()};
  std::vector<Placed> found;
  for (const std::size_t size : ends)
    for (const std::size_t from : std::set<std::size_t>{0, leading_blank_lines(message)}) {
      if (from > size) continue;
      const std::string_view text = message.substr(from, size - from);
      for (const char comment : comments_in(text))
        for (const bool has_divider : {false, true})
          if (!has_divider || before_divider(text).size() != text.size())
            for (Placed& one : read(text, {.comment = comment,
                                          .has_divider = has_divider,
                                          .is_exact = false,
                                          .separators = ":="}))
              found.push_back({from + one.at, std::move(one.trailer)});
    }
  return values_of(found, to_string(key));
}

std::vector<std::string> values_anywhere(std::string_view message, TrailerKey key) {
  return values_of(trailers_in(message, 0, {.separators = ":="}), to_string(key));
}

std::optional<std::string> with_first_trailers(std::string_view message,
                                               const std::vector<std::string>& lines) {
  std::size_t last = 0;
  for (std::size_t at = 0; at < message.size(); at = next_line(message, at)) {
    const std::string_view line = line_at(message, at);
    const bool is_plain = is_blank_line(line) ? line == "\n" && at > 0 : !is_punctuation(line[0]);
    if (!is_plain || line.starts_with("---") || line == kConflicts) return std::nullopt;
    last = at;
  }
  const bool ends = message.ends_with('\n') && line_at(message, last) != "\n";
  if (!ends || before_zero(message) != message || lines.empty()) return std::nullopt;
  const std::size_t paragraph = message.rfind("\n\n");
  const std::size_t from = paragraph == message.npos ? message.size() : paragraph + 2;
  if (!trailers_in(message, from, {.separators = ":=#"}).empty()) return std::nullopt;
  std::string out(message);
  out += '\n';
  std::set<std::string> keys;  // of two lines with one key git keeps the last
  for (const std::string& line : lines) {
    const std::size_t end = separator_in(line, ":");
    const bool is_one = end != line.npos && line.find('\n') == line.npos;
    if (!is_one || !keys.insert(lower_ascii(trimmed(line.substr(0, end)))).second)
      return std::nullopt;
    out += line + '\n';
  }
  return out;
}

bool speaks_of_gatehouse(std::string_view message) { return holds(message, kOurs); }

}  // namespace gh
