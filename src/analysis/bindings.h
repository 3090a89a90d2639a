// What the names that a file imports stand for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "syntax/ir.h"

namespace gh::analysis {

class Bindings {
 public:
  explicit Bindings(const syntax::Tree&);
  bool is_imported(std::uint32_t symbol) const { return targets_.contains(symbol); }
  const std::string* target_of(std::uint32_t symbol) const {
    const auto at = targets_.find(symbol);
    return at == targets_.end() ? nullptr : &at->second;
  }
  const std::unordered_map<std::uint32_t, std::string>& targets() const { return targets_; }
  /// `P` after `from typing import Protocol as P` is `typing.Protocol`; a name that is not imported
  /// is itself. Empty for what is no dotted name; what is subscripted counts as the thing itself.
  std::string resolve(std::uint32_t expression) const;

 private:
  const syntax::Tree& tree_;
  std::unordered_map<std::uint32_t, std::string> targets_{};
};

}  // namespace gh::analysis
