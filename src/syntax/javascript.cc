// Statements and expressions of JavaScript.
#include "syntax/javascript.h"

#include <algorithm>
#include <string>

#include "syntax/word_constructs.h"

extern "C" const TSLanguage* tree_sitter_javascript();

namespace gh::syntax {
namespace js {

std::uint32_t without_parentheses(const Lowering& l, std::uint32_t node) {
  while (l.is(node, "parenthesized_expression")) {
    std::uint32_t inner = 0;
    l.each_named(node, [&](std::uint32_t i) { inner = inner == 0 ? i : inner; });
    if (inner == 0) break;
    node = inner;
  }
  return node;
}

namespace {

std::string_view spelling(const Lowering& l, std::uint32_t node) {
  const std::uint32_t op = l.child(node, Field::operator_);
  return op == 0 ? std::string_view() : l.cst.text(op);
}

std::uint16_t async_flag(const Lowering& l, std::uint32_t node) {
  return l.has_token(node, "await") ? flag::async : std::uint16_t{0};
}

/// The name under which an assigned value is known: `f = …`, `exports.f = …`.
std::uint32_t name_of_target(Lowering& l, std::uint32_t target) {
  if (l.is(target, "identifier")) return l.symbol(target);
  if (!l.is(target, "member_expression")) return 0;
  const std::uint32_t property = l.child(target, Field::property);
  return property == 0 ? 0 : l.symbol(property);
}

/// A value that is the module keeps the name that it has: `module.exports = class K …`.
std::uint32_t name_for_value(Lowering& l, std::uint32_t target, std::uint32_t held) {
  const bool keeps_own = l.cst.text(target) == "module.exports" && l.child(held, Field::name) != 0;
  return keeps_own ? 0 : name_of_target(l, target);
}

/// What is bound, as the `as` of a with statement.
void bound(Lowering& l, std::uint32_t target) {
  l.open(Kind::Arg, target, flag::target);
  l.lower(target, true);
  l.close();
}

/// `a = b = c` nests to the right; here it is one statement with two targets.
void assignment(Lowering& l, std::uint32_t node) {
  l.open(Kind::Assign, node);
  for (std::uint32_t at = node;;) {
    const std::uint32_t left = l.child(at, Field::left), right = l.child(at, Field::right);
    if (left != 0) l.lower(left, true);
    if (right == 0) break;
    if (!l.is(right, "assignment_expression")) {
      value(l, right, left == 0 ? 0 : name_for_value(l, left, right));
      break;
    }
    at = right;
  }
  l.close();
}

/// `x++;` adds a constant, whatever was there before.
void step(Lowering& l, std::uint32_t node) {
  const std::uint32_t argument = l.child(node, Field::argument);
  l.open(Kind::AugAssign, node, op_of(spelling(l, node).substr(0, 1)));
  if (argument != 0) l.lower(argument, true);
  l.leaf(Kind::Const, node);
  l.close();
}

}  // namespace

// ------------------------------------------------------------------------------------ statements

void as_statement(Lowering& l, std::uint32_t expression) {
  const std::uint32_t inner = without_parentheses(l, expression);
  if (l.is(inner, "assignment_expression")) {
    assignment(l, inner);
  } else if (l.is(inner, "augmented_assignment_expression")) {
    l.lower(inner);
  } else if (l.is(inner, "update_expression")) {
    step(l, inner);
  } else {
    l.open(Kind::Expr, expression);
    l.lower(expression);
    l.close();
  }
}

void expression_statement(Lowering& l, std::uint32_t node) {
  l.each_named(node, [&](std::uint32_t i) { as_statement(l, i); });
}

namespace {

/// Read as `const`; the source says what it is.
bool is_using(const Lowering& l, std::uint32_t node) {
  const std::string_view text = l.cst.text(node);
  return text.starts_with("using") || text.starts_with("await");
}

}  // namespace

void variables_of(Lowering& l, std::uint32_t node, std::uint16_t flags) {
  if (is_using(l, node)) return using_declaration(l, node);
  const bool is_constant =
      l.tree.language == Language::javascript && l.cst.text(node).starts_with("const");
  l.each_named(node, [&](std::uint32_t i) {
    if (!l.is(i, "variable_declarator")) {
      l.lower(i);
      return;
    }
    const std::uint32_t name = l.child(i, Field::name), init = l.child(i, Field::value);
    if (is_constant && init == 0) l.refuse(i);  // in TypeScript it may be of another file
    l.open(Kind::Assign, i,
           static_cast<std::uint16_t>(flags | (init == 0 ? flag::bare : std::uint16_t{0})));
    if (name != 0) l.lower(name, true);
    type(l, l.child(i, Field::type));
    if (init != 0) value(l, init, name == 0 ? 0 : name_of_target(l, name));
    l.close();
  });
}

void variables(Lowering& l, std::uint32_t node) { variables_of(l, node, 0); }

/// What it holds is let go at the end of the list it stands in: a with statement without a body.
void using_declaration(Lowering& l, std::uint32_t node) {
  l.each_named(node, [&](std::uint32_t i) {
    if (!l.is(i, "variable_declarator")) return;
    l.open(Kind::With, i, l.cst.text(node).starts_with("await") ? flag::async : std::uint16_t{0});
    l.open(Kind::Arg, i);
    if (const std::uint32_t init = l.child(i, Field::value)) l.lower(init);
    if (const std::uint32_t name = l.child(i, Field::name)) bound(l, name);
    l.close();
    type(l, l.child(i, Field::type));
    l.close();
  });
}

void if_statement(Lowering& l, std::uint32_t node) {
  std::size_t chained = 0;
  std::uint16_t flags = 0;
  for (std::uint32_t at = node;;) {
    l.open(Kind::If, at, flags);
    if (const std::uint32_t test = l.child(at, Field::condition)) l.lower(test);
    if (const std::uint32_t then = l.child(at, Field::consequence)) l.block(then, Arm::then);
    const std::uint32_t other = l.child(at, Field::alternative);
    if (other == 0) break;
    const Nodes inner = named(l, other);
    if (inner.size() != 1 || !l.is(inner[0], "if_statement")) {
      l.open(Kind::Block, other, static_cast<std::uint16_t>(Arm::otherwise));
      for (const std::uint32_t i : inner)
        l.lower(i);
      l.close();
      break;
    }
    l.open(Kind::Block, other, static_cast<std::uint16_t>(Arm::otherwise));
    ++chained;
    flags = flag::elif;
    at = inner[0];
  }
  for (; chained > 0; --chained) {
    l.close();  // the If
    l.close();  // the Block around it
  }
  l.close();
}

void for_statement(Lowering& l, std::uint32_t node) {
  const auto list = [&](std::uint32_t part) {  // `i = 0, j = 1`
    if (!l.is(part, "sequence_expression")) return as_statement(l, part);
    l.each_named(part, [&](std::uint32_t i) { as_statement(l, i); });
  };
  l.open(Kind::For, node);
  if (const std::uint32_t start = l.child(node, Field::initializer)) {
    const bool declares = l.is(start, "lexical_declaration") || l.is(start, "variable_declaration");
    if (declares)
      l.lower(start);
    else if (!l.is(start, "empty_statement"))
      list(start);
  }
  const std::uint32_t test = l.child(node, Field::condition);
  if (test != 0 && !l.is(test, "empty_statement")) {
    l.open(Kind::Arg, test, flag::condition);
    l.lower(test);
    l.close();
  }
  if (const std::uint32_t update = l.child(node, Field::increment)) list(update);
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::body);
  l.close();
}

void for_in_statement(Lowering& l, std::uint32_t node) {
  const std::uint16_t over = l.has_token(node, "in") ? flag::keys : std::uint16_t{0};
  l.open(Kind::For, node, static_cast<std::uint16_t>(over | async_flag(l, node)));
  if (const std::uint32_t left = l.child(node, Field::left)) l.lower(left, true);
  if (const std::uint32_t right = l.child(node, Field::right)) l.lower(right);
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::body);
  l.close();
}

