// Statements: each is appended when its first words are known, what it holds follows.
#include "syntax/python_parser.h"

namespace gh::syntax::python {

void PythonParser::statements() {
  const std::uint32_t module = open(Kind::Module, 0);
  std::uint32_t last = module;
  while (!is(Word::end)) {
    last = statement();
  }
  if (refused_) return;
  const bool ends_with_arm = tree_->nodes[last].kind == Kind::If;  // as a lowered one does
  close(module,
        ends_with_arm ? tree_->ends[last] : static_cast<std::uint32_t>(tree_->source.size()));
  // Whatever is read first begins it: a word or a comment.
  const bool has_words = lexer_.tokens().size() > 2 + kLookAhead;
  std::uint32_t start = has_words ? lexer_.tokens()[1].start : tree_->ends[module];
  if (!tree_->comments.empty() && tree_->comments.front().start < start)
    start = tree_->comments.front().start;
  tree_->nodes[module].start = start;
}

/// The node of the last statement of the line, or of the one that holds others.
std::uint32_t PythonParser::statement() {
  const auto node = static_cast<std::uint32_t>(tree_->nodes.size());
  used_ = 0;
  switch (kind()) {
    case Word::if_:
      if_statement();
      return node;
    case Word::for_:
      for_statement(word().start, 0);
      return node;
    case Word::while_:
      while_statement();
      return node;
    case Word::try_:
      try_statement();
      return node;
    case Word::with_:
      with_statement(word().start, 0);
      return node;
    case Word::def_:
      definition(word().start, 0, nullptr);
      return node;
    case Word::class_:
      class_definition(nullptr);
      return node;
    case Word::at:
      decorated();
      return node;
    case Word::async_:
      async_statement(nullptr);
      return node;
    case Word::indent:
      refuse("indentation");
      return node;
    default:
      if (!is_soft(Soft::match) || !is_match_statement()) return simple_line();
      match_statement();
      return node;
  }
}

std::uint32_t PythonParser::simple_line() {
  for (;;) {
    const auto node = static_cast<std::uint32_t>(tree_->nodes.size());
    simple_statement();
    if (take_if(Word::newline)) return node;
    if (!take_if(Word::semicolon)) {
      refuse("no end of the statement");
      return node;
    }
    if (take_if(Word::newline)) return node;
  }
}

void PythonParser::simple_statement() {
  used_ = 0;
  switch (kind()) {
    case Word::pass_:
    case Word::break_:
    case Word::continue_: {
      const Kind of = is(Word::pass_)    ? Kind::Pass
                      : is(Word::break_) ? Kind::Break
                                         : Kind::Continue;
      const std::uint32_t node = open(of, word().start);
      return close(node, take().end);
    }
    case Word::return_:
      return return_statement();
    case Word::raise_:
      return raise_statement();
    case Word::global_:
    case Word::nonlocal_:
      return names_statement();
    case Word::del_:
      return delete_statement();
    case Word::assert_:
      return assert_statement();
    case Word::import_:
      return import_statement();
    case Word::from_:
      return import_from();
    default:
      if (is_soft(Soft::type) && is_type_alias()) return type_alias();
      return expression_statement();
  }
}

void PythonParser::return_statement() {
  const std::uint32_t node = open(Kind::Return, take().start);
  if (!is(Word::newline) && !is(Word::semicolon)) place(list());
  close(node, last_end());
}

void PythonParser::raise_statement() {
  const std::uint32_t node = open(Kind::Raise, take().start);
  if (!is(Word::newline) && !is(Word::semicolon)) {
    place(expression());
    if (take_if(Word::from_)) place(expression());
  }
  close(node, last_end());
}

void PythonParser::names_statement() {
  const std::uint16_t flags = is(Word::nonlocal_) ? flag::nonlocal : std::uint16_t{0};
  const std::uint32_t node = open(Kind::Global, take().start, flags);
  do
    place(name_of(expect(Word::name, "no name")));
  while (take_if(Word::comma));
  close(node, last_end());
}

void PythonParser::delete_statement() {
  const std::uint32_t node = open(Kind::Delete, take().start);
  const Value all = list();
  // Read again as targets would mark them; here they are only looked at.
  if (!are_places(all)) refuse("something that cannot be deleted");
  place(all);
  close(node, last_end());
}

/// Names, attributes, subscripts, and lists of them.
bool PythonParser::are_places(const Value& v) {
  if (refused_) return false;
  std::uint32_t i = v.head;
  for (std::uint32_t left = drafts_[i].size; left > 0;) {
    const Draft& d = drafts_[i];
    std::uint32_t step = 1;
    if (d.kind == Kind::Attribute || d.kind == Kind::Subscript)
      step = d.size;
    else if (d.kind != Kind::Name && d.kind != Kind::List && d.kind != Kind::Tuple)
      return false;
    left -= step;
    for (; step > 0; --step)
      i = drafts_[i].next;
  }
  return true;
}

void PythonParser::assert_statement() {
  const std::uint32_t node = open(Kind::Assert, take().start);
  place(expression());
  if (take_if(Word::comma)) place(expression());
  close(node, last_end());
}

// --- expressions, assignments --------------------------------------------------------------------

void PythonParser::expression_statement() {
  // Statements of Python 2 begin so.
  if (is_soft(Soft::print) || is_soft(Soft::exec)) {
    const Word next = at_[1].word;
    if (next != Word::left_paren && next != Word::dot && next != Word::assign &&
        next != Word::colon && next != Word::newline)
      return refuse("print or exec as a statement");
  }
  // What begins so and has a value is an alias to the grammar.
  const bool may_be_alias =
      is_soft(Soft::type) && (at_[1].word == Word::left_paren || at_[1].word == Word::left_bracket);
  const Value first = yield_or_list();
  if (may_be_alias && (is(Word::assign) || is(Word::colon)))
    return refuse("a statement that begins with type");
  if (is(Word::assign)) return assignment(first);
  if (is(Word::colon)) return annotation(first);
  if (is(Word::augmented)) return augmented(first);
  const std::uint32_t node = open(Kind::Expr, first.start);
  place(first);
  close(node, first.end);
}

/// `a = b = c` is one statement with two targets.
void PythonParser::assignment(Value last) {
  Value out = draft(Kind::Assign, 0, last.start, last.end);
  while (take_if(Word::assign)) {
    mark_target(last);
    append(out, last);
    last = yield_or_list();
  }
  append(out, last);
  end_at_last(out);
  place(out);
}

void PythonParser::annotation(const Value& first) {
  if (!is_place(first)) return refuse("an annotation of no place");
  take();
  Value out = draft(Kind::Assign, 0, first.start, first.end);
  mark_target(first);
  append(out, first);
  append(out, type());
  if (take_if(Word::assign))
    append(out, yield_or_list());
  else
    root(out).flags = flag::bare;
  end_at_last(out);
  place(out);
}

void PythonParser::augmented(const Value& first) {
  if (!is_place(first)) return refuse("an assignment to no place");
  Value out = draft(Kind::AugAssign, operators_.ops.at(take().detail), first.start, first.end);
  mark_target(first);
  append(out, first);
  append(out, yield_or_list());
  end_at_last(out);
  place(out);
}

/// `type X = …`, and not something that is named so.
bool PythonParser::is_type_alias() const {
  return at_[1].word == Word::name &&
         (at_[2].word == Word::assign || at_[2].word == Word::left_bracket);
}

void PythonParser::type_alias() {
  const std::uint32_t node = open(Kind::TypeAlias, take().start);
  place(type(true));
  expect(Word::assign, "a type without a value");
  place(type());
  close(node, last_end());
}

// --- imports -------------------------------------------------------------------------------------

/// A name with dots as one symbol.
std::uint32_t PythonParser::dotted() {
  const Token& first = expect(Word::name, "no name of a module");
  if (!is(Word::dot)) return symbol(first);
  std::uint32_t length = first.end - first.start;
  const Token* part = at_;
  while (part->word == Word::dot && part[1].word == Word::name) {
    if (part->after_backslash != 0 || part[1].after_backslash != 0)
      refuse("a continued line in the name of a module");
    length += 1 + part[1].end - part[1].start;
    part += 2;
  }
  if (refused_) return 0;
  const std::uint32_t end = part[-1].end;
  if (end - first.start == length) {
    at_ = part;
    return tree_->symbols.id_of(tree_->source.substr(first.start, length));
  }
  std::string joined(text(first));
  for (; at_ < part; at_ += 2) {
    joined += '.';
    joined += text(at_[1]);
  }
  return tree_->symbols.id_of_copy(joined);
}

void PythonParser::import_statement() {
  const std::uint32_t node = open(Kind::Import, take().start);
  do
    imported(true);
  while (take_if(Word::comma));
  close(node, last_end());
}

/// One Name per imported name; the name that it is bound to, when another, is its child.
void PythonParser::imported(bool may_be_dotted) {
  const std::uint32_t start = word().start;
  if (!may_be_dotted && at_[1].word == Word::dot) return refuse("a dotted name that is imported");
  const std::uint32_t symbol_of = dotted();
  const std::uint32_t node = open(Kind::Name, start, 0, symbol_of);
  if (take_if(Word::as_)) {
    const Token& alias = expect(Word::name, "as without a name");
    close(open(Kind::Name, alias.start, flag::store, symbol(alias)), alias.end);
  }
  close(node, last_end());
}

/// The flags of an ImportFrom are its leading dots.
void PythonParser::import_from() {
  const std::uint32_t start = take().start;
  std::uint16_t level = 0;
  for (; is(Word::dot) || is(Word::ellipsis); take())
    level = static_cast<std::uint16_t>(level + (is(Word::dot) ? 1 : 3));
  const std::uint32_t module = level != 0 && is(Word::import_) ? 0 : dotted();
  const std::uint32_t node = open(Kind::ImportFrom, start, level, module);
  expect(Word::import_, "from without import");
  if (is(Word::star)) {
    if (level == 0 && tree_->symbols.text(module) == "__future__")
      return refuse("all of __future__");
    const Token& all = take();
    close(open(Kind::Name, all.start, 0, symbol(all)), all.end);
  } else if (take_if(Word::left_paren)) {
    do {
      if (is(Word::right_paren)) break;
      imported(false);
    } while (take_if(Word::comma));
    expect(Word::right_paren, "no end of the imported names");
  } else {
    do
      imported(false);
    while (take_if(Word::comma));
  }
  close(node, last_end());
}

// --- what holds blocks ---------------------------------------------------------------------------

std::uint32_t PythonParser::block(Arm arm) {
  const bool is_indented = is(Word::newline);
  return block_at(arm, is_indented && at_[1].word == Word::indent ? at_[2].start : word().start);
}

/// From the colon's next word on. The byte where its last statement ends.
std::uint32_t PythonParser::block_at(Arm arm, std::uint32_t start) {
  const Nested nested(*this);
  const std::uint32_t node = open(Kind::Block, start, static_cast<std::uint16_t>(arm));
  std::uint32_t last = node;
  if (take_if(Word::newline)) {
    expect(Word::indent, "no block");
    while (!is(Word::dedent) && !refused_)
      last = statement();
    expect(Word::dedent, "no end of the block");
  } else {
    last = simple_line();
  }
  if (refused_) return start;
  const std::uint32_t end = tree_->ends[last];
  close(node, end);
  return end;
}

void PythonParser::if_statement() {
  std::size_t arms = 0;
  const std::size_t from = arms_.size();
  std::uint32_t end = 0;
  const auto test_and_then = [&](std::uint16_t flags) {
    arms_.push_back(open(Kind::If, word().start, flags));
    take();
    place(named_expression());
    expect(Word::colon, "if without a colon");
    end = block(Arm::then);
  };
  test_and_then(0);
  for (; is(Word::elif_); ++arms) {
    arms_.push_back(open(Kind::Block, word().start, static_cast<std::uint16_t>(Arm::otherwise)));
    used_ = 0;
    test_and_then(flag::elif);
  }
  if (is(Word::else_)) end = else_block(Arm::otherwise);
  if (refused_) return;
  for (; arms_.size() > from; arms_.pop_back())
    close(arms_.back(), end);
}

std::uint32_t PythonParser::else_block(Arm arm) {
  const std::uint32_t start = take().start;
  expect(Word::colon, "else without a colon");
  return block_at(arm, start);
}

void PythonParser::while_statement() {
  const std::uint32_t node = open(Kind::While, take().start);
  place(named_expression());
  expect(Word::colon, "while without a colon");
  std::uint32_t end = block(Arm::body);
  if (is(Word::else_)) end = else_block(Arm::loop_else);
  close(node, end);
}

void PythonParser::for_statement(std::uint32_t start, std::uint16_t flags) {
  const std::uint32_t node = open(Kind::For, start, flags);
  take();
  place(targets());
  expect(Word::in_, "for without in");
  place(list());
  expect(Word::colon, "for without a colon");
  std::uint32_t end = block(Arm::body);
  if (is(Word::else_)) end = else_block(Arm::loop_else);
  close(node, end);
}

void PythonParser::try_statement() {
  const std::uint32_t node = open(Kind::Try, take().start);
  expect(Word::colon, "try without a colon");
  std::uint32_t end = block(Arm::body);
  std::size_t handlers = 0, groups = 0;
  bool has_bare = false;
  for (; is(Word::except_); ++handlers) {
    if (has_bare) return refuse("a handler behind one of everything");
    used_ = 0;
    const std::uint32_t one = open(Kind::Handler, take().start);
    const bool is_group = take_if(Word::star);
    groups += is_group ? 1 : 0;
    has_bare = is(Word::colon);
    if (has_bare && is_group) return refuse("a group of nothing");
    if (!has_bare) {
      const Value value = expression();
      if (is(Word::as_)) refuse_late_as(value);
      place(value);
      if (take_if(Word::as_)) {
        const Token& name = expect(Word::name, "as without a name");
        const std::uint32_t target = open(Kind::Arg, name.start, flag::target);
        place(name_of(name, flag::store));
        close(target, name.end);
      }
    }
    expect(Word::colon, "except without a colon");
    end = block(Arm::body);
    close(one, end);
  }
  if (groups != 0 && groups != handlers) return refuse("handlers of two kinds");
  const bool has_else = is(Word::else_);
  if (has_else) end = else_block(Arm::otherwise);
  const bool has_finally = is(Word::finally_);
  if (has_finally) end = else_block(Arm::finally);
  if (handlers == 0 && (has_else || !has_finally)) return refuse("try alone");
  if (groups != 0) tree_->nodes[node].flags = flag::star_group;
  close(node, end);
}

// --- with ----------------------------------------------------------------------------------------

void PythonParser::with_statement(std::uint32_t start, std::uint16_t flags) {
  const std::uint32_t node = open(Kind::With, start, flags);
  take();
  const bool in_parentheses = is(Word::left_paren) && with_is_in_parentheses();
  if (in_parentheses) take();
  ++forks_;
  std::size_t items = 0;
  do {
    if (in_parentheses && is(Word::right_paren)) break;
    with_item();
    ++items;
  } while (take_if(Word::comma));
  --forks_;
  // The grammar takes the parentheses for those of a value.
  if (in_parentheses && items == 1) return refuse("one item in parentheses");
  if (in_parentheses) expect(Word::right_paren, "no end of the items");
  expect(Word::colon, "with without a colon");
  close(node, block(Arm::body));
}

/// Does the parenthesis hold the items, and no expression?
bool PythonParser::with_is_in_parentheses() const {
  const Token* t = at_ + 1;
  if (t->word == Word::yield_ || t->word == Word::star || t->word == Word::right_paren)
    return false;
  std::size_t depth = 1;
  bool is_list = false;
  for (; depth > 0 && t->word != Word::end; ++t) {
    if (t->word == Word::left_paren || t->word == Word::left_bracket ||
        t->word == Word::left_brace || t->word == Word::field_open)
      ++depth;
    else if (t->word == Word::right_paren || t->word == Word::right_bracket ||
             t->word == Word::right_brace || t->word == Word::field_close)
      --depth;
    else if (depth == 1 && (t->word == Word::for_ || t->word == Word::star))
      return false;
    else if (depth == 1 && (t->word == Word::comma || t->word == Word::as_))
      is_list = true;
  }
  return is_list && t->word == Word::colon;
}

/// The grammar gives the name to the last part of these.
void PythonParser::refuse_late_as(const Value& value) {
  const Kind kind = root(value).kind;
  if (root(value).in_parentheses == 0 &&
      (kind == Kind::Ternary || kind == Kind::Lambda || kind == Kind::NamedExpr))
    refuse("as behind a condition");
}

void PythonParser::with_item() {
  const Value value = named_expression();
  if (is(Word::as_)) refuse_late_as(value);
  const std::uint32_t node = open(Kind::Arg, value.start);
  place(value);
  std::uint32_t end = value.end;
  if (take_if(Word::as_)) {
    const Value bound = target();
    if (root(bound).kind == Kind::Star) refuse("a star behind as");
    mark_target(bound, true);
    const std::uint32_t arg = open(Kind::Arg, bound.start, flag::target);
    place(bound);
    close(arg, bound.end);
    end = bound.end;
  }
  close(node, end);
}

// --- definitions ---------------------------------------------------------------------------------

void PythonParser::decorated() {
  Value all = draft(Kind::Block, 0, word().start, word().start);
  while (is(Word::at)) {
    Value one = draft(Kind::Decorator, 0, word().start, word().start);
    take();
    append(one, named_expression());
    end_at(one, word().start);  // of the line break, which is part of it: behind a comment
    expect(Word::newline, "no end of the decorator");
    append(all, one);
  }
  if (is(Word::def_)) return definition(word().start, 0, &all);
  if (is(Word::class_)) return class_definition(&all);
  if (is(Word::async_) && at_[1].word == Word::def_) return async_statement(&all);
  refuse("a decorator of nothing");
}

void PythonParser::async_statement(const Value* decorators) {
  const std::uint32_t start = take().start;
  if (is(Word::def_)) return definition(start, flag::async, decorators);
  if (is(Word::for_)) return for_statement(start, flag::async);
  if (is(Word::with_)) return with_statement(start, flag::async);
  refuse("async");
}

void PythonParser::definition(std::uint32_t start, std::uint16_t flags, const Value* decorators) {
  take();
  const Token& name = expect(Word::name, "no name of a function");
  const std::uint32_t node = open(Kind::Function, start, flags, symbol(name));
  if (decorators != nullptr) place_children(*decorators);
  if (is(Word::left_bracket)) type_parameters();
  expect(Word::left_paren, "no parameters");
  Value list = draft(Kind::Block, 0, start, start);
  parameters(list, Word::right_paren, true);
  expect(Word::right_paren, "no end of the parameters");
  place_children(list);
  if (take_if(Word::arrow)) {
    const Value returns = type();
    const std::uint32_t of = open(Kind::Type, returns.start, flag::returns);
    place_children(returns);
    close(of, returns.end);
  }
  expect(Word::colon, "no body");
  close(node, block(Arm::body));
}

void PythonParser::class_definition(const Value* decorators) {
  const std::uint32_t start = take().start;
  const Token& name = expect(Word::name, "no name of a class");
  const std::uint32_t node = open(Kind::Class, start, 0, symbol(name));
  if (decorators != nullptr) place_children(*decorators);
  if (is(Word::left_bracket)) type_parameters();
  if (is(Word::left_paren)) {
    Value bases = draft(Kind::Block, 0, start, start);
    arguments(bases, false);
    place_children(bases);
  }
  expect(Word::colon, "no body");
  close(node, block(Arm::body));
}

/// `[T, U: Bound, *Ts]`: the names are bound there, each behind its bound.
void PythonParser::type_parameters() {
  const std::uint32_t node = open(Kind::Type, take().start);
  bool is_first = true;
  do {
    if (!is_first && is(Word::right_bracket)) break;
    is_first = false;
    const bool is_star = is(Word::star) || is(Word::power);
    if (is_star) take();
    const Token& name = expect(Word::name, "no name of a type");
    if (!is_star && take_if(Word::colon)) place(type());
    place(name_of(name, flag::store));
  } while (take_if(Word::comma));
  expect(Word::right_bracket, "no end of the types");
  close(node, last_end());
}

}  // namespace gh::syntax::python
