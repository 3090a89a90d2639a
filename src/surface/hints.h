#pragma once
// Risk hints: what a tool's own words, methods and annotations say about its power (tool-surface
// 7).
#include "surface/manifest.h"
#include "surface/tool.h"

namespace gh::surface {

/// Same tag and source: the stronger confidence stays. Null evidence is left out.
void add_hint(Tool&, std::string_view tag, std::string_view source, Confidence, Map evidence = {});

/// All rules in their order, and then what the manifest overrides.
void classify(Tool&, const Manifest&);

}  // namespace gh::surface