void do_statement(Lowering& l, std::uint32_t node) {
  l.open(Kind::DoWhile, node);
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::body);
  if (const std::uint32_t test = l.child(node, Field::condition)) l.lower(test);
  l.close();
}

void with_statement(Lowering& l, std::uint32_t node) {
  l.open(Kind::With, node);
  if (const std::uint32_t what = l.child(node, Field::object)) {
    l.open(Kind::Arg, what);
    l.lower(what);
    l.close();
  }
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::body);
  l.close();
}

void switch_case(Lowering& l, std::uint32_t node) {
  const std::uint32_t label = l.child(node, Field::value);
  l.open(Kind::Case, node, label == 0 ? flag::fallback : std::uint16_t{0});
  if (label != 0) l.lower(label);
  l.open(Kind::Block, node, static_cast<std::uint16_t>(Arm::body));
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) != Field::value) l.lower(i);
  });
  l.close();
  l.close();
}

void try_statement(Lowering& l, std::uint32_t node) {
  const bool is_guarded = std::ranges::any_of(named(l, node), [&](std::uint32_t i) {
    return l.is(i, "catch_clause") || l.is(i, "finally_clause");
  });
  if (!is_guarded) l.refuse(node);
  l.open(Kind::Try, node);
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) == Field::body)
      l.block(i, Arm::body);
    else if (l.is(i, "finally_clause"))
      l.block(l.child(i, Field::body) != 0 ? l.child(i, Field::body) : i, Arm::finally);
    else
      l.lower(i);
  });
  l.close();
}

