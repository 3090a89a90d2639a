// What a newcomer and an attacker found open in declared changes, each as it was found. On both
// ledgers.
#include <filesystem>

#include "model/peek.h"
#include "tests/change_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

class ChangeMended : public ChangeWorld {
 protected:
  Value finished(const Words& files, Words more = {}) const {
    return document(finishing(files, std::move(more)));
  }
  static std::string told(const Value& answer) {
    const Peek doc(answer);
    const std::string_view reason = doc["reason"].text();
    return std::string(doc["status"].text()) + (reason.empty() ? "" : " ") + std::string(reason);
  }
  static std::string unnamed(const Value& answer) {
    return wire::canonical_json(
        Value(Peek(answer)["workspace_hygiene_after"]["unacknowledged_dirty_in_scope"].list()));
  }
  /// Commits everything in another repository.
  void commit_at(const std::string& folder, const std::string& message) const {
    repo.git_at(folder, {"add", "-A"});
    repo.git_at(folder, {"-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q",
                         "-m", message});
  }
  void write_at(const std::string& folder, const std::string& path, const std::string& text) const {
    ASSERT_TRUE(sys::write_file_atomic(folder + "/" + path, text).has_value());
  }
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, ChangeMended,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

// -------------------------------------------------------------------------------- 1 baselines

TEST_P(ChangeMended, ABaselineAtAConfiguredPathIsNotUpdatedWithoutARun) {
  configure("analysis:\n  baseline: quality/base.json\n");
  fs::create_directories(repo.at("quality"));
  must({"baseline", "save"});
  repo.commit("a baseline");
  must({"analyze"});
  EXPECT_EQ(start("A", {"quality/base.json", "docs/guide.md"}), "active");
  repo.write("quality/base.json", "{}\n");
  repo.write("docs/guide.md", "read this\n");
  const Words both{"docs/guide.md", "quality/base.json"};
  EXPECT_EQ(told(finished(both)), "unverified no_after_run") << "no code, and yet";
  EXPECT_EQ(told(finished(both, {"--after-run", "latest"})), "unverified after_run_not_new");
  const Value abuse = finished(both, {"--analyze"});
  EXPECT_EQ(told(abuse), "violated baseline_abuse:baseline_changed_with_functional_code");
  EXPECT_EQ(Peek(abuse)["verification"]["verification_profile"].text(), "non_python_patch");
  EXPECT_EQ(events("baseline_abuse.detected"), 1u);
  // Taken out of it, the change is what it was; alone, the baseline is judged by a run of its own.
  repo.git({"checkout", "-q", "quality/base.json"});
  EXPECT_EQ(told(finished({"docs/guide.md"})), "accepted");
  EXPECT_EQ(start("B", {"quality/base.json"}), "active");
  repo.write("quality/base.json", bytes_of(repo.at("quality/base.json")) + "\n");
  EXPECT_EQ(finish("B", {"quality/base.json"}, "reason"), "no_after_run");
  EXPECT_EQ(finish("B", {"quality/base.json"}, "status", {"--analyze"}),
            "accepted_with_external_changes");
}

// --------------------------------------------------------------- 2 repositories inside of this

TEST_P(ChangeMended, ADeclaredFileOfANestedRepositoryMustBeNamed) {
  repo.git_at(repo.root(), {"init", "-q", "nested"});
  repo.write("nested/a.md", "one\n");
  EXPECT_EQ(start("A", {"nested/a.md", "docs/guide.md"}), "blocked")
      << "nothing of it is committed";
  EXPECT_EQ(start("A", {"nested/a.md", "docs/guide.md"}, {"--continue-own-wip"}), "active");
  repo.write("docs/guide.md", "read this\n");
  commit_at(repo.at("nested"), "hidden");
  const Value hidden = finished({"docs/guide.md"});
  EXPECT_EQ(told(hidden), "unverified workspace_hygiene");
  EXPECT_EQ(unnamed(hidden), R"(["nested/a.md"])");
  EXPECT_EQ(told(finished({"docs/guide.md", "nested/a.md"})), "accepted_with_external_changes")
      << "the repository itself is nobody's";
}

TEST_P(ChangeMended, ADeclaredFileOfASubmoduleMustBeNamed) {
  const std::string other = repo.folder() + "/other";
  repo.git_at(repo.folder(), {"init", "-q", other});
  write_at(other, "g.md", "one\n");
  commit_at(other, "one");
  repo.git({"-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "mod"});
  repo.commit("a submodule");
  must({"analyze"});
  EXPECT_EQ(start("A", {"mod/g.md", "docs/guide.md"}), "active");
  repo.write("docs/guide.md", "read this\n");
  EXPECT_EQ(told(finished({"docs/guide.md"}, {"--no-clear", "--no-receipt"})), "accepted");
  repo.write("mod/g.md", "two\n");
  const auto expect_unnamed = [&](const char* when) {
    const Value answer = finished({"docs/guide.md"});
    EXPECT_EQ(told(answer), "unverified workspace_hygiene") << when;
    EXPECT_EQ(unnamed(answer), R"(["mod/g.md"])") << when;
  };
  expect_unnamed("changed");
  commit_at(repo.at("mod"), "two");
  expect_unnamed("committed there");
  repo.git({"add", "mod"});
  expect_unnamed("staged here");
  const Value by_diff = document({"change", "finish", "--diff", "HEAD"});
  EXPECT_EQ(told(by_diff), "violated scope_violation") << "the submodule itself is not declared";
  EXPECT_EQ(told(finished({"docs/guide.md", "mod/g.md"})), "accepted_with_external_changes");
}

// ------------------------------------------------------------------------------------ 3 links

TEST_P(ChangeMended, AModuleThatBecomesALinkOutOfTheTreeIsNoImprovement) {
  write_at(repo.folder(), "outside.py", "x = 1\n");
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  for (const char* target : {"../../outside.py", "nowhere.py", "../.git/config", "../docs"}) {
    fs::remove(repo.at("pkg/a.py"));
    fs::create_symlink(target, repo.at("pkg/a.py"));
    const Value answer = finished({"pkg/a.py"}, {"--analyze"});
    EXPECT_EQ(told(answer), "violated structural_regressions") << target;
    const Peek cards = Peek(answer)["verification"]["intent_regressions"];
    ASSERT_EQ(cards.list().size(), 1u) << target;
    EXPECT_EQ(Peek(cards.list().front())["id"].text(), "structural:unread_file:pkg/a.py");
    EXPECT_EQ(Peek(cards.list().front())["unread"].text(), "link_leads_out");
    EXPECT_NE(Peek(answer)["verification"]["structural_delta"]["verdict"].text(), "improved");
  }
  const Value verdict = document({"check", "--gates", "structure"});
  EXPECT_EQ(Peek(verdict)["decision"].text(), "deny");
  EXPECT_EQ(Peek(Peek(verdict)["reasons"].list().front())["id"].text(), "GH-STRUCT-UNREAD");
  fs::remove(repo.at("pkg/a.py"));
  fs::create_symlink("b.py", repo.at("pkg/a.py"));
  EXPECT_EQ(told(finished({"pkg/a.py"}, {"--analyze"})), "accepted") << "one that is read";
}

// ---------------------------------------------------------------------------------- 4 commits

TEST_P(ChangeMended, WhatWasCommittedAndNobodyDeclaredIsSeenByFinish) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  repo.write("pkg/b.py", python_function("store", 2));
  repo.commit("in passing");
  repo.write("docs/guide.md", "read this\n");
  const Value answer = finished({"docs/guide.md"});
  EXPECT_EQ(told(answer), "accepted") << "it is told, and blocks nobody";
  EXPECT_EQ(wire::canonical_json(Value(Peek(answer)["committed_outside_scope"].map())),
            R"({"count":1,"sample":["pkg/b.py"],"truncated":false})");
  EXPECT_EQ(Peek(answer)["receipt"]["verdict"].text(), "needs_attention");
  const std::string digest =
      "sha256:" + std::string(Peek(answer)["receipt"]["receipt_digest"]["value"].text());
  EXPECT_EQ(field({"receipt", "show", digest}, "", "body.scope.committed_undeclared"),
            R"(["pkg/b.py"])");
  EXPECT_TRUE(contains(ask({"receipt", "show", digest, "--format", "markdown"}).out,
                       "Committed since the start, and declared by nobody"));
}

TEST_P(ChangeMended, AnAmendedCommitHidesNothingFromFinish) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  repo.write("pkg/b.py", python_function("store", 2));
  repo.git({"add", "-A"});
  repo.git({"commit", "-q", "--amend", "--no-edit"});
  repo.write("docs/guide.md", "read this\n");
  EXPECT_EQ(finish("A", {"docs/guide.md"}, "committed_outside_scope.sample.0"), "pkg/b.py");
}

TEST_P(ChangeMended, WhatAnotherChangeDeclaredAndCommittedIsExplained) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("B", {"docs/index.md"}), "active");
  repo.write("docs/index.md", "another one\n");
  EXPECT_EQ(finish("B", {"docs/index.md"}), "accepted");
  repo.commit("what B did");
  repo.write("docs/guide.md", "read this\n");
  const Value answer = finished({"docs/guide.md"});
  EXPECT_EQ(told(answer), "accepted");
  EXPECT_FALSE(Peek(answer)["committed_outside_scope"].exists());
  EXPECT_EQ(Peek(answer)["receipt"]["verdict"].text(), "clean");
}

