#include "analysis/project.h"

#include <gtest/gtest.h>

namespace gh::analysis {
namespace {

TEST(Project, ModulesAreNamedByTheirPath) {
  EXPECT_EQ(module_of("pkg/a.py"), "pkg.a");
  EXPECT_EQ(module_of("pkg/__init__.py"), "pkg");
  EXPECT_EQ(module_of("__init__.py"), "");
  EXPECT_EQ(module_of("a.b/c"), "a.b.c");
  EXPECT_EQ(module_of("x.d/y.pyi"), "x.d.y");
}

// docs/reference/analysis.md, "Source kinds"
TEST(Project, SourceKindsFollowTheFirstTestsFolder) {
  EXPECT_EQ(source_kind_of("src/a.py"), SourceKind::production);
  EXPECT_EQ(source_kind_of("Tests/a.py"), SourceKind::tests);
  EXPECT_EQ(source_kind_of("x/tests/fixtures/a.py"), SourceKind::fixtures);
  EXPECT_EQ(source_kind_of("x/fixtures/a.py"), SourceKind::production);
  EXPECT_EQ(source_kind_of("tests/x/fixtures/a.py"), SourceKind::tests);
  EXPECT_EQ(source_kind_of(""), SourceKind::other);
}

// docs/reference/analysis.md, "Test files"
TEST(Project, TestFilesAreKnownByTheirNames) {
  for (const std::string_view path :
       {"tests/a.go", "x/test_a.c", "a_test.c", "x/a_test.cc", "a_test.cpp", "x/FooTest.cpp",
        "FooTest.cc", "a/b_test.go", "test_x.py", "conftest.py", "tests/it.rs"})
    EXPECT_TRUE(is_test_file(path)) << path;
  for (const std::string_view path :
       {"a.go", "a_test.txt", "test/a.c", "latest.cc", "testing/b.go", "x/test_dir/a.c", "a.rs"})
    EXPECT_FALSE(is_test_file(path)) << path;
}

// docs/reference/analysis.md, "Risk"
TEST(Project, RiskBands) {
  EXPECT_EQ(complexity_risk(10), Risk::low);
  EXPECT_EQ(complexity_risk(11), Risk::medium);
  EXPECT_EQ(complexity_risk(20), Risk::medium);
  EXPECT_EQ(complexity_risk(21), Risk::high);
  EXPECT_EQ(cohesion_risk(1), Risk::low);
  EXPECT_EQ(cohesion_risk(2), Risk::medium);
  EXPECT_EQ(cohesion_risk(3), Risk::medium);
  EXPECT_EQ(cohesion_risk(4), Risk::high);
  EXPECT_EQ(coupling_risk(5), Risk::low);
  EXPECT_EQ(coupling_risk(6), Risk::medium);
  EXPECT_EQ(coupling_risk(10), Risk::medium);
  EXPECT_EQ(coupling_risk(11), Risk::high);
}

}  // namespace
}  // namespace gh::analysis
