// `init` through the program: what it writes, keeps, shows and takes away again, on files as people
// have them.
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
    kit::Words words{kit::gatehouse_binary(), "init"};
    words.insert(words.end(), more.begin(), more.end());
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
  EXPECT_NE(mild.out.find("mode: advise; to change it, edit hooks.mode (off, advise, enforce) in "
                          "gatehouse.yaml and commit it\n"),
            std::string::npos)
      << mild.out;
  EXPECT_TRUE(mild.out.ends_with("commit it\n")) << mild.out;
  EXPECT_FALSE(world.has(".git/hooks/pre-commit"));
  // The mode that a file says is not overruled in passing.
  (void)world.init({"--yes", "--no-git"});
  EXPECT_NE(world.config().find("mode: advise"), std::string::npos);
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

}  // namespace
}  // namespace gh
