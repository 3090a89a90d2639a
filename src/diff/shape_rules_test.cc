// One table of the shape gate: for each rule inputs that differ in construct, and neighbours one
// edit away that are accepted. Expectations are typed out from the specification.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "diff/patch.h"
#include "diff/shape_cases.h"

namespace gh::diff {
namespace {

std::string answer(const ShapeCase& c) {
  const auto patch = parse(c.input, c.profile, c.position);
  return patch ? "accept" : std::string(to_string(patch.error().rule));
}

TEST(ShapeRules, EachInputGetsTheRuleOfItsConstruct) {
  for (const ShapeCase& c : shape_cases())
    EXPECT_EQ(answer(c), c.answer) << c.title << "\n" << c.input.substr(0, 400);
}

TEST(ShapeRules, EveryShapeRuleHasThreeRefusedInputs) {
  std::map<std::string, int> refused;
  for (const ShapeCase& c : shape_cases())
    ++refused[c.answer];
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    const Rule rule = static_cast<Rule>(i);
    if (step_of(rule) == PatchStep::shape) {
      EXPECT_GE(refused[std::string(to_string(rule))], 3) << to_string(rule);
    }
  }
}

TEST(ShapeRules, EveryRefusalIsOneShortSentenceWithAPlace) {
  const std::set<std::string> whole = {"input_too_large", "empty_input", "too_many_lines"};
  for (const ShapeCase& c : shape_cases()) {
    const auto patch = parse(c.input, c.profile, c.position);
    if (patch) continue;
    SCOPED_TRACE(c.title);
    const Violation& v = patch.error();
    EXPECT_FALSE(v.message.empty());
    EXPECT_LE(v.message.size(), 240u);
    EXPECT_EQ(v.message.find('\n'), std::string::npos);
    EXPECT_EQ(v.line == 0, whole.contains(c.answer));
    EXPECT_LE(v.excerpt.size(), 1024u);
  }
}

TEST(ShapeRules, WhatIsAcceptedSurvivesItsCanonicalForm) {
  for (const ShapeCase& c : shape_cases()) {
    const auto patch = parse(c.input, c.profile, c.position);
    if (!patch) continue;
    SCOPED_TRACE(c.title);
    const std::string canonical = print_canonical(*patch);
    const auto again = parse(canonical, c.profile, c.position);
    ASSERT_TRUE(again.has_value()) << canonical << again.error().message;
    EXPECT_EQ(print_canonical(*again), canonical);
    EXPECT_TRUE(again->notes.empty());
    EXPECT_EQ(again->added, patch->added);
    EXPECT_EQ(again->deleted, patch->deleted);
  }
}

}  // namespace
}  // namespace gh::diff
