#include "patch/paths.h"

#include <algorithm>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "patch/gates.h"

namespace gh::patch {
namespace {

using diff::Operation;

std::string repeated(std::string_view unit, int times) {
  std::string out;
  for (int i = 0; i < times; ++i)
    out += unit;
  return out;
}

std::int64_t characters(std::string_view text) {
  return std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
}

struct RuleCase {
  std::string_view rule;
  std::vector<std::string> refused;
  std::string accepted;  // one edit away from one of them
};

/// The table of patch-gate 5, row by row, typed out again.
const std::vector<RuleCase>& single_path_cases() {
  static const std::vector<RuleCase> kCases{
      {"path_empty", {"", ".", std::string()}, "..a"},
      {"path_invalid_utf8",
       {"a\xff", "caf\xe9.txt", "x/\xc0\xaf", "x/\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"},
       "caf\u00e9.txt"},
      {"path_control_char",
       {"a\nb", std::string("a\0b", 3), "tab\there", "x\x7fy", "nel\u0085x", "\x1b[31m"},
       "a\u00a1b"},
      {"path_backslash", {"a\\b", "\\\\host\\share", "..\\x", "src/a\\"}, "a-b"},
      {"path_absolute", {"/etc/passwd", "//host/share", "/"}, "etc/passwd"},
      {"path_drive_letter", {"C:/x", "c:x", "z:"}, "C/x"},
      {"path_colon",
       {"ab:c", "src/file.txt:stream", ".git::$INDEX_ALLOCATION/config", "1:x", "x/:"},
       "ab;c"},
      {"path_empty_component", {"a//b", "a/", "a/b//"}, "a/b"},
      {"path_traversal", {"..", "../x", "a/../b", "a/.."}, "a/..b"},
      {"path_dot_component", {"./a", "a/./b", "a/."}, "a/.b"},
      {"path_dotgit",
       {".git",       ".git/config",  "a/.GIT/hooks/x", ".Git",         ".g\u200cit/config",
        ".git\u200b", "\ufeff.git/x", ".gi\u2060t",     ".\u202egit",   ".git.",
        ".git ",      ".git. . ./x",  "git~1",          "GIT~1/config", "git~12345",
        "git~1.",     "x/gitmod~1",   "GITMOD~4",       "gi7eba~1",     "GI7EBA~9/x",
        "g\u200dit~1"},
       ".gitx"},
      {"path_unsafe_codepoint",
       {"a\u202eb", "zero\u200bwidth", "soft\u00adhyphen", "a\u2028b", "a\u2029b", "\ue000",
        "\ufdd0", "\U0010ffff", "\u0378", "\u061c", "x/\u2066y", "\U000e0041"},
       "a\u2027b"},
      {"path_not_nfc",
       {"cafe\u0301.txt", "x/\u212b", "\u1112\u1161\u11ab", "a\u0307\u0323"},
       "caf\u00e9.txt"},
      {"path_trailing_dot_space", {"a.", "dir./x", "a ", " a", "x/ y", "...", "a/b /c"}, "a.b c"},
      {"path_windows_reserved",
       {"con", "CON.txt", "src/aux.c", "nul", "PRN", "com0", "COM9.x", "lpt1", "Lpt\u00b2",
        "com\u00b9.txt", "con .txt", "conin$", "CONOUT$.log"},
       "console"},
      {"path_windows_char", {"a<b", "a>b", "x/\"q\"", "a|b", "what?", "*.txt"}, "a(b)"},
      {"path_too_long",
       {repeated("abcdefg/", 128) + "x", repeated("a", 256), "x/" + repeated("b", 300),
        repeated("d/", 64) + "f", repeated("\u00e9", 128)},
       repeated("a", 255)},
  };
  return kCases;
}

TEST(PathGate, EveryRowRefusesItsPathsAndNoNeighbour) {
  for (const RuleCase& c : single_path_cases()) {
    EXPECT_GE(c.refused.size(), 3u) << c.rule;
    for (const std::string& path : c.refused) {
      const auto defect = path_defect(path, true);
      ASSERT_TRUE(defect) << c.rule << ": " << path;
      EXPECT_EQ(to_string(defect->rule), c.rule) << path;
      EXPECT_EQ(defect->file, path);
      EXPECT_LE(characters(defect->message), 240) << c.rule;
    }
    EXPECT_FALSE(path_defect(c.accepted, true)) << c.rule << ": " << c.accepted;
  }
}

TEST(PathGate, OrdinaryPathsPass) {
  for (const char* path : {"README.md",
                           "src/main.cc",
                           ".gitignore",
                           ".github/x",
                           "a b/c d.txt",
                           "-rf",
                           "~",
                           "git",
                           "dev/null",
                           "a/b/c/d/e/f",
                           "日本語/ファイル.txt",
                           "emoji\U0001F600.md",
                           "x@y+z=1,2;[3]{4}",
                           "gitmodules~1",
                           "git~",
                           "git~1a",
                           ".gitattributes",
                           "com10",
                           "com",
                           "lpt",
                           "nulls",
                           "a..b"})
    EXPECT_FALSE(path_defect(path, true)) << path;
}

TEST(PathGate, AnEarlierRuleWinsOverALaterOne) {
  struct Row {
    std::string path;
    std::string_view rule;
  };
  for (const Row& r :
       {Row{"/..\\x", "path_backslash"}, Row{"/a:b", "path_absolute"},
        Row{"C:/../x", "path_drive_letter"}, Row{"ab:c//", "path_colon"},
        Row{"a//../.", "path_empty_component"}, Row{"./../x", "path_traversal"},
        Row{"./.git", "path_dot_component"}, Row{".git/\u202e", "path_dotgit"},
        Row{"e\u0301\u200b", "path_unsafe_codepoint"}, Row{"e\u0301.", "path_not_nfc"},
        Row{"con.", "path_trailing_dot_space"}, Row{"nul?", "path_windows_char"},
        Row{"x?/nul", "path_windows_reserved"}, Row{"?" + repeated("a", 300), "path_windows_char"},
        Row{"\xff\n", "path_invalid_utf8"}, Row{"\n\\", "path_control_char"}})
    EXPECT_EQ(to_string(path_defect(r.path, true)->rule), r.rule) << r.path;
}

TEST(PathGate, WindowsRulesCanBeSwitchedOffAndNothingElse) {
  const std::set<std::string_view> switched{"path_windows_reserved", "path_windows_char"};
  for (const RuleCase& c : single_path_cases())
    for (const std::string& path : c.refused)
      EXPECT_EQ(path_defect(path, false).has_value(), !switched.contains(c.rule)) << path;
}

TEST(PathGate, ATooLongPathNamesTheLimitItBreaks) {
  const auto whole = path_defect(repeated("abcdefg/", 128) + "x", true);
  EXPECT_EQ(whole->limit, 1024);
  EXPECT_EQ(whole->actual, 1025);
  const auto component = path_defect("x/" + repeated("b", 300), true);
  EXPECT_EQ(component->limit, 255);
  EXPECT_EQ(component->actual, 300);
  const auto depth = path_defect(repeated("d/", 64) + "f", true);
  EXPECT_EQ(depth->limit, 64);
  EXPECT_EQ(depth->actual, 65);
  EXPECT_FALSE(path_defect(repeated("abcdefg/", 63) + repeated("y", 255), true));
}

diff::Section section(Operation op, std::string old_path, std::string new_path = {}) {
  diff::Section s;
  s.op = op;
  s.new_path = new_path.empty() ? old_path : std::move(new_path);
  s.old_path = std::move(old_path);
  return s;
}

diff::Patch patch_of(std::vector<diff::Section> sections) {
  diff::Patch p;
  p.sections = std::move(sections);
  std::int64_t line = 1;
  for (diff::Section& s : p.sections)
    s.line = std::exchange(line, line + 10);
  return p;
}

std::vector<std::string> rules_of(const Violations& v) {
  std::vector<std::string> ids;
  for (const Violation& one : v.first)
    ids.push_back(std::string(to_string(one.rule)) + " " + std::to_string(one.section));
  return ids;
}
using Rules = std::vector<std::string>;
constexpr auto kCreate = Operation::create, kModify = Operation::modify,
               kRemove = Operation::remove, kRename = Operation::rename, kCopy = Operation::copy;

struct PatchCase {
  std::string_view rule;
  std::vector<diff::Section> sections;
  Rules expected;
};

const std::vector<PatchCase>& collision_cases() {
  static const std::vector<PatchCase> kCases{
      {"path_case_collision",
       {section(kCreate, "README"), section(kCreate, "readme")},
       {"path_case_collision 2"}},
      {"path_case_collision",
       {section(kModify, "stra\u00dfe"), section(kModify, "x"), section(kRemove, "STRASSE")},
       {"path_case_collision 3"}},
      {"path_case_collision",
       {section(kModify, "src/A.c"), section(kCreate, "Src/a.c")},
       {"path_case_collision 2"}},
      {"path_case_collision", {section(kRename, "a", "A")}, {"path_case_collision 1"}},
      {"path_case_collision",
       {section(kCreate, "\u00c9"), section(kCreate, "\u00e9"), section(kCreate, "a")},
       {"path_case_collision 2"}},
      {"path_case_collision", {section(kCreate, "README"), section(kCreate, "readme2")}, {}},
      {"path_file_dir_conflict",
       {section(kCreate, "a"), section(kCreate, "a/b")},
       {"path_file_dir_conflict 2"}},
      {"path_file_dir_conflict",
       {section(kRemove, "x/y/z"), section(kModify, "x")},
       {"path_file_dir_conflict 2"}},
      {"path_file_dir_conflict",
       {section(kRename, "q", "d/e"), section(kCopy, "d", "n")},
       {"path_file_dir_conflict 2"}},
      {"path_file_dir_conflict",
       {section(kCreate, "a"), section(kCreate, "a-b"), section(kCreate, "a.c"),
        section(kCreate, "a/b"), section(kCreate, "a/b/c")},
       {"path_file_dir_conflict 4", "path_file_dir_conflict 5"}},
      {"path_file_dir_conflict", {section(kRemove, "a"), section(kCreate, "a/b")}, {}},
      {"path_file_dir_conflict", {section(kRename, "a", "a/b")}, {}},
      {"path_file_dir_conflict", {section(kCreate, "a"), section(kCreate, "ab/c")}, {}},
  };
  return kCases;
}

TEST(PathGate, CollisionsBetweenPathsOfThePatchAreFound) {
  for (const PatchCase& c : collision_cases()) {
    const Violations v = check_paths(patch_of(c.sections), true);
    EXPECT_EQ(rules_of(v), c.expected) << c.rule << " " << c.sections.front().new_path;
  }
}

TEST(PathGate, ReportsForAllSectionsInOrderWithTheirPlace) {
  const auto v = check_paths(patch_of({section(kCreate, "ok"), section(kRename, "/abs", "../up"),
                                       section(kCreate, "con"), section(kCreate, "OK")}),
                             true);
  EXPECT_EQ(rules_of(v), (Rules{"path_absolute 2", "path_traversal 2", "path_windows_reserved 3",
                                "path_case_collision 4"}));
  EXPECT_EQ(v.first[0].line, 11);
  EXPECT_EQ(v.first[0].file, "/abs");
  EXPECT_EQ(v.first[2].line, 21);
  EXPECT_EQ(v.total, 4);
}

TEST(PathGate, KeepsFiftyAndCountsTheRest) {
  std::vector<diff::Section> many;
  for (int i = 0; i < 200; ++i)
    many.push_back(section(kCreate, "/x" + std::to_string(i)));
  const auto v = check_paths(patch_of(std::move(many)), true);
  EXPECT_EQ(v.first.size(), 50u);
  EXPECT_EQ(v.total, 200);
  EXPECT_EQ(v.first.back().section, 50);
}

/// Rule ids of the rows of a reference page: the first code span of every table row.
std::set<std::string> documented_rules(const char* page) {
  std::ifstream in(page);
  EXPECT_TRUE(in) << page;
  std::set<std::string> ids;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| `")) continue;
    const std::size_t end = line.find('`', 3);
    EXPECT_TRUE(ids.insert(line.substr(3, end - 3)).second) << "two rows: " << line;
  }
  return ids;
}

TEST(PathGate, EveryRowOfTheReferencePageHasACase) {
  std::set<std::string> tested;
  for (const RuleCase& c : single_path_cases())
    tested.emplace(c.rule);
  for (const PatchCase& c : collision_cases())
    tested.emplace(c.rule);
  const auto documented = documented_rules("docs/reference/patch-paths.md");
  EXPECT_EQ(documented, tested);
  EXPECT_EQ(documented.size(), 19u);
}

}  // namespace
}  // namespace gh::patch
