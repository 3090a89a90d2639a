// Plugins of Codex: identity, components, marketplaces, and inventories of their MCP servers
// (tool-surface 5.11). Nothing that a plugin brings is run.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "surface/front_matter.h"
#include "surface/loaders.h"

namespace gh::surface {
namespace {

constexpr std::string_view kManifest = ".codex-plugin/plugin.json";
constexpr std::string_view kHookKeys = "command cmd run shell script";

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

std::string joined(std::string_view folder, std::string_view path) {
  return folder.empty() ? std::string(path) : fmt::format("{}/{}", folder, path);
}

Map location_of(const std::string& path, Value pointer, std::int64_t line, std::int64_t column) {
  return {{"source_ref", path},
          {"source_path", path},
          {"source_pointer", std::move(pointer)},
          {"source_start_line", line},
          {"source_start_column", column}};
}

Map location_in(const InputDocument& input, std::string_view pointer) {
  const wire::Mark mark = input.document.mark_of(pointer);
  return location_of(input.path, pointer, mark.line, mark.column);
}

List rows(const std::vector<Map>& maps) { return {maps.begin(), maps.end()}; }

/// A plugin that was found, with what its components need.
struct Plugin {
  std::string name, root, manifest_path;
  std::size_t row;
};

class CodexLoader {
 public:
  explicit CodexLoader(Files& files) : files_(files) {}

  Result<LoadedCodex> load(const Manifest& manifest) {
    for (const ToolSource& source : manifest.tool_sources)
      if (source.type == "codex_plugin")
        GH_DO(unless_optional(source.optional,
                              fmt::format("Optional source {} failed to load", source.id),
                              out_.loaded.warnings, [&] { return read_source(source); }));
    flag_equal_names();
    for (const PathEntry& entry : manifest.codex_inventories)
      GH_DO(unless_optional(
          entry.optional,
          fmt::format("Optional Codex plugin MCP tool inventory artifact '{}' failed to load.",
                      entry.path),
          out_.loaded.warnings, [&] { return read_inventory(entry); }));
    return std::move(out_);
  }

 private:
  CodexFacts& codex() { return out_.codex; }
  void warn(std::string text) { codex().warnings.push_back(std::move(text)); }

  Status read_source(const ToolSource& source) {
    if (source.mode == "marketplace") return read_marketplace(source);
    GH_TRY(found, files_.find(source.path));
    std::string root = found.path;
    if (found.kind == EntryKind::file && found.path.ends_with(kManifest)) {
      warn(fmt::format("Codex plugin source '{}' names {}; name the root of the plugin instead.",
                       source.id, kManifest));
      root = folder_of(folder_of(found.path));
    }
    return read_plugin(source.id, root, "");
  }

  // -------------------------------------------------------------------------------- marketplaces

  Status read_marketplace(const ToolSource& source) {
    GH_TRY(input, read_input_document(files_, source.path));
    const Value& root = input.document.root;
    const Value* plugins = root.as_map() != nullptr ? root.as_map()->find("plugins") : nullptr;
    if (plugins == nullptr || plugins->as_list() == nullptr)
      return refuse_input(input, "", "a marketplace must have a list of plugins");
    const std::string name = text_at(root, "name");
    List missing, skipped;
    for (std::size_t i = 0; i < plugins->as_list()->size(); ++i) {
      const Value& entry = (*plugins->as_list())[i];
      GH_TRY(why, read_entry(source, input, entry, name));
      const std::string plugin = text_at(entry, "name");
      if (!why.empty())
        skipped.emplace_back(Map{{"index", static_cast<std::int64_t>(i)},
                                 {"plugin", text_or_null(plugin)},
                                 {"reason", why}});
      if (List parts = missing_policy(entry); !plugin.empty() && !parts.empty())
        missing.emplace_back(Map{{"plugin", plugin}, {"missing", std::move(parts)}});
    }
    codex().marketplaces.push_back(
        {{"source_id", source.id},
         {"name", text_or_null(name)},
         {"path", input.path},
         {"plugin_count", static_cast<std::int64_t>(plugins->as_list()->size())},
         {"missing_policy_entries", std::move(missing)},
         {"skipped_entries", std::move(skipped)}});
    return {};
  }

  static List missing_policy(const Value& entry) {
    List out;
    for (const char* part : {"installation", "authentication"})
      if (!Peek(entry)["policy"][part].exists()) out.emplace_back(fmt::format("policy.{}", part));
    if (!Peek(entry)["category"].exists()) out.emplace_back("category");
    return out;
  }

