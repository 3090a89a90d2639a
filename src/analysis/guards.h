// How a unit begins and ends: the checks at its entry, its last statement, the order of checks and
// effects (analysis reference, "Entry guards").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/contents.h"
#include "syntax/ir.h"

namespace gh::analysis {

/// How a list of statements ends.
enum class Terminal : std::uint8_t {
  return_none,
  return_const,
  return_name,
  return_expr,
  raise,
  assign,
  expr,
  fallthrough,
};
std::string_view to_string(Terminal);
Terminal terminal_of(const syntax::Tree&, std::uint32_t block);

enum class TryProfile : std::uint8_t { none, try_no_finally, try_finally };
std::string_view to_string(TryProfile);

enum class EffectOrder : std::uint8_t { none, effect_only, guard_then_effect, effect_before_guard };
std::string_view to_string(EffectOrder);

struct Guards {
  std::vector<Terminal> exits{};  // of each check at the entry, in order
  bool effect_before = false;     // something happens before the first of them
  Terminal terminal = Terminal::fallthrough;
  TryProfile tries = TryProfile::none;
  EffectOrder order = EffectOrder::none;

  std::string profile() const;  // "none", "2x:raise,return_none"
};
Guards guards_of(const syntax::Tree&, const Contents&, std::uint32_t body);

}  // namespace gh::analysis
