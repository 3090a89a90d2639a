#include "policy/glob.h"

#include <cstdint>

namespace gh::policy {
namespace {

/// Characters are code points; a byte that starts no well-formed sequence is a character of its
/// own.
struct Char {
  std::uint32_t value;
  std::size_t length;
};

Char char_at(std::string_view s, std::size_t at) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return at + i < s.size() ? static_cast<unsigned char>(s[at + i]) : 0;
  };
  const std::uint32_t lead = byte(0);
  const std::size_t length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length == 1 || lead > 0xF4) return {lead, 1};
  std::uint32_t value = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {lead, 1};
    value = value << 6 | (byte(i) & 0x3F);
  }
  return {value, length};
}

/// One place of a pattern: what it asks of the next character.
enum class Token : std::uint8_t { literal, one, set, star, any, folders, below };
struct Piece {
  Token token;
  std::size_t length;  // bytes of the pattern
};

/// Bytes of the set that opens `rest`, or 0 when it is not closed.
std::size_t set_length(std::string_view rest) {
  std::size_t i = 1;
  if (i < rest.size() && rest[i] == '!') ++i;
  if (i < rest.size() && rest[i] == ']') ++i;
  return rest.find(']', i) + 1;  // npos + 1 is 0
}

bool set_holds(std::string_view set, std::uint32_t c) {
  set = set.substr(1, set.size() - 2);
  const bool negated = set.starts_with('!');
  if (negated) set.remove_prefix(1);
  bool found = false;
  for (std::size_t at = 0; at < set.size();) {
    const Char low = char_at(set, at);
    at += low.length;
    std::uint32_t high = low.value;
    if (at + 1 < set.size() && set[at] == '-') {  // a '-' at either end is literal
      const Char end = char_at(set, at + 1);
      high = end.value;
      at += 1 + end.length;
    }
    found = found || (low.value <= c && c <= high);
  }
  return found != negated;
}

/// A wildcard to come back to: the pattern behind it, and how far it reaches now.
struct Restart {
  std::size_t pattern = std::string_view::npos, text = 0;
  Token token = Token::any;
  bool is_set() const { return pattern != std::string_view::npos; }
};

enum class Dialect : std::uint8_t { glob, pathglob };

/// Two places to come back to are enough. A wide wildcard (any, folders) makes all earlier ones
/// moot: whatever they could still reach, it reaches too. A star stays inside one component, so it
/// gives way to the last wide one when it meets '/'.
class Matcher {
 public:
  Matcher(std::string_view text, std::string_view pattern, Dialect dialect)
      : text_(text), pattern_(pattern), dialect_(dialect), last_close_(pattern.rfind(']')) {}

  bool matches() {
    for (;;) {
      if (p_ == pattern_.size()) {
        if (t_ == text_.size()) return true;
        if (!retry()) return false;
        continue;
      }
      const Piece piece = next_piece();
      if (piece.token == Token::below && (t_ == text_.size() || text_[t_] == '/')) return true;
      if (!advance(piece) && !retry()) return false;
    }
  }

 private:
  Piece next_piece() const {
    const std::string_view rest = pattern_.substr(p_);
    if (dialect_ == Dialect::pathglob && rest.size() > 1) {
      if (rest == "/**") return {Token::below, 3};
      const bool starts_component = p_ == 0 || pattern_[p_ - 1] == '/';
      if (starts_component && rest.starts_with("**/")) return {Token::folders, 3};
      if (rest.starts_with("**")) return {Token::any, 2};
    }
    switch (rest.front()) {
      case '*':
        return {dialect_ == Dialect::glob ? Token::any : Token::star, 1};
      case '?':
        return {Token::one, 1};
      case '[':
        // Without a ']' ahead there is nothing to search: keeps many '[' linear.
        if (last_close_ != std::string_view::npos && last_close_ > p_)
          if (const std::size_t length = set_length(rest); length != 0) return {Token::set, length};
        break;
      default:
        break;
    }
    return {Token::literal, 1};
  }

  bool advance(Piece piece) {
    switch (piece.token) {
      case Token::any:
      case Token::folders:
        wide_ = {p_ += piece.length, t_, piece.token};
        star_ = {};
        return true;
      case Token::star:
        star_ = {p_ += piece.length, t_, piece.token};
        return true;
      case Token::below:
        return false;
      case Token::literal:
        if (t_ == text_.size() || text_[t_] != pattern_[p_]) return false;
        ++t_;
        break;
      case Token::one:
      case Token::set:
        if (t_ == text_.size()) return false;
        const Char c = char_at(text_, t_);
        if (c.value == '/' && dialect_ == Dialect::pathglob) return false;
        if (piece.token == Token::set && !set_holds(pattern_.substr(p_, piece.length), c.value))
          return false;
        t_ += c.length;
        break;
    }
    p_ += piece.length;
    return true;
  }

  bool retry() {
    if (star_.is_set() && star_.text < text_.size() && text_[star_.text] != '/') {
      star_.text += char_at(text_, star_.text).length;
      return resume(star_);
    }
    star_ = {};
    if (!wide_.is_set() || wide_.text == text_.size()) return false;
    if (wide_.token == Token::any) {
      wide_.text += char_at(text_, wide_.text).length;
    } else {
      const std::size_t slash = text_.find('/', wide_.text);
      if (slash == std::string_view::npos) return false;
      wide_.text = slash + 1;
    }
    return resume(wide_);
  }

  bool resume(const Restart& at) {
    p_ = at.pattern;
    t_ = at.text;
    return true;
  }

  std::string_view text_, pattern_;
  Dialect dialect_;
  std::size_t last_close_;
  std::size_t t_ = 0, p_ = 0;
  Restart star_, wide_;
};

std::string_view basename_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

bool matches_prefix(std::string_view path, std::string_view root) {
  return path.starts_with(root) && (path.size() == root.size() || path[root.size()] == '/');
}

bool matches_glob(std::string_view text, std::string_view pattern) {
  return Matcher(text, pattern, Dialect::glob).matches();
}

bool matches_pathglob(std::string_view path, std::string_view pattern) {
  while (pattern.ends_with("/**/**"))  // below a folder, again below: the same set
    pattern.remove_suffix(3);
  return Matcher(path, pattern, Dialect::pathglob).matches();
}

bool matches_policy_entry(std::string_view path, std::string_view entry) {
  if (entry.find('/') == std::string_view::npos) return matches_pathglob(basename_of(path), entry);
  if (!entry.ends_with('/')) return matches_pathglob(path, entry);
  for (std::size_t end = path.find('/'); end != std::string_view::npos;
       end = path.find('/', end + 1))
    if (matches_pathglob(path.substr(0, end), entry.substr(0, entry.size() - 1))) return true;
  return matches_pathglob(path, entry.substr(0, entry.size() - 1));
}

}  // namespace gh::policy
