#include "release/gated.h"

#include <gtest/gtest.h>

#include "wire/json.h"

namespace gh::release {
namespace {

Map json(std::string_view text) { return *wire::read_json(text)->as_map(); }

// docs/reference/release-findings.md, "Fingerprint".
TEST(Fingerprint, KnownAnswersAreReproducedByteForByte) {
  struct Row {
    std::string_view check_id, tool, evidence, fingerprint;
  };
  const Row rows[] = {
      {"SHIP-SCHEMA-MISSING-BOUNDS", "create_refund", R"({"parameter":"amount","type":"number"})",
       "fp_c2d773062468ceac"},
      {"SHIP-API-TIMEOUT-MISSING", "",
       R"({"high_risk_tools":["create_refund","send_customer_email"]})", "fp_28483a22a9ed40cb"},
      {"SHIP-POLICY-APPROVAL-MISSING", "payments.create_refund",
       R"({"risk_tags":["financial_action"],"policy_match":null})", "fp_66b1208b9f2e40ab"},
      {"SHIP-SCHEMA-MISSING-BOUNDS", "payments.create_refund",
       R"({"parameter":"amount","type":"number"})", "fp_e132d0eac3cd0225"},
      {"SHIP-VERIFY-TRUST-ROOT-TOUCHED", "",
       R"({"changed_file":"shipgate.yaml","trust_root_class":"manifest","matched_glob":"**/shipgate.yaml"})",
       "fp_5e77adcf3277a750"},
      {"SHIP-VERIFY-POLICY-WEAKENED", "",
       R"({"kind":"ci_mode_weakened","base_ci_mode":"strict","head_ci_mode":"advisory"})",
       "fp_c280586b34835337"},
      {"SHIP-VERIFY-CI-GATE-REMOVED", "",
       R"({"kind":"ci_gate_removed","removed_workflow_files":[".github/workflows/agents-shipgate.yml"]})",
       "fp_1ec40b67a7ebed76"},
      {"SHIP-EVIDENCE-APPROVAL-TRACE-MISSING", "issue_refund",
       R"({"tool_name":"issue_refund","required":"approval_trace_required","reason":"file_missing",
           "trace_files":[],"approved_tools":[]})",
       "fp_57fdd82076ed9a63"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(fingerprint_of(row.check_id, row.tool, json(row.evidence)), row.fingerprint)
        << row.check_id;
}

TEST(Fingerprint, ProvenanceObservationAndDefaultSeverityTakeNoPart) {
  const std::string with = fingerprint_of(
      "X", "t",
      json(R"({"a":{"observed":1,"b":2},"default_severity":"high","source_provenance":[1]})"));
  EXPECT_EQ(with, fingerprint_of("X", "t", json(R"({"a":{"b":2}})")));
}

TEST(Fingerprint, TheOrderOfListsTakesNoPart) {
  EXPECT_EQ(fingerprint_of("X", "t", json(R"({"a":[{"x":2},{"x":1}]})")),
            fingerprint_of("X", "t", json(R"({"a":[{"x":1},{"x":2}]})")));
}

Finding finding(std::string check_id, std::string tool = "t") {
  Finding f;
  f.check_id = std::move(check_id);
  f.category = "policy";
  f.title = "a title";
  f.tool_name = tool;
  f.tool_id = "tool:" + tool;
  f.severity = FindingSeverity::high;
  return f;
}

TEST(FindingId, IsTheFingerprintUnlessAnotherFindingSharesIt) {
  Finding other = finding("A");
  other.title = "another title";
  const Findings found = identified({finding("A"), other, other, finding("B")});
  EXPECT_TRUE(found[0].id.starts_with(found[0].fingerprint + "_"));
  EXPECT_EQ(found[0].id.size(), found[0].fingerprint.size() + 9);
  EXPECT_NE(found[0].id, found[1].id);
  EXPECT_EQ(found[2].id, found[1].id + "_2");
  EXPECT_EQ(found[3].id, found[3].fingerprint);
}

TEST(FindingId, SecretsTakeNoPartInTheFingerprint) {
  Finding one = finding("A"), two = finding("A");
  one.evidence = {{"v", "key sk-aaaaaaaaaaaaaaaaaaaa"}};
  two.evidence = {{"v", "key sk-bbbbbbbbbbbbbbbbbbbb"}};
  const Findings found = identified({one, two});
  EXPECT_EQ(found[0].fingerprint, found[1].fingerprint);
}

// docs/reference/release-findings.md, "Suppression".
TEST(Suppression, TheFirstEntryThatFitsWins) {
  surface::Manifest m;
  m.ignore = {{"A", "other", "no"}, {"A", "t", "first"}, {"A", "", "second"}};
  Findings found = identified({finding("A"), finding("B")});
  suppress(found, m);
  EXPECT_TRUE(found[0].suppressed);
  EXPECT_EQ(found[0].suppression_reason, "first");
  EXPECT_FALSE(found[1].suppressed);
}

TEST(Suppression, OfAFlowIsForOneTriple) {
  const auto is_hidden = [](const std::string& tool) {
    surface::Manifest m;
    m.ignore = {{.check_id = "GATE-FLOW-TRIFECTA", .tool = tool, .reason = "known"}};
    Findings found(1);
    found[0].finding = finding("GATE-FLOW-TRIFECTA", "");
    found[0].finding.evidence =
        json(R"({"private_data":"inbox","untrusted_content":"web","outward":"send"})");
    suppress(found, m);
    return found[0].suppressed;
  };
  EXPECT_TRUE(is_hidden("inbox, web, send"));
  EXPECT_TRUE(is_hidden(""));
  for (const char* other : {"send", "web, inbox, send", "inbox, web, post", "inbox,web,send"})
    EXPECT_FALSE(is_hidden(other)) << other;
}

TEST(Suppression, ToolsAreNamedByNameOrIdAndAliasesExpand) {
  for (const char* tool : {"", "t", "tool:t"}) {
    surface::Manifest m;
    m.ignore = {{"SHIP-API-OPERATIONAL-READINESS", tool, "known"}};
    Findings found = identified({finding("SHIP-API-TIMEOUT-MISSING")});
    suppress(found, m);
    EXPECT_TRUE(found[0].suppressed) << tool;
  }
}

TEST(Suppression, VerifyAndBaselineFindingsAreImmune) {
  surface::Manifest m;
  m.ignore = {{"A", "", "no"}};
  for (const char* category : {"verify", "baseline"}) {
    Finding f = finding("A");
    f.category = category;
    Findings found = identified({f});
    suppress(found, m);
    EXPECT_FALSE(found[0].suppressed) << category;
  }
}

TEST(Heuristics, TheFilterSuppressesKeywordsAndPatternsAndKeepsEarlierReasons) {
  Finding keyword = finding("A"), pattern = finding("B"), plain = finding("C");
  keyword.provenance = checks::Provenance::keyword_heuristic;
  pattern.provenance = checks::Provenance::regex_heuristic;
  Findings found = identified({keyword, pattern, plain});
  surface::Manifest m;
  m.ignore = {{"B", "", "known"}};
  suppress(found, m);
  const HeuristicsFilter filter = filter_heuristics(found, true);
  EXPECT_EQ(filter.filtered, 2);
  EXPECT_EQ(filter.by_kind, (Map{{"keyword_heuristic", 1}, {"regex_heuristic", 1}}));
  EXPECT_EQ(found[0].suppression_reason, "filtered by --no-heuristics");
  EXPECT_EQ(found[1].suppression_reason, "known");
  EXPECT_FALSE(found[2].suppressed);
  Findings untouched = identified({keyword});
  EXPECT_EQ(filter_heuristics(untouched, false).filtered, 0);
  EXPECT_FALSE(untouched[0].suppressed);
}

// docs/reference/release-findings.md, "What to do about a finding".
TEST(Remediation, EveryStateOfPatchesHasItsFieldsAndAction) {
  const auto patch = [](std::string kind, std::string confidence) {
    return Value(kind == "manual" ? Map{{"kind", kind}}
                                  : Map{{"kind", kind}, {"confidence", confidence}});
  };
  struct Row {
    std::string_view check;
    std::optional<List> patches;
    bool safe, human;
    std::string_view kind, action;
  };
  const Value sure = patch("remove_pointer", "high"), unsure = patch("append_pointer", "medium"),
              manual = patch("manual", "");
  const Row rows[] = {
      {"SHIP-MANIFEST-STALE-POLICY", std::nullopt, false, true, "remove_pointer",
       "escalate_to_human"},
      {"UNKNOWN", std::nullopt, false, true, "manual", "escalate_to_human"},
      {"SHIP-MANIFEST-STALE-POLICY", List{}, false, true, "none", "escalate_to_human"},
      {"SHIP-MANIFEST-STALE-POLICY", List{sure}, true, false, "remove_pointer", "auto_apply"},
      {"SHIP-MANIFEST-STALE-POLICY", List{sure, manual}, false, true, "remove_pointer",
       "propose_patch_for_review"},
      {"SHIP-MANIFEST-STALE-POLICY", List{unsure}, false, true, "append_pointer",
       "propose_patch_for_review"},
      {"SHIP-MANIFEST-STALE-POLICY", List{manual}, false, true, "manual", "escalate_to_human"},
      {"SHIP-POLICY-APPROVAL-MISSING", List{sure}, false, true, "remove_pointer",
       "propose_patch_for_review"},
  };
  for (const Row& row : rows) {
    Findings found = identified({finding(std::string(row.check))});
    found[0].patches = row.patches;
    set_remediation(found);
    EXPECT_EQ(found[0].autofix_safe, row.safe) << row.check;
    EXPECT_EQ(found[0].requires_human_review, row.human) << row.check;
    EXPECT_EQ(found[0].patch_kind, row.kind) << row.check;
    EXPECT_EQ(found[0].agent_action, row.action) << row.check;
  }
  Findings quiet = identified({finding("UNKNOWN")});
  quiet[0].suppressed = true;
  set_remediation(quiet);
  EXPECT_EQ(quiet[0].agent_action, "informational");
}

}  // namespace
}  // namespace gh::release
