#pragma once
// Texts that tell somebody at a command line what to do, for somebody who calls tools.
#include <string>
#include <string_view>

#include "model/value.h"

namespace gh::mcp {

/// Commands and options become tools and arguments; all else stays.
std::string in_tool_words(std::string_view text);

/// The members of an answer of change control that say what to do. Codes and the verdict, which is
/// known by its digest, stay as they are.
Map in_tool_words(Map document);

}  // namespace gh::mcp
