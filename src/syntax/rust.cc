// Rust by tree-sitter: its rows, and what needs more than a row. Nearly everything is an expression
// there; what stands in a list is brought into the shape of a statement.
#include "syntax/rust.h"

#include <algorithm>
#include <array>
#include <string>

#include "syntax/word_constructs.h"

extern "C" const TSLanguage* tree_sitter_rust();

namespace gh::syntax {
namespace {

using parts::assign_statement;
using parts::binary;
using parts::block_or_empty;
using parts::first_named;
using parts::lower_field;
using parts::Nodes;
using parts::type_of;
using rust::attribute;
using rust::extern_crate;
using rust::outer_flags;
using rust::path_before;
using rust::use_declaration;

constexpr auto kPositional = static_cast<std::uint16_t>(ParamKind::pos_only);

template <std::size_t N>
bool is_one_of(const Lowering& l, std::uint32_t node,
               const std::array<std::string_view, N>& types) {
  return std::ranges::find(types, l.cst.type(node)) != types.end();
}

std::uint32_t last_word(const Lowering& l, std::uint32_t name) {
  for (std::uint32_t at = name;;) {
    std::uint32_t next = l.child(at, Field::name);
    if (next == 0) next = l.child(at, Field::type);
    if (next == 0 && l.is(at, "bounded_type")) next = first_named(l, at);
    if (next == 0) return at;
    at = next;
  }
}

std::uint32_t label_symbol(Lowering& l, std::uint32_t node) {
  std::uint32_t out = 0;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "label")) out = l.symbol(i);
  });
  return out;
}

// ------------------------------------------------------------------------------------ statements

// table: rust expressions that are statements by themselves
constexpr std::array<std::string_view, 9> kStatements{
    "if_expression",    "match_expression",    "while_expression",
    "loop_expression",  "for_expression",      "return_expression",
    "break_expression", "continue_expression", "compound_assignment_expr"};

// table: rust declarations
constexpr std::array<std::string_view, 21> kDeclarations{"associated_type",
                                                         "attribute_item",
                                                         "const_item",
                                                         "empty_statement",
                                                         "enum_item",
                                                         "extern_crate_declaration",
                                                         "foreign_mod_item",
                                                         "function_item",
                                                         "function_signature_item",
                                                         "impl_item",
                                                         "inner_attribute_item",
                                                         "let_declaration",
                                                         "macro_definition",
                                                         "mod_item",
                                                         "static_item",
                                                         "struct_item",
                                                         "trait_item",
                                                         "type_item",
                                                         "union_item",
                                                         "use_declaration",
                                                         "label"};

void assignment_statement(Lowering& l, std::uint32_t node) {
  assign_statement(l, node, l.child(node, Field::left), "=", l.child(node, Field::right));
}

// A block is never written to: lowered as a target it gives its statements, without braces.
constexpr bool kInPlace = true;

/// As a statement the block leaves its statements alone behind.
void note_unchecked(Lowering& l, std::uint32_t at) {
  if (l.is(at, "unsafe_block"))
    l.tree.unchecked.push_back({l.cst.nodes[at].start, l.cst.nodes[at].end});
}

void as_statement(Lowering& l, std::uint32_t at, std::uint32_t span, bool is_tail) {
  if (is_one_of(l, at, kStatements) || is_one_of(l, at, kDeclarations)) {
    l.lower(at);
  } else if (l.is(at, "assignment_expression")) {
    assignment_statement(l, at);
  } else if (l.is(at, "block")) {
    l.lower(at, kInPlace);
  } else if (l.is(at, "unsafe_block") && first_named(l, at) != 0) {
    note_unchecked(l, at);
    l.lower(first_named(l, at), kInPlace);
  } else {
    l.open(Kind::Expr, span, is_tail ? flag::tail : std::uint16_t{0});
    l.lower(at);
    l.close();
  }
}

void statements(Lowering& l, std::uint32_t block) {
  l.each_named(block, [&](std::uint32_t i) {
    l.is(i, "expression_statement") ? l.lower(i) : as_statement(l, i, i, true);
  });
}

