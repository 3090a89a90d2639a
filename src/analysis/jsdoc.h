// Types that the comment above a function tells, where the language itself has none (analysis
// reference, "Adoption").
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/ir.h"

namespace gh::analysis {

struct ToldTypes {
  struct Param {
    std::string_view name, type;
    bool operator==(const Param&) const = default;
  };
  std::vector<Param> params{};  // `@param {T} name`, in their order; properties of one left out
  std::string_view returns{};   // `@returns {T}`
};
ToldTypes told_types(std::string_view comment);

/// The `/** … */` that belongs to the declaration: no empty line and no other code between. Empty
/// when there is none.
std::string_view jsdoc_above(const syntax::Tree&, std::uint32_t declaration);

/// `any`, `unknown` or `*` somewhere in it.
bool tells_anything(std::string_view type);

}  // namespace gh::analysis
