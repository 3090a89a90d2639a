// The files that `analyze` writes, judged from outside: SARIF by its schema, the page by its parts.
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
        "id='suggestions'", "id='meta'", "<svg", "class='pair'", "b &amp; c.py",
        "&lt;script&gt;alert(1)&lt;/script&gt;", "default-src 'none'"})
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

}  // namespace
}  // namespace gh
