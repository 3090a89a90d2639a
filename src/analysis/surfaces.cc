#include "analysis/surfaces.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "analysis/finding.h"
#include "analysis/metric_families.h"
#include "analysis/report_view.h"

namespace gh::analysis {
namespace {

// table: places of a surface
constexpr std::array<std::string_view, 3> kScopes{"module", "class", "callable"};

/// A unit may have a longer name than its declaration: overloads tell their number of parameters.
std::string_view scope_name(const AnalysedFile& file, const DeclarationFact& declaration) {
  const std::string_view name = file.facts.names[declaration.local_name];
  if (declaration.kind == DeclarationKind::class_) return name;
  for (const UnitFact& unit : file.facts.units)
    if (unit.start_line == declaration.start_line && unit.local_name.starts_with(name) &&
        (unit.local_name.size() == name.size() || unit.local_name[name.size()] == '/'))
      return unit.local_name;
  return name;
}

Surface surface_of(const AnalysedFile& file, const SurfaceRules& rules, const SurfaceFact& fact) {
  Surface out{.path = file.path,
              .start_line = fact.start_line,
              .end_line = fact.end_line,
              .module = module_of(file),
              .row = &rules.row(fact.row),
              .evidence_symbol = std::string(file.facts.names[fact.evidence])};
  if (fact.owner == kNone) {
    out.qualname = qualname_of(file, "");
    return out;
  }
  const DeclarationFact& owner = file.facts.declarations.all[fact.owner];
  out.qualname = qualname_of(file, scope_name(file, owner));
  out.scope = owner.kind == DeclarationKind::class_ ? SurfaceScope::class_ : SurfaceScope::callable;
  return out;
}

auto order_of(const Surface& s) {
  return std::tuple(s.path, s.start_line, s.end_line, std::string_view(s.qualname),
                    to_string(s.row->category), s.row->capability,
                    std::string_view(s.evidence_symbol), mode_name(s.row->evidence));
}

Map counted(const std::map<std::string_view, std::uint64_t>& counts) {
  Map out;
  for (const auto& [name, count] : counts)
    out.set(std::string(name), number(count));
  return out;
}

Map document_of(const Surface& s) {
  return Map{{"category", to_string(s.row->category)},
             {"capability", s.row->capability},
             {"module", s.module},
             {"relative_path", s.path},
             {"qualname", s.qualname},
             {"start_line", number(s.start_line)},
             {"end_line", number(s.end_line)},
             {"location_scope", to_string(s.scope)},
             {"classification_mode", mode_name(s.row->evidence)},
             {"evidence_kind", to_string(s.row->evidence)},
             {"evidence_symbol", s.evidence_symbol},
             {"source_kind", to_string(source_kind_of(s.path))}};
}

}  // namespace

std::string_view to_string(SurfaceScope scope) { return kScopes[static_cast<std::size_t>(scope)]; }

std::vector<Surface> surfaces_of(const Project& project) {
  std::vector<Surface> out;
  for (const AnalysedFile& file : project.files) {
    const SurfaceRules& rules = SurfaceRules::of(file.language);
    for (const SurfaceFact& fact : file.facts.surfaces)
      out.push_back(surface_of(file, rules, fact));
  }
  std::ranges::sort(out, {}, order_of);
  const auto is_double = [](const Surface& a, const Surface& b) {
    return order_of(a) == order_of(b);
  };
  out.erase(std::unique(out.begin(), out.end(), is_double), out.end());
  return out;
}

Map surface_summary(const List& items) {
  std::map<std::string_view, std::uint64_t> categories, kinds;
  std::set<std::string_view> modules;
  for (const Value& item : items) {
    ++categories[text_in(item, "category")];
    ++kinds[text_in(item, "source_kind")];
    modules.insert(text_in(item, "module"));
  }
  return Map{{"items", number(items.size())},       {"modules", number(modules.size())},
             {"exact_items", number(items.size())}, {"category_count", number(categories.size())},
             {"categories", counted(categories)},   {"by_source_kind", counted(kinds)}};
}

Map surface_family(const std::vector<Surface>& surfaces) {
  List items;
  for (const Surface& surface : surfaces)
    items.emplace_back(document_of(surface));
  Map summary = surface_summary(items);
  return family(std::move(summary), std::move(items));
}

std::map<std::string, std::vector<std::string>, std::less<>> surfaces_by_category(
    const std::vector<Surface>& surfaces) {
  std::map<std::string, std::vector<std::string>, std::less<>> out;
  for (const Surface& s : surfaces)
    out[std::string(to_string(s.row->category))].push_back(s.qualname + " " +
                                                           std::string(s.row->capability));
  for (auto& [category, names] : out)
    std::ranges::sort(names);
  return out;
}

}  // namespace gh::analysis
