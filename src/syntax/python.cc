// Python by tree-sitter: its rows, and what needs more than a row.
#include <array>
#include <string>

#include "syntax/parts.h"
#include "syntax/python_defaults.h"
#include "syntax/python_validity.h"

extern "C" const TSLanguage* tree_sitter_python();

namespace gh::syntax {
namespace {

using parts::named;
using parts::Nodes;

std::uint16_t async_flag(const Lowering& l, std::uint32_t node) {
  return l.has_token(node, "async") ? flag::async : std::uint16_t{0};
}

// ------------------------------------------------------------------------------------ statements

void expression_statement(Lowering& l, std::uint32_t node) {
  const Nodes parts = named(l, node);
  if (parts.size() == 1 &&
      (l.is(parts[0], "assignment") || l.is(parts[0], "augmented_assignment"))) {
    l.lower(parts[0]);
    return;
  }
  l.open(Kind::Expr, node);
  const bool is_tuple = parts.size() > 1 || l.has_token(node, ",");
  if (is_tuple) l.open(Kind::Tuple, node);
  l.inside(node);
  if (is_tuple) l.close();
  l.close();
}

/// `a = b = c` nests to the right; here it is one statement with two targets.
void assignment(Lowering& l, std::uint32_t node) {
  const bool has_value = l.child(node, Field::right) != 0;
  l.open(Kind::Assign, node, has_value ? std::uint16_t{0} : flag::bare);
  for (std::uint32_t at = node;;) {
    if (const std::uint32_t left = l.child(at, Field::left)) l.lower(left, true);
    if (const std::uint32_t type = l.child(at, Field::type)) l.lower(type);
    const std::uint32_t right = l.child(at, Field::right);
    if (right == 0) break;
    if (!l.is(right, "assignment")) {
      l.lower(right);
      break;
    }
    at = right;
  }
  l.close();
}

void augmented_assignment(Lowering& l, std::uint32_t node) {
  const std::uint32_t op = l.child(node, Field::operator_);
  std::string_view spelling = op == 0 ? std::string_view() : l.cst.text(op);
  if (spelling.ends_with('=')) spelling.remove_suffix(1);
  l.open(Kind::AugAssign, node, op_of(spelling));
  if (const std::uint32_t left = l.child(node, Field::left)) l.lower(left, true);
  if (const std::uint32_t right = l.child(node, Field::right)) l.lower(right);
  l.close();
}

void if_statement(Lowering& l, std::uint32_t node) {
  std::size_t arms = 0;
  const auto test_and_then = [&](std::uint32_t clause, std::uint16_t flags) {
    l.open(Kind::If, clause, flags);
    if (const std::uint32_t test = l.child(clause, Field::condition)) l.lower(test);
    if (const std::uint32_t then = l.child(clause, Field::consequence)) l.block(then, Arm::then);
  };
  test_and_then(node, 0);
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "elif_clause")) {
      l.open(Kind::Block, i, static_cast<std::uint16_t>(Arm::otherwise));
      test_and_then(i, flag::elif);
      ++arms;
    } else if (l.is(i, "else_clause")) {
      l.block(i, Arm::otherwise);
    }
  });
  for (; arms > 0; --arms) {
    l.close();  // the If
    l.close();  // the Block around it
  }
  l.close();
}

void for_statement(Lowering& l, std::uint32_t node) {
  l.open(Kind::For, node, async_flag(l, node));
  if (const std::uint32_t left = l.child(node, Field::left)) l.lower(left, true);
  if (const std::uint32_t right = l.child(node, Field::right)) l.lower(right);
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::body);
  if (const std::uint32_t other = l.child(node, Field::alternative)) l.block(other, Arm::loop_else);
  l.close();
}

void try_statement(Lowering& l, std::uint32_t node) {
  bool star = false;
  l.each_named(node, [&](std::uint32_t i) {
    star = star || (l.is(i, "except_clause") && l.has_token(i, "*"));
  });
  l.open(Kind::Try, node, star ? flag::star_group : std::uint16_t{0});
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) == Field::body)
      l.block(i, Arm::body);
    else if (l.is(i, "else_clause"))
      l.block(i, Arm::otherwise);
    else if (l.is(i, "finally_clause"))
      l.block(i, Arm::finally);
    else
      l.lower(i);
  });
  l.close();
}

