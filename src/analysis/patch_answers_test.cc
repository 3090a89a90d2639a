#include "analysis/patch_answers.h"

#include <gtest/gtest.h>

#include "analysis/test_project.h"

namespace gh::analysis {
namespace {

std::string calls(int from, int to) {
  std::string out;
  for (int i = from; i < to; ++i)
    out += "    s" + std::to_string(i) + "(p)\n";
  return out;
}
std::string def(const std::string& name, const std::string& body) {
  return "def " + name + "(p):\n" + body;
}

PatchAnswers ask(const Files& before, const Files& after, Texts deleted = {}) {
  const Project project = project_of(before, {});
  Change change{.files = {}, .deleted = std::move(deleted)};
  for (const auto& [path, source] : after)
    change.files.push_back(file_of(path, source));
  const PatchIndex index(project);
  // Places name paths of the project and the change: only their sentences outlive this.
  return patch_answers(index, change);
}

template <class T>
Texts sentences(const std::vector<T>& answers) {
  Texts out;
  for (const T& answer : answers)
    out.push_back(sentence(answer));
  return out;
}

// docs/reference/analysis.md, "Answers about a change"
TEST(PatchAnswers, AFunctionThatComesAgainIsACopy) {
  const Files before{{"pkg/a.py", def("load", calls(0, 12))}};
  EXPECT_EQ(sentences(ask(before, {{"pkg/b.py", def("load2", calls(0, 12))}}).copies),
            (Texts{"this change copies pkg.a:load (12 statements) into pkg.b:load2"}));
  const std::string both = def("load", calls(0, 12)) + def("load2", calls(0, 12));
  EXPECT_EQ(sentences(ask(before, {{"pkg/a.py", both}}).copies),
            (Texts{"this change copies pkg.a:load (12 statements) into pkg.a:load2"}));
}

TEST(PatchAnswers, WhatIsMovedRenamedOrAsBeforeIsNoCopy) {
  const Files before{{"a.py", def("load", calls(0, 12))}, {"b.py", def("other", calls(0, 12))}};
  EXPECT_TRUE(ask({before[0]}, {{"c.py", def("load", calls(0, 12))}}, {"a.py"}).copies.empty());
  EXPECT_TRUE(ask({before[0]}, {{"a.py", def("renamed", calls(0, 12))}}).copies.empty());
  EXPECT_TRUE(ask(before, {{"b.py", "x = 1\n" + def("other", calls(0, 12))}}).copies.empty());
}

TEST(PatchAnswers, ARunOfElevenStatementsInsideAnotherFunctionIsACopy) {
  const Files before{{"a.py", def("load", calls(0, 30))}};
  const auto copies = [&](int count, const Files& more = {}) {
    Files all = before;
    all.insert(all.end(), more.begin(), more.end());
    const std::string body = "    x(p)\n" + calls(5, 5 + count) + "    y(p)\n";
    return sentences(ask(all, {{"b.py", def("other", body)}}).copies);
  };
  EXPECT_EQ(copies(11), (Texts{"this change copies a:load (11 statements) into b:other"}));
  EXPECT_EQ(copies(20), (Texts{"this change copies a:load (20 statements) into b:other"}));
  EXPECT_TRUE(copies(10).empty());
  // It stood there before.
  const std::string old = "    z(p)\n" + calls(5, 16) + "    y(p)\n";
  EXPECT_TRUE(copies(11, {{"b.py", def("other", old)}}).empty());
}

TEST(PatchAnswers, StatementsInsideOthersAreCopiedToo) {
  std::string nested = "    for q in p:\n";
  for (int i = 0; i < 12; ++i)
    nested += "        s" + std::to_string(i) + "(q)\n";
  EXPECT_EQ(sentences(ask({{"a.py", def("load", "    a(p)\n" + nested)}},
                          {{"b.py", def("other", "    b(p)\n    c(p)\n" + nested)}})
                          .copies),
            (Texts{"this change copies a:load (13 statements) into b:other"}));
}

TEST(PatchAnswers, ARunThatLeavesItsPlaceIsMoved) {
  const Files before{{"a.py", def("load", calls(0, 30))}};
  const Files after{{"a.py", def("load", calls(0, 5) + "    helper(p)\n" + calls(25, 30)) +
                                 def("helper", calls(5, 25))}};
  EXPECT_TRUE(ask(before, after).copies.empty());
}

TEST(PatchAnswers, EditingOneOfSeveralClonesNamesThoseLeftBehind) {
  const std::string body = calls(0, 12);
  const Files before{{"a.py", def("f", body)}, {"b.py", def("g", body)}, {"c.py", def("h", body)}};
  const auto edits = [&](const Files& after, Texts deleted = {}) {
    return sentences(ask(before, after, std::move(deleted)).partial_edits);
  };
  const std::string edited = body + "    more(p)\n";
  EXPECT_EQ(edits({{"a.py", def("f", edited)}}),
            (Texts{"this change edits a:f and leaves b:g, c:h as before; they were clones"}));
  EXPECT_EQ(edits({{"a.py", def("f", edited)}}, {"c.py"}),
            (Texts{"this change edits a:f and leaves b:g as before; they were clones"}));
  EXPECT_EQ(edits({{"a.py", def("f", edited)}, {"b.py", def("g", edited)}}),
            (Texts{"this change edits a:f, b:g and leaves c:h as before; they were clones"}));
  EXPECT_TRUE(
      edits({{"a.py", def("f", edited)}, {"b.py", def("g", edited)}, {"c.py", def("h", edited)}})
          .empty());
  EXPECT_TRUE(edits({}, {"a.py"}).empty());
  EXPECT_TRUE(edits({{"a.py", "x = 1\n" + def("f", body)}}).empty());
  EXPECT_TRUE(edits({{"a.py", def("f", edited + "    (\n")}}).empty());  // cannot be read
}

TEST(PatchAnswers, AnEditOfALiteralIsTextAndOfAStatementIsStructure) {
  const std::string body = calls(0, 11) + "    t(1)\n", other = calls(0, 11) + "    t(2)\n";
  const Files before{{"a.py", def("f", body)}, {"b.py", def("f", body)}};
  const auto text = ask(before, {{"a.py", def("f", other)}}).partial_edits;
  ASSERT_EQ(text.size(), 1u);
  EXPECT_FALSE(text[0].structure);
  const auto structure = ask(before, {{"a.py", def("f", body + "    u()\n")}}).partial_edits;
  ASSERT_EQ(structure.size(), 1u);
  EXPECT_TRUE(structure[0].structure);
}

TEST(PatchAnswers, AGroupThatGrowsIsToldWithItsNewMembers) {
  const std::string body = calls(0, 12);
  const Files before{{"a.py", def("f", body)}, {"b.py", def("g", body)}};
  const auto grown = ask(before, {{"c.py", def("h", body) + def("i", body)}}).grown;
  ASSERT_EQ(grown.size(), 1u);
  EXPECT_EQ(sentences(grown), (Texts{"this change adds c:h, c:i to a clone group of 2"}));
  EXPECT_EQ(grown[0].after, 4u);
  EXPECT_TRUE(ask(before, {{"c.py", def("f", body)}}, {"a.py"}).grown.empty());  // moved
  EXPECT_TRUE(ask({before[0]}, {{"c.py", def("f", body)}}).grown.empty());       // no group yet
  EXPECT_TRUE(ask(before, {{"a.py", "x = 1\n" + def("f", body)}}).grown.empty());
}

TEST(PatchAnswers, GroupsOfTwoRunsGrowByName) {
  const std::vector<GroupMembers> before{{"k", {"a:f", "b:g"}}, {"l", {"a:h", "b:h"}}};
  const auto grown = grown_groups(
      before, {{"k", {"c:i", "a:f", "b:g", "a:f"}}, {"l", {"a:h", "c:h"}}, {"m", {"x:y", "x:z"}}});
  ASSERT_EQ(grown.size(), 1u);
  EXPECT_EQ(grown[0].key, "k");
  EXPECT_EQ(grown[0].new_members, (Texts{"a:f", "c:i"}));
}

TEST(PatchAnswers, ADocumentHoldsAllOfIt) {
  const std::string body = calls(0, 12);
  const Project project = project_of({{"a.py", def("f", body)}, {"b.py", def("g", body)}}, {});
  const Change change{.files = {file_of("a.py", def("f", body + "    t()\n")),
                                file_of("c.py", def("h", body) + def("i", body))}};
  const Value value = document(patch_answers(PatchIndex(project), change));
  EXPECT_EQ(value.as_map()->find("copies")->as_list()->size(), 2u);
  EXPECT_EQ(value.as_map()->find("clone_partial_edit")->as_list()->size(), 1u);
  const Map& grown = *value.as_map()->find("grown_groups")->as_list()->at(0).as_map();
  EXPECT_EQ(*grown.find("grown"), Value(true));
  EXPECT_EQ(*grown.find("before"), Value(2));
  EXPECT_EQ(*grown.find("after"), Value(3));
  EXPECT_EQ(grown.find("new_members")->as_list()->size(), 2u);
}

TEST(PatchAnswers, ManySourcesOfOneRunAreNoTrouble) {
  const Project project = many(10'000, 13, Own::last);
  const Change change{.files = {file_of("b.py", def("g", "    x()\n" + calls(0, 12)))}};
  EXPECT_EQ(sentences(patch_answers(PatchIndex(project), change).copies),
            (Texts{"this change copies m:f0 (12 statements) into b:g"}));
}

}  // namespace
}  // namespace gh::analysis
