// Records forged behind the program's back: in refs/gatehouse by git, in the ledger by sqlite3 and
// psql, and by somebody who makes the whole audit chain good again afterwards. What does not hold
// is named, by verify, by import and at promotion, and nothing enters the repository.
#include "base/digest.h"
#include "store/audit_chain.h"
#include "store/sqlite.h"
#include "tests/postgres_server.h"
#include "tests/proposal_actors_kit.h"

namespace gh {
namespace {

using kit::Answer;
using kit::in;
using kit::ledger_of;
using kit::ProposalWorld;
using kit::Registered;
using kit::sqlite;

constexpr std::string_view kOldBases = "  max_base_age_days: 3650\n";

testing::PostgresServer& server() { return testing::postgres_server(); }

void psql(const ProposalWorld& world, const std::string& sql) {
  const std::string id = kit::git_says(world.repo, {"rev-list", "--max-parents=0", "HEAD"});
  const kit::Ran ran = kit::run({"psql", "-qXv", "ON_ERROR_STOP=1", server().url(), "-c",
                                 fmt::format("SET search_path = gh_{}; {}", id.substr(0, 16), sql)},
                                {});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
}

/// A clone names the fault, and takes nothing in.
void expect_named_in_clone(const kit::fs::path& clone, std::string_view code) {
  const Answer verified = in(clone, {"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 1) << verified.out;
  EXPECT_TRUE(verified.has(code)) << code << verified.out << verified.err;
  const Answer imported = in(clone, {"proposal", "import"});
  EXPECT_EQ(imported.exit, 1) << imported.out;
  EXPECT_TRUE(imported.has(code)) << code << imported.out;
  EXPECT_EQ(kit::run({"sqlite3", ledger_of(clone), "SELECT count(*) FROM proposals"}, {}).out,
            "0\n");
}

/// The ledger names the fault, and a promotion moves no branch.
void expect_named_here(ProposalWorld& world, std::string_view code,
                       const std::function<Answer()>& promote) {
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 1) << verified.out;
  EXPECT_TRUE(verified.has(code)) << code << verified.out;
  const std::string refs = kit::git_says(world.repo, {"for-each-ref", "refs/heads"});
  const Answer promoted = promote();
  EXPECT_EQ(promoted.exit, 1) << promoted.out << promoted.err;
  EXPECT_TRUE(promoted.has(code)) << code << promoted.out;
  EXPECT_EQ(kit::git_says(world.repo, {"for-each-ref", "refs/heads"}), refs);
}

// -------------------------------------------------------------- somebody who has the whole ledger

/// Changes audit events, and makes the chain good again behind them.
void rewrite_chain(const ProposalWorld& world,
                   const std::function<void(store::AuditEvent&)>& change) {
  auto ledger = store::Ledger::open_sqlite(ledger_of(world.repo), 5000);
  ASSERT_TRUE(ledger.has_value());
  const auto rows = (*ledger)->audit_rows(1, 1000);
  auto door = store::connect_sqlite(ledger_of(world.repo), 5000);
  std::string prev(store::kFirstPrevHash);
  std::int64_t last = 0;
  for (store::AuditRow row : *rows) {
    change(row.event);
    const store::AuditColumns link = store::make_link(row.event, row.seq, prev);
    auto query = (*door)->query(
        "UPDATE audit SET subject = ?, payload = ?, payload_sha256 = ?, prev_hash = ?, hash = ? "
        "WHERE seq = ?");
    ASSERT_TRUE(query
                    ->bind_all(link.subject, *link.payload, link.payload_sha256, link.prev_hash,
                               link.hash, link.seq)
                    .run());
    prev = link.hash;
    last = link.seq;
  }
  sqlite(world,
         fmt::format("UPDATE meta SET value = '{} {}' WHERE key = 'audit_head'", last, prev));
  EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);  // the chain says nothing any more
}

void replace_all(Value& value, const std::string& from, const std::string& to) {
  std::string text = wire::canonical_json(value);
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  value = *wire::read_own_json(text, "payload");
}

/// Replaces the review of `reviewer` by a bent one everywhere, copies in refs/gatehouse included.
void forge_review(const ProposalWorld& world, const std::string& reviewer,
                  const std::function<void(Map&)>& bend) {
  const std::string text =
      kit::run({"sqlite3", ledger_of(world.repo),
                "SELECT d.body FROM reviews r JOIN documents d ON d.digest = r.sha256 "
                "WHERE r.reviewer = '" +
                    reviewer + "'"},
               {})
          .out;
  const Value document = *wire::read_own_json(text.substr(0, text.size() - 1), "review");
  const std::string old = digest_of(wire::canonical_json(document)).hex();
  Map bent = *document.as_map();
  bend(bent);
  const std::string body = wire::canonical_json(bent), sha256 = digest_of(body).hex();
  kit::write(world.scratch.path() / "bent.json", body);
  sqlite(world, fmt::format("UPDATE documents SET digest = '{0}', body = CAST(readfile('{1}') AS "
                            "TEXT) WHERE digest = '{2}'; "
                            "UPDATE reviews SET sha256 = '{0}' WHERE sha256 = '{2}'",
                            sha256, (world.scratch.path() / "bent.json").string(), old));
  rewrite_chain(world, [&](store::AuditEvent& event) { replace_all(event.payload, old, sha256); });
  for (const char* ref : {"proposals", "receipts", "audit"})
    kit::git(world.repo, {"update-ref", "-d", std::string("refs/gatehouse/") + ref});
  EXPECT_EQ(world.run({"proposal", "export"}).exit, 0);
}

struct ReviewForgery {
  const char* name;
  void (*bend)(Map&);
};
class ForgedReviews : public ::testing::TestWithParam<ReviewForgery> {};

TEST_P(ForgedReviews, AreNamedByVerifyImportAndPromotion) {
  Registered world;
  ASSERT_EQ(world.submit_signed().exit, 0);
  world.approve_signed();
  forge_review(world, "codex", GetParam().bend);
  expect_named_in_clone(kit::clone_with_refs(world), "PROP_REVIEW_FORGED");
  expect_named_here(world, "PROP_REVIEW_FORGED", [&] { return world.promote_confirmed(); });
}

INSTANTIATE_TEST_SUITE_P(
    Proposals, ForgedReviews,
    ::testing::Values(
        ReviewForgery{"NoSignature", [](Map& r) { r.set("signature", Value()); }},
        ReviewForgery{"OtherWords", [](Map& r) { r.set("tool", "another"); }},
        ReviewForgery{"OtherTree", [](Map& r) { r.set("candidate_tree", std::string(40, 'a')); }},
        ReviewForgery{"OtherTime", [](Map& r) { r.set("created_utc", "2026-01-01T00:00:00Z"); }},
        ReviewForgery{"OtherActor", [](Map& r) { r.set("actor", "gemini"); }}),
    [](const auto& row) { return row.param.name; });

TEST(ProposalForgeries, ARecordThatTheChainDoesNotBindIsNotBelieved) {
  ProposalWorld world;
  world.approve();
  rewrite_chain(world, [](store::AuditEvent& event) {
    if (event.payload.as_map() != nullptr) event.payload.as_map()->erase("metadata");
  });
  expect_named_here(world, "PROP_RECORD_FORGED", [&] { return world.promote(); });
}

// ------------------------------------------------------------------------------ a row of the
// ledger

struct LedgerForgery {
  const char *name, *code, *sql;
};
// One statement each, in words that both databases know.
const std::vector<LedgerForgery> kLedgerForgeries = {
    {"TitleOfTheMetadata", "PROP_RECORD_FORGED",
     "UPDATE proposals SET body = replace(body, '\"title\":\"as it was\"', "
     "'\"title\":\"as it is now\"')"},
    {"DependenciesGone", "PROP_RECORD_FORGED",
     "UPDATE proposals SET body = replace(body, '\"depends_on\":[\"calc-base-000\"],', '')"},
    {"TargetRef", "PROP_RECORD_FORGED",
     "UPDATE proposals SET target_ref = 'refs/heads/other', body = replace(body, "
     "'\"target_ref\":\"refs/heads/main\"', '\"target_ref\":\"refs/heads/other\"')"},
    {"AuthorColumn", "PROP_RECORD_FORGED", "UPDATE proposals SET author_agent = 'a / b'"},
    {"TimeOfSubmission", "PROP_RECORD_FORGED",
     "UPDATE proposals SET received_utc = '2020-01-01T00:00:00Z'"},
    {"ReviewTakenAway", "PROP_REVIEW_FORGED", "DELETE FROM reviews WHERE verdict = 'changes'"},
    {"ReviewTurnedRound", "PROP_REVIEW_FORGED",
     "UPDATE documents SET body = replace(body, '\"verdict\":\"changes\"', '\"verdict\":\"ok\"')"},
    {"ReviewSlippedIn", "PROP_REVIEW_FORGED",
     "INSERT INTO documents(digest, kind, body) SELECT 'planted', kind, replace(body, "
     "'\"verdict\":\"changes\"', '\"verdict\":\"ok\"') FROM documents WHERE body LIKE "
     "'%\"verdict\":\"changes\"%'; INSERT INTO reviews SELECT patch_id, audit_seq, n + 1, "
     "reviewer, "
     "actor, digest, 'ok', reasons_json, stale, '2099-01-01T00:00:00Z', 'planted' FROM reviews "
     "WHERE verdict = 'changes'"},
    {"SubState", "PROP_RECORD_FORGED", "UPDATE proposals SET sub_state = 'approved'"},
    {"TimeOfChange", "PROP_RECORD_FORGED",
     "UPDATE proposals SET updated_utc = '2020-01-01T00:00:00Z'"},
    {"NumberOfFiles", "PROP_RECORD_FORGED", "UPDATE proposals SET files_n = files_n + 1"},
    {"MemberOfTheBody", "PROP_RECORD_FORGED",
     "UPDATE proposals SET body = replace(body, '\"meta\":{', '\"m\":1,\"meta\":{')"},
    {"VerdictColumn", "PROP_REVIEW_FORGED", "UPDATE reviews SET verdict = 'ok'"},
    {"ReviewerColumn", "PROP_REVIEW_FORGED",
     "UPDATE reviews SET actor = 'local:0' WHERE verdict = 'changes'"},
    {"DecisionColumn", "PROP_RECORD_FORGED", "UPDATE admissions SET decision = 'deny'"},
    {"FileTable", "PROP_RECORD_FORGED", "UPDATE proposal_files SET op = 'delete'"},
    {"FileTakenOutOfTheTable", "PROP_RECORD_FORGED", "DELETE FROM proposal_files WHERE n = 0"},
    {"AdmissionTakenAway", "PROP_RECORD_FORGED", "DELETE FROM admissions"},
    {"PayloadDropped", "PROP_RECORD_FORGED",
     "UPDATE audit SET payload = NULL WHERE event = 'proposal.submitted'"},
};

class LedgerForgeries : public ::testing::TestWithParam<std::size_t> {
 protected:
  void run(const std::string& store, const std::function<void(const ProposalWorld&)>& edit,
           std::string_view code) {
    ProposalWorld world(std::string(kit::kGatePolicy) + store);
    world.change({{"docs/a.md", "text\n"}});
    world.reset_fields("calc-base-000");
    world.set("affected_files", "[docs/a.md]");
    world.set("tests_added", "[]");
    world.set("risk_notes",
              "\"failure: wrong text; blast_radius: docs/a.md; data: none; idempotent: yes\"");
    ASSERT_EQ(world.submit().exit, 0);
    world.change({{"src/calc.py", kit::read(world.repo / "src/calc.py") + "line 41\n"},
                  {"tests/test_calc.py", "assert the new line is there\n"}});
    world.reset_fields("calc-line-001");
    world.set("depends_on", "[calc-base-000]");
    world.set("title", "as it was");
    world.set("target_ref", "refs/heads/main");
    ASSERT_EQ(world.submit().exit, 0);
    EXPECT_EQ(world.review("gemini").exit, 0);
    EXPECT_EQ(world.review("codex", "changes", {"--reason", "bad:no"}).exit, 0);
    kit::git_says(world.repo, {"branch", "other"});
    edit(world);
    expect_named_here(world, code, [&] { return world.promote(); });
  }
};

TEST_P(LedgerForgeries, AreNamedInSqlite) {
  const LedgerForgery row = kLedgerForgeries[GetParam()];
  SCOPED_TRACE(row.name);
  run(
      "", [&](const ProposalWorld& w) { sqlite(w, row.sql); }, row.code);
}

TEST_P(LedgerForgeries, AreNamedInPostgres) {
  const LedgerForgery row = kLedgerForgeries[GetParam()];
  SCOPED_TRACE(row.name);
  run(
      "store:\n  url: \"" + server().url() + "\"\n",
      [&](const ProposalWorld& w) { psql(w, row.sql); }, row.code);
}

INSTANTIATE_TEST_SUITE_P(Proposals, LedgerForgeries,
                         ::testing::Range<std::size_t>(0, kLedgerForgeries.size()));

TEST(ProposalForgeries, ARecordThatIsGoneIsNamed) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  const kit::fs::path clone = kit::clone_with_refs(world);
  sqlite(world, "DELETE FROM proposals; DELETE FROM proposal_counts");
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 1) << verified.out;
  EXPECT_TRUE(verified.has("PROP_RECORD_FORGED")) << verified.out;
  const kit::Ran emptied =
      kit::run({"/bin/bash", "-c",
                "set -eu; r=refs/gatehouse/proposals; git update-ref $r $(git commit-tree -p $r -m "
                "gone $(git mktree </dev/null))"},
               {.cwd = clone});
  ASSERT_EQ(emptied.exit_code, 0) << emptied.err;
  const Answer in_clone = in(clone, {"proposal", "verify", "--all"});
  EXPECT_EQ(in_clone.exit, 1) << in_clone.out;
  EXPECT_TRUE(in_clone.has("PROP_RECORD_FORGED")) << in_clone.out;
}

