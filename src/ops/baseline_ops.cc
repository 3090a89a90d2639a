// `baseline save|show|diff|verify|update`: the structural baseline, kept and looked at.
#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/analysis_ops.h"
#include "ops/analysis_run.h"
#include "ops/analyze_judgement.h"
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
    out += fmt::format("  clones   {} functions, {} runs of statements\n",
                       content.clones->functions.size(), content.clones->blocks.size());
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

Reply written(const AnalysisRun& run, const BaselineAt& at, bool existed,
              const analysis::CloneKeys& gone) {
  const RunJudgement judgement = judge(run);
  const auto& fresh = judgement.comparison.new_clones;
  const std::size_t added = fresh.functions.size() + fresh.blocks.size();
  const std::size_t removed = gone.functions.size() + gone.blocks.size();
  const std::string message =
      existed ? fmt::format("{} is updated: {} groups of clones came, {} went", at.shown, added,
                            removed)
              : fmt::format("{} is written: {} groups of clones, health {} {}", at.shown, added,
                            run.health.score, run.health.grade);
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.baseline_written/1"},
                       {"path", at.shown},
                       {"existed", existed},
                       {"clones_added", string_list(fresh.functions)},
                       {"blocks_added", string_list(fresh.blocks)},
                       {"clones_removed", string_list(gone.functions)},
                       {"blocks_removed", string_list(gone.blocks)},
                       {"health_score", run.health.score},
                       {"message", message},
                       {"tool", tool()}};
  reply.text = [message](const report::Look&) { return message + "\n"; };
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

Result<Reply> baseline_diff(const Request& request, Context& context) {
  GH_TRY(run, run_analysis(request, context));
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
  const bool is_worse =
      clones > 0 ||
      (c.metrics &&
       (!c.metrics->new_high_risk_functions.empty() ||
        !c.metrics->new_high_coupling_classes.empty() || !c.metrics->new_cycles.empty() ||
        !c.metrics->new_dead_code.empty() || c.metrics->health_delta < 0));
  document.set("worse", is_worse);
  Reply reply;
  reply.text = [c, clones](const report::Look&) {
    std::string out = fmt::format("{} new groups of clones\n", clones);
    if (!c.metrics) return out + "no metrics to compare with\n";
    const auto list = [&](std::string_view what, const Names& names) {
      for (const std::string& name : names)
        out += fmt::format("new {}: {}\n", what, printable(name, 200));
    };
    list("complex function", c.metrics->new_high_risk_functions);
    list("coupled class", c.metrics->new_high_coupling_classes);
    list("dead code", c.metrics->new_dead_code);
    for (const Names& cycle : c.metrics->new_cycles)
      out += fmt::format("new cycle: {}\n", printable(join(cycle, " -> "), 200));
    const std::int64_t tenths = c.metrics->health_delta_tenths;
    return out + fmt::format("health {:+} ({}{}.{} by weighed dimensions)\n",
                             c.metrics->health_delta, tenths < 0 ? "-" : "+", std::abs(tenths) / 10,
                             std::abs(tenths) % 10);
  };
  reply.document = std::move(document);
  if (is_worse && request.flag("check")) {
    reply.exit = ExitCode::denied;
    reply.why = "the code is worse than its baseline";
  }
  return reply;
}

}  // namespace gh::ops
