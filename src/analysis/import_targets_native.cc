// Includes of C and C++, packages of Go, modules of Rust.
#include <algorithm>
#include <optional>
#include <string_view>

#include "analysis/import_targets.h"
#include "base/text.h"

namespace gh::analysis {
namespace {

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash));
}

std::string joined(const std::string& folder, std::string_view rest) {
  if (folder.empty()) return std::string(rest);
  return rest.empty() ? folder : folder + "/" + std::string(rest);
}

/// Without `.` and `..`; none when it leads above the root.
std::optional<std::string> resolved(const std::string& path) {
  std::vector<std::string_view> parts;
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
      continue;
    }
    if (parts.empty()) return std::nullopt;
    parts.pop_back();
  }
  std::string out;
  for (const std::string_view part : parts)
    out = joined(out, part);
  return out;
}

std::string dotted(std::string_view path) {
  std::string out(path);
  for (char& c : out)
    if (c == '/') c = '.';
  return out;
}

/// The only file whose path ends with these parts; none when there are several.
std::optional<std::string> by_suffix(const ModuleIndex& index, std::string_view path) {
  while (path.starts_with("../") || path.starts_with("./"))
    path.remove_prefix(path.find('/') + 1);
  const auto same_name = index.paths_of_name.find(std::string(path.substr(path.rfind('/') + 1)));
  if (same_name == index.paths_of_name.end()) return std::nullopt;
  std::optional<std::string> out;
  for (const std::string& candidate : same_name->second) {
    if (candidate != path && !candidate.ends_with("/" + std::string(path))) continue;
    if (out) return std::nullopt;
    out = candidate;
  }
  return out;
}

}  // namespace

std::set<std::string> include_targets(const ModuleIndex& index, const AnalysedFile& file,
                                      const ImportFact& fact) {
  if ((fact.level & syntax::flag::external) != 0) return {};
  if ((fact.level & syntax::flag::submodule) != 0) {  // a module, by the name that a file gives it
    const auto named = index.paths_of_module.find(fact.module);
    if (named == index.paths_of_module.end() || named->second.size() != 1) return {};
    return {named->second.front()};
  }
  const auto beside = resolved(joined(folder_of(file.path), fact.module));
  if (beside && index.paths.contains(*beside)) return {*beside};
  const auto found = by_suffix(index, fact.module);
  return found ? std::set<std::string>{*found} : std::set<std::string>();
}

// -------------------------------------------------------------------------------------------- Go

namespace {

/// The folder that an import path means inside the module that it names first.
std::optional<std::string> go_folder(const ModuleIndex& index, const std::string& path) {
  const GoModule* best = nullptr;
  for (const GoModule& module : index.go_modules) {
    const bool fits = path == module.path || path.starts_with(module.path + "/");
    if (fits && (best == nullptr || module.path.size() > best->path.size())) best = &module;
  }
  if (best == nullptr) return std::nullopt;
  const bool is_root = path.size() == best->path.size();
  return joined(best->folder, is_root ? "" : std::string_view(path).substr(best->path.size() + 1));
}

/// Without a go.mod the folder that ends with the whole path, when there is only one.
std::optional<std::string> go_folder_by_suffix(const ModuleIndex& index, const std::string& path) {
  const std::string wanted = dotted(path);
  if (index.go_folders.contains(wanted)) return wanted;
  std::optional<std::string> out;
  for (const std::string& folder : index.go_folders) {
    if (!folder.ends_with("." + wanted)) continue;
    if (out) return std::nullopt;
    out = folder;
  }
  return out;
}

}  // namespace

std::set<std::string> go_targets(const ModuleIndex& index, const AnalysedFile& file,
                                 const ImportFact& fact) {
  std::optional<std::string> found;
  if (fact.module.starts_with("./") || fact.module.starts_with("../")) {
    if (const auto folder = resolved(joined(folder_of(file.path), fact.module)))
      found = dotted(*folder);
  } else if (!index.go_modules.empty()) {
    if (const auto folder = go_folder(index, fact.module)) found = dotted(*folder);
  } else {
    found = go_folder_by_suffix(index, fact.module);
  }
  if (!found) return {};
  if (found->empty()) found = ".";
  // Tests of a package may import it from its own folder.
  if (!index.go_folders.contains(*found) || *found == module_of(file)) return {};
  return {*found};
}

// ------------------------------------------------------------------------------------------ Rust

