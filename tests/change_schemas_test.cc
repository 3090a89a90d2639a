// What the commands of change control print, in every state that they know, judged by the schemas
// in docs/schemas. A world collects the answers and has them judged together.
#include <map>

#include "base/digest.h"
#include "model/peek.h"
#include "tests/agents_kit.h"
#include "tests/schema_kit.h"

namespace gh::testing {
namespace {

std::string named_schema(const Value& document) {
  const std::string id{Peek(document)["schema"].text()};
  const std::size_t dot = id.find('.'), slash = id.find('/');
  return dot == id.npos || slash == id.npos ? "" : id.substr(dot + 1, slash - dot - 1);
}

class ChangeSchemas : public ::testing::Test {
 protected:
  ChangeSchemas() {
    repo.write("pkg/__init__.py", "");
    repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 2));
    repo.write("pkg/b.py", python_function("store", 3));
    repo.write("docs/guide.md", "read me\n");
    repo.write("Makefile", "all:\n");
    repo.write("pyproject.toml", "[project]\nname = \"p\"\n");
    repo.commit("first");
  }
  void TearDown() override { judge(); }

  void analyze() const {
    const Ran ran = gatehouse({"analyze"}, repo.root());
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  /// The answer, which will be judged; it must be of that schema.
  Value ask(const std::string& schema, Words words, const std::string& session = "",
            Words environment = {}) {
    if (!session.empty()) words.insert(words.end(), {"--session", session});
    words.insert(words.begin(), gatehouse_path());
    words.emplace_back("--json");
    const Ran ran = run_program(words, repo.root(), {}, std::move(environment));
    const auto document = wire::read_json(ran.out, "answer");
    if (!document) {
      ADD_FAILURE() << schema << ": " << ran.out << ran.err;
      return {};
    }
    EXPECT_EQ(named_schema(*document), schema) << ran.out << ran.err;
    answers[schema].push_back(ran.out);
    return *document;
  }
  Value start(const std::string& session, const Words& files, const Words& more = {}) {
    Words words{"change", "start", "--goal", "a change by " + session, "--allow"};
    words.insert(words.end(), files.begin(), files.end());
    words.insert(words.end(), more.begin(), more.end());
    return ask("change_start", words, session);
  }
  Value finish(const std::string& session, const Words& files, const Words& more = {}) {
    Words words{"change", "finish", "--files"};
    words.insert(words.end(), files.begin(), files.end());
    words.insert(words.end(), more.begin(), more.end());
    return ask("change_finish", words, session);
  }
  Value intent_command(const std::string& schema, const char* verb, const std::string& session,
                       const Words& more = {}) {
    Words words{"change", verb};
    words.insert(words.end(), more.begin(), more.end());
    return ask(schema, words, session);
  }

  /// Every answer so far against its schema.
  void judge() {
    for (const auto& [schema, documents] : answers)
      for (const std::string& document : documents)
        EXPECT_EQ(judged(schema, document), "") << schema << document;
    answers.clear();
  }

  void edit(const std::string& intent_id, const std::function<void(Intent&)>& edit) const {
    rewrite_intent(store::Ledger::open_sqlite(repo.root() + "/.git/gatehouse/ledger.db", kBusyMs),
                   intent_id, edit);
  }
  /// Its holder was last heard of that long ago.
  void age(const std::string& intent_id, std::int64_t lease, std::int64_t life = 0) const {
    edit(intent_id, [&](Intent& intent) {
      intent.lease_renewed_at.seconds -= lease;
      intent.declared_at.seconds -= life;
      intent.expires_at.seconds -= life;
    });
  }

  GitSandbox repo;
  std::map<std::string, Words> answers;
};

std::string at(const Value& document, std::string_view key) {
  return std::string(Peek(document)[key].text());
}
std::string id_in(const Value& document) { return at(document, "intent_id"); }

TEST_F(ChangeSchemas, EveryAnswerOfAStartConforms) {
  EXPECT_EQ(at(start("A", {"pkg/a.py"}), "status"), "needs_analysis");
  analyze();
  const Words wide{"--related", "pkg/b.py", "--forbid", "Makefile", "--expect", "less code"};
  EXPECT_EQ(at(start("A", {"pkg/a.py", "docs"}, wide), "status"), "active");
  EXPECT_TRUE(Peek(start("A", {"pkg/a.py", "docs"}, wide))["idempotent_replay"].is_true());
  EXPECT_EQ(at(start("B", {"pkg/b.py", "pkg/a.py"}), "next_step_code"), "foreign_active_overlap");
  EXPECT_EQ(at(start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}), "status"), "queued");
  const Value related = start("C", {"Makefile"}, {"--full", "--depth", "transitive"});
  EXPECT_EQ(at(related, "status"), "active");
  EXPECT_EQ(Peek(related)["workspace"]["workspace_relations"].list().size(), 1u);
  repo.write("pyproject.toml", "[project]\nname = \"q\"\n");
  EXPECT_EQ(at(start("D", {"pyproject.toml"}), "next_step_code"), "dirty_scope");
  const Value own =
      start("D", {"pyproject.toml"}, {"--continue-own-wip", "--strictness", "strict"});
  EXPECT_TRUE(Peek(own)["workspace_hygiene"]["continuing_own_wip"].is_true());
  EXPECT_EQ(Peek(own)["warnings"].list().size(), 1u);
  EXPECT_EQ(at(start("E", {"docs/guide.md"}, {"--worktree"}), "status"), "active");
  // One whose lease ran out.
  age(id_in(related), 400);
  EXPECT_EQ(at(start("F", {"Makefile"}), "next_step_code"), "foreign_stale_overlap");
  EXPECT_EQ(at(start("F", {"*.toml"}), "status"), "active");
}

