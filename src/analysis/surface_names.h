// Which outside name a call means, by the imports and aliases of its file.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/bindings.h"
#include "analysis/surface_rows.h"
#include "syntax/ir.h"

namespace gh::analysis {

struct CalledName {
  std::string text{};      // dotted, `()` for each call on the way; empty: no name
  std::uint32_t root = 0;  // the symbol that it begins with
  bool is_imported = false;
};

class CalledNames {
 public:
  CalledNames(const syntax::Tree&, const Bindings&, const SurfaceRules&);

  /// Asked for every call; the rest only for the few that may be of interest.
  bool may_matter(std::uint32_t callee) const { return matters_[tree_[callee].symbol]; }
  CalledName resolve(std::uint32_t callee) const;
  /// `name` in a module all of whose names are imported.
  std::string in_star(std::size_t star, std::string_view name) const;
  std::size_t stars() const { return stars_.size(); }
  /// Does the file itself say what the bare name is, as seen from a node?
  bool is_own(std::uint32_t symbol, std::uint32_t node);

  /// Does something between a node and its module give an imported name another meaning?
  bool is_shadowed(std::uint32_t symbol, std::uint32_t node);

  /// The module as rows name it.
  std::string module_name(std::string_view written) const;
  std::string_view separator() const { return separator_; }

 private:
  struct Scope {
    std::uint32_t begin, end;
  };
  void read_aliases();
  void alias(std::uint32_t symbol, std::string target);
  void read_star(std::uint32_t statement);
  void read_required(std::uint32_t assignment);
  void read_using(std::uint32_t statement);
  std::string chain_text(std::uint32_t node) const;
  std::string normalised(std::string target) const;
  std::vector<Scope> scopes_of(std::uint32_t symbol) const;
  const std::vector<Scope>& known_scopes(std::uint32_t symbol);
  bool brings_in(std::uint32_t node, std::uint32_t symbol) const;

  const syntax::Tree& tree_;
  const Bindings& bindings_;
  const SurfaceRules& rules_;
  std::string_view separator_;
  bool is_javascript_;
  std::vector<bool> matters_{};  // by symbol
  std::unordered_map<std::uint32_t, std::string> aliases_{};
  std::unordered_set<std::uint32_t> requiring_{};  // assignments that import
  std::vector<std::string> stars_{};
  std::unordered_map<std::uint32_t, std::vector<Scope>> own_{};
};

}  // namespace gh::analysis
