// Symbols of the project by name: declarations that share a qualname are one symbol.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/import_targets.h"
#include "analysis/name_index.h"
#include "analysis/project.h"

namespace gh::analysis {

struct Symbol {
  std::uint32_t file = 0, declaration = 0;  // the first that has the name
  std::uint32_t parent = kNone;             // the symbol around it
  std::string_view qualname{};              // of the index
};

/// Where a dotted name leads: into a module of the run, and what is left of it there.
struct Destination {
  std::uint32_t file = 0;
  std::string local{};
};

class SymbolIndex {
 public:
  explicit SymbolIndex(const Project&);
  SymbolIndex(const SymbolIndex&) = delete;

  const std::vector<Symbol>& all() const { return symbols_; }
  std::uint32_t of(std::uint32_t file, std::uint32_t declaration) const {
    return of_declaration_[declarations_from_[file] + declaration];
  }
  const DeclarationFact& declaration(std::uint32_t symbol) const;
  /// The symbol with that qualname; kNone when there is none.
  std::uint32_t named(std::string_view qualname) const;
  /// The symbol that `dotted`, as a file writes it after resolving its imports, stands for; names
  /// that a module imports from another are followed.
  std::uint32_t find(std::uint32_t file, std::string_view dotted) const;
  /// The same for what no file says: from the root of the run alone.
  std::uint32_t find_as_written(std::string_view dotted) const;
  /// The same for anything that has no declaration, such as a variable.
  std::optional<Destination> destination(std::uint32_t file, std::string_view dotted) const;
  const std::string& module(std::uint32_t file) const { return modules_[file]; }
  /// `base`, out of which a file imports `name`, from the root of the run.
  std::string from_root(std::uint32_t file, std::string base, std::string_view name) const;
  /// Is it a file whose uses of a name count: read, and no test?
  bool uses_count(std::uint32_t file) const { return uses_count_[file]; }

 private:
  void add(std::uint32_t file);
  std::string absolute(std::uint32_t file, std::string_view dotted) const;
  std::optional<Destination> leading_to(std::string_view path) const;
  std::optional<Destination> follow(std::uint32_t file, std::string local) const;
  bool declares(const Destination&) const;
  /// Does a module of the run lie on the way of a dotted name, behind its first `from` bytes?
  bool leads_inside(std::string_view dotted, std::size_t from) const;
  /// The bindings at the top of a file that may bring the name, in the order of the file.
  std::vector<const BindingFact*> bringing(std::uint32_t file, std::string_view name) const;

  const Project& project_;
  std::vector<std::string> modules_{};
  std::vector<bool> uses_count_{};
  std::unordered_map<std::string, std::uint32_t> file_of_{};
  std::string qualnames_{};  // all of them; it never grows beyond what was reserved
  std::vector<Symbol> symbols_{};
  std::vector<std::size_t> declarations_from_{};  // of each file, in the array below
  std::vector<std::uint32_t> of_declaration_{};
  NameIndex by_qualname_;
  std::vector<std::uint32_t> first_named_{};  // by the number of a qualname
  /// Of each file: what its top binds under a name, and under "*" what binds all names.
  using Bindings = std::unordered_map<std::string_view, std::vector<const BindingFact*>>;
  std::vector<Bindings> bindings_{};
};

/// Which classes are derived from which. Each base is looked up once, however many ask.
class Ancestry {
 public:
  /// A base outside of the run, as a class names it; the empty name for one that is no name.
  struct OuterBase {
    std::uint32_t symbol = 0;
    std::string_view name{};
  };

  Ancestry(const Project&, const SymbolIndex&);

  Ancestry(const Ancestry&) = delete;

  /// By symbol: the nearest base outside of the run for which `counts` says so, over any number of
  /// steps; null where there is none.
  std::vector<const OuterBase*> outer_bases(
      const std::function<bool(std::string_view base)>& counts) const;

 private:
  using Edge = std::pair<std::uint32_t, std::uint32_t>;  // from a base to what is derived from it
  std::size_t symbols_;
  std::vector<OuterBase> outer_{};
  std::vector<Edge> derived_{};  // by base
};

}  // namespace gh::analysis
