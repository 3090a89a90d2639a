// What the commands of proposals, receipts and the ledger print, judged by the schemas in
// docs/schemas.
#include "tests/proposal_actors_kit.h"
#include "tests/schema_kit.h"

namespace gh {
namespace {

using kit::Answer;
using kit::ProposalWorld;
using kit::Registered;
using testing::corrupted;
using testing::judged;

/// Expects that the answer conforms to the schema that it names itself.
std::string checked(const Answer& answer) {
  const std::string name = answer.text("schema");
  const std::size_t dot = name.find('.'), slash = name.find('/');
  if (dot == std::string::npos || slash == std::string::npos) {
    ADD_FAILURE() << answer.out << answer.err;
    return answer.out;
  }
  EXPECT_EQ(judged(name.substr(dot + 1, slash - dot - 1), answer.out), "") << answer.out;
  return answer.out;
}

void expect_named(const Answer& answer, std::string_view schema) {
  EXPECT_EQ(answer.text("schema"), schema);
  checked(answer);
}

TEST(ProposalSchemas, TheWayOfAProposalConforms) {
  ProposalWorld world;
  world.set("risk_notes", "low risk");
  world.write_pair();
  expect_named(world.run({"proposal", "lint", world.box.string()}), "gatehouse.admission/1");
  expect_named(world.submit(), "gatehouse.admission/1");  // refused
  world.reset_fields("calc-line-001");
  world.set("schema", "gatehouse.proposal/1");
  world.set("title", "\"a line\"");
  world.set("x_note", "{deep: [1, two]}");
  expect_named(world.submit(), "gatehouse.admission/1");
  expect_named(world.submit(), "gatehouse.proposal_status/1");  // again
  expect_named(world.review("somebody"), "gatehouse.proposal_status/1");
  expect_named(world.review("gemini", "changes", {"--reason", "bad:src/calc.py:3:no"}),
               "gatehouse.proposal_status/1");
  expect_named(world.review("gemini"), "gatehouse.proposal_status/1");
  expect_named(world.promote(), "gatehouse.admission/1");  // too early
  expect_named(world.review("codex"), "gatehouse.proposal_status/1");
  expect_named(world.run({"check", "--proposal", world.stem}), "gatehouse.verdict/1");
  expect_named(world.promote(), "gatehouse.admission/1");
  expect_named(world.run({"proposal", "show", world.stem, "--checks", "--audit", "--diff"}),
               "gatehouse.proposal_record/1");
  expect_named(world.run({"proposal", "show", world.stem, "--payload", "promoter"}),
               "gatehouse.signed_payload/1");
  expect_named(world.run({"proposal", "diff", world.stem}), "gatehouse.proposal_diff/1");
  expect_named(world.run({"receipt", "show", "main"}), "gatehouse.receipt/1");
  expect_named(world.run({"receipt", "verify", "main"}), "gatehouse.receipt_verification/1");
  expect_named(world.run({"proposal", "rollback", world.stem, "--reason", "not wanted"}),
               "gatehouse.proposal_status/1");
  expect_named(world.run({"proposal", "rollback", world.stem, "--reason", "again"}),
               "gatehouse.proposal_status/1");  // refused
  expect_named(world.run({"proposal", "show", world.stem}), "gatehouse.proposal_record/1");
  expect_named(world.run({"proposal", "list"}), "gatehouse.proposal_list/1");
  expect_named(world.run({"proposal", "verify", "--all"}), "gatehouse.proposal_verification/1");
  expect_named(world.run({"proposal", "export"}), "gatehouse.proposal_export/1");
  expect_named(world.run({"proposal", "import"}), "gatehouse.proposal_import/1");
  expect_named(world.run({"proposal", "recover"}), "gatehouse.proposal_recovery/1");
  expect_named(world.run({"proposal", "sync", world.box.string()}), "gatehouse.proposal_sync/1");
  expect_named(world.run({"audit", "log"}), "gatehouse.audit_log/1");
  expect_named(world.run({"audit", "verify"}), "gatehouse.audit_check/1");
  expect_named(world.run({"db", "check"}), "gatehouse.ledger_check/1");
  expect_named(world.run({"db", "migrate"}), "gatehouse.ledger_migration/1");
  expect_named(world.run({"db", "vacuum"}), "gatehouse.ledger_vacuum/1");
  expect_named(world.run({"db", "backup", (world.scratch.path() / "copy.db").string()}),
               "gatehouse.ledger_backup/1");
  const Answer lines = world.run({"audit", "export"});
  EXPECT_EQ(judged("audit_row", lines.out.substr(0, lines.out.find('\n'))), "");
}

TEST(ProposalSchemas, AnswersAboutConflictsForgeriesAndNothingConform) {
  ProposalWorld world;
  expect_named(world.run({"db", "check"}), "gatehouse.ledger_check/1");  // there is none
  expect_named(world.run({"proposal", "list"}), "gatehouse.proposal_list/1");
  ASSERT_EQ(world.submit().exit, 0);
  world.change({{"src/calc.py", kit::read(world.repo / "src/calc.py") + "another line 41\n"},
                {"tests/test_more.py", "assert more\n"}});
  world.reset_fields("calc-line-002");
  world.set("affected_files", "[src/calc.py, tests/test_more.py]");
  world.set("tests_added", "[tests/test_more.py]");
  world.set("commands_run", "[\"ctest tests/test_more.py => exit 0\"]");
  ASSERT_EQ(world.submit().exit, 0);
  const Answer conflicts = world.run({"proposal", "list", "--conflicts"});
  expect_named(conflicts, "gatehouse.proposal_conflicts/1");
  EXPECT_NE(conflicts.out.find("textual"), std::string::npos) << conflicts.out;
  expect_named(world.run({"proposal", "reject", "calc-line-002", "--reason", "unwanted:no"}),
               "gatehouse.proposal_status/1");
  kit::run({"sqlite3", (world.repo / ".git/gatehouse/ledger.db").string(),
            "UPDATE proposals SET trust_level = 'reviewed'"},
           {});
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 1);
  expect_named(verified, "gatehouse.proposal_verification/1");
  kit::run({"sqlite3", (world.repo / ".git/gatehouse/ledger.db").string(),
            "UPDATE audit SET ts = '2020-01-01T00:00:00Z'"},
           {});
  expect_named(world.run({"audit", "verify"}), "gatehouse.audit_check/1");
  expect_named(world.run({"db", "check"}), "gatehouse.ledger_check/1");
  kit::write(world.repo / "README.md", "# Calc, changed\n");
  expect_named(world.run({"proposal", "new", "--agent", "m / r", "--gap", "kb:1", "--out",
                          (world.scratch.path() / "draft").string()}),
               "gatehouse.proposal_draft/1");
}

TEST(ProposalSchemas, SignedReceiptsAndStatementsConform) {
  ProposalWorld world(std::string(kit::kGatePolicy) + "store:\n  signing_key: ../signer\n");
  EXPECT_EQ(kit::shell(world, "ssh-keygen -q -t ed25519 -N '' -f signer").exit_code, 0);
  world.approve();
  ASSERT_EQ(world.promote().exit, 0);
  kit::git_says(world.repo, {"reset", "-q", "--hard"});
  const Answer receipt = world.run({"receipt", "show", "main"});
  expect_named(receipt, "gatehouse.receipt/1");
  EXPECT_NE(receipt.text("signature"), "(absent)");
  for (const char* format : {"in-toto", "slsa-vsa"}) {
    const Answer statement = world.run({"receipt", "export", "main", "--format", format});
    EXPECT_EQ(judged("in_toto_statement", statement.out), "") << statement.out;
  }
  const Answer envelope = world.run({"receipt", "export", "main", "--format", "dsse"});
  EXPECT_EQ(judged("dsse_envelope", envelope.out), "") << envelope.out;
  // What others must not take for ours.
  const std::string statement = world.run({"receipt", "export", "main", "--format", "in-toto"}).out;
  EXPECT_NE(judged("in_toto_statement", corrupted(statement, {"predicateType"}, Value("other"))),
            "");
  EXPECT_NE(judged("in_toto_statement", corrupted(statement, {"predicate", "body"}, {})), "");
  EXPECT_NE(judged("dsse_envelope", corrupted(envelope.out, {"signatures"}, Value(List{}))), "");
  EXPECT_NE(judged("receipt", corrupted(receipt.out, {"body", "proposal_digest"}, {})), "");
  EXPECT_NE(judged("receipt", corrupted(receipt.out, {"subject", "proposal_id"}, Value())), "");
}

TEST(ProposalSchemas, CorruptedDocumentsAreRefused) {
  Registered world;
  const std::string admission = checked(world.submit_signed());
  world.approve_signed();
  const std::string record = checked(world.run({"proposal", "show", world.stem}));
  const std::string list = checked(world.run({"proposal", "list"}));
  const std::string status = checked(world.review("codex", "ok", {"--key", world.key("codex")}));
  const std::string audit = checked(world.run({"audit", "verify"}));
  const Answer shown = world.run({"proposal", "show", world.stem});
  const std::string review =
      wire::canonical_json(shown.document.as_map()->find("reviews")->as_list()->front());
  EXPECT_EQ(judged("review", review), "");
  const std::vector<std::pair<const char*, std::string>> broken = {
      {"admission", corrupted(admission, {"decision"}, Value("wave_through"))},
      {"admission", corrupted(admission, {"checks"}, Value(List{}))},
      {"admission", corrupted(admission, {"verdict", "decision"}, Value("maybe"))},
      {"proposal_record", corrupted(record, {"sub_state"}, Value("\x1b[31m"))},
      {"proposal_record", corrupted(record, {"metadata", "risk_notes"}, {})},
      {"proposal_record", corrupted(record, {"metadata", "colour"}, Value("blue"))},
      {"proposal_record", corrupted(record, {"proposal_digest"}, Value("abc"))},
      {"proposal_list", corrupted(list, {"total"}, Value("1"))},
      {"proposal_status", corrupted(status, {"reasons"}, {})},
      {"audit_check", corrupted(audit, {"code"}, Value("FINE"))},
      {"audit_check", corrupted(audit, {"promotions"}, {})},
      {"review", corrupted(review, {"verdict"}, Value("lgtm"))},
      {"review", corrupted(review, {"candidate_tree"}, {})},
  };
  for (const auto& [schema, document] : broken)
    EXPECT_NE(judged(schema, document), "") << schema << document.substr(0, 200);
}

}  // namespace
}  // namespace gh
