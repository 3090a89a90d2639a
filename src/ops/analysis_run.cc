#include "ops/analysis_run.h"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "analysis/suppressions.h"
#include "base/digest.h"
#include "base/product.h"
#include "base/sorted.h"
#include "base/text.h"
#include "cache/pack.h"
#include "control/scope_paths.h"
#include "ops/analysis_coverage.h"
#include "ops/analysis_outputs.h"
#include "ops/analysis_settings.h"
#include "ops/real_place.h"
#include "ops/repo_config.h"
#include "ops/source_files.h"
#include "policy/config.h"
#include "policy/glob.h"
#include "syntax/languages.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using analysis::FileSource;
using analysis::Names;
using analysis::SourceEntry;

using P = policy::AnalysisPolicy;

constexpr std::size_t kMaxConfigBytes = 1u << 20;
constexpr std::uint64_t kKnownPerParsed = 3;  // files of a run whose tables are worth keeping

/// Of the revision that a change is counted from: a change does not choose the rules for itself.
Result<policy::Config> config_of(Scope& scope, const std::string& counted_from) {
  if (scope.repo != nullptr && !counted_from.empty()) {
    GH_TRY(commit, scope.repo->objects().commit(counted_from));
    return config_at(*scope.repo, commit);
  }
  if (scope.repo != nullptr && scope.repo->is_bare() && !scope.revision.empty()) {
    GH_TRY(commit, scope.repo->objects().commit(scope.revision));
    return config_at(*scope.repo, commit);
  }
  const std::string path = fmt::format("{}/{}", home_of(scope), kConfigFile);
  if (sys::info(path).kind == sys::FileKind::missing) return policy::Config{};
  auto bytes = sys::read_file(path, kMaxConfigBytes);
  if (!bytes) return fail(Code::policy_unreadable, bytes.error().message);
  return policy::parse_config(*bytes, kConfigFile);
}

/// What a report may say of the file: no absolute path, which differs between machines.
std::string told_path(const std::string& named, const std::string& home) {
  if (!named.starts_with('/')) return named;
  if (named.starts_with(home + "/")) return named.substr(home.size() + 1);
  return named.substr(named.rfind('/') + 1);
}

BaselineAt baseline_at(const std::string& named, bool by_caller, const std::string& home,
                       std::int64_t max_mb) {
  BaselineAt out{
      .shown = told_path(named, home), .path = by_caller ? named : home + "/" + named, .read = {}};
  const sys::FileInfo info = sys::info_follow(out.path);
  const auto limit = static_cast<std::uint64_t>(max_mb) << 20;
  if (info.kind == sys::FileKind::missing) {
    out.read = analysis::no_baseline(analysis::Absence::missing);
  } else if (info.kind == sys::FileKind::file && static_cast<std::uint64_t>(info.size) > limit) {
    out.read = analysis::no_baseline(analysis::Absence::too_large);
  } else if (auto bytes = sys::read_file(out.path, limit); !bytes) {
    out.read = analysis::no_baseline(analysis::Absence::unreadable);
  } else {
    out.read = analysis::read_baseline(*bytes, max_mb);
    out.sha256 = digest_of(*bytes).hex();
  }
  return out;
}

/// Leaves out what the configuration leaves out.
class Chosen final : public FileSource {
 public:
  Chosen(FileSource& inner, const policy::AnalysisPolicy& policy)
      : inner_(inner), policy_(policy) {}

  Result<std::vector<SourceEntry>> list() override {
    GH_TRY(all, inner_.list());
    std::erase_if(all, [&](const SourceEntry& entry) { return !is_chosen(entry.path); });
    return std::move(all);
  }
  Result<std::string> read(const SourceEntry& entry) override { return inner_.read(entry); }
  std::string id_of(const SourceEntry& entry) override { return inner_.id_of(entry); }

 private:
  bool is_chosen(const std::string& path) const { return is_chosen_by(policy_, path); }

  FileSource& inner_;
  const policy::AnalysisPolicy& policy_;
};

Status check_not_stopped(const Context& context) {
  if (context.interrupted && context.interrupted())
    return fail(Code::interrupted, "the analysis was stopped");
  return {};
}

/// Files as long as anybody wants them: whoever reads them in parallel is through with the rest at
/// once.
class StoppableFiles final : public FileSource {
 public:
  StoppableFiles(FileSource& inner, const Context& context) : inner_(inner), context_(context) {}

