// Go by tree-sitter: its rows, and what needs more than a row.
#include <algorithm>
#include <array>

#include "syntax/parts.h"

extern "C" const TSLanguage* tree_sitter_go();

namespace gh::syntax {
namespace {

using parts::assign_statement;
using parts::binary;
using parts::block_or_empty;
using parts::first_named;
using parts::if_chain;
using parts::lower_field;
using parts::named;
using parts::Nodes;
using parts::step_statement;
using parts::tuple_or_one;
using parts::type_of;

constexpr auto kPositional = static_cast<std::uint16_t>(ParamKind::pos_only);

// ---------------------------------------------------------------------------------- declarations

void parameter(Lowering& l, std::uint32_t node, std::uint16_t flags) {
  const std::uint32_t type = l.child(node, Field::type);
  Nodes names;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) == Field::name) names.push_back(i);
  });
  if (names.empty()) {  // only its type is said
    l.open(Kind::Param, node, flags);
    type_of(l, type);
    l.close();
  }
  for (const std::uint32_t name : names) {
    l.open(Kind::Param, name, flags, l.symbol(name));
    if (name == names.front())
      type_of(l, type);
    else if (type != 0)
      l.leaf(Kind::Type, type);
    l.close();
  }
}

void parameters(Lowering& l, std::uint32_t list) {
  if (list == 0) return;
  l.each_named(list, [&](std::uint32_t i) {
    const bool many = l.is(i, "variadic_parameter_declaration");
    parameter(l, i, many ? static_cast<std::uint16_t>(ParamKind::vararg) : kPositional);
  });
}

/// `func (a *A[X])`: the method has names of its own for the type parameters of A.
void names_of_arguments(Lowering& l, std::uint32_t receiver) {
  const std::uint32_t end = l.cst.nodes[receiver].next;
  std::uint32_t list = receiver;
  while (list < end && !l.is(list, "type_arguments"))
    ++list;
  if (list == end) return;
  l.open(Kind::Type, list);
  for (std::uint32_t i = list; i < l.cst.nodes[list].next; ++i)
    if (l.is(i, "type_identifier")) l.leaf(Kind::Name, i, flag::store, l.symbol(i));
  l.close();
}

/// Everything of a function but its opening.
void signature_and_body(Lowering& l, std::uint32_t node) {
  if (const std::uint32_t types = l.child(node, Field::type_parameters)) type_of(l, types);
  if (const std::uint32_t receiver = l.child(node, Field::receiver)) {
    names_of_arguments(l, receiver);
    l.each_named(receiver, [&](std::uint32_t i) {
      parameter(l, i, static_cast<std::uint16_t>(flag::receiver | kPositional));
    });
  }
  parameters(l, l.child(node, Field::parameters));
  type_of(l, l.child(node, Field::result), flag::returns);
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::body);
}

void function(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name);
  l.open(Kind::Function, node, 0, name == 0 ? 0 : l.symbol(name));
  signature_and_body(l, node);
  l.close();
}

void literal_function(Lowering& l, std::uint32_t node) {
  l.open(Kind::Lambda, node);
  signature_and_body(l, node);
  l.close();
}

/// The T of `(t *T[K])`; 0 when there is none.
std::uint32_t receiver_type(const Lowering& l, std::uint32_t method) {
  const std::uint32_t list = l.child(method, Field::receiver);
  if (list == 0) return 0;
  for (std::uint32_t i = list + 1; i < l.cst.nodes[list].next; ++i)
    if (l.is(i, "type_identifier")) return i;
  return 0;
}

/// A method stands outside of its type: what is declared here belongs to it.
void method(Lowering& l, std::uint32_t node) {
  const std::uint32_t type = receiver_type(l, node);
  if (type == 0) {
    function(l, node);
    return;
  }
  l.open(Kind::Class, node, flag::extension, l.symbol(type));
  l.open(Kind::Block, node, static_cast<std::uint16_t>(Arm::body));
  function(l, node);
  l.close();
  l.close();
}

