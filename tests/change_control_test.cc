// Change control through the command line, on both ledgers: docs/reference/change-control.md. What
// a command says is read again through another door: git, the audit chain, another session.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"
#include "model/peek.h"
#include "tests/change_kit.h"
#include "tests/mcp_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(BothLedgers, ChangeControl,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

TEST_P(ChangeControl, ARepositoryWithoutARunNeedsAnalysisFirst) {
  GitSandbox fresh;
  fresh.write("a.py", "x = 1\n");
  fresh.commit("first");
  const Ran ran =
      gatehouse({"change", "start", "--goal", "g", "--allow", "a.py", "--json"}, fresh.root());
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(contains(ran.out, "\"status\": \"needs_analysis\"")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "\"edit_allowed\": false"));
}

// The story of two agents that want pkg/a.py.
TEST_P(ChangeControl, TwoAgentsOnOneFileTakeTurns) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  // 2: blocked by coordination and by the dirty tree; it holds nothing.
  EXPECT_EQ(start("B", {"pkg/a.py"}), "blocked");
  EXPECT_EQ(field({"change", "start", "--goal", "g", "--allow", "pkg/a.py"}, "B", "next_step_code"),
            "foreign_overlap_and_dirty_scope");
  EXPECT_EQ(ask({"change", "status"}, "B").code, 2);
  EXPECT_EQ(start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}), "queued");
  const std::string waiting = id_of("B");
  EXPECT_EQ(field({"change", "promote", waiting}, "B", "status"), "queued");
  // 3: a queued peer does not stop the first one.
  EXPECT_EQ(finish("A", {"pkg/a.py"}), "unverified");
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "reason"), "no_after_run");
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "status", {"--analyze"}), "accepted");
  // 4: the scope is free, but the file is uncommitted.
  const Ran promoted = ask({"change", "promote", waiting, "--json"}, "B");
  EXPECT_EQ(promoted.code, 1) << promoted.out;
  EXPECT_TRUE(contains(promoted.out, "\"status\": \"active\""));
  EXPECT_TRUE(contains(promoted.out, "\"edit_allowed\": false"));
  EXPECT_TRUE(contains(promoted.out, "before_run_stale"));
  repo.commit("what A did");
  EXPECT_EQ(finish("B", {"pkg/a.py"}, "reason", {"--after-run", "latest"}), "intent_not_active");
  must({"change", "promote", waiting}, "B");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 0));
  EXPECT_EQ(finish("B", {"pkg/a.py"}, "status", {"--analyze"}), "accepted");
  EXPECT_EQ(ask({"audit", "verify"}).code, 0);
  EXPECT_EQ(events("intent.promoted"), 2u);
  EXPECT_EQ(events("review_receipt.created"), 2u);
}

TEST_P(ChangeControl, FiveAgentsArePromotedInTheOrderOfTheirQueue) {
  const Words agents{"a1", "a2", "a3", "a4", "a5"};
  EXPECT_EQ(start("a1", {"pkg/a.py", "pkg/b.py"}), "active");
  std::vector<std::string> ids;
  for (std::size_t i = 1; i < agents.size(); ++i) {
    EXPECT_EQ(start(agents[i], {"pkg/a.py"}, {"--on-conflict", "queue"}), "queued");
    ids.push_back(id_of(agents[i]));
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::string& before = agents[i];
    EXPECT_EQ(field({"change", "promote", ids[i]}, agents[i + 1], "status"), "queued");
    EXPECT_EQ(ask({"change", "abandon"}, before).code, 0);
    EXPECT_EQ(field({"change", "promote", ids[i]}, agents[i + 1], "status"), "active");
    for (std::size_t j = i + 1; j < ids.size(); ++j)
      EXPECT_EQ(field({"change", "promote", ids[j]}, agents[j + 1], "status"), "queued");
  }
  EXPECT_EQ(field({"change", "list"}, "a1", "total_agents"), "1");
}