// ------------------------------------------------------------------------- 5 linked work trees

TEST_P(ChangeMended, FinishJudgesTheLinkedWorkTreeThatTheIntentWasDeclaredIn) {
  const std::string one = repo.folder() + "/one", two = repo.folder() + "/two";
  repo.git({"worktree", "add", "-q", "-b", "one", one});
  repo.git({"worktree", "add", "-q", "-b", "two", two});
  ASSERT_EQ(gatehouse({"analyze"}, one).code, 0);
  ASSERT_EQ(gatehouse({"analyze"}, two).code, 0);
  const Words begin{"change",        "start",         "--goal",    "in one", "--allow",
                    "docs/guide.md", "docs/index.md", "--session", "A"};
  ASSERT_EQ(gatehouse(begin, one).code, 0);
  for (const std::string& tree : {one, two})
    write_at(tree, "docs/guide.md", "the same in both\n");
  write_at(one, "docs/index.md", "not named\n");
  const Words end{"change", "finish", "--files", "docs/guide.md", "--session", "A", "--json"};
  for (const std::string& from : {two, repo.root(), one}) {
    const Ran ran = gatehouse(end, from);
    EXPECT_EQ(ran.code, 1) << from;
    const auto answer = wire::read_own_json(ran.out, "answer");
    ASSERT_TRUE(answer) << ran.out << ran.err;
    EXPECT_EQ(told(*answer), "unverified workspace_hygiene") << from;
    EXPECT_EQ(unnamed(*answer), R"(["docs/index.md"])") << from;
  }
  write_at(one, "docs/index.md", bytes_of(two + "/docs/index.md"));
  EXPECT_EQ(gatehouse(end, two).code, 0);
  // An intent of the main tree is judged there as well, and one whose tree is gone nowhere.
  EXPECT_EQ(start("B", {"docs/index.md"}), "active");
  repo.write("docs/index.md", "in the main tree\n");
  const Ran main = gatehouse({"change", "check", "--diff", "HEAD", "--session", "B"}, two);
  EXPECT_EQ(main.code, 0) << main.out << main.err;
  ASSERT_EQ(
      gatehouse({"change", "start", "--goal", "g", "--allow", "pkg/b.py", "--session", "C"}, one)
          .code,
      0);
  repo.git({"worktree", "remove", "--force", one});
  const Ran gone =
      gatehouse({"change", "finish", "--files", "pkg/b.py", "--session", "C"}, repo.root());
  EXPECT_EQ(gone.code, 2) << gone.out;
  EXPECT_TRUE(contains(gone.err, "abandon")) << gone.err;
}

