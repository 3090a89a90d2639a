#include "analysis/symbols.h"

#include <algorithm>

#include "analysis/import_targets.h"

namespace gh::analysis {
namespace {

constexpr std::string_view kStar = "*";  // no name is that
constexpr int kMaxSteps = 16;  // of names that are imported from modules which import them

std::string parent_of(const std::string& module) {
  const std::size_t dot = module.rfind('.');
  return dot == std::string::npos ? std::string() : module.substr(0, dot);
}

std::string joined(std::string a, std::string_view b) {
  if (!a.empty() && !b.empty()) a += '.';
  return a.append(b);
}

bool is_package(std::string_view path) {
  return path == "__init__.py" || path.ends_with("/__init__.py") || path == "__init__.pyi" ||
         path.ends_with("/__init__.pyi");
}

std::size_t declarations_in(const Project& project) {
  std::size_t out = 0;
  for (const AnalysedFile& file : project.files)
    out += file.facts.declarations.all.size();
  return out;
}

}  // namespace

SymbolIndex::SymbolIndex(const Project& project)
    : project_(project), by_qualname_(declarations_in(project)) {
  const std::size_t files = project.files.size();
  bindings_.resize(files);
  modules_.reserve(files);
  declarations_from_.reserve(files);
  file_of_.reserve(files);
  std::size_t declarations = 0, bytes = 0;
  for (const AnalysedFile& file : project.files) {
    const FileFacts& facts = file.facts;
    modules_.push_back(module_of(file));
    uses_count_.push_back(!is_skipped(facts.status) && !is_test_file(file));
    declarations_from_.push_back(declarations);
    if (is_skipped(facts.status)) continue;
    declarations += facts.declarations.all.size();
    for (const DeclarationFact& fact : facts.declarations.all)
      bytes += modules_.back().size() + 1 + facts.names[fact.local_name].size();
  }
  symbols_.reserve(declarations);
  of_declaration_.reserve(declarations);
  qualnames_.reserve(bytes);
  for (std::uint32_t f = 0; f < files; ++f)
    if (!is_skipped(project.files[f].facts.status)) add(f);
}

void SymbolIndex::add(std::uint32_t f) {
  const FileFacts& facts = project_.files[f].facts;
  file_of_.emplace(modules_[f], f);
  for (const BindingFact& binding : facts.references.bindings)
    if (binding.is_top)
      bindings_[f][binding.is_star ? kStar : facts.names[binding.bound]].push_back(&binding);
  std::vector<std::string_view> qualnames;
  for (const DeclarationFact& fact : facts.declarations.all) {
    const std::size_t from = qualnames_.size();
    qualnames_.append(modules_[f]).append(1, ':').append(facts.names[fact.local_name]);
    qualnames.push_back(std::string_view(qualnames_).substr(from));
  }
  std::vector<std::uint32_t> numbers;
  by_qualname_.add(qualnames, numbers);
  for (std::uint32_t d = 0; d < facts.declarations.all.size(); ++d) {
    const DeclarationFact& fact = facts.declarations.all[d];
    const auto next = static_cast<std::uint32_t>(symbols_.size());
    if (numbers[d] == first_named_.size()) first_named_.push_back(next);
    const std::uint32_t known = first_named_[numbers[d]];
    // The same module may be written in two files, such as a source and its stub.
    const bool is_new = known == next || symbols_[known].file != f;
    of_declaration_.push_back(is_new ? next : known);
    if (!is_new && !fact.is_declared_only &&
        facts.declarations.all[symbols_[known].declaration].is_declared_only)
      symbols_[known].declaration = d;
    if (is_new)
      symbols_.push_back({f, d, fact.parent == kNone ? kNone : of(f, fact.parent), qualnames[d]});
  }
}

const DeclarationFact& SymbolIndex::declaration(std::uint32_t symbol) const {
  const Symbol& s = symbols_[symbol];
  return project_.files[s.file].facts.declarations.all[s.declaration];
}

std::uint32_t SymbolIndex::named(std::string_view qualname) const {
  const std::uint32_t number = by_qualname_.find(qualname);
  return number == kNone ? kNone : first_named_[number];
}

std::string SymbolIndex::absolute(std::uint32_t file, std::string_view dotted) const {
  const std::size_t level = std::min(dotted.find_first_not_of('.'), dotted.size());
  if (level == 0) return std::string(dotted);
  std::string base =
      is_package(project_.files[file].path) ? modules_[file] : parent_of(modules_[file]);
  for (std::size_t i = 1; i < level; ++i)
    base = parent_of(base);
  return joined(std::move(base), dotted.substr(level));
}

bool SymbolIndex::declares(const Destination& at) const {
  return named(modules_[at.file] + ":" + at.local) != kNone;
}

std::vector<const BindingFact*> SymbolIndex::bringing(std::uint32_t file,
                                                      std::string_view name) const {
  std::vector<const BindingFact*> out;
  for (const std::string_view key : {name, kStar})
    if (const auto at = bindings_[file].find(key); at != bindings_[file].end())
      out.insert(out.end(), at->second.begin(), at->second.end());
  std::ranges::sort(out);  // they stand in one array
  return out;
}

bool SymbolIndex::leads_inside(std::string_view dotted, std::size_t from) const {
  for (std::size_t end = dotted.size(); end != std::string_view::npos && end > from;
       end = dotted.rfind('.', end - 1))
    if (file_of_.contains(std::string(dotted.substr(0, end)))) return true;
  return false;
}

std::string SymbolIndex::from_root(std::uint32_t file, std::string base,
                                   std::string_view name) const {
  const std::string whole = joined(base, name);
  if (base.empty() || project_.files[file].language != syntax::Language::python ||
      leads_inside(whole, 0))
    return base;
  for (const std::string& folder : source_folders(modules_[file]))
    if (!file_of_.contains(folder) && leads_inside(joined(folder, whole), folder.size()))
      return joined(folder, base);
  return base;
}

/// The head of `local` may be imported by the module from elsewhere.
std::optional<Destination> SymbolIndex::follow(std::uint32_t file, std::string local) const {
  Destination at{file, std::move(local)};
  for (int step = 0; step < kMaxSteps && !declares(at); ++step) {
    const FileFacts& facts = project_.files[at.file].facts;
    const std::string head = at.local.substr(0, at.local.find('.'));
    const std::string rest = at.local.substr(std::min(head.size() + 1, at.local.size()));
    std::optional<Destination> next;
    for (const BindingFact* binding : bringing(at.file, head)) {
      const std::string_view name =
          binding->is_star ? std::string_view(head) : facts.names[binding->imported];
      std::string base = absolute(
          at.file, std::string(binding->level, '.') + std::string(facts.names[binding->module]));
      if (binding->level == 0) base = from_root(at.file, std::move(base), name);
      if (const auto inner = file_of_.find(joined(base, name));
          inner != file_of_.end() && !rest.empty())
        next = Destination{inner->second, rest};
      else if (const auto outer = file_of_.find(base); outer != file_of_.end())
        next = Destination{outer->second, joined(std::string(name), rest)};
      if (next && declares(*next)) break;
    }
    if (!next || (next->file == at.file && next->local == at.local)) break;
    at = std::move(*next);
  }
  return at;
}

/// Through the longest part of the path that is a module.
std::optional<Destination> SymbolIndex::leading_to(std::string_view path) const {
  for (std::size_t end = path.size(); end != std::string_view::npos;) {
    end = path.rfind('.', end == 0 ? 0 : end - 1);
    if (end == std::string_view::npos || end == 0) break;
    if (const auto at = file_of_.find(std::string(path.substr(0, end))); at != file_of_.end())
      return follow(at->second, std::string(path.substr(end + 1)));
  }
  return std::nullopt;
}

std::uint32_t SymbolIndex::find_as_written(std::string_view dotted) const {
  const auto at = leading_to(dotted);
  return at ? named(modules_[at->file] + ":" + at->local) : kNone;
}

std::optional<Destination> SymbolIndex::destination(std::uint32_t file,
                                                    std::string_view dotted) const {
  if (dotted.empty()) return std::nullopt;
  if (!dotted.starts_with('.')) {
    Destination own{file, std::string(dotted)};
    if (declares(own)) return own;
  }
  std::string path = absolute(file, dotted);
  if (!dotted.starts_with('.') && dotted.find('.') != std::string_view::npos)
    path = from_root(file, std::move(path), {});
  if (auto found = leading_to(path)) return found;
  if (dotted.starts_with('.')) return std::nullopt;
  return follow(file, std::string(dotted));  // a star import may have brought it
}

std::uint32_t SymbolIndex::find(std::uint32_t file, std::string_view dotted) const {
  const auto at = destination(file, dotted);
  return at ? named(modules_[at->file] + ":" + at->local) : kNone;
}

Ancestry::Ancestry(const Project& project, const SymbolIndex& index)
    : symbols_(index.all().size()) {
  for (std::uint32_t s = 0; s < symbols_; ++s) {
    const DeclarationFact& fact = index.declaration(s);
    const std::uint32_t file = index.all()[s].file;
    const FileFacts& facts = project.files[file].facts;
    for (std::uint32_t b = fact.bases_from; b < fact.bases_to; ++b) {
      const std::string_view base = facts.names[facts.declarations.bases[b]];
      const std::uint32_t inner = index.find(file, base);
      if (inner == kNone || index.declaration(inner).kind != DeclarationKind::class_)
        outer_.push_back({s, base});
      else
        derived_.emplace_back(inner, s);
    }
  }
  std::ranges::stable_sort(derived_, {}, &Edge::first);
}

std::vector<const Ancestry::OuterBase*> Ancestry::outer_bases(
    const std::function<bool(std::string_view)>& counts) const {
  std::vector<const OuterBase*> out(symbols_);
  std::vector<std::uint32_t> reached;
  const auto reach = [&](std::uint32_t symbol, const OuterBase* base) {
    if (out[symbol] != nullptr) return;
    out[symbol] = base;
    reached.push_back(symbol);
  };
  for (const OuterBase& base : outer_)
    if (counts(base.name)) reach(base.symbol, &base);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::uint32_t from = reached[i];
    auto at = std::ranges::lower_bound(derived_, from, {}, &Edge::first);
    for (; at != derived_.end() && at->first == from; ++at)
      reach(at->second, out[from]);
  }
  return out;
}

}  // namespace gh::analysis
