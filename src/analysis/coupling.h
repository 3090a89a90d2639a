// CBO: what a class cannot do without (analysis reference, "Coupling").
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "syntax/ir.h"

namespace gh::analysis {

struct ClassUses {
  std::set<std::string> targets{};    // imported by name, or classes of the file
  std::set<std::string> elsewhere{};  // where a language shows classes of other files unnamed
};

/// What a class of the file can depend on: everything the file imports, and its other classes.
class Coupling {
 public:
  explicit Coupling(const syntax::Tree&);
  /// Names that the class at `node` uses. A name that is bound inside the class is no use.
  ClassUses uses_of(std::uint32_t node) const;
  /// Does the name stand for something outside the class at `node`?
  bool is_target(std::string_view name, std::uint32_t node) const;
  /// What the name stands for: two names of one import stand for the same.
  std::string_view resolved(std::string_view name) const;
  /// What it is called where it was imported from; itself when it was not.
  std::string_view imported_as(std::string_view name) const;

 private:
  const syntax::Tree& tree_;
  std::unordered_map<std::string_view, std::string> imported_{};  // by name: the whole path
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> classes_{};
};
std::set<std::string> coupled_names(const syntax::Tree&, std::uint32_t node);

}  // namespace gh::analysis
