#include "syntax/c_constructs.h"

#include <algorithm>
#include <array>
#include <vector>

#include "syntax/c_tokens.h"

namespace gh::syntax {
namespace {

using c_tokens::Token;
using c_tokens::TokenKind;

class Rewriting {
 public:
  explicit Rewriting(std::string_view source)
      : source_(source), out_(source), tokens_(c_tokens::read(source, out_)) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(tokens_.size()); }
  std::string_view at(std::uint32_t i) const {
    if (i >= tokens_.size()) return "";
    return source_.substr(tokens_[i].start, tokens_[i].end - tokens_[i].start);
  }
  bool is_text(std::uint32_t i) const {
    return tokens_[i].kind == TokenKind::literal && at(i).ends_with('"');
  }
  std::string take() && { return std::move(out_); }

  /// `typeof(x) y`: a type, whatever is in the parentheses.
  void type_of(std::uint32_t i) {
    if (const std::uint32_t close = closing(i + 1); close != 0) blank(i + 1, close);
  }

  /// `_Atomic(T) x` is `_Atomic T x`.
  void atomic(std::uint32_t i) {
    const std::uint32_t close = closing(i + 1);
    if (close == 0) return;
    blank(i + 1, i + 1);
    blank(close, close);
  }

  /// `switch (a) case 1: case 2: f();` is `while (a) if (1) if (2) f();`: the grammars want braces
  /// behind the value, and would take the statements after f() for those of the label.
  void lone_switch(std::uint32_t i) {
    const bool begins =
        i > 0 && (at(i - 1) == ";" || at(i - 1) == "{" || at(i - 1) == "}" || at(i - 1) == ":");
    const std::uint32_t close = closing(i + 1);
    if (!begins || close == 0 || at(close + 1) == "{") return;
    write(i, "while ");
    for (std::uint32_t label = close + 1; at(label) == "case" || at(label) == "default";) {
      const std::uint32_t colon = end_of_label(label);
      if (colon == 0) return;
      const bool has_value = at(label) == "case";
      write(label, has_value ? "if (" : "if (1) ");
      write(colon, has_value ? ")" : " ");
      label = colon + 1;
    }
  }

  /// `if consteval {`: a test without operands.
  void consteval_test(std::uint32_t i) {
    const bool is_negated = i > 0 && at(i - 1) == "!";
    const std::uint32_t before = is_negated ? i - 1 : i;
    if (before == 0 || at(before - 1) != "if" || at(i + 1) != "{") return;
    blank(before, i);
    write(i, is_negated ? "(!true)" : "(true)");
  }

  /// `p->*q` is a member of p; `p->*(…)` one that is found by its value, as by an index.
  void member_pointer(std::uint32_t i) {
    if (at(i + 1) != ">" || at(i + 2) != "*" || !are_joined(i, i + 2)) return;
    const std::uint32_t open = i + 3;
    if (open < size() && tokens_[open].kind == TokenKind::word) {
      blank(i + 2, i + 2);
    } else if (const std::uint32_t close = closing(open); close != 0) {
      blank(i, i + 2);
      out_[tokens_[open].start] = '[';
      out_[tokens_[close].start] = ']';
    }
  }

  /// `new T*[n]` and `new const T[n]` are `new T[n]`: what is made is made.
  void new_pointers(std::uint32_t i) {
    if (at(i + 1) == "const") blank(i + 1, i + 1);
    constexpr std::uint32_t kFar = 64;
    std::uint32_t at_star = i + 1, angles = 0;
    for (; at_star < std::min(size(), i + kFar); ++at_star) {
      const std::string_view text = at(at_star);
      if (text == "<") ++angles;
      if (text == ">" && angles > 0) --angles;
      const bool is_type = angles > 0 || is_word(at_star) || text == "::" || text == ">";
      if (!is_type) break;
    }
    std::uint32_t end = at_star;
    while (at(end) == "*" || at(end) == "const")
      ++end;
    const bool begins = end > at_star && at_star > i + 1 && at(at_star) == "*";
    if (begins && is_one_of(at(end), "[({;),")) blank(at_star, end - 1);
  }

  /// `"%" PRIu64 "…"`: a name beside a text is one, too.
  void name_beside_text(std::uint32_t i) {
    if (is_name_of_text(i - 1)) blank(i - 1, i - 1);
    for (std::uint32_t k = i + 1; is_name_of_text(k); ++k)
      blank(k, k);
  }

