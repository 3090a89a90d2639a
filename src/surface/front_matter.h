#pragma once
// The YAML head of a Markdown file. Private to surface.
#include <string_view>

#include "base/error.h"
#include "model/value.h"

namespace gh::surface {

/// What stands between the first two lines of dashes; nothing when the file has no head.
/// yaml_invalid when it is no YAML.
Result<Map> read_front_matter(std::string_view markdown, std::string_view name);

}  // namespace gh::surface
