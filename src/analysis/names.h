// The names that the facts of one file speak of: each stored once, the rest are numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_numbers.h"
#include "syntax/ir.h"

namespace gh::analysis {

using NameId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffff;  // no name, no declaration

struct NameTable {
  std::string bytes{};
  std::vector<std::uint32_t> ends{};

  std::string_view operator[](NameId id) const {
    const std::uint32_t from = id == 0 ? 0 : ends[id - 1];
    return std::string_view(bytes).substr(from, ends[id] - from);
  }
  std::size_t size() const { return ends.size(); }
};

/// Fills a table while a tree is read.
class NameWriter {
 public:
  NameWriter(const syntax::Tree& tree, NameTable& out)
      : tree_(tree), out_(out), of_symbol_(tree.symbols.size(), kNone) {}

  NameId id_of(std::string_view text);
  NameId id_of_symbol(std::uint32_t symbol) {
    NameId& known = of_symbol_[symbol];
    if (known == kNone) known = id_of(tree_.symbols.text(symbol));
    return known;
  }
  NameId id_of_node(std::uint32_t node) { return id_of_symbol(tree_[node].symbol); }

 private:
  const syntax::Tree& tree_;
  NameTable& out_;
  std::vector<NameId> of_symbol_;
  TextNumbers ids_{};
};

}  // namespace gh::analysis