  /// `decltype(a, b)`: one of several values.
  void type_of_list(std::uint32_t i) {
    const std::uint32_t close = closing(i + 1);
    for (std::uint32_t k = i + 2; k < close; ++k) {
      if (at(k) == ",") out_[tokens_[k].start] = '+';
      if (is_one_of(at(k), "([{")) k = std::max(k, tokens_[k].closes_at);
    }
  }

  /// `using typename A::T;`
  void used_type(std::uint32_t i) {
    if (i > 0 && at(i - 1) == "using") blank(i, i);
  }

  /// `a > (b) && c`: a name in parentheses, and no type that `&& c` is turned into.
  void name_before_and(std::uint32_t i) {
    if (i < 4 || at(i + 1) != "&" || !are_joined(i, i + 1)) return;
    const std::uint32_t close = i - 1, open = i - 3, before = i - 4;
    if (at(close) != ")" || at(open) != "(" || !is_word(i - 2)) return;
    const bool is_call = (is_word(before) && at(before) != "return") || at(before) == ")" ||
                         at(before) == "]" || (at(before) == ">" && are_joined(before, open));
    if (is_call) return;
    blank(open, open);
    blank(close, close);
  }

  /// `a < b && c > (d)`: two comparisons, and no function of a template. `a > b` is read likewise.
  void comparison(std::uint32_t i) {
    constexpr std::uint32_t kFar = 64;
    const std::uint32_t start = tokens_[i].start;
    const bool is_apart = start > 0 && source_[start - 1] == ' ' && start + 1 < source_.size() &&
                          source_[start + 1] == ' ';
    if (!is_apart || i == 0 || at(i - 1) == "template" || at(i - 1).ends_with("_cast")) return;
    for (std::uint32_t k = i + 1; k < std::min(size(), i + kFar); ++k) {
      const std::string_view text = at(k);
      if (text == "(" || text == "[" || text == "{") {
        if (tokens_[k].closes_at == 0) return;
        k = tokens_[k].closes_at;
      } else if (text == ")" || text == "]" || text == "}" || text == ";" || text == ">") {
        return;
      } else if ((text == "&" || text == "|") && at(k + 1) == text && are_joined(k, k + 1)) {
        out_[start] = '>';
        return;
      }
    }
  }

  /// `new T[]{…}`: as many as the list has.
  void unsized_new(std::uint32_t i) {
    constexpr std::uint32_t kFar = 32;
    if (at(i + 1) != "]" || (at(i + 2) != "{" && at(i + 2) != "(")) return;
    for (std::uint32_t back = 1; back <= std::min(i, kFar); ++back) {
      const std::string_view text = at(i - back);
      if (text == "new") return blank(i, i + 1);
      const bool is_type = tokens_[i - back].kind == TokenKind::word || text == "::" ||
                           text == "<" || text == ">" || text == "," || text == "*";
      if (!is_type) return;
    }
  }

  /// `{.b{2}}`: a list for a member, here told by its place.
  void designated_list(std::uint32_t i) {
    const bool begins = i > 0 && (at(i - 1) == "{" || at(i - 1) == ",");
    const bool is_named = i + 1 < size() && tokens_[i + 1].kind == TokenKind::word;
    if (begins && is_named && at(i + 2) == "{") blank(i, i + 1);
  }

  /// `_Thread_local` has another word for it, one letter shorter.
  void thread_local_word(std::uint32_t i) { write(i, "thread_local "); }

  /// `auto y = 2;` of C: a type, whichever it is.
  void type_by_value(std::uint32_t i) {
    std::uint32_t name = i + 1;
    while (at(name) == "*" || at(name) == "const")
      ++name;
    if (is_word(name) && at(name + 1) == "=") write(i, "char");
  }

  /// `goto *p;` jumps to where the first word says.
  void computed_goto(std::uint32_t i) {
    if (at(i + 1) != "*") return;
    constexpr std::uint32_t kFar = 64;
    std::uint32_t label = 0, end = i + 2;
    for (; end < i + kFar && end < size() && at(end) != ";" && at(end) != "{" && at(end) != "}";
         ++end)
      if (label == 0 && is_word(end)) label = end;
    if (label == 0 || at(end) != ";") return;
    blank(i + 1, label - 1);
    if (label + 1 < end) blank(label + 1, end - 1);
  }

