#include "analysis/segments.h"

#include <gtest/gtest.h>

#include "analysis/test_project.h"

namespace gh::analysis {
namespace {

constexpr const char* kRun =
    "    a = load(1)\n"
    "    b = a + 1\n"
    "    if b:\n"
    "        save(b)\n"
    "    c = b * 2\n"
    "    emit(c)\n"
    "    log(c)\n";

Project one(const std::string& body, Profile profile = kLow) {
  return project_of({{"m.py", "def f(p):\n" + body}}, profile);
}

/// "6: f 2-8, f 10-16" for each group.
Texts told(const Project& project) {
  Texts out;
  for (const SegmentGroup& group : segments(project).groups) {
    std::string text = std::to_string(group.statements) + ":";
    for (const std::string& span : spans(project, group.items))
      text += " " + span;
    out.push_back(text);
  }
  return out;
}

// docs/reference/analysis.md, "Segments"
TEST(Segments, ARunThatComesAgainIsToldWithItsPlaces) {
  const Project project = one(std::string(kRun) + "    reset()\n" + kRun);
  EXPECT_EQ(told(project), (Texts{"6: f 2-8 f 10-16"}));
  EXPECT_EQ(segments(project).groups[0].type, CloneType::type1);
}

TEST(Segments, OtherNamesOrLiteralsMakeItTypeTwo) {
  std::string other = kRun;
  other.replace(other.find("load(1)"), 7, "load(2)");
  const Project project = one(std::string(kRun) + "    reset()\n" + other);
  ASSERT_EQ(told(project), (Texts{"6: f 2-8 f 10-16"}));
  EXPECT_EQ(segments(project).groups[0].type, CloneType::type2);
}

TEST(Segments, WhatFollowsItselfIsTwoPlacesAndNotOne) {
  EXPECT_EQ(told(one(std::string(kRun) + kRun)), (Texts{"6: f 2-8 f 9-15"}));
  EXPECT_EQ(told(one(std::string(kRun) + kRun + kRun)), (Texts{"6: f 2-8 f 9-15 f 16-22"}));
}

TEST(Segments, GrowAsFarAsAllPlacesAgree) {
  const std::string longer = "    first(p)\n" + std::string(kRun) + "    last(p)\n";
  EXPECT_EQ(told(one(longer + "    reset()\n" + longer)), (Texts{"8: f 2-10 f 12-20"}));
}

TEST(Segments, NeedSixStatements) {
  const std::string five = "    a(1)\n    b = 2\n    c(3)\n    d(4)\n    e(5)\n";
  EXPECT_TRUE(told(one(five + "    x = 1\n" + five)).empty());
}

TEST(Segments, NeedTwentyLinesAndTenStatements) {
  const std::string twice = std::string(kRun) + "    reset()\n" + kRun;  // 16 lines
  EXPECT_TRUE(told(one(twice + lines(3, "x# = g#(p)"), {})).empty());
  EXPECT_EQ(told(one(twice + lines(4, "x# = g#(p)"), {})).size(), 1u);
  Profile more;
  more.segment_min_stmt = 18;
  EXPECT_TRUE(told(one(twice + lines(4, "x# = g#(p)"), more)).empty());
}

TEST(Segments, BoilerplateIsCountedAndNotTold) {
  const auto counts = [](const std::string& body) {
    const Segments found = segments(one(body));
    return std::pair(found.groups.size(), found.suppressed);
  };
  using Counts = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(counts(lines(14, "self.a# = p.b#")), Counts(0, 1));
  // One kind of statement is too simple, whatever it does.
  EXPECT_EQ(counts(lines(12, "g(p)")), Counts(0, 1));
  // 5 of 6 assign to attributes, the sixth is no call and no exit.
  const std::string mostly = lines(5, "self.a# = p.b#") + "    del p\n";
  EXPECT_EQ(counts(mostly + mostly), Counts(0, 1));
  // 4 of 6 are too few.
  const std::string few = lines(4, "self.a# = p.b#") + "    del p\n    del q\n";
  EXPECT_EQ(counts(few + few), Counts(1, 0));
  // A call, an exit, a plain name, a branch each make it something to tell.
  for (const char* sixth : {"    g(p)\n", "    assert p\n", "    if p:\n        q = 1\n"}) {
    const std::string run = lines(5, "self.a# = p.b#") + sixth;
    EXPECT_EQ(counts(run + run), Counts(1, 0)) << sixth;
  }
  const std::string named = lines(4, "self.a# = p.b#") + "    a = p.b\n    del p\n";
  EXPECT_EQ(counts(named + named), Counts(1, 0));
}

TEST(Segments, AreLookedForInTheFirstSixtyWindows) {
  const auto groups = [](int before) {
    return told(one(lines(before, "g#(p)") + kRun + kRun)).size();
  };
  EXPECT_EQ(groups(60 - 7), 1u);  // the second begins at window 59, the last
  EXPECT_EQ(groups(60 - 6), 0u);
}

TEST(Segments, OneStatementAHundredThousandTimesIsNoTrouble) {
  Project project{.files = {{.path = "m.py"}}};
  project.files[0].facts.units = {repeated(100'000)};
  EXPECT_EQ(segments(project).suppressed, 1u);
}

}  // namespace
}  // namespace gh::analysis
