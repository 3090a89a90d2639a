// What one file adds to the adoption of a project.
#pragma once

#include <string>

#include "analysis/adoption.h"
#include "analysis/measures.h"

namespace gh::analysis {

/// Of one that is not skipped.
ModuleAdoption adoption_of(const AnalysedFile&);
/// What a digest knows of it (analysis/report_digest.h).
std::string adoption_digest(const ModuleAdoption&);
AdoptionMeasures adoption_measures(const AdoptionCounts& total);

}  // namespace gh::analysis
