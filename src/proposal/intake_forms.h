#pragma once
// One reader per outside form of a diff. Private to proposal.
#include <string_view>

#include "proposal/intake.h"

namespace gh::proposal {

/// Walks over lines; only LF ends one, and the last may lack it.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool done() const { return rest_.empty(); }
  std::string_view current() const { return rest_.substr(0, rest_.find('\n')); }
  std::string_view rest() const { return rest_; }
  std::string_view take() {
    const std::string_view line = current();
    rest_.remove_prefix(line.size() == rest_.size() ? line.size() : line.size() + 1);
    return line;
  }

 private:
  std::string_view rest_;
};

bool is_mail(std::string_view text);  // "From <40 or 64 hex> Mon Sep 17 00:00:00 2001"
tl::expected<Intake, Finding> unwrap_mail(std::string_view text);

tl::expected<Intake, Finding> from_traditional(std::string_view text);

}  // namespace gh::proposal