void list(Lowering& l, std::uint32_t block, Arm arm) {
  l.open(Kind::Block, block, static_cast<std::uint16_t>(arm));
  if (l.is(block, "block"))
    statements(l, block);
  else
    as_statement(l, block, block, true);
  l.close();
}

void expression_statement(Lowering& l, std::uint32_t node) {
  if (const std::uint32_t at = first_named(l, node)) as_statement(l, at, node, false);
}

void if_expression(Lowering& l, std::uint32_t node) {
  std::size_t arms = 0;
  for (std::uint32_t at = node;;) {
    l.open(Kind::If, at, at == node ? std::uint16_t{0} : flag::elif);
    lower_field(l, at, Field::condition);
    if (const std::uint32_t then = l.child(at, Field::consequence)) list(l, then, Arm::then);
    const std::uint32_t clause = l.child(at, Field::alternative);
    const std::uint32_t other = clause == 0 ? 0 : first_named(l, clause);
    if (other == 0) break;
    if (!l.is(other, "if_expression")) {
      list(l, other, Arm::otherwise);
      break;
    }
    l.open(Kind::Block, clause, static_cast<std::uint16_t>(Arm::otherwise));
    ++arms;
    at = other;
  }
  for (; arms > 0; --arms) {
    l.close();
    l.close();
  }
  l.close();
}

void while_expression(Lowering& l, std::uint32_t node) {
  l.open(Kind::While, node, 0, label_symbol(l, node));
  if (l.is(node, "loop_expression")) l.leaf(Kind::Const, node + 1);  // always
  lower_field(l, node, Field::condition);
  if (const std::uint32_t body = l.child(node, Field::body)) list(l, body, Arm::body);
  l.close();
}

void for_expression(Lowering& l, std::uint32_t node) {
  l.open(Kind::For, node, 0, label_symbol(l, node));
  lower_field(l, node, Field::pattern, true);
  lower_field(l, node, Field::value);
  if (const std::uint32_t body = l.child(node, Field::body)) list(l, body, Arm::body);
  l.close();
}

void match_expression(Lowering& l, std::uint32_t node) {
  l.open(Kind::Match, node);
  lower_field(l, node, Field::value);
  if (const std::uint32_t body = l.child(node, Field::body)) l.inside(body);
  l.close();
}

void match_arm(Lowering& l, std::uint32_t node) {
  l.open(Kind::Case, node);
  const std::uint32_t pattern = l.child(node, Field::pattern);
  if (pattern != 0)
    l.each_named(pattern, [&](std::uint32_t i) {
      const bool is_guard = l.field(i) == Field::condition;
      if (is_guard) l.open(Kind::Arg, i, flag::condition);
      l.lower(i, !is_guard);
      if (is_guard) l.close();
    });
  if (const std::uint32_t value = l.child(node, Field::value)) list(l, value, Arm::body);
  l.close();
}

void let_condition(Lowering& l, std::uint32_t node) {
  l.open(Kind::NamedExpr, node);
  lower_field(l, node, Field::pattern, true);
  lower_field(l, node, Field::value);
  l.close();
}

void let_chain(Lowering& l, std::uint32_t node) {
  l.open(Kind::BoolOp, node, op_of("&&"));
  l.inside(node);
  l.close();
}

/// With `else` it is a branch that is left when the pattern does not fit.
void let_declaration(Lowering& l, std::uint32_t node) {
  const std::uint32_t other = l.child(node, Field::alternative);
  const std::uint32_t value = l.child(node, Field::value);
  if (other != 0) {
    l.open(Kind::If, node);
    let_condition(l, node);
    l.leaf(Kind::Block, node, static_cast<std::uint16_t>(Arm::then));
    list(l, other, Arm::otherwise);
    l.close();
    return;
  }
  l.open(Kind::Assign, node, value == 0 ? flag::bare : std::uint16_t{0});
  lower_field(l, node, Field::pattern, true);
  type_of(l, l.child(node, Field::type));
  if (value != 0) l.lower(value);
  l.close();
}

void jump(Lowering& l, std::uint32_t node) {
  l.open(l.is(node, "break_expression") ? Kind::Break : Kind::Continue, node, 0,
         label_symbol(l, node));
  l.inside(node);
  l.close();
}

// ---------------------------------------------------------------------------------- declarations