  /// `template class X<char>;` uses X<char>, and `extern template` says so of another file.
  void instantiation(std::uint32_t i) {
    const bool is_type = at(i + 1) == "class" || at(i + 1) == "struct" || at(i + 1) == "union";
    const bool is_elsewhere = i > 0 && at(i - 1) == "extern" && at(i + 1) != "<";
    if (is_elsewhere) blank(i - 1, i - 1);
    if (is_type) blank(i, i);
  }

  /// `f(this A& a)`: the object is a parameter.
  void object_parameter(std::uint32_t i) {
    const bool is_first = i > 0 && at(i - 1) == "(";
    const bool is_typed = (is_word(i + 1) && !is_operator_word(at(i + 1))) || at(i + 1) == "::";
    if (is_first && is_typed) blank(i, i);
  }

  /// `using T::f...;`
  void using_pack(std::uint32_t i) {
    if (at(i + 1) != ";" && at(i + 1) != ",") return;
    const std::uint32_t first = start_of_statement(i);
    if (at(first) == "using") blank(i, i);
  }

  /// `enum E { A [[x]] = 1 }`
  void attribute_of_enumerator(std::uint32_t i) {
    if (i < 2 || at(i + 1) != "[" || !is_word(i - 1)) return;
    const std::uint32_t close = tokens_[i].closes_at;
    const bool is_attribute = close != 0 && tokens_[i + 1].closes_at + 1 == close;
    const bool is_enumerator =
        (at(i - 2) == "{" || at(i - 2) == ",") &&
        (at(close + 1) == "=" || at(close + 1) == "," || at(close + 1) == "}");
    if (is_attribute && is_enumerator) blank(i, close);
  }

  /// `[](int a) static { … }`
  void static_lambda(std::uint32_t i) {
    if (i == 0 || (at(i - 1) != ")" && at(i - 1) != "]")) return;
    const std::string_view next = at(i + 1);
    if (next == "{" || next == "-" || next == "noexcept" || next == "constexpr") blank(i, i);
  }

  /// `int x : 3 = 1;` is `int x = 1;`: how wide a member is, no measure asks.
  void initialised_bits(std::uint32_t i) {
    if (i == 0 || !is_word(i - 1)) return;
    const std::uint32_t first = start_of_statement(i);
    const bool is_other = at(first) == "case" || at(first) == "class" || at(first) == "struct" ||
                          at(first) == "union" || at(first) == "enum" || at(first) == "else" ||
                          is_access(at(first));
    if (first + 1 >= i || !is_word(first) || is_other) return;
    for (std::uint32_t k = first; k < i; ++k)
      if (!is_word(k) && at(k) != "::" && at(k) != "<" && at(k) != ">" && at(k) != ",") return;
    for (std::uint32_t k = i + 1; k < size(); ++k) {
      if (at(k) == ";" || at(k) == "}" || at(k) == ":" || at(k) == "?") return;
      if (at(k) == "(") k = std::max(k, tokens_[k].closes_at);
      if (at(k) == "{" || (at(k) == "=" && !is_comparison(k))) return blank(i, k - 1);
    }
  }

  /// `l: }` is `l: ; }`.
  void label_at_end(std::uint32_t i) {
    if (at(i + 1) != "}" || i < 2 || !is_word(i - 1)) return;
    const std::string_view before = at(i - 2), name = at(i - 1);
    const bool begins = before == ";" || before == "{" || before == "}" || before == ":";
    if (!begins || is_access(name) || name == "default") return;
    const std::uint32_t after = tokens_[i].end;
    const bool has_room = std::string_view(" \t\r\n").find(out_[after]) != std::string_view::npos;
    if (!has_room) blank(i - 1, i - 1);
    out_[has_room ? after : tokens_[i].start] = ';';
  }

  /// `f(M m = {1, 2})`: a list as the value of a parameter is one in parentheses.
  void list_as_default(std::uint32_t i) {
    const std::uint32_t open = i + 1;
    if (i == 0 || !is_word(i - 1) || at(open) != "{") return;
    const std::uint32_t close = tokens_[open].closes_at;
    const bool is_empty = close == open + 1;
    if (close == 0 || is_empty || (at(close + 1) != ")" && at(close + 1) != ",")) return;
    out_[tokens_[open].start] = '(';
    out_[tokens_[close].start] = ')';
  }

  /// `enum : int { A }`: of what type its values are, no measure asks.
  void unnamed_enum(std::uint32_t i) {
    std::uint32_t colon = i + 1;
    if (at(colon) == "class" || at(colon) == "struct") ++colon;
    constexpr std::uint32_t kFar = 32;
    std::uint32_t open = colon + 1;
    while (open < std::min(size(), colon + kFar) && (is_word(open) || at(open) == "::"))
      ++open;
    if (at(colon) == ":" && at(open) == "{") blank(colon, open - 1);
  }

