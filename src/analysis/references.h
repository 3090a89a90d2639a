// Who of a file speaks of which names. Whose names they are is decided over the whole project.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "analysis/declarations.h"

namespace gh::analysis {

struct Use {
  std::uint32_t owner = kNone;  // the declaration whose code it is; kNone: the module's
  NameId name = 0;
  auto operator<=>(const Use&) const = default;
};

/// `from <dots><module> import <imported> as <bound>`
struct BindingFact {
  NameId bound = 0, module = 0, imported = 0;
  std::uint32_t level = 0;
  bool is_top = false;    // at the top of the module
  bool is_again = false;  // `import x as x` says that others may import it from here
  bool is_star = false;
};

struct References {
  std::vector<Use> uses{};        // names and attributes that are read, each once per owner
  std::vector<NameId> strings{};  // literals that look like a name or a dotted path, each once
  std::vector<NameId> stems{};    // parts of names that are completed at run time
  std::vector<BindingFact> bindings{};
};

References references_of(const syntax::Tree&, const Declarations&,
                         const std::vector<std::uint32_t>& nodes, NameWriter&);

/// The text of a string literal without prefix and quotes; as written.
std::string_view literal_text(const syntax::Tree&, std::uint32_t string);

}  // namespace gh::analysis