TEST_P(ChangeControl, WhatIsDirtyInScopeMustBeNamed) {
  EXPECT_EQ(start("A", {"docs"}), "active");
  const Words names{"docs/with space.md", "docs/quote\".md",  "docs/new\nline.md",
                    "docs/-dash.md",      "docs/\xC3\xA4.md", "docs/sub/deep.md"};
  for (const std::string& name : names)
    repo.write(name, "text\n");
  EXPECT_EQ(finish("A", {"docs/guide.md"}, "workspace_hygiene_after.finish_block_reason"),
            "missing_evidence");
  EXPECT_EQ(finish("A", {"docs/guide.md"}, "workspace_hygiene_after.counts.missing_evidence"), "6");
  // Named by hygiene's rule they are acknowledged; the scope check compares literally.
  EXPECT_EQ(finish("A", names, "status"), "violated");
  EXPECT_EQ(finish("A", names, "reason"), "scope_violation");
  EXPECT_EQ(ask({"change", "abandon"}, "A").code, 0);
  Words declared = names;
  EXPECT_EQ(start("A", declared, {"--continue-own-wip"}), "active");
  EXPECT_EQ(finish("A", names), "accepted");
}

TEST_P(ChangeControl, ADocumentNeedsNoRunAndOtherDirtIsOnlyTold) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  repo.write("docs/guide.md", "read this\n");
  repo.write("left/over.txt", "of somebody\n");
  const Ran ran = ask({"change", "finish", "--files", "docs/guide.md", "--json"}, "A");
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_TRUE(contains(ran.out, "\"status\": \"accepted_with_external_changes\""));
  EXPECT_TRUE(contains(ran.out, "left/over.txt"));
  EXPECT_TRUE(contains(ran.out, "\"verification_profile\": \"documentation_only\""));
  EXPECT_EQ(ask({"change", "status"}, "A").code, 2) << "it is closed";
}

TEST_P(ChangeControl, AnEditOfOnlyAMakefileNeedsAFreshRun) {
  EXPECT_EQ(start("A", {"Makefile"}), "active");
  repo.write("Makefile", "all:\n\ttrue\n");
  EXPECT_EQ(finish("A", {"Makefile"}, "reason"), "after_run_required_for_governance");
  EXPECT_EQ(finish("A", {"Makefile"}, "reason", {"--after-run", "latest"}), "after_run_not_new");
  must({"analyze"});
  EXPECT_EQ(finish("A", {"Makefile"}, "status", {"--after-run", "latest"}), "accepted");
}

TEST_P(ChangeControl, ARunThatIsOlderThanTheEditIsStale) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  must({"analyze"});
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 2) + "# later\n");
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "reason", {"--after-run", "latest"}), "after_run_stale");
}

TEST_P(ChangeControl, WhatTheChangeMadeWorseIsItsOwnAndTheRestIsNot) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 30));
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "status", {"--analyze"}), "violated");
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "reason", {"--after-run", "latest"}),
            "structural_regressions");
  // Mended here, and broken by somebody else over there.
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  repo.write("pkg/b.py", python_function("store", 30));
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "status", {"--analyze"}), "accepted_with_external_changes");
  EXPECT_EQ(events("patch_contract.violated"), 2u);
}

TEST_P(ChangeControl, FilesOfTheGateItselfAreNeverPartOfAChange) {
  EXPECT_EQ(start("A", {"gatehouse.baseline.json"}), "active");
  repo.write("gatehouse.baseline.json", "{}\n");
  EXPECT_EQ(finish("A", {"gatehouse.baseline.json"}, "status"), "violated");
  EXPECT_EQ(finish("A", {"gatehouse.baseline.json"}, "status", {"--strictness", "relaxed"}),
            "violated");
}

TEST_P(ChangeControl, AForeignScopeAboveOnesOwnStopsAFinishUnderExactMatching) {
  configure("  conflict_matching: exact\n");
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  EXPECT_EQ(start("B", {"pkg"}), "active");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "workspace_hygiene_after.finish_block_reason"),
            "foreign_dirty_overlap");
  EXPECT_EQ(ask({"change", "abandon"}, "B").code, 0);
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "status", {"--analyze"}), "accepted");
}

