// Where imports lead: from what a statement says to modules of the run, by the rules of its
// language.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/project.h"

namespace gh::analysis {

/// Names of all modules of a run, and the paths of its files.
struct ModuleIndex {
  std::unordered_set<std::string> modules{}, paths{};
  std::unordered_map<std::string, std::vector<std::string>> paths_of_name{};    // by file name
  std::unordered_map<std::string, std::vector<std::string>> paths_of_module{};  // of C++
  std::set<std::string> go_folders{};                                           // dotted
  std::vector<GoModule> go_modules{};
};
ModuleIndex index_of(const Project&);

/// Modules of the run that one import statement needs, without those outside of it.
std::set<std::string> import_targets(const ModuleIndex&, const AnalysedFile&, const ImportFact&);

// One function per language; import_targets chooses.
std::set<std::string> python_targets(const ModuleIndex&, const AnalysedFile&, const ImportFact&);
std::set<std::string> javascript_targets(const ModuleIndex&, const AnalysedFile&,
                                         const ImportFact&);
std::set<std::string> java_targets(const ModuleIndex&, const AnalysedFile&, const ImportFact&);
std::set<std::string> include_targets(const ModuleIndex&, const AnalysedFile&, const ImportFact&);
std::set<std::string> go_targets(const ModuleIndex&, const AnalysedFile&, const ImportFact&);
std::set<std::string> rust_targets(const ModuleIndex&, const AnalysedFile&, const ImportFact&);

}  // namespace gh::analysis
