// The action of GitHub, step by step in a scratch environment, and the recipes for the other
// systems with their shell parts run for real.
#include <set>
#include <tuple>

#include "sys/process.h"
#include "tests/action_kit.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

const std::string kAction = "integrations/github/action.yml";

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> out;
  for (const std::string_view word : split(text, ' '))
    if (!word.empty()) out.emplace(word);
  return out;
}

class Action : public CiRepository {
 protected:
  void TearDown() override { EXPECT_FALSE(fs::exists(here() + "/PWNED")); }

  ActionRun act(Texts inputs, Texts more = {}) {
    Texts variables = github();
    for (const auto& [name, value] : more)
      variables[name] = value;
    ActionRunner runner(kAction, here(), origin_.folder());
    return runner.run(inputs, variables,
                      {{"github.job", "gatehouse"},
                       {"github.sha", head_},
                       {"github.event.pull_request.head.sha", head_}});
  }
  void start_forge(const std::string& mode = "plain") {
    forge_ = *sys::Conversation::start(
        {.argv = {"/usr/bin/python3", fs::absolute("tests/data/forge_server.py").string(),
                  side("forge.log"), mode},
         .environment = plain_environment(),
         .cwd = "/"});
    api_ = "http://127.0.0.1:" + *forge_->read_line();
  }
  std::optional<sys::Conversation> forge_{};
  std::string api_{};
};

// Release-gate 22, and what interfaces 4.2 adds for the whole product.
TEST(ActionFile, HasTheInputsAndOutputsOfTheDocuments) {
  const Value action = ActionRunner::read(kAction);
  std::set<std::string> inputs, outputs;
  for (const auto& [name, row] : Peek(action)["inputs"].map().entries()) {
    inputs.insert(name);
    EXPECT_FALSE(Peek(row)["description"].text().empty()) << name;
  }
  for (const auto& [name, row] : Peek(action)["outputs"].map().entries())
    outputs.insert(name);
  EXPECT_EQ(
      inputs,
      words_of("config ci_mode fail_on fail_on_merge_verdicts baseline baseline_mode diff_from "
               "diff_base verify_mode "
               "base_ref head_ref policy_packs output_dir upload_artifact check_annotations "
               "check_annotation_limit "
               "pr_comment pr_comment_style check_run check_run_name check_run_policy github_token "
               "shipgate_version version args mode release sarif junit summary working_directory "
               "verify_receipts"));
  const std::set<std::string> wanted = words_of(
      "decision blocker_count review_item_count ci_would_fail exit_code should_run trigger_action "
      "trigger_rule_ids "
      "verifier_verdict merge_verdict can_merge_without_human trust_root_touched policy_weakened "
      "capability_changes_added "
      "capability_changes_modified capability_changes_removed critical_count high_count "
      "medium_count baseline_new_count "
      "baseline_matched_count baseline_resolved_count actions_added actions_modified "
      "actions_removed diff_enabled "
      "action_diff_enabled adk_agent_count adk_dynamic_toolset_count report_json report_markdown "
      "report_sarif verifier_json "
      "pr_comment_markdown status verdict headline verdict_json receipt_digest scope_status "
      "health_delta");
  for (const std::string& name : wanted)
    EXPECT_TRUE(outputs.contains(name)) << name;
  const std::map<std::string, std::string> defaults{{"mode", "advise"},
                                                    {"release", "auto"},
                                                    {"verify_mode", "verify"},
                                                    {"upload_artifact", "true"},
                                                    {"check_annotations", "true"},
                                                    {"check_annotation_limit", "50"},
                                                    {"pr_comment", "false"},
                                                    {"check_run", "false"},
                                                    {"check_run_policy", "advisory"},
                                                    {"summary", "true"},
                                                    {"verify_receipts", "false"},
                                                    {"pr_comment_style", "capability-review"}};
  for (const auto& [name, value] : defaults)
    EXPECT_EQ(Peek(action)["inputs"][name]["default"].text(), value) << name;
}