TEST_P(ChangeControl, AnExtendedScopeKeepsItsIntentAndMeetsOthers) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  EXPECT_EQ(start("B", {"pkg/b.py"}), "active");
  const std::string id = id_of("A");
  const Ran refused = ask({"change", "extend", "--add", "pkg/b.py"}, "A");
  EXPECT_EQ(refused.code, 1) << refused.out;
  EXPECT_EQ(field({"change", "extend", "--add", "docs/guide.md"}, "A", "intent_id"), id);
  EXPECT_EQ(start("C", {"docs/guide.md"}), "blocked");
}

TEST_P(ChangeControl, TheSameStartAgainIsAReplayAndRenewsNothing) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  const Words again{"change", "start", "--goal", "a change by A", "--allow", "pkg/a.py"};
  EXPECT_EQ(field(again, "A", "idempotent_replay"), "true");
  EXPECT_EQ(events("intent.declared"), 1u);
  repo.write("pkg/a.py", "changed = 1\n");
  EXPECT_EQ(field(again, "A", "status"), "blocked") << "the tree is another one now";
}

TEST_P(ChangeControl, RejectionsOfRecoverAndResetAreAnswers) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  const std::string id = id_of("A");
  EXPECT_EQ(field({"change", "recover", id}, "B", "reason"), "not_recoverable");
  EXPECT_EQ(field({"change", "recover", "intent-00000000-001-000000"}, "B", "reason"), "not_found");
  EXPECT_EQ(field({"change", "reset", id}, "B", "action_taken"), "rejected");
  EXPECT_EQ(field({"change", "reset", id}, "A", "action_taken"), "reset");
  EXPECT_EQ(field({"change", "renew"}, "A", "lease_renewed"), "true");
  EXPECT_EQ(field({"change", "reap"}, "A", "remaining"), "1");
  EXPECT_EQ(ask({"change", "finish", id, "--files", "pkg/a.py"}, "B").code, 2);
}

TEST_P(ChangeControl, AWorkTreeOfItsOwnLandsNothingThatWasNotNamed) {
  const Ran started = ask({"change", "start", "--goal", "g", "--allow", "docs/guide.md",
                           "--worktree", "--field", "worktree.path"},
                          "A");
  const std::string tree = started.out.substr(0, started.out.find('\n'));
  ASSERT_TRUE(std::filesystem::exists(tree + "/docs/guide.md")) << tree << started.err;
  ASSERT_TRUE(sys::write_file_atomic(tree + "/Makefile", "all:\n\techo undeclared\n"));
  repo.git_at(tree, {"commit", "-q", "-am", "beside the declared files"});
  ASSERT_TRUE(sys::write_file_atomic(tree + "/docs/guide.md", "read there\n"));
  EXPECT_EQ(finish("A", {"docs/guide.md"}, "reason"), "landing_refused");
  EXPECT_EQ(finish("A", {"docs/guide.md"}, "landing.not_named"), "[\"Makefile\"]");
  EXPECT_EQ(finish("A", {"docs/guide.md", "Makefile"}, "reason"), "scope_violation");
  EXPECT_EQ(repo.git({"status", "--porcelain"}), "");
}

