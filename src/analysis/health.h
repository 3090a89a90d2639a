// The health of a code base: seven dimensions, weighed (analysis reference, "Health").
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "analysis/measures.h"
#include "model/value.h"

namespace gh::analysis {

inline constexpr std::size_t kDimensions = 7;

struct Dimension {
  std::string_view name;
  std::int64_t weight;  // percent
};
/// In the order of their weight.
const std::array<Dimension, kDimensions>& dimensions();

struct Health {
  std::array<std::int64_t, kDimensions> scores{};  // 0 to 100
  std::array<Decimal, kDimensions> values{};       // the same before rounding
  std::int64_t score = 0, tenths = 0;              // tenths: of the weighed scores
  char grade = 'F';
};

/// By density: what gates, the baseline and comparisons use.
Health health_of(const Measures&);
/// By counts: shown beside it.
Health compatible_health_of(const Measures&);

char grade_of(std::int64_t score);
/// The weighed sum of scores in tenths of a point.
std::int64_t tenths_of(const std::array<std::int64_t, kDimensions>& scores);
Map dimension_scores(const std::array<std::int64_t, kDimensions>& scores);

/// Both models, as the report tells them.
Map health_family(const Health& health, const Health& compatible);

}  // namespace gh::analysis
