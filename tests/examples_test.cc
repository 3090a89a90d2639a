// Every example of the operation table is pasted into a shell in a real repository.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "base/text.h"
#include "ops/operation.h"
#include "tests/gatehouse_binary.h"
#include "tests/git_sandbox.h"

namespace gh::testing {
namespace {

constexpr const char* kFix =
    "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
constexpr const char* kUnknownRun = "prun-0123456789abcdef";

/// Commands about the receipt of a change; the others speak of that of a proposal.
bool is_given_for_a_change(std::string_view words) {
  return words == "receipt attach" || words == "receipt trailers";
}

/// A repository in which every example has what it speaks of.
struct World {
  World() {
    repo.write("a.txt", "one\n");
    repo.commit("first");
    repo.write("b.txt", "more\n");
    repo.commit("second");
    repo.git({"branch", "agent/fix"});
    repo.write("fix.patch", kFix);
    repo.write("patches/1.patch", kFix);
    repo.write("gatehouse.yaml", "patch:\n  max_files: 5\n");
    repo.git({"config", "core.excludesFile", "/dev/null"});
  }
  /// A run that was refused, so that examples may name it.
  std::string refused_run() const {
    const Ran ran =
        gatehouse({"patch", "apply", "-", "--field", "run.run_id"}, repo.root(), "no diff\n");
    EXPECT_EQ(ran.code, 1) << ran.err;
    return ran.out.substr(0, ran.out.find('\n'));
  }

  // --- proposals: as far along the way as the example needs ---

  void must(std::vector<std::string> words) const {
    const Ran ran = gatehouse(std::move(words), repo.root());
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  }
  void write_pair(const std::string& id, const std::string& folder) const {
    repo.write("a.txt", "two\n");
    repo.git({"add", "a.txt"});
    must({"proposal", "new", "--agent", "m / author", "--gap", "GAP-X", "--id", id, "--out",
          repo.at(folder), "--rollback", "git revert of the commit", "--risk",
          "failure: wrong word; blast_radius: a.txt; data: none touched; idempotent: yes",
          "--command", "cat a.txt => exit 0"});
    repo.git({"reset", "-q", "--hard"});
  }
  void prepare_proposal(std::string_view words) const {
    repo.write("gatehouse.yaml",
               "proposals:\n  promotion:\n    requires: gate\nstore:\n  signing_key: key\n");
    EXPECT_EQ(shell("ssh-keygen -q -t ed25519 -N '' -f key; cp key.pub keys.txt", repo.root()).code,
              0);
    repo.commit("policy");
    if (words == "proposal new") {
      repo.write("a.txt", "two\n");
      return;
    }
    write_pair("fix-x-001", "patches");
    write_pair("fix", ".");
    if (words == "proposal submit" || words == "proposal lint") return;
    must({"proposal", "submit", repo.at("patches")});
    if (words == "proposal review" || words == "proposal withdraw" || words == "proposal reject")
      return;
    if (words == "proposal rebase") {
      repo.write("b.txt", "the target moves on\n");
      repo.commit("third");
      return;
    }
    for (const char* who : {"gemini", "codex"})
      must({"proposal", "review", "fix-x-001", "--as", who, "--verdict", "ok"});
    if (words == "proposal promote") return;
    must({"proposal", "promote", "fix-x-001"});
    EXPECT_EQ(shell("gatehouse receipt show HEAD > receipt.json", repo.root()).code, 0);
  }
  /// Two runs of something to analyse.
  void prepare_runs() const {
    must({"analyze"});
    repo.write("pkg/core.py", "def f(a):\n    return a\n");
    must({"analyze"});
  }
  /// An intent that the example may speak of; its id.
  std::string prepare_change(std::string_view words) const {
    repo.write("src/parser.py", "def parse(a):\n    return a\n");
    repo.write("src/lexer.py", "def lex(a):\n    return a\n");
    repo.write("docs/guide.md", "read me\n");
    repo.write("review.md", "Nothing is said about complexity here.\n");
    repo.commit("something to change");
    must({"analyze"});
    if (words == "change start" || words == "claim check") return "";
    std::vector<std::string> start{"change",        "start",   "--goal",
                                   "fix",           "--allow", "src/parser.py",
                                   "docs/guide.md", "--field", "intent_id"};
    if (words == "change promote") {
      std::vector<std::string> other = start;
      other.insert(other.end(), {"--session", "other"});
      must(other);
      start.insert(start.end(), {"--on-conflict", "queue"});
    }
    const Ran ran = gatehouse(start, repo.root());
    if (words == "change promote") must({"change", "abandon", "--session", "other"});
    if (words == "change check" || words == "change finish" || words == "change verify" ||
        is_given_for_a_change(words))
      repo.write("docs/guide.md", "read this\n");
    if (is_given_for_a_change(words)) must({"change", "finish", "--files", "docs/guide.md"});
    if (words == "receipt attach") repo.commit("say it better");
    return ran.out.substr(0, ran.out.find('\n'));
  }
  /// An agent that only reads.
  void prepare_release() const {
    repo.write("shipgate.yaml",
               "version: \"0.1\"\nproject: {name: demo}\nagent: {name: docs, declared_purpose: "
               "[answer questions]}\nenvironment: {target: local}\n"
               "tool_sources: [{id: docs, type: mcp, path: tools.json}]\n");
    repo.write("tools.json",
               R"([{"name": "search", "description": "Search the documentation by words.",
                   "annotations": {"readOnlyHint": true}}])");
  }
  /// The report of an agent that refunds.
  void prepare_report() const {
    repo.write(
        "shipgate.yaml",
        "version: \"0.1\"\nproject: {name: demo}\nagent: {name: refunds, declared_purpose: "
        "[refund]}\nenvironment: {target: local}\n"
        "tool_sources: [{id: pay, type: mcp, path: tools.json}]\n"
        "risk_overrides: {tools: {payments.create_refund: {tags: [financial_action], reason: "
        "moves money}}}\n");
    repo.write("tools.json", R"([{"name": "payments.create_refund"}])");
    must({"release", "scan"});
  }
  GitSandbox repo;
};

