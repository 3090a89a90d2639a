// Arms of one unit that look alike (analysis reference, "Duplicated branches").
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analysis/contents.h"
#include "analysis/guards.h"
#include "analysis/normalise.h"
#include "syntax/ir.h"

namespace gh::analysis {

/// What two arms have in common when they look alike.
struct BranchShape {
  std::string statements;  // kinds of its direct statements, with commas
  Terminal terminal = Terminal::fallthrough;
  std::uint8_t contents = 0;  // content::calls and so on
  auto operator<=>(const BranchShape&) const = default;

  /// Keys and values in the order of keys: what the report shows and the key is made from.
  std::vector<std::pair<std::string, std::string>> words() const;
};

struct BranchFact {
  BranchShape shape{};
  std::uint32_t start_line = 0, end_line = 0;
  Hash body{};  // of its statements
};

/// Arms of `if` and `match` in a unit that are worth telling and share their shape with another
/// one.
std::vector<BranchFact> branches_of(const syntax::Tree&, const Contents&, const Normalised&,
                                    std::uint32_t body);

struct BranchGroup {
  BranchShape shape{};
  bool body_equal = false;
  std::vector<BranchFact> items{};  // by line, none inside another
};

/// Arms that share a shape. Only those whose bodies are equal too, unless shapes are asked for.
std::vector<BranchGroup> branch_groups(const std::vector<BranchFact>&, bool by_shape_alone);

}  // namespace gh::analysis