  /// `int A::B::*` is `int *`: a pointer into whichever class.
  void pointer_into_class(std::uint32_t i) {
    if (at(i + 1) != "*" || i == 0 || !is_word(i - 1)) return;
    std::uint32_t first = i - 1;
    while (first > 1 && at(first - 1) == "::" && is_word(first - 2))
      first -= 2;
    if (first > 0 && at(first - 1) == "::") --first;
    blank(first, i);
  }

  /// `_Pragma("…")` is said to the compiler.
  void pragma(std::uint32_t i) {
    if (const std::uint32_t close = closing(i + 1); close != 0) blank(i, close);
  }

  /// `int : 2;` holds nothing.
  void unnamed_bits(std::uint32_t i) {
    const bool is_type = i > 0 && is_word(i - 1) && !is_access(at(i - 1));
    const std::uint32_t first = start_of_statement(i);
    const bool is_width = i + 1 < size() && tokens_[i + 1].kind != TokenKind::other;
    if (!is_type || !is_width || at(i + 2) != ";" || at(first) == "case") return;
    if (at(i - 1) != "int" && at(i - 1) != "unsigned" && at(i - 1) != "signed" &&
        at(i - 1) != "char" && at(i - 1) != "long" && at(i - 1) != "short" && at(i - 1) != "bool" &&
        at(i - 1) != "_Bool" && !at(i - 1).ends_with("_t"))
      return;
    blank(first, i + 2);
  }

  /// `a ? throw b : c` has a value less.
  void thrown_in_choice(std::uint32_t i) {
    const std::string_view next = at(i + 1);
    if (i == 0 || next == ":" || next == ")" || next == ";") return;
    constexpr std::uint32_t kFar = 64;
    const bool is_last = at(i - 1) == ":";
    if (at(i - 1) != "?" && !is_last) return;
    for (std::uint32_t back = 2; is_last && at(i - 1) != "?"; ++back) {
      if (back > std::min(i, kFar) || is_one_of(at(i - back), ";{}")) return;
      if (at(i - back) == "?") break;
    }
    blank(i, i);
  }

  /// `export int f();` without it; `export { … }` as what it holds. `module a.b;` and `import a.b;`
  /// are `using a_b;`, which is read by what stands in the source.
  void exported(std::uint32_t i) {
    if (at(i + 1) == "module" || at(i + 1) == "import") return;
    if (at(i + 1) == "{") {
      const std::uint32_t close = tokens_[i + 1].closes_at;
      if (close == 0) return;
      blank(i + 1, i + 1);
      blank(close, close);
    }
    blank(i, i);
  }
  void module_line(std::uint32_t i) {
    const bool is_exported = i > 0 && at(i - 1) == "export";
    const std::uint32_t first = is_exported ? i - 1 : i;
    const std::string_view next = at(i + 1);
    const bool names_one = is_word(i + 1) || next == ":" || next == "<" || next == ";" ||
                           (next.starts_with('"') && at(i) == "import");
    if (!begins_line(first) || !names_one) return;
    constexpr std::uint32_t kFar = 64;
    std::uint32_t end = i + 1;
    while (end < i + kFar && end < size() && is_part_of_module_name(end))
      ++end;
    if (at(end) != ";" && at(end) != "[") return;
    if (at(end) == "[" && tokens_[end].closes_at != 0) blank(end, tokens_[end].closes_at);
    const bool names_none = next == ";" || (at(i) == "module" && at(i + 2) == "private");
    const std::uint32_t from = tokens_[i].start, to = tokens_[end - 1].end;
    const bool has_lines = source_.substr(from, to - from).find('\n') != std::string_view::npos;
    if (names_none || has_lines) return blank(first, end - 1);
    if (is_exported) blank(first, first);
    write(i, "using ");
    for (std::uint32_t b = tokens_[i + 1].start; b < to; ++b)
      if (!c_tokens::is_word_char(out_[b])) out_[b] = '_';
  }

