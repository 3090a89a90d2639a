#include "analysis/liveness.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <xxhash.h>

#include "analysis/language_traits.h"

namespace gh::analysis {
namespace {

using Pairs = NumberPairs;

std::string dotted_of(const FileFacts& facts, const BindingFact& binding) {
  std::string out(binding.level, '.');
  out += facts.names[binding.module];
  if (!out.empty() && out.back() != '.') out += '.';
  return out.append(facts.names[binding.imported]);
}

bool is_package(std::string_view path) {
  return path == "__init__.py" || path.ends_with("/__init__.py");
}

/// Everything that is named by where it comes from: imported under another name, or exported.
class Resolved {
 public:
  Resolved(const Project& project, const SymbolIndex& index, std::uint32_t root)
      : project_(project), index_(index), root_(root) {}

  Pairs run() {
    for (std::uint32_t f = 0; f < project_.files.size(); ++f) {
      if (!index_.uses_count(f)) continue;
      add_bindings(f);
      add_exports(f);
    }
    return std::move(edges_);
  }

 private:
  void add(std::uint32_t from, std::uint32_t symbol) {
    if (symbol != kNone) edges_.emplace_back(from, symbol);
  }

  void add_bindings(std::uint32_t f) {
    const FileFacts& facts = project_.files[f].facts;
    std::unordered_map<NameId, std::vector<std::uint32_t>> renamed;
    for (const BindingFact& binding : facts.references.bindings) {
      if (binding.is_star) continue;
      const bool is_renamed = binding.bound != binding.imported;
      const bool hands_on = binding.is_again || (binding.is_top && is_handed_on(f, binding));
      if (!is_renamed && !hands_on) continue;
      const std::uint32_t symbol = index_.find(f, dotted_of(facts, binding));
      if (symbol == kNone) continue;
      if (hands_on) add(root_, symbol);
      if (is_renamed) renamed[binding.bound].push_back(symbol);
    }
    if (renamed.empty()) return;
    for (const Use& use : facts.references.uses)
      if (const auto at = renamed.find(use.name); at != renamed.end())
        for (const std::uint32_t symbol : at->second)
          add(use.owner == kNone ? root_ : index_.of(f, use.owner), symbol);
  }

  /// A package that imports a public name from its own modules offers it to others.
  bool is_handed_on(std::uint32_t f, const BindingFact& binding) const {
    const FileFacts& facts = project_.files[f].facts;
    if (!is_package(project_.files[f].path) || facts.names[binding.bound].starts_with('_'))
      return false;
    const std::string& own = index_.module(f);
    return binding.level == 1 ||
           (binding.level == 0 && index_.from_root(f, std::string(facts.names[binding.module]), {})
                                      .starts_with(own + "."));
  }

  void add_exports(std::uint32_t f) {
    const FileFacts& facts = project_.files[f].facts;
    for (const NameId name : facts.exports.all) {
      const std::string text(facts.names[name]);
      std::uint32_t symbol = index_.named(index_.module(f) + ":" + text);
      for (const BindingFact& binding : facts.references.bindings)
        if (symbol == kNone && binding.is_top && binding.bound == name)
          symbol = index_.find(f, dotted_of(facts, binding));
      if (symbol == kNone && facts.exports.has_getattr)
        for (const LazyExport& lazy : facts.exports.lazy)
          if (lazy.name == name)
            symbol = index_.find(f, std::string(facts.names[lazy.module]) + "." + text);
      if (symbol == kNone) symbol = index_.find(f, text);  // a star may have brought it
      add(root_, symbol);
    }
  }

