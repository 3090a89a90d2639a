#include "analysis/report_change.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "analysis/canonical_report.h"
#include "analysis/report_view.h"
#include "analysis/testing_project.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

constexpr std::array<std::string_view, 6> kChanged{
    "metrics/families/cohesion/items",  "metrics/families/complexity/items",
    "metrics/families/coupling/items",  "metrics/families/coverage_adoption/items",
    "metrics/families/dead_code/items", "findings/groups/dead_code/groups"};

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
  for (const std::string_view path : kChanged)
    for (const Value& item : *list_at(report, path)) {
      const auto paths = paths_of(item);
      const std::string path_of(paths.empty() ? std::string(text_in(item, "relative_path"))
                                              : paths.front());
      if (std::ranges::find(files, path_of) != files.end()) change.list(path).after.push_back(item);
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

TEST(ReportChange, AnotherDocumentIsNone) {
  EXPECT_EQ(base_of(report()), "");
  EXPECT_FALSE(changed_report(report(), Value(Map{})));
}

}  // namespace
}  // namespace gh::analysis
