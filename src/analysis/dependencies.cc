#include "analysis/dependencies.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

#include "analysis/import_targets.h"
#include "analysis/ratio.h"

namespace gh::analysis {
namespace {

constexpr std::size_t kChains = 5;
constexpr std::uint32_t kUnset = 0xffffffff;

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

  using Successors = std::vector<std::vector<std::uint32_t>>;
  Successors successors(bool with_deferred) const {
    Successors all(out.modules.size());
    for (const DependencyEdge& edge : out.edges)
      if (!edge.typing_only && (with_deferred || !edge.deferred)) all[edge.from].push_back(edge.to);
    return all;
  }

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
    const auto [at, is_new] = edges_.try_emplace(
        std::pair(source, target->second),
        DependencyEdge{source, target->second, fact.line, 0, fact.is_from, true, true, {}});
    DependencyEdge& edge = at->second;
    // Those for types alone say nothing about when the others run.
    const bool runs_first = edge.typing_only && !fact.typing_only;
    if (is_new || runs_first)
      edge.deferred = fact.deferred;
    else if (edge.typing_only == fact.typing_only)
      edge.deferred = edge.deferred && fact.deferred;
    ++edge.statements;
    if (files_of_[source] > 1 && (edge.paths.empty() || edge.paths.back() != file.path))
      edge.paths.push_back(file.path);
    edge.typing_only = edge.typing_only && fact.typing_only;
  }

  ModuleIndex modules_;
  std::unordered_map<std::string_view, std::uint32_t> index_{};  // views into out.modules
  std::map<std::pair<std::uint32_t, std::uint32_t>, DependencyEdge> edges_{};
  std::vector<std::size_t> files_of_{};  // how many each module has
};

/// Strongly connected components, each numbered after everything that it reaches.
struct Components {
  std::vector<std::uint32_t> of;
  std::vector<std::vector<std::uint32_t>> members;
};

Components components_of(const Graph::Successors& next) {
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

bool is_cycle(const std::vector<std::uint32_t>& members, const Graph::Successors& next) {
  return members.size() > 1 ||
         std::ranges::find(next[members[0]], members[0]) != next[members[0]].end();
}

void find_cycles(const Graph& graph, Dependencies& out) {
  const Graph::Successors all = graph.successors(true), eager = graph.successors(false);
  const Components lazy_parts = components_of(all), eager_parts = components_of(eager);
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
  explicit Depths(const Graph& graph)
      : next_(graph.successors(true)),
        parts_(components_of(next_)),
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

  Graph::Successors next_;
  Components parts_;
  std::vector<std::uint32_t> depth_, follow_;
};

}  // namespace

Dependencies dependencies_of(const Project& project) {
  Graph graph(project);
  find_cycles(graph, graph.out);
  Depths(graph).fill(graph.out);
  return std::move(graph.out);
}

}  // namespace gh::analysis