void catch_clause(Lowering& l, std::uint32_t node) {
  l.open(Kind::Handler, node);
  if (const std::uint32_t name = l.child(node, Field::parameter)) bound(l, name);
  type(l, l.child(node, Field::type));
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::body);
  l.close();
}

/// `break` and `continue`, with the label they name.
void jump(Lowering& l, std::uint32_t node) {
  const std::uint32_t label = l.child(node, Field::label);
  l.leaf(l.is(node, "break_statement") ? Kind::Break : Kind::Continue, node, 0,
         label == 0 ? 0 : l.symbol(label));
}

/// The label stands before its statement, which stays where metrics look for it.
void labeled_statement(Lowering& l, std::uint32_t node) {
  if (const std::uint32_t label = l.child(node, Field::label))
    l.leaf(Kind::Label, label, 0, l.symbol(label));
  if (const std::uint32_t body = l.child(node, Field::body)) l.lower(body);
}

// ----------------------------------------------------------------------------------- expressions

namespace {

bool is_boolean(std::string_view op) { return op == "&&" || op == "||"; }

// table: javascript comparisons
constexpr std::array<std::string_view, 10> kComparisons{
    "<", "<=", ">", ">=", "==", "!=", "===", "!==", "in", "instanceof"};

bool is_comparison(std::string_view op) {
  for (const std::string_view known : kComparisons)
    if (op == known) return true;
  return false;
}

/// `a && b! && c` holds `(a && b)!`, by the grammar of TypeScript.
std::uint32_t without_assertion(const Lowering& l, std::uint32_t node) {
  while (l.is(node, "non_null_expression") && l.cst.is_named(node + 1))
    ++node;
  return node;
}

}  // namespace

void binary_expression(Lowering& l, std::uint32_t node) {
  const std::string_view op = spelling(l, node);
  if (is_boolean(op)) return parts::boolean_chain(l, node, op, without_assertion);
  l.open(is_comparison(op) ? Kind::Compare : Kind::BinOp, node, op_of(op));
  if (const std::uint32_t left = l.child(node, Field::left)) l.lower(left);
  if (const std::uint32_t right = l.child(node, Field::right)) l.lower(right);
  l.close();
}

namespace {

/// `a.b`, `a[b]`, `a(b)`; with `?.` it is another expression.
void reached(Lowering& l, std::uint32_t node, Kind kind, std::uint16_t flags) {
  const std::uint32_t property = l.child(node, Field::property);
  const Nodes parts = named(l, node);
  bool is_guarded = l.has_token(node, "?.");
  for (const std::uint32_t i : parts)
    is_guarded = is_guarded || l.is(i, "optional_chain");
  l.open(kind, node, static_cast<std::uint16_t>(flags | (is_guarded ? flag::guarded : 0)),
         property == 0 ? 0 : l.symbol(property));
  for (const std::uint32_t i : parts)
    if (i != property) l.lower(i);
  l.close();
}

std::uint16_t store_flag(const Lowering& l) {
  return l.as_target() ? flag::store : std::uint16_t{0};
}

}  // namespace

void member_expression(Lowering& l, std::uint32_t node) {
  reached(l, node, Kind::Attribute, store_flag(l));
}
void subscript_expression(Lowering& l, std::uint32_t node) {
  reached(l, node, Kind::Subscript, store_flag(l));
}
void call_expression(Lowering& l, std::uint32_t node) { reached(l, node, Kind::Call, 0); }

/// Inside an expression; as a statement it is an Assign.
void assignment_expression(Lowering& l, std::uint32_t node) {
  const std::uint32_t left = l.child(node, Field::left), right = l.child(node, Field::right);
  l.open(Kind::NamedExpr, node);
  if (left != 0) l.lower(left, true);
  if (right != 0) value(l, right, left == 0 ? 0 : name_for_value(l, left, right));
  l.close();
}

void augmented_assignment(Lowering& l, std::uint32_t node) {
  std::string_view op = spelling(l, node);
  if (op.ends_with('=')) op.remove_suffix(1);
  l.open(Kind::AugAssign, node, op_of(op));
  if (const std::uint32_t left = l.child(node, Field::left)) l.lower(left, true);
  if (const std::uint32_t right = l.child(node, Field::right)) l.lower(right);
  l.close();
}

