#include "report/side_by_side.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/page.h"

namespace gh::report {
namespace {

constexpr std::size_t kSnippetLines = 80, kLineWidth = 400, kTab = 4, kMaxWords = 200;

struct Snippet {
  std::vector<std::string> lines{};
  std::int64_t first = 1;
  std::size_t left_out = 0;
};

std::string without_tabs(std::string_view line) {
  std::string out;
  for (const char c : line) {
    if (c == '\t')
      out.append(kTab - out.size() % kTab, ' ');
    else if (c != '\r')
      out += c;
  }
  return out;
}

Snippet snippet_of(std::string_view text, std::int64_t first, std::int64_t last) {
  Snippet out{.first = first};
  std::int64_t line = 1;
  for (std::size_t at = 0; at < text.size() && line <= last; ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (line >= first && out.lines.size() < kSnippetLines)
      out.lines.push_back(without_tabs(text.substr(at, end - at)));
    else if (line >= first)
      ++out.left_out;
    at = end + 1;
  }
  return out;
}

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// The words of one side, those that the other has not marked.
std::string marked(const std::vector<std::string_view>& words, const std::vector<bool>& shared) {
  std::string out, run;
  const auto flush = [&] {
    if (!run.empty()) out += fmt::format("<mark>{}</mark>", html(run, kLineWidth));
    run.clear();
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (shared[i]) {
      flush();
      out += html(words[i], kLineWidth);
    } else {
      run += words[i];
    }
  }
  flush();
  return out;
}

std::pair<std::string, std::string> marked_lines(std::string_view left, std::string_view right) {
  const auto a = words_of(left), b = words_of(right);
  if (a.size() > kMaxWords || b.size() > kMaxWords)
    return {html(left, kLineWidth), html(right, kLineWidth)};
  std::vector<bool> in_a(a.size()), in_b(b.size());
  for (const auto& [i, k] : in_common(a, b))
    in_a[i] = in_b[k] = true;
  return {marked(a, in_a), marked(b, in_b)};
}

class Rows {
 public:
  Rows(const Snippet& left, const Snippet& right) : left_(left), right_(right) {}

  std::string drawn() {
    const std::vector<std::string_view> a(left_.lines.begin(), left_.lines.end()),
        b(right_.lines.begin(), right_.lines.end());
    for (const auto& [i, k] : in_common(a, b)) {
      until(i, k);
      same();
    }
    until(a.size(), b.size());
    return std::move(out_);
  }

 private:
  /// What lies before the next common line: in pairs as long as both sides have some.
  void until(std::size_t left, std::size_t right) {
    while (at_left_ < left || at_right_ < right) {
      const bool has_left = at_left_ < left, has_right = at_right_ < right;
      if (has_left && has_right) {
        const auto [l, r] = marked_lines(left_.lines[at_left_], right_.lines[at_right_]);
        row("other", number(left_, at_left_++), l, number(right_, at_right_++), r);
      } else if (has_left) {
        const std::string text = html(left_.lines[at_left_], kLineWidth);
        row("left", number(left_, at_left_++), text, "", "");
      } else {
        const std::string text = html(right_.lines[at_right_], kLineWidth);
        row("right", "", "", number(right_, at_right_++), text);
      }
    }
  }
  void same() {
    const std::string text = html(left_.lines[at_left_], kLineWidth);
    row("same", number(left_, at_left_++), text, number(right_, at_right_++), text);
  }
  static std::string number(const Snippet& side, std::size_t at) {
    return std::to_string(side.first + static_cast<std::int64_t>(at));
  }
  void row(std::string_view kind, const std::string& left_line, const std::string& left,
           const std::string& right_line, const std::string& right) {
    out_ += fmt::format(
        "<tr class='{}'><td class='l'>{}</td><td class='c mono'>{}</td><td class='l'>{}</td>"
        "<td class='c mono'>{}</td></tr>",
        kind, left_line, left, right_line, right);
  }

  const Snippet &left_, &right_;
  std::size_t at_left_ = 0, at_right_ = 0;
  std::string out_{};
};

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> in_common(
    const std::vector<std::string_view>& left, const std::vector<std::string_view>& right) {
  const std::size_t wide = right.size() + 1;
  // longest[i][k]: of what begins at i on the left and at k on the right.
  std::vector<std::uint32_t> longest((left.size() + 1) * wide, 0);
  for (std::size_t i = left.size(); i-- > 0;)
    for (std::size_t k = right.size(); k-- > 0;)
      longest[i * wide + k] =
          left[i] == right[k] ? longest[(i + 1) * wide + k + 1] + 1
                              : std::max(longest[(i + 1) * wide + k], longest[i * wide + k + 1]);
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t i = 0, k = 0; i < left.size() && k < right.size();) {
    if (left[i] == right[k])
      out.emplace_back(i++, k++);
    else if (longest[(i + 1) * wide + k] >= longest[i * wide + k + 1])
      ++i;
    else
      ++k;
  }
  return out;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at + 1;
    if (is_word(line[at]))
      while (end < line.size() && is_word(line[end]))
        ++end;
    out.push_back(line.substr(at, end - at));
    at = end;
  }
  return out;
}

std::string side_by_side(const Peek& group, const SourceText& sources) {
  const List& items = group["items"].list();
  if (items.size() < 2 || !sources) return "";
  std::vector<Snippet> sides;
  std::string heads;
  for (std::size_t i = 0; i < 2; ++i) {
    const Peek item(items[i]);
    const auto text = sources(item["relative_path"].text());
    if (!text) return "";
    sides.push_back(snippet_of(*text, item["start_line"].number(), item["end_line"].number()));
    heads += fmt::format(
        "<th colspan='2' scope='colgroup'><code>{}</code> <span class='dim'>{}:{}</span></th>",
        html(item["qualname"].text()), html(item["relative_path"].text()),
        item["start_line"].number());
  }
  const std::size_t hidden = std::max(sides[0].left_out, sides[1].left_out);
  return fmt::format(
      "<div class='scroll'><table class='diff'><colgroup><col class='l'><col><col class='l'><col>"
      "</colgroup><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>{}",
      heads, Rows(sides[0], sides[1]).drawn(),
      hidden == 0 ? "" : none(fmt::format("{} more lines in the sources.", hidden)));
}

}  // namespace gh::report