// -------------------------------------------------------------------------------- 6 promotion

TEST_P(ChangeMended, APromotionIntoDirtyFilesSaysOneThingAndItsStepsWork) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("B", {"docs/guide.md"}, {"--on-conflict", "queue"}), "queued");
  const std::string id = id_of("B");
  repo.write("docs/guide.md", "by A\n");
  EXPECT_EQ(finish("A", {"docs/guide.md"}), "accepted");
  const Words promote{"change", "promote", id}, test{"hook", "test", "--path", "docs/guide.md"};
  const auto expect_all = [&](bool allowed, const char* when) {
    const std::string word = allowed ? "true" : "false";
    EXPECT_EQ(field(test, "B", "allowed"), word) << when;
    EXPECT_EQ(field({"status"}, "B", "edit_allowed"), word) << when;
    const std::string step = field({"change", "status"}, "B", "next_step");
    EXPECT_EQ(contains(step, "change promote " + id), !allowed) << when << step;
  };
  const Value dirty = document(promote, "B");
  EXPECT_EQ(told(dirty), "active");
  EXPECT_FALSE(Peek(dirty)["edit_allowed"].is_true());
  EXPECT_EQ(Peek(dirty)["next_step_code"].text(), "dirty_scope");
  EXPECT_TRUE(contains(Peek(dirty)["next_step"].text(), "change promote " + id + " --session B"));
  expect_all(false, "dirty");
  EXPECT_EQ(field(test, "B", "reason"), "no_active_intent");
  EXPECT_EQ(field(promote, "B", "edit_allowed"), "false") << "asked again";
  EXPECT_EQ(start("C", {"docs/guide.md"}, {}, "status"), "blocked") << "B holds it all the same";
  repo.commit("what A did");
  const Value clean = document(promote, "B");
  EXPECT_EQ(Peek(clean)["previous_status"].text(), "active");
  EXPECT_TRUE(Peek(clean)["edit_allowed"].is_true());
  expect_all(true, "clean");
  EXPECT_EQ(ask(promote, "B").code, 2) << "there is nothing left to promote";
  repo.write("docs/guide.md", "by B\n");
  const Value done = document(finishing({"docs/guide.md"}), "B");
  EXPECT_EQ(told(done), "accepted");
  EXPECT_FALSE(Peek(done)["committed_outside_scope"].exists());
}

