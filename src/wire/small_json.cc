#include "wire/small_json.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.h"

namespace gh::wire {
namespace {

using Entries = std::vector<std::pair<std::string, Value>>;

/// What may stand in a string as it is: no quote, backslash or control character.
constexpr bool is_plain(char c) {
  return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20;
}

/// Where the first byte from `at` on is that is not; eight bytes at a time.
std::size_t plain_end(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  const auto zero_in = [](std::uint64_t w) { return (w - kOnes) & ~w; };
  for (std::uint64_t word; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    const std::uint64_t control = (word - kOnes * 0x20) & ~word;
    const std::uint64_t others =
        (control | zero_in(word ^ kOnes * '"') | zero_in(word ^ kOnes * '\\')) & kHigh;
    if (others != 0) break;
  }
  while (at < text.size() && is_plain(text[at]))
    ++at;
  return at;
}

/// One walk. Nesting lives in `open_`, not on the machine's stack.
class SmallReader {
 public:
  SmallReader(std::string_view text, JsonLimits limits) : text_(text), limits_(limits) {}

  std::optional<SmallJson> read() {
    constexpr std::size_t kUsual = 64;  // members that are open at once
    values_.reserve(kUsual);
    keys_.reserve(kUsual);
    if (!value()) return std::nullopt;
    while (!open_.empty())
      if (!step()) return std::nullopt;
    skip_blanks();
    if (at_ != text_.size()) return std::nullopt;
    return SmallJson{std::move(values_.back()), has_foreign_number_};
  }

 private:
  struct Open {
    char closes;
    std::size_t first_value, first_key;
    bool started = false;
  };

  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (at_ < text_.size() &&
           (here() == ' ' || here() == '\n' || here() == '\t' || here() == '\r'))
      ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (here() != c) return false;
    ++at_;
    return true;
  }

  /// The next member of the innermost list or mapping, or its end.
  bool step() {
    Open& top = open_.back();
    if (take(top.closes)) return close();
    if (top.started && !take(',')) return false;
    top.started = true;
    if (top.closes == '}') {
      std::string key;
      if (!take('"') || !string(key) || !take(':')) return false;
      keys_.push_back(std::move(key));
    }
    return value();
  }

  bool value() {
    skip_blanks();
    switch (here()) {
      case '{':
        return open('}');
      case '[':
        return open(']');
      case '"': {
        ++at_;
        std::string text;
        if (!string(text)) return false;
        values_.emplace_back(std::move(text));
        return true;
      }
      default:
        return literal();
    }
  }

  bool open(char closes) {
    if (open_.size() == limits_.max_depth) return false;
    ++at_;
    open_.push_back({closes, values_.size(), keys_.size()});
    return true;
  }

  bool close() {
    const Open done = open_.back();
    open_.pop_back();
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(done.first_value);
    if (done.closes == ']') {
      List items(std::make_move_iterator(first), std::make_move_iterator(values_.end()));
      values_.erase(first, values_.end());
      values_.emplace_back(std::move(items));
      return true;
    }
    Entries entries;
    entries.reserve(keys_.size() - done.first_key);
    for (std::size_t i = done.first_key; i < keys_.size(); ++i)
      entries.emplace_back(std::move(keys_[i]),
                           std::move(values_[done.first_value + i - done.first_key]));
    values_.erase(first, values_.end());
    keys_.resize(done.first_key);
    if (has_repeats(entries)) return false;
    values_.emplace_back(Map(std::move(entries)));
    return true;
  }

