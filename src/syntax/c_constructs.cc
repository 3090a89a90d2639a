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

  /// `if consteval {`: a test without operands.
  void consteval_test(std::uint32_t i) {
    const bool is_negated = i > 0 && at(i - 1) == "!";
    const std::uint32_t before = is_negated ? i - 1 : i;
    if (before == 0 || at(before - 1) != "if" || at(i + 1) != "{") return;
    blank(before, i);
    const std::string_view test = is_negated ? "(!true)" : "(true)";
    test.copy(out_.data() + tokens_[i].start, test.size());
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
  bool are_joined(std::uint32_t first, std::uint32_t last) const {
    return tokens_[last].end - tokens_[first].start == last - first + 1;
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

}  // namespace gh::syntax
