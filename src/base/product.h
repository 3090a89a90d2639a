#pragma once
// The product's name and version, here and nowhere else.
#include <string_view>

namespace gh {
inline constexpr std::string_view kProduct = "gatehouse";
inline constexpr std::string_view kVersion = "0.1.0";
inline constexpr std::string_view kConfigFile = "gatehouse.yaml";
inline constexpr std::string_view kGitMinimum = "2.39.3";  // patch-gate 2.2
}  // namespace gh
