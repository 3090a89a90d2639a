#include "wire/yaml_split.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gh::wire {
namespace {

/// What ends a line for YAML and not for us. A carriage return may stand before a line feed.
bool has_odd_line_ends(std::string_view text) {
  constexpr std::array<std::string_view, 3> kOdd{"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
  if (std::ranges::any_of(kOdd, [&](std::string_view odd) { return contains(text, odd); }))
    return true;
  for (std::size_t at = text.find('\r'); at != text.npos; at = text.find('\r', at + 1))
    if (!text.substr(at + 1).starts_with('\n')) return true;
  return false;
}

/// One line: its indentation and what comes behind it.
struct Line {
  std::size_t start = 0, end = 0;  // behind its line feed
  std::size_t indent = 0;
  std::string_view words{};

  bool is_silent() const { return words.empty() || words.starts_with('#'); }
};

class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  bool next(Line& out) {
    if (at_ == text_.size()) return false;
    ++number;
    const std::size_t feed = text_.find('\n', at_);
    out.start = at_;
    out.end = feed == text_.npos ? text_.size() : feed + 1;
    std::string_view line = text_.substr(at_, out.end - at_);
    at_ = out.end;
    while (line.ends_with('\n') || line.ends_with('\r'))
      line.remove_suffix(1);
    out.indent = std::min(line.find_first_not_of(' '), line.size());
    out.words = line.substr(out.indent);
    return true;
  }

  std::int64_t number = 0;

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

bool is_key_alone(std::string_view words, std::string_view key) {
  if (!words.starts_with(key)) return false;
  words.remove_prefix(key.size());
  if (!words.starts_with(':')) return false;
  words.remove_prefix(1);
  const std::size_t blanks = std::min(words.find_first_not_of(' '), words.size());
  return blanks == words.size() || (blanks > 0 && words[blanks] == '#');
}

/// Nothing that has a meaning of its own in YAML.
bool may_begin_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' || c == '"' || c == '\'';
}

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::optional<YamlSplit> run(std::string_view key) && {
    Lines lines(text_);
    Line line;
    std::size_t before = 0, after = text_.size();
    while (lines.next(line)) {
      if (line.indent == 0 && is_key_alone(line.words, key)) {
        if (out_.line != 0) return std::nullopt;
        out_.line = lines.number;
        before = line.start;
        is_inside_ = true;
      } else if (is_inside_ && !line.is_silent()) {
        if (line.indent == 0) {
          is_inside_ = false;
          after = line.start;
          end_member(after);
        } else if (!take(line, lines.number)) {
          return std::nullopt;
        }
      }
    }
    end_member(after);
    if (out_.members.empty()) return std::nullopt;
    out_.rest = text_.substr(0, before);
    out_.rest.append(key).append(": {}\n").append(text_.substr(after));
    return std::move(out_);
  }

 private:
  bool take(const Line& line, std::int64_t number) {
    if (indent_ == 0) indent_ = line.indent;
    if (line.indent > indent_) return !out_.members.empty();
    if (line.indent < indent_ || !may_begin_key(line.words.front())) return false;
    end_member(line.start);
    out_.members.push_back({.lines_before = number - 1});
    start_ = line.start;
    return true;
  }

  void end_member(std::size_t end) {
    if (out_.members.empty() || !out_.members.back().text.empty()) return;
    out_.members.back().text = text_.substr(start_, end - start_);
  }

  std::string_view text_;
  YamlSplit out_{};
  std::size_t indent_ = 0, start_ = 0;
  bool is_inside_ = false;
};

}  // namespace

std::optional<YamlSplit> split_yaml(std::string_view text, std::string_view key) {
  if (has_odd_line_ends(text)) return std::nullopt;
  return Splitter(text).run(key);
}

}  // namespace gh::wire
