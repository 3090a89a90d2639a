// What an examiner who knew only the documents found, each as it was found. On both ledgers.
#include "model/peek.h"
#include "tests/change_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

class ChangeExamined : public ChangeWorld {
 protected:
  /// The id, path and line of each reason of its verdict.
  static Words reasons(const Value& answer) {
    Words out;
    for (const Value& reason : Peek(answer)["verdict"]["reasons"].list()) {
      const Peek r(reason);
      out.push_back(std::string(r["id"].text()) + " " + std::string(r["path"].text()) + " " +
                    std::to_string(r["line"].number()));
    }
    return out;
  }
  std::string may_write(const std::string& path) const {
    return field({"hook", "test", "--path", path}, "A", "reason");
  }
  std::string with_dead_code() const {
    return "from pkg import b\n" + python_function("load", 2) + "\n\n" +
           python_function("_nobody_calls", 2);
  }
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, ChangeExamined,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

// change-control 16.3: the intent stays open and keeps its scope
TEST_P(ChangeExamined, WhatAScopeCheckRefusedIsMendedInsideOfTheScope) {
  EXPECT_EQ(start("A", {"docs/guide.md"}, {"--related", "docs/index.md"}), "active");
  repo.write("docs/guide.md", "new\n");
  repo.write("docs/index.md", "new\n");
  EXPECT_EQ(field({"change", "check", "--files", "docs/guide.md", "docs/index.md"}, "A", "status"),
            "expanded");
  EXPECT_EQ(may_write("docs/guide.md"), "active_intent");
  EXPECT_EQ(finish("A", {"docs/guide.md", "Makefile"}, "reason"), "workspace_hygiene");
  EXPECT_EQ(finish("A", {"docs/guide.md", "docs/index.md", "Makefile"}, "reason"),
            "scope_violation");
  EXPECT_EQ(may_write("docs/guide.md"), "active_intent");
  EXPECT_EQ(may_write("Makefile"), "path_outside_scope");
}

// change-control 17.1: health.delta is the after-run against the trusted baseline
TEST_P(ChangeExamined, AReceiptSaysHowFarTheRunIsFromTheBaseline) {
  must({"baseline", "save"});
  repo.commit("a baseline");
  repo.write("pkg/a.py", with_dead_code());
  repo.commit("worse");
  must({"analyze"});
  const std::string drift = field({"baseline", "diff"}, "", "metrics.health_delta");
  EXPECT_EQ(drift.substr(0, 1), "-") << drift;
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  repo.write("docs/guide.md", "new\n");
  const Value done = document(finishing({"docs/guide.md"}));
  EXPECT_EQ(Peek(done)["status"].text(), "accepted");
  const std::string digest{Peek(done)["receipt"]["receipt_digest"]["value"].text()};
  EXPECT_EQ(field({"receipt", "show", "sha256:" + digest}, "", "body.health.delta"), drift);
  EXPECT_EQ(field({"receipt", "create", "--format", "json"}, "A", "receipt.health.delta"), drift);
}

// change-control 8.1, 8.2: of the gates of `strict` only the one without coverage is left out
TEST_P(ChangeExamined, StrictGatesCompareWithTheBaselineOfTheBase) {
  configure("analysis:\n  api_surface: true\n");
  repo.write("pkg/b.py", "def store(x: int) -> int:\n    \"\"\"Keeps it.\"\"\"\n    return x\n");
  repo.write("pkg/a.py",
             "from pkg import b\n\n\ndef load(x: int) -> int:\n    \"\"\"Gets it.\"\"\"\n"
             "    return b.store(x)\n\n\nload(1)\n");
  repo.commit("typed");
  must({"baseline", "save"});
  repo.commit("a baseline");
  must({"analyze"});
  const Value begun =
      document({"change", "start", "--goal", "g", "--allow", "pkg/b.py", "--strictness", "strict"});
  EXPECT_EQ(wire::canonical_json(Value(Peek(begun)["budget"]["gate_preview"]["skipped"].list())),
            R"(["coverage_hotspots"])");
  repo.write("pkg/b.py", "def store(x):\n    return x\n");
  const Value done = document(finishing({"pkg/b.py"}, {"--analyze", "--strictness", "strict"}));
  const Peek gate = Peek(done)["verification"]["gate_preview"];
  EXPECT_EQ(wire::canonical_json(Value(gate["skipped"].list())), R"(["coverage_hotspots"])");
  const std::string told = wire::canonical_json(Value(gate["reasons"].list()));
  EXPECT_TRUE(contains(told, "metric:typing_regression")) << told;
  EXPECT_TRUE(contains(told, "metric:docstring_regression")) << told;
  EXPECT_TRUE(Peek(done)["verification"]["gate_worsened"].is_true());
}

// interfaces 0.1, 0.4
TEST_P(ChangeExamined, ARefusedFinishSaysEachReasonWithItsPlace) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", with_dead_code());
  repo.write("docs/guide.md", "new\n");
  const Value silent = document(finishing({"docs/guide.md"}));
  EXPECT_EQ(reasons(silent), Words{"missing_evidence pkg/a.py 0"});
  const Value outside = document(finishing({"pkg/a.py", "docs/guide.md"}));
  EXPECT_EQ(reasons(outside), Words{"GH-SCOPE-001 docs/guide.md 0"});
  const Peek reason(Peek(outside)["verdict"]["reasons"].list().front());
  EXPECT_EQ(reason["next"]["command"].text(),
            "gatehouse change extend --add docs/guide.md --session A");
  EXPECT_EQ(reason["next"]["tool"].text(), "manage_change_intent");
  EXPECT_EQ(reason["next"]["arguments"]["action"].text(), "declare");
  const Value worse = document(finishing({"pkg/a.py"}, {"--analyze"}));
  EXPECT_EQ(Peek(worse)["reason"].text(), "structural_regressions");
  const Words told = reasons(worse);
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(told.front().starts_with("GH-DEAD-FUNCTION pkg/a.py ")) << told.front();
  EXPECT_FALSE(told.front().ends_with(" 0")) << told.front();
}

