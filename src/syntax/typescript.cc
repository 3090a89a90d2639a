// TypeScript by tree-sitter: the rows of JavaScript and those of what is declared about values.
#include <algorithm>

#include "syntax/javascript.h"
#include "syntax/word_constructs.h"

extern "C" const TSLanguage* tree_sitter_typescript();
extern "C" const TSLanguage* tree_sitter_tsx();

namespace gh::syntax {
namespace ts {
namespace {

using js::Nodes;

std::uint32_t name_of(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name);
  return name == 0 ? 0 : js::unquoted(l, name);
}

void as_type(Lowering& l, std::uint32_t node) { js::type(l, node); }

/// `a && b as T` is `a && (b as T)`; the grammar takes the chain as a whole for the value.
bool is_said_of_chain(const Lowering& l, std::uint32_t value) {
  const std::uint32_t op =
      l.is(value, "binary_expression") ? l.child(value, Field::operator_) : std::uint32_t{0};
  const std::string_view text = op == 0 ? std::string_view() : l.cst.text(op);
  return (text == "&&" || text == "||" || text == "??") && l.around() != Kind::BoolOp;
}

/// `x as T`, `x satisfies T`, `<T>x`: the value, and what is said of it.
void cast(Lowering& l, std::uint32_t node) {
  const Nodes parts = js::named(l, node);
  const bool type_first = l.is(node, "type_assertion");
  const bool is_cast = type_first || parts.empty() || !is_said_of_chain(l, parts[0]);
  if (is_cast) l.open(Kind::Cast, node);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_value = type_first ? i + 1 == parts.size() : i == 0;
    if (is_value) {
      l.lower(parts[i]);
      continue;
    }
    l.open(Kind::Type, parts[i]);
    l.lower(parts[i]);
    l.close();
  }
  if (is_cast) l.close();
}

/// In the type of a function a parameter is only its type.
void parameter_of_type(Lowering& l, std::uint32_t node) {
  if (const std::uint32_t type = l.child(node, Field::type)) l.inside(type);
}

/// In a type; those of classes and interfaces are functions.
void signature(Lowering& l, std::uint32_t node) {
  l.each_named(node, [&](std::uint32_t i) {
    if (l.field(i) != Field::name) l.lower(i);
  });
}

/// By the words before it: `export`, `export declare`.
std::uint16_t exported_flag(const Lowering& l, std::uint32_t node) {
  std::uint32_t word = node - 1;
  if (l.cst.text(word) == "declare" && word >= 2) word -= 2;  // the node that holds it is between
  return l.cst.text(word) == "export" ? flag::exported : std::uint16_t{0};
}

void interface_declaration(Lowering& l, std::uint32_t node) {
  l.open(Kind::Class, node, static_cast<std::uint16_t>(flag::protocol | exported_flag(l, node)),
         name_of(l, node));
  js::type(l, l.child(node, Field::type_parameters));
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "extends_type_clause")) l.lower(i);
  });
  if (const std::uint32_t body = l.child(node, Field::body)) {
    l.open(Kind::Block, body, static_cast<std::uint16_t>(Arm::body));
    l.each_named(body, [&](std::uint32_t i) {
      if (l.is(i, "method_signature")) {
        js::function(l, i, name_of(l, i), 0, {});
      } else if (l.is(i, "property_signature")) {
        l.open(Kind::Assign, i, flag::bare);
        l.leaf(Kind::Name, i, flag::store, name_of(l, i));
        js::type(l, l.child(i, Field::type));
        l.close();
      } else {
        js::type(l, i);
      }
    });
    l.close();
  }
  l.close();
}

