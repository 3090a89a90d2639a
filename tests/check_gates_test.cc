// `gatehouse check` with its gates, in real repositories: docs/check.md.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"
#include "model/peek.h"
#include "tests/gatehouse_binary.h"
#include "tests/git_sandbox.h"
#include "tests/runs_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

using Words = std::vector<std::string>;

/// What one check said.
struct Said {
  int code = -1;
  Value document{};
  std::string err{};

  Peek doc() const { return Peek(document); }
  std::string decision() const { return std::string(doc()["decision"].text()); }
  /// "status" of a gate that ran, "-why" of one that did not.
  std::string part(std::string_view gate) const {
    for (const Value& part : doc()["parts"].list()) {
      const Peek p(part);
      if (p["gate"].text() != gate) continue;
      return p["state"].text() == "ran" ? std::string(p["status"].text())
                                        : "-" + std::string(p["why"].text());
    }
    return "absent";
  }
  /// "id path" of the reasons of a gate, in the order of the document.
  Words reasons(std::string_view gate) const {
    Words out;
    for (const Value& reason : doc()["reasons"].list())
      if (const Peek r(reason); r["gate"].text() == gate)
        out.push_back(std::string(r["id"].text()) +
                      (r["path"].text().empty() ? "" : " " + std::string(r["path"].text())));
    return out;
  }
  Peek reason(std::string_view id) const {
    for (const Value& reason : doc()["reasons"].list())
      if (Peek(reason)["id"].text() == id) return Peek(reason);
    static const Value nothing;
    return Peek(nothing);
  }
  std::string digest() const { return std::string(doc()["digests"]["verdict"].text()); }
};

/// A library, so that nothing public is dead.
void fill(const GitSandbox& repo) {
  repo.write("pkg/__init__.py", "");
  repo.write("pkg/a.py", python_function("load", 2));
  repo.write("pkg/b.py", python_copy("store"));
  repo.write("docs/guide.md", "read me\n");
  repo.write("pyproject.toml", "[project]\nname = \"p\"\n");
  repo.commit("first");
}

Said check_in(const std::string& root, Words words, const std::string& session = "",
              std::string_view input = {}, Words environment = {}) {
  words.insert(words.begin(), "check");
  words.emplace_back("--json");
  if (!session.empty()) words.insert(words.end(), {"--session", session});
  const Ran ran = gatehouse(std::move(words), root, input, std::move(environment));
  Said out{.code = ran.code, .err = ran.err};
  auto document = wire::read_own_json(ran.out, "the answer");
  EXPECT_TRUE(document) << ran.out << ran.err;
  if (document) out.document = std::move(*document);
  return out;
}

class CheckGates : public ::testing::Test {
 protected:
  CheckGates() { fill(repo); }

  Said check(Words words = {}, const std::string& session = "", std::string_view input = {}) const {
    return check_in(repo.root(), std::move(words), session, input);
  }
  void must(Words words, const std::string& session) const {
    words.insert(words.end(), {"--session", session});
    const Ran ran = gatehouse(std::move(words), repo.root());
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  }
  /// Declares these files; gives the id.
  std::string start(const std::string& session, Words files, Words more = {}) const {
    const Ran analysed = gatehouse({"analyze"}, repo.root());
    EXPECT_EQ(analysed.code, 0) << analysed.err;
    Words words{"change", "start", "--goal", "a change by " + session, "--allow"};
    words.insert(words.end(), files.begin(), files.end());
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--field", "intent_id", "--session", session});
    const Ran ran = gatehouse(words, repo.root());
    return ran.out.substr(0, ran.out.find('\n'));
  }
  /// The diff of the work tree, which is then as it was.
  std::string patch_of_work_tree() const {
    repo.git({"add", "-A"});
    const std::string diff = repo.git({"diff", "--cached", "--no-renames", "HEAD"}) + "\n";
    repo.git({"reset", "-q", "--hard"});
    return diff;
  }
  GitSandbox repo;
};

// ------------------------------------------------------------------------ every target, every gate

