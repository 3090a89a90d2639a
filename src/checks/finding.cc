#include "checks/finding.h"

#include <array>

namespace gh::checks {
namespace {

// table: provenance kinds
constexpr std::array<std::string_view, kProvenanceCount> kProvenances{
    "static_declaration", "ast_extraction", "keyword_heuristic", "regex_heuristic", "policy_pack"};

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }
Value line_or_null(std::int64_t line) { return line == 0 ? Value() : Value(line); }

}  // namespace

std::string_view to_string(Provenance p) { return kProvenances[static_cast<std::size_t>(p)]; }

Map full_document_of(const FindingSource& s) {
  return {{"type", s.type},
          {"ref", text_or_null(s.ref)},
          {"location", text_or_null(s.location)},
          {"path", text_or_null(s.place.path)},
          {"start_line", line_or_null(s.place.start_line)},
          {"end_line", line_or_null(s.place.end_line)},
          {"start_column", line_or_null(s.place.start_column)},
          {"pointer", s.place.pointer ? Value(*s.place.pointer) : Value()}};
}

Map document_of(const FindingSource& s) {
  const Map full = full_document_of(s);
  Map out;
  for (const auto& [key, value] : full.entries())
    if (!value.is_null() || key == "ref" || key == "location") out.set(key, value);
  return out;
}

FindingSource source_of(const surface::Tool& tool) {
  return {tool.source_type, tool.source_ref, tool.source_location, tool.place};
}

}  // namespace gh::checks
