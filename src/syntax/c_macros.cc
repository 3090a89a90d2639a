#include "syntax/c_macros.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "syntax/c_constructs.h"
#include "syntax/c_tokens.h"

namespace gh::syntax {

bool is_shouted(std::string_view word) {
  return word.size() > 3 && !(word[0] >= '0' && word[0] <= '9') &&
         std::ranges::none_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
}

namespace {

using c_tokens::is_word_char;
using c_tokens::Token;
using c_tokens::TokenKind;

// table: words that are no names
constexpr std::array kKeywords = std::to_array<std::string_view>({
    "auto",     "break",    "case",    "catch",     "class",  "const",    "constexpr",
    "continue", "default",  "delete",  "do",        "else",   "enum",     "explicit",
    "extern",   "for",      "friend",  "goto",      "if",     "inline",   "namespace",
    "new",      "operator", "private", "protected", "public", "register", "restrict",
    "return",   "sizeof",   "static",  "struct",    "switch", "template", "this",
    "throw",    "try",      "typedef", "typename",  "union",  "using",    "virtual",
    "volatile", "while",
});
// table: words of which types are made
constexpr std::array kTypeWords = std::to_array<std::string_view>({
    "bool",
    "char",
    "double",
    "float",
    "int",
    "long",
    "short",
    "signed",
    "unsigned",
    "void",
});
// table: words that begin a declaration
constexpr std::array kOpeners = std::to_array<std::string_view>({
    "class",     "const",    "constexpr", "enum",   "extern",  "friend", "inline",
    "namespace", "private",  "protected", "public", "static",  "struct", "template",
    "typedef",   "typename", "union",     "using",  "virtual",
});
// table: macros that are not written like ones
constexpr std::array kAttributes = std::to_array<std::string_view>({
    "asmlinkage",
    "noinline",
    "noinstr",
    "nokprobe_inline",
    "notrace",
});
// What the loader or the linker calls or keeps without a word in the sources.
// table: attributes of roots
constexpr std::array<std::string_view, 3> kRootAttributes{"constructor", "destructor", "used"};
// table: parts of the names of macros that follow parameters
constexpr std::array kTrailing = std::to_array<std::string_view>({
    "NOEXCEPT",
    "OVERRIDE",
    "FINAL",
    "NOTHROW",
});
// table: parts of the names of macros that qualify what follows
constexpr std::array kQualifying = std::to_array<std::string_view>({
    "CONSTEXPR",
    "DECL",
    "INLINE",
    "EXPORT",
    "_API",
    "NOEXCEPT",
    "EXPLICIT",
    "NODISCARD",
});

template <std::size_t N>
bool is_in(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

class Masking {
 public:
  Masking(std::string_view source, bool cpp) : source_(source), out_(source), cpp_(cpp) {
    tokens_ = c_tokens::read(source, out_);
    gone_.resize(tokens_.size());
    gone_from_.resize(tokens_.size());
  }

  std::string run() {
    for (std::uint32_t i = 0; i < tokens_.size(); ++i) {
      const std::string_view text = at(i);
      if (text == "{") code_.push_back(opens_code(i));
      if (text == "}" && !code_.empty()) code_.pop_back();
      if (text == "{" || text == "(") {
        open_.push_back(i);
        braces_ += text == "{" ? 1 : 0;
      }
      if ((text == "}" || text == ")") && !open_.empty()) {
        braces_ -= at(open_.back()) == "{" ? 1 : 0;
        open_.pop_back();
      }
      if (tokens_[i].kind == TokenKind::word)
        word(i);
      else
        mark(i);
    }
    return std::move(out_);
  }

 private:
  std::string_view at(std::uint32_t i) const {
    if (i >= tokens_.size()) return "";
    return source_.substr(tokens_[i].start, tokens_[i].end - tokens_[i].start);
  }
  /// The token that many before this one, without those that are written over; none: the size.
  std::uint32_t index_before(std::uint32_t i, std::uint32_t by = 1) const {
    while (i > 0) {
      --i;
      if (gone_[i])
        i = gone_from_[i];
      else if (--by == 0)
        return i;
    }
    return static_cast<std::uint32_t>(tokens_.size());
  }
  std::string_view before(std::uint32_t i, std::uint32_t by = 1) const {
    return at(index_before(i, by));
  }
  bool is_word(std::uint32_t i) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::word;
  }
  bool is_name(std::uint32_t i) const { return is_word(i) && !is_in(kKeywords, at(i)); }
  bool is_plain_name(std::uint32_t i) const { return is_name(i) && !is_in(kTypeWords, at(i)); }

  void blank(std::uint32_t first, std::uint32_t last) {
    // A run that is gone is stepped over at once: a file of nothing but macros has one long run.
    const std::uint32_t from = first > 0 && gone_[first - 1] ? gone_from_[first - 1] : first;
    for (std::uint32_t i = first; i <= last; ++i) {
      gone_[i] = true;
      gone_from_[i] = from;
    }
    for (std::uint32_t b = tokens_[first].start; b < tokens_[last].end; ++b)
      if (out_[b] != '\n' && out_[b] != '\r') out_[b] = ' ';
  }
  void write(std::uint32_t token, std::string_view text) {
    blank(token, token);
    gone_[token] = false;
    text.copy(out_.data() + tokens_[token].start, text.size());
  }

  /// The token after the arguments that may follow a macro, or after itself.
  std::uint32_t after(std::uint32_t i) const {
    const bool has_arguments = at(i + 1) == "(" && tokens_[i + 1].closes_at != 0;
    return has_arguments ? tokens_[i + 1].closes_at + 1 : i + 1;
  }
  bool begins_declaration(std::uint32_t i) const {
    const std::string_view p = before(i);
    return p.empty() || p == ";" || p == "{" || p == "}" || p == ":" || p == ">";
  }
  bool in_braces() const { return braces_ > 0; }
  /// Not the braces of a class or a name space.
  bool opens_code(std::uint32_t i) const {
    constexpr std::uint32_t kFar = 64;
    for (std::uint32_t back = 1; back <= std::min(i, kFar); ++back) {
      const std::string_view text = at(i - back);
      if (text == ";" || text == "{" || text == "}" || text == ")") return true;
      if (text == "class" || text == "struct" || text == "union" || text == "namespace" ||
          text == "extern")
        return false;
    }
    return true;
  }
  bool in_code() const { return !code_.empty() && code_.back(); }
  bool is_on_later_line(std::uint32_t i) const {
    return i < tokens_.size() && i > 0 &&
           source_.substr(tokens_[i - 1].end, tokens_[i].start - tokens_[i - 1].end).find('\n') !=
               std::string_view::npos;
  }

  /// Inside the parentheses of something that looks like a call.
  bool in_call() const {
    return !open_.empty() && at(open_.back()) == "(" && open_.back() > 0 &&
           is_plain_name(open_.back() - 1);
  }

  void word(std::uint32_t i) {
    if (gone_[i]) return;
    if (is_in(kKeywords, at(i)))
      keyword(i);
    else if (is_in(kTypeWords, at(i)))
      type_argument(i);
    else if (!loop(i) &&
             (at(i).starts_with("__") || is_shouted(at(i)) || is_in(kAttributes, at(i))))
      macro(i);
  }

  /// `for_each(…) {`: in C any call before a brace, where a statement stands.
  bool loop(std::uint32_t i) {
    constexpr std::string_view kLoop = "while", kShort = "if";  // which is told by its name
    const bool is_short = at(i).size() < kLoop.size();
    if (at(i).size() < kShort.size() || at(i + 1) != "(" || !in_braces()) return false;
    const std::string_view p = before(i);
    const bool is_statement =
        p == ";" || p == "{" || p == "}" || p == ")" || p == ":" || p == "else";
    const std::uint32_t next = after(i);
    std::string lower(at(i));
    for (char& c : lower)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool is_named_so =
        lower.find("for_each") != std::string::npos || lower.find("foreach") != std::string::npos;
    const bool before_body = at(next) == "{" || (is_named_so && is_word(next));
    if (!is_statement || next == i + 1 || !before_body || (cpp_ && !is_named_so)) return false;
    const bool joins_else =
        is_short && (p == "else" || at(next) != "{" || at(tokens_[next].closes_at + 1) == "else");
    if (joins_else) return false;
    write(i, is_short ? kShort : kLoop);
    return true;
  }

  /// `f(struct s, …)`, where a value is expected.
  void keyword(std::uint32_t i) {
    const bool is_tag = at(i) == "struct" || at(i) == "union" || at(i) == "enum";
    if (!is_tag || !in_call() || !is_plain_name(i + 1)) return;
    if (before(i) != "(" && before(i) != ",") return;
    std::uint32_t end = i + 2;
    while (at(end) == "*")
      ++end;
    if (at(end) != "," && at(end) != ")") return;
    blank(i, i);
    if (end > i + 2) blank(i + 2, end - 1);
  }

  /// `f(unsigned long, …)` in a body: one word that is no type.
  void type_argument(std::uint32_t i) {
    if (cpp_ || !in_call()) return;
    if (!in_braces() && !is_shouted(at(open_.back() - 1))) return;
    if (before(i) != "(" && before(i) != ",") return;
    std::uint32_t end = i;
    while (is_word(end) && is_in(kTypeWords, at(end)))
      ++end;
    const std::uint32_t last = end - 1;
    while (at(end) == "*")
      ++end;
    if (at(end) != "," && at(end) != ")") return;
    if (at(i) == "void" && last == i && end == i + 1 && before(i) == "(") return;
    for (std::uint32_t b = tokens_[i].start; b < tokens_[last].end; ++b)
      if (!is_word_char(out_[b]) && out_[b] != '\n') out_[b] = '_';
    out_[tokens_[i].start] = '_';
    if (end > last + 1) blank(last + 1, end - 1);
  }

  void macro(std::uint32_t i) {
    const std::uint32_t next = after(i);
    const bool has_arguments = next != i + 1;
    if (marks_root(i, next)) return;
    if (has_arguments && before(i) == "if") return blank(i, i);  // `if MAYBE_CONSTEXPR (a)`
    if (attribute_of_name(i, next) || attribute_of_type(i, next) || opener(i, next) ||
        trailing(i, next) || stands_alone(i, next)) {
      blank(i, next - 1);
      return;
    }
    if (has_arguments && defines(i, next)) return;
    if (has_arguments && names_body(i, next)) return blank(i + 2, next - 2);
    const bool is_parameter = (before(i) == "(" || before(i) == ",") && in_parameters();
    if (!cpp_) return;
    const std::string_view p = before(i), n = at(next), then = at(next + 1);
    const bool names_type =
        p == "typedef" || p == "const" || p == "static" || then == ";" || is_parameter;
    const bool is_type_parameter = (p == "<" || p == ",") && !in_parameters() &&
                                   is_plain_name(next) &&
                                   (then == ">" || then == "," || then == "=");
    if (has_arguments && is_type_parameter && at(i).size() >= 5) {
      write(i, "class");
      blank(i + 1, next - 1);
    } else if (has_arguments && names_type && (is_plain_name(next) || n == "...")) {
      blank(i + 1, next - 1);  // a macro that makes a type
    } else if (has_arguments && n == ";" && !in_code() && begins_declaration(i) && next > i + 3) {
      blank(i + 2, next - 2);  // what is asked of the compiler
    } else if (is_name(next) && (at(i).find("TYPENAME") != std::string_view::npos ||
                                 at(i).find("NESTED_TEMPLATE") != std::string_view::npos)) {
      blank(i, i);
    }
  }

  /// The grammar knows this one, and its function is called unseen.
  bool marks_root(std::uint32_t i, std::uint32_t next) const {
    if (next == i + 1 || (at(i) != "__attribute__" && at(i) != "__attribute")) return false;
    if (before(i) == "*" || before(i) == "&" || attribute_of_name(i, next)) return false;
    const std::uint32_t from = tokens_[i].start;
    return names_root_attribute(std::string_view(out_).substr(from, tokens_[next - 1].end - from));
  }

  /// `DEFINE(T, name) = …`: the macro is the type, its last argument the name; without a value it
  /// is a call.
  bool defines(std::uint32_t i, std::uint32_t next) {
    const std::string_view p = before(i);
    if (in_braces() || !is_shouted(at(i)) || !(begins_declaration(i) || p == "static"))
      return false;
    if (at(next) == ";" && p == "static") {
      blank(index_before(i), index_before(i));
      return false;
    }
    if (at(next) != "=" || !is_plain_name(next - 2)) return false;
    blank(i + 1, next - 3);
    blank(next - 1, next - 1);
    return true;
  }

  /// `TEST_CASE("what holds", "[tag]") {`: no parameter is a text.
  bool names_body(std::uint32_t i, std::uint32_t next) const {
    if (at(next) != "{" || in_code() || !begins_declaration(i) || !is_shouted(at(i))) return false;
    for (std::uint32_t k = i + 2; k + 1 < next; ++k)
      if (tokens_[k].kind == TokenKind::literal) return true;
    return false;
  }

  /// After the parameters of a function.
  bool trailing(std::uint32_t i, std::uint32_t next) const {
    const std::string_view p = before(i), n = at(next);
    const bool ends = n == "{" || n == ";" || n == "=" || (n == ":" && p == ")");
    const bool has_arguments = next != i + 1;
    if ((has_arguments || (p == ")" && n == ";")) && ends && is_shouted(at(i)) && !in_code()) {
      const bool is_guarded = at(i).find("GUARDED_BY") != std::string_view::npos;
      if (p == ")" || p == "const" || p == "override" || p == "final" || p == "noexcept")
        return true;
      if (is_guarded && is_plain_name(index_before(i))) return true;
    }
    if (!cpp_)
      return p == ")" && has_arguments && at(i).starts_with("__") && (n == "{" || n == ";");
    if (p != ")" && p != "const" && p != "override") return false;
    const bool is_known = std::ranges::any_of(kTrailing, [&](std::string_view part) {
      return at(i).find(part) != std::string_view::npos;
    });
    return is_known || (n == "{" && next == i + 1);
  }

  /// Where declarations stand, nothing of its own and no semicolon.
  bool stands_alone(std::uint32_t i, std::uint32_t next) const {
    if (!is_shouted(at(i)) || !begins_declaration(i)) return false;
    const std::string_view n = at(next);
    const bool is_last = n.empty() || n == "}";
    const bool is_line = cpp_ && next != i + 1 && !in_code() && is_on_later_line(next) &&
                         n != "{" && n != "=" && n != ";" && n != ":" && n != ",";
    if (is_line) return true;
    const bool before_other = is_word(next) && is_shouted(n) && !in_braces();
    return (is_last && (next == i + 1 || !in_braces())) || (before_other && at(after(next)) != ";");
  }
  bool in_parameters() const { return !open_.empty() && at(open_.back()) == "("; }

  /// `T x __attribute = …`: the name is said, what follows is about it.
  bool attribute_of_name(std::uint32_t i, std::uint32_t next) const {
    const std::string_view n = at(next), p = before(i);
    if (n != ";" && n != "=" && n != "," && n != ")") return false;
    if (p == "]") return n == ";" || n == "=";
    if (!is_plain_name(index_before(i))) return false;
    return before(i, 2) == "*" || is_name(index_before(i, 2));
  }

  /// `T __attribute x`, `T __attribute *x`, `(__attribute T)`.
  bool attribute_of_type(std::uint32_t i, std::uint32_t next) const {
    const std::string_view p = before(i);
    const bool before_name = is_name(next), before_star = at(next) == "*";
    const bool is_tag = p == "struct" || p == "class" || p == "union";
    const bool is_renamed = before(i, 2) == "typedef" && at(next + 1) == ";";
    if (is_tag && is_shouted(at(i)) && is_plain_name(next) && !is_renamed) return true;
    if (p == "(" && before_name && (at(next + 1) == ")" || at(next + 1) == "*"))
      return at(i).starts_with("__");
    if (p == "*" || p == "&")
      return is_name(index_before(i, 2)) &&
             (before_name ? at(next + 1) == "(" : before_star && !in_braces());
    return is_name(index_before(i)) && (before_name || before_star);
  }

  /// Before the type, or before the word that begins a declaration.
  bool opener(std::uint32_t i, std::uint32_t next) const {
    const std::string_view p = before(i);
    const bool begins = begins_declaration(i) || is_in(kOpeners, p);
    if (!begins) return false;
    if (is_word(next) && is_in(kOpeners, at(next))) return begins_declaration(i) || p == "static";
    if (at(next) == "~") return cpp_;
    if (!is_name(next)) return false;
    const std::uint32_t then = next + 1;
    if (is_name(then) || at(then) == "*" || at(then) == "&" || at(then) == "::" || at(then) == "<")
      return is_name(then) || next == i + 1 || at(i).starts_with("__");
    const bool qualifies = std::ranges::any_of(kQualifying, [&](std::string_view part) {
      return at(i).find(part) != std::string_view::npos;
    });
    return cpp_ && qualifies && at(then) == "(";
  }

  void mark(std::uint32_t i) {
    const std::string_view text = at(i);
    if (text == "..." && in_case(i)) write(i, " - ");
    if (!cpp_) return;
    const bool is_empty_list = text == "{" && at(i + 1) == "}" && before(i) == "=";
    if (is_empty_list && open_.size() > 1 && at(open_[open_.size() - 2]) == "(") {
      write(i, "0");
      blank(i + 1, i + 1);
    }
    if (text == "=" && at(i + 1) == "delete" && at(i + 2) == ";") blank(i, i + 1);
    // `*=` in one is an operator.
    const bool follows_mark = text == "=" && i > 0 && (before(i) == "*" || before(i) == "&") &&
                              tokens_[i].start != tokens_[i - 1].end;
    if (follows_mark && in_parameters()) unnamed_default(i);
    if (text == "<" && before(i) == "template") type_defaults(i);
    if (text == "::" && at(i + 1) == "*" && is_word(i + 2) && i > 0 && is_name(i - 1)) {
      std::uint32_t first = i - 1;
      while (first >= 2 && at(first - 1) == "::" && is_name(first - 2))
        first -= 2;
      blank(first, i);
    }
  }

  /// `T* = 0`: a parameter without a name.
  void unnamed_default(std::uint32_t i) {
    const std::uint32_t close = tokens_[open_.back()].closes_at;
    std::uint32_t end = i + 1;
    for (; end < close && at(end) != ","; ++end)
      if (at(end) == "(" || at(end) == "{") return;
    if (close != 0) blank(i, end - 1);
  }

  /// `template <class T = char const*>`: pointers and qualifiers of a default.
  void type_defaults(std::uint32_t i) {
    constexpr std::uint32_t kFar = 400;
    int depth = 0;
    bool after_equals = false;
    for (std::uint32_t k = i; k < tokens_.size() && k < i + kFar; ++k) {
      const std::string_view text = at(k);
      if (text == ";" || text == "{") return;
      depth += text == "<" ? 1 : text == ">" ? -1 : 0;
      if (depth == 0) return;
      if (depth == 1 && (text == "=" || text == ",")) after_equals = text == "=";
      const bool is_decor = text == "*" || text == "&" || text == "const";
      if (depth == 1 && after_equals && is_decor && at(k - 1) != "=") blank(k, k);
    }
  }

  bool in_case(std::uint32_t i) const {
    for (std::uint32_t back = 1; back <= 8 && back <= i; ++back) {
      const std::string_view text = at(i - back);
      if (text == "case") return true;
      if (text == ";" || text == "{" || text == "}") return false;
    }
    return false;
  }

  std::string_view source_;
  std::string out_;
  std::vector<Token> tokens_{};
  std::vector<bool> gone_{};
  std::vector<std::uint32_t> gone_from_{};  // where the run of a token that is gone begins
  std::size_t braces_ = 0;                  // of those that are open
  std::vector<bool> code_{};                // of each open brace: are statements inside?
  bool cpp_;
  std::vector<std::uint32_t> open_{};
};

}  // namespace

bool names_root_attribute(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
  constexpr std::string_view kInner = "abcdefghijklmnopqrstuvwxyz_";
  for (std::size_t at = text.find_first_of(kInner); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_not_of(kInner, at), text.size());
    std::string_view word = text.substr(at, end - at);
    const std::size_t from = std::min(word.find_first_of(kLetters), word.size());
    word = word.substr(from, word.find_last_of(kLetters) + 1 - from);
    if (std::ranges::find(kRootAttributes, word) != kRootAttributes.end()) return true;
    at = text.find_first_of(kInner, end);
  }
  return false;
}