TEST_P(ChangeControl, AChangeInAWorkTreeOfItsOwnLandsThroughThePatchGate) {
  const Ran started = ask({"change", "start", "--goal", "g", "--allow", "docs/guide.md",
                           "--worktree", "--field", "worktree.path"},
                          "A");
  EXPECT_EQ(started.code, 0) << started.err;
  const std::string tree = started.out.substr(0, started.out.find('\n'));
  ASSERT_TRUE(std::filesystem::exists(tree + "/docs/guide.md")) << tree;
  EXPECT_EQ(start("B", {"docs/guide.md"}), "active") << "trees of their own do not meet";
  const auto written = sys::write_file_atomic(tree + "/docs/guide.md", "read there\n");
  ASSERT_TRUE(written.has_value());
  EXPECT_EQ(finish("A", {"docs/guide.md"}, "reason"), "landing_refused") << "B holds it there";
  EXPECT_EQ(ask({"change", "abandon"}, "B").code, 0);
  EXPECT_EQ(repo.git({"status", "--porcelain"}), "");
  EXPECT_EQ(finish("A", {"docs/guide.md"}), "accepted");
  EXPECT_EQ(*sys::read_file(repo.at("docs/guide.md"), 1'000), "read there\n");
  EXPECT_FALSE(std::filesystem::exists(tree));
}

TEST_P(ChangeControl, ARefusedLandingSaysHowTheMainTreeIsMerged) {
  const std::string tree = start("A", {"docs/guide.md"}, {"--worktree"}, "worktree.path");
  ASSERT_TRUE(sys::write_file_atomic(tree + "/docs/guide.md", "read there\n"));
  repo.write("docs/guide.md", "read here\n");
  repo.commit("the main tree moved");
  const Value refused = document(finishing({"docs/guide.md"}));
  EXPECT_EQ(Peek(refused)["reason"].text(), "landing_refused");
  const std::string step{Peek(refused)["next_step"].text()};
  const std::string in_tree = "git -C " + tree;
  EXPECT_TRUE(contains(step, in_tree + " commit -qam 'before the merge'")) << step;
  EXPECT_TRUE(contains(step, in_tree + " merge main")) << step;
}

/// Without an id a command means the newest intent, which has not declared what the first one has.
TEST_P(ChangeControl, AFinishOfWhatAnEarlierIntentDeclaredNamesThatIntent) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  const std::string first = id_of("A");
  repo.write("pkg/a.py", "def other():\n    return 7\n");
  ASSERT_EQ(ask({"analyze"}, "A").code, 0);
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  const Value refused = document(finishing({"pkg/a.py"}));
  EXPECT_EQ(Peek(refused)["reason"].text(), "scope_violation");
  EXPECT_TRUE(
      contains(Peek(refused)["message"].text(), first + " of this session declares pkg/a.py"))
      << Peek(refused)["message"].text();
  EXPECT_TRUE(contains(Peek(refused)["next_step"].text(), "gatehouse change finish " + first))
      << Peek(refused)["next_step"].text();
}

TEST_P(ChangeControl, ClaimsAreCheckedAgainstTheRun) {
  repo.write("review.md", "The security_surfaces family shows a vulnerability.\n");
  const Ran ran = ask({"claim", "check", repo.at("review.md"), "--json"});
  EXPECT_EQ(ran.code, 1) << ran.out;
  EXPECT_TRUE(contains(ran.out, "\"pattern\": \"P-1\"")) << ran.out;
  repo.write("review.md", "No regressions, and complexity is unchanged.\n");
  EXPECT_EQ(ask({"claim", "check", repo.at("review.md")}).code, 0);
  EXPECT_EQ(ask({"claim", "check", repo.at("review.md"), "--health-delta=-2"}).code, 1);
}

struct Refused {
  Words words;
  const char* code;
};
TEST_P(ChangeControl, MalformedRequestsAreErrorsWithTheirCodes) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  const std::vector<Refused> cases{
      {{"change", "start", "--goal", "g", "--allow", "."}, "scope_entry_not_a_file"},
      {{"change", "start", "--goal", "g", "--allow", "/etc/passwd"}, "intent_path_absolute"},
      {{"change", "start", "--goal", "g", "--allow", "docs/../a"}, "path_traversal"},
      {{"change", "start", "--goal", "g"}, "scope_empty"},
      {{"change", "start", "--allow", "a.py"}, "intent_text_required"},
      {{"change", "finish"}, "evidence_required"},
      {{"change", "finish", "--files", "a", "--diff", "HEAD"}, "evidence_exclusive"},
      {{"change", "finish", "--files", "/etc/passwd"}, "path_outside_root"},
      {{"change", "finish", "--diff=--output=x"}, "git_ref_invalid"},
      {{"change", "finish", "--diff", "no-such-branch"}, "git_diff_failed"},
      {{"change", "finish", "intent-x", "--files", "a"}, "unknown_intent"},
      {{"change", "budget", "--run", "00000000"}, "run_not_found"},
  };
  for (const Refused& refused : cases) {
    const Ran ran = ask(refused.words, "A");
    EXPECT_EQ(ran.code, 2) << refused.code << ran.out << ran.err;
    EXPECT_TRUE(contains(ran.err, refused.code)) << refused.code << ": " << ran.err;
  }
  EXPECT_TRUE(contains(ask({"change", "renew"}, "nobody").err, "no_active_intent"));
  EXPECT_TRUE(contains(gatehouse({"change", "list"}, "/").err, "root_not_a_repository"));
}

