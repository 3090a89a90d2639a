// Declarations of Java: classes, members, parameters, imports.
#include <algorithm>
#include <string>

#include "syntax/java.h"

namespace gh::syntax::java {
namespace {

using parts::type_of;

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') out += c;
  return out;
}

/// `static`, and what other files may name.
std::uint16_t modifier_flags(const Lowering& l, std::uint32_t node) {
  const std::uint32_t modifiers = child_of_type(l, node, "modifiers");
  if (modifiers == 0) return 0;
  std::uint16_t out = 0;
  if (l.has_token(modifiers, "static")) out |= flag::of_class;
  if (l.has_token(modifiers, "public") || l.has_token(modifiers, "protected"))
    out |= flag::exported;
  return out;
}

/// A declaration begins after its annotations.
std::uint32_t first_of(const Lowering& l, std::uint32_t node) {
  const auto skip = [&](std::uint32_t at, std::uint32_t end) {
    while (at < end && (is_annotation(l, at) || l.cst.nodes[at].row == kCommentRow))
      at = l.cst.nodes[at].next;
    return at;
  };
  const std::uint32_t end = l.cst.nodes[node].next;
  std::uint32_t at = skip(node + 1, end);
  if (at < end && l.is(at, "modifiers")) {
    const std::uint32_t word = skip(at + 1, l.cst.nodes[at].next);
    at = word < l.cst.nodes[at].next ? word : skip(l.cst.nodes[at].next, end);
  }
  return at < end ? at : node;
}

void decorators(Lowering& l, std::uint32_t node) {
  if (const std::uint32_t modifiers = child_of_type(l, node, "modifiers")) l.inside(modifiers);
}

void variables_of(Lowering& l, std::uint32_t node, std::uint16_t flags, bool annotated) {
  const std::uint32_t declared = l.child(node, Field::type);
  each_of(l, node, Field::declarator, [&](std::uint32_t i) {
    const std::uint32_t name = l.child(i, Field::name), held = l.child(i, Field::value);
    l.open(Kind::Assign, i,
           static_cast<std::uint16_t>(flags | (held == 0 ? flag::bare : std::uint16_t{0})));
    if (name != 0) l.lower(name, true);
    if (annotated) decorators(l, node);
    type_of(l, declared);
    if (held != 0) l.lower(held);
    l.close();
  });
}

void parameter(Lowering& l, std::uint32_t node) {
  if (l.is(node, "receiver_parameter")) return;
  std::uint32_t name = node, declared = 0;
  auto kind = ParamKind::pos_only;
  if (l.is(node, "formal_parameter")) {
    name = l.child(node, Field::name);
    declared = l.child(node, Field::type);
  } else if (l.is(node, "spread_parameter")) {
    kind = ParamKind::vararg;
    l.each_named(node, [&](std::uint32_t i) {
      if (l.is(i, "variable_declarator"))
        name = l.child(i, Field::name);
      else if (!l.is(i, "modifiers") && !is_annotation(l, i))
        declared = i;
    });
  }
  l.open(Kind::Param, node, static_cast<std::uint16_t>(kind), name == 0 ? 0 : l.symbol(name));
  decorators(l, node);
  type_of(l, declared);
  l.close();
}

void parameters(Lowering& l, std::uint32_t list) {
  if (list == 0) return;
  if (l.is(list, "identifier")) return parameter(l, list);
  l.each_named(list, [&](std::uint32_t i) { parameter(l, i); });
}

/// What a record is made of: as many parameters has its constructor that lists none. They bear no
/// names: in its body a name stands for the field that it becomes.
void components_as_parameters(Lowering& l, std::uint32_t constructor) {
  std::uint32_t record = constructor;
  while (record > 0 &&
         (l.cst.nodes[record].next <= constructor || !l.is(record, "record_declaration")))
    --record;
  if (const std::uint32_t list = l.child(record, Field::parameters))
    l.each_named(list, [&](std::uint32_t) {
      l.leaf(Kind::Param, constructor, static_cast<std::uint16_t>(ParamKind::pos_only));
    });
}

}  // namespace

std::uint32_t child_of_type(const Lowering& l, std::uint32_t node, std::string_view type) {
  std::uint32_t out = 0;
  l.each_named(node, [&](std::uint32_t i) {
    if (out == 0 && l.is(i, type)) out = i;
  });
  return out;
}

bool is_annotation(const Lowering& l, std::uint32_t node) {
  return l.is(node, "annotation") || l.is(node, "marker_annotation");
}

/// `@A` and `@A(x)`: a name or a call of it.
void annotation(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name), list = l.child(node, Field::arguments);
  l.open(Kind::Decorator, node);
  if (list != 0) l.open(Kind::Call, node);
  if (name != 0) l.lower(name);
  if (list != 0) {
    l.inside(list);
    l.close();
  }
  l.close();
}

void local_variables(Lowering& l, std::uint32_t node) { variables_of(l, node, 0, false); }

void fields(Lowering& l, std::uint32_t node) {
  variables_of(l, node, modifier_flags(l, node), true);
}