namespace {

std::string readable(std::string_view source, bool cpp) {
  const std::optional<std::string> known = known_constructs(source, cpp);
  return Masking(known ? *known : source, cpp).run();
}

}  // namespace

namespace {

std::string_view word_before(std::string_view text, std::size_t end) {
  while (end > 0 && text[end - 1] == ' ')
    --end;
  std::size_t start = end;
  while (start > 0 && is_word_char(text[start - 1]))
    --start;
  return text.substr(start, end - start);
}

/// Words from `at` to the end of the parentheses that are open there, or to `end`; texts have none.
std::size_t add_words(std::string_view text, std::size_t at, std::size_t end,
                      std::vector<Comment>& out) {
  std::size_t depth = 1;
  while (at < end && depth > 0) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      for (++at; at < end && text[at] != c; ++at)
        if (text[at] == '\\') ++at;
      ++at;
      continue;
    }
    if (is_word_char(c)) {
      const std::size_t start = at;
      while (at < end && is_word_char(text[at]))
        ++at;
      if (c < '0' || c > '9')
        out.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(at)});
      continue;
    }
    depth += c == '(' ? 1 : 0;
    depth -= c == ')' ? 1 : 0;
    ++at;
  }
  return at;
}

bool is_gap(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

/// Runs that are blank in `read` alone; the arguments in them may begin before or inside.
std::vector<Comment> arguments_set_aside(std::string_view source, std::string_view read) {
  std::vector<Comment> out;
  for (std::size_t at = 0; at < source.size();) {
    const auto differs =
        std::mismatch(source.begin() + static_cast<std::ptrdiff_t>(at), source.end(),
                      read.begin() + static_cast<std::ptrdiff_t>(at));
    at = static_cast<std::size_t>(differs.first - source.begin());
    if (at >= source.size()) break;
    std::size_t end = at;
    while (end < source.size() && is_gap(read[end]))
      ++end;
    if (end == at) {  // written over
      ++at;
      continue;
    }
    const bool is_after_open = at > 0 && source[at - 1] == '(';
    if (is_after_open && is_shouted(word_before(source, at - 1)))
      at = add_words(source, at, end, out);
    while (at < end) {
      const bool opens = source[at] == '(' && is_shouted(word_before(source, at));
      at = opens ? add_words(source, at + 1, end, out) : at + 1;
    }
  }
  return out;
}

std::string readable_c(std::string_view source) { return readable(source, false); }
std::string readable_cpp(std::string_view source) { return readable(source, true); }

}  // namespace gh::syntax