TEST_F(CheckGates, EveryTargetMeetsEveryGate) {
  struct Change {
    const char* name;
    std::string path, bytes;
    const char *decision, *structure;
    Words reasons;
  };
  const Change kChanges[] = {
      {"a good edit", "pkg/a.py", python_function("load", 3), "allow", "accepted", {}},
      {"a copy",
       "pkg/c.py",
       python_copy("store_again"),
       "deny",
       "violated",
       {"GH-CLONE-FUNCTION pkg/c.py", "gate_failures"}},
      {"too complex",
       "pkg/a.py",
       python_function("load", 25),
       "deny",
       "violated",
       {"GH-DESIGN-COMPLEXITY pkg/a.py", "gate_failures"}},
      {"no longer Python",
       "pkg/a.py",
       "def load(a:\n    return (\n",
       "deny",
       "violated",
       {"GH-STRUCT-SYNTAX pkg/a.py"}},
      {"documentation",
       "docs/guide.md",
       "read me twice\n",
       "allow",
       "-not applicable: only documentation is changed",
       {}},
      {"no source",
       "data/table.csv",
       "a,b\n",
       "allow",
       "-not applicable: no analysed source is changed",
       {}},
  };
  for (const Change& change : kChanges) {
    SCOPED_TRACE(change.name);
    const auto expect = [&](const Said& said, std::string_view target) {
      SCOPED_TRACE(target);
      EXPECT_EQ(said.decision(), change.decision) << said.err;
      EXPECT_EQ(said.code, change.decision == std::string("allow") ? 0 : 1);
      EXPECT_EQ(said.part("patch"), "PATCH_OK");
      EXPECT_EQ(said.part("scope"), "-no intent declared");
      EXPECT_EQ(said.part("structure"), change.structure);
      EXPECT_EQ(said.part("surface"), "-no manifest, and nothing is changed that agent hosts read");
      const Words told = said.reasons("structure");
      for (const std::string& reason : change.reasons)
        EXPECT_NE(std::ranges::find(told, reason), told.end()) << reason;
      EXPECT_EQ(contains(said.err, "gate 'structure' denied, first "),
                change.decision == std::string("deny"))
          << said.err;
    };
    repo.write(change.path, change.bytes);
    repo.git({"add", "-A"});
    expect(check({"--staged"}), "staged");
    expect(check({}), "chosen: staged");
    repo.git({"reset", "-q"});
    repo.git({"add", "-N", "."});
    expect(check({}), "chosen: work tree");
    const std::string patch = patch_of_work_tree();
    expect(check({"-"}, "", patch), "patch");
    repo.write(change.path, change.bytes);
    repo.commit("the change");
    expect(check({"HEAD~1..HEAD"}), "range");
    repo.git({"reset", "-q", "--hard", "HEAD~1"});
  }
}

TEST_F(CheckGates, AChangeOfTheCodeHasReasonsWithPlaceEvidenceAndNextStep) {
  repo.write("pkg/c.py", "x = 1\n\n\n" + python_copy("store_again"));
  repo.git({"add", "-A"});
  const Said said = check({"--staged"});
  const Peek reason = said.reason("GH-CLONE-FUNCTION");
  EXPECT_EQ(reason["path"].text(), "pkg/c.py");
  EXPECT_EQ(reason["line"].number(), 4);
  EXPECT_EQ(reason["severity"].text(), "warning");
  EXPECT_EQ(reason["evidence"]["attribution"].text(), "change");
  EXPECT_EQ(reason["evidence"]["places"].list().size(), 2u);
  EXPECT_EQ(reason["next"]["command"].text(), "gatehouse explain GH-CLONE-FUNCTION");
  EXPECT_EQ(reason["fingerprint"].text().size(), 32u);
  // No line number takes part in it.
  repo.write("pkg/c.py", "x = 1\ny = 2\n\n\n" + python_copy("store_again"));
  repo.git({"add", "-A"});
  const Said moved = check({"--staged"});
  EXPECT_EQ(moved.reason("GH-CLONE-FUNCTION")["line"].number(), 5);
  EXPECT_EQ(moved.reason("GH-CLONE-FUNCTION")["fingerprint"].text(), reason["fingerprint"].text());
  const Ran text = gatehouse({"check", "--staged"}, repo.root());
  EXPECT_TRUE(contains(text.out, "5 | def store_again(a):\n  | ^^^^^^^^^^")) << text.out;
  EXPECT_TRUE(contains(text.out, "::: pkg/b.py:1\n")) << text.out;
  EXPECT_TRUE(contains(text.out, "denied: ")) << text.out;
}

TEST_F(CheckGates, EveryReasonCanBeExplained) {
  repo.write("pkg/c.py", "# gatehouse: ignore[clone]\n" + python_copy("store_again"));
  repo.write("pkg/a.py", "def load(a:\n");
  repo.git({"add", "-A"});
  const Said said = check({"--staged"});
  EXPECT_EQ(said.decision(), "deny");
  for (const Value& reason : said.doc()["reasons"].list()) {
    const std::string id = std::string(Peek(reason)["id"].text());
    EXPECT_EQ(gatehouse({"explain", id}, repo.root()).code, 0) << id;
  }
}

// ------------------------------------------------------------------------------ the structure gate

TEST_F(CheckGates, ASuppressionThatTheChangeAddsDoesNotCount) {
  repo.write("pkg/c.py", "# gatehouse: ignore[clone]\n" + python_copy("store_again"));
  repo.git({"add", "-A"});
  const Said said = check({"--staged"});
  EXPECT_EQ(said.decision(), "deny");
  EXPECT_EQ(said.reason("suppression_added")["severity"].text(), "warning");
  EXPECT_EQ(said.reason("GH-CLONE-FUNCTION")["path"].text(), "pkg/c.py");
}

TEST_F(CheckGates, RulesAreThoseOfTheBaseAndNotOfTheChange) {
  // The patch gate would refuse the file itself; here it is asked for the structure alone.
  repo.write("gatehouse.yaml", "analysis:\n  design_complexity: 90\n  exclude: ['pkg/a.py']\n");
  repo.write("pkg/a.py", python_function("load", 25));
  repo.git({"add", "-A"});
  EXPECT_EQ(check({"--staged", "--gates", "structure"}).decision(), "deny");
  repo.commit("now they are the base's");
  repo.write("pkg/a.py", python_function("load", 30));
  EXPECT_EQ(check({"--gates", "structure"}).part("structure"), "accepted");
}

