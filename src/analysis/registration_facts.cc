#include "analysis/registration_facts.h"

#include <algorithm>
#include <array>

#include "analysis/imports.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Tree;
namespace flag = syntax::flag;

struct HandingRow {
  std::string_view callee;  // its last component
  std::uint32_t argument;
};
// Calls by which something may become known to a framework.
// table: handing calls
constexpr std::array<HandingRow, 7> kHanding{{{"Depends", 0},
                                              {"Security", 0},
                                              {"path", 1},
                                              {"re_path", 1},
                                              {"include_router", 0},
                                              {"register_blueprint", 0},
                                              {"add_routes", 0}}};
constexpr std::string_view kProviders = "dependency_injector.providers.", kAsView = ".as_view";

bool imports_providers(const Tree& tree) {
  for (std::uint32_t id = 0; id < tree.symbols.size(); ++id)
    if (tree.symbols.text(id).starts_with("dependency_injector")) return true;
  return false;
}

class Walk {
 public:
  Walk(const Tree& tree, const Bindings& bindings, const Declarations& declarations,
       const std::vector<std::uint32_t>& nodes, NameWriter& names)
      : tree_(tree),
        bindings_(bindings),
        declarations_(declarations),
        nodes_(nodes),
        names_(names),
        has_providers_(imports_providers(tree)) {}

  RegistrationFacts run() {
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
      if (next < nodes_.size() && nodes_[next] == i) {
        if (i >= typing_end_) read_decorators(static_cast<std::uint32_t>(next));
        enter(static_cast<std::uint32_t>(next++));
      }
      if (asks_for_typing(tree_, i)) skip_typing(i);
      if (i < typing_end_) continue;
      if (tree_[i].kind == Kind::Assign && owner_at(i) == kNone) read_assignment(i);
      if (tree_[i].kind == Kind::Call) read_call(i);
    }
    return std::move(out_);
  }

 private:
  struct Owner {
    std::uint32_t end, declaration;
  };

  void enter(std::uint32_t declaration) {
    if (!declarations_.all[declaration].inside_function)
      owners_.push_back({tree_[nodes_[declaration]].end, declaration});
  }

  std::uint32_t owner_at(std::uint32_t i) {
    while (!owners_.empty() && i >= owners_.back().end)
      owners_.pop_back();
    return owners_.empty() ? kNone : owners_.back().declaration;
  }

  void skip_typing(std::uint32_t i) {
    for (const std::uint32_t arm : Children(tree_, i))
      if (tree_[arm].kind == Kind::Block &&
          tree_[arm].flags == static_cast<std::uint16_t>(syntax::Arm::then))
        typing_end_ = std::max(typing_end_, tree_[arm].end);
  }

  void read_decorators(std::uint32_t declaration) {
    if (!declarations_.all[declaration].has_unknown_decorator) return;
    for (const std::uint32_t child : Children(tree_, nodes_[declaration])) {
      if (tree_[child].kind != Kind::Decorator) continue;
      const std::string target = decorator_target(tree_, bindings_, child);
      if (target.empty()) continue;
      const NameId id = names_.id_of(target);
      out_.decorations.push_back({declaration, tree_.start_line(child), id});
      out_.objects.push_back({declarations_.all[declaration].name, id});
    }
  }

  void read_assignment(std::uint32_t i) {
    std::uint32_t value = i + 1;
    for (const std::uint32_t child : Children(tree_, i))
      value = child;
    if (value >= tree_[i].end || tree_[value].kind != Kind::Call || tree_[value].end == value + 1)
      return;
    const std::string maker = bindings_.resolve(value + 1);
    if (maker.empty()) return;
    for (const std::uint32_t target : Children(tree_, i))
      if (target < value && tree_[target].kind == Kind::Name &&
          (tree_[target].flags & flag::store) != 0)
        out_.objects.push_back({names_.id_of_node(target), names_.id_of(maker)});
  }

  /// By its own name, or by the one under which it was imported.
  auto row_of(std::uint32_t callee) const {
    const std::string_view name = tree_.name(callee);
    auto row = std::ranges::find(kHanding, name, &HandingRow::callee);
    if (row != kHanding.end() || tree_[callee].kind != Kind::Name ||
        !bindings_.is_imported(tree_[callee].symbol))
      return row;
    const std::string target = bindings_.resolve(callee);
    return std::ranges::find(kHanding, std::string_view(target).substr(target.rfind('.') + 1),
                             &HandingRow::callee);
  }

  void read_call(std::uint32_t call) {
    if (tree_[call].end == call + 1) return;
    const std::uint32_t callee = call + 1;
    if (tree_[callee].kind != Kind::Name && tree_[callee].kind != Kind::Attribute) return;
    const auto row = row_of(callee);
    if (row == kHanding.end() && !has_providers_) return;
    const std::string target = bindings_.resolve(callee);
    const bool is_provider = target.starts_with(kProviders);
    if (row == kHanding.end() && !is_provider) return;
    std::uint32_t argument = tree_[callee].end;
    for (std::uint32_t k = is_provider ? 0 : row->argument; k > 0 && argument < tree_[call].end;
         --k)
      argument = tree_[argument].end;
    if (argument >= tree_[call].end) return;
    std::string handed = bindings_.resolve(
        tree_[argument].kind == Kind::Call && tree_[argument].end > argument + 1 ? argument + 1
                                                                                 : argument);
    if (handed.ends_with(kAsView)) handed.resize(handed.size() - kAsView.size());
    if (!handed.empty())
      out_.handed.push_back(
          {names_.id_of(target), names_.id_of(handed), owner_at(call), tree_.start_line(call)});
  }

  const Tree& tree_;
  const Bindings& bindings_;
  const Declarations& declarations_;
  const std::vector<std::uint32_t>& nodes_;
  NameWriter& names_;
  RegistrationFacts out_{};
  std::vector<Owner> owners_{};
  std::uint32_t typing_end_ = 0;
  bool has_providers_;
};

}  // namespace

RegistrationFacts registration_facts_of(const Tree& tree, const Bindings& bindings,
                                        const Declarations& declarations,
                                        const std::vector<std::uint32_t>& nodes,
                                        NameWriter& names) {
  return Walk(tree, bindings, declarations, nodes, names).run();
}

}  // namespace gh::analysis
