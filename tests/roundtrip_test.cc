#include <cstdlib>

#include <gtest/gtest.h>

#include "sys/files.h"
#include "tests/git_sandbox.h"

namespace gh {
namespace {

/// Programs that the build puts beside the product.
std::string beside_product(const std::string& name) {
  const std::string product = GH_BINARY;
  return product.substr(0, product.rfind('/') + 1) + name;
}

sys::Finished run_program(std::vector<std::string> argv, std::string_view input = {}) {
  const auto done = sys::run({.argv = std::move(argv),
                              .environment = testing::GitSandbox::environment(),
                              .cwd = "/",
                              .input = input,
                              .timeout = std::chrono::minutes(8),
                              .max_output = 256u << 20});
  EXPECT_TRUE(done);
  return done.value_or(sys::Finished{});
}

int count_lines_with(const std::string& text, std::string_view part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

}  // namespace

// docs/reference/patch-grammar.md: what the gate reads is what git applies, for every commit of a
// history that has everything a diff can be about.
TEST(RoundTrip, EveryCommitOfAnOddHistoryGivesItsOwnTree) {
  const testing::GitSandbox sandbox;
  const bool is_long = std::getenv("GH_LONG") != nullptr;
  const sys::Finished stream = run_program(
      {beside_product("make_history"), is_long ? "2000" : "600", is_long ? "11" : "13"});
  ASSERT_EQ(stream.exit_code, 0);
  sandbox.git_at(sandbox.root(), {"fast-import", "--quiet", "--force"}, stream.out);
  const std::string shown = sandbox.git({"log", "-M", "--summary", "--no-color", "main"});
  for (const char* kind :
       {" rename ", " create mode 100755", " create mode 120000", " mode change ", " delete mode "})
    EXPECT_GT(count_lines_with(shown, kind), 0) << kind;
  EXPECT_GT(count_lines_with(stream.out, "\r\n"), 100);
  const sys::Finished walk = run_program({beside_product("roundtrip"), sandbox.root()});
  EXPECT_EQ(walk.exit_code, 0) << walk.out << walk.err;
  EXPECT_EQ(count_lines_with(walk.out, "DIFFERENT TREE"), 0) << walk.out;
}

TEST(RoundTrip, NamesAFolderThatIsNoRepository) {
  const sys::Finished walk = run_program({beside_product("roundtrip"), "/nonexistent"});
  EXPECT_EQ(walk.exit_code, 4);
  EXPECT_NE(walk.err.find("/nonexistent"), std::string::npos) << walk.err;
}

}  // namespace gh
