// Where imports lead: from what a statement says to modules of the run, by the rules of its
// language.
#pragma once

#include <functional>
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
  std::function<bool(const std::string&)> knows{};  // asked in place of `modules`, where it is set

  bool has_module(const std::string& name) const {
    return knows ? knows(name) : modules.contains(name);
  }
};
ModuleIndex index_of(const Project&);

/// Where sources of Python may begin for a module: the folders above it, nearest first, and `src`;
/// dotted. Those that are packages themselves are none.
std::vector<std::string> source_folders(const std::string& module);

/// Modules of the run that one import statement needs, without those outside of it.
std::set<std::string> import_targets(const ModuleIndex&, const AnalysedFile&, const ImportFact&);

/// Files of Rust that only `#[cfg(test)] mod x;` brings in, and what they bring in themselves.
void mark_test_modules(Project&);
/// Does a file say of another that it is there to test?
bool names_test_modules(const FileFacts&);

// One function per language; import_targets chooses.
std::set<std::string> python_targets(const ModuleIndex&, const AnalysedFile&, const ImportFact&);
std::set<std::string> javascript_targets(const ModuleIndex&, const AnalysedFile&,
                                         const ImportFact&);
std::set<std::string> java_targets(const ModuleIndex&, const AnalysedFile&, const ImportFact&);
std::set<std::string> include_targets(const ModuleIndex&, const AnalysedFile&, const ImportFact&);
std::set<std::string> go_targets(const ModuleIndex&, const AnalysedFile&, const ImportFact&);
std::set<std::string> rust_targets(const ModuleIndex&, const AnalysedFile&, const ImportFact&);

}  // namespace gh::analysis
