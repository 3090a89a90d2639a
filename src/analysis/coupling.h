// CBO: what a class cannot do without (analysis reference, "Coupling").
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "syntax/ir.h"

namespace gh::analysis {

/// What a class of the file can depend on: everything the file imports, and its other classes.
class Coupling {
 public:
  explicit Coupling(const syntax::Tree&);
  /// Names of the imported modules, imported symbols and other classes of the file that the class
  /// at `node` uses, sorted. A name that is bound inside the class is no use.
  std::set<std::string> names_of(std::uint32_t node) const;
  /// Does the name stand for something outside the class at `node`?
  bool is_target(std::string_view name, std::uint32_t node) const;

 private:
  const syntax::Tree& tree_;
  std::unordered_set<std::string_view> imported_{};
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> classes_{};
};
std::set<std::string> coupled_names(const syntax::Tree&, std::uint32_t node);

}  // namespace gh::analysis
