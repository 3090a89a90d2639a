// `baseline save|show|diff|verify|update`: the structural baseline, kept and looked at.
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/analysis_ops.h"
#include "ops/analysis_run.h"
#include "ops/analyze_judgement.h"
#include "ops/run_text.h"
#include "report/columns.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using analysis::Names;
using analysis::Trust;

Value tool() { return Map{{"name", kProduct}, {"version", kVersion}}; }

Value count(std::size_t n) { return Value(static_cast<std::int64_t>(n)); }

Map status_document(const BaselineAt& at, std::string message) {
  const analysis::Baseline& content = at.read.content;
  Map out{{"schema", "gatehouse.baseline_status/1"},
          {"path", at.shown},
          {"status", to_string(at.read.trust)},
          {"detail", at.read.detail},
          {"migrates", at.read.migrates},
          {"meta", at.read.meta},
          {"clones", nullptr},
          {"metrics", nullptr},
          {"has_api_surface", content.api_surface.has_value()},
          {"message", std::move(message)},
          {"tool", tool()}};
  if (content.clones)
    out.set("clones", Map{{"functions", count(content.clones->functions.size())},
                          {"blocks", count(content.clones->blocks.size())}});
  if (content.metrics) out.set("metrics", analysis::metrics_document(*content.metrics));
  return out;
}

std::string status_text(const BaselineAt& at) {
  const analysis::Baseline& content = at.read.content;
  std::string out = fmt::format("{}: {}\n", printable(at.shown, 200), to_string(at.read.trust));
  if (!at.read.detail.empty()) out += fmt::format("  {}\n", printable(at.read.detail, 300));
  if (content.clones)
    out += fmt::format("  clones   {} of functions, {} of runs of statements\n",
                       counted_text(content.clones->functions.size(), "group"),
                       content.clones->blocks.size());
  if (const auto& m = content.metrics) {
    out += fmt::format("  metrics  health {} {}, highest complexity {}, coupling {}, LCOM4 {}\n",
                       m->health_score, m->health_grade, m->max_complexity, m->max_coupling,
                       m->max_cohesion);
    out += fmt::format(
        "           {} complex functions, {} coupled classes, {} loose classes, {} cycles, {} "
        "dead\n",
        m->high_risk_functions.size(), m->high_coupling_classes.size(),
        m->low_cohesion_classes.size(), m->dependency_cycles.size(), m->dead_code_items.size());
  }
  if (content.api_surface) out += "  API      recorded\n";
  return out;
}

/// The file that is named, or the configured one.
Result<BaselineAt> baseline_named(const Request& request, Context& context) {
  GH_TRY(run, prepare_analysis(request, context));
  return std::move(run.baseline);
}

struct Accepted {
  std::string_view key, what;
  Names analysis::MetricsDiff::*names;
};
// table: what a baseline newly accepts
constexpr std::array<Accepted, 3> kAccepted{{
    {"functions", "complex function", &analysis::MetricsDiff::new_high_risk_functions},
    {"classes", "coupled class", &analysis::MetricsDiff::new_high_coupling_classes},
    {"dead_code", "dead code", &analysis::MetricsDiff::new_dead_code},
}};

std::string cycle_text(const Names& cycle) { return printable(join(cycle, " -> "), 200); }

/// What was refused before and is not any more: a line each.
std::string news_text(const analysis::MetricsDiff& diff, std::string_view before) {
  std::string out;
  for (const Accepted& row : kAccepted)
    for (const std::string& name : diff.*row.names)
      out += fmt::format("{} {}: {}\n", before, row.what, printable(name, 200));
  for (const Names& cycle : diff.new_cycles)
    out += fmt::format("{} cycle: {}\n", before, cycle_text(cycle));
  return out;
}

Value accepted_document(const std::optional<analysis::MetricsDiff>& diff) {
  if (!diff) return {};
  Map out;
  for (const Accepted& row : kAccepted)
    out.set(std::string(row.key), string_list((*diff).*row.names));
  List cycles;
  for (const Names& cycle : diff->new_cycles)
    cycles.emplace_back(string_list(cycle));
  out.set("cycles", std::move(cycles));
  out.set("health_delta", diff->health_delta);
  return out;
}

Reply written(const AnalysisRun& run, const BaselineAt& at, bool existed,
              const analysis::CloneKeys& gone) {
  const RunJudgement judgement = judge(run);
  const auto& fresh = judgement.comparison.new_clones;
  const std::size_t added = fresh.functions.size() + fresh.blocks.size();
  const std::size_t removed = gone.functions.size() + gone.blocks.size();
  const std::string message =
      existed ? fmt::format("{} is updated: {} of clones came, {} went", at.shown,
                            counted_text(added, "group"), removed)
              : fmt::format("{} is written: {} of clones, health {} {}", at.shown,
                            counted_text(added, "group"), run.health.score, run.health.grade);
  std::string accepted;
  if (existed && judgement.comparison.metrics) {
    const analysis::MetricsDiff& diff = *judgement.comparison.metrics;
    accepted = news_text(diff, "now accepted,");
    if (diff.health_delta < 0)
      accepted += fmt::format("now accepted, health {:+}\n", diff.health_delta);
  }
  Reply reply;
  reply.document =
      Map{{"schema", "gatehouse.baseline_written/1"},
          {"path", at.shown},
          {"existed", existed},
          {"clones_added", string_list(fresh.functions)},
          {"blocks_added", string_list(fresh.blocks)},
          {"clones_removed", string_list(gone.functions)},
          {"blocks_removed", string_list(gone.blocks)},
          {"accepted", existed ? accepted_document(judgement.comparison.metrics) : Value()},
          {"health_score", run.health.score},
          {"message", message},
          {"tool", tool()}};
  reply.text = [message, accepted](const report::Look&) { return message + "\n" + accepted; };
  return reply;
}

}  // namespace