 private:
  static bool is_access(std::string_view word) {
    return word == "public" || word == "private" || word == "protected";
  }
  /// Those that may follow an operand.
  static bool is_operator_word(std::string_view word) {
    return word == "and" || word == "or" || word == "xor" || word == "bitand" || word == "bitor" ||
           word == "not_eq";
  }
  bool is_word(std::uint32_t i) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::word;
  }
  static bool is_one_of(std::string_view mark, std::string_view marks) {
    return mark.size() == 1 && marks.find(mark) != std::string_view::npos;
  }
  /// Macros that are text begin with a capital, and no word of the language does.
  bool is_name_of_text(std::uint32_t i) const {
    return is_word(i) && at(i)[0] >= 'A' && at(i)[0] <= 'Z' && at(i).size() > 1;
  }
  /// `=` of `==`, `<=`, `>=`, `!=`.
  bool is_comparison(std::uint32_t i) const {
    const char before = source_[tokens_[i].start - 1];
    return before == '=' || before == '<' || before == '>' || before == '!' || at(i + 1) == "=";
  }
  /// The first token after what ended before it.
  std::uint32_t start_of_statement(std::uint32_t i) const {
    constexpr std::uint32_t kFar = 64;
    std::uint32_t first = i;
    for (; first > 0 && i - first < kFar; --first) {
      const std::string_view before = at(first - 1);
      if (before == ";" || before == "{" || before == "}" || before == ":") break;
    }
    return first;
  }
  bool begins_line(std::uint32_t i) const {
    return tokens_[i].start == 0 || source_[tokens_[i].start - 1] == '\n';
  }
  /// `a.b:c`, `<vector>`, `"a.h"`
  bool is_part_of_module_name(std::uint32_t i) const {
    const std::string_view text = at(i);
    return tokens_[i].kind != TokenKind::other || text == "." || text == ":" || text == "<" ||
           text == ">" || text == "/";
  }
  /// Of parentheses that open here; 0 when none do.
  std::uint32_t closing(std::uint32_t open) const {
    return at(open) == "(" ? tokens_[open].closes_at : 0;
  }
  /// The colon that ends `case …` or `default`; 0 when the statement ends without one.
  std::uint32_t end_of_label(std::uint32_t label) const {
    std::uint32_t choices = 0;  // `a ? b : c`
    for (std::uint32_t i = label + 1; i < size(); ++i) {
      if (at(i) == ";" || at(i) == "{" || at(i) == "}") return 0;
      if (at(i) == ":" && choices == 0) return i;
      if (at(i) == ":") --choices;
      if (at(i) == "?") ++choices;
      if (at(i) == "(") i = std::max(i, tokens_[i].closes_at);
    }
    return 0;
  }
  bool are_joined(std::uint32_t first, std::uint32_t last) const {
    return tokens_[last].end - tokens_[first].start == last - first + 1;
  }
  void write(std::uint32_t token, std::string_view text) {
    text.copy(out_.data() + tokens_[token].start, text.size());
  }
  void blank(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t b = tokens_[first].start; b < tokens_[last].end; ++b)
      if (out_[b] != '\n' && out_[b] != '\r') out_[b] = ' ';
  }

  std::string_view source_;
  std::string out_;
  std::vector<Token> tokens_;
};

/// Written over before the parser has seen the text, or only when it could not be read whole.
enum class Reading : std::uint8_t { first, second };

