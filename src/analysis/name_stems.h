// Names that are put together at run time: `getattr(self, "do_" + command)`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/ir.h"

namespace gh::analysis {

/// `before*after` for each text that is built around a part of a name, sorted, each once; none in a
/// file that never looks a name up.
std::vector<std::string> name_stems(const syntax::Tree&);

/// The same for names that a macro puts together: `define M(x) x##_impl`.
std::vector<std::string> pasted_stems(std::string_view definition);

bool matches_stem(std::string_view stem, std::string_view name);

}  // namespace gh::analysis
