// Receipts of changes through the command line: made, shown, attached to commits, and verified in a
// clone, after an amend and after a rebase (docs/formats/receipt.md). On both ledgers, with real
// git.
#include <algorithm>
#include <filesystem>

#include "model/peek.h"
#include "tests/change_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

constexpr const char* kNotes = "refs/notes/gatehouse";

class Receipts : public ChangeWorld {
 protected:
  std::string head() const { return repo.git({"rev-parse", "HEAD"}); }
  std::string note(const std::string& commit = "HEAD") const {
    return repo.git({"notes", "--ref", "gatehouse", "show", commit});
  }
  /// From here on receipts are signed; the line of the public key is in keys.txt beside the
  /// repository.
  void sign() const {
    ASSERT_EQ(shell("ssh-keygen -q -t ed25519 -N '' -f ../key && cp ../key.pub ../keys.txt && "
                    "ssh-keygen -q -t ed25519 -N '' -f ../other && cp ../other.pub ../others.txt",
                    repo.root())
                  .code,
              0);
    configure("", "  signing_key: " + repo.folder() + "/key\n");
    must({"analyze"});
  }
  /// A clone that has nothing but what git brought along.
  std::string clone(const std::string& name) const {
    repo.git_at(repo.folder(), {"clone", "-q", repo.root(), name});
    return repo.folder() + "/" + name;
  }
  void fetch_notes(const std::string& into) const {
    repo.git_at(into, {"fetch", "-q", "origin", "refs/notes/gatehouse:refs/notes/gatehouse"});
  }
  Ran verify(const std::string& what, const Words& more = {}, const std::string& cwd = "") const {
    Words words{"receipt", "verify", what};
    words.insert(words.end(), more.begin(), more.end());
    return gatehouse(words, cwd.empty() ? repo.root() : cwd);
  }
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, Receipts,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

// ------------------------------------------------------------------------------------------ create

TEST_P(Receipts, WithoutAnIntentAReceiptSaysThatNothingWasChecked) {
  const Ran made = ask({"receipt", "create", "--format", "json", "--json"}, "A");
  ASSERT_EQ(made.code, 0) << made.err;
  const auto document = wire::read_json(made.out, "answer");
  ASSERT_TRUE(document);
  const Peek receipt = Peek(*document)["receipt"];
  EXPECT_FALSE(receipt["scope"].exists());
  EXPECT_EQ(receipt["patch_contract"]["status"].text(), "not_checked");
  EXPECT_EQ(receipt["structural_delta"]["verdict"].text(), "not_available");
  EXPECT_EQ(receipt["verdict"].text(), "incomplete");
  const std::string digest =
      "sha256:" + std::string(Peek(*document)["receipt_digest"]["value"].text());
  EXPECT_EQ(field({"receipt", "show", digest}, "", "decision"), "unverified");
  EXPECT_EQ(field({"receipt", "create", "--format", "json"}, "A", "receipt_digest.value"),
            digest.substr(7))
      << "the same facts are the same receipt";
  EXPECT_EQ(events("review_receipt.created"), 2u);
}

TEST_P(Receipts, AReceiptOfAnIntentFollowsItsScopeCheckItsGateAndItsFindings) {
  const auto contract = [&](const std::string& what) {
    return field({"receipt", "create", "--format", "json"}, "A", "receipt." + what);
  };
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  EXPECT_EQ(contract("patch_contract.status"), "not_checked") << "its start only looked ahead";
  EXPECT_EQ(contract("verdict"), "incomplete");
  EXPECT_EQ(ask({"change", "check", "--files", "pkg/a.py"}, "A").code, 0);
  EXPECT_EQ(contract("patch_contract.status"), "accepted");
  EXPECT_EQ(contract("verdict"), "needs_attention") << "nothing was verified";
  EXPECT_EQ(contract("human_decision_points.0.category"), "not_verified");
  EXPECT_EQ(contract("scope.changed_files.0"), "pkg/a.py");
  EXPECT_EQ(contract("verification_profile.profile"), "python_structural");
  EXPECT_EQ(ask({"change", "check", "--files", "pkg/b.py"}, "A").code, 1);
  EXPECT_EQ(contract("patch_contract.status"), "violated");
  EXPECT_EQ(contract("scope.unexpected_files.0"), "pkg/b.py");
  EXPECT_EQ(contract("verdict"), "needs_attention");
  EXPECT_EQ(ask({"change", "check", "--files", "pkg/a.py"}, "A").code, 0);
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 30));
  must({"analyze"});
  const std::string id = field({"change", "status"}, "A", "intent_id");
  const Words of_intent{"receipt", "create", "--format", "json", "--intent", id};
  EXPECT_EQ(field(of_intent, "A", "receipt.patch_contract.status"), "violated");
  EXPECT_EQ(field(of_intent, "A", "receipt.structural_delta.available"), "true");
  EXPECT_EQ(field(of_intent, "A", "receipt.blast_radius.radius_level"), "low");
  Words bare = of_intent;
  bare.insert(bare.end(), {"--no-blast-radius", "--no-patch-contract"});
  EXPECT_EQ(field(bare, "A", "receipt.blast_radius"), "null");
  EXPECT_EQ(field(bare, "A", "receipt.patch_contract"), "null");
  EXPECT_EQ(field(bare, "A", "receipt.verdict"), "needs_attention")
      << "what is left out is known all the same";
}