  Result<std::vector<SourceEntry>> list() override { return inner_.list(); }
  Result<std::string> read(const SourceEntry& entry) override {
    GH_DO(check_not_stopped(context_));
    return inner_.read(entry);
  }
  std::string id_of(const SourceEntry& entry) override { return inner_.id_of(entry); }
  bool is_shared() const override { return inner_.is_shared(); }

 private:
  FileSource& inner_;
  const Context& context_;
};

/// Phases are told in tenths: a line each with -v, and enough for a terminal.
std::function<void(std::size_t, std::size_t)> progress_to(Context& context) {
  return [&context, told = std::size_t{0}](std::size_t done, std::size_t of) mutable {
    if (context.advance) context.advance("reading", done, of);
    const std::size_t tenth = done * 10 / std::max<std::size_t>(of, 1);
    if (tenth == told) return;
    told = tenth;
    context.progress(fmt::format("reading: {} of {} files", done, of));
  };
}

Result<analysis::Project> project_of(FileSource& source, const P& policy, AnalysisCache& cache,
                                     std::function<void(std::size_t, std::size_t)> progress,
                                     std::atomic<std::uint64_t>& parsed) {
  return read_project(source, policy,
                      {.store = cache.is_of_use() ? &cache : nullptr,
                       .progress = std::move(progress),
                       .parsed = &parsed});
}

Result<Against> against(const Request& request) {
  Against out{request.text("diff-against"), request.flag("changed-only")};
  if (request.has("paths-from-git-diff")) out = {request.text("paths-from-git-diff"), true};
  if (request.has("changed-paths") && out.changed_only)
    return fail(Code::bad_argument, "name the changed paths, or a revision to find them; not both");
  if (out.changed_only && out.rev.empty())
    return fail(Code::missing_argument, "--changed-only needs --diff-against");
  if (out.rev.starts_with('-'))
    return fail(Code::bad_argument, fmt::format("'{}' is no revision", printable(out.rev, 60)));
  return out;
}

Result<Names> changed_since(git::Repo& repo, const git::Commit& from, const Scope& scope) {
  const std::string head = scope.revision.empty() ? "HEAD" : scope.revision;
  GH_TRY(to, repo.objects().commit(head));
  GH_TRY(paths, repo.changed_paths(from.id, to.id));
  if (scope.revision.empty()) {
    GH_TRY(edited, repo.tracked_changes());
    for (const git::TrackedChange& change : edited)
      paths.push_back(change.path);
    GH_TRY(fresh, repo.untracked_files());
    paths.insert(paths.end(), fresh.begin(), fresh.end());
  }
  sort_unique(paths);
  return std::move(paths);
}

std::optional<std::string> text_of(FileSource& source, const std::string& path) {
  auto text = source.read({.path = path});
  return text ? std::optional(*std::move(text)) : std::nullopt;
}

ChangeTold change_since(const analysis::Project& before, FileSource& then, const AnalysisRun& run,
                        const Names& paths, Scope& scope) {
  std::optional<analysis::EnteredUnits> entered;
  if (run.findings.coverage && !run.findings.coverage->invalid)
    entered = analysis::entered_units(run.project, *run.findings.coverage);
  return tell_change(before, run.project, paths,
                     {.before = [&](const std::string& path) { return text_of(then, path); },
                      .after = [&](const std::string& path) { return text_of(*scope.files, path); },
                      .entered = entered ? &*entered : nullptr});
}

/// The settings that decide, with the baselines that they name.
AnalysisRun prepared_by(Scope& scope, P policy, const Request* request) {
  AnalysisRun out;
  out.policy = settled(std::move(policy));
  const P& p = out.policy;
  const std::string home = home_of(scope);
  const auto is_given = [&](std::string_view name) {
    return request != nullptr && request->has(name);
  };
  out.baseline = baseline_at(p.baseline, is_given("baseline"), home, p.max_baseline_size_mb);
  const bool has_own = !p.metrics_baseline.empty();
  out.metrics_baseline = has_own ? baseline_at(p.metrics_baseline, is_given("metrics-baseline"),
                                               home, p.max_baseline_size_mb)
                                 : out.baseline;
  out.gates = gates_of(p);
  if (p.ci)
    out.gates = analysis::for_ci(
        out.gates, !p.skip_metrics && out.metrics_baseline.read.content.metrics.has_value());
  return out;
}

