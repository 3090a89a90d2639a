#include "setup/ci_files.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "model/peek.h"
#include "wire/yaml.h"

namespace gh::setup {
namespace {

const CiRow& named(std::string_view name) {
  return *std::ranges::find(ci_files(), name, &CiRow::name);
}

TEST(CiFiles, EachHasItsFileAndAStepThatAsksTheGate) {
  const std::vector<std::pair<std::string_view, std::string_view>> expected{
      {"GitHub Actions", ".github/workflows/gatehouse.yml"},
      {"GitLab CI", ".gitlab-ci.yml"},
      {"CircleCI", ".circleci/config.yml"},
      {"Jenkins", "Jenkinsfile"},
      {"Azure Pipelines", "azure-pipelines.yml"},
      {"Buildkite", ".buildkite/pipeline.yml"},
      {"Drone", ".drone.yml"}};
  ASSERT_EQ(ci_files().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(ci_files()[i].name, expected[i].first);
    EXPECT_EQ(ci_files()[i].file, expected[i].second);
    EXPECT_NE(ci_step(ci_files()[i]).find("gatehouse check --gates patch,structure,surface"),
              std::string_view::npos);
  }
}

struct Case {
  std::string_view name, text;
  std::string_view place;  // of the step, as a JSON pointer; empty: only a person can put it in
};

// Other jobs, remarks, another indentation, line ends of another system, no last line end.
constexpr Case kCases[] = {
    {"CircleCI", "version: 2.1\n", "/jobs/gatehouse/steps/1/run"},
    {"CircleCI", "version: 2.1\njobs:  # ours\n    build:\n        steps: [checkout]\n",
     "/jobs/gatehouse/steps/1/run"},
    {"CircleCI",
     "version: 2.1\r\njobs:\r\n  build:\r\n    steps: [checkout]\r\nworkflows:\r\n  all:\r\n    "
     "jobs: [build]\r\n",
     "/jobs/gatehouse/steps/1/run"},
    {"CircleCI", "jobs: {build: {steps: [checkout]}}\n", ""},
    {"CircleCI", "jobs:\n  gatehouse:\n    steps: []\n", ""},
    {"CircleCI", "", ""},
    {"Azure Pipelines", "pool: x\nsteps:\n- script: make", "/steps/0/script"},
    {"Azure Pipelines", "pool: x\n", "/steps/0/script"},
    {"Azure Pipelines", "jobs:\n- job: a\n  steps: []\n", ""},
    {"Azure Pipelines", "stages:\n- stage: a\n", ""},
    {"Azure Pipelines", "extends:\n  template: a\n", ""},
    {"Azure Pipelines", "steps: []\n", ""},
    {"Buildkite", "steps:\n  - command: make\n  - wait\n", "/steps/0/command"},
    {"Buildkite", "- command: make\n", ""},
    {"Jenkins", "pipeline {}\n", ""},
};

TEST(CiFiles, TheStepStandsBesideTheOthersAndGoesWithoutATrace) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.text);
    const CiRow& row = named(c.name);
    const auto with = with_ci_step(row, c.text);
    ASSERT_EQ(with.has_value(), !c.place.empty()) << (with ? *with : with.error().message);
    if (!with) {
      EXPECT_EQ(with.error().code, Code::conflict);
      continue;
    }
    const auto document = wire::read_yaml(*with, "f", wire::YamlDialect::compatible);
    ASSERT_TRUE(document) << document.error().message << "\n" << *with;
    EXPECT_GT(document->mark_of(c.place).line, 0) << *with;
    const auto again = with_ci_step(row, *with);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, *with);
    EXPECT_EQ(without_ci_step(row, *with), c.text);
  }
}

TEST(CiFiles, AFileThatIsNoYamlIsNotTouched) {
  const auto with = with_ci_step(named("CircleCI"), "jobs: [\n");
  ASSERT_FALSE(with);
  EXPECT_EQ(with.error().code, Code::input_unreadable);
}

TEST(CiFiles, ABuildOfItsOwnIsAddedBehindTheOthers) {
  const std::string before = "kind: pipeline\nname: build\n";
  const auto with = with_ci_step(named("Drone"), before);
  ASSERT_TRUE(with);
  EXPECT_TRUE(with->starts_with(before + "\n# gatehouse:begin v1\n---\n")) << *with;
  EXPECT_EQ(without_ci_step(named("Drone"), *with), before);
}

}  // namespace
}  // namespace gh::setup
