#include "shell/script.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gh::shell {
namespace {

struct DefectRow {
  Defect defect;
  std::string_view word;
};
// table: shell_defects
constexpr std::array kDefects{
    DefectRow{Defect::too_large, "too_large"},   DefectRow{Defect::too_deep, "too_deep"},
    DefectRow{Defect::too_many, "too_many"},     DefectRow{Defect::unfinished, "unfinished"},
    DefectRow{Defect::unexpected, "unexpected"}, DefectRow{Defect::ambiguous, "ambiguous"},
};

/// What a list of commands is in the middle of.
enum class Mode : std::uint8_t {
  command,
  loop_header,    // for NAME in …
  case_subject,   // case … in
  case_pattern,   // … )
  function_name,  // function …
  condition,      // [[ … ]]
  values          // NAME=( … )
};

/// A word that means something only where a command begins.
struct Keyword {
  std::string_view word;
  Mode then;
  bool closes;   // ends a compound command, after which only redirections may stand
  bool repeats;  // what follows may run more than once
};
// table: shell_keywords
constexpr std::array kKeywords{
    Keyword{"!", Mode::command, false, false},
    Keyword{"{", Mode::command, false, false},
    Keyword{"if", Mode::command, false, false},
    Keyword{"then", Mode::command, false, false},
    Keyword{"elif", Mode::command, false, false},
    Keyword{"else", Mode::command, false, false},
    Keyword{"while", Mode::command, false, true},
    Keyword{"until", Mode::command, false, true},
    Keyword{"do", Mode::command, false, false},
    Keyword{"time", Mode::command, false, false},
    Keyword{"coproc", Mode::command, false, false},
    Keyword{"for", Mode::loop_header, false, true},
    Keyword{"select", Mode::loop_header, false, true},
    Keyword{"case", Mode::case_subject, false, false},
    Keyword{"function", Mode::function_name, false, true},
    Keyword{"}", Mode::command, true, false},
    Keyword{"fi", Mode::command, true, false},
    Keyword{"done", Mode::command, true, false},
    Keyword{"esac", Mode::command, true, false},
};

constexpr std::size_t npos = std::string_view::npos;

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name(char c) { return is_name_start(c) || is_digit(c); }
bool is_all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}
bool is_identifier(std::string_view text) {
  return !text.empty() && is_name_start(text[0]) && std::ranges::all_of(text, is_name);
}

/// A word on its way.
struct Draft {
  Word word{};
  bool is_open = false;
  bool in_braces = false;               // an unquoted { stands before
  std::optional<std::size_t> equals{};  // the first = of what may be an assignment
};

/// A here-document whose body has not come yet: it begins with the next line.
struct Awaited {
  std::optional<std::size_t> command{};  // kept already; else the one that is being read
  std::size_t redirection = 0;
  bool strips_tabs = false;
};

enum class FrameKind : std::uint8_t { list, double_quotes, parameter, arithmetic, here_body };

/// What encloses the place that is read. Frames are a stack of ours: input never decides how deep
/// the program's own goes.
struct Frame {
  FrameKind kind = FrameKind::list;
  bool in_double_quotes = false;  // of a parameter: what encloses it
  std::size_t depth = 0;          // of an arithmetic: open brackets
  // of a list
  bool is_nested = false;  // ends with )
  Mode mode = Mode::command;
  std::size_t header_words = 0;
  std::size_t open_cases = 0;
  bool is_closed = false;       // a compound command has just ended
  bool after_coproc = false;    // a word may turn out to be the name of a coprocess
  bool input_is_piped = false;  // of all commands that follow, as far as can be told
  Command command{};
  Draft draft{};
  std::optional<Redirection> redirection{};  // its target comes next
  bool strips_tabs = false;
  std::vector<Awaited> awaited{};
  std::uint32_t list = 0;
};

/// A text inside of the text: what stands between backquotes, or a here-document that is expanded.
struct Inner {
  std::string text{};
  FrameKind kind = FrameKind::list;
  std::size_t depth = 0;
};

class Reader {
 public:
  Script read(std::string_view text) {
    if (text.size() > kMaxScriptBytes) {
      script_.defect = Defect::too_large;
      return std::move(script_);
    }
    inner_.push_back({std::string(text)});
    for (std::size_t i = 0; i < inner_.size() && !script_.defect; ++i) {
      const Inner now = std::move(inner_[i]);
      text_ = now.text;
      at_ = 0;
      base_depth_ = now.depth;
      frames_.clear();
      if (i > 0) note(PieceKind::inner);
      push({.kind = now.kind});
      while (!frames_.empty() && !script_.defect)
        step();
    }
    return std::move(script_);
  }

