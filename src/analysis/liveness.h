// Which symbols are used: by name, from where, and whether what uses them is used itself.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/dead_code.h"
#include "analysis/symbols.h"
#include "analysis/use_graph.h"

namespace gh::analysis {

using NumberPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// What a graph of uses is made from. In both lists the number of symbols stands for the code of
/// all modules.
struct UsesOf {
  std::vector<std::uint32_t> parents{}, name_of{};  // by symbol
  std::size_t names = 0;
  NumberPairs uses{};   // names by users
  NumberPairs edges{};  // who names whom by its place, not by its name alone
};

/// Who names whom. Nodes are symbols; one more stands for the code of all modules.
class Liveness {
 public:
  Liveness(const Project&, const SymbolIndex&, const std::vector<bool>& is_candidate);
  explicit Liveness(UsesOf);

  bool is_candidate(std::uint32_t symbol) const { return name_of_[symbol] != kNone; }
  /// Something outside of the symbol's own code uses it.
  bool is_referenced(std::uint32_t symbol) const;

  /// Symbols that each of them reaches; `ways` says who follows whom.
  std::vector<std::uint8_t> reached_from(const std::vector<std::uint8_t>& roots,
                                         const std::vector<Way>& ways, bool and_modules) const;

  /// All but `ways` and `doubts`.
  UseGraph graph(const Project&, const SymbolIndex&) const;

 private:
  enum class By : std::uint8_t { first, second };  // of a pair: which one is the key
  /// Lists of numbers, one per key, in one array.
  struct Lists {
    std::vector<std::uint32_t> starts{}, values{};
    Lists() = default;
    Lists(std::size_t keys, const NumberPairs& pairs, By by = By::first);
    // Asked for every symbol and name of a project: where it begins is not looked up twice.
    std::span<const std::uint32_t> operator[](std::uint32_t key) const {
      const std::uint32_t* const at = starts.data() + key;
      return {values.data() + at[0], at[1] - at[0]};
    }
  };

  void take(UsesOf);
  bool is_inside(std::uint32_t node, std::uint32_t symbol) const {
    while (node != root_ && node != kNone) {
      if (node == symbol) return true;
      node = parents_.data()[node];
    }
    return false;
  }
  /// Who lives with whom; it is always asked with the same ways.
  const Lists& followers_of(const std::vector<Way>& ways) const;

  std::uint32_t root_ = 0;
  std::vector<std::uint32_t> parents_{};
  std::vector<std::uint32_t>
      name_of_{};  // of each symbol, kNone for those that are never asked for
  std::vector<std::string_view> names_{};  // their texts, where they are known
  NumberPairs module_uses_{};              // names by files
  Lists users_of_name_{}, names_used_by_{}, bearers_{};
  Lists targets_of_{}, sources_of_{};
  mutable std::optional<Lists> followers_{};
};

struct DeadSymbol {
  std::uint32_t symbol = 0;
  DeadReason reason = DeadReason::unreferenced;
};
struct JudgedLife {
  std::vector<DeadSymbol> dead{}, silenced{};
  std::vector<std::uint8_t> is_used{};  // by symbol: does anybody who lives without doubt reach it?
};
/// Who is dead. `doubt`: of one that is not used, what speaks for it all the same.
JudgedLife judge_life(const Liveness&, const std::vector<Way>& ways,
                      const std::function<DeadReason(std::uint32_t symbol)>& doubt);

}  // namespace gh::analysis
