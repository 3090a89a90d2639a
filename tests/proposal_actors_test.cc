// Registered actors: signatures made and checked by ssh-keygen and openssl, separation of duties,
// attestations, and what keeps copies up to date.
#include <sys/wait.h>
#include <unistd.h>

#include "base/digest.h"
#include "tests/postgres_server.h"
#include "tests/proposal_actors_kit.h"

namespace gh {
namespace {

using kit::Answer;
using kit::ProposalWorld;

using kit::Registered;
using kit::shell;

TEST(ProposalActors, SignedByTheAuthorReviewedWithKeysAndConfirmedByAHuman) {
  Registered world;
  world.set("trust_level", "community");
  world.write_pair();
  EXPECT_TRUE(world.run({"proposal", "lint", world.box.string()})
                  .has("PROP_TRUST_EXCEEDED"));  // nobody signed: external
  world.reset_fields("calc-line-002");
  world.set("trust_level", "community");
  world.write_pair();
  kit::write(world.file(".patch.sig"),
             world.sign("proposal lint --payload --id calc-line-002 " + world.box.string(),
                        "drafter", "gatehouse-proposal"));
  const Answer submitted = world.submit();
  ASSERT_EQ(submitted.exit, 0) << submitted.out;
  EXPECT_EQ(world.run({"proposal", "show", world.stem}).text("actor"), "drafter");
  EXPECT_EQ(world.review("gemini").exit, 2);  // nobody without a key
  for (const char* who : {"gemini", "codex"})
    EXPECT_EQ(world.review(who, "ok", {"--key", world.key(who)}).exit, 0);
  EXPECT_EQ(world.promote().exit, 2);  // the local user is no registered promoter
  EXPECT_EQ(world.status(), "proposed");
  kit::write(
      world.scratch.path() / "confirmation",
      world.sign("proposal show calc-line-002 --payload promoter", "alice", "gatehouse-promotion"));
  const Answer promoted =
      world.promote({"--confirmation", (world.scratch.path() / "confirmation").string()});
  ASSERT_EQ(promoted.exit, 0) << promoted.out << promoted.err;
  EXPECT_EQ(kit::git_says(world.repo, {"log", "-1", "--format=%an", "main"}), "alice");
  // The review's signature holds for ssh-keygen too.
  const Answer shown = world.run({"proposal", "show", world.stem});
  const Value& review = shown.document.as_map()->find("reviews")->as_list()->front();
  const Map& r = *review.as_map();
  kit::write(world.scratch.path() / "review.sig", *r.find("signature")->as_string());
  Map bare = r;
  bare.set("signature", Value());
  const std::string payload =
      fmt::format("sha256:{}\n{}\nreviewer\n{}\n", digest_of(wire::canonical_json(bare)).hex(),
                  kit::git_says(world.repo, {"rev-list", "--max-parents=0", "HEAD"}),
                  *r.find("created_utc")->as_string());
  kit::write(world.scratch.path() / "review.payload", payload);
  const kit::Ran checked = kit::shell(
      world,
      "printf 'gemini %s' \"$(cat gemini.pub)\" > allowed; ssh-keygen -Y verify -f allowed -I "
      "gemini -n gatehouse-review -s review.sig < review.payload");
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
}

TEST(ProposalActors, SeparationOfDutiesIsKept) {
  Registered world;
  ASSERT_EQ(world.submit().exit, 0);
  // One actor cannot speak as the other reviewer.
  EXPECT_EQ(world.review("gemini", "ok", {"--key", world.key("gemini")}).exit, 0);
  const Answer twice = world.review("codex", "ok", {"--key", world.key("gemini")});
  EXPECT_TRUE(twice.has("REVIEW_NOT_INDEPENDENT") || twice.has("REVIEW_NOT_AUTHORIZED"))
      << twice.out;
  EXPECT_EQ(world.review("codex", "ok", {"--key", world.key("mallory")}).exit, 1);
}

TEST(ProposalActors, ASignatureOfAnotherProposalOrRepositoryDoesNotHold) {
  Registered world;
  world.write_pair();
  const std::string signature =
      world.sign("proposal lint --payload --id calc-line-001 " + world.box.string(), "drafter",
                 "gatehouse-proposal");
  world.reset_fields("calc-line-002");
  world.write_pair();
  kit::write(world.file(".patch.sig"), signature);
  EXPECT_TRUE(world.submit().has("PROP_SIGNATURE_INVALID"));
}

TEST(ProposalActors, AHumanOrTheTrustReviewerConfirmsAfterAllReviews) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  const kit::Words confirm{"proposal", "review", world.stem, "--as", "claude", "--confirm"};
  EXPECT_TRUE(world.run(confirm).has("PROP_REVIEW_PENDING"));
  world.review("gemini");
  world.review("codex");
  EXPECT_EQ(world.run(confirm).exit, 0);
  EXPECT_EQ(world.run({"proposal", "show", world.stem}).text("trust_level"), "reviewed");
}

TEST(ProposalActors, AnAttestationIsVerifiedByOpenssl) {
  ProposalWorld world(std::string(kit::kGatePolicy) + "store:\n  signing_key: ../signer\n");
  EXPECT_EQ(kit::shell(world, "ssh-keygen -q -t ed25519 -N '' -f signer").exit_code, 0);
  world.approve();
  ASSERT_EQ(world.promote().exit, 0);
  kit::git_says(world.repo, {"reset", "-q", "--hard"});
  const Answer envelope = world.run({"receipt", "export", "main", "--format", "dsse"});
  ASSERT_EQ(envelope.exit, 0) << envelope.err;
  EXPECT_EQ(envelope.text("payloadType"), "application/vnd.in-toto+json");
  const Map& signature =
      *envelope.document.as_map()->find("signatures")->as_list()->front().as_map();
  kit::write(world.scratch.path() / "payload.b64", envelope.text("payload"));
  kit::write(world.scratch.path() / "sig.b64", *signature.find("sig")->as_string());
  const kit::Ran verified = kit::shell(
      world,
      "base64 -d payload.b64 > statement; base64 -d sig.b64 > sig; "
      "(printf '\\x30\\x2a\\x30\\x05\\x06\\x03\\x2b\\x65\\x70\\x03\\x21\\x00'; cut -d' ' -f2 "
      "signer.pub "
      "| base64 -d | tail -c 32) > key.der; openssl pkey -pubin -inform DER -in key.der -out "
      "key.pem; "
      "(printf 'DSSEv1 28 application/vnd.in-toto+json %s ' \"$(stat -c %s statement)\"; cat "
      "statement) "
      "> pae; openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in pae -sigfile sig");
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  const auto statement =
      wire::read_json(kit::read(world.scratch.path() / "statement"), "statement");
  ASSERT_TRUE(statement);
  EXPECT_EQ(*statement->as_map()->find("_type")->as_string(), "https://in-toto.io/Statement/v1");
  const kit::Ran checked = kit::gatehouse(
      {"receipt", "verify", "main", "--allowed", (world.scratch.path() / "signer.pub").string()},
      {.cwd = world.repo});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
}

TEST(ProposalActors, ARebaseIsANewProposalThatSupersedesTheOldOne) {
  ProposalWorld world(std::string(kit::kGatePolicy) + "  max_base_age_days: 3650\n");
  world.approve();
  kit::write(world.repo / "src/calc.py", "line 0\n" + kit::read(world.repo / "src/calc.py"));
  const std::string head = world.commit("a line at the top");
  const Answer rebased = world.run({"proposal", "rebase", "calc-line-001"});
  ASSERT_EQ(rebased.exit, 0) << rebased.out << rebased.err;
  const Answer shown = world.run({"proposal", "show", "calc-line-001-r2"});
  EXPECT_EQ(shown.text("base_commit"), head);
  world.stem = "calc-line-001-r2";
  EXPECT_TRUE(world.promote().has("PROP_REVIEW_PENDING"));  // reviews do not travel along
  world.review("gemini");
  world.review("codex");
  ASSERT_EQ(world.promote().exit, 0);
  EXPECT_EQ(world.run({"proposal", "show", "calc-line-001"}).text("sub_state"), "superseded");
  EXPECT_NE(kit::git_says(world.repo, {"show", "main:src/calc.py"}).find("line 41"),
            std::string::npos);
}

TEST(ProposalActors, ARebaseTakesAFreeIdAndIsNotMadeTwice) {
  ProposalWorld world(std::string(kit::kGatePolicy) + "  max_base_age_days: 3650\n");
  ASSERT_EQ(world.submit().exit, 0);
  world.propose_other("calc-line-001-r2");  // somebody sits on the name
  ASSERT_EQ(world.submit().exit, 0);
  kit::write(world.repo / "src/calc.py", "line 0\n" + kit::read(world.repo / "src/calc.py"));
  world.commit("a line at the top");
  const Answer rebased = world.run({"proposal", "rebase", "calc-line-001"});
  ASSERT_EQ(rebased.exit, 0) << rebased.out << rebased.err;
  EXPECT_EQ(world.run({"proposal", "show", "calc-line-001-r3"}).exit, 0);
  const Answer again = world.run({"proposal", "rebase", "calc-line-001"});
  EXPECT_NE(again.exit, 0);
  EXPECT_NE(again.err.find("rebased before, as calc-line-001-r3"), std::string::npos) << again.err;
  EXPECT_EQ(world.run({"proposal", "show", "calc-line-001-r4"}).exit, 2);
}

/// Submits what is in the box under the drafter's key.
Answer submit_signed(Registered& world) {
  world.write_pair();
  kit::write(world.file(".patch.sig"), world.sign(fmt::format("proposal lint --payload --id {} {}",
                                                              world.stem, world.box.string()),
                                                  "drafter", "gatehouse-proposal"));
  return world.submit();
}

TEST(ProposalActors, AnAuthorWithAKeyWithdrawsWithIt) {
  Registered world;
  ASSERT_EQ(submit_signed(world).exit, 0);
  const Answer stranger = world.run({"proposal", "withdraw", world.stem});
  EXPECT_EQ(stranger.exit, 1) << stranger.out;
  EXPECT_TRUE(stranger.has("PROP_STATE_INVALID")) << stranger.out;
  EXPECT_NE(stranger.out.find("only its author, drafter, may"), std::string::npos) << stranger.out;
  EXPECT_EQ(world.run({"proposal", "withdraw", world.stem, "--key", world.key("codex")}).exit, 1);
  EXPECT_EQ(world.run({"proposal", "withdraw", world.stem, "--key", "missing"}).exit, 2);
  EXPECT_EQ(world.status(), "proposed");
  const Answer own = world.run({"proposal", "withdraw", world.stem, "--key", world.key("drafter")});
  EXPECT_EQ(own.exit, 0) << own.out << own.err;
  EXPECT_EQ(world.run({"proposal", "show", world.stem}).text("sub_state"), "withdrawn");
  EXPECT_EQ(world.run({"proposal", "verify", "--all"}).exit, 0);
}

TEST(ProposalActors, APromoterWithAKeyRejectsWithIt) {
  Registered world;
  ASSERT_EQ(submit_signed(world).exit, 0);
  kit::Words words{"proposal", "reject", world.stem, "--reason", "unwanted:no", "--key"};
  words.push_back(world.key("mallory"));
  EXPECT_EQ(world.run(words).exit, 1);
  words.back() = world.key("alice");
  const Answer rejected = world.run(words);
  EXPECT_EQ(rejected.exit, 0) << rejected.out << rejected.err;
  EXPECT_EQ(world.status(), "rejected");
}

TEST(ProposalActors, ARebaseOfASignedProposalIsWrittenOutForItsAuthorToSign) {
  Registered world;
  ASSERT_EQ(submit_signed(world).exit, 0);
  kit::write(world.repo / "src/calc.py", "line 0\n" + kit::read(world.repo / "src/calc.py"));
  world.commit("a line at the top");
  const Answer rebased =
      world.run({"proposal", "rebase", "calc-line-001", "--out", world.box.string()});
  ASSERT_EQ(rebased.exit, 0) << rebased.out << rebased.err;
  EXPECT_EQ(world.run({"proposal", "show", "calc-line-001-r2"}).exit, 2);  // nothing was submitted
  world.stem = "calc-line-001-r2";
  const std::string signature =
      world.sign("proposal lint --payload --id calc-line-001-r2 " + world.box.string(), "drafter",
                 "gatehouse-proposal");
  kit::write(world.file(".patch.sig"), signature);
  const Answer submitted =
      world.run({"proposal", "submit", world.box.string(), "--id", world.stem});
  EXPECT_EQ(submitted.exit, 0) << submitted.out;
  EXPECT_EQ(world.run({"proposal", "show", world.stem}).text("actor"), "drafter");
}

TEST(ProposalActors, NobodySupersedesWhatAnotherActorSigned) {
  Registered world;
  ASSERT_EQ(submit_signed(world).exit, 0);
  world.propose_other("pretender-001");
  world.set("supersedes", "[calc-line-001]");
  const Answer refused = world.submit();  // same author_agent, but no key
  EXPECT_TRUE(refused.has("PROP_SUPERSEDES_INVALID")) << refused.out;
}

TEST(ProposalActors, SignedReviewsAreCarriedAsTheyAreAndTheAuthorStaysTheAuthor) {
  Registered world("  reviewers:\n    carry_reviews: identical_patch\n  max_base_age_days: 3650\n");
  ASSERT_EQ(submit_signed(world).exit, 0);
  for (const char* who : {"gemini", "codex"})
    ASSERT_EQ(world.review(who, "ok", {"--key", world.key(who)}).exit, 0);
  kit::write(world.repo / "src/calc.py", "line 0\n" + kit::read(world.repo / "src/calc.py"));
  world.commit("a line at the top");
  const Answer rebased =
      world.run({"proposal", "rebase", "calc-line-001", "--out", world.box.string()});
  ASSERT_EQ(rebased.exit, 0) << rebased.out << rebased.err;
  world.stem = "calc-line-001-r2";
  kit::write(world.file(".patch.sig"),
             world.sign("proposal lint --payload --id calc-line-001-r2 " + world.box.string(),
                        "drafter", "gatehouse-proposal"));
  ASSERT_EQ(world.run({"proposal", "submit", world.box.string(), "--id", world.stem}).exit, 0);
  const Answer shown = world.run({"proposal", "show", world.stem});
  EXPECT_EQ(shown.text("actor"), "drafter");
  EXPECT_EQ(shown.text("sub_state"), "approved") << shown.out;
  kit::write(world.scratch.path() / "confirmation",
             world.sign("proposal show calc-line-001-r2 --payload promoter", "alice",
                        "gatehouse-promotion"));
  const Answer promoted =
      world.promote({"--confirmation", (world.scratch.path() / "confirmation").string()});
  ASSERT_EQ(promoted.exit, 0) << promoted.out << promoted.err;
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 0) << verified.out;
  // What was promoted stays judged by the keys of its time.
  kit::git_says(world.repo, {"reset", "-q", "--hard"});
  std::string registry = kit::read(world.repo / "gatehouse.yaml");
  const auto key_of = [&](const char* name) {
    return kit::read(world.scratch.path() / (std::string(name) + ".pub")).substr(0, 80);
  };
  const std::size_t at = registry.find(key_of("gemini"));
  ASSERT_NE(at, std::string::npos);
  registry.replace(at, 80, key_of("mallory"));
  registry.erase(registry.find("    - name: mallory"));
  kit::write(world.repo / "gatehouse.yaml", registry);
  world.commit("another key for gemini");
  EXPECT_EQ(world.run({"proposal", "verify", world.stem}).exit, 0);
}