/// The type stays an expression, the name it is bound to is a target.
void except_clause(Lowering& l, std::uint32_t node) {
  l.open(Kind::Handler, node);
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "block")) {
      l.block(i, Arm::body);
    } else if (l.field(i) == Field::alias) {
      l.open(Kind::Arg, i, flag::target);
      l.lower(i, true);
      l.close();
    } else {
      l.lower(i);
    }
  });
  l.close();
}

/// `value as target` of with and except; in a case the name is the last of two patterns.
void as_pattern(Lowering& l, std::uint32_t node) {
  const bool in_case = l.as_target();
  l.each_named(node, [&](std::uint32_t i) {
    if (in_case || l.field(i) != Field::alias) {
      l.lower(i, in_case);
      return;
    }
    l.open(Kind::Arg, i, flag::target);
    l.inside(i, true);
    l.close();
  });
}

void case_clause(Lowering& l, std::uint32_t node) {
  l.open(Kind::Case, node);
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) == Field::consequence)
      l.block(i, Arm::body);
    else
      l.lower(i, l.is(i, "case_pattern"));
  });
  l.close();
}

/// A plain name in a pattern is bound; what is dotted or called is looked up.
void case_pattern(Lowering& l, std::uint32_t node) {
  if (l.has_token(node, "-")) return l.leaf(Kind::Const, node);  // the sign is a part of the number
  l.open(Kind::Arg, node);
  l.inside(node, true);
  l.close();
}

void keyword_pattern(Lowering& l, std::uint32_t node) {
  const Nodes parts = named(l, node);
  l.open(Kind::KwArg, node, 0, parts.empty() ? 0 : l.symbol(parts[0]));
  for (std::size_t i = 1; i < parts.size(); ++i)
    l.lower(parts[i], true);
  l.close();
}

/// `Point(x, y)` asks for a type: nothing is called.
void class_pattern(Lowering& l, std::uint32_t node) {
  const Nodes parts = named(l, node);
  l.open(Kind::Cast, node);
  for (std::size_t i = 0; i < parts.size(); ++i)
    l.lower(parts[i], i > 0);
  l.close();
}

void union_pattern(Lowering& l, std::uint32_t node) {
  l.open(Kind::BinOp, node);
  l.inside(node, true);
  l.close();
}

void dict_pattern(Lowering& l, std::uint32_t node) {
  l.open(Kind::Dict, node);
  l.each_named(node, [&](std::uint32_t i) { l.lower(i, l.field(i) != Field::key); });
  l.close();
}

void with_statement(Lowering& l, std::uint32_t node) {
  l.open(Kind::With, node, async_flag(l, node));
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) == Field::body)
      l.block(i, Arm::body);
    else
      l.lower(i);
  });
  l.close();
}

void names_statement(Lowering& l, std::uint32_t node) {
  const bool outer = l.cst.text(node).starts_with("nonlocal");
  l.open(Kind::Global, node, outer ? flag::nonlocal : std::uint16_t{0});
  l.inside(node);
  l.close();
}

// --------------------------------------------------------------------------------------- imports

/// Dotted names may be written with blanks and line breaks between their parts.
std::uint32_t dotted(Lowering& l, std::uint32_t node) {
  const std::string_view text = l.cst.text(node);
  if (text.find_first_of(" \t\r\n\\#") == std::string_view::npos) return l.symbol(node);
  std::string joined;
  l.each_named(node, [&](std::uint32_t i) {
    if (!joined.empty()) joined += '.';
    joined += l.cst.text(i);
  });
  return l.tree.symbols.id_of_copy(joined);
}

