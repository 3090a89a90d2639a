// The surface gate of `gatehouse check` in real repositories: docs/check.md, docs/adr/0039.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/git_hooks_kit.h"
#include "tests/release_verify_kit.h"

namespace gh::testing {
namespace {

/// What one check said of the surface, and in all.
struct Told {
  int code = -1;
  Value document{};
  std::string err{};

  Peek doc() const { return Peek(document); }
  std::string decision() const { return std::string(doc()["decision"].text()); }
  Peek part() const {
    for (const Value& part : doc()["parts"].list())
      if (Peek(part)["gate"].text() == "surface") return Peek(part);
    return Peek(nullptr);
  }
  /// "status decision", or "-why".
  std::string surface() const {
    return part()["state"].text() == "ran"
               ? std::string(part()["status"].text()) + " " + std::string(part()["decision"].text())
               : "-" + std::string(part()["why"].text());
  }
  std::string reasons() const {
    std::string out;
    for (const Value& value : doc()["reasons"].list())
      if (const Peek r(value); r["gate"].text() == "surface")
        out += std::string(r["severity"].text()) + " " + std::string(r["id"].text()) + " " +
               std::string(r["path"].text()) + "\n";
    return out;
  }
};

Told told(const std::string& root, std::vector<std::string> words, std::string_view input = {}) {
  words.insert(words.begin(), "check");
  words.emplace_back("--json");
  const Ran ran = gatehouse(std::move(words), root, input);
  Told out{.code = ran.code, .err = ran.err};
  auto document = wire::read_own_json(ran.out, "the answer");
  EXPECT_TRUE(document) << ran.out << ran.err;
  if (document) out.document = std::move(*document);
  return out;
}

constexpr const char* kSkipped = "-no manifest, and nothing is changed that agent hosts read";

// ---------------------------------------------------------------------------- what agent hosts
// read

class CheckSurface : public ::testing::Test {
 protected:
  CheckSurface() {
    repo.write("README.md", "hello\n");
    repo.write(".claude/settings.json",
               R"j({"permissions":{"allow":["Bash(npm test:*)"],"deny":["Read(.env)"]}})j"
               "\n");
    repo.commit("first");
  }
  Told check(std::vector<std::string> words = {}, std::string_view input = {}) const {
    return told(repo.root(), std::move(words), input);
  }
  Told surface(std::vector<std::string> words = {}) const {
    words.insert(words.end(), {"--gates", "surface"});
    return check(std::move(words));
  }
  std::string patch_of_work_tree() const {
    repo.git({"add", "-A"});
    const std::string diff = repo.git({"diff", "--cached", "--no-renames", "HEAD"}) + "\n";
    repo.git({"reset", "-q", "--hard"});
    return diff;
  }
  GitSandbox repo;
};

TEST_F(CheckSurface, WhatAChangeGivesAnAgentIsSeenWhateverTheTarget) {
  struct Row {
    const char *name, *path, *bytes, *surface, *reasons;
    int code;  // of the surface gate alone
  };
  const Row kRows[] = {
      {"an allow rule that takes more", ".claude/settings.json",
       R"j({"permissions":{"allow":["Bash(npm *)"],"deny":["Read(.env)"]}})j",
       "review_required review", "warning GH-POWER-001 .claude/settings.json\n", 0},
      {"every command", ".claude/settings.json",
       R"j({"permissions":{"allow":["Bash(npm test:*)","Bash(*)"],"deny":["Read(.env)"]}})j",
       "blocked deny", "error GH-POWER-001 .claude/settings.json\n", 1},
      {"a deny that goes", ".claude/settings.json",
       R"j({"permissions":{"allow":["Bash(npm test:*)"]}})j", "review_required review",
       "warning GH-POWER-001 .claude/settings.json\n", 0},
      {"a server", ".mcp.json", R"j({"mcpServers":{"files":{"command":"npx","args":["files"]}}})j",
       "review_required review", "warning GH-POWER-001 .mcp.json\n", 0},
      {"a server of an editor", ".vscode/mcp.json",
       R"j({"servers":{"files":{"command":"npx","args":["files"]}}})j", "review_required review",
       "warning GH-POWER-001 .vscode/mcp.json\n", 0},
      {"an agent in CI that nobody asks", ".github/workflows/agent.yml",
       "on: issue_comment\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n"
       "      - run: claude -p hello --dangerously-skip-permissions\n",
       "blocked deny", "", 1},
      {"what cannot be read", ".mcp.json", "{\"mcpServers\": {", "insufficient_evidence unverified",
       "error GH-POWER-002 .mcp.json\n", 1},
      {"a narrower rule", ".claude/settings.json",
       R"j({"permissions":{"allow":[],"deny":["Read(.env)"]}})j", "passed allow",
       "note GH-POWER-003 .claude/settings.json\n", 0},
      {"an instruction", "AGENTS.md", "Be brief.\n", "passed allow",
       "note GH-POWER-003 AGENTS.md\n", 0},
      {"another layout", ".claude/settings.json",
       "{\n  \"permissions\": {\"deny\": [\"Read(.env)\"], \"allow\": [\"Bash(npm test:*)\"]}\n}\n",
       "passed allow", "", 0},
      {"a person's words", "README.md", "hello again\n", kSkipped, "", 0},
      {"a person's code", "src/a.py", "x = 1\n", kSkipped, "", 0},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    const auto expect = [&](const Told& said, const char* target) {
      SCOPED_TRACE(target);
      EXPECT_EQ(said.surface(), row.surface) << said.err;
      if (*row.reasons != 0) {
        EXPECT_EQ(said.reasons(), row.reasons);
      }
      EXPECT_EQ(said.code, row.code) << said.err;
    };
    repo.write(row.path, row.bytes);
    repo.git({"add", "-A"});
    expect(surface({"--staged"}), "staged");
    expect(surface(), "chosen");
    repo.git({"reset", "-q"});
    repo.git({"add", "-N", "."});
    expect(surface(), "work tree");
    repo.git({"add", "-A"});
    repo.commit("the change");
    expect(surface({"HEAD~1..HEAD"}), "range");
    const std::string bare = repo.folder() + "/bare.git";
    std::filesystem::remove_all(bare);
    GitSandbox::git_at(repo.folder(), {"clone", "-q", "--bare", repo.root(), bare});
    expect(told(bare, {"HEAD~1..HEAD", "--gates", "surface"}), "bare");
    repo.git({"reset", "-q", "--hard", "HEAD~1"});
  }
}

TEST_F(CheckSurface, ItHasAShareInTheWholeVerdict) {
  // No control file of the patch gate, so that nothing else has a say.
  repo.write(".vscode/mcp.json", R"j({"servers":{"files":{"command":"npx"}}})j");
  repo.git({"add", "-A"});
  const Told said = check({"--staged"});
  EXPECT_EQ(said.decision(), "review");
  EXPECT_EQ(said.code, 0) << "a person looks, and nobody is stopped";
  EXPECT_TRUE(said.doc()["headline"].text().starts_with("surface: vscode server added: "))
      << said.doc()["headline"].text();
  EXPECT_EQ(check({"--staged", "--exit-review"}).code, 10);
  EXPECT_EQ(check({"--staged", "--strict"}).code, 1);
  const Peek reason(said.doc()["reasons"].list().front());
  EXPECT_EQ(reason["next"]["kind"].text(), "human");
  EXPECT_EQ(reason["line"].number(), 1);
  EXPECT_EQ(reason["evidence"]["host"].text(), "vscode");
  EXPECT_EQ(reason["fingerprint"].text().size(), 32u);
  EXPECT_EQ(gatehouse({"explain", "GH-POWER-001"}, repo.root()).code, 0);
  // A patch that the patch gate lets through is looked at in the tree that it gives.
  const Told patch = check({"-"}, patch_of_work_tree());
  EXPECT_EQ(patch.surface(), "review_required review");
  EXPECT_EQ(patch.decision(), "review");
}

TEST_F(CheckSurface, ARefusalOfThePatchGateHidesNothing) {
  repo.write(".claude/settings.json", R"j({"permissions":{"allow":["Bash(*)"]}})j");
  repo.git({"add", "-A"});
  const Told said = check({"--staged"});
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.surface(), "blocked deny");
  EXPECT_TRUE(contains(said.reasons(), "error GH-POWER-001 .claude/settings.json\n"));
  const Told patch = check({"-"}, patch_of_work_tree());
  EXPECT_EQ(patch.surface(), "-the patch gate did not allow the change");
  EXPECT_EQ(patch.decision(), "deny");
}

TEST_F(CheckSurface, WhatHostsReadBeforeGitKnowsItIsSeen) {
  repo.write(".mcp.json", R"j({"mcpServers":{"files":{"command":"npx"}}})j");
  const Told said = check();
  EXPECT_EQ(said.surface(), "review_required review") << said.err;
  EXPECT_EQ(said.decision(), "review");
  repo.write("notes.txt", "mine\n");
  std::filesystem::remove(repo.at(".mcp.json"));
  EXPECT_EQ(check().surface(), "-nothing changed") << "other new files are nobody's business";
}

TEST_F(CheckSurface, OnlyWhatTheChangeDidCountsWhereTheBaseWentOn) {
  repo.git({"checkout", "-q", "-b", "pr"});
  repo.write("src/a.py", "x = 1\n");
  repo.commit("ours");
  repo.git({"checkout", "-q", "main"});
  repo.write(".claude/settings.json",
             R"j({"permissions":{"allow":[],"deny":["Read(.env)","Bash(curl:*)"]}})j");
  repo.commit("stricter meanwhile");
  EXPECT_EQ(surface({"main..pr"}).surface(), kSkipped);
  repo.git({"checkout", "-q", "--orphan", "stranger"});
  repo.write("src/b.py", "y = 1\n");
  repo.commit("no common history");
  const Told said = surface({"main..stranger"});
  EXPECT_EQ(said.surface(), "unverified unverified");
  EXPECT_EQ(said.reasons(), "error GH-GATE-001 \n");
  EXPECT_EQ(said.code, 2) << said.err;
}

TEST_F(CheckSurface, TheGateCanBeLeftOutAndIsNamedThen) {
  repo.write(".mcp.json", R"j({"mcpServers":{"files":{"command":"npx"}}})j");
  repo.git({"add", "-A"});
  EXPECT_EQ(check({"--staged", "--gates", "scope"}).surface(), "-not asked for");
  EXPECT_EQ(surface({"--staged"}).doc()["parts"].list().size(), 6u);
  const Ran text = gatehouse({"check", "--staged", "--gates", "surface"}, repo.root());
  EXPECT_TRUE(contains(text.out, "surface:   review_required (review)")) << text.out;
  EXPECT_TRUE(contains(text.out, "GH-POWER-001")) << text.out;
  EXPECT_TRUE(contains(text.out, ".mcp.json:1")) << text.out;
  const Ran judged = gatehouse({"patch", "check", "-", "--json"}, repo.root(), "no diff\n");
  EXPECT_TRUE(contains(judged.out, "not asked: 'gatehouse check' asks it")) << judged.out;
}

TEST_F(CheckSurface, SecretsOfARuleAreMasked) {
  repo.write(
      ".claude/settings.json",
      R"j({"permissions":{"allow":["Bash(curl -H sk-ABCDEFGHIJKLMNOPQRSTUVWX)"],"deny":["Read(.env)"]}})j");
  const Ran ran = gatehouse({"check", "--gates", "surface", "--json"}, repo.root());
  EXPECT_TRUE(contains(ran.out, "GH-POWER-001")) << ran.out;
  EXPECT_FALSE(contains(ran.out, "sk-ABCDEFGH")) << ran.out;
}

// --------------------------------------------------------------------------------------- manifests

class CheckManifests : public VerifiedRepository {
 protected:
  Told check(std::vector<std::string> words = {"main..pr"}, std::string_view input = {}) const {
    words.insert(words.end(), {"--gates", "patch,surface"});
    return told(sandbox_.root(), std::move(words), input);
  }
  Told surface(std::vector<std::string> words = {"main..pr"}) const {
    words.insert(words.end(), {"--gates", "surface"});
    return told(sandbox_.root(), std::move(words));
  }
  void tools(const std::string& list) const {
    sandbox_.write(kTools, "{\"tools\":[" + list + "]}");
  }
};

/// Tools that move money block where nobody has to approve them, with or without a change.
std::string moving_money(const std::string& tools) {
  return agent_manifest("orders:read, payments:refund", "risk_overrides:\n  tools:\n" + tools);
}
std::string moves_money(const std::string& tool) {
  return "    " + tool + ": {tags: [financial_action], reason: moves money}\n";
}
const std::string kRefundBlocks = moving_money(moves_money("payments.create_refund"));
const std::string kRefundReason = "error SHIP-ACTION-FINANCIAL-WRITE-CONTROL-MISSING ";

TEST_F(CheckManifests, ANewPowerOfTheAgentIsSeenWhateverTheTarget) {
  base();
  tools(kOrderTool + "," + kRefundTool);
  const auto expect = [&](const Told& said, const char* target) {
    SCOPED_TRACE(target);
    EXPECT_EQ(said.surface(), "blocked deny") << said.err;
    EXPECT_EQ(said.decision(), "deny");
    EXPECT_EQ(said.code, 1);
    EXPECT_TRUE(contains(said.reasons(), kRefundReason)) << said.reasons();
  };
  expect(check({}), "work tree");
  expect(check({"--files", kTools}), "files");
  sandbox_.git({"add", "-A"});
  expect(check({"--staged"}), "staged");
  const std::string patch = sandbox_.git({"diff", "--cached", "HEAD"}) + "\n";
  head();
  expect(check(), "range");
  const Told named = check();
  for (const Value& value : named.doc()["reasons"].list())
    EXPECT_TRUE(Peek(value)["path"].text() == kTools ||
                Peek(value)["path"].text() == "shipgate.yaml")
        << Peek(value)["path"].text();
  sandbox_.git({"checkout", "-q", "main"});
  expect(check({"-"}, patch), "patch");
  const std::string bare = sandbox_.folder() + "/bare.git";
  GitSandbox::git_at(sandbox_.folder(), {"clone", "-q", "--bare", sandbox_.root(), bare});
  expect(told(bare, {"main..pr", "--gates", "patch,surface"}), "bare");
  EXPECT_FALSE(fs::exists(sandbox_.at("agents-shipgate-reports"))) << "a check writes nothing";
}

TEST_F(CheckManifests, ItDecidesAsVerifyDoes) {
  base();
  tools(kOrderTool + "," + kRefundTool);
  head();
  (void)verify();
  const std::string decision = text("decision");
  const Told said = surface();
  EXPECT_EQ(said.part()["status"].text(), decision);
  std::size_t items = 0;
  for (const char* list : {"blockers", "review_items"})
    items += verified()["release_decision"][list].list().size();
  EXPECT_EQ(std::ranges::count(said.reasons(), '\n'), std::ssize(said.doc()["reasons"].list()));
  EXPECT_EQ(said.doc()["reasons"].list().size(), items);
}

/// What a reason says to do next, and what its text says to read, can be done.
TEST_F(CheckManifests, EveryAdviceOfAReasonCanBeFollowed) {
  sandbox_.write("pack.yaml",
                 "rules: [{id: T-1, severity: high, block: true, recommendation: r, match: {}}]\n");
  sandbox_.write("shipgate.yaml", agent_manifest("orders:read, payments:refund",
                                                 "checks: {policy_packs: [pack.yaml]}\n"));
  base();
  tools(kOrderTool + "," + kRefundTool);
  sandbox_.write(".mcp.json", R"j({"mcpServers":{"files":{"command":"npx"}}})j");
  sandbox_.write(".vscode/mcp.json", "{\"servers\": {");
  head();
  const Told said = surface();
  const auto follow = [&](std::string_view command) {
    ASSERT_TRUE(command.starts_with("gatehouse ")) << command;
    const Ran ran = run_program({"/bin/sh", "-c", std::string(command)}, sandbox_.root());
    EXPECT_LE(ran.code, 1) << command << "\n" << ran.err;
  };
  std::set<std::string> ids;
  for (const Value& value : said.doc()["reasons"].list()) {
    const Peek reason(value);
    ids.emplace(reason["id"].text());
    if (!reason["next"]["command"].text().empty()) follow(reason["next"]["command"].text());
  }
  EXPECT_TRUE(ids.contains("T-1")) << said.reasons();
  EXPECT_TRUE(ids.contains("GH-POWER-001") && ids.contains("GH-POWER-002")) << said.reasons();
  EXPECT_GE(ids.size(), 5u) << said.reasons();
  const Ran text = gatehouse({"check", "main..pr", "--gates", "surface"}, sandbox_.root());
  std::size_t told_more = 0;
  for (const std::string_view line : split(text.out, '\n'))
    if (const std::size_t at = line.find("gatehouse explain "); at != line.npos) {
      follow(line.substr(at));
      ++told_more;
    }
  EXPECT_GE(told_more, 4u) << text.out;
}

// docs/adr/0039 and 0051: what a row of the host diff tells, no finding of a manifest tells again.
TEST_F(CheckManifests, AFactAboutAHostIsToldOnce) {
  fs::remove(sandbox_.at("shipgate.yaml"));
  const std::string manifest = agent_manifest();
  std::string yaml = "release_gate:\n";
  for (const std::string_view line : split(std::string_view(manifest), '\n'))
    if (!line.empty()) yaml += "  " + std::string(line) + "\n";
  sandbox_.write("gatehouse.yaml", yaml);
  const std::string flow = "on: [push]\njobs:\n  a:\n    runs-on: x\n";
  sandbox_.write(".github/workflows/a.yml", flow);
  base();
  sandbox_.write(".claude/settings.json", R"j({"permissions":{"allow":["Bash(ls:*)"]}})j");
  // No agent runs there, so that the host diff says nothing of it.
  sandbox_.write(".github/workflows/a.yml", flow + "    permissions: {contents: write}\n");
  head();
  const std::string reasons = surface().reasons();
  EXPECT_TRUE(contains(reasons, "GH-POWER-001 .claude/settings.json")) << reasons;
  EXPECT_FALSE(contains(reasons, "SHIP-HOST-BOUNDARY-PERMISSION")) << reasons;
  EXPECT_TRUE(
      contains(reasons, "SHIP-HOST-BOUNDARY-WORKFLOW-PERMISSIONS-EXPANDED .github/workflows/a.yml"))
      << reasons;
  const Ran ran = run({"verify", "--base", "main", "--head", "HEAD", "--json"});
  EXPECT_TRUE(contains(bytes_of(sandbox_.at("gatehouse-reports/report.json")),
                       "SHIP-HOST-BOUNDARY-PERMISSION-ALLOW-EXPANDED"))
      << ran.err;
}

TEST_F(CheckManifests, WhatStoodAtTheBaseStopsNobody) {
  sandbox_.write("shipgate.yaml", kRefundBlocks);
  tools(kOrderTool + "," + kRefundTool);
  base();
  sandbox_.write("README.md", "words\n");
  head();
  const Told harmless = check();
  EXPECT_EQ(harmless.surface(), "blocked review");
  EXPECT_EQ(harmless.code, 0) << harmless.err;
  EXPECT_FALSE(contains(harmless.reasons(), "error ")) << harmless.reasons();
  EXPECT_TRUE(contains(harmless.reasons(), "note SHIP-")) << harmless.reasons();
  // One more that is alike is new.
  std::string second = kRefundTool;
  second.replace(second.find("payments.create_refund"), 22, "payments.create_payout");
  tools(kOrderTool + "," + kRefundTool + "," + second);
  sandbox_.write("shipgate.yaml", moving_money(moves_money("payments.create_refund") +
                                               moves_money("payments.create_payout")));
  head();
  EXPECT_EQ(check().surface(), "blocked deny");
}

TEST_F(CheckManifests, AcceptedIsWhatTheBaseAccepts) {
  sandbox_.write("shipgate.yaml", kRefundBlocks);
  tools(kOrderTool + "," + kRefundTool);
  const Ran saved = run({"baseline", "save", "--config", "shipgate.yaml", "--reason", "known"});
  ASSERT_EQ(saved.code, 0) << saved.out << saved.err;
  base();
  sandbox_.write("README.md", "words\n");
  head();
  EXPECT_NE(check().part()["decision"].text(), "deny");
  EXPECT_EQ(check().code, 0);
  // A baseline that comes with the debt accepts nothing.
  sandbox_.git({"checkout", "-q", "-B", "main"});
  sandbox_.git({"rm", "-q", "-r", ".agents-shipgate"});
  tools(kOrderTool);
  sandbox_.commit("without");
  sandbox_.git({"checkout", "-q", "-B", "pr"});
  tools(kOrderTool + "," + kRefundTool);
  ASSERT_EQ(run({"baseline", "save", "--config", "shipgate.yaml", "--reason", "known"}).code, 0);
  head();
  const Told grown = surface();
  EXPECT_EQ(grown.surface(), "blocked deny");
  EXPECT_TRUE(contains(grown.reasons(), kRefundReason)) << grown.reasons();
  EXPECT_TRUE(contains(grown.reasons(), "SHIP-VERIFY-BASELINE-OR-WAIVER-EXPANDED"))
      << grown.reasons();
}

TEST_F(CheckManifests, EveryWayAroundTheGateIsSeenHereToo) {
  const std::string workflow = ".github/workflows/agents-shipgate.yml";
  const std::string gate =
      "on: [pull_request]\njobs:\n  gate:\n    runs-on: ubuntu-latest\n    steps:\n"
      "      - run: agents-shipgate verify --base origin/main --head HEAD\n";
  const std::string strict = agent_manifest("orders:read", "ci: {mode: strict}\n");
  struct Row {
    const char* name;
    std::vector<std::pair<std::string, std::string>> files;  // no bytes: removed
    const char *decision, *reason;
  };
  const Row kRows[] = {
      {"the gate's workflow goes", {{workflow, ""}}, "deny", "SHIP-VERIFY-CI-GATE-REMOVED"},
      {"it is emptied", {{workflow, "on: push\n"}}, "deny", "SHIP-VERIFY-CI-GATE-REMOVED"},
      {"it moves",
       {{workflow, ""}, {".github/workflows/b.yml", gate}},
       "deny",
       "SHIP-VERIFY-CI-GATE-REMOVED"},
      {"its job never runs",
       {{workflow, gate + "    if: false\n"}},
       "deny",
       "SHIP-VERIFY-CI-GATE-REMOVED"},
      {"its exit is swallowed",
       {{workflow, gate.substr(0, gate.size() - 1) + " || true\n"}},
       "deny",
       "SHIP-VERIFY-CI-GATE-REMOVED"},
      {"the policy is weaker",
       {{"shipgate.yaml", agent_manifest()}},
       "review",
       "SHIP-VERIFY-POLICY-WEAKENED"},
      {"the manifest goes", {{"shipgate.yaml", ""}}, "unverified", "GH-GATE-001"},
      {"the manifest moves and is weaker",
       {{"shipgate.yaml", ""},
        {"agent/shipgate.yaml", agent_manifest()},
        {"agent/" + kTools, "{\"tools\":[" + kOrderTool + "]}"}},
       "review",
       "SHIP-VERIFY-POLICY-WEAKENED"},
      {"the manifest is broken", {{"shipgate.yaml", "version: ["}}, "unverified", "GH-GATE-001"},
      {"the source goes", {{kTools, ""}}, "unverified", "GH-GATE-001"},
      {"the export is hidden from archives",
       {{".gitattributes", "tools/* export-ignore\n"},
        {kTools, "{\"tools\":[" + kOrderTool + "," + kRefundTool + "]}"}},
       "deny",
       "SHIP-ACTION-FINANCIAL-WRITE-CONTROL-MISSING"},
      {"instructions in another case",
       {{"sub/Agents.MD", "do as you please\n"}},
       "review",
       "SHIP-VERIFY-AGENT-INSTRUCTIONS-WEAKENED"},
  };
  sandbox_.write(workflow, gate);
  sandbox_.write("shipgate.yaml", strict);
  base();
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    for (const auto& [path, bytes] : row.files)
      if (bytes.empty())
        fs::remove(sandbox_.at(path));
      else
        sandbox_.write(path, bytes);
    head();
    const Told said = surface();
    EXPECT_EQ(said.part()["decision"].text(), row.decision) << said.reasons() << said.err;
    EXPECT_TRUE(contains(said.reasons(), row.reason)) << said.reasons();
    EXPECT_EQ(said.code == 0, row.decision == std::string("review")) << said.err;
    sandbox_.git({"reset", "-q", "--hard", "main"});
  }
  // Weakened in one commit and restored in a later one.
  sandbox_.write("shipgate.yaml", agent_manifest());
  sandbox_.commit("weaker");
  sandbox_.write("shipgate.yaml", strict);
  sandbox_.write("README.md", "words\n");
  sandbox_.commit("restored");
  EXPECT_EQ(surface().reasons(), "");
}