TEST_F(ChangeSchemas, TheLifeOfAnIntentConforms) {
  analyze();
  const std::string held = id_in(start("A", {"pkg/a.py"}, {"--related", "pkg/b.py"}));
  const std::string waiting = id_in(start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}));
  start("C", {"docs/guide.md"});
  intent_command("intent", "status", "A");
  const auto check = [&](const Words& files) {
    Words words{"--files"};
    words.insert(words.end(), files.begin(), files.end());
    return at(intent_command("scope_check", "check", "A", words), "status");
  };
  EXPECT_EQ(check({"pkg/a.py"}), "clean");
  EXPECT_EQ(check({"pkg/a.py", "pkg/b.py"}), "expanded");
  EXPECT_EQ(check({"pkg/a.py", ".gatehouse/x", "other"}), "violated");
  intent_command("intent", "status", "A");
  const Value refused = intent_command("intent", "extend", "A", {"--add", "docs/guide.md"});
  EXPECT_FALSE(Peek(refused)["extended"].is_true());
  EXPECT_TRUE(
      Peek(intent_command("intent", "extend", "A", {"--add", "Makefile"}))["extended"].is_true());
  EXPECT_TRUE(Peek(intent_command("intent_renewal", "renew", "A"))["lease_renewed"].is_true());
  EXPECT_EQ(at(intent_command("change_promotion", "promote", "B", {waiting}), "status"), "queued");
  intent_command("change_queue", "queue", "C");
  intent_command("workspace", "list", "A");
  intent_command("workspace", "watch", "A", {"--count", "1"});

  intent_command("change_budget", "budget", "A");
  intent_command("change_budget", "budget", "B");
  intent_command("change_budget", "budget", "nobody", {"--strictness", "strict"});
  intent_command("change_budget", "budget", "nobody", {"--strictness", "relaxed"});

  EXPECT_EQ(at(intent_command("change_reset", "reset", "B", {held}), "action_taken"), "rejected");
  EXPECT_EQ(at(intent_command("change_reset", "reset", "A", {held}), "action_taken"), "reset");
  EXPECT_EQ(at(intent_command("change_reset", "reset", "B", {waiting}), "new_status"), "queued");
  EXPECT_TRUE(
      Peek(intent_command("intent_renewal", "renew", "A", {"--lease", "2h"}))["warnings"].exists());
  EXPECT_EQ(Peek(intent_command("change_cleared", "abandon", "A"))["cleared"].number(), 1);
  repo.write("pkg/a.py", "changed = 1\n");
  const Value promoted = intent_command("change_promotion", "promote", "B", {waiting});
  EXPECT_EQ(at(promoted, "next_step_code"), "dirty_scope");
  EXPECT_TRUE(Peek(intent_command("intent", "status", "B"))["dirty_paths_in_scope"].exists());
  intent_command("workspace", "list", "B");
  repo.git({"checkout", "-q", "pkg/a.py"});
  EXPECT_EQ(at(intent_command("change_promotion", "promote", "B", {waiting}), "previous_status"),
            "active");
  EXPECT_TRUE(
      Peek(intent_command("scope_check", "check", "B", {"--files", "pkg\\a.py"}))["warnings"]
          .exists());
  intent_command("change_cleared", "abandon", "B", {"--all"});
  EXPECT_EQ(Peek(intent_command("change_cleared", "abandon", "B", {"--all"}))["cleared"].number(),
            0);
}