void update_expression(Lowering& l, std::uint32_t node) {
  const std::uint32_t argument = l.child(node, Field::argument);
  const bool postfix = l.field(node + 1) == Field::argument;
  l.open(Kind::UnaryOp, node, op_of(spelling(l, node)),
         postfix ? l.tree.symbols.id_of("postfix") : 0);
  if (argument != 0) l.lower(argument, true);
  l.close();
}

/// `left = right` of a pattern: what is bound when nothing else is there.
void pattern_with_default(Lowering& l, std::uint32_t node) {
  l.open(Kind::NamedExpr, node);
  if (const std::uint32_t left = l.child(node, Field::left)) l.lower(left, true);
  if (const std::uint32_t right = l.child(node, Field::right)) l.lower(right);
  l.close();
}

void template_string(Lowering& l, std::uint32_t node) {
  const Nodes parts = named(l, node);
  bool formatted = false, after_text = false;
  for (const std::uint32_t i : parts)
    formatted = formatted || l.is(i, "template_substitution");
  if (!formatted) return l.leaf(Kind::Str, node);
  l.open(Kind::Interp, node);
  for (const std::uint32_t i : parts) {
    const bool is_text = !l.is(i, "template_substitution");
    if (is_text && !after_text) l.leaf(Kind::Str, i);
    if (!is_text) l.lower(i);
    after_text = is_text;
  }
  l.close();
}

namespace {

void key(Lowering& l, std::uint32_t node) {
  l.is(node, "computed_property_name") ? l.lower(node) : l.leaf(Kind::Str, node);
}

}  // namespace

/// Keys and values in turn, for literals and for patterns; `{a}` is `{a: a}`.
void object(Lowering& l, std::uint32_t node) {
  const bool as_target = l.is(node, "object_pattern") || l.as_target();
  l.open(Kind::Dict, node);
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "pair") || l.is(i, "pair_pattern")) {
      const std::uint32_t name = l.child(i, Field::key), held = l.child(i, Field::value);
      if (name != 0) key(l, name);
      if (held != 0 && as_target)
        l.lower(held, true);
      else if (held != 0)
        value(l, held, name == 0 || l.is(name, "computed_property_name") ? 0 : unquoted(l, name));
    } else {
      const bool is_short = l.is(i, "shorthand_property_identifier") ||
                            l.is(i, "shorthand_property_identifier_pattern");
      if (is_short) l.leaf(Kind::Str, i);
      l.lower(i, as_target);
    }
  });
  l.close();
}

void yield_expression(Lowering& l, std::uint32_t node) {
  l.open(l.has_token(node, "*") ? Kind::YieldFrom : Kind::Yield, node);
  l.inside(node);
  l.close();
}

// ------------------------------------------------------------------------------------------- jsx

namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

/// A call of its tag: attributes are keyword arguments, what it holds are arguments.
void jsx_element(Lowering& l, std::uint32_t node) {
  const std::uint32_t tag = l.is(node, "jsx_element") ? l.child(node, Field::open_tag) : node;
  const std::uint32_t name = tag == 0 ? 0 : l.child(tag, Field::name);
  l.open(Kind::Call, node);
  name != 0 ? l.lower(name) : l.leaf(Kind::Name, node);
  if (tag != 0)
    l.each_named(tag, [&](std::uint32_t i) {
      if (i != name) l.lower(i);
    });
  bool after_text = false;
  if (tag != node)
    l.each_named(node, [&](std::uint32_t i) {
      const bool is_text = l.is(i, "jsx_text") || l.is(i, "html_character_reference");
      if (is_text && !after_text && !is_blank(l.cst.text(i))) {
        l.leaf(Kind::Str, i);
        after_text = true;
      }
      if (is_text || i == tag) return;
      after_text = false;
      l.lower(i);
    });
  l.close();
}

void jsx_attribute(Lowering& l, std::uint32_t node) {
  const Nodes parts = named(l, node);
  if (parts.empty()) return;
  l.open(Kind::KwArg, node, 0, l.symbol(parts[0]));
  for (std::size_t i = 1; i < parts.size(); ++i)
    l.lower(parts[i]);
  l.close();
}

}  // namespace js

extern const LanguageSpec kJavascript{
    Language::javascript,
    tree_sitter_javascript,
    js::kRows,
    false,
    with_const_for_using,
    [](std::string_view source) { return unread_words(Language::javascript, source); }};

}  // namespace gh::syntax
