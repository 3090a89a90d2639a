// Imports of JavaScript and Java that are more than a statement with names.
#pragma once

#include "analysis/imports.h"

namespace gh::analysis {

/// `require("m")` and `import("m")` with a literal.
bool is_importing_call(const syntax::Tree&, std::uint32_t call);
ImportFact import_of_call(const syntax::Tree&, std::uint32_t call);

/// `import a.b.*` of Java: which classes are meant is seen from the names that the file uses.
void add_meant_names(const syntax::Tree&, std::vector<ImportFact>&);

}  // namespace gh::analysis