TEST_F(ChangeSchemas, IntentsThatWereLeftBehindConform) {
  analyze();
  const std::string gone = id_in(start("A", {"pkg/a.py"}));
  const std::string recover = "change_recovery";
  EXPECT_EQ(at(intent_command(recover, "recover", "B", {gone}), "reason"), "not_recoverable");
  EXPECT_EQ(at(intent_command(recover, "recover", "B", {"intent-x"}), "reason"), "not_found");
  const std::string queued = id_in(start("Q", {"pkg/a.py"}, {"--on-conflict", "queue"}));
  age(queued, 2'000);
  EXPECT_EQ(at(intent_command(recover, "recover", "R", {queued}), "reason"), "conflict");
  intent_command("change_reset", "reset", "R", {queued});
  age(gone, 2'000);
  const Value list = intent_command("workspace", "list", "B");
  EXPECT_EQ(Peek(list)["recovery_available"].list().size(), 1u);
  EXPECT_EQ(at(intent_command(recover, "recover", "B", {gone, "--run", "00000000"}), "reason"),
            "run_not_available");
  EXPECT_EQ(at(start("C", {"pkg/a.py"}), "status"), "active") << "who is gone is in nobody's way";
  EXPECT_EQ(at(intent_command(recover, "recover", "B", {gone}), "reason"), "conflict");
  intent_command("change_cleared", "abandon", "C");
  EXPECT_EQ(at(intent_command(recover, "recover", "B", {gone}), "action_taken"), "recovered");
  age(gone, 400);
  EXPECT_EQ(at(intent_command(recover, "recover", "B", {gone}), "action_taken"), "recovered");

  edit(gone, [](Intent& intent) { intent.report_digest = std::string(64, '0'); });
  age(gone, 400);
  EXPECT_EQ(at(intent_command(recover, "recover", "B", {gone}), "reason"),
            "report_digest_mismatch");
  EXPECT_EQ(at(intent_command("intent", "check", "B", {"--files", "pkg/a.py"}), "status"),
            "expired");

  const std::string dead = id_in(start("D", {"pkg/a.py"}));
  age(dead, 2'000);
  EXPECT_EQ(at(intent_command("change_reset", "reset", "B", {dead}), "reason"), "recoverable");
  const std::string orphan = id_in(start("D", {"pkg/a.py"}));
  const std::string old = id_in(start("E", {"pkg/b.py"}));
  age(orphan, 2'000);
  age(old, 0, 5'000);
  EXPECT_EQ(Peek(intent_command("change_reaped", "reap", "B"))["removed"].number(), 2);
  const std::string over = id_in(start("E", {"pkg/b.py"}));
  age(over, 0, 5'000);
  EXPECT_EQ(at(intent_command("change_reset", "reset", "B", {over}), "reason"), "expired");
}

TEST_F(ChangeSchemas, APromotionWithoutItsRunConforms) {
  analyze();
  start("A", {"pkg/a.py"});
  const std::string waiting = id_in(start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}));
  intent_command("change_cleared", "abandon", "A");
  const Value evicted =
      intent_command("change_promotion", "promote", "B", {waiting, "--run", "00000000"});
  EXPECT_EQ(at(evicted, "reason"), "before_run_evicted");
  const Value promoted = intent_command("change_promotion", "promote", "B", {waiting});
  EXPECT_TRUE(Peek(promoted)["edit_allowed"].is_true());
}

TEST_F(ChangeSchemas, EveryExitOfAFinishConforms) {
  analyze();
  start("A", {"pkg/a.py"}, {"--related", "docs/guide.md"});
  const std::string waiting = id_in(start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}));
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 30));
  const Value queued = finish("B", {"pkg/a.py"});
  EXPECT_EQ(at(queued, "reason"), "intent_not_active");
  EXPECT_EQ(Peek(queued)["workspace_hygiene_after"]["workspace_dirty_summary"]["dirty_paths_count"]
                .number(),
            1)
      << "the tree was looked at";
  EXPECT_EQ(at(finish("A", {"docs/guide.md"}), "reason"), "workspace_hygiene");
  repo.write("left.txt", "over\n");
  finish("A", {"docs/guide.md"}, {"--detail-level", "full"});
  EXPECT_EQ(at(finish("A", {"pkg/a.py", "zzz"}, {"--trail", "full"}), "reason"), "scope_violation");
  EXPECT_EQ(at(finish("A", {"pkg/a.py"}), "reason"), "no_after_run");
  EXPECT_EQ(at(finish("A", {"pkg/a.py"}, {"--after-run", "latest"}), "reason"),
            "after_run_not_new");
  EXPECT_EQ(at(finish("A", {"pkg/a.py"}, {"--analyze", "--detail-level", "full"}), "reason"),
            "structural_regressions");
  // Accepted although it got worse: relaxed.
  const Value relaxed =
      finish("A", {"pkg/a.py"},
             {"--after-run", "latest", "--strictness", "relaxed", "--no-clear", "--note", "see"});
  EXPECT_EQ(at(relaxed, "status"), "accepted_with_external_changes");
  EXPECT_LT(Peek(relaxed)["health_regression_advisory"]["health_delta"].number(), 0);
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  EXPECT_EQ(at(finish("A", {"pkg/a.py"}, {"--after-run", "latest"}), "reason"), "after_run_stale");
  repo.write("claims.txt", "The security_surfaces family has a vulnerability; F-1, complexity.\n");
  const Value claimed = finish("A", {"pkg/a.py", "docs/guide.md"},
                               {"--analyze", "--claims", repo.at("claims.txt"), "--no-clear"});
  EXPECT_EQ(Peek(claimed)["summary"]["claims"].text(), "violated");
  EXPECT_EQ(Peek(claimed)["summary"]["scope_status"].text(), "expanded");
  finish("A", {"pkg/a.py"}, {"--after-run", "latest", "--no-receipt", "--no-clear"});
  const Value done = finish("A", {"pkg/a.py"}, {"--after-run", "latest", "--trail", "full"});
  EXPECT_TRUE(Peek(done)["intent_cleared"].is_true());
  const std::string digest{Peek(done)["receipt"]["receipt_digest"]["value"].text()};
  ask("receipt", {"receipt", "show", "sha256:" + digest});
}

