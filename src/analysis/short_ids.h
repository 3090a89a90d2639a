// Findings by names that a person can type (analysis reference, "Short ids").
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gh::analysis {

/// canonical id -> short id, unique among these; where short forms meet, they grow.
using ShortIds = std::map<std::string, std::string, std::less<>>;
ShortIds short_ids(const std::vector<std::string>& canonical);
/// Behind each id of a text of many; no id holds it, because no path does.
inline constexpr char kIdEnd = '\0';
/// Those of `wanted` as they are among these and `all`.
ShortIds short_ids_among(std::vector<std::string> wanted, std::string_view all);

}  // namespace gh::analysis