struct Construct {
  std::string_view hint;   // a text without it has none
  std::string_view token;  // at which it begins
  bool c, cpp;
  Reading reading;
  void (Rewriting::*rewrite)(std::uint32_t token);
};
constexpr std::string_view kText = "\"\"";  // any text
constexpr Reading kFirst = Reading::first, kSecond = Reading::second;
// clang-format off
// table: constructs that the grammars of C do not know
constexpr std::array kConstructs = std::to_array<Construct>({
    {"typeof",        "typeof",            true,  false, kFirst,  &Rewriting::type_of},
    {"typeof",        "typeof_unqual",     true,  false, kFirst,  &Rewriting::type_of},
    {"typeof",        "__typeof",          true,  true,  kFirst,  &Rewriting::type_of},
    {"typeof",        "__typeof__",        true,  true,  kFirst,  &Rewriting::type_of},
    {"typeof",        "__typeof_unqual__", true,  true,  kFirst,  &Rewriting::type_of},
    {"_Atomic",       "_Atomic",           true,  true,  kFirst,  &Rewriting::atomic},
    {"_BitInt",       "_BitInt",           true,  false, kFirst,  &Rewriting::type_of},
    {"_Thread_local", "_Thread_local",     true,  false, kFirst,  &Rewriting::thread_local_word},
    {"auto",          "auto",              true,  false, kSecond, &Rewriting::type_by_value},
    {"goto",          "goto",              true,  true,  kSecond, &Rewriting::computed_goto},
    {"consteval",     "consteval",         false, true,  kFirst,  &Rewriting::consteval_test},
    {"->*",           "-",                 false, true,  kFirst,  &Rewriting::member_pointer},
    {"[]",            "[",                 false, true,  kFirst,  &Rewriting::unsized_new},
    {"&&",            "&",                 true,  true,  kFirst,  &Rewriting::name_before_and},
    {" < ",           "<",                 false, true,  kFirst,  &Rewriting::comparison},
    {".",             ".",                 false, true,  kFirst,  &Rewriting::designated_list},
    {"template",      "template",          false, true,  kFirst,  &Rewriting::instantiation},
    {"this",          "this",              false, true,  kFirst,  &Rewriting::object_parameter},
    {"export",        "export",            false, true,  kFirst,  &Rewriting::exported},
    {"module",        "module",            false, true,  kFirst,  &Rewriting::module_line},
    {"import",        "import",            false, true,  kFirst,  &Rewriting::module_line},
    {"_Pragma",       "_Pragma",           true,  true,  kFirst,  &Rewriting::pragma},
    {"enum",          "enum",              true,  true,  kSecond, &Rewriting::unnamed_enum},
    {"::",            "::",                false, true,  kSecond, &Rewriting::pointer_into_class},
    {"=",             "=",                 false, true,  kSecond, &Rewriting::list_as_default},
    {":",             ":",                 true,  true,  kSecond, &Rewriting::unnamed_bits},
    {"throw",         "throw",             false, true,  kSecond, &Rewriting::thrown_in_choice},
    {"new",           "new",               false, true,  kSecond, &Rewriting::new_pointers},
    {"decltype",      "decltype",          false, true,  kSecond, &Rewriting::type_of_list},
    {"typename",      "typename",          false, true,  kSecond, &Rewriting::used_type},
    {"...",           "...",               false, true,  kSecond, &Rewriting::using_pack},
    {"[[",            "[",                 false, true,  kSecond, &Rewriting::attribute_of_enumerator},
    {"static",        "static",            false, true,  kSecond, &Rewriting::static_lambda},
    {":",             ":",                 false, true,  kSecond, &Rewriting::initialised_bits},
    {":",             ":",                 true,  true,  kSecond, &Rewriting::label_at_end},
    {"\"",            kText,               false, true,  kSecond, &Rewriting::name_beside_text},
    {"switch",        "switch",            true,  true,  kSecond, &Rewriting::lone_switch},
});
// clang-format on

std::optional<std::string> rewritten(std::string_view source, bool cpp, Reading reading) {
  std::vector<const Construct*> hinted;
  for (const Construct& construct : kConstructs)
    if (construct.reading == reading && (cpp ? construct.cpp : construct.c) &&
        source.find(construct.hint) != std::string_view::npos)
      hinted.push_back(&construct);
  if (hinted.empty()) return std::nullopt;
  Rewriting rewriting(source);
  for (std::uint32_t i = 0; i < rewriting.size(); ++i)
    for (const Construct* construct : hinted)
      if (rewriting.at(i) == construct->token ||
          (construct->token == kText && rewriting.is_text(i)))
        (rewriting.*construct->rewrite)(i);
  return std::move(rewriting).take();
}

}  // namespace

std::optional<std::string> known_constructs(std::string_view source, bool cpp) {
  return rewritten(source, cpp, Reading::first);
}

std::vector<std::string_view> words_of_typeof(std::string_view source, std::size_t end) {
  constexpr std::size_t kFar = 2'000;  // bytes; a file may have a typeof in every line
  const std::string_view near = source.substr(end, kFar);
  std::string out(near);
  const std::vector<Token> tokens = c_tokens::read(near, out);
  std::vector<std::string_view> words;
  if (tokens.empty() || near[tokens[0].start] != '(') return words;
  for (std::uint32_t i = 1; i < tokens[0].closes_at; ++i)
    if (tokens[i].kind == TokenKind::word)
      words.push_back(near.substr(tokens[i].start, tokens[i].end - tokens[i].start));
  return words;
}

std::optional<std::string> unread_constructs(std::string_view source, bool cpp) {
  std::optional<std::string> out = rewritten(source, cpp, Reading::second);
  if (out == source) return std::nullopt;
  return out;
}

}  // namespace gh::syntax