namespace {

bool is_root_file(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name == "mod.rs" || name == "lib.rs" || name == "main.rs";
}

/// The folder in which the modules below this file lie.
std::string folder_below(std::string_view path) {
  return is_root_file(path) ? folder_of(path) : std::string(path.substr(0, path.rfind('.')));
}

/// Of the crate that a file belongs to: its `src`, else its own folder.
std::string crate_folder(std::string_view path) {
  const std::string from_root = "/" + std::string(path);
  const std::size_t at = from_root.rfind("/src/");
  return at == std::string::npos ? folder_of(path) : std::string(path.substr(0, at + 3));
}

std::optional<std::string> first_of(const ModuleIndex& index,
                                    std::initializer_list<std::string> paths) {
  for (const std::string& path : paths)
    if (index.paths.contains(path)) return path;
  return std::nullopt;
}

std::optional<std::string> file_of_module(const ModuleIndex& index, const std::string& folder) {
  return first_of(index, {folder + ".rs", folder + "/mod.rs"});
}

std::optional<std::string> root_of_folder(const ModuleIndex& index, const std::string& folder) {
  return first_of(index, {joined(folder, "lib.rs"), joined(folder, "main.rs"),
                          joined(folder, "mod.rs"), folder + ".rs"});
}

/// The file that holds what `names` leads to from `folder`, as deep as there are files.
std::optional<std::string> descend(const ModuleIndex& index, std::string folder,
                                   std::span<const std::string_view> names,
                                   std::optional<std::string> found) {
  for (const std::string_view name : names) {
    folder = joined(folder, name);
    const auto next = file_of_module(index, folder);
    if (!next) break;
    found = next;
  }
  return found;
}

/// `other::…`: a crate of the same run, by the name of its folder.
std::optional<std::string> other_crate(const ModuleIndex& index, std::string_view name) {
  const auto roots = index.paths_of_name.find("lib.rs");
  if (roots == index.paths_of_name.end()) return std::nullopt;
  std::optional<std::string> out;
  for (const std::string& root : roots->second) {
    if (!root.ends_with("/src/lib.rs")) continue;
    std::string crate = root.substr(0, root.size() - std::string_view("/src/lib.rs").size());
    crate = crate.substr(crate.rfind('/') + 1);
    for (char& c : crate)
      if (c == '-') c = '_';
    if (crate != name) continue;
    if (out) return std::nullopt;
    out = root;
  }
  return out;
}

std::optional<std::string> rust_file(const ModuleIndex& index, const std::string& path,
                                     const std::vector<std::string_view>& names) {
  std::string folder = folder_below(path);
  std::size_t used = 0;
  if (names.empty()) return std::nullopt;
  if (names[0] == "crate") {
    folder = crate_folder(path);
    used = 1;
  } else if (names[0] == "self" || names[0] == "super") {
    while (used < names.size() && (names[used] == "self" || names[used] == "super"))
      if (names[used++] == "super") folder = folder_of(folder);
  } else if (!file_of_module(index, joined(folder, names[0]))) {
    const auto root = other_crate(index, names[0]);
    if (!root) return std::nullopt;
    folder = folder_of(*root);
    used = 1;
  }
  const auto start = used == 0 ? std::nullopt : root_of_folder(index, folder);
  return descend(index, folder, std::span(names).subspan(used), start);
}

/// `mod x;`: the file beside, or the one that an attribute names.
std::optional<std::string> submodule_file(const ModuleIndex& index, const std::string& path,
                                          const ImportFact& fact) {
  if (fact.module.ends_with(".rs")) {
    const auto named = resolved(joined(folder_of(path), fact.module));
    return named && index.paths.contains(*named) ? named : std::nullopt;
  }
  std::string folder = folder_below(path);
  for (const std::string_view part : split(fact.module, ':'))
    if (!part.empty()) folder = joined(folder, part);
  return file_of_module(index, folder);
}

bool is_submodule(const ImportFact& fact) {
  return !fact.is_from && (fact.level & syntax::flag::submodule) != 0;
}

bool is_test_submodule(const ImportFact& fact) {
  return is_submodule(fact) && (fact.level & syntax::flag::for_tests) != 0;
}

}  // namespace

bool names_test_modules(const FileFacts& facts) {
  return std::ranges::any_of(facts.imports, is_test_submodule);
}

void mark_test_modules(Project& project) {
  const bool has_some = std::ranges::any_of(project.files, [](const AnalysedFile& file) {
    return file.language == syntax::Language::rust && names_test_modules(file.facts);
  });
  if (!has_some) return;
  const ModuleIndex index = index_of(project);
  std::unordered_map<std::string_view, AnalysedFile*> files;
  for (AnalysedFile& file : project.files)
    if (file.language == syntax::Language::rust) files.emplace(file.path, &file);
  const auto each_submodule = [&](const AnalysedFile& file, bool all, auto&& f) {
    for (const ImportFact& fact : file.facts.imports)
      if (is_submodule(fact) && (all || is_test_submodule(fact)))
        if (const auto path = submodule_file(index, file.path, fact)) f(*files.at(*path), fact);
  };
  std::set<std::string_view> kept;  // what is brought in for more than tests
  std::vector<AnalysedFile*> open;
  for (const auto& [path, file] : files)
    each_submodule(*file, true, [&](AnalysedFile& inner, const ImportFact& fact) {
      if (!is_test_submodule(fact)) kept.insert(inner.path);
    });
  for (const auto& [path, file] : files)
    each_submodule(*file, false, [&](AnalysedFile& inner, const ImportFact&) {
      if (!kept.contains(inner.path)) open.push_back(&inner);
    });
  while (!open.empty()) {
    AnalysedFile& file = *open.back();
    open.pop_back();
    if (file.is_test_module) continue;
    file.is_test_module = true;
    each_submodule(file, true,
                   [&](AnalysedFile& inner, const ImportFact&) { open.push_back(&inner); });
  }
}

std::set<std::string> rust_targets(const ModuleIndex& index, const AnalysedFile& file,
                                   const ImportFact& fact) {
  std::set<std::string> out;
  const auto add = [&](const std::optional<std::string>& path) {
    if (path && *path != file.path)
      out.insert(module_of(AnalysedFile{.path = *path, .language = syntax::Language::rust}));
  };
  if (!fact.is_from) {
    if (is_submodule(fact)) add(submodule_file(index, file.path, fact));
    return out;
  }
  for (const std::string& name : fact.names) {
    std::vector<std::string_view> names;
    for (const std::string_view part : split(fact.module, ':'))
      if (!part.empty()) names.push_back(part);
    for (const std::string_view part : split(name, ':'))
      if (!part.empty() && part != "*" && part != "self") names.push_back(part);
    add(rust_file(index, file.path, names));
  }
  return out;
}

}  // namespace gh::analysis
