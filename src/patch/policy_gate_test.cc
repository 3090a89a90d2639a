#include "patch/policy_gate.h"

#include <functional>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "patch/gates.h"

namespace gh::patch {
namespace {

using policy::PatchPolicy;
using Change = std::function<void(PatchPolicy&)>;
using Rules = std::vector<std::string>;

// ---- patch texts ---------------------------------------------------------------------------

std::string create(std::string_view path, std::string_view added = "+x\n",
                   std::string_view mode = "100644") {
  std::int64_t lines = 0;
  for (std::size_t i = 0; i < added.size(); ++i)
    lines += added[i] == '+' && (i == 0 || added[i - 1] == '\n') ? 1 : 0;
  return fmt::format(
      "diff --git a/{0} b/{0}\nnew file mode {1}\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1,{2} @@\n{3}",
      path, mode, lines, added);
}
std::string modify(std::string_view path, std::string_view added = "y") {
  return fmt::format(
      "diff --git a/{0} b/{0}\n--- a/{0}\n+++ b/{0}\n@@ -1,2 +1,2 @@\n-x\n+{1}\n z\n", path, added);
}
std::string remove(std::string_view path, std::string_view mode = "100644") {
  return fmt::format(
      "diff --git a/{0} b/{0}\ndeleted file mode {1}\n--- a/{0}\n+++ /dev/null\n@@ -1 +0,0 "
      "@@\n-x\n",
      path, mode);
}
std::string moved(std::string_view verb, std::string_view from, std::string_view to) {
  return fmt::format("diff --git a/{0} b/{1}\n{2} from {0}\n{2} to {1}\n", from, to, verb);
}
std::string chmod(std::string_view path, std::string_view from, std::string_view to) {
  return fmt::format("diff --git a/{0} b/{0}\nold mode {1}\nnew mode {2}\n", path, from, to);
}
std::string lines(char kind, int count) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += fmt::format("{}line {}\n", kind, i);
  return out;
}
/// Replaces `deleted` lines by `added` lines at the head of a file.
std::string rewrite(std::string_view path, int deleted, int added) {
  return fmt::format(
      "diff --git a/{0} b/{0}\n--- a/{0}\n+++ b/{0}\n@@ -1,{1} +1,{2} @@\n{3}{4} end\n", path,
      deleted + 1, added + 1, lines('-', deleted), lines('+', added));
}
std::string many_hunks(std::string_view path, int count) {
  std::string out = fmt::format("diff --git a/{0} b/{0}\n--- a/{0}\n+++ b/{0}\n", path);
  for (int i = 0; i < count; ++i)
    out += fmt::format("@@ -{0},3 +{0},3 @@\n a\n-b\n+c\n d\n", 10 * i + 1);
  return out;
}
std::string many_files(std::string (*make)(std::string_view), int count) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += make(fmt::format("f{}", i));
  return out;
}

// ---- judging -------------------------------------------------------------------------------

Violations judged(std::string_view text, const Change& change = {}) {
  PatchPolicy policy = policy::default_patch_policy();
  if (change) change(policy);
  const auto patch = diff::parse(text, diff::Profile::git, diff::Position::exact);
  if (!patch) {
    ADD_FAILURE() << to_string(patch.error().rule) << ": " << text;
    return {};
  }
  EXPECT_TRUE(check_paths(*patch, true).empty()) << text;
  return check_policy(*patch, CompiledPolicy(policy), text.size());
}

Rules rules_of(const Violations& v) {
  Rules ids;
  for (const Violation& one : v.first)
    ids.emplace_back(to_string(one.rule));
  return ids;
}

struct Input {
  std::string text;
  Change change{};
};
struct RuleCase {
  std::string_view rule;
  std::vector<Input> refused;
  std::vector<Input> accepted;
};

Change set(std::int64_t PatchPolicy::*key, std::int64_t value) {
  return [=](PatchPolicy& p) { p.*key = value; };
}
Change set(bool PatchPolicy::*key, bool value) {
  return [=](PatchPolicy& p) { p.*key = value; };
}
Change set(std::vector<std::string> PatchPolicy::*key, std::vector<std::string> value) {
  return [=](PatchPolicy& p) { p.*key = value; };
}