TEST_P(ChangeControl, WatchAndQueueShowWhoHoldsWhatAndWriteNothing) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  EXPECT_EQ(start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}), "queued");
  const std::size_t rows = events("intent.queued");
  const Ran watched = ask({"change", "watch", "--count", "1"}, "C");
  EXPECT_EQ(watched.code, 0) << watched.err;
  EXPECT_TRUE(contains(watched.out, "foreign_active")) << watched.out;
  EXPECT_TRUE(contains(ask({"change", "queue"}, "C").out, "pkg/a.py"));
  EXPECT_EQ(events("intent.queued"), rows);
}

TEST_P(ChangeControl, AnIntentCarriesItsGuardsAndASummaryCountsItsLanes) {
  const Ran started = ask({"change", "start", "--goal", "g", "--allow", "pkg/b.py", "--json"}, "A");
  const auto document = wire::read_json(started.out, "answer");
  ASSERT_TRUE(document.has_value()) << started.err;
  for (const char* lane : {"direct_dependents", "transitive_dependents", "clone_cohort_members",
                           "in_dependency_cycle", "structural_risk", "review_context"}) {
    const Peek shown = Peek(*document)["blast_radius"][lane]["shown"];
    EXPECT_TRUE(shown.exists()) << lane;
    EXPECT_EQ(shown.number(), 0) << lane;
  }
  const Ran shown = ask({"change", "status", "--json"}, "A");
  for (const char* guard :
       {"scope_expansion_requires_explanation", "baseline_update_forbidden",
        "cache_update_forbidden", "generated_report_update_forbidden",
        "out_of_scope_production_change_requires_human", "new_structural_regression_forbidden",
        "report_only_claims_forbidden", "concurrent_workspace_intent_conflict_requires_review"})
    EXPECT_TRUE(contains(shown.out, std::string("\"") + guard + "\"")) << guard;
}

TEST_P(ChangeControl, ALeaseIsMovedIntoItsRange) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  EXPECT_EQ(field({"change", "renew", "--lease", "1h"}, "A", "lease_seconds"), "600");
  EXPECT_EQ(field({"change", "renew", "--lease", "1s"}, "A", "lease_seconds"), "60");
  EXPECT_EQ(start("B", {"pkg/a.py"}), "blocked") << "the record is still there";
}

TEST_P(ChangeControl, AskingAgainKeepsThePlaceInLine) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  EXPECT_EQ(start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}), "queued");
  // Records have whole seconds: C comes later only once it was declared in another one.
  const auto declared = [&](const char* who) {
    return field({"change", "status"}, who, "declared_at_utc");
  };
  const std::string first = declared("B");
  for (int tries = 0; tries < 1'000; ++tries) {
    EXPECT_EQ(start("C", {"pkg/a.py"}, {"--on-conflict", "queue"}), "queued");
    if (declared("C") != first) break;
    EXPECT_EQ(ask({"change", "abandon"}, "C").code, 0);
  }
  ASSERT_NE(declared("C"), first);
  EXPECT_EQ(
      field({"change", "start", "--goal", "again", "--allow", "pkg/a.py", "--on-conflict", "queue"},
            "B", "queue_position"),
      "1");
}

TEST_P(ChangeControl, UncommittedWorkInATreeOfItsOwnIsNeverThrownAway) {
  const Words words{"change", "start", "--goal", "g", "--allow", "docs/guide.md", "--worktree"};
  const std::string tree = field(words, "A", "worktree.path");
  ASSERT_TRUE(sys::write_file_atomic(tree + "/docs/guide.md", "read there\n").has_value());
  ASSERT_TRUE(sys::write_file_atomic(tree + "/note.txt", "mine\n").has_value());
  EXPECT_EQ(finish("A", {"docs/guide.md"}), "accepted_with_external_changes");
  EXPECT_TRUE(std::filesystem::exists(tree + "/note.txt"));
  const std::string other = field(words, "B", "worktree.path");
  ASSERT_TRUE(sys::write_file_atomic(other + "/docs/guide.md", "work in progress\n").has_value());
  const Ran given_up = ask({"change", "abandon"}, "B");
  EXPECT_EQ(given_up.code, 0) << given_up.err;
  EXPECT_TRUE(contains(given_up.out, other)) << given_up.out;
  EXPECT_TRUE(std::filesystem::exists(other + "/docs/guide.md"));
}