  /// Why the entry was not followed; empty when it was.
  Result<std::string> read_entry(const ToolSource& source, const InputDocument& input,
                                 const Value& entry, const std::string& marketplace) {
    if (text_at(entry, "name").empty()) return "entry has no name";
    const Peek from = Peek(entry)["source"];
    const std::string path(from["path"].text());
    if (from["source"].text() != "local") return "source is not local";
    if (path.empty()) return "local source has no path";
    auto found = files_.find(path, folder_of(input.path));
    if (!found || found->kind != EntryKind::folder) found = files_.find(path);
    if (!found) return "outside_manifest_dir";
    if (found->kind != EntryKind::folder) return "missing";
    GH_DO(read_plugin(source.id, found->path, marketplace));
    return "";
  }

  // ------------------------------------------------------------------------------------- plugins

  Status read_plugin(const std::string& source_id, const std::string& root,
                     const std::string& marketplace) {
    GH_TRY(input, read_input_document(files_, joined(root, kManifest)));
    const Value& document = input.document.root;
    if (document.as_map() == nullptr) return refuse_input(input, "", "a plugin must be an object");
    List missing;
    for (const char* key : {"name", "version", "description"})
      if (trimmed(Peek(document)[key].text()).empty()) missing.emplace_back(key);
    const std::string folder = root.substr(root.rfind('/') + 1);
    std::string name = text_at(document, "name");
    const bool mismatch = !name.empty() && !folder.empty() && name != folder;
    if (name.empty()) name = folder.empty() ? "plugin" : folder;
    const bool is_repeated = !roots_.insert(root).second;
    codex().plugins.push_back({{"source_id", fmt::format("codex_plugin:{}/{}", source_id, name)},
                               {"name", name},
                               {"root_path", root.empty() ? "." : root},
                               {"manifest_path", input.path},
                               {"version", text_or_null(Peek(document)["version"].text())},
                               {"description", text_or_null(Peek(document)["description"].text())},
                               {"marketplace", text_or_null(marketplace)},
                               {"missing_fields", std::move(missing)},
                               {"name_mismatch", mismatch},
                               {"duplicate_root", is_repeated},
                               {"duplicate_name", false},
                               {"location", location_in(input, "")}});
    if (is_repeated) {
      warn(fmt::format("Codex plugin root '{}' is declared twice; it was read once.", root));
      return {};
    }
    plugins_.push_back({name, root, input.path, codex().plugins.size() - 1});
    return read_components(plugins_.back(), input);
  }

  void flag_equal_names() {
    std::map<std::string, int> count;
    for (const Plugin& p : plugins_)
      ++count[p.name];
    for (const Plugin& p : plugins_)
      if (count[p.name] > 1) codex().plugins[p.row].set("duplicate_name", true);
  }

  // ---------------------------------------------------------------------------------- components

  Status read_components(const Plugin plugin, const InputDocument& input) {
    const Value& document = input.document.root;
    GH_TRY(skills, paths_of(plugin, document, "skills", "skills"));
    for (const Found& found : skills)
      GH_DO(read_skills(plugin, found));
    GH_TRY(apps, paths_of(plugin, document, "apps", ".app.json"));
    for (const Found& found : apps)
      GH_DO(read_apps(plugin, found));
    // A component may stand in the manifest itself.
    if (!object_at(document, "apps").empty()) add_apps(plugin, input);
    const Map inline_servers = object_at(document, "mcpServers");
    for (const auto& [name, server] : inline_servers.entries())
      add_server(plugin, name, server, input.path,
                 location_in(input, "/mcpServers" + wire::pointer_part(name)));
    GH_TRY(servers, paths_of(plugin, document, "mcpServers", ".mcp.json"));
    for (const Found& found : servers)
      GH_DO(read_servers(plugin, found));
    GH_TRY(hooks, paths_of(plugin, document, "hooks", ""));
    for (const Found& found : hooks)
      GH_DO(read_hooks(plugin, found));
    if (const Value* own = document.as_map()->find("hooks"); own != nullptr && !own->is_null())
      add_hooks(plugin, input, *own, "/hooks");
    return {};
  }