TEST_F(CheckGates, SourcesThatNobodyAnalysesAreNoReason) {
  repo.write("vendor/copy.py", python_copy("store_again"));
  repo.git({"add", "-A"});
  EXPECT_EQ(check({"--staged", "--gates", "structure"}).part("structure"),
            "-not applicable: no file that is analysed differs");
}

TEST_F(CheckGates, GatesOfTheConfigurationCountToo) {
  repo.write("gatehouse.yaml", "analysis:\n  fail_complexity: 3\n");
  repo.commit("a strict limit");
  repo.write("pkg/a.py", python_function("load", 3));
  const Said said = check({"--gates", "structure"});
  EXPECT_EQ(said.part("structure"), "violated");
  EXPECT_EQ(said.reason("gate_failures")["evidence"]["gate"].text(), "metric:complexity_threshold");
  EXPECT_FALSE(said.reason("gate_failures")["evidence"]["fails_at_base"].is_true());
}

TEST_F(CheckGates, DebtOfTheBaseIsNotHeldAgainstAChange) {
  repo.write("pkg/c.py", python_copy("store_again"));
  repo.write("pkg/d.py", python_function("deep", 25));
  repo.commit("debt: a copy, and a function that is too complex");
  repo.write("pkg/a.py", python_function("load", 3));
  EXPECT_EQ(check({}).part("structure"), "accepted");
  repo.write("pkg/e.py", python_function("deeper", 26));
  repo.git({"add", "-A"});
  const Said said = check({"--staged"});
  EXPECT_EQ(said.decision(), "deny");
  EXPECT_EQ(said.reason("GH-DESIGN-COMPLEXITY")["path"].text(), "pkg/e.py");
}

TEST_F(CheckGates, StrictnessIsBoundedByThePolicyFromBelow) {
  repo.write("pkg/c.py", python_copy("store_again"));
  repo.git({"add", "-A"});
  EXPECT_EQ(check({"--staged", "--strictness", "ci"}).decision(), "deny");
  const Said relaxed = check({"--staged", "--strictness", "relaxed"});
  EXPECT_EQ(relaxed.decision(), "allow");
  EXPECT_EQ(relaxed.reason("GH-CLONE-FUNCTION")["severity"].text(), "warning");
  EXPECT_EQ(check({"--staged", "--strictness", "relaxed", "--strict"}).code, 1);
  repo.git({"reset", "-q", "--hard"});
  repo.write("gatehouse.yaml", "change_control:\n  min_strictness: ci\n");
  repo.commit("a floor");
  repo.write("pkg/c.py", python_copy("store_again"));
  repo.git({"add", "-A"});
  EXPECT_EQ(check({"--staged", "--strictness", "relaxed"}).decision(), "deny");
  repo.git({"reset", "-q", "--hard"});
  repo.write("pkg/a.py", python_function("load", 12));
  EXPECT_EQ(check({"--strictness", "ci"}).decision(), "allow");
  EXPECT_EQ(check({"--strictness", "strict"}).decision(), "deny");
}

TEST_F(CheckGates, AStateArtifactIsNeverPartOfAChange) {
  repo.write("gatehouse.baseline.json", "{}\n");
  repo.git({"add", "-A"});
  const Said said = check({"--staged", "--gates", "scope,structure"});
  EXPECT_EQ(said.decision(), "deny");
  EXPECT_EQ(said.part("scope"), "-no intent declared");
  EXPECT_EQ(said.part("structure"), "violated");
  EXPECT_EQ(said.reasons("structure"), (Words{"GH-PROTECT-001 gatehouse.baseline.json"}));
}

TEST_F(CheckGates, ABaselineThatMovesWithTheCodeIsAbuse) {
  repo.write("gatehouse.yaml", "analysis:\n  baseline: ci/base.json\n");
  repo.write("ci/base.json", "{}\n");
  repo.commit("a baseline of another name");
  repo.write("ci/base.json", "{ }\n");
  repo.write("pkg/a.py", python_function("load", 3));
  const Said said = check({"--gates", "structure"});
  EXPECT_EQ(said.part("structure"), "violated");
  EXPECT_EQ(said.reasons("structure"),
            (Words{"baseline_abuse:baseline_changed_with_functional_code",
                   "baseline_abuse:baseline_updated_without_intent"}));
}