TEST_P(ChangeMended, WhatWasDirtyOutsideOfTheScopeStaysKnownOverAPromotion) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("B", {"docs/guide.md"}, {"--on-conflict", "queue"}), "queued");
  const std::string id = id_of("B");
  repo.write("docs/guide.md", "by A\n");
  repo.write("before.txt", "there already\n");
  EXPECT_EQ(finish("A", {"docs/guide.md"}), "accepted_with_external_changes");
  EXPECT_EQ(ask({"change", "promote", id}, "B").code, 1);
  repo.write("meanwhile.txt", "while B had to wait\n");
  repo.git({"commit", "-q", "-m", "what A did", "docs/guide.md"});
  EXPECT_EQ(ask({"change", "promote", id}, "B").code, 0);
  repo.write("docs/guide.md", "by B\n");
  const Ran strict = ask(finishing({"docs/guide.md"}), "B", {"GATEHOUSE_STRICT_FINISH=1"});
  EXPECT_EQ(strict.code, 1);
  EXPECT_TRUE(contains(strict.out, "meanwhile.txt")) << strict.out;
  EXPECT_FALSE(contains(strict.out, "before.txt")) << strict.out;
}

// ------------------------------------------------------------------------------------ 7 reset

TEST_P(ChangeMended, AResetOfAQueuedIntentIsNoPromotion) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("B", {"docs/guide.md"}, {"--on-conflict", "queue"}), "queued");
  const std::string id = id_of("B");
  repo.write("docs/guide.md", "by A, and not committed\n");
  EXPECT_EQ(finish("A", {"docs/guide.md"}), "accepted");
  const Value reset = document({"change", "reset", id}, "B");
  EXPECT_EQ(Peek(reset)["action_taken"].text(), "reset");
  EXPECT_EQ(Peek(reset)["new_status"].text(), "queued");
  EXPECT_EQ(field({"change", "status"}, "B", "status"), "queued");
  EXPECT_EQ(field({"hook", "test", "--path", "docs/guide.md"}, "B", "reason"),
            "queued_intent_not_editable");
  EXPECT_EQ(start("C", {"docs/guide.md"}, {"--continue-own-wip"}), "active") << "it holds nothing";
  EXPECT_EQ(field({"change", "promote", id}, "B", "status"), "queued");
}

