#include "control/receipt_body.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "control/test_report.h"

namespace gh::control {
namespace {

using testing::at;
using testing::json;
using testing::quiet_report;

std::set<std::string> members_of(const Value& value) {
  std::set<std::string> out;
  if (value.as_map() != nullptr)
    for (const auto& [key, member] : value.as_map()->entries())
      out.insert(key);
  return out;
}
std::string text_at(const Map& body, std::string_view member, std::string_view key) {
  const Value* found = body.find(member)->as_map()->find(key);
  return found->is_null() ? "null" : *found->as_string();
}

VerifyProfile python_profile() {
  VerifyProfile out{.profile = "python_structural", .after_run_required = true, .structural = true};
  const Value payload = json(R"({"profile_reason": "r", "python_source_touched": true,
                                 "checks_performed": ["scope_check"],
                                 "checks_not_applicable": []})");
  out.payload = *payload.as_map();
  return out;
}

ReceiptScope scope_of(std::string_view check) {
  return {.intent_id = "intent-1",
          .intent_status = "active",
          .intent_description = "why",
          .declared_files = {"pkg/a.py"},
          .changed_files = {"pkg/a.py"},
          .check_status = std::string(check)};
}

Verification accepted_verification() {
  Verification out{.status = VerifyStatus::accepted};
  out.structural_verdict = "improved";
  out.health_delta = 1;
  out.improvements = 2;
  return out;
}

/// A finish that was accepted.
struct World {
  Value report = quiet_report();
  Verification verification = accepted_verification();
  bool has_verification = true, has_scope = true, has_markers = false, with_contract = true;
  std::string check = "clean";
  std::optional<VerifyProfile> profile = python_profile();
  std::vector<ReviewedFinding> reviewed{};
  std::optional<bool> gate{};
  std::optional<analysis::RunComparison> comparison{};
  std::string before_run_id{};
  std::vector<std::string> unnamed{}, undeclared{}, ignored{}, beside{};
  bool unbound = false;

