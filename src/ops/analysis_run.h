// One analysis with everything around it: settings, baselines, an earlier revision. What `analyze`
// and the `baseline` commands have in common.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "analysis/annotations.h"
#include "analysis/canonical_report.h"
#include "ops/analysis_cache.h"
#include "ops/analysis_scope.h"
#include "ops/change_told.h"
#include "policy/analysis_policy.h"

namespace gh::ops {

/// A file that metrics or clones are compared with.
struct BaselineAt {
  std::string shown, path;  // as reports name it, and where it is
  analysis::BaselineRead read{};
  std::string sha256{};  // of the file
};

/// The revision that the run is compared with, and whether only changed files count.
struct Against {
  std::string rev;
  bool changed_only = false;
};

/// What gates judge in place of the run itself, where the change under review brings suppressions:
/// the run as it would be without them.
struct Unsuppressed {
  analysis::Project project{};  // the findings point into it
  analysis::Findings findings{};
  analysis::Measures measures{};
  analysis::Health health{};
};

/// How long each stage of a run takes, one after the other.
class Stages {
 public:
  using Timings = std::vector<std::pair<std::string_view, std::int64_t>>;
  Stages(sys::Env& env, Timings& out) : env_(env), out_(out), begun_(env.monotonic_ms()) {}
  void end(std::string_view stage) {
    const std::int64_t now = env_.monotonic_ms();
    out_.emplace_back(stage, now - begun_);
    begun_ = now;
  }

 private:
  sys::Env& env_;
  Timings& out_;
  std::int64_t begun_;
};

struct AnalysisRun {
  policy::AnalysisPolicy policy{};
  analysis::GateSettings gates{};
  analysis::Project project{};
  analysis::Findings findings{};
  analysis::Measures measures{};
  analysis::Health health{}, compatible{};
  BaselineAt baseline{}, metrics_baseline{};
  std::optional<analysis::Measures> before{};          // of --diff-against
  std::optional<analysis::Names> changed{};            // paths, when only they count; sorted
  List suppressions_added{};                           // since then
  std::shared_ptr<const Unsuppressed> unsuppressed{};  // null without them
  ChangeTold change{};                                 // since that revision
  Against earlier{};
  std::shared_ptr<AnalysisCache> cache{};
  std::string cache_status = "off";
  std::uint64_t parsed = 0;  // files that were read anew; the facts of the others were known
  std::uint64_t known = 0;   // files whose facts were
  std::vector<std::pair<std::string_view, std::int64_t>> timings{};  // stages, in milliseconds
};

/// The settings and baselines of the place that the request names; nothing is analysed.
Result<AnalysisRun> prepare_analysis(const Request&, Context&);
/// Everything up to the work: settings, baselines, the cache. Contract errors of options are told.
Result<AnalysisRun> begin_analysis(Scope&, const Request*, Context&);
/// The work: reads and measures.
Status measure_analysis(Scope&, AnalysisRun&, const Request*, Context&);
/// Reads and measures. Contract errors of options are told before the work. Without a request the
/// configuration alone decides.
Result<AnalysisRun> run_analysis(Scope&, const Request*, Context&);
Result<AnalysisRun> run_analysis(const Request&, Context&);
/// By these settings, whatever the configuration of the place says.
Result<AnalysisRun> run_analysis(Scope&, policy::AnalysisPolicy, Context&);
/// PATH, --rev and --staged.
Result<Scope> scope_of(const Request&, Context&);

/// The files of a source that the policy chooses; of the options profile, jobs and limit are the
/// policy's.
Result<analysis::Project> read_project(analysis::FileSource&, const policy::AnalysisPolicy&,
                                       analysis::RunOptions);
analysis::Findings findings_of(const analysis::Project&, const policy::AnalysisPolicy&);
/// A change may not silence the gates that judge it.
void set_added_aside(AnalysisRun&, const analysis::Project& before);

/// Writes the run as the new baseline: everything, or metrics and API alone.
Status write_baseline(const AnalysisRun&, bool metrics_only, Context&);

/// Digest of the settings that the run is made by, with the baselines as reports name them.
std::string measured_by(const AnalysisRun&);

/// The error that keeps the gates of the run from deciding.
Status check_contract(const AnalysisRun&);

}  // namespace gh::ops