  /// Existing entries of a component; one that is not there, or not inside, is an issue.
  Result<std::vector<Found>> paths_of(const Plugin& plugin, const Value& document,
                                      std::string_view key, std::string_view fallback) {
    std::vector<std::string> named = strings_at(document, key);
    if (const std::string one = text_at(document, key); !one.empty()) named = {one};
    std::vector<Found> out;
    if (named.empty() && !fallback.empty() && object_at(document, key).empty()) {
      GH_TRY(found, files_.find(fallback, plugin.root));
      if (found.kind != EntryKind::missing) out.push_back(found);
    }
    for (const std::string& path : named) {
      const auto found = files_.find(path, plugin.root);
      if (!found)
        add_issue(plugin, key, path, "outside_manifest_dir");
      else if (!is_inside(plugin.root, found->path))
        add_issue(plugin, key, path, "component path resolves outside the plugin root");
      else if (found->kind == EntryKind::missing)
        add_issue(plugin, key, path, "missing");
      else
        out.push_back(*found);
    }
    return out;
  }

  static bool is_inside(const std::string& root, const std::string& path) {
    return root.empty() || path == root || path.starts_with(root + "/");
  }

  void add_issue(const Plugin& plugin, std::string_view component, const std::string& path,
                 std::string_view reason) {
    codex().path_issues.push_back({{"plugin", plugin.name},
                                   {"component", component},
                                   {"path", path},
                                   {"reason", reason},
                                   {"source_ref", plugin.manifest_path}});
  }

  /// `*/SKILL.md` of a folder, or the file itself.
  Status read_skills(const Plugin& plugin, const Found& found) {
    std::vector<std::string> paths;
    if (found.kind == EntryKind::file) {
      paths.push_back(found.path);
    } else {
      GH_TRY(names, files_.list(found));
      for (const std::string& name : names) {
        const auto skill = files_.find(fmt::format("{}/SKILL.md", name), found.path);
        if (skill && skill->kind == EntryKind::file) paths.push_back(skill->path);
      }
      const auto own = files_.find("SKILL.md", found.path);
      if (own && own->kind == EntryKind::file) paths.push_back(own->path);
    }
    for (const std::string& path : paths)
      GH_DO(read_skill(plugin, path));
    return {};
  }

  Status read_skill(const Plugin& plugin, const std::string& path) {
    GH_TRY(file, read_input(files_, path));
    GH_TRY(head, read_front_matter(file.bytes, file.path));
    List missing;
    for (const char* key : {"name", "description"})
      if (trimmed(Peek(head.find(key)).text()).empty()) missing.emplace_back(key);
    const std::string folder = folder_of(file.path);
    std::string name(Peek(head.find("name")).text());
    if (name.empty()) name = folder.substr(folder.rfind('/') + 1);
    const bool is_repeated = !skill_names_.emplace(plugin.name, name).second;
    codex().skills.push_back({{"plugin", plugin.name},
                              {"name", name},
                              {"description", text_or_null(Peek(head.find("description")).text())},
                              {"path", file.path},
                              {"missing_fields", std::move(missing)},
                              {"duplicate", is_repeated},
                              {"location", location_of(file.path, Value(), 1, 1)}});
    return {};
  }

  Status read_apps(const Plugin& plugin, const Found& found) {
    GH_TRY(input, read_input_document(files_, found.path));
    add_apps(plugin, input);
    return {};
  }

  void add_apps(const Plugin& plugin, const InputDocument& input) {
    const auto add = [&](const std::string& name, const Value& app, const std::string& pointer) {
      std::string connector = text_at(app, "connector_id");
      if (connector.empty()) connector = text_at(app, "id");
      codex().apps.push_back({{"plugin", plugin.name},
                              {"name", name},
                              {"connector_id", text_or_null(connector)},
                              {"path", input.path},
                              {"location", location_in(input, pointer)}});
    };
    const Peek apps = Peek(input.document.root)["apps"];
    for (const auto& [name, app] : apps.map().entries())
      add(name, app, "/apps" + wire::pointer_part(name));
    for (std::size_t i = 0; i < apps.list().size(); ++i)
      add(text_at(apps.list()[i], "name"), apps.list()[i], fmt::format("/apps/{}", i));
    if (apps.map().empty() && apps.list().empty())
      warn(fmt::format("Codex plugin app file '{}' lists no apps.", input.path));
  }

  Status read_servers(const Plugin& plugin, const Found& found) {
    GH_TRY(input, read_input_document(files_, found.path, "", out_.loaded.warnings));
    const Map servers = object_at(input.document.root, "mcpServers");
    if (servers.empty())
      warn(fmt::format("Codex plugin MCP file '{}' lists no servers.", input.path));
    for (const auto& [name, server] : servers.entries())
      add_server(plugin, name, server, input.path,
                 location_in(input, "/mcpServers" + wire::pointer_part(name)));
    return {};
  }