/// One Name per imported name; the name that it is bound to, when another, is its child.
void imported_names(Lowering& l, std::uint32_t node) {
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) == Field::module_name) return;
    if (l.is(i, "wildcard_import")) {
      l.leaf(Kind::Name, i, 0, l.symbol(i));
    } else if (l.is(i, "aliased_import")) {
      const std::uint32_t name = l.child(i, Field::name), alias = l.child(i, Field::alias);
      if (name == 0 || alias == 0) return;
      l.open(Kind::Name, i, 0, dotted(l, name));
      l.leaf(Kind::Name, alias, flag::store, l.symbol(alias));
      l.close();
    } else if (l.is(i, "dotted_name")) {
      l.leaf(Kind::Name, i, 0, dotted(l, i));
    } else {
      l.lower(i);
    }
  });
}

void import_statement(Lowering& l, std::uint32_t node) {
  l.open(Kind::Import, node);
  imported_names(l, node);
  l.close();
}

void future_import(Lowering& l, std::uint32_t node) {
  l.open(Kind::ImportFrom, node, 0, l.tree.symbols.id_of("__future__"));
  imported_names(l, node);
  l.close();
}

/// The flags of an ImportFrom are its leading dots.
void import_from(Lowering& l, std::uint32_t node) {
  const std::uint32_t module = l.child(node, Field::module_name);
  std::uint16_t level = 0;
  std::uint32_t symbol = 0;
  if (module != 0 && l.is(module, "relative_import")) {
    l.each_named(module, [&](std::uint32_t i) {
      if (l.is(i, "dotted_name"))
        symbol = dotted(l, i);
      else
        for (const char c : l.cst.text(i))
          level = static_cast<std::uint16_t>(level + (c == '.' ? 1 : 0));
    });
  } else if (module != 0) {
    symbol = dotted(l, module);
  }
  l.open(Kind::ImportFrom, node, level, symbol);
  imported_names(l, node);
  l.close();
}

// ---------------------------------------------------------------------------------- declarations

/// A name in a pattern is bound; a dotted one is looked up.
void dotted_name(Lowering& l, std::uint32_t node) {
  const Nodes parts = named(l, node);
  if (parts.empty()) return;
  for (std::size_t i = parts.size(); i > 1; --i)
    l.open(Kind::Attribute, node, 0, l.symbol(parts[i - 1]));
  l.leaf(Kind::Name, parts[0], parts.size() == 1 && l.as_target() ? flag::store : std::uint16_t{0},
         l.symbol(parts[0]));
  for (std::size_t i = parts.size(); i > 1; --i)
    l.close();
}

void parameter(Lowering& l, std::uint32_t node, ParamKind kind) {
  std::uint32_t name = node;
  const bool has_parts = l.is(node, "typed_parameter") || l.is(node, "default_parameter") ||
                         l.is(node, "typed_default_parameter");
  if (has_parts) {
    const std::uint32_t named_by_field = l.child(node, Field::name);
    name = named_by_field != 0 ? named_by_field : node + 1;
  }
  if (l.is(name, "list_splat_pattern") || l.is(name, "dictionary_splat_pattern")) {
    kind = l.is(name, "list_splat_pattern") ? ParamKind::vararg : ParamKind::kwarg;
    l.each_named(name, [&](std::uint32_t i) { name = i; });
  }
  l.open(Kind::Param, node, static_cast<std::uint16_t>(kind), l.symbol(name));
  if (has_parts) {
    if (const std::uint32_t type = l.child(node, Field::type)) l.lower(type);
    if (const std::uint32_t value = l.child(node, Field::value)) l.lower(value);
  }
  l.close();
}

void parameters(Lowering& l, std::uint32_t list) {
  const Nodes all = named(l, list);
  std::size_t slash = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (l.is(all[i], "positional_separator")) slash = i;
  bool after_star = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (l.is(all[i], "positional_separator")) continue;
    if (l.is(all[i], "keyword_separator")) {
      after_star = true;
      continue;
    }
    parameter(l, all[i],
              after_star  ? ParamKind::kw_only
              : i < slash ? ParamKind::pos_only
                          : ParamKind::pos_or_kw);
    const std::string_view text = l.cst.text(all[i]);
    after_star = after_star || (text.starts_with('*') && !text.starts_with("**"));
  }
}

