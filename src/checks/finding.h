#pragma once
// One thing that a check found (tool-surface 9.1), before the release half looks at it.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surface/tool.h"
#include "surface/words.h"

namespace gh::checks {

using surface::Confidence;
using surface::FindingSeverity;

enum class Provenance : std::uint8_t {
  static_declaration,
  ast_extraction,
  keyword_heuristic,
  regex_heuristic,
  policy_pack
};
std::string_view to_string(Provenance);
inline constexpr std::size_t kProvenanceCount = 5;

struct FindingSource {
  std::string type, ref{}, location{};
  surface::Place place{};
};
/// type, ref and location always; of the place what is known.
Map document_of(const FindingSource&);
/// Every member, unknown ones as null: what the id of a finding is made of.
Map full_document_of(const FindingSource&);

/// Texts that are unknown are empty.
struct Finding {
  std::string check_id, title;
  FindingSeverity severity = FindingSeverity::info;
  std::string category;
  std::string tool_id{}, tool_name{}, agent_id{};
  Map evidence{};
  Confidence confidence = Confidence::medium;
  Provenance provenance = Provenance::static_declaration;
  std::optional<FindingSource> source{}, policy_source{};
  std::string recommendation{};
  bool blocks_release = false;
};

/// Provenance of a tool.
FindingSource source_of(const surface::Tool&);

}  // namespace gh::checks
