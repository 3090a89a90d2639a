// How much of every unit the tests reached (analysis reference, "Coverage").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/cobertura.h"
#include "analysis/finding.h"

namespace gh::analysis {

enum class CoverageStatus : std::uint8_t { measured, no_executable_lines, missing_from_report };
std::string_view to_string(CoverageStatus);

struct UnitCoverage {
  UnitRef ref{};
  CoverageStatus status = CoverageStatus::missing_from_report;
  std::uint32_t executable = 0, covered = 0;
  bool is_hotspot = false;    // complex, and hardly tested
  bool is_scope_gap = false;  // complex, and nobody knows

  /// Half to even; nothing unless it was measured.
  std::optional<std::uint64_t> permille() const;
};

struct CoverageJoin {
  std::string source{};  // the report, as people call it
  std::uint32_t threshold_percent = 50;
  std::optional<Error> invalid{};             // then nothing below is known
  std::uint64_t files = 0;                    // of the report, below the root
  std::vector<UnitCoverage> units{};          // complete ones; hotspots, then gaps, then the rest
  std::uint64_t executable = 0, covered = 0;  // lines of units, each once

  std::uint64_t count(CoverageStatus) const;
  std::uint64_t hotspots() const;
  std::uint64_t scope_gaps() const;
  std::uint64_t overall_permille() const;
};

/// Pure. `threshold_percent` is what a complex unit must reach.
CoverageJoin join_coverage(const Project&, const CoveredFiles&, std::uint32_t threshold_percent);

Map coverage_family(const Project&, const CoverageJoin&);
/// A design finding per hotspot and per gap.
std::vector<Group> coverage_groups(const Project&, const CoverageJoin&);

}  // namespace gh::analysis
