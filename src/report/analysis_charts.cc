#include "report/analysis_charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "report/page.h"

namespace gh::report {
namespace {

struct Bin {
  std::int64_t from, to;  // both inside
  std::string_view label, band;
};
// table: bins of the complexity chart
constexpr std::array<Bin, 8> kBins{{{1, 1, "1", "good"},
                                    {2, 3, "2-3", "good"},
                                    {4, 5, "4-5", "good"},
                                    {6, 10, "6-10", "good"},
                                    {11, 20, "11-20", "fair"},
                                    {21, 40, "21-40", "bad"},
                                    {41, 80, "41-80", "bad"},
                                    {81, 1'000'000, "81+", "bad"}}};

std::string figure(std::string_view caption, std::string_view label, int width, int height,
                   const std::string& inside, std::string_view box = "") {
  return fmt::format(
      "<figure><figcaption>{}</figcaption><div{}><svg role='img' aria-label='{}' width='{}' "
      "height='{}' viewBox='0 0 {} {}'>{}</svg></div></figure>",
      caption, box, html(label), width, height, width, height, inside);
}

// ------------------------------------------------------------------------------ the module graph

constexpr std::size_t kMaxModules = 60, kMaxLayers = 12, kSweeps = 6;
constexpr int kColumn = 230, kRow = 34, kBoxWidth = 170, kBoxHeight = 24, kMargin = 8;

using Name = std::string_view;

struct Edge {
  Name from, to;
};

struct Graph {
  std::vector<Name> modules{};           // in order of names
  std::vector<Edge> edges{};             // between them, none to itself
  std::map<Name, std::size_t> circle{};  // the circle of modules that one belongs to
  std::size_t left_out = 0;

