// Projects made from texts, for tests.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analysis/extract.h"
#include "analysis/project.h"

namespace gh::analysis {

using Files = std::vector<std::pair<std::string, std::string>>;
using Texts = std::vector<std::string>;

inline AnalysedFile file_of(const std::string& path, const std::string& source) {
  return {path, syntax::Language::python, Extractor().facts_of(syntax::Language::python, source)};
}

inline Project project_of(Files files, Profile profile) {
  std::ranges::sort(files);
  Project out{.files = {}, .profile = profile};
  for (const auto& [path, source] : files)
    out.files.push_back(file_of(path, source));
  return out;
}

/// Every threshold that can be lowered is.
inline constexpr Profile kLow{.min_loc = 1,
                              .min_stmt = 1,
                              .block_min_loc = 1,
                              .block_min_stmt = 1,
                              .segment_min_loc = 1,
                              .segment_min_stmt = 1};

/// The line so many times, with its number for every '#'.
inline std::string lines(int count, const char* format) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    std::string line(format);
    for (std::size_t at = line.find('#'); at != std::string::npos; at = line.find('#'))
      line.replace(at, 1, std::to_string(i));
    out += "    " + line + "\n";
  }
  return out;
}

inline std::string span_of(std::uint32_t start, std::uint32_t end) {
  return std::to_string(start) + "-" + std::to_string(end);
}

/// "f 2-6"
template <class Items>
Texts spans(const Project& project, const Items& items) {
  Texts out;
  for (const auto& item : items)
    out.push_back(unit_of(project, item.ref).local_name + " " +
                  span_of(item.start_line, item.end_line));
  return out;
}

inline Texts names(const Project& project, const std::vector<UnitRef>& items) {
  Texts out;
  for (const UnitRef ref : items)
    out.push_back(unit_of(project, ref).local_name);
  return out;
}

/// A unit of one statement so many times, made without reading so much text.
inline UnitFact repeated(std::uint32_t count) {
  UnitFact unit = file_of("m.py", "def f(p):\n    g(p)\n").facts.units.at(0);
  const StatementFact statement = unit.statements.at(0);
  const Hash hash = unit.flow.at(0);
  unit.statements.assign(count, statement);
  unit.flow.assign(count, hash);
  for (std::uint32_t i = 0; i < count; ++i) {
    unit.statements[i].place = i;
    unit.statements[i].start_line = unit.statements[i].end_line = i + 2;
  }
  unit.end_line = count + 1;
  return unit;
}

/// A unit with so many different calls, `lines(statements, "s#(p)")`, so many times. With `own`,
/// each has one statement of its own: the last, or at another place in each.
enum class Own : std::uint8_t { none, last, anywhere };
inline Project many(std::uint32_t count, int statements, Own own, Profile profile = {}) {
  const UnitFact model =
      file_of("m.py", "def f(p):\n" + lines(statements, "s#(p)")).facts.units.at(0);
  Project out{.files = {{.path = "m.py"}}, .profile = profile};
  std::vector<UnitFact>& units = out.files[0].facts.units;
  for (std::uint32_t i = 0; i < count; ++i) {
    units.push_back(model);
    units.back().local_name += std::to_string(i);
    if (own == Own::none) continue;
    const std::size_t at =
        own == Own::last ? model.flow.size() - 1 : std::size_t{i} * 7 % model.flow.size();
    const Hash hash{1, i};
    units.back().statements[at].hash = units.back().flow[at] = units.back().fingerprint = hash;
  }
  return out;
}

}  // namespace gh::analysis