void parameter(Lowering& l, std::uint32_t node) {
  const std::uint32_t pattern = l.child(node, Field::pattern);
  const bool is_self = l.is(node, "self_parameter") || (pattern != 0 && l.is(pattern, "self"));
  if (is_self) {
    l.leaf(Kind::Param, node, static_cast<std::uint16_t>(flag::receiver | kPositional),
           l.tree.symbols.id_of("self"));
    return;
  }
  if (l.is(node, "attribute_item")) return;
  const std::uint32_t whole = l.is(node, "parameter") ? pattern : node;
  const bool is_word = whole != 0 && l.is(whole, "identifier");
  l.open(Kind::Param, node, kPositional, is_word ? l.symbol(whole) : 0);
  if (!is_word && whole != 0) l.lower(whole, true);
  type_of(l, l.is(node, "parameter") ? l.child(node, Field::type) : 0);
  l.close();
}

/// `: A + B` and `where …`: what is asked of types.
void bounds(Lowering& l, std::uint32_t node) {
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "trait_bounds") || l.is(i, "where_clause")) l.lower(i);
  });
}

void signature(Lowering& l, std::uint32_t node) {
  type_of(l, l.child(node, Field::type_parameters));
  if (const std::uint32_t all = l.child(node, Field::parameters))
    l.each_named(all, [&](std::uint32_t i) { parameter(l, i); });
  type_of(l, l.child(node, Field::return_type), flag::returns);
  bounds(l, node);
}

void function(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name);
  l.open(Kind::Function, node, outer_flags(l, node), name == 0 ? 0 : l.symbol(name));
  signature(l, node);
  if (const std::uint32_t body = l.child(node, Field::body)) list(l, body, Arm::body);
  l.close();
}

void closure(Lowering& l, std::uint32_t node) {
  l.open(Kind::Lambda, node);
  signature(l, node);
  if (const std::uint32_t body = l.child(node, Field::body))
    l.is(body, "block") ? list(l, body, Arm::body) : l.lower(body);
  l.close();
}

void named_class(Lowering& l, std::uint32_t node, std::uint32_t name, std::uint16_t flags) {
  l.open(Kind::Class, node, flags, name == 0 ? 0 : l.symbol(last_word(l, name)));
  type_of(l, l.child(node, Field::type_parameters));
  type_of(l, l.child(node, Field::trait));
  bounds(l, node);
  const std::uint32_t body = l.child(node, Field::body);
  block_or_empty(l, body, node, Arm::body);
  l.close();
}

void struct_item(Lowering& l, std::uint32_t node) {
  named_class(l, node, l.child(node, Field::name), outer_flags(l, node));
}
void trait_item(Lowering& l, std::uint32_t node) {
  named_class(l, node, l.child(node, Field::name),
              static_cast<std::uint16_t>(flag::protocol | outer_flags(l, node)));
}
/// What a trait asks for is no part of what the type is by itself.
void impl_item(Lowering& l, std::uint32_t node) {
  const std::uint32_t trait = l.child(node, Field::trait);
  named_class(
      l, node, l.child(node, Field::type),
      trait == 0 ? flag::extension : static_cast<std::uint16_t>(flag::extension | flag::protocol));
}

void mod_item(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name);
  if (name == 0) return;
  if (l.child(node, Field::body) != 0) {
    named_class(l, node, name, static_cast<std::uint16_t>(flag::name_space | outer_flags(l, node)));
    return;
  }
  const auto flags =
      static_cast<std::uint16_t>(flag::submodule | (outer_flags(l, node) & flag::for_tests));
  l.open(Kind::Import, node, flags, l.tree.symbols.id_of(path_before(l, node)));
  l.leaf(Kind::Name, name, 0, l.symbol(name));
  l.close();
}

void field_declaration(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name);
  if (name == 0) return;
  l.open(Kind::Assign, node, flag::bare);
  l.leaf(Kind::Name, name, flag::store, l.symbol(name));
  type_of(l, l.child(node, Field::type));
  l.close();
}

