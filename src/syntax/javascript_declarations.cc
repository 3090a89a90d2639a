// Functions, classes, imports and exports of JavaScript and TypeScript.
#include <algorithm>
#include <string>

#include "syntax/javascript.h"

namespace gh::syntax::js {
namespace {

bool is_function(const Lowering& l, std::uint32_t node) {
  return l.is(node, "arrow_function") || l.is(node, "function_expression") ||
         l.is(node, "generator_function");
}

bool is_class(const Lowering& l, std::uint32_t node) {
  return l.is(node, "class") || l.is(node, "class_declaration") ||
         l.is(node, "abstract_class_declaration");
}

std::uint32_t own_name(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name);
  return name == 0 ? 0 : unquoted(l, name);
}

Nodes decorators_of(const Lowering& l, std::uint32_t node) {
  Nodes out;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "decorator")) out.push_back(i);
  });
  return out;
}

Nodes joined(Nodes a, const Nodes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The first child that is no decorator: there a declaration begins.
std::uint32_t after_decorators(const Lowering& l, std::uint32_t node) {
  std::uint32_t at = node + 1;
  while (at < l.cst.nodes[node].next &&
         (l.is(at, "decorator") || l.cst.nodes[at].row == kCommentRow))
    at = l.cst.nodes[at].next;
  return at < l.cst.nodes[node].next ? at : node;
}

std::uint16_t member_flags(const Lowering& l, std::uint32_t node) {
  std::uint16_t out = 0;
  if (l.has_token(node, "async")) out |= flag::async;
  if (l.is(node, "arrow_function")) out |= flag::lexical;
  if (l.has_token(node, "static") || l.has_token(node, "static get")) out |= flag::of_class;
  if (l.has_token(node, "get") || l.has_token(node, "set") || l.has_token(node, "static get"))
    out |= flag::accessor;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "accessibility_modifier") && l.cst.text(i) == "private") out |= flag::hidden;
  });
  return out;
}

bool is_typescript_parameter(const Lowering& l, std::uint32_t node) {
  return l.is(node, "required_parameter") || l.is(node, "optional_parameter");
}

bool is_property(const Lowering& l, std::uint32_t parameter) {
  bool out = l.has_token(parameter, "readonly");
  l.each_named(parameter, [&](std::uint32_t i) {
    out = out || l.is(i, "accessibility_modifier") || l.is(i, "override_modifier");
  });
  return out;
}

void parameter(Lowering& l, std::uint32_t node) {
  std::uint32_t pattern = node, held = 0;
  const bool typed = is_typescript_parameter(l, node);
  if (typed) {
    pattern = l.child(node, Field::pattern);
    held = l.child(node, Field::value);
    if (pattern == 0) return;
    if (l.is(pattern, "this")) return type(l, l.child(node, Field::type));  // no argument
  } else if (l.is(node, "assignment_pattern")) {
    pattern = l.child(node, Field::left);
    held = l.child(node, Field::right);
    if (pattern == 0) return;
  }
  auto kind = ParamKind::pos_only;
  if (l.is(pattern, "rest_pattern")) {
    kind = ParamKind::vararg;
    l.each_named(pattern, [&](std::uint32_t i) { pattern = i; });
  }
  const bool is_name = l.is(pattern, "identifier");
  const bool is_optional = held != 0 || l.is(node, "optional_parameter");
  l.open(Kind::Param, node,
         static_cast<std::uint16_t>(static_cast<std::uint16_t>(kind) |
                                    (is_optional ? flag::optional : std::uint16_t{0})),
         is_name ? l.symbol(pattern) : 0);
  if (typed)
    for (const std::uint32_t decorator : decorators_of(l, node))
      l.lower(decorator);
  if (!is_name) l.lower(pattern, true);
  if (typed && is_name && is_property(l, node)) {  // it also sets a field
    l.open(Kind::Attribute, pattern, flag::store, l.symbol(pattern));
    l.leaf(Kind::Name, pattern, 0, l.tree.symbols.id_of("this"));
    l.close();
  }
  if (typed) type(l, l.child(node, Field::type));
  if (held != 0) l.lower(held);
  l.close();
}

void body(Lowering& l, std::uint32_t node) {
  const std::uint32_t held = l.child(node, Field::body);
  if (held == 0) return;
  if (l.is(held, "statement_block")) return l.block(held, Arm::body);
  l.open(Kind::Block, held, static_cast<std::uint16_t>(Arm::body));  // `x => x + 1`
  l.open(Kind::Return, held);
  l.lower(held);
  l.close();
  l.close();
}

