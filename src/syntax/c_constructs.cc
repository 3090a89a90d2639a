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

 private:
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

struct Construct {
  std::string_view hint;   // a text without it has none
  std::string_view token;  // at which it begins
  bool c, cpp;
  void (Rewriting::*rewrite)(std::uint32_t token);
};
// clang-format off
// table: constructs that the grammars of C do not know
constexpr std::array kConstructs = std::to_array<Construct>({
    {"typeof",    "typeof",            true,  false, &Rewriting::type_of},
    {"typeof",    "typeof_unqual",     true,  false, &Rewriting::type_of},
    {"typeof",    "__typeof",          true,  true,  &Rewriting::type_of},
    {"typeof",    "__typeof__",        true,  true,  &Rewriting::type_of},
    {"typeof",    "__typeof_unqual__", true,  true,  &Rewriting::type_of},
    {"_Atomic",   "_Atomic",           true,  true,  &Rewriting::atomic},
    {"consteval", "consteval",         false, true,  &Rewriting::consteval_test},
    {"->*",       "-",                 false, true,  &Rewriting::member_pointer},
    {"[]",        "[",                 false, true,  &Rewriting::unsized_new},
    {".",         ".",                 false, true,  &Rewriting::designated_list},
});
// clang-format on

}  // namespace

std::optional<std::string> known_constructs(std::string_view source, bool cpp) {
  std::vector<const Construct*> hinted;
  for (const Construct& construct : kConstructs)
    if ((cpp ? construct.cpp : construct.c) &&
        source.find(construct.hint) != std::string_view::npos)
      hinted.push_back(&construct);
  if (hinted.empty()) return std::nullopt;
  Rewriting rewriting(source);
  for (std::uint32_t i = 0; i < rewriting.size(); ++i)
    for (const Construct* construct : hinted)
      if (rewriting.at(i) == construct->token) (rewriting.*construct->rewrite)(i);
  return std::move(rewriting).take();
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

std::optional<std::string> without_lone_switches(std::string_view source) {
  if (source.find("switch") == std::string_view::npos) return std::nullopt;
  Rewriting rewriting(source);
  for (std::uint32_t i = 0; i < rewriting.size(); ++i)
    if (rewriting.at(i) == "switch") rewriting.lone_switch(i);
  std::string out = std::move(rewriting).take();
  if (out == source) return std::nullopt;
  return out;
}

}  // namespace gh::syntax
