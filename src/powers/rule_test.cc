// Subsumption of rules, row by row as the hosts document it.
#include "powers/rule.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "powers/pattern.h"

namespace gh::powers {
namespace {

struct CoverRow {
  Language language;
  std::string_view wide, narrow;
  bool covers, back;
};
// clang-format off
constexpr CoverRow kRows[] = {
    {Language::claude, "Bash", "Bash(npm test)", true, false},
    {Language::claude, "Bash(*)", "Bash", true, true},
    {Language::claude, "Bash(:*)", "Bash(x y)", true, false},
    {Language::claude, "Bash(npm:*)", "Bash(npm *)", true, true},
    {Language::claude, "Bash(npm:*)", "Bash(npm)", true, false},
    {Language::claude, "Bash(npm:*)", "Bash(npmx install)", false, false},
    {Language::claude, "Bash(npm*)", "Bash(npmx install)", true, false},
    {Language::claude, "Bash(npm *)", "Bash(npm test:*)", true, false},
    {Language::claude, "Bash(git * main)", "Bash(git push origin main)", true, false},
    {Language::claude, "Bash(git * main)", "Bash(git push:*)", false, false},
    {Language::claude, "Bash(* --version)", "Bash(node --version)", true, false},
    {Language::claude, "Bash(a\\*b)", "Bash(axb)", false, false},
    {Language::claude, "Bash(npm test)", "PowerShell(npm test)", false, false},
    {Language::claude, "Read(**)", "Read(./src/**)", true, false},
    {Language::claude, "Read(./src/**)", "Read(/src/a.ts)", true, false},
    {Language::claude, "Read(./src/**)", "Read(src/**)", true, true},
    {Language::claude, "Read(src)", "Read(src/**)", true, false},
    {Language::claude, "Read(.env)", "Read(config/.env)", true, false},
    {Language::claude, "Read(./.env)", "Read(.env)", false, true},
    {Language::claude, "Read(*.ts)", "Read(src/deep/x.ts)", true, false},
    {Language::claude, "Read(src/**/x.ts)", "Read(src/x.ts)", true, false},
    {Language::claude, "Read(/src/*)", "Read(/src/a/b)", false, false},
    {Language::claude, "Read(//etc/**)", "Read(/etc/**)", false, false},
    {Language::claude, "Read(~/**)", "Read(~/.ssh/id)", true, false},
    {Language::claude, "Read(~/**)", "Read(.ssh/id)", false, false},
    {Language::claude, "Read(//**)", "Read(~/x)", true, false},
    {Language::claude, "Edit(/src/**)", "Write(/src/a)", true, false},
    {Language::claude, "Write(/src/**)", "Edit(/src/a)", false, false},
    {Language::claude, "Read(/src/**)", "Grep(/src/a)", true, false},
    {Language::claude, "WebFetch(domain:*.example.org)", "WebFetch(domain:a.Example.org)", true, false},
    {Language::claude, "WebFetch(domain:*.example.org)", "WebFetch(domain:example.org)", false, false},
    {Language::claude, "WebFetch(domain:*)", "WebFetch", true, true},
    {Language::claude, "mcp__a", "mcp__a__b", true, false},
    {Language::claude, "mcp__a", "mcp__a__*", true, true},
    {Language::claude, "mcp__a", "mcp__ab__c", false, false},
    {Language::claude, "mcp__a__get_*", "mcp__a__get_issue", true, false},
    {Language::claude, "mcp__*", "mcp__a", true, false},
    {Language::claude, "*", "mcp__a", true, false},
    {Language::claude, "Bash", "mcp__a", false, false},
    {Language::claude, "Agent(Explore)", "Task(Explore)", true, true},
    {Language::claude, "bash(npm test)", "Bash(npm test)", false, false},
    {Language::cursor, "Shell(git)", "Shell(git:log)", true, false},
    {Language::cursor, "Shell(*)", "Shell(git)", true, false},
    {Language::cursor, "Shell(curl:*example*)", "Shell(curl:-s example)", true, false},
    {Language::cursor, "Read(src/**)", "Read(src/a/b.ts)", true, false},
    {Language::cursor, "Read(src/**)", "Write(src/a)", false, false},
    {Language::cursor, "Mcp(docs:*)", "Mcp(docs:search)", true, false},
    {Language::cursor, "WebFetch(*.example.org)", "WebFetch(docs.example.org)", true, false},
    {Language::gemini, "run_shell_command", "run_shell_command(git)", true, false},
    {Language::gemini, "run_shell_command(git)", "run_shell_command(git status)", true, false},
    {Language::gemini, "run_shell_command(git)", "run_shell_command(gitk)", false, false},
    {Language::gemini, "ShellTool(git)", "run_shell_command(git)", true, true},
    {Language::words, "npm", "npm test", true, false},
    {Language::words, "npm", "npmx", false, false},
    {Language::words, "/.*/", "rm -rf", true, false},
    {Language::words, "/^a/", "a b", false, false},
    {Language::folders, "../shared", "../shared/docs", true, false},
    {Language::folders, "../shared", "../shared/../secret", false, false},
    {Language::folders, "../share", "../shared", false, false},
    {Language::folders, "/", "/srv", true, false},
    {Language::domains, "*", "example.org", true, false},
    {Language::tools, "docs:*", "docs:search", true, false},
    {Language::tools, "*:*", "docs:*", true, false},
    {Language::exact, "a", "a/b", false, false},
};

struct WeightRow {
  Language language;
  std::string_view rule, weight;
};
constexpr WeightRow kWeights[] = {
    {Language::claude, "*", "critical"}, {Language::claude, "Bash", "critical"}, {Language::claude, "Bash(*)", "critical"}, {Language::claude, "Bash(:*)", "critical"},
    {Language::claude, "Bash(* install)", "critical"}, {Language::claude, "Bash(bash:*)", "critical"}, {Language::claude, "Bash(/bin/sh -c *)", "critical"}, {Language::claude, "Bash(sudo *)", "critical"}, {Language::claude, "Bash(xargs:*)", "critical"},
    {Language::claude, "Bash(python:*)", "high"}, {Language::claude, "Bash(curl:*)", "high"}, {Language::claude, "Bash(npx *)", "high"}, {Language::claude, "Bash(git:*)", "high"}, {Language::claude, "Bash(git push:*)", "high"}, {Language::claude, "Bash(rm -rf build)", "high"},
    {Language::claude, "Bash(npm test)", "medium"}, {Language::claude, "Bash(python -m pytest:*)", "medium"}, {Language::claude, "Bash(git commit:*)", "medium"},
    {Language::claude, "Bash(ls:*)", "low"}, {Language::claude, "Bash(git status)", "low"}, {Language::claude, "Bash(cat README.md)", "low"},
    {Language::claude, "Edit", "critical"}, {Language::claude, "Edit(**)", "high"}, {Language::claude, "Edit(.claude/**)", "high"}, {Language::claude, "Edit(~/x)", "high"}, {Language::claude, "Edit(/src/**)", "medium"},
    {Language::claude, "Read", "medium"}, {Language::claude, "Read(~/.aws/**)", "high"}, {Language::claude, "Read(./src/**)", "low"}, {Language::claude, "Read(//tmp/**)", "medium"},
    {Language::claude, "WebFetch", "high"}, {Language::claude, "WebFetch(domain:a.org)", "medium"}, {Language::claude, "mcp__*", "critical"}, {Language::claude, "mcp__a", "high"}, {Language::claude, "mcp__a__b", "medium"}, {Language::claude, "TodoWrite", "low"},
    {Language::cursor, "Shell(**)", "critical"}, {Language::cursor, "Shell(git)", "high"}, {Language::cursor, "Shell(ls)", "low"}, {Language::cursor, "Mcp(*:*)", "critical"},
    {Language::gemini, "run_shell_command", "critical"}, {Language::gemini, "run_shell_command(git)", "high"}, {Language::gemini, "read_file", "low"}, {Language::gemini, "write_file", "high"},
    {Language::words, "", "critical"}, {Language::words, "/^.*/", "critical"}, {Language::words, "npm test", "medium"},
};
// clang-format on

TEST(Rules, cover_what_the_hosts_document) {
  for (const CoverRow& row : kRows) {
    EXPECT_EQ(covers(row.language, row.wide, row.narrow), row.covers)
        << row.wide << " / " << row.narrow;
    EXPECT_EQ(covers(row.language, row.narrow, row.wide), row.back)
        << row.narrow << " / " << row.wide;
  }
}

TEST(Rules, weigh_by_what_they_may_lead_to) {
  for (const WeightRow& row : kWeights)
    EXPECT_EQ(to_string(weight_of(row.language, row.rule)), row.weight) << row.rule;
}

TEST(Rules, cover_themselves_and_are_transitive) {
  for (const CoverRow& a : kRows) {
    EXPECT_TRUE(covers(a.language, a.wide, a.wide)) << a.wide;
    for (const CoverRow& b : kRows) {
      if (a.language != b.language || !covers(a.language, a.wide, b.wide)) continue;
      for (const CoverRow& c : kRows)
        if (c.language == a.language && covers(a.language, b.wide, c.wide))
          EXPECT_TRUE(covers(a.language, a.wide, c.wide))
              << a.wide << " / " << b.wide << " / " << c.wide;
    }
  }
}

/// Every text of up to five letters of a small alphabet, as the plainest judge there is.
bool plainly_matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') {
    for (std::size_t i = 0; i <= text.size(); ++i)
      if (plainly_matches(pattern.substr(1), text.substr(i))) return true;
    return false;
  }
  return !text.empty() && text.front() == pattern.front() &&
         plainly_matches(pattern.substr(1), text.substr(1));
}