void enum_declaration(Lowering& l, std::uint32_t node) {
  l.open(Kind::Class, node,
         static_cast<std::uint16_t>(exported_flag(l, node) | js::elsewhere_flag(l, node)),
         name_of(l, node));
  if (const std::uint32_t body = l.child(node, Field::body)) {
    l.open(Kind::Block, body, static_cast<std::uint16_t>(Arm::body));
    l.each_named(body, [&](std::uint32_t i) {
      const bool has_value = l.is(i, "enum_assignment");
      l.open(
          Kind::Assign, i,
          static_cast<std::uint16_t>(flag::of_class | (has_value ? std::uint16_t{0} : flag::bare)));
      l.leaf(Kind::Name, i, flag::store, has_value ? name_of(l, i) : js::unquoted(l, i));
      if (const std::uint32_t held = has_value ? l.child(i, Field::value) : 0) l.lower(held);
      l.close();
    });
    l.close();
  }
  l.close();
}

void name_space(Lowering& l, std::uint32_t node) {
  l.open(Kind::Class, node, flag::name_space, name_of(l, node));
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::body);
  l.close();
}

void type_alias(Lowering& l, std::uint32_t node) {
  l.open(Kind::TypeAlias, node, 0, name_of(l, node));
  js::type(l, l.child(node, Field::type_parameters));
  if (const std::uint32_t value = l.child(node, Field::value)) {
    l.open(Kind::Type, value);
    l.lower(value);
    l.close();
  }
  l.close();
}

/// `infer H` gives a part of a type its name.
void inferred(Lowering& l, std::uint32_t node) {
  l.each_named(node, [&](std::uint32_t i) { l.lower(i, l.is(i, "type_identifier")); });
}

/// `asserts x`, `asserts x is T`: of the parameter only the type is told.
void asserted(Lowering& l, std::uint32_t node) {
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "type_predicate")) l.lower(i);
  });
}

/// `import a = b.c` is another name for it.
void import_alias(Lowering& l, std::uint32_t node) {
  const Nodes parts = js::named(l, node);
  l.open(Kind::Assign, node);
  for (std::size_t i = 0; i < parts.size(); ++i)
    l.lower(parts[i], i == 0);
  l.close();
}

void function_signature(Lowering& l, std::uint32_t node) {
  js::function(l, node, name_of(l, node), 0, {});
}