TEST(ActionFile, NoInputReachesAShellAndEveryOtherActionIsPinned) {
  std::vector<std::string> files{kAction};
  for (const auto& entry : fs::directory_iterator("integrations/github/workflows"))
    files.push_back(entry.path().string());
  EXPECT_EQ(files.size(), 8u);
  std::vector<std::string> words{"tools/validate-action.mjs"};
  for (const std::string& file : files) {
    words.push_back(file);
    const std::string text = bytes_of(file);
    const Value document = ActionRunner::read(file);
    List steps = Peek(document)["runs"]["steps"].list();
    for (const auto& [name, job] : Peek(document)["jobs"].map().entries())
      for (const Value& step : Peek(job)["steps"].list())
        steps.push_back(step);
    EXPECT_FALSE(steps.empty()) << file;
    for (const Value& value : steps) {
      const Peek step(value);
      EXPECT_FALSE(contains(step["run"].text(), "${{")) << file << step["run"].text();
      const std::string_view uses = step["uses"].text();
      if (uses.empty() || uses == "OWNER/gatehouse/integrations/github@COMMIT") continue;
      const std::string_view pin = uses.substr(uses.find('@') + 1);
      EXPECT_EQ(pin.size(), 40u) << uses;
      EXPECT_EQ(pin.find_first_not_of("0123456789abcdef"), pin.npos) << uses;
    }
    EXPECT_TRUE(file == kAction || contains(text, "permissions:\n")) << file;
  }
  const Ran judged = node(words);
  EXPECT_EQ(judged.code, 0) << judged.out << judged.err;
}

TEST_F(Action, ToAdviseItTellsAndPasses) {
  start_forge();
  deny();
  refund();
  change();
  const ActionRun run = act({{"pr_comment", "true"},
                             {"github_token", "ghs_secret"},
                             {"sarif", "out.sarif"},
                             {"check_run", "true"}},
                            {{"GITHUB_API_URL", api_}});
  EXPECT_FALSE(run.failed) << run.log;
  EXPECT_EQ(run.order,
            "Find the program\nJudge the change\nKeep the reports\nUpload SARIF\nComment on the "
            "pull request\n"
            "Make a check run\nDecide\n");
  const Texts& o = run.outputs;
  EXPECT_EQ(o.at("verdict"), "deny");
  EXPECT_EQ(o.at("decision"), "blocked");
  EXPECT_EQ(o.at("merge_verdict"), "blocked");
  EXPECT_EQ(o.at("blocker_count"), "1");
  EXPECT_EQ(o.at("capability_changes_added"), "2");
  EXPECT_EQ(o.at("can_merge_without_human"), "false");
  EXPECT_EQ(o.at("exit_code"), "0");
  EXPECT_TRUE(fs::exists(here() + "/" + o.at("report_json"))) << o.at("report_json");
  ASSERT_EQ(run.others.size(), 2u);
  EXPECT_EQ(run.others[0].at("path"), "./gatehouse-reports");
  EXPECT_EQ(run.others[1].at("sarif_file"), "./out.sarif");
  const std::string log = bytes_of(side("forge.log"));
  EXPECT_TRUE(contains(log, R"("method": "POST", "path": "/repos/octo/app/issues/7/comments")"))
      << log;
  EXPECT_TRUE(contains(log, R"("path": "/repos/octo/app/check-runs")")) << log;
  EXPECT_FALSE(contains(run.log, "ghs_secret"));
}

/// A member of a document as an output spells it.
std::string spelled(const Value& document, std::string_view path) {
  const Value* at = &document;
  for (const std::string_view step : split(path, '.')) {
    const Map* map = at->as_map();
    at = map != nullptr ? map->find(step) : nullptr;
    if (at == nullptr) return {};
  }
  if (at->as_string() != nullptr) return *at->as_string();
  if (at->as_bool() != nullptr) return *at->as_bool() ? "true" : "false";
  if (at->as_list() != nullptr) return std::to_string(at->as_list()->size());
  return at->as_int() != nullptr ? std::to_string(*at->as_int()) : "";
}

