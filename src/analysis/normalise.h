// What two pieces of code have in common when names, literals and layout are left out (analysis
// reference, "Normalisation", N1 to N21).
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/hash.h"
#include "syntax/ir.h"

namespace gh::analysis {

/// Hashes of every node of a tree, made in one pass from the last node to the first.
class Normalised {
 public:
  explicit Normalised(const syntax::Tree&);
  const Hash& of(std::uint32_t node) const { return hashes_[node]; }
  /// Of a statement without the lists inside it; of one that holds none, as `of`.
  Hash head(std::uint32_t statement) const;
  /// The statements of a list that count: no docstring, no bare declaration, nothing unreachable.
  std::vector<std::uint32_t> statements(std::uint32_t block, bool leads_with_docstring) const;
  /// Of a function's body.
  Hash fingerprint(std::uint32_t unit) const;

 private:
  Hash make(std::uint32_t i);
  Hash make_verbatim(std::uint32_t node) const;
  Hash make_call(std::uint32_t node);
  Hash make_list(std::uint32_t block, bool leads_with_docstring) const;
  void add_guard(std::uint32_t node);
  void add_callee(std::uint32_t node);
  void add_children(std::uint32_t node);

  const syntax::Tree& tree_;
  std::vector<Hash> hashes_;
  Hash name_, constant_;  // of what most leaves are
  mutable Hasher hasher_{};
};

/// Of the source lines of a unit, without any white space.
Hash raw_hash(const syntax::Tree&, std::uint32_t node);

}  // namespace gh::analysis
