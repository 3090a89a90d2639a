#include "analysis/health.h"

#include <algorithm>
#include <span>
#include <string>

#include "analysis/finding.h"

namespace gh::analysis {
namespace {

__extension__ typedef __int128 Int;  // products of counts stay exact

// table: health dimensions
constexpr std::array<Dimension, kDimensions> kDimensionRows{{{"clones", 25},
                                                             {"complexity", 20},
                                                             {"cohesion", 15},
                                                             {"coupling", 10},
                                                             {"dead_code", 10},
                                                             {"dependencies", 10},
                                                             {"coverage", 10}}};

struct Grade {
  std::int64_t from;
  char letter;
};
// table: health grades
constexpr std::array<Grade, 5> kGrades{{{90, 'A'}, {75, 'B'}, {60, 'C'}, {40, 'D'}, {0, 'F'}}};

/// A value as a fraction of whole numbers: no binary fractions, the same everywhere.
struct Exact {
  Int part = 0, whole = 1;
};

Int rounded(Exact x) {  // half to even
  Int quotient = x.part / x.whole, rest = x.part % x.whole;
  if (rest < 0) {
    --quotient;
    rest += x.whole;
  }
  if (2 * rest > x.whole || (2 * rest == x.whole && quotient % 2 != 0)) ++quotient;
  return quotient;
}

Exact clamped(Exact x) {
  if (x.part < 0) return {0, 1};
  return x.part > 100 * x.whole ? Exact{100, 1} : x;
}

struct Share {
  std::uint64_t part = 0, whole = 0;
  Exact times(std::int64_t factor) const {
    return whole == 0 ? Exact{} : Exact{Int{factor} * part, Int{whole}};
  }
};

Exact operator-(Exact a, Exact b) {
  return {a.part * b.whole - b.part * a.whole, a.whole * b.whole};
}
Exact points(Int n, Int of = 1) { return {n, of}; }

struct Bend {
  std::int64_t percent, score;
};
// table: clone density, compatible
constexpr std::array<Bend, 4> kGroupDensity{{{0, 100}, {5, 90}, {20, 50}, {50, 0}}};
// table: clone density
constexpr std::array<Bend, 4> kStatementDensity{{{0, 100}, {3, 90}, {10, 50}, {30, 0}}};

/// Straight lines between the bends.
Exact along(std::span<const Bend> bends, Share share) {
  if (share.whole == 0) return points(100);
  const Int hundred_parts = Int{100} * share.part, whole = share.whole;
  for (std::size_t i = 1; i < bends.size(); ++i) {
    const Bend &a = bends[i - 1], &b = bends[i];
    if (hundred_parts > b.percent * whole) continue;
    const Int width = (b.percent - a.percent) * whole;
    return {a.score * width - (a.score - b.score) * (hundred_parts - a.percent * whole), width};
  }
  return {};
}

/// How far the longest chain goes beyond what is usual here.
Int tail_pressure(const Measures& m) {
  constexpr Int kUnit = 10'000;
  const Int twice = 2 * Int{m.average_depth.ten_thousandths};
  const Int usual = std::max((twice + kUnit - 1) / kUnit, Int{m.p95_depth} + 1);
  return std::max(Int{0}, Int{m.max_depth} - usual);
}

Exact completeness(const Measures& m) {
  if (m.files_found == 0) return points(100);
  return Share{m.files_analysed, m.files_found}.times(100);
}

Exact average(const Spread& spread, std::int64_t factor_tenths) {
  const Exact x = Share{spread.sum, spread.count}.times(factor_tenths);
  return {x.part, x.whole * 10};
}

std::array<Exact, kDimensions> by_density(const Measures& m) {
  const auto graded = [](const Spread& s) {
    return points(100) - Share{s.high, s.count}.times(400) - Share{s.medium, s.count}.times(100);
  };
  return {along(kStatementDensity, {m.duplicated_statements, m.statements}),
          graded(m.complexity),
          points(100) - Share{m.low_cohesion_graph_classes, m.graph_classes}.times(300),
          graded(m.coupling),
          points(100) - Share{m.dead.high.size(), m.dead.candidates}.times(400),
          points(100 - 4 * tail_pressure(m)) - Share{m.modules_in_cycles, m.modules}.times(200),
          completeness(m)};
}

std::array<Exact, kDimensions> by_counts(const Measures& m) {
  const std::uint64_t groups = m.clones.functions.size() + m.clones.blocks.size();
  const auto loose = [&]() -> Exact {  // only what the average has above 1
    if (m.cohesion.sum <= m.cohesion.count) return {};
    return Share{m.cohesion.sum - m.cohesion.count, m.cohesion.count}.times(20);
  };
  return {
      along(kGroupDensity, {groups, std::max<std::uint64_t>(1, m.files_analysed)}),
      points(1000 - 12 * Int{m.complexity.max} - 80 * Int{m.complexity.high}, 10) -
          average(m.complexity, 25),
      points(100 - 12 * Int{m.cohesion.high}) - loose(),
      points(100 - 2 * Int{m.coupling.max} - 8 * Int{m.coupling.high}) - average(m.coupling, 70),
      points(100 - 8 * Int{m.dead.any.size()}),
      points(100 - 25 * Int{m.cycles.size()} - 4 * tail_pressure(m)),
      completeness(m)};
}

Int weighed(const std::array<std::int64_t, kDimensions>& scores) {  // in hundredths
  Int sum = 0;
  for (std::size_t i = 0; i < kDimensions; ++i)
    sum += kDimensionRows[i].weight * scores[i];
  return sum;
}

Health health_from(const std::array<Exact, kDimensions>& values) {
  Health out;
  for (std::size_t i = 0; i < kDimensions; ++i) {
    const Exact value = clamped(values[i]);
    out.scores[i] = static_cast<std::int64_t>(rounded(value));
    out.values[i].ten_thousandths =
        static_cast<std::int64_t>(rounded({value.part * 10'000, value.whole}));
  }
  out.score = static_cast<std::int64_t>(rounded({weighed(out.scores), 100}));
  out.tenths = tenths_of(out.scores);
  out.grade = grade_of(out.score);
  return out;
}

Map model_document(std::string_view model, const Health& health) {
  Map values;
  for (std::size_t i = 0; i < kDimensions; ++i)
    values.set(std::string(kDimensionRows[i].name), health.values[i]);
  return Map{{"model", model},
             {"score", health.score},
             {"score_tenths", health.tenths},
             {"grade", std::string(1, health.grade)},
             {"dimensions", dimension_scores(health.scores)},
             {"dimension_values", std::move(values)}};
}

}  // namespace

const std::array<Dimension, kDimensions>& dimensions() { return kDimensionRows; }

Health health_of(const Measures& m) { return health_from(by_density(m)); }
Health compatible_health_of(const Measures& m) { return health_from(by_counts(m)); }

char grade_of(std::int64_t score) {
  for (const Grade& grade : kGrades)
    if (score >= grade.from) return grade.letter;
  return kGrades.back().letter;
}

std::int64_t tenths_of(const std::array<std::int64_t, kDimensions>& scores) {
  return static_cast<std::int64_t>(rounded({weighed(scores), 10}));
}

Map dimension_scores(const std::array<std::int64_t, kDimensions>& scores) {
  Map out;
  for (std::size_t i = 0; i < kDimensions; ++i)
    out.set(std::string(kDimensionRows[i].name), scores[i]);
  return out;
}

Map health_family(const Health& health, const Health& compatible) {
  Map summary = model_document("gh1", health);
  summary.set("compat", model_document("compat", compatible));
  List items;
  for (std::size_t i = 0; i < kDimensions; ++i)
    items.emplace_back(Map{{"dimension", kDimensionRows[i].name},
                           {"weight_percent", kDimensionRows[i].weight},
                           {"score", health.scores[i]},
                           {"compat_score", compatible.scores[i]}});
  return Map{
      {"summary", std::move(summary)}, {"items", std::move(items)}, {"items_truncated", false}};
}

}  // namespace gh::analysis
