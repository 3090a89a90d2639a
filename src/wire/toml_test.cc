#include "wire/toml.h"

#include <gtest/gtest.h>

#include "wire/json.h"

namespace gh::wire {
namespace {

std::string read(std::string_view text) {
  const auto table = read_toml_table(text, "p.toml", {"tool", "codeclone"});
  if (!table) return table.error().message;
  return *table ? canonical_json(Value(**table)) : "none";
}

TEST(Toml, ATableIsReadByItsPath) {
  EXPECT_EQ(
      read("[tool.codeclone]\nmin_loc = 12\nci = true\nname = 'x'\nexclude = [\"a\", \"b\"]\n"),
      R"({"ci":true,"exclude":["a","b"],"min_loc":12,"name":"x"})");
  EXPECT_EQ(read("tool.codeclone.min_loc = 0x10\n"), R"({"min_loc":16})");
  EXPECT_EQ(read("[tool.codeclone.dead_code_registrations]\n\"app.Bus\" = [\"on\"]\n"),
            R"({"dead_code_registrations":{"app.Bus":["on"]}})");
}

TEST(Toml, WhatIsNotThereIsNoError) {
  EXPECT_EQ(read(""), "none");
  EXPECT_EQ(read("[tool.other]\na = 1\n"), "none");
  EXPECT_EQ(read("tool = 3\n"), "none");
}

TEST(Toml, OtherTypesAndDeeperOnesAreNull) {
  EXPECT_EQ(read("[tool.codeclone]\na = 1.5\nb = 1979-05-27\nc = [[1]]\n"),
            R"({"a":null,"b":null,"c":[null]})");
}

TEST(Toml, AHeaderWithoutANameIsAFaultAndNoEndOfTheProgram) {
  for (const char* text : {"[ = 1", "[", "[ ]", "[[ = 1", "[.a]\n", "a = [ = 1"})
    EXPECT_TRUE(read(text).starts_with("p.toml:1:")) << text << ": " << read(text);
}

TEST(Toml, AFaultNamesItsPlace) {
  EXPECT_TRUE(read("a = 1\n[tool\n").starts_with("p.toml:2:")) << read("a = 1\n[tool\n");
  EXPECT_TRUE(read("a = 1\na = 2\n").starts_with("p.toml:2:"));
  EXPECT_TRUE(read("a=" + std::string(5000, '[')).starts_with("p.toml:1:"));
  EXPECT_TRUE(read("a = \"\xff\"").starts_with("p.toml:1:"));
  EXPECT_EQ(read(std::string((1u << 20) + 1, ' ')), "p.toml has more than 1048576 bytes");
}

}  // namespace
}  // namespace gh::wire