// The founding text speaks of the clean before-run.
TEST_P(ChangeExamined, GoingOnWithWorkThatARunHasReadIsTold) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", with_dead_code());
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "status", {"--analyze"}), "violated");
  const Words again{"change", "start", "--goal", "g", "--allow", "pkg/a.py", "--continue-own-wip"};
  const Value begun = document(again);
  EXPECT_EQ(Peek(begun)["status"].text(), "active");
  const std::string warned = wire::canonical_json(Value(Peek(begun)["warnings"].list()));
  EXPECT_TRUE(contains(warned, "before_run_has_own_changes")) << warned;
  must({"analyze", "--rev", "HEAD"});
  const Value anew = document(again);
  EXPECT_FALSE(contains(wire::canonical_json(Value(Peek(anew)["warnings"].list())),
                        "before_run_has_own_changes"));
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "reason", {"--analyze"}), "structural_regressions");
}

// interfaces 0.8
TEST_P(ChangeExamined, AReceiptNamesTheVerdictOfItsFinish) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  repo.write("docs/guide.md", "new\n");
  const Value done = document(finishing({"docs/guide.md"}));
  const Peek digests = Peek(done)["verdict"]["digests"];
  const std::string digest{Peek(done)["receipt"]["receipt_digest"]["value"].text()};
  EXPECT_EQ(field({"receipt", "show", "sha256:" + digest}, "", "digests.verdict"),
            digests["verdict"].text());
  EXPECT_EQ(field({"receipt", "show", "sha256:" + digest}, "", "digests.policy"),
            digests["policy"].text());
}

// change-control 19.2
TEST_P(ChangeExamined, ADeclarationThatWaitsIsNoWarning) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  const Value waits = document(
      {"change", "declare", "--goal", "g", "--allow", "docs/guide.md", "--on-conflict", "queue"},
      "B");
  EXPECT_EQ(Peek(waits)["status"].text(), "queued");
  EXPECT_EQ(events("intent.queued"), 1u);
  const Ran log = ask({"audit", "export"});
  for (const std::string_view line : split(log.out, '\n'))
    if (contains(line, "\"event\":\"intent.queued\""))
      EXPECT_TRUE(contains(line, "\"severity\":\"info\"")) << line;
}

}  // namespace
}  // namespace gh::testing