TEST_P(ChangeMended, ARecoveredIntentThatWaitedWaitsOn) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("B", {"docs/guide.md"}, {"--on-conflict", "queue"}), "queued");
  const std::string id = id_of("B");
  must({"change", "abandon"}, "A");
  age(id, kLapsed);
  const Value taken = document({"change", "recover", id}, "C");
  EXPECT_EQ(Peek(taken)["action_taken"].text(), "recovered");
  EXPECT_EQ(Peek(taken)["status"].text(), "queued");
  EXPECT_EQ(field({"change", "promote", id}, "C", "status"), "active");
}

// ----------------------------------------------------------------------------- 8 what is said

TEST_P(ChangeMended, ARefusedLandingSaysWhyInItsText) {
  const std::string tree = start("A", {"docs/guide.md"}, {"--worktree"}, "worktree.path");
  write_at(tree, "docs/guide.md", "read there\n");
  repo.write("docs/guide.md", "read here\n");
  repo.commit("meanwhile");
  const Ran ran = ask(finishing({"docs/guide.md"}), "A");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(contains(ran.out, "landing_refused")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "base_blob_mismatch: docs/guide.md")) << ran.out;
  // And what it says to do works.
  repo.git_at(tree, {"commit", "-q", "-a", "-m", "there"});
  const std::string main = repo.git({"rev-parse", "HEAD"});
  repo.git_at(tree, {"merge", "-q", "-X", "ours", "-m", "both", main});
  write_at(tree, "docs/guide.md", "read everywhere\n");
  EXPECT_EQ(finish("A", {"docs/guide.md"}), "accepted");
}