// Release-gate 22: every output, read where the workflow reads it.
TEST_F(Action, EveryOutputIsThatOfItsDocument) {
  deny();
  refund();
  change();
  const ActionRun run = act({{"sarif", "out.sarif"}});
  EXPECT_FALSE(run.failed) << run.log;
  const auto document = [&](const char* output) {
    const auto read = wire::read_json(bytes_of(here() + "/" + run.outputs.at(output)), output);
    EXPECT_TRUE(read) << output << " " << run.outputs.at(output);
    return read ? *read : Value();
  };
  const Value verdict = document("verdict_json"), verifier = document("verifier_json"),
              report = document("report_json");
  Texts expected{{"exit_code", "0"}, {"receipt_digest", ""}, {"health_delta", ""}};
  const std::tuple<const char*, const Value*, const char*> rows[] = {
      {"verdict", &verdict, "decision"},
      {"headline", &verdict, "headline"},
      {"decision", &verifier, "release_decision.decision"},
      {"blocker_count", &verifier, "release_decision.blockers"},
      {"review_item_count", &verifier, "release_decision.review_items"},
      {"ci_would_fail", &verifier, "release_decision.fail_policy.would_fail_ci"},
      {"should_run", &verifier, "trigger.should_run"},
      {"trigger_action", &verifier, "trigger.trigger_action"},
      {"verifier_verdict", &report, "verifier_summary.verdict"},
      {"merge_verdict", &verifier, "merge_verdict"},
      {"can_merge_without_human", &verifier, "can_merge_without_human"},
      {"trust_root_touched", &verifier, "trust_root_touched"},
      {"policy_weakened", &verifier, "capability_review.policy_weakened"},
      {"capability_changes_added", &verifier, "capability_review.capability_changes_added"},
      {"capability_changes_modified", &verifier, "capability_review.capability_changes_modified"},
      {"capability_changes_removed", &verifier, "capability_review.capability_changes_removed"},
      {"critical_count", &report, "summary.critical_count"},
      {"high_count", &report, "summary.high_count"},
      {"medium_count", &report, "summary.medium_count"},
      {"baseline_new_count", &report, "release_decision.baseline_delta.new_count"},
      {"baseline_matched_count", &report, "release_decision.baseline_delta.matched_count"},
      {"baseline_resolved_count", &report, "release_decision.baseline_delta.resolved_count"},
      {"actions_added", &report, "action_surface_diff.summary.actions_added"},
      {"actions_modified", &report, "action_surface_diff.summary.actions_modified"},
      {"actions_removed", &report, "action_surface_diff.summary.actions_removed"},
      {"diff_enabled", &report, "tool_surface_diff.enabled"},
      {"action_diff_enabled", &report, "action_surface_diff.enabled"},
      {"adk_agent_count", &report, "google_adk.agent_count"},
      {"adk_dynamic_toolset_count", &report, "google_adk.dynamic_toolset_count"},
      {"status", &report, "summary.status"},
  };
  for (const auto& [name, from, path] : rows)
    expected[name] = spelled(*from, path);
  std::string ids;
  for (const Value& rule : Peek(verifier)["trigger"]["matched_rules"].list())
    ids += (ids.empty() ? "" : ",") + std::string(Peek(rule)["id"].text());
  expected["trigger_rule_ids"] = ids;
  for (const Value& part : Peek(verdict)["parts"].list())
    if (Peek(part)["gate"].text() == "scope")
      expected["scope_status"] = Peek(part)["status"].text();
  expected.try_emplace("scope_status", "");
  for (const char* full : {"verdict", "headline", "decision", "merge_verdict", "trigger_rule_ids",
                           "blocker_count", "status", "verifier_verdict"})
    EXPECT_NE(expected.at(full), "") << full;
  const std::set<std::string> files = words_of(
      "verdict_json report_json report_markdown report_sarif verifier_json "
      "pr_comment_markdown comment_markdown sarif");
  for (const std::string& name : files)
    EXPECT_TRUE(fs::is_regular_file(here() + "/" + run.outputs.at(name)))
        << name << " " << run.outputs.at(name);
  for (const auto& [name, value] : run.outputs) {
    if (files.contains(name)) continue;
    ASSERT_TRUE(expected.contains(name)) << name << " is an output that nobody asks for here";
    EXPECT_EQ(value, expected.at(name)) << name;
  }
  EXPECT_EQ(run.outputs.size(), expected.size() + files.size());
}

TEST_F(Action, ToEnforceItFailsAfterAllEvidenceIsKept) {
  deny();
  change();
  const ActionRun run = act({{"mode", "enforce"}, {"sarif", "out.sarif"}});
  EXPECT_TRUE(run.failed);
  EXPECT_EQ(run.exit_code, 1) << run.log;
  EXPECT_TRUE(run.order.ends_with("Upload SARIF\nDecide\n")) << run.order;
  EXPECT_EQ(run.outputs.at("exit_code"), "1");
}

TEST_F(Action, AVerdictThatIsForbiddenFailsTheJobAndSoDoesNone) {
  refund();
  change();
  EXPECT_EQ(act({{"fail_on_merge_verdicts", "unknown, blocked"}}).exit_code, 1);
  EXPECT_FALSE(act({{"fail_on_merge_verdicts", "unknown"}}).failed);
  EXPECT_EQ(act({{"fail_on_merge_verdicts", "unknown"}, {"release", "off"}}).exit_code, 1);
  EXPECT_EQ(act({{"ci_mode", "strict"}}).exit_code, 1) << "strict is the older wish to fail";
}

