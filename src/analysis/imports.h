// Import statements of a file, as written; where they lead depends on the project.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "syntax/ir.h"

namespace gh::analysis {

struct ImportFact {
  std::string module;                 // without leading dots
  std::uint32_t level = 0, line = 0;  // level: leading dots; without `from` the flags of the Import
  bool is_from = false;
  bool typing_only = false;  // below `if TYPE_CHECKING`, `import type`
  bool deferred = false;     // inside a function
  std::vector<std::string>
      names{};  // of a from-import; "*" for all, in Java followed by what may be meant

  bool operator==(const ImportFact&) const = default;
};

/// `if TYPE_CHECKING`
bool asks_for_typing(const syntax::Tree&, std::uint32_t statement);

/// One fact per statement, for `import a, b` one per module.
std::vector<ImportFact> imports_of(const syntax::Tree&);

}  // namespace gh::analysis