TEST_F(ChangeSchemas, AFinishThatIsOverOrForbiddenConforms) {
  analyze();
  const std::string id = id_in(start("A", {"docs/guide.md"}));
  edit(id, [](Intent& intent) { intent.report_digest = std::string(64, '0'); });
  repo.write("docs/guide.md", "read this\n");
  EXPECT_EQ(at(finish("A", {"docs/guide.md"}), "status"), "expired");
  start("A", {"gatehouse.baseline.json", "docs/guide.md"}, {"--continue-own-wip"});
  repo.write("gatehouse.baseline.json", "{}\n");
  EXPECT_EQ(at(finish("A", {"gatehouse.baseline.json", "docs/guide.md"}), "status"), "violated");
  EXPECT_EQ(at(intent_command("change_verification", "verify", "A",
                              {"--files", "gatehouse.baseline.json"}),
               "reason"),
            "state_artifact_mutation");
}

TEST_F(ChangeSchemas, AWorkTreeThatLandsAndOneThatDoesNotConform) {
  analyze();
  for (const bool lands : {true, false}) {
    const Value started = start("A", {"docs/guide.md"}, {"--worktree"});
    const std::string tree{Peek(started)["worktree"]["path"].text()};
    ASSERT_TRUE(sys::write_file_atomic(tree + "/docs/guide.md", "read there\n"));
    intent_command("intent", "status", "A");
    if (!lands) {
      repo.write("docs/guide.md", "read something else\n");
      repo.commit("in its way");
    }
    const Value finished = finish("A", {"docs/guide.md"}, {"--trail", "full"});
    EXPECT_EQ(Peek(finished)["landing"]["landed"].is_true(), lands);
    EXPECT_EQ(at(finished, "reason"), lands ? "" : "landing_refused");
    const Value given_up = intent_command("change_cleared", "abandon", "A", {"--all"});
    EXPECT_EQ(Peek(given_up)["worktrees_left"].list().size(), lands ? 0u : 1u);
    if (lands) repo.write("docs/guide.md", "read me\n");
    repo.commit("as before");
  }
}

