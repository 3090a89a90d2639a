#include <optional>
#include <string_view>

#include "analysis/import_targets.h"

namespace gh::analysis {
namespace {

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

}  // namespace

std::set<std::string> python_targets(const ModuleIndex& index, const AnalysedFile& file,
                                     const ImportFact& fact) {
  std::set<std::string> out;
  const auto base = base_of(fact, module_of(file.path), is_package(file.path));
  if (!base) return out;
  const auto add = [&](std::string target) {
    if (index.modules.contains(target)) out.insert(std::move(target));
  };
  if (!fact.is_from) add(*base);
  for (const std::string& name : fact.names) {
    std::string inner = joined(*base, name);
    add(index.modules.contains(inner) ? std::move(inner) : *base);
  }
  return out;
}

}  // namespace gh::analysis
