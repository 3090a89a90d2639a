#include "ops/analyze_text.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "analysis/compare.h"
#include "analysis/metric_families.h"
#include "analysis/ratio.h"
#include "analysis/report_view.h"
#include "analysis/suppressions.h"
#include "base/text.h"
#include "ops/run_text.h"

namespace gh::ops {
namespace {

using analysis::Project;
using analysis::UnitRef;
using report::Ink;
using report::Styled;

constexpr std::size_t kShown = kShownInText, kChangeShown = 20;

void title(Styled& out, std::string_view name, std::string_view text) {
  out.add(Ink::bold, fmt::format("{:<11}", name)).add(fmt::format("  {}\n", text));
}

void line(Styled& out, std::string_view before, std::string_view name, std::string_view where) {
  out.add(fmt::format("{:>15}  {}  ", before, printable(name, 200))).add(Ink::dim, where).add("\n");
}

void more(Styled& out, std::size_t count, std::string_view command) {
  if (count > kShown)
    out.add(fmt::format("{:>15}  ", ""))
        .add(Ink::dim, fmt::format("and {} more: {}\n", count - kShown, command));
}

std::string at(std::string_view path, std::uint32_t start) { return place_text(path, start); }
std::string at(const Project& project, UnitRef ref) {
  return at(project.files[ref.file].path, analysis::unit_of(project, ref).start_line);
}

void add_health(Styled& out, const ChangingText& text) {
  if (text.files_analysed == 0) {
    title(out, "Health", "not measured: no source was read");
    return;
  }
  title(out, "Health",
        fmt::format("{} of 100, grade {} (by counts alone: {} {})", text.health.score,
                    text.health.grade, text.compatible.score, text.compatible.grade));
  for (std::size_t i = 0; i < analysis::kDimensions; ++i) {
    const std::int64_t score = text.health.scores[i];
    out.add(fmt::format("{:>15}  ", score))
        .bar(score)
        .add(fmt::format("  {}\n", analysis::dimensions()[i].name));
  }
}

void add_files(Styled& out, const ChangingText& text) {
  title(out, "Read",
        fmt::format("{}, {}, {}", counted_text(text.files, "file"),
                    counted_text(text.lines, "line"), counted_text(text.functions, "function")));
}

/// Files that could not be read, or not as a whole.
void add_unclear(Styled& out, const Project& project) {
  const auto partial = static_cast<std::size_t>(
      std::ranges::count(project.files, analysis::FileStatus::partial,
                         [](const analysis::AnalysedFile& file) { return file.facts.status; }));
  if (partial != 0) out.add(fmt::format("{:>15}  could be read in part only\n", partial));
  std::size_t told = 0;
  for (const analysis::AnalysedFile& file : project.files)
    if (file.facts.status == analysis::FileStatus::partial && ++told <= kShown)
      line(out, "in part", file.path,
           fmt::format("syntax error in line {}", file.facts.error_line));
  more(out, partial, "gatehouse analyze --json");
  for (const analysis::AnalysedFile& file : project.files)
    if (analysis::is_skipped(file.facts.status))
      line(out, "skipped", file.path, to_string(file.facts.status));
}

bool is_counted(const Project& project, UnitRef ref) {
  return !analysis::unit_of(project, ref).incomplete &&
         !analysis::is_suppressed(project, ref, analysis::Rule::complexity);
}

std::vector<UnitRef> most_complex(const Project& project) {
  std::vector<UnitRef> out;
  for (std::uint32_t f = 0; f < project.files.size(); ++f)
    for (std::uint32_t u = 0; u < project.files[f].facts.units.size(); ++u)
      if (is_counted(project, {f, u})) out.push_back({f, u});
  const auto cc = [&](UnitRef ref) {
    return analysis::unit_of(project, ref).complexity.cyclomatic;
  };
  const std::size_t shown = std::min(kShown, out.size());
  std::ranges::partial_sort(
      out, out.begin() + static_cast<std::ptrdiff_t>(shown), [&](UnitRef a, UnitRef b) {
        return std::tuple(cc(b), a.file, a.unit) < std::tuple(cc(a), b.file, b.unit);
      });
  out.resize(shown);
  return out;
}

void add_complexity(Styled& out, const ChangingText& text) {
  const analysis::Spread& cc = text.complexity;
  if (text.worst.empty()) return;
  const std::int64_t average = analysis::ratio(cc.sum, cc.count, 2).ten_thousandths / 100;
  title(out, "Complexity",
        fmt::format("average {}.{:02}, highest {}, {} above {}", average / 100, average % 100,
                    cc.max, text.above, text.threshold));
  for (const ChangingText::Complex& unit : text.worst)
    line(out, std::to_string(unit.complexity), unit.qualname, unit.where);
}

void tell_complexity(ChangingText& out, const AnalysisRun& run) {
  const Project& project = run.project;
  out.complexity = run.measures.complexity;
  out.threshold = project.profile.design_complexity;
  for (std::uint32_t f = 0; f < project.files.size(); ++f)
    for (std::uint32_t u = 0; u < project.files[f].facts.units.size(); ++u) {
      const bool is_beyond =
          analysis::unit_of(project, {f, u}).complexity.cyclomatic > out.threshold;
      out.above += is_beyond && is_counted(project, {f, u}) ? 1 : 0;
    }
  for (const UnitRef ref : most_complex(project))
    out.worst.push_back({analysis::unit_of(project, ref).complexity.cyclomatic,
                         analysis::qualname_of(project, ref), at(project, ref)});
}

void add_classes(Styled& out, const ChangingText& text) {
  title(out, "Classes",
        fmt::format("{} classes, {} fall apart into 4 or more, {} need more than 10 others",
                    text.classes, text.loose, text.coupled));
}

/// All of a small circle; of a large one where it begins.
std::string circle(std::vector<std::string> members) {
  const std::size_t all = members.size();
  if (all <= kShown) return join(members, ", ");
  members.resize(kShown - 2);
  return fmt::format("{}, \u2026 ({} modules)", join(members, ", "), all);
}

}  // namespace

Styled modules_text(const analysis::Dependencies& d) {
  Styled out;
  title(
      out, "Modules",
      fmt::format("{}, {} of each other, longest chain {}, {}",
                  counted_text(d.modules.size(), "module"), counted_text(d.edges.size(), "import"),
                  d.max_depth, counted_text(d.cycles.size(), "cycle")));
  for (std::size_t i = 0; i < std::min(kShown, d.cycles.size()); ++i)
    line(out, "cycle", circle(d.cycles[i].members), "");
  more(out, d.cycles.size(), "gatehouse findings --family design");
  return out;
}

namespace {

/// Copies with few statements directly in their bodies are told here and nowhere else.
void add_near_misses(Styled& out, const Project& project,
                     const std::vector<analysis::NearMissGroup>& groups) {
  for (std::size_t i = 0; i < std::min(kShown, groups.size()); ++i) {
    const analysis::NearMissGroup& group = groups[i];
    out.add(fmt::format("{:>15}  {} lines, nearly equal: {} % of the statements\n",
                        fmt::format("{} \u00d7", group.items.size()),
                        analysis::unit_of(project, group.items.front()).loc(),
                        group.min_permille / 10));
    for (std::size_t k = 0; k < std::min(kShown, group.items.size()); ++k)
      line(out, "", analysis::qualname_of(project, group.items[k]), at(project, group.items[k]));
    more(out, group.items.size(), "gatehouse clones");
  }
  more(out, groups.size(), "gatehouse clones");
}

}  // namespace

Styled clones_text(const Project& project, const analysis::Findings& shown) {
  Styled out;
  const auto& groups = shown.function_clones;
  title(out, "Clones",
        fmt::format("{} of equal functions, {} of equal runs of statements, {} of nearly "
                    "equal functions, {} inside one function",
                    counted_text(groups.size(), "group"), shown.block_clones.size(),
                    shown.near_misses.groups.size(), shown.segments.groups.size()));
  for (std::size_t i = 0; i < std::min(kShown, groups.size()); ++i) {
    const analysis::CloneGroup& group = groups[i];
    out.add(fmt::format(
        "{:>15}  {} lines, {}\n", fmt::format("{} \u00d7", group.items.size()),
        analysis::unit_of(project, group.items.front()).loc(),
        group.type == analysis::CloneType::type1 ? "the same text" : "other names or literals"));
    for (std::size_t k = 0; k < std::min(kShown, group.items.size()); ++k)
      line(out, "", analysis::qualname_of(project, group.items[k]), at(project, group.items[k]));
    more(out, group.items.size(), "gatehouse clones");
  }
  more(out, groups.size(), "gatehouse clones");
  add_near_misses(out, project, shown.near_misses.groups);
  return out;
}

namespace {

/// Whoever wrote them believes that they work.
void add_idle_suppressions(Styled& out, const Project& project) {
  const List idle = analysis::unused_suppressions(project);
  if (idle.empty()) return;
  title(out, "Comments",
        fmt::format("{} to silence a rule, without effect", counted_text(idle.size(), "request")));
  for (std::size_t i = 0; i < std::min(kShown, idle.size()); ++i)
    line(out, std::string(analysis::text_in(idle[i], "reason")),
         std::string(analysis::text_in(idle[i], "rule")),
         fmt::format("{}:{}", printable(analysis::text_in(idle[i], "relative_path"), 200),
                     analysis::int_in(idle[i], "line").value_or(0)));
  more(out, idle.size(), "gatehouse analyze --field meta.unused_suppressions");
}

void add_dead_code(Styled& out, const ChangingText& text) {
  title(out, "Dead code",
        fmt::format("{} that nobody uses, {} that perhaps nobody does",
                    counted_text(text.dead_surely, "symbol"), text.dead_perhaps));
  for (const ChangingText::Dead& item : text.dead)
    line(out, item.kind, item.qualname, item.where);
  more(out, text.dead_surely, "gatehouse findings --family dead_code");
}

}  // namespace

/// How often the project reaches beyond itself, by category, the most frequent first.
Styled reach_text(const Map& surfaces) {
  std::map<std::string_view, std::int64_t> categories;
  const Value* counted = surfaces.find("categories");
  if (counted != nullptr && counted->as_map() != nullptr)
    for (const auto& [category, count] : counted->as_map()->entries())
      categories.emplace(category, count.as_int() == nullptr ? 0 : *count.as_int());
  std::vector<std::pair<std::int64_t, std::string_view>> order;
  for (const auto& [category, count] : categories)
    order.emplace_back(count, category);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           &std::pair<std::int64_t, std::string_view>::first);
  std::vector<std::string> texts;
  for (const auto& [count, category] : order)
    texts.push_back(fmt::format("{} {}", category, count));
  Styled out;
  title(out, "Security", texts.empty() ? "reaches nothing outside" : join(texts, ", "));
  return out;
}

