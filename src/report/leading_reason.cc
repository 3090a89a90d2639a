#include "report/leading_reason.h"

#include <algorithm>

namespace gh::report {

const Reason* leading_reason(const Verdict& v, std::string_view gate) {
  const auto has_place = [&](const Reason& r) {
    return r.gate == gate && !r.path.empty() && r.severity != Severity::note;
  };
  auto found = std::ranges::find(v.reasons, gate, &Reason::gate);
  if (gate != "patch")
    if (const auto placed = std::ranges::find_if(v.reasons, has_place); placed != v.reasons.end())
      found = placed;
  return found == v.reasons.end() ? nullptr : &*found;
}

}  // namespace gh::report
