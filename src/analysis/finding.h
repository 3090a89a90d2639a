// A finding as every family tells it: places, severity, effort, and the document of a group
// (analysis reference, "Findings").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/project.h"
#include "model/value.h"

namespace gh::analysis {

enum class Severity : std::uint8_t { info = 1, warning = 2, critical = 3 };
enum class Effort : std::uint8_t { easy = 1, moderate = 2, hard = 3 };
std::string_view to_string(Severity);
/// What is worse and easier to mend comes first.
Decimal priority(Severity, Effort);

inline constexpr std::size_t kCriticalCount = 4;  // members of a clone group

inline Value number(std::uint64_t n) { return Value(static_cast<std::int64_t>(n)); }

/// One place in the sources, of a unit, a class or a module.
struct Place {
  std::string qualname;
  std::string_view path;
  std::uint32_t start_line = 0, end_line = 0;

  Map document() const;
};
Place place_of(const Project&, UnitRef);

struct Group {
  std::string id;
  std::string_view family, category, kind;
  Severity severity = Severity::warning;
  Effort effort = Effort::moderate;
  std::string_view confidence = "high";
  std::vector<Place> places{};
  Map facts{};
};

Map group_document(const Group&);
/// `runtime`, `non_runtime` or `mixed`, by how many of so many places are production code.
std::string_view impact_scope(std::uint64_t production, std::uint64_t places);
/// Clones and structural findings: by count, then id.
void sort_by_count(std::vector<Group>&);
/// Dead code and design: by priority, then id; those of one id by where they stand.
void sort_by_priority(std::vector<Group>&);

}  // namespace gh::analysis
