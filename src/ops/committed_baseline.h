#pragma once
// Baselines as a commit has them: a change brings none for its own judgement.
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "control/budgets.h"
#include "ops/analysis_run.h"
#include "ops/change_session.h"

namespace gh::ops {

Result<BaselineAt> committed_baseline(git::Repo&, const git::Commit&, const std::string& path,
                                      std::int64_t max_mb);
/// Clones from the one, metrics and API from the other; often they are one file.
analysis::Baseline content_of(const BaselineAt& clones, const BaselineAt& metrics);
/// Those that the settings name.
struct CommittedBaselines {
  BaselineAt clones{}, metrics{};
};
Result<CommittedBaselines> committed_baselines(git::Repo&, const git::Commit&,
                                               const policy::AnalysisPolicy&);

/// What the runs of a declared change are held against: the baseline of the commit that it began
/// from, or of HEAD without an intent. Nothing where there is none that can be relied on.
Result<std::optional<analysis::Baseline>> baseline_of_change(ChangeSession&, const Intent*);
/// Is the baseline that a run was judged by the one of HEAD, with no commit of this change in it?
/// Of the change are the commits since it began that touch one of its files, declared or named, and
/// those whose message says so. Where hooks of ours see what is committed here, so is one that went
/// round them: whoever made it did not want to be seen. `report` is that of the run.
Result<bool> baseline_is_of_others(ChangeSession&, Context&, const Intent&, const Value& report,
                                   const std::vector<std::string>& named);
/// Ids of its findings, but for clones: nobody may call those new.
std::set<std::string> known_by(const std::optional<analysis::Baseline>&);

/// How far the health of a run is from that of the baseline.
std::optional<std::int64_t> health_drift(const Value& report,
                                         const std::optional<analysis::Baseline>&);

/// The whole report of a run where the gates of that strictness compare it with a baseline; what
/// is no longer kept whole is not compared.
struct Compared {
  std::optional<Value> report{};
  std::optional<analysis::Baseline> baseline{};
  const analysis::Baseline* used() const { return report && baseline ? &*baseline : nullptr; }
};
Result<Compared> compared_run(ChangeSession&, const store::AnalysisRunRow&, control::Strictness,
                              const Intent*);

}  // namespace gh::ops