 private:
  // --- the text ---
  bool at_end() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool next_is(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool take(std::string_view what) {
    if (!next_is(what)) return false;
    at_ += what.size();
    return true;
  }
  void fail(Defect defect) {
    if (!script_.defect) script_.defect = defect;
  }

  // --- frames ---
  Frame& top() { return frames_.back(); }
  void push(Frame frame) {
    if (base_depth_ + frames_.size() >= kMaxDepth) return fail(Defect::too_deep);
    if (frame.kind == FrameKind::list) frame.list = lists_++;
    frames_.push_back(std::move(frame));
  }
  void pop() { frames_.pop_back(); }

  /// The word that text at this place becomes part of; none inside of ${…}, $((…)) and bodies.
  Draft* draft() {
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
      if (frame->kind == FrameKind::list) return &frame->draft;
      if (frame->kind != FrameKind::double_quotes) return nullptr;
    }
    return nullptr;
  }
  void append(char c) {
    if (Draft* d = draft()) {
      d->is_open = true;
      d->word.text += c;
    }
  }
  void quoted() {
    if (Draft* d = draft()) d->is_open = d->word.is_quoted = true;
  }
  void expanded(std::string_view name = {}) {
    if (Draft* d = draft()) {
      d->is_open = true;
      d->word.is_literal = false;
      if (!name.empty()) d->word.variables.emplace_back(name);
    }
  }

  void note(PieceKind kind, std::string word = {}, Joint joint = Joint::sequence,
            bool in_background = false) {
    script_.pieces.push_back(
        {kind, std::move(word), joint, script_.commands.size(), in_background});
  }

  void step() {
    switch (top().kind) {
      case FrameKind::list:
        return step_list();
      case FrameKind::double_quotes:
        return step_double_quotes();
      case FrameKind::parameter:
        return step_parameter();
      case FrameKind::arithmetic:
        return step_arithmetic();
      case FrameKind::here_body:
        return step_here_body();
    }
  }

  // --- inside of words ---
  void step_double_quotes() {
    if (at_end()) return fail(Defect::unfinished);
    const char c = text_[at_];
    if (c == '"') {
      ++at_;
      return pop();
    }
    if (c == '\\' && std::string_view("$`\"\\\n").find(peek(1)) != npos && at_ + 1 < text_.size()) {
      if (peek(1) != '\n') append(peek(1));
      at_ += 2;
      return;
    }
    if (c == '$') return dollar(true);
    if (c == '`') return backquotes(true);
    ++at_;
    append(c);
  }

  void step_here_body() {
    if (at_end()) return pop();
    const char c = text_[at_];
    if (c == '\\') {
      at_ += at_ + 1 < text_.size() ? 2 : 1;
    } else if (c == '$') {
      dollar(true);
    } else if (c == '`') {
      backquotes(true);
    } else {
      ++at_;
    }
  }

  void step_parameter() {
    if (at_end()) return fail(Defect::unfinished);
    const char c = text_[at_];
    if (c == '}') {
      ++at_;
      pop();
    } else if (c == '@' && peek(1) == 'P') {
      fail(Defect::ambiguous);  // the value is expanded like a prompt, commands included
    } else if (c == '\\') {
      at_ += at_ + 1 < text_.size() ? 2 : 1;
    } else if (c == '\'') {
      // inside of double quotes shells disagree on what it means
      if (top().in_double_quotes) return fail(Defect::ambiguous);
      single_quotes();
    } else if (c == '"') {
      ++at_;
      push({.kind = FrameKind::double_quotes});
    } else if (c == '$') {
      dollar(top().in_double_quotes);
    } else if (c == '`') {
      backquotes(top().in_double_quotes);
    } else {
      ++at_;
    }
  }

