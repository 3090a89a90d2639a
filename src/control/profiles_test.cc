#include "control/profiles.h"

#include <gtest/gtest.h>

#include "wire/json.h"

namespace gh::control {
namespace {

std::string profile_of_paths(const std::vector<std::string>& paths) {
  std::vector<ChangedFile> files;
  for (const std::string& path : paths)
    files.push_back({.path = path, .analysed_language = path.ends_with(".go")});
  return std::string(to_string(profile_of(files).profile));
}

// change-control 13, typed again.
TEST(Profiles, TheHighestCategoryOfAnyFileDecides) {
  struct Row {
    std::vector<std::string> paths;
    const char* profile;
  };
  const Row kRows[] = {
      {{"a.py", "gatehouse.baseline.json"}, "state_artifact_change"},
      {{"gatehouse.release-baseline.json"}, "state_artifact_change"},
      {{"gatehouse.release-baseline"}, "state_artifact_change"},
      {{".gatehouse/x/y"}, "state_artifact_change"},
      {{".agents-shipgate/x"}, "state_artifact_change"},
      {{"codeclone.baseline.json"}, "state_artifact_change"},
      {{".codeclone/x"}, "state_artifact_change"},
      {{".cache/codeclone/x"}, "state_artifact_change"},
      {{"sub/gatehouse.baseline.json"}, "state_artifact_change"},
      {{".gatehouse/x.py"}, "state_artifact_change"},
      {{".gatehouse"}, "non_python_patch"},
      {{"a.py"}, "python_structural"},
      {{"a.pyi"}, "python_structural"},
      {{"docs/conf.py"}, "python_structural"},
      {{"README.md", "a.py", "x.go", "Makefile"}, "python_structural"},
      {{"x.go"}, "code_structural"},
      {{"x.go", "Makefile", "README.md", "x.bin"}, "code_structural"},
      {{"docs/x.go"}, "code_structural"},
      {{"Makefile"}, "governance_config"},
      {{"Makefile", "README.md", "x.bin"}, "governance_config"},
      {{"pyproject.toml"}, "governance_config"},
      {{"sub/setup.cfg"}, "governance_config"},
      {{"tox.ini"}, "governance_config"},
      {{"pytest.ini"}, "governance_config"},
      {{"mypy.ini"}, "governance_config"},
      {{"ruff.toml"}, "governance_config"},
      {{".coveragerc"}, "governance_config"},
      {{"coverage.toml"}, "governance_config"},
      {{".pre-commit-config.yaml"}, "governance_config"},
      {{".github/workflows/a.yml"}, "governance_config"},
      {{".github/workflows/a/b.yml"}, "governance_config"},
      {{".github/actions/a/action.yml"}, "governance_config"},
      {{"pkg/py.typed"}, "governance_config"},
      {{"Dockerfile"}, "governance_config"},
      {{"docker-compose.dev.yml"}, "governance_config"},
      {{"gatehouse.yaml"}, "governance_config"},
      {{"shipgate.yaml"}, "governance_config"},
      {{"CODEOWNERS"}, "governance_config"},
      {{".gitlab-ci.yml"}, "governance_config"},
      {{"docs/CMakeLists.txt"}, "governance_config"},
      {{"package.json"}, "governance_config"},
      {{"yarn.lock"}, "governance_config"},
      {{"requirements-dev.txt"}, "governance_config"},
      {{"ci/constraints.txt"}, "governance_config"},
      {{"README.md"}, "documentation_only"},
      {{"a.rst", "b.txt", "c.adoc", "d.textile", "e.md"}, "documentation_only"},
      {{"docs/a/picture.png"}, "documentation_only"},
      {{"doc/x"}, "documentation_only"},
      {{"README", "README.html", "CHANGELOG", "CHANGES.x", "HISTORY", "NEWS", "LICENSE", "LICENCE",
        "COPYING", "NOTICE", "CONTRIBUTING", "CONTRIBUTORS", "AUTHORS", "CREDITS", "MAINTAINERS",
        "THANKS", "SECURITY", "CODE_OF_CONDUCT"},
       "documentation_only"},
      {{"src/notes.md"}, "documentation_only"},
      {{"README.md", "x.bin"}, "non_python_patch"},
      {{"src/README"}, "non_python_patch"},
      {{"readme"}, "non_python_patch"},
      {{"docs"}, "non_python_patch"},
      {{"x.c"}, "non_python_patch"},  // of no language that the run analysed
      {{"a.PY"}, "non_python_patch"},
      {{}, "non_python_patch"},
      {{"", ""}, "non_python_patch"},
      {{"", "README.md"}, "documentation_only"},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(profile_of_paths(row.paths), row.profile)
        << (row.paths.empty() ? "nothing" : row.paths[0]);
}

TEST(Profiles, WhatCanRunOrLeadsElsewhereIsNoDocumentation) {
  for (const char* path : {"docs/run.sh", "SECURITY/x.sh", "README.md", "LICENSE"}) {
    EXPECT_EQ(to_string(profile_of({{.path = path}}).profile), "documentation_only") << path;
    EXPECT_EQ(to_string(profile_of({{.path = path, .executable_or_symlink = true}}).profile),
              "non_python_patch")
        << path;
  }
}

// change-control 13: the columns of the table, and the names of the checks.
TEST(Profiles, EachSaysWhatItNeedsAndWhatDoesNotApply) {
  struct Row {
    const char *path, *profile;
    bool after_run, structural, python, state, governance;
    std::size_t limitations;
  };
  const Row kRows[] = {
      {"gatehouse.baseline.json", "state_artifact_change", false, false, false, true, false, 0},
      {"a.py", "python_structural", true, true, true, false, false, 0},
      {"x.go", "code_structural", true, true, false, false, false, 0},
      {"Makefile", "governance_config", true, false, false, false, true, 0},
      {"README.md", "documentation_only", false, false, false, false, false, 0},
      {"x.bin", "non_python_patch", false, false, false, false, false, 2},
  };
  EXPECT_EQ(std::size(kRows), 6u);
  const std::vector<std::string_view> always{"verification_profile_classification", "scope_check",
                                             "forbidden_paths_check"};
  const std::vector<std::string_view> structural{"python_structural_delta", "gate_comparison",
                                                 "worsened_symbols"};
  std::vector<std::string_view> all = always;
  all.insert(all.end(), structural.begin(), structural.end());
  for (const Row& row : kRows) {
    const ProfileFacts facts = profile_of(
        {{.path = row.path, .analysed_language = std::string_view(row.path).ends_with(".go")}});
    EXPECT_EQ(to_string(facts.profile), row.profile);
    EXPECT_EQ(facts.after_run_required, row.after_run) << row.profile;
    EXPECT_EQ(facts.structural_checks_applicable, row.structural) << row.profile;
    EXPECT_EQ(facts.python_source_touched, row.python) << row.profile;
    EXPECT_EQ(facts.state_artifact_touched, row.state) << row.profile;
    EXPECT_EQ(facts.governance_config_touched, row.governance) << row.profile;
    EXPECT_EQ(facts.limitations.size(), row.limitations) << row.profile;
    EXPECT_EQ(facts.checks_performed, row.structural ? all : always) << row.profile;
    EXPECT_EQ(facts.checks_not_applicable,
              row.structural ? std::vector<std::string_view>{} : structural);
    EXPECT_FALSE(facts.reason.empty());
  }
}

TEST(Profiles, ThePayloadHasSixMembers) {
  EXPECT_EQ(
      wire::canonical_json(profile_fields(profile_of({{.path = "a.py"}, {.path = "Makefile"}}))),
      R"({"after_run_required":true,"checks_not_applicable":[],)"
      R"("checks_performed":["verification_profile_classification","scope_check",)"
      R"("forbidden_paths_check","python_structural_delta","gate_comparison",)"
      R"("worsened_symbols"],"profile_reason":"python_source_touched",)"
      R"("python_source_touched":true,"verification_profile":"python_structural"})");
  EXPECT_EQ(profile_of({}).reason, "no_changed_files");
  EXPECT_EQ(profile_of({}).limitations,
            (std::vector<std::string_view>{"Structural regressions were not checked.",
                                           "Side effects outside of code need a review by hand."}));
  const char* kReasons[][2] = {{"gatehouse.baseline.json", "state_artifact_touched"},
                               {"Makefile", "governance_config_touched"},
                               {"README.md", "only_documentation_touched"},
                               {"x.bin", "no_analysed_source_touched"}};
  for (const auto& [path, reason] : kReasons)
    EXPECT_EQ(profile_of({{.path = path}}).reason, reason);
  EXPECT_EQ(profile_of({{.path = "x.go", .analysed_language = true}}).reason,
            "analysed_source_touched");
}

TEST(Profiles, CodeThatNoRunReadsIsNamed) {
  const ProfileFacts facts =
      profile_of({{.path = "a.md"}, {.path = "m/x.py", .left_out = "excluded_folder"}});
  EXPECT_EQ(facts.profile, Profile::python_structural);
  EXPECT_FALSE(facts.runs_see_it);
  ASSERT_EQ(facts.not_analysed.size(), 1u);
  EXPECT_EQ(facts.not_analysed[0], (NotAnalysed{"m/x.py", "excluded_folder"}));
  EXPECT_NE(profile_fields(facts).find("not_analysed"), nullptr);
  EXPECT_TRUE(profile_of({{.path = "b.py"}, {.path = "m/x.py", .left_out = "excluded_folder"}})
                  .runs_see_it);
}

TEST(Profiles, WhatCouldBeReadNeitherTimeIsNamed) {
  const auto report = [](const std::vector<std::pair<std::string, std::string>>& unread) {
    List partial, others;
    for (const auto& [path, status] : unread)
      if (status == "partial")
        partial.emplace_back(Map{{"path", path}, {"line", 3}});
      else
        others.emplace_back(Map{{"path", path}, {"status", status}});
    return Value(Map{{"inventory", Map{{"files", Map{{"partial", partial}, {"unread", others}}}}}});
  };
  std::vector<std::pair<std::string, std::string>> all;
  for (const char* status : {"file_too_large", "parse_error", "parse_limit", "partial",
                             "source_read_error", "stat_error", "unexpected_error"})
    all.emplace_back(std::string(status) + ".py", status);
  std::vector<std::string> changed{"whole.py"};
  for (const auto& [path, status] : all)
    changed.push_back(path);
  ProfileFacts facts;
  add_unread(facts, changed, report(all), report(all));
  ASSERT_EQ(facts.not_analysed.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(facts.not_analysed[i], (NotAnalysed{all[i].first, all[i].second}));
  // One side alone: either it can be read now, or that it cannot is a regression.
  ProfileFacts one_side;
  add_unread(one_side, changed, report(all), report({}));
  add_unread(one_side, changed, report({}), report(all));
  add_unread(one_side, {"whole.py"}, report(all), report(all));
  EXPECT_TRUE(one_side.not_analysed.empty());
}

TEST(Profiles, ABaselineAsksForARunWhateverElseIsChanged) {
  struct Case {
    const char* path;
    Profile profile;
    bool after_run_required;
  };
  const Case kCases[] = {
      {"quality/base.json", Profile::non_python_patch, true},
      {"docs/base.md", Profile::documentation_only, true},
      {"gatehouse.baseline.json", Profile::state_artifact_change, false},
      {"pyproject.toml", Profile::governance_config, true},
  };
  for (const Case& c : kCases) {
    const ProfileFacts facts = profile_of({{.path = c.path, .is_baseline = true}});
    EXPECT_EQ(facts.profile, c.profile) << c.path;
    EXPECT_EQ(facts.after_run_required, c.after_run_required) << c.path;
    EXPECT_TRUE(facts.baseline_touched);
    EXPECT_TRUE(facts.runs_see_it) << "its digest is part of the run";
    EXPECT_FALSE(facts.structural_checks_applicable);
  }
  EXPECT_FALSE(profile_of({{.path = "quality/base.json"}}).after_run_required);
}

TEST(Profiles, SourcesThatLeadOutOfTheTreeAreNamed) {
  const ProfileFacts facts =
      profile_of({{.path = "a.py", .executable_or_symlink = true, .leads_out = true},
                  {.path = "b.go", .analysed_language = true, .leads_out = true},
                  {.path = "c.md", .executable_or_symlink = true, .leads_out = true},
                  {.path = "d.py", .executable_or_symlink = true},
                  {.path = "m/e.py", .left_out = "excluded_folder", .leads_out = true}});
  EXPECT_EQ(facts.unread_links, (std::vector<std::string>{"a.py", "b.go"}));
}

}  // namespace
}  // namespace gh::control
