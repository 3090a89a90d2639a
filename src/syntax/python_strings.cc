// Literals that stand side by side are one; those with fields are taken apart.
#include "syntax/python_parser.h"

namespace gh::syntax::python {

Value PythonParser::strings() {
  const Nested nested(*this);
  const std::uint32_t start = word().start;
  const std::uint8_t first = word().detail;
  bool is_formatted = false;
  const Token* after = at_;
  for (std::uint32_t depth = 0;
       depth > 0 || after->word == Word::string || after->word == Word::field_start; ++after) {
    if (after->word == Word::end) break;
    is_formatted = is_formatted || after->word == Word::field_start;
    depth += after->word == Word::field_start ? 1 : 0;
    depth -= after->word == Word::field_end ? 1 : 0;
  }
  if (!is_formatted) {
    for (const Token* head = at_; is(Word::string); take()) {
      // A quote goes on with the literal before it, wherever it stands.
      if (at_ != head &&
          (tree_->source[word().start] == '"' || tree_->source[word().start] == '\''))
        may_be_left();
      if (((word().detail ^ first) & literal::bytes) != 0) refuse("bytes beside text");
    }
    return draft(Kind::Str, (first & literal::bytes) != 0 ? flag::bytes : std::uint16_t{0}, start,
                 last_end());
  }
  Value out = draft(Kind::Interp, 0, start, start);
  bool after_text = false;
  while (at_ < after) {
    if (is(Word::string))
      plain_part(out, take(), after_text);
    else
      parts(out, after_text);
    if (refused_) break;
  }
  end_at_last(out);
  return out;
}

/// A literal without fields beside one with some: its text, once for each run of text.
void PythonParser::plain_part(Value& into, const Token& literal_word, bool& after_text) {
  if ((literal_word.detail & literal::bytes) != 0) refuse("bytes beside text");
  const std::string_view whole = text(literal_word);
  const std::size_t quotes = (literal_word.detail & literal::triple) != 0 ? 3 : 1;
  const std::size_t prefix = whole.find_first_of("\"'");
  const auto start = static_cast<std::uint32_t>(literal_word.start + prefix + quotes);
  const auto end = static_cast<std::uint32_t>(literal_word.end - quotes);
  if (start >= end) return;
  // The grammar takes what begins so for the end of the text.
  if ((literal_word.detail & literal::raw) != 0 && tree_->source[start] == '\\')
    return refuse("a backslash at the start of raw text");
  if (!after_text) append(into, draft(Kind::Str, 0, start, end));
  after_text = true;
}

void PythonParser::parts(Value& into, bool& after_text) {
  expect(Word::field_start, "no string");
  while (!is(Word::field_end) && !refused_) {
    if (is(Word::field_text)) {
      if (!after_text) append(into, leaf(Kind::Str, word()));
      take();
      after_text = true;
    } else {
      append(into, field());
      after_text = false;
    }
  }
  expect(Word::field_end, "no end of the string");
}

Value PythonParser::field() {
  const Nested nested(*this);
  const Token& brace = expect(Word::field_open, "no field");
  Value out = draft(Kind::Interp, flag::part, brace.start, brace.end);
  const Value value = yield_or_list();
  append(out, value);
  if (take_if(Word::assign)) root(out).flags |= flag::shows_self;
  if (is(Word::field_convert)) root(out).symbol = symbol(take());
  if (is(Word::field_colon)) append(out, format(take().start));
  expect(Word::field_close, "no end of the field");
  end_at_last(out);
  return out;
}

/// Text and nested fields in turn; each text has the span of the whole.
Value PythonParser::format(std::uint32_t colon) {
  Value out = draft(Kind::Interp, flag::format, colon, colon + 1);
  const std::size_t from = format_texts_.size();
  std::uint32_t at = colon + 1;
  const auto text_before = [&](std::uint32_t byte) {
    if (byte <= at) return;
    const Value part = draft(Kind::Str, 0, colon, byte);
    append(out, part);
    format_texts_.push_back(part.head);
  };
  while (is(Word::field_open)) {
    text_before(word().start);
    append(out, field());
    at = last_end();
  }
  const std::uint32_t end = word().start;
  text_before(end);
  for (std::size_t i = from; i < format_texts_.size(); ++i)
    drafts_[format_texts_[i]].end = end;
  format_texts_.resize(from);
  end_at(out, end);
  return out;
}

}  // namespace gh::syntax::python