TEST_P(Receipts, TheLastEvaluationOfTheGatesCounts) {
  repo.write("pkg/c.py", python_function("odd", 14));
  repo.commit("too much for strict budgets");
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  const Words create{"receipt", "create", "--format", "json"};
  for (const auto& [strictness, status] :
       {std::pair{"ci", "accepted"}, std::pair{"strict", "violated"},
        std::pair{"ci", "accepted"}}) {
    must({"change", "budget", "--strictness", strictness}, "A");
    EXPECT_EQ(field(create, "A", "receipt.patch_contract.status"), status) << strictness;
  }
}

TEST_P(Receipts, ADocumentHasNoStructureToCompare) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(ask({"change", "check", "--files", "docs/guide.md"}, "A").code, 0);
  repo.write("docs/guide.md", "read this\n");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  must({"analyze"});
  const std::string id = field({"change", "status"}, "A", "intent_id");
  const Words words{"receipt", "create", "--format", "json", "--intent", id};
  EXPECT_EQ(field(words, "A", "receipt.structural_delta.verdict"), "not_applicable");
  EXPECT_EQ(field(words, "A", "receipt.structural_delta.health_delta"), "null");
  EXPECT_EQ(field(words, "A", "receipt.patch_contract.status"), "accepted");
}

TEST_P(Receipts, CreateKnowsItsOwnIntentsAndTheirTreeOnly) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  const std::string id = field({"change", "status"}, "A", "intent_id");
  const Ran foreign = ask({"receipt", "create", "--intent", id}, "B");
  EXPECT_EQ(foreign.code, 2);
  EXPECT_TRUE(contains(foreign.err, "unknown_intent")) << foreign.err;
  EXPECT_TRUE(contains(ask({"receipt", "create", "--run", "00000000"}, "A").err, "run_not_found"));
  const std::string other = repo.folder() + "/other";
  repo.git({"worktree", "add", "-q", "--detach", other});
  const Ran analysed = gatehouse({"analyze", "--field", "meta.runtime.run_id"}, other);
  ASSERT_EQ(analysed.code, 0) << analysed.err;
  // The same content has the same run id, and so the same run: another content is another one.
  ASSERT_TRUE(sys::write_file_atomic(other + "/pkg/c.py", "x = 1\n").has_value());
  const Ran again = gatehouse({"analyze", "--field", "meta.runtime.run_id"}, other);
  const Ran mixed =
      ask({"receipt", "create", "--intent", id, "--run", again.out.substr(0, again.out.find('\n'))},
          "A");
  EXPECT_EQ(mixed.code, 2);
  EXPECT_TRUE(contains(mixed.err, "receipt_intent_root_mismatch")) << mixed.err;
}

TEST_P(Receipts, CreatePrintsAPageForPeople) {
  const Ran made = ask({"receipt", "create"}, "A");
  EXPECT_EQ(made.code, 0) << made.err;
  for (const char* heading : {"Scope", "Patch Contract", "Structural Delta", "Claims Not Made"})
    EXPECT_TRUE(contains(made.out, heading)) << heading << made.out;
  EXPECT_TRUE(contains(made.out, "No intent declared.")) << made.out;
}

TEST_P(Receipts, NoReceiptIsCleanOrAllowsWhatWasNeverVerified) {
  const Words create{"receipt", "create", "--format", "json", "--intent"};
  const auto made = [&](const std::string& id, const std::string& what) {
    Words words = create;
    words.push_back(id);
    return field(words, "A", what);
  };
  const auto decision = [&](const std::string& id) {
    return field({"receipt", "show", "sha256:" + made(id, "receipt_digest.value")}, "", "decision");
  };
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  const std::string id = id_of("A");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 30));
  EXPECT_EQ(decision(id), "unverified") << "only started";
  EXPECT_EQ(made(id, "receipt.verdict"), "incomplete");
  must({"change", "budget"}, "A");
  EXPECT_EQ(ask({"change", "check", "--files", "pkg/a.py"}, "A").code, 0);
  EXPECT_EQ(decision(id), "unverified") << "only its names were looked at";
  EXPECT_EQ(made(id, "receipt.verdict"), "needs_attention");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  must({"analyze"});
  must({"change", "verify", "--files", "pkg/a.py", "--after-run", "latest"}, "A");
  EXPECT_EQ(decision(id), "unverified") << "it is open, and can still be edited";
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "status", {"--analyze"}), "accepted");
  EXPECT_EQ(decision(id), "allow");
  EXPECT_EQ(made(id, "receipt.verdict"), "clean");
}