TEST(Patterns, take_all_of_another_exactly_when_every_text_says_so) {
  std::vector<std::string> texts{""}, patterns{""};
  for (std::size_t i = 0; i < texts.size() && texts[i].size() < 6; ++i)
    for (const char c : {'a', 'b', 'c'})
      texts.push_back(texts[i] + c);
  for (std::size_t i = 0; i < patterns.size() && patterns[i].size() < 4; ++i)
    for (const char c : {'a', 'b', '*'})
      patterns.push_back(patterns[i] + c);
  std::vector<std::vector<bool>> taken;
  for (const std::string& pattern : patterns) {
    taken.emplace_back();
    for (const std::string& text : texts)
      taken.back().push_back(plainly_matches(pattern, text));
  }
  for (std::size_t w = 0; w < patterns.size(); ++w)
    for (std::size_t n = 0; n < patterns.size(); ++n) {
      bool all = true;
      for (std::size_t t = 0; t < texts.size() && all; ++t)
        all = taken[w][t] || !taken[n][t];
      EXPECT_EQ(takes_all_of(patterns[w], patterns[n]), all)
          << "'" << patterns[w] << "' / '" << patterns[n] << "'";
    }
}

TEST(Patterns, of_hostile_length_are_decided_at_once) {
  const std::string stars(100'000, '*'), letters(100'000, 'a');
  EXPECT_TRUE(takes_all_of(stars, letters.substr(0, 1000)));
  (void)takes_all_of(letters, stars);
  std::string many;
  for (int i = 0; i < 50'000; ++i)
    many += "*a";
  (void)takes_all_of(many, many);
  (void)path_takes_all_of(std::string(50'000, '/') + many, many);
}

}  // namespace
}  // namespace gh::powers
