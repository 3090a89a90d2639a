#include "analysis/manifests.h"

#include <gtest/gtest.h>

#include "analysis/toml_strings.h"

namespace gh::analysis {
namespace {

using Names = std::vector<std::string>;

Names symbols(std::string path, std::string bytes) {
  return entry_points_of({{std::move(path), std::move(bytes)}}).symbols;
}
Names files(std::string path, std::string bytes) {
  return entry_points_of({{std::move(path), std::move(bytes)}}).files;
}

// docs/reference/analysis.md, "Dead code", entry points
TEST(Manifests, EntryPointsOfPyproject) {
  EXPECT_EQ(symbols("pyproject.toml",
                    "[project]\nname = \"a:b\"\n[project.scripts]\none = \"m.one:f\"  # why\n"
                    "'quoted name' = 'm.two:K.f [extra]'\n[project.gui-scripts]\nthree=\"m:g\"\n"
                    "[project.entry-points.\"a.group\"]\nfour = \"m:h\"\n"
                    "[tool.poetry.scripts]\nfive = \"m:i\"\nsix = {reference = \"m:j\"}\n"
                    "[tool.other]\nseven = \"m:k\"\n"),
            (Names{"m.one:f", "m.two:K.f", "m:g", "m:h", "m:i", "m:j"}));
  EXPECT_EQ(symbols("pyproject.toml", "[project]\nscripts.a = \"m:f\"\nscripts2.a = \"m:g\"\n"),
            Names{"m:f"});
  EXPECT_EQ(
      symbols("pyproject.toml",
              "[project.scripts]\na = \"m\"\nb = \"m:1f\"\nc = \"m-n:f\"\nd = 3\ne\n= \"m:f\"\n"),
      Names{});
}

TEST(Manifests, NoEntryPointIsLongerThanAThousandBytes) {
  const auto read = [](std::size_t bytes) {
    return symbols("pyproject.toml",
                   "[project.scripts]\na = \"m:" + std::string(bytes - 2, 'f') + "\"\n");
  };
  EXPECT_EQ(read(1000), Names{"m:" + std::string(998, 'f')});
  EXPECT_EQ(read(1001), Names{});
}

TEST(Manifests, TextOverLinesIsNoTable) {
  EXPECT_EQ(symbols("pyproject.toml",
                    "[tool.x]\ntext = \"\"\"\n[project.scripts]\na = \"m:f\"\n\"\"\"\n"
                    "one = '''x'''\n[project.scripts]\nb = \"m:g\"\n"),
            Names{"m:g"});
}

TEST(Manifests, EntryPointsOfOthers) {
  EXPECT_EQ(symbols("setup.cfg",
                    "[metadata]\nname = x:y\n[options.entry_points]\nconsole_scripts =\n"
                    "    one = m.one:f\n    two = m:g [extra]\ngui_scripts = three = m:h\n"
                    "[options]\nx = m:i\n"),
            (Names{"m.one:f", "m:g", "m:h"}));
  EXPECT_EQ(files("package.json",
                  R"({"main": "./lib/a.js", "bin": {"x": "bin/x.js"},
                      "exports": {".": {"import": "./b.mjs", "require": ["./c.cjs"]}},
                      "files": ["no.js"]})"),
            (Names{"b.mjs", "bin/x.js", "c.cjs", "lib/a.js"}));
  EXPECT_EQ(files("package.json", "{"), Names{});
  EXPECT_EQ(
      files("Cargo.toml", "[package]\nname = \"x\"\n[[bin]]\nname = \"y\"\npath = \"src/y.rs\"\n"),
      (Names{"src/main.rs", "src/y.rs"}));
}

// docs/reference/analysis.md, "Dead code", what makes a package
TEST(Manifests, Packages) {
  const auto is_package = [](std::string path, std::string bytes) {
    return names_a_package({{std::move(path), std::move(bytes)}});
  };
  EXPECT_TRUE(is_package("pyproject.toml", "[project]\n"));
  EXPECT_TRUE(is_package("pyproject.toml", "[tool.poetry]\n"));
  EXPECT_FALSE(is_package("pyproject.toml", "[tool.black]\n"));
  EXPECT_TRUE(is_package("setup.py", ""));
  EXPECT_TRUE(is_package("setup.cfg", ""));
  EXPECT_TRUE(is_package("package.json", R"({"main": "a.js"})"));
  EXPECT_TRUE(is_package("package.json", R"({"exports": {}})"));
  EXPECT_FALSE(is_package("package.json", R"({"bin": "a.js"})"));
  EXPECT_TRUE(is_package("Cargo.toml", "[lib]\n"));
  EXPECT_FALSE(is_package("Cargo.toml", "[package]\n"));
  EXPECT_FALSE(names_a_package({}));
}

TEST(Manifests, OnlyThoseAtTheRoot) {
  for (const char* path :
       {"pyproject.toml", "setup.py", "setup.cfg", "package.json", "Cargo.toml", "go.mod"})
    EXPECT_TRUE(is_manifest(path)) << path;
  EXPECT_FALSE(is_manifest("a/pyproject.toml"));
  EXPECT_FALSE(is_manifest("poetry.lock"));
}

TEST(Manifests, HostileText) {
  EXPECT_EQ(symbols("pyproject.toml", std::string(kMaxManifestBytes + 1, '[')), Names{});
  EXPECT_EQ(symbols("pyproject.toml", std::string("[project.scripts]\n\0= \"m:f\"\na = \"\\", 32)),
            Names{});
  EXPECT_TRUE(toml_strings("[a\n[b]]\n= =\n\"").strings.empty());
}

}  // namespace
}  // namespace gh::analysis