  /// Numbers only. A name is evaluated again as an expression, whose indexes may hold commands; and
  /// what could also be a subshell inside of a substitution is not guessed at.
  void step_arithmetic() {
    if (at_end()) return fail(Defect::unfinished);
    const char c = text_[at_];
    Frame& frame = top();
    if (c == '$') return dollar(true);
    if (c == '`') return backquotes(true);
    if (is_digit(c)) {
      while (is_name(peek()))
        ++at_;
    } else if (c == '(') {
      ++frame.depth;
      ++at_;
    } else if (c == ')' && frame.depth > 0) {
      --frame.depth;
      ++at_;
    } else if (c == ')') {
      if (!take("))")) return fail(Defect::ambiguous);
      pop();
    } else if (is_blank(c) || std::string_view("+-*/%<>=!&|^~?:,").find(c) != npos) {
      ++at_;
    } else {
      fail(Defect::ambiguous);
    }
  }

  void single_quotes() {
    const std::size_t end = text_.find('\'', at_ + 1);
    if (end == npos) return fail(Defect::unfinished);
    quoted();
    for (std::size_t i = at_ + 1; i < end; ++i)
      append(text_[i]);
    at_ = end + 1;
  }

  /// $'…': the escapes that bash knows.
  void ansi_quotes() {
    at_ += 2;
    quoted();
    while (!at_end() && text_[at_] != '\'') {
      if (text_[at_] != '\\') {
        append(text_[at_++]);
        continue;
      }
      ++at_;
      if (at_end()) break;
      const char c = text_[at_++];
      constexpr std::string_view kFrom = "abeEfnrtv\\'\"?", kTo = "\a\b\x1b\x1b\f\n\r\t\v\\'\"?";
      if (const std::size_t i = kFrom.find(c); i != npos)
        append(kTo[i]);
      else if (c == 'x')
        append(number(16, 2));
      else if (c >= '0' && c <= '7')
        --at_, append(number(8, 3));
      else
        expanded();  // \u, \c and what comes later: not worked out
    }
    if (!take("'")) fail(Defect::unfinished);
  }
  char number(int base, int digits) {
    int value = 0;
    for (; digits > 0; --digits, ++at_) {
      const char c = peek();
      const int digit = is_digit(c)              ? c - '0'
                        : (c >= 'a' && c <= 'f') ? c - 'a' + 10
                        : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                                 : base;
      if (digit >= base) break;
      value = value * base + digit;
    }
    return static_cast<char>(value);
  }

  void dollar(bool in_double_quotes) {
    const char c = peek(1);
    if (c == '\\' && peek(2) == '\n') return fail(Defect::ambiguous);  // joins with what follows
    if (c == '(' && peek(2) == '(') {
      expanded();
      at_ += 3;
      push({.kind = FrameKind::arithmetic});
    } else if (c == '(') {
      expanded();
      at_ += 2;
      note(PieceKind::substitution);
      push({.kind = FrameKind::list, .is_nested = true});
    } else if (c == '{') {
      at_ += 2;
      expanded(parameter_name());
      look_into_parameter();
      push({.kind = FrameKind::parameter, .in_double_quotes = in_double_quotes});
    } else if (c == '\'' && !in_double_quotes) {
      ansi_quotes();
    } else if (c == '"' && !in_double_quotes) {
      ++at_;  // $"…" is translated: the double quotes follow
      expanded();
    } else if (is_name_start(c)) {
      const std::size_t begin = at_ + 1;
      for (at_ += 2; is_name(peek());)
        ++at_;
      expanded(text_.substr(begin, at_ - begin));
    } else if (c != '\0' && std::string_view("@*#?$!-0123456789").find(c) != npos) {
      expanded(text_.substr(at_ + 1, 1));
      at_ += 2;
    } else {
      if (c == '[') script_.evaluates = true;  // $[…], as bash counted before $((…))
      append('$');
      ++at_;
    }
  }

  /// NAME of ${NAME...}, or the sign of ${?}.
  std::string_view parameter_name() const {
    std::size_t end = at_;
    while (end < text_.size() && is_name(text_[end]))
      ++end;
    if (end == at_ && peek() == '?') ++end;
    return text_.substr(at_, end - at_);
  }

