// verifier.json never says anything that its sources do not say (release-gate 18.4, 26).
#include "release/verifier.h"

#include <random>

#include <gtest/gtest.h>

#include "model/peek.h"
#include "release/decision.h"
#include "release/verify_blocks.h"

namespace gh::release {
namespace {

TEST(Verifier, TheMergeVerdictIsAFunctionOfTheDecisionAlone) {
  const std::pair<const char*, const char*> rows[] = {
      {"passed", "mergeable"},
      {"review_required", "human_review_required"},
      {"insufficient_evidence", "insufficient_evidence"},
      {"blocked", "blocked"},
      {"", "unknown"},
      {"something new", "human_review_required"},
  };
  for (const auto& [decision, verdict] : rows)
    EXPECT_EQ(merge_verdict_of(decision), verdict) << decision;
}

constexpr std::string_view kChecks[] = {
    "SHIP-VERIFY-TRUST-ROOT-TOUCHED", "SHIP-VERIFY-POLICY-WEAKENED", "SHIP-VERIFY-CI-GATE-REMOVED",
    "SHIP-POLICY-APPROVAL-MISSING", "SHIP-DOC-MISSING-DESCRIPTION"};

/// A report as a scan writes it, of random findings.
struct Drawn {
  Findings findings{};
  ReleaseDecision decision{};
  Value report{};
};

Drawn drawn(std::mt19937& random) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  Drawn out;
  std::vector<Finding> raw;
  for (std::uint32_t i = below(6); i > 0; --i) {
    const std::string id(kChecks[below(5)]);
    Finding f{.check_id = id,
              .title = "t",
              .severity = static_cast<FindingSeverity>(below(5)),
              .category = id.starts_with("SHIP-VERIFY") ? "verify" : "policy",
              .evidence = {{"kind", "k"},
                           {"changed_file", "f" + std::to_string(i)},
                           {"trust_root_class", "manifest"},
                           {"matched_glob", "**/f"}}};
    f.blocks_release = below(5) == 0;
    raw.push_back(std::move(f));
  }
  out.findings = identified(std::move(raw));
  for (GatedFinding& g : out.findings)
    g.suppressed = g.finding.category != "verify" && below(3) == 0;
  set_remediation(out.findings);
  out.decision = decide({.findings = out.findings,
                         .tool_count = static_cast<std::int64_t>(below(6)),
                         .low_confidence_tools = static_cast<std::int64_t>(below(3)),
                         .source_warnings = static_cast<std::int64_t>(below(6))});
  VerifiedBlocks blocks{.capability_change = no_capability_change(),
                        .human_ack = human_ack({}, std::nullopt, out.findings, "2026-01-01"),
                        .protected_changes = protected_surface_changes(out.findings)};
  Map report{{"release_decision", document_of(out.decision, out.findings)},
             {"agent_summary", Map{{"headline", "h"}, {"needs_human_review", 1}}}};
  report.set("verifier_summary", verifier_summary(out.findings, out.decision, blocks));
  report.set("capability_change", blocks.capability_change);
  report.set("protected_surface_changes", blocks.protected_changes);
  report.set("human_ack", blocks.human_ack);
  out.report = Value(std::move(report));
  return out;
}

TEST(Verifier, NeverDisagreesWithTheDecision) {
  std::mt19937 random(20260101);
  int mergeable = 0, blocked = 0;
  for (int round = 0; round < 4000; ++round) {
    const Drawn d = drawn(random);
    const Value document = verifier_document(
        {.head_status = HeadStatus::succeeded, .head_exit_code = 0, .report = &d.report});
    const Peek v(document), r(d.report);
    const std::string_view decision = r["release_decision"]["decision"].text();
    ASSERT_EQ(v["decision"].text(), decision);
    ASSERT_EQ(v["merge_verdict"].text(), merge_verdict_of(decision));
    ASSERT_EQ(v["merge_verdict"].text() == "blocked", !d.decision.blockers.empty());
    ASSERT_EQ(v["human_review"]["required"].is_true(), decision != "passed");
    ASSERT_EQ(v["trust_root_touched"].is_true(),
              r["verifier_summary"]["protected_surface_touched"].is_true());
    ASSERT_EQ(v["capability_review"]["policy_weakened"].is_true(),
              r["verifier_summary"]["policy_weakened"].is_true());
    ASSERT_EQ(r["verifier_summary"]["verdict"].text(), decision);
    if (v["can_merge_without_human"].is_true()) {
      ASSERT_EQ(decision, "passed");
      ASSERT_FALSE(v["trust_root_touched"].is_true());
      ASSERT_EQ(v["first_next_action"]["actor"].text(), "coding_agent");
    } else if (decision != "passed") {
      ASSERT_EQ(v["first_next_action"]["actor"].text(), "human");
    }
    mergeable += v["can_merge_without_human"].is_true() ? 1 : 0;
    blocked += v["merge_verdict"].text() == "blocked" ? 1 : 0;
  }
  EXPECT_GT(mergeable, 20);
  EXPECT_GT(blocked, 100);
}

TEST(Verifier, WithoutItsFindingsNothingIsProtectedOrToBeAcknowledged) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    Drawn d = drawn(random);
    std::int64_t required = 0;
    const Map ack = human_ack({}, std::nullopt, d.findings, "2026-01-01");
    required = static_cast<std::int64_t>(Peek(ack.find("outstanding")).list().size());
    ASSERT_EQ(Peek(ack.find("required")).is_true(), required > 0);
    for (const Value& row : protected_surface_changes(d.findings))
      for (const Value& id : Peek(row)["related_finding_ids"].list())
        ASSERT_TRUE(std::ranges::any_of(d.findings, [&](const GatedFinding& g) {
          return g.is_active() && g.id == Peek(id).text();
        }));
    std::erase_if(d.findings, [](const GatedFinding& g) { return g.finding.category == "verify"; });
    ASSERT_TRUE(protected_surface_changes(d.findings).empty());
    ASSERT_FALSE(
        Peek(human_ack({}, std::nullopt, d.findings, "2026-01-01").find("required")).is_true());
  }
}

