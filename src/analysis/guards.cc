#include "analysis/guards.h"

#include <array>

#include "analysis/statements.h"

namespace gh::analysis {
namespace {

using syntax::Arm;
using syntax::Children;
using syntax::Kind;
using syntax::Tree;

// table: terminals
constexpr std::array<std::string_view, 8> kTerminals{"return_none", "return_const", "return_name",
                                                     "return_expr", "raise",        "assign",
                                                     "expr",        "fallthrough"};
// table: try profiles
constexpr std::array<std::string_view, 3> kTries{"none", "try_no_finally", "try_finally"};
// table: effect orders
constexpr std::array<std::string_view, 4> kOrders{"none", "effect_only", "guard_then_effect",
                                                  "effect_before_guard"};

Terminal return_of(const Tree& tree, std::uint32_t statement) {
  if (tree[statement].end == statement + 1) return Terminal::return_none;
  const std::uint32_t value = statement + 1;
  switch (tree[value].kind) {
    case Kind::Const:
    case Kind::Str:
      return Terminal::return_const;
    case Kind::Name:
      return Terminal::return_name;
    default:
      return Terminal::return_expr;
  }
}

bool leaves(Terminal terminal) {
  return terminal <= Terminal::raise;  // return of any kind, or raise
}

/// The arm of a check at the entry: an `if` without `else`, whose body leaves the unit. 0: none.
std::uint32_t guarded_arm(const Tree& tree, std::uint32_t statement) {
  if (tree[statement].kind != Kind::If) return 0;
  std::uint32_t then = 0;
  for (const std::uint32_t child : Children(tree, statement)) {
    if (tree[child].kind != Kind::Block) continue;
    if (tree[child].flags == static_cast<std::uint16_t>(Arm::otherwise)) return 0;
    then = child;
  }
  return then != 0 && leaves(terminal_of(tree, then)) ? then : 0;
}

bool has_effect(const Tree& tree, const Contents& contents, std::uint32_t statement) {
  switch (tree[statement].kind) {
    case Kind::Assign:
    case Kind::AugAssign:
    case Kind::VarDecl:
    case Kind::Delete:
    case Kind::Import:
    case Kind::ImportFrom:
    case Kind::With:
    case Kind::Defer:
    case Kind::Raise:
    case Kind::Return:
    case Kind::Break:
    case Kind::Continue:
      return true;
    case Kind::Expr:
      return contents.has(statement, content::call | content::pause);
    default:
      return false;
  }
}

EffectOrder order_of(const Guards& guards, bool effect_after) {
  if (!guards.exits.empty() && guards.effect_before) return EffectOrder::effect_before_guard;
  if (!guards.exits.empty())
    return effect_after ? EffectOrder::guard_then_effect : EffectOrder::none;
  return guards.effect_before ? EffectOrder::effect_only : EffectOrder::none;
}

}  // namespace

std::string_view to_string(Terminal t) { return kTerminals[static_cast<std::size_t>(t)]; }
std::string_view to_string(TryProfile p) { return kTries[static_cast<std::size_t>(p)]; }
std::string_view to_string(EffectOrder o) { return kOrders[static_cast<std::size_t>(o)]; }

Terminal terminal_of(const Tree& tree, std::uint32_t block) {
  std::uint32_t last = 0;
  for (const std::uint32_t child : Children(tree, block))
    last = child;
  if (last == 0) return Terminal::fallthrough;
  switch (tree[last].kind) {
    case Kind::Return:
      return return_of(tree, last);
    case Kind::Raise:
      return Terminal::raise;
    case Kind::Assign:
    case Kind::AugAssign:
    case Kind::VarDecl:
      return Terminal::assign;
    case Kind::Expr:
      return Terminal::expr;
    default:
      return Terminal::fallthrough;
  }
}

std::string Guards::profile() const {
  if (exits.empty()) return "none";
  std::string out = std::to_string(exits.size()) + "x:";
  for (std::size_t i = 0; i < exits.size(); ++i)
    out.append(i == 0 ? "" : ",").append(to_string(exits[i]));
  return out;
}

Guards guards_of(const Tree& tree, const Contents& contents, std::uint32_t body) {
  Guards out{.exits = {}, .terminal = terminal_of(tree, body)};
  out.tries = contents.has(body, content::finally)   ? TryProfile::try_finally
              : contents.has(body, content::attempt) ? TryProfile::try_no_finally
                                                     : TryProfile::none;
  bool over = false, effect_after = false;  // the row of checks
  for (const std::uint32_t statement : Children(tree, body)) {
    if (tree[statement].kind == Kind::Pass || is_bare_string(tree, statement)) continue;
    const std::uint32_t arm = over ? 0 : guarded_arm(tree, statement);
    if (arm != 0) {
      out.exits.push_back(terminal_of(tree, arm));
      continue;
    }
    over = !out.exits.empty();
    (over ? effect_after : out.effect_before) |= has_effect(tree, contents, statement);
  }
  out.order = order_of(out, effect_after);
  if (out.exits.empty()) out.effect_before = false;
  return out;
}

}  // namespace gh::analysis