  /// What ${…} does besides telling a value: give one, or read one as an expression. Only what
  /// cannot be a number, a sign or a space counts there.
  void look_into_parameter() {
    if (peek() == '(') return fail(Defect::ambiguous);  // flags of zsh, one of which expands twice
    std::size_t at = at_;
    const auto ahead = [&] { return at < text_.size() ? text_[at] : '\0'; };
    const auto is_number_until = [&](std::string_view ends) {
      while (is_digit(ahead()) || is_blank(ahead()) || ahead() == '-' || ahead() == ':')
        ++at;
      return ends.find(ahead()) != npos;
    };
    if (ahead() == '!' && is_name_start(peek(1))) script_.evaluates = true;
    while (ahead() != '\0' && std::string_view("!#^=~+").find(ahead()) != npos)
      ++at;
    const std::size_t begin = at;
    while (is_name(ahead()))
      ++at;
    const std::string_view name = text_.substr(begin, at - begin);
    if (name.empty() && (ahead() == '@' || ahead() == '*')) ++at;
    if (ahead() == '[') {
      ++at;
      const bool is_all =
          (ahead() == '@' || ahead() == '*') && at + 1 < text_.size() && text_[at + 1] == ']';
      if (is_all) ++at;
      if (!is_all && !is_number_until("]")) {
        script_.evaluates = true;
        return;
      }
      ++at;
    }
    const std::string_view rest = text_.substr(std::min(at, text_.size()));
    if (rest.starts_with('=') || rest.starts_with(":=") || rest.starts_with("::="))
      script_.assigned.emplace_back(name);
    if (!rest.starts_with(':') || std::string_view(":-+?=").find(rest.substr(1, 1)) != npos) return;
    if (!is_number_until("}")) script_.evaluates = true;
  }

  /// What stands between backquotes is a text of its own once its backslashes are taken out.
  void backquotes(bool in_double_quotes) {
    expanded();
    Inner inner{.depth = base_depth_ + frames_.size()};
    for (++at_; !at_end() && text_[at_] != '`'; ++at_) {
      const char next = peek(1);
      if (text_[at_] == '\\' &&
          (next == '`' || next == '\\' || next == '$' || (next == '"' && in_double_quotes)))
        ++at_;
      inner.text += text_[at_];
    }
    if (!take("`")) return fail(Defect::unfinished);
    if (inner.depth >= kMaxDepth) return fail(Defect::too_deep);
    inner_.push_back(std::move(inner));
  }

  // --- lists of commands ---
  void step_list() {
    if (at_end()) {
      if (top().is_nested) return fail(Defect::unfinished);
      end_command(Joint::sequence);
      if (top().mode != Mode::command) return fail(Defect::unfinished);
      read_bodies();
      return pop();
    }
    const char c = text_[at_];
    switch (c) {
      case '\\':
        if (peek(1) == '\n') {
          at_ += 2;
          return;
        }
        quoted();
        if (at_ + 1 < text_.size()) append(text_[at_ + 1]);
        at_ += 2;
        return;
      case '\'':
        return single_quotes();
      case '"':
        ++at_;
        quoted();
        return push({.kind = FrameKind::double_quotes});
      case '$':
        return dollar(false);
      case '`':
        return backquotes(false);
      case ' ':
      case '\t':
        ++at_;
        return end_word();
      case '\n':
        ++at_;
        return end_line();
      case '#':
        if (top().draft.is_open) break;
        while (!at_end() && text_[at_] != '\n')
          ++at_;
        return;
      case '<':
      case '>':
        return angle();
      case '&':
        return ampersand();
      case '|':
        return bar();
      case ';':
        return semicolon();
      case '(':
        return open_bracket();
      case ')':
        return close_bracket();
      default:
        break;
    }
    plain(c);
  }

  /// A character without a meaning of its own, or nearly.
  void plain(char c) {
    Draft& d = top().draft;
    if (c == '*' || c == '?' || c == '[') d.word.has_pattern = true;
    if (c == '~' && !d.is_open) d.word.is_literal = false;
    if (c == '{') d.in_braces = true;
    if (d.in_braces && (c == ',' || (c == '.' && peek(1) == '.'))) d.word.is_literal = false;
    if (c == '=' && !d.equals && !d.word.is_quoted && d.word.is_literal) {
      std::string_view name = d.word.text;
      if (name.ends_with('+')) name.remove_suffix(1);
      if (is_identifier(name)) d.equals = d.word.text.size();
    }
    ++at_;
    append(c);
  }