/// The name by which an embedded type is reached: the last word of it.
std::uint32_t embedded_name(const Lowering& l, std::uint32_t field) {
  std::uint32_t last = 0;
  for (std::uint32_t i = field + 1; i < l.cst.nodes[field].next; ++i) {
    if (l.is(i, "type_arguments")) break;
    if (l.is(i, "type_identifier")) last = i;
  }
  return last;
}

void bare(Lowering& l, std::uint32_t name, std::uint32_t type, bool is_first) {
  l.open(Kind::Assign, name, flag::bare);
  l.leaf(Kind::Name, name, flag::store, l.symbol(name));
  if (is_first)
    type_of(l, type);
  else if (type != 0)
    l.leaf(Kind::Type, type);
  l.close();
}

void struct_field(Lowering& l, std::uint32_t node) {
  const std::uint32_t type = l.child(node, Field::type);
  bool is_first = true;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) != Field::name) return;
    bare(l, i, type, is_first);
    is_first = false;
  });
  if (const std::uint32_t name = is_first ? embedded_name(l, node) : 0) bare(l, name, type, true);
}

void class_body(Lowering& l, std::uint32_t type) {
  l.open(Kind::Block, type, static_cast<std::uint16_t>(Arm::body));
  l.each_named(type, [&](std::uint32_t i) {
    if (l.is(i, "field_declaration_list"))
      l.each_named(i, [&](std::uint32_t field) {
        l.is(field, "field_declaration") ? struct_field(l, field) : l.lower(field);
      });
    else if (l.is(i, "method_elem"))
      function(l, i);
    else
      l.lower(i);
  });
  l.close();
}

/// A struct is a class, an interface a protocol, anything else another name for a type.
void type_spec(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name), type = l.child(node, Field::type);
  const bool is_struct = type != 0 && l.is(type, "struct_type");
  const bool is_interface = type != 0 && l.is(type, "interface_type");
  const bool is_class = is_struct || is_interface;
  l.open(is_class ? Kind::Class : Kind::TypeAlias, node,
         is_interface ? flag::protocol : std::uint16_t{0}, name == 0 ? 0 : l.symbol(name));
  type_of(l, l.child(node, Field::type_parameters));
  is_class ? class_body(l, type) : type_of(l, type);
  l.close();
}

/// One Assign per name where each has its value; one for all where a call gives several.
void value_spec(Lowering& l, std::uint32_t node) {
  const std::uint32_t type = l.child(node, Field::type), list = l.child(node, Field::value);
  Nodes names, values;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) == Field::name) names.push_back(i);
  });
  if (list != 0) values = named(l, list);
  if (!values.empty() && values.size() != names.size()) {
    l.open(Kind::Assign, node);
    l.open(Kind::Tuple, node, flag::store);
    for (const std::uint32_t name : names)
      l.lower(name, true);
    l.close();
    type_of(l, type);
    l.lower(list);
    l.close();
    return;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (values.empty()) {
      bare(l, names[i], type, i == 0);
      continue;
    }
    l.open(Kind::Assign, names.size() == 1 ? node : names[i]);
    l.lower(names[i], true);
    if (i == 0)
      type_of(l, type);
    else if (type != 0)
      l.leaf(Kind::Type, type);
    l.lower(values[i]);
    l.close();
  }
}

// --------------------------------------------------------------------------------------- imports

/// The name that a path is known by: its last part, without a version.
std::string_view known_as(std::string_view path) {
  const auto last = [](std::string_view text) { return text.substr(text.rfind('/') + 1); };
  const std::string_view name = last(path);
  const bool is_version =
      name.size() > 1 && name[0] == 'v' &&
      std::ranges::all_of(name.substr(1), [](char c) { return c >= '0' && c <= '9'; });
  if (is_version && name.size() < path.size())
    return last(path.substr(0, path.size() - name.size() - 1));
  return name.substr(0, name.find('.'));
}

void import_spec(Lowering& l, std::uint32_t node) {
  const std::uint32_t quoted = l.child(node, Field::path), alias = l.child(node, Field::name);
  std::string_view path = quoted == 0 ? std::string_view() : l.cst.text(quoted);
  if (path.size() < 3) return;
  path = path.substr(1, path.size() - 2);
  l.open(Kind::Import, node);
  l.open(Kind::Name, quoted, 0, l.tree.symbols.id_of(path));
  l.leaf(Kind::Name, alias != 0 ? alias : quoted, flag::store,
         alias != 0 ? l.symbol(alias) : l.tree.symbols.id_of(known_as(path)));
  l.close();
  l.close();
}

