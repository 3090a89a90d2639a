#include "release/baseline_audit.h"

#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/text.h"

namespace gh::release {
namespace {

GatedFinding finding(std::string check_id, std::string tool = "t") {
  Finding f;
  f.check_id = std::move(check_id);
  f.tool_name = std::move(tool);
  f.severity = FindingSeverity::high;
  f.title = "a title";
  return identified({f})[0];
}

BaselineFacts facts(const Baseline* prior = nullptr, std::string run = "run_1",
                    std::string at = "2026-05-15T14:23:00Z") {
  return {.project = Map{{"name", "p"}},
          .agent = Map{{"name", "a"}},
          .created_at = std::move(at),
          .run_id = std::move(run),
          .scanner_version = "0.1.0",
          .tool_surface_facts = Map{},
          .action_surface_facts = Map{},
          .prior = prior};
}

BaselineFile saved(const Findings& findings) {
  const std::string bytes = write_baseline(findings, facts());
  BaselineFile file{*read_baseline(bytes, "b.json"), bytes, "b.json", {}, "b-audit.log"};
  file.log = audit_line({"2026-05-15T14:23:00Z", "run_1", "0.1.0", "b.json", "",
                         digest_of(bytes).tagged()}) +
             "\n";
  return file;
}

std::vector<std::string> kinds(const BaselineFile& file, std::string_view today = "2026-11-17") {
  std::vector<std::string> out;
  for (const BaselineIssue& issue : baseline_issues(file, today))
    out.push_back(issue.kind);
  return out;
}

using Kinds = std::vector<std::string>;

TEST(BaselineFile, HoldsNoSecretAndStillKnowsItsFindings) {
  const std::string secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  Findings findings{finding("A", "wipe " + secret)};
  findings[0].finding.title = "Tool wipe " + secret + " has no owner";
  const std::string bytes = write_baseline(findings, facts());
  EXPECT_EQ(bytes.find(secret), std::string::npos) << bytes;
  const Baseline baseline = *read_baseline(bytes, "b");
  EXPECT_EQ(match_baseline(findings, baseline, "b").matched, 1);
  EXPECT_EQ(write_baseline(findings, facts(&baseline, "run_1", "2027-01-01T00:00:00Z")), bytes);
}

TEST(BaselineFile, AnIdleSaveChangesNoByteAndProvenanceStays) {
  const Findings one{finding("A")};
  const std::string first = write_baseline(one, facts());
  const Baseline prior = *read_baseline(first, "b");
  EXPECT_EQ(write_baseline(one, facts(&prior, "run_1", "2027-01-01T00:00:00Z")), first);
  const std::string second =
      write_baseline({finding("A"), finding("B")}, facts(&prior, "run_2", "2027-01-01T00:00:00Z"));
  const Baseline both = *read_baseline(second, "b");
  EXPECT_EQ(*both.entries[0].provenance->find("run_id"), Value("run_1"));
  EXPECT_EQ(*both.entries[1].provenance->find("run_id"), Value("run_2"));
  EXPECT_TRUE(second.ends_with("}\n"));
}

TEST(BaselineFile, SuppressedFindingsAreLeftOut) {
  Findings two{finding("A"), finding("B")};
  two[0].suppressed = true;
  EXPECT_EQ(read_baseline(write_baseline(two, facts()), "b")->entries.size(), 1u);
}

TEST(BaselineFile, OtherDocumentsAreRefused) {
  for (const char* text :
       {"[]", "{}", R"({"schema_version":"0.6"})", R"({"schema_version":"0.5","extra":1})",
        R"({"schema_version":"0.5","findings":[{"fingerprint":"x"}]})",
        R"({"schema_version":"0.5","findings":[7]})"})
    EXPECT_FALSE(read_baseline(text, "b")) << text;
  for (const char* version : {"0.2", "0.3", "0.4", "0.5"})
    EXPECT_TRUE(read_baseline(R"({"schema_version":")" + std::string(version) + "\"}", "b"));
}

TEST(BaselineMatch, ByFingerprintOrByLegacyIdOnly) {
  Findings now{finding("SHIP-API-TIMEOUT-MISSING"), finding("B"), finding("C")};
  Baseline baseline{"0.5"};
  baseline.entries = {{now[1].fingerprint, "B", "t"},
                      {"fp_0", "SHIP-API-OPERATIONAL-READINESS", "t"},
                      {"fp_1", "C", "t"}};
  now[2].suppressed = false;
  const BaselineDelta delta = match_baseline(now, baseline, "b.json");
  EXPECT_EQ(now[0].baseline_status, "matched");
  EXPECT_EQ(now[1].baseline_status, "matched");
  EXPECT_EQ(now[2].baseline_status, "new");
  EXPECT_EQ(delta.matched, 2);
  EXPECT_EQ(delta.fresh, 1);
  EXPECT_EQ(delta.resolved, 1);
}

TEST(BaselineMatch, ASecretInTheEvidenceIsFoundUnderItsOldFingerprint) {
  Finding f;
  f.check_id = "A";
  f.evidence = {{"v", "key sk-aaaaaaaaaaaaaaaaaaaa"}};
  Findings now = identified({f});
  Baseline baseline{"0.5"};
  baseline.entries = {{fingerprint_of("A", "", f.evidence), "A"}};
  const BaselineDelta delta = match_baseline(now, baseline, "b");
  EXPECT_EQ(now[0].baseline_status, "matched");
  EXPECT_TRUE(delta.matched_legacy);
}

TEST(BaselineMatch, TheNewerFormWithTheIdOfTheToolIsKnown) {
  Finding f;
  f.check_id = "SHIP-SCHEMA-MISSING-BOUNDS";
  f.tool_name = "create_refund";
  f.tool_id = "tool:create_refund";
  f.evidence = {{"parameter", "amount"}, {"type", "number"}};
  const std::string form =
      R"({"check_id": "SHIP-SCHEMA-MISSING-BOUNDS", "evidence": {"parameter": "amount", )"
      R"("type": "number"}, "fingerprint_version": "2", "tool_id": "tool:create_refund"})";
  Findings now = identified({f});
  Baseline baseline{"0.5"};
  baseline.entries = {{"fp_" + digest_of(form).hex().substr(0, 16), "SHIP-SCHEMA-MISSING-BOUNDS"}};
  const BaselineDelta delta = match_baseline(now, baseline, "b");
  EXPECT_EQ(now[0].baseline_status, "matched");
  EXPECT_FALSE(delta.matched_legacy);
  EXPECT_EQ(delta.resolved, 0);
}

// docs/reference/release-findings.md, "Baseline".
TEST(BaselineIntegrity, EveryIssueHasItsKind) {
  EXPECT_TRUE(kinds(saved({finding("A")})).empty());
  EXPECT_TRUE(kinds(saved({})).empty());

  BaselineFile no_log = saved({finding("A")});
  no_log.log.reset();
  EXPECT_EQ(kinds(no_log), (Kinds{"missing_audit_log", "entry_no_audit"}));
  BaselineFile nothing = saved({});
  nothing.log.reset();
  EXPECT_TRUE(kinds(nothing).empty());

  BaselineFile bad_log = saved({finding("A")});
  *bad_log.log += "{}\n";
  EXPECT_EQ(kinds(bad_log), Kinds{"invalid_audit_log"});

  BaselineFile edited = saved({finding("A")});
  edited.bytes += " ";
  EXPECT_EQ(kinds(edited), Kinds{"hash_mismatch"});

  BaselineFile chained = saved({finding("A")});
  const std::string own = digest_of(chained.bytes).tagged();
  chained.chain = {{"run-1", "sha256:00"}, {"run-2", own}, {"run-3", "sha256:01"}};
  EXPECT_TRUE(kinds(chained).empty());  // another branch saved last
  chained.chain = {{"run-1", "sha256:00"}};
  EXPECT_EQ(kinds(chained), Kinds{"hash_mismatch"});
  const auto issue = baseline_issues(chained, "2026-11-16").at(0);
  EXPECT_EQ(*issue.evidence.find("expected_hash"), Value("sha256:00"));
  EXPECT_EQ(*issue.evidence.find("latest_audit_run_id"), Value("run-1"));

  BaselineFile legacy = saved({finding("A")});
  legacy.baseline.entries[0].provenance.reset();
  EXPECT_EQ(kinds(legacy), Kinds{"legacy_no_provenance"});

  BaselineFile foreign = saved({finding("A")});
  foreign.baseline.entries[0].provenance->set("run_id", "other");
  EXPECT_EQ(kinds(foreign), Kinds{"entry_no_audit"});

  BaselineFile old = saved({finding("A")});
  old.baseline.entries[0].provenance->set("expires", "2026-11-16");
  EXPECT_EQ(kinds(old, "2026-11-16"), Kinds{});
  EXPECT_EQ(kinds(old, "2026-11-17"), Kinds{"entry_expired"});
  EXPECT_EQ(*baseline_issues(old, "2026-11-20")[0].evidence.find("days_overdue"), Value(4));

  BaselineFile renamed = saved({finding("A")});
  renamed.baseline.entries[0].check_id = "SHIP-API-OPERATIONAL-READINESS";
  EXPECT_EQ(kinds(renamed), Kinds{"deprecated_check_id"});
}

TEST(BaselineIntegrity, EntriesThatMatchNothingAreStale) {
  const BaselineFile file = saved({finding("A"), finding("B")});
  const auto issues = resolved_issues(file, {finding("A")});
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].check_id, "SHIP-BASELINE-ENTRY-STALE");
  Findings hidden{finding("A"), finding("B")};
  hidden[1].suppressed = true;
  EXPECT_TRUE(resolved_issues(file, hidden).empty());
}