TEST_P(ChangeMended, AStrictFinishNamesTheFiles) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  repo.write("docs/guide.md", "read this\n");
  repo.write("stray.txt", "unexplained\n");
  const Ran ran = ask(finishing({"docs/guide.md"}), "A", {"GATEHOUSE_STRICT_FINISH=yes"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(contains(ran.out, "Not declared stray.txt")) << ran.out;
  Words json = finishing({"docs/guide.md"}, {"--json"});
  const Ran told = ask(json, "A", {"GATEHOUSE_STRICT_FINISH=yes"});
  const auto answer = wire::read_own_json(told.out, "answer");
  ASSERT_TRUE(answer);
  EXPECT_EQ(Peek(*answer)["workspace_hygiene_after"]["finish_block_reason"].text(),
            "own_unscoped_dirty");
  EXPECT_EQ(Peek(Peek(*answer)["verdict"]["reasons"].list().front())["path"].text(), "stray.txt");
}

TEST_P(ChangeMended, WatchPrintsOneDocumentALine) {
  const Ran ran = ask({"change", "watch", "--count", "2", "--interval", "0s", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::size_t documents = 0;
  for (const std::string_view line : split(std::string_view(ran.out), '\n')) {
    if (line.empty()) continue;
    const auto read = wire::read_own_json(std::string(line), "line");
    ASSERT_TRUE(read) << line;
    EXPECT_EQ(Peek(*read)["schema"].text(), "gatehouse.workspace/1");
    ++documents;
  }
  EXPECT_EQ(documents, 2u) << ran.out;
}

TEST_P(ChangeMended, ARefusedExtendSaysWhoHoldsWhat) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  must({"change", "start", "--goal", "g", "--allow", "docs/index.md", "--agent-label", "bob"}, "B");
  const Ran ran = ask({"change", "extend", "--add", "docs/index.md"}, "A");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(contains(ran.out, "foreign_active_overlap")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "bob (foreign_active): docs/index.md")) << ran.out;
}

TEST_P(ChangeMended, ATimeThatIsClampedIsSaidSo) {
  EXPECT_EQ(start("A", {"docs/guide.md"}, {"--ttl", "5s"}, "warnings.0.code"), "ttl_clamped");
  const Value renewed = document({"change", "renew", "--lease", "2h"});
  EXPECT_EQ(Peek(renewed)["lease_seconds"].number(), 600);
  const List& told_so = Peek(renewed)["warnings"].list();
  ASSERT_EQ(told_so.size(), 1u);
  const Peek warning(told_so.front());
  EXPECT_EQ(warning["code"].text(), "lease_clamped");
  EXPECT_EQ(warning["asked_seconds"].number(), 7200);
  EXPECT_EQ(warning["used_seconds"].number(), 600);
  EXPECT_TRUE(contains(ask({"change", "renew", "--lease", "1s"}, "A").out, "60 are used"));
  EXPECT_FALSE(Peek(document({"change", "renew", "--lease", "2m"}))["warnings"].exists());
  EXPECT_EQ(field({"change", "declare", "--goal", "g", "--allow", "docs/index.md", "--ttl", "100h"},
                  "B", "warnings.0.code"),
            "ttl_clamped");
}

TEST_P(ChangeMended, ANameWithABackslashIsNotRewrittenInSilence) {
  EXPECT_EQ(start("A", {"docs\\guide.md"}, {}, "warnings.0.code"), "path_rewritten");
  EXPECT_EQ(field({"change", "status"}, "A", "scope.allowed_files"), R"(["docs/guide.md"])");
  repo.write("docs/guide.md", "read this\n");
  EXPECT_EQ(field({"change", "check", "--files", "docs\\guide.md"}, "A", "warnings.0.declared"),
            "docs/guide.md");
  EXPECT_EQ(field({"change", "verify", "--files", "docs\\guide.md"}, "A", "warnings.0.code"),
            "path_rewritten");
  EXPECT_EQ(field({"change", "extend", "--add", "docs\\index.md"}, "A", "warnings.0.code"),
            "path_rewritten");
  repo.write("docs/a\\b.md", "a backslash of its own\n");
  must({"change", "extend", "--add", "docs/a\\x5cb.md"}, "A");
  EXPECT_EQ(finish("A", {"docs/guide.md"}, "workspace_hygiene_after.unacknowledged_dirty_in_scope"),
            R"(["docs/a\\b.md"])");
  const Ran done = ask(finishing({"docs\\guide.md", "docs/a\\x5cb.md"}), "A");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_TRUE(contains(done.out, "was taken for 'docs/guide.md'")) << done.out;
}

TEST_P(ChangeMended, ARunOfAnotherRevisionIsNeitherBaseNorResultOfAChange) {
  repo.write("pkg/b.py", python_function("store", 4));
  repo.commit("another store");
  const auto run = [&](Words words) { return field(std::move(words), "", "meta.runtime.run_id"); };
  const std::string now = run({"analyze"}), then = run({"analyze", "--rev", "HEAD~1"});
  ASSERT_NE(now, then);
  EXPECT_EQ(start("A", {"pkg/b.py"}, {}, "run_id"), now);
  repo.write("pkg/b.py", python_function("store", 5));
  run({"analyze", "--rev", "HEAD~1"});
  EXPECT_EQ(finish("A", {"pkg/b.py"}, "reason", {"--after-run", "latest"}), "after_run_not_new");
  EXPECT_EQ(finish("A", {"pkg/b.py"}, "status", {"--analyze"}), "accepted");
  // What HEAD is can be a base, also when it was read from there.
  repo.commit("a third store");
  const std::string head = run({"analyze", "--rev", "HEAD"});
  EXPECT_EQ(start("B", {"pkg/b.py"}, {}, "run_id"), head);
}

TEST_P(ChangeMended, NoTrailersOfTheCommitBeforeForWhatIsNotStaged) {
  const std::string digest = finished_guide("read this\n");
  repo.git({"add", "-A"});
  repo.git({"commit", "-q", "-m", "one", "-m", ask({"receipt", "trailers"}, "A").out});
  finished_guide("read that\n");
  const Ran unstaged = ask({"receipt", "trailers"}, "A");
  EXPECT_EQ(unstaged.code, 2) << unstaged.out;
  EXPECT_TRUE(contains(unstaged.err, "nothing is staged")) << unstaged.err;
  EXPECT_TRUE(contains(ask({"receipt", "trailers", "HEAD"}, "A").out, digest));
  repo.git({"add", "-A"});
  const Ran staged = ask({"receipt", "trailers"}, "A");
  EXPECT_EQ(staged.code, 0) << staged.err;
  EXPECT_FALSE(contains(staged.out, digest));
}

}  // namespace
}  // namespace gh::testing
