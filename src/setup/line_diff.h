#pragma once
// A unified diff of two texts, for people who want to see what would be written.
#include <string>
#include <string_view>

namespace gh::setup {

/// Empty when they are the same. `before` null: the file is new; `after` null: it goes.
std::string unified_diff(std::string_view path, const std::string* before,
                         const std::string* after);

}  // namespace gh::setup