/// Those of an interface are static and seen by all.
void constants(Lowering& l, std::uint32_t node) {
  variables_of(l, node, flag::of_class | flag::exported, true);
}

void method(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name);
  l.open_from(first_of(l, node), Kind::Function, node, modifier_flags(l, node),
              name == 0 ? 0 : l.symbol(name));
  decorators(l, node);
  if (const std::uint32_t types = l.child(node, Field::type_parameters)) l.lower(types);
  if (const std::uint32_t thrown = child_of_type(l, node, "throws")) l.lower(thrown);
  if (l.is(node, "compact_constructor_declaration"))
    components_as_parameters(l, node);
  else
    parameters(l, l.child(node, Field::parameters));
  type_of(l, l.child(node, Field::type), flag::returns);
  if (const std::uint32_t body = l.child(node, Field::body)) l.block(body, Arm::body);
  l.close();
}

void lambda(Lowering& l, std::uint32_t node) {
  const std::uint32_t body = l.child(node, Field::body);
  l.open(Kind::Lambda, node);
  parameters(l, l.child(node, Field::parameters));
  if (body != 0 && l.is(body, "block")) {
    l.block(body, Arm::body);
  } else if (body != 0) {
    l.open(Kind::Block, body, static_cast<std::uint16_t>(Arm::body));
    l.open(Kind::Return, body);
    l.lower(body);
    l.close();
    l.close();
  }
  l.close();
}

/// The components of a record are its fields.
void class_body(Lowering& l, std::uint32_t node, std::uint32_t components) {
  l.open(Kind::Block, node, static_cast<std::uint16_t>(Arm::body));
  if (components != 0)
    l.each_named(components, [&](std::uint32_t i) {
      const std::uint32_t name = l.child(i, Field::name);
      if (name == 0) return;
      l.open(Kind::Assign, i, flag::bare);
      l.lower(name, true);
      type_of(l, l.child(i, Field::type));
      l.close();
    });
  l.inside(node);
  l.close();
}

void declared_class(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name);
  const bool is_protocol =
      l.is(node, "interface_declaration") || l.is(node, "annotation_type_declaration");
  const auto seen = static_cast<std::uint16_t>(modifier_flags(l, node) & flag::exported);
  l.open_from(first_of(l, node), Kind::Class, node,
              static_cast<std::uint16_t>(seen | (is_protocol ? flag::protocol : std::uint16_t{0})),
              name == 0 ? 0 : l.symbol(name));
  decorators(l, node);
  if (const std::uint32_t types = l.child(node, Field::type_parameters)) l.lower(types);
  l.each_named(node, [&](std::uint32_t i) {
    const bool is_base = l.is(i, "superclass") || l.is(i, "super_interfaces") ||
                         l.is(i, "extends_interfaces") || l.is(i, "permits");
    if (is_base) l.lower(i);
  });
  if (const std::uint32_t body = l.child(node, Field::body))
    class_body(l, body, l.is(node, "record_declaration") ? l.child(node, Field::parameters) : 0);
  l.close();
}

/// A constant of an enum: a static field, made by a call of the constructor.
void enum_constant(Lowering& l, std::uint32_t node) {
  const std::uint32_t list = l.child(node, Field::arguments), body = l.child(node, Field::body);
  l.open_from(first_of(l, node), Kind::Assign, node, flag::of_class | flag::exported);
  if (const std::uint32_t name = l.child(node, Field::name)) l.lower(name, true);
  decorators(l, node);
  if (list != 0) l.inside(list);
  if (body != 0) {
    l.open(Kind::Class, body, 0, l.tree.symbols.id_of("<anonymous>"));
    class_body(l, body, 0);
    l.close();
  }
  l.close();
}

/// It names the file, and stands for nothing in it.
void package_declaration(Lowering& l, std::uint32_t node) {
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "scoped_identifier") || l.is(i, "identifier"))
      l.tree.package = without_blanks(l.cst.text(i));
  });
}

namespace {

/// `import module a.b;` has been read without the word.
bool names_module(std::string_view text) {
  constexpr std::string_view kImport = "import", kModule = "module";
  text.remove_prefix(std::min(kImport.size(), text.size()));
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (!text.starts_with(kModule)) return false;
  return std::string_view(" \t\r\n").find(text.substr(kModule.size(), 1)) != std::string_view::npos;
}

}  // namespace

/// `import a.b.C;`: C of a.b; a `*` is all of a.b.C, as is a module.
void import_declaration(Lowering& l, std::uint32_t node) {
  std::string path;
  bool all = names_module(l.cst.text(node));
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "asterisk"))
      all = true;
    else
      path += without_blanks(l.cst.text(i));
  });
  const std::size_t dot = path.rfind('.');
  const std::string from = all ? path : dot == std::string::npos ? "" : path.substr(0, dot);
  const std::string name = all ? "*" : path.substr(dot == std::string::npos ? 0 : dot + 1);
  l.open(Kind::ImportFrom, node, 0, l.tree.symbols.id_of_copy(from));
  l.leaf(Kind::Name, node, 0, l.tree.symbols.id_of_copy(name));
  l.close();
}

}  // namespace gh::syntax::java
