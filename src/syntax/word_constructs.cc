#include "syntax/word_constructs.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

#include "syntax/c_tokens.h"

namespace gh::syntax {
namespace {

using c_tokens::is_word_char;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

/// Words, and marks of one character each.
class Words {
 public:
  explicit Words(std::string_view source) : source_(source), out_(source) {
    for (std::size_t at = 0; at < source.size();) {
      if (const std::size_t comment = comment_at(at); comment != 0) {
        at += comment;
        continue;
      }
      const std::size_t start = at++;
      if (is_blank(source[start])) continue;
      if (is_word(source[start]))
        while (at < source.size() && is_word(source[at]))
          ++at;
      tokens_.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(at)});
    }
  }

  std::size_t size() const { return tokens_.size(); }
  std::string_view at(std::size_t i) const {
    if (i >= tokens_.size()) return "";
    return source_.substr(tokens_[i].start, tokens_[i].end - tokens_[i].start);
  }
  std::string take() && { return std::move(out_); }

  /// `using x = …`, `for (using x of …)`. A word on the next line is a statement of its own.
  void declares_resource(std::size_t i) {
    if (!names_something(i + 1) || !are_in_one_line(i, i + 1)) return;
    if (is_one_of(at(i + 1), {"in", "instanceof", "of", "as", "satisfies"})) return;
    if (!is_one_of(at(i + 2), {"=", ":", "of"})) return;
    const std::string_view before = at(i - 1);  // nothing before the first
    if (before == "await" && are_in_one_line(i - 1, i)) {
      write(i - 1, "const");
      blank(i);
    } else if (!is_one_of(before, {".", "function", "class", "const", "let", "var"})) {
      write(i, "const");
    }
  }

  /// `<in out T>`: how a parameter varies.
  void variance(std::size_t i) {
    const bool follows = is_one_of(at(i - 1), {"<", ","}) || (at(i) == "out" && at(i - 1) == "in");
    if (follows && names_something(i + 1)) blank(i);
  }

  /// `export type * from`: what is handed on are types.
  void types_of_all(std::size_t i) {
    if (at(i - 1) == "export" && at(i + 1) == "*") blank(i);
  }

  /// `export default abstract class {`
  void nameless_abstract(std::size_t i) {
    if (at(i - 1) == "default" && at(i + 1) == "class") blank(i);
  }

  /// `abstract accessor x`: a field.
  void accessor(std::size_t i) {
    const bool is_modified = is_one_of(at(i - 1), {"abstract", "static", "public", "private",
                                                   "protected", "override", "declare", "readonly"});
    if (is_modified && (names_something(i + 1) || at(i + 1) == "#")) blank(i);
  }

  /// `for (async of => 1;;)`: a function, not the `of` of a loop.
  void function_in_loop(std::size_t i) {
    if (at(i - 1) == "(" && at(i - 2) == "for" && at(i + 1) == "of" && at(i + 2) == "=" &&
        at(i + 3) == ">")
      blank(i);
  }

  /// `` tag`\unicode` ``: what a tag is given may hold what is no escape.
  void no_escape(std::size_t i) {
    if (!is_in_tagged_template(tokens_[i].start) || is_escape(tokens_[i].start)) return;
    out_[tokens_[i].start] = ' ';
  }

  /// `unsafe extern "C" {`
  void unsafe_block(std::size_t i) {
    constexpr std::size_t kFar = 8;  // `extern "C-unwind"`
    if (at(i + 1) != "extern") return;
    std::size_t after = i + 2;
    while (after < i + kFar && at(after) != "{" && at(after) != "fn")
      ++after;
    if (at(after) == "{") blank(i);
  }

  /// `safe fn f();`
  void safe_item(std::size_t i) {
    if (is_one_of(at(i + 1), {"fn", "static"})) blank(i);
  }

  /// `str!(…)`: a macro may bear the name of a type.
  void macro_of_type_name(std::size_t i) {
    if (at(i + 1) == "!" && is_one_of(at(i + 2), {"(", "[", "{"})) write(i, "st_");
  }

  /// `import module java.base;`
  void module_import(std::size_t i) {
    if (at(i - 1) == "import" && names_something(i + 1)) blank(i);
  }

  /// `super(x)` after other statements: a call.
  void late_constructor(std::size_t i) {
    if (at(i + 1) != "(" || !is_one_of(at(i - 1), {";", "}", "."})) return;
    out_[tokens_[i].end - 1] = '_';
  }

 private:
  struct Token {
    std::uint32_t start, end;
  };

  /// Its length; 0 where none begins. In a literal it may only look like one, which mostly does not
  /// follow a blank or a mark.
  std::size_t comment_at(std::size_t at) const {
    constexpr std::string_view kBefore = " \t\r\n<,(){};";
    const std::string_view marks = source_.substr(at, 2);
    if (marks != "//" && marks != "/*") return 0;
    if (at > 0 && kBefore.find(source_[at - 1]) == std::string_view::npos) return 0;
    const std::size_t end = source_.find(marks == "//" ? "\n" : "*/", at + 2);
    return end == std::string_view::npos ? source_.size() - at : end + (marks == "//" ? 0 : 2) - at;
  }

  static bool is_word(char c) { return is_word_char(c) || c == '$'; }
  bool names_something(std::size_t i) const {
    const std::string_view text = at(i);
    return !text.empty() && is_word(text[0]) && (text[0] < '0' || text[0] > '9');
  }
  bool are_in_one_line(std::size_t first, std::size_t second) const {
    const std::uint32_t from = tokens_[first].end;
    return source_.substr(from, tokens_[second].start - from).find('\n') == std::string_view::npos;
  }
  void write(std::size_t i, std::string_view text) {
    text.copy(out_.data() + tokens_[i].start, text.size());
  }
  void blank(std::size_t i) {
    std::fill(out_.begin() + tokens_[i].start, out_.begin() + tokens_[i].end, ' ');
  }

