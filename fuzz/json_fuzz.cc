// JSON: the reader accepts what a plain recursive checker accepts and nothing else, its limits
// hold, and the canonical form is a fixed point.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/text.h"
#include "fuzz/require.h"
#include "wire/json.h"
#include "wire/small_json.h"

namespace {

using gh::Value;

constexpr std::size_t kMaxDepth = 20;

/// RFC 8259 by recursion; the depth limit keeps it short.
class Checker {
 public:
  explicit Checker(std::string_view text) : text_(text) {}
  bool accepts() { return gh::is_utf8(text_) && value(0) && at_ == text_.size(); }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) { return peek() == c && at_ < text_.size() && ++at_ > 0; }
  void blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(peek()) != std::string_view::npos)
      ++at_;
  }
  bool word(std::string_view w) {
    if (text_.substr(at_, w.size()) != w) return false;
    at_ += w.size();
    return true;
  }

  bool value(std::size_t depth) {
    blanks();
    const bool ok = peek() == '{'   ? object(depth)
                    : peek() == '[' ? array(depth)
                    : peek() == '"' ? string()
                    : peek() == 't' ? word("true")
                    : peek() == 'f' ? word("false")
                    : peek() == 'n' ? word("null")
                                    : number();
    blanks();
    return ok;
  }

  bool object(std::size_t depth) {
    if (depth == kMaxDepth || !take('{')) return false;
    blanks();
    if (take('}')) return true;
    do {
      blanks();
      if (!string()) return false;
      blanks();
      if (!take(':') || !value(depth + 1)) return false;
    } while (take(','));
    return take('}');
  }

  bool array(std::size_t depth) {
    if (depth == kMaxDepth || !take('[')) return false;
    blanks();
    if (take(']')) return true;
    do {
      if (!value(depth + 1)) return false;
    } while (take(','));
    return take(']');
  }

  bool digits() {
    const std::size_t from = at_;
    while (peek() >= '0' && peek() <= '9')
      ++at_;
    return at_ > from;
  }

  bool number() {
    const std::size_t from = at_;
    take('-');
    const bool zero = take('0');
    if (!zero && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      if (!digits()) return false;
    }
    return in_range(std::string(text_.substr(from, at_ - from)));
  }

  /// The reader refuses what a double can only show as infinity, or as zero though it is none.
  static bool in_range(const std::string& text) {
    const double d = std::strtod(text.c_str(), nullptr);
    const std::string_view mantissa = std::string_view(text).substr(0, text.find_first_of("eE"));
    const bool is_zero = mantissa.find_first_of("123456789") == std::string_view::npos;
    return !std::isinf(d) && (is_zero || d != 0);
  }

  int hex4() {
    int v = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const int digit = c >= '0' && c <= '9'                     ? c - '0'
                        : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                                 : -1;
      if (digit < 0) return -1;
      v = v * 16 + digit;
    }
    return v;
  }

  bool unicode_escape() {
    const int first = hex4();
    if (first < 0 || (first >= 0xDC00 && first <= 0xDFFF)) return false;
    if (first < 0xD800 || first > 0xDBFF) return true;
    if (!word("\\u")) return false;
    const int second = hex4();
    return second >= 0xDC00 && second <= 0xDFFF;
  }

  bool string() {
    if (!take('"')) return false;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') continue;
      if (take('u')) {
        if (!unicode_escape()) return false;
      } else if (std::string_view("\"\\/bfnrt").find(peek()) == std::string_view::npos ||
                 at_ == text_.size()) {
        return false;
      } else {
        ++at_;
      }
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool has_number(const Value& v) {
  if (std::holds_alternative<gh::Number>(v.data())) return true;
  if (const gh::List* list = v.as_list())
    for (const Value& item : *list)
      if (has_number(item)) return true;
  if (const gh::Map* map = v.as_map())
    for (const auto& entry : map->entries())
      if (has_number(entry.second)) return true;
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::wire;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const JsonLimits limits{.max_bytes = 1u << 16, .max_depth = kMaxDepth};
  const auto lax = read_json(text, "f", limits, DuplicateKeys::last_wins);
  const auto strict = read_json(text, "f", limits);
  if (size > limits.max_bytes) {
    REQUIRE(!lax && lax.error().code == gh::Code::document_too_large);
    return 0;
  }
  REQUIRE(lax.has_value() == Checker(text).accepts());
  REQUIRE(!strict || *strict == *lax);
  // White space behind it makes the text too long for our own reader: simdjson must say the same.
  if (size < 4096) {
    const auto long_one = read_json(std::string(text) + std::string(kMaxSmallJson, ' '), "f",
                                    {.max_bytes = 2 * kMaxSmallJson, .max_depth = kMaxDepth});
    REQUIRE(strict.has_value() == long_one.has_value() && (!strict || *strict == *long_one));
  }
  REQUIRE(strict || !lax || strict.error().message.find("is already at") != std::string::npos);
  if (!lax || has_number(*lax)) return 0;
  const std::string canonical = canonical_json(*lax);
  const auto again = read_json(canonical), pretty = read_json(pretty_json(*lax));
  REQUIRE(again && *again == *lax && canonical_json(*again) == canonical);
  REQUIRE(pretty && *pretty == *lax);
  return 0;
}