TEST_F(ChangeSchemas, EveryAnswerAboutAReceiptConforms) {
  analyze();
  ask("review_receipt", {"receipt", "create"}, "A");
  const Value alone = ask("review_receipt", {"receipt", "create", "--format", "json"}, "A");
  const std::string composed =
      "sha256:" + std::string(Peek(alone)["receipt_digest"]["value"].text());
  ask("receipt", {"receipt", "show", composed});
  start("A", {"docs/guide.md"}, {"--related", "pkg/b.py"});
  intent_command("scope_check", "check", "A", {"--files", "docs/guide.md", "pkg/b.py"});
  ask("review_receipt", {"receipt", "create", "--format", "json"}, "A");
  ask("review_receipt", {"receipt", "create", "--no-blast-radius", "--no-patch-contract"}, "A");
  repo.write("docs/guide.md", "read this\n");
  const Value done = finish("A", {"docs/guide.md"});
  const std::string digest =
      "sha256:" + std::string(Peek(done)["receipt"]["receipt_digest"]["value"].text());
  repo.git({"add", "-A"});
  ask("receipt_trailers", {"receipt", "trailers"}, "A");
  repo.commit("say it better");
  const Value attached = ask("receipt_attached", {"receipt", "attach"}, "A");
  answers["receipt_note"].emplace_back(Peek(attached)["note"].text());
  ask("receipt", {"receipt", "show", "HEAD"});
  ask("patch_trail", {"receipt", "show", "HEAD", "--trail"});
  for (const Words& words :
       {Words{"HEAD", "--format", "markdown"}, Words{"HEAD~1"}, Words{"--run", "latest"},
        Words{composed, "--trail"}, Words{"HEAD", "--trail", "--format", "markdown"}}) {
    Words question{"receipt", "show"};
    question.insert(question.end(), words.begin(), words.end());
    ask("receipt_lookup", question);
  }
  for (const std::string& name : {digest, std::string("HEAD")})
    ask("receipt_verification", {"receipt", "verify", name});
}

TEST_F(ChangeSchemas, AFinishThatLeavesOutOrCommitsConforms) {
  analyze();
  Words files;
  for (int i = 0; i < 200; ++i)
    files.push_back("docs/a-rather-long-name-of-a-document-of-which-there-are-many-" +
                    std::to_string(i) + ".md");
  start("A", files);
  for (const std::string& file : files)
    repo.write(file, "text\n");
  const Value large = finish("A", files, {"--trail", "full"});
  EXPECT_EQ(Peek(large)["omitted"].list().size(), 2u);
  repo.commit("many");
  const Value started = start("A", {"docs/guide.md"}, {"--worktree"});
  const std::string tree{Peek(started)["worktree"]["path"].text()};
  ASSERT_TRUE(sys::write_file_atomic(tree + "/docs/guide.md", "read there\n"));
  const Value committed = finish("A", {"docs/guide.md"}, {"--commit"});
  EXPECT_EQ(Peek(committed)["landing"]["commit"].text(), repo.git({"rev-parse", "HEAD"}));
}