/// `request` is null for a run that only follows the configuration.
Result<AnalysisRun> prepared(Scope& scope, const Request* request) {
  Against earlier;
  if (request != nullptr) {
    GH_TRY(named, against(*request));
    earlier = std::move(named);
  }
  GH_TRY(config, config_of(scope, earlier.rev));
  P policy = std::move(config.analysis);
  if (request != nullptr) {
    GH_TRY(wanted, with_request(std::move(policy), *request));
    policy = std::move(wanted);
  }
  AnalysisRun out = prepared_by(scope, std::move(policy), request);
  out.earlier = std::move(earlier);
  return out;
}

/// Will gates believe what the run writes down?
bool writes_baseline(const Request& request) {
  const Operation& operation = request.operation();
  return operation.name == "save_baseline" || operation.name == "update_baseline" ||
         request.flag("update-baseline") || request.flag("update-metrics-baseline");
}

/// Whoever may write to the cache must not decide what a gate says or a baseline holds: such a run
/// reads everything itself (docs/adr/0016).
bool may_use_cache(const AnalysisRun& run, const Request* request) {
  if (request != nullptr && request->has("cache") && !request->flag("cache")) return false;
  return run.gates == analysis::GateSettings{} &&
         (request == nullptr || !writes_baseline(*request));
}

Code code_of(analysis::ContractCause cause) {
  switch (cause) {
    case analysis::ContractCause::option:
      return Code::bad_argument;
    case analysis::ContractCause::source:
    case analysis::ContractCause::coverage:
      return Code::input_unreadable;
    case analysis::ContractCause::baseline:
      return Code::baseline_untrusted;
  }
  return Code::internal_error;
}

Status status_of(std::optional<analysis::ContractError> error) {
  if (!error) return {};
  return fail(code_of(error->cause), std::move(error->message));
}

}  // namespace

Result<analysis::Project> read_project(FileSource& source, const P& policy,
                                       analysis::RunOptions options) {
  Chosen chosen(source, policy);
  options.profile = profile_of(policy);
  options.jobs = static_cast<unsigned>(policy.jobs);
  options.max_files = static_cast<std::size_t>(policy.max_files);
  return analysis::analyse(chosen, options);
}

namespace {

analysis::Findings findings_of(const analysis::Project& project, const P& policy,
                               analysis::UseGraph* uses) {
  analysis::Findings out =
      analysis::find_all(project, golden_of(policy), static_cast<unsigned>(policy.jobs), uses);
  if (policy.skip_dependencies) out.dependencies = {};
  if (policy.skip_dead_code) out.dead_code = {};
  return out;
}

/// Files of which facts could be had, known or not.
std::uint64_t readable_files(const analysis::Project& project) {
  using analysis::FileStatus;
  return static_cast<std::uint64_t>(
      std::ranges::count_if(project.files, [](const analysis::AnalysedFile& file) {
        const FileStatus status = file.facts.status;
        return status != FileStatus::file_too_large && status != FileStatus::stat_error &&
               status != FileStatus::source_read_error;
      }));
}

/// Were most files known already? Then the next run may be told from this one.
bool is_worth_keeping(const AnalysisRun& run) {
  return run.cache->exists() && run.parsed * (kKnownPerParsed + 1) <= run.project.files.size();
}

}  // namespace

analysis::Findings findings_of(const analysis::Project& project, const P& policy) {
  return findings_of(project, policy, nullptr);
}

void set_added_aside(AnalysisRun& run, const analysis::Project& before) {
  run.suppressions_added = analysis::added_suppressions(analysis::bound_suppressions(before),
                                                        analysis::bound_suppressions(run.project));
  if (run.suppressions_added.empty()) return;
  auto out = std::make_shared<Unsuppressed>();
  out->project = analysis::without_suppressions(run.project, run.suppressions_added);
  out->findings = findings_of(out->project, run.policy);
  out->findings.coverage = run.findings.coverage;
  out->measures = analysis::measure(out->project, out->findings);
  out->health = analysis::health_of(out->measures);
  run.unsuppressed = std::move(out);
}

std::string measured_by(const AnalysisRun& run) {
  P policy = run.policy;
  policy.baseline = run.baseline.shown;
  if (!policy.metrics_baseline.empty()) policy.metrics_baseline = run.metrics_baseline.shown;
  return measuring_digest(policy);
}

