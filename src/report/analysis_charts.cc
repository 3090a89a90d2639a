#include "report/analysis_charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::report {
namespace {

std::string_view band_of(std::int64_t score) {
  return score >= 75 ? "good" : score >= 40 ? "fair" : "bad";
}

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

constexpr std::size_t kMaxModules = 60;

struct Edge {
  std::string_view from, to;
};

std::vector<Edge> edges_of(const Peek& family) {
  std::vector<Edge> out;
  for (const Value& item : family["items"].list())
    out.push_back({Peek(item)["source"].text(), Peek(item)["target"].text()});
  return out;
}

/// The modules with most neighbours.
std::set<std::string_view> busiest(const std::vector<Edge>& edges) {
  std::map<std::string_view, std::size_t> degree;
  for (const Edge& edge : edges) {
    ++degree[edge.from];
    ++degree[edge.to];
  }
  std::vector<std::pair<std::string_view, std::size_t>> order(degree.begin(), degree.end());
  std::ranges::stable_sort(order, std::ranges::greater(),
                           &std::pair<std::string_view, std::size_t>::second);
  std::set<std::string_view> out;
  for (std::size_t i = 0; i < std::min(kMaxModules, order.size()); ++i)
    out.insert(order[i].first);
  return out;
}

struct Point {
  double x, y;
};

/// By rounds: a module stands one layer to the left of what it needs. Circles end after as many
/// rounds as there are modules.
std::map<std::string_view, std::size_t> layers_of(const std::set<std::string_view>& modules,
                                                  const std::vector<Edge>& edges) {
  std::map<std::string_view, std::size_t> layer;
  for (const std::string_view module : modules)
    layer[module] = 0;
  const std::size_t most = std::min<std::size_t>(modules.size(), 8);
  for (std::size_t round = 0; round < most; ++round)
    for (const Edge& edge : edges)
      if (edge.from != edge.to && modules.contains(edge.from) && modules.contains(edge.to))
        layer[edge.from] = std::min(most, std::max(layer[edge.from], layer[edge.to] + 1));
  return layer;
}

}  // namespace

std::string html(std::string_view text, std::size_t max) {
  std::string out;
  for (const char c : printable(text, max)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

std::string health_chart(const Peek& dimensions) {
  std::string out;
  int y = 0;
  for (const auto& [name, value] : dimensions.map().entries()) {
    const std::int64_t score = std::clamp<std::int64_t>(Peek(value).number(), 0, 100);
    out += fmt::format(
        "<text x='0' y='{}' class='label'>{}</text>"
        "<rect x='130' y='{}' width='400' height='14' rx='3' class='track'/>"
        "<rect x='130' y='{}' width='{}' height='14' rx='3' class='{}'/>"
        "<text x='540' y='{}' class='value'>{}</text>",
        y + 12, html(name), y, y, score * 4, band_of(score), y + 12, score);
    y += 24;
  }
  return fmt::format(
      "<svg role='img' aria-label='Health by dimension' viewBox='0 0 580 {}' "
      "class='chart'>{}</svg>",
      y, out);
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
    const int height = static_cast<int>(share * 140);
    const int x = static_cast<int>(b) * 70 + 10;
    out += fmt::format(
        "<rect x='{}' y='{}' width='54' height='{}' rx='3' class='{}'/>"
        "<text x='{}' y='{}' class='value middle'>{}</text>"
        "<text x='{}' y='182' class='label middle'>{}</text>",
        x, 160 - height, height, kBins[b].band, x + 27, 154 - height, counts[b], x + 27,
        kBins[b].label);
  }
  return fmt::format(
      "<svg role='img' aria-label='Functions by cyclomatic complexity' viewBox='0 0 570 190' "
      "class='chart'>{}</svg>",
      out);
}

std::string dependency_chart(const Peek& family) {
  const std::vector<Edge> edges = edges_of(family);
  const std::set<std::string_view> modules = busiest(edges);
  if (modules.empty()) return "<p>No module of the project imports another.</p>";
  std::set<std::string_view> in_cycle;
  for (const Value& cycle : family["cycles"].list())
    for (const Value& member : Peek(cycle)["members"].list())
      in_cycle.insert(Peek(member).text());
  const auto layer = layers_of(modules, edges);
  std::map<std::size_t, int> used;
  std::map<std::string_view, Point> at;
  int tallest = 0;
  for (const std::string_view module : modules) {
    const std::size_t l = layer.at(module);
    at[module] = {static_cast<double>(l) * 170 + 10, used[l] * 26.0 + 18};
    tallest = std::max(tallest, ++used[l]);
  }
  std::string lines, names;
  for (const Edge& edge : edges) {
    if (!at.contains(edge.from) || !at.contains(edge.to) || edge.from == edge.to) continue;
    const Point a = at[edge.from], b = at[edge.to];
    const bool both = in_cycle.contains(edge.from) && in_cycle.contains(edge.to);
    lines += fmt::format(
        "<path d='M{:.0f} {:.0f} C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}' class='{}'/>", a.x,
        a.y, a.x - 40, a.y, b.x + 180, b.y, b.x + 140, b.y, both ? "edge bad-line" : "edge");
  }
  for (const auto& [module, point] : at) {
    const bool is_cyclic = in_cycle.contains(module);
    const std::string name(module.size() > 24 ? module.substr(module.size() - 24) : module);
    names += fmt::format(
        "<g><title>{}</title><rect x='{:.0f}' y='{:.0f}' width='140' height='20' rx='4' "
        "class='{}'/><text x='{:.0f}' y='{:.0f}' class='node'>{}</text></g>",
        html(module), point.x, point.y - 12, is_cyclic ? "node-box cyclic" : "node-box",
        point.x + 6, point.y + 2, html(name));
  }
  return fmt::format(
      "<svg role='img' aria-label='Modules and what they import' viewBox='0 0 {} {}' "
      "class='chart graph'>{}{}</svg>",
      9 * 170, tallest * 26 + 20, lines, names);
}

}  // namespace gh::report