/// `T`, `T: Bound`, `*Ts` between the brackets of a declaration: the name is bound there.
void type_name(Lowering& l, std::uint32_t node) {
  std::uint32_t at = node;
  for (Nodes parts = named(l, at); !parts.empty(); parts = named(l, at)) {
    for (std::size_t i = 1; i < parts.size(); ++i)
      l.lower(parts[i]);
    at = parts[0];
  }
  l.lower(at, true);
}

void definition(Lowering& l, std::uint32_t node, const Nodes& decorators) {
  const bool is_class = l.is(node, "class_definition");
  const std::uint32_t name = l.child(node, Field::name);
  l.open(is_class ? Kind::Class : Kind::Function, node,
         is_class ? std::uint16_t{0} : async_flag(l, node), name == 0 ? 0 : l.symbol(name));
  for (const std::uint32_t decorator : decorators)
    l.lower(decorator);
  if (const std::uint32_t types = l.child(node, Field::type_parameters)) {
    l.open(Kind::Type, types);
    l.each_named(types, [&](std::uint32_t i) { type_name(l, i); });
    l.close();
  }
  if (const std::uint32_t bases = l.child(node, Field::superclasses)) l.inside(bases);
  if (const std::uint32_t list = l.child(node, Field::parameters)) parameters(l, list);
  if (const std::uint32_t returns = l.child(node, Field::return_type)) {
    l.open(Kind::Type, returns, flag::returns);
    l.inside(returns);
    l.close();
  }
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::body);
  l.close();
}

void plain_definition(Lowering& l, std::uint32_t node) { definition(l, node, {}); }

void decorated_definition(Lowering& l, std::uint32_t node) {
  Nodes decorators;
  std::uint32_t what = 0;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) == Field::definition)
      what = i;
    else
      decorators.push_back(i);
  });
  if (what != 0)
    definition(l, what, decorators);
  else
    l.inside(node);
}

void lambda(Lowering& l, std::uint32_t node) {
  l.open(Kind::Lambda, node);
  if (const std::uint32_t list = l.child(node, Field::parameters)) parameters(l, list);
  if (const std::uint32_t body = l.child(node, Field::body)) l.lower(body);
  l.close();
}

// ----------------------------------------------------------------------------------- expressions

void boolean_operator(Lowering& l, std::uint32_t node) {
  const std::uint32_t op = l.child(node, Field::operator_);
  parts::boolean_chain(l, node, op == 0 ? std::string_view() : l.cst.text(op));
}

void not_operator(Lowering& l, std::uint32_t node) {
  l.open(Kind::UnaryOp, node, op_of("not"));
  l.inside(node);
  l.close();
}

std::string one_blank(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
    if (!blank)
      out += c;
    else if (!out.ends_with(' '))
      out += ' ';
  }
  return out;
}

/// One operator is in the flags; those of a chain are its symbol.
void comparison(Lowering& l, std::uint32_t node) {
  std::vector<std::string> ops;
  for (std::uint32_t i = node + 1; i < l.cst.nodes[node].next; i = l.cst.nodes[i].next)
    if (l.field(i) == Field::operators) ops.push_back(one_blank(l.cst.text(i)));
  std::string all;
  for (const std::string& op : ops)
    all += (all.empty() ? "" : ",") + op;
  if (ops.size() == 1)
    l.open(Kind::Compare, node, op_of(ops[0]));
  else
    l.open(Kind::Compare, node, 0, l.tree.symbols.id_of_copy(all));
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) != Field::operators) l.lower(i);
  });
  l.close();
}

void yield_expression(Lowering& l, std::uint32_t node) {
  l.open(l.has_token(node, "from") ? Kind::YieldFrom : Kind::Yield, node);
  l.inside(node);
  l.close();
}

/// `a[x, y]` is `a[(x, y)]`: parentheses say nothing.
void subscript(Lowering& l, std::uint32_t node) {
  const Nodes parts = named(l, node);
  const bool is_tuple = parts.size() > 2 || l.has_token(node, ",");
  l.open(Kind::Subscript, node, l.as_target() ? flag::store : std::uint16_t{0});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == 1 && is_tuple) l.open(Kind::Tuple, parts[i]);
    l.lower(parts[i]);
  }
  if (parts.size() > 1 && is_tuple) l.close();
  l.close();
}