TEST_F(ChangeSchemas, GatesAndTheWriteGateConform) {
  EXPECT_EQ(at(ask("write_gate", {"hook", "test"}, "A"), "reason"), "no_active_intent");
  analyze();
  ask("gates", {"gates"});
  ask("gates",
      {"gates", "--fail-complexity", "1", "--fail-threshold", "0", "--fail-health", "100"});
  start("A", {"pkg/a.py"}, {"--forbid", "pkg/x*"});
  start("B", {"pkg/a.py"}, {"--on-conflict", "queue"});
  EXPECT_TRUE(
      Peek(ask("write_gate", {"hook", "test", "--path", "pkg/a.py"}, "A"))["allowed"].is_true());
  for (const char* path : {"pkg/b.py", "pkg/xyz.py"})
    EXPECT_EQ(at(ask("write_gate", {"hook", "test", "--path", path}, "A"), "reason"),
              "path_outside_scope");
  EXPECT_EQ(at(ask("write_gate", {"hook", "test", "--path", "pkg/a.py"}, "B"), "reason"),
            "queued_intent_not_editable");
  ask("write_gate", {"hook", "test", "--path", "pkg/a.py"});
  for (const char* rest : {"-wal", "-shm"})
    std::filesystem::remove(repo.at(".git/gatehouse/ledger.db") + rest);
  ASSERT_TRUE(sys::write_file_atomic(repo.at(".git/gatehouse/ledger.db"), "no database at all"));
  EXPECT_EQ(at(ask("write_gate", {"hook", "test", "--path", "pkg/a.py"}, "A"), "reason"),
            "registry_error");
}

TEST_F(ChangeSchemas, EveryAnswerOfAVerificationConforms) {
  const std::string verify = "change_verification";
  EXPECT_EQ(at(intent_command(verify, "verify", "Z"), "reason"), "no_before_run");
  analyze();
  EXPECT_EQ(at(start("A", {"pkg/a.py", "docs/guide.md", "Makefile"}), "status"), "active");
  start("B", {"pkg/a.py"}, {"--on-conflict", "queue"});
  EXPECT_EQ(at(intent_command(verify, "verify", "B", {"--files", "pkg/a.py"}), "reason"),
            "intent_not_active");
  EXPECT_EQ(at(intent_command(verify, "verify", "A"), "reason"), "no_after_run");
  EXPECT_EQ(at(intent_command(verify, "verify", "A", {"--files", "docs/guide.md"}), "status"),
            "accepted");
  EXPECT_EQ(at(intent_command(verify, "verify", "A", {"--files", "other.bin"}), "reason"),
            "scope_violation");
  intent_command(verify, "verify", "A", {"--files", "other.bin", "--strictness", "relaxed"});
  EXPECT_EQ(at(intent_command(verify, "verify", "A", {"--files", "Makefile"}), "reason"),
            "after_run_required_for_governance");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 30));
  repo.write("pkg/b.py", python_function("store", 30));
  analyze();
  const Words after{"--files", "pkg/a.py", "--after-run", "latest"};
  const Value broken = intent_command(verify, "verify", "A", after);
  EXPECT_EQ(at(broken, "reason"), "structural_regressions");
  EXPECT_EQ(Peek(broken)["external_regressions"].list().size(), 1u);
  Words strict = after;
  strict.insert(strict.end(), {"--strictness", "strict"});
  intent_command(verify, "verify", "A", strict);
  Words nobody = after;
  nobody.insert(nobody.end(), {"--before-run", at(broken, "intent_id").substr(7, 8)});
  intent_command(verify, "verify", "Z", nobody);
}

TEST_F(ChangeSchemas, AnswersAboutClaimsConform) {
  analyze();
  repo.write("review.md", "The security_surfaces family shows a vulnerability. F-12 is fixed.\n");
  const Value bad = ask("claims", {"claim", "check", repo.at("review.md")});
  EXPECT_EQ(Peek(bad)["violations"].list().size(), 1u);
  repo.write("review.md", "No regressions.\n");
  EXPECT_TRUE(Peek(ask("claims", {"claim", "check", repo.at("review.md")}))["valid"].is_true());
  ask("claims", {"claim", "check", repo.at("review.md"), "--health-delta=-2"});
}

