// What a repository says to Codex: configuration, hooks, instructions, skills (tool-surface 5.12).
// These are facts about a boundary; no tool comes from here.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "surface/loaders.h"
#include "surface/n8n_workflow.h"
#include "wire/toml.h"

namespace gh::surface {
namespace {

constexpr std::string_view kHookKeys = "command cmd run shell script";

std::string joined(std::string_view folder, std::string_view path) {
  return folder.empty() ? std::string(path) : fmt::format("{}/{}", folder, path);
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

class ConfigReader {
 public:
  ConfigReader(const ToolSource& source, Files& files) : source_(source), files_(files) {}

  Result<Map> read() {
    GH_TRY(found, files_.find(source_.path));
    GH_DO(found.kind == EntryKind::folder ? read_folder(found.path) : read_file(source_.path));
    if (files_read_.empty())
      return fail(Code::input_unreadable,
                  fmt::format("{}: no .codex/config.toml, .codex/hooks.json, AGENTS.md or skills",
                              printable(source_.path, 400)));
    std::vector<std::string> servers;
    for (const ServerCommand& server : started)
      servers.push_back(server.server);
    return Map{{"source_id", source_.id},      {"files", string_list(files_read_)},
               {"sandbox_mode", sandbox_},     {"approval_policy", approval_},
               {"network_access", network_},   {"mcp_servers", string_list(servers)},
               {"hook_command_count", hooks_}, {"skill_count", skills_}};
  }
  std::vector<ServerCommand> started{};  // servers that the configuration starts

 private:
  Status read_folder(const std::string& folder) {
    const bool is_inner = file_name(folder) == ".codex";
    const std::string inner = is_inner ? folder : joined(folder, ".codex");
    const std::string outer = is_inner ? folder_of(folder) : folder;
    for (const std::string& path :
         {joined(inner, "config.toml"), joined(inner, "hooks.json"), joined(outer, "AGENTS.md")}) {
      GH_TRY(found, files_.find(path));
      if (found.kind == EntryKind::file) GH_DO(read_file(path));
    }
    for (const std::string& path : {joined(inner, "skills"), joined(outer, ".agents/skills")}) {
      GH_TRY(found, files_.find(path));
      if (found.kind != EntryKind::folder) continue;
      GH_TRY(below, files_below(files_, found, "skill.md"));
      skills_ += static_cast<std::int64_t>(below.paths.size());
      files_read_.insert(files_read_.end(), below.paths.begin(), below.paths.end());
    }
    return {};
  }

  Status read_file(const std::string& path) {
    GH_TRY(file, read_input(files_, path));
    files_read_.push_back(file.path);
    const std::string_view name = file_name(file.path);
    if (name.ends_with(".toml")) return read_config(file);
    if (name.ends_with(".json")) return read_hooks(file);
    if (!is_utf8(file.bytes))
      return fail(Code::input_unreadable, fmt::format("{}: not UTF-8", file.path));
    skills_ += name == "SKILL.md" ? 1 : 0;
    return {};
  }

  Status read_config(const InputFile& file) {
    constexpr int kLevels = 3;  // mcp_servers, the server, its env
    GH_TRY(root, wire::read_toml_table(file.bytes, file.path, {}, {.levels = kLevels}));
    const Value given(root.value_or(Map{}));
    const Map& config = *given.as_map();
    if (const Value* v = config.find("sandbox_mode")) sandbox_ = *v;
    if (const Value* v = config.find("approval_policy")) approval_ = *v;
    for (const auto& [name, server] : Peek(given)["mcp_servers"].map().entries())
      started.push_back(server_command(name, file.path, server));
    if (const Value* v = Peek(given)["sandbox_workspace_write"].map().find("network_access"))
      network_ = *v;
    return {};
  }

  Status read_hooks(const InputFile& file) {
    GH_TRY(document, wire::read_document(file.bytes, file.path));
    for (const TextAt& text : texts_below(document.root, ""))
      if (is_one_of(file_name(text.pointer), kHookKeys)) ++hooks_;
    return {};
  }

  const ToolSource& source_;
  Files& files_;
  std::vector<std::string> files_read_;
  Value sandbox_, approval_, network_;
  std::int64_t hooks_ = 0, skills_ = 0;
};

}  // namespace

Result<LoadedCodexConfig> load_codex_config(const Manifest& manifest, Files& files,
                                            std::vector<std::string>& warnings) {
  LoadedCodexConfig out;
  List sources;
  for (const ToolSource& source : manifest.tool_sources) {
    if (source.type != "codex_config") continue;
    GH_DO(unless_optional(source.optional,
                          fmt::format("Optional source {} failed to load", source.id), warnings,
                          [&]() -> Status {
                            ConfigReader reader(source, files);
                            GH_TRY(facts, reader.read());
                            sources.emplace_back(std::move(facts));
                            std::ranges::move(reader.started, std::back_inserter(out.servers));
                            return {};
                          }));
  }
  const auto count = static_cast<std::int64_t>(sources.size());
  out.facts = Map{{"source_count", count}, {"sources", std::move(sources)}};
  return out;
}

}  // namespace gh::surface
