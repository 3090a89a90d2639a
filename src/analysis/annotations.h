// What a report says beside the sources themselves: health, how it stands to a baseline, gates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/gates.h"
#include "analysis/health.h"
#include "analysis/novelty.h"

namespace gh::analysis {

struct Annotations {
  std::string project_name{};  // empty: none is configured
  bool skips_metrics = false;
  Health health{}, compatible{};
  std::string baseline_path{kBaselineFile}, metrics_baseline_path{kBaselineFile};
  BaselineRead baseline{}, metrics_baseline{};
  std::vector<Grown> grown{};
  bool is_gating = false;
  std::vector<GateReason> gate_reasons{};
  std::optional<ApiDiff> api{};  // against the baseline; absent: one of them has no API
  List suppressions_added{};     // by the change that is judged: its gates pass them over
};

/// Health and no baseline.
Annotations plain_annotations(const Measures&);

/// The part that is digested: health, novelty of clones, the state of the baselines.
void annotate(Map& report, const Annotations&);
/// The part that is not: what the gates say.
void derive(Map& report, const Annotations&);

}  // namespace gh::analysis