TEST_F(CheckGates, AgainstABaselineTheWholeTreeCounts) {
  const std::string file = repo.folder() + "/base.json";
  ASSERT_EQ(gatehouse({"baseline", "save", "--baseline", file}, repo.root()).code, 0);
  // Nothing is changed, and the answer is about the tree all the same.
  EXPECT_EQ(check({"--gates", "structure", "--baseline", file}).part("structure"), "accepted");
  repo.write("pkg/c.py", python_copy("store_again"));
  repo.commit("a copy");
  const Said said = check({"--gates", "structure", "--baseline", file});
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.reasons("structure"), (Words{"gate_failures", "GH-CLONE-FUNCTION pkg/b.py"}));
  for (const char* bad : {"{}", "no json", ""}) {
    repo.write("bad.json", bad);
    const Said refused = check({"--gates", "structure", "--baseline", repo.at("bad.json")});
    EXPECT_EQ(refused.doc()["schema"].text(), "gatehouse.error/1");
    EXPECT_EQ(refused.doc()["code"].text(), "baseline_untrusted") << bad;
    EXPECT_EQ(refused.code, 3) << bad;
  }
  EXPECT_NE(check({"--gates", "structure", "--baseline", repo.at("none.json")}).code, 0);
}

TEST_F(CheckGates, AgainstABaselineNewSyntaxErrorsCount) {
  const std::string broken = "def open(:\n    return 1\n";
  repo.write("pkg/old.py", broken);
  repo.commit("broken before");
  const std::string file = repo.folder() + "/base.json";
  ASSERT_EQ(gatehouse({"baseline", "save", "--baseline", file}, repo.root()).code, 0);
  repo.write("pkg/old.py", broken + "\n\nX = 1\n");
  EXPECT_EQ(check({"--gates", "structure", "--baseline", file}).part("structure"), "accepted")
      << "it was as broken at the base";
  repo.write("pkg/new.py", broken);
  repo.git({"add", "pkg/new.py"});
  const Said said = check({"--gates", "structure", "--baseline", file});
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.reasons("structure"), (Words{"GH-STRUCT-SYNTAX pkg/new.py"}));
}

TEST_F(CheckGates, CopiesWithoutAFindingOfTheirOwnAreTold) {
  repo.write("pkg/d.py", python_copy("other"));
  repo.commit("two copies");
  std::string edited = python_copy("store");
  edited.insert(edited.find("    h5"), "    extra(a)\n    if a:\n        extra(a)\n");
  repo.write("pkg/b.py", edited);
  const Said said = check({"--strictness", "relaxed"});
  EXPECT_EQ(said.decision(), "allow");
  EXPECT_EQ(said.reason("clone_partial_edit")["path"].text(), "pkg/b.py");
}

// ---------------------------------------------------------------------------------- the scope gate

TEST_F(CheckGates, ADeclaredChangeIsMeasuredAgainstItsScope) {
  const std::string id = start("A", {"pkg/a.py"}, {"--related", "pkg/b.py", "--forbid", "*.sql"});
  repo.write("pkg/a.py", python_function("load", 3));
  const Said clean = check({}, "A");
  EXPECT_EQ(clean.decision(), "allow") << clean.err;
  EXPECT_EQ(clean.part("scope"), "clean");
  EXPECT_EQ(clean.part("structure"), "accepted");
  EXPECT_EQ(clean.doc()["subject"]["intent_id"].text(), id);
  EXPECT_EQ(check({}, "B").part("scope"), "blocked") << "another session meets the holder";
  EXPECT_EQ(check({"--intent", id}, "B").part("scope"), "clean");
  EXPECT_EQ(check({"--intent", "intent-00000000-001-000000"}, "B").code, 2);

  repo.write("pkg/b.py", python_copy("store") + "    more(a)\n");
  EXPECT_EQ(check({}, "A").part("scope"), "expanded");
  repo.write("docs/guide.md", "read me twice\n");
  repo.write("drop.sql", "drop\n");
  repo.git({"add", "drop.sql"});
  const Said outside = check({}, "A");
  EXPECT_EQ(outside.code, 1);
  EXPECT_EQ(outside.part("scope"), "violated");
  EXPECT_EQ(outside.reasons("scope"),
            (Words{"GH-SCOPE-001 docs/guide.md", "GH-SCOPE-002 drop.sql"}));
  const Peek reason = outside.reason("GH-SCOPE-001");
  EXPECT_EQ(reason["line"].number(), 1);
  EXPECT_EQ(reason["evidence"]["rule"].text(), "scope.exact");
  EXPECT_EQ(reason["next"]["command"].text(),
            "gatehouse change extend --add docs/guide.md --session A");
  EXPECT_EQ(reason["next"]["tool"].text(), "manage_change_intent");
  EXPECT_EQ(reason["next"]["arguments"]["action"].text(), "declare");
  EXPECT_EQ(reason["next"]["arguments"]["scope"]["allowed_files"].list().size(), 2u);
  EXPECT_TRUE(contains(outside.err, "gate 'scope' denied, first GH-SCOPE-001 at docs/guide.md:1"));
  const Ran text = gatehouse({"check", "--session", "A"}, repo.root());
  EXPECT_TRUE(text.out.starts_with("checking: work tree against HEAD, intent " + id)) << text.out;
  EXPECT_TRUE(contains(text.out, "1 | + read me twice\n  |   ^^^^^^^^^^^^^ added by this change"))
      << text.out;
  EXPECT_TRUE(contains(text.out, "= declared: pkg/a.py")) << text.out;
  // What the next step says is what helps.
  must({"change", "extend", "--add", "docs/guide.md"}, "A");
  EXPECT_EQ(check({}, "A").reasons("scope"), (Words{"GH-SCOPE-002 drop.sql"}));
}