void enum_variant(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name), value = l.child(node, Field::value);
  if (name == 0) return;
  l.open(Kind::Assign, node, value == 0 ? flag::bare : std::uint16_t{0});
  l.leaf(Kind::Name, name, flag::store, l.symbol(name));
  if (const std::uint32_t body = l.child(node, Field::body)) {
    l.open(Kind::Type, body);
    l.each_named(body, [&](std::uint32_t i) {
      if (l.is(i, "field_declaration"))
        lower_field(l, i, Field::type);
      else
        l.lower(i);
    });
    l.close();
  }
  if (value != 0) l.lower(value);
  l.close();
}

void constant(Lowering& l, std::uint32_t node) {
  const std::uint32_t value = l.child(node, Field::value);
  const auto flags = static_cast<std::uint16_t>(outer_flags(l, node) |
                                                (value == 0 ? flag::bare : std::uint16_t{0}));
  l.open(Kind::Assign, node, flags);
  lower_field(l, node, Field::name, true);
  type_of(l, l.child(node, Field::type));
  if (value != 0) l.lower(value);
  l.close();
}

void type_item(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name);
  l.open(Kind::TypeAlias, node, 0, name == 0 ? 0 : l.symbol(name));
  bounds(l, node);
  type_of(l, l.child(node, Field::type));
  l.close();
}

// ----------------------------------------------------------------------------------- expressions

/// A block that is a value, or one whose statements stand in the list around it.
void block(Lowering& l, std::uint32_t node) {
  l.as_target() ? statements(l, node) : list(l, node, Arm::body);
}

/// async, const, try, unsafe before a block that is a value.
void worded_block(Lowering& l, std::uint32_t node) {
  note_unchecked(l, node);
  l.open(Kind::UnaryOp, node, 0, l.symbol(node + 1));
  l.each_named(node, [&](std::uint32_t i) { list(l, i, Arm::body); });
  l.close();
}

void assignment(Lowering& l, std::uint32_t node) {
  l.open(Kind::NamedExpr, node);
  lower_field(l, node, Field::left, true);
  lower_field(l, node, Field::right);
  l.close();
}

void compound_assignment(Lowering& l, std::uint32_t node) {
  const std::uint32_t op = l.child(node, Field::operator_);
  assign_statement(l, node, l.child(node, Field::left), op == 0 ? "=" : l.cst.text(op),
                   l.child(node, Field::right));
}

/// `a::b::c` reaches c in b in a.
void scoped(Lowering& l, std::uint32_t node) {
  Nodes words;
  std::uint32_t at = node;
  while (l.is(at, "scoped_identifier") || l.is(at, "scoped_type_identifier")) {
    if (const std::uint32_t name = l.child(at, Field::name)) words.push_back(name);
    const std::uint32_t path = l.child(at, Field::path);
    if (path == 0) break;
    at = path;
  }
  const bool has_root = !l.is(at, "scoped_identifier") && !l.is(at, "scoped_type_identifier");
  const std::size_t attributes = has_root ? words.size() : words.size() - 1;
  if (words.empty()) return;
  for (std::size_t i = 0; i < attributes; ++i)
    l.open(Kind::Attribute, node, 0, l.symbol(words[i]));
  if (has_root)
    l.lower(at);
  else
    l.leaf(Kind::Name, words.back(), 0, l.symbol(words.back()));
  for (std::size_t i = 0; i < attributes; ++i)
    l.close();
}

void generic(Lowering& l, std::uint32_t node) {
  const std::uint32_t arguments = l.child(node, Field::type_arguments);
  l.each_named(node, [&](std::uint32_t i) {
    if (i != arguments) l.lower(i, l.as_target());
  });
  type_of(l, arguments);
}

/// `<T as Q>` is one word for what is found in it, and names both.
void bracketed(Lowering& l, std::uint32_t node) {
  l.leaf(Kind::Name, node, 0, l.symbol(node));
  l.open(Kind::Type, node);
  l.inside(node);
  l.close();
}

void unary(Lowering& l, std::uint32_t node) {
  l.open(Kind::UnaryOp, node, op_of(l.cst.text(node + 1)));
  l.inside(node);
  l.close();
}

void reference(Lowering& l, std::uint32_t node) {
  l.open(Kind::UnaryOp, node, op_of("&"));
  lower_field(l, node, Field::value);
  l.close();
}

