// Expressions by precedence. Where the grammar reads more than Python does, this reads less.
#include "syntax/python_parser.h"

namespace gh::syntax::python {

/// With `if … else …` and lambda, without `:=`.
Value PythonParser::expression() {
  const Nested nested(*this);
  if (is(Word::lambda_)) return lambda();
  Value value = operators(or_level);
  if (!is(Word::if_)) return value;
  take();
  Value out = draft(Kind::Ternary, 0, value.start, value.end);
  append(out, value);
  append(out, operators(or_level));
  expect(Word::else_, "if without else");
  append(out, expression());
  end_at_last(out);
  return out;
}

Value PythonParser::named_expression() {
  if (!is(Word::name) || at_[1].word != Word::walrus) return expression();
  Value out = draft(Kind::NamedExpr, 0, word().start, word().end);
  append(out, name_of(take(), flag::store));
  take();
  append(out, expression());
  end_at_last(out);
  return out;
}

Value PythonParser::operators(Level least) {
  Value left = is(Word::not_) && least <= not_level ? not_operation() : unary();
  for (;;) {
    const Word op = kind();
    const Level level = operators_.levels[static_cast<std::size_t>(op)];
    if (level < least || level == no_level) return left;
    if (level == compare_level) {
      if (op == Word::not_ && at_[1].word != Word::in_) return left;
      left = comparison(left);
    } else if (level <= and_level) {
      left = boolean(left, op, level);
    } else {
      take();
      const Value right = operators(static_cast<Level>(level + 1));
      // The grammar binds `^` closer than `&`.
      if (op == Word::caret && (is_and_of_bits(left) || is_and_of_bits(right)))
        refuse("& beside ^");
      Value out =
          draft(Kind::BinOp, operators_.ops[static_cast<std::size_t>(op)], left.start, right.end);
      append(out, left);
      append(out, right);
      left = out;
    }
  }
}

bool PythonParser::is_and_of_bits(const Value& v) {
  return root(v).kind == Kind::BinOp && root(v).in_parentheses == 0 &&
         root(v).flags == operators_.ops[static_cast<std::size_t>(Word::ampersand)];
}

Value PythonParser::not_operation() {
  const Nested nested(*this);
  Value out = draft(Kind::UnaryOp, operators_not_, word().start, word().end);
  take();
  append(out, operators(not_level));
  end_at_last(out);
  return out;
}

/// `a and b and c` is one.
Value PythonParser::boolean(Value first, Word op, Level level) {
  Value out =
      draft(Kind::BoolOp, operators_.ops[static_cast<std::size_t>(op)], first.start, first.end);
  append(out, first);
  std::uint32_t height = out.height;
  while (take_if(op)) {
    append(out, operators(static_cast<Level>(level + 1)));
    out.height = ++height > out.height ? height : out.height;
  }
  end_at_last(out);
  return out;
}

/// One operator is in the flags; those of a chain are its symbol.
Value PythonParser::comparison(Value first) {
  Value out = draft(Kind::Compare, 0, first.start, first.end);
  append(out, first);
  std::size_t count = 0;
  const std::size_t from = chain_.size();
  Op op = 0;
  for (;;) {
    const Token& t = word();
    op = operators_.ops[static_cast<std::size_t>(t.word)];
    if (t.word == Word::not_ && at_[1].word == Word::in_) {
      if (!is_one_blank_apart()) refuse("words between not and in");
      take();
    } else if (operators_.levels[static_cast<std::size_t>(t.word)] != compare_level ||
               t.word == Word::not_) {
      break;
    } else if (t.word == Word::is_ && at_[1].word == Word::not_) {
      if (!is_one_blank_apart()) refuse("words between is and not");
      op = operators_is_not_;
      take();
    }
    if (is(Word::end)) break;
    take();
    chain_.push_back(op);
    ++count;
    append(out, operators(pipe_level));
  }
  if (count == 1)
    root(out).flags = chain_[from];
  else
    root(out).symbol = chain_symbol(from);
  chain_.resize(from);
  end_at_last(out);
  return out;
}

/// Two words of one operator with nothing but blanks between them.
bool PythonParser::is_one_blank_apart() const {
  const std::string_view between = tree_->source.substr(at_->end, at_[1].start - at_->end);
  return between.find_first_not_of(" \t\r\n\\") == std::string_view::npos;
}

std::uint32_t PythonParser::chain_symbol(std::size_t from) {
  chain_text_.clear();
  for (std::size_t i = from; i < chain_.size(); ++i) {
    if (i > from) chain_text_ += ',';
    chain_text_ += spelling_of(chain_[i]);
  }
  return tree_->symbols.id_of_copy(chain_text_);
}

Value PythonParser::unary() {
  const Word op = kind();
  if (op != Word::minus && op != Word::plus && op != Word::tilde) {
    Value left = primary();
    if (!is(Word::power)) return left;
    const Nested nested(*this);
    // The grammar binds the operator closer than `await`.
    if (root(left).kind == Kind::Await && root(left).in_parentheses == 0)
      refuse("a power of what is awaited");
    take();
    const Value right = unary();
    Value out = draft(Kind::BinOp, operators_.ops[static_cast<std::size_t>(Word::power)],
                      left.start, right.end);
    append(out, left);
    append(out, right);
    return out;
  }
  const Nested nested(*this);
  Value out =
      draft(Kind::UnaryOp, operators_.ops[static_cast<std::size_t>(op)], word().start, word().end);
  take();
  append(out, unary());
  end_at_last(out);
  return out;
}

Value PythonParser::primary() {
  if (is(Word::await_)) {
    const Nested nested(*this);
    Value out = draft(Kind::Await, 0, word().start, word().end);
    take();
    append(out, primary());
    end_at_last(out);
    return out;
  }
  Value value = atom();
  for (;;) {
    switch (kind()) {
      case Word::dot: {
        take();
        const Token& name = expect(Word::name, "no name behind a dot");
        Value out = draft(Kind::Attribute, 0, value.start, name.end, symbol(name));
        append(out, value);
        value = out;
        break;
      }
      case Word::left_paren:
        value = call(value);
        break;
      case Word::left_bracket:
        value = subscript(value);
        break;
      default:
        return value;
    }
  }
}

Value PythonParser::atom() {
  switch (kind()) {
    case Word::name:
      return name_of(take());
    case Word::number:
    case Word::true_:
    case Word::false_:
    case Word::none_:
    case Word::ellipsis:
      return leaf(Kind::Const, take());
    case Word::string:
    case Word::field_start:
      return strings();
    case Word::left_paren:
      return parentheses();
    case Word::left_bracket:
      return brackets();
    case Word::left_brace:
      return braces();
    default:
      refuse("no expression");
      return leaf(Kind::Error, word());
  }
}

// --- what follows a value ------------------------------------------------------------------------

Value PythonParser::call(const Value& function) {
  Value out = draft(Kind::Call, 0, function.start, function.end);
  append(out, function);
  const Token& name = at_[-1];
  const bool is_print = name.word == Word::name && name.detail != 0;
  forks_ += is_print ? 1 : 0;
  arguments(out, true);
  forks_ -= is_print ? 1 : 0;
  end_at_last(out);
  return out;
}

/// Between parentheses, of a call or a class.
void PythonParser::arguments(Value& into, bool may_generate) {
  const std::uint32_t start = take().start;
  bool has_name = false, has_last = false;
  for (bool is_first = true; !is(Word::right_paren); is_first = false) {
    may_be_left();
    if (is(Word::power)) {
      Value out = draft(Kind::Star, flag::twice, word().start, word().end);
      take();
      append(out, expression());
      end_at_last(out);
      append(into, out);
      has_last = true;
    } else if (is(Word::star)) {
      if (has_last) refuse("an argument behind **");
      append(into, star(StarOperand::argument));
    } else if (is(Word::name) && at_[1].word == Word::assign) {
      Value out = draft(Kind::KwArg, 0, word().start, word().end, symbol(word()));
      take();
      take();
      append(out, expression());
      end_at_last(out);
      append(into, out);
      has_name = true;
    } else {
      if (has_last || has_name) refuse("an argument behind a named one");
      const Value value = named_expression();
      if (is(Word::for_) || is(Word::async_)) {
        if (!is_first || !may_generate) refuse("a generator among arguments");
        append(into, comprehension(value, {}, false, start, 4, Word::right_paren));
        return;
      }
      append(into, value);
    }
    if (!take_if(Word::comma)) break;
  }
  expect(Word::right_paren, "no end of the arguments");
}

/// A line that is continued anywhere in it counts as one more index in the grammar's tree.
Value PythonParser::subscript(const Value& of) {
  Value out = draft(Kind::Subscript, 0, of.start, of.end);
  append(out, of);
  refuse_continued();
  take();
  refuse_continued();
  const Value first = index();
  refuse_continued();
  if (is(Word::comma)) {
    Value all = draft(Kind::Tuple, 0, first.start, first.end);  // the span is that of the first
    append(all, first);
    while (take_if(Word::comma)) {
      refuse_continued();
      if (is(Word::right_bracket)) break;
      may_be_left();
      append(all, index());
      refuse_continued();
    }
    append(out, all);
  } else {
    append(out, first);
  }
  expect(Word::right_bracket, "no end of the index");
  end_at_last(out);
  return out;
}

void PythonParser::refuse_continued() {
  if (word().after_backslash != 0) refuse("a continued line in an index");
}

/// Which places of a slice are filled is in its flags.
Value PythonParser::index() {
  if (is(Word::star)) return star(StarOperand::bare);
  const std::uint32_t start = word().start;
  Value first{};
  const bool has_first = !is(Word::colon);
  if (has_first) {
    first = named_expression();
    if (!is(Word::colon)) return first;
  }
  Value out = draft(Kind::Slice, 0, has_first ? first.start : start, start);
  std::uint16_t filled = has_first ? 1 : 0;
  if (has_first) append(out, first);
  refuse_continued();
  for (std::uint16_t place = 2; place <= 4 && take_if(Word::colon);
       place = static_cast<std::uint16_t>(place << 1)) {
    refuse_continued();
    if (is(Word::colon) || is(Word::comma) || is(Word::right_bracket)) continue;
    append(out, expression());
    refuse_continued();
    filled = static_cast<std::uint16_t>(filled | place);
  }
  root(out).flags = filled;
  end_at_last(out);
  return out;
}

// --- brackets ------------------------------------------------------------------------------------

Value PythonParser::parentheses() {
  const std::uint32_t start = take().start;
  if (is(Word::right_paren)) return draft(Kind::Tuple, 0, start, take().end);
  may_be_left();
  Value first{};
  bool is_tuple = false;
  if (is(Word::yield_)) {
    first = yield();
  } else if (is(Word::star)) {
    first = star(StarOperand::element);
    is_tuple = true;
    if (!is(Word::comma)) refuse("a star alone");
  } else {
    first = named_expression();
    if (is(Word::for_) || is(Word::async_))
      return comprehension(first, {}, false, start, 4, Word::right_paren);
    is_tuple = is(Word::comma);
  }
  if (!is_tuple) {
    const Token& end = expect(Word::right_paren, "no closing parenthesis");
    root(first).in_parentheses = 1;
    first.start = start;
    first.end = end.end;
    return first;
  }
  Value out = draft(Kind::Tuple, 0, start, start);
  append(out, first);
  while (take_if(Word::comma) && !is(Word::right_paren)) {
    may_be_left();
    append(out, is(Word::star) ? star(StarOperand::element) : named_expression());
  }
  expect(Word::right_paren, "no closing parenthesis");
  end_at_last(out);
  return out;
}

Value PythonParser::brackets() {
  const std::uint32_t start = take().start;
  Value out = draft(Kind::List, 0, start, start);
  for (bool is_first = true; !is(Word::right_bracket); is_first = false) {
    may_be_left();
    if (is(Word::star)) {
      const Value value = star(StarOperand::element);
      if (is_first) refuse_sole_star(value, Word::right_bracket);
      append(out, value);
    } else {
      const Value value = named_expression();
      if (is_first && (is(Word::for_) || is(Word::async_)))
        return comprehension(value, {}, false, start, 1, Word::right_bracket);
      append(out, value);
    }
    if (!take_if(Word::comma)) break;
  }
  expect(Word::right_bracket, "no closing bracket");
  end_at_last(out);
  return out;
}

Value PythonParser::braces() {
  const std::uint32_t start = take().start;
  Value out = draft(Kind::Dict, 0, start, start);
  bool is_set = false;
  for (bool is_first = true; !is(Word::right_brace); is_first = false) {
    may_be_left();
    if (is(Word::power)) {
      if (is_set) refuse("two stars in a set");
      Value all = draft(Kind::Star, flag::twice, word().start, word().end);
      take();
      append(all, operators(pipe_level));
      end_at_last(all);
      append(out, all);
    } else if (is(Word::star)) {
      if (!is_first && !is_set) refuse("a star in a dictionary");
      is_set = true;
      const Value value = star(StarOperand::element);
      if (is_first) refuse_sole_star(value, Word::right_brace);
      append(out, value);
    } else {
      const Value key = named_expression();
      if (is_first) is_set = !is(Word::colon);
      if (is_set) {
        if (is_first && (is(Word::for_) || is(Word::async_)))
          return comprehension(key, {}, false, start, 2, Word::right_brace);
        append(out, key);
      } else {
        if (root(key).kind == Kind::NamedExpr && root(key).in_parentheses == 0)
          refuse("a key with a name");
        expect(Word::colon, "a key without a value");
        const Value value = expression();
        if (is_first && (is(Word::for_) || is(Word::async_)))
          return comprehension(key, value, true, start, 3, Word::right_brace);
        append(out, key);
        append(out, value);
      }
    }
    if (!take_if(Word::comma)) break;
  }
  if (is_set) root(out).kind = Kind::Set;
  expect(Word::right_brace, "no closing brace");
  end_at_last(out);
  return out;
}

Value PythonParser::comprehension(const Value& first, const Value& second, bool is_pair,
                                  std::uint32_t start, std::uint16_t flags, Word closing) {
  Value out = draft(Kind::Comp, flags, start, start);
  append(out, first);
  if (is_pair) append(out, second);
  while (is(Word::for_) || is(Word::async_)) {
    Value clause = draft(Kind::Arg, flag::generator, word().start, word().end);
    take_if(Word::async_);
    expect(Word::for_, "async without for");
    append(clause, targets());
    expect(Word::in_, "for without in");
    append(clause, operators(or_level));
    end_at_last(clause);
    append(out, clause);
    while (is(Word::if_)) {
      Value condition = draft(Kind::Arg, flag::condition, word().start, word().end);
      take();
      append(condition, operators(or_level));
      end_at_last(condition);
      append(out, condition);
    }
  }
  expect(closing, "no end of the comprehension");
  end_at_last(out);
  return out;
}

// --- lists, targets ------------------------------------------------------------------------------

/// Where the grammar has several readings of a star, it takes the wrong one of `*a.b`.
Value PythonParser::star(StarOperand operand) {
  Value out = draft(Kind::Star, 0, word().start, word().end);
  take();
  const Value value = operand == StarOperand::argument ? expression() : operators(pipe_level);
  if ((operand == StarOperand::bare || forks_ != 0) && !is_bare_name(value))
    refuse("a star before more than a name");
  append(out, value);
  end_at_last(out);
  return out;
}

void PythonParser::refuse_sole_star(const Value& star, Word closing) {
  if (!is(closing)) return;
  const Value inner{.head = root(star).next, .tail = star.tail};
  if (!is_bare_name(inner)) refuse("a star before more than a name");
}

bool PythonParser::ends_list() const {
  switch (kind()) {
    case Word::newline:
    case Word::semicolon:
    case Word::assign:
    case Word::augmented:
    case Word::colon:
    case Word::right_paren:
    case Word::right_brace:
    case Word::field_close:
    case Word::field_colon:
    case Word::field_convert:
    case Word::in_:
    case Word::end:
      return true;
    default:
      return false;
  }
}

/// One value, or a Tuple without parentheses.
Value PythonParser::list() {
  const bool is_star = is(Word::star);
  const Value first = is_star ? star(StarOperand::bare) : expression();
  if (!is(Word::comma)) {
    if (is_star) refuse("a star alone");
    return first;
  }
  Value out = draft(Kind::Tuple, 0, first.start, first.end);
  append(out, first);
  while (take_if(Word::comma) && !ends_list())
    append(out, is(Word::star) ? star(StarOperand::bare) : expression());
  end_at_last(out);
  return out;
}

Value PythonParser::target() {
  if (!is(Word::star)) return primary();
  Value out = draft(Kind::Star, 0, word().start, word().end);
  take();
  const Value value = primary();
  if (!is_bare_name(value)) refuse("a star before more than a name");
  append(out, value);
  end_at_last(out);
  return out;
}

/// Of a loop.
Value PythonParser::targets() {
  const Value first = target();
  Value out = first;
  if (is(Word::comma)) {
    out = draft(Kind::Tuple, 0, first.start, first.end);
    append(out, first);
    while (take_if(Word::comma) && !ends_list())
      append(out, target());
    end_at_last(out);
  } else if (root(first).kind == Kind::Star) {
    refuse("a star alone");
  }
  mark_target(out);
  return out;
}

Value PythonParser::yield() {
  Value out = draft(Kind::Yield, 0, word().start, word().end);
  take();
  if (take_if(Word::from_)) {
    root(out).kind = Kind::YieldFrom;
    append(out, expression());
  } else if (!ends_list()) {
    append(out, list());
  }
  end_at_last(out);
  return out;
}

Value PythonParser::yield_or_list() { return is(Word::yield_) ? yield() : list(); }

// --- lambda, parameters, types -------------------------------------------------------------------

Value PythonParser::lambda() {
  Value out = draft(Kind::Lambda, 0, word().start, word().end);
  take();
  parameters(out, Word::colon, false);
  expect(Word::colon, "lambda without a colon");
  append(out, expression());
  end_at_last(out);
  return out;
}

/// Up to `closing`, which stays.
void PythonParser::parameters(Value& into, Word closing, bool has_types) {
  const std::uint32_t before = into.tail;
  bool after_star = false, has_slash = false, has_default = false, is_owed = false;
  std::size_t count = 0;
  while (!is(closing)) {
    if (word().after_backslash != 0) refuse("a continued line among parameters");
    const Token& first = word();
    ParamKind param = after_star ? ParamKind::kw_only : ParamKind::pos_or_kw;
    if (take_if(Word::slash)) {
      if (has_slash || after_star || count == 0) refuse("a slash among parameters");
      has_slash = true;
      for (std::uint32_t i = drafts_[before].next, n = 0; n < count; ++n) {
        drafts_[i].flags = static_cast<std::uint16_t>(ParamKind::pos_only);
        for (std::uint32_t step = drafts_[i].size; step > 0; --step)
          i = drafts_[i].next;
      }
      if (!take_if(Word::comma)) break;
      continue;
    }
    if (is(Word::star)) {
      if (after_star) refuse("two stars among parameters");
      take();
      after_star = true;
      param = ParamKind::vararg;
      if (is(Word::comma)) {
        take();
        is_owed = true;
        continue;
      }
    } else if (take_if(Word::power)) {
      param = ParamKind::kwarg;
    }
    const Token& name = expect(Word::name, "no name of a parameter");
    Value out =
        draft(Kind::Param, static_cast<std::uint16_t>(param), first.start, name.end, symbol(name));
    if (has_types && take_if(Word::colon)) append(out, type());
    const bool is_named = param != ParamKind::vararg && param != ParamKind::kwarg;
    if (is(Word::assign)) {
      if (!is_named) refuse("a default of a star");
      take();
      append(out, expression());
      has_default = true;
    } else if (is_named && has_default && !after_star) {
      refuse("a parameter without a default behind one with");
    }
    if (param == ParamKind::kwarg && is_owed) refuse("a lone star");
    if (is_named) is_owed = false;
    end_at_last(out);
    append(into, out);
    ++count;
    if (param == ParamKind::kwarg) {
      take_if(Word::comma);
      break;
    }
    if (!take_if(Word::comma)) break;
  }
  if (word().after_backslash != 0) refuse("a continued line among parameters");
  if (is_owed) refuse("a lone star");
}

/// What is declared. `List[int]` is a subscript of types there, where it comes first.
Value PythonParser::type(bool has_bounds) {
  const Nested nested(*this);
  const std::uint32_t start = word().start;
  Value out{};
  if (is(Word::star) || is(Word::power)) {
    out = draft(Kind::Type, 0, start, start);
    Value all = draft(Kind::Star, 0, start, start);
    take();
    append(all, name_of(expect(Word::name, "no name behind a star")));
    end_at_last(all);
    append(out, all);
    end_at_last(out);
    return out;
  }
  if (!is(Word::name) || at_[1].word != Word::left_bracket) {
    const Value value = expression();
    out = draft(Kind::Type, 0, value.start, value.end);
    append(out, value);
    return out;
  }
  out = generic_type(has_bounds);
  while (is(Word::pipe)) {
    take();
    Value both = draft(Kind::BinOp, 0, out.start, out.end);
    append(both, out);
    Value right{};
    if (is(Word::name) && at_[1].word == Word::left_bracket) {
      right = generic_type(false);
    } else {
      const Value value = expression();
      right = draft(Kind::Type, 0, value.start, value.end);
      append(right, value);
    }
    append(both, right);
    end_at_last(both);
    out = draft(Kind::Type, 0, both.start, both.end);
    append(out, both);
  }
  return out;
}

/// With the Type around it.
Value PythonParser::generic_type(bool has_bounds) {
  const Nested nested(*this);
  if (is_soft(Soft::match) || is_soft(Soft::print) || is_soft(Soft::exec))
    refuse("a type by the name of a statement");
  Value all = draft(Kind::Subscript, 0, word().start, word().end);
  append(all, name_of(take()));
  take();
  bool is_first = true;
  do {
    if (!is_first && is(Word::right_bracket)) break;
    is_first = false;
    Value one = type();
    if (has_bounds && is(Word::colon)) {
      take();
      Value bound = draft(Kind::Tuple, 0, one.start, one.end);
      append(bound, one);
      append(bound, type());
      end_at_last(bound);
      one = draft(Kind::Type, 0, bound.start, bound.end);
      append(one, bound);
    }
    append(all, one);
  } while (take_if(Word::comma));
  expect(Word::right_bracket, "no end of the type");
  end_at_last(all);
  Value out = draft(Kind::Type, 0, all.start, all.end);
  append(out, all);
  return out;
}

}  // namespace gh::syntax::python