TEST_F(CheckGates, EveryTargetIsMeasuredAgainstTheScope) {
  start("A", {"pkg/a.py"});
  repo.write("docs/guide.md", "read me twice\n");
  EXPECT_EQ(check({}, "A").part("scope"), "violated");
  repo.git({"add", "-A"});
  EXPECT_EQ(check({"--staged"}, "A").part("scope"), "violated");
  const std::string patch = patch_of_work_tree();
  EXPECT_EQ(check({"-"}, "A", patch).part("scope"), "violated");
  repo.write("docs/guide.md", "read me twice\n");
  repo.commit("outside");
  EXPECT_EQ(check({"HEAD~1..HEAD"}, "A").part("scope"), "violated");
  const Said unread = check({"-"}, "A", "prose\n");
  EXPECT_EQ(unread.part("scope"), "-the patch could not be read");
  EXPECT_EQ(unread.part("structure"), "-the patch gate did not allow the change");
}

TEST_F(CheckGates, ANewFileMeetsThePatchGateBeforeGitKnowsIt) {
  start("A", {".github/workflows/ci.yml", "pkg/a.py"});
  repo.write(".github/workflows/ci.yml", "on: push\n");
  const Said said = check({}, "A");
  EXPECT_EQ(said.decision(), "deny");
  EXPECT_EQ(said.reason("control_file")["path"].text(), ".github/workflows/ci.yml");
}

TEST_F(CheckGates, AFileNamedLikeARangeIsNoRange) {
  repo.write("docs/guide.md", "read me twice\n");
  repo.commit("another");
  repo.write("HEAD~1..HEAD", "prose\n");
  repo.git({"add", "-A"});
  EXPECT_EQ(check({"HEAD~1..HEAD"}).decision(), "allow") << "the range is judged, not the file";
}

TEST_F(CheckGates, WhatIsStagedCountsWhateverTheDiskSays) {
  start("A", {"pkg/a.py"});
  const std::string before = repo.git({"show", "HEAD:pkg/b.py"}) + "\n";
  repo.write("pkg/b.py", before + "\n# undeclared\n");
  repo.git({"add", "-A"});
  repo.write("pkg/b.py", before);
  EXPECT_EQ(check({}, "A").reasons("scope"), (Words{"GH-SCOPE-001 pkg/b.py"}));
  repo.git({"reset", "-q", "--hard"});
  repo.git({"update-index", "--assume-unchanged", "pkg/b.py"});
  repo.write("pkg/b.py", before + "\n# hidden\n");
  EXPECT_EQ(check({}, "A").reasons("scope"), (Words{"GH-SCOPE-001 pkg/b.py"}));
}

TEST_F(CheckGates, AnIntentInAnotherTreeSaysNothingOfThisOne) {
  start("A", {"pkg/a.py"}, {"--worktree"});
  repo.write("pkg/c.py", python_copy("store_again"));
  repo.git({"add", "-A"});
  EXPECT_EQ(check({}, "A").decision(), "deny");
}

TEST_F(CheckGates, AnUntrackedFileInsideOfTheScopeIsPartOfTheChange) {
  start("A", {"pkg/new.py", "pkg/a.py"});
  repo.write("pkg/new.py", python_copy("store_again"));
  repo.write("stray.py", python_copy("stray"));
  const Said said = check({}, "A");
  EXPECT_EQ(said.part("patch"), "PATCH_OK") << "it meets the patch gate like all others";
  EXPECT_EQ(said.part("scope"), "clean") << "what lies outside is not the change's";
  EXPECT_EQ(said.reason("GH-CLONE-FUNCTION")["path"].text(), "pkg/new.py");
  repo.write("pkg/new.py", python_copy("store_again") + "\n");
  EXPECT_NE(check({}, "A").doc()["digests"]["input"].text(), said.doc()["digests"]["input"].text());
  const Ran text = gatehouse({"check", "--session", "A"}, repo.root());
  EXPECT_TRUE(contains(text.out, "1 untracked file was not looked at")) << text.out;
}

TEST_F(CheckGates, WhoWaitsMayNotEditAndWhoHoldsTwoMustSayWhich) {
  start("A", {"pkg/a.py"});
  const std::string waiting = start("B", {"pkg/a.py"}, {"--on-conflict", "queue"});
  repo.write("pkg/a.py", python_function("load", 3));
  const Said queued = check({}, "B");
  EXPECT_EQ(queued.part("scope"), "queued");
  EXPECT_EQ(queued.reasons("scope"), (Words{"GH-INTENT-002"}));
  EXPECT_EQ(queued.reason("GH-INTENT-002")["next"]["command"].text(),
            "gatehouse change promote " + waiting + " --session B");
  const Said foreign = check({}, "C");
  EXPECT_EQ(foreign.reasons("scope"), (Words{"GH-INTENT-003 pkg/a.py"}));
  repo.git({"checkout", "-q", "pkg/a.py"});
  repo.write("pkg/later.py", python_function("later", 1));
  repo.commit("another run, another intent");
  const std::string second = start("A", {"docs/guide.md"});
  repo.write("docs/guide.md", "read me twice\n");
  const Said two = check({}, "A");
  EXPECT_EQ(two.decision(), "unverified");
  EXPECT_EQ(two.reasons("scope"), (Words{"GH-GATE-001"}));
  EXPECT_EQ(check({"--exit-review"}, "A").code, 11);
  EXPECT_EQ(two.reason("GH-GATE-001")["evidence"]["intents"].list().size(), 2u);
  EXPECT_EQ(check({"--intent", second}, "A").part("scope"), "clean");
}