TEST(ProposalActors, AnEditedFileIsRestoredFromTheLedgerAndNamed) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  world.set("promotion_status", "promoted");
  world.set("trust_level", "promoted");
  world.write_pair();
  const Answer synced = world.run({"proposal", "sync", world.box.string()});
  EXPECT_EQ(synced.exit, 1);
  EXPECT_TRUE(synced.has("PROP_PROMOTION_FORGED")) << synced.out;
  EXPECT_NE(kit::read(world.file(".patch.meta.yaml")).find("promotion_status: proposed"),
            std::string::npos);
  EXPECT_EQ(world.run({"proposal", "sync", world.box.string()}).exit, 0);
}

TEST(ProposalActors, RecordsThatCameWithGitAreTakenIntoAnEmptyLedger) {
  ProposalWorld world;
  world.approve();
  ASSERT_EQ(world.promote().exit, 0);
  const kit::fs::path clone = world.scratch.path() / "clone";
  kit::git_says(world.scratch.path(), {"clone", "-q", world.repo.string(), clone.string()});
  kit::git_says(clone, {"fetch", "-q", "origin", "+refs/gatehouse/*:refs/gatehouse/*"});
  EXPECT_EQ(kit::gatehouse({"proposal", "import"}, {.cwd = clone}).exit_code, 0);
  const kit::Ran rows = kit::run({"sqlite3", (clone / ".git/gatehouse/ledger.db").string(),
                                  "SELECT patch_id, promotion_status FROM proposals"},
                                 {});
  EXPECT_EQ(rows.out, "calc-line-001|promoted\n");
  const kit::Ran verified = kit::gatehouse({"proposal", "verify", "--all"}, {.cwd = clone});
  EXPECT_EQ(verified.exit_code, 0) << verified.out;
}

