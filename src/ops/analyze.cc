// `analyze`: the shape of the code in a folder or at a revision.
#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "analysis/derived.h"
#include "analysis/metric_families.h"
#include "analysis/ratio.h"
#include "analysis/report_view.h"
#include "base/text.h"
#include "ops/amended_analysis.h"
#include "ops/analysis_ops.h"
#include "ops/analysis_outputs.h"
#include "ops/analyze_text.h"
#include "ops/kept_runs.h"
#include "ops/lease_renewal.h"
#include "ops/run_text.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using analysis::Findings;

struct Shape {
  AnalysisRun run{};
  RunJudgement judgement{};
  std::optional<Findings> some{};  // those that are shown, when not all are
  std::string digest{}, run_id{};

  const Findings& shown() const { return some ? *some : run.findings; }
};

/// What differs between two runs of the same sources; no part of the digest.
Map runtime_of(const Scope& scope, const Shape& shape, bool stored, Context& context) {
  const AnalysisRun& run = shape.run;
  const auto jobs = run.policy.jobs != 0 ? static_cast<std::uint64_t>(run.policy.jobs)
                                         : std::max(1u, std::thread::hardware_concurrency());
  Map timings;
  for (const auto& [stage, milliseconds] : run.timings)
    timings.set(std::string(stage), milliseconds);
  return Map{{"run_id", shape.run_id},
             {"cache", Map{{"status", run.cache_status},
                           {"hits", analysis::number(run.known)},
                           {"misses", analysis::number(run.parsed)}}},
             {"jobs", analysis::number(jobs)},
             {"timings", std::move(timings)},
             {"stored", stored},
             {"created_utc", to_string(context.env.now())},
             {"root", utf8_or_escaped(scope.root)},
             {"source", to_string(scope.from)},
             {"revision", scope.revision.empty() ? Value() : Value(scope.revision)},
             {"tree", scope.tree.empty() ? Value() : Value(scope.tree)}};
}

/// A run that cannot be kept is still an answer; it says why it is not kept.
bool keep(Scope& scope, const FinishedRun& run, const Request& request, Context& context) {
  if (!request.flag("store")) return false;
  const auto say = [&](const std::string& why) {
    if (context.notice) context.notice("the run is not stored: " + why);
  };
  if (scope.repo == nullptr) {
    say("this folder is in no repository");
    return false;
  }
  const Status stored = store_run(scope, run, context);
  if (!stored) say(stored.error().message);
  return stored.has_value();
}

void tell_about_baselines(const AnalysisRun& run, Context& context) {
  const auto tell = [&](const BaselineAt& at) {
    if (at.read.trust == analysis::Trust::ok || at.read.trust == analysis::Trust::missing) return;
    context.notice(fmt::format(
        "{} is not trusted ({}: {}); {}", at.shown, to_string(at.read.trust), at.read.detail,
        at.read.migrates ? "its clones are not compared" : "compared with an empty baseline"));
  };
  if (!context.notice || run.policy.ci || run.policy.quiet) return;
  tell(run.baseline);
  if (run.metrics_baseline.path != run.baseline.path) tell(run.metrics_baseline);
}

/// A good health of nothing says nothing.
void tell_about_nothing(const AnalysisRun& run, Context& context) {
  if (run.measures.files_analysed == 0 && context.notice)
    context.notice(
        "no source was read: there is none in a language that is analysed, or it is left out");
}

/// What was asked for in the run itself wins over how the terminal looks.
report::Look wanted_look(report::Look look, const policy::AnalysisPolicy& policy) {
  if (policy.ci || policy.no_color) look.colour = false;
  if (policy.ci || policy.quiet) look.verbosity = -1;
  return look;
}

std::function<std::string(const report::Look&)> text_of(Told told,
                                                        const policy::AnalysisPolicy& policy) {
  return [told = std::move(told), policy](const report::Look& wanted) {
    const report::Look look = wanted_look(wanted, policy);
    return (look.verbosity < 0 ? told.brief : told.whole).drawn(look);
  };
}

/// May the answer be remembered? What gates decide never is: whoever may write to the cache must
/// not decide.
bool is_plain(const AnalysisRun& run, const Request& request, const Context& context) {
  return run.cache->exists() && !context.wants_document && !writes_outputs(run.policy) &&
         run.earlier.rev.empty() && !run.changed && run.policy.coverage_xml.empty() &&
         run.gates == analysis::GateSettings{} && !request.flag("update-baseline") &&
         !request.flag("update-metrics-baseline");
}

/// Everything but the files that an answer for people is made from.
Map made_by(const Scope& scope, const AnalysisRun& run) {
  const sys::FileInfo program = sys::info_follow("/proc/self/exe");
  return Map{
      {"program", List{program.size, program.mtime_ns, static_cast<std::int64_t>(program.inode)}},
      {"policy", to_value(run.policy)},
      {"baseline", run.baseline.sha256},
      {"metrics_baseline", run.metrics_baseline.sha256},
      {"root", utf8_or_escaped(scope.root)},
      {"source", to_string(scope.from)}};
}

/// With the files.
std::string made_from(const Scope& scope, const AnalysisRun& run,
                      const std::vector<analysis::RunInput>& inputs) {
  return wire::canonical_json(made_by(scope, run).set("inputs", inputs_key(inputs)));
}

RunMemory memory_of(const Scope& scope, const AnalysisRun& run) {
  return {cache_folder(scope, run.policy), wire::canonical_json(made_by(scope, run))};
}

report::Styled styled_in(const Value& answer, std::string_view key) {
  const Value* found = analysis::member(answer, {key});
  return found == nullptr ? report::Styled() : report::Styled::from_value(*found);
}

