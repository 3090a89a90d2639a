#include "analysis/overloaded_modules.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "analysis/finding.h"
#include "analysis/metric_families.h"
#include "analysis/ratio.h"

namespace gh::analysis {
namespace {

constexpr std::size_t kPopulation = 20;  // fewer: nobody stands out
constexpr std::int64_t kOne = 10'000;    // 1.0 of a Decimal
constexpr Decimal kHigh{9'000}, kHub{7'500};

// table: module statuses
constexpr std::array<std::string_view, 3> kStatuses{"candidate", "non_candidate", "ranked_only"};

struct Reason {
  std::string_view name;
  Decimal ScoredModule::*value;
  Decimal from;
};
// table: reasons of overload
constexpr std::array<Reason, 4> kReasons{{
    {"size_pressure", &ScoredModule::size, kHigh},
    {"dependency_pressure", &ScoredModule::dependency, kHigh},
    {"hub_like_shape", &ScoredModule::hub, kHub},
    {"repeated_import_pressure", &ScoredModule::reimport_rank, kHigh},
}};

struct Weight {
  Decimal ScoredModule::*value;
  std::int64_t percent;
};
// table: weights of overload
constexpr std::array<Weight, 3> kWeights{{
    {&ScoredModule::size, 45},
    {&ScoredModule::dependency, 35},
    {&ScoredModule::shape, 20},
}};

/// part / whole to the nearest integer, half to even.
std::int64_t rounded(std::int64_t part, std::int64_t whole) {
  return ratio(static_cast<std::uint64_t>(part), static_cast<std::uint64_t>(whole), 0)
             .ten_thousandths /
         kOne;
}

/// Where each value stands among all: 0 the least, 1 the greatest, equal ones in their middle.
Decimal rank_of(std::size_t below, std::size_t up_to, std::size_t all) {
  return all == 1 ? Decimal{kOne} : ratio(below + up_to - 1, 2 * (all - 1), 4);
}

/// Of values that are many: each is looked for among those that are there.
std::vector<Decimal> ranks_by_sorting(const std::vector<std::uint64_t>& values) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted;  // with whose they are
  sorted.reserve(values.size());
  for (std::uint32_t i = 0; i < values.size(); ++i)
    sorted.emplace_back(values[i], i);
  std::ranges::sort(sorted);
  std::vector<Decimal> out(values.size());
  for (std::size_t below = 0, up_to = 0; below < sorted.size(); below = up_to) {
    while (up_to < sorted.size() && sorted[up_to].first == sorted[below].first)
      ++up_to;
    const Decimal rank = rank_of(below, up_to, values.size());
    for (std::size_t i = below; i < up_to; ++i)
      out[sorted[i].second] = rank;
  }
  return out;
}

/// Lines and counts are small numbers as a rule: then how often each occurs says it all.
std::vector<Decimal> ranks(const std::vector<std::uint64_t>& values) {
  constexpr std::uint64_t kPerValue = 8;  // more places than that for each cost more than sorting
  if (values.empty()) return {};
  const std::uint64_t most = std::ranges::max(values);
  if (most >= kPerValue * values.size()) return ranks_by_sorting(values);
  std::vector<std::uint32_t> counts(most + 1, 0);
  for (const std::uint64_t value : values)
    ++counts[value];
  std::vector<Decimal> rank(most + 1);
  for (std::size_t value = 0, below = 0; value <= most; below += counts[value++])
    if (counts[value] != 0) rank[value] = rank_of(below, below + counts[value], values.size());
  std::vector<Decimal> out;
  out.reserve(values.size());
  for (const std::uint64_t value : values)
    out.push_back(rank[value]);
  return out;
}

using Field = std::uint64_t (*)(const ScoredModule&);

/// The greatest of the ranks by several fields.
void rank_by(std::vector<ScoredModule>& modules, std::span<const Field> fields,
             Decimal ScoredModule::*out) {
  for (const Field field : fields) {
    std::vector<std::uint64_t> values;
    values.reserve(modules.size());
    for (const ScoredModule& module : modules)
      values.push_back(field(module));
    const std::vector<Decimal> standing = ranks(values);
    for (std::size_t i = 0; i < modules.size(); ++i)
      modules[i].*out = std::max(modules[i].*out, standing[i]);
  }
}

// table: fields of size
constexpr std::array<Field, 3> kSize{
    [](const ScoredModule& m) { return m.load.loc; },
    [](const ScoredModule& m) { return m.load.callables; },
    [](const ScoredModule& m) { return m.load.complexity_total; },
};
// table: fields of dependency
constexpr std::array<Field, 4> kDependency{
    [](const ScoredModule& m) { return m.load.fan_in; },
    [](const ScoredModule& m) { return m.load.fan_out; },
    [](const ScoredModule& m) { return m.load.dependencies(); },
    [](const ScoredModule& m) { return m.load.import_edges; },
};
constexpr std::array<Field, 1> kReimport{
    [](const ScoredModule& m) {
      return static_cast<std::uint64_t>(m.reimport_ratio.ten_thousandths);
    },
};

void read_shares(ScoredModule& m) {
  const ModuleLoad& load = m.load;
  const std::uint64_t all = load.dependencies();
  const std::uint64_t apart =
      std::max(load.fan_in, load.fan_out) - std::min(load.fan_in, load.fan_out);
  m.reimport_ratio = ratio(load.reimports(), load.import_edges, 4);
  m.instability = ratio(load.fan_out, all, 4);
  m.hub_balance = ratio(all - apart, all, 4);
}

void read_score(ScoredModule& m) {
  m.hub = {rounded(m.hub_balance.ten_thousandths * m.dependency.ten_thousandths, kOne)};
  m.shape = std::max(m.hub, m.reimport_rank);
  std::int64_t weighted = 0;
  for (const Weight& weight : kWeights)
    weighted += weight.percent * (m.*weight.value).ten_thousandths;
  m.score = {rounded(weighted, 100)};
  for (const Reason& reason : kReasons)
    if (m.*reason.value >= reason.from) m.reasons.emplace_back(reason.name);
}

constexpr std::int64_t kFine = 80;  // parts of a ten thousandth: tenths and eighths have no rest

/// Linear between the two values around it; in fine parts.
std::int64_t quantile(const std::vector<std::int64_t>& sorted, std::size_t part,
                      std::size_t whole) {
  const std::size_t place = part * (sorted.size() - 1);
  const std::size_t at = place / whole, next = std::min(at + 1, sorted.size() - 1);
  const auto rest = static_cast<std::int64_t>(place % whole);
  const auto parts = static_cast<std::int64_t>(whole);
  return (sorted[at] * parts + rest * (sorted[next] - sorted[at])) * (kFine / parts);
}

/// From here on a score stands out: the upper tenth, or far beyond the upper quarter.
Decimal cutoff_of(const std::vector<ScoredModule>& modules) {
  if (modules.empty()) return {};
  std::vector<std::int64_t> scores;
  for (const ScoredModule& module : modules)
    scores.push_back(module.score.ten_thousandths);
  std::ranges::sort(scores);
  const std::int64_t first = quantile(scores, 1, 4), third = quantile(scores, 3, 4);
  const std::int64_t far = third + (third - first) * 3 / 2;
  return {rounded(std::min(kOne * kFine, std::max(quantile(scores, 9, 10), far)), kFine)};
}

Overload status_of(const ScoredModule& m, const OverloadedModules& all) {
  if (all.is_limited) return Overload::ranked_only;
  const bool stands_out = m.shape >= kHub || m.score >= all.cutoff;
  return m.size >= kHigh && m.dependency >= kHigh && stands_out ? Overload::candidate
                                                                : Overload::non_candidate;
}

// clang-format off
// table: members of a module's load
constexpr std::array kColumns = std::to_array<Column<ScoredModule>>({
    {"callable_count",     [](const ScoredModule& m) { return Cell(m.load.callables); }},
    {"candidate_reasons",  [](const ScoredModule& m) { return Cell(&m.reasons); }},
    {"candidate_status",   [](const ScoredModule& m) { return Cell(to_string(m.status)); }},
    {"classes",            [](const ScoredModule& m) { return Cell(m.load.classes); }},
    {"complexity_max",     [](const ScoredModule& m) { return Cell(m.load.complexity_max); }},
    {"complexity_total",   [](const ScoredModule& m) { return Cell(m.load.complexity_total); }},
    {"dependency_score",   [](const ScoredModule& m) { return Cell(m.dependency); }},
    {"fan_in",             [](const ScoredModule& m) { return Cell(m.load.fan_in); }},
    {"fan_out",            [](const ScoredModule& m) { return Cell(m.load.fan_out); }},
    {"functions",          [](const ScoredModule& m) { return Cell(m.load.functions); }},
    {"hub_balance",        [](const ScoredModule& m) { return Cell(m.hub_balance); }},
    {"hub_score",          [](const ScoredModule& m) { return Cell(m.hub); }},
    {"import_edges",       [](const ScoredModule& m) { return Cell(m.load.import_edges); }},
    {"instability",        [](const ScoredModule& m) { return Cell(m.instability); }},
    {"loc",                [](const ScoredModule& m) { return Cell(m.load.loc); }},
    {"methods",            [](const ScoredModule& m) { return Cell(m.load.methods); }},
    {"module",             [](const ScoredModule& m) { return Cell(std::string_view(m.load.module)); }},
    {"reimport_edges",     [](const ScoredModule& m) { return Cell(m.load.reimports()); }},
    {"reimport_ratio",     [](const ScoredModule& m) { return Cell(m.reimport_ratio); }},
    {"relative_path",      [](const ScoredModule& m) { return Cell(m.load.path); }},
    {"score",              [](const ScoredModule& m) { return Cell(m.score); }},
    {"shape_score",        [](const ScoredModule& m) { return Cell(m.shape); }},
    {"size_score",         [](const ScoredModule& m) { return Cell(m.size); }},
    {"source_kind",        [](const ScoredModule& m) { return Cell(to_string(source_kind_of(m.load.path))); }},
    {"total_deps",         [](const ScoredModule& m) { return Cell(m.load.dependencies()); }},
});
// clang-format on

}  // namespace

