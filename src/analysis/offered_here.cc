#include "analysis/offered_here.h"

#include <algorithm>

#include "analysis/language_traits.h"

namespace gh::analysis {
namespace {

bool is_capital(std::string_view name) { return !name.empty() && name[0] >= 'A' && name[0] <= 'Z'; }

/// By what stands at the declaration itself.
bool says_so(const AnalysedFile& file, const DeclarationFact& fact) {
  const std::string_view name = file.facts.names[fact.name];
  switch (traits_of(file.language).offered) {
    case Offered::nowhere:
      return false;
    case Offered::by_word:
      return fact.is_offered;
    case Offered::with_its_class:
      return fact.parent == kNone ? fact.is_offered || is_listed(file.facts, fact.name)
                                  : !fact.is_hidden && !name.starts_with('#');
    case Offered::by_capital:
      return is_capital(name);
    case Offered::in_header:
      return is_header(file.path) && !fact.is_hidden;
  }
  return false;
}

/// Where members stand apart from their class, the class of that name is asked; one that is
/// declared in another file is taken to be offered.
bool is_offered_owner(const AnalysedFile& file, const DeclarationFact& owner) {
  if (owner.parent != kNone || owner.inside_function) return false;
  if (!owner.is_extension) return says_so(file, owner);
  const Offered how = traits_of(file.language).offered;
  if (how == Offered::in_header || owner.is_protocol) return false;
  if (how == Offered::by_capital) return says_so(file, owner);
  for (const DeclarationFact& fact : file.facts.declarations.all)
    if (fact.kind == DeclarationKind::class_ && !fact.is_extension &&
        fact.local_name == owner.local_name)
      return says_so(file, fact);
  return true;
}

}  // namespace

bool is_listed(const FileFacts& facts, NameId name) {
  return std::ranges::find(facts.exports.all, name) != facts.exports.all.end();
}

bool is_header(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot != std::string_view::npos && path.substr(dot).starts_with(".h");
}

bool is_offered_here(const AnalysedFile& file, std::uint32_t declaration) {
  const std::vector<DeclarationFact>& all = file.facts.declarations.all;
  const DeclarationFact& fact = all[declaration];
  if (fact.inside_function || fact.is_extension || is_test_file(file)) return false;
  if (fact.parent == kNone) return says_so(file, fact);
  const DeclarationFact& owner = all[fact.parent];
  if (fact.kind != DeclarationKind::method || !is_offered_owner(file, owner)) return false;
  const bool is_asked_for = owner.is_protocol && !owner.is_extension;  // for all to see
  return (is_asked_for && traits_of(file.language).offered == Offered::by_word) ||
         says_so(file, fact);
}

bool is_offered_here(const AnalysedFile& file, const ConstantFact& fact) {
  if (is_test_file(file)) return false;
  switch (traits_of(file.language).offered) {
    case Offered::nowhere:
      return false;
    case Offered::by_word:
      return fact.is_offered;
    case Offered::with_its_class:
      return fact.is_offered || is_listed(file.facts, fact.name);
    case Offered::by_capital:
      return is_capital(file.facts.names[fact.name]);
    case Offered::in_header:
      return is_header(file.path) && !fact.is_hidden;
  }
  return false;
}

}  // namespace gh::analysis