// ------------------------------------------------------------------------------------ statements

void assignment(Lowering& l, std::uint32_t node) {
  const std::uint32_t op = l.child(node, Field::operator_);
  assign_statement(l, node, l.child(node, Field::left), op == 0 ? "=" : l.cst.text(op),
                   l.child(node, Field::right));
}

void increment(Lowering& l, std::uint32_t node) {
  step_statement(l, node, first_named(l, node), l.is(node, "inc_statement") ? "++" : "--");
}

void send(Lowering& l, std::uint32_t node) {
  l.open(Kind::Expr, node);
  l.open(Kind::BinOp, node, op_of("<-"));
  l.inside(node);
  l.close();
  l.close();
}

/// `for {}` and `for test {}` are While, the other two For.
void for_statement(Lowering& l, std::uint32_t node) {
  const std::uint32_t body = l.child(node, Field::body);
  std::uint32_t head = first_named(l, node);
  if (head == body) head = 0;
  const bool counts = head != 0 && l.is(head, "for_clause");
  const bool ranges = head != 0 && l.is(head, "range_clause");
  l.open(counts || ranges ? Kind::For : Kind::While, node);
  if (counts) {
    lower_field(l, head, Field::initializer);
    if (const std::uint32_t test = l.child(head, Field::condition)) {
      l.open(Kind::Arg, test, flag::condition);
      l.lower(test);
      l.close();
    }
    lower_field(l, head, Field::update);
  } else if (ranges) {
    lower_field(l, head, Field::left, true);
    lower_field(l, head, Field::right);
  } else if (head != 0) {
    l.lower(head);
  } else {
    l.leaf(Kind::Const, node + 1);  // the word itself: always
  }
  block_or_empty(l, body, node, Arm::body);
  l.close();
}

void case_body(Lowering& l, std::uint32_t node) {
  std::uint32_t list = 0;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "statement_list")) list = i;
  });
  block_or_empty(l, list, node, Arm::body);
}

/// What is asked in a case, unless it is a pattern of the value that is switched on.
void asked(Lowering& l, std::uint32_t node) {
  l.open(Kind::Arg, node, flag::condition);
  l.lower(node);
  l.close();
}

void switch_statement(Lowering& l, std::uint32_t node) {
  const std::uint32_t value = l.child(node, Field::value);
  l.open(Kind::Match, node);
  if (value != 0) l.lower(value);
  lower_field(l, node, Field::alias, true);
  lower_field(l, node, Field::initializer);
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "default_case")) {
      l.open(Kind::Case, i, flag::fallback);
    } else if (l.is(i, "expression_case") || l.is(i, "type_case") ||
               l.is(i, "communication_case")) {
      l.open(Kind::Case, i);
      if (const std::uint32_t sent = l.child(i, Field::communication)) asked(l, sent);
      if (const std::uint32_t list = l.child(i, Field::value))
        value == 0 ? asked(l, list) : l.inside(list);
      l.each_named(i, [&](std::uint32_t type) {
        if (l.field(type) == Field::type) type_of(l, type);
      });
    } else {
      if (l.field(i) == Field::none) l.lower(i);
      return;
    }
    case_body(l, i);
    l.close();
  });
  l.close();
}

void receive(Lowering& l, std::uint32_t node) {
  const std::uint32_t left = l.child(node, Field::left);
  l.open(left != 0 ? Kind::Assign : Kind::Expr, node);
  if (left != 0) l.lower(left, true);
  lower_field(l, node, Field::right);
  l.close();
}

