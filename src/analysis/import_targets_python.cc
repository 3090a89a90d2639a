#include <algorithm>
#include <optional>
#include <string_view>

#include "analysis/import_targets.h"

namespace gh::analysis {
namespace {

constexpr std::string_view kSourceFolder = "src";  // whose packages are imported without it

std::string parent_of(const std::string& module) {
  const std::size_t dot = module.rfind('.');
  return dot == std::string::npos ? std::string() : module.substr(0, dot);
}

std::string joined(const std::string& a, const std::string& b) {
  return a.empty() ? b : b.empty() ? a : a + "." + b;
}

bool is_package(std::string_view path) {
  return path == "__init__.py" || path.ends_with("/__init__.py");
}

/// `from <dots><module>`: the package of the file, one component less for each further dot.
std::optional<std::string> base_of(const ImportFact& fact, const std::string& module,
                                   bool package) {
  if (fact.level == 0) return fact.module;
  std::string base = package ? module : parent_of(module);
  for (std::uint32_t i = 1; i < fact.level; ++i) {
    if (base.empty()) return std::nullopt;  // above the root
    base = parent_of(base);
  }
  return joined(base, fact.module);
}

/// Does it name a module, or a package that one of the names lies in?
bool is_module(const ModuleIndex& index, const std::string& base, const ImportFact& fact) {
  return index.has_module(base) || std::ranges::any_of(fact.names, [&](const std::string& name) {
           return index.has_module(joined(base, name));
         });
}

/// What is not found as it is written may be written from where the sources begin.
std::string from_sources(const ModuleIndex& index, const std::string& module,
                         const std::string& base, const ImportFact& fact) {
  if (fact.level != 0 || base.empty() || is_module(index, base, fact)) return base;
  for (const std::string& folder : source_folders(module))
    if (!index.has_module(folder))
      if (std::string below = joined(folder, base); is_module(index, below, fact)) return below;
  return base;
}

}  // namespace

std::vector<std::string> source_folders(const std::string& module) {
  std::vector<std::string> out;
  for (std::string folder = parent_of(module); !folder.empty(); folder = parent_of(folder))
    out.push_back(folder);
  if (std::ranges::find(out, kSourceFolder) == out.end()) out.emplace_back(kSourceFolder);
  return out;
}

std::set<std::string> python_targets(const ModuleIndex& index, const AnalysedFile& file,
                                     const ImportFact& fact) {
  std::set<std::string> out;
  const std::string module = module_of(file.path);
  auto base = base_of(fact, module, is_package(file.path));
  if (!base) return out;
  base = from_sources(index, module, *base, fact);
  const auto add = [&](std::string target) {
    if (index.has_module(target)) out.insert(std::move(target));
  };
  if (!fact.is_from) add(*base);
  for (const std::string& name : fact.names) {
    std::string inner = joined(*base, name);
    add(index.has_module(inner) ? std::move(inner) : *base);
  }
  return out;
}

}  // namespace gh::analysis