// -------------------------------------------------------------------------------------------- show

TEST_P(Receipts, AReceiptIsFoundByDigestRunIntentAndCommit) {
  const std::string digest = finished_guide("read this\n");
  const std::string run = field({"receipt", "show", digest}, "", "body.provenance.run_id");
  const std::string intent = field({"receipt", "show", digest}, "", "subject.intent_id");
  ASSERT_EQ(run.size(), 64u);
  for (const Words& key : {Words{"--run", run}, Words{"--run", run.substr(0, 8)},
                           Words{"--intent", intent}, Words{digest.substr(7)}}) {
    Words words{"receipt", "show"};
    words.insert(words.end(), key.begin(), key.end());
    EXPECT_EQ(field(words, "", "subject.intent_id"), intent) << key.back();
  }
  repo.commit("say it better");
  EXPECT_EQ(field({"receipt", "show", "HEAD"}, "", "status"), "not_found");
  must({"receipt", "attach"}, "A");
  EXPECT_EQ(field({"receipt", "show", "HEAD"}, "", "subject.intent_id"), intent);
  const Ran page = ask({"receipt", "show", "HEAD", "--format", "markdown"});
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_TRUE(contains(page.out, "Human Decisions Requested")) << page.out;
}

TEST_P(Receipts, TheTrailOfAReceiptIsThatOfItsFinish) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  repo.write("docs/guide.md", "read this\n");
  EXPECT_EQ(finish("A", {"docs/guide.md", "pkg/a.py"}), "violated") << "leaves a trail of its own";
  const std::string digest =
      "sha256:" + finish("A", {"docs/guide.md"}, "receipt.receipt_digest.value");
  const Words trail{"receipt", "show", digest, "--trail"};
  EXPECT_EQ(field(trail, "", "patch_trail.verification_status"), "accepted");
  EXPECT_EQ(field(trail, "", "patch_trail.changed_files.0"), "docs/guide.md");
  const std::string seq = field(trail, "", "patch_trail.evidence.receipt_audit_sequence");
  const Ran rows = ask({"audit", "export"});
  EXPECT_TRUE(std::ranges::any_of(split(rows.out, '\n'), [&](std::string_view line) {
    return contains(line, "\"seq\":" + seq + ",") && contains(line, "review_receipt.created");
  })) << seq;
}