void jump(Lowering& l, std::uint32_t node, Kind kind) {
  const std::uint32_t label = first_named(l, node);
  l.leaf(kind, node, 0, label == 0 ? 0 : l.symbol(label));
}
void break_statement(Lowering& l, std::uint32_t node) { jump(l, node, Kind::Break); }
void continue_statement(Lowering& l, std::uint32_t node) { jump(l, node, Kind::Continue); }
void goto_statement(Lowering& l, std::uint32_t node) { jump(l, node, Kind::Goto); }
void fallthrough(Lowering& l, std::uint32_t node) { l.leaf(Kind::Goto, node, 0, l.symbol(node)); }

void labelled(Lowering& l, std::uint32_t node) {
  const std::uint32_t label = l.child(node, Field::label);
  if (label != 0) l.leaf(Kind::Label, label, 0, l.symbol(label));
  l.each_named(node, [&](std::uint32_t i) {
    if (i != label) l.lower(i);
  });
}

// ----------------------------------------------------------------------------------- expressions

void slice_expression(Lowering& l, std::uint32_t node) {
  // table: places of a slice
  constexpr std::array kPlaces{Field::start, Field::end, Field::capacity};
  l.open(Kind::Subscript, node);
  lower_field(l, node, Field::operand);
  std::uint16_t filled = 0;
  for (std::size_t i = 0; i < kPlaces.size(); ++i)
    if (l.child(node, kPlaces[i]) != 0) filled = static_cast<std::uint16_t>(filled | (1u << i));
  l.open(Kind::Slice, node, filled);
  for (const Field place : kPlaces)
    lower_field(l, node, place);
  l.close();
  l.close();
}

/// `T{…}` makes a T; lists and maps are written out.
void composite(Lowering& l, std::uint32_t node) {
  const std::uint32_t type = l.child(node, Field::type), body = l.child(node, Field::body);
  const bool is_map = type != 0 && l.is(type, "map_type");
  const bool is_named = type != 0 && (l.is(type, "type_identifier") ||
                                      l.is(type, "qualified_type") || l.is(type, "generic_type"));
  l.open(is_named ? Kind::New : is_map ? Kind::Dict : Kind::List, node);
  if (type != 0) l.lower(type);
  if (body != 0) l.inside(body);
  l.close();
}

/// A field by its name; any other key is a value of its own.
void keyed_element(Lowering& l, std::uint32_t node) {
  const std::uint32_t key = l.child(node, Field::key);
  const std::uint32_t word = key == 0 ? 0 : first_named(l, key);
  if (word == 0 || !l.is(word, "identifier")) {
    l.inside(node);
    return;
  }
  l.open(Kind::KwArg, node, 0, l.symbol(word));
  lower_field(l, node, Field::value);
  l.close();
}

void generic_type(Lowering& l, std::uint32_t node) {
  lower_field(l, node, Field::type);
  type_of(l, l.child(node, Field::type_arguments));
}

void call(Lowering& l, std::uint32_t node) {
  l.open(Kind::Call, node);
  lower_field(l, node, Field::function);
  type_of(l, l.child(node, Field::type_arguments));
  if (const std::uint32_t list = l.child(node, Field::arguments)) l.inside(list);
  l.close();
}

void cast(Lowering& l, std::uint32_t node) {
  l.open(Kind::Cast, node);
  type_of(l, l.child(node, Field::type));
  lower_field(l, node, Field::operand);
  l.close();
}

constexpr std::uint16_t kAsserted = 8;  // of a Cast: x.(T), which can fail

void type_assertion(Lowering& l, std::uint32_t node) {
  l.open(Kind::Cast, node, kAsserted);
  type_of(l, l.child(node, Field::type));
  lower_field(l, node, Field::operand);
  l.close();
}

void instantiation(Lowering& l, std::uint32_t node) {
  lower_field(l, node, Field::type);
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) != Field::type) type_of(l, i);
  });
}

// table: what may stand in a file of go
constexpr std::array<std::string_view, 7> kOfFile{
    "package_clause",   "import_declaration", "function_declaration", "method_declaration",
    "type_declaration", "var_declaration",    "const_declaration"};

/// The grammar also takes statements there, such as the body of a function that begins a line.
void source_file(Lowering& l, std::uint32_t node) {
  l.open(Kind::Module, node);
  l.each_named(node, [&](std::uint32_t i) {
    const bool is_known = l.cst.nodes[i].row < l.cst.spec->rows.size();
    if (is_known && std::ranges::find(kOfFile, l.cst.type(i)) == kOfFile.end()) l.refuse(i);
    l.lower(i);
  });
  l.close();
}

