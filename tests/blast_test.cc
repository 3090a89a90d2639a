// `gatehouse blast` through the program, in three languages (docs/reference/analysis.md, "Blast
// radius" and "Function relationships").
#include "tests/runs_kit.h"
#include "tests/schema_kit.h"

namespace gh::testing {
namespace {

struct BlastWorld : ::testing::Test {
  GitSandbox repo;
  Ran ask(std::vector<std::string> words) const {
    words.insert(words.begin(), "blast");
    return gatehouse(std::move(words), repo.root());
  }
  void analyse() const {
    repo.write("id.txt", sys::real_env().random_hex(32));
    repo.commit("all");
    const Ran ran = gatehouse({"analyze"}, repo.root());
    EXPECT_EQ(ran.code, 0) << ran.err;
  }
  /// One member of the answer, which must conform to its schema.
  std::string field(std::vector<std::string> words, const std::string& name) const {
    std::vector<std::string> document = words;
    document.emplace_back("--json");
    EXPECT_EQ(judged("blast", ask(document).out), "");
    words.insert(words.end(), {"--field", name});
    const Ran ran = ask(std::move(words));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out.substr(0, ran.out.find('\n'));
  }
};

TEST_F(BlastWorld, PythonFollowsHandedOnNamesToTheirUsers) {
  repo.write("pkg/__init__.py", "from .core import run\n");
  repo.write("pkg/core.py", "def run():\n    return 1\n");
  repo.write("app.py", "from pkg import run\n\n\ndef main():\n    return run()\n");
  repo.write("tests/test_app.py",
             "import pkg.core\n\n\ndef test():\n    pkg.core.run()\n    pkg.core.run()\n");
  analyse();
  EXPECT_EQ(field({"pkg/core.py"}, "direct_dependents"),
            R"(["pkg/__init__.py","tests/test_app.py"])");
  EXPECT_EQ(field({"pkg/core.py"}, "symbols"), "null");
  const std::vector<std::string> asked{"pkg/core.py", "--symbols"};
  EXPECT_EQ(field(asked, "symbols.status"), "current");
  EXPECT_EQ(field(asked, "symbols.items.0.qualname"), "app:main");
  EXPECT_EQ(field(asked, "symbols.items.0.target_qualname"), "pkg.core:run");
  EXPECT_EQ(field(asked, "symbols.items.0.line"), "5");
  EXPECT_EQ(field(asked, "symbols.items.1.origin_lane"), "test");
  EXPECT_EQ(field(asked, "symbols.items.1.resolution_rule"), "imported_module_attribute");
  EXPECT_EQ(ask({"pkg/core.py", "--transitive", "--symbols"}).out,
            "medium radius: 2 files import pkg/core.py, 0 others share code\n"
            "\nImport it directly (2)\n  pkg/__init__.py\n  tests/test_app.py\n"
            "\nReached through those (1)\n  app.py\n"
            "\nUses in other files (3)\n"
            "  app:main calls pkg.core:run  app.py:5\n"
            "  tests.test_app:test calls pkg.core:run  tests/test_app.py:5, 2 times\n");
}

TEST_F(BlastWorld, UsersAreToldOnlyFromTheSourcesOfTheRun) {
  repo.write("core.py", "def run():\n    return 1\n");
  repo.write("app.py", "from core import run\nrun()\n");
  analyse();
  repo.write("app.py", "from core import run\n\nrun()\n");
  EXPECT_EQ(field({"core.py", "--symbols"}, "symbols"), R"({"items":[],"status":"stale"})");
  EXPECT_EQ(field({"core.py", "--symbols", "--run", "HEAD"}, "symbols.items.0.line"), "2");
}

TEST_F(BlastWorld, GoNamesTheFilesThatImportAPackage) {
  repo.write("go.mod", "module example.com/x\n");
  repo.write("store/a.go", "package store\n\nfunc A() int { return 1 }\n");
  repo.write("store/b.go", "package store\n\nfunc B() int { return A() }\n");
  repo.write(
      "app/one.go",
      "package app\n\nimport \"example.com/x/store\"\n\nfunc One() int { return store.A() }\n");
  repo.write("app/two.go", "package app\n\nfunc Two() int { return 2 }\n");
  analyse();
  EXPECT_EQ(field({"store/a.go"}, "direct_dependents"), R"(["app/one.go"])");
  EXPECT_EQ(field({"store/a.go", "--symbols"}, "symbols.items.0.qualname"), "app:One");
  EXPECT_EQ(field({"store/a.go", "--symbols"}, "symbols.items.1.qualname"), "store:B");
  EXPECT_EQ(field({"store/a.go", "--symbols"}, "symbols.items.1.resolution_rule"),
            "same_module_function");
}

TEST_F(BlastWorld, TypeScriptGoesThroughAnIndex) {
  repo.write("src/lib/run.ts", "export function run(): number {\n  return 1;\n}\n");
  repo.write("src/lib/index.ts", "export * from './run';\n");
  repo.write("src/app.ts",
             "import { run as go } from './lib';\n\nexport function main() {\n  return go();\n}\n");
  analyse();
  EXPECT_EQ(field({"src/lib/run.ts"}, "direct_dependents"), R"(["src/lib/index.ts"])");
  EXPECT_EQ(field({"src/lib/run.ts", "--transitive"}, "transitive_dependents"),
            R"(["src/app.ts"])");
  EXPECT_EQ(field({"src/lib/run.ts", "--symbols"}, "symbols.items.0.qualname"), "src.app:main");
  EXPECT_EQ(field({"src/lib/run.ts", "--symbols"}, "symbols.items.0.expression"), "go");
}

TEST_F(BlastWorld, CopiesAreConcernedToo) {
  repo.write("a.py", python_copy("one"));
  repo.write("b.py", python_copy("two"));
  analyse();
  EXPECT_EQ(field({"a.py"}, "clone_cohort_members"), R"(["b.py"])");
  EXPECT_EQ(field({"a.py", "--include", "imports"}, "clone_cohort_members"), "[]");
  EXPECT_EQ(field({"a.py", "--include", "imports"}, "radius_level"), "medium");
}

}  // namespace
}  // namespace gh::testing