bool is_change(const ops::Operation& op) {
  return op.words.starts_with("change ") || op.words == "claim check" || op.words == "hook test" ||
         is_given_for_a_change(op.words);
}

bool is_about_proposals(const ops::Operation& op) {
  return op.words.starts_with("proposal ") ||
         (op.words.starts_with("receipt ") && op.words != "receipt create" && !is_change(op));
}

/// Only what an agent left behind that is gone can be taken over; an own one is refused.
bool needs_a_dead_agent(const ops::Operation& op) { return op.words == "change recover"; }

bool reads_runs(const ops::Operation& op) {
  constexpr std::array<std::string_view, 6> kWords{"findings", "clones", "hotspots",
                                                   "blast",    "gates",  "receipt create"};
  return op.words.starts_with("runs ") || std::ranges::find(kWords, op.words) != kWords.end();
}

bool reads_a_report(const ops::Operation& op) {
  constexpr std::array<std::string_view, 4> kWords{"release findings", "release explain-finding",
                                                   "release packet", "release apply-patches"};
  return std::ranges::find(kWords, op.words) != kWords.end();
}

/// Unfreezing needs an alarm, which no patch may reach; the refusal must still be the right one.
bool needs_an_alarm(const ops::Operation& op) { return op.words == "patch unfreeze"; }

TEST(Examples, EachRunsAsPasted) {
  for (const ops::Operation& op : ops::operations()) {
    for (const ops::Example& example : op.examples) {
      SCOPED_TRACE(example.command);
      const World world;
      std::string line(example.command);
      if (const std::size_t at = line.find(kUnknownRun); at != std::string::npos)
        line.replace(at, std::string_view(kUnknownRun).size(), world.refused_run());
      if (line.find("--staged") != std::string::npos) {
        world.repo.write("a.txt", "two\n");
        world.repo.git({"add", "a.txt"});
      }
      if (line.starts_with("git diff")) world.repo.write("a.txt", "two\n");
      if (is_about_proposals(op)) world.prepare_proposal(op.words);
      if (op.words.starts_with("release ") && op.words != "release init") world.prepare_release();
      if (op.words == "release baseline verify") world.must({"release", "baseline", "save"});
      if (reads_a_report(op)) world.prepare_report();
      if (reads_runs(op)) world.prepare_runs();
      if (op.words.starts_with("baseline ") && op.words != "baseline save")
        world.must({"baseline", "save"});
      if (is_change(op)) {
        const std::string id = world.prepare_change(op.words);
        if (const std::size_t at = line.find(" ID"); at != std::string::npos)
          line.replace(at + 1, 2, id);
        // The file that the example checks is one that was declared.
        if (const std::size_t at = line.find("--files src/parser.py"); at != std::string::npos)
          world.repo.write("src/parser.py", "def parse(a):\n    return a + 1\n");
      }
      if (op.words == "serve")  // until it listens; then it is asked to stop
        line = "exec 3< <(exec " + line + "); read -r -u 3; kill -TERM $!; wait $!";
      const Ran ran = shell(line, world.repo.root());
      if (needs_a_dead_agent(op)) {
        EXPECT_EQ(ran.code, 1) << ran.err;
        EXPECT_TRUE(contains(ran.out + ran.err, "not_recoverable")) << ran.out << ran.err;
      } else if (needs_an_alarm(op)) {
        EXPECT_EQ(ran.code, 2) << ran.err;
        EXPECT_TRUE(contains(ran.err, "bad_argument")) << ran.err;
      } else {
        EXPECT_EQ(ran.code, 0) << ran.err << ran.out;
      }
      EXPECT_FALSE(contains(ran.err, "unknown_option")) << ran.err;
    }
  }
}

}  // namespace
}  // namespace gh::testing