/// Every key of patch-gate 6.1 that is decided on the patch alone, with its default.
const std::vector<RuleCase>& cases() {
  using P = PatchPolicy;
  static const std::vector<RuleCase> kCases{
      {"max_patch_bytes",
       {{create("a"), set(&P::max_patch_bytes, 50)},
        {modify("a") + modify("b"), set(&P::max_patch_bytes, 60)},
        {create("a", "+" + std::string(16'000, 'x') + "\n"), set(&P::max_patch_bytes, 16'000)}},
       {{create("a"), set(&P::max_patch_bytes, std::ssize(create("a")))}}},
      {"max_files",
       {{many_files([](std::string_view f) { return modify(f); }, 6)},
        {moved("rename", "a", "b") + moved("rename", "c", "d") + moved("rename", "e", "f")},
        {modify("a") + modify("b") + modify("c") + remove("d") + moved("rename", "e", "f")}},
       {{many_files([](std::string_view f) { return modify(f); }, 5)},
        {modify("a") + moved("rename", "c", "d") + moved("rename", "e", "f")}}},
      {"max_added_lines",
       {{create("a", lines('+', 401))},
        {rewrite("a", 1, 401)},
        {create("a", lines('+', 200)) + rewrite("b", 1, 201)}},
       {{create("a", lines('+', 400))}}},
      {"max_deleted_lines",
       {{rewrite("a", 1001, 1)},
        {rewrite("a", 500, 1) + rewrite("b", 501, 1)},
        {remove("a") + rewrite("b", 1000, 0)}},
       {{rewrite("a", 1000, 1)}}},
      {"max_deleted_files",
       {{many_files([](std::string_view f) { return remove(f); }, 4)},
        {remove("a") + remove("b"), set(&P::max_deleted_files, 1)},
        {remove("a/b") + remove("b/c") + modify("c") + remove("d/e") + remove("e")}},
       {{many_files([](std::string_view f) { return remove(f); }, 3)}}},
      {"max_hunks",
       {{many_hunks("a", 201)},
        {many_hunks("a", 100) + many_hunks("b", 101)},
        {modify("a") + modify("b"), set(&P::max_hunks, 1)}},
       {{many_hunks("a", 200)}}},
      {"max_line_bytes",
       {{create("a", "+" + std::string(16'385, 'x') + "\n")},
        {modify("a", std::string(20'000, 'y'))},
        {create("a", "+short\n+" + std::string(16'384, 'x') + "\r\n")}},
       {{create("a", "+" + std::string(16'384, 'x') + "\n")}}},
      {"secret_file",
       {{modify(".env")},
        {create("config/.env.production")},
        {modify("deploy/Server.PEM")},
        {create("ID_RSA")},
        {create("secrets/readme.txt")},
        {moved("rename", "a.txt", "x/private.key")},
        {moved("rename", "credentials.json", "a.txt")},
        {modify(".ENV.EXAMPLE")}},
       {{modify(".env.example")},
        {create("app/.env.sample")},
        {modify("environment")},
        {create("docs/secrets/readme.txt")},
        {modify(".env"), set(&P::secret_exceptions, {".env"})}}},
      {"control_file",
       {{modify(".gitattributes")},
        {create("sub/dir/.gitmodules")},
        {create(".github/workflows/ci.yml")},
        {modify("gatehouse.yaml")},
        {modify("docs/AGENTS.md")},
        {modify("claude.md")},
        {create(".CLAUDE/settings.json")},
        {modify("src/CODEOWNERS"), set(&P::allow_control_files, {"CODEOWNERS"})}},
       {{modify(".github/readme.md")},
        {modify(".gitignore")},
        {modify("src/CODEOWNERS"), set(&P::allow_control_files, {"src/CODEOWNERS"})}}},
      {"deny_prefixes",
       {{create("build/x.txt")},
        {create("dist")},
        {create("Target/debug/y")},
        {modify("meta/runs/1.json")},
        {moved("rename", "artifacts/a", "b")},
        {modify("stra\u00dfe/x"), set(&P::deny_prefixes, {"STRASSE"})}},
       {{create("builder/x.txt")}, {create("src/build/x.txt")}, {create("meta/x")}}},
      {"deny_components",
       {{create("node_modules/a.js")},
        {create("web/Node_Modules/a/b.js")},
        {create("src/__pycache__")},
        {create("a/cmakefiles/b")}},
       {{create("web/node_modules2/a.js")}}},
      {"lock_file",
       {{modify("package-lock.json")},
        {modify("web/go.sum")},
        {modify("ios/package.RESOLVED")},
        {modify("pnpm-lock.yaml")}},
       {{modify("package.json")}, {modify("mygo.sum")}}},
      {"deny_suffixes",
       {{modify("Cargo.lock")}, {modify("a/yarn.LOCK")}, {create("x/.lock")}},
       {{modify("lock")}, {modify("a.locked")}}},
      {"binary_target",
       {{create("logo.png")},
        {create("a/b.TAR.GZ")},
        {modify("lib/x.so")},
        {create("m.safetensors")}},
       {{create("png")}, {create("a.png.txt")}}},
      {"artifact_target",
       {{create("app.min.js")},
        {create("a/b/x.ORIG")},
        {create("core")},
        {create("src/notes~")},
        {create("x/.DS_Store")}},
       {{create("app.js")}, {create("core/x.cc")}, {create("a.maps")}}},
      {"allow_roots",
       {{modify("other/a"), set(&P::allow_roots, {"src", "docs"})},
        {modify("srcs/a"), set(&P::allow_roots, {"src"})},
        {modify("SRC/a"), set(&P::allow_roots, {"src"})},
        {moved("rename", "src/a", "b"), set(&P::allow_roots, {"src"})},
        {modify("a"), set(&P::allow_roots, {})}},
       {{modify("src/a"), set(&P::allow_roots, {"src", "docs"})},
        {modify("README.md"), set(&P::allow_roots, {"README.md"})},
        {modify("anything/at/all"), set(&P::allow_roots, {"."})}}},
      {"mode_symlink",
       {{create("l", "+target\n\\ No newline at end of file\n", "120000")},
        {remove("l", "120000")},
        {chmod("l", "100644", "120000")},
        {create("l", "+../up\n\\ No newline at end of file\n", "120000"),
         set(&P::allow_symlinks, true)},
        {create("l", "+/etc/passwd\n\\ No newline at end of file\n", "120000"),
         set(&P::allow_symlinks, true)},
        {create("l", "+.git/config\n\\ No newline at end of file\n", "120000"),
         set(&P::allow_symlinks, true)},
        {create("l", "+target\n", "120000"), set(&P::allow_symlinks, true)},
        {chmod("l", "120000", "100644"), set(&P::allow_symlinks, true)},
        {create("src/l", "+b\n\\ No newline at end of file\n", "120000"),
         [](P& p) {
           p.allow_symlinks = true;
           p.allow_roots = {"src/l"};
         }}},
       {{create("src/l", "+b\n\\ No newline at end of file\n", "120000"),
         [](P& p) {
           p.allow_symlinks = true;
           p.allow_roots = {"src"};
         }}}},
      {"mode_gitlink",
       {{create("sub", "+Subproject commit " + std::string(40, 'a') + "\n", "160000")},
        {remove("sub", "160000")},
        {chmod("sub", "160000", "100644"), set(&P::allow_gitlinks, true)}},
       {{create("sub", "+Subproject commit " + std::string(40, 'a') + "\n", "160000"),
         set(&P::allow_gitlinks, true)}}},
      {"rename_not_allowed",
       {{moved("rename", "a", "b"), set(&P::allow_renames, false)},
        {moved("rename", "x/a", "y/b"), set(&P::allow_renames, false)},
        {moved("rename", "a", "c d"), set(&P::allow_renames, false)}},
       {{moved("rename", "a", "b")}}},
      {"copy_not_allowed",
       {{moved("copy", "a", "b")}, {moved("copy", "x/a", "y/b")}, {moved("copy", "a", "a2")}},
       {{moved("copy", "a", "b"), set(&P::allow_copies, true)}}},
      {"mode_change",
       {{chmod("run.sh", "100644", "100755")},
        {chmod("run.sh", "100755", "100644")},
        {moved("rename", "a", "b") + "old mode 100644\nnew mode 100755\n"}},
       {{chmod("run.sh", "100644", "100755"), set(&P::allow_mode_changes, true)}}},
      {"new_executable",
       {{create("run.sh", "+x\n", "100755")},
        {create("a/b/c", lines('+', 3), "100755")},
        {create("bin2", "", "100755").substr(0, create("bin2", "", "100755").find("--- "))}},
       {{create("run.sh", "+x\n", "100755"), set(&P::allow_new_executable, true)},
        {create("run.sh")}}},
      {"content_bidi",
       {{create("a", "+x \u202e y\n")},
        {modify("a", "\u2066")},
        {create("a", "+ok\n+\u061c\n")},
        {modify("a", "x\u200f")},
        {modify("a", "x\u2069y")}},
       {{create("a", "+x \u2027 \u2010 \u200b y\n")},
        {create("a", "+x \u202e y\n"), set(&P::deny_bidi, false)}}},
      {"content_control_char",
       {{create("a", "+x\x1b[31m\n")},
        {modify("a", "bell\x07")},
        {modify("a", "del\x7f")},
        {modify("a", "cr\rinside")},
        {create("a", "+last\r\n\\ No newline at end of file\n")},
        {modify("a", "\x0bvt")}},
       {{create("a", "+tab\there\n+feed\f\n+crlf\r\n")},
        {modify("a", "bell\x07"), set(&P::deny_control, false)}}},
      {"content_invalid_utf8",
       {{create("a", "+caf\xe9\n")}, {modify("a", "\xc0\xaf")}, {modify("a", "\xed\xa0\x80")}},
       {{create("a", "+caf\u00e9\n")},
        {create("a", "+caf\xe9\n"), set(&P::require_utf8_content, false)}}},
  };
  return kCases;
}

TEST(PolicyGate, EveryRuleRefusesItsInputsAndNoNeighbour) {
  for (const RuleCase& c : cases()) {
    EXPECT_GE(c.refused.size(), 3u) << c.rule;
    for (const Input& input : c.refused) {
      const Violations v = judged(input.text, input.change);
      EXPECT_EQ(rules_of(v), Rules{std::string(c.rule)}) << input.text.substr(0, 300);
    }
    EXPECT_GE(c.accepted.size(), 1u) << c.rule;
    for (const Input& input : c.accepted)
      EXPECT_EQ(rules_of(judged(input.text, input.change)), Rules{})
          << c.rule << ": " << input.text.substr(0, 300);
  }
}

TEST(PolicyGate, EveryPolicyRuleOfThePatchAloneHasACase) {
  std::set<std::string_view> tested;
  for (const RuleCase& c : cases())
    tested.insert(c.rule);
  // These need the base or the run: predict and decide_retry.
  for (const char* elsewhere : {"full_rewrite", "max_result_file_bytes", "retry_channel",
                                "retry_exhausted", "retry_identical"})
    EXPECT_TRUE(tested.insert(elsewhere).second);
  std::set<std::string_view> known;
  for (std::size_t i = 0; i < kRuleCount; ++i)
    if (step_of(static_cast<Rule>(i)) == PatchStep::policy)
      known.insert(to_string(static_cast<Rule>(i)));
  EXPECT_EQ(tested, known);
}

TEST(PolicyGate, BudgetsComeFirstThenSectionsEachInTableOrder) {
  const std::string text = create("zz/.env", "+\u202e\x07\xff\n", "100755") +
                           moved("copy", "a.txt", "node_modules/b.lock") + remove("logo.png") +
                           many_files([](std::string_view f) { return modify(f); }, 4) +
                           create("long", "+" + std::string(17'000, 'x') + "\n");
  const Violations v = judged(text, [](PatchPolicy& p) {
    p.max_added_lines = p.max_deleted_lines = p.max_hunks = 1;
    p.max_patch_bytes = 10;
    p.max_deleted_files = 1;
    p.allow_roots = {"zz"};
  });
  EXPECT_EQ(rules_of(v), (Rules{"max_patch_bytes",
                                "max_files",
                                "max_added_lines",
                                "max_deleted_lines",
                                "max_hunks",
                                "max_line_bytes",
                                "secret_file",
                                "new_executable",
                                "content_bidi",
                                "content_control_char",
                                "content_invalid_utf8",
                                "deny_components",
                                "deny_suffixes",
                                "allow_roots",
                                "allow_roots",
                                "copy_not_allowed",
                                "binary_target",
                                "allow_roots",
                                "allow_roots",
                                "allow_roots",
                                "allow_roots",
                                "allow_roots",
                                "allow_roots"}));
}

TEST(PolicyGate, PathRulesKeepTheOrderOfTheTable) {
  // One path that breaks all nine of them.
  const Violations v = judged(create("build/node_modules/x.lock"), [](PatchPolicy& p) {
    p.secret_patterns = p.control_files = p.artifact_patterns = {"*.lock"};
    p.deny_names = {"x.lock"};
    p.binary_suffixes = {".lock"};
    p.allow_roots = {"src"};
  });
  EXPECT_EQ(rules_of(v),
            (Rules{"secret_file", "control_file", "deny_prefixes", "deny_components", "lock_file",
                   "deny_suffixes", "binary_target", "artifact_target", "allow_roots"}));
}

TEST(PolicyGate, DenyBeatsAllow) {
  EXPECT_EQ(rules_of(judged(modify("build/a"), [](PatchPolicy& p) { p.allow_roots = {"build"}; })),
            Rules{"deny_prefixes"});
  EXPECT_EQ(rules_of(judged(modify(".env"), [](PatchPolicy& p) { p.allow_roots = {".env"}; })),
            Rules{"secret_file"});
}

TEST(PolicyGate, ALimitNamesItsValueAndTheExcess) {
  const Violations v = judged(create("a", lines('+', 401)));
  ASSERT_EQ(v.total, 1);
  EXPECT_EQ(v.first[0].limit, 400);
  EXPECT_EQ(v.first[0].actual, 401);
  EXPECT_EQ(v.first[0].message, "the patch adds 401 lines; max_added_lines is 400");
}

TEST(PolicyGate, AnAddedLineIsReportedWithFileLineAndExcerpt) {
  const Violations v = judged(modify("a") + create("b", "+one\n+two \u202e\n"));
  ASSERT_EQ(v.total, 1);
  EXPECT_EQ(v.first[0].file, "b");
  EXPECT_EQ(v.first[0].section, 2);
  EXPECT_EQ(v.first[0].line, 14);
  EXPECT_EQ(v.first[0].excerpt, "two \u202e");
}

TEST(PolicyGate, ContextAndDeletedLinesAreNobodysAddition) {
  const std::string text =
      "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n \u202e\x07\xff\n-" +
      std::string(20'000, 'x') + "\n+y\n z\n";
  EXPECT_EQ(rules_of(judged(text)), Rules{});
}

TEST(PolicyGate, AnAddedLineThatLooksLikeAHeaderCounts) {
  const Violations v =
      judged(create("a", "+++ x\n+-- y\n"), [](PatchPolicy& p) { p.max_added_lines = 1; });
  ASSERT_EQ(rules_of(v), Rules{"max_added_lines"});
  EXPECT_EQ(v.first[0].actual, 2);
}

TEST(PolicyGate, CountsAMillionViolationsWithoutKeepingThem) {
  std::string added;
  for (int i = 0; i < 100'000; ++i)
    added += "+\x01\n";
  const Violations v = judged(create("a", added), [](PatchPolicy& p) {
    p.max_added_lines = p.max_patch_bytes = 10'000'000;
  });
  EXPECT_EQ(v.first.size(), 50u);
  EXPECT_EQ(v.total, 100'000);
}

}  // namespace
}  // namespace gh::patch
