#include "syntax/c_tokens.h"

#include <algorithm>
#include <array>

namespace gh::syntax::c_tokens {

bool is_word_char(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Scanned run() {
    while (at_ < text_.size())
      step();
    return {std::move(out_), std::move(directives_)};
  }

 private:
  char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      line_start_ = true;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
      comment();
    } else if (c == '#' && line_start_) {
      directive();
    } else {
      line_start_ = false;
      token(c);
    }
  }

  void comment() {
    const bool is_line = peek(1) == '/';
    const std::size_t end = is_line ? text_.find('\n', at_) : text_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? text_.size() : is_line ? end : end + 2;
  }

  /// To the end of the line, with those that continue it.
  void directive() {
    const std::size_t start = at_++;
    while (peek(0) == ' ' || peek(0) == '\t')
      ++at_;
    const std::size_t word = at_;
    while (at_ < text_.size() && is_word_char(text_[at_]))
      ++at_;
    const std::string_view name = text_.substr(word, at_ - word);
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (text_[at_] == '/' && peek(1) == '*') {
        comment();
        continue;
      }
      if (text_[at_] == '/' && peek(1) == '/') {
        comment();
        break;
      }
      const bool continues = text_[at_] == '\\' && (peek(1) == '\n' || peek(1) == '\r');
      at_ += continues ? (peek(1) == '\r' ? 3 : 2) : 1;
    }
    at_ = std::min(at_, text_.size());
    directives_.push_back({name, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(at_),
                           static_cast<std::uint32_t>(out_.size())});
  }

  void token(char c) {
    const std::size_t start = at_;
    TokenKind kind = TokenKind::other;
    if (c == '"' || c == '\'') {
      kind = TokenKind::literal;
      quoted(c);
    } else if (is_word_char(c)) {
      const bool is_number = c >= '0' && c <= '9';
      while (at_ < text_.size() && (is_word_char(text_[at_]) || (is_number && separates_digits())))
        ++at_;
      const bool is_raw = peek(0) == '"' && text_[at_ - 1] == 'R';
      kind = is_raw || is_number ? TokenKind::literal : TokenKind::word;
      if (is_raw) raw();
    } else if (text_.substr(at_, 3) == "...") {
      at_ += 3;
    } else if (text_.substr(at_, 2) == "::") {
      at_ += 2;
    } else {
      ++at_;
    }
    out_.push_back({kind, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(at_)});
  }

  /// `1'000`
  bool separates_digits() const { return peek(0) == '\'' && is_word_char(peek(1)); }

  void quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, text_.size());
  }

  void raw() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos || open - at_ > 18) return;
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const std::size_t end = text_.find(close, open);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool line_start_ = true;
  std::vector<Token> out_{};
  std::vector<Directive> directives_{};
};

void pair_brackets(std::string_view text, std::vector<Token>& tokens) {
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::other) continue;
    const char c = text[tokens[i].start];
    if (c == '(' || c == '{' || c == '[') open.push_back(i);
    if ((c == ')' || c == '}' || c == ']') && !open.empty()) {
      tokens[open.back()].closes_at = i;
      open.pop_back();
    }
  }
}

/// Every branch is read in its place. Where a branch holds half of a bracket, or ends in the middle
/// of a statement, only the first can be; after `#if 0` the second, if there is one.
class Branches {
 public:
  Branches(std::string_view source, Scanned& scanned, std::string& out)
      : source_(source), scanned_(scanned), out_(out) {}

  void run() {
    for (const Directive& d : scanned_.directives) {
      if (d.word.starts_with("if")) {
        open_.push_back({{}, d.end, d.token, is_never(d)});
      } else if (d.word.starts_with("el") && !open_.empty()) {
        close_branch(d);
        open_.back().start = d.end;
        open_.back().token = d.token;
      } else if (d.word == "endif" && !open_.empty()) {
        close_branch(d);
        settle(open_.back());
        open_.pop_back();
      }
      if (d.word != "include") blank(d.start, d.end);
    }
    std::erase_if(scanned_.tokens, [&](const Token& t) { return is_gone(t); });
  }

