#include "ops/committed_baseline.h"

#include "analysis/compare.h"
#include "base/digest.h"
#include "control/claims.h"
#include "ops/analysis_settings.h"
#include "ops/change_receipt.h"
#include "ops/kept_runs.h"
#include "patch/gates.h"

namespace gh::ops {

Result<BaselineAt> committed_baseline(git::Repo& repo, const git::Commit& commit,
                                      const std::string& path, std::int64_t max_mb) {
  BaselineAt out{
      .shown = path, .path = {}, .read = analysis::no_baseline(analysis::Absence::missing)};
  GH_TRY(entry, patch::find_entry(repo.objects(), commit.tree, path));
  if (!entry || (entry->mode != FileMode::regular && entry->mode != FileMode::executable))
    return out;
  GH_TRY(bytes, repo.objects().blob(entry->id));
  out.read = analysis::read_baseline(bytes, max_mb);
  out.sha256 = digest_of(bytes).hex();
  return out;
}

analysis::Baseline content_of(const BaselineAt& clones, const BaselineAt& metrics) {
  analysis::Baseline out = metrics.read.content;
  out.clones = clones.read.content.clones;
  return out;
}

Result<CommittedBaselines> committed_baselines(git::Repo& repo, const git::Commit& commit,
                                               const policy::AnalysisPolicy& p) {
  CommittedBaselines out;
  GH_TRY(clones, committed_baseline(repo, commit, p.baseline, p.max_baseline_size_mb));
  out.clones = std::move(clones);
  out.metrics = out.clones;
  if (!p.metrics_baseline.empty()) {
    GH_TRY(metrics, committed_baseline(repo, commit, p.metrics_baseline, p.max_baseline_size_mb));
    out.metrics = std::move(metrics);
  }
  return out;
}

Result<std::optional<analysis::Baseline>> baseline_of_change(ChangeSession& session,
                                                             const Intent* intent) {
  std::string from = "HEAD";
  if (intent != nullptr && !base_commit_of(*intent).empty()) {
    GH_TRY(base, change_base(session, *intent));
    from = base;
  }
  const auto commit = session.repo.objects().commit(from);
  if (!commit) return std::nullopt;  // nothing was ever committed, or history was rewritten
  GH_TRY(baselines, committed_baselines(session.repo, *commit, settled(session.config.analysis)));
  analysis::Baseline content = content_of(baselines.clones, baselines.metrics);
  if (!content.metrics && !content.api_surface) return std::nullopt;
  return std::optional(std::move(content));
}

std::set<std::string> known_by(const std::optional<analysis::Baseline>& baseline) {
  return baseline && baseline->metrics ? control::ids_in(*baseline->metrics)
                                       : std::set<std::string>{};
}

std::optional<std::int64_t> health_drift(const Value& report,
                                         const std::optional<analysis::Baseline>& baseline) {
  const auto now = analysis::run_health(report).score;
  if (!now || !baseline || !baseline->metrics) return std::nullopt;
  return *now - baseline->metrics->health_score;
}

Result<Compared> compared_run(ChangeSession& session, const store::AnalysisRunRow& run,
                              control::Strictness strictness, const Intent* intent) {
  Compared out;
  if (strictness != control::Strictness::strict) return out;
  GH_TRY(baseline, baseline_of_change(session, intent));
  out.baseline = std::move(baseline);
  if (!out.baseline) return out;
  if (auto report = load_report(*session.ledger, run)) out.report = std::move(*report);
  return out;
}

}  // namespace gh::ops