std::string_view to_string(Overload status) { return kStatuses[static_cast<std::size_t>(status)]; }

std::vector<ModuleLoad> module_loads(const Project& project, const Dependencies& dependencies) {
  std::map<std::string, ModuleLoad> loads;
  for (const AnalysedFile& file : project.files) {
    if (is_skipped(file.facts.status)) continue;
    ModuleLoad& load = loads[module_of(file)];
    if (load.path.empty()) load.path = file.path;
    load.loc += file.facts.lines;
    for (const ClassFact& fact : file.facts.classes)
      load.classes += fact.incomplete || fact.extension ? 0 : 1;
    for (const UnitFact& unit : file.facts.units) {
      if (unit.incomplete) continue;
      ++load.callables;
      load.functions += unit.kind == UnitKind::function ? 1 : 0;
      load.methods += unit.kind == UnitKind::method ? 1 : 0;
      load.complexity_total += unit.complexity.cyclomatic;
      load.complexity_max =
          std::max(load.complexity_max, std::uint64_t{unit.complexity.cyclomatic});
    }
  }
  for (const DependencyEdge& edge : dependencies.edges) {
    if (edge.from == edge.to) continue;
    if (const auto from = loads.find(dependencies.modules[edge.from]); from != loads.end()) {
      ++from->second.fan_out;
      from->second.import_edges += edge.statements;
    }
    if (const auto to = loads.find(dependencies.modules[edge.to]); to != loads.end())
      ++to->second.fan_in;
  }
  std::vector<ModuleLoad> out;
  for (auto& [module, load] : loads) {
    load.module = module;
    out.push_back(std::move(load));
  }
  return out;
}

