// How statements hold statements: shared by everything that walks a unit.
#pragma once

#include <cstdint>
#include <vector>

#include "syntax/ir.h"

namespace gh::analysis {

/// Nothing after it in the same list is reached.
inline bool is_terminator(syntax::Kind kind) {
  using syntax::Kind;
  return kind == Kind::Return || kind == Kind::Raise || kind == Kind::Break ||
         kind == Kind::Continue;
}

/// What follows it in the same list is reached, whatever stands before: where `goto` leads
/// (elsewhere a label only gives a loop a name), and a case of the switch around.
inline bool is_jumped_to(const syntax::Tree& tree, std::uint32_t statement) {
  using syntax::Language;
  const bool has_goto = tree.language == Language::c || tree.language == Language::cpp ||
                        tree.language == Language::go;
  const syntax::Kind kind = tree[statement].kind;
  return kind == syntax::Kind::Case || (has_goto && kind == syntax::Kind::Label);
}

/// Statements whose arms are lists of statements of the same unit.
inline bool is_compound(syntax::Kind kind) {
  using syntax::Kind;
  return kind == Kind::If || kind == Kind::For || kind == Kind::While || kind == Kind::DoWhile ||
         kind == Kind::Try || kind == Kind::With || kind == Kind::Match;
}

/// A string that stands alone, as docstrings do.
bool is_bare_string(const syntax::Tree&, std::uint32_t statement);

/// The body of a function or class; 0 when it has none.
std::uint32_t body_of(const syntax::Tree&, std::uint32_t declaration);

/// `f(block)` for each list of statements directly below a compound statement.
template <class F>
void each_arm(const syntax::Tree& tree, std::uint32_t statement, F&& f) {
  using syntax::Kind;
  for (const std::uint32_t child : syntax::Children(tree, statement)) {
    if (tree[child].kind == Kind::Block) f(child);
    if (tree[child].kind == Kind::Handler || tree[child].kind == Kind::Case)
      for (const std::uint32_t inner : syntax::Children(tree, child))
        if (tree[inner].kind == Kind::Block) f(inner);
  }
}

}  // namespace gh::analysis