TEST_P(ChangeControl, AReceiptIsKeptAndCanBeReadAgain) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  repo.write("docs/guide.md", "read this\n");
  const std::string digest = finish("A", {"docs/guide.md"}, "receipt.receipt_digest.value");
  ASSERT_EQ(digest.size(), 64u);
  const Ran shown = ask({"receipt", "show", "sha256:" + digest});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_TRUE(contains(shown.out, "change")) << shown.out;
}

// change-control 4.3 and 12.2: `result` is what `check` answered.
void expect_same_check(const Value& shown, const Value& result) {
  const Peek kept = Peek(shown)["check_result"];
  ASSERT_TRUE(kept.exists()) << wire::canonical_json(shown);
  for (const char* member :
       {"status", "declared_scope", "actual_changed_files", "unexpected_files", "forbidden_touched",
        "untouched_in_declared", "required_action", "message", "intent_id"}) {
    const Value *is = kept.map().find(member), *was = Peek(result).map().find(member);
    ASSERT_TRUE(is != nullptr && was != nullptr) << member;
    EXPECT_EQ(*is, *was) << member;
  }
  EXPECT_FALSE(kept["at_utc"].text().empty());
  EXPECT_EQ(Peek(shown)["status"].text(), Peek(result)["status"].text());
}

TEST_P(ChangeControl, AfterACheckTheSessionSeesWhatItSaidAndOthersSeeWhoHoldsTheFiles) {
  EXPECT_EQ(start("A", {"pkg/a.py"}, {"--related", "pkg/b.py"}), "active");
  EXPECT_EQ(Peek(document({"change", "status"}))["status"].text(), "active");
  EXPECT_FALSE(Peek(document({"change", "status"}))["check_result"].exists());
  const auto in_registry = [&] {
    return field({"change", "list"}, "B", "workspace_intents.0.status");
  };
  struct Case {
    Words files;
    const char *session, *registry;
  };
  const Case kCases[] = {{{"pkg/a.py"}, "clean", "active"},
                         {{"pkg/a.py", "pkg/b.py"}, "expanded", "expanded"},
                         {{"Makefile"}, "violated", "violated"},
                         {{"pkg/a.py"}, "clean", "active"}};
  for (const Case& c : kCases) {
    Words words{"change", "check", "--files"};
    words.insert(words.end(), c.files.begin(), c.files.end());
    const Value result = document(words);
    EXPECT_EQ(Peek(result)["status"].text(), c.session);
    expect_same_check(document({"change", "status"}), result);
    EXPECT_EQ(field({"change", "renew"}, "A", "status"), c.session);
    EXPECT_EQ(in_registry(), c.registry);
    EXPECT_EQ(start("B", {"pkg/a.py"}), "blocked") << "a check lets go of nothing";
  }
  EXPECT_NE(start("A", {"pkg/a.py"}, {"--related", "pkg/b.py"}, "idempotent_replay"), "true")
      << "only what is still active to its session is the same start";
  must({"change", "check", "--files", "pkg/a.py"}, "A");
  EXPECT_EQ(field({"change", "status"}, "A", "status"), "clean");
  EXPECT_EQ(field({"change", "extend", "--add", "docs/guide.md"}, "A", "status"), "active");
  EXPECT_FALSE(Peek(document({"change", "status"}))["check_result"].exists())
      << "what was said was of the narrower scope";
}

TEST_P(ChangeControl, AFinishThatVerificationStopsLeavesItsCheckToTheSession) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  const Value finished = document(finishing({"pkg/a.py"}));
  EXPECT_EQ(Peek(finished)["reason"].text(), "no_after_run");
  expect_same_check(document({"change", "status"}), *Peek(finished).map().find("scope_check"));
  EXPECT_EQ(field({"change", "reset", id_of("A")}, "A", "action_taken"), "reset");
  EXPECT_EQ(field({"change", "status"}, "A", "status"), "active");
}