TEST(ProposalActors, CheckAnswersForAProposalWithOneVerdict) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  const Answer early = world.run({"check", "--proposal", world.stem});
  EXPECT_EQ(early.text("decision"), "review") << early.out;
  world.review("gemini");
  world.review("codex");
  const Answer ready = world.run({"check", "--proposal", world.stem});
  EXPECT_EQ(ready.text("decision"), "allow") << ready.out;
  EXPECT_EQ(ready.exit, 0);
  EXPECT_EQ(world.head(), world.base);
}

// ------------------------------------------------------------------------- found by an attack

TEST(ProposalAttacks, ACopyOfAnAdmittedProposalDoesNotEndIt) {
  ProposalWorld world;
  world.approve();
  for (const char* trust : {"untrusted", "promoted"}) {
    world.reset_fields(fmt::format("copy-{}", trust));
    world.set("trust_level", trust);
    EXPECT_EQ(world.submit().exit, 1);
  }
  world.stem = "calc-line-001";
  const Answer promoted = world.promote();
  EXPECT_EQ(promoted.exit, 0) << promoted.out;
}

TEST(ProposalAttacks, NobodySpeaksUnderTheNameOfAnotherReviewer) {
  Registered world;
  ASSERT_EQ(world.submit().exit, 0);
  EXPECT_EQ(
      world.review("gemini", "changes", {"--reason", "bad:no", "--key", world.key("gemini")}).exit,
      0);
  EXPECT_TRUE(
      world.review("gemini", "ok", {"--key", world.key("codex")}).has("REVIEW_NOT_AUTHORIZED"));
  // A second word within the same second replaces the first.
  EXPECT_EQ(world.review("gemini", "ok", {"--key", world.key("gemini")}).exit, 0);
}

