// Functions and classes of a file as a caller sees them: names, parameters, decorators, bases.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/bindings.h"
#include "analysis/names.h"
#include "syntax/ir.h"

namespace gh::analysis {

enum class DeclarationKind : std::uint8_t { function, method, nested, class_ };
std::string_view to_string(DeclarationKind);

struct ParamFact {
  NameId name = 0;
  syntax::ParamKind kind = syntax::ParamKind::pos_or_kw;
  bool has_default = false, is_receiver = false, has_any = false;
  std::uint64_t annotation = 0;  // a hash of its text; 0: none
  bool operator==(const ParamFact&) const = default;
};

struct DeclarationFact {
  NameId local_name = 0, name = 0;
  DeclarationKind kind = DeclarationKind::function;
  std::uint32_t parent = kNone;  // the declaration around it
  std::uint32_t fact = 0;        // its place in `units` or `classes`
  std::uint32_t start_line = 0, end_line = 0;
  bool incomplete = false;
  bool inside_function = false;  // it, or a class around it
  bool is_exempt = false;        // never unused: overloads, abstract methods, protocols, hooks
  bool is_overload = false, is_static = false, is_property = false, is_documented = false;
  bool has_unknown_decorator = false, is_protocol = false;
  bool is_offered = false, is_hidden = false;  // by a word of the language
  bool is_hook = false;                        // called by what is not seen, such as an override
  bool is_declared_only = false;               // without a body
  bool is_extension = false;                   // members of a class that is declared elsewhere
  bool returns_any = false;
  std::uint64_t returns = 0;  // a hash of the annotation; 0: none
  std::uint32_t params_from = 0, params_to = 0, bases_from = 0, bases_to = 0;
};

/// What is assigned at the top of a module; elsewhere than in Python also what is only declared.
struct ConstantFact {
  NameId name = 0;
  std::uint32_t start_line = 0, end_line = 0;
  bool is_offered = false, is_hidden = false;  // by a word of the language
};

struct Declarations {
  std::vector<DeclarationFact> all{};  // in the order of the source
  std::vector<ParamFact> params{};
  std::vector<NameId> bases{};  // resolved dotted names; the empty name for any other expression
  std::vector<ConstantFact> constants{};  // each name once
};

/// `nodes[i]` is the node of declaration i.
Declarations declarations_of(const syntax::Tree&, const Bindings&, NameWriter&,
                             std::vector<std::uint32_t>& nodes);

/// What a decorator names, resolved; its arguments do not matter.
std::string decorator_target(const syntax::Tree&, const Bindings&, std::uint32_t decorator);

/// Statements that are executed when the module is, in order: also below conditions and `try`.
std::vector<std::uint32_t> top_level_statements(const syntax::Tree&);

}  // namespace gh::analysis
