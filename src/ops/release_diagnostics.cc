#include "ops/release_diagnostics.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "report/agent_error.h"
#include "report/columns.h"

namespace gh::ops {
namespace {

using report::next_action;

struct Row {
  std::string_view id, severity, title;
};
// clang-format off
// table: diagnostics of the release gate
constexpr std::array<Row, 12> kRows{{
    {"SHIP-DIAG-MISSING-MANIFEST", "block", "There is no manifest"},
    {"SHIP-DIAG-INVALID-MANIFEST", "block", "The manifest cannot be read"},
    {"SHIP-DIAG-ZERO-TOOLS", "block", "No tool was found in any source"},
    {"SHIP-DIAG-MISSING-SOURCE-FILE", "block", "A source that the manifest names is not there"},
    {"SHIP-DIAG-DYNAMIC-TOOLSETS-ONLY", "warn", "Every tool was read with doubt: what the agent has at run time is not known"},
    {"SHIP-DIAG-CHANGE-ME-PLACEHOLDERS", "warn", "The manifest still has placeholders"},
    {"SHIP-DIAG-NO-PRODUCTION-PERMISSIONS", "warn", "The target is production-like, and no permissions are declared"},
    {"SHIP-DIAG-NO-AGENT-SURFACE", "info", "Nothing here looks like an agent"},
    {"SHIP-DIAG-NON-AGENT-LIBRARY", "info", "This looks like a library or program without an agent"},
    {"SHIP-DIAG-PURE-PROMPT-EXPERIMENT", "info", "There are prompts, and nothing that an agent could do with them"},
    {"SHIP-DIAG-MCP-OPENAPI-ARTIFACT-ONLY", "info", "There are descriptions of tools, and no agent that uses them"},
    {"SHIP-DIAG-CODEX-PLUGIN-PACKAGE-DETECTED", "info", "There is a Codex plugin"},
}};
// clang-format on
constexpr std::string_view kPlaceholder = "CHANGE_ME";

ReleaseDiagnostic made(std::string_view id, List next_actions) {
  const auto row = std::ranges::find(kRows, id, &Row::id);
  return {row->id, row->severity, row->title, std::move(next_actions)};
}

std::string_view nothing_here(const surface::Suggestions& found) {
  if (!found.has_code && !found.prompts.empty()) return "SHIP-DIAG-PURE-PROMPT-EXPERIMENT";
  return found.has_package ? "SHIP-DIAG-NON-AGENT-LIBRARY" : "SHIP-DIAG-NO-AGENT-SURFACE";
}

bool holds_placeholder(const Value& root) {
  std::vector<const Value*> open{&root};
  while (!open.empty()) {
    const Value* at = open.back();
    open.pop_back();
    if (at->as_string() != nullptr && contains(*at->as_string(), kPlaceholder)) return true;
    if (at->as_list() != nullptr)
      for (const Value& item : *at->as_list())
        open.push_back(&item);
    if (at->as_map() != nullptr)
      for (const auto& entry : at->as_map()->entries())
        open.push_back(&entry.second);
  }
  return false;
}

/// Every file that a manifest names, with the pointer of its entry.
struct Named {
  std::string id, path, pointer;
  bool optional = false;
};

std::vector<Named> named_files(const surface::Manifest& m) {
  std::vector<Named> out;
  for (std::size_t i = 0; i < m.tool_sources.size(); ++i)
    if (const surface::ToolSource& s = m.tool_sources[i]; !s.path.empty())
      out.push_back({s.id, s.path, fmt::format("/tool_sources/{}", i), s.optional});
  const auto add = [&](std::string_view block, std::string_view key,
                       const surface::PathEntries& entries) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      out.push_back({fmt::format("{}.{}[{}]", block, key, i), entries[i].path,
                     fmt::format("/{}/{}/{}", block, key, i), entries[i].optional});
  };
  if (m.openai) {
    add("openai_api", "prompt_files", m.openai->prompt_files);
    add("openai_api", "tools", m.openai->tools);
    add("openai_api", "function_schemas", m.openai->function_schemas);
    add("openai_api", "response_formats", m.openai->response_formats);
    add("openai_api", "test_cases", m.openai->test_cases);
    add("openai_api", "trace_samples", m.openai->trace_samples);
    add("openai_api", "policy_rules", m.openai->policy_rules);
  }
  if (m.anthropic) {
    add("anthropic", "prompt_files", m.anthropic->prompt_files);
    add("anthropic", "tools", m.anthropic->tools);
    add("anthropic", "policy_rules", m.anthropic->policy_rules);
  }
  for (const auto& [name, block] :
       {std::pair{"google_adk", &m.google_adk}, std::pair{"langchain", &m.langchain},
        std::pair{"crewai", &m.crewai}, std::pair{"n8n", &m.n8n}}) {
    if (!*block) continue;
    const surface::FrameworkBlock& f = **block;
    add(name, "python_entrypoints", f.python_entrypoints);
    add(name, "agent_configs", f.agent_configs);
    add(name, "eval_sets", f.eval_sets);
    add(name, "tool_inventories", f.tool_inventories);
    add(name, "trace_samples", f.trace_samples);
    add(name, "workflows", f.workflows);
    add(name, "credential_stubs", f.credential_stubs);
    add(name, "variable_stubs", f.variable_stubs);
    add(name, "data_table_schemas", f.data_table_schemas);
    add(name, "execution_samples", f.execution_samples);
  }
  add("codex_plugins", "mcp_tool_inventories", m.codex_inventories);
  return out;
}

}  // namespace

Value document_of(const ReleaseDiagnostics& diagnostics) {
  List out;
  for (const ReleaseDiagnostic& d : diagnostics)
    out.emplace_back(Map{{"id", d.id},
                         {"title", d.title},
                         {"severity", d.severity},
                         {"next_actions", d.next_actions}});
  return out;
}

