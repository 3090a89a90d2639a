#include "analysis/inventory.h"

#include <algorithm>
#include <map>

#include "analysis/finding.h"

namespace gh::analysis {
namespace {

Value counted(const std::map<std::string_view, std::uint64_t>& counts) {
  Map out;
  for (const auto& [name, count] : counts)
    out.set(std::string(name), number(count));
  return out;
}

Value partial_file(const AnalysedFile& file) {
  const auto incomplete = static_cast<std::uint64_t>(
      std::ranges::count_if(file.facts.units, [](const UnitFact& u) { return u.incomplete; }));
  return Map{{"path", file.path},
             {"line", number(file.facts.error_line)},
             {"column", number(file.facts.error_column)},
             {"error_nodes", number(file.facts.error_nodes)},
             {"error_bytes", number(file.facts.error_bytes)},
             {"units_complete", number(file.facts.units.size() - incomplete)},
             {"units_incomplete", number(incomplete)}};
}

}  // namespace

Value inventory(const Project& project) {
  std::map<std::string_view, std::uint64_t> by_status, by_language;
  std::map<UnitKind, std::uint64_t> units;
  std::uint64_t lines = 0, classes = 0, statements = 0, skipped = 0;
  List partial, unread, paths;
  for (const AnalysedFile& file : project.files) {
    ++by_status[to_string(file.facts.status)];
    if (!is_folder(file)) ++by_language[to_string(file.language)];
    paths.emplace_back(file.path);
    if (is_skipped(file.facts.status)) {
      ++skipped;
      unread.emplace_back(Map{{"path", file.path}, {"status", to_string(file.facts.status)}});
      continue;
    }
    lines += file.facts.lines;
    statements += file.facts.statements;
    for (const ClassFact& fact : file.facts.classes)
      classes += fact.incomplete || fact.extension ? 0 : 1;
    for (const UnitFact& unit : file.facts.units)
      if (!unit.incomplete) ++units[unit.kind];
    if (file.facts.status == FileStatus::partial) partial.push_back(partial_file(file));
  }
  return Map{{"files", Map{{"total_found", number(project.files.size())},
                           {"analyzed_or_cached", number(project.files.size() - skipped)},
                           {"skipped", number(skipped)},
                           {"unread", std::move(unread)},
                           {"by_status", counted(by_status)},
                           {"partial", std::move(partial)}}},
             {"code", Map{{"parsed_lines", number(lines)},
                          {"functions", number(units[UnitKind::function])},
                          {"methods", number(units[UnitKind::method])},
                          {"nested_functions", number(units[UnitKind::nested])},
                          {"classes", number(classes)},
                          {"statements", number(statements)},
                          {"by_language", counted(by_language)}}},
             {"file_registry", Map{{"encoding", "relative_path"}, {"items", std::move(paths)}}}};
}

}  // namespace gh::analysis
