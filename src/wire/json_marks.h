#pragma once
// Places in a JSON text, as wire/yaml.h has them for YAML.
#include <cstddef>
#include <string_view>

#include "wire/yaml.h"

namespace gh::wire {

/// Of a text that read_json took with DuplicateKeys::last_wins. What is nested deeper than
/// `max_depth` has no marks of its own: a document of megabytes would have millions.
MarkTree json_marks(std::string_view text, std::size_t max_depth);

}  // namespace gh::wire
