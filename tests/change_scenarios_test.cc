// Scenarios of change control that were written from the founding documents, not from the code: who
// blocks whom, what each answer holds, and each correction of docs/reference/change-control.md.
#include <fstream>

#include <sys/stat.h>

#include "tests/agents_kit.h"

namespace gh::testing {
namespace {

class ScenarioWorld : public AgentWorld {
 protected:
  explicit ScenarioWorld(BackEnd back_end) : AgentWorld(back_end), before_run(analyze()) {}

  /// A git that does `script` first, for one command.
  Words with_git(const std::string& script) const {
    const std::string folder = repo.folder() + "/stand-in", file = folder + "/git";
    EXPECT_TRUE(sys::make_folders(folder));
    EXPECT_TRUE(sys::write_file_atomic(
        file, "#!/bin/sh\n" + script + "\nexec /usr/bin/git \"$@\"\n", 0755));
    EXPECT_EQ(::chmod(file.c_str(), 0755), 0);
    return {"GATEHOUSE_GIT_PATH=" + folder};
  }
  Answer promote(const std::string& session, const std::string& id, const Words& more = {}) const {
    return ask(Words{"change", "promote", id} + more, session);
  }
  Answer on(const char* verb, const std::string& id, const std::string& session,
            const Words& more = {}) const {
    return ask(Words{"change", verb, id} + more, session);
  }
  void give_up(const std::string& session) const {
    EXPECT_EQ(ask({"change", "abandon"}, session).code, 0);
  }
  std::string before_run;
};

/// What is asked of the registry, on both ledgers.
class ChangeScenarios : public ::testing::TestWithParam<BackEnd>, public ScenarioWorld {
 protected:
  ChangeScenarios() : ScenarioWorld(GetParam()) {}
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, ChangeScenarios,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

/// What is asked of files, runs and git; of the registry only that there is one.
class ChangeWork : public ::testing::Test, public ScenarioWorld {
 protected:
  ChangeWork() : ScenarioWorld(BackEnd::sqlite) {}
};

const std::set<std::string> kFrame{"schema", "tool", "verdict"};

/// Members besides the frame of every document.
std::set<std::string> own_members(const Answer& answer) {
  std::set<std::string> out = members(answer.document);
  for (const std::string& name : kFrame)
    out.erase(name);
  return out;
}
std::set<std::string> members_of(const Peek& map) { return members(Value(map.map())); }

// ------------------------------------------------------------------------------------ two agents

// The story that the founding document tells, step by step.
TEST_P(ChangeScenarios, TwoAgentsMeetOnPkgA) {
  const Answer a = start("A", {"pkg/a.py"});
  EXPECT_EQ(a.status(), "active");
  EXPECT_TRUE(a["edit_allowed"].is_true());
  repo.write("pkg/a.py", module_a(1));

  const Answer b = start("B", {"pkg/a.py"});
  EXPECT_EQ(b.status(), "blocked");
  EXPECT_EQ(b.code, 1);
  EXPECT_FALSE(b["edit_allowed"].is_true());
  EXPECT_EQ(texts(b["workspace"]["concurrent_intents"], "ownership"), Words{"foreign_active"});
  EXPECT_TRUE(b["workspace_hygiene"]["blocks_edit"].is_true());
  EXPECT_EQ(b.text("next_step_code"), "foreign_overlap_and_dirty_scope");
  EXPECT_EQ(b.text("message"), b.text("next_step"));
  EXPECT_FALSE(b["workspace_registered"].is_true());
  const Peek& overlaps = b["workspace_hygiene"]["foreign_dirty_overlaps"];
  EXPECT_EQ(texts(overlaps, "foreign_intent_id"), Words{a.id()});
  EXPECT_EQ(texts(overlaps, "path"), Words{"pkg/a.py"});

  const Answer done = finish("A", {"pkg/a.py"}, {"--after-run", analyze()});
  EXPECT_EQ(done.status(), "accepted");
  EXPECT_TRUE(done["intent_cleared"].is_true());

  // What A did is not committed: that stops B now, and B alone can say that it goes on with it.
  EXPECT_EQ(start("B", {"pkg/a.py"}).text("next_step_code"), "dirty_scope");
  const Answer goes_on = start("B", {"pkg/a.py"}, {"--continue-own-wip"});
  EXPECT_EQ(goes_on.status(), "active");
  EXPECT_TRUE(goes_on["workspace_hygiene"]["continuing_own_wip"].is_true());
  EXPECT_EQ(goes_on.text("dirty_scope_policy"), "continue_own_wip");
}

TEST_P(ChangeScenarios, FiveAgentsOnARingOfFilesArePromotedAsTheirNeighboursLeave) {
  const std::vector<Words> ring{
      {"r/1", "r/2"}, {"r/2", "r/3"}, {"r/3", "r/4"}, {"r/4", "r/5"}, {"r/5", "r/1"}};
  Words ids, states;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Answer started = start("a" + std::to_string(i), ring[i], {"--on-conflict", "queue"});
    ids.push_back(started.id());
    states.push_back(started.status());
  }
  // A queued peer is in nobody's way.
  EXPECT_EQ(states, (Words{"active", "queued", "active", "queued", "queued"}));
  const auto says = [&](std::size_t i) {
    return promote("a" + std::to_string(i), ids[i]).status();
  };
  EXPECT_EQ(promote("a1", ids[1])["blocking_count"].number(), 2);
  EXPECT_EQ(says(3), "queued");
  EXPECT_EQ(says(4), "queued");
  give_up("a0");
  EXPECT_EQ(says(1), "queued") << "a2 still holds r/3";
  EXPECT_EQ(says(4), "active");
  EXPECT_EQ(says(3), "queued");
  give_up("a2");
  EXPECT_EQ(says(1), "active");
  EXPECT_EQ(says(3), "queued");
  give_up("a4");
  EXPECT_EQ(says(3), "active");
}

// One after the other, each on what the one before committed.
TEST_P(ChangeScenarios, FiveAgentsOnOneFileEditFinishCommitAndArePromotedInOrder) {
  constexpr std::size_t kAgents = 5;
  const auto name = [](std::size_t i) { return "a" + std::to_string(i); };
  Words ids;
  for (std::size_t i = 0; i < kAgents; ++i) {
    const Answer started = start(name(i), {"pkg/a.py"}, {"--on-conflict", "queue"});
    EXPECT_EQ(started.status(), i == 0 ? "active" : "queued");
    ids.push_back(started.id());
  }
  for (std::size_t i = 0; i < kAgents; ++i) {
    SCOPED_TRACE(name(i));
    if (i > 0) {
      const Answer promoted = promote(name(i), ids[i], {"--run", "latest"});
      EXPECT_EQ(promoted.status(), "active");
      EXPECT_TRUE(promoted["edit_allowed"].is_true());
      EXPECT_TRUE(promoted["warnings"].list().empty());
    }
    for (std::size_t later = i + 1; later < kAgents; ++later)
      EXPECT_EQ(promote(name(later), ids[later]).status(), "queued") << name(later);
    repo.write("pkg/a.py", module_a(2) + "BY = " + std::to_string(i) + "\n");
    const Answer done = finish(name(i), {"pkg/a.py"}, {"--after-run", analyze()});
    EXPECT_EQ(done.status(), "accepted") << done.reason();
    EXPECT_TRUE(done["intent_cleared"].is_true());
    EXPECT_TRUE(done["verification"]["intent_regressions"].list().empty());
    repo.git({"commit", "-q", "-am", "by " + name(i)});
    EXPECT_EQ(analyze(), std::string(done["receipt"]["run_id"].text())) << "as it was judged";
  }
  EXPECT_TRUE(ask({"change", "list"}, "a0")["workspace_intents"].list().empty());
  EXPECT_EQ(repo.git({"rev-list", "--count", "HEAD", "--", "pkg/a.py"}), "6");
  EXPECT_EQ(severities("intent.promoted").size(), kAgents - 1);
  EXPECT_EQ(ask({"audit", "verify"}).code, 0);
}

TEST_P(ChangeScenarios, UnderExactMatchingAFolderAboveStopsBothFinishesAndOwnWorkInProgress) {
  configure("  conflict_matching: exact\n");
  analyze();
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  const Answer b = start("B", {"pkg"});
  EXPECT_EQ(b.status(), "active");
  EXPECT_EQ(texts(b["warnings"], "code"), Words{"scope_entry_is_directory"});
  repo.write("pkg/a.py", module_a(1));
  const std::string after = analyze();
  for (const char* who : {"A", "B"}) {
    const Answer stopped = finish(who, {"pkg/a.py"}, {"--after-run", after});
    EXPECT_EQ(stopped.status() + ' ' + stopped.reason(), "unverified workspace_hygiene") << who;
    EXPECT_EQ(stopped["workspace_hygiene_after"]["finish_block_reason"].text(),
              "foreign_dirty_overlap");
    EXPECT_TRUE(stopped["user_action_required"].is_true());
    EXPECT_FALSE(stopped["intent_cleared"].is_true());
  }
  repo.write("pkg/b.py", python_function("store", 2));
  const Words own{"--continue-own-wip"};
  EXPECT_EQ(start("C", {"pkg/b.py"}, own).text("next_step_code"), "foreign_dirty_overlap");
  give_up("B");
  EXPECT_EQ(start("C", {"pkg/b.py"}, own).status(), "active");
  const Answer done = finish("A", {"pkg/a.py"}, {"--after-run", after});
  EXPECT_EQ(done.status(), "accepted_with_external_changes");
  EXPECT_EQ(texts(done["external_changes"]["sample"]), Words{"pkg/b.py"});
  const Peek counts = done["workspace_hygiene_after"]["counts"];
  EXPECT_EQ(counts["foreign_attributed_outside_scope"].number(), 1);
}

// ----------------------------------------------------------------------------------- strict finish

TEST_P(ChangeScenarios, StrictFinishFollowsTheEnvironmentThenTheConfiguration) {
  struct Row {
    const char* variable;  // nullptr: not set
    bool is_configured, blocks;
  };
  const Row kRows[] = {
      {nullptr, false, false},
      {"GATEHOUSE_STRICT_FINISH= Yes ", false, true},
      {"GATEHOUSE_STRICT_FINISH=on", false, true},
      {"GATEHOUSE_STRICT_FINISH=2", false, false},
      {"CODECLONE_STRICT_FINISH=TRUE", false, true},
      {nullptr, true, true},
      {"GATEHOUSE_STRICT_FINISH=0", true, false},
      {"GATEHOUSE_STRICT_FINISH=", true, true},
  };
  repo.write("before.txt", "was there\n");
  bool configured = false;
  for (const Row& row : kRows) {
    if (row.is_configured && !configured) {
      write_control("  strict_finish: true\n");
      repo.git({"add", "gatehouse.yaml"});
      repo.git({"commit", "-q", "-m", "strict"});
      configured = true;
    }
    const Words environment = row.variable == nullptr ? Words{} : Words{row.variable};
    EXPECT_EQ(start("A", {"docs/guide.md"}).status(), "active");
    repo.write("docs/guide.md", "edited\n");
    repo.write("stray.txt", "whose?\n");
    const Answer done = finish("A", {"docs/guide.md"}, {}, environment);
    const std::string why{done["workspace_hygiene_after"]["finish_block_reason"].text()};
    EXPECT_EQ(why, row.blocks ? "own_unscoped_dirty" : "") << &row - kRows;
    EXPECT_TRUE(sys::remove_file(repo.at("stray.txt")).has_value());
    if (row.blocks) {  // what was dirty at the start never blocks
      EXPECT_EQ(finish("A", {"docs/guide.md"}, {}, environment).status(),
                "accepted_with_external_changes");
    }
    repo.git({"checkout", "-q", "--", "docs/guide.md"});
  }
}

TEST_F(ChangeWork, EachClassOfDirtIsCountedAndNamedOnlyInFullDetail) {
  repo.write("same.txt", "1\n");
  repo.write("changed.txt", "1\n");
  EXPECT_EQ(start("B", {"pkg/b.py"}).status(), "active");
  EXPECT_EQ(start("A", {"docs/guide.md"}, {"--related", "docs/rel.md"}).status(), "active");
  repo.write("changed.txt", "2\n");
  repo.write("fresh.txt", "3\n");
  repo.write("pkg/b.py", python_function("store", 1));
  repo.write("docs/guide.md", "edited\n");
  repo.write("docs/rel.md", "made\n");
  const auto hygiene = [&](const char* level) {
    const Answer done = finish("A", {"docs/guide.md"}, {"--detail-level", level});
    return Value(done["workspace_hygiene_after"].map());
  };
  const Value summary = hygiene("summary"), full = hygiene("full");
  EXPECT_EQ(hygiene("normal"), summary);
  const std::set<std::string> brief{"git_available",
                                    "blocks_edit",
                                    "counts",
                                    "foreign_dirty_overlaps",
                                    "dirty_snapshot",
                                    "dirty_snapshot_status",
                                    "blocks_finish",
                                    "finish_block_reason",
                                    "workspace_dirty_summary",
                                    "unacknowledged_dirty_in_scope"};
  EXPECT_EQ(members(summary), brief);
  EXPECT_EQ(wire::canonical_json(Value(Peek(summary)["counts"].map())),
            R"({"foreign_attributed_outside_scope":1,"in_scope":2,"missing_evidence":1,)"
            R"("modified_unattributed_unscoped":1,"new_unattributed_unscoped":1,)"
            R"("outside_scope":4,"preexisting_unscoped":1,"unknown_unattributed_unscoped":0})");
  EXPECT_EQ(texts(Peek(summary)["unacknowledged_dirty_in_scope"]), Words{"docs/rel.md"});
  const std::pair<const char*, Words> kLists[] = {
      {"dirty_paths_in_scope", {"docs/guide.md", "docs/rel.md"}},
      {"dirty_paths_outside_scope", {"changed.txt", "fresh.txt", "pkg/b.py", "same.txt"}},
      {"preexisting_unscoped_dirty", {"same.txt"}},
      {"unattributed_unscoped_dirty", {"changed.txt", "fresh.txt"}},
      {"own_unscoped_dirty", {"changed.txt", "fresh.txt"}},
      {"new_unattributed_unscoped_dirty", {"fresh.txt"}},
      {"modified_unattributed_unscoped_dirty", {"changed.txt"}},
      {"foreign_attributed_outside_scope", {"pkg/b.py"}},
      {"files_for_scope_check", {"docs/guide.md"}},
  };
  for (const auto& [name, paths] : kLists)
    EXPECT_EQ(texts(Peek(full)[name]), paths) << name;
  EXPECT_FALSE(Peek(full)["unknown_unattributed_unscoped_dirty"].exists()) << "empty";
  const Answer done = finish("A", {"docs/guide.md", "docs/rel.md"});
  EXPECT_EQ(done.status(), "accepted_with_external_changes");
  EXPECT_EQ(done["summary"]["status"].text(), "accepted");
  EXPECT_EQ(done["verification"]["status"].text(), "accepted");
  EXPECT_EQ(done["summary"]["scope_status"].text(), "expanded");
  EXPECT_EQ(done["external_changes"]["count"].number(), 4);
}

TEST_F(ChangeWork, ATreeThatGitCannotReadInTimeIsLookedAtInTheScopeAlone) {
  configure("  git_timeout_seconds: 1\n");
  analyze();
  // The status of the whole tree never ends; one that names files does.
  const Words slow = with_git(
      "case \" $* \" in *' status '*) for last; do :; done\n"
      "  if [ \"$last\" = -- ]; then exec tail -f /dev/null; fi;; esac");
  const Answer started = start("A", {"docs/guide.md"}, {}, slow);
  EXPECT_EQ(started.status(), "active") << started.text("next_step_code");
  repo.write("docs/guide.md", "edited\n");
  repo.write("stray.txt", "not seen in time\n");
  const Answer unsaid = finish("A", {"docs/other.md"}, {}, slow);
  EXPECT_EQ(unsaid["workspace_hygiene_after"]["finish_block_reason"].text(), "missing_evidence");
  const Answer done = finish("A", {"docs/guide.md"}, {}, slow);
  EXPECT_EQ(done.status(), "accepted");
  EXPECT_EQ(done["workspace_hygiene_after"]["dirty_snapshot_status"].text(), "partial");
}

TEST_F(ChangeWork, AFileThatIsWrittenOrStagedWhileTheFinishRunsUndoesTheJudgement) {
  EXPECT_EQ(start("A", {"docs/guide.md"}).status(), "active");
  const std::string guide = repo.at("docs/guide.md");
  for (const std::string& act :
       {"echo later > " + guide, "env -i /usr/bin/git -C " + repo.root() + " add docs/guide.md"}) {
    repo.write("docs/guide.md", "edited\n");
    // What was judged gets its patch id; then comes the last look.
    const Words late = with_git("case \" $* \" in *' patch-id '*) " + act + ";; esac");
    const Answer done = finish("A", {"docs/guide.md"}, {}, late);
    EXPECT_EQ(done.status() + ' ' + done.reason(), "unverified workspace_changed_during_finish")
        << act;
    EXPECT_EQ(done["summary"]["status"].text(), "unverified");
    EXPECT_FALSE(done["intent_cleared"].is_true());
    EXPECT_FALSE(done["receipt"].exists());
  }
  EXPECT_EQ(finish("A", {"docs/guide.md"}).status(), "accepted");
}

// ------------------------------------------------------------------------------------- corrections

// 1: content, not the shape of the code, makes a run.
TEST_F(ChangeWork, Correction01ALiteralOrAGovernanceFileMakesAnotherRun) {
  repo.write("pkg/a.py", module_a(2) + "LIMIT = 3\n");
  const std::string three = analyze();
  repo.write("pkg/a.py", module_a(2) + "LIMIT = 4\n");
  EXPECT_NE(analyze(), three);
  repo.git({"checkout", "-q", "--", "."});
  EXPECT_EQ(analyze(), before_run);
  for (const char* file : {"Makefile", ".github/workflows/ci.yml", "CODEOWNERS", "tox.ini",
                           "sub/setup.cfg", "requirements-dev.txt", "package-lock.json"}) {
    repo.write(file, "# of another content\n");
    EXPECT_NE(analyze(), before_run) << file;
    repo.git({"clean", "-q", "-fd"});
    repo.git({"checkout", "-q", "--", "."});
  }
  // The Makefile alone: the run from before the edit does not do, a fresh one does.
  EXPECT_EQ(analyze(), before_run);
  EXPECT_EQ(start("A", {"Makefile"}).status(), "active");
  repo.write("Makefile", "all:\n\ttrue\n");
  EXPECT_EQ(finish("A", {"Makefile"}).reason(), "after_run_required_for_governance");
  EXPECT_EQ(finish("A", {"Makefile"}, {"--after-run", before_run}).reason(), "after_run_not_new");
  const std::string fresh = analyze();
  const Answer done = finish("A", {"Makefile"}, {"--after-run", fresh.substr(0, 8)});
  EXPECT_EQ(done.status(), "accepted");
  EXPECT_EQ(done["verification"]["structural_delta"]["verdict"].text(), "stable");
}

// 2: two agents on the same run have two ids, and see each other.
TEST_P(ChangeScenarios, Correction02AnIntentIdNamesItsOwner) {
  const std::string a = start("A", {"pkg/a.py"}).id(), b = start("B", {"pkg/b.py"}).id();
  EXPECT_NE(a, b);
  EXPECT_EQ(a.substr(0, 20), "intent-" + before_run.substr(0, 8) + "-001-");
  EXPECT_EQ(start("B", {"pkg/a.py"}).status(), "blocked");
  EXPECT_EQ(start("A", {"docs/guide.md"}).id().substr(16, 3), "002") << "never counted anew";
}

// 3: a clean check releases nothing.
TEST_P(ChangeScenarios, Correction03ACleanCheckInsideAFailedFinishKeepsTheScope) {
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  repo.write("stray.txt", "after the start\n");
  repo.write("pkg/a.py", module_a(1));
  EXPECT_EQ(ask({"change", "check", "--files", "pkg/a.py"}, "A").status(), "clean");
  EXPECT_EQ(finish("A", {"pkg/a.py"}).reason(), "no_after_run");
  EXPECT_EQ(start("B", {"pkg/a.py"}).status(), "blocked");
  EXPECT_TRUE(ask({"change", "renew"}, "A")["lease_renewed"].is_true());
  const Answer again = finish("A", {"pkg/a.py"}, {"--after-run", analyze()});
  EXPECT_EQ(again.status(), "accepted_with_external_changes");
  const Peek hygiene = again["workspace_hygiene_after"];
  EXPECT_EQ(hygiene["dirty_snapshot_status"].text(), "available");
  EXPECT_EQ(hygiene["counts"]["new_unattributed_unscoped"].number(), 1) << "against the start";
}

// 4: a blocked start owns nothing; its id is good for being told so.
TEST_P(ChangeScenarios, Correction04ABlockedStartHoldsNothingAndAnswersAsNotActive) {
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  repo.write("pkg/a.py", module_a(1));
  const std::string blocked = start("B", {"pkg/a.py"}).id();
  const Words files{"--files", "pkg/a.py"};
  for (const char* verb : {"check", "verify", "finish"}) {
    const Answer answer = on(verb, blocked, "B", files);
    EXPECT_EQ(answer.status() + ' ' + answer.reason(), "unverified intent_not_active") << verb;
    EXPECT_EQ(answer.code, 1) << verb;
    EXPECT_FALSE(answer.text("next_step").empty()) << verb;
  }
  const Answer budget = on("budget", blocked, "B");
  EXPECT_EQ(budget.text("intent_status"), "blocked");
  EXPECT_TRUE(budget.document.as_map()->find("edit_allowed") != nullptr);
  EXPECT_FALSE(budget["edit_allowed"].is_true());
  for (const char* verb : {"check", "verify", "finish"})
    EXPECT_EQ(on(verb, blocked, "C", files).text("code"), "unknown_intent") << "of another session";

  EXPECT_EQ(finish("A", {"pkg/a.py"}, {"--after-run", analyze()}).status(), "accepted");
  EXPECT_TRUE(ask({"change", "list"}, "A")["workspace_intents"].list().empty());
  const Answer dropped = on("abandon", blocked, "B");
  EXPECT_EQ(texts(dropped["cleared_intent_ids"]), Words{blocked});
  EXPECT_EQ(on("finish", blocked, "B", files).text("code"), "unknown_intent");
}

// Whatever becomes of a later start of that id, the blocked one is past.
TEST_P(ChangeScenarios, Correction04ALaterStartTakesThePlaceOfTheBlockedOne) {
  for (const char* on_conflict : {"block", "queue"}) {
    EXPECT_EQ(start("A", {"docs/guide.md"}).status(), "active");
    const std::string blocked = start("B", {"docs/guide.md"}).id();
    const bool queues = on_conflict == std::string("queue");
    if (!queues) give_up("A");
    const Answer later = start("B", {"docs/guide.md"}, {"--on-conflict", on_conflict});
    EXPECT_EQ(later.status(), queues ? "queued" : "active");
    EXPECT_EQ(later.id(), blocked);
    age(later.id(), 0, 5'000);
    EXPECT_EQ(on("finish", blocked, "B", {"--files", "docs/guide.md"}).text("code"),
              "unknown_intent");
    EXPECT_EQ(ask({"change", "reap"}, "A").code, 0);
    if (queues) give_up("A");
  }
}

// A queued intent owns nothing either.
TEST_P(ChangeScenarios, AQueuedIntentIsNotCompared) {
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  const Answer queued = start("B", {"pkg/a.py"}, {"--on-conflict", "queue"});
  EXPECT_EQ(own_members(queued),
            (std::set<std::string>{"intent_id", "status", "run_id", "blocked_by", "queue_position",
                                   "before_run_pinned", "edit_allowed", "workspace",
                                   "dirty_snapshot", "message", "next_step"}));
  const Answer check = on("check", queued.id(), "B", {"--files", "pkg/a.py"});
  EXPECT_EQ(check.status() + ' ' + check.reason(), "unverified intent_not_active");
  EXPECT_EQ(ask({"change", "status"}, "B").status(), "queued");
  EXPECT_EQ(severities("intent.queued"), Words{"info"});
}

// 5 and 6: names as they are, and every file of a new folder.
TEST_F(ChangeWork, Correction05And06NewFoldersAndOddNamesDoNotHideFromTheEvidence) {
  EXPECT_EQ(start("A", {"src/new", "docs/guide.md"}).status(), "active");
  const Words names{"src/new/a b.py", "src/new/deep/t\t.py", "src/new/n\nl.py", "src/new/q\".py",
                    "src/new/\xC3\xA4.py"};
  for (const std::string& name : names)
    repo.write(name, python_function("f", 1));
  repo.write("docs/guide.md", "edited\n");
  const Answer done = finish("A", {"docs/guide.md"});
  const Peek hygiene = done["workspace_hygiene_after"];
  EXPECT_EQ(hygiene["finish_block_reason"].text(), "missing_evidence");
  EXPECT_EQ(texts(hygiene["unacknowledged_dirty_in_scope"]), names);
  EXPECT_FALSE(done["patch_trail"].exists());
  EXPECT_TRUE(done["summary"]["workspace_hygiene_blocked"].is_true());
}

// 7: both ends of a rename, and what git does not track yet.
TEST_F(ChangeWork, Correction07ADiffNamesBothEndsOfARenameAndNewFiles) {
  EXPECT_EQ(start("A", {"docs/guide.md", "docs/moved.md", "docs/new.md"}).status(), "active");
  repo.git({"mv", "docs/guide.md", "docs/moved.md"});
  repo.write("docs/new.md", "new\n");
  repo.write("stray.md", "outside\n");
  const Answer range = finish("A", {}, {"--diff", "HEAD..HEAD"});
  EXPECT_EQ(range.text("code"), "evidence_required") << "a range knows nothing of the work tree";
  const Answer done = finish("A", {}, {"--diff", "HEAD"});
  EXPECT_EQ(done.status(), "accepted_with_external_changes");
  EXPECT_EQ(texts(done["scope_check"]["actual_changed_files"]),
            (Words{"docs/guide.md", "docs/moved.md", "docs/new.md"}));
}

// 8: receipt and claims are about the run after the edit, and carry verify's own word.
TEST_F(ChangeWork, Correction08TheReceiptSpeaksOfTheRunAfterTheEdit) {
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  repo.write("pkg/a.py", module_a(30));
  const std::string after = analyze();
  repo.write("claims.md", "Complexity is fine: no regressions.\n");
  const Answer done =
      finish("A", {"pkg/a.py"},
             {"--after-run", after, "--strictness", "relaxed", "--claims", repo.at("claims.md")});
  EXPECT_EQ(done.status(), "accepted_with_external_changes");
  EXPECT_LT(done["health_regression_advisory"]["health_delta"].number(), 0);
  EXPECT_EQ(texts(done["claims"]["violations"], "pattern"), Words{"health_regression_overclaim"});
  EXPECT_EQ(texts(done["claims"]["warnings"], "type"), (Words{"health_regression_overclaim"}));
  EXPECT_EQ(members_of(done["receipt"]),
            (std::set<std::string>{"run_id", "format", "receipt_version", "verdict",
                                   "receipt_digest", "content", "receipt_retrieval"}));
  EXPECT_EQ(done["receipt"]["run_id"].text(), after);
  const std::string digest{done["receipt"]["receipt_digest"]["value"].text()};
  const Answer stored = ask({"receipt", "show", "sha256:" + digest});
  const Peek body = stored["body"];
  EXPECT_EQ(body["provenance"]["before_run_id"].text(), before_run);
  EXPECT_EQ(body["patch_contract"]["status"].text(), "accepted");
  EXPECT_EQ(texts(body["patch_contract"]["contract_violations"]), Words{"structural_regressions"});
  EXPECT_EQ(body["structural_delta"]["verdict"].text(), "regressed");
  EXPECT_EQ(body["structural_delta"]["health_delta"].number(),
            done["verification"]["structural_delta"]["health_delta"].number());
}

// 9: what an answer leaves out was stored; here nothing is left out, and all of it is stored.
TEST_P(ChangeScenarios, Correction09TheReceiptOfAFinishCanBeReadAgain) {
  EXPECT_EQ(start("A", {"docs/guide.md"}).status(), "active");
  repo.write("docs/guide.md", "edited\n");
  const Answer done = finish("A", {"docs/guide.md"});
  EXPECT_FALSE(done["receipt"]["content"].text().empty());
  const std::string digest{done["receipt"]["receipt_retrieval"]["receipt_digest"]["value"].text()};
  EXPECT_EQ(ask({"receipt", "show", "sha256:" + digest}).text("kind"), "change");
}

// 10: the own symbol is found among many worse ones of others.
TEST_F(ChangeWork, Correction10WorsenedSymbolsAreAttributedBeforeTheyAreCut) {
  for (int i = 0; i < 22; ++i)
    repo.write("x/m" + std::to_string(i) + ".py", python_function("f" + std::to_string(i), 1));
  repo.commit("many");
  analyze();
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  for (int i = 0; i < 22; ++i)
    repo.write("x/m" + std::to_string(i) + ".py", python_function("f" + std::to_string(i), 9));
  repo.write("pkg/a.py", module_a(3));
  const Answer verified = verify("A", {"pkg/a.py"}, {"--after-run", analyze()});
  EXPECT_EQ(texts(verified["intent_worsened"], "path"), Words{"pkg/a.py"});
  EXPECT_EQ(verified["external_worsened"].list().size(), 20u);
  EXPECT_EQ(verified["worsened"].list().size(), 20u);
  EXPECT_EQ(verified["worsened_total"].number(), 23);
}

// 11: a refusal names its first reason.
TEST_P(ChangeScenarios, Correction11AViolatedFinishNamesItsReason) {
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  repo.write("pkg/a.py", module_a(30));
  const std::string after = analyze();
  EXPECT_EQ(finish("A", {"pkg/a.py"}, {"--after-run", after}).reason(), "structural_regressions");
  const Answer outside = finish("A", {"pkg/a.py", "pkg/b.py"}, {"--after-run", after});
  EXPECT_EQ(outside.reason(), "scope_violation");
  EXPECT_EQ(outside["patch_trail"]["verification_status"].text(), "not_reached");
  for (const char* not_reached : {"verification", "claims", "receipt"})
    EXPECT_FALSE(outside[not_reached].exists()) << not_reached;
  EXPECT_EQ(ask({"change", "status"}, "A").status(), "violated");
  EXPECT_EQ(start("B", {"pkg/a.py"}).status(), "blocked") << "violated, and still held";
}

// 12: edits after the analysis.
TEST_F(ChangeWork, Correction12ARunThatIsOlderThanTheLastEditIsStale) {
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  repo.write("pkg/a.py", module_a(1));
  const std::string after = analyze();
  repo.write("pkg/a.py", module_a(1) + python_function("more", 30));
  const Answer stale = finish("A", {"pkg/a.py"}, {"--after-run", after});
  EXPECT_EQ(stale.reason(), "after_run_stale");
  EXPECT_EQ(texts(stale["verification"]["stale_paths"]), Words{"pkg/a.py"});
}

// A file that became a link is what the run read behind it, so a fresh run is fresh.
TEST_F(ChangeWork, AModuleThatBecameALinkCanBeFinished) {
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  ASSERT_TRUE(sys::remove_file(repo.at("pkg/a.py")).has_value());
  ASSERT_EQ(::symlink("b.py", repo.at("pkg/a.py").c_str()), 0);
  const std::string after = analyze();
  EXPECT_EQ(finish("A", {"pkg/a.py"}, {"--after-run", after}).status(), "accepted");
}

// 13: git that fails stops everything.
TEST_F(ChangeWork, Correction13WhenGitFailsNothingStartsAndNothingIsFinished) {
  EXPECT_EQ(start("A", {"docs/guide.md"}).status(), "active");
  repo.write("docs/guide.md", "edited\n");
  const Words broken = with_git("case \" $* \" in *' status '*) exit 128;; esac");
  const Answer done = finish("A", {"docs/guide.md"}, {}, broken);
  EXPECT_EQ(done.reason(), "workspace_hygiene");
  EXPECT_EQ(done["workspace_hygiene_after"]["finish_block_reason"].text(), "git_error");
  const Answer started = start("B", {"docs/other.md"}, {}, broken);
  EXPECT_EQ(started.status() + ' ' + started.text("next_step_code"), "blocked git_error");
}

// 14: one status, however many files are dirty.
TEST_F(ChangeWork, Correction14HygieneIsOneStatusForManyDirtyFiles) {
  for (int i = 0; i < 50; ++i)
    repo.write("dirt/" + std::to_string(i), "x\n");
  const std::string log = repo.folder() + "/calls";
  const Words counted = with_git(
      "case \" $* \" in *' status '*|*' diff '*|*' hash-object '*) "
      "echo x >> " +
      log + ";; esac");
  EXPECT_EQ(start("A", {"docs/guide.md"}, {}, counted).status(), "active");
  EXPECT_EQ(sys::read_file(log, 1'000).value_or(""), "x\n");
}

// 15: promote looks again, and a rebound intent is not charged with what its peer did.
TEST_P(ChangeScenarios, Correction15PromoteLooksAgainAndCanBindToANewerRun) {
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  const std::string b = start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}).id();
  repo.write("pkg/a.py", module_a(30));
  const Words relaxed{"--after-run", analyze(), "--strictness", "relaxed"};
  EXPECT_EQ(finish("A", {"pkg/a.py"}, relaxed).status(), "accepted");
  const Answer dirty = promote("B", b);
  EXPECT_EQ(dirty.status(), "active");
  EXPECT_FALSE(dirty["edit_allowed"].is_true());
  EXPECT_TRUE(dirty["workspace_hygiene"]["blocks_edit"].is_true());
  EXPECT_EQ(texts(dirty["warnings"], "code"), Words{"before_run_stale"});
  give_up("B");
  repo.git({"checkout", "-q", "--", "pkg/a.py"});

  EXPECT_EQ(start("A", {"pkg/a.py"}, {"--on-conflict", "queue"}).status(), "active");
  const std::string again = start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}).id();
  repo.write("pkg/a.py", module_a(30));
  repo.git({"commit", "-q", "-am", "by A"});
  analyze();
  give_up("A");
  const Answer bound = promote("B", again, {"--run", "latest"});
  EXPECT_TRUE(bound["edit_allowed"].is_true());
  EXPECT_TRUE(bound["warnings"].list().empty());
  repo.write("pkg/a.py", module_a(30) + "LIMIT = 1\n");
  const Answer done = finish("B", {"pkg/a.py"}, {"--after-run", analyze()});
  EXPECT_EQ(done.status(), "accepted");
  EXPECT_TRUE(done["verification"]["intent_regressions"].list().empty());
}

// 16: a session is known by its name, a process by its start; who is silent for too long is gone.
TEST_P(ChangeScenarios, Correction16WhoIsGoneIsRecoverableAndInNobodysWay) {
  const std::string a = start("A", {"pkg/a.py"}).id();
  age(a, 400);
  EXPECT_EQ(start("B", {"pkg/a.py"}).text("next_step_code"), "foreign_stale_overlap");
  age(a, 2'000);
  const Answer list = ask({"change", "list"}, "B");
  EXPECT_EQ(texts(list["workspace_intents"], "ownership"), Words{"recoverable"});
  EXPECT_EQ(texts(list["recovery_available"], "intent_id"), Words{a});
  const Answer taken = on("recover", a, "B");
  EXPECT_EQ(taken.text("action_taken"), "recovered");
  EXPECT_EQ(on("finish", a, "A", {"--files", "pkg/a.py"}).text("code"), "ownership_lost");
}

// 17: a strict budget without coverage data skips that gate and says so.
TEST_F(ChangeWork, Correction17AStrictBudgetSkipsWhatItCannotJudge) {
  const Answer started = start("A", {"pkg/a.py"}, {"--strictness", "strict"});
  EXPECT_EQ(started.status(), "active");
  const Words skipped = texts(started["budget"]["gate_preview"]["skipped"]);
  EXPECT_TRUE(std::ranges::count(skipped, "coverage_hotspots") == 1);
  EXPECT_FALSE(started["budget"]["gate_preview"]["would_fail"].is_true());
}

// 18: an updated baseline is seen by its content, whichever part of it changed.
TEST_F(ChangeWork, Correction18AnUpdatedBaselineIsSeenByItsContent) {
  EXPECT_EQ(ask({"baseline", "save"}).code, 0);
  repo.commit("baseline");
  const std::string before = analyze();
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  repo.write("pkg/a.py", module_a(1));
  repo.write("pkg/b.py", python_function("store", 30));  // by somebody else
  EXPECT_EQ(ask({"baseline", "update"}).code, 0);
  const std::string after = analyze();
  const Answer verified = verify("A", {"pkg/a.py"}, {"--after-run", after});
  EXPECT_EQ(verified.status(), "violated");
  EXPECT_EQ(verified["external_regressions"].list().size(), 1u);
  const Words triggers{"baseline_changed_with_functional_code",
                       "baseline_updated_while_regressions_present"};
  EXPECT_EQ(texts(verified["baseline_abuse"]["triggers"]), triggers);
  EXPECT_EQ(verified.reason(), "baseline_abuse:" + triggers[0]);
  EXPECT_EQ(severities("baseline_abuse.detected"), (Words{"error", "error"}));
  const Answer nobody = verify("Z", {"pkg/a.py"}, {"--before-run", before, "--after-run", after});
  EXPECT_EQ(texts(nobody["baseline_abuse"]["triggers"]),
            triggers + Words{"baseline_updated_without_intent"});
}

TEST_F(ChangeWork, DebtThatIsAcceptedToTurnAGateGreenIsAbuse) {
  repo.write("one.py", python_copy("one"));
  repo.commit("one");
  EXPECT_EQ(ask({"baseline", "save"}).code, 0);
  repo.write("two.py", python_copy("two"));
  repo.commit("a copy");
  analyze();
  const Answer started = start("A", {"two.py"});
  EXPECT_EQ(texts(started["budget"]["gate_preview"]["reasons"]), Words{"clone:new"});
  EXPECT_TRUE(started["edit_allowed"].is_true()) << "the preview is advice";
  EXPECT_EQ(severities("patch_budget.computed").back(), "warn");
  repo.write("two.py", python_copy("two") + "\n\n");
  EXPECT_EQ(ask({"baseline", "update"}).code, 0);
  const Answer verified = verify("A", {"two.py"}, {"--after-run", analyze()});
  EXPECT_EQ(texts(verified["baseline_abuse"]["triggers"]),
            (Words{"baseline_changed_with_functional_code", "ci_greened_by_accepting_debt"}));
  EXPECT_TRUE(verified["before_gate"]["would_fail"].is_true());
  EXPECT_FALSE(verified["gate_preview"]["would_fail"].is_true());
}

// -------------------------------------------------------------------------------- lives and
// replays

TEST_P(ChangeScenarios, OnlyTheSameStartInAnUnchangedWorldIsAReplay) {
  const Answer first = start("A", {"pkg/a.py"});
  const auto replays = [&](const Words& files, const Words& more = {}) {
    return start("A", files, more)["idempotent_replay"].is_true();
  };
  const Answer again = start("A", {"./pkg//a.py", "pkg/a.py"}, {"--ttl", "2h"});
  for (const char* unchanged :
       {"idempotent_replay", "scope_unchanged", "analysis_run_unchanged", "workspace_unchanged"})
    EXPECT_TRUE(again[unchanged].is_true()) << unchanged;
  EXPECT_EQ(again.id(), first.id());
  EXPECT_EQ(again.text("lease_expires_at_utc"), first.text("lease_expires_at_utc"));
  for (const Words& other :
       {Words{"--strictness", "strict"}, Words{"--depth", "direct"}, Words{"--full"},
        Words{"--on-conflict", "queue"}, Words{"--expect", "less"}, Words{"--continue-own-wip"}}) {
    EXPECT_FALSE(replays({"pkg/a.py"}, other)) << other[0];
    EXPECT_FALSE(replays({"pkg/a.py"})) << "the record is that of the other start";
  }
  EXPECT_TRUE(replays({"pkg/a.py"}));
  start("B", {"docs/guide.md"});
  EXPECT_FALSE(replays({"pkg/a.py"})) << "others hold something else now";
  EXPECT_EQ(ask({"change", "check", "--files", "elsewhere"}, "A").status(), "violated");
  EXPECT_FALSE(replays({"pkg/a.py"})) << "it is no longer active";
}

TEST_P(ChangeScenarios, WhatRanOutIsClosedByALookAndWhoIsGoneOnlyBySweeping) {
  const std::string over = start("A", {"pkg/a.py"}).id(), gone = start("B", {"pkg/b.py"}).id();
  age(over, 0, 5'000);
  age(gone, 2'000);
  const Answer list = ask({"change", "list"}, "C");
  EXPECT_EQ(texts(list["workspace_intents"], "intent_id"), Words{gone});
  EXPECT_EQ(list["orphaned_count"].number(), 1);
  const Answer swept = ask({"change", "reap"}, "C");
  EXPECT_EQ(texts(swept["removed_intent_ids"]), Words{gone});
  EXPECT_EQ(swept["removed_reasons"][gone].text(), "orphaned");
  EXPECT_EQ(swept["remaining"].number(), 0);
  EXPECT_EQ(severities("intent.expired"), Words{"warn"});
}

TEST_P(ChangeScenarios, AnIntentWhoseReportIsAnotherOneExpiresAtItsNextLook) {
  const std::string id = start("A", {"docs/guide.md"}).id();
  rewrite(id, [](Intent& intent) { intent.report_digest = std::string(64, '0'); });
  repo.write("docs/guide.md", "edited\n");
  const Answer done = finish("A", {"docs/guide.md"});
  EXPECT_EQ(done.status() + ' ' + done.reason(), "expired report_digest_mismatch");
  EXPECT_TRUE(done["user_action_required"].is_true());
  EXPECT_FALSE(done["patch_trail"].exists());
  EXPECT_EQ(finish("A", {"docs/guide.md"}, {"--exit-review"}).text("code"), "no_active_intent");
}

TEST_P(ChangeScenarios, AQueuedIntentWhoseRunIsGoneIsToldSoAndStaysInLine) {
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  const std::string id = start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}).id();
  rewrite(id, [](Intent& intent) { intent.run_id = std::string(64, '0'); });
  give_up("A");
  const Answer evicted = promote("B", id);
  EXPECT_EQ(evicted.status() + ' ' + evicted.reason(), "unverified before_run_evicted");
  EXPECT_FALSE(evicted.text("next_step").empty());
  EXPECT_EQ(ask({"change", "status", id}, "B").status(), "queued");
  EXPECT_EQ(promote("B", id, {"--run", "latest"}).status(), "active");
}

// ------------------------------------------------------------------------------------- what is
// said

TEST_F(ChangeWork, AFallingHealthAdvisesWhereNothingRegressed) {
  repo.write("pkg/a.py", module_a(19));
  repo.commit("near the edge");
  analyze();
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  repo.write("pkg/b.py", python_function("store", 30));  // somebody else's
  repo.write("pkg/a.py", module_a(18));
  const Answer done = finish("A", {"pkg/a.py"}, {"--after-run", analyze()});
  EXPECT_EQ(done.status(), "accepted_with_external_changes");
  EXPECT_EQ(done["verification"]["status"].text(), "accepted_with_external_changes");
  const Peek delta = done["verification"]["structural_delta"];
  EXPECT_LT(delta["health_delta"].number(), 0);
  EXPECT_EQ(done["health_regression_advisory"]["health_delta"].number(),
            delta["health_delta"].number());
  EXPECT_TRUE(done["verification"]["intent_regressions"].list().empty());
}

TEST_F(ChangeWork, ClaimsThatSayNothingAreSkipped) {
  EXPECT_EQ(start("A", {"docs/guide.md"}).status(), "active");
  repo.write("docs/guide.md", "edited\n");
  const Words open{"--no-clear", "--claims", "-"};
  const auto claims = [&](std::string_view text, const Words& more) {
    const Answer done =
        ask(Words{"change", "finish", "--files", "docs/guide.md"} + more, "A", {}, text);
    EXPECT_EQ(done.status(), "accepted");
    return std::string(done["summary"]["claims"].text());
  };
  EXPECT_EQ(claims("", open), "skipped_no_claims_text");
  EXPECT_EQ(claims(" \n", open), "skipped_no_claims_text");
  EXPECT_EQ(claims("all checks passed", open), "skipped_not_recommended");
  EXPECT_EQ(claims("", {"--no-receipt"}), "skipped_no_claims_text");
}

TEST_F(ChangeWork, TheTrailIsASummaryUnlessAllOfItIsAskedFor) {
  EXPECT_EQ(start("A", {"docs/guide.md", "docs/other.md"}, {"--related", "docs/rel.md"}).status(),
            "active");
  repo.write("docs/guide.md", "edited\n");
  repo.write("docs/rel.md", "made\n");
  const Words evidence{"docs/guide.md", "docs/rel.md"};
  const Answer brief = finish("A", evidence, {"--no-clear"});
  EXPECT_FALSE(brief["intent_cleared"].is_true());
  EXPECT_EQ(
      members_of(brief["patch_trail"]),
      (std::set<std::string>{"schema_version", "intent_id", "intent_description",
                             "scope_check_status", "verification_status", "counts", "truncation",
                             "patch_trail_digest", "evidence", "retrieval_policy"}));
  const Answer full = finish("A", evidence, {"--trail", "full"});
  const Peek trail = full["patch_trail"];
  EXPECT_EQ(members_of(trail), (std::set<std::string>{"schema_version",
                                                      "intent_id",
                                                      "intent_description",
                                                      "declared_files",
                                                      "declared_related",
                                                      "changed_files",
                                                      "untouched_in_declared",
                                                      "unexpected_files",
                                                      "forbidden_touched",
                                                      "expanded_related_files",
                                                      "do_not_touch_declared",
                                                      "do_not_touch_held",
                                                      "review_context_declared",
                                                      "review_context_untouched",
                                                      "scope_check_status",
                                                      "verification_profile",
                                                      "verification_status",
                                                      "verification_skipped",
                                                      "verification_failed",
                                                      "workspace_hygiene",
                                                      "external_execution",
                                                      "evidence",
                                                      "truncation",
                                                      "patch_trail_digest",
                                                      "retrieval_policy"}));
  EXPECT_EQ(texts(trail["expanded_related_files"]), Words{"docs/rel.md"});
  EXPECT_EQ(texts(trail["untouched_in_declared"]), Words{"docs/other.md"});
  EXPECT_EQ(trail["external_execution"]["status"].text(), "not_collected");
}

TEST_P(ChangeScenarios, EveryAnswerHasTheMembersOfItsSection) {
  const Answer active = start("A", {"pkg/b.py"}, {"--related", "docs/rel.md"});
  EXPECT_EQ(own_members(active),
            (std::set<std::string>{
                "intent_id", "status", "run_id", "edit_allowed", "dirty_scope_policy", "workspace",
                "workspace_registered", "scope", "blast_radius", "blast_radius_detail",
                "requested_blast_radius_detail", "budget", "dirty_snapshot", "workspace_hygiene",
                "message", "warnings", "lease_expires_at_utc", "expires_at_utc"}));
  EXPECT_EQ(members_of(active["workspace"]),
            (std::set<std::string>{"concurrent_intents", "workspace_relations", "queued_context",
                                   "total_agents", "stale_count"}));
  EXPECT_EQ(members_of(active["budget"]),
            (std::set<std::string>{"strictness", "budgets", "current_state", "headroom",
                                   "gate_preview", "message"}));
  const Answer blocked = start("B", {"pkg/b.py"});
  std::set<std::string> expected = own_members(active);
  for (const char* only_active : {"lease_expires_at_utc", "expires_at_utc"})
    expected.erase(only_active);
  for (const char* only_blocked : {"user_action_required", "next_step", "next_step_code"})
    expected.insert(only_blocked);
  EXPECT_EQ(own_members(blocked), expected);
  EXPECT_EQ(
      members(blocked["workspace"]["concurrent_intents"].list()[0]),
      (std::set<std::string>{"intent_id", "agent_pid", "agent_start_epoch", "agent_label", "intent",
                             "ownership", "severity", "recommended_action", "overlap_type",
                             "hard_overlap", "soft_overlap", "declared_at_utc", "expires_at_utc"}));
  EXPECT_EQ(own_members(ask({"change", "check", "--files", "pkg/b.py"}, "A")),
            (std::set<std::string>{"status", "declared_scope", "actual_changed_files",
                                   "unexpected_files", "forbidden_touched", "untouched_in_declared",
                                   "required_action", "message", "intent_id"}));
  repo.write("pkg/b.py", python_function("store", 2));
  const Answer done = finish("A", {"pkg/b.py"}, {"--after-run", analyze()});
  EXPECT_EQ(own_members(done),
            (std::set<std::string>{"intent_id", "status", "reason", "scope_check", "verification",
                                   "claims", "receipt", "patch_trail", "intent_cleared",
                                   "workspace_hygiene_after", "summary", "user_action_required",
                                   "next_step", "message"}));
  EXPECT_EQ(
      members_of(done["summary"]),
      (std::set<std::string>{"status", "scope_status", "verification_profile", "structural_verdict",
                             "health_delta", "regressions", "worsened_symbols", "claims",
                             "review_note_present", "receipt", "intent_cleared",
                             "workspace_dirty_paths", "workspace_hygiene_blocked"}));
}

TEST_P(ChangeScenarios, AChangeInATreeOfItsOwnIsCheckedAndVerifiedThere) {
  const Answer started = start("A", {"pkg/a.py"}, {"--worktree"});
  const std::string tree{started["worktree"]["path"].text()};
  ASSERT_TRUE(sys::write_file_atomic(tree + "/pkg/a.py", module_a(1)).has_value());
  EXPECT_EQ(ask({"change", "check", "--diff", "HEAD"}, "A").status(), "clean");
  EXPECT_EQ(gatehouse({"analyze"}, tree).code, 0);
  const Answer verified = verify("A", {}, {"--diff", "HEAD", "--after-run", "latest"});
  EXPECT_EQ(verified.status(), "accepted") << verified.reason();
  const Answer done = finish("A", {}, {"--diff", "HEAD", "--after-run", "latest"});
  EXPECT_EQ(done.status(), "accepted") << done.reason();
}

// What the main tree has by now is no part of the change: its lines would never fit there again.
TEST_F(ChangeWork, ATreeOfItsOwnThatTookOverWhatTheMainTreeHasLands) {
  const Answer started = start("A", {"pkg/a.py"}, {"--worktree"});
  const std::string tree{started["worktree"]["path"].text()};
  repo.write("pkg/a.py", module_a(0) + "# theirs\n");
  const std::string theirs = repo.commit("theirs");
  GitSandbox::git_at(tree, {"rebase", "-q", theirs});
  ASSERT_TRUE(sys::write_file_atomic(tree + "/pkg/a.py", module_a(1) + "# theirs\n").has_value());
  GitSandbox::git_at(tree, {"commit", "-q", "-a", "-m", "ours"});
  const Answer done = finish("A", {"pkg/a.py"}, {"--analyze"});
  EXPECT_EQ(done.status(), "accepted") << done.reason();
  EXPECT_EQ(repo.git({"diff", "HEAD", "--name-only"}), "pkg/a.py");
  EXPECT_EQ(sys::read_file(repo.at("pkg/a.py"), 1u << 20).value(), module_a(1) + "# theirs\n");
}

TEST_P(ChangeScenarios, GivingUpLeavesATreeWithCommittedWorkWhereItIs) {
  const Answer started = start("A", {"pkg/a.py"}, {"--worktree"});
  const std::string tree{started["worktree"]["path"].text()};
  ASSERT_TRUE(sys::write_file_atomic(tree + "/pkg/a.py", module_a(1)).has_value());
  GitSandbox::git_at(tree, {"commit", "-q", "-a", "-m", "ours"});
  const Answer given_up = ask({"change", "abandon"}, "A");
  ASSERT_EQ(given_up["worktrees_left"].list().size(), 1u);
  EXPECT_EQ(*given_up["worktrees_left"].list()[0].as_string(), tree);
  EXPECT_EQ(GitSandbox::git_at(tree, {"status", "--porcelain"}), "");
  const Answer second = start("B", {"pkg/a.py"}, {"--worktree"});
  const std::string clean{second["worktree"]["path"].text()};
  EXPECT_TRUE(ask({"change", "abandon"}, "B")["worktrees_left"].list().empty());
  EXPECT_EQ(sys::info(clean).kind, sys::FileKind::missing);
}

// More than a snapshot holds: an ignored folder that nobody ignored.
TEST_F(ChangeWork, AFloodOfUntrackedFilesHidesNothing) {
  EXPECT_EQ(start("A", {"docs/guide.md", "pkg/a.py"}).status(), "active");
  for (int i = 0; i <= 20'000; ++i)
    std::ofstream(repo.at("flood" + std::to_string(i)));
  repo.write("docs/guide.md", "# Guide\n\nAnother word.\n");
  const Answer honest = finish("A", {"docs/guide.md"});
  EXPECT_EQ(honest.status(), "accepted_with_external_changes") << honest.reason();
  repo.write("pkg/a.py", module_a(1));
  const Answer dirty = start("B", {"pkg/a.py"});
  EXPECT_EQ(dirty.status(), "blocked");
  EXPECT_TRUE(dirty["workspace_hygiene"]["blocks_edit"].is_true());
  repo.git({"checkout", "-q", "--", "pkg/a.py"});
  EXPECT_EQ(start("C", {"docs/guide.md", "pkg/a.py"}, {"--continue-own-wip"}).status(), "active");
  repo.write("pkg/a.py", module_a(1));
  const Answer unsaid = finish("C", {"docs/guide.md"});
  EXPECT_EQ(unsaid["workspace_hygiene_after"]["finish_block_reason"].text(), "missing_evidence");
}

TEST_P(ChangeScenarios, TheEventsOfAStartHaveTheirSeverities) {
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  EXPECT_EQ(start("B", {"pkg/a.py"}).status(), "blocked");
  EXPECT_EQ(start("C", {"pkg/a.py"}, {"--on-conflict", "queue"}).status(), "queued");
  const std::pair<const char*, Words> kEvents[] = {
      {"intent.declared", {"info"}},
      {"intent.blocked", {"warn"}},
      {"intent.queued", {"info"}},
      {"workspace.conflict_detected", {"warn", "warn"}},
      {"blast_radius.computed", {"info", "info"}},
      {"blast_artifact.created", {"info", "info"}},
      {"patch_budget.computed", {"info", "info"}},
  };
  for (const auto& [event, expected] : kEvents)
    EXPECT_EQ(severities(event), expected) << event;
}

// Row by row of the reference; an internal error cannot be made to happen here.
TEST_P(ChangeScenarios, EveryOutcomeHasItsExitCode) {
  GitSandbox empty;
  empty.commit("nothing");
  const Words wish{"change", "start", "--goal", "g", "--allow", "a"};
  EXPECT_EQ(gatehouse(wish, empty.root()).code, 1) << "needs_analysis";
  EXPECT_EQ(gatehouse(wish + Words{"--exit-review"}, empty.root()).code, 11);
  EXPECT_EQ(gatehouse(wish, "/").code, 4) << "root_not_a_repository";

  const Answer a = start("A", {"pkg/a.py"});
  const std::string b = start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}).id();
  repo.write("review.md", "The security_surfaces family shows a vulnerability.\n");
  repo.write("pkg/a.py", module_a(1));
  const std::string review = repo.at("review.md");
  struct Row {
    const char* session;
    Words words;
    int code;
  };
  const Row kRows[] = {
      {"A", {"change", "check", "--files", "pkg/a.py"}, 0},
      {"A", {"change", "check", "--files", "elsewhere"}, 1},
      {"C", {"change", "start", "--goal", "g", "--allow", "pkg/a.py"}, 1},
      {"C", {"change", "start", "--goal", "g", "--allow", "pkg/a.py", "--on-conflict", "queue"}, 1},
      {"B", {"change", "recover", a.id()}, 1},
      {"B", {"change", "reset", a.id()}, 1},
      {"A", {"change", "verify", "--files", "pkg/a.py"}, 1},
      {"A", {"change", "verify", "--files", "pkg/a.py", "--exit-review"}, 11},
      {"A", {"change", "finish", "--files", "pkg/a.py", "--exit-review"}, 11},
      {"A", {"change", "finish", "--files", "pkg/a.py", "elsewhere", "--exit-review"}, 1},
      {"B", {"change", "promote", b}, 1},
      {"A", {"change", "status"}, 0},
      {"A", {"change", "list"}, 0},
      {"A", {"change", "queue"}, 0},
      {"A", {"change", "watch", "--count", "1"}, 0},
      {"A", {"change", "budget"}, 0},
      {"A", {"change", "renew"}, 0},
      {"A", {"change", "reap"}, 0},
      {"A", {"change", "finish"}, 2},
      {"A", {"change", "finish", "intent-x", "--files", "a"}, 2},
      {"A", {"change", "finish", "--files-from", "/nonexistent"}, 3},
      {"A", {"change", "finish", "--files", "pkg/a.py", "--analyze"}, 0},
      {"B", {"change", "promote", b}, 1},
      {"B", {"change", "abandon"}, 0},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(ask(row.words, row.session).code, row.code) << join(row.words, " ");
  EXPECT_EQ(gatehouse({"claim", "check", review}, repo.root()).code, 1);
  EXPECT_EQ(start("D", {"docs/guide.md"}).code, 0);
  EXPECT_EQ(start("E", {"Makefile"}).code, 0);
  EXPECT_EQ(ask({"change", "extend", "--add", "docs/guide.md"}, "E").code, 1);
  const std::string f = start("F", {"Makefile"}, {"--on-conflict", "queue"}).id();
  give_up("E");
  EXPECT_EQ(promote("F", f).code, 0);
}

TEST_F(ChangeWork, EmptyNamesAreNothingAndMissingListsAreInputErrors) {
  EXPECT_EQ(ask({"change", "start", "--goal", "g", "--allow", ""}, "A").text("code"),
            "scope_empty");
  EXPECT_EQ(start("A", {"pkg/a.py"}).status(), "active");
  EXPECT_EQ(ask({"change", "finish", "--files", ""}, "A").text("code"), "evidence_required");
  for (const Words& words :
       {Words{"change", "finish", "--files-from", "/nonexistent"},
        Words{"change", "check", "--files-from", "/nonexistent"},
        Words{"change", "finish", "--files", "a", "--claims", "/nonexistent"}}) {
    const Answer answer = ask(words, "A");
    EXPECT_EQ(answer.code, 3) << words[2];
    EXPECT_EQ(answer.text("code"), "input_unreadable");
  }
  const Ran marked = gatehouse({"change", "start", "--goal", "g", "--allow", "pkg/a.py",
                                "--session", "B", "--exit-codes", "codeclone"},
                               repo.root());
  EXPECT_EQ(marked.code, 3);
  EXPECT_TRUE(contains(marked.err, "GATING FAILURE: ")) << marked.err;
}

}  // namespace
}  // namespace gh::testing
