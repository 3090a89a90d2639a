#include "analysis/liveness.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <xxhash.h>

#include "analysis/language_traits.h"

namespace gh::analysis {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs turned(const Pairs& pairs) {
  Pairs out;
  out.reserve(pairs.size());
  for (const auto& [a, b] : pairs)
    out.emplace_back(b, a);
  return out;
}

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
           (binding.level == 0 && facts.names[binding.module].starts_with(own + "."));
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
      add(root_, symbol);
    }
  }

  const Project& project_;
  const SymbolIndex& index_;
  std::uint32_t root_;
  Pairs edges_{};
};

}  // namespace

Liveness::Lists::Lists(std::size_t keys, const Pairs& pairs)
    : starts(keys + 1, 0), values(pairs.size()) {
  for (const auto& [key, value] : pairs)
    ++starts[key + 1];
  for (std::size_t i = 1; i <= keys; ++i)
    starts[i] += starts[i - 1];
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  for (const auto& [key, value] : pairs)
    values[next[key]++] = value;
}

Liveness::Liveness(const Project& project, const SymbolIndex& index,
                   const std::vector<bool>& is_candidate)
    : index_(index),
      root_(static_cast<std::uint32_t>(index.all().size())),
      name_of_(index.all().size(), kNone) {
  NameIndex names(root_);
  Pairs bearers, uses;
  std::vector<std::string_view> texts;  // of what is declared, then of what each file speaks of
  std::vector<std::uint32_t> known;
  for (std::uint32_t s = 0; s < root_; ++s)
    if (is_candidate[s]) {
      const FileFacts& facts = project.files[index.all()[s].file].facts;
      bearers.emplace_back(kNone, s);
      texts.push_back(facts.names[index.declaration(s).name]);
    }
  names.add(texts, known);
  names_.resize(names.size());
  for (std::size_t i = 0; i < bearers.size(); ++i) {
    bearers[i].first = name_of_[bearers[i].second] = known[i];
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
      uses.emplace_back(known[use.name], use.owner == kNone ? root_ : index.of(f, use.owner));
      if (use.owner == kNone) module_uses_.emplace_back(known[use.name], f);
    }
  }
  bearers_ = Lists(names.size(), bearers);
  users_of_name_ = Lists(names.size(), uses);
  names_used_by_ = Lists(std::size_t{root_} + 1, turned(uses));
  const Pairs edges = Resolved(project, index, root_).run();
  targets_of_ = Lists(std::size_t{root_} + 1, edges);
  sources_of_ = Lists(std::size_t{root_} + 1, turned(edges));
}

bool Liveness::is_inside(std::uint32_t node, std::uint32_t symbol) const {
  while (node != root_ && node != kNone) {
    if (node == symbol) return true;
    node = index_.all()[node].parent;
  }
  return false;
}

bool Liveness::is_referenced(std::uint32_t symbol) const {
  const auto is_outside = [&](std::span<const std::uint32_t> nodes) {
    for (const std::uint32_t node : nodes)
      if (!is_inside(node, symbol)) return true;
    return false;
  };
  return is_outside(users_of_name_[name_of_[symbol]]) || is_outside(sources_of_[symbol]);
}

std::vector<std::uint32_t> Liveness::reached_from(const std::vector<bool>& roots,
                                                  const std::vector<bool>& follows_parent,
                                                  bool and_modules) const {
  std::vector<std::uint32_t> reached(std::size_t{root_} + 1, 0);
  std::vector<bool> done(bearers_.starts.size(), false);  // names whose bearers are all reached
  Pairs below;
  for (std::uint32_t s = 0; s < root_; ++s)
    if (follows_parent[s]) below.emplace_back(index_.all()[s].parent, s);
  const Lists followers(std::size_t{root_} + 1, below);
  std::vector<std::uint32_t> open;  // the nearest first
  if (and_modules) open.push_back(root_);
  const auto reach = [&](std::uint32_t symbol, std::uint32_t level) {
    if (reached[symbol] != 0) return;
    reached[symbol] = level;
    open.push_back(symbol);
  };
  for (std::uint32_t s = 0; s < root_; ++s)
    if (roots[s]) reach(s, 1);
  for (std::size_t next = 0; next < open.size(); ++next) {
    const std::uint32_t node = open[next], level = reached[node] + 1;
    for (const std::uint32_t name : names_used_by_[node]) {
      if (done[name]) continue;
      bool all = true;
      for (const std::uint32_t symbol : bearers_[name])
        if (is_inside(node, symbol))
          all = false;
        else
          reach(symbol, level);
      done[name] = all;
    }
    for (const std::uint32_t symbol : targets_of_[node])
      if (!is_inside(node, symbol)) reach(symbol, level);
    for (const std::uint32_t symbol : followers[node])
      reach(symbol, level);
  }
  reached.pop_back();
  return reached;
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

UseGraph Liveness::graph(const Project& project) const {
  UseGraph out;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;  // names by their hashes
  for (std::uint32_t n = 0; n < names_.size(); ++n)
    order.emplace_back(XXH3_64bits(names_[n].data(), names_[n].size()), n);
  std::ranges::sort(order);
  std::vector<std::uint32_t> place(names_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    out.names.push_back(order[i].first);
    place[order[i].second] = i;
  }
  Pairs bearers, users, symbols;
  for (std::uint32_t s = 0; s < root_; ++s) {
    const std::uint32_t name = name_of_[s] == kNone ? kNone : place[name_of_[s]];
    out.parents.push_back(index_.all()[s].parent);
    out.name_of.push_back(name);
    if (name != kNone) bearers.emplace_back(name, s);
  }
  for (std::uint32_t n = 0; n < names_.size(); ++n)
    for (const std::uint32_t user : users_of_name_[n])
      if (user != root_) users.emplace_back(place[n], user);
  for (const auto& [name, file] : module_uses_)
    users.emplace_back(place[name], file | UseGraph::kModuleCode);
  for (std::uint32_t f = 0; f < project.files.size(); ++f) {
    if (is_skipped(project.files[f].facts.status)) continue;
    for (std::uint32_t d = 0; d < project.files[f].facts.declarations.all.size(); ++d)
      symbols.emplace_back(f, index_.of(f, d));
  }
  out.bearers = lists_of(names_.size(), bearers);
  out.users = lists_of(names_.size(), users);
  out.symbols = lists_of(project.files.size(), symbols);
  return out;
}

}  // namespace gh::analysis