// clang-format off
// `a && b!` is read as `(a && b)!`: what `!` says stands at no reliable place and is left out.
// table: typescript nodes
constexpr std::array kMore = std::to_array<Row>({
    {"abstract_class_declaration", Shape::special, Kind::Class, 0, {}, js::class_declaration},
    {"abstract_method_signature", Shape::special, Kind::Type, 0, {}, signature},
    {"method_signature",         Shape::special, Kind::Type, 0, {}, signature},
    {"property_signature",       Shape::special, Kind::Type, 0, {}, signature},
    {"call_signature",           Shape::inside},
    {"construct_signature",      Shape::inside},
    {"index_signature",          Shape::special, Kind::Type, 0, {}, as_type},
    {"mapped_type_clause",       Shape::node,    Kind::Type, 0, {{{Field::name, Role::target}}}},
    {"function_signature",       Shape::special, Kind::Function, 0, {}, function_signature},
    {"interface_declaration",    Shape::special, Kind::Class, 0, {}, interface_declaration},
    {"interface_body",           Shape::inside},
    {"enum_declaration",         Shape::special, Kind::Class, 0, {}, enum_declaration},
    {"enum_body",                Shape::inside},
    {"enum_assignment",          Shape::skip},
    {"internal_module",          Shape::special, Kind::Class, 0, {}, name_space},
    {"module",                   Shape::special, Kind::Class, 0, {}, name_space},
    {"ambient_declaration",      Shape::special, Kind::Block, 0, {}, js::ambient},
    {"type_alias_declaration",   Shape::special, Kind::TypeAlias, 0, {}, type_alias},
    {"import_alias",             Shape::special, Kind::Assign, 0, {}, import_alias},
    {"import_require_clause",    Shape::skip},
    {"public_field_definition",  Shape::skip},
    {"accessibility_modifier",   Shape::skip},
    {"override_modifier",        Shape::skip},
    {"required_parameter",       Shape::special, Kind::Type, 0, {}, parameter_of_type},
    {"optional_parameter",       Shape::special, Kind::Type, 0, {}, parameter_of_type},
    {"extends_clause",           Shape::inside},
    {"extends_type_clause",      Shape::inside},
    {"implements_clause",        Shape::special, Kind::Type, 0, {}, as_type},
    {"as_expression",            Shape::special, Kind::Cast, 0, {}, cast},
    {"satisfies_expression",     Shape::special, Kind::Cast, 0, {}, cast},
    {"type_assertion",           Shape::special, Kind::Cast, 0, {}, cast},
    {"non_null_expression",      Shape::inside},
    {"instantiation_expression", Shape::inside},
    {"nested_identifier",        Shape::node,    Kind::Attribute, 0, {{{Field::property, Role::symbol}}}},
    {"type_arguments",           Shape::special, Kind::Type, 0, {}, as_type},
    {"type_annotation",          Shape::special, Kind::Type, 0, {}, as_type},
    {"type_parameters",          Shape::special, Kind::Type, 0, {}, as_type},
    // inside a Type only the names matter
    {"formal_parameters",        Shape::inside},
    {"type_identifier",          Shape::name,    Kind::Name},
    {"predefined_type",          Shape::name,    Kind::Name},
    {"this_type",                Shape::name,    Kind::Name},
    {"existential_type",         Shape::name,    Kind::Name},
    {"nested_type_identifier",   Shape::node,    Kind::Attribute, 0, {{{Field::name, Role::symbol}}}},
    {"type_parameter",           Shape::node,    Kind::Type, 0, {{{Field::name, Role::target}}}},
    {"constraint",               Shape::inside},
    {"default_type",             Shape::inside},
    {"generic_type",             Shape::inside},
    {"array_type",               Shape::inside},
    {"tuple_type",               Shape::inside},
    {"optional_type",            Shape::inside},
    {"rest_type",                Shape::inside},
    {"readonly_type",            Shape::inside},
    {"union_type",               Shape::inside},
    {"intersection_type",        Shape::inside},
    {"conditional_type",         Shape::inside},
    {"infer_type",               Shape::special, Kind::Type, 0, {}, inferred},
    {"lookup_type",              Shape::inside},
    {"literal_type",             Shape::inside},
    {"template_literal_type",    Shape::inside},
    {"template_type",            Shape::inside},
    {"parenthesized_type",       Shape::inside},
    {"object_type",              Shape::inside},
    {"function_type",            Shape::inside},
    {"constructor_type",         Shape::inside},
    {"flow_maybe_type",          Shape::inside},
    {"index_type_query",         Shape::inside},
    {"type_query",               Shape::node,    Kind::UnaryOp},
    {"type_predicate",           Shape::node,    Kind::Type, 0, {{{Field::name, Role::drop}}}},
    {"type_predicate_annotation", Shape::inside},
    {"asserts",                  Shape::special, Kind::Type, 0, {}, asserted},
    {"asserts_annotation",       Shape::inside},
    {"adding_type_annotation",   Shape::inside},
    {"omitting_type_annotation", Shape::inside},
    {"opting_type_annotation",   Shape::inside},
});
// clang-format on

/// Rows of both; where both have one for a type, the first is taken.
constexpr auto joined() {
  std::array<Row, js::kRows.size() + kMore.size()> out{};
  std::ranges::copy(kMore, out.begin());
  std::ranges::copy(js::kRows, out.begin() + kMore.size());
  return out;
}
constexpr auto kRows = joined();

}  // namespace
}  // namespace ts

extern const LanguageSpec kTypescript{
    Language::typescript,
    tree_sitter_typescript,
    ts::kRows,
    false,
    readable_typescript,
    [](std::string_view source) { return unread_words(Language::typescript, source); }};
extern const LanguageSpec kTsx{Language::tsx,
                               tree_sitter_tsx,
                               ts::kRows,
                               false,
                               readable_typescript,
                               [](std::string_view source) { return unread_words(Language::tsx, source); }};

}  // namespace gh::syntax
