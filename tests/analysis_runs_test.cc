// Stored runs and the commands that read them, through the program, on both back ends.
#include "base/digest.h"
#include "tests/ledger_kit.h"
#include "tests/runs_kit.h"
#include "tests/schema_kit.h"

namespace gh::testing {
namespace {

class StoredRuns : public ::testing::TestWithParam<BackEnd> {
 protected:
  void SetUp() override {
    if (GetParam() == BackEnd::sqlite) return;
    world.repo.write("gatehouse.yaml", "store:\n  url: " + postgres_server().url() + "\n");
    world.repo.commit("policy");
  }
  std::unique_ptr<store::Connection> door() const {
    const std::string id = world.repo.git({"rev-list", "--max-parents=0", "HEAD"});
    return std::move(
        *(GetParam() == BackEnd::sqlite
              ? store::connect_sqlite(world.repo.at(".git/gatehouse/ledger.db"), kBusyMs)
              : store::connect_postgres(postgres_server().url(), id, kBusyMs)));
  }
  /// One text of one row, asked of the database itself.
  std::string sql(const std::string& text) const {
    const auto connection = door();
    auto query = connection->query(text);
    EXPECT_TRUE(query.has_value());
    return query->step().value() ? query->text(0) : std::string("none");
  }
  RunsWorld world{};
};
INSTANTIATE_TEST_SUITE_P(, StoredRuns, ::testing::Values(BackEnd::sqlite, BackEnd::postgres),
                         name_of);

TEST_P(StoredRuns, AComparisonWithARunThatIsOldSaysSo) {
  world.run_id();
  EXPECT_EQ(world.ask({"runs", "compare", "HEAD"}).err.find("sources changed"), std::string::npos);
  world.repo.write("pkg/core.py", python_function("core", 9));
  const Ran ran = world.ask({"runs", "compare", "HEAD"});
  EXPECT_NE(ran.err.find("the sources changed since run"), std::string::npos) << ran.err;
}

TEST_P(StoredRuns, AnAnalysisIsARowABlobAndAnAuditRowAndGitIsAsItWas) {
  const std::string before = world.git_state();
  const std::string id = world.run_id();
  EXPECT_EQ(world.git_state(), before);
  EXPECT_EQ(sql("SELECT run_id FROM analysis_runs"), id);
  EXPECT_EQ(sql("SELECT root FROM analysis_runs"), world.repo.root());
  EXPECT_EQ(sql("SELECT source FROM analysis_runs"), "work_tree");
  const std::string bytes =
      sql("SELECT bytes FROM blobs WHERE sha256 = (SELECT report_sha256 FROM analysis_runs)");
  EXPECT_EQ(sql("SELECT report_sha256 FROM analysis_runs"), digest_of(bytes).hex());
  EXPECT_TRUE(contains(bytes, sql("SELECT report_digest FROM analysis_runs")));
  EXPECT_FALSE(contains(bytes, "\"runtime\":{"));
  EXPECT_EQ(sql("SELECT event FROM audit ORDER BY seq DESC LIMIT 1"), "analysis.completed");
  EXPECT_TRUE(contains(sql("SELECT subject FROM audit ORDER BY seq DESC LIMIT 1"), id));
  EXPECT_EQ(world.ask({"db", "check"}).code, 0);
  EXPECT_EQ(world.ask({"audit", "verify"}).code, 0);
}

TEST_P(StoredRuns, EqualInputsAreStoredOnceAndTheRunMetLastIsTheLatest) {
  const std::string first = world.run_id();
  EXPECT_EQ(world.run_id(), first);
  EXPECT_EQ(world.run_id({"--rev", "HEAD"}), first);
  EXPECT_EQ(sql("SELECT CAST(count(*) AS TEXT) FROM analysis_runs"), "1");
  EXPECT_EQ(sql("SELECT CAST(count(*) AS TEXT) FROM blobs"), "2") << "the report and its extract";
  EXPECT_EQ(sql("SELECT tree FROM analysis_runs"), world.repo.git({"rev-parse", "HEAD^{tree}"}));
  world.repo.write("pkg/core.py", python_function("core", 9));
  const std::string second = world.run_id();
  EXPECT_EQ(world.field({"runs", "list"}, "runs.0.run_id"), second);
  EXPECT_EQ(world.field({"runs", "list"}, "runs.1.run_id"), first);
  world.repo.git({"checkout", "-q", "pkg/core.py"});
  EXPECT_EQ(world.run_id(), first);
  EXPECT_EQ(world.field({"runs", "list"}, "runs.0.run_id"), first);
  EXPECT_EQ(sql("SELECT CAST(count(*) AS TEXT) FROM analysis_runs"), "2");
}

TEST_P(StoredRuns, WhatIsNotStoredLeavesNothing) {
  EXPECT_EQ(world.ask({"analyze", "--no-store"}).code, 0);
  const Ran none = world.ask({"runs", "list"});
  EXPECT_EQ(none.code, 0);
  EXPECT_TRUE(contains(none.out, "there is no run yet")) << none.out;
  EXPECT_EQ(world.ask({"runs", "show"}).code, 2);
  EXPECT_EQ(world.ask({"findings"}).code, 2);
  if (GetParam() == BackEnd::sqlite) {
    EXPECT_EQ(sys::info(world.repo.at(".git/gatehouse/ledger.db")).kind, sys::FileKind::missing);
  }
  EXPECT_EQ(world.field({"runs", "show", "HEAD"}, "meta.runtime.source"), "revision");
}

TEST_P(StoredRuns, ARunIsNamedInManyWays) {
  const std::string first = world.run_id();
  world.repo.write("pkg/core.py", python_function("core", 9));
  const std::string second = world.run_id();
  const auto shown = [&](const std::string& word) {
    return world.field({"runs", "show", word}, "meta.runtime.run_id");
  };
  EXPECT_EQ(world.field({"runs", "show"}, "meta.runtime.run_id"), second);
  EXPECT_EQ(shown("latest"), second);
  EXPECT_EQ(shown("previous"), first);
  EXPECT_EQ(shown(first), first);
  EXPECT_EQ(shown(first.substr(0, 8)), first);
  EXPECT_EQ(shown("HEAD"), first);  // analysed now, and the same inputs
  EXPECT_EQ(shown("main"), first);
  EXPECT_EQ(sql("SELECT CAST(count(*) AS TEXT) FROM analysis_runs"), "2");
  const Ran unknown = world.ask({"runs", "show", "no-such-run"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.err, "neither a run nor a revision")) << unknown.err;
  // Two ids that begin alike.
  ASSERT_TRUE(
      door()->execute("UPDATE analysis_runs SET run_id = 'abcd' || substr(run_id, 5)").has_value());
  const Ran several = world.ask({"runs", "show", "abcd"});
  EXPECT_EQ(several.code, 2);
  EXPECT_TRUE(contains(several.err, "several runs")) << several.err;
}

TEST_P(StoredRuns, AReportThatWasChangedInTheDatabaseIsRefused) {
  (void)world.run_id();
  ASSERT_TRUE(door()->execute("UPDATE analysis_runs SET report_digest = 'x'").has_value());
  const Ran ran = world.ask({"runs", "show"});
  EXPECT_EQ(ran.code, 4);
  EXPECT_TRUE(contains(ran.err, "another one")) << ran.err;
}

TEST_P(StoredRuns, EveryAnswerConformsToItsSchema) {
  world.repo.write("pkg/a.py", python_copy("one"));
  world.repo.write("pkg/b.py", python_copy("two") + python_function("deep", 45));
  world.repo.write("bad.py", "def f(a):\n    x = = 1\n");
  world.repo.write("tests/t.py", python_function("t", 25));
  (void)world.run_id({"--rev", "HEAD"});
  (void)world.run_id();
  struct Row {
    const char* schema;
    std::vector<std::string> words;
  };
  for (const Row& row :
       {Row{"analysis_report", {"analyze"}}, Row{"analysis_report", {"analyze", "--staged"}},
        Row{"analysis_report", {"runs", "show"}}, Row{"run_list", {"runs", "list"}},
        Row{"run_comparison", {"runs", "compare", "HEAD"}}, Row{"run_trend", {"runs", "trend"}},
        Row{"finding_list", {"findings"}}, Row{"finding_list", {"clones"}},
        Row{"hotspots", {"hotspots"}}, Row{"blast", {"blast", "pkg/core.py"}},
        Row{"blast", {"blast", "pkg/use.py", "--transitive", "--symbols"}},
        Row{"blast", {"blast", "pkg/core.py", "--include", "imports", "--symbols"}}}) {
    std::vector<std::string> words = row.words;
    words.emplace_back("--json");
    const Ran ran = world.ask(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(judged(row.schema, ran.out), "") << row.schema;
  }
}

TEST_P(StoredRuns, SchemasRefuseWhatTheyShould) {
  (void)world.run_id();
  const std::string report = world.ask({"runs", "show", "--json"}).out;
  EXPECT_NE(judged("analysis_report", corrupted(report, {"report_schema_version"}, Value("gh-2"))),
            "");
  EXPECT_NE(
      judged("analysis_report", corrupted(report, {"integrity", "digest", "value"}, Value("1"))),
      "");
  EXPECT_NE(judged("analysis_report", corrupted(report, {"inventory", "files", "unread"}, {})), "");
  const std::string compared = world.ask({"runs", "compare", "HEAD", "HEAD", "--json"}).out;
  EXPECT_EQ(judged("run_comparison", compared), "") << compared;
  EXPECT_NE(judged("run_comparison", corrupted(compared, {"verdict"}, Value("fine"))), "");
  EXPECT_NE(judged("run_comparison", corrupted(compared, {"comparable"}, Value(false))), "");
}

struct ComparedRuns : ::testing::Test {
  RunsWorld world{};
  std::string compared(std::vector<std::string> more, const std::string& field) {
    more.insert(more.begin(), {"runs", "compare"});
    return world.field(std::move(more), field);
  }
};

TEST_F(ComparedRuns, TellsWhatAChangeBrought) {
  (void)world.run_id();
  world.repo.write("pkg/core.py", python_function("core", 30));
  (void)world.run_id();
  EXPECT_EQ(compared({}, "verdict"), "regressed");
  EXPECT_EQ(compared({}, "regressions.0.finding_id"), "design:complexity:pkg.core:core");
  EXPECT_EQ(compared({}, "regressions.0.id"), "design:complexity:core");
  EXPECT_EQ(compared({}, "worsened.0.delta"), "27");
  EXPECT_EQ(compared({"latest", "previous"}, "verdict"), "improved");
  EXPECT_EQ(compared({"--focus", "clones"}, "verdict"), "regressed") << "health fell";
  EXPECT_EQ(compared({"HEAD"}, "verdict"), "regressed");
  EXPECT_EQ(compared({"HEAD", "HEAD"}, "verdict"), "stable");
  const Ran checked = world.ask({"runs", "compare", "--check"});
  EXPECT_EQ(checked.code, 1);
  EXPECT_TRUE(contains(checked.last_error_line(), "1 regression")) << checked.err;
  EXPECT_EQ(world.ask({"runs", "compare", "latest", "previous", "--check"}).code, 0);
  EXPECT_TRUE(contains(checked.out, "3")) << checked.out;
}

TEST_F(ComparedRuns, AFolderIsNotComparableWithTheWhole) {
  const std::string part = world.run_id({"pkg"});
  (void)world.run_id();
  EXPECT_EQ(compared({part}, "verdict"), "incomparable");
  EXPECT_EQ(compared({part}, "reason"), "different_root");
  EXPECT_EQ(world.ask({"runs", "compare", part, "--check"}).code, 1);
  EXPECT_EQ(world.ask({"runs", "compare"}).code, 2);  // only one run of this root
}

TEST_F(ComparedRuns, WhatCannotBeReadIsUnknown) {
  world.repo.write("pkg/core.py", python_function("core", 30));
  (void)world.run_id();
  std::string broken = python_function("core", 30);
  broken.insert(broken.find("    return"), "    x = = 1\n");
  world.repo.write("pkg/core.py", broken);
  (void)world.run_id();
  EXPECT_EQ(compared({}, "verdict"), "regressed");  // by the syntax error alone
  EXPECT_EQ(compared({}, "regressions.0.kind"), "syntax_error");
  EXPECT_EQ(compared({}, "unknown"), "1");
  EXPECT_EQ(compared({}, "partial_paths"), "[\"pkg/core.py\"]");
}

struct ReadRuns : ::testing::Test {
  ReadRuns() {
    world.repo.write("pkg/a.py", python_copy("one"));
    (void)world.run_id();
    world.repo.write("pkg/b.py", python_copy("two"));
    world.repo.write("lib/deep.py", python_function("deep", 45));
    (void)world.run_id();
  }
  std::string total(std::vector<std::string> more) const {
    more.insert(more.begin(), "findings");
    return world.field(std::move(more), "total");
  }
  RunsWorld world{};
};

TEST_F(ReadRuns, FindingsAreFiltered) {
  EXPECT_EQ(total({}), "2");
  EXPECT_EQ(total({"--family", "clone"}), "1");
  EXPECT_EQ(total({"--family", "design"}), "1");
  EXPECT_EQ(total({"--severity", "critical"}), "1");
  EXPECT_EQ(total({"--severity", "info"}), "0");
  EXPECT_EQ(total({"--path", "pkg"}), "1");
  EXPECT_EQ(total({"--path", "lib/deep.py"}), "1");
  EXPECT_EQ(total({"--path", "lib/"}), "1");
  EXPECT_EQ(total({"--path", "li"}), "0");
  EXPECT_EQ(total({"--new"}), "2");
  EXPECT_EQ(total({"--run", "previous"}), "0");
  EXPECT_EQ(total({"--since", "latest"}), "0");
  EXPECT_EQ(total({"--new", "--family", "design", "--path", "pkg"}), "0");
}

TEST_F(ReadRuns, AGroupOfClonesIsShownByEitherId) {
  const std::string id = world.field({"clones"}, "findings.0.id");
  const std::string whole = world.field({"clones"}, "findings.0.finding_id");
  EXPECT_TRUE(id.starts_with("fn:")) << id;
  for (const std::string& word : {id, whole}) {
    const Ran ran = world.ask({"clones", word});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.out, "pkg.a:one")) << ran.out;
    EXPECT_TRUE(contains(ran.out, "pkg/b.py:1")) << ran.out;
  }
  EXPECT_EQ(world.ask({"clones", "fn:000000"}).code, 2);
}

TEST_F(ReadRuns, HotspotsTrendAndShowNameTheWorst) {
  EXPECT_EQ(world.field({"hotspots", "--limit", "1"}, "complexity.0.symbol"), "lib.deep:deep");
  EXPECT_EQ(world.field({"hotspots", "--limit", "1"}, "complexity.0.value"), "46");
  EXPECT_TRUE(contains(world.ask({"hotspots"}).out, "lib/deep.py:1"));
  EXPECT_EQ(world.field({"runs", "trend"}, "points.0.findings"), "0");
  EXPECT_EQ(world.field({"runs", "trend"}, "points.1.findings"), "2");
  EXPECT_EQ(world.field({"runs", "trend"}, "points.1.complexity_max"), "46");
  EXPECT_EQ(world.field({"runs", "trend", "--limit", "1"}, "points.0.findings"), "2");
  const Ran shown = world.ask({"runs", "show"});
  EXPECT_TRUE(contains(shown.out, "Top risks")) << shown.out;
  EXPECT_TRUE(contains(shown.out, "design:complexity:deep")) << shown.out;
  EXPECT_EQ(world.field({"runs", "show"}, "derived.hotlists.production_hotspot.0"),
            world.field({"clones"}, "findings.0.finding_id"));
}

TEST_F(ReadRuns, BlastFollowsImportsAgainstTheirDirection) {
  EXPECT_EQ(world.field({"blast", "pkg/core.py"}, "direct_dependents.0"), "pkg/use.py");
  EXPECT_EQ(world.field({"blast", "pkg/core.py"}, "transitive_dependents"), "[]");
  EXPECT_EQ(world.field({"blast", "pkg/core.py", "--transitive"}, "transitive_dependents.0"),
            "app.py");
  EXPECT_EQ(world.field({"blast", "./pkg/"}, "direct_dependents.0"), "app.py");
  EXPECT_EQ(world.field({"blast", "app.py"}, "radius_level"), "low");
  const Ran unknown = world.ask({"blast", "app.py", "missing.py"});  // or still to be written
  EXPECT_EQ(unknown.code, 0);
  EXPECT_TRUE(contains(unknown.err, "the run has no file 'missing.py'")) << unknown.err;
  EXPECT_EQ(world.ask({"blast", "app.py", "--include", "nothing"}).code, 2);
  EXPECT_EQ(world.ask({"blast"}).code, 2);
}

}  // namespace
}  // namespace gh::testing
