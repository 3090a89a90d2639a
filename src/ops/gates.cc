// `gates`: would a stored run be let through? The rows are those of `analyze`; nothing is measured.
#include "analysis/gates.h"

#include <fmt/format.h>

#include "base/text.h"
#include "control/budgets.h"
#include "ops/analysis_ops.h"
#include "ops/analysis_run.h"
#include "ops/committed_baseline.h"
#include "ops/kept_runs.h"
#include "ops/run_text.h"

namespace gh::ops {
namespace {

/// What cannot be judged is no yes: the caller asked for it.
Status check_judged(const control::GateResult& result) {
  if (result.skipped.empty()) return {};
  return fail(Code::baseline_untrusted,
              fmt::format("the run cannot be judged by {}: it was made without it, or the baseline "
                          "holds nothing to compare it with",
                          join(result.skipped, ", ")));
}

Status check_baselines(const AnalysisRun& prepared, const control::GateState& state) {
  std::optional<analysis::CoverageMeasures> coverage;
  if (state.has_coverage) coverage = analysis::CoverageMeasures{.is_valid = true};
  analysis::GateSettings settings = prepared.gates;
  settings.fail_on_untested_hotspots = false;  // has its own answer: coverage_required
  const analysis::Names nothing_unread;
  const auto error = analysis::contract_error(
      settings, {prepared.policy.skip_metrics, prepared.baseline.read,
                 prepared.metrics_baseline.read, coverage, nothing_unread});
  if (!error) return {};
  return fail(error->cause == analysis::ContractCause::baseline ? Code::baseline_untrusted
                                                                : Code::bad_argument,
              error->message);
}

}  // namespace

namespace {

/// Two gates of the configuration count what is new since an earlier revision; one run alone cannot
/// be asked about that.
std::vector<std::string> leave_to_analyze(analysis::GateSettings& gates) {
  std::vector<std::string> out;
  if (gates.fail_on_new_near_miss) out.emplace_back("near_miss");
  if (!gates.fail_on_new_security_surface.empty()) out.emplace_back("security_surface");
  gates.fail_on_new_near_miss = false;
  gates.fail_on_new_security_surface.clear();
  return out;
}

}  // namespace

Result<Reply> evaluate_gates(const Request& request, Context& context) {
  GH_TRY(prepared, prepare_analysis(request, context));
  const std::vector<std::string> left = leave_to_analyze(prepared.gates);
  GH_TRY(shelf, RunShelf::open(context));
  GH_TRY(run, shelf.find(request.text("run"), context));
  const analysis::Baseline baseline = content_of(prepared.baseline, prepared.metrics_baseline);
  std::optional<std::int64_t> coverage_min;
  if (request.has("coverage-min")) coverage_min = prepared.policy.coverage_min;
  const control::GateState state =
      control::gate_state(run.report, {.baseline = &baseline, .coverage_min = coverage_min});
  GH_DO(check_baselines(prepared, state));
  GH_TRY(result, control::evaluate_gates(prepared.gates, state));
  GH_DO(check_judged(result));
  result.skipped = left;
  Map document = control::document(result);
  document.set("run_id", run.run_id);
  List asked;
  for (const analysis::GateOption& option : analysis::gate_options())
    if (option.is_on(prepared.gates)) asked.emplace_back(option.name);
  document.set("asked", asked);
  document.set("message", result.would_fail
                              ? fmt::format("{} fail", counted_text(result.reasons.size(), "gate"))
                          : asked.empty()
                              ? std::string("no gate was asked for")
                              : std::string("every gate that was asked for lets it through"));
  Reply reply;
  reply.document = framed("gatehouse.gates/1", document);
  if (result.would_fail) {
    reply.exit = ExitCode::denied;
    reply.why = result.reasons.front();
  }
  reply.text = [reasons = result.reasons, line = *document.find("message")->as_string(),
                id = run.run_id.substr(0, analysis::kShortRunId)](const report::Look& look) {
    std::string out = fmt::format("run {}: {}\n", id, line);
    for (const std::string& reason : reasons)
      out += fmt::format("{} {}\n", report::paint(look, report::Ink::bad, "fails"),
                         printable(reason, 1'000));
    return out;
  };
  return reply;
}

}  // namespace gh::ops
