#include "analysis/adoption.h"

#include "analysis/api_surface.h"
#include "analysis/finding.h"
#include "analysis/language_traits.h"
#include "analysis/metric_families.h"
#include "analysis/ratio.h"

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

Map counts_document(const AdoptionCounts& c) {
  return Map{{"callable_count", number(c.callables)},
             {"params_total", number(c.params)},
             {"params_annotated", number(c.params_annotated)},
             {"param_permille", number(permille(c.params_annotated, c.params))},
             {"returns_total", number(c.callables)},
             {"returns_annotated", number(c.returns_annotated)},
             {"return_permille", number(permille(c.returns_annotated, c.callables))},
             {"any_annotation_count", number(c.any_annotations)},
             {"public_symbol_total", number(c.public_symbols)},
             {"public_symbol_documented", number(c.public_documented)},
             {"docstring_permille", number(permille(c.public_documented, c.public_symbols))}};
}

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

Adoption adoption_of(const Project& project) {
  Adoption out;
  for (const AnalysedFile& file : project.files) {
    if (is_skipped(file.facts.status)) continue;
    out.modules.push_back({module_of(file), file.path, counts_of(file)});
    out.total += out.modules.back().counts;
  }
  return out;
}

Map adoption_family(const Adoption& adoption) {
  List items;
  for (const ModuleAdoption& module : adoption.modules) {
    Map item = counts_document(module.counts);
    item.set("module", module.module);
    item.set("relative_path", module.path);
    items.emplace_back(std::move(item));
  }
  Map summary = counts_document(adoption.total);
  summary.set("modules", number(adoption.modules.size()));
  return family(std::move(summary), std::move(items));
}

}  // namespace gh::analysis