  void add_server(const Plugin& plugin, const std::string& name, const Value& server,
                  const std::string& path, Map location) {
    codex().servers.push_back({{"plugin", plugin.name},
                               {"server", name},
                               {"path", path},
                               {"command", text_or_null(Peek(server)["command"].text())},
                               {"inventory_path", nullptr},
                               {"inventory_loaded", false},
                               {"location", std::move(location)}});
    ServerCommand started{name, path, text_at(server, "command"), text_at(server, "url"),
                          strings_at(server, "args")};
    for (const auto& entry : Peek(server)["env"].map().entries())
      started.environment.push_back(entry.first);
    codex().commands.push_back(std::move(started));
  }

  Status read_hooks(const Plugin& plugin, const Found& found) {
    GH_TRY(input, read_input_document(files_, found.path));
    add_hooks(plugin, input, input.document.root, "");
    return {};
  }

  /// Every text under a key that runs something, at any depth.
  void add_hooks(const Plugin& plugin, const InputDocument& input, const Value& top,
                 std::string_view pointer) {
    struct Open {
      const Value* value;
      std::string key, pointer;
    };
    std::vector<Open> open{{&top, "", std::string(pointer)}};
    while (!open.empty()) {
      const Open at = std::move(open.back());
      open.pop_back();
      if (at.value->as_string() != nullptr && is_one_of(at.key, kHookKeys))
        codex().hooks.push_back({{"plugin", plugin.name},
                                 {"name", at.key},
                                 {"command", *at.value->as_string()},
                                 {"path", input.path},
                                 {"risk_tags", List{"code_execution"}},
                                 {"confidence", "medium"},
                                 {"location", location_in(input, at.pointer)}});
      if (const List* list = at.value->as_list())
        for (std::size_t i = list->size(); i-- > 0;)
          open.push_back({&(*list)[i], at.key, fmt::format("{}/{}", at.pointer, i)});
      if (const Map* map = at.value->as_map())
        for (auto e = map->entries().rbegin(); e != map->entries().rend(); ++e)
          open.push_back({&e->second, e->first, at.pointer + wire::pointer_part(e->first)});
    }
  }

  // --------------------------------------------------------------------------------- inventories

  Status read_inventory(const PathEntry& entry) {
    const auto server = std::ranges::find_if(codex().servers, [&](const Map& row) {
      return Peek(row.find("plugin")).text() == entry.plugin &&
             Peek(row.find("server")).text() == entry.server;
    });
    if (server == codex().servers.end()) {
      warn(
          fmt::format("Codex plugin inventory '{}' names server '{}' of plugin '{}', which is not "
                      "declared.",
                      entry.path, entry.server, entry.plugin));
      return {};
    }
    server->set("inventory_path", entry.path);
    GH_TRY(inventory,
           load_mcp({.id = fmt::format("codex_plugin:{}/{}:inventory", entry.plugin, entry.server),
                     .path = entry.path,
                     .type = "codex_plugin_mcp_inventory"},
                    files_));
    server->set("inventory_loaded", true);
    codex().inventory_files.push_back(entry.path);
    for (Tool& tool : inventory.tools) {
      tool.annotations.set("codex_plugin", entry.plugin);
      tool.annotations.set("codex_plugin_mcp_server", entry.server);
      out_.loaded.tools.push_back(std::move(tool));
    }
    std::ranges::move(inventory.warnings, std::back_inserter(out_.loaded.warnings));
    return {};
  }

  Files& files_;
  LoadedCodex out_;
  std::vector<Plugin> plugins_;
  std::set<std::string> roots_;
  std::set<std::pair<std::string, std::string>> skill_names_;
};

}  // namespace

Map document_of(const CodexFacts& f) {
  const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  return {{"plugin_count", count(f.plugins)},
          {"marketplace_count", count(f.marketplaces)},
          {"skill_count", count(f.skills)},
          {"app_count", count(f.apps)},
          {"mcp_server_stub_count", count(f.servers)},
          {"hook_stub_count", count(f.hooks)},
          {"mcp_inventory_file_count", count(f.inventory_files)},
          {"plugins", rows(f.plugins)},
          {"marketplaces", rows(f.marketplaces)},
          {"skills", rows(f.skills)},
          {"apps", rows(f.apps)},
          {"mcp_server_stubs", rows(f.servers)},
          {"hook_stubs", rows(f.hooks)},
          {"mcp_inventory_files", string_list(f.inventory_files)},
          {"component_path_issues", rows(f.path_issues)},
          {"warnings", string_list(f.warnings)}};
}

Result<LoadedCodex> load_codex_plugins(const Manifest& manifest, Files& files) {
  return CodexLoader(files).load(manifest);
}

}  // namespace gh::surface
