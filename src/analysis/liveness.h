// Which symbols are used: by name, from where, and whether what uses them is used itself.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/symbols.h"
#include "analysis/use_graph.h"

namespace gh::analysis {

/// Who names whom. Nodes are symbols; the node `root` stands for the code of all modules.
class Liveness {
 public:
  Liveness(const Project&, const SymbolIndex&, const std::vector<bool>& is_candidate);

  /// Something outside of the symbol's own code uses it.
  bool is_referenced(std::uint32_t symbol) const;

  /// What `roots` reach, by the number of steps from them on, roots being 1 and what is not reached
  /// 0. `follows_parent`: it is used when the class around it is.
  std::vector<std::uint32_t> reached_from(const std::vector<bool>& roots,
                                          const std::vector<bool>& follows_parent,
                                          bool and_modules) const;

  /// All but `levels` and `ways`.
  UseGraph graph(const Project&) const;

 private:
  /// Lists of numbers, one per key, in one array.
  struct Lists {
    std::vector<std::uint32_t> starts{}, values{};
    Lists() = default;
    Lists(std::size_t keys, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs);
    std::span<const std::uint32_t> operator[](std::uint32_t key) const {
      return {values.data() + starts[key], values.data() + starts[key + 1]};
    }
  };

  bool is_inside(std::uint32_t node, std::uint32_t symbol) const;

  const SymbolIndex& index_;
  std::uint32_t root_;
  std::vector<std::uint32_t> name_of_;  // of each symbol, kNone for those that are never asked for
  std::vector<std::string_view> names_{};                               // their texts
  std::vector<std::pair<std::uint32_t, std::uint32_t>> module_uses_{};  // names by files
  Lists users_of_name_{}, names_used_by_{}, bearers_{};
  Lists targets_of_{}, sources_of_{};  // what is named by its place, not by its name alone
};

}  // namespace gh::analysis
