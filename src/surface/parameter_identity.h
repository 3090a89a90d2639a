#pragma once
// The schema and the parameters of a tool as hashes of facts and actions see them.
#include "surface/tool.h"

namespace gh::surface {

/// Those that the tool has, else made now. A loader of thousands of tools makes them right away,
/// while their values are at hand.
ToolHashes hashes_of(const Tool&);

}  // namespace gh::surface
