// What names mean in a project: where imports lead, what modules and classes declare.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/import_targets.h"
#include "analysis/relation_facts.h"

namespace gh::analysis {

struct Declared {
  std::uint32_t file = 0, declaration = 0;
  bool operator==(const Declared&) const = default;
};
using Found = std::optional<Declared>;

class RelationScope {
 public:
  RelationScope(const Project&, const std::vector<RelationFacts>&);

  const DeclarationFact& declaration(Declared at) const {
    return project_.files[at.file].facts.declarations.all[at.declaration];
  }
  std::string local_name(std::uint32_t file, std::uint32_t declaration) const;
  std::string qualname(Declared at) const {
    return qualname_of(project_.files[at.file], local_name(at.file, at.declaration));
  }
  bool is_class(Declared at) const { return declaration(at).kind == DeclarationKind::class_; }

  /// What the module of the file declares under that name, be it in another of its files.
  Found own(std::uint32_t file, const std::string& local) const;
  /// The member of a class or of one of those that it is derived from.
  Found member(Declared class_, const std::string& name, bool pass_over_own) const;
  /// What `bound` with `rest` after it stands for; nothing when that is outside of the run.
  Found imported(std::uint32_t file, const ImportedName&, std::span<const std::string> rest) const;
  /// Does the import bring a module rather than something out of one?
  bool brings_module(std::uint32_t file, const ImportedName&) const;
  /// Equal for imports that mean the same.
  std::string meaning(std::uint32_t file, const ImportedName&) const;
  /// What the imports of all names bring under this one; several when it is not clear.
  std::vector<Declared> by_star(std::uint32_t file, std::span<const std::string> path) const;
  /// Without any import: a class beside it in its package, or a path from the root of the crate.
  Found by_place(std::uint32_t file, std::span<const std::string> path) const;

 private:
  /// What an import binds: a module, or a name in one.
  struct Bound {
    std::string module, local;  // local is empty for the module itself
    bool operator==(const Bound&) const = default;
  };
  /// Remembered for the imports of the facts, which outlive this.
  const std::optional<Bound>& bound(std::uint32_t file, const ImportedName&) const;
  std::optional<Bound> bound_now(std::uint32_t file, const ImportedName&) const;
  std::set<std::string> targets(std::uint32_t file, const ImportedName&, std::string name) const;
  Found at(const std::string& module, const std::string& local) const;
  Found declared_at(const std::string& module, const std::string& local) const;
  Found below(const std::string& module, std::span<const std::string> path) const;
  Found plain(std::uint32_t file, std::span<const std::string> path) const;

  const Project& project_;
  const std::vector<RelationFacts>& facts_;
  ModuleIndex index_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> files_of_{};  // by module
  std::unordered_map<std::string, Declared> by_qualname_{};
  /// Of each file, what its classes are derived from, by their names.
  std::vector<std::unordered_map<std::string, std::vector<const BaseFact*>>> bases_of_{};
  mutable std::unordered_map<const ImportedName*, std::optional<Bound>> bound_{};
};

}  // namespace gh::analysis
