#include "analysis/report_change.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "analysis/canonical_report.h"
#include "analysis/report_view.h"
#include "analysis/testing_project.h"
#include "analysis/text_list.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

constexpr std::array<std::string_view, 4> kChanged{
    "metrics/families/cohesion/items", "metrics/families/complexity/items",
    "metrics/families/coupling/items", "metrics/families/coverage_adoption/items"};

/// Functions and classes of many sizes, some of them dead, in three files.
Value report() {
  Sources files;
  for (const std::string& name : std::vector<std::string>{"a", "b", "c"}) {
    std::string text = "import os\n\n\n";
    for (int i = 0; i < 4; ++i) {
      text += "def f" + std::to_string(i) + name + "(x):\n";
      for (int k = 0; k < i; ++k)
        text += "    if x > " + std::to_string(k) + ":\n        return os\n";
      text += "    return x\n\n\n";
      text += "class K" + std::to_string(i) + ":\n    def m(self):\n        return os\n\n";
      for (int k = 0; k < i; ++k)
        text += "    def n" + std::to_string(k) + "(self):\n        self.v" + std::to_string(k) +
                " = 1\n\n";
    }
    files.emplace_back(name + ".py", text);
  }
  const Project project = python_project(files);
  return canonical_report(project, find_all(project));
}

/// `report` as the change of these files alone, told from itself.
Value told_again(const Value& report, const std::vector<std::string>& files) {
  ReportChange change{.files = files};
  for (const std::string_view path : kChanged) {
    change.list(path).files = files;
    for (const Value& item : *list_at(report, path))
      if (std::ranges::find(files, text_in(item, "relative_path")) != files.end())
        change.list(path).after.push_back(item);
  }
  change.health = metric_items(report, "health");
  const Value document = change_document(frame_of(report, change), change, "base");
  EXPECT_EQ(base_of(document), "base");
  auto whole = changed_report(report, document);
  EXPECT_TRUE(whole);
  return std::move(*whole);
}

std::string digested(Value report) {
  report.as_map()->erase("derived");
  return wire::canonical_json(report);
}

TEST(ReportChange, EveryListIsPutTogetherInTheOrderOfTheReport) {
  const Value whole = report();
  for (const std::string_view path : kChanged)
    EXPECT_GT(list_at(whole, path)->size(), 2u) << path;
  for (const std::vector<std::string>& files :
       std::vector<std::vector<std::string>>{{"a.py"}, {"b.py"}, {"c.py"}, {"a.py", "c.py"}})
    EXPECT_EQ(digested(told_again(whole, files)), digested(whole)) << files.front();
}

/// A file whose items of one list are others need not have others in a second list.
TEST(ReportChange, ItemsOfOtherFilesAreThoseOfTheEarlierReport) {
  const Value whole = report();
  ReportChange change{.files = {"a.py", "b.py"}, .health = metric_items(whole, "health")};
  change.list(kChanged[0]).files = {"a.py"};
  for (const Value& item : *list_at(whole, kChanged[0]))
    if (text_in(item, "relative_path") == "a.py") change.list(kChanged[0]).after.push_back(item);
  const auto made = changed_report(whole, change_document(frame_of(whole, change), change, "base"));
  ASSERT_TRUE(made);
  EXPECT_EQ(*list_at(*made, kChanged[0]), *list_at(whole, kChanged[0]));
}

/// A list of findings becomes another one: one is gone, one is new, the rest stands elsewhere.
TEST(ReportChange, AListThatIsNotToldApartByFileIsEdited) {
  constexpr std::string_view kDead = "metrics/families/dead_code/items";
  const Value whole = report();
  Value later = whole;
  List& list = *list_at(later, kDead);
  ASSERT_GT(list.size(), 3u);
  list.erase(list.begin());
  list.insert(list.begin() + 1, Map{{"qualname", "new"}, {"relative_path", "a.py"}});
  std::swap(list[0], list[2]);
  ReportChange change{.files = {"a.py"}, .health = metric_items(whole, "health")};
  change.edits.push_back(
      {std::string(kDead), edits_between(text_list(*list_at(whole, kDead)), text_list(list))});
  const Value document = change_document(frame_of(later, change), change, "base");
  const auto made = changed_report(whole, document);
  ASSERT_TRUE(made);
  EXPECT_EQ(*list_at(*made, kDead), list);
}

TEST(ReportChange, AModuleThatIsGoneIsRankedNoMore) {
  const Value whole = report();
  ReportChange change{.files = {"b.py"}, .gone_modules = {"b"}};
  change.health = metric_items(whole, "health");
  const auto made = changed_report(whole, change_document(frame_of(whole, change), change, "base"));
  ASSERT_TRUE(made);
  for (const Value& module : metric_items(*made, "overloaded_modules"))
    EXPECT_NE(text_in(module, "module"), "b");
  EXPECT_EQ(metric_items(*made, "overloaded_modules").size(), 2u);
}

TEST(ReportChange, AnEditThatDoesNotFitIsRefused) {
  constexpr std::string_view kDead = "metrics/families/dead_code/items";
  const Value whole = report();
  for (const List& edit : std::vector<List>{
           {Value(List{0, 1000})}, {Value(List{-1, 1})}, {Value(List{0})}, {Value(List{"0", 1})}}) {
    ReportChange change{.files = {}, .edits = {{std::string(kDead), edit}}};
    EXPECT_FALSE(changed_report(whole, change_document(frame_of(whole, change), change, "base")));
  }
}

TEST(ReportChange, AnotherDocumentIsNone) {
  EXPECT_EQ(base_of(report()), "");
  EXPECT_FALSE(changed_report(report(), Value(Map{})));
}

}  // namespace
}  // namespace gh::analysis