TEST_F(CheckGates, ThePolicyOfTheBaseMayWantAnIntent) {
  repo.write("gatehouse.yaml", "change_control:\n  require_intent: true\n");
  repo.commit("declare your changes");
  repo.write("docs/guide.md", "read me twice\n");
  const Said said = check();
  EXPECT_EQ(said.reasons("scope"), (Words{"GH-INTENT-001"}));
  EXPECT_EQ(said.part("scope"), "blocked");
  start("A", {"docs/guide.md"}, {"--continue-own-wip"});
  EXPECT_EQ(check({}, "A").part("scope"), "clean");
}

TEST_F(CheckGates, OnlyWhatHappensInsideOfTheScopeIsHeldAgainstAnIntent) {
  start("A", {"pkg/a.py"});
  repo.write("pkg/a.py", python_function("load", 2) + "X = 1\n");
  repo.write("pkg/c.py", python_copy("store_again"));
  repo.git({"add", "-A"});
  const Said said = check({"--staged", "--gates", "scope,structure"}, "A");
  EXPECT_EQ(said.part("scope"), "violated");
  EXPECT_EQ(said.part("structure"), "accepted_with_external_changes");
  EXPECT_EQ(said.reason("GH-CLONE-FUNCTION")["severity"].text(), "note");
  EXPECT_EQ(said.reason("GH-CLONE-FUNCTION")["evidence"]["attribution"].text(), "external");
  EXPECT_EQ(check({"--staged", "--gates", "structure"}, "A").part("structure"), "violated")
      << "nobody looks at the paths";
}

// Whoever declared a file that the change does not touch has said nothing about the change.
TEST_F(CheckGates, AnUnrelatedIntentExcusesNothingInARange) {
  start("A", {"docs/guide.md"});
  repo.write("pkg/c.py", python_copy("store_again"));
  repo.commit("a copy");
  for (const Words& gates : {Words{"--gates", "patch,structure"}, Words{"--gates", "structure"}}) {
    Words words{"HEAD~1..HEAD"};
    words.insert(words.end(), gates.begin(), gates.end());
    const Said said = check(words, "A");
    EXPECT_EQ(said.part("structure"), "violated");
    EXPECT_EQ(said.decision(), "deny");
    EXPECT_EQ(said.reason("GH-CLONE-FUNCTION")["evidence"]["attribution"].text(), "change");
  }
}

// ---------------------------------------------------------------------------- options, exit codes

TEST_F(CheckGates, OptionsThatMakeNoSenseAreRefused) {
  for (const Words& words : {Words{"--gates", "patch,nothing"},
                             {"--gates", ""},
                             {"--gates", "admission"},
                             {"--gates", "patch", "--strictness", "ci"},
                             {"--gates", "scope", "--baseline", "x"},
                             {"HEAD~0..HEAD", "--staged"},
                             {"--strictness", "lax"}})
    EXPECT_EQ(check(words).code, 2) << words.front();
}

TEST_F(CheckGates, ExitCodesFollowTheDecision) {
  repo.write("pkg/c.py", python_copy("store_again"));
  repo.git({"add", "-A"});
  EXPECT_EQ(check({"--staged"}).code, 1);
  EXPECT_EQ(check({"--staged", "--exit-zero"}).code, 0);
  EXPECT_EQ(check({"--staged", "--exit-review"}).code, 1);
  EXPECT_EQ(check({"--staged", "--gates", "patch"}).code, 0);
  EXPECT_EQ(check({"--staged", "--gates", "patch,scope"}).code, 0);
  EXPECT_EQ(check({"--staged", "--gates", "structure"}).code, 1);
  EXPECT_EQ(check({"--staged", "--gates", "structure"}).part("patch"), "-not asked for");
  // A patch is always read by the patch gate: nothing else can say what it gives.
  const std::string patch = patch_of_work_tree();
  EXPECT_EQ(check({"-", "--gates", "structure"}, "", patch).part("patch"), "PATCH_OK");
}

TEST_F(CheckGates, ALedgerThatCannotBeReadIsAGateThatCannotDecide) {
  start("A", {"pkg/a.py"});
  repo.write("pkg/a.py", python_function("load", 3));
  repo.git({"add", "-A"});
  for (const char* name : {"ledger.db", "ledger.db-wal"})
    repo.write(std::string(".git/gatehouse/") + name, "no database\n");
  const Said said = check({"--staged"}, "A");
  EXPECT_EQ(said.decision(), "unverified");
  EXPECT_EQ(said.part("scope"), "unverified");
  EXPECT_EQ(said.reasons("scope"), (Words{"GH-GATE-001"}));
  EXPECT_EQ(said.code, 4) << said.err;
}

