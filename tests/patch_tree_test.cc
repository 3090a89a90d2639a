// The tree gate: every row of patch-gate 7, and its predictions against real git.
#include <fstream>
#include <functional>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "patch/gates.h"
#include "tests/git_oracle.h"
#include "tests/memory_tree.h"

namespace gh::patch {
namespace {

using policy::PatchPolicy;
using test::BaseFile;
using test::GitOracle;
using test::MemoryTree;
using Files = std::vector<BaseFile>;
using Change = std::function<void(PatchPolicy&)>;
using Rules = std::vector<std::string>;
constexpr FileMode kLink = FileMode::symlink, kSub = FileMode::gitlink,
                   kExec = FileMode::executable;
const std::string kCommit(40, 'a');

struct Input {
  Files base;
  std::string patch;
  Change change{};
  bool is_retry = false;
};

PatchPolicy policy_of(const Input& i) {
  PatchPolicy policy = policy::default_patch_policy();
  if (i.change) i.change(policy);
  return policy;
}

Prediction predicted(const Input& i, HashKind kind = HashKind::sha1) {
  MemoryTree trees(kind);
  const ObjectId root = trees.add(i.base);
  const PatchPolicy policy = policy_of(i);
  const auto patch =
      diff::parse(i.patch, diff::Profile::git,
                  policy.position == "unique" ? diff::Position::unique : diff::Position::exact);
  if (!patch) {
    ADD_FAILURE() << to_string(patch.error().rule) << ": " << patch.error().message << "\n"
                  << i.patch;
    return {};
  }
  auto p = predict(*patch, policy, root, trees, {.is_retry = i.is_retry});
  EXPECT_TRUE(p) << p.error().message;
  return p ? *std::move(p) : Prediction{};
}

Rules rules_of(const Violations& v) {
  Rules ids;
  for (const Violation& one : v.first)
    ids.emplace_back(to_string(one.rule));
  return ids;
}

/// git is given what it would be given in production: the canonical patch at the real positions.
void expect_git_agrees(const Input& i) {
  static GitOracle sha1(HashKind::sha1), sha256(HashKind::sha256);
  for (const HashKind kind : {HashKind::sha1, HashKind::sha256}) {
    const bool has_submodule =
        std::ranges::any_of(i.base, [](const BaseFile& f) { return f.mode == kSub; }) ||
        i.patch.find("160000") != std::string::npos;
    if (has_submodule && kind == HashKind::sha256) continue;  // the commit ids are SHA-1
    const Prediction p = predicted(i, kind);
    ASSERT_TRUE(p.tree) << i.patch << ::testing::PrintToString(rules_of(p.violations));
    GitOracle& git = kind == HashKind::sha1 ? sha1 : sha256;
    MemoryTree trees(kind);
    EXPECT_EQ(git.load(i.base), trees.add(i.base).hex());
    EXPECT_EQ(git.apply(diff::print_canonical(p.placed)), p.tree->hex()) << i.patch;
  }
}

// ---- patch texts ---------------------------------------------------------------------------

std::string modify(std::string_view path, std::string_view hunks = "@@ -1 +1 @@\n-x\n+y\n",
                   std::string_view headers = "") {
  return fmt::format("diff --git a/{0} b/{0}\n{2}--- a/{0}\n+++ b/{0}\n{1}", path, hunks, headers);
}
std::string create(std::string_view path, std::string_view content = "+n\n",
                   std::string_view mode = "100644", int lines = 1) {
  return fmt::format(
      "diff --git a/{0} b/{0}\nnew file mode {2}\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1,{3} @@\n{1}",
      path, content, mode, lines);
}
std::string removed(std::string_view path, std::string_view mode = "100644",
                    std::string_view hunk = "@@ -1 +0,0 @@\n-x\n") {
  return fmt::format("diff --git a/{0} b/{0}\ndeleted file mode {1}\n--- a/{0}\n+++ /dev/null\n{2}",
                     path, mode, hunk);
}
std::string moved(std::string_view verb, std::string_view from, std::string_view to) {
  return fmt::format("diff --git a/{0} b/{1}\n{2} from {0}\n{2} to {1}\n", from, to, verb);
}
std::string numbered(int from, int to) {
  std::string out;
  for (int i = from; i <= to; ++i)
    out += fmt::format("{}\n", i);
  return out;
}
const std::string kNoNewline = "\\ No newline at end of file\n";

Change allow(bool PatchPolicy::*key) {
  return [=](PatchPolicy& p) { p.*key = true; };
}
void unique_position(PatchPolicy& p) { p.position = "unique"; }
Change allow_filters(std::vector<std::string> entries) {
  return [=](PatchPolicy& p) { p.allow_filters = entries; };
}

struct RuleCase {
  std::string_view rule;
  std::vector<Input> refused;   // the rule is reported first
  std::vector<Input> accepted;  // and git agrees on the tree
};

const std::string kThree = "@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n";

const std::vector<RuleCase>& cases() {
  static const Files kTen{{"f", numbered(1, 10)}};
  static const std::vector<RuleCase> kCases{
      {"base_missing",
       {{{{"a", "x\n"}}, modify("b")},
        {{{"a", "x\n"}}, removed("d/a")},
        {{{"a", "x\n"}}, moved("rename", "q", "r")},
        {{{"a", "x\n"}}, moved("copy", "A", "r")},
        {{}, modify("a")}},
       {{{{"a", "x\n"}}, modify("a")}}},
      {"already_exists",
       {{{{"a", "x\n"}}, create("a")},
        {{{"a", "x\n"}, {"b", "x\n"}}, moved("rename", "a", "b")},
        {{{"a", "x\n"}, {"d/b", "x\n"}}, moved("copy", "a", "d/b")},
        {{{"a", "b", kLink}}, create("a")}},
       {{{{"a", "x\n"}}, create("b")}, {{{"a", "x\n"}}, moved("copy", "a", "d/b")}}},
      {"base_symlink",
       {{{{"l", "x", kLink}}, modify("l", "@@ -1 +1 @@\n-x\n" + kNoNewline + "+y\n" + kNoNewline)},
        {{{"l", "x", kLink}}, moved("rename", "l", "m")},
        {{{"d/l", "x", kLink}},
         modify("d/l", "@@ -1 +1 @@\n-x\n" + kNoNewline + "+y\n" + kNoNewline,
                "index 1234567..7654321 120000\n")}},
       {{{{"l", "x", kLink}},
         modify("l", "@@ -1 +1 @@\n-x\n" + kNoNewline + "+y\n" + kNoNewline),
         allow(&PatchPolicy::allow_symlinks)},
        {{{"l", "x", kLink}}, moved("rename", "l", "d/m"), allow(&PatchPolicy::allow_symlinks)},
        {{{"l", "x", kLink}},
         removed("l", "120000", "@@ -1 +0,0 @@\n-x\n" + kNoNewline),
         allow(&PatchPolicy::allow_symlinks)},
        {{}, create("l", "+d/x\n" + kNoNewline, "120000"), allow(&PatchPolicy::allow_symlinks)}}},
      {"base_gitlink",
       {{{{"s", kCommit, kSub}},
         modify("s", "@@ -1 +1 @@\n-Subproject commit " + kCommit + "\n+Subproject commit " +
                         std::string(40, 'b') + "\n")},
        {{{"s", kCommit, kSub}}, moved("rename", "s", "t")},
        {{{"d/s", kCommit, kSub}}, moved("copy", "d/s", "t")}},
       {{{{"s", kCommit, kSub}},
         modify("s", "@@ -1 +1 @@\n-Subproject commit " + kCommit + "\n+Subproject commit " +
                         std::string(40, 'b') + "\n"),
         allow(&PatchPolicy::allow_gitlinks)},
        {{{"s", kCommit, kSub}, {"t", "x\n"}},
         removed("s", "160000", "@@ -1 +0,0 @@\n-Subproject commit " + kCommit + "\n"),
         allow(&PatchPolicy::allow_gitlinks)},
        {{{"s", kCommit, kSub}}, moved("rename", "s", "d/t"), allow(&PatchPolicy::allow_gitlinks)},
        {{},
         create("s", "+Subproject commit " + kCommit + "\n", "160000"),
         allow(&PatchPolicy::allow_gitlinks)}}},
      {"base_mode_mismatch",
       {{{{"a", "x\n"}}, removed("a", "100755")},
        {{{"a", "x\n", kExec}},
         modify("a", "@@ -1 +1 @@\n-x\n+y\n", "index 1234567..7654321 100644\n")},
        {{{"a", "x\n", kExec}}, "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n"},
        {{{"a", "x\n"}}, moved("rename", "a", "b") + "old mode 100755\nnew mode 100644\n"}},
       {{{{"a", "x\n", kExec}}, removed("a", "100755")},
        {{{"a", "x\n"}}, modify("a", "@@ -1 +1 @@\n-x\n+y\n", "index 1234567..7654321 100644\n")},
        {{{"a", "x\n"}}, "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n"}}},
      {"base_blob_mismatch",
       {{{{"a", "x\n"}},
         modify("a", "@@ -1 +1 @@\n-x\n+y\n",
                "index " + std::string(40, '1') + ".." + std::string(40, '2') + "\n")},
        {{{"a", "x\n"}},
         modify("a", "@@ -1 +1 @@\n-x\n+y\n",
                "index " + std::string(64, '1') + ".." + std::string(64, '2') + " 100644\n")},
        {{{"a", "x\n"}},
         "diff --git a/a b/a\ndeleted file mode 100644\nindex " + std::string(40, '1') + ".." +
             std::string(40, '0') + "\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"}},
       {{{{"a", "x\n"}}, modify("a", "@@ -1 +1 @@\n-x\n+y\n", "index 1111111..2222222\n")}}},
      {"symlink_in_path",
       {{{{"l", "d", kLink}, {"d/x", "x\n"}}, create("l/new")},
        {{{"e/l", "d", kLink}, {"x", "x\n"}}, moved("rename", "x", "e/l/deep/x")},
        {{{"l", "d", kLink}, {"x", "x\n"}}, moved("copy", "x", "l/y")},
        {{{"l", "d", kLink}, {"x", "x\n"}}, create("l/new"), allow(&PatchPolicy::allow_symlinks)}},
       {{{{"l", "d", kLink}, {"d/x", "x\n"}}, create("d/new")}}},
      {"gitlink_in_path",
       {{{{"s", kCommit, kSub}}, create("s/new")},
        {{{"e/s", kCommit, kSub}, {"x", "x\n"}}, moved("rename", "x", "e/s/deep/x")},
        {{{"s", kCommit, kSub}, {"x", "x\n"}},
         moved("copy", "x", "s/y"),
         allow(&PatchPolicy::allow_gitlinks)}},
       {{{{"s", kCommit, kSub}}, create("s2/new")}}},
      {"file_dir_conflict",
       {{{{"a", "x\n"}}, create("a/b")},
        {{{"d/e", "x\n"}}, create("d")},
        {{{"d/e", "x\n"}, {"x", "x\n"}}, moved("rename", "x", "d")},
        {{{"d/e", "x\n"}}, modify("d")},
        {{{"a", "x\n"}, {"q", "x\n"}}, moved("rename", "q", "a/b/c")}},
       {{{{"a", "x\n"}}, create("b/a")},
        {{{"a", "x\n"}}, removed("a") + create("a/b")},
        {{{"a", "x\n"}}, moved("rename", "a", "a/b")}}},
      {"case_collision",
       {{{{"README.md", "x\n"}}, create("readme.md")},
        {{{"src/a", "x\n"}}, create("Src/b")},
        {{{"src/a", "x\n"}}, create("SRC")},
        {{{"x", "x\n"}, {"d/stra\u00dfe", "x\n"}}, moved("rename", "x", "d/STRASSE")},
        {{{"caf\u00e9", "x\n"}}, create("CAF\u00c9")},
        {{{"d/e\u0301", "x\n"}}, create("d/\u00e9")},
        {{}, create("new/A/x") + create("new/a/y")},
        {{{"x", "x\n"}}, moved("copy", "x", "X")}},
       {{{{"README.md", "x\n"}}, create("readme2.md")},
        {{{"A", "x\n"}, {"a", "x\n"}}, modify("a")},
        {{{"A", "x\n"}, {"a", "x\n"}}, create("b")},
        {{{"src/a", "x\n"}}, removed("src/a") + create("Src/b")},
        {{{"x\xff", "x\n"}}, create("x")}}},
      {"base_binary",
       {{{{"f", std::string("x\n\0\n", 4)}}, modify("f", "@@ -1,1 +1,1 @@\n-x\n+y\n")},
        {{{"f", std::string(7999, 'x') + std::string("\0\n", 2)}}, modify("f")},
        {{{"f", std::string("\0", 1)}}, removed("f")}},
       {{{{"f", "x\n" + std::string(7997, 'y') + std::string("\n\0\n", 3)}},
         modify("f", fmt::format("@@ -1,2 +1,2 @@\n-x\n+z\n {}\n", std::string(7997, 'y')))},
        {{{"f", std::string("\0", 1)}}, moved("rename", "f", "g")}}},
      {"filtered_path",
       {{{{".gitattributes", "*.dat filter=lfs\n"}, {"a.dat", "x\n"}}, modify("a.dat")},
        {{{"d/.gitattributes", "n ident\n"}}, create("d/n")},
        {{{".gitattributes", "* working-tree-encoding=UTF-16\n"}, {"a", "x\n"}}, removed("a")},
        {{{".gitattributes", "[attr]m filter=x\nto m\n"}, {"a", "x\n"}},
         moved("rename", "a", "to")},
        {{{".gitattributes", "a filter\n"}, {"a", "x\n"}}, modify("a")},
        {{{".gitattributes", "a ident filter=lfs\n"}, {"a", "x\n"}},
         modify("a"),
         allow_filters({"lfs"})}},
       {{{{".gitattributes", "*.dat filter=lfs\n"}, {"a.txt", "x\n"}}, modify("a.txt")},
        {{{".gitattributes", "* filter=lfs\n"},
          {"d/.gitattributes", "* -filter\n"},
          {"d/a", "x\n"}},
         modify("d/a")},
        {{{".gitattributes", "* filter=lfs\n* !filter\n"}, {"a", "x\n"}}, modify("a")},
        {{{".gitattributes", "* filter=lfs\n"}, {"a", "x\n"}}, modify("a"), allow_filters({"lfs"})},
        {{{".gitattributes", "* ident\n"}, {"d/a.c", "x\n"}},
         modify("d/a.c"),
         allow_filters({"*.c"})},
        {{{".gitattributes", "* text eol=crlf\n"}, {"a", "x\n"}}, modify("a")}}},
      {"hunk_position_mismatch",
       {{kTen, modify("f", "@@ -3,3 +3,3 @@\n 4\n-5\n+five\n 6\n")},
        {kTen, modify("f", "@@ -4,3 +4,3 @@\n 4\n-five\n+x\n 6\n")},
        {{{"f", "a\r\nb\r\n"}}, modify("f", "@@ -1,2 +1,2 @@\n-a\n+x\n b\n")}},
       {{kTen, modify("f", kThree)},
        {{{"f", "a\r\nb\r\n"}}, modify("f", "@@ -1,2 +1,2 @@\n-a\r\n+x\r\n b\r\n")}}},
      {"hunk_position_ambiguous",
       {{{{"f", "h\na\nb\nh\na\nb\nt\n"}},
         modify("f", "@@ -2,2 +2,2 @@\n a\n-b\n+c\n"),
         unique_position},
        {{{"f", "a\na\n"}}, modify("f", "@@ -1 +1 @@\n-a\n+c\n"), unique_position},
        {{{"f", "{\n}\n{\n}\n"}}, modify("f", "@@ -1,2 +1,3 @@\n {\n+x\n }\n"), unique_position}},
       {{kTen, modify("f", "@@ -2,3 +2,3 @@\n 4\n-5\n+five\n 6\n"), unique_position},
        {kTen, modify("f", "@@ -1,3 +1,4 @@\n 3\n+new\n 4\n 5\n@@ -5,3 +6,2 @@\n 7\n-8\n 9\n"),
         unique_position}}},
      {"hunk_not_found",
       {{kTen, modify("f", "@@ -4,3 +4,3 @@\n 4\n-V\n+five\n 6\n"), unique_position},
        {kTen, modify("f", "@@ -1,3 +1,3 @@\n 7\n-8\n+x\n 9\n@@ -5,3 +5,3 @@\n 1\n-2\n+y\n 3\n"),
         unique_position},
        {{{"f", ""}}, modify("f"), unique_position}},
       {{kTen, modify("f", kThree), unique_position}}},
      {"hunk_no_context",
       {{kTen, modify("f", "@@ -5,2 +5,2 @@\n-5\n+x\n 6\n")},
        {kTen, modify("f", "@@ -4,2 +4,2 @@\n 4\n-5\n+x\n")},
        {kTen, modify("f", "@@ -5,0 +6 @@\n+x\n")},
        {kTen, modify("f", "@@ -10 +10 @@\n-10\n+x\n")}},
       {{kTen, modify("f", "@@ -1,2 +1,2 @@\n-1\n+x\n 2\n")},
        {kTen, modify("f", "@@ -9,2 +9,2 @@\n 9\n-10\n+x\n")}}},
      {"no_newline_conflict",
       {{{{"f", "a\nb"}}, modify("f", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n")},
        {{{"f", "a\nb\n"}}, modify("f", "@@ -1,2 +1,2 @@\n a\n-b\n" + kNoNewline + "+c\n")},
        {{{"f", "a\nb"}}, modify("f", "@@ -1,2 +1,3 @@\n+0\n a\n b\n")},
        {{{"f", "a\nb\n"}}, modify("f", "@@ -1,2 +1,2 @@\n-a\n+c\n b\n" + kNoNewline)}},
       {{{{"f", "a\nb"}}, modify("f", "@@ -1,2 +1,2 @@\n a\n-b\n" + kNoNewline + "+c\n")},
        {{{"f", "a\nb\n"}}, modify("f", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n" + kNoNewline)}}},
      {"delete_leaves_content",
       {{{{"f", "x\ny\n"}}, removed("f")},
        {kTen, removed("f", "100644", "@@ -1,2 +0,0 @@\n-1\n-2\n")},
        {{{"f", "x\n"}}, "diff --git a/f b/f\ndeleted file mode 100644\n"}},
       {{{{"f", "x\n"}}, removed("f")},
        {{{"f", ""}, {"g", ""}}, "diff --git a/f b/f\ndeleted file mode 100644\n"}}},
      {"no_effect",
       {{{{"f", "x\n"}}, modify("f", "@@ -1 +1 @@\n-x\n+x\n")},
        {kTen, modify("f", "@@ -4,3 +4,3 @@\n 4\n-5\n+5\n 6\n")},
        {{{"f", "x\n"}}, "diff --git a/f b/f\nold mode 100644\nnew mode 100644\n"}},
       {{{{"f", "x\n"}}, modify("f", "@@ -1 +1 @@\n-x\n+x \n")}}},
  };
  return kCases;
}

TEST(TreeGate, EveryRuleRefusesItsInputs) {
  for (const RuleCase& c : cases()) {
    EXPECT_GE(c.refused.size(), 3u) << c.rule;
    for (const Input& i : c.refused) {
      const Prediction p = predicted(i);
      ASSERT_FALSE(p.violations.empty()) << c.rule << "\n" << i.patch;
      const Violation& first = p.violations.first.front();
      EXPECT_EQ(to_string(first.rule), c.rule) << i.patch;
      EXPECT_EQ(stage_of(step_of(first.rule)), Stage::git_check);
      EXPECT_FALSE(p.tree);
      EXPECT_FALSE(first.file.empty());
      EXPECT_GT(first.line, 0);
      EXPECT_GT(first.section, 0);
      EXPECT_LE(first.message.size(), 240u) << first.message;
    }
  }
}

TEST(TreeGate, NeighboursPassWithGitsTree) {
  for (const RuleCase& c : cases()) {
    EXPECT_GE(c.accepted.size(), 1u) << c.rule;
    for (const Input& i : c.accepted) {
      SCOPED_TRACE(c.rule);
      expect_git_agrees(i);
    }
  }
}

/// First code spans of a table row's first cell: "| `a`, `b` | ..." names two rules.
std::set<std::string> documented_rules(const char* page) {
  std::ifstream in(page);
  EXPECT_TRUE(in) << page;
  std::set<std::string> ids;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| `")) continue;
    const std::string cell = line.substr(0, line.find('|', 1));
    for (std::size_t at = cell.find('`'); at != std::string::npos;) {
      const std::size_t end = cell.find('`', at + 1);
      EXPECT_TRUE(ids.insert(cell.substr(at + 1, end - at - 1)).second) << line;
      at = cell.find('`', end + 1);
    }
  }
  return ids;
}

TEST(TreeGate, EveryRowOfTheReferencePageHasACase) {
  std::set<std::string> tested;
  for (const RuleCase& c : cases())
    tested.emplace(c.rule);
  const auto documented = documented_rules("docs/reference/patch-tree.md");
  EXPECT_EQ(documented, tested);
  EXPECT_EQ(documented.size(), 19u);
}

// ---- policy rules that need the base ---------------------------------------------------------

/// Deletes `deleted` of the lines 1..`total` and adds one.
Input rewritten(int total, int deleted, Change change, bool is_retry) {
  std::string hunk = fmt::format("@@ -1,{} +1,{} @@\n", total, total - deleted + 1);
  for (int i = 1; i <= total; ++i)
    hunk += fmt::format("{}{}\n", i <= deleted ? '-' : ' ', i);
  hunk.insert(hunk.find("@@\n") + 3, "+new\n");
  return {{{"f", numbered(1, total)}}, modify("f", hunk), std::move(change), is_retry};
}
Change rewrite_mode(policy::RewriteMode mode) {
  return [=](PatchPolicy& p) { p.rewrite_mode = mode; };
}

TEST(TreeGate, AFullRewriteIsRefusedByItsModeRatioAndSize) {
  using enum policy::RewriteMode;
  struct Row {
    Input input;
    bool refused;
  };
  for (const Row& r : {
           Row{rewritten(20, 18, {}, true), true},
           Row{rewritten(20, 20, {}, true), true},
           Row{rewritten(100, 90, {}, true), true},
           Row{rewritten(20, 17, {}, true), false},
           Row{rewritten(19, 19, {}, true), false},
           Row{rewritten(20, 20, {}, false), false},
           Row{rewritten(20, 20, rewrite_mode(always), false), true},
           Row{rewritten(20, 20, rewrite_mode(always), true), true},
           Row{rewritten(20, 20, rewrite_mode(off), true), false},
           Row{rewritten(
                   5, 3,
                   [](PatchPolicy& p) {
                     p.rewrite_min_lines = 5;
                     p.rewrite_ratio_ten_thousandths = 6000;
                   },
                   true),
               true},
           Row{{{{"f", numbered(1, 30)}},
                removed(
                    "f", "100644",
                    "@@ -1,30 +0,0 @@\n" +
                        [] {
                          std::string all;
                          for (int i = 1; i <= 30; ++i)
                            all += fmt::format("-{}\n", i);
                          return all;
                        }()),
                {},
                true},
               false},
       }) {
    const Prediction p = predicted(r.input);
    EXPECT_EQ(rules_of(p.violations), r.refused ? Rules{"full_rewrite"} : Rules{}) << r.input.patch;
  }
}

TEST(TreeGate, AResultOverItsLimitIsAPolicyMatter) {
  const auto limit = [](std::int64_t bytes) {
    return [=](PatchPolicy& p) { p.max_result_file_bytes = bytes; };
  };
  for (const Input& i : {Input{{}, create("f", "+12345\n"), limit(5)},
                         Input{{{"f", "x\n"}}, modify("f", "@@ -1 +1,2 @@\n x\n+y\n"), limit(3)},
                         Input{{{"f", "12345\n"}}, moved("rename", "f", "g"), limit(5)}}) {
    const Prediction p = predicted(i);
    ASSERT_EQ(rules_of(p.violations), Rules{"max_result_file_bytes"});
    EXPECT_EQ(step_of(p.violations.first[0].rule), PatchStep::policy);
    EXPECT_EQ(p.violations.first[0].actual, *p.violations.first[0].limit + 1);
  }
  EXPECT_TRUE(predicted({{}, create("f", "+1234\n"), limit(5)}).violations.empty());
  EXPECT_TRUE(predicted({{{"f", "x\n"}}, removed("f"), limit(1)}).violations.empty());
}

TEST(TreeGate, PolicySpeaksBeforeTheTree) {
  Input i = rewritten(20, 20, {}, true);
  i.patch += modify("missing");
  EXPECT_EQ(rules_of(predicted(i).violations), Rules{"full_rewrite"});
}

TEST(TreeGate, ALinkMayNotBePointedElsewhere) {
  const auto retarget = [](std::string_view to, Change change) {
    return Input{{{"d/l", "x", kLink}},
                 modify("d/l", fmt::format("@@ -1 +1 @@\n-x\n{0}+{1}\n{0}", kNoNewline, to)),
                 std::move(change)};
  };
  const Change links = allow(&PatchPolicy::allow_symlinks);
  for (const char* to : {"../../etc/passwd", "/etc/passwd", ".git/config", "a//b", "a\\b"})
    EXPECT_EQ(rules_of(predicted(retarget(to, links)).violations), Rules{"mode_symlink"}) << to;
  expect_git_agrees(retarget("y/z", links));
  const Change narrow = [](PatchPolicy& p) {
    p.allow_symlinks = true;
    p.allow_roots = {"d/l"};
  };
  EXPECT_EQ(rules_of(predicted(retarget("y", narrow)).violations), Rules{"mode_symlink"});
}

TEST(TreeGate, ASubmoduleLineMustNameACommit) {
  const Change subs = allow(&PatchPolicy::allow_gitlinks);
  for (const std::string& line :
       {std::string("+Subproject commit zzz\n"), "+Subproject commit " + kCommit + " \n",
        "+Subproject commit " + std::string(40, '0') + "\n", std::string("+text\n"),
        "+Subproject commit " + kCommit + "\n" + kNoNewline})
    EXPECT_EQ(rules_of(predicted({{}, create("s", line, "160000"), subs}).violations),
              Rules{"mode_gitlink"})
        << line;
}

// ---- order and places ------------------------------------------------------------------------

TEST(TreeGate, ReportsInSectionOrderThenInTableOrder) {
  const Prediction p =
      predicted({{{"l", "d", kLink}, {".gitattributes", "z filter=x\n"}, {"z", "x\n", kExec}},
                 modify("l/gone") +
                     modify("z", "@@ -1 +1 @@\n-q\n+y\n",
                            "index " + std::string(40, '1') + "..1234567 100644\n") +
                     create("L")});
  EXPECT_EQ(rules_of(p.violations),
            (Rules{"base_missing", "symlink_in_path", "base_mode_mismatch", "base_blob_mismatch",
                   "filtered_path", "hunk_position_mismatch", "case_collision"}));
  EXPECT_EQ(p.violations.first.back().section, 3);
}

TEST(TreeGate, ShowsGitTheRealPositions) {
  const Prediction p =
      predicted({{{"f", numbered(1, 20)}},
                 modify("f", "@@ -1,3 +1,4 @@\n 4\n+new\n 5\n 6\n@@ -5,3 +6,2 @@\n 9\n-10\n 11\n"),
                 unique_position});
  ASSERT_TRUE(p.tree);
  const auto& hunks = p.placed.sections[0].hunks;
  EXPECT_EQ(hunks[0].old_start, 4);
  EXPECT_EQ(hunks[0].new_start, 4);
  EXPECT_EQ(hunks[1].old_start, 9);
  EXPECT_EQ(hunks[1].new_start, 10);
  EXPECT_EQ(p.notes.size(), 2u);
}

TEST(TreeGate, ListsBothSidesOfEveryTouchedPath) {
  const Prediction p =
      predicted({{{"gone", "x\n"}, {"m", "x\n"}, {"old", "x\n"}, {"src", "x\n"}},
                 create("added", "+n\n", "100755") + removed("gone") + modify("m") +
                     moved("rename", "old", "renamed") + moved("copy", "src", "to")});
  ASSERT_TRUE(p.tree);
  std::vector<std::string> rows;
  for (const TouchedEntry& e : p.entries)
    rows.push_back(fmt::format("{} {}->{}", e.path, e.old_mode ? to_string(*e.old_mode) : "-",
                               e.new_mode ? to_string(*e.new_mode) : "-"));
  EXPECT_EQ(rows, (std::vector<std::string>{"added -->100755", "gone 100644->-", "m 100644->100644",
                                            "old 100644->-", "renamed -->100644",
                                            "src 100644->100644", "to -->100644"}));
  std::vector<std::string> base;
  for (const auto& [path, entry] : p.base_entries)
    base.push_back(path + " " + to_string(entry.mode));
  EXPECT_EQ(base,
            (std::vector<std::string>{"gone 100644", "m 100644", "old 100644", "src 100644"}));
}

TEST(TreeGate, ReadsOnlyTheTreesOnTouchedPaths) {
  Files files;
  for (int i = 0; i < 100; ++i)
    files.push_back({fmt::format("d{}/e/f", i), "x\n"});
  MemoryTree trees;
  const ObjectId root = trees.add(files);
  const std::string text = modify("d7/e/f");
  const auto patch = diff::parse(text, diff::Profile::strict, diff::Position::exact);
  ASSERT_TRUE(predict(*patch, policy::default_patch_policy(), root, trees, {}));
  EXPECT_EQ(trees.trees_read, 3);
  EXPECT_EQ(trees.blobs_read, 1);
}

TEST(TreeGate, AnObjectThatCannotBeReadIsAnError) {
  MemoryTree trees;
  const std::string text = modify("a");
  const auto patch = diff::parse(text, diff::Profile::strict, diff::Position::exact);
  EXPECT_FALSE(predict(*patch, policy::default_patch_policy(),
                       ObjectId::of(HashKind::sha1, "tree", "?"), trees, {}));
}

TEST(TreeGate, FindEntryWalksToAnyKindOfEntry) {
  MemoryTree trees;
  const ObjectId root = trees.add({{"d/e/f", "x\n"}, {"d.txt", "x\n"}, {"d-", "x\n"}});
  EXPECT_EQ((*find_entry(trees, root, "d/e/f"))->mode, FileMode::regular);
  EXPECT_EQ((*find_entry(trees, root, "d/e"))->mode, FileMode::tree);
  EXPECT_EQ((*find_entry(trees, root, "d"))->mode, FileMode::tree);
  EXPECT_EQ((*find_entry(trees, root, "d.txt"))->mode, FileMode::regular);
  EXPECT_FALSE(*find_entry(trees, root, "d/e/f/g"));
  EXPECT_FALSE(*find_entry(trees, root, "d/x"));
}

// ---- trees -----------------------------------------------------------------------------------

TEST(TreeGate, TreesOfManyShapesAreGitsTrees) {
  const Files odd{{"a", "x\n"},          {"a.b", "x\n"},           {"a-b", "x\n"},
                  {"a0", "x\n"},         {"b/c", "x\n"},           {"b.c", "x\n"},
                  {"b-c/d", "x\n"},      {"z/y/x/w", "x\n"},       {"q/only", "x\n"},
                  {"exe", "x\n", kExec}, {"\u00e4/\u00f6", "x\n"}, {"sp ace/t", "x\n"}};
  for (const std::string& patch :
       {removed("b/c"), removed("z/y/x/w"), removed("q/only") + create("q-new"),
        create("b0") + create("b/0"), create("new/deep/er/file"), create("a.b.c") + create("a-"),
        modify("exe"), moved("rename", "z/y/x/w", "z/w"), moved("copy", "exe", "b/exe"),
        moved("rename", "q/only", "q/only2/x"), moved("rename", "b/c", "c") + create("b/d"),
        create("x/y", "+n\n", "100755"), removed("sp ace/t"),
        modify("sp ace/t", "@@ -1 +1 @@\n-x\n+y\n"),
        std::string("diff --git a/e b/e\nnew file mode 100644\n"),
        std::string("diff --git a/exe b/exe\nold mode 100755\nnew mode 100644\n"),
        removed("a") + create("a/0") + create("a/z/y")})
    expect_git_agrees({odd, patch});
}

TEST(TreeGate, TheLastFileGoneLeavesTheEmptyTree) {
  expect_git_agrees({{{"d/f", "x\n"}}, removed("d/f")});
}

/// git mktree can write what an index cannot hold; rewriting such a tree must end where git ends.
TEST(TreeGate, AnEmptyFolderInTheBaseGoesAsWithGit) {
  GitOracle git;
  const std::string empty = git.run({"mktree"}, "");
  const std::string blob = git.run({"hash-object", "-w", "--stdin"}, "x\n");
  const std::string tree =
      git.run({"mktree"}, "100644 blob " + blob + "\tf\n040000 tree " + empty + "\thollow\n");
  class OneTree : public TreeSource {
   public:
    OneTree(std::string root, std::vector<TreeEntry> entries)
        : root_(std::move(root)), entries_(std::move(entries)) {}
    HashKind hash_kind() const override { return HashKind::sha1; }
    Result<Tree> tree(const ObjectId& id) override {
      return Tree(id.hex() == root_ ? entries_ : std::vector<TreeEntry>{});
    }
    Result<std::string> blob(const ObjectId&) override { return std::string("x\n"); }

   private:
    std::string root_;
    std::vector<TreeEntry> entries_;
  } source(tree, {{"f", FileMode::regular, *ObjectId::parse(blob)},
                  {"hollow", FileMode::tree, *ObjectId::parse(empty)}});
  const std::string text = modify("f");
  const auto patch = diff::parse(text, diff::Profile::strict, diff::Position::exact);
  const auto p =
      predict(*patch, policy::default_patch_policy(), *ObjectId::parse(tree), source, {});
  git.run({"read-tree", tree});
  EXPECT_EQ(git.apply(text), p->tree->hex());
}

// ---- split advice ----------------------------------------------------------------------------

/// Lands `part` on `files` through the tree gate; answers whether it was let in.
bool land(Files& files, const diff::Patch& whole, const SplitPart& part) {
  diff::Patch one;
  for (const diff::Section& s : whole.sections)
    if (std::ranges::find(part.paths, s.new_path) != part.paths.end()) one.sections.push_back(s);
  MemoryTree trees;
  const auto p = predict(one, policy::default_patch_policy(), trees.add(files), trees, {});
  if (!p || !p->tree) return false;
  for (const diff::Section& s : one.sections) {
    const auto old = std::ranges::find(files, s.old_path, &BaseFile::path);
    const std::string base = old == files.end() ? "" : old->content;
    if (old != files.end() && s.op != diff::Operation::copy) files.erase(old);
    if (s.op != diff::Operation::remove)
      files.push_back({s.new_path, apply_section(s, base, diff::Position::exact)->bytes});
  }
  return trees.add(files) == *p->tree;
}

TEST(SplitAdvice, TheAdvisedPartsLandOneAfterTheOther) {
  const Files base{{"a", "x\n"}, {"B/one", "x\n"}, {"B/two", "x\n"}, {"c", "x\n"},
                   {"d", "x\n"}, {"e/f", "x\n"},   {"g", "x\n"}};
  const std::string text = create("a/below") + removed("a") + create("b/one") + removed("B/one") +
                           removed("B/two") + modify("c") + moved("rename", "d", "d/d") +
                           moved("rename", "e/f", "h") + moved("copy", "g", "i") + create("j");
  const auto patch = diff::parse(text, diff::Profile::git, diff::Position::exact);
  ASSERT_TRUE(patch);
  for (std::int64_t max_files = 3; max_files <= 8; ++max_files) {
    PatchPolicy policy = policy::default_patch_policy();
    policy.max_files = max_files;
    const SplitAdvice advice = split_advice(*patch, policy);
    EXPECT_TRUE(advice.indivisible.empty());
    Files files = base;
    for (const SplitPart& part : advice.parts)
      ASSERT_TRUE(land(files, *patch, part)) << max_files << ::testing::PrintToString(part.paths);
    MemoryTree trees;
    EXPECT_EQ(trees.add(files), *predicted({base, text}).tree);
  }
}

}  // namespace
}  // namespace gh::patch
