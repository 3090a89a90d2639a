#include "policy/encoded_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gh::policy {
namespace {

constexpr std::string_view kEscapes = "\\&%~";

/// An encoded byte: how many bytes it takes, 0 for none, and what it means.
struct Escape {
  std::size_t length = 0;
  char means = 0;
};

struct Named {
  std::string_view written;
  char means;
};

// clang-format off
constexpr std::array kJson{
    Named{"\\\"", '"'}, Named{"\\\\", '\\'}, Named{"\\/", '/'}, Named{"\\n", '\n'},
    Named{"\\r", '\r'}, Named{"\\t", '\t'}, Named{"\\'", '\''}};
constexpr std::array kHtml{
    Named{"&quot;", '"'}, Named{"&amp;", '&'}, Named{"&lt;", '<'}, Named{"&gt;", '>'},
    Named{"&apos;", '\''}, Named{"&colon;", ':'}, Named{"&sol;", '/'}, Named{"&commat;", '@'},
    Named{"&equals;", '='}, Named{"&lowbar;", '_'}, Named{"&period;", '.'}, Named{"&plus;", '+'},
    Named{"&nbsp;", ' '}, Named{"&Tab;", '\t'}, Named{"&NewLine;", '\n'}};
// clang-format on

template <std::size_t N>
Escape named(const std::array<Named, N>& table, std::string_view rest) {
  for (const Named& row : table)
    if (rest.starts_with(row.written)) return {row.written.size(), row.means};
  return {};
}

/// Only ASCII: no kind of secret needs more.
Escape number(std::string_view digits, int base, std::size_t prefix, std::size_t suffix) {
  unsigned code = 0;
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, code, base);
  if (digits.empty() || read.ptr != end || read.ec != std::errc() || code > 0x7F) return {};
  return {prefix + digits.size() + suffix, static_cast<char>(code)};
}

Escape json_escape(std::string_view rest) {
  if (rest.size() >= 6 && rest[1] == 'u') return number(rest.substr(2, 4), 16, 2, 0);
  return named(kJson, rest);
}

Escape html_escape(std::string_view rest) {
  constexpr std::size_t kMaxDigits = 8;
  if (rest.size() < 4 || rest[1] != '#') return named(kHtml, rest);
  const std::size_t start = rest[2] == 'x' || rest[2] == 'X' ? 3 : 2;
  const std::size_t end = rest.substr(0, start + kMaxDigits + 1).find(';', start);
  if (end == std::string_view::npos) return {};
  return number(rest.substr(start, end - start), start == 3 ? 16 : 10, start, 1);
}

/// Of an RFC 6901 pointer, in which a path is one part.
Escape pointer_escape(std::string_view rest) {
  if (rest.starts_with("~1")) return {2, '/'};
  return rest.starts_with("~0") ? Escape{2, '~'} : Escape{};
}

Escape percent_escape(std::string_view rest) {
  return rest.size() >= 3 ? number(rest.substr(1, 2), 16, 1, 0) : Escape{};
}

Escape escape_at(std::string_view rest) {
  switch (rest.front()) {
    case '\\':
      return json_escape(rest);
    case '&':
      return html_escape(rest);
    case '%':
      return percent_escape(rest);
    case '~':
      return pointer_escape(rest);
    default:
      return {};
  }
}

template <class Take>
void each_escape(std::string_view text, Take take) {
  for (std::size_t at = text.find_first_of(kEscapes); at < text.size();
       at = text.find_first_of(kEscapes, at)) {
    const Escape escape = escape_at(text.substr(at));
    if (escape.length > 0) take(at, escape);
    at += std::max<std::size_t>(escape.length, 1);
  }
}

}  // namespace

std::optional<std::string> decoded(std::string_view text) {
  std::string plain;
  std::size_t copied = 0;
  each_escape(text, [&](std::size_t at, const Escape& escape) {
    plain.append(text, copied, at - copied);
    plain += escape.means;
    copied = at + escape.length;
  });
  if (copied == 0) return std::nullopt;
  return plain.append(text.substr(copied));
}

EncodedText::EncodedText(std::string_view source) : text_(source) {}

void EncodedText::know_origins() {
  if (!origins_.empty()) return;
  origins_.resize(text_.size());
  for (std::size_t i = 0; i < text_.size(); ++i)
    origins_[i] = {static_cast<std::uint32_t>(i), 1};
}

bool EncodedText::decode() {
  std::string plain;
  std::vector<Origin> origins;
  std::size_t copied = 0;
  const auto copy_to = [&](std::size_t end) {
    plain.append(text_, copied, end - copied);
    for (; copied < end; ++copied)
      origins.push_back(origins_[copied]);
  };
  each_escape(text_, [&](std::size_t at, const Escape& escape) {
    know_origins();
    copy_to(at);
    const Origin& last = origins_[at + escape.length - 1];
    const std::uint32_t from = origins_[at].from;
    plain += escape.means;
    origins.push_back({from, last.from + last.length - from});
    copied = at + escape.length;
  });
  if (copied == 0) return false;
  copy_to(text_.size());
  text_ = std::move(plain);
  origins_ = std::move(origins);
  return true;
}

void EncodedText::replace(const std::vector<Range>& ascending, std::string_view marker) {
  know_origins();
  std::string text;
  std::vector<Origin> origins;
  std::size_t copied = 0;
  const auto copy_to = [&](std::size_t end) {
    text.append(text_, copied, end - copied);
    origins.insert(origins.end(), origins_.begin() + static_cast<std::ptrdiff_t>(copied),
                   origins_.begin() + static_cast<std::ptrdiff_t>(end));
  };
  for (const Range& range : ascending) {
    copy_to(range.start);
    text += marker;
    origins.resize(text.size(), {origins_[range.start].from, 0});
    copied = range.end;
  }
  copy_to(text_.size());
  text_ = std::move(text);
  origins_ = std::move(origins);
}

std::string EncodedText::encoded(std::string_view source) const {
  if (origins_.empty()) return text_;
  std::string out;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const Origin& origin = origins_[i];
    if (origin.length == 0)
      out += text_[i];
    else
      out += source.substr(origin.from, origin.length);
  }
  return out;
}

}  // namespace gh::policy
