#include "analysis/surface_rows.h"

namespace gh::analysis {
namespace {

using syntax::Language;

// table: surface categories
constexpr std::array<std::string_view, 10> kCategories{
    "process_boundary",   "dynamic_execution",  "dynamic_loading",  "deserialization",
    "network_boundary",   "database_boundary",  "crypto_transport", "identity_token",
    "archive_extraction", "filesystem_mutation"};
// table: kinds of evidence
constexpr std::array<std::string_view, 3> kEvidence{"import", "builtin", "call"};
// table: modes of classification
constexpr std::array<std::string_view, 3> kModes{"exact_import", "exact_builtin", "exact_call"};

}  // namespace

std::string_view to_string(SurfaceCategory category) {
  return kCategories[static_cast<std::size_t>(category)];
}
std::string_view to_string(Evidence evidence) {
  return kEvidence[static_cast<std::size_t>(evidence)];
}
std::string_view mode_name(Evidence evidence) { return kModes[static_cast<std::size_t>(evidence)]; }

std::string_view last_word_of(std::string_view name) {
  const std::size_t at = name.find_last_of(".:/");
  return at == std::string_view::npos ? name : name.substr(at + 1);
}

SurfaceRules::SurfaceRules(std::initializer_list<std::span<const SurfaceRow>> tables,
                           std::string_view separator)
    : separator_(separator) {
  for (const std::span<const SurfaceRow> table : tables)
    for (const SurfaceRow& row : table) {
      const auto i = static_cast<std::uint32_t>(rows_.size());
      rows_.push_back(&row);
      (row.evidence == Evidence::imported ? imports_ : calls_).emplace(row.name, i);
      if (row.evidence == Evidence::imported) continue;
      const std::string_view word = last_word_of(row.name);
      words_.insert(word);
      lengths_[static_cast<unsigned char>(word[0])] |= std::uint64_t{1} << length_bit(word);
    }
}

std::uint32_t SurfaceRules::imported(std::string_view module) const {
  while (!module.empty()) {
    if (const std::uint32_t row = find(imports_, module); row != kNoRow) return row;
    const std::size_t at = module.rfind(separator_);
    module = module.substr(0, at == std::string_view::npos ? 0 : at);
  }
  return kNoRow;
}

// Each is made when a file of the language is first met.
const SurfaceRules& SurfaceRules::of(Language language) {
  switch (language) {
    case Language::python: {
      static const SurfaceRules rules({python_surfaces()}, ".");
      return rules;
    }
    case Language::c: {
      static const SurfaceRules rules({c_family_surfaces(), c_surfaces()}, "/");
      return rules;
    }
    case Language::cpp: {
      static const SurfaceRules rules({c_family_surfaces(), cpp_surfaces()}, "/");
      return rules;
    }
    case Language::go: {
      static const SurfaceRules rules({go_surfaces()}, "/");
      return rules;
    }
    case Language::rust: {
      static const SurfaceRules rules({rust_surfaces()}, "::");
      return rules;
    }
    case Language::java: {
      static const SurfaceRules rules({java_surfaces()}, ".");
      return rules;
    }
    default: {
      static const SurfaceRules rules({javascript_surfaces()}, "/");
      return rules;
    }
  }
}

}  // namespace gh::analysis