  void angle() {
    Frame& frame = top();
    if (frame.mode == Mode::condition) {  // a comparison
      end_word();
      ++at_;
      return;
    }
    if (peek(1) == '(') {  // <(…), >(…): a name that only the shell knows
      expanded();
      at_ += 2;
      note(PieceKind::substitution);
      return push({.kind = FrameKind::list, .is_nested = true});
    }
    // a number right before it is a descriptor, {name} likewise
    const std::string_view before = frame.draft.word.text;
    const bool names_one = before.size() > 2 && before.starts_with('{') && before.ends_with('}');
    if (frame.draft.is_open && frame.draft.word.is_literal && !frame.draft.word.is_quoted &&
        (is_all_digits(before) || names_one)) {
      if (names_one) script_.assigned.emplace_back(before.substr(1, before.size() - 2));
      frame.draft = {};
    } else {
      end_word();
    }
    if (frame.redirection) return fail(Defect::unexpected);
    struct Operator {
      std::string_view text;
      RedirectKind kind;
    };
    static constexpr std::array kOperators{
        Operator{"<<<", RedirectKind::here_string}, Operator{"<<", RedirectKind::here_document},
        Operator{"<>", RedirectKind::read_write},   Operator{"<&", RedirectKind::duplicate},
        Operator{"<", RedirectKind::read},          Operator{">>", RedirectKind::write},
        Operator{">|", RedirectKind::write},        Operator{">&", RedirectKind::duplicate},
        Operator{">", RedirectKind::write},
    };
    const auto found = std::ranges::find_if(
        kOperators, [&](const Operator& candidate) { return next_is(candidate.text); });
    at_ += found->text.size();
    frame.redirection = Redirection{.kind = found->kind};
    frame.strips_tabs = found->kind == RedirectKind::here_document && take("-");
  }

  void ampersand() {
    if (next_is("&>")) {
      end_word();
      if (top().redirection) return fail(Defect::unexpected);
      at_ += 2;
      take(">");
      top().redirection = Redirection{.kind = RedirectKind::write};
    } else if (take("&&")) {
      end_command(Joint::and_then);
    } else {
      ++at_;
      end_word();
      top().command.in_background = true;
      end_command(Joint::sequence);
    }
  }

  void bar() {
    Frame& frame = top();
    if (take("||")) return end_command(Joint::or_else);
    ++at_;
    if (frame.mode == Mode::case_pattern || frame.mode == Mode::condition) return end_word();
    if (peek() == '&') ++at_;
    end_word();
    if (frame.command.is_empty() && !frame.is_closed) return fail(Defect::unexpected);
    frame.command.writes_pipe = true;
    end_command(Joint::pipe);
    frame.command.reads_pipe = true;
  }

  void semicolon() {
    const bool ends_branch = take(";;&") || take(";;") || take(";&");
    if (!ends_branch) ++at_;
    end_command(Joint::sequence);
    if (!ends_branch) return;
    if (top().open_cases == 0) return fail(Defect::unexpected);
    note(PieceKind::branch_end);
    top().mode = Mode::case_pattern;
    top().is_closed = false;
  }

  void open_bracket() {
    Frame& frame = top();
    if (frame.mode == Mode::condition) {
      end_word();
      ++at_;
      return;
    }
    if (frame.mode == Mode::case_pattern) {
      if (frame.draft.is_open) return fail(Defect::ambiguous);  // an extended pattern
      ++at_;
      return;
    }
    if (frame.draft.is_open) {
      const Draft& d = frame.draft;
      if (d.equals && *d.equals + 1 == d.word.text.size()) {  // NAME=( … )
        ++at_;
        expanded();
        note(PieceKind::substitution);
        return push({.kind = FrameKind::list, .is_nested = true, .mode = Mode::values});
      }
      const bool may_be_pattern =
          d.word.text.ends_with('@') || d.word.text.ends_with('+') || d.word.text.ends_with('!');
      if (d.word.has_pattern || may_be_pattern) return fail(Defect::ambiguous);
      end_word();
    }
    if (frame.mode != Mode::command) return fail(Defect::unexpected);
    const std::size_t words = frame.command.words.size();
    std::size_t gap = 1;
    while (is_blank(peek(gap)))
      ++gap;
    const bool is_bare = frame.command.redirections.empty() && frame.command.assignments.empty();
    if (peek(gap) == ')' && words <= 1 && is_bare) {  // NAME () body
      at_ += gap + 1;
      if (words == 1) {
        script_.repeats = true;
        note(PieceKind::function, frame.command.words[0].text, frame.command.joint);
        script_.functions.push_back(frame.command.words[0].text);
        frame.command = {};
      }
      return;
    }
    if (words > 0 || !is_bare || frame.is_closed) return fail(Defect::unexpected);
    if (peek(1) == '(') return fail(Defect::ambiguous);  // ((…)), or two subshells
    ++at_;
    note(PieceKind::subshell, {}, frame.command.joint);
    push({.kind = FrameKind::list,
          .is_nested = true,
          .input_is_piped = frame.input_is_piped || frame.command.reads_pipe});
  }

