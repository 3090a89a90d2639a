#pragma once
#include <cstdint>
#include <string>

#include "model/value.h"

namespace gh::report {

/// What is known about the run and not about the code.
struct SarifFrame {
  std::string job = "analysis", repository_uri{}, revision{}, branch{}, end_time_utc{};
  int exit_code = 0;
};

inline constexpr std::size_t kMaxSarifResults = 5'000, kMaxSarifLocations = 100;

/// SARIF 2.1.0 of an analysis report: the worst findings, at most kMaxSarifResults; how many were
/// left out is among the run's properties.
Value analysis_sarif(const Value& report, const SarifFrame&);

/// Percent-encoded for a URI; '/' stays.
std::string uri_of(std::string_view path);

}  // namespace gh::report
