// `init` through the program: what it writes, keeps, shows and takes away again, on files as people
// have them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/text.h"
#include "tests/kit.h"
#include "tests/schema_kit.h"

namespace gh {
namespace {

using kit::Ran;

constexpr std::string_view kProject =
    "[project]\nname = \"x\"\n\n[tool.codeclone]\nmin_loc = 12\nfail_on_new = true\n"
    "cache_path = \".cache/x.json\"\nunheard_of = 1\n";

struct World {
  World() {
    kit::fs::create_directories(repo);
    kit::git_says(repo, {"init", "-q", "-b", "main"});
    kit::git_says(repo, {"config", "user.name", "T"});
    kit::git_says(repo, {"config", "user.email", "t@example.org"});
  }
  Ran init(kit::Words more) const {
    more.insert(more.begin(), "init");
    return ask(more);
  }
  /// As a person has it: hosts find the program.
  Ran ask(kit::Words words) const {
    const std::string binary = kit::gatehouse_binary();
    words.insert(words.begin(),
                 {"env", "PATH=" + binary.substr(0, binary.rfind('/')) + ":/usr/bin:/bin", binary});
    return kit::run(words, {.cwd = repo});
  }
  std::string at(const std::string& path) const { return kit::read(repo / path); }
  bool has(const std::string& path) const { return kit::fs::exists(repo / path); }
  std::string config() const { return at("gatehouse.yaml"); }
  kit::Scratch scratch;
  kit::fs::path repo = scratch.path() / "repo";
};

const std::vector<std::string> kHostFiles{".mcp.json",
                                          ".claude/settings.json",
                                          ".claude/skills/gatehouse/SKILL.md",
                                          ".codex/config.toml",
                                          ".codex/hooks.json",
                                          "AGENTS.md",
                                          ".cursor/mcp.json",
                                          ".cursor/hooks.json",
                                          ".cursor/rules/gatehouse.mdc",
                                          ".vscode/mcp.json",
                                          ".github/hooks/gatehouse.json",
                                          ".gemini/settings.json"};

TEST(Setup, EverythingComesAndGoesWithoutATrace) {
  const World world;
  const std::string before =
      kit::run({"find", ".", "-not", "-path", "./.git/*"}, {.cwd = world.repo}).out;
  const Ran done = world.init({"--yes", "--all"});
  for (const std::string& file : kHostFiles)
    EXPECT_TRUE(world.has(file)) << file;
  EXPECT_TRUE(world.has(".git/hooks/pre-commit"));
  EXPECT_NE(world.config().find("mode: enforce"), std::string::npos) << world.config();
  EXPECT_EQ(world.init({"--check", "--all"}).exit_code, 0);
  const std::string listing = kit::run({"find", ".", "-name", "*.bak"}, {.cwd = world.repo}).out;
  EXPECT_EQ(listing, "") << "nothing was there to be kept";
  const Ran gone = world.init({"--uninstall"});
  EXPECT_EQ(gone.exit_code, 0) << gone.out << gone.err;
  EXPECT_EQ(kit::run({"find", ".", "-not", "-path", "./.git/*"}, {.cwd = world.repo}).out, before);
  EXPECT_FALSE(world.has(".git/hooks/pre-commit"));
}

struct Existing {
  std::string path, text;
};
// Comments, odd indentation, hooks and servers of others, CRLF, a byte order mark, no last newline.
const std::vector<Existing> kExisting = {
    {".mcp.json",
     "\xEF\xBB\xBF{\r\n    \"mcpServers\": {\r\n        \"db\": {\"command\": \"db-mcp\"}\r\n    "
     "}\r\n}"},
    {".claude/settings.json",
     "{\n   // our own\n   \"model\": \"opus\",\n   \"hooks\": {\n      \"PreToolUse\": [\n        "
     " {\"matcher\": "
     "\"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"./guard.sh\"}]} // keep\n      "
     "]\n   },\n   "
     "\"permissions\": {\"deny\": [\"Read(.env)\"], \"allow\": []},\n}\n"},
    {".codex/config.toml",
     "model = \"o4\" # why\n\n[mcp_servers.db]\ncommand = \"db\"\n\n[tui]\ntheme = \"dark\""},
    {".codex/hooks.json",
     "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"say done\"}]}]}}"},
    {".cursor/hooks.json", "{\n\t\"version\": 1,\n\t\"hooks\": {\n\t\t\"stop\": []\n\t}\n}\n"},
    {".cursor/mcp.json", "{ }\n"},
    {".vscode/mcp.json", "{\n  \"inputs\": [],\n  \"servers\": {},\n}\n"},
    {".gemini/settings.json", "{\n  \"theme\": \"x\"\n}\n"},
    {"AGENTS.md", "# Agents\r\n\r\nBe kind."},
    {"CLAUDE.md", "# Claude\n"},
    {"GEMINI.md", "\n"},
    {"gatehouse.yaml", "# ours\npatch:\n  max_files: 7   # small\n"},
};

TEST(Setup, WhatOthersWroteStaysByteForByte) {
  const World world;
  for (const Existing& file : kExisting) {
    kit::fs::create_directories((world.repo / file.path).parent_path());
    kit::write(world.repo / file.path, file.text);
  }
  ASSERT_EQ(chmod((world.repo / ".mcp.json").c_str(), 0600), 0);
  const Ran shown = world.init({"--dry-run", "--all"});
  for (const Existing& file : kExisting)
    EXPECT_EQ(world.at(file.path), file.text) << "a trial writes nothing";
  EXPECT_EQ(world.init({"--check", "--all"}).exit_code, 1);

  (void)world.init({"--yes", "--all"});
  std::map<std::string, std::string> written;
  for (const Existing& file : kExisting) {
    SCOPED_TRACE(file.path);
    written[file.path] = world.at(file.path);
    EXPECT_NE(written[file.path], file.text);
    EXPECT_EQ(world.at(file.path + ".gatehouse.bak"), file.text);
    std::size_t found = 0;
    for (const char c : written[file.path])
      if (found < file.text.size() && file.text[found] == c) ++found;
    EXPECT_EQ(found, file.text.size()) << "only insertions: " << written[file.path];
  }
  struct stat seen {};
  ASSERT_EQ(stat((world.repo / ".mcp.json").c_str(), &seen), 0);
  EXPECT_EQ(seen.st_mode & 07777, 0600u);

  // Again: nothing changes, and the backup stays that of the first time.
  (void)world.init({"--yes", "--all"});
  for (const Existing& file : kExisting) {
    EXPECT_EQ(world.at(file.path), written[file.path]) << file.path;
    EXPECT_EQ(world.at(file.path + ".gatehouse.bak"), file.text);
  }

  // What was shown is what was written: git applies the diff to the old files.
  const kit::Scratch other;
  const kit::fs::path copy = other.path() / "copy";
  kit::fs::create_directories(copy);
  kit::git_says(copy, {"init", "-q"});
  for (const Existing& file : kExisting) {
    kit::fs::create_directories((copy / file.path).parent_path());
    kit::write(copy / file.path, file.text);
  }
  const std::size_t end = shown.out.find("would_change");
  ASSERT_NE(end, std::string::npos) << shown.out;
  const Ran applied = kit::run({"git", "apply", "--whitespace=nowarn", "-"},
                               {.cwd = copy, .input = shown.out.substr(0, end)});
  EXPECT_EQ(applied.exit_code, 0) << applied.err << shown.out;
  for (const std::string& file : kHostFiles)
    EXPECT_EQ(kit::read(copy / file), world.at(file)) << file;

  // And back, with the backups or without them.
  for (const bool with_backups : {false, true}) {
    if (!with_backups)
      for (const Existing& file : kExisting)
        kit::fs::remove(world.repo / (file.path + ".gatehouse.bak"));
    const Ran gone = world.init({"--uninstall"});
    EXPECT_EQ(gone.exit_code, 0) << gone.out << gone.err;
    for (const Existing& file : kExisting) {
      EXPECT_EQ(world.at(file.path), file.text) << file.path << with_backups;
      EXPECT_FALSE(world.has(file.path + ".gatehouse.bak")) << file.path;
    }
    (void)world.init({"--yes", "--all"});
  }
}

TEST(Setup, AFileThatCannotBeReadIsNotTouchedAndTheSnippetIsPrinted) {
  const World world;
  kit::fs::create_directories(world.repo / ".claude");
  kit::write(world.repo / ".claude/settings.json", "{ not json");
  const Ran told = world.init({"--yes", "--host", "claude"});
  EXPECT_EQ(told.exit_code, 1);
  EXPECT_EQ(world.at(".claude/settings.json"), "{ not json");
  EXPECT_FALSE(world.has(".claude/settings.json.gatehouse.bak"));
  EXPECT_NE(told.out.find("left_alone   .claude/settings.json"), std::string::npos) << told.out;
  EXPECT_NE(told.out.find("\"onFailure\": \"block\""), std::string::npos) << told.out;
  EXPECT_TRUE(world.has(".mcp.json")) << "the others are written";
  kit::write(world.repo / "gatehouse.yaml", "analysis: [\n");
  EXPECT_EQ(world.init({"--yes"}).exit_code, 2);
  EXPECT_EQ(world.config(), "analysis: [\n");
}

TEST(Setup, NobodysAnswerIsGuessed) {
  const World world;
  const Ran asked = world.init({});
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_NE(asked.err.find("--yes writes"), std::string::npos) << asked.err;
  EXPECT_FALSE(world.has("gatehouse.yaml"));
  const Ran mild = world.init({"--mode", "advise", "--no-git"});
  EXPECT_EQ(mild.exit_code, 0) << mild.err << mild.out;
  EXPECT_NE(world.config().find("mode: advise"), std::string::npos);
  EXPECT_NE(mild.out.find("mode: advise; to change it: gatehouse init --mode enforce --no-git, and "
                          "commit it\n"),
            std::string::npos)
      << mild.out;
  EXPECT_TRUE(mild.out.ends_with("commit it\n")) << mild.out;
  EXPECT_FALSE(world.has(".git/hooks/pre-commit"));
  // The mode that a file says is not overruled in passing.
  (void)world.init({"--yes", "--no-git"});
  EXPECT_NE(world.config().find("mode: advise"), std::string::npos);
}

/// A person who types these answers, one in each line.
Ran at_terminal(const World& world, const std::string& words, const std::string& typed) {
  const std::string binary = kit::gatehouse_binary();
  return kit::run({"script", "-qec",
                   "env PATH=" + binary.substr(0, binary.rfind('/')) + ":/usr/bin:/bin " + binary +
                       " init " + words,
                   "/dev/null"},
                  {.cwd = world.repo, .input = typed});
}

TEST(Setup, ATerminalShowsTheDiffAndWritesAfterAYes) {
  struct Said {
    const char *words, *typed, *mode;  // no mode: nothing is written
    int exit;
  };
  // clang-format off
  for (const Said& said : {
           Said{"--host claude", "advise\nyes\n", "mode: advise", 0},
           Said{"--host claude", "e\ny\n", "mode: enforce", 0},
           Said{"--host claude", "what\nenforce\nwhy\nyes\n", "mode: enforce", 0},
           Said{"--host claude", "enforce\nno\n", nullptr, 1},
           Said{"--host claude", "enforce\nx\nx\nx\n", nullptr, 2},
           Said{"--host claude", "x\nx\nx\n", nullptr, 2},
           Said{"--host claude --mode advise", "no\n", nullptr, 1},
           Said{"--host claude --mode advise", "yes\n", "mode: advise", 0}}) {
    // clang-format on
    SCOPED_TRACE(std::string(said.words) + ": " + said.typed);
    const World world;
    kit::write(world.repo / "CLAUDE.md", "# \x1b[2JClaude\n");
    const Ran ran = at_terminal(world, said.words, said.typed);
    EXPECT_EQ(ran.exit_code, said.exit) << ran.out;
    const bool is_asked = ran.out.find("Write this?") != std::string::npos;
    EXPECT_EQ(is_asked, std::string(said.typed) != "x\nx\nx\n");
    if (is_asked) {
      const std::size_t diff = ran.out.find("+++ "), question = ran.out.find("Write this?");
      EXPECT_LT(diff, question) << ran.out;
      EXPECT_LT(ran.out.find("would_write  .git/hooks/pre-commit"), question) << ran.out;
      EXPECT_EQ(ran.out.find("\x1b[2J"), std::string::npos)
          << "the words of a file are no commands";
      EXPECT_NE(ran.out.find("\\x1b[2JClaude"), std::string::npos) << ran.out;
    }
    EXPECT_EQ(world.has("gatehouse.yaml"), said.mode != nullptr);
    EXPECT_EQ(world.has(".claude/settings.json"), said.mode != nullptr);
    EXPECT_EQ(world.has(".git/hooks/pre-commit"), said.mode != nullptr);
    if (said.mode != nullptr) EXPECT_NE(world.config().find(said.mode), std::string::npos);
  }
}

TEST(Setup, YesAndNothingToDoAskNobody) {
  const World world;
  const Ran said = at_terminal(world, "--host claude --yes", "");
  EXPECT_EQ(said.exit_code, 0) << said.out;
  EXPECT_EQ(said.out.find("Write this?"), std::string::npos) << said.out;
  const Ran again = at_terminal(world, "--host claude --mode enforce", "");
  EXPECT_EQ(again.exit_code, 0) << again.out;
  EXPECT_EQ(again.out.find("Write this?"), std::string::npos) << again.out;
}

TEST(Setup, HostsAreThoseThatAreInUse) {
  const World world;
  kit::fs::create_directories(world.repo / ".cursor");
  kit::fs::create_directories(world.repo / ".github/workflows");
  const Ran shown = world.init({"--dry-run", "--json"});
  EXPECT_EQ(testing::judged("init", shown.out), "") << shown.out;
  EXPECT_NE(shown.out.find("\"host\": \"cursor\""), std::string::npos) << shown.out;
  EXPECT_EQ(shown.out.find("\"host\": \"gemini\""), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("\"GitHub Actions\""), std::string::npos) << shown.out;
  const Ran unknown = world.init({"--dry-run", "--host", "emacs"});
  EXPECT_EQ(unknown.exit_code, 2);
}

TEST(Setup, LimitsAreThoseOfTheHistory) {
  const World world;
  for (int i = 0; i < 25; ++i) {
    kit::write(world.repo / "a.txt",
               std::string(static_cast<std::size_t>(i % 3 + 1), 'x') + std::to_string(i) + "\n");
    kit::git_says(world.repo, {"add", "-A"});
    kit::git_says(world.repo, {"commit", "-q", "-m", "change"});
  }
  EXPECT_EQ(world.init({"--yes", "--no-git"}).exit_code, 0);
  EXPECT_NE(world.config().find("  max_files: 1\n  max_added_lines: 1\n"), std::string::npos)
      << world.config();
  EXPECT_NE(world.config().find("of the last 25 keep within"), std::string::npos) << world.config();
  EXPECT_EQ(kit::run({kit::gatehouse_binary(), "config", "validate", "gatehouse.yaml"},
                     {.cwd = world.repo})
                .exit_code,
            0);
}

TEST(Setup, AnEditedPolicyIsKeptByUninstall) {
  const World world;
  ASSERT_EQ(world.init({"--yes", "--no-git"}).exit_code, 0);
  kit::write(world.repo / "gatehouse.yaml", world.config() + "# mine\n");
  const Ran gone = world.init({"--uninstall"});
  EXPECT_TRUE(world.has("gatehouse.yaml"));
  EXPECT_NE(gone.out.find("was edited since"), std::string::npos) << gone.out;
}

TEST(Setup, SettingsOfAnotherToolAreCopied) {
  const World world;
  kit::write(world.repo / "pyproject.toml", kProject);
  kit::write(world.repo / "gatehouse.yaml", "analysis:\n  min_loc: 5\n");
  const Ran first = world.init({"--yes", "--no-git"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(world.config(),
            "analysis:\n  fail_on_new: true\n  min_loc: 5\n\n# gatehouse:begin v1\nhooks:\n  mode: "
            "enforce\n# gatehouse:end\n");
  EXPECT_NE(first.out.find("left out: unheard_of: "), std::string::npos) << first.out;
  EXPECT_NE(first.out.find("left out: cache_path: "), std::string::npos) << first.out;
  EXPECT_EQ(world.init({"--check", "--no-git"}).exit_code, 0);
  ASSERT_EQ(world.init({"--uninstall"}).exit_code, 0);
  EXPECT_EQ(world.config(), "analysis:\n  min_loc: 5\n");
  kit::write(world.repo / "pyproject.toml", "[tool\n");
  const Ran broken = world.init({"--yes"});
  EXPECT_EQ(broken.exit_code, 3) << broken.err;
}

// -------------------------------------------------------------------- the commit of what it wrote

/// A repository with a history, and git with our program on its PATH.
struct Lived : World {
  Lived() {
    kit::write(repo / "README.md", "hello\n");
    kit::write(repo / "AGENTS.md", "# Agents\n");
    git({"add", "-A"});
    git({"commit", "-q", "-m", "start"});
  }
  Ran git(kit::Words words, std::map<std::string, std::string> more = {}) const {
    const std::string binary = kit::gatehouse_binary();
    words.insert(words.begin(), "git");
    kit::Words all{"env", "PATH=" + binary.substr(0, binary.rfind('/')) + ":/usr/bin:/bin"};
    for (const auto& [name, value] : more)
      all.push_back(name + "=" + value);
    all.insert(all.end(), words.begin(), words.end());
    return kit::run(all, {.cwd = repo});
  }
  std::string head() const { return git({"rev-parse", "HEAD"}).out; }
};

TEST(Setup, WhatInitWroteIsCommittedWithoutAnyBypass) {
  const Lived world;
  const std::string before = world.head();
  const Ran done = world.init({"--yes", "--all"});
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  EXPECT_TRUE(world.has("AGENTS.md.gatehouse.bak"));
  ASSERT_EQ(world.git({"add", "-A"}).exit_code, 0);
  EXPECT_EQ(world.git({"ls-files", "*.bak"}).out, "") << "backups are nobody's business";
  const Ran made = world.git({"commit", "-q", "-m", "Set up Gatehouse"});
  EXPECT_EQ(made.exit_code, 0) << made.out << made.err;
  EXPECT_NE(world.head(), before);
  EXPECT_EQ(world.git({"status", "--porcelain"}).out, "");
  // It was for these bytes, and for once.
  const std::string kept = world.config();
  kit::write(world.repo / "gatehouse.yaml", kept + "# wider\n");
  world.git({"add", "-A"});
  EXPECT_EQ(world.git({"commit", "-q", "-m", "another"}).exit_code, 1);
  EXPECT_EQ(
      world.git({"commit", "-q", "-m", "another"}, {{"GATEHOUSE_BYPASS_REASON", "mine"}}).exit_code,
      0);
  kit::write(world.repo / "gatehouse.yaml", kept);
  world.git({"add", "-A"});
  const Ran again = world.git({"commit", "-q", "-m", "back to what init wrote"});
  EXPECT_EQ(again.exit_code, 1) << again.out << again.err;
}

TEST(Setup, TheLastLinesAreTheStepsToCommitIt) {
  const Lived world;
  kit::write(world.repo / "secret.pem", "not to be committed\n");
  const Ran done = world.init({"--yes", "--all"});
  const std::size_t at = done.out.find("Commit it:\n");
  ASSERT_NE(at, std::string::npos) << done.out;
  const std::vector<std::string_view> lines = split(std::string_view(done.out).substr(at), '\n');
  ASSERT_GE(lines.size(), 4u);
  const std::string binary = kit::gatehouse_binary();
  const std::string script = "export PATH=" + binary.substr(0, binary.rfind('/')) +
                             ":$PATH\nset -e\n" + std::string(lines[1]) + "\n" +
                             std::string(lines[2]) + "\n";
  const Ran followed = kit::run({"sh", "-c", script}, {.cwd = world.repo});
  EXPECT_EQ(followed.exit_code, 0) << followed.out << followed.err;
  EXPECT_EQ(world.git({"status", "--porcelain"}).out, "?? secret.pem\n");
}

/// The commands behind "Commit it:".
std::string steps_to_commit(const std::string& told) {
  const std::size_t at = told.find("Commit it:\n");
  if (at == std::string::npos) return "false";
  const std::vector<std::string_view> lines = split(std::string_view(told).substr(at), '\n');
  return lines.size() < 3 ? "false" : fmt::format("{}\n{}\n", lines[1], lines[2]);
}

TEST(Setup, TheModeIsChangedByTheCommandThatTheLastLineNames) {
  const Lived world;
  const auto follow = [&](const std::string& commands) {
    const std::string binary = kit::gatehouse_binary();
    const Ran ran = kit::run({"sh", "-c",
                              fmt::format("export PATH={}:$PATH\nset -e\n{}\n",
                                          binary.substr(0, binary.rfind('/')), commands)},
                             {.cwd = world.repo});
    EXPECT_EQ(ran.exit_code, 0) << commands << ran.out << ran.err;
    return ran.out;
  };
  const auto named_step = [](const std::string& told) {
    constexpr std::string_view kBegin = "; to change it: ", kEnd = ", and commit it\n";
    const std::size_t at = told.rfind(kBegin), end = told.rfind(kEnd);
    return at == std::string::npos || end == std::string::npos
               ? std::string("false")
               : told.substr(at + kBegin.size(), end - at - kBegin.size());
  };
  std::string told = world.init({"--yes", "--host", "claude"}).out;
  follow(steps_to_commit(told));
  for (const char* mode : {"mode: advise", "mode: enforce"}) {
    told = follow(named_step(told));
    follow(steps_to_commit(told));
    EXPECT_NE(world.git({"show", "HEAD:gatehouse.yaml"}).out.find(mode), std::string::npos) << told;
  }
  EXPECT_EQ(world.init({"--check", "--host", "claude"}).exit_code, 0);
  ASSERT_EQ(world.init({"--uninstall"}).exit_code, 0);
  EXPECT_FALSE(world.has("gatehouse.yaml")) << "it is still what init wrote";
}

TEST(Setup, AModeThatSomebodyWroteIsChangedInItsLineAndComesBack) {
  const Lived world;
  const std::string mine =
      "# ours\nhooks:\n    mode: advise  # for a while\npatch:\n  max_files: 9\n";
  kit::write(world.repo / "gatehouse.yaml", mine);
  ASSERT_EQ(world.init({"--yes", "--no-git"}).exit_code, 0);
  EXPECT_EQ(world.config(), mine);
  ASSERT_EQ(world.init({"--mode", "enforce", "--no-git"}).exit_code, 0);
  EXPECT_EQ(world.config(),
            "# ours\nhooks:\n    mode: enforce  # for a while\npatch:\n  max_files: 9\n");
  ASSERT_EQ(world.init({"--uninstall", "--no-git"}).exit_code, 0);
  EXPECT_EQ(world.config(), mine);
}

TEST(Setup, ReceiptsThatCannotBeSharedAreRefusedBeforeAnythingIsWritten) {
  const Lived world;
  const auto everything = [&] {
    return kit::run({"find", ".", "-type", "f", "-not", "-path", "./.git/index", "-not", "-path",
                     "./.git/gatehouse/cache/*"},
                    {.cwd = world.repo})
               .out +
           world.git({"config", "--local", "--list"}).out;
  };
  const std::string before = everything();
  for (const char* how : {"--yes", "--dry-run", "--check"}) {
    const Ran refused = world.init({how, "--all", "--share-receipts"});
    EXPECT_EQ(refused.exit_code, 2) << refused.out << refused.err;
    EXPECT_NE(refused.err.find("git remote add origin"), std::string::npos) << refused.err;
    EXPECT_EQ(everything(), before);
  }
}

TEST(Setup, UninstallSaysWhatItTookAwayAndNoMore) {
  const Lived world;
  const Ran none = world.init({"--uninstall"});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_EQ(none.out, "nothing that init writes was here\n");
  ASSERT_EQ(world.init({"--yes", "--host", "claude,codex"}).exit_code, 0);
  const Ran one = world.init({"--uninstall", "--host", "claude"});
  EXPECT_TRUE(one.out.ends_with("\neverything that init wrote for claude is gone\n")) << one.out;
  EXPECT_TRUE(world.has(".codex/hooks.json"));
  EXPECT_TRUE(world.has("gatehouse.yaml"));
  kit::write(world.repo / ".codex/hooks.json", "{ not json");
  const Ran some = world.init({"--uninstall", "--no-git"});
  EXPECT_EQ(some.exit_code, 1) << some.out << some.err;
  EXPECT_NE(some.out.find("left_alone   .codex/hooks.json"), std::string::npos) << some.out;
  EXPECT_TRUE(
      some.out.ends_with("not everything that init wrote is gone; the hooks of git were "
                         "not looked at (--no-git)\n"))
      << some.out;
  EXPECT_TRUE(world.has(".git/hooks/pre-commit"));
}

TEST(Setup, WhatIsCommittedBesideItIsJudgedAsEver) {
  const Lived world;
  ASSERT_EQ(world.init({"--yes", "--all"}).exit_code, 0);
  kit::write(world.repo / ".env", "TOKEN=x\n");
  world.git({"add", "-A"});
  const Ran secret = world.git({"commit", "-q", "-m", "with a secret"});
  EXPECT_EQ(secret.exit_code, 1);
  EXPECT_NE((secret.out + secret.err).find("secret_file"), std::string::npos) << secret.err;
  world.git({"rm", "-q", "--cached", ".env"});
  for (int i = 0; i < 6; ++i)
    kit::write(world.repo / ("f" + std::to_string(i)), "x\n");
  world.git({"add", "f0", "f1", "f2", "f3", "f4", "f5"});
  EXPECT_EQ(world.git({"commit", "-q", "-m", "six files of mine"}).exit_code, 1);
  world.git({"rm", "-q", "--cached", "f5"});
  const Ran five = world.git({"commit", "-q", "-m", "five are within the limit"});
  EXPECT_EQ(five.exit_code, 0) << five.out << five.err;
}

TEST(Setup, DoctorAsksWhatTheHostIsToldAndNotOnlyTheProgram) {
  const Lived world;
  ASSERT_EQ(world.init({"--yes", "--host", "claude"}).exit_code, 0);
  const kit::fs::path file = world.repo / ".claude/settings.json";
  const std::string good = kit::read(file);
  const auto doctor = [&] { return world.ask({"doctor"}); };
  const auto edited = [&](std::string_view from, std::string_view to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return text.replace(at, from.size(), to);
  };
  EXPECT_NE(doctor().out.find("denies a write that no intent covers"), std::string::npos)
      << doctor().out;
  for (const std::string& bad :
       {edited("\"PreToolUse\"", "\"PostCompact\""),
        edited("Write|Edit|MultiEdit", "Edit|MultiEdit"),
        edited("{", "{ \"disableAllHooks\": true,"), good.substr(0, good.size() - 3)}) {
    kit::write(file, bad);
    const Ran told = doctor();
    EXPECT_EQ(told.exit_code, 1) << bad << told.out;
    EXPECT_EQ(told.out.find("ok    Claude Code denies"), std::string::npos) << bad << told.out;
  }
  // An unparsable file is left alone, and nobody says that it guards.
  const Ran again = world.init({"--yes", "--host", "claude"});
  EXPECT_EQ(again.exit_code, 1) << again.out;
  EXPECT_EQ(again.out.find("denied, as it must"), std::string::npos) << again.out;
  EXPECT_EQ(world.init({"--check", "--host", "claude"}).exit_code, 1);
}

TEST(Setup, AHookThatItsHostCannotStartIsNoProof) {
  const Lived world;
  const auto asked = [&](kit::Words words) {
    words.insert(words.begin(), {"env", "PATH=/usr/bin:/bin", kit::gatehouse_binary()});
    return kit::run(words, {.cwd = world.repo});
  };
  const Ran done = asked({"init", "--yes", "--host", "gemini,claude"});
  EXPECT_EQ(done.exit_code, 1) << done.out;
  EXPECT_EQ(done.out.find("denied, as it must"), std::string::npos) << done.out;
  EXPECT_NE(done.out.find("calls 'gatehouse', which is in no folder of PATH"), std::string::npos)
      << done.out;
  EXPECT_EQ(asked({"doctor"}).out.find("denies a write"), std::string::npos);
  const Ran pinned = asked({"init", "--yes", "--host", "gemini", "--absolute"});
  EXPECT_NE(pinned.out.find("denied, as it must"), std::string::npos) << pinned.out;
}

TEST(Setup, AnAgentSetsNothingUpAndTakesNothingAway) {
  const Lived world;
  const auto as_agent = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"env", "CLAUDECODE=1", kit::gatehouse_binary()});
    return kit::run(words, {.cwd = world.repo});
  };
  const Ran refused = as_agent({"init", "--yes", "--all"});
  EXPECT_EQ(refused.exit_code, 2) << refused.out << refused.err;
  EXPECT_NE(refused.err.find("'init' is for people; CLAUDECODE shows that an agent asks"),
            std::string::npos)
      << refused.err;
  EXPECT_FALSE(kit::fs::exists(world.repo / ".claude"));
  EXPECT_EQ(as_agent({"init", "--dry-run"}).exit_code, 0);
  ASSERT_EQ(world.init({"--yes", "--all"}).exit_code, 0);
  EXPECT_EQ(as_agent({"hook", "uninstall"}).exit_code, 2);
  EXPECT_EQ(as_agent({"init", "--uninstall", "--yes"}).exit_code, 2);
  EXPECT_TRUE(kit::fs::exists(world.repo / ".git/hooks/pre-commit"));
  EXPECT_TRUE(kit::fs::exists(world.repo / ".claude/settings.json"));
}

TEST(Setup, WhatInitWroteMayBePushed) {
  const Lived world;
  const kit::fs::path bare = world.scratch.path() / "bare.git";
  world.git({"init", "-q", "--bare", "-b", "main", bare.string()});
  world.git({"remote", "add", "origin", bare.string()});
  ASSERT_EQ(world.git({"push", "-q", "origin", "main"}).exit_code, 0);
  ASSERT_EQ(world.init({"--yes", "--all", "--share-receipts"}).exit_code, 0);
  world.git({"add", "-A"});
  ASSERT_EQ(world.git({"commit", "-q", "-m", "Set up Gatehouse"}).exit_code, 0);
  const Ran pushed = world.git({"push", "origin", "main"});
  EXPECT_EQ(pushed.exit_code, 0) << pushed.out << pushed.err;
  // Receipts go along from then on, and a push without any does not fail.
  world.git({"notes", "--ref", "gatehouse", "add", "-m", "x", "HEAD"});
  const Ran plain = world.git({"push", "-q"});
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_EQ(kit::git_says(bare, {"for-each-ref", "--format=%(refname)", "refs/notes"}),
            "refs/notes/gatehouse");
  ASSERT_EQ(world.init({"--uninstall"}).exit_code, 0);
  EXPECT_EQ(world.git({"config", "--get-all", "remote.origin.push"}).out, "");
}

TEST(Setup, UninstallLeavesSettingsOfGitThatTheUserWrote) {
  const Lived world;
  world.git({"remote", "add", "origin", (world.scratch.path() / "bare.git").string()});
  const std::vector<std::vector<std::string>> written{
      {"remote.origin.push", "HEAD"},
      {"remote.origin.fetch", "refs/notes/gatehouse*:refs/notes/gatehouse*"},
      {"notes.rewriteRef", "refs/notes/gatehouse"}};
  for (const auto& setting : written)
    world.git({"config", "--add", setting[0], setting[1]});
  const auto settings = [&] { return world.git({"config", "--local", "--list"}).out; };
  const std::string before = settings();
  ASSERT_EQ(world.init({"--yes", "--host", "claude", "--share-receipts"}).exit_code, 0);
  EXPECT_NE(settings(), before);
  ASSERT_EQ(world.init({"--share-receipts", "--uninstall"}).exit_code, 0);
  EXPECT_EQ(settings(), before);
}

TEST(Setup, UninstallTakesBackEverySettingOfGitThatItWrote) {
  const Lived world;
  world.git({"remote", "add", "origin", (world.scratch.path() / "bare.git").string()});
  const auto settings = [&] { return world.git({"config", "--local", "--list"}).out; };
  const std::string before = settings();
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(world.init({"--yes", "--host", "claude", "--share-receipts"}).exit_code, 0);
  EXPECT_EQ(world.git({"config", "--get-all", "remote.origin.push"}).out,
            "HEAD\nrefs/notes/gatehouse*:refs/notes/gatehouse*\n");
  ASSERT_EQ(world.init({"--uninstall"}).exit_code, 0);
  EXPECT_EQ(settings(), before);
}

TEST(Setup, ASecondInitKeepsNoCopyOfWhatTheFirstOneWrote) {
  for (const char* host : {"claude", "gemini", "cursor", "codex", "vscode"}) {
    const World world;
    const auto files = [&] {
      return kit::git_says(world.repo, {"status", "--short", "--ignored", "--untracked-files=all"});
    };
    const std::string before = files();
    ASSERT_EQ(world.init({"--yes", "--host", host, "--absolute"}).exit_code, 0);
    ASSERT_EQ(world.init({"--yes", "--host", host}).exit_code, 0);
    ASSERT_EQ(world.init({"--uninstall"}).exit_code, 0);
    EXPECT_EQ(files(), before) << host;
  }
}

TEST(Setup, AFolderOfHooksThatOthersShareKeepsNoHostFromBeingSetUp) {
  const World world;
  kit::git_says(world.repo, {"config", "core.hooksPath", (world.repo / "../shared").string()});
  const Ran done = world.init({"--yes", "--host", "claude"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_TRUE(world.has(".claude/settings.json"));
  EXPECT_NE(done.out.find("git config core.hooksPath .git/hooks"), std::string::npos) << done.out;
  kit::git_says(world.repo, {"config", "core.hooksPath", ".git/hooks"});
  EXPECT_EQ(world.init({"--yes", "--host", "claude"}).exit_code, 0);
}

TEST(Setup, WhatGitIgnoresIsNotToBeCommitted) {
  const World world;
  kit::write(world.repo / ".gitignore", ".vscode/\n");
  kit::git_says(world.repo, {"add", ".gitignore"});
  const Ran done = world.init({"--yes", "--no-git", "--host", "vscode"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.out.find("git ignores .vscode/mcp.json: it is set up for you alone"),
            std::string::npos)
      << done.out;
  const std::size_t at = done.out.find("git add -- ");
  ASSERT_NE(at, std::string::npos) << done.out;
  const std::string line = done.out.substr(at, done.out.find('\n', at) - at);
  EXPECT_EQ(line.find(".vscode"), std::string::npos) << line;
  EXPECT_EQ(kit::run({"sh", "-c", line}, {.cwd = world.repo}).exit_code, 0) << line;
}

TEST(Setup, ATrialSaysThatNothingIsWritten) {
  const Lived world;
  const Ran shown = world.init({"--dry-run", "--host", "claude"});
  EXPECT_EQ(shown.out.find("written  "), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("would_write"), std::string::npos) << shown.out;
  const Ran checked = world.init({"--check", "--host", "claude", "--no-git"});
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_NE(checked.err.find("gatehouse init --yes --host claude --no-git"), std::string::npos)
      << checked.err;
}

struct CiCase {
  std::string name, file, before, written;
  bool is_by_hand;
};
TEST(Setup, TheFileOfTheCiIsWrittenOrItsStepIsShown) {
  const std::vector<CiCase> cases{
      {"GitHub Actions", ".github/workflows/test.yml", "on: push\n",
       ".github/workflows/gatehouse.yml", false},
      {"GitLab CI", ".gitlab-ci.yml", "test:\n  script: [make]  # ours\n", ".gitlab-ci.yml", false},
      {"CircleCI", ".circleci/config.yml", "version: 2.1\n", ".circleci/config.yml", false},
      {"Jenkins", "Jenkinsfile", "pipeline {}\n", "Jenkinsfile", true},
      {"Azure Pipelines", "azure-pipelines.yml", "pool: x\n", "azure-pipelines.yml", false},
      {"Buildkite", ".buildkite/pipeline.yml", "env: {}\n", ".buildkite/pipeline.yml", false},
      {"Drone", ".drone.yml", "kind: pipeline\n", ".drone.yml", false}};
  for (const CiCase& c : cases) {
    SCOPED_TRACE(c.name);
    const World world;
    kit::fs::create_directories((world.repo / c.file).parent_path());
    kit::write(world.repo / c.file, c.before);
    const Ran told = world.init({"--yes", "--no-git"});
    EXPECT_NE(told.out.find("CI (" + c.name + "): 'gatehouse init --ci'"), std::string::npos)
        << told.out;
    const Ran done = world.init({"--yes", "--no-git", "--ci"});
    EXPECT_EQ(world.at(c.file).rfind(c.before, 0), 0u) << world.at(c.file);
    EXPECT_EQ(done.exit_code, c.is_by_hand ? 1 : 0) << done.out << done.err;
    const std::string& where = c.is_by_hand ? done.out : world.at(c.written);
    EXPECT_NE(where.find("gatehouse check --gates patch,structure,surface"), std::string::npos)
        << where;
    EXPECT_EQ(world.init({"--check", "--no-git", "--ci"}).exit_code, c.is_by_hand ? 1 : 0);
    EXPECT_EQ(world.init({"--uninstall"}).exit_code, 0);
    EXPECT_EQ(world.at(c.file), c.before);
    EXPECT_EQ(world.has(c.written), c.written == c.file);
  }
}

TEST(Setup, APluginIsAFolderOfItsOwn) {
  const World world;
  struct Plugin {
    std::string host;
    std::vector<std::string> files;
  };
  for (const Plugin& plugin :
       {Plugin{"claude",
               {".claude-plugin/plugin.json", ".mcp.json", "hooks/hooks.json",
                "skills/gatehouse/SKILL.md"}},
        Plugin{"codex", {".codex-plugin/plugin.json", ".mcp.json", "skills/gatehouse/SKILL.md"}}}) {
    const std::string folder = plugin.host + "-plugin";
    EXPECT_EQ(world.init({"--plugin", plugin.host, folder, "--dry-run"}).exit_code, 0);
    EXPECT_FALSE(world.has(folder));
    const Ran made = world.init({"--plugin", plugin.host, folder, "--json"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    EXPECT_EQ(testing::judged("plugin", made.out), "") << made.out;
    for (const std::string& file : plugin.files)
      EXPECT_TRUE(world.has(folder + "/" + file)) << file;
    EXPECT_EQ(world.has(folder + "/hooks/hooks.json"), plugin.host == "claude");
    EXPECT_NE(world.at(folder + "/" + plugin.files.front()).find("\"name\": \"gatehouse\""),
              std::string::npos);
    EXPECT_EQ(world.init({"--plugin", plugin.host, folder}).exit_code, 0) << "again: nothing to do";
    kit::write(world.repo / folder / ".mcp.json", "{}\n");
    EXPECT_NE(world.init({"--plugin", plugin.host, folder}).exit_code, 0);
    EXPECT_EQ(world.at(folder + "/.mcp.json"), "{}\n");
  }
  EXPECT_FALSE(world.has("gatehouse.yaml"));
  EXPECT_EQ(world.init({"--plugin", "gemini", "x"}).exit_code, 2);
}

TEST(Setup, APolicyOfGeminiIsWrittenWhenItIsAskedFor) {
  const World world;
  const std::string path = ".gemini/policies/gatehouse.toml";
  ASSERT_EQ(world.init({"--yes", "--no-git", "--host", "gemini"}).exit_code, 0);
  EXPECT_FALSE(world.has(path));
  ASSERT_EQ(world.init({"--yes", "--no-git", "--host", "gemini", "--policy"}).exit_code, 0);
  // Python reads it, and its pattern, as the host does: TOML, and a regular expression over JSON.
  const std::string script =
      "import json, re, sys, tomllib\n"
      "rule = tomllib.load(open(sys.argv[1], 'rb'))['rule'][0]\n"
      "denied = lambda p: re.search(rule['argsPattern'], "
      "json.dumps({'file_path': p, 'content': ''}, separators=(',', ':')))\n"
      "for p in ['.git/config', '/r/.git/hooks/x', 'a/.gatehouse/x']: assert denied(p), p\n"
      "for p in ['.github/x', 'src/a.git/x', '.gitignore', 'src/git/x']: assert not denied(p), p\n"
      "assert rule['decision'] == 'deny' and rule['toolName'] == ['write_file', 'replace']\n"
      "assert 0 <= rule['priority'] <= 999\n";
  const Ran read = kit::run({"python3", "-c", script, path}, {.cwd = world.repo});
  EXPECT_EQ(read.exit_code, 0) << read.err;
  EXPECT_EQ(world.init({"--check", "--no-git", "--host", "gemini", "--policy"}).exit_code, 0);
  EXPECT_EQ(world.init({"--yes", "--no-git", "--host", "claude", "--policy"}).exit_code, 2);
  EXPECT_EQ(world.init({"--uninstall"}).exit_code, 0);
  EXPECT_FALSE(world.has(".gemini"));
}

TEST(Setup, ToolsOfMcpServersMeetTheHookOfClaude) {
  const World world;
  ASSERT_EQ(world.init({"--yes", "--no-git", "--host", "claude"}).exit_code, 0);
  EXPECT_NE(world.at(".claude/settings.json").find("|Bash|mcp__.*\""), std::string::npos);
}

}  // namespace
}  // namespace gh
