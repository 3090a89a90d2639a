#include "analysis/import_targets.h"

#include <array>

namespace gh::analysis {
namespace {

using Resolver = std::set<std::string> (*)(const ModuleIndex&, const AnalysedFile&,
                                           const ImportFact&);
// table: import resolvers
constexpr std::array<Resolver, syntax::kLanguageCount> kResolvers{
    python_targets,      // python
    include_targets,     // c
    include_targets,     // cpp
    javascript_targets,  // javascript
    javascript_targets,  // typescript
    javascript_targets,  // tsx
    go_targets,          // go
    rust_targets,        // rust
    java_targets,        // java
};

}  // namespace

ModuleIndex index_of(const Project& project) {
  ModuleIndex out{.go_modules = project.go_modules};
  for (const AnalysedFile& file : project.files) {
    if (is_skipped(file.facts.status)) continue;
    out.modules.insert(module_of(file));
    out.paths.insert(file.path);
    out.paths_of_name[file.path.substr(file.path.rfind('/') + 1)].push_back(file.path);
    if (file.language == syntax::Language::cpp && !file.facts.package.empty())
      out.paths_of_module[file.facts.package].push_back(file.path);
    if (file.language == syntax::Language::go) out.go_folders.insert(module_of(file));
  }
  return out;
}

std::set<std::string> import_targets(const ModuleIndex& index, const AnalysedFile& file,
                                     const ImportFact& fact) {
  const Resolver resolver = kResolvers[static_cast<std::size_t>(file.language)];
  return resolver == nullptr ? std::set<std::string>() : resolver(index, file, fact);
}

}  // namespace gh::analysis
