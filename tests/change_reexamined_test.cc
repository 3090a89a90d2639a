// What a third look found open in declared changes, each as it was found: landings on a main tree
// that moved, files that change while a finish runs, what a comparison cannot see, and answers that
// say nothing. On both ledgers.
#include <filesystem>

#include <sys/stat.h>

#include "model/peek.h"
#include "tests/change_kit.h"
#include "tests/mcp_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

class ChangeReexamined : public ChangeWorld {
 protected:
  std::string told(const Words& files, Words more = {}, const std::string& session = "A") const {
    const Value answer = document(finishing(files, std::move(more)), session);
    const std::string_view reason = Peek(answer)["reason"].text();
    return std::string(Peek(answer)["status"].text()) + (reason.empty() ? "" : " ") +
           std::string(reason);
  }
  void write_at(const std::string& folder, const std::string& path, const std::string& text) const {
    ASSERT_TRUE(sys::write_file_atomic(folder + "/" + path, text).has_value());
  }
  std::string head() const { return repo.git({"rev-parse", "HEAD"}); }
  /// Categories of what a receipt asks people, read back from where it is kept.
  Words asked(const Value& finished) const {
    const std::string digest{Peek(finished)["receipt"]["receipt_digest"]["value"].text()};
    const Value receipt = document({"receipt", "show", "sha256:" + digest}, "");
    Words out;
    for (const Value& point : Peek(receipt)["body"]["human_decision_points"].list())
      out.emplace_back(Peek(point)["category"].text());
    return out;
  }
  static bool has(const Words& words, const std::string& word) {
    return std::ranges::find(words, word) != words.end();
  }
  /// A git that does `script` first. $n is the number of the call.
  Words with_git(const std::string& script) const {
    const std::string folder = repo.folder() + "/stand-in", file = folder + "/git";
    EXPECT_TRUE(sys::make_folders(folder));
    EXPECT_TRUE(sys::write_file_atomic(folder + "/count", ""));
    EXPECT_TRUE(sys::write_file_atomic(file,
                                       "#!/bin/sh\nprintf x >> " + folder + "/count\nn=$(wc -c < " +
                                           folder + "/count)\n" + script +
                                           "\nexec /usr/bin/git \"$@\"\n",
                                       0755));
    EXPECT_EQ(::chmod(file.c_str(), 0755), 0);
    return {"GATEHOUSE_GIT_PATH=" + folder};
  }
  std::size_t calls_of_git() const { return fs::file_size(repo.folder() + "/stand-in/count"); }
  static std::string with_dead_code(const std::string& before) {
    return before + "\n\ndef _nobody_calls_this(a):\n    return a + 1\n";
  }
  const std::string b = python_function("store", 3);
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, ChangeReexamined,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

// ------------------------------------------------------------------------------------- landing

TEST_P(ChangeReexamined, WhatTheMainTreeGotMeanwhileIsJudgedWithTheChange) {
  const std::string tree = start("A", {"pkg/ours.py"}, {"--worktree"}, "worktree.path");
  repo.write("pkg/theirs.py", python_copy("theirs"));
  repo.commit("a function of theirs");
  const std::string theirs = head();
  write_at(tree, "pkg/ours.py", python_copy("ours"));
  const Value refused = document(finishing({"pkg/ours.py"}, {"--analyze", "--commit"}));
  EXPECT_EQ(Peek(refused)["status"].text(), "violated");
  EXPECT_EQ(Peek(refused)["reason"].text(), "landing_refused");
  const Peek merged = Peek(refused)["landing"]["merged_result"];
  EXPECT_EQ(merged["base"].text(), theirs);
  EXPECT_EQ(merged["decision"].text(), "deny");
  ASSERT_FALSE(merged["reasons"].list().empty());
  EXPECT_TRUE(std::ranges::any_of(merged["reasons"].list(), [](const Value& reason) {
    return Peek(reason)["id"].text() == "GH-CLONE-FUNCTION";
  }));
  EXPECT_TRUE(contains(Peek(refused)["next_step"].text(), "merge the branch"))
      << Peek(refused)["next_step"].text();
  EXPECT_EQ(head(), theirs);
  EXPECT_EQ(repo.git({"status", "--porcelain"}), "");
  EXPECT_EQ(id_of("A"), Peek(refused)["intent_id"].text()) << "it is still open";
  // As the next step says.
  repo.git_at(tree, {"merge", "-q", "main"});
  EXPECT_EQ(told({"pkg/ours.py"}, {"--analyze", "--commit"}), "violated structural_regressions");
  write_at(tree, "pkg/ours.py", python_function("ours", 2));
  EXPECT_EQ(told({"pkg/ours.py"}, {"--analyze", "--commit"}), "accepted");
  EXPECT_EQ(repo.git({"show", "--name-only", "--format=", "HEAD"}), "pkg/ours.py");
}

TEST_P(ChangeReexamined, AChangeThatHoldsWithWhatTheMainTreeGotLandsThere) {
  const std::string tree = start("A", {"pkg/ours.py"}, {"--worktree"}, "worktree.path");
  repo.write("pkg/theirs.py", python_function("theirs", 4));
  repo.commit("a function of theirs");
  const std::string theirs = head();
  write_at(tree, "pkg/ours.py", python_function("ours", 5));
  const Value landed = document(finishing({"pkg/ours.py"}, {"--analyze", "--commit"}));
  EXPECT_EQ(Peek(landed)["status"].text(), "accepted");
  EXPECT_EQ(Peek(landed)["landing"]["merged_result"]["base"].text(), theirs);
  EXPECT_EQ(Peek(landed)["landing"]["merged_result"]["decision"].text(), "allow");
  EXPECT_EQ(repo.git({"rev-parse", "HEAD~1"}), theirs);
  // Nobody judges twice where nothing moved.
  const std::string second = start("A", {"pkg/more.py"}, {"--worktree"}, "worktree.path");
  write_at(second, "pkg/more.py", python_function("more", 6));
  const Value at_once = document(finishing({"pkg/more.py"}, {"--analyze", "--commit"}));
  EXPECT_EQ(Peek(at_once)["status"].text(), "accepted");
  EXPECT_FALSE(Peek(at_once)["landing"]["merged_result"].exists());
}

TEST_P(ChangeReexamined, WhoeverFinishesIsToldThatItLandedAndWhatIsLeft) {
  const std::string tree = start("A", {"docs/guide.md"}, {"--worktree"}, "worktree.path");
  write_at(tree, "docs/guide.md", "read there\n");
  write_at(tree, "notes.txt", "not declared\n");
  const Ran ran = ask(finishing({"docs/guide.md"}), "A");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(contains(ran.out, "Landed")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "Left")) << ran.out;
  EXPECT_TRUE(contains(ran.out, tree)) << ran.out;
  EXPECT_TRUE(fs::exists(tree + "/notes.txt"));
  EXPECT_EQ(*sys::read_file(repo.at("docs/guide.md"), 1'000), "read there\n");
}

// -------------------------------------------------------------------------------------- races

// Nothing of this is about the ledger.
class ChangeRaces : public ChangeReexamined {};
INSTANTIATE_TEST_SUITE_P(OneLedger, ChangeRaces, ::testing::Values(BackEnd::sqlite), name_of);

// At every moment at which the finish asks git something, the file is another one until it asks
// again. Whatever it then says, a receipt speaks of what was judged.
TEST_P(ChangeRaces, AFileThatIsAnotherOneForAMomentIsNotBound) {
  const std::string good = b + "\n\nstore(1)\n", bad = with_dead_code(b);
  const std::string file = repo.at("pkg/b.py");
  write_at(repo.folder(), "good", good);
  write_at(repo.folder(), "bad", bad);
  const auto put = [&](const char* which) {
    return "cp " + repo.folder() + "/" + which + " " + file;
  };
  EXPECT_EQ(start("A", {"pkg/b.py"}), "active");
  repo.write("docs/index.md", "by somebody else\n");
  repo.git({"commit", "-q", "-m", "meanwhile", "docs/index.md"});
  repo.write("pkg/b.py", good);
  must({"analyze"});
  const Words words = finishing({"pkg/b.py"}, {"--after-run", "latest", "--no-clear", "--json"});
  const auto bound = [&](const Words& environment) {
    const Ran ran = ask(words, "A", environment);
    const auto answer = wire::read_own_json(ran.out, "answer");
    EXPECT_TRUE(answer) << ran.out << ran.err;
    const std::string digest{answer ? Peek(*answer)["receipt"]["receipt_digest"]["value"].text()
                                    : std::string_view()};
    if (digest.empty()) return std::string();
    const Value receipt = document({"receipt", "show", "sha256:" + digest}, "");
    const Peek inputs = Peek(receipt)["inputs"];
    return std::string(inputs["candidate_tree"].text()) + " " +
           std::string(inputs["stable_patch_id"].text());
  };
  const std::string judged = bound(with_git(""));
  ASSERT_EQ(judged.size(), 81u) << judged;
  const std::size_t calls = calls_of_git();
  ASSERT_GT(calls, 5u);
  int accepted = 0;
  for (const bool is_bad_first : {false, true})
    for (std::size_t at = 1; at <= calls; ++at) {
      repo.write("pkg/b.py", is_bad_first ? bad : good);
      const std::string said = bound(with_git("if [ $n -eq " + std::to_string(at) + " ]; then " +
                                              put(is_bad_first ? "good" : "bad") + "; else " +
                                              put(is_bad_first ? "bad" : "good") + "; fi"));
      if (said.empty()) continue;
      ++accepted;
      if (said != " ")  // it is bound to nothing, and asks about that
        EXPECT_EQ(said, judged) << at << (is_bad_first ? " bad first" : " good first");
    }
  EXPECT_GT(accepted, 0);
}

// A caller that exists only while the run is made.
TEST_P(ChangeRaces, ASourceThatCameAfterTheLookMakesTheRunStale) {
  const std::string caller = "from pkg.b import _nobody_calls_this\n\n_nobody_calls_this(1)\n";
  write_at(repo.folder(), "caller", caller);
  const std::string file = repo.at("caller.py");
  EXPECT_EQ(start("A", {"pkg/b.py"}), "active");
  repo.write("pkg/b.py", with_dead_code(b));
  const Words words = finishing({"pkg/b.py"}, {"--analyze", "--no-clear", "--json"});
  EXPECT_EQ(ask(words, "A", with_git("")).code, 1);
  const std::size_t calls = calls_of_git();
  for (std::size_t at = 1; at <= calls; ++at) {
    fs::remove(file);
    const Ran ran = ask(words, "A",
                        with_git("if [ $n -eq " + std::to_string(at) + " ]; then cp " +
                                 repo.folder() + "/caller " + file + "; fi"));
    const auto answer = wire::read_own_json(ran.out, "answer");
    ASSERT_TRUE(answer) << ran.out << ran.err;
    const Peek verdict = Peek(*answer)["receipt"]["verdict"];
    if (Peek(*answer)["status"].text().starts_with("accepted"))
      EXPECT_EQ(verdict.text(), "needs_attention") << at;
  }
  fs::remove(file);
}

// -------------------------------------------------------------------- what no comparison can see

TEST_P(ChangeReexamined, AFileThatNeitherSideCanReadIsAQuestion) {
  struct Case {
    const char* name;
    std::string before, after;
    const char* reason;
  };
  const std::string latin = "# -*- coding: latin-1 -*-\nX = '\xe9'\n";
  const std::string broken = "X = = 1\n";
  const std::vector<Case> cases{
      {"pkg/latin.py", latin, with_dead_code(latin), "source_read_error"},
      {"pkg/broken.py", broken, with_dead_code(broken), "partial"},
  };
  for (const Case& c : cases) {
    repo.write(c.name, c.before);
    repo.commit("it is there");
    must({"analyze"});
    EXPECT_EQ(start("A", {c.name}), "active");
    repo.write(c.name, c.after);
    const Value done = document(finishing({c.name}, {"--analyze"}));
    EXPECT_EQ(Peek(done)["status"].text(), "accepted") << c.name;
    const List& left = Peek(done)["verification"]["not_analysed"].list();
    ASSERT_EQ(left.size(), 1u) << c.name;
    EXPECT_EQ(Peek(left[0])["path"].text(), c.name);
    EXPECT_EQ(Peek(left[0])["reason"].text(), c.reason);
    EXPECT_TRUE(has(asked(done), "source_not_analysed")) << c.name;
    repo.commit("done");
    // The front door says so too.
    EXPECT_TRUE(contains(ask({"check", "HEAD~1..HEAD"}, "nobody").out, "source_not_analysed"));
    fs::remove(repo.at(c.name));
    repo.commit("gone");
  }
}

TEST_P(ChangeReexamined, WhatWasCommittedIsToldThoughTheWorkTreeTookItBack) {
  for (const bool is_edited_again : {false, true}) {
    EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
    repo.write("pkg/b.py", with_dead_code(b) + (is_edited_again ? "# again\n" : ""));
    repo.git({"commit", "-q", "-m", "by nobody", "pkg/b.py"});
    repo.write("pkg/b.py", is_edited_again ? with_dead_code(b) + "# and again\n" : b);
    repo.write("docs/guide.md", is_edited_again ? "read it\n" : "read this\n");
    const Value done = document(finishing({"docs/guide.md"}));
    EXPECT_EQ(Peek(done)["status"].text(), "accepted_with_external_changes");
    EXPECT_EQ(Peek(done)["committed_outside_scope"]["count"].number(), 1) << is_edited_again;
    EXPECT_TRUE(has(asked(done), "undeclared_commits"));
    repo.git({"checkout", "-q", "."});
  }
}

TEST_P(ChangeReexamined, ASuppressionIsToldWhenItComesAndWhenItFirstHides) {
  const std::string helper = "def _helper(x):\n    return x\n\n\n", use = "print(_helper(1))\n";
  const std::string silenced = "# gatehouse: ignore[dead-code]\n" + helper;
  repo.write("pkg/h.py", helper + use);
  repo.commit("a helper");
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/h.py"}), "active");
  repo.write("pkg/h.py", silenced + use);
  const Value first = document(finishing({"pkg/h.py"}, {"--analyze"}));
  EXPECT_EQ(Peek(first)["status"].text(), "accepted");
  ASSERT_EQ(Peek(first)["verification"]["suppressions_added"].list().size(), 1u);
  EXPECT_TRUE(has(asked(first), "suppressed_findings"));
  repo.commit("silenced");
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/h.py"}), "active");
  repo.write("pkg/h.py", silenced);
  const Value second = document(finishing({"pkg/h.py"}, {"--analyze"}));
  EXPECT_EQ(Peek(second)["status"].text(), "accepted");
  EXPECT_FALSE(Peek(second)["verification"]["suppressions_added"].exists());
  ASSERT_EQ(Peek(second)["verification"]["suppressed_anew"].list().size(), 1u);
  EXPECT_TRUE(has(asked(second), "suppressed_findings"));
  repo.commit("hidden");
  // What is hidden already is no news.
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/h.py"}), "active");
  repo.write("pkg/h.py", silenced + "print(1)\n");
  const Value third = document(finishing({"pkg/h.py"}, {"--analyze"}));
  EXPECT_FALSE(Peek(third)["verification"]["suppressed_anew"].exists());
  EXPECT_FALSE(has(asked(third), "suppressed_findings"));
}

// -------------------------------------------------------------------------------- honest users

TEST_P(ChangeReexamined, AFileWhoseNameIsNoUtf8IsFinishedLikeAnyOther) {
  const std::string bytes = "pkg/caf\xe9.py", name = "pkg/caf\\xe9.py";
  repo.write(bytes, python_function("coffee", 1));
  repo.commit("coffee");
  must({"analyze"});
  EXPECT_EQ(start("A", {name}), "active");
  repo.write(bytes, python_function("coffee", 2));
  must({"analyze"});
  EXPECT_EQ(told({name}, {"--after-run", "latest", "--no-clear"}), "accepted");
  repo.write(bytes, python_function("coffee", 3));
  EXPECT_EQ(told({name}, {"--after-run", "latest"}), "unverified after_run_stale");
  EXPECT_EQ(told({name}, {"--analyze"}), "accepted");
}

TEST_P(ChangeReexamined, APatternHoldsOffNobodyAndSaysSo) {
  const Value begun = document({"change", "start", "--goal", "g", "--allow", "pkg/*.py"});
  EXPECT_EQ(Peek(begun)["status"].text(), "active");
  ASSERT_EQ(Peek(begun)["warnings"].list().size(), 1u);
  const Peek warning(Peek(begun)["warnings"].list()[0]);
  EXPECT_EQ(warning["code"].text(), "scope_entry_looks_like_glob");
  EXPECT_TRUE(contains(warning["message"].text(), "keeps nobody")) << warning["message"].text();
  EXPECT_EQ(start("B", {"pkg/a.py"}), "active");
  // A folder does.
  EXPECT_EQ(start("C", {"docs"}), "active");
  EXPECT_EQ(start("D", {"docs/guide.md"}), "blocked");
}

TEST_P(ChangeReexamined, WhoeverLostItsIntentIsToldSoWithoutNamingIt) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  const std::string id = id_of("A");
  age(id, kLapsed);
  must({"change", "recover", id}, "B");
  for (const Words& words :
       {Words{"change", "status"}, finishing({"docs/guide.md"}), Words{"change", "renew"},
        Words{"change", "abandon"}, Words{"change", "extend", "--add", "docs/index.md"}}) {
    const Ran ran = ask(words, "A");
    EXPECT_EQ(ran.code, 4) << join(words, " ");
    EXPECT_TRUE(contains(ran.err, "ownership_lost")) << join(words, " ") << ran.err;
    EXPECT_TRUE(contains(ran.err, id)) << ran.err;
  }
}

TEST_P(ChangeReexamined, WhoseTimeRanOutIsToldWhichAndWhatToDo) {
  EXPECT_EQ(start("A", {"docs/guide.md"}, {"--ttl", "60s"}), "active");
  const std::string id = id_of("A");
  run_out(id);
  for (const bool is_closed : {false, true}) {
    if (is_closed) must({"change", "list"}, "B");  // whoever looks closes what ran out
    for (const Words& words : {finishing({"docs/guide.md"}), Words{"change", "status"}}) {
      const Ran ran = ask(words, "A");
      EXPECT_EQ(ran.code, 2) << join(words, " ");
      EXPECT_TRUE(contains(ran.err, "no_active_intent")) << ran.err;
      EXPECT_TRUE(contains(ran.err, id)) << ran.err;
      EXPECT_TRUE(contains(ran.err, "start anew")) << ran.err;
    }
    Words named = finishing({"docs/guide.md"});
    named.insert(named.begin() + 2, id);
    const Ran ran = ask(named, "A");
    EXPECT_TRUE(contains(ran.err, "unknown_intent")) << ran.err;
    EXPECT_TRUE(contains(ran.err, "start anew")) << ran.err;
  }
}

// What the warning of a promotion advises is done here to the letter.
TEST_P(ChangeReexamined, WhatAPromotionIntoChangedFilesAdvisesWorks) {
  for (const bool continues : {false, true}) {
    EXPECT_EQ(start("A", {"pkg/b.py"}), "active");
    Words more{"--on-conflict", "queue"};
    if (continues) more.emplace_back("--continue-own-wip");
    EXPECT_EQ(start("B", {"pkg/b.py"}, more), "queued");
    const std::string id = id_of("B");
    repo.write("pkg/b.py", python_function("store", continues ? 5 : 4));
    EXPECT_EQ(told({"pkg/b.py"}, {"--analyze"}), "accepted");
    const Value promoted = document({"change", "promote", id}, "B");
    EXPECT_EQ(Peek(promoted)["edit_allowed"].is_true(), continues);
    ASSERT_EQ(Peek(promoted)["warnings"].list().size(), 1u);
    const Peek warning(Peek(promoted)["warnings"].list()[0]);
    EXPECT_EQ(warning["code"].text(), "before_run_stale");
    EXPECT_EQ(contains(warning["message"].text(), "start again"), false) << "it would be blocked";
    if (!continues) {
      EXPECT_TRUE(contains(warning["message"].text(), "promote with --run latest"));
      repo.commit("what A did");
      must({"analyze"});
      must({"change", "promote", id, "--run", "latest"}, "B");
    }
    repo.write("pkg/b.py", python_function("store", continues ? 7 : 6));
    EXPECT_EQ(told({"pkg/b.py"}, {"--analyze"}, "B"), "accepted");
    repo.commit("what B did");
    must({"analyze"});
  }
}

TEST_P(ChangeReexamined, ARefusalNamesTheNextStep) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("B", {"docs/guide.md"}, {"--on-conflict", "queue"}), "queued");
  const std::string waiting = id_of("B");
  EXPECT_TRUE(contains(field({"change", "promote", waiting}, "B", "next_step"), "change promote"));
  EXPECT_TRUE(contains(field({"change", "check", "--files", "Makefile"}, "A", "next_step"),
                       "change extend --add FILE"));
}