TEST(Verifier, WithoutAReportNothingIsMergeable) {
  for (const bool is_preview : {true, false})
    for (const HeadStatus status : {HeadStatus::skipped, HeadStatus::failed}) {
      const Value document = verifier_document({.is_preview = is_preview, .head_status = status});
      const Peek v(document);
      EXPECT_EQ(v["merge_verdict"].text(), "unknown");
      EXPECT_FALSE(v["can_merge_without_human"].is_true());
      EXPECT_FALSE(v["decision"].exists());
      EXPECT_EQ(v["applicability"].text(), "unknown");
      EXPECT_EQ(v["mode"].text(), is_preview ? "preview" : "skipped");
      EXPECT_EQ(v["human_review"]["required"].is_true(), !is_preview);
    }
}

// The table of release-gate 18.4, first match wins.
TEST(Verifier, TheNextActionIsAnAgentsOnlyWhereNothingAsksForAPerson) {
  struct Row {
    const char *name, *decision, *kind;
    int humans;
    bool touched, weakened;
    int warnings, weak_tools;
    const char* expected;
  };
  const Row rows[] = {
      {"mergeable", "passed", "command", 0, false, false, 0, 0, "coding_agent none -"},
      {"a command and nobody to ask", "blocked", "command", 0, false, false, 0, 0,
       "coding_agent command fix"},
      {"somebody to ask", "blocked", "command", 1, false, false, 0, 0, "human command fix"},
      {"a trust root", "blocked", "command", 0, true, false, 0, 0, "human command fix"},
      {"a weakened policy", "blocked", "command", 0, false, true, 0, 0, "human command fix"},
      {"a source with a warning", "blocked", "command", 0, false, false, 1, 0, "human command fix"},
      {"a weak tool", "blocked", "command", 0, false, false, 0, 1, "human command fix"},
      {"words", "review_required", "info", 0, false, false, 0, 0, "human info -"},
      {"nothing recommended", "review_required", "", 0, false, false, 0, 0, "human review -"},
  };
  for (const Row& row : rows) {
    const bool is_command = std::string_view(row.kind) == "command";
    const Value recommended = *row.kind == '\0'
                                  ? Value()
                                  : Value(Map{{"kind", row.kind},
                                              {"command", is_command ? Value("fix") : Value()},
                                              {"why", "w"}});
    const Value report =
        Map{{"release_decision",
             Map{{"decision", row.decision},
                 {"reason", "r"},
                 {"evidence_coverage", Map{{"source_warning_count", row.warnings},
                                           {"low_confidence_tool_count", row.weak_tools}}}}},
            {"agent_summary",
             Map{{"first_recommended_action", recommended}, {"needs_human_review", row.humans}}},
            {"verifier_summary",
             Map{{"protected_surface_touched", row.touched}, {"policy_weakened", row.weakened}}}};
    const Value document = verifier_document({.report = &report});
    const Peek next = Peek(document)["first_next_action"];
    const std::string command(next["command"].text());
    EXPECT_EQ(std::string(next["actor"].text()) + " " + std::string(next["kind"].text()) + " " +
                  (command.empty() ? "-" : command),
              row.expected)
        << row.name;
  }
}

