#include "analysis/adoption.h"

#include <array>

#include "analysis/adoption_of_file.h"
#include "analysis/api_surface.h"
#include "analysis/finding.h"
#include "analysis/language_traits.h"
#include "analysis/metric_families.h"
#include "analysis/ratio.h"
#include "analysis/report_digest.h"

namespace gh::analysis {
namespace {

void count_types(const FileFacts& facts, const DeclarationFact& fact, AdoptionCounts& out) {
  ++out.callables;
  out.returns_annotated += fact.returns != 0 ? 1 : 0;
  out.any_annotations += fact.returns_any ? 1 : 0;
  for (std::uint32_t p = fact.params_from; p < fact.params_to; ++p) {
    const ParamFact& param = facts.declarations.params[p];
    if (param.is_receiver) continue;
    ++out.params;
    out.params_annotated += param.annotation != 0 ? 1 : 0;
    out.any_annotations += param.has_any ? 1 : 0;
  }
}

AdoptionCounts counts_of(const AnalysedFile& file) {
  AdoptionCounts out;
  const std::vector<DeclarationFact>& all = file.facts.declarations.all;
  for (const DeclarationFact& fact : all)
    if (!fact.incomplete && !fact.is_declared_only && fact.kind != DeclarationKind::class_ &&
        traits_of(file.language).has_optional_types)
      count_types(file.facts, fact, out);
  for (const std::uint32_t i : public_declarations(file, exported_declarations(file))) {
    out.public_symbols += all[i].incomplete ? 0 : 1;
    out.public_documented += !all[i].incomplete && all[i].is_documented ? 1 : 0;
  }
  return out;
}

// clang-format off
// table: members of a module's adoption
constexpr std::array kColumns = std::to_array<Column<ModuleAdoption>>({
    {"any_annotation_count",     [](const ModuleAdoption& m) { return Cell(m.counts.any_annotations); }},
    {"callable_count",           [](const ModuleAdoption& m) { return Cell(m.counts.callables); }},
    {"docstring_permille",       [](const ModuleAdoption& m) { return Cell(permille(m.counts.public_documented, m.counts.public_symbols)); }},
    {"module",                   [](const ModuleAdoption& m) { return Cell(std::string_view(m.module)); }},
    {"param_permille",           [](const ModuleAdoption& m) { return Cell(permille(m.counts.params_annotated, m.counts.params)); }},
    {"params_annotated",         [](const ModuleAdoption& m) { return Cell(m.counts.params_annotated); }},
    {"params_total",             [](const ModuleAdoption& m) { return Cell(m.counts.params); }},
    {"public_symbol_documented", [](const ModuleAdoption& m) { return Cell(m.counts.public_documented); }},
    {"public_symbol_total",      [](const ModuleAdoption& m) { return Cell(m.counts.public_symbols); }},
    {"relative_path",            [](const ModuleAdoption& m) { return Cell(std::string_view(m.path)); }},
    {"return_permille",          [](const ModuleAdoption& m) { return Cell(permille(m.counts.returns_annotated, m.counts.callables)); }},
    {"returns_annotated",        [](const ModuleAdoption& m) { return Cell(m.counts.returns_annotated); }},
    {"returns_total",            [](const ModuleAdoption& m) { return Cell(m.counts.callables); }},
});
// clang-format on

}  // namespace

AdoptionCounts& AdoptionCounts::operator+=(const AdoptionCounts& o) {
  callables += o.callables;
  params += o.params;
  params_annotated += o.params_annotated;
  returns_annotated += o.returns_annotated;
  any_annotations += o.any_annotations;
  public_symbols += o.public_symbols;
  public_documented += o.public_documented;
  return *this;
}

std::uint64_t permille(std::uint64_t part, std::uint64_t whole) {
  return static_cast<std::uint64_t>(ratio(1000 * part, whole, 0).ten_thousandths / 10'000);
}

ModuleAdoption adoption_of(const AnalysedFile& file) {
  return {module_of(file), file.path, counts_of(file)};
}

std::string adoption_digest(const ModuleAdoption& module) {
  ItemsDigest items;
  append_item(adoption_columns(), module, items.text());
  items.end_item();
  return items.finish();
}

Adoption adoption_of(const Project& project) {
  Adoption out;
  for (const AnalysedFile& file : project.files) {
    if (is_skipped(file.facts.status)) continue;
    out.modules.push_back(adoption_of(file));
    out.total += out.modules.back().counts;
  }
  return out;
}

std::span<const Column<ModuleAdoption>> adoption_columns() { return kColumns; }

/// All modules together are told as one of them is, without a name.
Map adoption_family(const Adoption& adoption) {
  Map summary = item_of(adoption_columns(), {"", "", adoption.total});
  summary.erase("module");
  summary.erase("relative_path");
  summary.set("modules", number(adoption.modules.size()));
  return family(std::move(summary), {});
}

}  // namespace gh::analysis
