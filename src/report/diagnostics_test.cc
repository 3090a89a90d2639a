#include "report/diagnostics.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace gh::report {
namespace {

Diagnostic scope_violation() {
  Diagnostic d;
  d.id = "GH-SCOPE-001";
  d.message = "src/db.c is outside the declared scope";
  d.path = "src/db.c";
  d.line = 118;
  d.column = 5;
  d.source = {{117, "row = next(cur);", ' '}, {118, "row->owner = agent_id;", '+'}};
  d.spans = {{118, 0, 10, "added by this change", true}};
  d.facts = {{"declared", "src/api.c, src/api.h   (intent 7f3a, 12 min old)"},
             {"next", "gatehouse change extend --add src/db.c"},
             {"more", "gatehouse explain GH-SCOPE-001"}};
  return d;
}

std::string render(const std::vector<Diagnostic>& all, Look look = {}) {
  return render_diagnostics(all, look);
}

TEST(Diagnostics, LooksAsTheInterfaceDescribesIt) {
  EXPECT_EQ(render({scope_violation()}),
            "error[GH-SCOPE-001]: src/db.c is outside the declared scope\n"
            "  --> src/db.c:118:5\n"
            "    |\n"
            "117 |   row = next(cur);\n"
            "118 | + row->owner = agent_id;\n"
            "    |   ^^^^^^^^^^ added by this change\n"
            "    |\n"
            "    = declared: src/api.c, src/api.h (intent 7f3a, 12 min old)\n"
            "    = next: gatehouse change extend --add src/db.c\n"
            "    = more: gatehouse explain GH-SCOPE-001\n"
            "\n");
}

TEST(Diagnostics, QuietShowsTheFirstLineOnly) {
  EXPECT_EQ(render({scope_violation()}, {.verbosity = -1}),
            "error[GH-SCOPE-001]: src/db.c is outside the declared scope\n");
}

TEST(Diagnostics, CaretStandsUnderTheColumnNotTheByte) {
  Diagnostic d;
  d.id = "x";
  d.message = "m";
  d.path = "f";
  d.line = 9;
  d.source = {{9, "\t漢字 bad", 0}};
  d.spans = {{9, 8, 3, {}, true}};
  EXPECT_EQ(render({d}),
            "error[x]: m\n"
            "--> f:9\n"
            "  |\n"
            "9 |     漢字 bad\n"
            "  |          ^^^\n"
            "  |\n\n");
}

TEST(Diagnostics, LongLinesAreShownAroundTheCaret) {
  Diagnostic d;
  d.id = "x";
  d.message = "m";
  d.path = "f";
  d.line = 1;
  std::string long_line(300, 'a');
  long_line.append("HERE").append(300, 'b');
  d.source = {{1, long_line, 0}};
  d.spans = {{1, 300, 4, {}, true}};
  const std::string text = render({d}, {.width = 60});
  const std::size_t line = text.find("1 | ");
  const std::size_t end = text.find('\n', line);
  const std::string shown = text.substr(line, end - line);
  EXPECT_NE(shown.find("HERE"), std::string::npos) << text;
  EXPECT_TRUE(shown.starts_with("1 | …"));
  EXPECT_TRUE(shown.ends_with("…"));
  const std::size_t caret_line = end + 1;
  const std::string caret = text.substr(caret_line, text.find('\n', caret_line) - caret_line);
  // "…" is three bytes and one column.
  EXPECT_EQ(caret.find("^^^^"), shown.find("HERE") - 2) << text;
}

TEST(Diagnostics, ACommandStaysOnItsLine) {
  const std::string command = "gatehouse change finish intent-1 --files src/a.py --session s1";
  const Diagnostic d{.severity = Severity::error, .message = "no", .facts = {{"next", command}}};
  EXPECT_NE(render({d}, {.width = 40}).find("= next: " + command + "\n"), std::string::npos);
}

TEST(Diagnostics, AsciiCutsWithThreeDots) {
  Diagnostic d;
  d.id = "x";
  d.message = "m";
  d.path = "f";
  d.line = 1;
  d.source = {{1, std::string(300, 'a'), 0}};
  const std::string text = render({d}, {.width = 50, .ascii = true});
  EXPECT_NE(text.find("a...\n"), std::string::npos) << text;
}

TEST(Diagnostics, ASourceLineCannotDriveTheTerminal) {
  Diagnostic d;
  d.id = "x";
  d.message = "\x1b[2J";
  d.path = "a\x1b";
  d.line = 1;
  d.source = {{1, "+\x1b]0;owned\x07", 0}};
  d.spans = {{1, 0, 3, "\x1b", true}};
  d.facts = {{"next", "\x1b"}};
  d.related = {"b\x1b:3"};
  EXPECT_EQ(render({d}).find('\x1b'), std::string::npos);
}

TEST(Diagnostics, AreGroupedByFileThenLine) {
  std::vector<Diagnostic> all(3);
  all[0].path = "b";
  all[0].message = "third";
  all[1].path = "a";
  all[1].line = 9;
  all[1].message = "second";
  all[2].path = "a";
  all[2].line = 2;
  all[2].message = "first";
  const std::string text = render(all, {.verbosity = -1});
  EXPECT_EQ(text, "error: first\nerror: second\nerror: third\n");
}

TEST(Diagnostics, MoreThanFiftyOfOneRuleShowTenAndTheCount) {
  std::vector<Diagnostic> all(51);
  for (Diagnostic& d : all)
    d.id = "many";
  const std::string text = render(all, {.verbosity = -1});
  EXPECT_EQ(std::ranges::count(text, '['), 10);
  EXPECT_NE(text.find("... 41 more of many are not shown"), std::string::npos);
  all.pop_back();
  EXPECT_EQ(std::ranges::count(render(all, {.verbosity = -1}), '['), 50);
}

TEST(Diagnostics, ColourAddsNothingButEscapes) {
  std::string text = render({scope_violation()}, {.colour = true});
  EXPECT_NE(text.find("\x1b[31m"), std::string::npos);
  for (std::size_t at; (at = text.find('\x1b')) != std::string::npos;)
    text.erase(at, text.find('m', at) - at + 1);
  EXPECT_EQ(text, render({scope_violation()}));
}

TEST(Diagnostics, SummaryCountsInWords) {
  EXPECT_EQ(render_summary({Decision::deny, 1, 2, 0, 4, "9c1e77", 11}, {}),
            "denied: 1 error, 2 warnings in 4 files (policy 9c1e, 11 ms)\n");
  EXPECT_EQ(render_summary({Decision::allow, 0, 0, 0, 0, "", 3}, {}),
            "allowed: no findings (3 ms)\n");
}

TEST(Diagnostics, SourceAroundCountsLinesByLineFeedOnly) {
  const auto lines = source_around("a\rb\nc\n\nd", 2, 1);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].text, "a\rb");
  EXPECT_EQ(lines[1].text, "c");
  EXPECT_EQ(lines[2].number, 3);
  EXPECT_EQ(lines[2].text, "");
  EXPECT_TRUE(source_around("a\n", 7, 1).empty());
}

}  // namespace
}  // namespace gh::report
