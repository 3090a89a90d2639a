#pragma once
// Toolkits of vendors in Python: what a constructor allows (tool-surface 5.6). Private to surface.
#include "surface/loaders.h"
#include "surface/python_source.h"

namespace gh::surface {

/// Adds the toolkits of a file, and a warning for each whose bounds cannot be seen.
void find_toolkits(const PythonSource&, Loaded&);

}  // namespace gh::surface