void parts(Lowering& l, std::uint32_t node, const Nodes& decorators) {
  for (const std::uint32_t decorator : decorators)
    l.lower(decorator);
  const std::uint32_t name = l.child(node, Field::name);
  if (name != 0 && l.is(name, "computed_property_name")) l.lower(name);  // it uses what it names
  type(l, l.child(node, Field::type_parameters));
  if (const std::uint32_t only = l.child(node, Field::parameter)) parameter(l, only);
  if (const std::uint32_t list = l.child(node, Field::parameters))
    l.each_named(list, [&](std::uint32_t i) { parameter(l, i); });
  type(l, l.child(node, Field::return_type), flag::returns);
  body(l, node);
}

/// A function that is a value: one with a name is a unit, one without a part of what holds it.
void function_value(Lowering& l, std::uint32_t node, std::uint32_t name) {
  l.open(name == 0 ? Kind::Lambda : Kind::Function, node, member_flags(l, node), name);
  parts(l, node, {});
  l.close();
}

void class_value(Lowering& l, std::uint32_t node, std::uint32_t name, std::uint16_t flags,
                 const Nodes& outer) {
  if (name == 0) name = l.tree.symbols.id_of("<anonymous>");
  l.open_from(after_decorators(l, node), Kind::Class, node,
              static_cast<std::uint16_t>(flags | elsewhere_flag(l, node)), name);
  for (const std::uint32_t decorator : joined(outer, decorators_of(l, node)))
    l.lower(decorator);
  type(l, l.child(node, Field::type_parameters));
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "class_heritage")) l.lower(i);
  });
  if (const std::uint32_t held = l.child(node, Field::body)) class_body(l, held);
  l.close();
}

/// A field is an Assign of its name; one that holds a function is a method.
void field(Lowering& l, std::uint32_t node) {
  std::uint32_t name = l.child(node, Field::property);
  if (name == 0) name = l.child(node, Field::name);
  if (name == 0) return l.inside(node);
  const std::uint32_t held = l.child(node, Field::value);
  const std::uint32_t inner = held == 0 ? 0 : without_parentheses(l, held);
  const std::uint16_t flags = member_flags(l, node);
  const std::uint32_t first = after_decorators(l, node);
  if (inner != 0 && is_function(l, inner)) {
    l.open_from(first, Kind::Function, node,
                static_cast<std::uint16_t>(flags | member_flags(l, inner)), unquoted(l, name));
    parts(l, inner, decorators_of(l, node));
    return l.close();
  }
  l.open_from(first, Kind::Assign, node,
              static_cast<std::uint16_t>(flags | (held == 0 ? flag::bare : std::uint16_t{0})));
  if (l.is(name, "computed_property_name"))
    l.lower(name);
  else
    l.leaf(Kind::Name, name, flag::store, unquoted(l, name));
  for (const std::uint32_t decorator : decorators_of(l, node))
    l.lower(decorator);
  type(l, l.child(node, Field::type));
  if (held != 0) value(l, held, unquoted(l, name));
  l.close();
}

}  // namespace

std::uint32_t unquoted(Lowering& l, std::uint32_t node) {
  std::string_view text = l.cst.text(node);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'' || text.front() == '`'))
    text = text.substr(1, text.size() - 2);
  return l.tree.symbols.id_of(text);
}

void type(Lowering& l, std::uint32_t node, std::uint16_t flags) {
  if (node == 0) return;
  l.open(Kind::Type, node, flags);
  l.inside(node);
  l.close();
}

void value(Lowering& l, std::uint32_t node, std::uint32_t name) {
  const std::uint32_t inner = without_parentheses(l, node);
  if (name != 0 && is_function(l, inner))
    function_value(l, inner, name);
  else if (name != 0 && is_class(l, inner))
    class_value(l, inner, name, 0, {});
  else
    l.lower(node);
}

void plain_function(Lowering& l, std::uint32_t node) { function_value(l, node, own_name(l, node)); }

void function(Lowering& l, std::uint32_t node, std::uint32_t name, std::uint16_t flags,
              const Nodes& decorators) {
  const Nodes all = joined(decorators, decorators_of(l, node));
  l.open_from(after_decorators(l, node), Kind::Function, node,
              static_cast<std::uint16_t>(flags | member_flags(l, node)), name);
  parts(l, node, all);
  l.close();
}

