#include "powers/rule.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"
#include "powers/pattern.h"
#include "powers/words.h"
#include "shell/classify.h"

namespace gh::powers {
namespace {

// --------------------------------------------------------------------------------- what weighs

struct ProgramRow {
  std::string_view programs;  // names, separated by blanks
  Weight weight;
};
// table: programs that do more than their name says, when their arguments are open
// clang-format off
constexpr ProgramRow kPrograms[] = {
    // they run whatever command they are given
    {"bash sh zsh dash ksh fish csh tcsh busybox cmd powershell pwsh eval exec source . command builtin sudo su doas env nohup time timeout xargs parallel watch script setsid nice stdbuf ssh osascript", Weight::critical},
    // they run whatever code they are given, or fetch and run it
    {"python python2 python3 node deno bun ruby perl php lua Rscript java go cargo rustc gcc awk gawk npx pnpx bunx uvx uv pipx npm pnpm yarn pip pip3 poetry gem make docker podman kubectl helm terraform ansible vagrant", Weight::high},
    // they carry data away, or bring something in
    {"curl wget nc ncat socat telnet scp sftp rsync ftp gh glab aws gcloud az gsutil", Weight::high},
    // they cannot be undone, or reach others
    {"rm dd mkfs shred chmod chown kill pkill killall systemctl crontab at git hg svn tee find", Weight::high},
};
// table: tools of Claude Code by what all of their uses together may do
struct ToolRow {
  std::string_view tools;
  Weight all, some;
};
constexpr ToolRow kTools[] = {
    {"Bash PowerShell Monitor", Weight::critical, Weight::medium},
    {"Edit Write MultiEdit NotebookEdit", Weight::critical, Weight::medium},
    {"WebFetch", Weight::high, Weight::medium},
    {"WebSearch", Weight::medium, Weight::medium},
    {"Read Grep Glob LS NotebookRead LSP", Weight::medium, Weight::low},
    {"Agent Task Skill SlashCommand", Weight::medium, Weight::medium},
    {"TodoWrite TodoRead TaskCreate TaskGet TaskList TaskUpdate TaskOutput TaskStop ExitPlanMode AskUserQuestion ToolSearch BashOutput KillShell EnterPlanMode", Weight::low, Weight::low},
};
// table: names that stand for the same tool, or for one that takes its rules too
struct FamilyRow {
  std::string_view wide, narrow;
};
constexpr FamilyRow kFamilies[] = {
    {"Edit", "Write"}, {"Edit", "MultiEdit"}, {"Edit", "NotebookEdit"},
    {"Read", "Grep"}, {"Read", "Glob"}, {"Read", "LS"}, {"Read", "NotebookRead"},
    {"Agent", "Task"}, {"Task", "Agent"},
};
// table: paths that hold secrets, or say what an agent may do
constexpr std::string_view kSecretPaths[] = {".ssh", ".aws", ".gnupg", ".kube", ".env", "secret", "credential", ".npmrc", ".netrc", "id_rsa", ".pem", ".config/gcloud", ".docker"};
constexpr std::string_view kControlPaths[] = {".claude", ".codex", ".cursor", ".vscode", ".gemini", ".git", ".mcp.json", "CLAUDE.md", "AGENTS.md", "gatehouse.yaml"};
// clang-format on

// --------------------------------------------------------------------------------- Tool(what)

struct Call {
  std::string_view tool, what;
  bool is_all = true;
};

Call call_of(std::string_view rule) {
  rule = without_margin(rule);
  const std::size_t open = rule.find('(');
  if (open == rule.npos || !rule.ends_with(')')) return {rule, {}, true};
  Call out{without_margin(rule.substr(0, open)),
           without_margin(rule.substr(open + 1, rule.size() - open - 2)), false};
  out.is_all = out.what.empty() || out.what == "*" || out.what == ":*" || out.what == "*:*" ||
               out.what == "domain:*";
  return out;
}

// --------------------------------------------------------------------------------- commands

/// The patterns that a rule of commands stands for together: `a *` and `a:*` also take `a` alone.
std::vector<std::string> command_patterns(std::string_view what) {
  std::string text(without_margin(what));
  if (text.ends_with(":*")) text.replace(text.size() - 2, 2, " *");
  std::vector<std::string> out{text};
  if (text.ends_with(" *") && std::ranges::count(text, '*') == 1)
    out.push_back(text.substr(0, text.size() - 2));
  return out;
}

bool command_covers(std::string_view wide, std::string_view narrow) {
  const auto w = command_patterns(wide), n = command_patterns(narrow);
  return std::ranges::all_of(n, [&](const std::string& one) {
    return std::ranges::any_of(w, [&](const std::string& all) { return takes_all_of(all, one); });
  });
}

/// Of a command whose first words are known: `what` without the open end.
Weight weight_of_command(std::string_view words, bool is_open) {
  const std::string_view known = without_margin(words);
  const std::string_view program = known.substr(0, known.find(' '));
  if (program.empty() || program.find('*') != program.npos) {
    // A star behind some letters of a name is a family of programs, one in front is every program.
    return program.empty() || program.front() == '*' ? Weight::critical : Weight::medium;
  }
  const bool is_bare = program == known;
  const std::size_t slash = program.rfind('/');
  const std::string_view name = slash == program.npos ? program : program.substr(slash + 1);
  for (const ProgramRow& row : kPrograms)
    if (is_among(row.programs, name)) {
      // With a first argument fixed only shells still run anything: `bash -c *`.
      if (is_open && (is_bare || row.weight == Weight::critical)) return row.weight;
      if (row.weight == Weight::critical) return Weight::high;
    }
  const bool has_star = known.find('*') != known.npos;
  if (has_star && name == "git") return Weight::high;  // -c runs programs, push sends
  if (name == "git" && known.starts_with("git push")) return Weight::high;
  if (known.starts_with("rm ")) return Weight::high;
  if (name == "git") {  // what writes no file still moves refs, and refs are what others pull
    const std::string_view rest = without_margin(known.substr(program.size()));
    constexpr std::string_view kReads =
        "status log diff show ls-files ls-tree rev-parse describe blame grep shortlog cat-file";
    if (!is_among(kReads, rest.substr(0, rest.find(' ')))) return Weight::medium;
  }
  const auto read = shell::classify(known);
  return read.shell_class == shell::ShellClass::read_only && !has_star ? Weight::low
                                                                       : Weight::medium;
}

Weight weight_of_command_rule(std::string_view what) {
  std::string text(without_margin(what));
  if (text.ends_with(":*")) text.replace(text.size() - 2, 2, " *");
  const bool is_open = text.ends_with(" *");
  if (is_open) text.resize(text.size() - 2);
  return weight_of_command(text, is_open);
}

// --------------------------------------------------------------------------------- paths

/// As parts that begin with what they are relative to: the machine, the home, the project.
std::string anchored(std::string_view path) {
  path = without_margin(path);
  if (path.starts_with("//")) return "/" + std::string(path.substr(2));
  if (path.starts_with("~")) return "~/" + std::string(path.substr(1));
  if (path.starts_with("./")) return "./P/" + std::string(path.substr(2));
  if (path.starts_with("/")) return "./P" + std::string(path);
  const std::string_view inner = path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
  if (inner.find('/') != inner.npos || inner == "**") return "P/" + std::string(path);
  return "P/**/" + std::string(path);  // a bare name, at any depth
}

bool rule_path_covers(std::string_view wide, std::string_view narrow) {
  if (without_margin(wide) == "//**") return true;
  const std::string w = anchored(wide), n = anchored(narrow);
  if (w.front() == '~' || n.front() == '~' || w.front() == '/' || n.front() == '/')
    return w.front() == n.front() && path_takes_all_of(w, n);
  return path_takes_all_of(w, n);
}

Weight weight_of_path(std::string_view path, bool is_write) {
  const auto names = [&](auto& list) {
    return std::ranges::any_of(list, [&](std::string_view p) { return contains(path, p); });
  };
  const bool is_outside = path.starts_with("//") || path.starts_with("~") || contains(path, "..");
  if (names(kSecretPaths)) return Weight::high;
  if (is_write && (names(kControlPaths) || is_outside)) return Weight::high;
  const bool is_everything = path == "**" || path == "/**" || path == "./**" || path == "**/*";
  if (is_write) return is_everything ? Weight::high : Weight::medium;
  return is_outside || is_everything ? Weight::medium : Weight::low;
}

// --------------------------------------------------------------------------------- hosts

std::string_view domain_of(std::string_view what) {
  return what.starts_with("domain:") ? what.substr(7) : what;
}

/// mcp__server is every tool of the server: mcp__server__*.
std::string server_rule(std::string_view rule) {
  const std::string_view rest = rule.substr(5);
  if (rest.find("__") == rest.npos && !rest.ends_with('*')) return std::string(rule) + "__*";
  return std::string(rule);
}

bool is_family(std::string_view wide, std::string_view narrow) {
  return wide == narrow || std::ranges::any_of(kFamilies, [&](const FamilyRow& row) {
           return row.wide == wide && row.narrow == narrow;
         });
}

bool is_command_tool(std::string_view tool) { return is_among("Bash PowerShell Monitor", tool); }
bool is_path_tool(std::string_view tool) {
  return is_among("Read Grep Glob LS NotebookRead Edit Write MultiEdit NotebookEdit Cd", tool);
}
bool is_write_tool(std::string_view tool) {
  return is_among("Edit Write MultiEdit NotebookEdit", tool);
}

bool claude_covers(std::string_view wide, std::string_view narrow) {
  if (wide == "*") return true;
  if (wide.starts_with("mcp__") || narrow.starts_with("mcp__"))
    return wide.starts_with("mcp__") && narrow.starts_with("mcp__") &&
           takes_all_of(server_rule(wide), server_rule(narrow));
  const Call w = call_of(wide), n = call_of(narrow);
  if (!is_family(w.tool, n.tool)) return takes_all_of(w.tool, n.tool) && w.is_all;
  if (w.is_all) return true;
  if (n.is_all) return false;
  if (is_command_tool(w.tool)) return command_covers(w.what, n.what);
  if (is_path_tool(w.tool)) return rule_path_covers(w.what, n.what);
  if (w.tool == "WebFetch")
    return takes_all_of(small_letters(domain_of(w.what)), small_letters(domain_of(n.what)));
  return command_covers(w.what, n.what);
}

Weight claude_weight(std::string_view rule) {
  if (rule == "*") return Weight::critical;
  if (rule.starts_with("mcp__")) {
    const std::string whole = server_rule(rule);
    const std::string_view rest = std::string_view(whole).substr(5);
    if (rest.starts_with('*')) return Weight::critical;
    return rest.ends_with("__*") ? Weight::high : Weight::medium;
  }
  const Call call = call_of(rule);
  for (const ToolRow& row : kTools) {
    if (!is_among(row.tools, call.tool)) continue;
    if (call.is_all) return row.all;
    if (is_command_tool(call.tool)) return weight_of_command_rule(call.what);
    if (is_path_tool(call.tool)) return weight_of_path(call.what, is_write_tool(call.tool));
    return row.some;
  }
  return call.tool.find('*') != call.tool.npos ? Weight::high : Weight::medium;
}

struct Halves {
  std::string_view first, second;
};
/// `program:arguments`, `server:tool`: without the second half all of it.
Halves halves_of(std::string_view what) {
  const std::size_t colon = what.find(':');
  if (colon == what.npos) return {without_margin(what), "*"};
  return {without_margin(what.substr(0, colon)), without_margin(what.substr(colon + 1))};
}
bool halves_cover(std::string_view wide, std::string_view narrow) {
  const Halves w = halves_of(wide), n = halves_of(narrow);
  return takes_all_of(w.first, n.first) && takes_all_of(w.second, n.second);
}
Weight weight_of_server_tool(std::string_view what) {
  const Halves halves = halves_of(what);
  if (halves.first.find('*') != halves.first.npos && halves.first.front() == '*')
    return Weight::critical;
  return halves.second.starts_with('*') ? Weight::high : Weight::medium;
}

bool cursor_covers(std::string_view wide, std::string_view narrow) {
  const Call w = call_of(wide), n = call_of(narrow);
  if (w.tool != n.tool) return false;
  if (w.is_all || w.what == "**") return true;
  if (n.is_all) return false;
  if (w.tool == "Shell" || w.tool == "Mcp") return halves_cover(w.what, n.what);
  if (w.tool == "Read" || w.tool == "Write") return path_takes_all_of(w.what, n.what);
  return takes_all_of(small_letters(w.what), small_letters(n.what));
}

Weight cursor_weight(std::string_view rule) {
  const Call call = call_of(rule);
  if (call.tool == "Shell") {
    if (call.is_all || call.what == "**") return Weight::critical;
    const Halves halves = halves_of(call.what);
    if (halves.second == "*" || halves.second == "**") return weight_of_command(halves.first, true);
    return weight_of_command(std::string(halves.first) + " " + std::string(halves.second), false);
  }
  if (call.tool == "Mcp") return call.is_all ? Weight::critical : weight_of_server_tool(call.what);
  if (call.tool == "Write") return call.is_all ? Weight::critical : weight_of_path(call.what, true);
  if (call.tool == "Read") return call.is_all ? Weight::medium : weight_of_path(call.what, false);
  return call.is_all ? Weight::high : Weight::medium;
}

/// The first words of a command, and everything that may follow them.
bool words_cover(std::string_view wide, std::string_view narrow) {
  wide = without_margin(wide);
  narrow = without_margin(narrow);
  if (wide == narrow || wide.empty()) return true;
  if (wide == "/.*/" || wide == "/^.*$/" || wide == "/^.*/" || wide == "/.+/") return true;
  if (wide.starts_with('/') || narrow.starts_with('/')) return false;
  return narrow.size() > wide.size() && narrow.starts_with(wide) && narrow[wide.size()] == ' ';
}
Weight words_weight(std::string_view rule) {
  rule = without_margin(rule);
  if (rule.empty() || rule == "*") return Weight::critical;
  if (rule.size() > 1 && rule.starts_with('/') && rule.rfind('/') > 0) {
    const std::string_view inner = rule.substr(1, rule.rfind('/') - 1);
    return words_cover(rule, "x") || inner.empty() || inner == "^" || inner == "." ||
                   inner.starts_with("^.*") || inner.starts_with(".*")
               ? Weight::critical
               : Weight::medium;
  }
  return weight_of_command(rule, true);
}

constexpr std::string_view kGeminiShell = "run_shell_command";
Call gemini_call(std::string_view rule) {
  Call out = call_of(rule);
  if (out.tool == "ShellTool") out.tool = kGeminiShell;
  return out;
}
bool gemini_covers(std::string_view wide, std::string_view narrow) {
  if (without_margin(wide) == "*") return true;
  const Call w = gemini_call(wide), n = gemini_call(narrow);
  if (!takes_all_of(w.tool, n.tool)) return false;
  return w.is_all || (!n.is_all && words_cover(w.what, n.what));
}
Weight gemini_weight(std::string_view rule) {
  const Call call = gemini_call(rule);
  if (call.tool.starts_with('*')) return Weight::critical;
  if (call.tool == kGeminiShell) return call.is_all ? Weight::critical : words_weight(call.what);
  if (is_among("write_file replace edit", call.tool)) return Weight::high;
  if (is_among("read_file read_many_files glob list_directory search_file_content grep ls",
               call.tool))
    return Weight::low;
  return Weight::medium;
}

bool folder_covers(std::string_view wide, std::string_view narrow) {
  const auto plain = [](std::string_view path) {
    std::string out(without_margin(path));
    while (out.size() > 1 && out.ends_with('/'))
      out.pop_back();
    return out.starts_with("./") ? out.substr(2) : out;
  };
  const std::string w = plain(wide), n = plain(narrow);
  if (w == n) return true;
  if (w == "/") return n.starts_with('/');
  return n.size() > w.size() && n.starts_with(w) && n[w.size()] == '/' &&
         !contains(std::string_view(n).substr(w.size()), "..");
}

}  // namespace

std::string_view to_string(Weight weight) {
  constexpr std::array<std::string_view, 4> kNames{"low", "medium", "high", "critical"};
  return kNames[static_cast<std::size_t>(weight)];
}

bool covers(Language language, std::string_view wide, std::string_view narrow) {
  wide = without_margin(wide);
  narrow = without_margin(narrow);
  if (wide == narrow) return true;
  switch (language) {
    case Language::exact:
      return false;
    case Language::claude:
      return claude_covers(wide, narrow);
    case Language::cursor:
      return cursor_covers(wide, narrow);
    case Language::gemini:
      return gemini_covers(wide, narrow);
    case Language::words:
      return words_cover(wide, narrow);
    case Language::paths:
      return path_takes_all_of(wide, narrow);
    case Language::folders:
      return folder_covers(wide, narrow);
    case Language::domains:
      return takes_all_of(small_letters(wide), small_letters(narrow));
    case Language::tools:
      return halves_cover(wide, narrow);
  }
  return false;
}

Weight weight_of(Language language, std::string_view rule, Weight base) {
  rule = without_margin(rule);
  switch (language) {
    case Language::exact:
      return base;
    case Language::claude:
      return claude_weight(rule);
    case Language::cursor:
      return cursor_weight(rule);
    case Language::gemini:
      return gemini_weight(rule);
    case Language::words:
      return words_weight(rule);
    case Language::paths:
      return weight_of_path(rule, true);
    case Language::folders:
      return rule.starts_with('/') || rule.starts_with('~') ? Weight::high : base;
    case Language::domains:
      return rule.starts_with('*') && !rule.starts_with("*.") ? Weight::high : base;
    case Language::tools:
      return weight_of_server_tool(rule);
  }
  return base;
}

}  // namespace gh::powers
