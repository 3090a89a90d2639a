#pragma once
// The `analysis` block of gatehouse.yaml (analysis reference, "Configuration").
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/value.h"

namespace gh::policy {

struct AnalysisPolicy {
  // what takes part
  std::int64_t min_loc = 10, min_stmt = 6, block_min_loc = 20, block_min_stmt = 8,
               block_min_run = 4, segment_min_loc = 20, segment_min_stmt = 10,
               near_miss_similarity = 80, max_files = 100'000;
  std::vector<std::string> exclude, include, languages, golden_fixture_paths;
  bool skip_metrics = false, skip_dead_code = false, skip_dependencies = false;
  bool api_surface = false, api_strict_types = false, structural_shape_groups = false,
       instance_independent_methods = false;
  std::int64_t design_complexity = 20, design_coupling = 10, design_cohesion = 4;
  std::string dead_code_public_api;  // keep, report; empty: as the root has a package manifest
  /// Constructors of objects that register functions, with the methods that do it.
  std::vector<std::pair<std::string, std::vector<std::string>>> dead_code_registrations;
  // how it is done
  std::int64_t jobs = 0;   // 0: one per core
  std::string cache_path;  // empty: below the git directory
  std::int64_t max_cache_size_mb = 512;
  // what it is compared with
  std::string baseline = "gatehouse.baseline.json", metrics_baseline;  // empty: the same file
  std::int64_t max_baseline_size_mb = 5;
  std::string coverage_xml;
  std::int64_t coverage_min = 50;
  // what it is refused for; -1: nothing
  bool fail_on_new = false, fail_on_new_metrics = false, fail_cycles = false,
       fail_dead_code = false, fail_on_typing_regression = false,
       fail_on_docstring_regression = false, fail_on_api_break = false,
       fail_on_untested_hotspots = false, fail_on_new_near_miss = false;
  std::vector<std::string> fail_on_new_security_surface;
  std::int64_t fail_threshold = -1, fail_complexity = -1, fail_coupling = -1, fail_cohesion = -1,
               fail_health = -1, min_typing_coverage = -1, min_docstring_coverage = -1;
  // how it is told
  std::string project_name;  // empty: none
  std::string html_out, json_out, md_out, sarif_out, text_out;
  bool ci = false, quiet = false, verbose = false, debug = false, no_color = false,
       no_progress = false;

  bool operator==(const AnalysisPolicy&) const = default;
};

/// What new security surfaces can be refused by.
std::span<const std::string_view> security_categories();

/// Every key with its effective value.
Value to_value(const AnalysisPolicy&);

}  // namespace gh::policy