/// The same question was answered before, and its run is still there when it is to be kept.
std::optional<Reply> known_answer(Scope& scope, const AnalysisRun& run, const Request& request,
                                  const std::vector<analysis::RunInput>& inputs, Context& context) {
  const auto answer = run.cache->answer(made_from(scope, run, inputs));
  if (!answer) return std::nullopt;
  Told told{styled_in(*answer, "whole"), styled_in(*answer, "brief")};
  const std::string run_id(analysis::text_in(*answer, "run_id"));
  context.may_stop(false);
  if (request.flag("store") && !store_again(scope, run_id, measured_by(run), context))
    return std::nullopt;
  tell_about_baselines(run, context);
  run.cache->save();  // files that were read to see that they are the same
  Reply reply;
  reply.text = text_of(std::move(told), run.policy);
  return reply;
}

void remember_answer(const Scope& scope, const AnalysisRun& run,
                     const std::vector<analysis::RunInput>& inputs, const std::string& run_id,
                     const Told& told) {
  run.cache->remember(
      made_from(scope, run, inputs),
      Map{{"run_id", run_id}, {"whole", told.whole.to_value()}, {"brief", told.brief.to_value()}});
  run.cache->save();
}

/// Few files changed since the last run, and nothing else with them.
std::optional<Reply> amended_answer(Scope& scope, AnalysisRun& run, const Request& request,
                                    std::vector<analysis::RunInput> inputs, Context& context) {
  if (scope.from != ReadFrom::work_tree) return std::nullopt;
  std::string_view why_not;
  auto amended = amended_analysis(scope, run, memory_of(scope, run), std::move(inputs), why_not);
  if (context.progress && !run.policy.no_progress)
    context.progress(amended ? amended_text(*amended) : fmt::format("as a whole: {}", why_not));
  if (!amended) return std::nullopt;
  context.may_stop(false);
  if (request.flag("store") && !store_again(scope, amended->run_id, measured_by(run), context) &&
      !store_amended(scope, *amended, measured_by(run), context))
    return std::nullopt;
  remember_answer(scope, run, amended->inputs, amended->run_id, amended->told);
  Reply reply;
  reply.text = text_of(std::move(amended->told), run.policy);
  return reply;
}

/// From what earlier runs left behind.
std::optional<Reply> remembered_answer(Scope& scope, AnalysisRun& run, const Request& request,
                                       Context& context) {
  // The first time every file would be read for nothing.
  const bool is_first = scope.from == ReadFrom::work_tree && run.cache->stamps().empty();
  if (is_first || !is_plain(run, request, context)) return std::nullopt;
  auto inputs = scope.files->inputs();
  if (!inputs) return std::nullopt;
  if (auto known = known_answer(scope, run, request, *inputs, context)) return known;
  return amended_answer(scope, run, request, *std::move(inputs), context);
}

}  // namespace

Result<Reply> analyze(const Request& request, Context& context) {
  GH_TRY(scope, scope_of(request, context));
  context.may_stop(true);
  GH_TRY(run, begin_analysis(scope, &request, context));
  if (auto known = remembered_answer(scope, run, request, context)) {
    renew_held(request, context, scope.repo.get());
    return *std::move(known);
  }
  GH_DO(measure_analysis(scope, run, &request, context));
  const bool updates = request.flag("update-baseline");
  const bool updates_metrics = request.flag("update-metrics-baseline");
  if (!updates && !updates_metrics) GH_DO(check_contract(run));
  Shape shape{.run = std::move(run)};
  context.may_stop(true);
  shape.judgement = judge(shape.run);
  shape.some = shown_findings(shape.run);
  context.may_stop(false);
  if (updates || updates_metrics) {
    GH_DO(write_baseline(shape.run, !updates, context));
    shape.judgement.annotations.gate_reasons.clear();
  } else {
    tell_about_baselines(shape.run, context);
  }
  tell_about_nothing(shape.run, context);
  context.may_stop(true);
  analysis::RunDigests digests;
  Stages stages(context.env, shape.run.timings);
  GH_TRY(done, finished(scope, shape.run, shape.judgement.annotations, digests));
  stages.end("reporting_ms");
  context.may_stop(false);
  const bool stored = keep(scope, done, request, context);
  stages.end("storing_ms");
  renew_held(request, context, scope.repo.get());
  shape.digest = analysis::stated_digest(done.report.frame);
  shape.run_id = done.run_id;
  Reply reply;
  const auto& reasons = shape.judgement.annotations.gate_reasons;
  if (!reasons.empty()) {
    reply.exit = ExitCode::denied;
    reply.why = refusal(reasons);
  }
  if (context.wants_document || writes_outputs(shape.run.policy)) {
    Map runtime = runtime_of(scope, shape, stored, context);
    reply.document = analysis::whole_report(std::move(done.report));
    analysis::add_derived(reply.document);
    if (!shape.run.change.document.is_null())
      reply.document.as_map()->find("derived")->as_map()->set("change", shape.run.change.document);
    reply.document.as_map()->find("meta")->as_map()->set("runtime", std::move(runtime));
    GH_DO(write_outputs(shape.run.policy, reply.document, request, static_cast<int>(reply.exit),
                        scope, context));
    const JsonForm form = json_form(request);
    limit_items(reply.document, form);
    reply.is_compact = form.is_compact;
  }
  const ToldRun told{shape.run, shape.judgement, shape.shown(), shape.digest, shape.run_id};
  Told texts{analysis_text(told), short_analysis_text(told)};
  if (is_plain(shape.run, request, context)) {
    if (scope.from == ReadFrom::work_tree)
      remember_run(memory_of(scope, shape.run), told, done, digests);
    remember_answer(scope, shape.run, done.inputs, shape.run_id, texts);
  }
  reply.text = text_of(std::move(texts), shape.run.policy);
  return reply;
}

}  // namespace gh::ops