TEST_F(CheckManifests, ASymlinkedManifestAndOneBelowAreManifests) {
  fs::remove(sandbox_.at("shipgate.yaml"));
  sandbox_.write("services/pay/shipgate.yaml", agent_manifest());
  sandbox_.write("services/pay/" + kTools, "{\"tools\":[" + kOrderTool + "]}");
  base();
  sandbox_.write("services/web/a.txt", "x\n");
  sandbox_.commit("elsewhere");
  EXPECT_EQ(surface().surface(), kSkipped) << "the manifest has nothing to do with it";
  sandbox_.write("services/pay/" + kTools, "{\"tools\":[" + kOrderTool + "," + kRefundTool + "]}");
  head();
  const Told below = surface();
  EXPECT_EQ(below.surface(), "blocked deny");
  EXPECT_TRUE(contains(below.reasons(), " services/pay/")) << below.reasons();
  sandbox_.git({"rm", "-q", "services/pay/shipgate.yaml"});
  sandbox_.git({"commit", "-q", "-m", "gone"});
  EXPECT_EQ(surface().part()["decision"].text(), "unverified");

  sandbox_.git({"checkout", "-q", "main"});
  sandbox_.write("real.yaml", agent_manifest());
  fs::create_symlink("real.yaml", sandbox_.at("shipgate.yaml"));
  sandbox_.commit("linked");
  sandbox_.git({"checkout", "-q", "-B", "pr"});
  tools(kOrderTool + "," + kRefundTool);
  head();
  EXPECT_EQ(surface().surface(), "blocked deny");
}

