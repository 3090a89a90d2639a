#include "analysis/ratio.h"

namespace gh::analysis {

Decimal ratio(std::uint64_t part, std::uint64_t whole, int places) {
  if (whole == 0) return {};
  std::uint64_t scale = 1;
  for (int i = 0; i < places; ++i)
    scale *= 10;
  const std::uint64_t scaled = part * scale;
  std::uint64_t quotient = scaled / whole;
  const std::uint64_t twice = 2 * (scaled % whole);
  if (twice > whole || (twice == whole && quotient % 2 == 1)) ++quotient;
  return Decimal{static_cast<std::int64_t>(quotient * (10'000 / scale))};
}

}  // namespace gh::analysis
