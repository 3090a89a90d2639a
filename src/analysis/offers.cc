#include "analysis/offers.h"

#include <array>
#include <string_view>

#include "analysis/language_traits.h"
#include "analysis/offered_here.h"

namespace gh::analysis {
namespace {

using syntax::Language;

bool is_c_family(Language language) { return language == Language::c || language == Language::cpp; }

bool is_asking(const Declarations& declarations, const DeclarationFact& fact) {
  return fact.kind == DeclarationKind::method && fact.parent != kNone &&
         declarations.all[fact.parent].is_protocol;
}

/// Where a namespace is opened with `using`, its name is missing in front of a definition.
template <class F>
void each_ending(std::string_view local, bool is_method, F&& f) {
  f(local);
  for (std::size_t dot = local.find('.'); dot != std::string_view::npos;
       dot = local.find('.', dot + 1)) {
    const std::string_view rest = local.substr(dot + 1);
    if (!is_method || rest.find('.') != std::string_view::npos) f(rest);
  }
}

}  // namespace

Offers::Offers(const Project& project) : project_(project) {
  for (const AnalysedFile& file : project.files)
    if (!is_skipped(file.facts.status)) read(file);
}

void Offers::read(const AnalysedFile& file) {
  const FileFacts& facts = file.facts;
  for (const DeclarationFact& fact : facts.declarations.all) {
    const std::string_view local = facts.names[fact.local_name];
    const bool is_method = fact.kind == DeclarationKind::method;
    if (file.language != Language::python && is_asking(facts.declarations, fact))
      asked_for_.emplace(facts.names[fact.name]);
    if (!is_c_family(file.language) || fact.inside_function) continue;
    each_ending(local, is_method, [&](std::string_view ending) {
      if (is_header(file.path) && !fact.is_hidden) in_headers_.emplace(ending);
      if (fact.is_hook) virtual_.emplace(ending);
    });
  }
}

bool Offers::is_offered(std::uint32_t file, std::uint32_t declaration) const {
  const FileFacts& facts = project_.files[file].facts;
  const DeclarationFact& fact = facts.declarations.all[declaration];
  const std::string_view name = facts.names[fact.name];
  if (fact.inside_function) return false;
  switch (traits_of(project_.files[file].language).offered) {
    case Offered::nowhere:
      return false;
    case Offered::by_word:
      return fact.is_offered;
    case Offered::with_its_class:
      if (fact.parent == kNone || fact.is_offered)
        return fact.is_offered || is_listed(facts, fact.name);
      return !fact.is_hidden && !name.starts_with('#') && is_offered(file, fact.parent);
    case Offered::by_capital:
      return !name.empty() && name[0] >= 'A' && name[0] <= 'Z';
    case Offered::in_header:
      return !fact.is_hidden && in_headers_.contains(std::string(facts.names[fact.local_name]));
  }
  return false;
}

bool Offers::is_called_unseen(std::uint32_t file, std::uint32_t declaration) const {
  const AnalysedFile& at = project_.files[file];
  const DeclarationFact& fact = at.facts.declarations.all[declaration];
  if (fact.is_hook) return true;
  if (fact.kind != DeclarationKind::method) return false;
  const std::string_view name = at.facts.names[fact.name];
  const std::string_view owner = at.facts.names[at.facts.declarations.all[fact.parent].name];
  const bool is_constructor = traits_of(at.language).constructors_bear_class_name &&
                              name == owner.substr(owner.rfind('.') + 1);
  return is_constructor || (is_c_family(at.language) &&
                            virtual_.contains(std::string(at.facts.names[fact.local_name])));
}

bool Offers::is_asked_for(std::uint32_t file, std::uint32_t declaration) const {
  const AnalysedFile& at = project_.files[file];
  const DeclarationFact& fact = at.facts.declarations.all[declaration];
  return at.language != Language::python && fact.kind == DeclarationKind::method &&
         asked_for_.contains(std::string(at.facts.names[fact.name]));
}

}  // namespace gh::analysis