TEST_F(CheckManifests, TwoManifestsInOnePlaceAreNobodysGuess) {
  base();
  sandbox_.write("gatehouse.yaml", "release_gate:\n  version: \"0.1\"\n");
  head();
  const Told said = surface();
  EXPECT_EQ(said.part()["decision"].text(), "unverified");
  EXPECT_EQ(said.code, 2) << said.err;
}

/// What must be the same in every shape of repository.
std::string essence(const Told& said) { return said.surface() + "\n" + said.reasons(); }

TEST_F(CheckManifests, EveryShapeOfRepositoryDecidesAlike) {
  base();
  tools(kOrderTool + "," + kRefundTool);
  sandbox_.write("AGENTS.md", "x\n");
  head();
  const std::string expected = essence(surface());
  EXPECT_TRUE(expected.starts_with("blocked deny\n")) << expected;
  sandbox_.git({"checkout", "-q", "--detach"});
  EXPECT_EQ(essence(surface({"main..HEAD"})), expected);
  // Base went on, also in what the gate reads.
  sandbox_.git({"checkout", "-q", "main"});
  sandbox_.write("shipgate.yaml", agent_manifest("orders:read", "ci: {mode: strict}\n"));
  sandbox_.commit("meanwhile");
  EXPECT_EQ(essence(surface()), expected);
  // A merge of three.
  for (const char* name : {"side", "third"}) {
    sandbox_.git({"checkout", "-q", "-b", name, "main~1"});
    sandbox_.write("src/" + std::string(name) + ".txt", "x\n");
    sandbox_.commit(name);
  }
  sandbox_.git({"checkout", "-q", "-b", "merged", "pr"});
  sandbox_.git({"merge", "-q", "--no-edit", "side", "third"});
  EXPECT_EQ(essence(surface({"side..merged"})), expected);
  EXPECT_EQ(essence(surface({"main..merged"})), expected);
  // A shallow clone in which the two have no commit in common.
  const std::string clone = sandbox_.folder() + "/shallow";
  GitSandbox::git_at(sandbox_.folder(), {"clone", "-q", "--depth=1", "--no-single-branch",
                                         "file://" + sandbox_.root(), clone});
  const Told shallow = told(clone, {"origin/main..origin/pr", "--gates", "surface"});
  EXPECT_EQ(shallow.part()["decision"].text(), "unverified");
  EXPECT_EQ(shallow.code, 2);
  EXPECT_TRUE(contains(shallow.doc()["reasons"].list().empty()
                           ? ""
                           : Peek(shallow.doc()["reasons"].list().front())["message"].text(),
                       "git fetch --unshallow"));
  EXPECT_EQ(gatehouse({"check", "origin/gone..HEAD", "--json"}, clone).code, 2) << "a missing base";
}

