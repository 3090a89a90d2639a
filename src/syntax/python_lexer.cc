#include "syntax/python_lexer.h"

#include <cstring>

#include "base/text.h"
#include "base/unicode.h"
#include "syntax/python_words.h"

namespace gh::syntax::python {
namespace {

enum class Class : std::uint8_t {
  other,
  blank,
  line_break,
  carriage_return,
  comment,
  letter,
  digit,
  quote,
  mark,
  backslash,
  wide,
};

constexpr std::array<Class, 256> classes() {
  std::array<Class, 256> out{};
  const auto set = [&](std::string_view bytes, Class c) {
    for (const char byte : bytes)
      out[static_cast<unsigned char>(byte)] = c;
  };
  set(" \t\f", Class::blank);
  set("\n", Class::line_break);
  set("\r", Class::carriage_return);
  set("#", Class::comment);
  set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", Class::letter);
  set("0123456789", Class::digit);
  set("\"'", Class::quote);
  set("()[]{},:;.=+-*/%@&|^~<>!", Class::mark);
  set("\\", Class::backslash);
  for (std::size_t i = 0x80; i < 256; ++i)
    out[i] = Class::wide;
  return out;
}
constexpr std::array<Class, 256> kClasses = classes();

Class class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

constexpr std::array<bool, 256> word_bytes() {
  std::array<bool, 256> out{};
  for (std::size_t i = 0; i < 256; ++i)
    out[i] = kClasses[i] == Class::letter || kClasses[i] == Class::digit;
  return out;
}
constexpr std::array<bool, 256> kWordBytes = word_bytes();

bool is_word_byte(char c) { return kWordBytes[static_cast<unsigned char>(c)]; }
bool is_wide(char c) { return static_cast<unsigned char>(c) >= 0x80; }

bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_octal(char c) { return c >= '0' && c <= '7'; }
bool is_binary(char c) { return c == '0' || c == '1'; }
bool is_hexadecimal(char c) {
  return is_decimal(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Bytes that end the plain run of a literal: its quotes, backslashes, line breaks and braces.
constexpr std::array<bool, 256> literal_stops() {
  std::array<bool, 256> out{};
  for (const char c : {'"', '\'', '\\', '\n', '{', '}', '\0'})
    out[static_cast<unsigned char>(c)] = true;
  return out;
}
constexpr std::array<bool, 256> kLiteralStops = literal_stops();

const char* plain_run(const char* at) {
  while (!kLiteralStops[static_cast<unsigned char>(*at)])
    ++at;
  return at;
}

/// f, r, b, u and their pairs, in any case.
bool prefix_of(std::string_view text, bool& is_formatted, std::uint8_t& detail) {
  std::size_t f = 0, r = 0, b = 0, u = 0;
  for (const char c : text) {
    f += c == 'f' || c == 'F' ? 1 : 0;
    r += c == 'r' || c == 'R' ? 1 : 0;
    b += c == 'b' || c == 'B' ? 1 : 0;
    u += c == 'u' || c == 'U' ? 1 : 0;
  }
  if (f + r + b + u != text.size() || f > 1 || r > 1 || b > 1 || u > 1) return false;
  if (f + b > 1 || (u > 0 && text.size() > 1)) return false;
  is_formatted = f != 0;
  detail = static_cast<std::uint8_t>((b != 0 ? literal::bytes : 0) | (r != 0 ? literal::raw : 0));
  return true;
}

}  // namespace

bool Lexer::refuse(std::string_view why) {
  refusal_ = {why, here()};
  return false;
}

void Lexer::add(Word word, std::uint32_t start, std::uint32_t end, std::uint8_t detail) {
  tokens_.push_back({start, end, word, detail, after_backslash_, left_of_block_});
  left_count_ += left_of_block_;
  after_backslash_ = left_of_block_ = 0;
  line_end_ = end;
}

void Lexer::add_here(Word word, std::uint32_t length, std::uint8_t detail) {
  const std::uint32_t start = here();
  add(word, start, start + length, detail);
  at_ += length;
}

bool Lexer::read(std::string_view source, std::vector<Comment>& comments) {
  text_.assign(source);
  text_.append(16, '\0');
  tokens_.assign(1, {});  // what is read begins behind it: there is always a last word
  comments_ = &comments;
  refusal_ = {};
  open_count_ = 0;
  indents_[0] = {};
  indent_count_ = 1;
  after_backslash_ = left_of_block_ = 0;
  left_count_ = 0;
  at_ = text_.data();
  end_ = at_ + source.size();
  if (source.find('\0') != std::string_view::npos) return refuse("a zero byte");
  if (!is_utf8(source)) return refuse("not UTF-8");
  if (source.starts_with("\xef\xbb\xbf")) at_ += 3;
  while (!at_end()) {
    if (!line_start()) return false;
    if (!at_end() && !words()) return false;
  }
  const std::uint32_t end = here();
  for (; indent_count_ > 1; --indent_count_)
    add(Word::dedent, end, end);
  for (std::size_t i = 0; i <= kLookAhead; ++i)
    add(Word::end, end, end);
  return true;
}

/// To the first word of the next line that has one.
bool Lexer::line_start() {
  for (;;) {
    Indent indent;
    for (;; ++at_) {
      if (*at_ == ' ') {
        ++indent.wide, ++indent.narrow, ++indent.eights;
      } else if (*at_ == '\t') {
        indent.wide = (indent.wide / 8 + 1) * 8;
        ++indent.narrow;
        indent.eights += 8;
      } else if (*at_ == '\f') {
        indent = {};
      } else {
        break;
      }
    }
    if (*at_ == '#') comment();
    if (*at_ == '\r' && at_[1] == '\n') ++at_;
    if (*at_ == '\n') {
      ++at_;
      continue;
    }
    if (at_end()) return true;
    if (class_of(*at_) == Class::backslash)
      return refuse("a line that begins with its continuation");
    return indentation(indent);
  }
}

bool Lexer::indentation(const Indent& now) {
  const Indent& top = indents_[indent_count_ - 1];
  if (now.wide == top.wide && now.narrow == top.narrow && now.eights == top.eights) return true;
  if (now.eights > kMaxColumn) return refuse("too far to the right");
  const std::uint32_t at = here();
  if (now.wide > top.wide && now.narrow > top.narrow && now.eights > top.eights) {
    if (indent_count_ > kMaxIndents) return refuse("too many levels");
    indents_[indent_count_++] = now;
    add(Word::indent, at, at);
    return true;
  }
  for (; indent_count_ > 1; --indent_count_) {
    const Indent& level = indents_[indent_count_ - 1];
    if (now.wide == level.wide && now.narrow == level.narrow && now.eights == level.eights)
      return true;
    if (now.wide >= level.wide || now.narrow >= level.narrow || now.eights >= level.eights)
      return refuse("indentation");
    add(Word::dedent, at, at);
  }
  return now.wide == 0 && now.narrow == 0 ? true : refuse("indentation");
}

void Lexer::comment() {
  const auto* line =
      static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
  const std::uint32_t start = here();
  at_ = line == nullptr ? end_ : line;
  comments_->push_back({start, here()});
  line_end_ = here();
}

/// The words of one logical line, its end included.
bool Lexer::words() {
  for (;;) {
    switch (class_of(*at_)) {
      case Class::blank:
        ++at_;
        break;
      case Class::letter:
        if (!name()) return false;
        break;
      case Class::mark:
        if (!punctuation()) return false;
        break;
      case Class::line_break:
        if (open_count_ == 0) {
          add(Word::newline, line_end_, line_end_);
          ++at_;
          return true;
        }
        if (opened_[open_count_ - 1].mark == 'f' &&
            (opened_[open_count_ - 1].detail & literal::triple) == 0)
          return refuse("a line break in a field");
        ++at_;
        bracketed_line();
        break;
      case Class::carriage_return:
        if (at_[1] != '\n') return refuse("a lone carriage return");
        ++at_;
        break;
      case Class::comment:
        if (in_field()) return refuse("a comment in a field");
        comment();
        break;
      case Class::digit:
        if (!number()) return false;
        break;
      case Class::quote:
        if (!string(0)) return false;
        break;
      case Class::backslash:
        if (!continued()) return false;
        break;
      case Class::wide:
        if (!wide_name()) return false;
        break;
      case Class::other:
        if (!at_end()) return refuse("a byte that begins no word");
        if (open_count_ != 0) return refuse("a bracket that is not closed");
        if (after_backslash_ != 0) return refuse("a continuation at the end");
        add(Word::newline, line_end_, line_end_);
        return true;
    }
  }
}

/// A line between brackets. Where it begins left of the block, and no bracket can be closed there,
/// the grammar takes it for the end of the block: the parser has to know.
void Lexer::bracketed_line() {
  std::uint32_t eights = 0;
  for (;; ++at_) {
    if (*at_ == ' ')
      ++eights;
    else if (*at_ == '\t')
      eights += 8;
    else if (*at_ == '\f')
      eights = 0;
    else
      break;
  }
  const char c = *at_;
  const bool is_free = c == '\n' || c == '\r' || c == ')' || c == ']' || c == '}';
  if (!is_free && eights < indents_[indent_count_ - 1].eights) left_of_block_ = 1;
}

bool Lexer::in_field() const {
  for (std::size_t i = 0; i < open_count_; ++i)
    if (opened_[i].mark == 'f') return true;
  return false;
}

/// A backslash joins this line with a next one that has words.
bool Lexer::continued() {
  if (in_field()) return refuse("a continuation in a field");
  const char* next = at_ + 1;
  if (*next == '\r') ++next;
  if (*next != '\n') return refuse("a backslash");
  ++next;
  const char* first = next;
  while (*first == ' ' || *first == '\t')
    ++first;
  const Class c = class_of(*first);
  if (c == Class::line_break || c == Class::carriage_return || c == Class::comment ||
      c == Class::other || c == Class::backslash)
    return refuse("nothing after a continuation");
  at_ = first;
  after_backslash_ = 1;
  return true;
}

bool Lexer::name() {
  const char* end = at_ + 1;
  while (is_word_byte(*end))
    ++end;
  if (is_wide(*end)) return wide_name();
  const auto length = static_cast<std::size_t>(end - at_);
  if ((*end == '"' || *end == '\'') && length <= 2) return string(length);
  const Known known = known_word(at_, length);
  add_here(known.word, static_cast<std::uint32_t>(length), static_cast<std::uint8_t>(known.soft));
  return true;
}

/// Letters that have another form are left to the grammar's own tables.
bool Lexer::wide_name() {
  const std::uint32_t start = here();
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  std::size_t length = 0;
  while (length < rest.size()) {
    if (is_word_byte(rest[length])) {
      ++length;
      continue;
    }
    if (!is_wide(rest[length])) break;
    std::size_t next = length;
    const char32_t code = next_code_point(rest, next);
    const bool has_forms =
        code == 0x37a || code == 0xe33 || code == 0xeb3 || (code >= 0xfb00 && code <= 0xffff);
    if (has_forms || !(is_letter(code) || (length > 0 && is_mark_or_digit(code))))
      return refuse("a name in other letters");
    length = next;
  }
  add(Word::name, start, start + static_cast<std::uint32_t>(length));
  at_ += length;
  return true;
}

bool Lexer::digits(bool (*is_digit)(char)) {
  if (!is_digit(*at_)) return false;
  while (is_digit(*at_) || (*at_ == '_' && is_digit(at_[1])))
    ++at_;
  return true;
}

bool Lexer::number() {
  const std::uint32_t start = here();
  const char kind = *at_ == '0' ? static_cast<char>(at_[1] | 0x20) : '\0';
  if (kind == 'x' || kind == 'o' || kind == 'b') {
    at_ += at_[2] == '_' ? 3 : 2;
    if (!digits(kind == 'x' ? is_hexadecimal : kind == 'o' ? is_octal : is_binary))
      return refuse("a number");
  } else {
    bool is_whole = *at_ != '.';
    if (is_whole) digits(is_decimal);
    if (*at_ == '.') {
      is_whole = false;
      ++at_;
      digits(is_decimal);
    }
    if (*at_ == 'e' || *at_ == 'E') {
      is_whole = false;
      ++at_;
      if (*at_ == '+' || *at_ == '-') ++at_;
      if (!digits(is_decimal)) return refuse("a number");
    }
    const bool is_imaginary = *at_ == 'j' || *at_ == 'J';
    if (is_imaginary) ++at_;
    if (is_whole && !is_imaginary && text_[start] == '0')
      for (std::uint32_t i = start; i < here(); ++i)
        if (text_[i] != '0' && text_[i] != '_') return refuse("a number that begins with zero");
  }
  if (is_word_byte(*at_) || is_wide(*at_)) return refuse("a letter after a number");
  add(Word::number, start, here());
  return true;
}

bool Lexer::open(char mark) {
  if (open_count_ == kMaxBrackets) return refuse("too many brackets");
  opened_[open_count_++] = {.mark = mark, .from_format = false, .detail = 0, .quote = 0};
  add_here(mark == '(' ? Word::left_paren : mark == '[' ? Word::left_bracket : Word::left_brace, 1);
  return true;
}

bool Lexer::close(char mark, Word word) {
  if (open_count_ == 0 || opened_[open_count_ - 1].mark != mark) return refuse("a closing bracket");
  --open_count_;
  left_of_block_ = 0;  // a comment before it may have been
  add_here(word, 1);
  return true;
}

bool Lexer::punctuation() {
  const bool in_field = open_count_ != 0 && opened_[open_count_ - 1].mark == 'f';
  const char c = *at_;
  switch (c) {
    case '(':
    case '[':
    case '{':
      return open(c);
    case ')':
      return close('(', Word::right_paren);
    case ']':
      return close('[', Word::right_bracket);
    case '}':
      return in_field ? field_close() : close('{', Word::right_brace);
    case ',':
      add_here(Word::comma, 1);
      return true;
    case ';':
      add_here(Word::semicolon, 1);
      return true;
    case '~':
      add_here(Word::tilde, 1);
      return true;
    case ':':
      if (in_field) {
        if (at_[1] == '=') return refuse("a colon and an equal sign in a field");
        const Open field = opened_[open_count_ - 1];
        add_here(Word::field_colon, 1);
        return format_text(field.quote);
      }
      at_[1] == '=' ? add_here(Word::walrus, 2) : add_here(Word::colon, 1);
      return true;
    case '.':
      if (is_decimal(at_[1])) return number();
      at_[1] == '.' && at_[2] == '.' ? add_here(Word::ellipsis, 3) : add_here(Word::dot, 1);
      return true;
    case '!':
      if (at_[1] == '=') {
        add_here(Word::not_equal, 2);
        return true;
      }
      return in_field ? field_convert() : refuse("an exclamation mark");
    case '=':
      at_[1] == '=' ? add_here(Word::equal, 2) : add_here(Word::assign, 1);
      return true;
    case '<':
      if (at_[1] == '>') return refuse("an old operator");
      if (at_[1] == '=') {
        add_here(Word::less_equal, 2);
        return true;
      }
      if (at_[1] != '<') {
        add_here(Word::less, 1);
        return true;
      }
      break;
    case '>':
      if (at_[1] == '=') {
        add_here(Word::greater_equal, 2);
        return true;
      }
      if (at_[1] != '>') {
        add_here(Word::greater, 1);
        return true;
      }
      break;
    case '-':
      if (at_[1] == '>') {
        add_here(Word::arrow, 2);
        return true;
      }
      break;
    default:
      break;
  }
  const Operator found = operator_at(at_);
  const std::uint32_t length = found.length;
  at_[length] == '=' ? add_here(Word::augmented, length + 1, static_cast<std::uint8_t>(found.word))
                     : add_here(found.word, length);
  return true;
}

// --- literals ------------------------------------------------------------------------------------

bool Lexer::string(std::size_t prefix) {
  const std::uint32_t start = here();
  bool is_formatted = false;
  std::uint8_t detail = 0;
  if (!prefix_of({at_, prefix}, is_formatted, detail)) return refuse("a prefix of a string");
  at_ += prefix;
  const char quote = *at_++;
  if (*at_ == quote && at_[1] == quote) {
    at_ += 2;
    detail |= literal::triple;
  }
  if (!is_formatted) return plain_string(start, quote, detail);
  add(Word::field_start, start, here(), detail);
  return field_text(quote, detail);
}

/// What a backslash takes with it.
bool Lexer::escape(char quote, std::uint8_t detail, bool is_formatted) {
  const char next = at_[1];
  if (next == '\0') return refuse("a string that is not closed");
  if ((detail & literal::raw) == 0 && next == 'N' && (detail & literal::bytes) == 0 &&
      at_[2] == '{') {
    const char* name = at_ + 3;
    while (is_word_byte(*name) || *name == ' ' || *name == '-')
      ++name;
    if (*name != '}' || name == at_ + 3) return refuse("a named character");
    at_ = name + 1;
    return true;
  }
  if ((detail & literal::raw) == 0 && (detail & literal::bytes) != 0 &&
      (next == 'N' || next == 'u' || next == 'U')) {
    const char after = at_[2];
    if (after == quote || after == '\\' || after == '\n') return refuse("an escape of bytes");
  }
  if (next == '\r' && at_[2] == '\n') {
    at_ += 3;
    return true;
  }
  // A brace begins a field, whatever stands before it.
  at_ += is_formatted && (next == '{' || next == '}') ? 1 : 2;
  return true;
}

bool Lexer::plain_string(std::uint32_t start, char quote, std::uint8_t detail) {
  const bool is_long = (detail & literal::triple) != 0;
  for (;;) {
    at_ = plain_run(at_);
    const char c = *at_;
    if (c == quote) {
      if (!is_long) {
        ++at_;
        break;
      }
      if (at_[1] == quote && at_[2] == quote) {
        at_ += 3;
        break;
      }
      ++at_;
    } else if (c == '\\') {
      if (!escape(quote, detail, false)) return false;
    } else if (c == '\n' && !is_long) {
      return refuse("a string that is not closed");
    } else if (c == '\0') {
      return refuse("a string that is not closed");
    } else {
      ++at_;
    }
  }
  add(Word::string, start, here(), detail);
  return true;
}

/// Text of a literal with fields, to its end or the next field.
bool Lexer::field_text(char quote, std::uint8_t detail) {
  const bool is_long = (detail & literal::triple) != 0;
  const std::uint32_t start = here();
  const auto add_text = [&] {
    if (here() > start) add(Word::field_text, start, here());
  };
  for (;;) {
    at_ = plain_run(at_);
    const char c = *at_;
    if (c == quote) {
      if (is_long && (at_[1] != quote || at_[2] != quote)) {
        ++at_;
        continue;
      }
      add_text();
      add_here(Word::field_end, is_long ? 3 : 1, detail);
      return true;
    }
    if (c == '{' || c == '}') {
      if (at_[1] == c) {
        at_ += 2;
      } else {
        if (c == '}') return refuse("a closing brace in a string");
        add_text();
        return field_open(quote, detail, false);
      }
    } else if (c == '\\') {
      // The grammar takes a quote for the end there.
      if ((detail & literal::raw) != 0 && here() == start && (at_[1] == quote || at_[1] == '\n'))
        return refuse("a backslash at the start of raw text");
      if (!escape(quote, detail, true)) return false;
    } else if (c == '\0' || (c == '\n' && !is_long)) {
      return refuse("a string that is not closed");
    } else {
      ++at_;
    }
  }
}

bool Lexer::field_open(char quote, std::uint8_t detail, bool from_format) {
  if (open_count_ == kMaxBrackets) return refuse("too many brackets");
  opened_[open_count_++] = {
      .mark = 'f', .from_format = from_format, .detail = detail, .quote = quote};
  add_here(Word::field_open, 1);
  return true;
}

bool Lexer::field_close() {
  const Open field = opened_[--open_count_];
  add_here(Word::field_close, 1);
  return field.from_format ? format_text(field.quote) : field_text(field.quote, field.detail);
}

bool Lexer::field_convert() {
  const bool is_known = at_[1] == 'r' || at_[1] == 's' || at_[1] == 'a';
  if (!is_known || is_word_byte(at_[2])) return refuse("a conversion");
  add_here(Word::field_convert, 2);
  return true;
}

/// The format of a field, to its end or to a field of its own.
bool Lexer::format_text(char quote) {
  for (;; ++at_)
    switch (*at_) {
      case '{':
        if (at_[1] == '{') return refuse("two braces in a format");
        return field_open(quote, opened_[open_count_ - 1].detail, true);
      case '}':
        return field_close();
      case '\n':
      case '\r':
      case '\\':
      case '\0':
        return refuse("a format");
      default:
        if (*at_ == quote) return refuse("a quote in a format");
    }
}

}  // namespace gh::syntax::python
