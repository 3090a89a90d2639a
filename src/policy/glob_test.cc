#include "policy/glob.h"

#include "policy/naive_glob.h"

namespace gh::policy {
namespace {

struct Case {
  std::string_view pattern, text;
  bool matches;
};

TEST(Prefix, CoversTheEntryItselfAndWhatLiesBelow) {
  constexpr Case kCases[] = {
      {"docs", "docs", true},
      {"docs", "docs/x.md", true},
      {"doc", "docs/x", false},
      {"docs/book", "docs", false},
      {"docs/book", "docs/book/foo.md", true},
      {"docs/*", "docs/x.md", false},
      {"docs", "Docs/x", false},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(matches_prefix(c.text, c.pattern), c.matches) << c.pattern << " " << c.text;
}

TEST(Glob, IsFnmatchcaseOverTheWholeText) {
  constexpr Case kCases[] = {
      {".gatehouse/**", ".gatehouse/a/b", true},
      {".gatehouse/**", ".gatehouse", false},
      {"docs/**", "docs/a/b.md", true},
      {"*.md", "docs/a.md", true},
      {"*", "", true},
      {"**", "a/b\nc", true},
      {"a*c", "a/b\nc", true},
      {"?", "/", true},
      {"?", "", false},
      {"?", "\xc3\xa9", true},
      {"??", "\xc3\xa9", false},
      {"?", "\xff", true},
      {"[a-c]x", "bx", true},
      {"[a-c]x", "dx", false},
      {"[!a-c]x", "dx", true},
      {"[!a-c]x", "bx", false},
      {"[^a]", "^", true},
      {"[^a]", "a", true},
      {"[^a]", "b", false},
      {"[]]", "]", true},
      {"[]a]", "a", true},
      {"[!]]", "]", false},
      {"[!]]", "a", true},
      {"[z-a]", "m", false},
      {"[!z-a]", "m", true},
      {"[a-]", "-", true},
      {"[-a]", "-", true},
      {"[--/]", ".", true},
      {"[\xc3\xa0-\xc3\xaf]", "\xc3\xa9", true},
      {"[abc", "[abc", true},
      {"[abc", "a", false},
      {"[]", "[]", true},
      {"[!]", "[!]", true},
      {"a\\*", "a\\x", true},
      {"a\\*", "a*", false},
      {"\\a", "a", false},
      {"{a,b}", "a", false},
      {"{a,b}", "{a,b}", true},
      {"ABC", "abc", false},
      {"a", "ab", false},
      {"ab", "a", false},
      {"", "", true},
      {"", "a", false},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(matches_glob(c.text, c.pattern), c.matches) << c.pattern << " " << c.text;
}

TEST(Pathglob, KnowsComponents) {
  constexpr Case kCases[] = {
      {"**/x", "x", true},
      {"**/x", "a/x", true},
      {"**/x", "a/b/x", true},
      {"**/x", "ax", false},
      {"**/x", "a/xb", false},
      {"a/**/b", "a/b", true},
      {"a/**/b", "a/x/y/b", true},
      {"a/**/b", "ab", false},
      {"a/**/b", "a/xb", false},
      {"docs/**", "docs", true},
      {"docs/**", "docs/a/b", true},
      {"docs/**", "docsx", false},
      {"docs/**/**", "docs", true},
      {"**", "any/thing", true},
      {"a**z", "a/b/z", true},
      {"a**/b", "axx/b", true},
      {"a**/b", "ax/y/b", true},
      {"a**/b", "ab", false},
      {"*", "a", true},
      {"*", "a/b", false},
      {"*.md", "docs/a.md", false},
      {"docs/*.md", "docs/a.md", true},
      {"docs/*", "docs", false},
      {"a*/b*", "ax/by", true},
      {"?", "/", false},
      {"a?b", "a/b", false},
      {"a[!x]b", "a/b", false},
      {"a[.-0]b", "a/b", false},
      {"a[!x]b", "ayb", true},
      {"[ab]/[!c]", "a/d", true},
      {"{a,b}", "{a,b}", true},
      {"a\\b", "a\\b", true},
      {"src/main.cc", "src/main.cc", true},
      {"src/main.cc", "src/Main.cc", false},
      {"src/main", "src/main/x", false},
      {"**/.kube/config", ".kube/config", true},
      {"**/.kube/config", "home/.kube/config", true},
      {"**/.kube/config", "home/.kube/config/x", false},
      {"**/.ssh/**", ".ssh/id", true},
      {"**/.ssh/**", "a/.ssh", true},
      {"**/.ssh/**", "a/b/.ssh/c/d", true},
      {"**/.ssh/**", "a/x.ssh/c", false},
      {"**/a/**/b/*.c", "x/a/y/b/z.c", true},
      {"**/a/**/b/*.c", "x/a/y/b/z/w.c", false},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(matches_pathglob(c.text, c.pattern), c.matches) << c.pattern << " " << c.text;
}

TEST(PolicyEntry, WithoutSlashMeansTheBasenameAndWithFinalSlashTheFolderAtTheRoot) {
  constexpr Case kCases[] = {
      {".env", ".env", true},
      {".env", "a/b/.env", true},
      {".env", ".env/x", false},
      {"*.pem", "deep/er/key.pem", true},
      {"id_rsa*", "x/id_rsa.pub", true},
      {"gatehouse.*", "gatehouse.yaml", true},
      {"gatehouse.*", "sub/gatehouse.baseline.json", true},
      {"core", "core", true},
      {"core", "core/x.cc", false},
      {".github/workflows/", ".github/workflows/ci.yml", true},
      {".github/workflows/", ".github/workflows", true},
      {".github/workflows/", ".github/workflows/a/b", true},
      {".github/workflows/", "sub/.github/workflows/ci.yml", false},
      {".github/workflows/", ".github/workflowsx/ci.yml", false},
      {".claude/", ".claude/settings.json", true},
      {".claude/", "a/.claude/settings.json", false},
      {"x*/", "xy/z", true},
      {"**/.ssh/", "a/.ssh/id", true},
      {".vscode/tasks.json", ".vscode/tasks.json", true},
      {".vscode/tasks.json", "a/.vscode/tasks.json", false},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(matches_policy_entry(c.text, c.pattern), c.matches) << c.pattern << " " << c.text;
}

std::vector<std::string> all_strings(std::string_view alphabet, std::size_t max_length) {
  std::vector<std::string> out{""};
  for (std::size_t from = 0; from < out.size(); ++from) {
    if (out[from].size() == max_length) break;
    for (const char c : alphabet)
      out.push_back(out[from] + c);
  }
  return out;
}

std::string first_disagreement(const std::vector<std::string>& patterns,
                               const std::vector<std::string>& texts) {
  for (const std::string& p : patterns)
    for (const std::string& t : texts) {
      if (matches_glob(t, p) != naive_glob(p, t)) return "GLOB " + p + " on " + t;
      if (matches_pathglob(t, p) != naive_pathglob(p, t)) return "PATHGLOB " + p + " on " + t;
    }
  return "";
}

TEST(Glob, AgreesWithTheNaiveMatcherOnAllShortInputs) {
  EXPECT_EQ(first_disagreement(all_strings("ab/*?[!]", 4), all_strings("ab/", 4)), "");
  EXPECT_EQ(first_disagreement(all_strings("a/*", 7), all_strings("a/", 6)), "");
  EXPECT_EQ(first_disagreement(all_strings("[]!-a", 6), all_strings("a-]!", 2)), "");
}

TEST(Glob, ManyWildcardsStayFast) {
  const std::string text(1024, 'a');
  std::string stars, sets;
  for (int i = 0; i < 200; ++i) {
    stars += "*a";
    sets += "*[";
  }
  EXPECT_FALSE(matches_glob(text, stars + "b"));
  EXPECT_FALSE(matches_glob(text, sets + "b"));
  EXPECT_FALSE(matches_pathglob(text, stars + "b"));
  EXPECT_FALSE(matches_pathglob(text, "**a*a*a*b"));
}

}  // namespace
}  // namespace gh::policy