  Map body() const {
    ReceiptBodyFacts facts{.run_id = std::string(64, 'a'),
                           .root = "/repo",
                           .report_digest = std::string(64, 'd'),
                           .generated_at_utc = "2026-11-17T10:00:00Z",
                           .report = report,
                           .baseline_health_delta = -3,
                           .before_run_id = before_run_id,
                           .profile = profile,
                           .blast_radius_summary = Map{{"radius_level", "low"},
                                                       {"direct_dependents_count", 1},
                                                       {"clone_cohort_members_count", 0},
                                                       {"do_not_touch_count", 7},
                                                       {"review_context_count", 2}},
                           .reviewed = reviewed,
                           .has_review_markers = has_markers,
                           .include_patch_contract = with_contract,
                           .verification = has_verification ? &verification : nullptr,
                           .comparison = comparison,
                           .gate_would_fail = gate};
    if (has_scope) facts.scope = scope_of(check);
    if (has_scope) facts.scope->changed_unnamed = unnamed;
    if (has_scope) facts.scope->committed_undeclared = undeclared;
    if (has_scope) facts.scope->ignored_unnamed = ignored;
    if (has_scope) facts.scope->undeclared_sources = beside;
    if (has_scope) facts.scope->is_unbound = unbound;
    return receipt_body(facts);
  }
  std::string verdict() const { return *body().find("verdict")->as_string(); }
  std::string status() const { return text_at(body(), "patch_contract", "status"); }
};

void add_finding(Value& report, std::string_view id, std::string_view family,
                 std::string_view novelty, std::string_view severity, std::string_view path) {
  at(report, {"findings", "groups", "structural", "groups"})
      .as_list()
      ->push_back(Map{{"id", id},
                      {"family", family},
                      {"kind", "k"},
                      {"severity", severity},
                      {"novelty", novelty},
                      {"items", List{Map{{"relative_path", path}, {"qualname", "q"}}}}});
}

TEST(ReceiptBody, HasTheMembersOfTheReference) {
  const Map body = World().body();
  EXPECT_EQ(members_of(Value(body)),
            (std::set<std::string>{
                "receipt_version", "generated_at_utc", "provenance", "verification_profile",
                "scope", "blast_radius", "reviewed_evidence", "patch_contract", "structural_delta",
                "human_decision_points", "claims_not_made", "health", "verdict"}));
  EXPECT_EQ(members_of(*body.find("provenance")),
            (std::set<std::string>{"report_digest", "report_schema_version", "baseline_status",
                                   "run_id", "root"}));
  EXPECT_EQ(members_of(*body.find("verification_profile")),
            (std::set<std::string>{"profile", "reason", "python_source_touched",
                                   "state_artifact_touched", "governance_config_touched",
                                   "after_run_required", "structural_checks_applicable",
                                   "checks_performed", "checks_not_applicable", "limitations"}));
  EXPECT_EQ(members_of(*body.find("scope")),
            (std::set<std::string>{"intent_id", "intent_status", "intent_description",
                                   "declared_files", "changed_files", "unexpected_files",
                                   "forbidden_touched", "untouched_files"}));
  EXPECT_EQ(wire::canonical_json(*body.find("blast_radius")),
            R"({"clone_cohort_members_count":0,"direct_dependents_count":1,"do_not_touch_count":7,)"
            R"("radius_level":"low"})");
  EXPECT_EQ(wire::canonical_json(*body.find("patch_contract")),
            R"({"baseline_abuse_detected":false,"contract_violations":[],"health_delta":1,)"
            R"("improvements":2,"regressions":0,"status":"accepted"})");
  EXPECT_EQ(wire::canonical_json(*body.find("structural_delta")),
            R"({"available":true,"health_delta":1,"improvements":2,"regressions":0,)"
            R"("verdict":"improved"})");
  EXPECT_EQ(wire::canonical_json(*body.find("health")), R"({"delta":-3,"grade":"A","score":90})");
  EXPECT_EQ(text_at(body, "provenance", "report_digest"), "sha256:" + std::string(64, 'd'));
  EXPECT_EQ(*body.find("receipt_version")->as_string(), "1");
  EXPECT_EQ(*body.find("generated_at_utc")->as_string(), "2026-11-17T10:00:00Z");
}

TEST(ReceiptBody, MembersBeyondVersionOneRaiseIt) {
  World world;
  world.before_run_id = std::string(64, 'b');
  const Map body = world.body();
  EXPECT_EQ(*body.find("receipt_version")->as_string(), "2");
  EXPECT_EQ(text_at(body, "provenance", "before_run_id"), std::string(64, 'b'));
  EXPECT_EQ(text_at(body, "provenance", "head_commit"), "null");
}

TEST(ReceiptBody, StateOfTheBaseline) {
  for (const auto& [status, word] :
       std::vector<std::pair<std::string, std::string>>{{"ok", "trusted"},
                                                        {"updated", "trusted"},
                                                        {"missing", "not_loaded"},
                                                        {"integrity_failed", "untrusted"},
                                                        {"mismatch_schema_version", "untrusted"}}) {
    World world;
    at(world.report, {"meta", "baseline", "status"}) = status;
    EXPECT_EQ(text_at(world.body(), "provenance", "baseline_status"), word) << status;
  }
}

TEST(ReceiptBody, StatusOfThePatchContract) {
  World world;
  world.has_scope = false;
  EXPECT_EQ(world.status(), "not_checked");
  world = {};
  for (const auto& [status, word] : std::vector<std::pair<VerifyStatus, std::string>>{
           {VerifyStatus::accepted, "accepted"},
           {VerifyStatus::accepted_with_external_changes, "accepted_with_external_changes"},
           {VerifyStatus::violated, "violated"},
           {VerifyStatus::unverified, "not_checked"},
           {VerifyStatus::expired, "not_checked"}}) {
    world.verification.status = status;
    EXPECT_EQ(world.status(), word);
  }
  const auto alone = [] {
    World w;
    w.has_verification = false;
    w.check = "";
    return w;
  };
  EXPECT_EQ(alone().status(), "not_checked");
  world = alone();
  world.check = "violated";
  EXPECT_EQ(world.status(), "violated");
  world = alone();
  world.gate = true;
  EXPECT_EQ(world.status(), "violated");
  world.gate = false;
  EXPECT_EQ(world.status(), "accepted");
  world = alone();
  world.check = "clean";
  EXPECT_EQ(world.status(), "accepted");
  world = alone();
  world.comparison.emplace();
  EXPECT_EQ(world.status(), "accepted");
  world.comparison->regressions.emplace_back();
  EXPECT_EQ(world.status(), "violated");
  world.with_contract = false;
  EXPECT_TRUE(world.body().find("patch_contract")->is_null());
}

TEST(ReceiptBody, StructuralDelta) {
  const auto verdict = [](const World& w) {
    return text_at(w.body(), "structural_delta", "verdict");
  };
  World world;
  world.verification.structural_verdict = "not_applicable";
  world.verification.health_delta.reset();
  EXPECT_EQ(wire::canonical_json(*world.body().find("structural_delta")),
            R"({"available":false,"health_delta":null,"improvements":2,"regressions":0,)"
            R"("verdict":"not_applicable"})");
  world = {};
  world.has_verification = false;
  EXPECT_EQ(verdict(world), "not_available");
  world.profile->structural = false;
  EXPECT_EQ(verdict(world), "not_applicable");
  world.profile.reset();
  EXPECT_EQ(verdict(world), "not_available");
  EXPECT_TRUE(world.body().find("verification_profile")->is_null());
  world.comparison.emplace();
  world.comparison->verdict = analysis::RunVerdict::regressed;
  EXPECT_EQ(verdict(world), "regressed");
}

TEST(ReceiptBody, DecisionsForPeople) {
  World world;
  add_finding(world.report, "clone:function:aabbccddeeff", "clone", "new", "warning", "pkg/a.py");
  add_finding(world.report, "clone:function:bbbbccddeeff", "clone", "known", "info", "pkg/a.py");
  add_finding(world.report, "structural:k:cccccccc", "structural", "known", "info", "pkg/a.py");
  add_finding(world.report, "structural:k:dddddddd", "structural", "new", "info", "pkg/a.py");
  add_finding(world.report, "clone:function:eeeeccddeeff", "clone", "known", "info", "other.py");
  world.check = "expanded";
  std::vector<std::string> seen;
  const Map body = world.body();
  for (const Value& row : *body.find("human_decision_points")->as_list()) {
    const Map& map = *row.as_map();
    EXPECT_EQ(members_of(row), (std::set<std::string>{"id", "finding_id", "reason", "category"}));
    seen.push_back(
        *map.find("id")->as_string() + " " +
        (map.find("finding_id")->is_null() ? "-" : *map.find("finding_id")->as_string()) + " " +
        *map.find("category")->as_string());
  }
  EXPECT_EQ(seen, (std::vector<std::string>{
                      "D-1 fn:aabbcc clone_divergence", "D-2 fn:bbbbcc clone_divergence",
                      "D-3 fn:bbbbcc baseline_debt_touched",
                      "D-4 struct:k:cccccc baseline_debt_touched", "D-5 - scope_expansion"}));
}

TEST(ReceiptBody, NineQuestionsAreAboutTheChangeAsAWhole) {
  World world;
  world.check = "expanded";
  world.verification.contract_violations = {"structural_regressions"};  // and yet accepted
  world.unnamed = {"pkg/b.py"};
  world.undeclared = {"pkg/c.py"};
  world.ignored = {"build/d.py"};
  world.beside = {"pkg/e.py"};
  world.unbound = true;
  world.verification.suppressions_added = {Map{{"id", "suppression_added:dead_code:pkg.a:f"}}};
  world.profile->payload.set("not_analysed",
                             List{Map{{"path", "m/x.py"}, {"reason", "excluded_folder"}}});
  std::vector<std::string> seen;
  const Map body = world.body();
  for (const Value& row : *body.find("human_decision_points")->as_list())
    seen.push_back(*row.as_map()->find("category")->as_string());
  EXPECT_EQ(seen,
            (std::vector<std::string>{"scope_expansion", "relaxed_strictness", "unnamed_changes",
                                      "undeclared_commits", "ignored_files", "undeclared_sources",
                                      "not_bound", "suppressed_findings", "source_not_analysed"}));
  EXPECT_EQ(*body.find("verdict")->as_string(), "needs_attention");
}

TEST(ReceiptBody, AtMostTenDecisionsAndTheOneOfTheScopeIsAmongThem) {
  World world;
  for (int i = 0; i < 30; ++i)
    add_finding(world.report, fmt::format("clone:function:{:02}bbccddeeff", i), "clone", "new",
                "info", "pkg/a.py");
  EXPECT_EQ(world.body().find("human_decision_points")->as_list()->size(), 10u);
  world.check = "expanded";
  const Map body = world.body();
  const List& rows = *body.find("human_decision_points")->as_list();
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_EQ(*rows.back().as_map()->find("category")->as_string(), "scope_expansion");
  EXPECT_EQ(*rows.back().as_map()->find("id")->as_string(), "D-10");
}

TEST(ReceiptBody, ClaimsThatAreNotMade) {
  const auto types = [](const World& w) {
    std::vector<std::string> out;
    const Map body = w.body();
    for (const Value& row : *body.find("claims_not_made")->as_list()) {
      out.push_back(*row.as_map()->find("claim_type")->as_string());
      EXPECT_EQ(members_of(row), (std::set<std::string>{"claim_type", "reason"}));
    }
    return out;
  };
  World world;
  EXPECT_EQ(types(world), (std::vector<std::string>{"security_vulnerability", "baseline_regression",
                                                    "report_only_ci_failure"}));
  at(world.report, {"findings", "groups", "clones", "suppressed", "blocks"}) = List{Map{}};
  EXPECT_EQ(types(world),
            (std::vector<std::string>{"security_vulnerability", "baseline_regression",
                                      "report_only_ci_failure", "suppressed_clone_regression"}));
}

struct VerdictCase {
  void (*make)(World&);
  std::string verdict;
};
// Typed again from the reference; the first that applies, each with what comes later failing too.
const std::vector<VerdictCase> kVerdicts = {
    {[](World& w) { w.verification.status = VerifyStatus::violated; }, "needs_attention"},
    {[](World& w) {
       w.check = "expanded";
       w.verification.status = VerifyStatus::unverified;
     },
     "needs_attention"},
    {[](World& w) { w.verification.status = VerifyStatus::unverified; }, "incomplete"},
    {[](World& w) {
       w.has_markers = true;
       add_finding(w.report, "structural:k:aaaaaaaa", "structural", "", "critical", "x");
     },
     "incomplete"},
    {[](World& w) {
       w.has_markers = true;
       add_finding(w.report, "structural:k:aaaaaaaa", "structural", "new", "info", "x");
     },
     "incomplete"},
    {[](World& w) {
       add_finding(w.report, "structural:k:aaaaaaaa", "structural", "", "critical", "x");
     },
     "clean"},
    {[](World& w) {
       w.has_markers = true;
       add_finding(w.report, "structural:k:aaaaaaaa", "structural", "", "warning", "x");
       w.reviewed = {{"struct:k:aaaaaa", "k", "warning", "seen"}};
     },
     "clean"},
    {[](World&) {}, "clean"},
};

TEST(ReceiptBody, Verdict) {
  for (std::size_t i = 0; i < kVerdicts.size(); ++i) {
    World world;
    kVerdicts[i].make(world);
    EXPECT_EQ(world.verdict(), kVerdicts[i].verdict) << i;
  }
  const std::vector<std::string> words{"clean", "needs_attention", "incomplete"};
  for (std::size_t i = 0; i < words.size(); ++i)
    EXPECT_EQ(to_string(static_cast<ReceiptVerdict>(i)), words[i]);
}

TEST(ReceiptBody, ReviewedEvidence) {
  World world;
  add_finding(world.report, "structural:k:aaaaaaaa", "structural", "", "critical", "x");
  add_finding(world.report, "structural:k:bbbbbbbb", "structural", "", "info", "x");
  world.reviewed = {{"struct:k:aaaaaa", "k", "critical", "seen"}};
  EXPECT_EQ(wire::canonical_json(*world.body().find("reviewed_evidence")),
            R"({"items":[{"finding_id":"struct:k:aaaaaa","kind":"k","note":"seen",)"
            R"("severity":"critical"}],"reviewed_count":1,"total_gate_relevant":1})");
}

TEST(ReceiptBody, TheSameFactsGiveTheSameBody) {
  EXPECT_EQ(wire::canonical_json(World().body()), wire::canonical_json(World().body()));
}

// ------------------------------------------------------------------------------------ Markdown

std::vector<std::string> headings_of(const std::string& markdown) {
  std::vector<std::string> out;
  const std::string_view view = markdown;
  for (const std::string_view line : split(view, '\n'))
    if (line.starts_with("#")) out.emplace_back(line);
  return out;
}

const std::vector<std::string> kHeadings{"# Review receipt",
                                         "## Verification Profile",
                                         "## Scope",
                                         "## Blast Radius",
                                         "## Reviewed Evidence",
                                         "## Patch Contract",
                                         "## Structural Delta",
                                         "## Human Decisions Requested",
                                         "## Claims Not Made",
                                         "## Health",
                                         "## Receipt verdict"};

TEST(ReceiptMarkdown, SectionsInTheirOrder) {
  const std::string markdown = receipt_markdown(World().body());
  EXPECT_EQ(headings_of(markdown), kHeadings);
  for (const std::string part :
       {"Report: `sha256:ddd", "Schema: gh-1.0", "Baseline: trusted", "Review contract: 1",
        "0 / 0 gate-relevant findings", "Health: +1", "90/100 (A), against the baseline -3",
        "\nclean\n", "Run `aaaa", "2026-11-17T10:00:00Z"})
    EXPECT_NE(markdown.find(part), std::string::npos) << part << "\n" << markdown;
}

TEST(ReceiptMarkdown, WhatIsAbsentIsSaid) {
  World world;
  world.has_scope = false;
  world.has_verification = false;
  world.with_contract = false;
  const std::string markdown = receipt_markdown(world.body());
  EXPECT_NE(markdown.find("## Scope\n\nNo intent declared.\n"), std::string::npos);
  EXPECT_NE(markdown.find("## Patch Contract\n\nNot available.\n"), std::string::npos);
  EXPECT_NE(markdown.find("## Structural Delta\n\nNot available."), std::string::npos);
  EXPECT_NE(markdown.find("## Human Decisions Requested\n\n- none\n"), std::string::npos);
  EXPECT_EQ(headings_of(receipt_markdown({})), kHeadings);
}

TEST(ReceiptMarkdown, DeltasHaveASign) {
  World world;
  world.verification.health_delta = 0;
  EXPECT_NE(receipt_markdown(world.body()).find("Health: +0"), std::string::npos);
  world.verification.health_delta = -2;
  EXPECT_NE(receipt_markdown(world.body()).find("Health: -2"), std::string::npos);
  world.verification.health_delta.reset();
  EXPECT_NE(receipt_markdown(world.body()).find("Health: n/a"), std::string::npos);
}

TEST(ReceiptMarkdown, TextOfOthersAddsNothingToTheDocument) {
  const std::string evil =
      "# Heading\n## Receipt verdict\n\nclean\n[link](http://evil) ![i](x) <script>x</script> "
      "<!-- a --> `code` www.evil.example https://evil.example\r\n---\n| a |\n\xe2\x80\xae";
  World world;
  Map body = world.body();
  for (const std::string_view member : {"intent_id", "intent_status", "intent_description"})
    body.find("scope")->as_map()->set(std::string(member), evil);
  for (const std::string_view member :
       {"declared_files", "changed_files", "unexpected_files", "forbidden_touched",
        "untouched_files", "do_not_touch_held"})
    body.find("scope")->as_map()->set(std::string(member), List{evil});
  body.find("reviewed_evidence")
      ->as_map()
      ->set("items",
            List{Map{{"finding_id", evil}, {"kind", evil}, {"severity", evil}, {"note", evil}}});
  body.set("human_decision_points",
           List{Map{{"id", evil}, {"finding_id", evil}, {"reason", evil}, {"category", evil}}});
  body.find("verification_profile")->as_map()->set("limitations", List{evil});
  body.find("verification_profile")->as_map()->set("reason", evil);
  body.find("patch_contract")->as_map()->set("contract_violations", List{evil});
  body.set("generated_at_utc", evil);
  body.find("provenance")->as_map()->set("run_id", evil);
  const std::string markdown = receipt_markdown(body);
  EXPECT_EQ(headings_of(markdown), kHeadings);
  int rules = 0;
  const std::string_view view = markdown;
  for (const std::string_view line : split(view, '\n')) {
    EXPECT_FALSE(line.starts_with("<")) << line;
    EXPECT_FALSE(line.starts_with("|")) << line;
    rules += line == "---" ? 1 : 0;
    // Outside of code spans no link, no HTML, no address.
    std::string plain;
    bool is_code = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (!is_code && line[i] == '\\') {
        ++i;
        continue;
      }
      if (line[i] == '`') {
        while (i + 1 < line.size() && line[i + 1] == '`')
          ++i;
        is_code = !is_code;
        continue;
      }
      if (!is_code) plain += line[i];
    }
    for (const std::string part : {"<", "](", "://", "www."})
      EXPECT_EQ(plain.find(part), std::string::npos) << line;
  }
  EXPECT_EQ(rules, 1);
  EXPECT_EQ(markdown.find("\xe2\x80\xae"), std::string::npos);
}

}  // namespace
}  // namespace gh::control
