// detect, init, doctor and fixture: from nothing to a first decision.
#include "base/digest.h"
#include "model/peek.h"
#include "tests/release_kit.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

class ReleaseSetup : public ::testing::Test, protected AgentFolder {
 protected:
  std::string detected(std::string_view path) const {
    const Ran ran = release({"detect", "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(judged("release_detection", ran.out), "");
    return member_text(ran.out, path);
  }
  void write_agent() const {
    write("app/tools.py",
          "from agents import Agent, function_tool\n\n\n@function_tool\ndef delete_user(user_id: "
          "str) -> str:\n    \"\"\"Delete a user.\"\"\"\n    return user_id\n");
    write(
        "exports/orders.mcp.json",
        R"({"tools":[{"name":"orders.get","description":"Look up an order.","inputSchema":{"type":"object"}}]})");
    write("tests/fake.mcp.json",
          R"({"tools":[{"name":"fake","description":"x","inputSchema":{"type":"object"}}]})");
    write("node_modules/x/y.mcp.json",
          R"({"tools":[{"name":"dep","description":"x","inputSchema":{"type":"object"}}]})");
  }
};

TEST_F(ReleaseSetup, DetectNamesSourcesThatCanBeReadAndNothingElse) {
  EXPECT_EQ(detected("is_agent_project"), "false");
  EXPECT_EQ(detected("diagnostics.0.id"), "SHIP-DIAG-NO-AGENT-SURFACE");
  write("pyproject.toml", "[project]\nname='x'\n");
  write("lib.py", "def f(): pass\n");
  EXPECT_EQ(detected("diagnostics.0.id"), "SHIP-DIAG-NON-AGENT-LIBRARY");
  write_agent();
  EXPECT_EQ(detected("is_agent_project"), "true");
  EXPECT_EQ(detected("suggested_sources.0.type"), "mcp");
  EXPECT_EQ(detected("suggested_sources.0.path"), "exports/orders.mcp.json");
  EXPECT_EQ(detected("suggested_sources.1.type"), "openai_agents_sdk");
  EXPECT_EQ(detected("suggested_sources.1.path"), "app/tools.py");
  EXPECT_EQ(detected("suggested_sources.1.tool_count"), "1");
  EXPECT_EQ(detected("suggested_sources.2"), "absent");
  EXPECT_EQ(detected("diagnostics.0.id"), "SHIP-DIAG-MISSING-MANIFEST");
  EXPECT_EQ(release({"detect", "--workspace", "gone"}).code, 2);
}

TEST_F(ReleaseSetup, PromptsAloneAndDocumentsAloneAreSaidToBeThat) {
  write("prompts/system.md", "Be kind.\n");
  EXPECT_EQ(detected("diagnostics.0.id"), "SHIP-DIAG-PURE-PROMPT-EXPERIMENT");
  write(
      "api/openapi.yaml",
      "openapi: 3.0.0\ninfo: {title: t, version: '1'}\npaths:\n  /a:\n    get:\n      operationId: "
      "getA\n      responses: {}\n");
  EXPECT_EQ(detected("suggested_sources.0.type"), "openapi");
  EXPECT_EQ(detected("diagnostics.1.id"), "SHIP-DIAG-MCP-OPENAPI-ARTIFACT-ONLY");
}

TEST_F(ReleaseSetup, InitDraftsAManifestThatScans) {
  write_agent();
  const Ran shown = release({"init"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_FALSE(has("shipgate.yaml"));
  const Ran ran = release({"init", "--write", "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(judged("release_init", ran.out), "");
  const std::string manifest = read("shipgate.yaml");
  EXPECT_TRUE(contains(manifest, "path: \"exports/orders.mcp.json\"")) << manifest;
  EXPECT_TRUE(contains(manifest, "#     - \"delete_user\"")) << manifest;
  for (const char* never : {"strict", "baseline", "ignore", "human_ack"})
    EXPECT_FALSE(contains(manifest, never)) << never;
  const Ran scanned = release({"scan", "--field", "tool_surface.total_tools"});
  EXPECT_EQ(scanned.out, "2\n") << scanned.err;
  const Ran again = release({"init", "--write"}, {"AGENTS_SHIPGATE_AGENT_MODE=yes"});
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(member_text(again.last_error_line(), "error"), "config_already_exists") << again.err;
  EXPECT_EQ(read("shipgate.yaml"), manifest);
}

TEST_F(ReleaseSetup, AnEmptyFolderGetsPlaceholdersThatDoctorNames) {
  EXPECT_EQ(release({"init", "--write", "--minimal"}).code, 0);
  const Ran ran = release({"doctor", "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(judged("release_doctor", ran.out), "");
  EXPECT_EQ(member_text(ran.out, "unresolved_sources.0.declared_path"), "CHANGE_ME.json");
  EXPECT_EQ(member_text(ran.out, "unresolved_sources.0.reason"), "missing");
  EXPECT_NE(member_text(ran.out, "unresolved_sources.0.line"), "0");
  EXPECT_EQ(member_text(ran.out, "diagnostics.0.id"), "SHIP-DIAG-MISSING-SOURCE-FILE");
  EXPECT_EQ(member_text(ran.out, "diagnostics.1.id"), "SHIP-DIAG-CHANGE-ME-PLACEHOLDERS");
  EXPECT_EQ(release({"doctor"}).code, 3);
  EXPECT_EQ(release({"scan"}).code, 3);
}

TEST_F(ReleaseSetup, TheManifestOfTheRepositoryIsFoundFromBelow) {
  write("gatehouse.yaml",
        "release_gate:\n  version: \"0.1\"\n  project: {name: p}\n  agent: {name: a, "
        "declared_purpose: [help]}\n  environment: {target: local}\n  tool_sources: [{id: m, type: "
        "mcp, path: m.json}]\n");
  write("m.json", R"([{"name":"look","description":"Looks at one table."}])");
  write("src/deep/x.txt", "x");
  std::filesystem::create_directories(root() / ".git");
  const Ran ran = gatehouse({"release", "doctor", "--json"}, (root() / "src/deep").string());
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(member_text(ran.out, "tool_count"), "1") << ran.out;
}

TEST_F(ReleaseSetup, AManifestThatWasNamedAndIsNotThereGetsNoAdviceToDraftOne) {
  const Ran named = release({"scan", "-c", "nope.yaml"});
  EXPECT_EQ(named.code, 2);
  EXPECT_TRUE(contains(named.err, "there is no manifest")) << named.err;
  EXPECT_FALSE(contains(named.err, "init --write")) << named.err;
  EXPECT_TRUE(contains(release({"scan"}).err, "init --write"));
}

TEST_F(ReleaseSetup, AnOldIdOfOneCheckIsExplainedAndReviewIsSaidAsItIs) {
  const Ran old_id = release({"explain", "SHIP-MCP-ANNOTATION-CONTRADICTION", "--json"});
  EXPECT_EQ(old_id.code, 0) << old_id.err;
  EXPECT_EQ(member_text(old_id.out, "id"), "GATE-MCP-ANNOTATION-CONTRADICTION");
  const Ran low = release({"explain", "SHIP-TRUST-MANIFEST-UNPROTECTED", "--json"});
  EXPECT_EQ(member_text(low.out, "requires_human_review"), "false");
}

TEST_F(ReleaseSetup, DoctorTellsMissingFromOutside) {
  copy_fixture("reader-agent");
  EXPECT_EQ(release({"doctor"}).code, 0);
  std::string manifest = read("shipgate.yaml");
  manifest.replace(manifest.find("tools/orders.mcp.json"), 21, "../../etc/passwd");
  write("shipgate.yaml", manifest);
  const Ran ran = release({"doctor", "--json"});
  EXPECT_EQ(member_text(ran.out, "unresolved_sources.0.reason"), "outside_manifest_dir") << ran.out;
  write("shipgate.yaml", "version: 1\n");
  const Ran broken = release({"doctor", "--json"});
  EXPECT_EQ(broken.code, 0) << broken.err;
  EXPECT_EQ(member_text(broken.out, "diagnostics.0.id"), "SHIP-DIAG-INVALID-MANIFEST");
  EXPECT_EQ(release({"doctor"}).code, 2);
  fs::remove(root() / "shipgate.yaml");
  EXPECT_EQ(member_text(release({"doctor", "--json"}).out, "diagnostics.0.id"),
            "SHIP-DIAG-MISSING-MANIFEST");
}

TEST_F(ReleaseSetup, TheWorkflowIsWrittenOnceAndNeverASecondTime) {
  write_agent();
  EXPECT_EQ(release({"init", "--ci", "--write"}).code, 0);
  EXPECT_TRUE(contains(read(".github/workflows/agents-shipgate.yml"), "--ci-mode advisory"));
  EXPECT_EQ(release({"init", "--ci", "--write"}).code, 2);
  fs::rename(root() / ".github/workflows/agents-shipgate.yml", root() / ".github/workflows/x.yml");
  EXPECT_EQ(release({"init", "--ci", "--write"}).code, 2);
}

TEST_F(ReleaseSetup, DiscoveryFilesAgreeWithTheContractAndAreWrittenOnce) {
  write_agent();
  write("CLAUDE.md", "# Mine\n");
  const Ran ran = release({"init", "--agent-instructions=all", "--write"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const std::string contract = gatehouse({"contract", "--json"}, root().string()).out;
  const std::string known = read(".well-known/agents-shipgate.json");
  for (const char* key :
       {"contract_version", "cli_version", "report_schema_version", "packet_schema_version",
        "verifier_schema_version", "baseline_schema_version", "trigger_schema_version",
        "gating_signal", "manual_review_signals"})
    EXPECT_EQ(member_text(known, key), member_text(contract, key)) << key;
  EXPECT_EQ(member_text(read("docs/triggers.json"), "schema_version"),
            member_text(contract, "trigger_schema_version"));
  EXPECT_EQ(member_text(read("docs/errors.json"), "errors"), member_text(known, "errors"));
  EXPECT_EQ(
      member_text(known, "errors"),
      R"([{"error":"config_error","exit_code":2},{"error":"config_already_exists","exit_code":2},)"
      R"({"error":"unknown_check_id","exit_code":2},{"error":"unknown_fingerprint","exit_code":2},)"
      R"({"error":"malformed_patch","exit_code":2},{"error":"input_parse_error","exit_code":3},)"
      R"({"error":"other_error","exit_code":4},{"error":"internal_error","exit_code":5}])");
  // Both maps of docs/reference/exit-codes.md, each in agreement with itself.
  for (const Value& row : *wire::read_json(known, "known")->as_map()->find("errors")->as_list()) {
    const std::string error{Peek(row)["error"].text()};
    const std::string code = member_text(known, "exit_codes." + error);
    if (code != "absent") EXPECT_EQ(code, std::to_string(Peek(row)["exit_code"].number())) << error;
  }
  EXPECT_EQ(member_text(known, "exit_codes"),
            R"({"baseline_integrity":1,"config_error":2,"gate_failure":1,"input_parse_error":3,)"
            R"("internal_error":5,"other_error":4,"patch_outside":3})");
  EXPECT_EQ(member_text(known, "shipgate_exit_codes"),
            R"({"baseline_integrity":6,"config_error":2,"gate_failure":20,"input_parse_error":3,)"
            R"("internal_error":4,"other_error":4,"patch_outside":5})");
  const std::vector<std::string> texts{
      "AGENTS.md", "CLAUDE.md", "prompts/explain-finding-to-user.md",
      ".claude/skills/release-gate/SKILL.md", ".claude/commands/release-gate.md"};
  for (const std::string& path : texts) {
    EXPECT_TRUE(contains(read(path), "gatehouse contract --json")) << path;
    // Every command that a text names exists.
    std::string text = read(path);
    for (std::size_t at = text.find("gatehouse release "); at != std::string::npos;
         at = text.find("gatehouse release ", at + 1)) {
      const std::string rest = text.substr(at + 18, 40);
      const std::string word = rest.substr(0, rest.find_first_of(" `\n"));
      EXPECT_EQ(release({word, "--help"}).code, 0) << path << ": " << word;
    }
  }
  EXPECT_TRUE(contains(read("AGENTS.md"), member_text(contract, "gating_signal")));
  EXPECT_TRUE(read("CLAUDE.md").starts_with("# Mine\n"));
  std::map<std::string, std::string> first;
  for (const auto& entry : fs::recursive_directory_iterator(root()))
    if (entry.is_regular_file()) first[entry.path().string()] = bytes_of(entry.path());
  const Ran again = release({"init", "--agent-instructions=all", "--write"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(contains(again.out, "everything is there already")) << again.out;
  for (const auto& [path, bytes] : first)
    EXPECT_EQ(bytes_of(path), bytes) << path;
}

TEST_F(ReleaseSetup, TheContractSaysWhatReadersRelyOn) {
  const std::string contract = gatehouse({"contract", "--json"}, root().string()).out;
  EXPECT_EQ(judged("contract", contract), "");
  EXPECT_EQ(member_text(contract, "contract_version"), "1");
  EXPECT_EQ(member_text(contract, "gating_signal"), "release_decision.decision");
  const std::vector<std::string> signals{"release_decision.review_items",
                                         "release_decision.contribution_rules",
                                         "findings[].requires_human_review",
                                         "findings[].blocks_release",
                                         "findings[].provenance_kind",
                                         "summary.human_review_recommended",
                                         "action_surface_diff",
                                         "codex_plugin_surface",
                                         "packet.evidence_matrix.rows",
                                         "packet.capability_intent.divergence_findings",
                                         "packet.approval_coverage.gap_findings",
                                         "packet.idempotency_risk.gap_findings",
                                         "packet.scope_coverage.gap_findings",
                                         "packet.human_in_the_loop.trace_findings",
                                         "packet.dynamic_scenarios.scenarios"};
  EXPECT_EQ(member_text(contract, "manual_review_signals"),
            wire::canonical_json(string_list(signals)));
}

TEST_F(ReleaseSetup, EveryFixtureIsDecidedAsExpectedAndDiffersWhenChanged) {
  const Ran list = release({"fixture", "list", "--json"});
  EXPECT_EQ(judged("release_fixtures", list.out), "");
  for (const char* name : {"reader-agent", "refund-agent"}) {
    EXPECT_TRUE(contains(list.out, name));
    const Ran ran = release({"fixture", "verify", name, "--json"});
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
    EXPECT_EQ(judged("release_fixture_check", ran.out), "");
  }
  EXPECT_EQ(release({"fixture", "run", "refund-agent"}).code, 0);
  EXPECT_EQ(release({"fixture", "run", "refund-agent", "--ci-mode", "strict"}).code, 1);
  EXPECT_EQ(by_old_name({"fixture", "run", "refund-agent", "--ci-mode", "strict"}).code, 20);
  EXPECT_EQ(release({"fixture", "run", "reader-agent", "--ci-mode", "strict"}).code, 0);
  EXPECT_EQ(release({"fixture", "run", "nobody"}).code, 2);
  const Ran copied = release({"fixture", "copy", "reader-agent", "--to", "x", "--json"});
  EXPECT_EQ(copied.code, 0) << copied.err;
  EXPECT_EQ(judged("release_fixture_copied", copied.out), "");
  EXPECT_EQ(release({"fixture", "copy", "reader-agent", "--to", "x"}).code, 2);
  EXPECT_EQ(release({"scan", "-c", "x/shipgate.yaml", "--field", "release_decision.decision"}).out,
            "passed\n");
}

TEST_F(ReleaseSetup, SeveralManifestsAreScannedAndTheWorstExitCounts) {
  for (const char* name : {"reader-agent", "refund-agent"})
    ASSERT_EQ(release({"fixture", "copy", name, "--to", std::string("agents/") + name}).code, 0);
  const Ran all = release({"scan", "--workspace", ".", "--json"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_EQ(judged("release_workspace", all.out), "");
  EXPECT_EQ(member_text(all.out, "scans.0.decision"), "passed");
  EXPECT_EQ(member_text(all.out, "scans.1.decision"), "blocked");
  EXPECT_TRUE(has("agents/refund-agent/agents-shipgate-reports/report.json"));
  EXPECT_EQ(release({"scan", "--config", "agents/*/shipgate.yaml", "--ci-mode", "strict"}).code, 1);
  write("agents/broken/shipgate.yaml", "version: 1\n");
  EXPECT_EQ(release({"scan", "--workspace", ".", "--ci-mode", "strict"}).code, 2);
  EXPECT_EQ(release({"scan", "--workspace", "agents/reader-agent/tools"}).code, 2);
  EXPECT_EQ(release({"scan", "--workspace", ".", "--out", "x"}).code, 2);
}

TEST_F(ReleaseSetup, AcceptedFindingsKeepTheirReasonsAndDates) {
  copy_fixture("refund-agent");
  const auto save = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"baseline", "save"});
    const Ran ran = release(more);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return member_text(read(".agents-shipgate/baseline.json"), "findings.0.provenance.reason") +
           " " +
           member_text(read(".agents-shipgate/baseline.json"), "findings.0.provenance.expires");
  };
  EXPECT_EQ(save({}), "null null");
  EXPECT_EQ(save({"--reason", "known", "--expires", "2099-01-01"}), "null null");
  EXPECT_EQ(save({"--reason", "known", "--expires", "2099-01-01", "--apply-to-existing"}),
            "known 2099-01-01");
  EXPECT_EQ(save({"--reason", "other", "--apply-to-existing"}), "known 2099-01-01");
  EXPECT_EQ(release({"baseline", "verify", "--strict"}).code, 0);
  EXPECT_EQ(release({"baseline", "save", "--expires", "tomorrow"}).code, 2);
  const Ran scanned = release(
      {"scan", "--baseline", ".agents-shipgate/baseline.json", "--ci-mode", "strict", "--json"});
  EXPECT_EQ(scanned.code, 0) << scanned.err;
  EXPECT_EQ(member_text(scanned.out, "release_decision.decision"), "review_required");
}

TEST_F(ReleaseSetup, ASaveStandsInTheAuditChainOfTheRepositoryAroundIt) {
  copy_fixture("refund-agent");
  ASSERT_EQ(run_program({"/usr/bin/git", "init", "-q"}, root().string()).code, 0);
  ASSERT_EQ(release({"baseline", "save"}).code, 0);
  const Ran log = gatehouse({"audit", "export"}, root().string());
  EXPECT_EQ(member_text(log.out, "event"), "release.baseline_saved");
  EXPECT_EQ(member_text(log.out, "subject.run_id"),
            member_text(read(".agents-shipgate/baseline-audit.log"), "run_id"));
  EXPECT_EQ(member_text(log.out, "payload.hash_after"),
            member_text(read(".agents-shipgate/baseline-audit.log"), "hash_after"));
  EXPECT_EQ(member_text(log.out, "payload.hash_before"), "null");
  EXPECT_EQ(gatehouse({"audit", "verify"}, root().string()).code, 0);
}

TEST_F(ReleaseSetup, ABaselineThatIsRewrittenWithItsLogIsNoneThatTheChainKnows) {
  copy_fixture("refund-agent");
  ASSERT_EQ(run_program({"/usr/bin/git", "init", "-q"}, root().string()).code, 0);
  ASSERT_EQ(release({"baseline", "save"}).code, 0);
  EXPECT_EQ(release({"baseline", "verify", "--strict"}).code, 0);
  std::string file = read(".agents-shipgate/baseline.json"),
              log = read(".agents-shipgate/baseline-audit.log");
  const std::string hash = member_text(log, "hash_after");
  file += "\n";
  log.replace(log.find(hash), hash.size(), gh::digest_of(file).tagged());
  write(".agents-shipgate/baseline.json", file);
  write(".agents-shipgate/baseline-audit.log", log);
  EXPECT_EQ(release({"baseline", "verify"}).code, 0);
  const Ran strict = release({"baseline", "verify", "--strict", "--json"});
  EXPECT_EQ(strict.code, 1) << strict.err;
  EXPECT_EQ(member_text(strict.out, "issues.0.kind"), "hash_mismatch");
  write("shipgate.yaml", read("shipgate.yaml") + "baseline: {integrity_mode: strict}\n");
  const Ran scanned = release({"scan", "--baseline", ".agents-shipgate/baseline.json", "--json"});
  EXPECT_EQ(member_text(scanned.out, "release_decision.decision"), "blocked") << scanned.err;
}

TEST_F(ReleaseSetup, AnEntryExpiresOnADayOfTheCalendarThatIsNotOver) {
  copy_fixture("refund-agent");
  for (const char* day : {"2099-02-31", "2099-13-45", "2099-00-01", "2020-01-01", "2099-1-1",
                          "2099-01-01T00:00:00Z", "99999-01-01"}) {
    const Ran ran = release({"baseline", "save", "--expires", day});
    EXPECT_EQ(ran.code, 2) << day;
    EXPECT_TRUE(ran.err.find("--expires takes a day") != std::string::npos) << ran.err;
  }
  EXPECT_EQ(release({"baseline", "save", "--expires", "2096-02-29"}).code, 0);
}

TEST_F(ReleaseSetup, WhatChangedSinceAReportIsCountedForTheReviewer) {
  copy_fixture("reader-agent");
  ASSERT_EQ(release({"scan", "--out", "before"}).code, 0);
  const Ran same = release({"scan", "--diff-from", "before/report.json", "--json"});
  EXPECT_EQ(member_text(same.out, "reviewer_summary.first_recommended_surface"), "null");
  std::string tools = read("tools/orders.mcp.json");
  const std::string first =
      tools.substr(tools.find('[') + 1, tools.rfind(']') - tools.find('[') - 1);
  std::string second = first;
  second.replace(second.find("orders.get_order"), 16, "orders.get_items");
  tools.insert(tools.rfind(']'), "," + second);
  write("tools/orders.mcp.json", tools);
  const Ran more = release({"scan", "--diff-from", "before/report.json", "--json"});
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(member_text(more.out, "reviewer_summary.action_surface_changes"), "1") << more.err;
  // One tool, and one scope that now names two tools; nothing else.
  EXPECT_EQ(member_text(more.out, "reviewer_summary.tool_surface_changes"), "1");
  EXPECT_EQ(member_text(more.out, "reviewer_summary.first_recommended_surface.name"),
            "action_surface_diff");
  EXPECT_EQ(member_text(more.out, "release_decision.decision"), "passed");
}

}  // namespace
}  // namespace gh::testing
