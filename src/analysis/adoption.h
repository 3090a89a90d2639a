// How much is annotated and documented (analysis reference, "Adoption").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/columns.h"
#include "analysis/project.h"
#include "model/value.h"

namespace gh::analysis {

struct AdoptionCounts {
  std::uint64_t callables = 0, params = 0, params_annotated = 0, returns_annotated = 0;
  std::uint64_t any_annotations = 0, public_symbols = 0, public_documented = 0;

  AdoptionCounts& operator+=(const AdoptionCounts&);
  bool operator==(const AdoptionCounts&) const = default;
};

struct ModuleAdoption {
  std::string module, path;
  AdoptionCounts counts;
};

struct Adoption {
  std::vector<ModuleAdoption> modules{};  // in the order of files
  AdoptionCounts total{};
};
Adoption adoption_of(const Project&);

/// part of whole in thousandths, half to even; 0 for an empty whole.
std::uint64_t permille(std::uint64_t part, std::uint64_t whole);

/// Without its items.
Map adoption_family(const Adoption&);
std::span<const Column<ModuleAdoption>> adoption_columns();

}  // namespace gh::analysis
