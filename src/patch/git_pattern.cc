#include <array>

#include "patch/attributes.h"

namespace gh::patch {
namespace {

constexpr auto kNone = std::string_view::npos;

bool in(char c, char low, char high) { return c >= low && c <= high; }
bool is_upper(char c) { return in(c, 'A', 'Z'); }
bool is_lower(char c) { return in(c, 'a', 'z'); }
bool is_alpha(char c) { return is_upper(c) || is_lower(c); }
bool is_digit(char c) { return in(c, '0', '9'); }
bool is_alnum(char c) { return is_alpha(c) || is_digit(c); }
bool is_graph(char c) { return in(c, '!', '~'); }
bool is_print(char c) { return in(c, ' ', '~'); }
bool is_punct(char c) { return is_graph(c) && !is_alnum(c); }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_space(char c) { return c == ' ' || in(c, '\t', '\r'); }
bool is_cntrl(char c) { return (c >= 0 && c < 0x20) || c == 0x7F; }
bool is_xdigit(char c) { return is_digit(c) || in(c, 'a', 'f') || in(c, 'A', 'F'); }

struct CharClass {
  std::string_view name;
  bool (*holds)(char);
};
constexpr std::array kClasses{
    CharClass{"alnum", is_alnum}, CharClass{"alpha", is_alpha}, CharClass{"blank", is_blank},
    CharClass{"cntrl", is_cntrl}, CharClass{"digit", is_digit}, CharClass{"graph", is_graph},
    CharClass{"lower", is_lower}, CharClass{"print", is_print}, CharClass{"punct", is_punct},
    CharClass{"space", is_space}, CharClass{"upper", is_upper}, CharClass{"xdigit", is_xdigit},
};

struct SetAnswer {
  bool holds = false;
  std::size_t length = 0;  // of the set in the pattern; 0: malformed, matches nothing
};

/// `rest` begins at '['.
SetAnswer read_set(std::string_view rest, char c) {
  const auto code = [](char x) { return static_cast<unsigned char>(x); };
  std::size_t i = 1;
  const bool negated = i < rest.size() && (rest[i] == '!' || rest[i] == '^');
  if (negated) ++i;
  bool found = false;
  for (bool first = true; i < rest.size() && (first || rest[i] != ']'); first = false) {
    if (rest[i] == '[' && i + 1 < rest.size() && rest[i + 1] == ':') {
      const std::size_t close = rest.find(']', i + 2);
      if (close == kNone) return {};
      if (rest[close - 1] == ':' && close - 1 > i + 1) {
        const std::string_view name = rest.substr(i + 2, close - 1 - (i + 2));
        const CharClass* known = nullptr;
        for (const CharClass& k : kClasses)
          if (k.name == name) known = &k;
        if (known == nullptr) return {};
        found = found || known->holds(c);
        i = close + 1;
        continue;
      }
    }
    if (rest[i] == '\\' && ++i == rest.size()) return {};
    const char low = rest[i++];
    char high = low;
    if (i + 1 < rest.size() && rest[i] == '-' && rest[i + 1] != ']') {
      ++i;
      if (rest[i] == '\\' && ++i == rest.size()) return {};
      high = rest[i++];
    }
    found = found || (code(low) <= code(c) && code(c) <= code(high));
  }
  if (i >= rest.size()) return {};
  return {found != negated && c != '/', i + 1};
}

/// Whether the stars at `at` stand as a whole component and cross folders.
bool is_double_star(std::string_view pattern, std::size_t at) {
  std::size_t end = at;
  while (end < pattern.size() && pattern[end] == '*')
    ++end;
  const bool starts = at == 0 || pattern[at - 1] == '/';
  const bool ends =
      end == pattern.size() || pattern[end] == '/' || pattern.substr(end).starts_with("\\/");
  return end - at >= 2 && starts && ends;
}

/// Two restart points suffice: a later star makes an earlier one moot inside the same component,
/// and a double star makes all before it moot.
class Match {
 public:
  Match(std::string_view text, std::string_view pattern) : text_(text), pattern_(pattern) {}

  bool run() {
    for (;;) {
      if (p_ == pattern_.size() && t_ == text_.size()) return true;
      if (p_ < pattern_.size() && advance()) continue;
      if (!restart()) return false;
    }
  }

 private:
  struct Restart {
    std::size_t pattern = kNone, text = 0;
  };

  bool advance() {
    if (pattern_[p_] == '*') return pass_star();
    if (t_ == text_.size()) return false;
    const char c = text_[t_];
    std::size_t used = 1;
    if (pattern_[p_] == '[') {
      const SetAnswer set = read_set(pattern_.substr(p_), c);
      if (!set.holds || set.length == 0) return false;
      used = set.length;
    } else if (pattern_[p_] == '\\') {
      if (p_ + 1 == pattern_.size() || pattern_[p_ + 1] != c) return false;
      used = 2;
    } else if (pattern_[p_] == '?' ? c == '/' : pattern_[p_] != c) {
      return false;
    }
    p_ += used;
    ++t_;
    return true;
  }

  bool pass_star() {
    const bool crosses_folders = is_double_star(pattern_, p_);
    while (p_ < pattern_.size() && pattern_[p_] == '*')
      ++p_;
    if (!crosses_folders) {
      star_ = {p_, t_};
      return true;
    }
    // A quoted slash does not give the double star its leave to stand for no folder at all.
    by_folder_ = p_ < pattern_.size() && pattern_[p_] == '/';
    if (by_folder_) ++p_;
    wide_ = {p_, t_};
    star_ = {};
    return true;
  }

  bool restart() {
    if (star_.pattern != kNone && star_.text < text_.size() && text_[star_.text] != '/') {
      ++star_.text;
      return resume(star_);
    }
    star_ = {};
    if (wide_.pattern == kNone || wide_.text == text_.size()) return false;
    if (by_folder_) {
      const std::size_t slash = text_.find('/', wide_.text);
      if (slash == kNone) return false;
      wide_.text = slash;
    }
    ++wide_.text;
    return resume(wide_);
  }
  bool resume(const Restart& r) {
    p_ = r.pattern;
    t_ = r.text;
    return true;
  }

  std::string_view text_, pattern_;
  std::size_t t_ = 0, p_ = 0;
  Restart star_, wide_;
  bool by_folder_ = false;  // wide_ takes whole folders, not single characters
};

}  // namespace

bool matches_git_pattern(std::string_view text, std::string_view pattern) {
  return Match(text, pattern).run();
}

}  // namespace gh::patch