Result<Reply> baseline_save(const Request& request, Context& context) {
  GH_TRY(place, prepare_analysis(request, context));
  if (place.baseline.read.trust != Trust::missing)
    return fail(Code::bad_argument,
                fmt::format("{} is there already; 'baseline update' replaces it",
                            printable(place.baseline.shown, 200)));
  GH_TRY(run, run_analysis(request, context));
  GH_DO(write_baseline(run, false, context));
  return written(run, run.baseline, false, {});
}

Result<Reply> baseline_update(const Request& request, Context& context) {
  GH_TRY(run, run_analysis(request, context));
  const bool metrics_only = request.flag("metrics-only");
  const BaselineAt& at = metrics_only ? run.metrics_baseline : run.baseline;
  if (at.read.trust == Trust::missing)
    return fail(Code::baseline_untrusted,
                fmt::format("there is no {} to update", printable(at.shown, 200)));
  const auto& then = run.baseline.read.content.clones;
  analysis::CloneKeys gone;
  if (then && !metrics_only) gone = analysis::new_clones(*then, run.measures.clones);
  GH_DO(write_baseline(run, metrics_only, context));
  return written(run, at, true, gone);
}

Result<Reply> baseline_show(const Request& request, Context& context) {
  GH_TRY(at, baseline_named(request, context));
  if (at.read.trust == Trust::missing)
    return fail(Code::baseline_untrusted, fmt::format("there is no {}", printable(at.shown, 200)));
  Reply reply;
  reply.document = status_document(at, fmt::format("{}: {}", at.shown, to_string(at.read.trust)));
  reply.text = [at = std::move(at)](const report::Look&) { return status_text(at); };
  return reply;
}

Result<Reply> baseline_verify(const Request& request, Context& context) {
  GH_TRY(at, baseline_named(request, context));
  Reply reply;
  const bool is_ok = at.read.trust == Trust::ok;
  const std::string message = is_ok ? fmt::format("{} can be trusted", at.shown)
                                    : fmt::format("{} cannot be trusted: {} ({})", at.shown,
                                                  to_string(at.read.trust), at.read.detail);
  reply.document = status_document(at, message);
  reply.text = [message](const report::Look&) { return printable(message, 500) + "\n"; };
  if (!is_ok) {
    reply.exit = ExitCode::denied;
    reply.why = message;
  }
  return reply;
}

namespace {

/// Measures the API too where the baseline holds one, whatever else is asked for.
Result<AnalysisRun> run_as_baseline(const Request& request, Context& context) {
  GH_TRY(scope, scope_of(request, context));
  GH_TRY(run, begin_analysis(scope, &request, context));
  run.policy.api_surface |=
      !run.policy.skip_metrics && run.metrics_baseline.read.content.api_surface.has_value();
  GH_DO(measure_analysis(scope, run, &request, context));
  return std::move(run);
}

/// Clones, metrics or API: anything that the gates on what is new would refuse.
bool is_worse(const analysis::Comparison& c) {
  const auto& m = c.metrics;
  return !c.new_clones.functions.empty() || !c.new_clones.blocks.empty() ||
         (c.api && !c.api->breaking_changes.empty()) ||
         (m && (!m->new_high_risk_functions.empty() || !m->new_high_coupling_classes.empty() ||
                !m->new_cycles.empty() || !m->new_dead_code.empty() || m->health_delta < 0));
}

}  // namespace

Result<Reply> baseline_diff(const Request& request, Context& context) {
  GH_TRY(run, run_as_baseline(request, context));
  const BaselineAt& at = run.baseline;
  if (at.read.trust != Trust::ok && !at.read.migrates)
    return fail(Code::baseline_untrusted,
                fmt::format("{}: {} ({})", at.shown, to_string(at.read.trust), at.read.detail));
  const RunJudgement judgement = judge(run);
  const analysis::Comparison& c = judgement.comparison;
  const auto& then = run.metrics_baseline.read.content.metrics;
  Map document = analysis::comparison_document(c, then ? &*then : nullptr, run.health);
  document.set("schema", "gatehouse.baseline_diff/1");
  document.set("path", at.shown);
  document.set("tool", tool());
  const std::size_t clones = c.new_clones.functions.size() + c.new_clones.blocks.size();
  const bool worse = is_worse(c);
  document.set("worse", worse);
  Reply reply;
  reply.text = [c, clones](const report::Look&) {
    std::string out = fmt::format("{} of clones\n", counted_text(clones, "new group"));
    if (c.api)
      for (const std::string& text : break_texts(*c.api))
        out += fmt::format("the API breaks, {}\n", printable(text, 300));
    if (!c.metrics) return out + "no metrics to compare with\n";
    out += news_text(*c.metrics, "new");
    const std::int64_t tenths = c.metrics->health_delta_tenths;
    return out + fmt::format("health {:+} ({}{}.{} by weighed dimensions)\n",
                             c.metrics->health_delta, tenths < 0 ? "-" : "+", std::abs(tenths) / 10,
                             std::abs(tenths) % 10);
  };
  reply.document = std::move(document);
  if (worse && request.flag("check")) {
    reply.exit = ExitCode::denied;
    reply.why = "the code is worse than its baseline";
  }
  return reply;
}

}  // namespace gh::ops
