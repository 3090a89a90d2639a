#include "setup/hosts.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/data.h"
#include "base/text.h"
#include "model/peek.h"
#include "setup/json_edit.h"
#include "setup/json_text.h"
#include "setup/line_text.h"
#include "wire/json.h"

namespace gh::setup {
namespace {

constexpr std::string_view kBare = "gatehouse", kOwnKey = "gatehouse";

// clang-format off
// table: setup_hosts
constexpr std::array<HostRow, kHostCount> kHosts{{
    {Host::claude, "claude", "Claude Code", ".claude .mcp.json CLAUDE.md",       "claude"},
    {Host::codex,  "codex",  "Codex",       ".codex AGENTS.md",                  "codex"},
    {Host::cursor, "cursor", "Cursor",      ".cursor .cursorrules",              "cursor cursor-agent"},
    {Host::vscode, "vscode", "VS Code",     ".vscode .github/hooks",             "code"},
    {Host::gemini, "gemini", "Gemini CLI",  ".gemini GEMINI.md",                 "gemini"},
}};

// table: host_files
constexpr std::array<HostFile, 17> kFiles{{
    {Host::claude, ".mcp.json",                         FileForm::json,        "claude.mcp.json"},
    {Host::claude, ".claude/settings.json",             FileForm::json,        "claude.settings.json"},
    {Host::claude, ".claude/skills/gatehouse/SKILL.md", FileForm::whole,       "skill.md"},
    {Host::claude, "CLAUDE.md",                         FileForm::marked_text, "guidance.md", {}, Written::if_there},
    {Host::codex,  ".codex/config.toml",                FileForm::toml_table,  "codex.config.toml", "mcp_servers.gatehouse"},
    {Host::codex,  ".codex/hooks.json",                 FileForm::json,        "codex.hooks.json"},
    {Host::codex,  "AGENTS.md",                         FileForm::marked_text, "guidance.md"},
    {Host::cursor, ".cursor/mcp.json",                  FileForm::json,        "cursor.mcp.json"},
    {Host::cursor, ".cursor/hooks.json",                FileForm::json,        "cursor.hooks.json"},
    {Host::cursor, ".cursor/rules/gatehouse.mdc",       FileForm::whole,       "cursor.rule.mdc"},
    {Host::cursor, "AGENTS.md",                         FileForm::marked_text, "guidance.md"},
    {Host::vscode, ".vscode/mcp.json",                  FileForm::json,        "vscode.mcp.json"},
    {Host::vscode, ".github/hooks/gatehouse.json",      FileForm::json,        "vscode.hooks.json"},
    {Host::vscode, "AGENTS.md",                         FileForm::marked_text, "guidance.md"},
    {Host::gemini, ".gemini/settings.json",             FileForm::json,        "gemini.settings.json"},
    {Host::gemini, ".gemini/policies/gatehouse.toml",   FileForm::whole,       "gemini.policy.toml", {}, Written::with_policy},
    {Host::gemini, "GEMINI.md",                         FileForm::marked_text, "guidance.md", {}, Written::if_there},
}};

constexpr std::string_view kNets = "pre-commit, pre-receive, CI";
// table: enforcement
constexpr std::array<Enforcement, 8> kEnforcement{{
    {"Claude Code",                    "hard",                 "classify + reconcile", "closed with onFailure:block", "Stop blocks once",      kNets},
    {"Codex",                          "hard if hook trusted", "classify + reconcile", "open",                        "Stop blocks once",      kNets},
    {"Cursor with preToolUse",         "hard",                 "classify + reconcile", "closed with failClosed",      "follow-up once",        kNets},
    {"Cursor, older",                  "advise",               "beforeShellExecution", "open",                        "advise",                kNets},
    {"VS Code with preview hooks",     "hard",                 "classify + reconcile", "open",                        "block once",            kNets},
    {"Gemini CLI",                     "hard",                 "classify + reconcile", "open",                        "AfterAgent retry once", kNets},
    {"any MCP host without hooks",     "advise",               "none",                 "-",                           "none",                  kNets},
    {"patch-only (no write tools)",    "hard by construction", "none needed",          "closed",                      "-",                     kNets},
}};
constexpr std::array<std::size_t, kHostCount> kOwnRow{0, 1, 2, 4, 5};

// table: host_events
constexpr std::array<std::string_view, 12> kClaudeEvents{"SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "Notification", "Stop", "SubagentStart", "SubagentStop", "PreCompact"};
constexpr std::array<std::string_view, 11> kCodexEvents{"SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "PreCompact", "PostCompact", "SubagentStart", "SubagentStop", "Stop", "Interrupt"};
constexpr std::array<std::string_view, 12> kCursorEvents{"sessionStart", "sessionEnd", "preToolUse", "postToolUse", "beforeShellExecution", "afterShellExecution", "beforeMCPExecution", "afterMCPExecution", "beforeReadFile", "afterFileEdit", "beforeSubmitPrompt", "stop"};
constexpr std::array<std::string_view, 6> kVscodeEvents{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SubagentStop"};
constexpr std::array<std::string_view, 9> kGeminiEvents{"SessionStart", "SessionEnd", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeTool", "AfterTool", "PreCompress"};
// clang-format on

std::string_view text_of(const HostFile& file) {
  return data::find(fmt::format("setup/{}", file.data));
}

/// A command line of ours, by whatever path the program is called.
bool is_our_program(std::string_view word) {
  const std::size_t slash = word.rfind('/');
  if (slash != word.npos) word.remove_prefix(slash + 1);
  while (word.ends_with('\'') || word.ends_with('"'))
    word.remove_suffix(1);
  return word == kBare;
}

bool is_our_command(const Value& entry) {
  const std::string_view command = Peek(entry)["command"].text();
  const std::size_t hook = command.rfind(" hook ");
  if (hook != command.npos) return is_our_program(command.substr(0, hook));
  const Map* map = entry.as_map();
  const Value* args = map == nullptr ? nullptr : map->find("args");
  const List* list = args == nullptr ? nullptr : args->as_list();
  return is_our_program(command) && list != nullptr && !list->empty() &&
         list->front() == Value("hook");
}

/// The text of a file with the program named otherwise.
std::string pinned(std::string_view text, std::string_view command) {
  if (command == kBare) return std::string(text);
  std::string out;
  constexpr std::string_view kMember = "\"command\":\"gatehouse", kToml = "command = \"gatehouse\"";
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at, kMember.size()) == kMember) {
      out += fmt::format("\"command\":\"{}", command);
      at += kMember.size();
    } else if (text.substr(at, kToml.size()) == kToml) {
      out += fmt::format("command = \"{}\"", command);
      at += kToml.size();
    } else {
      out += text[at++];
    }
  }
  return out;
}

// table: host_guards
constexpr std::array<std::string_view, 4> kGuards{"PreToolUse", "preToolUse",
                                                  "beforeShellExecution", "BeforeTool"};

/// Does the matcher name every tool that ours names? Tools of other servers are a choice.
bool matches_as_much(std::string_view matcher, std::string_view ours) {
  if (matcher.empty() || matcher == "*" || matcher == ".*") return true;
  if (ours.empty()) return false;
  const std::vector<std::string_view> named = split(matcher, '|');
  return std::ranges::all_of(split(ours, '|'), [&](std::string_view tool) {
    return tool.starts_with("mcp") || std::ranges::find(named, tool) != named.end();
  });
}

/// The same call, wherever the program is; with nothing behind it that would soften its answer.
bool calls_as(const Value& handler, const Value& ours) {
  const Peek here(handler), wanted(ours);
  if (here["if"].exists() || here["async"].is_true()) return false;
  if (here["type"].exists() && here["type"].text() != "command") return false;
  const auto words = [](const Peek& one) {
    std::string out(one["command"].text());
    for (const Value& word : one["args"].list())
      out += " " + std::string(Peek(word).text());
    return out;
  };
  std::string said = words(here);
  const std::string wish = words(wanted);
  constexpr std::string_view kEnforce = " --enforce", kHook = " hook ";
  if (said.ends_with(kEnforce)) said.resize(said.size() - kEnforce.size());
  const std::size_t at = said.rfind(kHook);
  return at != said.npos && said.find_first_of(";|&<>$`\n") == said.npos &&
         is_our_program(said.substr(0, at)) && said.substr(at) == wish.substr(wish.rfind(kHook));
}

/// One handler, or a group of them under one matcher.
bool guards_as(const Value& entry, const Value& ours) {
  const Peek here(entry), wanted(ours);
  if (!matches_as_much(here["matcher"].text(), wanted["matcher"].text())) return false;
  if (!wanted["hooks"].exists()) return calls_as(entry, ours);
  const Value& wish = wanted["hooks"].list()[0];
  return std::ranges::any_of(here["hooks"].list(),
                             [&](const Value& one) { return calls_as(one, wish); });
}

Lines lines_of(std::string_view text) {
  Lines out;
  for (const std::string_view line : split(text, '\n'))
    out.emplace_back(line);
  if (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

/// A file that nobody else writes: its head, then the guidance.
/// What agents read tells them the way; what their host reads does not.
bool has_guidance(const HostFile& file) { return !file.path.ends_with(".toml"); }

std::string whole_text(const HostFile& file) {
  std::string out(text_of(file));
  return has_guidance(file) ? out.append(data::find("setup/guidance.md")) : out;
}

/// The head names us, so what stands there was ours once.
bool is_our_whole(const HostFile& file, std::string_view text) {
  if (!has_guidance(file)) return text.starts_with("# Written by 'gatehouse init");
  return contains(text, file.host == Host::claude
                            ? "name: gatehouse\n"
                            : "Changes in this repository go through Gatehouse");
}

}  // namespace

std::span<const HostRow> hosts() { return kHosts; }
std::span<const HostFile> host_files() { return kFiles; }
std::span<const Enforcement> enforcement() { return kEnforcement; }
const Enforcement& enforcement_of(Host host) {
  return kEnforcement[kOwnRow[static_cast<std::size_t>(host)]];
}

const HostRow* find_host(std::string_view name) {
  const auto at = std::ranges::find(kHosts, name, &HostRow::name);
  return at == kHosts.end() ? nullptr : &*at;
}

bool is_our_entry(const Value& entry) {
  if (is_our_command(entry)) return true;
  const Map* map = entry.as_map();
  const Value* hooks = map == nullptr ? nullptr : map->find("hooks");
  const List* list = hooks == nullptr ? nullptr : hooks->as_list();
  return list != nullptr && !list->empty() && std::ranges::all_of(*list, is_our_command);
}

Result<std::string> with_ours(const HostFile& file, std::string_view text,
                              std::string_view command) {
  const std::string ours = pinned(text_of(file), command);
  switch (file.form) {
    case FileForm::json:
      return text.empty() ? laid_out(ours)
                          : merge_json(text, ours, is_our_entry, kOwnKey, file.path);
    case FileForm::toml_table:
      return with_toml_table(text, file.table, lines_of(ours), file.path);
    case FileForm::marked_text:
      return with_block(text, lines_of(ours), html_marks());
    case FileForm::whole:
      break;
  }
  if (!text.empty() && !is_our_whole(file, text))
    return fail(Code::conflict, fmt::format("{} is somebody else's", file.path));
  return whole_text(file);
}

Result<std::string> without_ours(const HostFile& file, std::string_view text) {
  switch (file.form) {
    case FileForm::json:
      return unmerge_json(text, text_of(file), is_our_entry, kOwnKey, file.path);
    case FileForm::toml_table:
      return without_toml_table(text, file.table, lines_of(text_of(file)), file.path);
    case FileForm::marked_text:
      return without_block(text, html_marks());
    case FileForm::whole:
      break;
  }
  return is_our_whole(file, text) ? std::string() : std::string(text);
}

std::string snippet(const HostFile& file, std::string_view command) {
  const std::string ours = pinned(text_of(file), command);
  if (file.form == FileForm::json) return laid_out(ours);
  if (file.form == FileForm::toml_table) return fmt::format("[{}]\n{}", file.table, ours);
  return file.form == FileForm::whole ? whole_text(file) : ours;
}

std::span<const std::string_view> event_names(Host host) {
  switch (host) {
    case Host::claude:
      return kClaudeEvents;
    case Host::codex:
      return kCodexEvents;
    case Host::cursor:
      return kCursorEvents;
    case Host::vscode:
      return kVscodeEvents;
    case Host::gemini:
      return kGeminiEvents;
  }
  return {};
}

std::vector<std::string> unknown_events(Host host, const Value& document) {
  const Map* root = document.as_map();
  const Value* hooks = root == nullptr ? nullptr : root->find("hooks");
  std::vector<std::string> out;
  if (hooks == nullptr || hooks->as_map() == nullptr) return out;
  const auto known = event_names(host);
  for (const auto& [event, entries] : hooks->as_map()->entries()) {
    const List* list = entries.as_list();
    const bool has_ours = list != nullptr && std::ranges::any_of(*list, is_our_entry);
    if (has_ours && std::ranges::find(known, event) == known.end()) out.push_back(event);
  }
  return out;
}

std::string guard_defect(const HostFile& file, std::string_view text) {
  if (file.form != FileForm::json) return {};
  const auto ours = wire::read_json(text_of(file));
  const Peek wanted(*ours);
  if (!wanted["hooks"].exists()) return {};
  if (text.empty()) return fmt::format("{} is missing", file.path);
  const auto json = JsonText::read(text, file.path);
  if (!json) return fmt::format("{} cannot be read, by its host neither", file.path);
  const Value document = json->value_of(JsonText::kRoot);
  const Peek here(document);
  if (here["disableAllHooks"].is_true())
    return fmt::format("{} switches all hooks off (disableAllHooks)", file.path);
  for (const std::string_view event : kGuards) {
    if (!wanted["hooks"][event].exists()) continue;
    const Value& wish = wanted["hooks"][event].list()[0];
    const List& entries = here["hooks"][event].list();
    if (std::ranges::any_of(entries, [&](const Value& one) { return guards_as(one, wish); }))
      continue;
    return fmt::format("{}: its {} hook does not call '{} hook' as init writes it", file.path,
                       event, kBare);
  }
  return {};
}

namespace {

void collect_programs(const Value& value, std::vector<std::string>& out) {
  if (is_our_command(value)) {
    const std::string_view command = Peek(value)["command"].text();
    std::string program(command.substr(0, command.rfind(" hook ")));
    std::erase_if(program, [](char c) { return c == '\'' || c == '"'; });
    if (std::ranges::find(out, program) == out.end()) out.push_back(std::move(program));
  }
  if (const List* list = value.as_list())
    for (const Value& one : *list)
      collect_programs(one, out);
  if (const Map* map = value.as_map())
    for (const auto& [key, one] : map->entries())
      collect_programs(one, out);
}

}  // namespace

std::vector<std::string> called_programs(const HostFile& file, std::string_view text) {
  std::vector<std::string> out;
  if (file.form != FileForm::json) return out;
  const auto json = JsonText::read(text, file.path);
  if (!json) return out;
  const Value document = json->value_of(JsonText::kRoot);
  if (const Map* map = document.as_map(); map != nullptr && map->find("hooks") != nullptr)
    collect_programs(*map->find("hooks"), out);
  return out;
}

std::string synthetic_write(Host host, std::string_view root) {
  const std::string file = fmt::format("{}/gatehouse-self-test.txt", root);
  const std::string session = "gatehouse-self-test";
  Map out;
  const auto tool = [&](std::string_view event, std::string_view name, Map input) {
    out = Map{{"session_id", session},
              {"cwd", root},
              {"hook_event_name", event},
              {"tool_name", name},
              {"tool_input", std::move(input)}};
  };
  switch (host) {
    case Host::claude:
      tool("PreToolUse", "Write", Map{{"file_path", file}, {"content", "x"}});
      break;
    case Host::codex:
      tool("PreToolUse", "apply_patch",
           Map{{"command",
                fmt::format("*** Begin Patch\n*** Add File: {}\n+x\n*** End Patch\n", file)}});
      break;
    case Host::cursor:
      tool("preToolUse", "Write", Map{{"file_path", file}});
      out.set("conversation_id", session);
      out.set("workspace_roots", List{Value(root)});
      break;
    case Host::vscode:
      tool("PreToolUse", "createFile", Map{{"filePath", file}});
      break;
    case Host::gemini:
      tool("BeforeTool", "write_file", Map{{"file_path", file}, {"content", "x"}});
      break;
  }
  return wire::canonical_json(out);
}

bool is_denied(Host host, int exit_code, std::string_view answer) {
  const auto document = wire::read_json(answer);
  if (exit_code != 0 || !document) return false;
  const Peek said(*document);
  if (host == Host::cursor) return said["permission"].text() == "deny";
  if (host == Host::gemini) return said["decision"].text() == "deny";
  return said["hookSpecificOutput"]["permissionDecision"].text() == "deny";
}

}  // namespace gh::setup
