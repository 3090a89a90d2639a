#include "hooks/event.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "shell/patch_text.h"
#include "wire/json.h"

namespace gh::hooks {
namespace {

struct HostRow {
  Host host;
  std::string_view name;
};
// table: hook_hosts
constexpr std::array kHosts{HostRow{Host::claude, "claude"}, HostRow{Host::codex, "codex"},
                            HostRow{Host::cursor, "cursor"}, HostRow{Host::vscode, "vscode"},
                            HostRow{Host::gemini, "gemini"}};

struct KindRow {
  EventKind kind;
  std::string_view name;
};
// table: hook_event_kinds
constexpr std::array kKinds{
    KindRow{EventKind::pre_tool, "pre_tool"}, KindRow{EventKind::post_tool, "post_tool"},
    KindRow{EventKind::stop, "stop"},         KindRow{EventKind::session_start, "session_start"},
    KindRow{EventKind::prompt, "prompt"},     KindRow{EventKind::other, "other"}};

struct ClassRow {
  ToolClass tool_class;
  std::string_view name;
};
// table: hook_tool_classes
constexpr std::array kClasses{ClassRow{ToolClass::write, "write"},
                              ClassRow{ToolClass::shell, "shell"}, ClassRow{ToolClass::mcp, "mcp"},
                              ClassRow{ToolClass::read, "read"},
                              ClassRow{ToolClass::other, "other"}};

/// Which hosts a row speaks of.
enum Hosts : std::uint8_t {
  kClaude = 1,
  kCodex = 2,
  kCursor = 4,
  kVscode = 8,
  kGemini = 16,
  kClaudeLike = kClaude | kCodex | kVscode
};
constexpr std::uint8_t bit(Host host) {
  return static_cast<std::uint8_t>(1u << static_cast<unsigned>(host));
}

struct EventRow {
  std::uint8_t hosts;
  std::string_view name;
  EventKind kind;
};
// clang-format off
// table: hook_events
constexpr std::array kEvents{
    EventRow{kClaudeLike, "PreToolUse",           EventKind::pre_tool},
    EventRow{kClaudeLike, "PostToolUse",          EventKind::post_tool},
    EventRow{kClaude,     "PostToolUseFailure",   EventKind::post_tool},
    EventRow{kClaudeLike, "Stop",                 EventKind::stop},
    EventRow{kClaudeLike, "SubagentStop",         EventKind::stop},
    EventRow{kClaudeLike, "SessionStart",         EventKind::session_start},
    EventRow{kClaudeLike, "UserPromptSubmit",     EventKind::prompt},
    EventRow{kCursor,     "preToolUse",           EventKind::pre_tool},
    EventRow{kCursor,     "beforeShellExecution", EventKind::pre_tool},
    EventRow{kCursor,     "beforeMCPExecution",   EventKind::pre_tool},
    EventRow{kCursor,     "postToolUse",          EventKind::post_tool},
    EventRow{kCursor,     "afterFileEdit",        EventKind::post_tool},
    EventRow{kCursor,     "stop",                 EventKind::stop},
    EventRow{kCursor,     "sessionStart",         EventKind::session_start},
    EventRow{kCursor,     "beforeSubmitPrompt",   EventKind::prompt},
    EventRow{kGemini,     "BeforeTool",           EventKind::pre_tool},
    EventRow{kGemini,     "AfterTool",            EventKind::post_tool},
    EventRow{kGemini,     "AfterAgent",           EventKind::stop},
    EventRow{kGemini,     "SessionStart",         EventKind::session_start},
    EventRow{kGemini,     "BeforeAgent",          EventKind::prompt},
};

struct ToolRow {
  std::uint8_t hosts;
  std::string_view name;
  ToolClass tool_class;
  // of a writing tool the path, of a shell tool the command; empty: it runs code of the project, and
  // files that it names are what it runs
  std::string_view member;
  bool is_patch = false;    // the paths stand inside of the texts it is given
};
// table: hook_tools
constexpr std::array kTools{
    ToolRow{kClaude, "Write",              ToolClass::write, "file_path"},
    ToolRow{kClaude, "Edit",               ToolClass::write, "file_path"},
    ToolRow{kClaude, "MultiEdit",          ToolClass::write, "file_path"},
    ToolRow{kClaude, "NotebookEdit",       ToolClass::write, "notebook_path"},
    ToolRow{kClaude, "Bash",               ToolClass::shell, "command"},
    ToolRow{kClaude, "Read",               ToolClass::read,  ""},
    ToolRow{kClaude, "Glob",               ToolClass::read,  ""},
    ToolRow{kClaude, "Grep",               ToolClass::read,  ""},
    ToolRow{kClaude, "LS",                 ToolClass::read,  ""},
    ToolRow{kClaude, "NotebookRead",       ToolClass::read,  ""},
    ToolRow{kClaude, "LSP",                ToolClass::read,  ""},
    ToolRow{kClaude, "ReadMcpResourceTool", ToolClass::read, ""},
    ToolRow{kClaude, "ListMcpResourcesTool", ToolClass::read, ""},
    ToolRow{kCodex,  "apply_patch",        ToolClass::write, "", true},
    ToolRow{kCodex,  "Write",              ToolClass::write, "", true},
    ToolRow{kCodex,  "Edit",               ToolClass::write, "", true},
    ToolRow{kCodex,  "Bash",               ToolClass::shell, "command"},
    ToolRow{kCodex,  "view_image",         ToolClass::read,  ""},
    ToolRow{kCursor, "Write",              ToolClass::write, "file_path"},
    ToolRow{kCursor, "StrReplace",         ToolClass::write, "file_path"},
    ToolRow{kCursor, "ApplyPatch",         ToolClass::write, "", true},
    ToolRow{kCursor, "Edit",               ToolClass::write, "file_path"},
    ToolRow{kCursor, "Delete",             ToolClass::write, "file_path"},
    ToolRow{kCursor, "TabWrite",           ToolClass::write, "file_path"},
    ToolRow{kCursor, "Shell",              ToolClass::shell, "command"},
    ToolRow{kCursor, "Read",               ToolClass::read,  ""},
    ToolRow{kCursor, "Glob",               ToolClass::read,  ""},
    ToolRow{kCursor, "Grep",               ToolClass::read,  ""},
    ToolRow{kCursor, "LS",                 ToolClass::read,  ""},
    ToolRow{kCursor, "ReadLints",          ToolClass::read,  ""},
    ToolRow{kCursor, "SemanticSearch",     ToolClass::read,  ""},
    ToolRow{kVscode, "apply_patch",        ToolClass::write, "", true},
    ToolRow{kVscode, "editFiles",          ToolClass::write, "files"},
    ToolRow{kVscode, "createFile",         ToolClass::write, "filePath"},
    ToolRow{kVscode, "runTerminalCommand", ToolClass::shell, "command"},
    ToolRow{kVscode, "readFile",           ToolClass::read,  ""},
    ToolRow{kVscode, "listDirectory",      ToolClass::read,  ""},
    ToolRow{kVscode, "read_file",          ToolClass::read,  ""},
    ToolRow{kVscode, "list_dir",           ToolClass::read,  ""},
    ToolRow{kVscode, "file_search",        ToolClass::read,  ""},
    ToolRow{kVscode, "grep_search",        ToolClass::read,  ""},
    ToolRow{kVscode, "semantic_search",    ToolClass::read,  ""},
    ToolRow{kVscode, "test_search",        ToolClass::read,  ""},
    ToolRow{kVscode, "list_code_usages",   ToolClass::read,  ""},
    ToolRow{kVscode, "get_errors",         ToolClass::read,  ""},
    ToolRow{kVscode, "get_changed_files",  ToolClass::read,  ""},
    ToolRow{kVscode, "view_image",         ToolClass::read,  ""},
    ToolRow{kVscode, "copilot_getNotebookSummary", ToolClass::read, ""},
    ToolRow{kVscode, "read_notebook_cell_output", ToolClass::read, ""},
    ToolRow{kVscode, "vscode_listCodeUsages", ToolClass::read, ""},
    ToolRow{kVscode, "copilot_listCodeUsages", ToolClass::read, ""},
    ToolRow{kVscode, "copilot_getErrors",  ToolClass::read,  ""},
    ToolRow{kVscode, "copilot_getChangedFiles", ToolClass::read, ""},
    ToolRow{kVscode, "copilot_findTestFiles", ToolClass::read, ""},
    ToolRow{kVscode, "copilot_readFile",   ToolClass::read,  ""},
    ToolRow{kVscode, "copilot_listDirectory", ToolClass::read, ""},
    ToolRow{kVscode, "copilot_viewImage",  ToolClass::read,  ""},
    ToolRow{kVscode, "problems",           ToolClass::read,  ""},
    ToolRow{kVscode, "usages",             ToolClass::read,  ""},
    ToolRow{kVscode, "runTests",           ToolClass::shell, ""},
    ToolRow{kVscode, "run_tests",          ToolClass::shell, ""},
    ToolRow{kGemini, "write_file",         ToolClass::write, "file_path"},
    ToolRow{kGemini, "replace",            ToolClass::write, "file_path"},
    ToolRow{kGemini, "run_shell_command",  ToolClass::shell, "command"},
    ToolRow{kGemini, "read_file",          ToolClass::read,  ""},
    ToolRow{kGemini, "read_many_files",    ToolClass::read,  ""},
    ToolRow{kGemini, "list_directory",     ToolClass::read,  ""},
    ToolRow{kGemini, "glob",               ToolClass::read,  ""},
    ToolRow{kGemini, "search_file_content", ToolClass::read, ""},
};
// clang-format on

/// What hosts and MCP servers call the files that a tool is about: also both ends of a move.
// clang-format off
// table: hook_path_members
constexpr std::array<std::string_view, 51> kPathMembers{
    "file_path", "filePath", "path", "notebook_path", "files", "target_file",
    "file", "filename", "fileName", "file_name", "filepath", "paths", "file_paths", "filePaths",
    "notebookPath", "targetFile", "target_path", "targetPath", "target",
    "source", "source_path", "sourcePath", "src", "from_path", "fromPath", "old_path", "oldPath",
    "destination", "destination_path", "destinationPath", "dest", "dst", "to_path", "toPath",
    "new_path", "newPath", "output_path", "outputPath", "output_file", "absolute_path", "absolutePath",
    "relative_path", "relativePath", "relative_file_path", "relativeFilePath", "rel_path", "relPath",
    "relative_paths", "relativePaths", "pathInProject", "full_path"};
/// The same, named by an address: only those of files count.
// table: hook_address_members
constexpr std::array<std::string_view, 6> kAddressMembers{"uri",      "uris",     "file_uri",
                                                          "fileUri", "new_uri", "newUri"};
// clang-format on
// table: hook_folder_members
constexpr std::array<std::string_view, 4> kFolderMembers{"dir_path", "workdir", "working_directory",
                                                         "cwd"};
// table: hook_command_members
constexpr std::array<std::string_view, 2> kCommandMembers{"command", "cmd"};
// table: hook_mcp_prefixes
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kMcpPrefixes{
    std::pair{"mcp__", "__"}, std::pair{"mcp_", "_"}};

/// Tools of common servers that only read. The tree is looked at after them all the same: a server
/// may call anything so.
// clang-format off
// table: hook_mcp_reads
constexpr std::array<std::string_view, 43> kMcpReads{
    "read_file", "read_text_file", "read_media_file", "read_multiple_files", "list_directory", "list_directory_with_sizes",
    "directory_tree", "search_files", "get_file_info", "get_file_contents", "list_allowed_directories",
    "getDiagnostics", "list_dir", "find_file", "search_for_pattern", "get_symbols_overview", "find_symbol",
    "find_referencing_symbols", "find_referencing_code_snippets", "get_file_text_by_path", "get_file_problems",
    "list_directory_tree", "git_status", "git_diff", "git_diff_staged", "git_diff_unstaged", "git_log", "git_show",
    "start_search", "get_more_search_results", "hover", "definition", "references", "diagnostics",
    "open_file_in_editor", "lint-files", "semgrep_scan", "security_check", "browser_click", "browser_hover",
    "browser_type", "browser_select_option", "browser_snapshot"};
// clang-format on
/// What only a tool of a forge is given: the files that it names are in that repository, not here.
// table: hook_forge_members
constexpr std::array<std::string_view, 2> kForgeMembers{"owner", "repo"};

template <class Rows, class Key>
std::string_view name_in(const Rows& rows, Key key) {
  for (const auto& row : rows)
    if (const auto& [first, name] = row; first == key) return name;
  return {};
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char low = static_cast<char>(c | 0x20);
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : digit_of(text[i + 2]);
    out += low < 0 ? text[i] : static_cast<char>(high * 16 + low);
    if (low >= 0) i += 2;
  }
  return out;
}

bool has_scheme(std::string_view text) {
  const std::size_t end = text.find("://");
  return end != text.npos && end > 0 && text.find_first_of("/ ") == end + 1;
}

/// The path behind file:///a%20b and file:/a; any other text is one already.
std::string path_behind(std::string_view text) {
  constexpr std::string_view kScheme = "file:", kHere = "localhost";
  const bool is_file = text.size() > kScheme.size() &&
                       std::ranges::equal(text.substr(0, kScheme.size()), kScheme,
                                          [](char a, char b) { return (a | 0x20) == (b | 0x20); });
  if (!is_file || text[kScheme.size()] != '/') return std::string(text);
  text.remove_prefix(kScheme.size());
  if (text.starts_with("//")) text.remove_prefix(2);
  if (text.starts_with(kHere)) text.remove_prefix(kHere.size());
  return unescaped(text.substr(0, text.find_first_of("?#")));
}

bool is_address(std::string_view member) {
  return std::ranges::find(kAddressMembers, member) != kAddressMembers.end();
}
/// An address of something else than a file.
bool leads_elsewhere(std::string_view text) {
  return has_scheme(text) && path_behind(text) == text;
}

/// A path, or the paths of a list; an entry of a list may be an object that holds one.
void add_paths(std::string_view member, const Value& value, std::set<std::string>& out) {
  const auto add = [&](std::string_view path) {
    if (path.empty() || (is_address(member) && leads_elsewhere(path))) return;
    std::string behind = path_behind(path);
    if (out.size() <= kMaxTargets) out.insert(behind.empty() ? std::string(path) : behind);
  };
  if (const std::string* path = value.as_string()) return add(*path);
  for (const Value& entry : Peek(value).list()) {
    if (const std::string* path = entry.as_string()) add(*path);
    for (const std::string_view inner : kPathMembers)
      add(Peek(entry)[inner].text());
  }
}

/// The input and all that it holds, however deep: hosts put paths and commands into lists and
/// objects.
template <class Visit>
void each_value(const Value& input, Visit visit) {
  std::vector<const Value*> open{&input};
  while (!open.empty()) {
    const Value& here = *open.back();
    open.pop_back();
    visit(here);
    for (const auto& [name, value] : Peek(here).map().entries())
      open.push_back(&value);
    for (const Value& entry : Peek(here).list())
      open.push_back(&entry);
  }
}

/// Every member of it.
template <class Visit>
void each_member(const Value& input, Visit visit) {
  each_value(input, [&](const Value& here) {
    for (const auto& [name, value] : Peek(here).map().entries())
      visit(name, value);
  });
}

/// Does the member name files? An address of something else does not.
bool is_path_member(std::string_view name, const Value& value) {
  if (std::ranges::find(kPathMembers, name) != kPathMembers.end()) return true;
  return is_address(name) && !leads_elsewhere(Peek(value).text());
}

bool names_a_file(const Value& input) {
  bool out = false;
  each_member(input, [&](std::string_view name, const Value& value) {
    out |= is_path_member(name, value);
  });
  return out;
}

constexpr std::string_view kMcpEvent = "beforeMCPExecution";
constexpr std::size_t kMaxInputDepth = 64;

/// A command that nobody can read is one whose program only the shell knows.
constexpr std::string_view kUnreadable = "\"$unreadable\"";

std::string in_quotes(std::string_view word) {
  std::string out = "'";
  for (const char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// A text, or a program with its arguments as a list.
std::string command_of(const Value& value) {
  if (const std::string* text = value.as_string()) return *text;
  std::string out;
  for (const Value& word : Peek(value).list()) {
    if (word.as_string() == nullptr) return std::string(kUnreadable);
    out += (out.empty() ? "" : " ") + in_quotes(*word.as_string());
  }
  return out.empty() ? std::string(kUnreadable) : out;
}

/// Of a tool that nobody has told us about; empty when it names none.
std::string any_command(const Value& input) {
  std::string out;
  each_member(input, [&](std::string_view name, const Value& value) {
    const bool is_command = std::ranges::find(kCommandMembers, name) != kCommandMembers.end();
    if (is_command) out += (out.empty() ? "" : "\n") + command_of(value);
  });
  return out;
}

/// What the patches in its texts may write.
struct Patched {
  std::set<std::string>& targets;
  bool is_elsewhere = false, is_too_long = false, was_read = false;

  void read(std::string_view text) {
    const shell::PatchText patch = shell::read_patch_text(text);
    is_elsewhere = is_elsewhere || (patch.is_elsewhere && !patch.paths.empty());
    is_too_long = is_too_long || patch.is_too_long;
    was_read = was_read || !patch.paths.empty();
    if (targets.size() <= kMaxTargets) targets.insert(patch.paths.begin(), patch.paths.end());
  }
  static bool begins_in(const Value& input) {
    bool out = false;
    each_value(input, [&](const Value& value) {
      out = out || shell::read_patch_text(Peek(value).text()).begins;
    });
    return out;
  }
  /// Every text, however deep: of members, of lists, or the input itself.
  void read_all(const Value& input) {
    each_value(input, [&](const Value& value) {
      if (const std::string* text = value.as_string()) read(*text);
    });
  }
};

/// The server of a tool that an MCP server offers, from its name.
std::string_view server_of(std::string_view tool) {
  for (const auto& [prefix, separator] : kMcpPrefixes) {
    if (!tool.starts_with(prefix)) continue;
    tool.remove_prefix(prefix.size());
    return tool.substr(0, tool.find(separator));
  }
  return {};
}

/// The name that the server itself has for the tool.
std::string_view without_server(std::string_view tool) {
  for (const auto& [prefix, separator] : kMcpPrefixes) {
    if (!tool.starts_with(prefix)) continue;
    const std::size_t end = tool.find(separator, prefix.size());
    return end == tool.npos ? tool : tool.substr(end + separator.size());
  }
  return tool;
}

/// Cursor tells how the server is reached instead of its name.
std::string started_server(const Peek& document) {
  const std::string_view command = document["command"].text();
  const std::string_view program = command.substr(0, command.find(' '));
  return std::string(program.empty() ? "unknown" : program);
}

bool is_of_forge(const Value& input) {
  return std::ranges::all_of(
      kForgeMembers, [&](std::string_view member) { return !Peek(input)[member].text().empty(); });
}

/// The object inside of a text: some hosts send the input of a tool so.
Value read_inside(const Value* input) {
  const std::string* text = input == nullptr ? nullptr : input->as_string();
  if (text == nullptr) return {};
  return wire::read_json(*text, "tool_input",
                         {.max_bytes = kMaxEventBytes, .max_depth = kMaxInputDepth})
      .value_or(Value());
}

/// Some hosts write names of members in one word.
std::string_view either(const Peek& root, std::string_view name, std::string_view in_one_word) {
  return root[name].exists() ? root[name].text() : root[in_one_word].text();
}

/// Of a tool that nobody told us about. One word beside a file is the name of an action, more are a
/// command.
ToolClass class_of_unknown(bool names_files, bool has_targets, std::string_view command) {
  if (names_files && command.find_first_of(" \t\n;|&<>$") == command.npos) return ToolClass::write;
  if (!command.empty()) return ToolClass::shell;
  return has_targets ? ToolClass::write : ToolClass::other;
}

/// False: it names more files than are looked at.
bool read_tool(const Value& document, Event& event) {
  const Peek root(document);
  event.tool = root["tool_name"].text();
  event.tool_call = root["tool_use_id"].text();
  const Value* found = root.map().find("tool_input");
  const Value inside = read_inside(found);
  const bool is_text = found == nullptr || found->as_string() != nullptr;
  const Value& input = is_text ? inside : *found;
  event.mcp_server = root["mcp_server"]["name"].text();
  if (event.mcp_server.empty()) event.mcp_server = server_of(event.tool);
  if (event.mcp_server.empty() && event.name == kMcpEvent) event.mcp_server = started_server(root);
  std::set<std::string> targets;
  const auto row = std::ranges::find_if(kTools, [&](const ToolRow& candidate) {
    return (candidate.hosts & bit(event.host)) != 0 && candidate.name == event.tool;
  });
  const auto add_named = [&] {
    each_member(input, [&](std::string_view name, const Value& value) {
      if (is_path_member(name, value)) add_paths(name, value, targets);
    });
  };
  Patched patched{targets};
  const auto read_patches = [&] {
    patched.read_all(input);
    if (is_text && found != nullptr && input.is_null()) patched.read(*found->as_string());
  };
  if (row != kTools.end()) {
    event.tool_class = row->tool_class;
    if (row->tool_class == ToolClass::shell) {
      const Value* command = Peek(input).map().find(row->member);
      event.command = row->member.empty()  ? event.tool
                      : command != nullptr ? command_of(*command)
                                           : std::string(kUnreadable);
    }
    if (row->tool_class == ToolClass::write) add_named();
    if (row->is_patch) read_patches();
  } else if (!event.mcp_server.empty()) {
    event.tool_class = ToolClass::mcp;
    const bool reads =
        std::ranges::find(kMcpReads, without_server(event.tool)) != kMcpReads.end() ||
        is_of_forge(input);
    if (!reads) add_named();
    if (!reads) read_patches();
    event.command = any_command(input);  // of a server that runs them
  } else {
    const bool names_files = names_a_file(input);
    add_named();
    // The text of a file may speak of patches; one that begins a patch may be one all the same.
    if (!names_files || patched.begins_in(input)) read_patches();
    event.command = any_command(input);
    event.tool_class = class_of_unknown(names_files, !targets.empty(), event.command);
    if (event.tool_class == ToolClass::write) event.command.clear();
  }
  event.is_elsewhere = patched.is_elsewhere;
  event.takes_patch = patched.was_read;
  event.targets.assign(targets.begin(), targets.end());
  if (!event.command.empty())
    for (const std::string_view member : kFolderMembers)
      if (event.folder.empty()) event.folder = Peek(input)[member].text();
  return !patched.is_too_long && targets.size() <= kMaxTargets;
}

/// Events of Cursor that carry what a tool would.
void read_special(const Value& document, Event& event) {
  const Peek root(document);
  if (event.name == "beforeShellExecution") {
    event.tool = "Shell";
    event.tool_class = ToolClass::shell;
    event.command = root["command"].text();
  } else if (event.name == "afterFileEdit") {
    event.tool = "Write";
    event.tool_class = ToolClass::write;
    if (root["file_path"].exists()) event.targets = {std::string(root["file_path"].text())};
  }
}

}  // namespace

std::string_view to_string(Host host) { return name_in(kHosts, host); }
std::string_view to_string(EventKind kind) { return name_in(kKinds, kind); }
std::string_view to_string(ToolClass tool_class) { return name_in(kClasses, tool_class); }

std::optional<Host> host_named(std::string_view name) {
  for (const HostRow& row : kHosts)
    if (row.name == name) return row.host;
  return std::nullopt;
}

EventKind kind_named(Host host, std::string_view name) {
  for (const EventRow& row : kEvents)
    if ((row.hosts & bit(host)) != 0 && row.name == name) return row.kind;
  for (const KindRow& row : kKinds)
    if (row.name == name) return row.kind;
  return EventKind::other;
}

std::string_view name_on(const Event& event) {
  std::string_view usual = event.name;
  for (const EventRow& row : kEvents) {
    if ((row.hosts & bit(event.host)) == 0 || row.kind != event.kind) continue;
    if (row.name == event.name) return row.name;
    if (usual == event.name) usual = row.name;
  }
  return usual;
}

Result<Event> read_event(Host host, const Value& document, std::string_view wanted) {
  if (document.as_map() == nullptr)
    return fail(Code::bad_argument, "the event of a hook is a JSON object");
  const Peek root(document);
  Event event{.host = host};
  event.name = !wanted.empty() ? wanted : either(root, "hook_event_name", "hookEventName");
  event.kind = kind_named(host, event.name);
  event.session = either(root, "session_id", "sessionId");
  if (event.session.empty()) event.session = root["conversation_id"].text();
  event.agent = root["agent_id"].text();
  if (event.agent.empty()) event.agent = event.session;
  event.cwd = root["cwd"].text();
  if (!root["workspace_roots"].list().empty())
    event.project = Peek(root["workspace_roots"].list()[0]).text();
  if (event.cwd.empty()) event.cwd = event.project;
  event.loop = root["stop_hook_active"].is_true() || root["loop_count"].number() > 0;
  const bool is_unknown_step = event.kind == EventKind::other && root["tool_name"].exists() &&
                               !root["tool_response"].exists();
  if (event.kind == EventKind::pre_tool || event.kind == EventKind::post_tool || is_unknown_step) {
    if (!read_tool(document, event))
      return fail(Code::bad_argument, fmt::format("a step names more than {} files", kMaxTargets));
    read_special(document, event);
  }
  return event;
}

}  // namespace gh::hooks
