#include "setup/line_text.h"

#include <gtest/gtest.h>

#include "setup/line_diff.h"

namespace gh::setup {
namespace {

const Lines kOurs{"command = \"gatehouse\"", "args = [\"mcp\"]", "# remote form: url = \"x\""};

std::string tabled(std::string_view text) {
  const auto out = with_toml_table(text, "mcp_servers.gatehouse", kOurs, "c.toml");
  return out ? *out : "error: " + out.error().message;
}
std::string untabled(std::string_view text) {
  return without_toml_table(text, "mcp_servers.gatehouse", kOurs, "c.toml").value_or("error");
}

TEST(LineText, ABlockIsPutAtTheEndAndTheOldBytesComeBack) {
  for (const std::string text :
       {"a\n", "a", "a\n\n", "\n", "a\r\nb\r\n", "a\r\nb", "\xEF\xBB\xBFx\n"})
    for (const Marks& marks : {html_marks(), hash_marks(), hash_marks("part")}) {
      SCOPED_TRACE(text);
      const std::string with = with_block(text, {"one", "", "two"}, marks);
      EXPECT_TRUE(with.starts_with(text)) << with;
      EXPECT_TRUE(has_block(with, marks));
      EXPECT_EQ(with_block(with, {"one", "", "two"}, marks), with);
      EXPECT_EQ(without_block(with, marks), text) << with;
      EXPECT_EQ(without_block(with_block(with, {"other"}, marks), marks), text);
    }
  EXPECT_EQ(with_block("", {"x"}, html_marks()),
            "<!-- gatehouse:begin v1 -->\nx\n<!-- gatehouse:end -->\n");
  EXPECT_EQ(without_block(with_block("", {"x"}, html_marks()), html_marks()), "");
}

TEST(LineText, WhatAPersonWritesAroundABlockStays) {
  const std::string with = with_block("mine\n", {"ours"}, html_marks()) + "\nmore of mine\n";
  EXPECT_EQ(without_block(with, html_marks()), "mine\n\n\nmore of mine\n");
  EXPECT_EQ(with_block(with, {"new"}, html_marks()),
            "mine\n\n<!-- gatehouse:begin v1 -->\nnew\n<!-- gatehouse:end -->\n\nmore of mine\n");
  EXPECT_EQ(without_block("<!-- gatehouse:begin v1 -->\nno end\n", html_marks()),
            "<!-- gatehouse:begin v1 -->\nno end\n");
}

TEST(LineText, ATomlTableIsPutInAndTheOldBytesComeBack) {
  for (const std::string text : {"model = \"x\"\n", "model = \"x\"", "# only a remark\n",
                                 "[a]\nb = 1\n\n[c]\n", "[mcp_servers.other]\ncommand = \"y\"\r\n",
                                 "s = \"\"\"\n[mcp_servers.gatehouse]\n\"\"\"\n"}) {
    SCOPED_TRACE(text);
    const std::string with = tabled(text);
    EXPECT_TRUE(with.starts_with(text)) << with;
    EXPECT_EQ(tabled(with), with);
    EXPECT_EQ(untabled(with), text);
  }
  EXPECT_EQ(tabled(""),
            "[mcp_servers.gatehouse]\ncommand = \"gatehouse\"\nargs = [\"mcp\"]\n# remote "
            "form: url = \"x\"\n");
  EXPECT_EQ(untabled(tabled("")), "");
}

TEST(LineText, ATomlTableOfOursIsBroughtUpToDateInItsPlace) {
  EXPECT_EQ(
      tabled("[mcp_servers.gatehouse]\ncommand = \"old\" # x\n\n# theirs\n[b]\nc = 1\n"),
      "[mcp_servers.gatehouse]\ncommand = \"gatehouse\"\nargs = [\"mcp\"]\n# remote form: url = "
      "\"x\"\n\n# theirs\n[b]\nc = 1\n");
}

TEST(LineText, TomlThatIsNotUnderstoodIsNotTouched) {
  EXPECT_TRUE(tabled("[a\n").starts_with("error: c.toml:1:"));
  EXPECT_TRUE(
      tabled("mcp_servers = {gatehouse = {command = \"x\"}}\n").starts_with("error: c.toml has"));
  EXPECT_TRUE(tabled("mcp_servers = {a = {command = \"x\"}}\n").starts_with("error: c.toml"));
  EXPECT_TRUE(tabled("mcp_servers = 1\n").starts_with("error: "));
}

TEST(LineDiff, ShowsWhatDiffersAndNothingElse) {
  const std::string a = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n",
                    b = "1\nx\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\ny";
  EXPECT_EQ(unified_diff("f", &a, &a), "");
  EXPECT_EQ(
      unified_diff("f", &a, &b),
      "--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n 1\n-2\n+x\n 3\n 4\n 5\n@@ -10,3 +10,4 @@\n 10\n 11\n"
      " 12\n+y\n\\ No newline at end of file\n");
  const std::string one = "x\n";
  EXPECT_EQ(unified_diff("f", nullptr, &one), "--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+x\n");
  EXPECT_EQ(unified_diff("f", &one, nullptr), "--- a/f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n");
}

}  // namespace
}  // namespace gh::setup
