// A catalogue of triggers that a change brought, held against a diff of its own.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "release/triggers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto catalogue = gh::release::TriggerCatalogue::read(text, "triggers.json");
  gh::release::TriggerFacts facts{.changed_files = {"shipgate.yaml", "docs/a.md"},
                                  .diff = std::string(text)};
  if (catalogue) (void)document_of(catalogue->evaluate(facts));
  (void)document_of(gh::release::TriggerCatalogue::built_in().evaluate(facts));
  return 0;
}