TEST(ProposalForgeries, ARecordMadeToLookLikeARefusedAttemptIsNamed) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  sqlite(world, "UPDATE proposals SET promotion_status = 'sandbox'");
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 1) << verified.out;
  EXPECT_TRUE(verified.has("PROP_PROMOTION_FORGED")) << verified.out;
}

TEST(ProposalForgeries, EveryColumnOfAPromotionIsBound) {
  for (const char* column : {"branch", "old_head", "new_head", "promoter", "created_utc"}) {
    SCOPED_TRACE(column);
    ProposalWorld world;
    world.approve();
    ASSERT_EQ(world.promote().exit, 0);
    ASSERT_EQ(world.run({"proposal", "verify", "--all"}).exit, 0);
    sqlite(world, fmt::format("UPDATE promotions SET {0} = substr({0}, 1, 3)", column));
    const Answer verified = world.run({"proposal", "verify", "--all"});
    EXPECT_EQ(verified.exit, 1) << verified.out;
    EXPECT_TRUE(verified.has("PROP_PROMOTION_FORGED")) << verified.out;
  }
}

TEST(MirrorForgeries, FilesAreBoundByTheChain) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  expect_named_in_clone(kit::forged_clone(world, "files.json", "s/\"modify\"/\"delete\"/"),
                        "PROP_RECORD_FORGED");
}