std::string text_of(const Value& diagnostics) {
  std::string out;
  for (const Value& value : Peek(diagnostics).list()) {
    const Peek d(value);
    out += fmt::format("{}  {}  {}\n", report::padded(d["severity"].text(), 5), d["title"].text(),
                       d["id"].text());
    for (const Value& action : d["next_actions"].list())
      out +=
          fmt::format("       next: {}\n", printable(report::next_sentence(*action.as_map()), 400));
  }
  return out;
}

ReleaseDiagnostics diagnose_folder(const surface::Suggestions& found, bool has_manifest,
                                   const std::string& program) {
  ReleaseDiagnostics out;
  const bool has_sources = !found.sources.empty() || !found.codex_plugins.empty();
  if (!has_sources && found.frameworks.empty()) {
    if (!has_manifest)
      out.push_back(made(nothing_here(found),
                         {next_action("stop", {}, "There is nothing here for the release gate.")}));
    return out;
  }
  if (!has_manifest)
    out.push_back(
        made("SHIP-DIAG-MISSING-MANIFEST",
             {next_action("command", fmt::format("{} init --workspace . --write", program),
                          "Drafts a manifest from what was found.", "shipgate.yaml")}));
  if (!has_sources)
    out.push_back(made("SHIP-DIAG-ZERO-TOOLS",
                       {next_action("review", {},
                                    "Code of an agent is here, but no tool could be read from it; "
                                    "export its tools to a file.")}));
  const bool only_documents = found.frameworks.empty() && found.codex_plugins.empty() &&
                              std::ranges::all_of(found.sources, [](const surface::Suggestion& s) {
                                return s.type == "mcp" || s.type == "openapi";
                              });
  if (has_sources && only_documents)
    out.push_back(made("SHIP-DIAG-MCP-OPENAPI-ARTIFACT-ONLY",
                       {next_action("review", {}, "Say in the manifest which agent uses them.")}));
  if (!found.codex_plugins.empty())
    out.push_back(made("SHIP-DIAG-CODEX-PLUGIN-PACKAGE-DETECTED",
                       {next_action("review", {},
                                    "Its tools are known when an inventory of its MCP servers is "
                                    "named under codex_plugins.")}));
  return out;
}

std::vector<UnresolvedSource> unresolved_sources(const surface::Manifest& manifest,
                                                 surface::Files& files) {
  std::vector<UnresolvedSource> out;
  for (const Named& named : named_files(manifest)) {
    if (named.optional) continue;
    const auto found = files.find(named.path);
    if (found && found->kind != surface::EntryKind::missing) continue;
    out.push_back({named.id, named.path, manifest.place(named.pointer).start_line,
                   found ? "missing" : "outside_manifest_dir"});
  }
  return out;
}

namespace {

/// Something that is put together at run time; a file that is read as it stands has none.
bool has_dynamic_part(const surface::Surface& s) {
  const auto is_dynamic = [](const auto& facts) { return facts && !facts->dynamic.empty(); };
  return is_dynamic(s.langchain) || is_dynamic(s.crewai) || is_dynamic(s.conductor) ||
         is_dynamic(s.n8n) ||
         (s.adk && std::ranges::any_of(s.adk->toolsets, &surface::AdkToolset::dynamic)) ||
         std::ranges::any_of(s.tools, surface::is_wildcard);
}

}  // namespace

ReleaseDiagnostics diagnose_manifest(const surface::Manifest& manifest,
                                     const surface::Surface* surface,
                                     const std::vector<UnresolvedSource>& unresolved,
                                     const std::string& program) {
  ReleaseDiagnostics out;
  if (!unresolved.empty()) {
    List actions;
    for (const UnresolvedSource& u : unresolved)
      actions.emplace_back(next_action("edit", fmt::format("{}:{}", manifest.file, u.line),
                                       fmt::format("{}: {} ({})", u.id, u.declared_path, u.reason),
                                       "a path that exists in the manifest's folder"));
    out.push_back(made("SHIP-DIAG-MISSING-SOURCE-FILE", std::move(actions)));
  }
  if (surface != nullptr && surface->tools.empty())
    out.push_back(
        made("SHIP-DIAG-ZERO-TOOLS",
             {next_action("command", fmt::format("{} detect --workspace . --json", program),
                          "Shows which files hold tools.")}));
  const bool all_weak = surface != nullptr && !surface->tools.empty() &&
                        std::ranges::none_of(surface->tools, [](const surface::Tool& t) {
                          return t.confidence == surface::Confidence::high;
                        });
  if (all_weak && has_dynamic_part(*surface))
    out.push_back(made("SHIP-DIAG-DYNAMIC-TOOLSETS-ONLY",
                       {next_action("review", {},
                                    "Export the tools as the running agent has them (for an MCP "
                                    "server a person runs 'release inventory'), and name the file "
                                    "as a source.")}));
  if (holds_placeholder(manifest.document))
    out.push_back(made("SHIP-DIAG-CHANGE-ME-PLACEHOLDERS",
                       {next_action("edit", manifest.file, "Say what CHANGE_ME stands for.")}));
  if (manifest.is_production_like() && manifest.scopes.empty())
    out.push_back(made("SHIP-DIAG-NO-PRODUCTION-PERMISSIONS",
                       {next_action("edit", manifest.file,
                                    "Declare under permissions.scopes what the agent may use.")}));
  return out;
}

ReleaseDiagnostic invalid_manifest(std::string_view place) {
  return made("SHIP-DIAG-INVALID-MANIFEST",
              {next_action("edit", place, "The manifest is not valid.")});
}

}  // namespace gh::ops