void function_declaration(Lowering& l, std::uint32_t node) {
  function(l, node, own_name(l, node), 0, {});
}

/// `{f() {}}` is `{f: function () {}}`.
void method_of_object(Lowering& l, std::uint32_t node) {
  if (const std::uint32_t name = l.child(node, Field::name)) {
    l.leaf(Kind::Str, name);
    function(l, node, unquoted(l, name), 0, {});
  }
}

void class_declaration(Lowering& l, std::uint32_t node) {
  class_value(l, node, own_name(l, node), 0, {});
}

void class_body(Lowering& l, std::uint32_t node) {
  Nodes decorators;  // TypeScript puts them beside the method
  l.open(Kind::Block, node, static_cast<std::uint16_t>(Arm::body));
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "decorator")) {
      decorators.push_back(i);
      return;
    }
    const bool is_method = l.is(i, "method_definition") || l.is(i, "method_signature") ||
                           l.is(i, "abstract_method_signature");
    if (is_method)
      function(l, i, own_name(l, i), 0, decorators);
    else if (l.is(i, "field_definition") || l.is(i, "public_field_definition"))
      field(l, i);
    else
      l.lower(i);
    decorators.clear();
  });
  l.close();
}

namespace {

void ambient(Lowering& l, std::uint32_t node, std::uint16_t flags, const Nodes& decorators) {
  l.elsewhere_end = std::max(l.elsewhere_end, l.cst.nodes[node].end);
  l.each_named(node, [&](std::uint32_t i) { declaration(l, i, flags, decorators); });
}

}  // namespace

void ambient(Lowering& l, std::uint32_t node) { ambient(l, node, 0, {}); }

std::uint16_t elsewhere_flag(const Lowering& l, std::uint32_t node) {
  return l.cst.nodes[node].start < l.elsewhere_end ? flag::hook : std::uint16_t{0};
}

void declaration(Lowering& l, std::uint32_t node, std::uint16_t flags, const Nodes& decorators) {
  const bool is_plain_function = l.is(node, "function_declaration") ||
                                 l.is(node, "generator_function_declaration") ||
                                 l.is(node, "function_signature");
  if (is_plain_function)
    function(l, node, own_name(l, node), flags, decorators);
  else if (is_class(l, node))
    class_value(l, node, own_name(l, node), flags, decorators);
  else if (l.is(node, "lexical_declaration") || l.is(node, "variable_declaration"))
    variables_of(l, node, flags);
  else if (l.is(node, "ambient_declaration"))
    ambient(l, node, flags, decorators);
  else
    l.lower(node);
}

// --------------------------------------------------------------------------- imports and exports

namespace {

/// One imported name; the name that it is bound to, when another, is its child.
void imported(Lowering& l, std::uint32_t span, std::uint32_t name, std::uint32_t alias) {
  if (alias == 0) return l.leaf(Kind::Name, span, 0, name);
  l.open(Kind::Name, span, 0, name);
  l.leaf(Kind::Name, alias, flag::store, unquoted(l, alias));
  l.close();
}

/// `export type * from` has been read without the word.
bool hands_on_types(const Lowering& l, std::uint32_t node) {
  std::string_view text = l.cst.text(node);
  constexpr std::string_view kExport = "export";
  if (!text.starts_with(kExport)) return false;
  text.remove_prefix(kExport.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text.starts_with("type");
}

bool only_types(const Lowering& l, std::uint32_t node) {
  return l.has_token(node, "type") || l.has_token(node, "typeof") || hands_on_types(l, node);
}

/// `{a, b as c}` of an import or export; false when one of them is there at run time.
bool specifiers(Lowering& l, std::uint32_t list) {
  bool types = true, some = false;
  l.each_named(list, [&](std::uint32_t i) {
    const std::uint32_t name = l.child(i, Field::name);
    if (name == 0) return;
    some = true;
    types = types && only_types(l, i);
    imported(l, i, unquoted(l, name), l.child(i, Field::alias));
  });
  return types && some;
}

std::uint32_t first_named(const Lowering& l, std::uint32_t node) {
  std::uint32_t out = 0;
  l.each_named(node, [&](std::uint32_t i) { out = out == 0 ? i : out; });
  return out;
}

/// A Type among the names says that nothing of it is there at run time.
void mark_types(Lowering& l, std::uint32_t node) { l.leaf(Kind::Type, node); }

/// `default, {…}` or `* as n`; true when all of it are types.
bool clause(Lowering& l, std::uint32_t node) {
  bool types = true;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "named_imports")) {
      const bool all = specifiers(l, i);
      types = types && all;
      return;
    }
    types = false;
    if (l.is(i, "namespace_import"))
      imported(l, i, l.tree.symbols.id_of("*"), first_named(l, i));
    else
      imported(l, i, l.tree.symbols.id_of("default"), i);
  });
  return types;
}