namespace {

/// Against the baseline: what was not there when it was written.
void add_new(Styled& out, const ToldRun& told) {
  if (told.run.baseline.read.trust != analysis::Trust::ok) return;
  const analysis::Comparison& c = told.judgement.comparison;
  std::vector<std::string> texts;
  const auto count = [&](std::size_t n, std::string_view one, std::string_view many) {
    if (n != 0) texts.push_back(fmt::format("{} {}", n, n == 1 ? one : many));
  };
  count(c.new_clones.functions.size() + c.new_clones.blocks.size(), "group of clones",
        "groups of clones");
  if (c.metrics) {
    count(c.metrics->new_high_risk_functions.size(), "complex function", "complex functions");
    count(c.metrics->new_high_coupling_classes.size(), "coupled class", "coupled classes");
    count(c.metrics->new_cycles.size(), "cycle", "cycles");
    count(c.metrics->new_dead_code.size(), "dead symbol", "dead symbols");
    if (c.metrics->health_delta != 0)
      texts.push_back(fmt::format("health {:+}", c.metrics->health_delta));
  }
  if (c.api) count(c.api->breaking_changes.size(), "break of the API", "breaks of the API");
  title(out, "New",
        texts.empty() ? fmt::format("nothing against {}", printable(told.run.baseline.shown, 200))
                      : fmt::format("{} (against {})", join(texts, ", "),
                                    printable(told.run.baseline.shown, 200)));
  if (!c.api) return;
  const analysis::Names broken = break_texts(*c.api);
  for (std::size_t i = 0; i < std::min(kShown, broken.size()); ++i)
    out.add(fmt::format("{:>15}  {}\n", "broken", printable(broken[i], 200)));
  more(out, broken.size(), "gatehouse baseline diff");
}

}  // namespace

