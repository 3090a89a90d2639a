// The module order of src/LAYERS, kept by reading the sources (docs/adr/0001).
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

std::vector<fs::path> source_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator("src")) {
    const auto extension = entry.path().extension();
    if (entry.is_regular_file() && (extension == ".h" || extension == ".cc" || extension == ".def"))
      files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// "src/diff/patch.h" belongs to diff, "src/main.cc" is a module of its own.
std::string module_of(const fs::path& file) { return *std::next(file.begin()); }

bool is_test(const fs::path& file) { return file.string().ends_with("_test.cc"); }

std::map<std::string, std::set<std::string>> allowed_edges() {
  std::map<std::string, std::set<std::string>> allowed;
  for (const auto& line : lines_of("src/LAYERS")) {
    std::istringstream words(line);
    std::string module;
    if (!(words >> module)) continue;
    EXPECT_TRUE(module.ends_with(':')) << line;
    module.pop_back();
    EXPECT_FALSE(allowed.contains(module)) << module << " has two lines";
    std::set<std::string> edges{module};
    for (std::string target; words >> target;) {
      EXPECT_TRUE(allowed.contains(target)) << module << " names " << target << " before its line";
      edges.insert(target);
    }
    allowed[module] = edges;
  }
  return allowed;
}

TEST(Layers, IncludesFollowTheModuleMap) {
  auto allowed = allowed_edges();
  ASSERT_FALSE(allowed.empty());
  for (const auto& file : source_files()) {
    const auto module = module_of(file);
    ASSERT_TRUE(allowed.contains(module)) << file << ": " << module << " has no line in src/LAYERS";
    for (const auto& line : lines_of(file)) {
      if (!line.starts_with("#include \"")) continue;
      const auto target = line.substr(10, line.find('/') - 10);
      const bool test_helper = is_test(file) && target == "tests";
      EXPECT_TRUE(test_helper || allowed[module].contains(target)) << file << ": " << line;
    }
  }
}

/// A pure module answers from its arguments alone: no files, environment, clock, chance, or
/// printing.
TEST(Layers, PureModulesDoNotTouchTheWorld) {
  const std::set<std::string> pure{"model",   "wire",     "diff",    "syntax",
                                   "policy",  "analysis", "surface", "checks",
                                   "control", "proposal", "release", "report"};
  const std::array<std::string_view, 12> forbidden{
      "#include <fstream>",  "#include <filesystem>", "#include <iostream>",
      "#include <cstdlib>",  "#include <random>",     "#include <regex>",
      "system_clock::now",   "steady_clock::now",     "getenv(",
      "#include <unistd.h>", "#include <spawn.h>",    "fopen("};
  for (const auto& file : source_files()) {
    if (!pure.contains(module_of(file)) || is_test(file)) continue;
    for (const auto& line : lines_of(file))
      for (const auto word : forbidden)
        EXPECT_EQ(line.find(word), std::string::npos) << file << ": " << line;
  }
}

/// Everywhere in the product: no regular expressions without bounds, no fork, no locale, no streams
/// that print.
TEST(Layers, ProductCodeKeepsToTheHouseRules) {
  const std::array<std::string_view, 9> forbidden{
      "#include <regex>", "#include <iostream>", "fork()",    "std::system(", "popen(",
      "setlocale(",       "#include <locale>",   "std::rand", "isalpha("};
  for (const auto& file : source_files()) {
    if (is_test(file)) continue;
    for (const auto& line : lines_of(file))
      for (const auto word : forbidden)
        EXPECT_EQ(line.find(word), std::string::npos) << file << ": " << line;
  }
}

/// The pager is the one child that cli starts itself: it takes over the terminal, which no runner
/// may.
TEST(Layers, EachLibraryOfOthersHasOneHome) {
  const std::map<std::string, std::set<std::string>> homes{
      {"#include <simdjson", {"wire"}},    {"#include <yaml.h>", {"wire"}},
      {"#include <sqlite3.h>", {"store"}}, {"#include <CLI/", {"cli"}},
      {"#include <utf8proc.h>", {"base"}}, {"#include <spawn.h>", {"sys", "cli"}},
      {"#include <boost/", {"http"}},
  };
  for (const auto& file : source_files()) {
    if (is_test(file)) continue;
    for (const auto& line : lines_of(file))
      for (const auto& [include, modules] : homes)
        if (line.starts_with(include)) {
          EXPECT_TRUE(modules.contains(module_of(file))) << file << ": " << line;
          EXPECT_EQ(file.extension(), ".cc") << "a header shows a third-party type: " << file;
        }
  }
}

}  // namespace
