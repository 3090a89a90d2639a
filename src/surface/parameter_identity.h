#pragma once
// Parameters as hashes of facts see them.
#include <cstdint>
#include <string>
#include <vector>

#include "surface/tool.h"

namespace gh::surface {

enum class Nulls : std::uint8_t { written, dropped };

/// The identity text of the list of their documents, without making them: a tool of a large
/// document has several, and they are hashed twice.
void append_identity(std::string& out, const std::vector<Parameter>&, Nulls);

}  // namespace gh::surface