/// Which of its three places are filled is in the flags: a[1:] is not a[:1].
void slice(Lowering& l, std::uint32_t node) {
  std::uint16_t place = 1, filled = 0;
  for (std::uint32_t i = node + 1; i < l.cst.nodes[node].next; i = l.cst.nodes[i].next) {
    if (l.cst.nodes[i].row == kTokenRow)
      place = static_cast<std::uint16_t>(place << 1);
    else if (l.cst.is_named(i))
      filled = static_cast<std::uint16_t>(filled | place);
  }
  l.open(Kind::Slice, node, filled);
  l.inside(node);
  l.close();
}

// --------------------------------------------------------------------------------------- strings

bool is_formatted(const Lowering& l, std::uint32_t string) {
  const std::string_view start = l.cst.text(string + 1);
  return start.find_first_of("fFtT") != std::string_view::npos;
}

std::uint16_t bytes_flag(const Lowering& l, std::uint32_t string) {
  const std::string_view start = l.cst.text(string + 1);
  return start.find_first_of("bB") != std::string_view::npos ? flag::bytes : std::uint16_t{0};
}

/// The format of a field: text and nested fields in turn.
void format_specifier(Lowering& l, std::uint32_t node) {
  l.open(Kind::Interp, node, flag::format);
  std::uint32_t at = l.cst.nodes[node].start + 1;  // after the colon
  const auto text_before = [&](std::uint32_t byte) {
    if (byte > at) l.leaf(Kind::Str, node);
  };
  l.each_named(node, [&](std::uint32_t i) {
    text_before(l.cst.nodes[i].start);
    l.lower(i);
    at = l.cst.nodes[i].end;
  });
  text_before(l.cst.nodes[node].end);
  l.close();
}

void interpolation(Lowering& l, std::uint32_t node) {
  std::uint16_t flags = flag::part;
  if (l.has_token(node, "=")) flags |= flag::shows_self;
  std::uint32_t conversion = 0;
  if (const std::uint32_t c = l.child(node, Field::type_conversion)) conversion = l.symbol(c);
  l.open(Kind::Interp, node, flags, conversion);
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) != Field::type_conversion) l.lower(i);
  });
  l.close();
}

/// Literals that stand side by side are one.
void strings(Lowering& l, std::uint32_t node, const Nodes& all) {
  bool formatted = false;
  for (const std::uint32_t string : all)
    formatted = formatted || is_formatted(l, string);
  if (!formatted) {
    l.leaf(Kind::Str, node, all.empty() ? std::uint16_t{0} : bytes_flag(l, all.front()));
    return;
  }
  l.open(Kind::Interp, node);
  bool after_text = false;
  for (const std::uint32_t string : all)
    l.each_named(string, [&](std::uint32_t i) {
      const bool is_text = l.is(i, "string_content");
      if (is_text && !after_text) l.leaf(Kind::Str, i);
      if (l.is(i, "interpolation")) l.lower(i);
      if (is_text || l.is(i, "interpolation")) after_text = is_text;
    });
  l.close();
}

void string(Lowering& l, std::uint32_t node) { strings(l, node, {node}); }

void concatenated_string(Lowering& l, std::uint32_t node) {
  Nodes all;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "string")) all.push_back(i);
  });
  strings(l, node, all);
}