TEST(ProposalImport, TakesInTheTouchedFilesToo) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  const kit::fs::path clone = kit::clone_with_refs(world);
  EXPECT_NE(in(clone, {"proposal", "list"}).err.find("gatehouse proposal import"),
            std::string::npos);
  ASSERT_EQ(in(clone, {"proposal", "import"}).exit, 0);
  const Answer listed = in(clone, {"proposal", "list", "--file", "src/calc.py"});
  EXPECT_NE(listed.out.find(world.stem), std::string::npos) << listed.out;
}

TEST(ProposalForgeries, ARefusedAttemptOnATakenIdIsNoForgery) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  world.set("source_gap", "\"kb:4401\"");
  EXPECT_TRUE(world.submit().has("PROP_ID_TAKEN"));
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 0) << verified.out;
}

// ----------------------------------------------------------------------------- the author's
// signature

TEST(AuthorSignatures, OfARevokedKeyDoNotHoldAtPromotion) {
  Registered world{std::string(kOldBases)};
  ASSERT_EQ(world.submit_signed().exit, 0);
  world.approve_signed();
  EXPECT_EQ(world.run({"proposal", "verify", "--all"}).exit, 0);
  world.register_all(std::string(kOldBases), {}, "drafter");
  expect_named_in_clone(kit::clone_with_refs(world), "PROP_SIGNATURE_INVALID");
  expect_named_here(world, "PROP_SIGNATURE_INVALID", [&] { return world.promote_confirmed(); });
}