TEST(BaselineIntegrity, AnEntryUnderAnOldIdIsStaleWhenNothingItStandsForIsLeft) {
  BaselineFile file = saved({finding("A")});
  file.baseline.entries[0].check_id = "SHIP-API-OPERATIONAL-READINESS";
  const std::string target(checks::expanded("SHIP-API-OPERATIONAL-READINESS").front());
  EXPECT_TRUE(resolved_issues(file, {finding(target)}).empty());
  const auto issues = resolved_issues(file, {finding("B")});
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].kind, "resolved_not_pruned");
}

TEST(BaselineIntegrity, OnlyAMismatchBlocksAndOnlyInStrictMode) {
  BaselineFile file = saved({finding("A")});
  file.bytes += " ";
  file.baseline.entries[0].provenance->set("expires", "2020-01-01");
  const auto issues = baseline_issues(file, "2026-11-17");
  for (const bool strict : {false, true})
    for (const Finding& f : integrity_findings(issues, strict)) {
      EXPECT_EQ(f.category, "baseline");
      EXPECT_EQ(f.blocks_release, strict && f.check_id == "SHIP-BASELINE-INTEGRITY-MISMATCH");
      EXPECT_NE(checks::find_check(f.check_id), nullptr);
    }
}

}  // namespace
}  // namespace gh::release
