#include "setup/plugin.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/data.h"
#include "model/peek.h"
#include "setup/json_edit.h"
#include "wire/json.h"

namespace gh::setup {
namespace {

struct PluginRow {
  Host host;
  std::string_view manifest;  // its path in the plugin
  std::string_view data;      // below data/setup/
  std::string_view settings;  // a file whose hooks the plugin brings; empty: the host takes none
};
// table: plugins
constexpr std::array<PluginRow, 2> kPlugins{
    {{Host::claude, ".claude-plugin/plugin.json", "plugin.claude.json", "claude.settings.json"},
     {Host::codex, ".codex-plugin/plugin.json", "plugin.codex.json", ""}}};

std::string_view text_of(std::string_view name) {
  return data::find(fmt::format("setup/{}", name));
}

std::string with_version(std::string text, std::string_view version) {
  constexpr std::string_view kPlace = "@VERSION@";
  if (const std::size_t at = text.find(kPlace); at != text.npos)
    text.replace(at, kPlace.size(), version);
  return text;
}

Result<std::string> hooks_of(std::string_view settings) {
  GH_TRY(document, wire::read_json(text_of(settings), settings));
  const Map* root = document.as_map();
  const Value* hooks = root == nullptr ? nullptr : root->find("hooks");
  if (hooks == nullptr) return fail(Code::internal_error, "settings of a host without hooks");
  return laid_out(wire::canonical_json(
      Map{{"description", "Gatehouse before and after each step"}, {"hooks", *hooks}}));
}

}  // namespace

Result<std::vector<PluginFile>> plugin_files(Host host, std::string_view version) {
  const auto row = std::ranges::find(kPlugins, host, &PluginRow::host);
  if (row == kPlugins.end())
    return fail(Code::bad_argument, "--plugin takes claude or codex: no other host has plugins");
  std::vector<PluginFile> out{{std::string(row->manifest),
                               laid_out(with_version(std::string(text_of(row->data)), version))},
                              {".mcp.json", laid_out(text_of("claude.mcp.json"))},
                              {"skills/gatehouse/SKILL.md",
                               std::string(text_of("skill.md")).append(text_of("guidance.md"))}};
  if (row->settings.empty()) return out;
  GH_TRY(hooks, hooks_of(row->settings));
  out.push_back({"hooks/hooks.json", std::move(hooks)});
  return out;
}

}  // namespace gh::setup