Result<Scope> scope_of(const Request& request, Context& context) {
  if (request.has("rev") && request.flag("staged"))
    return fail(Code::bad_argument, "--rev and --staged exclude each other");
  auto scope = open_scope({.path = request.text("PATH"),
                           .revision = request.text("rev"),
                           .staged = request.flag("staged")},
                          context);
  if (!scope && scope.error().code == Code::path_invalid) GH_DO(request.check_not_value("PATH"));
  return scope;
}

Result<AnalysisRun> prepare_analysis(const Request& request, Context& context) {
  GH_TRY(scope, scope_of(request, context));
  return prepared(scope, &request);
}

namespace {

/// A change that edits the rules is told that they do not count yet.
void tell_about_rules(Scope& scope, const AnalysisRun& run, Context& context) {
  if (run.earlier.rev.empty() || !context.notice) return;
  const auto then = config_of(scope, run.earlier.rev), now = config_of(scope, {});
  if (then && now && to_value(then->analysis) == to_value(now->analysis)) return;
  context.notice(fmt::format("{} of {} decides; the change edits it", kConfigFile,
                             printable(run.earlier.rev, 60)));
}

}  // namespace

namespace {

/// The repository's own baseline holds the whole of it.
void tell_about_baseline(const Scope& scope, const AnalysisRun& run, const Request* request,
                         Context& context) {
  const bool is_folder = scope.repo != nullptr && scope.root != scope.repo->root();
  const bool is_named = request != nullptr && request->has("baseline");
  if (!is_folder || is_named || !context.notice || run.baseline.sha256.empty()) return;
  context.notice(fmt::format(
      "{} holds the whole repository: health and API of a folder differ from it without a change; "
      "--baseline FILE names one of the folder",
      run.baseline.shown));
}

/// As reports name them, which have a path below what is analysed.
Result<Names> named_changes(const Names& given, const Scope& scope) {
  GH_TRY(named, control::normalise_evidence(by_real_root(scope.root, given), scope.root));
  Names out;
  for (const std::string& path : named)
    out.push_back(control::bytes_of_path(path));
  sort_unique(out);
  return out;
}

Result<AnalysisRun> begun(Scope& scope, AnalysisRun out, const Request* request, Context& context) {
  if (!out.earlier.rev.empty() && scope.repo == nullptr)
    return fail(Code::not_a_repository,
                "a revision needs a repository, and this folder is in none");
  if (request != nullptr && request->has("changed-paths")) {
    GH_TRY(paths, named_changes(request->list("changed-paths"), scope));
    out.changed = std::move(paths);
  }
  tell_about_rules(scope, out, context);
  tell_about_baseline(scope, out, request, context);
  GH_DO(check_outputs(out.policy));
  GH_DO(analysis::check_golden_patterns(out.policy.golden_fixture_paths));
  GH_DO(status_of(analysis::option_error(out.gates, out.policy.skip_metrics,
                                         !out.policy.coverage_xml.empty())));
  out.cache = may_use_cache(out, request) ? std::make_shared<AnalysisCache>(scope, out.policy)
                                          : std::make_shared<AnalysisCache>();
  if (!out.earlier.rev.empty()) out.cache->share_between_sides();
  if (out.cache->exists())
    scope.files->use(out.cache->stamps(), context.env.now().seconds * 1'000'000'000);
  return out;
}

}  // namespace

Result<AnalysisRun> begin_analysis(Scope& scope, const Request* request, Context& context) {
  GH_TRY(out, prepared(scope, request));
  return begun(scope, std::move(out), request, context);
}

Status measure_analysis(Scope& scope, AnalysisRun& out, const Request* request, Context& context) {
  context.may_stop(true);
  const Against& earlier = out.earlier;
  const bool tells = context.progress && !out.policy.no_progress;
  if (tells) context.progress("reading");
  AnalysisCache& cache = *out.cache;
  const auto progress =
      tells ? progress_to(context) : std::function<void(std::size_t, std::size_t)>();
  std::atomic<std::uint64_t> parsed{0}, parsed_before{0};
  StoppableFiles files(*scope.files, context);
  Stages stages(context.env, out.timings);
  GH_TRY(project, project_of(files, out.policy, cache, progress, parsed));
  GH_DO(check_not_stopped(context));
  stages.end("reading_ms");
  out.parsed = parsed;
  out.project = std::move(project);
  out.known = readable_files(out.project) - std::min(out.parsed, readable_files(out.project));
  out.cache_status = cache.status();
  // The other side of a comparison adds to the cache; with one thread nothing runs beside another.
  const bool saves_meanwhile = earlier.rev.empty() && out.policy.jobs != 1;
  if (saves_meanwhile) cache.begin_saving();
  if (tells) context.progress("comparing");
  if (is_worth_keeping(out)) cache.uses().emplace();
  out.findings = findings_of(out.project, out.policy, cache.uses() ? &*cache.uses() : nullptr);
  GH_DO(check_not_stopped(context));
  if (!out.policy.coverage_xml.empty() && !out.policy.skip_metrics) {
    const std::string home = home_of(scope);
    const bool is_given = request != nullptr && request->has("coverage");
    out.findings.coverage =
        coverage_of(out.project, {.file = out.policy.coverage_xml,
                                  .from = is_given ? sys::real_path(".").value_or(".") : home,
                                  .root = home,
                                  .min_percent = out.policy.coverage_min});
  }
  stages.end("finding_ms");
  out.measures = analysis::measure(out.project, out.findings);
  out.health = analysis::health_of(out.measures);
  out.compatible = analysis::compatible_health_of(out.measures);
  stages.end("measuring_ms");
  GH_DO(check_not_stopped(context));
  if (!earlier.rev.empty()) {
    GH_TRY(from, scope.repo->objects().commit(earlier.rev));
    GH_TRY(paths, changed_since(*scope.repo, from, scope));
    if (earlier.changed_only) out.changed = paths;
    const auto then = files_of_tree(*scope.repo, from.tree);
    GH_TRY(before, project_of(*then, out.policy, cache, {}, parsed_before));
    out.before = analysis::measure(before, findings_of(before, out.policy));
    out.change = change_since(before, *then, out, paths, scope);
    set_added_aside(out, before);
  }
  context.may_stop(false);
  if (!saves_meanwhile) cache.save();
  return {};
}

Result<AnalysisRun> run_analysis(Scope& scope, const Request* request, Context& context) {
  GH_TRY(out, begin_analysis(scope, request, context));
  GH_DO(measure_analysis(scope, out, request, context));
  return std::move(out);
}

Result<AnalysisRun> run_analysis(Scope& scope, P policy, Context& context) {
  GH_TRY(out, begun(scope, prepared_by(scope, std::move(policy), nullptr), nullptr, context));
  GH_DO(measure_analysis(scope, out, nullptr, context));
  return std::move(out);
}

Result<AnalysisRun> run_analysis(const Request& request, Context& context) {
  GH_TRY(scope, scope_of(request, context));
  return run_analysis(scope, &request, context);
}

Status check_contract(const AnalysisRun& run) {
  const auto error = analysis::contract_error(
      run.gates, {run.policy.skip_metrics, run.baseline.read, run.metrics_baseline.read,
                  run.measures.coverage, run.measures.unreadable});
  if (error && error->cause == analysis::ContractCause::coverage) {
    const Error& why = *run.findings.coverage->invalid;
    return fail(why.code, fmt::format("{}: {}", error->message, why.message));
  }
  return status_of(error);
}

Status write_baseline(const AnalysisRun& run, bool metrics_only, Context& context) {
  const BaselineAt& at = metrics_only ? run.metrics_baseline : run.baseline;
  analysis::Baseline content = analysis::baseline_of(
      run.measures, run.health,
      {.metrics = !run.policy.skip_metrics, .api_surface = run.policy.api_surface});
  if (metrics_only) content.clones = at.read.content.clones;
  if (!content.clones && at.read.trust != analysis::Trust::missing && context.notice)
    context.notice(fmt::format("{} was not trusted ({}); its clone keys are not kept", at.shown,
                               to_string(at.read.trust)));
  if (const std::size_t slash = at.shown.rfind('/');
      slash != std::string::npos && at.path.ends_with(at.shown))
    GH_DO(check_below(at.path.substr(0, at.path.size() - at.shown.size() - 1), at.path));
  return sys::write_file_atomic(
      at.path, analysis::print_baseline(content, run.measures.languages, context.env.now()));
}

}  // namespace gh::ops
