#include "analysis/run_identity.h"

#include <gtest/gtest.h>

#include "base/digest.h"

namespace gh::analysis {
namespace {

Value report(std::string_view digest = "d1", int min_loc = 10) {
  return Map{{"meta", Map{{"analysis_profile", Map{{"min_loc", min_loc}}}}},
             {"integrity", Map{{"digest", Map{{"value", digest}}}}}};
}

// docs/reference/analysis.md, "Runs"
TEST(RunIdentity, IsTheDigestOfReportSettingsFilesAndBaseline) {
  const std::string settings = digest_of(R"({"analysis_profile":{"min_loc":10}})").hex();
  const std::string expected =
      digest_of(
          R"({"baseline_sha256":null,"files":[["a.py","100644","11"],["b.py","100755","22"]],)"
          R"("report_digest":"d1","settings_digest":")" +
          settings + "\"}")
          .hex();
  EXPECT_EQ(run_id_of(report(), {{"b.py", "100755", "22"}, {"a.py", "100644", "11"}}, ""),
            expected);
  EXPECT_EQ(settings_digest(report()), settings);
}

TEST(RunIdentity, ChangesWithEveryInputAndOnlyThen) {
  const std::vector<RunInput> files{{"a.py", "100644", "11"}};
  const std::string id = run_id_of(report(), files, "");
  EXPECT_EQ(run_id_of(report(), files, ""), id);
  EXPECT_NE(run_id_of(report("d2"), files, ""), id);
  EXPECT_NE(run_id_of(report("d1", 11), files, ""), id);
  EXPECT_NE(run_id_of(report(), files, "b"), id);
  EXPECT_NE(run_id_of(report(), {{"a.py", "100755", "11"}}, ""), id);  // chmod
  EXPECT_NE(run_id_of(report(), {{"a.py", "100644", "12"}}, ""), id);
  EXPECT_NE(run_id_of(report(), {{"b.py", "100644", "11"}}, ""), id);
  EXPECT_NE(run_id_of(report(), {}, ""), id);
}

TEST(RunIdentity, PathsThatAreNoTextAreEscaped) {
  EXPECT_EQ(inputs_digest({{"a\xff.py", "100644", "11"}}),
            digest_of("[[\"a\\\\xff.py\",\"100644\",\"11\"]]").hex());
}

// docs/reference/analysis.md, "Governance files"
TEST(Governance, EveryRow) {
  for (const char* path : {"pyproject.toml",
                           "sub/pyproject.toml",
                           "setup.cfg",
                           "tox.ini",
                           "pytest.ini",
                           "mypy.ini",
                           "ruff.toml",
                           ".coveragerc",
                           "coverage.toml",
                           ".pre-commit-config.yaml",
                           "pkg/py.typed",
                           "Makefile",
                           "a/b/Makefile",
                           "Dockerfile",
                           "gatehouse.yaml",
                           "shipgate.yaml",
                           "CODEOWNERS",
                           ".github/CODEOWNERS",
                           ".gitlab-ci.yml",
                           "CMakeLists.txt",
                           "src/CMakeLists.txt",
                           "package.json",
                           "package-lock.json",
                           "npm-shrinkwrap.json",
                           "pnpm-lock.yaml",
                           "go.sum",
                           "yarn.lock",
                           "Cargo.lock",
                           "poetry.lock",
                           "requirements.txt",
                           "ci/requirements-dev.txt",
                           "constraints.txt",
                           "constraints-3.txt",
                           ".github/workflows/ci.yml",
                           ".github/workflows/a/b.yml",
                           ".github/actions/x/action.yml",
                           "docker-compose.yml",
                           "docker-compose.dev.yml"})
    EXPECT_TRUE(is_governance(path)) << path;
  for (const char* path :
       {"README.md", "makefile", "Makefile.am", "x/docker-compose.yml", "docker-compose.yaml",
        "x/.github/workflows/ci.yml", ".github/dependabot.yml", "requirements.in", "a.py",
        "my-pyproject.toml", "notes.txt", "", "locks"})
    EXPECT_FALSE(is_governance(path)) << path;
}

}  // namespace
}  // namespace gh::analysis