// ---------------------------------------------------------------------------------- texts of tools

TEST_P(ChangeReexamined, TextsOfToolsSayWhatCameOutAndWhatIsNext) {
  McpProcess mcp(repo.root());
  mcp.initialize();
  std::int64_t id = 0;
  const auto text = [&](const std::string& tool, const std::string& arguments) {
    const Value answer = mcp.call(++id, tool, arguments);
    const List& content = Peek(answer)["result"]["content"].list();
    return content.empty() ? std::string() : std::string(Peek(content[0])["text"].text());
  };
  const std::string root = R"("root":")" + repo.root() + "\"";
  const std::string begun = text(
      "start_controlled_change",
      "{" + root + R"(,"intent":"g","scope":{"allowed_files":["pkg"]},"isolation":"worktree"})");
  EXPECT_TRUE(contains(begun, "warning: ")) << begun;
  EXPECT_TRUE(contains(begun, "work in: /")) << begun;
  const std::string first = field({"runs", "list"}, "", "runs.0.run_id");
  repo.write("pkg/b.py", with_dead_code(b));
  must({"analyze"});
  const std::string compared =
      text("compare_runs", "{" + root + R"(,"run_id_before":")" + first + "\"}");
  EXPECT_TRUE(compared.starts_with("verdict: regressed\n")) << compared;
  EXPECT_TRUE(contains(compared, "dead:_nobody_calls_this")) << compared;
  EXPECT_TRUE(contains(compared, "next: ")) << compared;
  const std::string receipt = text("create_review_receipt", "{" + root + "}");
  EXPECT_TRUE(receipt.starts_with("verdict: incomplete\n")) << receipt;
  EXPECT_TRUE(contains(receipt, "receipt: sha256:")) << receipt;
  EXPECT_TRUE(contains(receipt, "next: call finish_controlled_change")) << receipt;
}

}  // namespace
}  // namespace gh::testing
