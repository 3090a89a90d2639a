#pragma once
// The order in which violations are reported and the cut after the first fifty (patch-gate 3).
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/patch_rule.h"
#include "patch/outcome.h"

namespace gh::patch {

struct Violations {
  std::vector<Violation> first;  // at most kMaxViolations
  std::int64_t total = 0;
  bool empty() const { return total == 0; }
};

/// Collects in section order; inside a section the order is that of the rule table, whatever the
/// order of discovery. A hostile patch breaks rules a million times: texts are made for the
/// violations that are kept, the others are counted.
class ViolationCollector {
 public:
  template <class Make>  // Make: () -> Violation
  void add(Rule rule, Make&& make) {
    ++total_;
    auto& seen = seen_in_section_[static_cast<std::size_t>(rule)];
    if (kept_.size() >= kMaxViolations || seen >= kMaxViolations) return;
    ++seen;
    pending_.push_back(std::forward<Make>(make)());
  }
  void add(Violation v) {
    const Rule rule = v.rule;
    add(rule, [&] { return std::move(v); });
  }
  void end_section();
  bool empty() const { return total_ == 0; }
  Violations take();

 private:
  std::vector<Violation> kept_, pending_;
  std::array<std::uint8_t, kRuleCount> seen_in_section_{};
  std::int64_t total_ = 0;
};

/// A path or line of the patch as it stands in a message: quoted, printable, cut to `most`
/// characters. Two of full length and their sentence fit into 240.
std::string shown(std::string_view raw, std::size_t most = 80);

}  // namespace gh::patch