TEST(AuthorSignatures, OfAKeyThatWasNotValidAtSubmissionDoNotHold) {
  for (const char* window :
       {"valid_before: 2020-01-01T00:00:00Z", "valid_after: 2099-01-01T00:00:00Z"}) {
    SCOPED_TRACE(window);
    Registered world{std::string(kOldBases)};
    ASSERT_EQ(world.submit_signed().exit, 0);
    world.approve_signed();
    world.register_all(std::string(kOldBases), {{"drafter", window}});
    expect_named_here(world, "PROP_SIGNATURE_INVALID", [&] { return world.promote_confirmed(); });
  }
}

TEST(AuthorSignatures, HoldForHistoryWhenTheKeyIsTakenOutLater) {
  Registered world{std::string(kOldBases)};
  ASSERT_EQ(world.submit_signed().exit, 0);
  world.approve_signed();
  ASSERT_EQ(world.promote_confirmed().exit, 0);
  kit::git_says(world.repo, {"reset", "-q", "--hard"});
  world.register_all(std::string(kOldBases), {{"codex", "valid_before: 2020-01-01T00:00:00Z"}},
                     "drafter");
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 0) << verified.out;
  EXPECT_EQ(in(kit::clone_with_refs(world), {"proposal", "verify", "--all"}).exit, 0);
}

