#include "setup/ci_providers.h"

#include <map>

#include <gtest/gtest.h>

#include "wire/json.h"

namespace gh::setup {
namespace {

using Set = std::map<std::string, std::string, std::less<>>;

CiVariables variables(Set set) {
  return [set = std::move(set)](std::string_view name) {
    const auto found = set.find(name);
    return found == set.end() ? std::string() : found->second;
  };
}

const std::string kA(40, 'a'), kB(40, 'b'), kC(40, 'c'), kZero(40, '0');

std::string shown(const CiPlace& place) {
  return place.kind == CiPlace::Kind::usual    ? "default"
         : place.kind == CiPlace::Kind::branch ? "branch " + place.name
                                               : "commit " + place.name.substr(0, 1);
}

struct Row {
  const char* what;
  Set set;
  std::string event, provider, base, head, change;
};

// Interfaces 4.1, row by row, with what each system puts into the environment.
TEST(CiProviders, EachIsKnownAndSaysWhereTheChangeStands) {
  const Row rows[] = {
      {"github pull request",
       {{"GITHUB_ACTIONS", "true"},
        {"CI", "true"},
        {"GITHUB_SHA", kC},
        {"GITHUB_BASE_REF", "main"}},
       R"({"number":7,"pull_request":{"base":{"sha":")" + kA + R"("},"head":{"sha":")" + kB +
           R"("}}})",
       "github",
       "commit a",
       "commit b",
       "7"},
      {"github merge queue",
       {{"GITHUB_ACTIONS", "true"}, {"GITHUB_SHA", kC}},
       R"({"merge_group":{"base_sha":")" + kA + R"(","head_sha":")" + kB + R"("}})",
       "github",
       "commit a",
       "commit b",
       ""},
      {"github push",
       {{"GITHUB_ACTIONS", "true"}, {"GITHUB_SHA", kC}},
       R"({"before":")" + kA + R"("})",
       "github",
       "commit a",
       "commit c",
       ""},
      {"github first push of a branch",
       {{"GITHUB_ACTIONS", "true"}, {"GITHUB_SHA", kC}},
       R"({"before":")" + kZero + R"("})",
       "github",
       "default",
       "commit c",
       ""},
      {"github without its event",
       {{"GITHUB_ACTIONS", "true"}, {"GITHUB_SHA", kC}, {"GITHUB_BASE_REF", "next"}},
       "null",
       "github",
       "branch next",
       "commit c",
       ""},
      {"gitlab merge request",
       {{"GITLAB_CI", "true"},
        {"CI", "true"},
        {"CI_MERGE_REQUEST_DIFF_BASE_SHA", kA},
        {"CI_COMMIT_BEFORE_SHA", kZero},
        {"CI_COMMIT_SHA", kC},
        {"CI_MERGE_REQUEST_IID", "12"}},
       "null",
       "gitlab",
       "commit a",
       "commit c",
       "12"},
      {"gitlab push",
       {{"GITLAB_CI", "true"}, {"CI_COMMIT_BEFORE_SHA", kB}, {"CI_COMMIT_SHA", kC}},
       "null",
       "gitlab",
       "commit b",
       "commit c",
       ""},
      {"gitlab first push",
       {{"GITLAB_CI", "true"}, {"CI_COMMIT_BEFORE_SHA", kZero}, {"CI_COMMIT_SHA", kC}},
       "null",
       "gitlab",
       "default",
       "commit c",
       ""},
      {"circleci",
       {{"CIRCLECI", "true"},
        {"CI", "true"},
        {"CIRCLE_SHA1", kC},
        {"CIRCLE_PULL_REQUEST", "https://forge.example/o/r/pull/31"}},
       "null",
       "circleci",
       "default",
       "commit c",
       "31"},
      {"jenkins change",
       {{"JENKINS_URL", "https://ci.example/"},
        {"CHANGE_TARGET", "main"},
        {"CHANGE_ID", "4"},
        {"GIT_PREVIOUS_SUCCESSFUL_COMMIT", kB},
        {"GIT_COMMIT", kC}},
       "null",
       "jenkins",
       "branch main",
       "commit c",
       "4"},
      {"jenkins branch",
       {{"JENKINS_URL", "https://ci.example/"},
        {"GIT_PREVIOUS_SUCCESSFUL_COMMIT", kB},
        {"GIT_COMMIT", kC}},
       "null",
       "jenkins",
       "commit b",
       "commit c",
       ""},
      {"azure",
       {{"TF_BUILD", "True"},
        {"SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/main"},
        {"SYSTEM_PULLREQUEST_SOURCECOMMITID", kB},
        {"BUILD_SOURCEVERSION", kC},
        {"SYSTEM_PULLREQUEST_PULLREQUESTID", "9"}},
       "null",
       "azure",
       "branch main",
       "commit b",
       "9"},
      {"buildkite",
       {{"BUILDKITE", "true"},
        {"CI", "true"},
        {"BUILDKITE_PULL_REQUEST_BASE_BRANCH", "main"},
        {"BUILDKITE_COMMIT", kC},
        {"BUILDKITE_PULL_REQUEST", "false"}},
       "null",
       "buildkite",
       "branch main",
       "commit c",
       ""},
      {"drone",
       {{"DRONE", "true"},
        {"DRONE_TARGET_BRANCH", "main"},
        {"DRONE_COMMIT_BEFORE", kB},
        {"DRONE_COMMIT_SHA", kC},
        {"DRONE_PULL_REQUEST", "5"}},
       "null",
       "drone",
       "branch main",
       "commit c",
       "5"},
      {"generic",
       {{"CI", "true"}, {"GATEHOUSE_BASE", kA}, {"GATEHOUSE_HEAD", kB}},
       "null",
       "generic",
       "commit a",
       "commit b",
       ""},
      {"somebody's machine", {}, "null", "local", "default", "none", ""},
      {"CI is switched off", {{"CI", "false"}}, "null", "local", "default", "none", ""},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    const CiVariables set = variables(row.set);
    const CiProvider& provider = detected_provider(set);
    EXPECT_EQ(provider.name, row.provider);
    const CiFacts facts =
        ci_facts(provider, set, row.event == "null" ? Value() : *wire::read_json(row.event));
    EXPECT_EQ(shown(facts.base), row.base);
    EXPECT_EQ(facts.heads.empty() ? "none" : shown(facts.heads.front()), row.head);
    EXPECT_EQ(facts.change, row.change);
  }
}

