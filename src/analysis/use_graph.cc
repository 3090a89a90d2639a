#include "analysis/use_graph.h"

#include <algorithm>
#include <set>

#include <xxhash.h>

#include "analysis/names.h"

namespace gh::analysis {
namespace {

constexpr std::size_t kMaxAsked = 20'000;  // users that are looked at for one change

/// Goes back from each symbol to whoever uses it, until somebody is met who is as near to what
/// lives by itself as the nearest of those that lost something: the shortest way to such a one
/// leads over nearer ones alone, and none of them lost anything.
class Search {
 public:
  Search(const UseGraph& graph, const std::vector<LostUse>& lost) : graph_(graph), lost_(lost) {
    for (const LostUse& use : lost)
      for (const std::uint32_t symbol : graph.bearers[use.name]) {
        if (graph.ways[symbol] == UseGraph::root) continue;
        touched_.insert(symbol);
        nearest_ = std::min(nearest_, graph.levels[symbol]);
      }
  }

  bool run() {
    return std::ranges::all_of(touched_, [&](std::uint32_t symbol) { return is_reached(symbol); });
  }

 private:
  bool is_reached(std::uint32_t symbol) {
    if (graph_.levels[symbol] == 0) return false;  // nothing is known of what is dead
    std::set<std::uint32_t> seen{symbol};
    std::vector<std::uint32_t> open{symbol};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      for (const std::uint32_t user : users_of(at)) {
        if (++asked_ > kMaxAsked) return false;
        if (is_alive(user)) return true;
        if ((user & UseGraph::kModuleCode) == 0 && graph_.levels[user] != 0 &&
            seen.insert(user).second)
          open.push_back(user);
      }
    }
    return false;
  }

  bool is_alive(std::uint32_t user) const {
    if ((user & UseGraph::kModuleCode) != 0) return true;
    if (graph_.ways[user] == UseGraph::root) return true;
    return graph_.levels[user] != 0 && graph_.levels[user] <= nearest_ && !touched_.contains(user);
  }

  /// That are left and stand outside of it.
  std::vector<std::uint32_t> users_of(std::uint32_t symbol) const {
    std::vector<std::uint32_t> out;
    if (graph_.ways[symbol] == UseGraph::follows_parent) out.push_back(graph_.parents[symbol]);
    const std::uint32_t name = graph_.name_of[symbol];
    if (name == kNone) return out;
    for (const std::uint32_t user : graph_.users[name])
      if (!is_inside(user, symbol) && !std::ranges::binary_search(lost_, LostUse{user, name}))
        out.push_back(user);
    return out;
  }

  bool is_inside(std::uint32_t node, std::uint32_t symbol) const {
    while (node != kNone && (node & UseGraph::kModuleCode) == 0) {
      if (node == symbol) return true;
      node = graph_.parents[node];
    }
    return false;
  }

  const UseGraph& graph_;
  const std::vector<LostUse>& lost_;
  std::set<std::uint32_t> touched_{};
  std::uint32_t nearest_ = kNone;
  std::size_t asked_ = 0;
};

}  // namespace

bool NumberLists::is_whole(std::size_t keys) const {
  return ends.size() == keys && std::ranges::is_sorted(ends) &&
         (ends.empty() ? values.empty() : ends.back() == values.size());
}

std::uint32_t UseGraph::name(std::string_view text) const {
  const std::uint64_t hash = XXH3_64bits(text.data(), text.size());
  const auto at = std::ranges::lower_bound(names, hash);
  if (at == names.end() || *at != hash) return kNone;
  return static_cast<std::uint32_t>(at - names.begin());
}

bool UseGraph::is_whole(std::size_t files) const {
  const std::size_t count = parents.size();
  const auto is_symbol = [&](std::uint32_t s) { return s < count; };
  // What stands around a symbol was declared before it: no way round.
  for (std::size_t s = 0; s < count; ++s)
    if (parents[s] != kNone && parents[s] >= s) return false;
  return std::ranges::is_sorted(names) && bearers.is_whole(names.size()) &&
         users.is_whole(names.size()) && symbols.is_whole(files) && name_of.size() == count &&
         levels.size() == count && ways.size() == count &&
         std::ranges::all_of(bearers.values, is_symbol) &&
         std::ranges::all_of(symbols.values, is_symbol) &&
         std::ranges::all_of(
             users.values,
             [&](std::uint32_t user) { return (user & kModuleCode) != 0 || user < count; }) &&
         std::ranges::all_of(
             name_of, [&](std::uint32_t name) { return name == kNone || name < names.size(); });
}

bool has_living_user(const UseGraph& graph, std::uint32_t name, std::uint32_t file,
                     const std::vector<LostUse>& lost) {
  const auto own = graph.symbols[file];
  return std::ranges::any_of(graph.users[name], [&](std::uint32_t user) {
    const bool is_module = (user & UseGraph::kModuleCode) != 0;
    const bool is_own = is_module ? user == (file | UseGraph::kModuleCode)
                                  : std::ranges::find(own, user) != own.end();
    return !is_own && (is_module || graph.levels[user] != 0) &&
           !std::ranges::binary_search(lost, LostUse{user, name});
  });
}

bool stays_alive(const UseGraph& graph, const std::vector<LostUse>& lost) {
  return Search(graph, lost).run();
}

}  // namespace gh::analysis
