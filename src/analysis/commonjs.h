// What a module of Node hands out by assignment: `module.exports`, and members of it.
#pragma once

#include <cstdint>

#include "syntax/ir.h"

namespace gh::analysis {

/// `module.exports`
bool is_module_exports(const syntax::Tree&, std::uint32_t node);
/// `exports.x`, `module.exports.x`
bool is_member_of_exports(const syntax::Tree&, std::uint32_t node);

}  // namespace gh::analysis
