#include "hooks/rules.h"

#include <gtest/gtest.h>

#include "hooks/reconcile.h"
#include "wire/json.h"

namespace gh::hooks {
namespace {

policy::Config config_of(std::string_view yaml) {
  auto config = policy::parse_config(yaml, "g");
  EXPECT_TRUE(config.has_value()) << config.error().message;
  return config ? *std::move(config) : policy::Config{};
}

TEST(HookRules, AreWhatTheyWereAfterTheyWereKept) {
  const Rules rules = rules_of(config_of(
      "hooks:\n  mode: enforce\n  require_intent: false\n  shell_opaque: ask\n  protect: "
      "[\"db/**\"]\n  patch_first: true\n  local_ref_guard: on\npatch:\n  allow_control_files: "
      "[AGENTS.md]\nchange_control:\n  lease_seconds: 60\n  session_grace_seconds: 5\n"
      "proposals:\n  base_refs: [refs/heads/release, refs/tags/v1]\n"));
  const Value kept = to_value(rules);
  const auto again = rules_from(*wire::read_json(wire::canonical_json(kept)));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(*again, rules);
  EXPECT_EQ(
      rules.guarded_branches,
      (std::vector<std::string>{"refs/heads/main", "refs/heads/master", "refs/heads/release"}));
  EXPECT_FALSE(rules.postgres);
  EXPECT_TRUE(rules_of(config_of("store:\n  url: postgres://db/x\n")).postgres);
}

TEST(HookRules, ACopyThatWasCutShortDecidesNothing) {
  const Value whole = to_value(rules_of(config_of("hooks:\n  mode: enforce\n")));
  for (const auto& [name, value] : whole.as_map()->entries()) {
    if (name == "source" || name == "lease_seconds" || name == "control_files" ||
        name == "allow_control_files" || name == "build")
      continue;
    Map less;
    for (const auto& [other, kept] : whole.as_map()->entries())
      if (other != name) less.set(other, kept);
    EXPECT_FALSE(rules_from(less).has_value()) << name;
  }
  EXPECT_FALSE(rules_from(Value("text")).has_value());
  EXPECT_FALSE(rules_from(List{}).has_value());
}

// patch-gate 6.2 `control_files`, change-control 1 (state artifacts), and .git.
TEST(HookRules, WhatSteersGitTheGateOrTheAgentsIsProtected) {
  const Rules rules =
      rules_of(config_of("hooks:\n  protect: [\"db/**\", \"secret.txt\"]\npatch:\n  "
                         "allow_control_files: [docs/AGENTS.md]\n"));
  for (const char* path : {".git/config",
                           ".git/hooks/pre-commit",
                           ".git",
                           ".GIT/config",
                           "sub/.git/config",
                           "gatehouse.yaml",
                           "gatehouse.baseline.json",
                           "gatehouse.release-baseline.json",
                           ".gatehouse/x",
                           ".agents-shipgate/x",
                           "codeclone.baseline.json",
                           ".codeclone/x",
                           ".cache/codeclone/x",
                           ".gitattributes",
                           "a/b/.gitattributes",
                           ".gitmodules",
                           ".mailmap",
                           ".github/workflows/ci.yml",
                           ".github/actions/x/action.yml",
                           ".gitlab-ci.yml",
                           ".circleci/config.yml",
                           "Jenkinsfile",
                           "azure-pipelines.yml",
                           "bitbucket-pipelines.yml",
                           ".pre-commit-config.yaml",
                           ".husky/pre-commit",
                           "lefthook.yml",
                           "CODEOWNERS",
                           "docs/CODEOWNERS",
                           "shipgate.yaml",
                           ".mcp.json",
                           ".claude/settings.json",
                           ".CLAUDE/Settings.json",
                           ".codex/hooks.json",
                           ".cursor/hooks.json",
                           ".gemini/settings.json",
                           "CLAUDE.md",
                           "AGENTS.md",
                           "a/AGENTS.md",
                           ".vscode/tasks.json",
                           ".vscode/settings.json",
                           ".devcontainer/x",
                           ".envrc",
                           "db/schema.sql",
                           "db",
                           "secret.txt"})
    EXPECT_TRUE(is_protected(rules, path)) << path;
  for (const char* path : {"src/a.c", "docs/guide.md", ".github/README.md", "git/config",
                           ".gitignore", "docs/AGENTS.md", "a/secret.txt", "gatehouse/x.c"})
    EXPECT_FALSE(is_protected(rules, path)) << path;
}

TEST(HookRules, FilesThatNameHooksAreKnownWhereverTheyLie) {
  for (const char* path :
       {"/home/u/.claude/settings.json", ".claude/settings.local.json", "/r/.claude/hooks/x.sh",
        "/home/u/.claude/plugins/p/hooks.json", "/home/u/.codex/config.toml", ".codex/hooks.json",
        ".cursor/hooks.json", ".cursor/hooks/x", "/home/u/.gemini/settings.json",
        ".gemini/policies/gatehouse.toml", ".github/hooks/gatehouse.json", "/home/u/.gitconfig",
        "/home/u/.config/git/config", ".git/config", ".git/hooks/pre-commit", ".husky/pre-commit",
        "/etc/gitconfig", "/usr/local/bin/gatehouse", "~/.local/bin/gatehouse-main"})
    EXPECT_TRUE(is_hook_configuration(path)) << path;
  for (const char* path : {"/tmp/x", "src/hooks.json", ".claude/notes.md", "/home/u/.bashrc",
                           "build/gatehouse", "bin/gatehouse.cc"})
    EXPECT_FALSE(is_hook_configuration(path)) << path;
}

TEST(HookReconcile, WhatDiffersBetweenTwoLooksIsTold) {
  DirtySnapshot before, after;
  before.entries = {{"gone", {"M.", "1"}}, {"kept", {".M", "2"}}, {"edited", {".M", "3"}}};
  after.entries = {
      {"added", {"A.", "6"}}, {"kept", {".M", "2"}}, {"edited", {".M", "4"}}, {"new", {"??", "5"}}};
  EXPECT_EQ(changed_between(before, after),
            (std::vector<ChangedPath>{{"added", true}, {"edited"}, {"gone", true}, {"new"}}));
  EXPECT_TRUE(changed_between(before, before).empty());
  EXPECT_EQ(changed_between({}, after).size(), 4u);
}

TEST(HookReconcile, WhatWasTouchedBeforeTheStepIsSomebodyElses) {
  EXPECT_TRUE(is_somebody_elses(4, 5));
  EXPECT_FALSE(is_somebody_elses(5, 5));
  EXPECT_FALSE(is_somebody_elses(6, 5));
  EXPECT_FALSE(is_somebody_elses(std::nullopt, 5));
  EXPECT_FALSE(is_somebody_elses(4, std::nullopt));
}

}  // namespace
}  // namespace gh::hooks