/// A verdict is sealed with all that it says, so also with the intent that it is about.
TEST_F(ChangeSchemas, TheDigestOfAVerdictCoversItsIntent) {
  analyze();
  const Value document = start("A", {"pkg/a.py"});
  Map verdict = *document.as_map()->find("verdict")->as_map();
  const std::string said{Peek(document)["verdict"]["digests"]["verdict"].text()};
  verdict.erase("meta");
  EXPECT_TRUE(verdict.find("digests")->as_map()->erase("verdict"));
  EXPECT_EQ(digest_of(wire::canonical_json(verdict)).tagged(), said);
  const Value other = start("B", {"pkg/b.py"});
  EXPECT_NE(std::string(Peek(other)["verdict"]["digests"]["verdict"].text()), said);
}

TEST_F(ChangeSchemas, ATrailNamesWhatWasNotToBeTouchedAndWhereItWasDeclared) {
  analyze();
  const std::string id = id_in(start("A", {"docs/guide.md"}, {"--forbid", "secret/*"}));
  repo.write("docs/guide.md", "read this\n");
  const Value done = finish("A", {"docs/guide.md"}, {"--trail", "full"});
  const Peek trail = Peek(done)["patch_trail"];
  for (const char* list : {"do_not_touch_declared", "do_not_touch_held"}) {
    EXPECT_EQ(trail[list].list().size(), 8u) << list;
    EXPECT_EQ(trail[list].list().back(), Value("secret/*")) << list;
  }
  const std::int64_t sequence = trail["evidence"]["intent_declared_audit_sequence"].number();
  const Ran rows = gatehouse({"audit", "export"}, repo.root());
  std::size_t found = 0;
  for (const std::string_view line : split(rows.out, '\n'))
    if (contains(line, "\"event\":\"intent.declared\"")) {
      EXPECT_TRUE(contains(line, "\"seq\":" + std::to_string(sequence))) << line;
      EXPECT_TRUE(contains(line, id)) << line;
      ++found;
    }
  EXPECT_EQ(found, 1u);
}

TEST_F(ChangeSchemas, AWiderScopeHasTheBlastRadiusOfTheWiderScope) {
  analyze();
  start("A", {"docs/guide.md"}, {"--forbid", "secret/*"});
  const auto dependents = [](const Value& intent) {
    return Peek(intent)["blast_radius_summary"]["direct_dependents_count"].number();
  };
  EXPECT_EQ(dependents(intent_command("intent", "status", "A")), 0);
  const Value wider = intent_command("intent", "extend", "A", {"--add", "pkg/b.py"});
  EXPECT_EQ(dependents(wider), 1) << "pkg/a.py imports it";
  EXPECT_EQ(dependents(intent_command("intent", "status", "A")), 1);
  EXPECT_EQ(Peek(wider)["do_not_touch"].list().size(), 8u);
  EXPECT_EQ(Peek(wider)["do_not_touch_summary"]["total"].number(), 8);
  EXPECT_TRUE(Peek(wider)["review_context_summary"].exists());
  EXPECT_TRUE(Peek(wider)["dirty_snapshot"].exists());
}

TEST_F(ChangeSchemas, TheArtifactThatAStartNamesIsKept) {
  analyze();
  const Value active = start("A", {"pkg/a.py"}), blocked = start("B", {"pkg"});
  ASSERT_EQ(at(blocked, "status"), "blocked");
  auto ledger = store::Ledger::open_sqlite(repo.root() + "/.git/gatehouse/ledger.db", kBusyMs);
  ASSERT_TRUE(ledger.has_value());
  for (const Value& started : {active, blocked}) {
    const Peek artifact = Peek(started)["blast_radius"]["blast_artifact"];
    EXPECT_EQ(artifact["object_lookup"].text(), "available");
    const std::string digest{artifact["projection_digest"]["value"].text()};
    const auto kept = (*ledger)->document(digest);
    ASSERT_TRUE(kept.has_value() && kept->has_value()) << digest;
    EXPECT_EQ(digest_of(wire::canonical_json(**kept)).hex(), digest);
  }
}