  /// Asked from the front of the text to its end.
  bool is_in_tagged_template(std::size_t byte) {
    for (; template_at_ < byte; ++template_at_) {
      const char c = source_[template_at_];
      if (c == '\\') ++template_at_;
      if (c != '`') continue;
      in_template_ = !in_template_;
      std::size_t tag = template_at_;
      while (tag > 0 && is_blank(source_[tag - 1]))
        --tag;
      const char before = tag == 0 ? ' ' : source_[tag - 1];
      is_tagged_ = in_template_ && (is_word(before) || before == ')' || before == ']');
    }
    return in_template_ && is_tagged_;
  }
  /// `\x41`, `\u0041`, `\u{41}`, or one of any other character.
  bool is_escape(std::size_t at) const {
    const auto hex_digits = [&](std::size_t from) {
      std::size_t end = from;
      while (end < source_.size() && is_hex(source_[end]))
        ++end;
      return end - from;
    };
    const std::string_view rest = source_.substr(at + 1, 2);
    if (rest.starts_with('x')) return hex_digits(at + 2) >= 2;
    if (!rest.starts_with('u')) return true;
    if (rest != "u{") return hex_digits(at + 2) >= 4;
    const std::size_t digits = hex_digits(at + 3);
    return digits > 0 && source_.substr(at + 3 + digits, 1) == "}";
  }

  std::string_view source_;
  std::string out_;
  std::vector<Token> tokens_{};
  std::size_t template_at_ = 0;  // so far it is known what is inside of a template
  bool in_template_ = false, is_tagged_ = false;
};

// table: words that a value follows
constexpr std::array kBeforeValue = std::to_array<std::string_view>({
    "return",
    "typeof",
    "void",
    "delete",
    "await",
    "yield",
    "throw",
    "case",
    "in",
    "of",
    "new",
    "else",
    "do",
    "default",
    "instanceof",
    "extends",
});

/// `x!`, `f()!.y`, `a[0]!`: says that something is there. `!x`, `x != y` and `if (a)!b()` do not.
bool marks_value(std::string_view text, std::size_t mark) {
  const char before = mark == 0 ? ' ' : text[mark - 1];
  const char next = mark + 1 < text.size() ? text[mark + 1] : '\n';
  if (next == '=') return false;
  if (before == ')') return std::string_view(".[)],;}?:\r\n ").find(next) != std::string_view::npos;
  if (before == ']') return true;
  const auto is_word = [](char c) { return is_word_char(c) || c == '$'; };
  std::size_t from = mark;
  while (from > 0 && is_word(text[from - 1]))
    --from;
  const bool is_member = from > 0 && text[from - 1] == '.';
  const std::string_view word = text.substr(from, mark - from);
  return !word.empty() &&
         (is_member || std::ranges::find(kBeforeValue, word) == kBeforeValue.end());
}

enum class Group : std::uint8_t { scripts, typescript, rust, java };

struct Construct {
  Group group;
  std::string_view token;  // at which it begins
  void (Words::*rewrite)(std::size_t token);
};
// clang-format off
// table: constructs of words
constexpr std::array kConstructs = std::to_array<Construct>({
    {Group::scripts,    "async",    &Words::function_in_loop},
    {Group::scripts,    "\\",       &Words::no_escape},
    {Group::typescript, "in",       &Words::variance},
    {Group::typescript, "out",      &Words::variance},
    {Group::typescript, "type",     &Words::types_of_all},
    {Group::typescript, "abstract", &Words::nameless_abstract},
    {Group::typescript, "accessor", &Words::accessor},
    {Group::rust,       "unsafe",   &Words::unsafe_block},
    {Group::rust,       "safe",     &Words::safe_item},
    {Group::rust,       "str",      &Words::macro_of_type_name},
    {Group::java,       "module",   &Words::module_import},
    {Group::java,       "super",    &Words::late_constructor},
    {Group::java,       "this",     &Words::late_constructor},
});
// clang-format on

bool is_of(Group group, Language language) {
  const bool is_typescript = language == Language::typescript || language == Language::tsx;
  switch (group) {
    case Group::scripts:
      return is_typescript || language == Language::javascript;
    case Group::typescript:
      return is_typescript;
    case Group::rust:
      return language == Language::rust;
    case Group::java:
      return language == Language::java;
  }
  return false;
}

}  // namespace

std::string with_const_for_using(std::string_view source) {
  if (source.find("using") == std::string_view::npos) return std::string(source);
  Words words(source);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words.at(i) == "using") words.declares_resource(i);
  return std::move(words).take();
}

std::string readable_typescript(std::string_view source) {
  std::string out = with_const_for_using(source);
  bool is_marked = false;  // by the mark before this one
  for (std::size_t at = source.find('!'); at != std::string_view::npos;
       at = source.find('!', at + 1)) {
    const bool follows_mark = at > 0 && source[at - 1] == '!';
    is_marked = follows_mark ? is_marked : marks_value(source, at);
    if (is_marked) out[at] = ' ';
  }
  return out;
}

std::optional<std::string> unread_words(Language language, std::string_view source) {
  Words words(source);
  for (std::size_t i = 0; i < words.size(); ++i)
    for (const Construct& construct : kConstructs)
      if (is_of(construct.group, language) && words.at(i) == construct.token)
        (words.*construct.rewrite)(i);
  std::string out = std::move(words).take();
  if (out == source) return std::nullopt;
  return out;
}

}  // namespace gh::syntax