  void close_bracket() {
    Frame& frame = top();
    if (frame.mode == Mode::condition) {
      end_word();
      ++at_;
      return;
    }
    if (frame.mode == Mode::case_pattern) {
      end_word();
      if (frame.mode != Mode::case_pattern) return fail(Defect::unexpected);
      ++at_;
      frame.mode = Mode::command;
      note(PieceKind::branch);
      return;
    }
    if (!frame.is_nested) return fail(Defect::unexpected);
    ++at_;
    end_command(Joint::sequence);
    if (frame.mode != Mode::command && frame.mode != Mode::values) return fail(Defect::unfinished);
    if (!frame.awaited.empty()) return fail(Defect::ambiguous);  // its body would stand outside
    note(PieceKind::close);
    pop();
    if (!frames_.empty() && top().kind == FrameKind::list && !top().draft.is_open)
      top().is_closed = true;
  }

  // --- ends of things ---
  void end_word() {
    Frame& frame = top();
    if (!frame.draft.is_open) return;
    Draft d = std::exchange(frame.draft, {});
    if (frame.redirection) return end_redirection(std::move(d.word));
    if (d.word.text == "[" || d.word.text == "[[") d.word.has_pattern = false;  // names of commands
    const bool may_be_keyword = d.word.is_plain() && !d.word.is_quoted;
    const std::string_view text = d.word.text;
    switch (frame.mode) {
      case Mode::command:
        break;
      case Mode::loop_header:
        if (++frame.header_words == 1) script_.assigned.push_back(d.word.text);
        if (frame.header_words == 2 && may_be_keyword && text == "do") {
          frame.mode = Mode::command;
          note(PieceKind::keyword, "do");
        } else {
          note(PieceKind::header, d.word.text);
        }
        return;
      case Mode::case_subject:
        ++frame.header_words;
        note(PieceKind::header, d.word.text);
        if (frame.header_words == 2) {
          if (!may_be_keyword || text != "in") return fail(Defect::unexpected);
          frame.mode = Mode::case_pattern;
          ++frame.open_cases;
        }
        return;
      case Mode::case_pattern:
        if (may_be_keyword && text == "esac") end_case();
        return;
      case Mode::function_name:
        note(PieceKind::function, d.word.text, frame.command.joint);
        script_.functions.push_back(std::move(d.word.text));
        frame.mode = Mode::command;
        return;
      case Mode::condition:
        // Another word behind it means something to zsh: [[ … ]] { commands }.
        if (may_be_keyword && text == "]]") frame.mode = Mode::command, frame.is_closed = true;
        frame.command.words.push_back(std::move(d.word));
        return;
      case Mode::values:
        return;
    }
    const auto keyword = std::ranges::find(kKeywords, text, &Keyword::word);
    if (may_be_keyword && keyword != kKeywords.end()) {
      if (frame.after_coproc && frame.command.words.size() == 1 && !keyword->closes) {
        script_.assigned.push_back(frame.command.words[0].text);  // coproc NAME { … }
        frame.command.words.clear();
      }
      if (frame.command.words.empty() && frame.command.assignments.empty()) return begin(*keyword);
    }
    if (frame.is_closed) return fail(Defect::unexpected);
    if (frame.command.words.empty() && may_be_keyword && text == "[[") frame.mode = Mode::condition;
    if (frame.command.words.empty() && d.equals) {
      Assignment assignment{d.word.text.substr(0, *d.equals), d.word};
      assignment.value.text.erase(0, *d.equals + 1);
      if (assignment.name.ends_with('+')) assignment.name.pop_back();
      frame.command.assignments.push_back(std::move(assignment));
      return;
    }
    frame.command.words.push_back(std::move(d.word));
  }