 private:
  struct Branch {
    std::uint32_t start, end;
    bool is_whole;  // brackets in pairs
    bool ends_well;
  };
  struct Group {
    std::vector<Branch> branches{};
    std::uint32_t start, token;
    bool is_never = false;  // its first branch is no code
  };

  /// `#if 0`
  bool is_never(const Directive& d) const {
    if (d.word != "if") return false;
    std::string_view test = source_.substr(d.start, d.end - d.start);
    test.remove_prefix(test.find("if") + 2);
    const std::size_t first = test.find_first_not_of(" \t(");
    if (first == std::string_view::npos || test[first] != '0') return false;
    const std::size_t after = test.find_first_not_of(" \t)\r", first + 1);
    return after == std::string_view::npos || test[after] == '/';
  }

  void close_branch(const Directive& d) {
    Group& group = open_.back();
    group.branches.push_back({group.start, d.start, true, true});
    Branch& branch = group.branches.back();
    int round = 0, curly = 0;
    char last = ';';
    for (std::uint32_t i = group.token; i < d.token; ++i) {
      last = source_[scanned_.tokens[i].end - 1];
      if (scanned_.tokens[i].kind != TokenKind::other) continue;
      const char c = source_[scanned_.tokens[i].start];
      round += c == '(' ? 1 : c == ')' ? -1 : 0;
      curly += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (round < 0 || curly < 0) branch.is_whole = false;
    }
    branch.is_whole = branch.is_whole && round == 0 && curly == 0;
    branch.ends_well =
        last == ';' || last == '}' || last == ',' || last == ':' || last == '|' || last == '&';
  }

  void settle(const Group& group) {
    const bool has_others = group.branches.size() > 1;
    const bool fits = std::ranges::all_of(group.branches, [&](const Branch& b) {
      return b.is_whole && (b.ends_well || !has_others);
    });
    if (fits) return;
    const std::size_t kept = group.is_never ? 1 : 0;
    for (std::size_t i = 0; i < group.branches.size(); ++i)
      if (i != kept) blank(group.branches[i].start, group.branches[i].end);
  }

  void blank(std::uint32_t start, std::uint32_t end) {
    for (std::uint32_t b = start; b < end; ++b)
      if (out_[b] != '\n' && out_[b] != '\r') out_[b] = ' ';
  }
  bool is_gone(const Token& t) const { return out_[t.start] == ' '; }

  std::string_view source_;
  Scanned& scanned_;
  std::string& out_;
  std::vector<Group> open_{};
};

}  // namespace

std::vector<Token> read(std::string_view source, std::string& out) {
  Scanned scanned = Scanner(source).run();
  Branches(source, scanned, out).run();
  pair_brackets(source, scanned.tokens);
  return std::move(scanned.tokens);
}

namespace {

struct Digraph {
  std::string_view marks, meaning;  // as long
};
// table: digraphs
constexpr std::array kDigraphs = std::to_array<Digraph>({
    {"<::>", "[]  "},  // a mark of two colons, but nothing else could be meant
    {"<:", "[ "},
    {":>", "] "},
    {"<%", "{ "},
    {"%>", "} "},
    {"%:", "# "},
});

}  // namespace

std::string without_digraphs(std::string_view source) {
  std::string out(source);
  std::size_t written = 0;
  for (const Token& token : Scanner(source).run().tokens) {
    if (token.kind != TokenKind::other || token.start < written) continue;
    const auto row = std::ranges::find_if(kDigraphs, [&](const Digraph& d) {
      return source.substr(token.start, d.marks.size()) == d.marks;
    });
    // `<::` begins a name of the outermost name space.
    const bool is_one =
        row != kDigraphs.end() && (row->marks != "<:" || source.substr(token.start, 3) != "<::");
    if (!is_one) continue;
    row->meaning.copy(out.data() + token.start, row->meaning.size());
    written = token.start + row->meaning.size();
  }
  return out;
}

}  // namespace gh::syntax::c_tokens
