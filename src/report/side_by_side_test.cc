#include "report/side_by_side.h"

#include <gtest/gtest.h>

namespace gh::report {
namespace {

using Views = std::vector<std::string_view>;

TEST(SideBySide, WhatIsInCommonKeepsItsOrder) {
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(in_common({"a", "b", "c"}, {"a", "x", "c"}), (Pairs{{0, 0}, {2, 2}}));
  EXPECT_EQ(in_common({"a", "b"}, {"b", "a"}).size(), 1u);
  EXPECT_EQ(in_common({}, {"b"}), Pairs{});
  EXPECT_EQ(in_common({"x", "a", "b"}, {"a", "b"}), (Pairs{{1, 0}, {2, 1}}));
}

TEST(SideBySide, ALineFallsIntoWordsThatAreTheLine) {
  EXPECT_EQ(words_of("x1 = f(a_b)"), (Views{"x1", " ", "=", " ", "f", "(", "a_b", ")"}));
  EXPECT_EQ(words_of(""), Views{});
  std::string whole;
  for (const std::string_view word : words_of("  größe+=1 "))
    whole += word;
  EXPECT_EQ(whole, "  größe+=1 ");
}

Value place(std::string path, std::int64_t from, std::int64_t to) {
  return Map{
      {"qualname", path + ":f"}, {"relative_path", path}, {"start_line", from}, {"end_line", to}};
}

TEST(SideBySide, LinesAreEqualOtherOrOnOneSideOnly) {
  const Value group = Map{{"items", List{place("a", 2, 4), place("b", 1, 2)}}};
  const std::string page = side_by_side(Peek(group), [](std::string_view path) {
    return std::optional<std::string>(path == "a" ? "no\none(1)\nsame\n\tleft <b>\n"
                                                  : "two(1)\nsame\n");
  });
  EXPECT_NE(page.find("<tr class='other'><td class='l'>2</td><td class='c mono'><mark>one</mark>(1)"
                      "</td><td class='l'>1</td><td class='c mono'><mark>two</mark>(1)</td>"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("<tr class='same'><td class='l'>3</td>"), std::string::npos);
  EXPECT_NE(page.find("<tr class='left'><td class='l'>4</td><td class='c mono'>    left &lt;b&gt;"
                      "</td><td class='l'></td>"),
            std::string::npos)
      << page;
}

TEST(SideBySide, WithoutTwoSourcesThereIsNothing) {
  const Value one = Map{{"items", List{place("a", 1, 1)}}};
  const Value two = Map{{"items", List{place("a", 1, 1), place("b", 1, 1)}}};
  const SourceText none = [](std::string_view) { return std::optional<std::string>(); };
  const SourceText text = [](std::string_view) { return std::optional<std::string>("x"); };
  EXPECT_EQ(side_by_side(Peek(one), text), "");
  EXPECT_EQ(side_by_side(Peek(two), none), "");
  EXPECT_EQ(side_by_side(Peek(two), nullptr), "");
}

}  // namespace
}  // namespace gh::report