TEST_P(ChangeControl, AToolThatGetsAnIntentSeesWhatItsCheckSaid) {
  McpProcess server(repo.root());
  server.initialize();
  const auto told = [&](int id, const std::string& tool, const std::string& arguments) {
    const Value answer = server.call(id, tool, arguments);
    return Value(Peek(answer)["result"]["structuredContent"].map());
  };
  const Value started = told(1, "start_controlled_change",
                             R"({"root":")" + repo.root() +
                                 R"(","scope":{"allowed_files":["pkg/a.py"]},"intent":"less"})");
  EXPECT_EQ(Peek(started)["status"].text(), "active") << wire::canonical_json(started);
  const Value result =
      told(2, "manage_change_intent", R"({"action":"check","changed_files":["pkg/a.py"]})");
  EXPECT_EQ(Peek(result)["status"].text(), "clean");
  expect_same_check(told(3, "manage_change_intent", R"({"action":"get"})"), result);
  const Value list = told(4, "manage_change_intent", R"({"action":"list_workspace"})");
  const Value raw = server.call(5, "manage_change_intent", R"({"action":"get"})");
  const Peek answer = Peek(raw)["result"];
  const std::string shown = wire::canonical_json(answer["structuredContent"].map());
  EXPECT_EQ(answer["_meta"]["gatehouse/token_estimate"].number(),
            static_cast<std::int64_t>((shown.size() + 3) / 4));
  EXPECT_EQ(Peek(Peek(list)["workspace_intents"].list().at(0))["status"].text(), "active");
}

// change-control 6.1 and 20.5
TEST_P(ChangeControl, AStoreBlockThatNamesNoRegistryIsTheRegistrysFault) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  for (const char* store : {"store: {url: \"mysql://me:secret@db\"}\n", "store: 1\n",
                            "store: {urk: x}\n", "store: {busy_timeout_ms: 0}\n"}) {
    repo.write("gatehouse.yaml", store);
    repo.commit("a registry that is none");
    for (const Words& words :
         {Words{"change", "start", "--goal", "g", "--allow", "docs/guide.md"},
          Words{"change", "status"}, Words{"change", "renew"}, Words{"change", "list"}}) {
      const Ran ran = ask(words, "A");
      EXPECT_EQ(ran.code, 4) << words[1] << store;
      EXPECT_TRUE(contains(ran.err, "registry_config_invalid")) << ran.err;
      EXPECT_FALSE(contains(ran.err, "secret")) << ran.err;
    }
    const Ran gate = ask({"hook", "test", "--path", "pkg/a.py", "--json"}, "A");
    EXPECT_EQ(gate.code, 4) << gate.out;
    EXPECT_TRUE(contains(gate.out, "\"registry_error\"")) << gate.out;
  }
  // Any other block is a matter of the policy, beside a good store block too.
  repo.write("gatehouse.yaml", "change_control: {conflict_matching: odd}\n");
  repo.commit("another fault");
  const Ran other = ask({"change", "status"}, "A");
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(contains(other.err, "policy_bad_value")) << other.err;
  configure("");
  EXPECT_EQ(field({"change", "status"}, "A", "status"), "active");
}

TEST_P(ChangeControl, WhatNoDocumentOrServerHasIsToldByItsCode) {
  const Ran section = ask({"runs", "document", "latest", "--section", "nothing.at_all"});
  EXPECT_EQ(section.code, 2);
  EXPECT_TRUE(contains(section.err, "section_unknown")) << section.err;
  McpProcess server(repo.root());
  server.initialize();
  const Value part = server.call(1, "report_get", R"({"digest":"latest","section":"nothing"})");
  EXPECT_EQ(Peek(part)["result"]["structuredContent"]["code"].text(), "section_unknown")
      << wire::canonical_json(part);
  for (const char* uri : {"gatehouse://nothing", "gatehouse://receipt/sha256:00"}) {
    const Value read = server.ask(2, "resources/read", std::string(R"({"uri":")") + uri + R"("})");
    EXPECT_EQ(Peek(read)["error"]["code"].number(), -32002) << uri;
    EXPECT_EQ(Peek(read)["error"]["data"]["code"].text(), "resource_unknown") << uri;
  }
}

}  // namespace
}  // namespace gh::testing