void cast(Lowering& l, std::uint32_t node) {
  l.open(Kind::Cast, node);
  lower_field(l, node, Field::value);
  type_of(l, l.child(node, Field::type));
  l.close();
}

void question(Lowering& l, std::uint32_t node) {
  l.open(Kind::UnaryOp, node, 0, l.tree.symbols.id_of("?"));
  l.inside(node);
  l.close();
}

/// Which ends are given, and whether the last one belongs to it.
void range(Lowering& l, std::uint32_t node) {
  std::uint16_t place = 1, filled = 0;
  for (std::uint32_t i = node + 1; i < l.cst.nodes[node].next; i = l.cst.nodes[i].next) {
    if (l.cst.nodes[i].row == kTokenRow) {
      place = 2;
      if (l.cst.text(i) == "..=") filled = static_cast<std::uint16_t>(filled | 4);
    } else if (l.cst.is_named(i)) {
      filled = static_cast<std::uint16_t>(filled | place);
    }
  }
  l.open(Kind::Slice, node, filled);
  l.inside(node);
  l.close();
}

void field_initializer(Lowering& l, std::uint32_t node) {
  const std::uint32_t field = l.child(node, Field::field);
  const std::uint32_t value = field == 0 ? first_named(l, node) : l.child(node, Field::value);
  const std::uint32_t name = field == 0 ? value : field;
  l.open(Kind::KwArg, node, 0, name == 0 ? 0 : l.symbol(name));
  if (value != 0) l.lower(value);
  l.close();
}

void struct_expression(Lowering& l, std::uint32_t node) {
  if (l.cst.text(node + 1) == "else") l.refuse(node);  // of no `if`
  l.open(Kind::New, node);
  lower_field(l, node, Field::name);
  if (const std::uint32_t body = l.child(node, Field::body)) l.inside(body);
  l.close();
}

/// Blanks apart, a token tree is its own shape: names and literals stand for themselves, what is
/// called keeps its name.
std::string shape_of(const Lowering& l, std::uint32_t tree) {
  std::string out;
  for (std::uint32_t i = tree + 1; i < l.cst.nodes[tree].next;) {
    const std::uint32_t after = l.cst.nodes[i].next;
    const bool is_group = l.is(i, "token_tree") || l.is(i, "token_repetition");
    if (l.is(i, "identifier")) {
      const bool is_called = after < l.cst.nodes[tree].next && l.is(after, "token_tree") &&
                             l.cst.text(after).starts_with('(');
      out += is_called ? std::string(l.cst.text(i)) : "n";
    } else if (!is_group && l.cst.nodes[i].row != kCommentRow) {
      out += l.cst.nodes[i].row == kTokenRow ? l.cst.text(i) : "l";
    }
    out += ' ';
    i = is_group ? i + 1 : after;
  }
  return out;
}

void macro_call(Lowering& l, std::uint32_t node) {
  l.open(Kind::Call, node);
  lower_field(l, node, Field::macro);
  l.each_named(node, [&](std::uint32_t tree) {
    if (!l.is(tree, "token_tree")) return;
    l.open(Kind::Opaque, tree, 0, l.tree.symbols.id_of_copy(shape_of(l, tree)));
    const std::uint32_t end = l.cst.nodes[tree].next;
    for (std::uint32_t i = tree + 1; i < end; ++i) {
      const bool is_self = l.is(i, "self");
      const bool is_member =
          is_self && i + 2 < end && l.cst.text(i + 1) == "." && l.is(i + 2, "identifier");
      if (is_member) l.open(Kind::Attribute, i, 0, l.symbol(i + 2));
      if (is_self || l.is(i, "identifier")) l.leaf(Kind::Name, i, 0, l.symbol(i));
      if (!is_member) continue;
      l.close();
      i += 2;
    }
    l.close();
  });
  l.close();
}

// -------------------------------------------------------------------------------------- patterns

/// `Some(x)`: what it is made of keeps its name, what it binds does not.
void tuple_struct_pattern(Lowering& l, std::uint32_t node) {
  l.open(Kind::Call, node);
  l.each_named(node, [&](std::uint32_t i) { l.lower(i, l.field(i) != Field::type); });
  l.close();
}

