// The files that `analyze` writes, judged from outside: SARIF by its schema, the page by its parts.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/kit.h"

namespace gh {
namespace {

using kit::Ran;

constexpr std::string_view kTwins =
    "def one(a):\n"
    "    total = 0\n"
    "    for item in a:\n"
    "        total = total + item.price\n"
    "    if total > 10:\n"
    "        log(total)\n"
    "    name = str(total)\n"
    "    other = name.strip()\n"
    "    save(other, '<script>alert(1)</script>')\n"
    "    return other\n";

struct World {
  World() {
    kit::fs::create_directories(repo);
    kit::git_says(repo, {"init", "-q", "-b", "main"});
    std::string second(kTwins);
    second.replace(second.find("one"), 3, "two");
    kit::write(repo / "a.py", kTwins);
    kit::write(repo / "b & c.py", "import a\n\n\n" + second);
  }
  Ran analyze(kit::Words more) const {
    kit::Words words{kit::gatehouse_binary(), "analyze", "--no-store"};
    words.insert(words.end(), more.begin(), more.end());
    return kit::run(words, {.cwd = repo});
  }
  kit::Scratch scratch;
  kit::fs::path repo = scratch.path() / "repo";
};

TEST(AnalysisFormats, SarifConformsToTheSchemaOfMicrosoftsTool) {
  const World world;
  ASSERT_EQ(world.analyze({"--sarif", "out.sarif"}).exit_code, 0);
  const kit::fs::path file = world.repo / "out.sarif";
  const Ran judged = kit::run({".cache/bin/node", "tools/validate-sarif.mjs", file.string()}, {});
  EXPECT_EQ(judged.exit_code, 0) << judged.out << judged.err;
  const std::string sarif = kit::read(file);
  for (const char* part :
       {"\"ruleId\": \"GH-CLONE-FUNCTION\"", "\"legacyId\": \"CCLONE001\"",
        "\"uri\": \"b%20%26%20c.py\"", "\"uriBaseId\": \"%SRCROOT%\"", "\"baselineState\": \"new\"",
        "\"gatehouseFindingId\": \"clone:function:"})
    EXPECT_NE(sarif.find(part), std::string::npos) << part;
}

TEST(AnalysisFormats, ThePageNeedsNothingElseAndEscapesWhatItShows) {
  const World world;
  ASSERT_EQ(world.analyze({"--html"}).exit_code, 0);
  const std::string page = kit::read(world.repo / "gatehouse-reports/analysis.html");
  for (const char* part :
       {"id='overview'", "id='clones'", "id='structural'", "id='complexity'", "id='classes'",
        "id='dependencies'", "id='dead'", "id='api'", "id='coverage'", "id='security'",
        "id='suggestions'", "id='meta'", "<svg", "b &amp; c.py",
        "&lt;script&gt;alert(1)&lt;/script&gt;", "default-src 'none'", "class='diff'"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  for (const char* part : {"<script", "http://", "https://", "src="})
    EXPECT_EQ(page.find(part), std::string::npos) << part;
}

TEST(AnalysisFormats, MarkdownAndTextHaveTheirSectionsInOrder) {
  const World world;
  ASSERT_EQ(world.analyze({"--md", "--text", "all.txt", "--json-file"}).exit_code, 0);
  const auto in_order = [](const std::string& text, const std::vector<const char*>& parts) {
    std::size_t at = 0;
    for (const char* part : parts) {
      const std::size_t found = text.find(part, at);
      EXPECT_NE(found, std::string::npos) << part;
      if (found != std::string::npos) at = found;
    }
  };
  in_order(kit::read(world.repo / "gatehouse-reports/analysis.md"),
           {"## Overview", "## Inventory", "## Findings Summary", "## Top Risks", "## Suggestions",
            "## Findings", "## Metrics", "## Integrity"});
  in_order(
      kit::read(world.repo / "all.txt"),
      {"REPORT METADATA", "INVENTORY", "FINDINGS SUMMARY", "METRICS SUMMARY", "DERIVED OVERVIEW",
       "SUGGESTIONS", "FUNCTION CLONES (NEW)", "FUNCTION CLONES (KNOWN)", "BLOCK CLONES (NEW)",
       "BLOCK CLONES (KNOWN)", "SEGMENT CLONES (NEW)", "SEGMENT CLONES (KNOWN)",
       "STRUCTURAL FINDINGS", "DEAD CODE FINDINGS", "DESIGN FINDINGS", "INTEGRITY"});
  EXPECT_NE(kit::read(world.repo / "gatehouse-reports/analysis.json").find("\"gh-1.0\""),
            std::string::npos);
}

TEST(AnalysisFormats, AFileMustEndAsItsFormatDoes) {
  const World world;
  EXPECT_EQ(world.analyze({"--sarif=out.txt"}).exit_code, 2);
  EXPECT_EQ(world.analyze({"--html=out.htm"}).exit_code, 2);
  EXPECT_FALSE(kit::fs::exists(world.repo / "out.txt"));
}

TEST(AnalysisFormats, FilesWithoutANameGoWhereOutSays) {
  const World world;
  ASSERT_EQ(world.analyze({"--html", "--md", "--json-file=own.json", "--out", "build/r"}).exit_code,
            0);
  for (const char* file : {"build/r/analysis.html", "build/r/analysis.md", "own.json"})
    EXPECT_TRUE(kit::fs::exists(world.repo / file)) << file;
  EXPECT_FALSE(kit::fs::exists(world.repo / "gatehouse-reports"));
  const Ran alone = world.analyze({"--out", "build/r"});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_NE(alone.err.find("add --html, --json-file, --md, --sarif or --text"), std::string::npos)
      << alone.err;
}

TEST(AnalysisFormats, ItemsCanBeLimitedAndTheDigestIsOfTheWholeDocument) {
  const World world;
  const auto field = [&](kit::Words more, std::string name) {
    more.insert(more.end(), {"--field", std::move(name)});
    const Ran ran = world.analyze(more);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ran.out;
  };
  const std::string cut = "metrics.families.complexity.items_truncated";
  EXPECT_EQ(field({}, cut), "false\n");
  EXPECT_EQ(field({"--report-items", "1"}, cut), "true\n");
  EXPECT_EQ(field({"--report-items", "2"}, cut), "false\n");
  EXPECT_EQ(field({"--report-items", "1"}, "metrics.families.complexity.summary.total"), "2\n");
  const std::string digest = "integrity.digest.value";
  EXPECT_EQ(field({"--report-items", "1"}, digest), field({}, digest));
  EXPECT_EQ(world
                .analyze({"--report-items", "1", "--json", "--field",
                          "metrics.families.complexity.items.1"})
                .exit_code,
            2);
}

TEST(AnalysisFormats, ACompactDocumentIsOneLine) {
  const World world;
  const Ran ran = world.analyze({"--json", "--json-compact", "--json-file=own.json"});
  ASSERT_EQ(ran.exit_code, 0);
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1);
  EXPECT_TRUE(ran.out.ends_with("}\n"));
  EXPECT_EQ(kit::read(world.repo / "own.json"), ran.out);
}

TEST(AnalysisFormats, TheProjectHasTheNameThatIsConfigured) {
  const World world;
  EXPECT_EQ(world.analyze({"--field", "meta.project_name"}).out, "null\n");
  kit::write(world.repo / "gatehouse.yaml", "analysis:\n  project_name: The <b>house</b>\n");
  EXPECT_EQ(world.analyze({"--field", "meta.project_name"}).out, "The <b>house</b>\n");
  ASSERT_EQ(world.analyze({"--html"}).exit_code, 0);
  const std::string page = kit::read(world.repo / "gatehouse-reports/analysis.html");
  EXPECT_NE(page.find("<h1>The &lt;b&gt;house&lt;/b&gt;</h1>"), std::string::npos);
}

/// The quiet form, line by line, with the numbers of these two files.
TEST(AnalysisFormats, TheQuietFormHasOneLineForEachFamily) {
  const World world;
  const Ran ran = world.analyze({"--quiet", "--api-surface"});
  ASSERT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out,
            "Summary  found=2 analyzed=2 cached=0 skipped=0\n"
            "Clones   func=1 block=0 seg=0 suppressed=0 new=1\n"
            "Metrics  cc=3.00/3 cbo=0.00/0 lcom4=0.00/0 cycles=0 dead_code=2 health=65(C)\n"
            "Dependencies modules=2 edges=1 cycles=0 max_depth=2\n"
            "Security items=0 categories=0 modules=0\n"
            "Adoption params=0.0% returns=0.0% docstrings=0.0% any=0\n"
            "Public API modules=2 symbols=2 added=0 breaking=0\n");
  EXPECT_NE(world.analyze({"--quiet", "--api-surface"})
                .out.find("Summary  found=2 analyzed=0 cached=2 skipped=0\n"),
            std::string::npos);
}

TEST(AnalysisFormats, TheDocumentSaysWhatIsDigestedAndSumsUpItsMetrics) {
  const World world;
  EXPECT_EQ(world.analyze({"--field", "integrity.canonicalization.sections"}).out,
            "[\"report_schema_version\",\"meta\",\"inventory\",\"findings\",\"metrics\"]\n");
  EXPECT_EQ(world.analyze({"--field", "metrics.summary.complexity"}).out,
            world.analyze({"--field", "metrics.families.complexity.summary"}).out);
  EXPECT_EQ(world.analyze({"--field", "metrics.summary.health.score"}).out, "65\n");
  EXPECT_EQ(world.analyze({"--skip-metrics", "--field", "metrics.summary"}).out, "{}\n");
}

}  // namespace
}  // namespace gh