  bool is_circular(const Edge& edge) const {
    const auto a = circle.find(edge.from), b = circle.find(edge.to);
    return a != circle.end() && b != circle.end() && a->second == b->second;
  }
};

/// The modules with most neighbours.
std::vector<Name> busiest(const std::vector<Edge>& edges, std::size_t& left_out) {
  std::map<Name, std::size_t> degree;
  for (const Edge& edge : edges) {
    ++degree[edge.from];
    ++degree[edge.to];
  }
  std::vector<std::pair<Name, std::size_t>> order(degree.begin(), degree.end());
  std::ranges::stable_sort(order, std::ranges::greater(), &std::pair<Name, std::size_t>::second);
  left_out = order.size() - std::min(kMaxModules, order.size());
  order.resize(order.size() - left_out);
  std::vector<Name> out;
  for (const auto& [name, count] : order)
    out.push_back(name);
  std::ranges::sort(out);
  return out;
}

Graph graph_of(const Peek& family) {
  Graph out;
  std::vector<Edge> all;
  for (const Value& item : family["items"].list())
    if (const Edge edge{Peek(item)["source"].text(), Peek(item)["target"].text()};
        edge.from != edge.to)
      all.push_back(edge);
  out.modules = busiest(all, out.left_out);
  for (const Edge& edge : all)
    if (std::ranges::binary_search(out.modules, edge.from) &&
        std::ranges::binary_search(out.modules, edge.to))
      out.edges.push_back(edge);
  std::size_t number = 0;
  for (const Value& cycle : family["cycles"].list()) {
    for (const Value& member : Peek(cycle)["members"].list())
      out.circle.emplace(Peek(member).text(), number);
    ++number;
  }
  return out;
}

/// How many steps down the longest chain below a module goes; a circle counts as one place.
std::map<Name, std::size_t> layers_of(const Graph& graph) {
  std::map<Name, std::size_t> layer;
  for (const Name module : graph.modules)
    layer[module] = 0;
  for (std::size_t round = 0; round < kMaxLayers; ++round)
    for (const Edge& edge : graph.edges)
      if (!graph.is_circular(edge))
        layer[edge.from] = std::min(kMaxLayers, std::max(layer[edge.from], layer[edge.to] + 1));
  return layer;
}

/// Columns from the left; in each, modules stand near the middle of their neighbours, so that few
/// lines cross.
std::vector<std::vector<Name>> columns_of(const Graph& graph) {
  const auto layer = layers_of(graph);
  std::size_t deepest = 0;
  for (const auto& [name, depth] : layer)
    deepest = std::max(deepest, depth);
  std::vector<std::vector<Name>> out(deepest + 1);
  for (const Name module : graph.modules)
    out[deepest - layer.at(module)].push_back(module);
  std::map<Name, double> at;
  const auto settle = [&](const std::vector<Name>& column) {
    for (std::size_t i = 0; i < column.size(); ++i)
      at[column[i]] = static_cast<double>(i) - static_cast<double>(column.size()) / 2;
  };
  std::ranges::for_each(out, settle);
  for (std::size_t sweep = 0; sweep < kSweeps; ++sweep)
    for (std::vector<Name>& column : out) {
      std::map<Name, std::pair<double, int>> sums;
      for (const Edge& edge : graph.edges) {
        sums[edge.from].first += at[edge.to];
        ++sums[edge.from].second;
        sums[edge.to].first += at[edge.from];
        ++sums[edge.to].second;
      }
      const auto middle = [&](Name name) {
        const auto& [sum, count] = sums[name];
        return count == 0 ? at[name] : sum / count;
      };
      std::ranges::stable_sort(column, {}, middle);
      settle(column);
    }
  return out;
}

struct Point {
  int x, y;  // of the middle of the left side
};

/// From the right side of the importer to the left side of what it needs; within a column, around.
std::string edge_path(Point a, Point b, bool is_circular) {
  const int from = a.x + kBoxWidth;
  const int bend = b.x > from ? (b.x - from) / 2 : 44;
  return fmt::format(
      "<path class='edge mark{}' marker-end='url(#tip)' d='M{} {} C{} {} {} {} {} {}'/>",
      is_circular ? " circle" : "", from, a.y, from + bend, a.y, b.x - bend, b.y, b.x - 2, b.y);
}

std::string node_box(Name module, Point at, bool is_circular) {
  constexpr std::size_t kShownLetters = 24;
  const std::string name = module.size() > kShownLetters
                               ? "…" + std::string(module.substr(module.size() - kShownLetters + 1))
                               : std::string(module);
  return fmt::format(
      "<g class='node mark{}'><title>{}</title><rect x='{}' y='{}' width='{}' height='{}' rx='6'/>"
      "<text x='{}' y='{}'>{}</text></g>",
      is_circular ? " circle" : "", html(module), at.x, at.y - kBoxHeight / 2, kBoxWidth,
      kBoxHeight, at.x + 8, at.y + 4, html(name));
}

}  // namespace

std::string health_ring(std::int64_t score, std::string_view grade) {
  constexpr double kRound = 2 * 3.14159265 * 70;
  const double full = kRound * static_cast<double>(std::clamp<std::int64_t>(score, 0, 100)) / 100;
  return fmt::format(
      "<svg class='ring-box' role='img' aria-label='Health {0} of 100, grade {1}' width='180' "
      "height='180' viewBox='0 0 180 180'><circle class='ring' cx='90' cy='90' r='70'/>"
      "<circle class='ring mark {2}' cx='90' cy='90' r='70' stroke-dasharray='{3:.1f} {4:.1f}' "
      "transform='rotate(-90 90 90)'/><text class='big' x='90' y='100'>{0}</text>"
      "<text class='under' x='90' y='124'>grade {1}</text></svg>",
      score, html(grade), band_of(score), full, kRound);
}

std::string health_chart(const Peek& dimensions) {
  std::string out;
  int y = 0;
  for (const auto& [name, value] : dimensions.map().entries()) {
    const std::int64_t score = std::clamp<std::int64_t>(Peek(value).number(), 0, 100);
    out += fmt::format(
        "<text x='112' y='{0}' class='label end'>{1}</text>"
        "<rect x='124' y='{2}' width='400' height='14' rx='7' class='track'/>"
        "<rect x='124' y='{2}' width='{3}' height='14' rx='7' class='mark {4}'><title>{1}: {5}"
        "</title></rect><text x='536' y='{0}'>{5}</text>",
        y + 12, html(name == "dead_code" ? "dead code" : name), y,
        std::max<std::int64_t>(score * 4, 2), band_of(score), score);
    y += 26;
  }
  return figure("Points of 100 by dimension: what its faults, as shares of the code, leave of them",
                "Health by dimension", 580, y, out);
}

std::string complexity_chart(const Peek& family) {
  std::array<std::int64_t, kBins.size()> counts{};
  for (const Value& item : family["items"].list()) {
    const std::int64_t cc = Peek(item)["cyclomatic_complexity"].number();
    for (std::size_t b = 0; b < kBins.size(); ++b)
      if (cc >= kBins[b].from && cc <= kBins[b].to) ++counts[b];
  }
  const std::int64_t most = std::max<std::int64_t>(1, *std::ranges::max_element(counts));
  std::string out;
  for (std::size_t b = 0; b < kBins.size(); ++b) {
    // A logarithm: the few complex functions among many simple ones are what matters.
    const double share = counts[b] == 0 ? 0.0
                                        : std::log1p(static_cast<double>(counts[b])) /
                                              std::log1p(static_cast<double>(most));
    const int height = counts[b] == 0 ? 2 : std::max(4, static_cast<int>(share * 140));
    const int x = static_cast<int>(b) * 78 + 4;
    out += fmt::format(
        "<rect x='{0}' y='{1}' width='62' height='{2}' rx='4' class='mark {3}'><title>complexity "
        "{4}: {5} functions</title></rect><text x='{6}' y='{7}' class='middle'>{5}</text>"
        "<text x='{6}' y='184' class='label middle'>{4}</text>",
        x, 164 - height, height, counts[b] == 0 ? "track" : kBins[b].band, kBins[b].label,
        counts[b], x + 31, 158 - height);
  }
  return figure("Functions by cyclomatic complexity (height on a logarithmic scale)",
                "Functions by cyclomatic complexity", 626, 192, out);
}

std::string count_chart(const Peek& counts, std::string_view label) {
  std::vector<std::pair<std::int64_t, std::string_view>> order;
  for (const auto& [name, value] : counts.map().entries())
    order.emplace_back(-Peek(value).number(), name);
  if (order.empty()) return "";
  std::ranges::sort(order);
  const std::int64_t most = std::max<std::int64_t>(1, -order.front().first);
  std::string out;
  int y = 0;
  for (const auto& [minus, name] : order) {
    out += fmt::format(
        "<text x='172' y='{0}' class='label end'>{1}</text>"
        "<rect x='184' y='{2}' width='{3}' height='14' rx='4' class='mark plain'><title>{1}: {4}"
        "</title></rect><text x='{5}' y='{0}'>{4}</text>",
        y + 12, html(name), y, std::max<std::int64_t>(2, -minus * 320 / most), -minus,
        std::max<std::int64_t>(2, -minus * 320 / most) + 192);
    y += 24;
  }
  return figure(label, label, 580, y, out);
}

std::string dependency_chart(const Peek& family) {
  const Graph graph = graph_of(family);
  if (graph.modules.empty()) return none("No module of the project imports another.");
  const std::vector<std::vector<Name>> columns = columns_of(graph);
  std::size_t tallest = 0;
  for (const std::vector<Name>& column : columns)
    tallest = std::max(tallest, column.size());
  const int height = static_cast<int>(tallest) * kRow + 2 * kMargin;
  std::map<Name, Point> at;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const int top = (height - static_cast<int>(columns[c].size()) * kRow) / 2 + kRow / 2;
    for (std::size_t i = 0; i < columns[c].size(); ++i)
      at[columns[c][i]] = {static_cast<int>(c) * kColumn + 44, top + static_cast<int>(i) * kRow};
  }
  std::string inside =
      "<defs><marker id='tip' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' markerHeight='7' "
      "orient='auto'><path d='M0 0L8 4L0 8z' class='track'/></marker></defs>";
  for (const Edge& edge : graph.edges)
    inside += edge_path(at[edge.from], at[edge.to], graph.is_circular(edge));
  for (const auto& [module, point] : at)
    inside += node_box(module, point, graph.circle.contains(module));
  const std::string caption =
      graph.left_out == 0
          ? "Whoever imports stands to the left of what it needs; circles are red"
          : fmt::format(
                "The {} modules with most neighbours, {} more are left out; whoever imports "
                "stands to the left, circles are red",
                graph.modules.size(), graph.left_out);
  return figure(caption, "Modules and what they import",
                static_cast<int>(columns.size()) * kColumn + 40, height, inside, " class='graph'");
}

}  // namespace gh::report
