#pragma once
// The Python files behind one entry of a manifest. Private to surface.
#include <vector>

#include "surface/files.h"
#include "surface/python_source.h"

namespace gh::surface {

/// The file itself, or the *.py directly below a folder, sorted. A folder without any, a file that
/// is missing or no Python, is an error.
Result<std::vector<PythonSource>> python_files(Files&, std::string_view path,
                                               std::vector<std::string>& warnings);

}  // namespace gh::surface