TEST_F(CheckGates, WithoutACommitThereIsNoBase) {
  GitSandbox empty;
  empty.write("a.txt", "one\n");
  const Said said = check_in(empty.root(), {});
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(contains(said.err, "there is no commit yet, so there is no base to judge against"))
      << said.err;
}

TEST_F(CheckGates, NothingChangedIsNothingToCheck) {
  const Said said = check();
  EXPECT_EQ(said.code, 0);
  for (const char* gate : {"patch", "scope", "structure"})
    EXPECT_EQ(said.part(gate), "-nothing changed");
}

TEST_F(CheckGates, CommitsAreCountedFromWhereUpstreamAndHeadParted) {
  repo.git({"branch", "theirs"});
  repo.git({"branch", "-q", "--set-upstream-to=theirs"});
  repo.write("pkg/a.py", python_function("load", 3));
  repo.commit("ours");
  repo.git({"checkout", "-q", "theirs"});
  repo.write("pkg/theirs.py", python_function("theirs", 4));
  repo.commit("theirs");
  repo.git({"checkout", "-q", "main"});
  const Ran ran = gatehouse({"check"}, repo.root());
  EXPECT_TRUE(ran.out.starts_with("checking: HEAD against its upstream\n")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "M pkg/a.py")) << ran.out;
  EXPECT_FALSE(contains(ran.out, "theirs.py")) << ran.out;
}

// ------------------------------------------------------------------------------------ determinism

TEST_F(CheckGates, TheSameChangeGivesTheSameBytesEverywhere) {
  repo.write("pkg/c.py", python_copy("store_again"));
  repo.write("pkg/a.py", python_function("load", 25));
  repo.commit("the change");
  const Said first = check({"HEAD~1..HEAD"});
  EXPECT_EQ(check({"HEAD~1..HEAD"}).digest(), first.digest());
  EXPECT_EQ(first.digest().size(), 71u);
  const std::string other = repo.folder() + "/elsewhere/deep";
  repo.git_at(repo.folder(), {"clone", "-q", repo.root(), other});
  EXPECT_EQ(check_in(other, {"HEAD~1..HEAD"}).digest(), first.digest());
  EXPECT_EQ(check_in(other, {"HEAD~1..HEAD"}, "", "", {"LC_ALL=C", "LANG=tr_TR", "TZ=Asia/Tokyo"})
                .digest(),
            first.digest());
  const std::string bare = repo.folder() + "/bare.git";
  repo.git_at(repo.folder(), {"clone", "-q", "--bare", repo.root(), bare});
  EXPECT_EQ(check_in(bare, {"HEAD~1..HEAD"}).digest(), first.digest());
  // A cache that lies changes nothing, and neither does its absence.
  ASSERT_EQ(gatehouse({"analyze"}, repo.root()).code, 0);
  const std::string pack = repo.at(".git/gatehouse/cache/facts.gpk");
  ASSERT_TRUE(std::filesystem::exists(pack));
  std::filesystem::resize_file(pack, std::filesystem::file_size(pack) / 2);
  EXPECT_EQ(check({"HEAD~1..HEAD"}).digest(), first.digest());
}