namespace {

/// The greatest first; those that are equal stay by name. They are many and large: each moves to
/// its place among the others.
void sort_by_score(std::vector<ScoredModule>& modules) {
  std::vector<std::pair<std::int64_t, std::uint32_t>> order;
  order.reserve(modules.size());
  for (std::uint32_t i = 0; i < modules.size(); ++i)
    order.emplace_back(-modules[i].score.ten_thousandths, i);
  std::ranges::sort(order);
  for (std::uint32_t start = 0; start < order.size(); ++start) {
    if (order[start].second == start) continue;
    ScoredModule first = std::move(modules[start]);
    std::uint32_t at = start;
    while (order[at].second != start) {
      const std::uint32_t from = order[at].second;
      modules[at] = std::move(modules[from]);
      order[at].second = at;
      at = from;
    }
    modules[at] = std::move(first);
    order[at].second = at;
  }
}

}  // namespace

OverloadedModules overloaded_modules(std::vector<ModuleLoad> loads) {
  std::vector<ScoredModule> modules;
  modules.reserve(loads.size());
  for (ModuleLoad& load : loads)
    modules.push_back({.load = std::move(load)});
  return ranked_modules(std::move(modules));
}

OverloadedModules ranked_modules(std::vector<ScoredModule> modules) {
  const auto name = [](const ScoredModule& m) { return std::string_view(m.load.module); };
  if (!std::ranges::is_sorted(modules, {}, name)) std::ranges::sort(modules, {}, name);
  OverloadedModules out{.modules = std::move(modules)};
  out.is_limited = out.modules.size() < kPopulation;
  for (ScoredModule& module : out.modules)
    read_shares(module);
  rank_by(out.modules, kSize, &ScoredModule::size);
  rank_by(out.modules, kDependency, &ScoredModule::dependency);
  rank_by(out.modules, kReimport, &ScoredModule::reimport_rank);
  for (ScoredModule& module : out.modules)
    read_score(module);
  out.cutoff = cutoff_of(out.modules);
  for (ScoredModule& module : out.modules)
    module.status = status_of(module, out);
  sort_by_score(out.modules);
  return out;
}

std::span<const Column<ScoredModule>> overloaded_columns() { return kColumns; }

Map overloaded_family(const OverloadedModules& all) {
  std::uint64_t candidates = 0, sum = 0;
  for (const ScoredModule& module : all.modules) {
    candidates += module.status == Overload::candidate ? 1 : 0;
    sum += static_cast<std::uint64_t>(module.score.ten_thousandths);
  }
  const std::int64_t count = static_cast<std::int64_t>(all.modules.size());
  const Decimal average{count == 0 ? 0 : rounded(static_cast<std::int64_t>(sum), count)};
  return family(Map{{"total", number(all.modules.size())},
                    {"candidates", number(candidates)},
                    {"population_status", all.is_limited ? "limited" : "ok"},
                    {"top_score", all.modules.empty() ? Decimal{} : all.modules.front().score},
                    {"average_score", average},
                    {"candidate_score_cutoff", all.cutoff}},
                {});
}

}  // namespace gh::analysis