TEST_F(Action, ARunForAForkHasNoTokenAndStillASummary) {
  deny();
  change();
  const ActionRun run = act({{"pr_comment", "true"}});
  EXPECT_FALSE(run.failed) << run.log;
  EXPECT_TRUE(contains(run.log, "nothing was posted: there is no token")) << run.log;
  EXPECT_TRUE(contains(bytes_of(side("summary")), "## Gatehouse: denied"));
}

TEST_F(Action, NoInputIsEverRun) {
  change();
  const Value action = ActionRunner::read(kAction);
  for (const auto& [name, row] : Peek(action)["inputs"].map().entries()) {
    SCOPED_TRACE(name);
    if (name == "working_directory") continue;  // a folder that is not there: no shell starts
    (void)act({{name, "x\"; touch PWNED; $(touch PWNED) `touch PWNED` '; touch PWNED #"}});
    EXPECT_FALSE(fs::exists(here() + "/PWNED"));
  }
}

TEST_F(Action, TheProgramHasToBeTheOneThatIsAskedFor) {
  change();
  EXPECT_EQ(act({{"version", "9.9.9"}}).exit_code, 2);
  EXPECT_FALSE(act({{"version", "v0.1.0"}}).failed);
  EXPECT_EQ(act({}, {{"PATH", "/usr/bin:/bin"}}).exit_code, 4);
}

TEST_F(Action, TheTargetBranchStandsInForTheBase) {
  origin_.write("a.py", "def f(a):\n    return a + 1\n");
  change();
  EXPECT_TRUE(sys::write_scratch_file(side("event.json"), "{}"));
  Texts variables = github();
  ActionRunner runner(kAction, here(), origin_.folder());
  const ActionRun run = runner.run({{"diff_base", "target"}, {"policy_packs", " \n"}}, variables);
  EXPECT_FALSE(run.failed) << run.log;
  EXPECT_EQ(run.outputs.at("verdict"), "allow");
}

TEST_F(Action, AReceiptMayBeAskedFor) {
  change();
  EXPECT_TRUE(act({{"verify_receipts", "true"}}).failed);
}

/// What each workflow hands to the action; which of their jobs fail.
TEST_F(Action, EveryWorkflowOfTheRecipesRuns) {
  origin_.write("billing/shipgate.yaml", agent_manifest());
  origin_.write("billing/" + kTools, R"({"tools":[)" + kOrderTool + "]}");
  for (const char* manifest : {"shipgate.yaml", "billing/shipgate.yaml"}) {
    const Ran saved =
        gatehouse({"release", "baseline", "save", "--config", manifest}, origin_.root());
    EXPECT_EQ(saved.code, 0) << saved.err;
  }
  base_ = origin_.commit("another agent");
  origin_.git({"branch", "-f", "main"});
  const auto failing = [&] {
    std::string out;
    std::set<fs::path> files;
    for (const auto& entry : fs::directory_iterator("integrations/github/workflows"))
      files.insert(entry.path());
    for (const fs::path& file : files) {
      const Value workflow = ActionRunner::read(file.string());
      Texts inputs;
      Expressions names({{"matrix.agent", "billing"}, {"github.token", ""}});
      for (const Value& step : Peek(workflow)["jobs"]["gatehouse"]["steps"].list())
        if (Peek(step)["uses"].text().starts_with("OWNER/"))
          for (const auto& [name, value] : Peek(step)["with"].map().entries())
            inputs[name] = value.as_bool() != nullptr ? (*value.as_bool() ? "true" : "false")
                                                      : names.filled(Peek(value).text());
      const ActionRun run = act(inputs);
      EXPECT_NE(run.outputs.at("verdict"), "") << file << run.log;
      if (run.failed) out += file.stem().string() + " ";
    }
    return out;
  };
  origin_.write("a.py", "def f(a):\n    return a + 1\n");
  change();
  EXPECT_EQ(failing(), "");
  deny();
  change();
  EXPECT_EQ(failing(), "baseline enforce merge-queue ");
}

// ------------------------------------------------------------------- the recipes of other systems

class Recipe : public CiRepository {
 protected:
  Ran sh(const std::string& script, const Variables& variables) const {
    return run_program({"/bin/bash", "-e", "-o", "pipefail", "-c", script}, here(), {},
                       lines_of(variables));
  }
};

