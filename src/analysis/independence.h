// Methods that never look at their instance (analysis reference, "Methods without an instance").
#pragma once

#include <cstdint>
#include <string_view>

#include "analysis/bindings.h"
#include "syntax/ir.h"

namespace gh::analysis {

/// Why such a method is as it is; the first that holds. Only a candidate is shown.
enum class Independence : std::uint8_t {
  none,  // it uses its instance, or has none
  noop_stub,
  property_like,
  dunder_protocol,
  interface_contract,
  override_context,
  decorated_context,
  candidate,
};
std::string_view to_string(Independence);

/// Of a function that stands in a class; `owner` is the class.
Independence independence_of(const syntax::Tree&, const Bindings&, std::uint32_t method,
                             std::uint32_t owner);

}  // namespace gh::analysis