TEST(ProposalAttacks, ARejectionRewrittenInTheRefsIsNamedAndNotImported) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  ASSERT_EQ(world.run({"proposal", "reject", world.stem, "--reason", "unwanted:no"}).exit, 0);
  const kit::fs::path clone =
      kit::forged_clone(world, "record.json|meta.yaml", "s/rejected/proposed/g");
  const kit::Ran verified = kit::gatehouse({"proposal", "verify", "--all"}, {.cwd = clone});
  EXPECT_EQ(verified.exit_code, 1) << verified.out;
  EXPECT_NE(verified.out.find("PROP_PROMOTION_FORGED"), std::string::npos) << verified.out;
  const kit::Ran imported = kit::gatehouse({"proposal", "import"}, {.cwd = clone});
  EXPECT_EQ(imported.exit_code, 1) << imported.out;
  EXPECT_NE(imported.out.find("PROP_PROMOTION_FORGED"), std::string::npos) << imported.out;
  EXPECT_EQ(kit::gatehouse({"proposal", "list"}, {.cwd = clone}).out, "no proposals\n");
}

TEST(ProposalAttacks, APlanFromElsewhereReachesNoRefOfOthers) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  kit::git_says(world.repo, {"branch", "precious"});
  const std::string db = (world.repo / ".git/gatehouse/ledger.db").string();
  const std::string plan = fmt::format(
      R"({{"kind":"promote","commit":"{0}","branch":"refs/heads/precious","target_ref":"refs/heads/main","old_head":"{0}","new_head":"{1}","promoter":"x","receipt":"","admission":"","reason":""}})",
      world.base, std::string(39, '0') + "1");
  kit::run(
      {"sqlite3", db, "UPDATE proposals SET body = json_set(body, '$.plan', json('" + plan + "'))"},
      {});
  EXPECT_EQ(world.run({"proposal", "recover"}).exit, 4);
  EXPECT_EQ(kit::git_says(world.repo, {"rev-parse", "precious"}), world.base);
  EXPECT_EQ(world.status(), "proposed");
}

