#include "ops/committed_baseline.h"

#include <algorithm>
#include <array>

#include "analysis/compare.h"
#include "base/digest.h"
#include "base/trailers.h"
#include "control/claims.h"
#include "control/scope_paths.h"
#include "model/peek.h"
#include "ops/analysis_settings.h"
#include "ops/change_receipt.h"
#include "ops/commit_stamps.h"
#include "ops/git_hook.h"
#include "ops/hook_install.h"
#include "ops/kept_runs.h"
#include "ops/known_remotes.h"
#include "ops/members.h"
#include "patch/gates.h"
#include "policy/glob.h"

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

namespace {

constexpr std::size_t kMostCommits = 200;  // of a baseline, since a change began
constexpr std::size_t kMostMadeHere = 100'000;

/// What a report says of its baselines is what these hold.
bool is_judged_by(const Value& report, const CommittedBaselines& committed) {
  struct Use {
    std::string_view member;
    const BaselineAt& at;
    analysis::BaselineUse use;
  };
  const Use uses[] = {
      {"baseline", committed.clones, analysis::BaselineUse::clones},
      {"metrics_baseline", committed.metrics, analysis::BaselineUse::metrics},
  };
  const Peek meta = Peek(report)["meta"];
  return std::ranges::all_of(uses, [&](const Use& use) {
    const Value summary(analysis::baseline_summary(use.at.read, use.at.shown, use.use));
    return std::ranges::all_of(
        std::array{"payload_sha256", "api_surface_payload_sha256"}, [&](const char* digest) {
          return meta[use.member][digest].text() == Peek(summary)[digest].text();
        });
  });
}

bool covers(const gh::Scope& scope, std::string_view path) {
  const auto is_above = [&](const std::string& entry) {
    return policy::matches_prefix(path, entry);
  };
  return std::ranges::any_of(scope.allowed_files, is_above) ||
         std::ranges::any_of(scope.allowed_related, is_above);
}

Result<bool> is_of_change(ChangeSession& session, const Intent& intent, const ObjectId& id,
                          const std::vector<std::string>& named) {
  GH_TRY(commit, session.repo.objects().commit(id.hex()));
  if (commit.parents.size() != 1) return true;  // what a merge made of both sides, nobody else did
  const auto said = trailers(commit.message, TrailerKey::intent);
  if (std::ranges::find(said, intent.id) != said.end()) return true;
  GH_TRY(paths, session.repo.changed_paths(commit.parents.front(), id));
  return std::ranges::any_of(paths, [&](const std::string& name) {
    const std::string path = control::path_from_git(name);
    return covers(intent.scope, path) || std::ranges::find(named, path) != named.end();
  });
}

/// Does a hook of ours leave a stamp for what is committed in this clone?
Result<bool> stamps_commits(ChangeSession& session, Context& context) {
  GH_TRY(config, hook_config(session.repo));
  if (config.hooks.mode == policy::HookMode::off) return false;
  GH_TRY(hooks, hooks_now(session.repo, context));
  return std::ranges::any_of(hooks, [](const HookFile& file) {
    constexpr std::array<std::string_view, 3> kAtWork{"ours", "chained", "entry"};
    return file.hook == "pre-commit" && std::ranges::find(kAtWork, file.did) != kAtWork.end();
  });
}

/// Of these, those that neither passed the hook nor came from another clone.
Result<bool> went_round_the_hook(ChangeSession& session, Context& context,
                                 const std::vector<ObjectId>& commits, const ObjectId& base,
                                 const ObjectId& head) {
  std::vector<ObjectId> unstamped;
  for (const ObjectId& id : commits) {
    GH_TRY(commit, session.repo.objects().commit(id.hex()));
    if (!has_any_stamp(session.repo, commit.tree)) unstamped.push_back(id);
  }
  if (unstamped.empty()) return false;
  GH_TRY(stamps, stamps_commits(session, context));
  if (!stamps) return false;
  GH_TRY(remotes, refs_of_upstream(session.repo));
  GH_TRY(made_here, session.repo.commits_without(head, {base}, remotes, kMostMadeHere));
  return std::ranges::any_of(unstamped, [&](const ObjectId& id) {
    return std::ranges::find(made_here, id) != made_here.end();
  });
}

}  // namespace

Result<bool> baseline_is_of_others(ChangeSession& session, Context& context, const Intent& intent,
                                   const Value& report, const std::vector<std::string>& named) {
  GH_TRY(from, change_base(session, intent));
  const auto base = session.repo.objects().commit(from),
             head = session.repo.objects().commit("HEAD");
  if (!base || !head) return false;
  const policy::AnalysisPolicy policy = settled(session.config.analysis);
  GH_TRY(committed, committed_baselines(session.repo, *head, policy));
  if (!is_judged_by(report, committed)) return false;
  std::vector<std::string> paths{policy.baseline};
  if (!policy.metrics_baseline.empty()) paths.push_back(policy.metrics_baseline);
  GH_TRY(commits, session.repo.commits_touching(base->id, head->id, paths));
  // In a tree of its own nobody else commits.
  if (commits.size() > kMostCommits || (is_isolated(intent) && !commits.empty())) return false;
  for (const ObjectId& id : commits) {
    GH_TRY(is_own, is_of_change(session, intent, id, named));
    if (is_own) return false;
  }
  GH_TRY(is_hidden, went_round_the_hook(session, context, commits, base->id, head->id));
  return !is_hidden;
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
