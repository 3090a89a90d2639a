#include "patch/violations.h"

#include <algorithm>

#include "base/text.h"
#include "base/unicode.h"

namespace gh::patch {

void ViolationCollector::end_section() {
  if (pending_.empty()) return;
  std::ranges::stable_sort(pending_, {}, &Violation::rule);
  const std::size_t room = std::min(pending_.size(), kMaxViolations - kept_.size());
  std::move(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(room),
            std::back_inserter(kept_));
  pending_.clear();
  seen_in_section_.fill(0);
}

Violations ViolationCollector::take() {
  end_section();
  return {std::move(kept_), total_};
}

std::string shown(std::string_view raw, std::size_t most) {
  std::string text = printable(raw, most);
  std::size_t characters = 0, at = 0;
  while (at < text.size() && characters < most) {
    next_code_point(text, at);
    ++characters;
  }
  if (at < text.size()) text.replace(at, std::string::npos, "…");  // escapes have made it longer
  return "'" + text + "'";
}

}  // namespace gh::patch
