// The rows that say what each node of a grammar means.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "syntax/ir.h"
#include "syntax/languages.h"

struct TSLanguage;

namespace gh::syntax {

class Lowering;
struct Cst;

// Fields of grammars that rows and specials ask for; the names are the grammars' own.
enum class Field : std::uint8_t {
  none,
  alias,
  alternative,
  argument,
  arguments,
  attribute,
  base,
  body,
  capacity,
  captures,
  cause,
  communication,
  condition,
  consequence,
  constructor,
  declaration,
  declarator,
  default_value,
  definition,
  designator,
  directive,
  end,
  expression,
  field,
  format_specifier,
  function,
  guard,
  increment,
  indices,
  init,
  initializer,
  key,
  label,
  left,
  list,
  macro,
  module_name,
  name,
  object,
  open_tag,
  operand,
  operator_,
  operators,
  parameter,
  parameters,
  path,
  pattern,
  placement,
  property,
  receiver,
  resources,
  result,
  return_type,
  right,
  scope,
  size,
  source,
  start,
  subject,
  subscript,
  superclasses,
  tag,
  trait,
  type,
  type_arguments,
  type_conversion,
  type_parameters,
  update,
  value,
};
inline constexpr std::size_t kFieldCount = static_cast<std::size_t>(Field::value) + 1;
std::string_view to_string(Field);

/// What becomes of a child.
enum class Role : std::uint8_t {
  plain,   // lowered in its place
  drop,    // left out
  symbol,  // its text is the node's symbol
  op,      // its text is the node's operator
  target,  // lowered as something that is written to
  inside,  // its children in its place
  body,
  then,
  otherwise,
  loop_else,
  finally,  // a Block of that arm
};

enum class Shape : std::uint8_t {
  node,     // one IR node, children by role
  leaf,     // one IR node without children
  name,     // a Name, its symbol the text
  inside,   // vanishes, its children stay
  skip,     // vanishes
  special,  // a function says what it becomes
};

struct FieldRole {
  Field field = Field::none;
  Role role = Role::plain;
};

struct Row {
  std::string_view type;
  Shape shape = Shape::node;
  Kind kind = Kind::Opaque;
  std::uint16_t flags = 0;
  std::array<FieldRole, 4> roles{};
  void (*special)(Lowering&, std::uint32_t node) = nullptr;
};

inline constexpr std::uint32_t kNowhere = 0xffffffff;

struct LanguageSpec {
  Language language;
  const TSLanguage* (*grammar)();
  std::span<const Row> rows;
  bool by_layout = false;  // line breaks and indentation are part of the grammar
  /// What the parser reads instead of the source, byte for byte as long; names are not taken from
  /// it.
  std::string (*readable)(std::string_view source) = nullptr;
  /// The same for a text that could not be read whole, when something in it is known to be the
  /// reason.
  std::optional<std::string> (*second_reading)(std::string_view source) = nullptr;
  /// Where a node that the grammar reads is none of the language; kNowhere where it is.
  std::uint32_t (*invalid_at)(const Cst&, std::uint32_t node) = nullptr;
};
/// nullptr for a language that has no rows yet.
const LanguageSpec* spec_of(Language);

}  // namespace gh::syntax