TEST_F(ChangeSchemas, DocumentsThatWereBentAreRefused) {
  analyze();
  const auto text = [](const Value& document) {
    return wire::canonical_json(with_decimals(document));
  };
  const std::string active = text(start("A", {"pkg/a.py"}));
  const std::string blocked = text(start("B", {"pkg/a.py"}));
  const Value waiting = start("B", {"pkg/a.py"}, {"--on-conflict", "queue"});
  const std::string queued = text(waiting);
  const std::string list = text(intent_command("workspace", "list", "A"));
  const std::string renewal = text(intent_command("intent_renewal", "renew", "A"));
  const std::string check =
      text(intent_command("scope_check", "check", "A", {"--files", "pkg/a.py"}));
  const std::string budget = text(intent_command("change_budget", "budget", "A"));
  const std::string promotion =
      text(intent_command("change_promotion", "promote", "B", {id_in(waiting)}));
  const std::string recovery =
      text(intent_command("change_recovery", "recover", "B", {"intent-x"}));
  const std::string refused =
      text(intent_command("change_verification", "verify", "A", {"--files", "pkg/a.py"}));
  const std::string finished = text(finish("A", {"pkg/a.py"}));
  const std::vector<std::pair<const char*, std::string>> bent{
      {"change_start", corrupted(active, {"edit_allowed"}, Value(false))},
      {"change_start", corrupted(active, {"status"}, Value("maybe"))},
      {"change_start", corrupted(active, {"extra"}, Value(1))},
      {"change_start", corrupted(active, {"scope", "allowed_files"}, Value(List{}))},
      {"change_start", corrupted(active, {"budget", "budgets", "health_floor"}, {})},
      {"change_start", corrupted(blocked, {"edit_allowed"}, Value(true))},
      {"change_start", corrupted(blocked, {"next_step"}, {})},
      {"change_start", corrupted(blocked, {"next_step_code"}, Value("wait"))},
      {"change_start", corrupted(queued, {"queue_position"}, Value(0))},
      {"change_start", corrupted(queued, {"edit_allowed"}, Value(true))},
      {"workspace", corrupted(list, {"registry_backend"}, Value("file"))},
      {"workspace", corrupted(list, {"stale_count"}, {})},
      {"intent_renewal", corrupted(renewal, {"lease_expires_at_utc"}, Value())},
      {"intent_renewal", corrupted(renewal, {"lease_renewed"}, Value(false))},
      {"scope_check", corrupted(check, {"status"}, Value("violated"))},
      {"scope_check", corrupted(check, {"unexpected_files"}, Value(List{"x"}))},
      {"change_budget", corrupted(budget, {"scope"}, Value("full"))},
      {"change_budget", corrupted(budget, {"current_state", "health_score"}, Value("A"))},
      {"change_promotion", corrupted(promotion, {"edit_allowed"}, Value(true))},
      {"change_promotion", corrupted(promotion, {"blocked_by"}, Value(List{}))},
      {"change_recovery", corrupted(recovery, {"reason"}, Value("because"))},
      {"change_recovery", corrupted(recovery, {"action_taken"}, Value("recovered"))},
      {"change_verification", corrupted(refused, {"status"}, Value("accepted"))},
      {"change_verification", corrupted(refused, {"next_step"}, {})},
      {"change_verification", corrupted(refused, {"reason"}, Value("None"))},
      {"change_finish", corrupted(finished, {"status"}, Value("accepted"))},
      {"change_finish", corrupted(finished, {"intent_cleared"}, Value(true))},
      {"change_finish", corrupted(finished, {"reason"}, Value())},
      {"change_finish", corrupted(finished, {"summary", "claims"}, Value("none"))},
      {"change_finish", corrupted(finished, {"workspace_hygiene_after", "counts"}, {})},
  };
  for (const auto& [schema, document] : bent)
    EXPECT_NE(judged(schema, document), "") << schema << document;
}

}  // namespace
}  // namespace gh::testing