void field_pattern(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name), inner = l.child(node, Field::pattern);
  l.open(Kind::KwArg, node, 0, name == 0 ? 0 : l.symbol(name));
  if (inner != 0)
    l.lower(inner, true);
  else if (name != 0)
    l.leaf(Kind::Name, name, flag::store, l.symbol(name));
  l.close();
}

void pattern_parts(Lowering& l, std::uint32_t node) { l.inside(node, true); }

void or_pattern(Lowering& l, std::uint32_t node) {
  l.open(Kind::BinOp, node, op_of("|"));
  l.inside(node, true);
  l.close();
}

void captured(Lowering& l, std::uint32_t node) {
  l.open(Kind::Tuple, node, flag::store);
  l.inside(node, true);
  l.close();
}

// clang-format off
// table: rust nodes
constexpr std::array kRows = std::to_array<Row>({
    {"source_file",              Shape::node,    Kind::Module},
    {"shebang",                  Shape::skip},
    {"attribute_item",           Shape::special, Kind::Type, 0, {}, attribute},
    {"inner_attribute_item",     Shape::skip},
    {"attribute",                Shape::skip},
    {"visibility_modifier",      Shape::skip},
    {"inner_doc_comment_marker", Shape::skip},
    {"outer_doc_comment_marker", Shape::skip},
    {"declaration_list",         Shape::inside},
    {"use_declaration",          Shape::special, Kind::ImportFrom, 0, {}, use_declaration},
    {"use_list",                 Shape::skip},
    {"use_as_clause",            Shape::skip},
    {"use_wildcard",             Shape::skip},
    {"scoped_use_list",          Shape::skip},
    {"extern_crate_declaration", Shape::special, Kind::ImportFrom, 0, {}, extern_crate},
    {"mod_item",                 Shape::special, Kind::Class, 0, {}, mod_item},
    {"foreign_mod_item",         Shape::inside},
    {"extern_modifier",          Shape::skip},
    {"function_modifiers",       Shape::skip},
    {"function_item",            Shape::special, Kind::Function, 0, {}, function},
    {"function_signature_item",  Shape::special, Kind::Function, 0, {}, function},
    {"struct_item",              Shape::special, Kind::Class, 0, {}, struct_item},
    {"union_item",               Shape::special, Kind::Class, 0, {}, struct_item},
    {"enum_item",                Shape::special, Kind::Class, 0, {}, struct_item},
    {"trait_item",               Shape::special, Kind::Class, 0, {}, trait_item},
    {"impl_item",                Shape::special, Kind::Class, 0, {}, impl_item},
    {"field_declaration_list",   Shape::inside},
    {"ordered_field_declaration_list", Shape::node, Kind::Type},
    {"field_declaration",        Shape::special, Kind::Assign, 0, {}, field_declaration},
    {"enum_variant_list",        Shape::inside},
    {"enum_variant",             Shape::special, Kind::Assign, 0, {}, enum_variant},
    {"const_item",               Shape::special, Kind::Assign, 0, {}, constant},
    {"static_item",              Shape::special, Kind::Assign, 0, {}, constant},
    {"type_item",                Shape::special, Kind::TypeAlias, 0, {}, type_item},
    {"associated_type",          Shape::special, Kind::TypeAlias, 0, {}, type_item},
    {"macro_definition",         Shape::leaf,    Kind::Opaque},
    {"macro_rule",               Shape::skip},
    {"macro_invocation",         Shape::special, Kind::Call, 0, {}, macro_call},
    {"token_tree",               Shape::skip},
    {"token_tree_pattern",       Shape::skip},
    {"token_repetition",         Shape::skip},
    {"token_repetition_pattern", Shape::skip},
    {"token_binding_pattern",    Shape::skip},
    {"fragment_specifier",       Shape::skip},
    {"metavariable",             Shape::name,    Kind::Name},
    // statements
    {"empty_statement",          Shape::skip},
    {"expression_statement",     Shape::special, Kind::Expr, 0, {}, expression_statement},
    {"let_declaration",          Shape::special, Kind::Assign, 0, {}, let_declaration},
    {"if_expression",            Shape::special, Kind::If, 0, {}, if_expression},
    {"else_clause",              Shape::inside},
    {"let_condition",            Shape::special, Kind::NamedExpr, 0, {}, let_condition},
    {"let_chain",                Shape::special, Kind::BoolOp, 0, {}, let_chain},
    {"while_expression",         Shape::special, Kind::While, 0, {}, while_expression},
    {"loop_expression",          Shape::special, Kind::While, 0, {}, while_expression},
    {"for_expression",           Shape::special, Kind::For, 0, {}, for_expression},
    {"match_expression",         Shape::special, Kind::Match, 0, {}, match_expression},
    {"match_block",              Shape::inside},
    {"match_arm",                Shape::special, Kind::Case, 0, {}, match_arm},
    {"match_pattern",            Shape::inside},
    {"return_expression",        Shape::node,    Kind::Return},
    {"break_expression",         Shape::special, Kind::Break, 0, {}, jump},
    {"continue_expression",      Shape::special, Kind::Continue, 0, {}, jump},
    {"label",                    Shape::skip},
    {"yield_expression",         Shape::node,    Kind::Yield},
    // expressions
    {"block",                    Shape::special, Kind::Block, 0, {}, block},
    {"unsafe_block",             Shape::special, Kind::UnaryOp, 0, {}, worded_block},
    {"async_block",              Shape::special, Kind::UnaryOp, 0, {}, worded_block},
    {"const_block",              Shape::special, Kind::UnaryOp, 0, {}, worded_block},
    {"gen_block",                Shape::special, Kind::UnaryOp, 0, {}, worded_block},
    {"try_block",                Shape::special, Kind::UnaryOp, 0, {}, worded_block},
    {"identifier",               Shape::name,    Kind::Name},
    {"self",                     Shape::name,    Kind::Name},
    {"super",                    Shape::name,    Kind::Name},
    {"crate",                    Shape::name,    Kind::Name},
    {"field_identifier",         Shape::name,    Kind::Name},
    {"shorthand_field_identifier", Shape::name,  Kind::Name},
    {"scoped_identifier",        Shape::special, Kind::Attribute, 0, {}, scoped},
    {"generic_function",         Shape::special, Kind::Name, 0, {}, generic},
    {"parenthesized_expression", Shape::inside},
    {"field_expression",         Shape::node,    Kind::Attribute, 0, {{{Field::field, Role::symbol}}}},
    {"index_expression",         Shape::node,    Kind::Subscript},
    {"call_expression",          Shape::node,    Kind::Call},
    {"arguments",                Shape::inside},
    {"binary_expression",        Shape::special, Kind::BinOp, 0, {}, binary},
    {"unary_expression",         Shape::special, Kind::UnaryOp, 0, {}, unary},
    {"reference_expression",     Shape::special, Kind::UnaryOp, 0, {}, reference},
    {"try_expression",           Shape::special, Kind::UnaryOp, 0, {}, question},
    {"await_expression",         Shape::node,    Kind::Await},
    {"assignment_expression",    Shape::special, Kind::NamedExpr, 0, {}, assignment},
    {"compound_assignment_expr", Shape::special, Kind::AugAssign, 0, {}, compound_assignment},
    {"range_expression",         Shape::special, Kind::Slice, 0, {}, range},
    {"type_cast_expression",     Shape::special, Kind::Cast, 0, {}, cast},
    {"closure_expression",       Shape::special, Kind::Lambda, 0, {}, closure},
    {"closure_parameters",       Shape::skip},
    {"struct_expression",        Shape::special, Kind::New, 0, {}, struct_expression},
    {"field_initializer_list",   Shape::inside},
    {"field_initializer",        Shape::special, Kind::KwArg, 0, {}, field_initializer},
    {"shorthand_field_initializer", Shape::special, Kind::KwArg, 0, {}, field_initializer},
    {"base_field_initializer",   Shape::node,    Kind::Star},
    {"tuple_expression",         Shape::node,    Kind::Tuple},
    {"array_expression",         Shape::node,    Kind::List},
    {"unit_expression",          Shape::leaf,    Kind::Tuple},
    {"integer_literal",          Shape::leaf,    Kind::Const},
    {"float_literal",            Shape::leaf,    Kind::Const},
    {"negative_literal",         Shape::leaf,    Kind::Const},
    {"boolean_literal",          Shape::leaf,    Kind::Const},
    {"char_literal",             Shape::leaf,    Kind::Const},
    {"string_literal",           Shape::leaf,    Kind::Str},
    {"raw_string_literal",       Shape::leaf,    Kind::Str},
    {"string_content",           Shape::skip},
    {"escape_sequence",          Shape::skip},
    // patterns
    {"tuple_pattern",            Shape::node,    Kind::Tuple},
    {"slice_pattern",            Shape::node,    Kind::List},
    {"tuple_struct_pattern",     Shape::special, Kind::Call, 0, {}, tuple_struct_pattern},
    {"struct_pattern",           Shape::node,    Kind::Call},
    {"field_pattern",            Shape::special, Kind::KwArg, 0, {}, field_pattern},
    {"remaining_field_pattern",  Shape::leaf,    Kind::Star},
    {"generic_pattern",          Shape::special, Kind::Name, 0, {}, generic},
    {"mut_pattern",              Shape::special, Kind::Name, 0, {}, pattern_parts},
    {"ref_pattern",              Shape::special, Kind::Name, 0, {}, pattern_parts},
    {"reference_pattern",        Shape::special, Kind::Name, 0, {}, pattern_parts},
    {"captured_pattern",         Shape::special, Kind::Tuple, 0, {}, captured},
    {"or_pattern",               Shape::special, Kind::BinOp, 0, {}, or_pattern},
    {"range_pattern",            Shape::leaf,    Kind::Const},
    {"mutable_specifier",        Shape::skip},
    // types
    {"type_identifier",          Shape::name,    Kind::Name},
    {"primitive_type",           Shape::name,    Kind::Name},
    {"scoped_type_identifier",   Shape::special, Kind::Attribute, 0, {}, scoped},
    {"generic_type",             Shape::special, Kind::Name, 0, {}, generic},
    {"generic_type_with_turbofish", Shape::special, Kind::Name, 0, {}, generic},
    {"bracketed_type",           Shape::special, Kind::Name, 0, {}, bracketed},
    {"qualified_type",           Shape::node,    Kind::Type},
    {"abstract_type",            Shape::node,    Kind::Type},
    {"array_type",               Shape::node,    Kind::Type},
    {"bounded_type",             Shape::node,    Kind::Type},
    {"dynamic_type",             Shape::node,    Kind::Type},
    {"function_type",            Shape::node,    Kind::Type},
    {"higher_ranked_trait_bound", Shape::node,   Kind::Type},
    {"never_type",               Shape::node,    Kind::Type},
    {"pointer_type",             Shape::node,    Kind::Type},
    {"reference_type",           Shape::node,    Kind::Type},
    {"removed_trait_bound",      Shape::node,    Kind::Type},
    {"tuple_type",               Shape::node,    Kind::Type},
    {"unit_type",                Shape::node,    Kind::Type},
    {"type_arguments",           Shape::inside},
    {"type_binding",             Shape::node,    Kind::Type},
    {"type_parameters",          Shape::inside},
    {"type_parameter",           Shape::node,    Kind::Type, 0, {{{Field::name, Role::target}}}},
    {"const_parameter",          Shape::node,    Kind::Type, 0, {{{Field::name, Role::target}}}},
    {"lifetime_parameter",       Shape::skip},
    {"lifetime",                 Shape::skip},
    {"for_lifetimes",            Shape::skip},
    {"trait_bounds",             Shape::node,    Kind::Type},
    {"use_bounds",               Shape::skip},
    {"where_clause",             Shape::node,    Kind::Type},
    {"where_predicate",          Shape::node,    Kind::Type},
    {"parameters",               Shape::inside},
    {"parameter",                Shape::node,    Kind::Type, 0, {{{Field::pattern, Role::drop}}}},
    {"self_parameter",           Shape::skip},
    {"variadic_parameter",       Shape::skip},
});
// clang-format on

}  // namespace

extern const LanguageSpec kRust{
    Language::rust, tree_sitter_rust,
    kRows,          false,
    nullptr,        [](std::string_view source) { return unread_words(Language::rust, source); }};

}  // namespace gh::syntax