struct LookupCase {
  Words words;
  const char* status;
  int exit;
};
TEST_P(Receipts, WhatCannotBeShownHasAStatus) {
  const std::string digest = finished_guide("read this\n");
  const std::string run = field({"receipt", "show", digest}, "", "body.provenance.run_id");
  repo.commit("one");
  const std::string second = finished_guide("read that\n", "B");
  ASSERT_NE(digest, second);
  const std::string nothing = "sha256:" + std::string(64, '0');
  const std::vector<LookupCase> cases{
      {{"receipt", "show", nothing}, "not_found", 2},
      {{"receipt", "show", "no-such-branch"}, "not_found", 2},
      {{"receipt", "show", "--run", "ffffffff"}, "not_found", 2},
      {{"receipt", "show", "--intent", "intent-x"}, "not_found", 2},
      {{"receipt", "show", "--run", run}, "ambiguous", 2},
      {{"receipt", "show", digest, "--trail", "--format", "markdown"}, "unsupported_format", 2},
  };
  for (const LookupCase& c : cases) {
    EXPECT_EQ(field(c.words, "", "status"), c.status) << join(c.words, " ");
    EXPECT_EQ(ask(c.words).code, c.exit) << join(c.words, " ");
  }
  EXPECT_EQ(field({"receipt", "show", "--run", run}, "", "candidates.0"), second);
  const Ran none = ask({"receipt", "show"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(contains(none.err, "artifact_key_required")) << none.err;
  EXPECT_EQ(ask({"receipt", "show", digest, "--run", run}).code, 2);
}

TEST_P(Receipts, WhatWasEditedInTheLedgerIsNotBelieved) {
  const std::string digest = finished_guide("read this\n");
  const auto put = [&](const std::string& key, const std::string& body) {
    edit_ledger("UPDATE documents SET body = '" + body + "' WHERE digest = '" + key + "'");
  };
  const std::string trail =
      field({"receipt", "show", digest, "--trail"}, "", "patch_trail.patch_trail_digest");
  ASSERT_EQ(trail.size(), 64u);
  put(trail, R"({"schema_version":"1","patch_trail_digest":")" + trail + R"("})");
  EXPECT_EQ(field({"receipt", "show", digest, "--trail"}, "", "status"), "digest_mismatch");
  for (const char* damage : {"[]", "{}", "no json"}) {
    put(trail, damage);
    EXPECT_EQ(field({"receipt", "show", digest, "--trail"}, "", "status"),
              "malformed_stored_patch_trail")
        << damage;
    EXPECT_EQ(ask({"receipt", "show", digest, "--trail"}).code, 3) << damage;
  }
  put(digest, R"({"schema":"gatehouse.receipt/1","kind":"change","body":{"a":1}})");
  EXPECT_EQ(field({"receipt", "show", digest}, "", "status"), "digest_mismatch");
  EXPECT_EQ(verify(digest).code, 3);
  for (const char* damage : {"[]", "{}", "no json"}) {
    put(digest, damage);
    EXPECT_EQ(field({"receipt", "show", digest}, "", "status"), "malformed_stored_receipt")
        << damage;
    EXPECT_EQ(ask({"receipt", "show", digest}).code, 3) << damage;
    EXPECT_EQ(ask({"receipt", "export", digest}).code, 3) << damage;
  }
}

// ------------------------------------------------------------------------------ attach and
// trailers

TEST_P(Receipts, TheTrailersNameTheReceiptAndGitReadsThem) {
  const std::string session = "0f3a9c52-7d1e-4b8a-9c1f-2d3e4f5a6b7c";
  const std::string digest = finished_guide("read this\n", session);
  repo.git({"add", "-A"});
  const Ran trailers = ask({"receipt", "trailers"}, session);
  ASSERT_EQ(trailers.code, 0) << trailers.err;
  const std::string intent = field({"receipt", "show", digest}, "", "subject.intent_id");
  EXPECT_EQ(trailers.out, "Gatehouse-Intent: " + intent + "\nGatehouse-Receipt: " + digest +
                              "\nGatehouse-Decision: accepted\nGatehouse-Agent: cli/0f3a9c52\n");
  repo.git({"commit", "-q", "-m", "say it better", "-m", trailers.out});
  EXPECT_EQ(repo.git({"log", "-1", "--format=%(trailers:key=Gatehouse-Receipt,valueonly)"}),
            digest + "\n");
  EXPECT_EQ(verify("HEAD").code, 0) << "the ledger has it; no note is needed";
  EXPECT_EQ(ask({"receipt", "trailers"}, "A").out, trailers.out) << "of the last commit";
}

TEST_P(Receipts, NoTrailersForWhatWasNotFinished) {
  finished_guide("read this\n");
  repo.write("docs/guide.md", "something else\n");
  repo.git({"add", "-A"});
  const Ran other = ask({"receipt", "trailers"}, "A");
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(contains(other.err, "no receipt was given for what is staged")) << other.err;
  repo.write("docs/guide.md", "read this\n");
  repo.write("more.txt", "beside\n");
  repo.git({"add", "-A"});
  EXPECT_EQ(ask({"receipt", "trailers"}, "A").code, 2) << "more than was finished";
}

TEST_P(Receipts, ARunOfContinuousIntegrationNamesTheReceiptOfItsHead) {
  const std::string digest = finished_guide("read this\n");
  repo.commit("say it better");
  const auto told = [&](const std::string& file) {
    const Ran ran = gatehouse({"ci", "--base", "HEAD~1", "--head", "HEAD", "--mode", "advise",
                               "--release", "off", "--out", repo.folder() + "/reports"},
                              repo.root());
    EXPECT_EQ(ran.code, 0) << ran.err;
    return bytes_of(repo.folder() + "/reports/" + file);
  };
  const std::string hex = digest.substr(digest.find(':') + 1);
  EXPECT_FALSE(contains(told("outputs.env"), hex));
  EXPECT_FALSE(contains(told("comment.md"), ", receipt "));
  must({"receipt", "attach"}, "A");
  const std::string outputs = told("outputs.env"), comment = told("comment.md");
  EXPECT_TRUE(contains(outputs, hex)) << outputs;
  EXPECT_TRUE(contains(outputs, "GATEHOUSE_RECEIPT_DIGEST=")) << outputs;
  EXPECT_TRUE(contains(comment, ", receipt ") && contains(comment, hex.substr(0, 5))) << comment;
}

TEST_P(Receipts, ANoteIsOneLineOfJsonThatGitShows) {
  const std::string digest = finished_guide("read this\n");
  repo.commit("say it better");
  const Ran attached = ask({"receipt", "attach", "--json"}, "A");
  ASSERT_EQ(attached.code, 0) << attached.err;
  const std::string text = note();
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const auto line = wire::read_own_json(text, "note");
  ASSERT_TRUE(line) << line.error().message;
  EXPECT_EQ(Peek(*line)["schema"].text(), "gatehouse.receipt_note/1");
  EXPECT_FALSE(Peek(*line)["rebound"].is_true());
  EXPECT_EQ(Peek(*line)["receipt"]["status"].text(), "accepted");
  EXPECT_EQ(wire::canonical_json(*line), text);
  const std::string before = repo.git({"rev-parse", kNotes});
  must({"receipt", "attach"}, "A");
  EXPECT_EQ(repo.git({"rev-parse", kNotes}), before) << "attached once, it is attached";
  EXPECT_EQ(field({"receipt", "verify", "HEAD"}, "", "binding"), "exact");
  EXPECT_EQ(field({"receipt", "verify", "HEAD"}, "", "receipt"), digest);
  EXPECT_EQ(events("review_receipt.attached"), 2u);
}

TEST_P(Receipts, NotesThatGitWroteStayAndTwoClonesUniteTheirs) {
  finished_guide("read this\n");
  repo.commit("say it better");
  repo.git({"notes", "--ref", "gatehouse", "add", "-m", "a remark", "HEAD"});
  must({"receipt", "attach"}, "A");
  EXPECT_TRUE(contains(note(), "a remark")) << note();
  EXPECT_EQ(verify("HEAD").code, 0);
  // Another clone has a note of its own for the same commit.
  const std::string other = clone("other");
  repo.git_at(other, {"config", "user.name", "T"});
  repo.git_at(other, {"config", "user.email", "t@example.org"});
  repo.git_at(other, {"notes", "--ref", "gatehouse", "add", "-m", "from elsewhere", "HEAD"});
  repo.git_at(other, {"fetch", "-q", "origin", "refs/notes/gatehouse:refs/notes/theirs"});
  repo.git_at(other, {"notes", "--ref", "gatehouse", "merge", "-q", "-s", "cat_sort_uniq",
                      "refs/notes/theirs"});
  const std::string united = repo.git_at(other, {"notes", "--ref", "gatehouse", "show", "HEAD"});
  EXPECT_TRUE(contains(united, "a remark") && contains(united, "from elsewhere") &&
              contains(united, "gatehouse.receipt_note/1"))
      << united;
  const Ran verified = verify("HEAD", {"--field", "binding"}, other);
  EXPECT_EQ(verified.out, "exact\n") << verified.err;
}

TEST_P(Receipts, AReceiptGoesWithNoOtherCommit) {
  const std::string digest = finished_guide("read this\n");
  repo.write("docs/guide.md", "read me not\n");
  repo.commit("something else");
  const Ran nothing = ask({"receipt", "attach"}, "A");
  EXPECT_EQ(nothing.code, 2);
  EXPECT_TRUE(contains(nothing.err, "no receipt was given")) << nothing.err;
  const Ran named = ask({"receipt", "attach", "HEAD", "--receipt", digest}, "A");
  EXPECT_EQ(named.code, 3);
  EXPECT_TRUE(contains(named.err, "digest_mismatch")) << named.err;
  // A note that was copied by hand is seen through.
  repo.write("docs/guide.md", "read this\n");
  repo.git({"reset", "-q", "--soft", "HEAD~1"});
  repo.commit("say it better");
  must({"receipt", "attach"}, "A");
  repo.write("docs/guide.md", "read this, and more\n");
  repo.commit("more");
  repo.git({"notes", "--ref", "gatehouse", "copy", "HEAD~1", "HEAD"});
  const Ran copied = verify("HEAD");
  EXPECT_EQ(copied.code, 3) << copied.out;
  EXPECT_TRUE(contains(copied.err, "another change")) << copied.err;
}

TEST_P(Receipts, AStandAloneReceiptGoesWithNoCommit) {
  const std::string digest =
      "sha256:" + field({"receipt", "create", "--format", "json"}, "A", "receipt_digest.value");
  EXPECT_EQ(ask({"receipt", "attach", "HEAD", "--receipt", digest}, "A").code, 2);
  EXPECT_EQ(ask({"receipt", "trailers", digest}, "A").code, 2);
}

TEST_P(Receipts, AChangeInSeveralCommitsIsWholeInTheLast) {
  EXPECT_EQ(start("A", {"docs/guide.md", "docs/new.md"}), "active");
  repo.write("docs/guide.md", "read this\n");
  repo.commit("first half");
  repo.write("docs/new.md", "and that\n");
  repo.commit("second half");
  const std::string digest =
      "sha256:" + finish("A", {"docs/guide.md", "docs/new.md"}, "receipt.receipt_digest.value");
  const Ran half = ask({"receipt", "attach", "HEAD~1", "--receipt", digest}, "A");
  EXPECT_EQ(half.code, 3) << half.out;
  must({"receipt", "attach", "HEAD", "--receipt", digest}, "A");
  EXPECT_EQ(field({"receipt", "verify", "HEAD"}, "", "binding"), "rebound");
  EXPECT_EQ(field({"receipt", "verify", "HEAD"}, "", "receipt"), digest);
}

// -------------------------------------------------------------------------------- clone and
// rewrite

TEST_P(Receipts, ACloneVerifiesASignedReceiptFromItsNote) {
  sign();
  const std::string digest = finished_guide("read this\n");
  repo.commit("say it better");
  must({"receipt", "attach"}, "A");
  const std::string keys = repo.folder() + "/keys.txt", others = repo.folder() + "/others.txt";
  const std::string copy = clone("copy");
  const Ran before = verify("HEAD", {}, copy);
  EXPECT_EQ(before.code, 2) << before.out;
  fetch_notes(copy);
  const Ran good = verify("HEAD", {"--allowed", keys, "--json"}, copy);
  EXPECT_EQ(good.code, 0) << good.err;
  for (const char* part :
       {"\"signature\": \"valid\"", "\"binding\": \"exact\"", "\"kind\": \"change\""})
    EXPECT_TRUE(contains(good.out, part)) << part << good.out;
  const bool shares = GetParam() == BackEnd::postgres;  // a ledger that the clone can ask too
  EXPECT_TRUE(contains(good.out, shares ? "\"kept\": true" : "\"kept\": false")) << good.out;
  EXPECT_TRUE(contains(good.out, digest));
  const Ran wrong = verify("HEAD", {"--allowed", others}, copy);
  EXPECT_EQ(wrong.code, 3) << wrong.out;
  EXPECT_TRUE(contains(wrong.err, "signature_invalid")) << wrong.err;
  // Whoever edits the body must sign again.
  std::string text = repo.git_at(copy, {"notes", "--ref", "gatehouse", "show", "HEAD"});
  const std::size_t at = text.find("\"verdict\":\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 11, "\"verdict\":\"x");
  repo.git_at(copy, {"-c", "user.name=x", "-c", "user.email=x@x", "notes", "--ref", "gatehouse",
                     "add", "-f", "-m", text, "HEAD"});
  const Ran edited = verify("HEAD", {"--allowed", keys}, copy);
  EXPECT_EQ(edited.code, 3) << edited.out;
  EXPECT_TRUE(contains(edited.err, "signature_invalid")) << edited.err;
  EXPECT_EQ(ask({"receipt", "export", "HEAD", "--format", "dsse"}).code, 0);
}

TEST_P(Receipts, NothingVouchesForAnUnsignedNote) {
  finished_guide("read this\n");
  repo.commit("say it better");
  must({"receipt", "attach"}, "A");
  EXPECT_EQ(verify("HEAD").code, 0) << "here the ledger does";
  const std::string copy = clone("copy");
  fetch_notes(copy);
  // The clone of a repository with a shared ledger can ask it; one without has the note alone.
  const Ran ran = verify("HEAD", {"--json"}, copy);
  const bool shares = GetParam() == BackEnd::postgres;
  EXPECT_EQ(ran.code, shares ? 0 : 1) << ran.out << ran.err;
  EXPECT_TRUE(contains(ran.out, shares ? "\"kept\": true" : "\"ok\": false")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "\"signature\": \"none\"")) << ran.out;
}

TEST_P(Receipts, ASignatureByAKeyThatNobodyNamedVouchesForNothing) {
  sign();
  finished_guide("read this\n");
  repo.commit("say it better");
  must({"receipt", "attach"}, "A");
  const std::string copy = clone("copy");
  // The clone has no ledger: what it knows is what the branch says.
  repo.git_at(copy, {"checkout", "-q", "-b", "alone"});
  ASSERT_TRUE(sys::write_file_atomic(copy + "/receipt.json", ask({"receipt", "show", "HEAD"}).out)
                  .has_value());
  const Words file{"receipt", "verify", "--file", "receipt.json"};
  const auto says = [&](Words words, const std::string& member) {
    words.insert(words.end(), {"--field", member});
    const Ran ran = gatehouse(std::move(words), copy);
    return ran.out.substr(0, ran.out.find('\n'));
  };
  if (GetParam() == BackEnd::postgres) {
    EXPECT_EQ(says(file, "vouched_by"), "ledger") << "the clone asks the same ledger";
    return;
  }
  EXPECT_EQ(says(file, "ok"), "false");
  EXPECT_EQ(says(file, "signature"), "signer_not_known");
  EXPECT_EQ(says(file, "vouched_by"), "nobody");
  EXPECT_EQ(gatehouse(file, copy).code, 1);
  EXPECT_TRUE(contains(gatehouse(file, copy).out, "Next: Ask whose key it is")) << "names the step";
  Words review = file;
  review.push_back("--exit-review");
  EXPECT_EQ(gatehouse(review, copy).code, 11);
  fetch_notes(copy);
  EXPECT_EQ(verify("HEAD", {}, copy).code, 1) << "a note is no better than a file";
  EXPECT_EQ(verify("HEAD", {"--allowed", repo.folder() + "/keys.txt"}, copy).code, 0);
}

TEST_P(Receipts, AGateThatThePolicyKnowsVouchesByItsKeyAndNoOtherActorDoes) {
  sign();
  const Ran key = shell("cut -d' ' -f1,2 ../key.pub | tr -d '\\n'", repo.root());
  const auto actor = [&](const std::string& kind, const std::string& until) {
    configure("proposals:\n  actors:\n    - name: build-gate\n      kind: " + kind +
                  "\n      keys:\n        - key: " + key.out + until + "\n",
              "  signing_key: " + repo.folder() + "/key\n");
    must({"analyze"});
  };
  actor("gate", "");
  finished_guide("read this\n");
  repo.commit("say it better");
  must({"receipt", "attach"}, "A");
  EXPECT_EQ(field({"receipt", "verify", "HEAD"}, "", "vouched_by"), "policy");
  EXPECT_EQ(field({"receipt", "verify", "HEAD"}, "", "signature"), "valid");
  const std::string receipt = ask({"receipt", "show", "HEAD"}).out;
  const auto in_a_clone = [&](const std::string& name) {
    const std::string copy = clone(name);
    EXPECT_TRUE(sys::write_file_atomic(copy + "/receipt.json", receipt).has_value());
    const Ran ran =
        gatehouse({"receipt", "verify", "--file", "receipt.json", "--field", "signature"}, copy);
    return ran.out.substr(0, ran.out.find('\n'));
  };
  EXPECT_EQ(in_a_clone("with"), "valid") << "the branch brings its policy along";
  actor("human", "");
  EXPECT_EQ(in_a_clone("human"), "signer_not_known");
  actor("gate", "\n          valid_before: 2001-01-01T00:00:00Z");
  EXPECT_EQ(in_a_clone("late"), "signer_not_known");
}

TEST_P(Receipts, WhatWasFetchedIntoTheRefOfReceiptsIsNotBelievedForThat) {
  const std::string digest = finished_guide("read this\n");
  repo.commit("say it better");
  const std::string copy = clone("copy");
  const std::string text = ask({"receipt", "show", digest}).out;
  // Somebody puts a receipt where the mirror of receipts lies.
  ASSERT_TRUE(sys::write_file_atomic(copy + "/../one.json", text).has_value());
  const std::string hex = digest.substr(7), folder = hex.substr(0, 2);
  const Ran made = shell(
      "set -e; blob=$(git hash-object -w ../one.json); sub=$(printf '100644 blob %s\\t" + hex +
          ".json\\n' $blob | git mktree); top=$(printf '040000 tree %s\\t" + folder +
          "\\n' $sub | git mktree); git update-ref refs/gatehouse/receipts $(git -c user.name=x -c "
          "user.email=x@x commit-tree $top -m forged)",
      copy);
  ASSERT_EQ(made.code, 0) << made.err;
  const Ran ran = verify(digest, {"--json"}, copy);
  const bool shares = GetParam() == BackEnd::postgres;
  EXPECT_EQ(ran.code, shares ? 0 : 1) << ran.out << ran.err;
  EXPECT_TRUE(contains(ran.out, shares ? "\"kept\": true" : "\"vouched_by\": \"nobody\""))
      << ran.out;
}

TEST_P(Receipts, AnAmendedMessageAndARebaseKeepTheReceiptAndAnEditLosesIt) {
  sign();
  EXPECT_EQ(start("A", {"docs/index.md"}), "active");
  repo.write("docs/index.md", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n");
  EXPECT_EQ(finish("A", {"docs/index.md"}), "accepted");
  repo.commit("count on");
  must({"receipt", "attach"}, "A");
  repo.git({"config", "notes.rewriteRef", kNotes});
  const Words keys{"--allowed", repo.folder() + "/keys.txt", "--field", "binding"};
  EXPECT_EQ(verify("HEAD", keys).out, "exact\n");
  repo.git({"commit", "-q", "--amend", "-m", "count on to ten"});
  EXPECT_EQ(verify("HEAD", keys).out, "exact\n") << "another message, the same change";
  // Somebody else's commit comes in below, in the same file, and moves the lines.
  repo.git({"checkout", "-q", "-b", "theirs", "HEAD~1"});
  repo.write("docs/index.md", "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n");
  repo.commit("begin at zero");
  repo.git({"checkout", "-q", "main"});
  repo.git({"rebase", "-q", "theirs"});
  EXPECT_EQ(verify("HEAD", keys).out, "rebound\n");
  EXPECT_EQ(field({"receipt", "verify", "HEAD"}, "", "rebound"), "true");
  must({"receipt", "attach"}, "A");
  EXPECT_TRUE(contains(note(), "\"rebound\":true")) << note();
  // White space counts, although git patch-id overlooks it.
  repo.write("docs/index.md", "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n ten\n");
  repo.git({"commit", "-q", "-a", "--amend", "-m", "count on, indented"});
  EXPECT_EQ(verify("HEAD").code, 3);
  repo.write("docs/index.md", "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nXX\n");
  repo.git({"commit", "-q", "-a", "--amend", "-m", "count on otherwise"});
  const Ran edited = verify("HEAD");
  EXPECT_EQ(edited.code, 3) << edited.out;
  EXPECT_TRUE(contains(edited.err, "another change")) << edited.err;
}

TEST_P(Receipts, ExportsNameTheCommitAndTheTree) {
  finished_guide("read this\n");
  repo.commit("say it better");
  must({"receipt", "attach"}, "A");
  const Ran statement = ask({"receipt", "export", "HEAD", "--format", "in-toto"});
  EXPECT_EQ(statement.code, 0) << statement.err;
  EXPECT_TRUE(contains(statement.out, head())) << statement.out;
  EXPECT_TRUE(contains(statement.out, repo.git({"rev-parse", "HEAD^{tree}"})));
  EXPECT_EQ(ask({"receipt", "export", "HEAD", "--format", "slsa-vsa"}).code, 0);
}

// ----------------------------------------------------------------------------------------- landing

TEST_P(Receipts, ALandedWorkTreeCanBecomeACommitThatNamesItsReceipt) {
  const std::string tree = start("A", {"docs/guide.md"}, {"--worktree"}, "worktree.path");
  ASSERT_TRUE(sys::write_file_atomic(tree + "/docs/guide.md", "read there\n").has_value());
  repo.write("id.txt", "staged by somebody else");
  repo.git({"add", "id.txt"});
  const Ran done =
      ask(finishing({"docs/guide.md"}, {"--commit", "--message", "say it better"}), "A");
  ASSERT_EQ(done.code, 0) << done.out << done.err;
  EXPECT_TRUE(contains(done.out, "Commit       " + head())) << done.out;
  EXPECT_EQ(repo.git({"show", "--format=%s", "--name-only", "HEAD"}),
            "say it better\n\ndocs/guide.md");
  EXPECT_EQ(repo.git({"status", "--porcelain"}), "M  id.txt") << "left as it was";
  const std::string digest =
      repo.git({"log", "-1", "--format=%(trailers:key=Gatehouse-Receipt,valueonly)"});
  EXPECT_EQ(field({"receipt", "verify", "HEAD"}, "", "receipt") + "\n", digest);
  EXPECT_EQ(field({"receipt", "verify", "HEAD"}, "", "binding"), "exact");
  EXPECT_TRUE(contains(note(), "gatehouse.receipt_note/1"));
  EXPECT_EQ(repo.git({"log", "-1", "--format=%(trailers:key=Gatehouse-Agent,valueonly)"}),
            "cli/A\n");
}

TEST_P(Receipts, OnlyWhatLandsIsCommitted) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  repo.write("docs/guide.md", "read this\n");
  for (const Words& wish : {Words{"--commit"}, Words{"--message", "m"}}) {
    const Ran ran = ask(finishing({"docs/guide.md"}, wish), "A");
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_TRUE(contains(ran.err, "bad_argument")) << ran.err;
  }
  EXPECT_EQ(finish("A", {"docs/guide.md"}), "accepted") << "nothing was done before";
}

}  // namespace
}  // namespace gh::testing
