#include "analysis/relation_scope.h"

#include <algorithm>
#include <deque>

namespace gh::analysis {
namespace {

using syntax::Language;

constexpr std::size_t kMaxSteps = 256;  // names that are handed on from module to module

std::string joined(std::string a, std::string_view b) {
  if (!a.empty() && !b.empty()) a += '.';
  return a.append(b);
}

std::string dotted(std::span<const std::string> path) {
  std::string out;
  for (const std::string& part : path)
    out = joined(std::move(out), part);
  return out;
}

std::string_view last_of(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

/// In these a module is named by a path, so that `a.b.f` may lead through modules.
bool has_module_paths(Language language) {
  return language == Language::python || language == Language::rust;
}

/// A body is more than a declaration of the same name elsewhere.
bool is_better(const DeclarationFact& a, const DeclarationFact& b) {
  return a.end_line - a.start_line > b.end_line - b.start_line;
}

}  // namespace

RelationScope::RelationScope(const Project& project, const std::vector<RelationFacts>& facts)
    : project_(project), facts_(facts), index_(index_of(project)) {
  for (std::uint32_t f = 0; f < project.files.size(); ++f) {
    const AnalysedFile& file = project.files[f];
    if (is_skipped(file.facts.status)) continue;
    files_of_[module_of(file)].push_back(f);
    for (std::uint32_t d = 0; d < file.facts.declarations.all.size(); ++d) {
      const Declared here{f, d};
      const auto [at, is_new] = by_qualname_.try_emplace(qualname(here), here);
      if (!is_new && is_better(declaration(here), declaration(at->second))) at->second = here;
    }
  }
  bases_of_.resize(facts.size());
  for (std::uint32_t f = 0; f < facts.size(); ++f)
    for (const BaseFact& base : facts[f].bases)
      bases_of_[f][local_name(f, base.declaration)].push_back(&base);
}

std::string RelationScope::local_name(std::uint32_t file, std::uint32_t declaration) const {
  const FileFacts& facts = project_.files[file].facts;
  return std::string(facts.names[facts.declarations.all[declaration].local_name]);
}

Found RelationScope::own(std::uint32_t file, const std::string& local) const {
  const auto at = by_qualname_.find(qualname_of(project_.files[file], local));
  return at == by_qualname_.end() ? Found() : Found(at->second);
}

Found RelationScope::declared_at(const std::string& module, const std::string& local) const {
  const auto files = files_of_.find(module);
  return files == files_of_.end() || local.empty() ? Found() : own(files->second.front(), local);
}

/// Follows names that modules import to hand them on.
Found RelationScope::at(const std::string& module, const std::string& local) const {
  std::deque<std::pair<std::string, std::string>> open{{module, local}};
  std::set<std::pair<std::string, std::string>> seen;
  while (!open.empty() && seen.size() < kMaxSteps) {
    const auto [in, name] = open.front();
    open.pop_front();
    if (name.empty() || !seen.emplace(in, name).second) continue;
    if (const Found found = declared_at(in, name)) return found;
    const auto files = files_of_.find(in);
    if (files == files_of_.end()) continue;
    const std::string head = name.substr(0, name.find('.'));
    const std::string rest = name.substr(std::min(head.size() + 1, name.size()));
    for (const std::uint32_t f : files->second)
      for (const ImportedName& import : facts_[f].imports) {
        if (import.owner != kNone || (import.bound != head && import.bound != "*")) continue;
        if (const auto next = bound(f, import))
          open.emplace_back(next->module, import.bound == "*" ? name : joined(next->local, rest));
      }
  }
  return std::nullopt;
}

Found RelationScope::below(const std::string& module, std::span<const std::string> path) const {
  for (std::size_t used = path.size(); used-- > 0;) {
    const std::string deeper = joined(module, dotted(path.first(used)));
    if (!files_of_.contains(deeper)) continue;
    const std::span<const std::string> local = path.subspan(used);
    if (const Found found = at(deeper, dotted(local))) return found;
    if (local.size() < 2) return std::nullopt;
    const Found class_ = at(deeper, dotted(local.first(local.size() - 1)));
    return class_ && is_class(*class_) ? member(*class_, local.back(), false) : std::nullopt;
  }
  return std::nullopt;
}

std::set<std::string> RelationScope::targets(std::uint32_t file, const ImportedName& import,
                                             std::string name) const {
  ImportFact fact{.module = import.module, .level = import.level, .is_from = import.is_from};
  if (import.is_from) fact.names.push_back(std::move(name));
  return import_targets(index_, project_.files[file], fact);
}

const std::optional<RelationScope::Bound>& RelationScope::bound(std::uint32_t file,
                                                                const ImportedName& import) const {
  const auto [at, is_new] = bound_.try_emplace(&import);
  if (is_new) at->second = bound_now(file, import);
  return at->second;
}

std::optional<RelationScope::Bound> RelationScope::bound_now(std::uint32_t file,
                                                             const ImportedName& import) const {
  const Language language = project_.files[file].language;
  const std::set<std::string> found = targets(file, import, import.name);
  if (!import.is_from && language == Language::python)
    return Bound{found.empty() ? import.module : *found.begin(), ""};
  if (found.empty()) return std::nullopt;
  const std::string& module = *found.begin();
  if (!import.is_from || import.name == "*" || import.name == "self") return Bound{module, ""};
  if (has_module_paths(language)) {
    const bool is_symbol = targets(file, import, "*").contains(module);
    return Bound{module, is_symbol ? import.name : ""};
  }
  if (language == Language::java && last_of(module) != import.name)
    return Bound{module, joined(std::string(last_of(module)), import.name)};
  return Bound{module, import.name == "default" ? import.bound : import.name};
}

bool RelationScope::brings_module(std::uint32_t file, const ImportedName& import) const {
  const auto what = bound(file, import);
  return what && what->local.empty();
}

std::string RelationScope::meaning(std::uint32_t file, const ImportedName& import) const {
  const auto what = bound(file, import);
  if (what) return what->module + ":" + what->local;
  return std::string(import.level, '.') + import.module + "?" + import.name;
}

Found RelationScope::imported(std::uint32_t file, const ImportedName& import,
                              std::span<const std::string> rest) const {
  const auto what = bound(file, import);
  if (!what) return std::nullopt;
  std::vector<std::string> path(rest.begin(), rest.end());
  if (!what->local.empty()) path.insert(path.begin(), what->local);
  if (path.empty()) return std::nullopt;  // the module itself
  if (what->local.empty() && has_module_paths(project_.files[file].language))
    return below(what->module, path);
  if (const Found found = at(what->module, dotted(path)); found || path.size() < 2) return found;
  const Found class_ = at(what->module, dotted(std::span(path).first(path.size() - 1)));
  return class_ && is_class(*class_) ? member(*class_, path.back(), false) : std::nullopt;
}

std::vector<Declared> RelationScope::by_star(std::uint32_t file,
                                             std::span<const std::string> path) const {
  std::vector<Declared> out;
  for (const ImportedName& import : facts_[file].imports) {
    if (import.bound != "*" || import.owner != kNone) continue;
    ImportedName one = import;
    const bool is_java = project_.files[file].language == Language::java;
    if (is_java) one.bound = one.name = path.front();
    const auto what = is_java ? bound_now(file, one) : bound(file, import);
    if (!what) continue;
    std::string local = dotted(path);
    if (!what->local.empty() && what->local != path.front())
      local = joined(std::string(last_of(what->module)), local);
    if (const Found found = at(what->module, local);
        found && std::ranges::find(out, *found) == out.end())
      out.push_back(*found);
  }
  return out;
}

Found RelationScope::by_place(std::uint32_t file, std::span<const std::string> path) const {
  const AnalysedFile& from = project_.files[file];
  if (from.language == Language::java) {
    const std::string module = module_of(from);
    const std::size_t dot = module.rfind('.');
    return at(joined(dot == std::string::npos ? "" : module.substr(0, dot), path.front()),
              dotted(path));
  }
  if (from.language != Language::rust || path.size() < 2) return std::nullopt;
  ImportedName import{.is_from = true};
  for (const std::string& part : path.first(path.size() - 1))
    import.module += (import.module.empty() ? "" : "::") + part;
  const std::set<std::string> found = targets(file, import, path.back());
  for (std::size_t local = 1; !found.empty() && local < path.size(); ++local)
    if (const Found here = at(*found.begin(), dotted(path.last(local)))) return here;
  return std::nullopt;
}

/// A name at the top of a file, without members that are inherited.
Found RelationScope::plain(std::uint32_t file, std::span<const std::string> path) const {
  if (const Found here = own(file, dotted(path))) return here;
  for (const ImportedName& import : facts_[file].imports) {
    if (import.bound != path.front()) continue;
    const auto what = bound(file, import);
    if (!what) continue;
    if (const Found found = at(what->module, joined(what->local, dotted(path.subspan(1)))))
      return found;
  }
  const std::vector<Declared> stars = by_star(file, path);
  return stars.size() == 1 ? Found(stars.front()) : by_place(file, path);
}

Found RelationScope::member(Declared class_, const std::string& name, bool pass_over_own) const {
  std::deque<Declared> open{class_};
  std::vector<Declared> seen;
  while (!open.empty() && seen.size() < kMaxSteps) {
    const Declared here = open.front();
    open.pop_front();
    if (std::ranges::find(seen, here) != seen.end()) continue;
    seen.push_back(here);
    const std::string local = local_name(here.file, here.declaration);
    const Found found = own(here.file, joined(local, name));
    if (found && !(pass_over_own && seen.size() == 1)) return found;
    const auto bases = bases_of_[here.file].find(local);
    if (bases == bases_of_[here.file].end()) continue;
    for (const BaseFact* base : bases->second)
      if (const Found above = plain(here.file, base->path); above && is_class(*above))
        open.push_back(*above);
  }
  return std::nullopt;
}

}  // namespace gh::analysis