namespace {

void add_end(Styled& out, const ChangingText& text) {
  title(out, "Digest", "sha256:" + text.digest);
  title(out, "Run", text.run_id.substr(0, analysis::kShortRunId));
  out.add(Ink::bold, "Next       ")
      .add(Ink::dim,
           "  gatehouse findings, gatehouse hotspots, gatehouse analyze --html for a page\n");
}

ChangingText changing_text(const ToldRun& told) {
  const AnalysisRun& run = told.run;
  ChangingText out{.files = run.project.files.size(),
                   .files_analysed = run.measures.files_analysed,
                   .health = run.health,
                   .compatible = run.compatible,
                   .digest = told.digest,
                   .run_id = told.run_id};
  for (const analysis::AnalysedFile& file : run.project.files) {
    out.lines += analysis::is_skipped(file.facts.status) ? 0 : file.facts.lines;
    out.functions += file.facts.units.size();
  }
  if (run.policy.skip_metrics) return out;
  tell_complexity(out, run);
  tell_classes(out, run.measures);
  tell_dead(out, run.findings.dead_code.items);
  return out;
}

}  // namespace

std::string place_text(std::string_view path, std::uint32_t start) {
  return fmt::format("{}:{}", printable(path, 200), start);
}

void tell_classes(ChangingText& out, const analysis::Measures& measures) {
  out.classes = measures.cohesion.count;
  out.loose = measures.cohesion.high;
  out.coupled = measures.coupling.high;
}

