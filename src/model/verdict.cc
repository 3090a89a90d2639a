#include "model/verdict.h"

#include <algorithm>
#include <array>

namespace gh {

std::string_view to_string(Decision d) {
  static constexpr std::array<std::string_view, 4> kNames{"allow", "review", "unverified", "deny"};
  return kNames[static_cast<std::size_t>(d)];
}

std::string_view to_string(Severity s) {
  static constexpr std::array<std::string_view, 3> kNames{"error", "warning", "note"};
  return kNames[static_cast<std::size_t>(s)];
}

Decision worst(const std::vector<Part>& parts) {
  Decision out = Decision::allow;
  for (const Part& p : parts)
    if (p.ran) out = std::max(out, p.decision);
  return out;
}

}  // namespace gh
