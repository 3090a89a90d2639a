#include "report/formats.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "base/text.h"
#include "model/verdict.h"
#include "report/comment_text.h"
#include "report/verdict_document.h"
#include "wire/json.h"
#include "wire/xml.h"

namespace gh::report {
namespace {

const std::string kHostile =
    "a\nb::error::x%0A | `c` <script>alert(1)</script> @root #1 ]]> \xE2\x80\xAE \x1b[2J "
    "![i](http://x.example) \\";

Reason reason(std::string id, Severity severity, std::string path = "src/a.py",
              std::int64_t line = 3) {
  return {.id = std::move(id),
          .gate = "scope",
          .severity = severity,
          .message = "outside of the declared scope",
          .path = std::move(path),
          .line = line,
          .next = {.kind = "command", .command = "gatehouse change extend --add src/a.py"}};
}

Verdict verdict() {
  Verdict out;
  out.decision = Decision::deny;
  out.gate = "check";
  out.headline = "scope: outside of the declared scope";
  out.parts = {{"patch", true, Decision::allow, "PATCH_OK", {}},
               {"scope", true, Decision::deny, "violated", {}},
               {"structure", false, Decision::allow, {}, "not asked for"}};
  out.repo = std::string(40, 'a');
  out.base = std::string(40, 'b');
  out.head = std::string(40, 'c');
  out.duration_ms = 1234;
  return out;
}

std::string rendered(std::string_view name, const Verdict& v) {
  const Value document(verdict_document(v));
  return verdict_format(name)->render(document, {});
}

TEST(VerdictFormats, AreTheOnesOfTheDocument) {
  std::set<std::string> names;
  for (const FormatRow& row : verdict_formats())
    names.emplace(row.name);
  EXPECT_EQ(names, (std::set<std::string>{"json", "jsonl", "github", "sarif", "junit", "gitlab",
                                          "rdjson", "rdjsonl", "markdown", "checkstyle"}));
  EXPECT_EQ(verdict_format("text"), nullptr);
}

TEST(VerdictFormats, AnnotationsHaveTheFormOfTheDocument) {
  Verdict v = verdict();
  v.reasons.push_back(reason("GH-SCOPE-001", Severity::error));
  EXPECT_EQ(
      rendered("github", v),
      "::error file=src/a.py,line=3,title=GH-SCOPE-001::outside of the declared scope%0ANext: "
      "gatehouse change extend --add src/a.py\n");
}

TEST(VerdictFormats, OfElevenErrorsTenAreShownAndTheLastIsCounted) {
  Verdict v = verdict();
  for (int i = 1; i <= 11; ++i)
    v.reasons.push_back(reason("GH-SCOPE-001", Severity::error, "f", i));
  v.reasons.push_back(reason("GH-NOTE", Severity::note));
  const std::string text = rendered("github", v);
  EXPECT_EQ(std::ranges::count(text, '\n'), 12);
  EXPECT_TRUE(contains(text, "::error title=gatehouse::1 more in the summary\n"));
  EXPECT_TRUE(contains(text, "::notice file=src/a.py"));
}

TEST(VerdictFormats, WorkflowCommandsAreEscaped) {
  EXPECT_EQ(command_data("a%b\r\nc:,"), "a%25b%0D%0Ac:,");
  EXPECT_EQ(command_property("a%b\r\nc:,"), "a%25b%0D%0Ac%3A%2C");
}

TEST(VerdictFormats, CodeClimateSeveritiesAndFingerprints) {
  Verdict v = verdict();
  v.reasons = {reason("A", Severity::error), reason("B", Severity::warning, "", 0),
               reason("C", Severity::note), reason("D", Severity::error)};
  v.reasons[3].evidence.set("blocks_release", true);
  v.reasons.push_back(v.reasons[1]);
  v.reasons[1].identity = v.reasons[4].identity = "one finding";
  const Value list = *wire::read_json(rendered("gitlab", v));
  std::set<std::string> seen;
  std::string rows;
  for (const Value& item : *list.as_list()) {
    const Peek p(item);
    EXPECT_TRUE(seen.emplace(p["fingerprint"].text()).second);
    rows += std::string(p["check_name"].text()) + " " + std::string(p["severity"].text()) + " " +
            std::string(p["location"]["path"].text()) + ":" +
            std::to_string(p["location"]["lines"]["begin"].number()) + "\n";
  }
  EXPECT_EQ(rows,
            "A critical src/a.py:3\nD blocker src/a.py:3\nB major gatehouse.yaml:1\n"
            "B major gatehouse.yaml:1\nC minor src/a.py:3\n");
  EXPECT_EQ(rendered("gitlab", verdict()), "[]\n");
}

TEST(VerdictFormats, ARangeOfRdjsonIsOfLinesOrHasAColumn) {
  Verdict v = verdict();
  v.reasons = {reason("A", Severity::error), reason("B", Severity::warning)};
  v.reasons[0].column = v.reasons[1].column = 5;
  v.reasons[0].end_line = 9;
  const Value document = *wire::read_json(rendered("rdjson", v));
  std::string ranges;
  for (const Value& d : Peek(document)["diagnostics"].list())
    ranges += wire::canonical_json(Value(Peek(d)["location"]["range"].map())) + "\n";
  EXPECT_EQ(ranges,
            "{\"end\":{\"line\":9},\"start\":{\"line\":3}}\n"
            "{\"start\":{\"column\":5,\"line\":3}}\n");
}

TEST(VerdictFormats, JUnitHasOneCaseForAGateThatPassesAndFailsWhereItSaysNo) {
  Verdict v = verdict();
  EXPECT_EQ(
      rendered("junit", v),
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"gatehouse\" tests=\"3\" failures=\"1\" errors=\"0\" time=\"1.234\">\n"
      "  <testsuite name=\"gatehouse.patch\" tests=\"1\" failures=\"0\" errors=\"0\" "
      "skipped=\"0\" time=\"0.000\">\n"
      "    <testcase classname=\"patch\" name=\"gate patch\"/>\n  </testsuite>\n"
      "  <testsuite name=\"gatehouse.scope\" tests=\"1\" failures=\"1\" errors=\"0\" "
      "skipped=\"0\" time=\"0.000\">\n"
      "    <testcase classname=\"scope\" name=\"gate scope\">\n"
      "      <failure type=\"violated\" message=\"violated\"/>\n    </testcase>\n"
      "  </testsuite>\n"
      "  <testsuite name=\"gatehouse.structure\" tests=\"1\" failures=\"0\" errors=\"0\" "
      "skipped=\"1\" time=\"0.000\">\n"
      "    <testcase classname=\"structure\" name=\"gate structure\">\n"
      "      <skipped message=\"not asked for\"/>\n    </testcase>\n  </testsuite>\n"
      "</testsuites>\n");
}

Verdict hostile() {
  Verdict v = verdict();
  v.headline = kHostile;
  v.parts[2].why = kHostile;
  Reason r = reason(kHostile, Severity::error, kHostile);
  r.message = kHostile;
  r.next.command = kHostile;
  v.reasons.push_back(r);
  r.gate = kHostile;
  r.severity = Severity::warning;
  r.path = "bad\xff\xfe";
  v.reasons.push_back(r);
  return v;
}

TEST(VerdictFormats, HostileTextStaysTextInEachOfThem) {
  for (const FormatRow& row : verdict_formats()) {
    SCOPED_TRACE(row.name);
    const std::string text = rendered(row.name, hostile());
    EXPECT_TRUE(is_utf8(text));
    EXPECT_FALSE(contains(text, "\x1b"));
    if (row.name != "json" && row.name != "jsonl") EXPECT_FALSE(contains(text, "\u202e"));
    if (row.name == "json" || row.name == "sarif" || row.name == "gitlab" || row.name == "rdjson")
      EXPECT_TRUE(wire::read_json(text)) << text;
    if (row.name == "jsonl" || row.name == "rdjsonl")
      for (const std::string_view line : split(std::string_view(text), '\n'))
        if (!line.empty()) EXPECT_TRUE(wire::read_json(line)) << line;
    if (row.name == "junit" || row.name == "checkstyle") {
      std::string names;
      const Status read =
          wire::read_xml(text, "xml", {.start = [&](std::string_view name, wire::XmlAttributes) {
                           names += std::string(name) + " ";
                         }});
      EXPECT_TRUE(read) << read.error().message;
      EXPECT_FALSE(contains(names, "script")) << names;
    }
    if (row.name == "github")
      for (const std::string_view line : split(std::string_view(text), '\n'))
        EXPECT_TRUE(line.empty() || line.starts_with("::error ") || line.starts_with("::warning "))
            << line;
    if (row.name == "markdown") {
      EXPECT_FALSE(contains(text, "<script"));
      EXPECT_FALSE(contains(text, "@root"));
      EXPECT_FALSE(contains(text, "](http://x"));
    }
  }
}

TEST(VerdictFormats, TheCommentHasTheGatesInATableAndItsStateInFront) {
  Verdict v = verdict();
  v.reasons.push_back(reason("GH-SCOPE-001", Severity::error));
  const Value document(verdict_document(v));
  const std::string text = verdict_comment(document, {.link = "https://forge.example/o/r/blob/c/"});
  const std::string digest(Peek(document)["digests"]["verdict"].text());
  EXPECT_TRUE(text.starts_with("<!-- gatehouse:comment:v1 repo=" + std::string(40, 'a') +
                               " job=check -->\n<!-- gatehouse:state decision=deny verdict=" +
                               digest + " -->\n## Gatehouse: denied\n"))
      << text;
  for (const char* wanted :
       {"| patch | allow | PATCH\\_OK |\n", "| structure | skipped | not asked for |\n",
        "- [`src/a.py:3`](https://forge.example/o/r/blob/c/src/a.py#L3) `GH-SCOPE-001` outside of",
        "<br>Next: `gatehouse change extend --add src/a.py`",
        "Again on your machine: `gatehouse check bbbbbbbbbbbb..cccccccccccc`"})
    EXPECT_TRUE(contains(text, wanted)) << wanted << "\n" << text;
}

TEST(VerdictFormats, CommentAndSummaryEndInsideOfTheirLimits) {
  Verdict v = verdict();
  for (int i = 1; i <= 9000; ++i) {
    v.reasons.push_back(reason("GH-SCOPE-001", Severity::error, "src/a.py", i));
    v.reasons.back().message = kHostile;
  }
  const Value document(verdict_document(v));
  const std::string comment = verdict_comment(document, {}),
                    summary = verdict_summary(document, {});
  EXPECT_LE(comment.size(), 20'000u);
  EXPECT_LE(summary.size(), 900u * 1024);
  for (const std::string& text : {comment, summary}) {
    EXPECT_TRUE(contains(text, "more in verdict.json\n\n</details>\n"));
    EXPECT_TRUE(text.ends_with("</sub>\n"));
  }
  const Value sarif = verdict_sarif(document, {});
  const Peek run(Peek(sarif)["runs"].list()[0]);
  EXPECT_EQ(run["results"].list().size(), 5000u);
  EXPECT_EQ(run["properties"]["dropped_results"].number(), 4000);
}

TEST(VerdictFormats, ARowOfATableKeepsItsCellsWhateverANameHolds) {
  for (const std::string name : {"a|b", "a\\|b", "a\\", "`|`", "|", "a\nb|c"}) {
    EXPECT_FALSE(contains(comment_text(name), "|")) << name;
    EXPECT_FALSE(contains(comment_code(name), "|")) << name;
  }
  EXPECT_EQ(comment_code("a|b"), "<code>a&#124;b</code>");
  EXPECT_EQ(comment_code("plain"), "`plain`");
}

TEST(VerdictFormats, SeveritiesOfTheReleaseGateAreScoresOfSecurity) {
  const std::pair<const char*, const char*> rows[] = {
      {"critical", "9.5"}, {"high", "8.0"}, {"medium", "5.5"}, {"low", "3.0"}, {"info", "1.0"}};
  for (const auto& [severity, score] : rows) {
    Verdict v = verdict();
    v.reasons.push_back(reason("SHIP-POLICY-APPROVAL-MISSING", Severity::error));
    v.reasons[0].evidence = Map{{"release_severity", severity}};
    v.reasons.push_back(reason("GH-SCOPE-001", Severity::warning));
    const Value sarif = verdict_sarif(verdict_document(v), {});
    const Peek run(Peek(sarif)["runs"].list()[0]);
    const List& rules = run["tool"]["driver"]["rules"].list();
    ASSERT_EQ(rules.size(), 2u);
    EXPECT_EQ(Peek(rules[1])["properties"]["security-severity"].text(), score);
    EXPECT_FALSE(Peek(rules[0])["properties"]["security-severity"].exists());
    const Peek result(run["results"].list()[0]);
    EXPECT_EQ(result["ruleIndex"].number(), 1);
    EXPECT_EQ(result["level"].text(), "error");
  }
}

TEST(VerdictFormats, TheCommentHasAWordForEachDecision) {
  const std::pair<Decision, const char*> rows[] = {
      {Decision::allow, "## Gatehouse: allowed\n"},
      {Decision::review, "## Gatehouse: a person must look\n"},
      {Decision::unverified, "## Gatehouse: not verified\n"},
      {Decision::deny, "## Gatehouse: denied\n"}};
  for (const auto& [decision, heading] : rows) {
    Verdict v = verdict();
    v.decision = decision;
    EXPECT_TRUE(verdict_summary(verdict_document(v), {}).starts_with(heading)) << heading;
  }
}

TEST(VerdictFormats, NoneShowsASecret) {
  const std::string secret = "ghp_" + std::string(36, 'a');
  Verdict v = verdict();
  v.headline = "token " + secret;
  Reason r = reason("A", Severity::error);
  r.message = "found " + secret;
  r.next.command = "curl -H 'Authorization: Bearer " + secret + "'";
  v.reasons.push_back(r);
  for (const FormatRow& row : verdict_formats())
    if (!row.name.starts_with("json")) {  // the document itself, which its gates answer for
      EXPECT_FALSE(contains(rendered(row.name, v), secret)) << row.name;
    }
}

TEST(VerdictFormats, AWarningThatAGateDeniesForStandsInTheWay) {
  Verdict v = verdict();
  v.reasons = {reason("W", Severity::warning), reason("N", Severity::note)};
  EXPECT_TRUE(contains(rendered("markdown", v), "### What stands in the way (1)"));
  EXPECT_TRUE(contains(rendered("junit", v), "<failure type=\"W\""));
  EXPECT_FALSE(contains(rendered("junit", v), "gate scope"));
  v.reasons.push_back(reason("E", Severity::error));  // then the warning is none of it
  EXPECT_FALSE(contains(rendered("junit", v), "<failure type=\"W\""));
  EXPECT_TRUE(contains(rendered("markdown", v), "### What stands in the way (1)"));
  v.parts[1].decision = Decision::allow;
  v.reasons.pop_back();
  EXPECT_FALSE(contains(rendered("markdown", v), "stands in the way"));
}

TEST(VerdictFormats, AReleaseDecisionIsAVerdictOfTheSurfaceGate) {
  const Value report = *wire::read_json(
      R"({"release_decision":{"decision":"blocked","reason":"1 active finding blocks release.",
      "blockers":[{"id":"x","fingerprint":"fp_1","check_id":"SHIP-POLICY-APPROVAL-MISSING","severity":"critical",
      "title":"t","blocks_release":true,"source":{"path":"tools.json","start_line":4}}],
      "review_items":[{"fingerprint":"fp_2","check_id":"B","severity":"medium","title":"u","source":null}]}})");
  const auto v = verdict_of_release(report);
  ASSERT_TRUE(v);
  EXPECT_EQ(Peek(*v)["decision"].text(), "deny");
  const std::vector<Told> all = told_in(*v);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].severity, "error");
  EXPECT_TRUE(all[0].blocks_release);
  EXPECT_EQ(all[0].place(), "tools.json");
  EXPECT_EQ(all[1].severity, "warning");
  EXPECT_EQ(all[1].place(), "gatehouse.yaml");
  EXPECT_FALSE(verdict_of_release(Value(Map{})));
}

}  // namespace
}  // namespace gh::report