TEST(AuthorSignatures, TakenAwayOrReplacedInTheRefsAreNamed) {
  for (const char* sed : {"s/\"signature\":\"[^\"]*\"/\"signature\":null/",
                          "s/.{12}(.n-----END SSH)/AAAAAAAAAAAA\\1/"}) {
    SCOPED_TRACE(sed);
    Registered world;
    ASSERT_EQ(world.submit_signed().exit, 0);
    expect_named_in_clone(kit::forged_clone(world, "record.json", sed), "PROP_SIGNATURE_INVALID");
  }
}

TEST(AuthorSignatures, TakenAwayInTheLedgerAreNamed) {
  Registered world;
  ASSERT_EQ(world.submit_signed().exit, 0);
  world.approve_signed();
  sqlite(world, "UPDATE proposals SET body = json_set(body, '$.signature', NULL)");
  expect_named_here(world, "PROP_SIGNATURE_INVALID", [&] { return world.promote_confirmed(); });
}

// -------------------------------------------------------------------------------- reviewers' keys

TEST(ReviewerKeys, ThatRanOutSpeakNoMore) {
  Registered world;
  ASSERT_EQ(world.submit().exit, 0);
  world.register_all("", {{"codex", "valid_before: 2020-01-01T00:00:00Z"}});
  const Answer late = world.review("codex", "ok", {"--key", world.key("codex")});
  EXPECT_EQ(late.exit, 2) << late.out;
  EXPECT_NE(late.err.find("not_permitted"), std::string::npos) << late.err;
  EXPECT_NE(late.err.find("not valid now"), std::string::npos) << late.err;
  EXPECT_TRUE(world.run({"proposal", "show", world.stem})
                  .document.as_map()
                  ->find("reviews")
                  ->as_list()
                  ->empty());
}

TEST(ReviewerKeys, ThatWereNotValidThenDoNotCountAtPromotion) {
  Registered world{std::string(kOldBases)};
  ASSERT_EQ(world.submit().exit, 0);
  world.approve_signed();
  world.register_all(std::string(kOldBases), {{"codex", "valid_before: 2020-01-01T00:00:00Z"}});
  expect_named_in_clone(kit::clone_with_refs(world), "PROP_REVIEW_FORGED");
  const Answer promoted = world.promote_confirmed();  // whoever took the key back may still review
  EXPECT_TRUE(promoted.has("PROP_REVIEW_PENDING")) << promoted.out;
  EXPECT_EQ(world.status(), "proposed");
}

// ------------------------------------------------------------------------------------- the refs

TEST(MirrorForgeries, ExtensionFieldsAreBoundByTheChain) {
  ProposalWorld world;
  world.set("target_ref", "refs/heads/main");
  ASSERT_EQ(world.submit().exit, 0);
  expect_named_in_clone(
      kit::forged_clone(world, "record.json|meta.yaml", "s,refs/heads/main,refs/heads/other,g"),
      "PROP_RECORD_FORGED");
}

TEST(MirrorForgeries, ATargetAmongTheBranchesOfPromotionsIsNoTarget) {
  ProposalWorld world;
  world.set("target_ref", "refs/heads/gatehouse/calc-line-001");
  const Answer refused = world.submit();
  EXPECT_EQ(refused.exit, 1);
  EXPECT_TRUE(refused.has("PROP_META_INVALID")) << refused.out;
  world.set("target_ref", "refs/heads/main");
  ASSERT_EQ(world.submit().exit, 0);
  expect_named_in_clone(kit::forged_clone(world, "record.json|meta.yaml",
                                          "s,refs/heads/main,refs/heads/gatehouse/x,g"),
                        "PROP_META_INVALID");
}

TEST(MirrorForgeries, AReviewWithoutAnEventIsNamed) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  EXPECT_EQ(world.review("gemini", "changes", {"--reason", "bad:no"}).exit, 0);
  expect_named_in_clone(kit::forged_clone(world, "reviews/001.json", "s/\"changes\"/\"ok\"/"),
                        "PROP_REVIEW_FORGED");
}

TEST(MirrorForgeries, AnAuditRowChangedInTheRefsIsNamed) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  expect_named_in_clone(kit::forged_clone(world, "jsonl", "s/proposal.submitted/proposal.promoted/",
                                          "refs/gatehouse/audit"),
                        "AUDIT_BROKEN");
}