TEST_F(Recipe, GitLabKeepsItsReportsAndPostsANote) {
  deny();
  change();
  const Value file = ActionRunner::read("integrations/gitlab/gatehouse.gitlab-ci.yml");
  const Peek job = Peek(file)["gatehouse"];
  Variables set{{"GITLAB_CI", "true"},
                {"CI_MERGE_REQUEST_DIFF_BASE_SHA", base_},
                {"CI_COMMIT_SHA", head_},
                {"CI_MERGE_REQUEST_IID", "3"},
                {"CI_PROJECT_PATH", "g/p"}};
  for (const auto& [name, value] : job["variables"].map().entries())
    set[name] = Peek(value).text();
  const Ran ran = sh(std::string(Peek(job["script"].list().at(0)).text()), set);
  EXPECT_EQ(ran.code, 1) << ran.err;
  const Peek reports = job["artifacts"]["reports"];
  for (const char* kind : {"codequality", "junit", "dotenv"})
    EXPECT_TRUE(fs::exists(here() + "/" + std::string(reports[kind].text()))) << kind;
  EXPECT_EQ(job["artifacts"]["when"].text(), "always");
  const Ran after = sh(std::string(Peek(job["after_script"].list().at(0)).text()), set);
  EXPECT_EQ(after.code, 0) << after.err;
  EXPECT_TRUE(contains(after.out, "comment skipped")) << after.out << after.err;
}

TEST_F(Recipe, CircleCiStoresItsTestResults) {
  deny();
  change();
  const Value file = ActionRunner::read("integrations/circleci/config.yml");
  std::string stored;
  for (const Value& step : Peek(file)["jobs"]["gatehouse"]["steps"].list()) {
    const Peek run = Peek(step)["run"];
    if (run.exists())
      EXPECT_EQ(
          sh(std::string(run["command"].text()), {{"CIRCLECI", "true"}, {"CIRCLE_SHA1", head_}})
              .code,
          1);
    if (Peek(step)["store_test_results"].exists())
      stored = Peek(step)["store_test_results"]["path"].text();
  }
  EXPECT_TRUE(fs::exists(here() + "/" + stored + "/junit.xml")) << stored;
  EXPECT_EQ(Peek(file)["version"].decimal().ten_thousandths, 21000);
}

/// What stands between the quotes of a step.
std::string quoted_behind(const std::string& text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == text.npos) return {};
  const std::size_t open = text.find('\'', at), close = text.find('\'', open + 1);
  return text.substr(open + 1, close - open - 1);
}

TEST_F(Recipe, JenkinsReadsTheFilesThatAreLeft) {
  deny();
  change();
  const std::string file = bytes_of("integrations/jenkins/Jenkinsfile");
  EXPECT_EQ(std::count(file.begin(), file.end(), '{'), std::count(file.begin(), file.end(), '}'));
  const Ran ran =
      sh(quoted_behind(file, "sh "),
         {{"JENKINS_URL", "http://j/"}, {"CHANGE_TARGET", "main"}, {"GIT_COMMIT", head_}});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_TRUE(fs::exists(here() + "/" + quoted_behind(file, "testResults:")));
  EXPECT_TRUE(fs::exists(here() + "/" + quoted_behind(file, "pattern:")));
}

TEST_F(Recipe, AzurePublishesTestsAndOutputs) {
  deny();
  change();
  const Value file = ActionRunner::read("integrations/azure/azure-pipelines.yml");
  std::string results;
  for (const Value& step : Peek(file)["steps"].list()) {
    if (Peek(step)["bash"].exists()) {
      const Ran ran = sh(std::string(Peek(step)["bash"].text()),
                         {{"TF_BUILD", "True"},
                          {"SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/main"},
                          {"SYSTEM_PULLREQUEST_SOURCECOMMITID", head_}});
      EXPECT_EQ(ran.code, 1) << ran.err;
      EXPECT_TRUE(contains(
          ran.out, "##vso[task.setvariable variable=gatehouse_verdict;isOutput=true]deny\n"));
      EXPECT_TRUE(contains(ran.out, "##vso[task.logissue type=error;sourcepath=.env;")) << ran.out;
    }
    if (Peek(step)["task"].text() == "PublishTestResults@2")
      results = Peek(step)["inputs"]["testResultsFiles"].text();
  }
  EXPECT_TRUE(fs::exists(here() + "/" + results)) << results;
}

}  // namespace
}  // namespace gh::testing
