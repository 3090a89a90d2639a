// What a module says that others may import from it.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/declarations.h"

namespace gh::analysis {

struct LazyExport {
  NameId name = 0, module = 0;  // the module as written, dots included
};

/// `export {local as name}`, `module.exports = {name: local}`, `exports.name = local`; the same
/// twice where it is handed out as it is called.
struct NamedExport {
  NameId name = 0, local = 0;
};

struct Exports {
  bool has_all = false;       // a literal list of names
  bool has_getattr = false;   // the module answers for names that it does not have
  std::vector<NameId> all{};  // in the order of the source, each once
  std::vector<LazyExport> lazy{};
  std::vector<NamedExport> named{};  // in the order of the source
};

Exports exports_of(const syntax::Tree&, NameWriter&);

}  // namespace gh::analysis
