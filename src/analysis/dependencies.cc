#include "analysis/dependencies.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>

#include "analysis/import_targets.h"
#include "analysis/ratio.h"

namespace gh::analysis {
namespace {

constexpr std::size_t kChains = 5;
constexpr std::uint32_t kUnset = 0xffffffff;

/// Whom each module needs.
struct Successors {
  std::vector<std::uint32_t> starts, values{};

  Successors(const Dependencies& d, bool with_deferred) : starts(d.modules.size() + 1, 0) {
    const auto counts = [&](const DependencyEdge& edge) {
      return !edge.typing_only && (with_deferred || !edge.deferred);
    };
    for (const DependencyEdge& edge : d.edges)  // in the order of `from`
      if (counts(edge)) {
        ++starts[edge.from + 1];
        values.push_back(edge.to);
      }
    for (std::size_t i = 1; i < starts.size(); ++i)
      starts[i] += starts[i - 1];
  }
  std::size_t size() const { return starts.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t module) const {
    return {values.data() + starts[module], values.data() + starts[module + 1]};
  }
};

using Edges = std::map<std::pair<std::uint32_t, std::uint32_t>, DependencyEdge>;

/// One statement of an import, in the edge that it is part of.
DependencyEdge& add_statement(Edges& edges, std::uint32_t source, std::uint32_t target,
                              const ImportFact& fact) {
  const auto [at, is_new] =
      edges.try_emplace(std::pair(source, target),
                        DependencyEdge{source, target, fact.line, 0, fact.is_from, true, true, {}});
  DependencyEdge& edge = at->second;
  // Those for types alone say nothing about when the others run.
  const bool runs_first = edge.typing_only && !fact.typing_only;
  if (is_new || runs_first)
    edge.deferred = fact.deferred;
  else if (edge.typing_only == fact.typing_only)
    edge.deferred = edge.deferred && fact.deferred;
  ++edge.statements;
  edge.typing_only = edge.typing_only && fact.typing_only;
  return edge;
}

class Graph {
 public:
  explicit Graph(const Project& project) : modules_(index_of(project)) {
    out.modules.assign(modules_.modules.begin(), modules_.modules.end());
    std::ranges::sort(out.modules);
    index_.reserve(out.modules.size());
    for (std::uint32_t i = 0; i < out.modules.size(); ++i)
      index_.emplace(out.modules[i], i);
    files_of_.resize(out.modules.size());
    std::vector<std::uint32_t> sources;
    for (const AnalysedFile& file : project.files)
      if (!is_skipped(file.facts.status))
        ++files_of_[sources.emplace_back(index_.at(module_of(file)))];
    auto source = sources.begin();
    for (const AnalysedFile& file : project.files)
      if (!is_skipped(file.facts.status)) add_file(file, *source++);
    for (auto& [key, edge] : edges_)
      out.edges.push_back(edge);
  }

  Dependencies out{};

 private:
  void add_file(const AnalysedFile& file, std::uint32_t source) {
    for (const ImportFact& fact : file.facts.imports)
      for (const std::string& target : import_targets(modules_, file, fact))
        add(file, source, target, fact);  // one statement is one edge per target
  }

  void add(const AnalysedFile& file, std::uint32_t source, const std::string& to,
           const ImportFact& fact) {
    const auto target = index_.find(to);
    if (target == index_.end()) return;
    DependencyEdge& edge = add_statement(edges_, source, target->second, fact);
    if (files_of_[source] > 1 && (edge.paths.empty() || edge.paths.back() != file.path))
      edge.paths.push_back(file.path);
  }