  void begin(const Keyword& keyword) {
    Frame& frame = top();
    if (keyword.word == "esac") {
      if (frame.open_cases == 0) return fail(Defect::unexpected);
      return end_case();
    }
    if (frame.is_closed && !keyword.closes) return fail(Defect::unexpected);
    script_.repeats = script_.repeats || keyword.repeats;
    if (keyword.then != Mode::function_name)
      note(PieceKind::keyword, std::string(keyword.word), frame.command.joint);
    frame.is_closed = keyword.closes;
    frame.after_coproc = keyword.word == "coproc";
    frame.mode = keyword.then;
    frame.header_words = 0;
    frame.input_is_piped = frame.input_is_piped || frame.command.reads_pipe;
  }

  void end_case() {
    Frame& frame = top();
    --frame.open_cases;
    note(PieceKind::keyword, "esac");
    frame.mode = Mode::command;
    frame.is_closed = true;
  }

  void end_redirection(Word target) {
    Frame& frame = top();
    Redirection redirection = *std::exchange(frame.redirection, std::nullopt);
    redirection.target = std::move(target);
    // >&FILE is &>FILE, unless it names a descriptor
    if (redirection.kind == RedirectKind::duplicate) {
      const std::string_view to = redirection.target.text;
      const bool is_descriptor =
          redirection.target.is_literal &&
          (to == "-" || is_all_digits(to) ||
           (to.ends_with('-') && is_all_digits(to.substr(0, to.size() - 1))));
      if (!is_descriptor) redirection.kind = RedirectKind::write;
    }
    if (redirection.kind == RedirectKind::here_document) {
      if (!redirection.target.is_literal) return fail(Defect::ambiguous);
      frame.awaited.push_back(
          {.redirection = frame.command.redirections.size(), .strips_tabs = frame.strips_tabs});
    }
    frame.command.redirections.push_back(std::move(redirection));
  }

  void end_command(Joint next) {
    end_word();
    if (script_.defect) return;
    Frame& frame = top();
    if (frame.redirection || frame.mode == Mode::function_name) return fail(Defect::unexpected);
    if (frame.mode == Mode::condition) return;  // && and || inside of [[ ]]
    if (frame.mode == Mode::loop_header) frame.mode = Mode::command;
    if (frame.command.is_empty() && !frame.is_closed) return;  // the line goes on after && or |
    const bool is_compound = frame.is_closed && frame.command.words.empty();
    frame.is_closed = frame.after_coproc = false;
    Command done = std::exchange(frame.command, {.joint = next});
    if (is_compound) note(PieceKind::end, {}, done.joint, done.in_background);
    if (!done.is_empty()) keep(std::move(done), frame, is_compound);
  }

  void keep(Command done, Frame& frame, bool is_compound) {
    if (script_.commands.size() >= kMaxCommands) return fail(Defect::too_many);
    done.list = frame.list;
    done.reads_pipe = done.reads_pipe || frame.input_is_piped;
    for (Awaited& awaited : frame.awaited)
      if (!awaited.command) awaited.command = script_.commands.size();
    if (!is_compound) note(PieceKind::command, {}, done.joint);
    script_.commands.push_back(std::move(done));
  }

  void end_line() {
    end_command(Joint::sequence);
    if (script_.defect) return;
    // Bodies that an enclosing list waits for would begin here as well.
    for (std::size_t i = 0; i + 1 < frames_.size(); ++i)
      if (!frames_[i].awaited.empty()) return fail(Defect::ambiguous);
    read_bodies();
  }

  void read_bodies() {
    for (const Awaited& awaited : std::exchange(top().awaited, {})) {
      Command& command = awaited.command ? script_.commands[*awaited.command] : top().command;
      Redirection& redirection = command.redirections[awaited.redirection];
      bool is_found = false;
      while (!at_end() && !is_found) {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string_view line = text_.substr(at_, end - at_);
        at_ = std::min(end + 1, text_.size());
        if (awaited.strips_tabs)
          line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
        is_found = line == redirection.target.text;
        if (!is_found) redirection.body.append(line) += '\n';
      }
      if (!redirection.target.is_quoted)
        inner_.push_back({redirection.body, FrameKind::here_body, base_depth_ + frames_.size()});
    }
  }

  std::string_view text_{};
  std::size_t at_ = 0;
  std::size_t base_depth_ = 0;
  std::uint32_t lists_ = 0;
  std::vector<Frame> frames_{};
  std::vector<Inner> inner_{};
  Script script_{};
};

}  // namespace

std::string_view to_string(Defect defect) {
  return std::ranges::find(kDefects, defect, &DefectRow::defect)->word;
}

Script read_script(std::string_view text) { return Reader().read(text); }

}  // namespace gh::shell
