// Neighbouring statements of one list, as blocks and segments compare them.
#pragma once

#include <span>

#include "analysis/clones.h"
#include "analysis/facts.h"

namespace gh::analysis {

using Statements = std::span<const StatementFact>;

/// Of the normalised statements, in order.
Hash key_of(Statements);
/// Of their text without white space, with the comments between them.
Hash text_of(Statements);

/// How much of some runs only asserts; statements inside others count.
struct AssertShare {
  std::uint64_t asserts = 0, statements = 0;
  std::uint32_t longest = 0;  // row of asserts
  void add(const UnitFact&, Statements);
};

/// The group of units that are clones of each other a unit is in; 0: none.
class GroupOfUnit {
 public:
  explicit GroupOfUnit(const std::vector<CloneGroup>&);
  std::uint32_t operator()(UnitRef) const;

 private:
  struct Entry {
    UnitRef ref;
    std::uint32_t group;
  };
  std::vector<Entry> entries_{};
};

}  // namespace gh::analysis