  ModuleIndex modules_;
  std::unordered_map<std::string_view, std::uint32_t> index_{};  // views into out.modules
  Edges edges_{};
  std::vector<std::size_t> files_of_{};  // how many each module has
};

/// Strongly connected components, each numbered after everything that it reaches.
struct Components {
  std::vector<std::uint32_t> of;
  std::vector<std::vector<std::uint32_t>> members;
};

Components components_of(const Successors& next) {
  struct Frame {
    std::uint32_t node;
    std::size_t child;
  };
  const std::size_t n = next.size();
  Components out{.of = std::vector<std::uint32_t>(n, kUnset), .members = {}};
  std::vector<std::uint32_t> order(n, kUnset), low(n, 0), stack;
  std::uint32_t counter = 0;
  for (std::uint32_t root = 0; root < n; ++root) {
    if (order[root] != kUnset) continue;
    std::vector<Frame> frames{{root, 0}};
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const std::uint32_t node = frame.node;
      if (frame.child == 0) {
        order[node] = low[node] = counter++;
        stack.push_back(node);
      }
      bool descended = false;
      while (frame.child < next[node].size()) {
        const std::uint32_t to = next[node][frame.child++];
        if (order[to] == kUnset) {
          frames.push_back({to, 0});
          descended = true;
          break;
        }
        if (out.of[to] == kUnset) low[node] = std::min(low[node], order[to]);
      }
      if (descended) continue;
      if (low[node] == order[node]) {
        std::vector<std::uint32_t> members;
        for (bool done = false; !done; stack.pop_back()) {
          out.of[stack.back()] = static_cast<std::uint32_t>(out.members.size());
          members.push_back(stack.back());
          done = stack.back() == node;
        }
        out.members.push_back(std::move(members));
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
    }
  }
  return out;
}

bool is_cycle(const std::vector<std::uint32_t>& members, const Successors& next) {
  return members.size() > 1 ||
         std::ranges::find(next[members[0]], members[0]) != next[members[0]].end();
}

void find_cycles(const Successors& all, const Components& lazy_parts, Dependencies& out) {
  if (std::ranges::none_of(lazy_parts.members,
                           [&](const auto& members) { return is_cycle(members, all); }))
    return;
  const Successors eager(out, false);
  const Components eager_parts = components_of(eager);
  for (const std::vector<std::uint32_t>& members : lazy_parts.members) {
    if (!is_cycle(members, all)) continue;
    Cycle cycle{.members = {}, .deferred = true};
    for (const std::uint32_t member : members) {
      cycle.members.push_back(out.modules[member]);
      if (is_cycle(eager_parts.members[eager_parts.of[member]], eager)) cycle.deferred = false;
    }
    std::ranges::sort(cycle.members);
    out.cycles.push_back(std::move(cycle));
  }
  std::ranges::sort(out.cycles, [](const Cycle& a, const Cycle& b) {
    return std::pair(a.members.size(), a.members) < std::pair(b.members.size(), b.members);
  });
}

/// D27: on the condensation, where a component weighs as much as it has members.
class Depths {
 public:
  Depths(const Successors& next, Components parts)
      : next_(next),
        parts_(std::move(parts)),
        depth_(parts_.members.size(), 0),
        follow_(parts_.members.size(), kUnset) {
    for (std::vector<std::uint32_t>& members : parts_.members)
      std::ranges::sort(members);  // modules are numbered in the order of their names
    for (std::uint32_t p = 0; p < parts_.members.size(); ++p)  // what it reaches comes before it
      measure(p);
  }

  void fill(Dependencies& out) const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < out.modules.size(); ++i) {
      out.depths.push_back(depth_[parts_.of[i]]);
      sum += out.depths.back();
    }
    if (out.depths.empty()) return;
    std::vector<std::uint32_t> sorted = out.depths;
    std::ranges::sort(sorted);
    out.max_depth = sorted.back();
    out.p95_depth = sorted[(95 * sorted.size() + 99) / 100 - 1];
    out.average_depth = ratio(sum, out.depths.size(), 2);
    fill_chains(out);
  }

 private:
  std::uint32_t first_of(std::uint32_t part) const { return parts_.members[part].front(); }

  void measure(std::uint32_t p) {
    std::uint32_t below = 0;
    for (const std::uint32_t member : parts_.members[p])
      for (const std::uint32_t to : next_[member]) {
        const std::uint32_t q = parts_.of[to];
        if (q == p) continue;
        const bool is_better =
            depth_[q] > below || (depth_[q] == below && first_of(q) < first_of(follow_[p]));
        if (!is_better) continue;
        below = depth_[q];
        follow_[p] = q;
      }
    depth_[p] = below + static_cast<std::uint32_t>(parts_.members[p].size());
  }

  void fill_chains(Dependencies& out) const {
    std::vector<std::uint32_t> order(parts_.members.size());
    for (std::uint32_t p = 0; p < order.size(); ++p)
      order[p] = p;
    const std::size_t told = std::min(order.size(), kChains);
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(told),
                              [&](std::uint32_t a, std::uint32_t b) {
                                return std::pair(depth_[b], first_of(a)) <
                                       std::pair(depth_[a], first_of(b));
                              });
    order.resize(told);
    for (const std::uint32_t start : order) {
      std::vector<std::string> chain;
      for (std::uint32_t p = start; p != kUnset; p = follow_[p])
        for (const std::uint32_t member : parts_.members[p])
          chain.push_back(out.modules[member]);
      out.longest_chains.push_back(std::move(chain));
    }
  }

  const Successors& next_;
  Components parts_;
  std::vector<std::uint32_t> depth_, follow_;
};

}  // namespace

void complete(Dependencies& out) {
  const Successors all(out, true);
  Components parts = components_of(all);
  find_cycles(all, parts, out);
  Depths(all, std::move(parts)).fill(out);
}

Dependencies dependencies_of(const Project& project) {
  Graph graph(project);
  complete(graph.out);
  return std::move(graph.out);
}

std::vector<DependencyEdge> edges_of(const ModuleIndex& modules, const AnalysedFile& file,
                                     const std::function<std::uint32_t(std::string_view)>& number) {
  Edges edges;
  const std::uint32_t source = number(module_of(file));
  for (const ImportFact& fact : file.facts.imports)
    for (const std::string& target : import_targets(modules, file, fact))
      if (const std::uint32_t to = number(target); to != kNone)
        add_statement(edges, source, to, fact);
  std::vector<DependencyEdge> out;
  for (auto& [key, edge] : edges)
    out.push_back(std::move(edge));
  return out;
}

}  // namespace gh::analysis
