#pragma once
#include <cstdint>
#include <string>

#include "model/value.h"

namespace gh::report {

/// What is known about the run and not about the code.
struct SarifFrame {
  std::string job = "analysis", repository_uri{}, revision{}, branch{}, end_time_utc{};
  int exit_code = 0;
  std::string folder{};                     // of what is judged, from the root of the repository
  std::string manifest = "gatehouse.yaml";  // where a finding without a file stands, in it
};

/// The frame that every SARIF document of ours has (interfaces 4.4).
Value sarif_document(List rules, List results, Map properties, const SarifFrame&,
                     List artifacts = {});

/// An absolute address of what is told about a rule. We have no host: it names, and leads nowhere.
std::string sarif_help_uri(std::string_view rule);

inline constexpr std::size_t kMaxSarifResults = 5'000, kMaxSarifLocations = 100;

/// SARIF 2.1.0 of an analysis report: the worst findings, at most kMaxSarifResults; how many were
/// left out is among the run's properties.
Value analysis_sarif(const Value& report, const SarifFrame&);

/// Percent-encoded for a URI; '/' stays.
std::string uri_of(std::string_view path);

}  // namespace gh::report