TEST(MirrorForgeries, APlanInsideAMirroredRecordIsNamed) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  const std::string plan = fmt::format(
      R"("plan":{{"kind":"promote","commit":"{0}","branch":"refs/heads/gatehouse/calc-line-001","target_ref":"refs/heads/main","old_head":"{0}","new_head":"{0}","promoter":"x","receipt":"","admission":"","reason":""}},)",
      world.base);
  expect_named_in_clone(kit::forged_clone(world, "record.json", "s|\"body\":\\{|&" + plan + "|"),
                        "PROP_MIRROR_FORGED");
}

TEST(MirrorForgeries, APromotionOfWhatIsOnlyProposedIsNamed) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  const kit::fs::path clone = kit::clone_with_refs(world);
  const kit::Ran ran = kit::run(
      {"/bin/bash", "-c",
       "set -euo pipefail; export GIT_INDEX_FILE=$PWD/.git/forged; r=refs/gatehouse/proposals; git "
       "read-tree $r; id=$(echo '{\"commit_id\":\"x\"}' | git hash-object -w --stdin); git "
       "update-index --add --cacheinfo 100644,$id,ca/calc-line-001/promotion.json; git update-ref "
       "$r $(git commit-tree -p $r -m forged $(git write-tree))"},
      {.cwd = clone});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  expect_named_in_clone(clone, "PROP_PROMOTION_FORGED");
}

TEST(MirrorForgeries, AnHonestRecordIsTakenInAndPromotedElsewhere) {
  ProposalWorld world;
  world.approve();
  const kit::fs::path clone = kit::clone_with_refs(world);
  ASSERT_EQ(in(clone, {"proposal", "import"}).exit, 0);
  EXPECT_EQ(in(clone, {"proposal", "verify", "--all"}).exit, 0);
  const Answer promoted = in(clone, {"proposal", "promote", world.stem});
  EXPECT_EQ(promoted.exit, 0) << promoted.out;
}

constexpr std::string_view kEscape = "\x1b", kTurn = "\xe2\x80\xae";

void expect_tame(const kit::Ran& ran) {
  for (const std::string& text : {ran.out, ran.err}) {
    EXPECT_EQ(text.find(kEscape), std::string::npos) << text;
    EXPECT_EQ(text.find(kTurn), std::string::npos) << text;
    EXPECT_EQ(text.find('\a'), std::string::npos) << text;
  }
}

TEST(ProposalDiff, OfEscapesCannotDriveATerminalWithoutColourEither) {
  ProposalWorld world;
  const std::string before = kit::read(world.repo / "src/calc.py") + "\x1b[31mline\n";
  kit::write(world.repo / "src/calc.py", before);  // added lines cannot have escapes, old ones may
  kit::git_says(world.repo, {"commit", "-qam", "escape"});
  world.change({{"src/calc.py", before + "new\n"}, {"tests/test_calc.py", "assert new\n"}});
  world.reset_fields("calc-line-001");
  const Answer submitted = world.submit();
  ASSERT_EQ(submitted.exit, 0) << submitted.out;
  const std::string command =
      kit::gatehouse_binary() + " proposal diff " + world.stem + " --color never --no-pager";
  const kit::Ran shown = kit::run({"script", "-qec", command, "/dev/null"}, {.cwd = world.repo});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_NE(shown.out.find("[31mline"), std::string::npos) << shown.out;
  expect_tame(shown);
}

TEST(MirrorForgeries, TextOfMirroredRecordsCannotDriveATerminal) {
  const std::string wild = "\\\\u001b[31m\\\\u001b]0;x\\\\u0007\\\\u202e";
  for (const char* member : {"promotion_status", "sub_state", "trust_level", "author_agent",
                             "target_ref", "actor", "title", "patch_id"}) {
    SCOPED_TRACE(member);
    ProposalWorld world;
    world.set("title", "\"a title\"");
    ASSERT_EQ(world.submit().exit, 0);
    const kit::fs::path clone = kit::forged_clone(
        world, "record.json", fmt::format("s/\"{0}\":\"[^\"]*\"/\"{0}\":\"{1}\"/g", member, wild));
    for (const kit::Words& words : {kit::Words{"proposal", "verify", "--all"},
                                    {"proposal", "import"},
                                    {"proposal", "list"},
                                    {"proposal", "show", "calc-line-001"}})
      expect_tame(kit::gatehouse(words, {.cwd = clone}));
    EXPECT_NE(in(clone, {"proposal", "import"}).exit, 0);
  }
}