  const Project& project_;
  const SymbolIndex& index_;
  std::uint32_t root_;
  Pairs edges_{};
};

}  // namespace

Liveness::Lists::Lists(std::size_t keys, const Pairs& pairs, By by)
    : starts(keys + 2, 0), values(pairs.size()) {
  const auto key = [&](const auto& pair) { return by == By::first ? pair.first : pair.second; };
  // One place further on, so that each start is where it belongs when its list is full.
  for (const auto& pair : pairs)
    ++starts[key(pair) + 2];
  for (std::size_t i = 2; i < starts.size(); ++i)
    starts[i] += starts[i - 1];
  for (const auto& pair : pairs)
    values[starts[key(pair) + 1]++] = by == By::first ? pair.second : pair.first;
  starts.pop_back();
}

Liveness::Liveness(const Project& project, const SymbolIndex& index,
                   const std::vector<bool>& is_candidate) {
  const auto root = static_cast<std::uint32_t>(index.all().size());
  UsesOf all{.name_of = std::vector<std::uint32_t>(root, kNone)};
  for (const Symbol& symbol : index.all())
    all.parents.push_back(symbol.parent);
  NameIndex names(root);
  std::vector<std::uint32_t> candidates, known;
  std::vector<std::string_view> texts;  // of what is declared, then of what each file speaks of
  for (std::uint32_t s = 0; s < root; ++s)
    if (is_candidate[s]) {
      const FileFacts& facts = project.files[index.all()[s].file].facts;
      candidates.push_back(s);
      texts.push_back(facts.names[index.declaration(s).name]);
    }
  names.add(texts, known);
  all.names = names.size();
  names_.resize(names.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    all.name_of[candidates[i]] = known[i];
    names_[known[i]] = texts[i];
  }
  for (std::uint32_t f = 0; f < project.files.size(); ++f) {
    if (!index.uses_count(f)) continue;
    const FileFacts& facts = project.files[f].facts;
    texts.clear();
    for (NameId i = 0; i < facts.names.size(); ++i)
      texts.push_back(facts.names[i]);
    names.find(texts, known);
    for (const Use& use : facts.references.uses) {
      if (known[use.name] == kNone) continue;
      all.uses.emplace_back(known[use.name], use.owner == kNone ? root : index.of(f, use.owner));
      if (use.owner == kNone) module_uses_.emplace_back(known[use.name], f);
    }
  }
  all.edges = Resolved(project, index, root).run();
  take(std::move(all));
}

Liveness::Liveness(UsesOf all) { take(std::move(all)); }

void Liveness::take(UsesOf all) {
  root_ = static_cast<std::uint32_t>(all.parents.size());
  parents_ = std::move(all.parents);
  name_of_ = std::move(all.name_of);
  Pairs bearers;
  for (std::uint32_t s = 0; s < root_; ++s)
    if (name_of_[s] != kNone) bearers.emplace_back(name_of_[s], s);
  bearers_ = Lists(all.names, bearers);
  users_of_name_ = Lists(all.names, all.uses);
  names_used_by_ = Lists(std::size_t{root_} + 1, all.uses, By::second);
  targets_of_ = Lists(std::size_t{root_} + 1, all.edges);
  sources_of_ = Lists(std::size_t{root_} + 1, all.edges, By::second);
}

bool Liveness::is_referenced(std::uint32_t symbol) const {
  const auto is_outside = [&](std::span<const std::uint32_t> nodes) {
    for (const std::uint32_t node : nodes)
      if (!is_inside(node, symbol)) return true;
    return false;
  };
  return is_outside(users_of_name_[name_of_[symbol]]) || is_outside(sources_of_[symbol]);
}

std::vector<std::uint8_t> Liveness::reached_from(const std::vector<std::uint8_t>& roots,
                                                 const std::vector<Way>& ways,
                                                 bool and_modules) const {
  std::vector<std::uint8_t> reached(std::size_t{root_} + 1, 0);
  std::vector<std::uint8_t> done(bearers_.starts.size(), 0);  // names whose bearers are all reached
  const Lists& followers = followers_of(ways);
  std::vector<std::uint32_t> open;
  if (and_modules) open.push_back(root_);
  const auto reach = [&](std::uint32_t symbol) {
    std::uint8_t& is_reached = reached.data()[symbol];
    if (is_reached != 0) return;
    is_reached = 1;
    open.push_back(symbol);
  };
  open.reserve(reached.size());
  for (std::uint32_t s = 0; s < root_; ++s)
    if (roots[s] != 0) reach(s);
  for (std::size_t next = 0; next < open.size(); ++next) {
    const std::uint32_t node = open[next];
    for (const std::uint32_t name : names_used_by_[node]) {
      std::uint8_t& is_done = done.data()[name];
      if (is_done != 0) continue;
      bool all = true;
      for (const std::uint32_t symbol : bearers_[name])
        if (is_inside(node, symbol))
          all = false;
        else
          reach(symbol);
      is_done = all ? 1 : 0;
    }
    for (const std::uint32_t symbol : targets_of_[node])
      if (!is_inside(node, symbol)) reach(symbol);
    for (const std::uint32_t symbol : followers[node])
      reach(symbol);
  }
  reached.pop_back();
  return reached;
}

const Liveness::Lists& Liveness::followers_of(const std::vector<Way>& ways) const {
  if (followers_) return *followers_;
  Pairs below;
  for (std::uint32_t s = 0; s < root_; ++s)
    if (ways[s] == Way::follows_parent && parents_[s] != kNone) below.emplace_back(parents_[s], s);
  return followers_.emplace(std::size_t{root_} + 1, below);
}

JudgedLife judge_life(const Liveness& liveness, const std::vector<Way>& ways,
                      const std::function<DeadReason(std::uint32_t symbol)>& doubt) {
  JudgedLife out;
  const auto count = static_cast<std::uint32_t>(ways.size());
  std::vector<std::uint8_t> roots(count, 0), dead(count, 0);
  for (std::uint32_t s = 0; s < count; ++s) {
    roots[s] = ways[s] == Way::root || ways[s] == Way::silenced ? 1 : 0;
    const bool is_judged = ways[s] == Way::judged || ways[s] == Way::silenced;
    if (!is_judged || !liveness.is_candidate(s) || liveness.is_referenced(s)) continue;
    dead[s] = ways[s] == Way::judged ? 1 : 0;
    (dead[s] != 0 ? out.dead : out.silenced).push_back({s, doubt(s)});
  }
  // What is used, but only by what is dead. One that may be called in a way that is not seen is no
  // reason to doubt what it uses.
  out.is_used = liveness.reached_from(roots, ways, true);
  const auto is_open = [&](std::uint32_t s) {
    return liveness.is_candidate(s) && ways[s] != Way::follows_parent;
  };
  bool has_more = false;
  for (std::uint32_t s = 0; s < count; ++s) {
    if (!is_open(s) || out.is_used[s] != 0) continue;
    const DeadReason reason = doubt(s);
    if (reason == DeadReason::unreferenced || reason == DeadReason::property) continue;
    roots[s] = 1;
    has_more = true;
  }
  const std::vector<std::uint8_t> reached =
      has_more ? liveness.reached_from(roots, ways, true) : out.is_used;
  std::vector<std::uint32_t> unreached;
  for (std::uint32_t s = 0; s < count; ++s)
    if (is_open(s) && dead[s] == 0 && reached[s] == 0) unreached.push_back(s);
  if (unreached.empty()) return out;
  const std::vector<std::uint8_t> by_dead = liveness.reached_from(dead, ways, false);
  for (const std::uint32_t s : unreached)
    out.dead.push_back(
        {s, by_dead[s] != 0 ? DeadReason::only_used_by_dead_code : DeadReason::unreachable_cycle});
  return out;
}

namespace {

/// By their keys, in the order of `pairs`.
NumberLists lists_of(std::size_t keys, const Pairs& pairs) {
  NumberLists out{std::vector<std::uint32_t>(keys, 0), std::vector<std::uint32_t>(pairs.size())};
  for (const auto& [key, value] : pairs)
    ++out.ends[key];
  for (std::size_t i = 1; i < keys; ++i)
    out.ends[i] += out.ends[i - 1];
  for (std::size_t i = pairs.size(); i-- > 0;)
    out.values[--out.ends[pairs[i].first]] = pairs[i].second;
  for (const auto& [key, value] : pairs)
    ++out.ends[key];
  return out;
}

}  // namespace

UseGraph Liveness::graph(const Project& project, const SymbolIndex& index) const {
  UseGraph out{.parents = parents_};
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;  // names by their hashes
  for (std::uint32_t n = 0; n < names_.size(); ++n)
    order.emplace_back(XXH3_64bits(names_[n].data(), names_[n].size()), n);
  std::ranges::sort(order);
  std::vector<std::uint32_t> place(names_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    out.names.push_back(order[i].first);
    place[order[i].second] = i;
  }
  Pairs users, symbols;
  for (const std::uint32_t name : name_of_)
    out.name_of.push_back(name == kNone ? kNone : place[name]);
  for (std::uint32_t n = 0; n < names_.size(); ++n)
    for (const std::uint32_t user : users_of_name_[n])
      if (user != root_) users.emplace_back(place[n], user);
  for (const auto& [name, file] : module_uses_)
    users.emplace_back(place[name], file | UseGraph::kModuleCode);
  for (std::uint32_t f = 0; f < project.files.size(); ++f) {
    if (is_skipped(project.files[f].facts.status)) continue;
    for (std::uint32_t d = 0; d < project.files[f].facts.declarations.all.size(); ++d)
      symbols.emplace_back(f, index.of(f, d));
  }
  for (std::uint32_t node = 0; node <= root_; ++node)
    for (const std::uint32_t symbol : targets_of_[node]) {
      out.edges_from.push_back(node == root_ ? kNone : node);
      out.edges_to.push_back(symbol);
    }
  out.users = lists_of(names_.size(), users);
  out.symbols = lists_of(project.files.size(), symbols);
  return out;
}

}  // namespace gh::analysis