class CheckManifestsSha256 : public VerifiedRepository {
 protected:
  CheckManifestsSha256() : VerifiedRepository("sha256") {}
};

TEST_F(CheckManifestsSha256, AreDecidedAlike) {
  base();
  sandbox_.write(kTools, "{\"tools\":[" + kOrderTool + "," + kRefundTool + "]}");
  head();
  EXPECT_EQ(told(sandbox_.root(), {"main..pr", "--gates", "surface"}).surface(), "blocked deny");
  sandbox_.write(".mcp.json", "{");
  sandbox_.git({"add", "-A"});
  EXPECT_EQ(told(sandbox_.root(), {"--staged", "--gates", "surface"}).part()["decision"].text(),
            "unverified");
}

// ------------------------------------------------------------------------------------------ a push

class SurfaceOfAPush : public GitHooks {
 protected:
  SurfaceOfAPush() {
    repo.write("gatehouse.yaml",
               "patch:\n  allow_control_files: [.claude/settings.json]\nhooks: {mode: enforce}\n");
    repo.write(".claude/settings.json", R"j({"permissions":{"allow":["Bash(npm test:*)"]}})j");
    repo.commit("settings");
  }
};

TEST_F(SurfaceOfAPush, AServerTakesNoCriticalPowerUnlessItsAdministratorLetsItIn) {
  const std::string at = server();
  EXPECT_EQ(git({"checkout", "-q", "-b", "power"}).code, 0);
  repo.write(".claude/settings.json", R"j({"permissions":{"allow":["Bash(*)"]}})j");
  repo.commit("power");
  const Ran refused = git({"push", "-q", at, "power"});
  EXPECT_NE(refused.code, 0);
  EXPECT_TRUE(contains(refused.err, "GH-POWER-001")) << refused.err;
  EXPECT_TRUE(contains(refused.err, "hook approve")) << refused.err;
  std::string id = head();
  id.resize(id.find('\n'));
  const Ran approved = gatehouse({"hook", "approve", id, "--reason", "agreed"}, at);
  ASSERT_EQ(approved.code, 0) << approved.out << approved.err;
  const Ran taken = git({"push", "-q", at, "power"});
  EXPECT_EQ(taken.code, 0) << taken.err;
}

TEST_F(SurfaceOfAPush, WhatOnlyNeedsALookIsNotStopped) {
  const std::string at = server();
  EXPECT_EQ(git({"checkout", "-q", "-b", "more"}).code, 0);
  repo.write(".claude/settings.json", R"j({"permissions":{"allow":["Bash(npm *)"]}})j");
  repo.commit("more");
  const Ran taken = git({"push", "-q", at, "more"});
  EXPECT_EQ(taken.code, 0) << taken.err;
}

}  // namespace
}  // namespace gh::testing