// clang-format off
// table: python nodes
constexpr std::array kRows = std::to_array<Row>({
    {"module",                   Shape::node,    Kind::Module},
    {"block",                    Shape::inside},
    {"else_clause",              Shape::inside},
    {"finally_clause",           Shape::inside},
    {"elif_clause",              Shape::inside},
    {"expression_statement",     Shape::special, Kind::Expr, 0, {}, expression_statement},
    {"assignment",               Shape::special, Kind::Assign, 0, {}, assignment},
    {"augmented_assignment",     Shape::special, Kind::AugAssign, 0, {}, augmented_assignment},
    {"return_statement",         Shape::node,    Kind::Return},
    {"delete_statement",         Shape::node,    Kind::Delete},
    {"raise_statement",          Shape::node,    Kind::Raise},
    {"assert_statement",         Shape::node,    Kind::Assert},
    {"pass_statement",           Shape::leaf,    Kind::Pass},
    {"break_statement",          Shape::leaf,    Kind::Break},
    {"continue_statement",       Shape::leaf,    Kind::Continue},
    {"global_statement",         Shape::special, Kind::Global, 0, {}, names_statement},
    {"nonlocal_statement",       Shape::special, Kind::Global, 0, {}, names_statement},
    {"type_alias_statement",     Shape::node,    Kind::TypeAlias},
    {"import_statement",         Shape::special, Kind::Import, 0, {}, import_statement},
    {"import_from_statement",    Shape::special, Kind::ImportFrom, 0, {}, import_from},
    {"future_import_statement",  Shape::special, Kind::ImportFrom, 0, {}, future_import},
    {"relative_import",          Shape::skip},
    {"import_prefix",            Shape::skip},
    {"wildcard_import",          Shape::skip},
    {"aliased_import",           Shape::skip},
    {"dotted_name",              Shape::special, Kind::Name, 0, {}, dotted_name},
    {"if_statement",             Shape::special, Kind::If, 0, {}, if_statement},
    {"for_statement",            Shape::special, Kind::For, 0, {}, for_statement},
    {"while_statement",          Shape::node,    Kind::While, 0,
     {{{Field::body, Role::body}, {Field::alternative, Role::loop_else}}}},
    {"try_statement",            Shape::special, Kind::Try, 0, {}, try_statement},
    {"except_clause",            Shape::special, Kind::Handler, 0, {}, except_clause},
    {"with_statement",           Shape::special, Kind::With, 0, {}, with_statement},
    {"with_clause",              Shape::inside},
    {"with_item",                Shape::node,    Kind::Arg},
    {"as_pattern",               Shape::special, Kind::Arg, 0, {}, as_pattern},
    {"as_pattern_target",        Shape::inside},
    {"match_statement",          Shape::node,    Kind::Match, 0, {{{Field::body, Role::inside}}}},
    {"case_clause",              Shape::special, Kind::Case, 0, {}, case_clause},
    {"case_pattern",             Shape::special, Kind::Arg, 0, {}, case_pattern},
    {"keyword_pattern",          Shape::special, Kind::KwArg, 0, {}, keyword_pattern},
    {"class_pattern",            Shape::special, Kind::Cast, 0, {}, class_pattern},
    {"splat_pattern",            Shape::node,    Kind::Star},
    {"union_pattern",            Shape::special, Kind::BinOp, 0, {}, union_pattern},
    {"dict_pattern",             Shape::special, Kind::Dict, 0, {}, dict_pattern},
    {"complex_pattern",          Shape::leaf,    Kind::Const},
    {"if_clause",                Shape::node,    Kind::Arg, flag::condition},
    {"function_definition",      Shape::special, Kind::Function, 0, {}, plain_definition},
    {"class_definition",         Shape::special, Kind::Class, 0, {}, plain_definition},
    {"decorated_definition",     Shape::special, Kind::Function, 0, {}, decorated_definition},
    {"decorator",                Shape::node,    Kind::Decorator},
    {"typed_parameter",          Shape::skip},
    {"default_parameter",        Shape::skip},
    {"typed_default_parameter",  Shape::skip},
    {"positional_separator",     Shape::skip},
    {"keyword_separator",        Shape::skip},
    {"lambda",                   Shape::special, Kind::Lambda, 0, {}, lambda},
    {"identifier",               Shape::name,    Kind::Name},
    {"attribute",                Shape::node,    Kind::Attribute, 0, {{{Field::attribute, Role::symbol}}}},
    {"subscript",                Shape::special, Kind::Subscript, 0, {}, subscript},
    {"slice",                    Shape::special, Kind::Slice, 0, {}, slice},
    {"call",                     Shape::node,    Kind::Call},
    {"argument_list",            Shape::inside},
    {"keyword_argument",         Shape::node,    Kind::KwArg, 0, {{{Field::name, Role::symbol}}}},
    {"list_splat",               Shape::node,    Kind::Star},
    {"list_splat_pattern",       Shape::node,    Kind::Star},
    {"dictionary_splat",         Shape::node,    Kind::Star, flag::twice},
    {"dictionary_splat_pattern", Shape::node,    Kind::Star, flag::twice},
    {"parenthesized_expression", Shape::inside},
    {"parenthesized_list_splat", Shape::inside},
    {"expression_list",          Shape::node,    Kind::Tuple},
    {"pattern_list",             Shape::node,    Kind::Tuple},
    {"tuple",                    Shape::node,    Kind::Tuple},
    {"tuple_pattern",            Shape::node,    Kind::Tuple},
    {"list",                     Shape::node,    Kind::List},
    {"list_pattern",             Shape::node,    Kind::List},
    {"set",                      Shape::node,    Kind::Set},
    {"dictionary",               Shape::node,    Kind::Dict},
    {"pair",                     Shape::inside},
    {"list_comprehension",       Shape::node,    Kind::Comp, 1},
    {"set_comprehension",        Shape::node,    Kind::Comp, 2},
    {"dictionary_comprehension", Shape::node,    Kind::Comp, 3},
    {"generator_expression",     Shape::node,    Kind::Comp, 4},
    {"for_in_clause",            Shape::node,    Kind::Arg, flag::generator, {{{Field::left, Role::target}}}},
    {"boolean_operator",         Shape::special, Kind::BoolOp, 0, {}, boolean_operator},
    {"not_operator",             Shape::special, Kind::UnaryOp, 0, {}, not_operator},
    {"unary_operator",           Shape::node,    Kind::UnaryOp, 0, {{{Field::operator_, Role::op}}}},
    {"binary_operator",          Shape::node,    Kind::BinOp, 0, {{{Field::operator_, Role::op}}}},
    {"comparison_operator",      Shape::special, Kind::Compare, 0, {}, comparison},
    {"conditional_expression",   Shape::node,    Kind::Ternary},
    {"named_expression",         Shape::node,    Kind::NamedExpr, 0, {{{Field::name, Role::target}}}},
    {"await",                    Shape::node,    Kind::Await},
    {"yield",                    Shape::special, Kind::Yield, 0, {}, yield_expression},
    {"integer",                  Shape::leaf,    Kind::Const},
    {"float",                    Shape::leaf,    Kind::Const},
    {"true",                     Shape::leaf,    Kind::Const},
    {"false",                    Shape::leaf,    Kind::Const},
    {"none",                     Shape::leaf,    Kind::Const},
    {"ellipsis",                 Shape::leaf,    Kind::Const},
    {"string",                   Shape::special, Kind::Str, 0, {}, string},
    {"concatenated_string",      Shape::special, Kind::Str, 0, {}, concatenated_string},
    {"string_start",             Shape::skip},
    {"string_content",           Shape::skip},
    {"string_end",               Shape::skip},
    {"interpolation",            Shape::special, Kind::Interp, 0, {}, interpolation},
    {"format_expression",        Shape::special, Kind::Interp, 0, {}, interpolation},
    {"format_specifier",         Shape::special, Kind::Interp, 0, {}, format_specifier},
    {"type_conversion",          Shape::skip},
    {"type",                     Shape::node,    Kind::Type},
    {"generic_type",             Shape::node,    Kind::Subscript},
    {"type_parameter",           Shape::inside},
    {"union_type",               Shape::node,    Kind::BinOp},
    {"member_type",              Shape::node,    Kind::Attribute},
    {"splat_type",               Shape::node,    Kind::Star},
    {"constrained_type",         Shape::node,    Kind::Tuple},
    {"line_continuation",        Shape::skip},
    // Python 2
    {"print_statement",          Shape::node,    Kind::Expr},
    {"exec_statement",           Shape::node,    Kind::Expr},
    {"chevron",                  Shape::inside},
});
// clang-format on

}  // namespace

extern const LanguageSpec kPython{
    Language::python, tree_sitter_python,       kRows,            true,
    nullptr,          with_bounds_for_defaults, invalid_python_at};

}  // namespace gh::syntax