TEST(CiProviders, WhatIsNoCommitAndNoBranchIsNotBelieved) {
  const CiVariables set = variables({{"GITHUB_ACTIONS", "true"},
                                     {"GITHUB_BASE_REF", "--upload-pack=x"},
                                     {"GITHUB_SHA", "HEAD; rm -rf /"},
                                     {"GITHUB_SERVER_URL", "javascript:alert(1)//"},
                                     {"GITHUB_REPOSITORY", "o/r) <b>"}});
  const CiFacts facts = ci_facts(*ci_provider("github"), set,
                                 *wire::read_json(R"({"number":"7; x","before":"main..x"})"));
  EXPECT_EQ(facts.base.kind, CiPlace::Kind::usual);
  EXPECT_TRUE(facts.heads.empty());
  EXPECT_EQ(facts.change, "");
  EXPECT_EQ(facts.address, "");
  EXPECT_EQ(facts.file_link, "");
}

TEST(CiProviders, LinksLeadToTheFileAtTheHead) {
  const CiVariables set = variables({{"GITHUB_SERVER_URL", "https://forge.example"},
                                     {"GITHUB_REPOSITORY", "o/r"},
                                     {"CI_PROJECT_URL", "https://lab.example/g/p"}});
  EXPECT_EQ(ci_facts(*ci_provider("github"), set, Value()).file_link,
            "https://forge.example/o/r/blob/");
  EXPECT_EQ(ci_facts(*ci_provider("gitlab"), set, Value()).file_link,
            "https://lab.example/g/p/-/blob/");
}

}  // namespace
}  // namespace gh::setup
