// Names that are put together at run time: `getattr(self, "do_" + command)`.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "syntax/ir.h"

namespace gh::analysis {

/// `before*after` for each text that is built around a part of a name, sorted, each once; none in a
/// file that never looks a name up.
std::vector<std::string> name_stems(const syntax::Tree&);

/// The same for names that a macro puts together: `define M(x) x##_impl`.
std::vector<std::string> pasted_stems(std::string_view definition);

/// Stems that are asked about many names.
class StemSet {
 public:
  /// The text must live as long as this.
  void add(std::string_view stem);
  /// Is the name what one of them begins and ends with, and something between?
  bool matches(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, std::unordered_set<std::string_view>>
      ends_{};  // by beginning
};

}  // namespace gh::analysis
