// For tests of security surfaces: a row as the page has it, and what of it a snippet comes to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/extract.h"
#include "analysis/surfaces.h"

namespace gh::analysis {

struct SurfaceCase {
  std::string_view category, kind, name, capability;
};

inline Project one_file(syntax::Language language, const std::string& path,
                        const std::string& source) {
  Project out;
  out.files.push_back({path, language, Extractor().facts_of(language, source)});
  return out;
}

/// "process_boundary subprocess_run call subprocess.run m:f 3-3"
inline std::string line_of(const Surface& s) {
  return std::string(to_string(s.row->category)) + " " + std::string(s.row->capability) + " " +
         std::string(to_string(s.row->evidence)) + " " + s.evidence_symbol + " " + s.qualname +
         " " + std::to_string(s.start_line) + "-" + std::to_string(s.end_line);
}

/// "subprocess_run@m:f"
inline std::vector<std::string> reached(syntax::Language language, const std::string& path,
                                        const std::string& source) {
  std::vector<std::string> out;
  const Project project = one_file(language, path, source);
  for (const Surface& s : surfaces_of(project))
    out.push_back(std::string(s.row->capability) + "@" + s.qualname);
  return out;
}

}  // namespace gh::analysis
