// `analyze`: the shape of the code in a folder or at a revision.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "analysis/derived.h"
#include "analysis/metric_families.h"
#include "analysis/ratio.h"
#include "analysis/report_view.h"
#include "base/text.h"
#include "ops/analysis_ops.h"
#include "ops/analysis_outputs.h"
#include "ops/analyze_judgement.h"
#include "ops/kept_runs.h"
#include "report/columns.h"

namespace gh::ops {
namespace {

using analysis::Findings;
using analysis::Project;
using analysis::UnitRef;

constexpr std::size_t kShown = 5;

struct Shape {
  AnalysisRun run{};
  RunJudgement judgement{};
  Findings findings{};  // those that are shown
  std::string digest{}, run_id{};
};

std::string place(const Project& project, UnitRef ref) {
  return fmt::format("{}:{}", printable(project.files[ref.file].path, 200),
                     analysis::unit_of(project, ref).start_line);
}

std::vector<UnitRef> most_complex(const Project& project) {
  std::vector<UnitRef> out;
  for (std::uint32_t f = 0; f < project.files.size(); ++f)
    for (std::uint32_t u = 0; u < project.files[f].facts.units.size(); ++u)
      if (!project.files[f].facts.units[u].incomplete) out.push_back({f, u});
  std::ranges::stable_sort(out, std::ranges::greater(), [&](UnitRef ref) {
    return analysis::unit_of(project, ref).complexity.cyclomatic;
  });
  return out;
}

void add_files(std::string& out, const Project& project, const report::Look& look) {
  std::size_t lines = 0, units = 0, skipped = 0, partial = 0;
  for (const analysis::AnalysedFile& file : project.files) {
    const bool is_skipped = analysis::is_skipped(file.facts.status);
    skipped += is_skipped ? 1 : 0;
    partial += file.facts.status == analysis::FileStatus::partial ? 1 : 0;
    lines += is_skipped ? 0 : file.facts.lines;
    units += file.facts.units.size();
  }
  out += fmt::format("{}  {} files, {} lines, {} functions\n",
                     report::paint(look, report::Ink::bold, "Read       "), project.files.size(),
                     lines, units);
  if (partial != 0) out += fmt::format("             {} could be read in part\n", partial);
  for (const analysis::AnalysedFile& file : project.files)
    if (analysis::is_skipped(file.facts.status))
      out += fmt::format("             skipped {}: {}\n", printable(file.path, 200),
                         analysis::to_string(file.facts.status));
}

void add_complexity(std::string& out, const Project& project, const report::Look& look) {
  const std::vector<UnitRef> units = most_complex(project);
  std::uint64_t sum = 0, high = 0;
  for (const UnitRef ref : units) {
    const std::uint32_t cc = analysis::unit_of(project, ref).complexity.cyclomatic;
    sum += cc;
    high += analysis::complexity_risk(cc) == analysis::Risk::high ? 1 : 0;
  }
  if (units.empty()) return;
  const std::int64_t average = analysis::ratio(sum, units.size(), 2).ten_thousandths / 100;
  out += fmt::format("{}  average {}.{:02}, highest {}, {} above {}\n",
                     report::paint(look, report::Ink::bold, "Complexity "), average / 100,
                     average % 100, analysis::unit_of(project, units.front()).complexity.cyclomatic,
                     high, project.profile.design_complexity);
  for (std::size_t i = 0; i < std::min(kShown, units.size()); ++i)
    out += fmt::format("        {:4}  {}  {}\n",
                       analysis::unit_of(project, units[i]).complexity.cyclomatic,
                       printable(analysis::qualname_of(project, units[i]), 200),
                       report::paint(look, report::Ink::dim, place(project, units[i])));
}

void add_modules(std::string& out, const Shape& shape, const report::Look& look) {
  const analysis::Dependencies& d = shape.run.findings.dependencies;
  out += fmt::format("{}  {} modules, {} imports of each other, longest chain {}, {} cycles\n",
                     report::paint(look, report::Ink::bold, "Modules    "), d.modules.size(),
                     d.edges.size(), d.max_depth, d.cycles.size());
  for (std::size_t i = 0; i < std::min(kShown, d.cycles.size()); ++i)
    out += fmt::format("              {}\n", printable(join(d.cycles[i].members, " -> "), 200));
}

/// How often the project reaches beyond itself, by category.
void add_reach(std::string& out, const Shape& shape, const report::Look& look) {
  std::map<std::string_view, std::size_t> categories;
  for (const analysis::Surface& surface : shape.run.findings.surfaces)
    ++categories[to_string(surface.row->category)];
  std::vector<std::string> texts;
  for (const auto& [category, count] : categories)
    texts.push_back(fmt::format("{} {}", category, count));
  out += fmt::format("{}  {}\n", report::paint(look, report::Ink::bold, "Security   "),
                     texts.empty() ? "reaches nothing outside" : join(texts, ", "));
}

void add_classes(std::string& out, const Project& project, const report::Look& look) {
  std::size_t classes = 0, loose = 0, coupled = 0;
  for (const analysis::ScoredClass& scored : analysis::scored_classes(project)) {
    ++classes;
    loose += analysis::cohesion_risk(scored.fact->cohesion.lcom4) == analysis::Risk::high ? 1 : 0;
    coupled += analysis::coupling_risk(scored.fact->coupled.size()) == analysis::Risk::high ? 1 : 0;
  }
  out +=
      fmt::format("{}  {} classes, {} fall apart into 4 or more, {} need more than 10 others\n",
                  report::paint(look, report::Ink::bold, "Classes    "), classes, loose, coupled);
}

void add_clones(std::string& out, const Shape& shape, const report::Look& look) {
  const auto& groups = shape.findings.function_clones;
  out += fmt::format("{}  {} groups of equal functions, {} of equal runs of statements\n",
                     report::paint(look, report::Ink::bold, "Clones     "), groups.size(),
                     shape.findings.block_clones.size());
  for (std::size_t i = 0; i < std::min(kShown, groups.size()); ++i) {
    const analysis::CloneGroup& group = groups[i];
    out += fmt::format(
        "        {:3} × {} lines, {}\n", group.items.size(),
        analysis::unit_of(shape.run.project, group.items.front()).loc(),
        group.type == analysis::CloneType::type1 ? "the same text" : "other names or literals");
    for (std::size_t k = 0; k < std::min(kShown, group.items.size()); ++k)
      out += fmt::format(
          "              {}  {}\n",
          printable(analysis::qualname_of(shape.run.project, group.items[k]), 200),
          report::paint(look, report::Ink::dim, place(shape.run.project, group.items[k])));
    if (group.items.size() > kShown)
      out += fmt::format("              and {} more\n", group.items.size() - kShown);
  }
}

std::string text_of(const Shape& shape, const report::Look& look) {
  if (look.verbosity < 0)
    return short_text(shape.run, shape.judgement) + gates_text(shape.judgement, look);
  const Project& project = shape.run.project;
  std::string out;
  add_files(out, project, look);
  if (!shape.run.policy.skip_metrics) {
    add_complexity(out, project, look);
    add_classes(out, project, look);
    add_modules(out, shape, look);
    add_reach(out, shape, look);
  }
  add_clones(out, shape, look);
  out += coverage_text(shape.run, look) + health_text(shape.run, look) + gates_text(shape.judgement, look);
  out += fmt::format("{}  sha256:{}\n", report::paint(look, report::Ink::bold, "Digest     "),
                     shape.digest);
  out += fmt::format("{}  {}\n", report::paint(look, report::Ink::bold, "Run        "),
                     shape.run_id.substr(0, analysis::kShortRunId));
  return out;
}

/// What differs between two runs of the same sources; no part of the digest.
Map runtime_of(const Scope& scope, const Shape& shape, bool stored, Context& context) {
  return Map{{"run_id", shape.run_id},
             {"cache", shape.run.cache_status},
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

/// What was asked for in the run itself wins over how the terminal looks.
report::Look wanted_look(report::Look look, const policy::AnalysisPolicy& policy) {
  if (policy.ci || policy.no_color) look.colour = false;
  if (policy.ci || policy.quiet) look.verbosity = -1;
  return look;
}

}  // namespace

Result<Reply> analyze(const Request& request, Context& context) {
  GH_TRY(scope, scope_of(request, context));
  GH_TRY(run, run_analysis(scope, &request, context));
  const bool updates = request.flag("update-baseline");
  const bool updates_metrics = request.flag("update-metrics-baseline");
  if (!updates && !updates_metrics) GH_DO(check_contract(run));
  Shape shape{.run = std::move(run)};
  shape.judgement = judge(shape.run);
  shape.findings = shown_findings(shape.run);
  if (updates || updates_metrics) {
    GH_DO(write_baseline(shape.run, !updates, context));
    shape.judgement.annotations.gate_reasons.clear();
  } else {
    tell_about_baselines(shape.run, context);
  }
  GH_TRY(done, finished(scope, shape.run, shape.judgement.annotations));
  const bool stored = keep(scope, done, request, context);
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
    reply.document.as_map()->find("meta")->as_map()->set("runtime", std::move(runtime));
    GH_DO(write_outputs(shape.run.policy, reply.document, context.cwd, static_cast<int>(reply.exit),
                        scope, context));
  }
  reply.text = [shape = std::move(shape)](const report::Look& look) {
    return text_of(shape, wanted_look(look, shape.run.policy));
  };
  return reply;
}

}  // namespace gh::ops
