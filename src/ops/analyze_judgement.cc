#include "ops/analyze_judgement.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "analysis/ratio.h"
#include "analysis/report_view.h"
#include "base/text.h"

namespace gh::ops {
namespace {

using analysis::CloneKeys;
using report::Ink;

/// Keys that are in both.
CloneKeys within(const CloneKeys& keys, const CloneKeys& scope) {
  CloneKeys out;
  std::ranges::set_intersection(keys.functions, scope.functions, std::back_inserter(out.functions));
  std::ranges::set_intersection(keys.blocks, scope.blocks, std::back_inserter(out.blocks));
  return out;
}

std::string average(const analysis::Spread& spread) {
  const std::int64_t hundredths =
      analysis::ratio(spread.sum, spread.count, 2).ten_thousandths / 100;
  return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
}

std::string percent(std::uint64_t permille) {
  return fmt::format("{}.{}", permille / 10, permille % 10);
}

std::size_t suppressed_clones(const analysis::Findings& f) {
  return f.suppressed_functions.size() + f.suppressed_blocks.size() + f.golden.size();
}

std::string percent_of(std::int64_t permille) {
  return percent(static_cast<std::uint64_t>(permille));
}

std::string adoption_line(const analysis::AdoptionMeasures& a) {
  return fmt::format("Adoption params={}% returns={}% docstrings={}% any={}\n",
                     percent_of(a.typing_param_permille), percent_of(a.typing_return_permille),
                     percent_of(a.docstring_permille), a.any_count);
}

std::string api_line(const analysis::ApiSurface& api, const analysis::Comparison& comparison) {
  std::size_t modules = 0, symbols = 0;
  for (const analysis::ApiModule& module : api.modules) {
    modules += module.symbols.empty() ? 0 : 1;
    symbols += module.symbols.size();
  }
  return fmt::format("Public API modules={} symbols={} added={} breaking={}\n", modules, symbols,
                     comparison.api ? comparison.api->new_symbols.size() : 0,
                     comparison.api ? comparison.api->breaking_changes.size() : 0);
}

}  // namespace

std::string dependency_line(const analysis::Dependencies& d) {
  return fmt::format("Dependencies modules={} edges={} cycles={} max_depth={}\n", d.modules.size(),
                     d.edges.size(), d.cycles.size(), d.max_depth);
}

Map surfaces_told(const std::vector<analysis::Surface>& surfaces) {
  return *analysis::surface_family(surfaces).find("summary")->as_map();
}

std::string security_line(const Map& surfaces) {
  const auto number = [&](std::string_view key) {
    const Value* value = surfaces.find(key);
    return value == nullptr || value->as_int() == nullptr ? 0 : *value->as_int();
  };
  return fmt::format("Security items={} categories={} modules={}\n", number("items"),
                     number("category_count"), number("modules"));
}

std::string clone_line(const CloneKeys& keys, const analysis::Findings& findings,
                       std::size_t fresh) {
  return fmt::format("Clones   func={} block={} seg={} suppressed={} new={}\n",
                     keys.functions.size(), keys.blocks.size(), findings.segments.groups.size(),
                     suppressed_clones(findings), fresh);
}

RunJudgement judge(const AnalysisRun& run) {
  RunJudgement out;
  analysis::Baseline then = run.metrics_baseline.read.content;
  then.clones = run.baseline.read.content.clones;
  const bool is_apart = run.unsuppressed != nullptr;
  const analysis::Measures& measures = is_apart ? run.unsuppressed->measures : run.measures;
  const analysis::Health& health = is_apart ? run.unsuppressed->health : run.health;
  out.comparison = analysis::compare(measures, health, then);
  const analysis::Since since =
      analysis::compare_runs(run.before ? &*run.before : nullptr, measures);
  CloneKeys counted = measures.clones, fresh = out.comparison.new_clones;
  if (run.changed) {
    counted = analysis::clone_keys_in(
        run.project, is_apart ? run.unsuppressed->findings : run.findings, *run.changed);
    fresh = within(fresh, counted);
  }
  analysis::Annotations& a = out.annotations;
  a.project_name = run.policy.project_name;
  a.skips_metrics = run.policy.skip_metrics;
  a.health = run.health;
  a.compatible = run.compatible;
  a.baseline_path = run.baseline.shown;
  a.metrics_baseline_path = run.metrics_baseline.shown;
  a.baseline = run.baseline.read;
  a.metrics_baseline = run.metrics_baseline.read;
  a.grown = since.grown;
  a.api = out.comparison.api;
  a.is_gating = analysis::is_gating(run.gates);
  a.suppressions_added = run.suppressions_added;
  a.gate_reasons = analysis::gate_reasons(
      run.gates, {measures, health, out.comparison, since, counted.size(), fresh.size()});
  return out;
}

std::optional<analysis::Findings> shown_findings(const AnalysisRun& run) {
  if (!run.changed) return std::nullopt;
  analysis::Findings out = run.findings;
  const auto is_in = [&](analysis::UnitRef ref) {
    return std::ranges::binary_search(*run.changed, run.project.files[ref.file].path);
  };
  std::erase_if(out.function_clones, [&](const analysis::CloneGroup& group) {
    return std::ranges::none_of(group.items, is_in);
  });
  std::erase_if(out.block_clones, [&](const analysis::BlockGroup& group) {
    return std::ranges::none_of(group.items, is_in, &analysis::BlockItem::ref);
  });
  return out;
}

report::Styled gates_text(const RunJudgement& judgement) {
  const analysis::Annotations& a = judgement.annotations;
  report::Styled out;
  if (!a.is_gating && a.gate_reasons.empty()) return out;
  out.add(Ink::bold, "Gates      ").add("  ");
  out.add(a.gate_reasons.empty() ? Ink::good : Ink::bad,
          a.gate_reasons.empty() ? "passed" : "refused")
      .add("\n");
  for (const analysis::GateReason& reason : a.gate_reasons)
    out.add(fmt::format("             {}: {}\n", reason.key, printable(reason.message, 300)));
  return out;
}

report::Styled suppressions_text(const AnalysisRun& run) {
  constexpr std::size_t kShown = 10;
  report::Styled out;
  const List& added = run.suppressions_added;
  if (added.empty()) return out;
  out.add(Ink::bold, "Suppressed ")
      .add(fmt::format("  {} added by the change, without effect on its gates\n", added.size()));
  for (std::size_t i = 0; i < std::min(kShown, added.size()); ++i)
    out.add(fmt::format("{:>15}  {}\n", analysis::text_in(added[i], "rule"),
                        printable(analysis::text_in(added[i], "qualname"), 200)));
  return out;
}

report::Styled coverage_text(const AnalysisRun& run) {
  report::Styled out;
  if (!run.findings.coverage) return out;
  const analysis::CoverageJoin& join = *run.findings.coverage;
  out.add(Ink::bold, "Coverage   ");
  if (join.invalid)
    return out.add(fmt::format("  not joined: {}\n", printable(join.invalid->message, 300)));
  return out.add(
      fmt::format("  {}% of {} lines, {} of {} functions measured, {} complex ones below {}%, {} "
                  "not in the report\n",
                  percent(join.overall_permille()), join.executable,
                  join.count(analysis::CoverageStatus::measured), join.units.size(),
                  join.hotspots(), join.threshold_percent, join.scope_gaps()));
}

namespace {

std::string summary_line(const analysis::Measures& m, std::uint64_t parsed_now,
                         const LastingLines& lasting) {
  const std::uint64_t parsed = std::min(parsed_now, m.files_analysed);
  return fmt::format("Summary  found={} analyzed={} cached={} skipped={}{}\n", m.files_found,
                     parsed, m.files_analysed - parsed, m.files_skipped, lasting.partial);
}

std::string metrics_line(const analysis::Measures& m, const analysis::Health& health) {
  return fmt::format(
      "Metrics  cc={}/{} cbo={}/{} lcom4={}/{} cycles={} dead_code={} health={}\n",
      average(m.complexity), m.complexity.max, average(m.coupling), m.coupling.max,
      average(m.cohesion), m.cohesion.max, m.cycles.size(), m.dead.high.size(),
      m.files_analysed == 0 ? "none" : fmt::format("{}({})", health.score, health.grade));
}

}  // namespace

LastingLines lasting_lines(const AnalysisRun& run, const RunJudgement& judgement) {
  LastingLines out;
  const CloneKeys& fresh = judgement.comparison.new_clones;
  const auto partial =
      std::ranges::count(run.project.files, analysis::FileStatus::partial,
                         [](const analysis::AnalysedFile& file) { return file.facts.status; });
  if (partial != 0) out.partial = fmt::format(" partial={}", partial);
  out.clones =
      clone_line(run.measures.clones, run.findings, fresh.functions.size() + fresh.blocks.size());
  if (run.policy.skip_metrics) return out;
  if (!run.policy.skip_dependencies) out.dependencies = dependency_line(run.findings.dependencies);
  out.security = security_line(surfaces_told(run.findings.surfaces));
  return out;
}

std::string short_text(const analysis::Measures& m, const analysis::Health& health,
                       std::uint64_t parsed, const LastingLines& lasting) {
  return summary_line(m, parsed, lasting) + lasting.clones + metrics_line(m, health) +
         lasting.dependencies + lasting.security + adoption_line(m.adoption);
}

std::string short_text(const AnalysisRun& run, const RunJudgement& judgement) {
  const LastingLines lasting = lasting_lines(run, judgement);
  std::string out = run.policy.skip_metrics
                        ? summary_line(run.measures, run.parsed, lasting) + lasting.clones
                        : short_text(run.measures, run.health, run.parsed, lasting);
  if (!run.policy.skip_metrics && run.policy.api_surface)
    out += api_line(run.findings.api_surface, judgement.comparison);
  if (const auto& join = run.findings.coverage)
    out += join->invalid
               ? fmt::format("Coverage invalid: {}\n", printable(join->invalid->message, 300))
               : fmt::format(
                     "Coverage overall={}% measured={}/{} hotspots={} "
                     "scope_gaps={} threshold={}%\n",
                     percent(join->overall_permille()),
                     join->count(analysis::CoverageStatus::measured), join->units.size(),
                     join->hotspots(), join->scope_gaps(), join->threshold_percent);
  return out;
}

std::string refusal(const std::vector<analysis::GateReason>& reasons) {
  std::vector<std::string> texts;
  for (const analysis::GateReason& reason : reasons)
    texts.push_back(fmt::format("{} ({})", reason.key, reason.message));
  return join(texts, "; ");
}

}  // namespace gh::ops
