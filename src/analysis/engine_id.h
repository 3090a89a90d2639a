#pragma once

#include <string_view>

namespace gh::analysis {

/// A digest of the sources of the engine and of the versions of its grammars, made by the build.
extern const std::string_view kEngineId;

}  // namespace gh::analysis