void exported_from(Lowering& l, std::uint32_t node, std::uint32_t source) {
  l.open(Kind::ImportFrom, node, 0, unquoted(l, source));
  bool types = only_types(l, node), named_some = false;
  l.each_named(node, [&](std::uint32_t i) {
    if (i == source || l.is(i, "import_attribute")) return;
    named_some = true;
    if (l.is(i, "export_clause"))
      types = specifiers(l, i) || types;
    else
      imported(l, i, l.tree.symbols.id_of("*"), first_named(l, i));
  });
  if (!named_some) imported(l, node, l.tree.symbols.id_of("*"), 0);
  if (types) mark_types(l, node);
  l.close();
}

/// `export default function f() {}` is `function f() {}` and `export {f as default}`.
void as_default(Lowering& l, std::uint32_t node, std::uint32_t own) {
  if (own == 0) return;
  l.open(Kind::Expr, node, flag::exported);
  l.open(Kind::KwArg, node, 0, l.tree.symbols.id_of("default"));
  l.leaf(Kind::Name, node, 0, own);
  l.close();
  l.close();
}

/// What is handed out under a name of its own: `export default x` is `export {x as default}`.
void exported_value(Lowering& l, std::uint32_t node, std::uint32_t held) {
  const std::uint32_t name = l.tree.symbols.id_of("default");
  const std::uint32_t inner = without_parentheses(l, held);
  if (is_class(l, inner)) {
    const std::uint32_t own = own_name(l, inner);
    class_value(l, inner, own == 0 ? name : own, own == 0 ? flag::exported : std::uint16_t{0},
                decorators_of(l, node));
    return as_default(l, inner, own);
  }
  if (is_function(l, inner)) {
    const std::uint32_t own = own_name(l, inner);
    function(l, inner, own == 0 ? name : own, own == 0 ? flag::exported : std::uint16_t{0}, {});
    return as_default(l, inner, own);
  }
  if (l.is(inner, "identifier")) return as_default(l, node, l.symbol(inner));
  l.open(Kind::Assign, node, flag::exported);
  l.leaf(Kind::Name, node, flag::store, name);
  l.lower(held);
  l.close();
}

}  // namespace

void import_statement(Lowering& l, std::uint32_t node) {
  std::uint32_t source = l.child(node, Field::source), required = 0;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "import_require_clause")) required = i;
  });
  if (required != 0) source = l.child(required, Field::source);
  l.open(Kind::ImportFrom, node, 0, source == 0 ? 0 : unquoted(l, source));
  bool types = only_types(l, node);
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "import_clause")) types = clause(l, i) || types;
  });
  if (required != 0) imported(l, required, l.tree.symbols.id_of("*"), first_named(l, required));
  if (types) mark_types(l, node);
  l.close();
}

void export_statement(Lowering& l, std::uint32_t node) {
  if (const std::uint32_t source = l.child(node, Field::source))
    return exported_from(l, node, source);
  if (const std::uint32_t declared = l.child(node, Field::declaration)) {
    const std::uint32_t own = l.has_token(node, "default") ? own_name(l, declared) : 0;
    declaration(l, declared, own != 0 ? std::uint16_t{0} : flag::exported, decorators_of(l, node));
    return as_default(l, declared, own);
  }
  if (const std::uint32_t held = l.child(node, Field::value)) return exported_value(l, node, held);
  if (l.has_token(node, "namespace")) return;  // a name for programs without modules
  if (l.has_token(node, "=")) return exported_value(l, node, first_named(l, node));
  l.open(Kind::Expr, node, flag::exported);  // `export {a, b as c}` uses what it names
  l.each_named(node, [&](std::uint32_t i) {
    if (!l.is(i, "export_clause")) return l.lower(i);
    l.each_named(i, [&](std::uint32_t specifier) {
      const std::uint32_t name = l.child(specifier, Field::name),
                          alias = l.child(specifier, Field::alias);
      if (alias != 0) l.open(Kind::KwArg, specifier, 0, unquoted(l, alias));
      if (name != 0) l.lower(name);
      if (alias != 0) l.close();
    });
  });
  l.close();
}

}  // namespace gh::syntax::js
