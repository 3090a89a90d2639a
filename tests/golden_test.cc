// End-to-end cases: tests/golden/<case>/cmd is run by bash in a scratch repository (made by repo.sh
// when there is one); standard output, standard error and exit status must equal expect/. Rewrite
// them with GH_UPDATE_GOLDEN=1 and review the difference like code.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include "tests/gatehouse_binary.h"
#include "tests/git_sandbox.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> cases() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator("tests/golden"))
    if (entry.is_directory()) out.push_back(fs::absolute(entry.path()));
  std::ranges::sort(out);
  return out;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// What differs between two runs: the scratch folder, durations and run ids.
std::string steady(std::string text, const std::string& root) {
  replace_all(text, root, "<repo>");
  for (std::size_t at = 0; (at = text.find(" ms)", at)) != std::string::npos; at += 4) {
    std::size_t begin = at;
    while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
      --begin;
    text.replace(begin, at - begin, "N");
    at = begin;
  }
  for (std::size_t at = 0; (at = text.find("prun-", at)) != std::string::npos; at += 5)
    if (at + 21 <= text.size()) text.replace(at + 5, 16, "################");
  return text;
}

void compare(const fs::path& file, const std::string& got) {
  if (std::getenv("GH_UPDATE_GOLDEN") != nullptr) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << got;
  }
  EXPECT_EQ(got, bytes_of(file)) << file;
}

TEST(Golden, EveryCaseAnswersAsRecorded) {
  const std::vector<fs::path> all = cases();
  EXPECT_GE(all.size(), 20u);
  for (const fs::path& folder : all) {
    SCOPED_TRACE(folder.filename().string());
    GitSandbox repo;
    if (fs::exists(folder / "repo.sh")) {
      const Ran made =
          run_program({"/bin/bash", "-eu", (folder / "repo.sh").string()}, repo.root());
      ASSERT_EQ(made.code, 0) << made.err;
    }
    const Ran ran = run_program({"/bin/bash", (folder / "cmd").string()}, repo.root());
    compare(folder / "expect/stdout", steady(ran.out, repo.root()));
    compare(folder / "expect/stderr", steady(ran.err, repo.root()));
    compare(folder / "expect/exit", std::to_string(ran.code) + "\n");
  }
}

}  // namespace
}  // namespace gh::testing
