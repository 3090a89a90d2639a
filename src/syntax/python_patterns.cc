// match and its patterns.
#include "syntax/python_parser.h"

namespace gh::syntax::python {

/// A line that begins with the word and ends with a colon, before a block of cases.
bool PythonParser::is_match_statement() const {
  switch (at_[1].word) {
    case Word::dot:
    case Word::assign:
    case Word::colon:
    case Word::comma:
    case Word::augmented:
    case Word::newline:
    case Word::semicolon:
      return false;
    default:
      break;
  }
  const Token* t = at_ + 1;
  while (t->word != Word::newline && t->word != Word::end)
    ++t;
  return t->word == Word::newline && t[-1].word == Word::colon && t[1].word == Word::indent &&
         t[2].word == Word::name && t[2].detail == static_cast<std::uint8_t>(Soft::case_);
}

void PythonParser::match_statement() {
  const Nested nested(*this);
  const std::uint32_t node = open(Kind::Match, take().start);
  ++forks_;
  do {
    if (is(Word::colon)) break;
    place(is(Word::star) ? star(StarOperand::bare) : named_expression());
  } while (take_if(Word::comma));
  --forks_;
  expect(Word::colon, "match without a colon");
  expect(Word::newline, "no cases");
  expect(Word::indent, "no cases");
  std::uint32_t end = 0;
  while (!is(Word::dedent) && !refused_) {
    if (!is_soft(Soft::case_)) return refuse("no case");
    end = case_clause();
  }
  expect(Word::dedent, "no end of the cases");
  close(node, end);
}

std::uint32_t PythonParser::case_clause() {
  used_ = 0;
  const std::uint32_t node = open(Kind::Case, take().start);
  do {
    if (is(Word::colon) || is(Word::if_)) break;
    place(case_pattern());
  } while (take_if(Word::comma));
  if (is(Word::if_)) {
    const std::uint32_t guard = open(Kind::Arg, take().start, flag::condition);
    place(named_expression());
    close(guard, last_end());
  }
  expect(Word::colon, "case without a colon");
  const std::uint32_t end = block(Arm::body);
  close(node, end);
  return end;
}

/// With the Arg around it.
Value PythonParser::case_pattern() {
  const Nested nested(*this);
  const std::uint32_t start = word().start;
  Value out = draft(Kind::Arg, 0, start, start);
  if (is(Word::name) && at_[1].word == Word::assign) refuse("a named pattern in no class");
  simple_pattern(out);
  end_at_last(out);
  if (!is(Word::as_)) return out;
  take();
  Value whole = draft(Kind::Arg, 0, start, start);
  append(whole, out);
  append(whole, name_of(expect(Word::name, "as without a name"), flag::store));
  end_at_last(whole);
  return whole;
}

/// One pattern or several with `|` between them, appended to what holds it.
void PythonParser::simple_pattern(Value& into) {
  const bool is_signed = is(Word::minus);
  const std::uint32_t start = word().start;
  Value first{};
  bool has_first = closed_pattern(first);
  if (!is(Word::pipe)) {
    if (has_first && is_signed && root(into).kind == Kind::Arg && root(first).start != start) {
      // The sign is a part of the number.
      root(into).kind = Kind::Const;
      return;
    }
    if (has_first) append(into, first);
    return;
  }
  Value out = draft(Kind::BinOp, 0, start, start);
  if (has_first) append(out, first);
  while (take_if(Word::pipe)) {
    has_first = closed_pattern(first);
    if (has_first) append(out, first);
  }
  end_at_last(out);
  append(into, out);
}

/// False for `_`, which leaves nothing.
bool PythonParser::closed_pattern(Value& out) {
  const Nested nested(*this);
  switch (kind()) {
    case Word::minus:
    case Word::number:
      out = number_pattern();
      return true;
    case Word::true_:
    case Word::false_:
    case Word::none_:
      out = leaf(Kind::Const, take());
      return true;
    case Word::string:
      out = strings();
      if (root(out).kind != Kind::Str) refuse("a pattern with fields");
      return true;
    case Word::left_bracket:
      out = sequence_pattern(Word::right_bracket, Kind::List);
      return true;
    case Word::left_paren:
      out = sequence_pattern(Word::right_paren, Kind::Tuple);
      return true;
    case Word::left_brace:
      out = dict_pattern();
      return true;
    case Word::star:
      out = splat_pattern();
      return true;
    case Word::name:
      break;
    default:
      refuse("no pattern");
      out = leaf(Kind::Error, word());
      return true;
  }
  if (text(word()) == "_" && at_[1].word != Word::dot && at_[1].word != Word::left_paren) {
    take();
    return false;
  }
  out = dotted_pattern(true);
  if (is(Word::left_paren)) out = class_pattern(out);
  return true;
}

/// Dotted names are looked up, each part over the whole name; a single one is bound.
Value PythonParser::dotted_pattern(bool is_target) {
  const Token* last = at_;
  std::size_t parts = 1;
  while (last[1].word == Word::dot && last[2].word == Word::name) {
    if (last[1].after_backslash != 0 || last[2].after_backslash != 0)
      refuse("a continued line in a pattern");
    last += 2, ++parts;
  }
  if (refused_) return leaf(Kind::Error, word());
  const Token& first = word();
  Value out = name_of(first, parts == 1 && is_target ? flag::store : std::uint16_t{0});
  for (const Token* part = &first + 2; part <= last; part += 2) {
    Value outer = draft(Kind::Attribute, 0, first.start, last->end, symbol(*part));
    append(outer, out);
    out = outer;
  }
  at_ = last + 1;
  return out;
}

Value PythonParser::number_pattern() {
  const std::uint32_t start = word().start;
  const bool is_signed = take_if(Word::minus);
  const Token& number = expect(Word::number, "a sign without a number");
  if (!is(Word::plus) && !is(Word::minus)) {
    if (refused_) return leaf(Kind::Error, word());
    static_cast<void>(is_signed);
    return leaf(Kind::Const, number);
  }
  take();
  const Token& imaginary = expect(Word::number, "half of a complex number");
  if (!refused_ && (text(imaginary).back() | 0x20) != 'j') refuse("no complex number");
  return draft(Kind::Const, 0, start, last_end());
}

Value PythonParser::splat_pattern() {
  Value out = draft(Kind::Star, flag::store, word().start, word().end);
  take();
  const Token& name = expect(Word::name, "no name behind a star");
  if (!refused_ && text(name) != "_") append(out, name_of(name, flag::store));
  end_at_last(out);
  return out;
}

Value PythonParser::sequence_pattern(Word closing, Kind of) {
  Value out = draft(of, flag::store, word().start, word().end);
  take();
  bool has_comma = false;
  std::size_t count = 0;
  while (!is(closing) && !refused_) {
    append(out, case_pattern());
    ++count;
    if (!take_if(Word::comma)) break;
    has_comma = true;
  }
  // The grammar makes a tuple of one there.
  if (of == Kind::Tuple && count == 1 && !has_comma) refuse("a pattern in parentheses");
  expect(closing, "no end of the pattern");
  end_at_last(out);
  return out;
}

Value PythonParser::dict_pattern() {
  Value out = draft(Kind::Dict, 0, word().start, word().end);
  take();
  while (!is(Word::right_brace) && !refused_) {
    if (is(Word::power)) {
      append(out, splat_pattern());
    } else {
      Value key{};
      if (is(Word::name)) {
        if (at_[1].word != Word::dot) refuse("a name for a key");
        key = dotted_pattern(false);
      } else if (is(Word::star) || is(Word::left_paren) || is(Word::left_bracket) ||
                 is(Word::left_brace)) {
        refuse("a pattern for a key");
      } else {
        closed_pattern(key);
      }
      append(out, key);
      expect(Word::colon, "a key without a pattern");
      append(out, case_pattern());
    }
    if (!take_if(Word::comma)) break;
  }
  expect(Word::right_brace, "no end of the pattern");
  end_at_last(out);
  return out;
}

/// `Point(x, y=0)` asks for a type: nothing is called.
Value PythonParser::class_pattern(const Value& name) {
  root(name).flags = 0;
  Value out = draft(Kind::Cast, 0, name.start, name.end);
  append(out, name);
  take();
  bool has_name = false;
  while (!is(Word::right_paren) && !refused_) {
    if (is(Word::name) && at_[1].word == Word::assign) {
      has_name = true;
      Value arg = draft(Kind::Arg, 0, word().start, word().end);
      Value keyword = draft(Kind::KwArg, 0, word().start, word().end, symbol(word()));
      take();
      take();
      simple_pattern(keyword);
      end_at_last(keyword);
      append(arg, keyword);
      end_at_last(arg);
      if (is(Word::as_)) refuse("as behind a named pattern");
      append(out, arg);
    } else {
      if (has_name) refuse("a pattern behind a named one");
      append(out, case_pattern());
    }
    if (!take_if(Word::comma)) break;
  }
  expect(Word::right_paren, "no end of the pattern");
  end_at_last(out);
  return out;
}

}  // namespace gh::syntax::python
