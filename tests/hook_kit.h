#pragma once
// A repository behind the hooks of an agent host, as the host would use them.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/value.h"
#include "tests/gatehouse_binary.h"
#include "tests/git_sandbox.h"
#include "wire/json.h"

namespace gh::testing {

inline constexpr std::string_view kEnforce = "hooks:\n  mode: enforce\n";

/// src/app.py is what session s1 may edit.
class HookWorld {
 public:
  explicit HookWorld(const std::string& blocks = std::string(kEnforce)) {
    write("src/app.py", "first\n");
    write("src/other.py", "earlier\n");
    write("docs/guide.md", "guide\n");
    write("tests/__init__.py", "");
    write("tests/test_side.py", "open(\"src/other.py\", \"w\").write(\"x\")\n");
    write("Makefile", "all:\n\t@true\ntouch-other:\n\techo x > src/other.py\n");
    write("package.json",
          "{\"name\":\"p\",\"scripts\":{\"touch-other\":\"echo x > src/other.py\"}}\n");
    write(".gitignore", "__pycache__/\n");
    std::filesystem::create_directory_symlink("src", at("link"));
    std::filesystem::create_symlink("src/other.py", at("alias.py"));
    write("gatehouse.yaml", blocks);
    repo.commit("first");
    write("src/other.py", "other\n");
    repo.commit("second");
    repo.git({"checkout", "-q", "-b", "donor"});
    write("src/other.py", "donated\n");
    repo.commit("third");
    repo.git({"checkout", "-q", "main"});
    write("src/other.py", "stashed\n");
    repo.git({"stash", "-q"});
    must({"analyze"});
    std::filesystem::create_directories(repo.folder() + "/bin");
    for (const char* name : {"make", "npm", "patch", "ed", "ex", "node", "rsync"})
      if (!std::filesystem::exists(std::string("/usr/bin/") + name)) stand_in(name);
    for (const char* name : {"curl", "wget"})  // nobody answers here
      stand_in(name);
  }

  /// To the gate a program is a name.
  void stand_in(const std::string& name) const {
    const std::string file = repo.folder() + "/bin/" + name;
    EXPECT_TRUE(sys::write_file_atomic(file, "#!/bin/sh\necho x > src/other.py\n", 0755));
  }
  void write(const std::string& path, const std::string& bytes) const { repo.write(path, bytes); }
  std::string at(const std::string& path) const { return repo.at(path); }
  Ran ask(std::vector<std::string> words) const { return gatehouse(std::move(words), repo.root()); }
  void must(std::vector<std::string> words) const {
    const Ran ran = ask(std::move(words));
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  }
  void start(const std::string& session, const std::string& file) const {
    must(
        {"change", "start", "--goal", "work of " + session, "--allow", file, "--session", session});
  }

  GitSandbox repo;
};

/// The hook of a host, asked in a folder.
inline Ran ask_hook(const std::string& root, const std::string& host, const Value& event,
                    std::vector<std::string> more = {}) {
  std::vector<std::string> words{"hook", host, "--budget-ms", "60000"};
  words.insert(words.end(), more.begin(), more.end());
  return gatehouse(words, root, wire::canonical_json(event));
}

inline Map claude_event(std::string_view name, const std::string& root,
                        const std::string& session = "s1") {
  return Map{{"hook_event_name", name},
             {"session_id", session},
             {"cwd", root},
             {"transcript_path", "/nonexistent"}};
}
inline Map claude_bash(std::string_view name, const std::string& root, std::string_view command,
                       const std::string& session = "s1") {
  Map out = claude_event(name, root, session);
  out.set("tool_name", "Bash");
  out.set("tool_use_id", "call-1");
  out.set("tool_input", Map{{"command", command}});
  if (name == "PostToolUse") out.set("tool_response", Map{});
  return out;
}
inline Map claude_write(const std::string& root, const std::string& file,
                        const std::string& session = "s1") {
  Map out = claude_event("PreToolUse", root, session);
  out.set("tool_name", "Write");
  out.set("tool_use_id", "call-2");
  out.set("tool_input", Map{{"file_path", file}, {"content", "x"}});
  return out;
}

/// "allow", or the rule that a refusal names.
inline std::string said(const Ran& ran) {
  const std::string_view text = ran.out.empty() ? std::string_view(ran.err) : ran.out;
  if (text.empty()) return "pass";
  const std::size_t at = text.find("explain GH-");
  return at == text.npos
             ? std::string(text)
             : std::string(text.substr(at + 8, text.find_first_of("\" (\n", at + 9) - at - 8));
}

}  // namespace gh::testing