TEST(MirrorForgeries, WordsOfReviewersThatCameWithGitCannotDriveATerminal) {
  ProposalWorld world;
  world.set("title", "\"\\u202Eback\"");
  ASSERT_EQ(world.submit().exit, 0);
  const std::string wild = fmt::format("{}[31m{}]0;x\a{}", kEscape, kEscape, kTurn);
  EXPECT_EQ(world.review("gemini", "changes", {"--reason", "bad" + wild + ":" + wild}).exit, 0);
  const kit::fs::path clone = kit::clone_with_refs(world);
  ASSERT_EQ(in(clone, {"proposal", "import"}).exit, 0);
  for (const kit::Words& words :
       {kit::Words{"proposal", "show", "calc-line-001", "--checks", "--audit", "--diff"},
        {"proposal", "list"},
        {"audit", "log"}})
    expect_tame(kit::gatehouse(words, {.cwd = clone}));
}

// ------------------------------------------------------------------------------------ audit verify

/// The promoted commit again with another message, in its place on every branch.
void rewrite_commit(const ProposalWorld& world, const std::string& sed) {
  const kit::Ran ran = kit::run(
      {"/bin/bash", "-c",
       "set -euo pipefail; c=$(git cat-file commit main | sed -E '" + sed +
           "' | git hash-object -t commit -w --stdin); git update-ref refs/heads/main $c; git "
           "update-ref refs/heads/gatehouse/calc-line-001 $c; echo $c"},
      {.cwd = world.repo});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::string commit = ran.out.substr(0, ran.out.size() - 1);
  sqlite(world, fmt::format("UPDATE promotions SET commit_id = '{0}', new_head = '{0}'", commit));
}

TEST(AuditVerify, ComparesTheTrailersOfPromotedCommitsWithTheirReceipts) {
  struct Row {
    const char *sed, *says;
  };
  for (const Row& row :
       {Row{"s/^Gatehouse-Agent: .*/Gatehouse-Agent: human/", "Gatehouse-Agent says"},
        {"s/^Promoted-By: .*/Promoted-By: boss/", "Promoted-By says"},
        {"/^Reviewed-By: codex/d", "stands where Reviewed-By belongs"},
        {"s/^Gatehouse-Receipt: .*/Gatehouse-Receipt: sha256:00/", "the receipt that"},
        {"s/^Gatehouse-Decision: .*/Gatehouse-Decision: waved through/",
         "Gatehouse-Decision says"}}) {
    SCOPED_TRACE(row.sed);
    ProposalWorld world;
    world.approve();
    ASSERT_EQ(world.promote().exit, 0);
    const Answer before = world.run({"audit", "verify"});
    EXPECT_EQ(before.exit, 0) << before.out;
    EXPECT_EQ(*before.document.as_map()->find("promotions")->as_int(), 1);
    rewrite_commit(world, row.sed);
    const Answer after = world.run({"audit", "verify"});
    EXPECT_EQ(after.exit, 1) << after.out;
    EXPECT_EQ(after.text("code"), "PROP_PROMOTION_FORGED");
    EXPECT_NE(after.text("message").find("calc-line-001"), std::string::npos) << after.out;
    EXPECT_NE(after.text("message").find(row.says), std::string::npos) << after.out;
    EXPECT_TRUE(world.run({"proposal", "verify", "--all"}).has("PROP_PROMOTION_FORGED"));
  }
}

TEST(AuditVerify, NamesAPromotionWhoseCommitOrRecordIsGone) {
  ProposalWorld world;
  world.approve();
  ASSERT_EQ(world.promote().exit, 0);
  const std::string promoted = world.head();
  sqlite(world, "UPDATE promotions SET commit_id = '" + std::string(40, 'a') + "'");
  EXPECT_TRUE(world.run({"audit", "verify"}).has("PROP_PROMOTION_FORGED"));
  sqlite(world, "UPDATE promotions SET commit_id = '" + promoted + "'");
  EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);
  sqlite(world,
         "UPDATE documents SET body = replace(body, '\"source_gap\":\"kb:4400\"', "
         "'\"source_gap\":\"kb:1\"') WHERE kind = 'receipt'");
  EXPECT_TRUE(world.run({"audit", "verify"}).has("PROP_PROMOTION_FORGED"));
  sqlite(world, "DELETE FROM promotions; UPDATE proposals SET promotion_status = 'rejected'");
  const Answer hidden = world.run({"audit", "verify"});
  EXPECT_EQ(hidden.exit, 1);
  EXPECT_NE(hidden.out.find("not on record"), std::string::npos) << hidden.out;
}