// clang-format off
// table: go nodes
constexpr std::array kRows = std::to_array<Row>({
    {"source_file",                    Shape::special, Kind::Module, 0, {}, source_file},
    {"package_clause",                 Shape::skip},
    {"import_declaration",             Shape::inside},
    {"import_spec_list",               Shape::inside},
    {"import_spec",                    Shape::special, Kind::Import, 0, {}, import_spec},
    {"function_declaration",           Shape::special, Kind::Function, 0, {}, function},
    {"method_declaration",             Shape::special, Kind::Function, 0, {}, method},
    {"func_literal",                   Shape::special, Kind::Lambda, 0, {}, literal_function},
    {"const_declaration",              Shape::inside},
    {"var_declaration",                Shape::inside},
    {"var_spec_list",                  Shape::inside},
    {"const_spec",                     Shape::special, Kind::Assign, 0, {}, value_spec},
    {"var_spec",                       Shape::special, Kind::Assign, 0, {}, value_spec},
    {"type_declaration",               Shape::inside},
    {"type_spec",                      Shape::special, Kind::Class, 0, {}, type_spec},
    {"type_alias",                     Shape::special, Kind::TypeAlias, 0, {}, type_spec},
    // statements
    {"block",                          Shape::inside},
    {"statement_list",                 Shape::inside},
    {"empty_statement",                Shape::skip},
    {"expression_statement",           Shape::node,    Kind::Expr},
    {"assignment_statement",           Shape::special, Kind::Assign, 0, {}, assignment},
    {"short_var_declaration",          Shape::node,    Kind::Assign, 0, {{{Field::left, Role::target}}}},
    {"inc_statement",                  Shape::special, Kind::AugAssign, 0, {}, increment},
    {"dec_statement",                  Shape::special, Kind::AugAssign, 0, {}, increment},
    {"send_statement",                 Shape::special, Kind::Expr, 0, {}, send},
    {"receive_statement",              Shape::special, Kind::Assign, 0, {}, receive},
    {"return_statement",               Shape::node,    Kind::Return},
    {"break_statement",                Shape::special, Kind::Break, 0, {}, break_statement},
    {"continue_statement",             Shape::special, Kind::Continue, 0, {}, continue_statement},
    {"goto_statement",                 Shape::special, Kind::Goto, 0, {}, goto_statement},
    {"fallthrough_statement",          Shape::special, Kind::Goto, 0, {}, fallthrough},
    {"labeled_statement",              Shape::special, Kind::Label, 0, {}, labelled},
    {"label_name",                     Shape::skip},
    {"defer_statement",                Shape::node,    Kind::Defer},
    {"go_statement",                   Shape::node,    Kind::Defer, flag::concurrent},
    {"if_statement",                   Shape::special, Kind::If, 0, {}, if_chain},
    {"for_statement",                  Shape::special, Kind::For, 0, {}, for_statement},
    {"for_clause",                     Shape::inside},
    {"range_clause",                   Shape::inside},
    {"expression_switch_statement",    Shape::special, Kind::Match, 0, {}, switch_statement},
    {"type_switch_statement",          Shape::special, Kind::Match, 0, {}, switch_statement},
    {"select_statement",               Shape::special, Kind::Match, 0, {}, switch_statement},
    {"expression_case",                Shape::node,    Kind::Case},
    {"type_case",                      Shape::node,    Kind::Case},
    {"communication_case",             Shape::node,    Kind::Case},
    {"default_case",                   Shape::node,    Kind::Case, flag::fallback},
    // expressions
    {"identifier",                     Shape::name,    Kind::Name},
    {"blank_identifier",               Shape::name,    Kind::Name},
    {"package_identifier",             Shape::name,    Kind::Name},
    {"type_identifier",                Shape::name,    Kind::Name},
    {"field_identifier",               Shape::skip},
    {"dot",                            Shape::skip},
    {"parenthesized_expression",       Shape::inside},
    {"expression_list",                Shape::special, Kind::Tuple, 0, {}, tuple_or_one},
    {"selector_expression",            Shape::node,    Kind::Attribute, 0, {{{Field::field, Role::symbol}}}},
    {"index_expression",               Shape::node,    Kind::Subscript},
    {"slice_expression",               Shape::special, Kind::Subscript, 0, {}, slice_expression},
    {"call_expression",                Shape::special, Kind::Call, 0, {}, call},
    {"argument_list",                  Shape::inside},
    {"variadic_argument",              Shape::node,    Kind::Star},
    {"type_assertion_expression",      Shape::special, Kind::Cast, 0, {}, type_assertion},
    {"type_conversion_expression",     Shape::special, Kind::Cast, 0, {}, cast},
    {"type_instantiation_expression",  Shape::special, Kind::Name, 0, {}, instantiation},
    {"composite_literal",              Shape::special, Kind::New, 0, {}, composite},
    {"literal_value",                  Shape::node,    Kind::List},
    {"literal_element",                Shape::inside},
    {"keyed_element",                  Shape::special, Kind::KwArg, 0, {}, keyed_element},
    {"unary_expression",               Shape::node,    Kind::UnaryOp, 0, {{{Field::operator_, Role::op}}}},
    {"binary_expression",              Shape::special, Kind::BinOp, 0, {}, binary},
    {"int_literal",                    Shape::leaf,    Kind::Const},
    {"float_literal",                  Shape::leaf,    Kind::Const},
    {"imaginary_literal",              Shape::leaf,    Kind::Const},
    {"rune_literal",                   Shape::leaf,    Kind::Const},
    {"true",                           Shape::leaf,    Kind::Const},
    {"false",                          Shape::leaf,    Kind::Const},
    {"nil",                            Shape::leaf,    Kind::Const},
    {"iota",                           Shape::leaf,    Kind::Const},
    {"interpreted_string_literal",     Shape::leaf,    Kind::Str},
    {"raw_string_literal",             Shape::leaf,    Kind::Str},
    {"interpreted_string_literal_content", Shape::skip},
    {"raw_string_literal_content",     Shape::skip},
    {"escape_sequence",                Shape::skip},
    // types
    {"qualified_type",                 Shape::node,    Kind::Attribute, 0, {{{Field::name, Role::symbol}}}},
    {"generic_type",                   Shape::special, Kind::Name, 0, {}, generic_type},
    {"array_type",                     Shape::node,    Kind::Type},
    {"implicit_length_array_type",     Shape::node,    Kind::Type},
    {"channel_type",                   Shape::node,    Kind::Type},
    {"function_type",                  Shape::node,    Kind::Type},
    {"interface_type",                 Shape::node,    Kind::Type},
    {"map_type",                       Shape::node,    Kind::Type},
    {"negated_type",                   Shape::node,    Kind::Type},
    {"parenthesized_type",             Shape::node,    Kind::Type},
    {"pointer_type",                   Shape::node,    Kind::Type},
    {"slice_type",                     Shape::node,    Kind::Type},
    {"struct_type",                    Shape::node,    Kind::Type},
    {"type_arguments",                 Shape::inside},
    {"type_constraint",                Shape::inside},
    {"type_elem",                      Shape::inside},
    {"type_parameter_list",            Shape::inside},
    {"type_parameter_declaration",     Shape::node,    Kind::Type, 0, {{{Field::name, Role::target}}}},
    {"parameter_list",                 Shape::inside},
    {"parameter_declaration",          Shape::node,    Kind::Type, 0, {{{Field::name, Role::drop}}}},
    {"variadic_parameter_declaration", Shape::node,    Kind::Type, 0, {{{Field::name, Role::drop}}}},
    {"field_declaration_list",         Shape::inside},
    {"field_declaration",              Shape::node,    Kind::Type, 0, {{{Field::tag, Role::drop}}}},
    {"method_elem",                    Shape::node,    Kind::Type},
});
// clang-format on

}  // namespace

extern const LanguageSpec kGo{Language::go, tree_sitter_go, kRows};

}  // namespace gh::syntax