TEST_F(CheckGates, ThreadsDoNotShow) {
  Words seen;
  for (const char* jobs : {"1", "2", "7"}) {
    repo.git({"reset", "-q", "--hard", "main"});
    repo.write("gatehouse.yaml", "analysis:\n  jobs: " + std::string(jobs) + "\n");
    repo.commit("threads");
    repo.write("pkg/c.py", python_copy("store_again"));
    repo.write("pkg/a.py", python_function("load", 25));
    repo.git({"add", "-A"});
    const Said said = check({"--staged"});
    seen.push_back(wire::canonical_json(*said.document.as_map()->find("reasons")));
    repo.git({"reset", "-q", "--hard", "HEAD~1"});
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

// ---------------------------------------------------------------------------------------- hostile

TEST_F(CheckGates, OddRepositoriesAreAnswered) {
  GitSandbox large("sha256");
  fill(large);
  large.write("pkg/c.py", python_copy("store_again"));
  large.git({"add", "-A"});
  EXPECT_EQ(check_in(large.root(), {"--staged"}).part("structure"), "violated");

  GitSandbox empty;
  EXPECT_NE(check_in(empty.root(), {}).code, 0);
  empty.write("a.py", "x = 1\n");
  EXPECT_NE(check_in(empty.root(), {}).code, 0);

  repo.write("pkg/a.py", python_function("load", 3));
  repo.commit("second");
  const std::string shallow = repo.folder() + "/shallow";
  repo.git_at(repo.folder(), {"clone", "-q", "--depth", "1", "file://" + repo.root(), shallow});
  EXPECT_NE(check_in(shallow, {"HEAD~1..HEAD"}).code, 0) << "the base is not there";
  std::ofstream(shallow + "/pkg/c.py") << python_copy("store_again");
  repo.git_at(shallow, {"add", "-A"});
  EXPECT_EQ(check_in(shallow, {"--staged"}).part("structure"), "violated");

  const std::string bare = repo.folder() + "/bare.git";
  repo.git_at(repo.folder(), {"clone", "-q", "--bare", repo.root(), bare});
  EXPECT_EQ(check_in(bare, {"HEAD~1..HEAD"}).part("structure"), "accepted");
  EXPECT_EQ(check_in(bare, {}).code, 2);
}

TEST_F(CheckGates, OddFilesAreAnswered) {
  // Deleted, renamed, made a link, made executable.
  repo.git({"rm", "-q", "pkg/b.py"});
  EXPECT_EQ(check({"--staged"}).decision(), "allow");
  repo.git({"reset", "-q", "--hard"});
  repo.git({"mv", "pkg/b.py", "pkg/z.py"});
  EXPECT_EQ(check({"--staged"}).part("structure"), "accepted");
  repo.git({"reset", "-q", "--hard"});
  std::filesystem::create_symlink("a.py", repo.at("pkg/link.py"));
  repo.git({"add", "-A"});
  EXPECT_NE(check({"--staged", "--gates", "scope,structure"}).part("structure"), "absent");
  repo.git({"reset", "-q", "--hard"});
  std::filesystem::permissions(repo.at("docs/guide.md"), std::filesystem::perms::owner_all);
  EXPECT_EQ(check({"--gates", "structure"}).part("structure"),
            "-not applicable: no analysed source is changed");
  repo.git({"reset", "-q", "--hard"});

  // A name that is no UTF-8, and one with a line end.
  const std::string odd = "pkg/\xff\xfe.py", line = "pkg/new\nline.py";
  repo.write(odd, python_copy("store_again"));
  repo.write(line, python_function("g", 1));
  repo.git({"add", "-A"});
  const Said names = check({"--staged", "--gates", "scope,structure"});
  EXPECT_EQ(names.reason("GH-CLONE-FUNCTION")["evidence"]["places"].list().size(), 2u) << names.err;
  start("A", {"pkg/a.py"}, {"--continue-own-wip"});
  EXPECT_EQ(check({"--staged", "--gates", "scope"}, "A").reasons("scope"),
            (Words{"GH-SCOPE-001 pkg/\\xff\\xfe.py", "GH-SCOPE-001 pkg/new\\nline.py"}));
  repo.git({"reset", "-q", "--hard"});

  // Binary bytes under the name of a source.
  repo.write("pkg/a.py", std::string("\0\1\2\xff", 4));
  EXPECT_EQ(check({"--gates", "structure"}).decision(), "deny");
  repo.git({"reset", "-q", "--hard"});

  // A submodule is no source.
  repo.git({"update-index", "--add", "--cacheinfo",
            "160000," + repo.git({"rev-parse", "HEAD"}) + ",sub.py"});
  EXPECT_NE(check({"--staged", "--gates", "scope,structure"}).part("structure"), "absent");
}

TEST_F(CheckGates, AHugeDiffIsAnsweredWithBoundedReasons) {
  start("A", {"pkg/a.py"});
  for (int i = 0; i < 300; ++i)
    repo.write("gen/f" + std::to_string(i) + ".py", python_copy("store_" + std::to_string(i)));
  repo.git({"add", "-A"});
  const Said said = check({"--staged", "--gates", "scope,structure"}, "A");
  EXPECT_EQ(said.part("scope"), "violated");
  EXPECT_EQ(said.reasons("scope").size(), 51u);
  EXPECT_LE(said.reasons("structure").size(), 210u);
  const Ran text =
      gatehouse({"check", "--staged", "--gates", "scope", "--session", "A"}, repo.root());
  EXPECT_LT(std::ranges::count(text.out, '\n'), 70);
  EXPECT_TRUE(contains(text.out, "more (-v shows them, --json lists them)"));
}

TEST_F(CheckGates, WhatTheIndexIsToldToOverlookIsSeen) {
  start("A", {"pkg/a.py"});
  repo.git({"update-index", "--assume-unchanged", "docs/guide.md"});
  repo.write("docs/guide.md", "read me twice\n");
  repo.write("pkg/a.py", python_function("load", 3));
  EXPECT_EQ(check({}, "A").reasons("scope"), (Words{"GH-SCOPE-001 docs/guide.md"}));
}

TEST_F(CheckGates, AnIntentInATreeOfItsOwnIsLookedAtThere) {
  const std::string id = start("A", {"pkg/a.py"}, {"--worktree"});
  const std::string tree = repo.at(".git/gatehouse/worktrees/" + id);
  ASSERT_TRUE(std::filesystem::exists(tree + "/pkg/a.py"));
  std::ofstream(tree + "/pkg/a.py") << python_function("load", 25);
  const Said there[] = {check_in(tree, {}, "A"), check({"--intent", id}, "A")};
  for (const Said& said : there) {
    EXPECT_EQ(said.part("scope"), "clean") << said.err;
    EXPECT_EQ(said.part("structure"), "violated");
  }
  repo.git_at(tree, {"commit", "-q", "-am", "committed there"});
  EXPECT_EQ(check_in(tree, {}, "A").part("structure"), "violated") << "counted from its beginning";
}

}  // namespace
}  // namespace gh::testing