void tell_dead(ChangingText& out, const std::vector<analysis::DeadItem>& items) {
  for (const analysis::DeadItem& item : items) {
    ++(item.is_high() ? out.dead_surely : out.dead_perhaps);
    if (item.is_high() && out.dead.size() < kShown)
      out.dead.push_back(
          {to_string(item.kind), item.place.qualname, at(item.place.path, item.place.start_line)});
  }
}

LastingText lasting_text(const ToldRun& told) {
  LastingText out;
  const AnalysisRun& run = told.run;
  add_unclear(out.unclear, run.project);
  if (!run.policy.skip_metrics) {
    if (!run.policy.skip_dependencies) out.modules = modules_text(run.findings.dependencies);
    out.reach = reach_text(surfaces_told(run.findings.surfaces));
  }
  out.clones = clones_text(run.project, told.shown);
  add_idle_suppressions(out.rest, run.project);
  out.rest.add(coverage_text(run));
  add_new(out.rest, told);
  out.rest.add(change_text(run.change, kChangeShown));
  out.rest.add(suppressions_text(run));
  out.rest.add(gates_text(told.judgement));
  return out;
}

Styled analysis_text(const ChangingText& text, const LastingText& lasting) {
  Styled out;
  add_files(out, text);
  out.add(lasting.unclear);
  add_health(out, text);
  add_complexity(out, text);
  add_classes(out, text);
  out.add(lasting.modules);
  add_dead_code(out, text);
  out.add(lasting.reach).add(lasting.clones).add(lasting.rest);
  add_end(out, text);
  return out;
}

Styled analysis_text(const ToldRun& told) {
  const ChangingText text = changing_text(told);
  const LastingText lasting = lasting_text(told);
  const policy::AnalysisPolicy& policy = told.run.policy;
  if (!policy.skip_metrics && !policy.skip_dead_code) return analysis_text(text, lasting);
  Styled out;
  add_files(out, text);
  out.add(lasting.unclear);
  if (!policy.skip_metrics) {
    add_health(out, text);
    add_complexity(out, text);
    add_classes(out, text);
  }
  out.add(lasting.modules).add(lasting.reach).add(lasting.clones).add(lasting.rest);
  add_end(out, text);
  return out;
}

Styled short_analysis_text(const ToldRun& told) {
  return Styled()
      .add(short_text(told.run, told.judgement))
      .add(suppressions_text(told.run))
      .add(gates_text(told.judgement));
}

}  // namespace gh::ops