TEST(Verifier, AChangeSaysWhereItsToolStands) {
  const Value report = Map{
      {"release_decision", Map{{"decision", "blocked"}}},
      {"tool_surface_diff", Map{{"enabled", true},
                                {"tools", List{Value(Map{{"kind", "added"},
                                                         {"name", "t"},
                                                         {"source_path", "t.json"},
                                                         {"source_start_line", 7}})}}}},
      {"capability_change", Map{{"enabled", true},
                                {"added", List{Value(Map{{"id", "cap_1"},
                                                         {"subject_kind", "tool"},
                                                         {"tool", "t"},
                                                         {"release_impact", "blocks_release"},
                                                         {"rationale", "r"},
                                                         {"related_finding_ids", List{}}})}},
                                {"removed", List{Value(Map{{"id", "cap_2"},
                                                           {"subject_kind", "tool"},
                                                           {"tool", "u"},
                                                           {"release_impact", "informational"},
                                                           {"rationale", "r"},
                                                           {"related_finding_ids", List{}}})}}}}};
  const Value document = verifier_document({.report = &report});
  const List& rows = Peek(document)["capability_review"]["top_changes"].list();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(Peek(rows[0])["change_type"].text(), "tool_added");
  EXPECT_EQ(Peek(rows[0])["source_path"].text(), "t.json");
  EXPECT_EQ(Peek(rows[0])["source_start_line"].number(), 7);
  EXPECT_EQ(Peek(rows[1])["change_type"].text(), "tool_removed");
  EXPECT_TRUE(rows[1].as_map()->find("source_path")->is_null());
  EXPECT_TRUE(rows[1].as_map()->find("source_start_line")->is_null());
}

TEST(Verifier, ChangesAreRankedByImpactThenDirection) {
  const auto member = [](const char* direction, const char* impact, const char* tool) {
    return Value(Map{{"id", std::string("cap_") + tool},
                     {"direction", direction},
                     {"subject_kind", "tool"},
                     {"tool", tool},
                     {"release_impact", impact},
                     {"rationale", "r"},
                     {"related_finding_ids", List{}}});
  };
  const Value report = Map{
      {"release_decision", Map{{"decision", "blocked"}}},
      {"capability_change", Map{{"enabled", true},
                                {"added", List{member("added", "review_required", "b"),
                                               member("added", "blocks_release", "z")}},
                                {"removed", List{member("removed", "informational", "a")}},
                                {"broadened", List{member("broadened", "blocks_release", "y"),
                                                   member("broadened", "review_required", "a")}},
                                {"narrowed", List{member("narrowed", "informational", "a"),
                                                  member("narrowed", "informational", "b")}}}}};
  const Value document = verifier_document({.report = &report});
  std::string titles;
  for (const Value& row : Peek(document)["capability_review"]["top_changes"].list())
    titles += std::string(Peek(row)["title"].text()) + "; ";
  EXPECT_EQ(titles,
            "tool added: z; tool broadened: y; tool added: b; tool broadened: a; "
            "tool narrowed: a; ");
}

}  // namespace
}  // namespace gh::release
