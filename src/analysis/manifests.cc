#include "analysis/manifests.h"

#include <algorithm>
#include <array>

#include "analysis/toml_strings.h"
#include "base/text.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

bool is_dotted_name(std::string_view text) {
  if (text.empty()) return false;
  for (const std::string_view part : split(text, '.')) {
    if (part.empty() || (part[0] >= '0' && part[0] <= '9')) return false;
    if (!std::ranges::all_of(part, [](char c) {
          return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                 (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
        }))
      return false;
  }
  return true;
}

// Each is compared with every symbol of the run; no name that is meant is that long.
constexpr std::size_t kMaxEntryPoint = 1000;

/// `module:local`, what follows a blank (extras) left out.
void add_symbol(std::string_view value, EntryPoints& out) {
  value = trimmed(value);
  value = value.substr(0, value.find_first_of(" \t["));
  const std::size_t colon = value.find(':');
  if (colon == std::string_view::npos || value.size() > kMaxEntryPoint) return;
  if (is_dotted_name(value.substr(0, colon)) && is_dotted_name(value.substr(colon + 1)))
    out.symbols.emplace_back(value);
}

void add_file(std::string_view path, EntryPoints& out) {
  while (path.starts_with("./"))
    path.remove_prefix(2);
  if (!path.empty()) out.files.emplace_back(path);
}

// table: entry point tables
constexpr std::array<std::string_view, 4> kTables{"project.scripts", "project.gui-scripts",
                                                  "project.entry-points.", "tool.poetry.scripts"};

bool is_entry_table(std::string_view table) {
  return std::ranges::any_of(kTables, [&](std::string_view row) {
    return row.ends_with('.') ? table.starts_with(row)
                              : table == row || table.starts_with(std::string(row) + ".");
  });
}

void read_pyproject(std::string_view bytes, EntryPoints& out) {
  for (const TomlString& entry : toml_strings(bytes).strings)
    if (is_entry_table(entry.table)) add_symbol(entry.value, out);
}

/// `[options.entry_points]`: lists below their keys, one `name = module:local` per line.
void read_setup_cfg(std::string_view bytes, EntryPoints& out) {
  bool inside = false;
  for (const std::string_view raw : split(bytes, '\n')) {
    const std::string_view line = trimmed(raw);
    if (line.starts_with('[')) inside = line == "[options.entry_points]";
    if (!inside || line.empty() || line.starts_with('#')) continue;
    if (const std::size_t equals = line.rfind('='); equals != std::string_view::npos)
      add_symbol(line.substr(equals + 1), out);
  }
}

/// Every path below `value`, whatever conditions lead to it.
void add_paths(const Value& value, EntryPoints& out) {
  std::vector<const Value*> open{&value};
  while (!open.empty()) {
    const Value& at = *open.back();
    open.pop_back();
    if (const std::string* path = at.as_string()) add_file(*path, out);
    if (const List* list = at.as_list())
      for (const Value& inner : *list)
        open.push_back(&inner);
    if (const Map* map = at.as_map())
      for (const auto& [key, inner] : map->entries())
        open.push_back(&inner);
  }
}

// table: package.json entries
constexpr std::array<std::string_view, 3> kPackageKeys{"main", "bin", "exports"};

void read_package_json(std::string_view bytes, EntryPoints& out) {
  const auto document = wire::read_json(bytes, "package.json", {}, wire::DuplicateKeys::last_wins);
  if (!document || document->as_map() == nullptr) return;
  for (const std::string_view key : kPackageKeys)
    if (const Value* value = document->as_map()->find(key)) add_paths(*value, out);
}

void read_cargo(std::string_view bytes, EntryPoints& out) {
  out.files.emplace_back("src/main.rs");
  for (const TomlString& entry : toml_strings(bytes).strings)
    if (entry.table == "bin" && entry.key == "path") add_file(entry.value, out);
}

bool has_table(std::string_view bytes, std::string_view name) {
  const TomlStrings document = toml_strings(bytes);
  return std::ranges::find(document.tables, name) != document.tables.end();
}

bool is_importable_package(std::string_view bytes) {
  const auto document = wire::read_json(bytes, "package.json", {}, wire::DuplicateKeys::last_wins);
  if (!document || document->as_map() == nullptr) return false;
  return document->as_map()->find("main") != nullptr ||
         document->as_map()->find("exports") != nullptr;
}

struct ManifestRow {
  std::string_view path;
  void (*read)(std::string_view bytes, EntryPoints&);
  bool (*is_package)(std::string_view bytes);
};
// table: manifests
constexpr std::array<ManifestRow, 6> kManifests{{
    {"pyproject.toml", read_pyproject,
     [](std::string_view b) { return has_table(b, "project") || has_table(b, "tool.poetry"); }},
    {"setup.py", nullptr, [](std::string_view) { return true; }},
    {"setup.cfg", read_setup_cfg, [](std::string_view) { return true; }},
    {"package.json", read_package_json, is_importable_package},
    {"Cargo.toml", read_cargo, [](std::string_view b) { return has_table(b, "lib"); }},
    {"go.mod", nullptr, [](std::string_view) { return false; }},
}};

const ManifestRow* row_of(std::string_view path) {
  const auto at = std::ranges::find(kManifests, path, &ManifestRow::path);
  return at == kManifests.end() ? nullptr : &*at;
}

}  // namespace

bool is_manifest(std::string_view path) { return row_of(path) != nullptr; }

bool has_manifest(const Manifests& manifests, std::string_view path) {
  return std::ranges::find(manifests, path, &Manifest::path) != manifests.end();
}

EntryPoints entry_points_of(const Manifests& manifests) {
  EntryPoints out;
  for (const Manifest& manifest : manifests)
    if (const ManifestRow* row = row_of(manifest.path);
        row != nullptr && row->read != nullptr && manifest.bytes.size() <= kMaxManifestBytes)
      row->read(manifest.bytes, out);
  std::ranges::sort(out.symbols);
  std::ranges::sort(out.files);
  return out;
}

bool names_a_package(const Manifests& manifests) {
  return std::ranges::any_of(manifests, [](const Manifest& manifest) {
    const ManifestRow* row = row_of(manifest.path);
    return row != nullptr && manifest.bytes.size() <= kMaxManifestBytes &&
           row->is_package(manifest.bytes);
  });
}

}  // namespace gh::analysis
