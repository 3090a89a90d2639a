#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "analysis/import_targets.h"

namespace gh::analysis {
namespace {

// In this order, what is written without extension is looked for.
// table: javascript extensions
constexpr std::array<std::string_view, 9> kExtensions{".ts", ".tsx", ".d.ts", ".mts", ".cts",
                                                      ".js", ".jsx", ".mjs",  ".cjs"};

struct Written {
  std::string_view written, source;
};
// What is compiled is imported by the name of what comes out.
// table: javascript names of sources
constexpr std::array<Written, 5> kSources{
    {{".js", ".ts"}, {".js", ".tsx"}, {".jsx", ".tsx"}, {".mjs", ".mts"}, {".cjs", ".cts"}}};

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

/// A path below the root; nothing for one that leaves it.
std::optional<std::string> joined(const std::string& folder, std::string_view relative) {
  std::string out = folder;
  while (!relative.empty()) {
    const std::size_t slash = relative.find('/');
    const std::string_view part = relative.substr(0, slash);
    relative.remove_prefix(slash == std::string_view::npos ? relative.size() : slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (out.empty()) return std::nullopt;
      out = folder_of(out);
      continue;
    }
    out.append(out.empty() ? "" : "/").append(part);
  }
  return out;
}

bool is_relative(std::string_view module) {
  return module == "." || module == ".." || module.starts_with("./") || module.starts_with("../");
}

std::optional<std::string> with_extension(const ModuleIndex& index, const std::string& path) {
  for (const std::string_view extension : kExtensions)
    if (std::string found = path + std::string(extension); index.paths.contains(found))
      return found;
  return std::nullopt;
}

/// The file as written, its source, with an extension, or the index of a folder; the first.
std::optional<std::string> file_of(const ModuleIndex& index, const std::string& path) {
  if (index.paths.contains(path)) return path;
  for (const Written& w : kSources)
    if (path.ends_with(w.written))
      if (std::string found =
              path.substr(0, path.size() - w.written.size()) + std::string(w.source);
          index.paths.contains(found))
        return found;
  if (auto found = with_extension(index, path)) return found;
  return with_extension(index, path.empty() ? "index" : path + "/index");
}

/// `a.b.C` is the file that ends so: the shortest path, where there are several.
std::optional<std::string> class_file(const ModuleIndex& index, std::string dotted) {
  std::ranges::replace(dotted, '.', '/');
  dotted += ".java";
  const auto named = index.paths_of_name.find(dotted.substr(dotted.rfind('/') + 1));
  if (named == index.paths_of_name.end()) return std::nullopt;
  std::optional<std::string> best;
  for (const std::string& path : named->second) {
    const bool fits = path == dotted || path.ends_with("/" + dotted);
    if (fits &&
        (!best || path.size() < best->size() || (path.size() == best->size() && path < *best)))
      best = path;
  }
  return best;
}

}  // namespace

std::set<std::string> javascript_targets(const ModuleIndex& index, const AnalysedFile& file,
                                         const ImportFact& fact) {
  if (!is_relative(fact.module)) return {};
  const auto path = joined(folder_of(file.path), fact.module);
  const auto found = path ? file_of(index, *path) : std::nullopt;
  if (!found) return {};
  std::string module = module_of(*found);
  // `index.js` and `index.mjs` are one module, which does not need itself.
  if (*found != file.path && module == module_of(file.path)) return {};
  return {std::move(module)};
}

/// A class of a package, or a member of a class: `import a.b.C`, `import static a.b.C.m`.
std::set<std::string> java_targets(const ModuleIndex& index, const AnalysedFile& file,
                                   const ImportFact& fact) {
  std::set<std::string> out;
  for (const std::string& name : fact.names) {
    auto found =
        name == "*" ? class_file(index, fact.module) : class_file(index, fact.module + "." + name);
    if (!found && name != "*" && fact.names.size() == 1) found = class_file(index, fact.module);
    if (found && *found != file.path)  // its own members are no need
      out.insert(module_of(AnalysedFile{.path = *found, .language = file.language}));
  }
  return out;
}

}  // namespace gh::analysis