TEST(AuditVerify, ChecksMergesToo) {
  ProposalWorld world(std::string(kit::kGatePolicy) + std::string(kOldBases));
  world.approve();
  kit::write(world.repo / "README.md", "# Calc, second\n");
  world.commit("elsewhere");
  ASSERT_EQ(world.promote().exit, 0);
  EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);
  const kit::Ran ran = kit::run({"/bin/bash", "-c",
                                 "set -euo pipefail; git cat-file commit main | sed "
                                 "'s/^Promoted-By: .*/Promoted-By: boss/' | "
                                 "git hash-object -t commit -w --stdin"},
                                {.cwd = world.repo});
  sqlite(world, "UPDATE promotions SET new_head = '" + ran.out.substr(0, ran.out.size() - 1) + "'");
  const Answer after = world.run({"audit", "verify"});
  EXPECT_EQ(after.exit, 1);
  EXPECT_NE(after.text("message").find("Promoted-By says 'boss'"), std::string::npos) << after.out;
}

TEST(AuditVerify, ReadsTheRefsInACloneWithoutALedger) {
  ProposalWorld world;
  world.approve();
  ASSERT_EQ(world.promote().exit, 0);
  const Answer honest = in(kit::clone_with_refs(world, "honest"), {"audit", "verify"});
  EXPECT_EQ(honest.exit, 0) << honest.out;
  EXPECT_EQ(honest.text("source"), "refs/gatehouse");
  EXPECT_EQ(*honest.document.as_map()->find("promotions")->as_int(), 1);
  EXPECT_GT(*honest.document.as_map()->find("rows")->as_int(), 3);
  const Answer forged = in(kit::forged_clone(world, "promotion.json",
                                             "s/\"promoter\":\"[^\"]*\"/\"promoter\":\"boss\"/"),
                           {"audit", "verify"});
  EXPECT_EQ(forged.exit, 1) << forged.out;
  EXPECT_EQ(forged.text("code"), "PROP_PROMOTION_FORGED");
}

// ------------------------------------------------------------------------------------ one ledger

TEST(OneLedger, AProposalDoesNotChooseItByItsTarget) {
  ProposalWorld world;
  kit::git_says(world.repo, {"checkout", "-q", "-b", "side"});
  kit::write(world.repo / "gatehouse.yaml", std::string(kit::kGatePolicy) + "store:\n  url: \"" +
                                                server().url() + "\"\n  signing_key: ../planted\n");
  world.commit("another ledger");
  world.change({{"src/calc.py", kit::read(world.repo / "src/calc.py") + "line 41\n"},
                {"tests/test_calc.py", "assert the new line is there\n"}});
  world.reset_fields("calc-line-001");
  world.set("target_ref", "refs/heads/side");
  world.approve();  // also while HEAD is on that branch
  kit::git_says(world.repo, {"checkout", "-q", "main"});
  const Answer promoted = world.promote();
  EXPECT_EQ(promoted.exit, 0) << promoted.out << promoted.err;
  EXPECT_EQ(kit::git_says(world.repo, {"rev-parse", "side^"}), world.base);
  EXPECT_EQ(world.run({"proposal", "rollback", world.stem, "--reason", "not wanted"}).exit, 0);
  kit::git_says(world.repo, {"checkout", "-q", "side"});
  kit::git_says(world.repo, {"reset", "-q", "--hard"});
  EXPECT_EQ(
      kit::gatehouse({"check", "-", "--base", "side"}, {.cwd = world.repo, .input = "no diff\n"})
          .exit_code,
      1);
  EXPECT_EQ(world.run({"proposal", "verify", "--all"}).exit, 0);
  EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);
  const kit::Ran events = kit::run(
      {"sqlite3", ledger_of(world.repo), "SELECT DISTINCT event FROM audit ORDER BY event"}, {});
  EXPECT_EQ(events.out,
            "patch.rejected\nproposal.promoted\nproposal.promotion_started\nproposal.reviewed\n"
            "proposal.rolled_back\nproposal.submitted\n");
  const std::string id = kit::git_says(world.repo, {"rev-list", "--max-parents=0", "HEAD"});
  const kit::Ran schemas = kit::run(
      {"psql", "-qXAt", server().url(), "-c",
       fmt::format("SELECT count(*) FROM information_schema.schemata WHERE schema_name = 'gh_{}'",
                   id.substr(0, 16))},
      {});
  EXPECT_EQ(schemas.out, "0\n") << schemas.err;
}

}  // namespace
}  // namespace gh