TEST(ProposalAttacks, NotesThatLookLikeTrailersAreOnlyNotes) {
  ProposalWorld world;
  world.set("risk_notes",
            "\"Gatehouse-Proposal: other\\nReviewed-By: boss 00\\nGatehouse-Receipt: sha256:00\\n"
            "failure: wrong line; blast_radius: src/calc.py; data: none; idempotent: yes\"");
  world.approve();
  ASSERT_EQ(world.promote().exit, 0);
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 0) << verified.out;
  EXPECT_EQ(world.run({"receipt", "show", "main"}).exit, 0);
}

TEST(ProposalAttacks, APipeInThePlaceOfAKeyDoesNotMakeItWait) {
  Registered world;
  ASSERT_EQ(world.submit().exit, 0);
  ASSERT_EQ(mkfifo((world.scratch.path() / "pipe").c_str(), 0600), 0);
  EXPECT_NE(world.review("gemini", "ok", {"--key", (world.scratch.path() / "pipe").string()}).exit,
            0);
}

// ---------------------------------------------------------------------------------- many at once

testing::PostgresServer& server() { return testing::postgres_server(); }

/// `count` processes that each submit a proposal of their own; then all reviews, then promotions.
void many_at_once(ProposalWorld& world, int count) {
  for (int i = 0; i < count; ++i) {
    const std::string name = fmt::format("src/n{:03}.md", i);
    world.change({{name, "new\n"}});
    world.reset_fields(fmt::format("add-{:03}", i));
    world.set("affected_files", "[" + name + "]");
    world.set("tests_added", "[]");
    world.set("commands_run", "[\"cat " + name + " => exit 0\"]");
    world.set("risk_notes", "\"failure: wrong text; blast_radius: " + name +
                                "; data: none touched; idempotent: yes\"");
    world.write_pair();
  }
  const auto all = [&](const std::function<kit::Words(int)>& words) {
    std::vector<pid_t> children;
    for (int i = 0; i < count; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        kit::Words line = words(i);
        line.insert(line.end(), {"--json", "-C", world.repo.string()});
        const kit::Ran ran = kit::gatehouse(line, {.cwd = world.scratch.path()});
        _exit(ran.exit_code);
      }
      children.push_back(child);
    }
    int good = 0;
    for (const pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      good += WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
    }
    return good;
  };
  const auto id = [](int i) { return fmt::format("add-{:03}", i); };
  EXPECT_EQ(all([&](int i) {
              return kit::Words{"proposal", "submit", world.box.string(), "--id", id(i)};
            }),
            count);
  for (const char* who : {"gemini", "codex"})
    EXPECT_EQ(all([&](int i) {
                return kit::Words{"proposal", "review", id(i), "--as", who, "--verdict", "ok"};
              }),
              count);
  const int promoted = all([&](int i) { return kit::Words{"proposal", "promote", id(i % 5)}; });
  EXPECT_EQ(promoted, 5) << "five proposals, each promoted exactly once";
  EXPECT_EQ(
      kit::git_says(world.repo, {"rev-list", "--no-merges", "--count", world.base + "..main"}),
      "5");
  EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);
  EXPECT_EQ(world.run({"proposal", "export"}).exit, 0);
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 0) << verified.out;
}

int crowd() { return std::getenv("GH_LONG") != nullptr ? 200 : 12; }
constexpr std::string_view kCrowdPolicy =
    "proposals:\n  promotion:\n    requires: gate\n  max_base_age_days: 3650\n";

TEST(ProposalCrowd, ManyProcessesOnOneSqliteLedgerLoseNothing) {
  ProposalWorld world{std::string(kCrowdPolicy) + "store:\n  busy_timeout_ms: 120000\n"};
  many_at_once(world, crowd());
}

TEST(ProposalCrowd, ManyProcessesOnOnePostgresLedgerLoseNothing) {
  ProposalWorld world{std::string(kCrowdPolicy) + "store:\n  busy_timeout_ms: 120000\n  url: \"" +
                      server().url() + "\"\n"};
  many_at_once(world, crowd());
}

}  // namespace
}  // namespace gh