  static bool has_repeats(const Entries& entries) {
    constexpr std::size_t kFew = 12;  // pairs are compared faster than keys are sorted
    if (entries.size() <= kFew) {
      for (std::size_t i = 1; i < entries.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (entries[i].first == entries[j].first) return true;
      return false;
    }
    std::vector<std::string_view> keys;
    keys.reserve(entries.size());
    for (const auto& [key, value] : entries)
      keys.push_back(key);
    std::ranges::sort(keys);
    return std::ranges::adjacent_find(keys) != keys.end();
  }

  bool literal() {
    const std::size_t end = std::min(text_.find_first_of(",]} \n\t\r", at_), text_.size());
    auto read = literal_value(text_.substr(at_, end - at_));
    if (!read) return false;
    has_foreign_number_ |= std::holds_alternative<Number>(read->data());
    values_.push_back(*std::move(read));
    at_ = end;
    return true;
  }

  /// Behind its opening quote.
  bool string(std::string& out) {
    while (true) {
      const std::size_t end = plain_end(text_, at_);
      out.append(text_, at_, end - at_);
      at_ = end + 1;
      if (end >= text_.size()) return false;
      if (text_[end] == '"') return true;
      if (text_[end] != '\\' || !escape(out)) return false;
    }
  }

  bool escape(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const char letter = here();
    ++at_;
    if (letter == 'u') return code_point(out);
    const std::size_t at = kLetters.find(letter);
    if (letter == '\0' || at == kLetters.npos) return false;
    out += kMeanings[at];
    return true;
  }

  std::optional<std::uint32_t> four_digits() {
    if (at_ + 4 > text_.size()) return std::nullopt;
    std::uint32_t unit = 0;
    for (const char c : text_.substr(at_, 4)) {
      const std::string_view digits = "0123456789abcdef";
      const std::size_t digit = digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c | 0x20) : c);
      if (digit == digits.npos) return std::nullopt;
      unit = unit * 16 + static_cast<std::uint32_t>(digit);
    }
    at_ += 4;
    return unit;
  }

  bool code_point(std::string& out) {
    const auto unit = four_digits();
    if (!unit || (*unit >= 0xDC00 && *unit <= 0xDFFF)) return false;
    std::uint32_t code = *unit;
    if (code >= 0xD800 && code <= 0xDBFF) {
      if (text_.substr(at_, 2) != "\\u") return false;
      at_ += 2;
      const auto low = four_digits();
      if (!low || *low < 0xDC00 || *low > 0xDFFF) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (*low - 0xDC00);
    }
    append_utf8(code, out);
    return true;
  }

  static void append_utf8(std::uint32_t code, std::string& out) {
    const auto byte = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
    if (code < 0x80) return byte(code);
    if (code < 0x800) {
      byte(0xC0 | code >> 6);
    } else {
      if (code < 0x10000) {
        byte(0xE0 | code >> 12);
      } else {
        byte(0xF0 | code >> 18);
        byte(0x80 | (code >> 12 & 0x3F));
      }
      byte(0x80 | (code >> 6 & 0x3F));
    }
    byte(0x80 | (code & 0x3F));
  }

  std::string_view text_;
  JsonLimits limits_;
  std::size_t at_ = 0;
  std::vector<Open> open_{};
  std::vector<Value> values_{};
  std::vector<std::string> keys_{};
  bool has_foreign_number_ = false;
};

}  // namespace

std::optional<SmallJson> read_small_json(std::string_view text, JsonLimits limits) {
  if (text.size() > std::min(kMaxSmallJson, limits.max_bytes) || !is_utf8(text))
    return std::nullopt;
  return SmallReader(text, limits).read();
}

namespace {

/// What a program without simdjson answers itself: whatever is longer is no usual step of an agent.
constexpr std::size_t kMaxShortJson = 128u << 10;

}  // namespace

std::optional<Value> read_short_json(std::string_view text, JsonLimits limits) {
  if (text.size() > kMaxShortJson) return std::nullopt;
  auto small = read_small_json(text, limits);
  return small ? std::optional(std::move(small->value)) : std::nullopt;
}

std::optional<Value> read_own_short_json(std::string_view text) {
  if (text.size() > kMaxShortJson) return std::nullopt;
  auto small = read_small_json(text, {});
  if (!small || small->has_foreign_number) return std::nullopt;
  return std::move(small->value);
}

}  // namespace gh::wire
