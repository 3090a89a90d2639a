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

}  // namespace gh::analysis
