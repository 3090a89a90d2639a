// `gatehouse ci` in the surroundings that each system gives, and every file that it leaves, judged
// by programs of others.
#include <set>

#include "tests/ci_kit.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

class Ci : public CiRepository {};

TEST_F(Ci, OnGitHubAPullRequestIsJudgedFromWhereItLeftItsBase) {
  origin_.write("a.py", "def f(a):\n    return a + 1\n");
  change();
  const Variables variables = github();
  const Ran ran = ci(variables);
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  const std::string range = base_.substr(0, 12) + ".." + head_.substr(0, 12);
  EXPECT_TRUE(contains(ran.out, "gatehouse ci: allow (github, " + range + "): ")) << ran.out;
  const Value verdict = document("verdict.json");
  EXPECT_EQ(judged("verdict", left("verdict.json")), "");
  EXPECT_EQ(Peek(verdict)["subject"]["base"].text(), base_);
  EXPECT_EQ(Peek(verdict)["subject"]["head"].text(), head_);
  auto outputs = outputs_in(bytes_of(variables.at("GITHUB_OUTPUT")));
  EXPECT_EQ(outputs["verdict"], "allow");
  EXPECT_EQ(outputs["exit_code"], "0");
  EXPECT_EQ(outputs["merge_verdict"], "mergeable");
  EXPECT_EQ(outputs["can_merge_without_human"], "true");
  EXPECT_EQ(outputs["verdict_json"], "gatehouse-reports/verdict.json");
  EXPECT_TRUE(contains(bytes_of(variables.at("GITHUB_STEP_SUMMARY")), "## Gatehouse: allowed\n"));
}

TEST_F(Ci, EveryFileIsThereAndConformsToWhatItsReadersWant) {
  deny();
  refund();
  change();
  const Ran ran = ci(github());
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(here() + "/gatehouse-reports"))
    names.insert(entry.path().filename());
  EXPECT_EQ(names,
            (std::set<std::string>{
                "annotations.txt", "checkstyle.xml", "comment.md", "gatehouse.sarif",
                "gl-code-quality.json", "host-diff.json", "junit.xml", "outputs.env", "packet.json",
                "pr-comment.md", "rdjson.json", "rdjson.jsonl", "report.json", "report.md",
                "report.sarif", "summary.md", "verdict.json", "verdict.jsonl", "verifier.json"}));
  const std::string folder = here() + "/gatehouse-reports/";
  const Ran sarif =
      node({"tools/validate-sarif.mjs", folder + "gatehouse.sarif", folder + "report.sarif"});
  EXPECT_EQ(sarif.code, 0) << sarif.out << sarif.err;
  const Ran junit =
      run_program({"/usr/bin/xmllint", "--noout", "--schema",
                   fs::absolute("tests/data/formats/junit.xsd").string(), folder + "junit.xml"},
                  "/");
  EXPECT_EQ(junit.code, 0) << junit.err;
  const Ran checkstyle =
      run_program({"/usr/bin/xmllint", "--noout", folder + "checkstyle.xml"}, "/");
  EXPECT_EQ(checkstyle.code, 0) << checkstyle.err;
  const Ran rdjson = node(
      {"tools/validate-json.mjs", "tests/data/formats/rdjson.schema.json", folder + "rdjson.json"});
  EXPECT_EQ(rdjson.code, 0) << rdjson.out << rdjson.err;
  EXPECT_TRUE(contains(ran.out, "\n::error file=.env,")) << ran.out;
}

TEST_F(Ci, ADenialFailsTheJobUnlessItIsToAdvise) {
  deny();
  change();
  const Ran enforced = ci(github());
  EXPECT_EQ(enforced.code, 1);
  EXPECT_TRUE(contains(enforced.last_error_line(), "gatehouse: exit 1: gate 'patch' denied"))
      << enforced.err;
  const Variables variables = github();
  EXPECT_EQ(ci(variables, {"--mode", "advise"}).code, 0);
  EXPECT_EQ(outputs_in(bytes_of(variables.at("GITHUB_OUTPUT")))["verdict"], "deny");
}

struct ProviderRow {
  const char* name;
  std::map<std::string, std::string> set;  // BASE and HEAD stand for the commits
  const char* told;
};

TEST_F(Ci, EverySystemGetsTheSameVerdict) {
  deny();
  change();
  const ProviderRow rows[] = {
      {"gitlab",
       {{"GITLAB_CI", "true"},
        {"CI_MERGE_REQUEST_DIFF_BASE_SHA", "BASE"},
        {"CI_COMMIT_SHA", "HEAD"}},
       ""},
      {"circleci", {{"CIRCLECI", "true"}, {"CIRCLE_SHA1", "HEAD"}}, ""},
      {"jenkins",
       {{"JENKINS_URL", "http://j"}, {"CHANGE_TARGET", "main"}, {"GIT_COMMIT", "HEAD"}},
       ""},
      {"jenkins",
       {{"JENKINS_URL", "http://j"},
        {"GIT_PREVIOUS_SUCCESSFUL_COMMIT", "BASE"},
        {"GIT_COMMIT", "HEAD"}},
       ""},
      {"azure",
       {{"TF_BUILD", "True"},
        {"SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/main"},
        {"BUILD_SOURCEVERSION", "HEAD"}},
       "##vso[task.setvariable variable=gatehouse_verdict;isOutput=true]deny\n"},
      {"buildkite",
       {{"BUILDKITE", "true"},
        {"BUILDKITE_PULL_REQUEST_BASE_BRANCH", "main"},
        {"BUILDKITE_COMMIT", "HEAD"}},
       ""},
      {"drone",
       {{"DRONE", "true"}, {"DRONE_TARGET_BRANCH", "main"}, {"DRONE_COMMIT_SHA", "HEAD"}},
       ""},
      {"generic", {{"CI", "1"}, {"GATEHOUSE_BASE", "BASE"}, {"GATEHOUSE_HEAD", "HEAD"}}, ""},
      {"local", {}, ""},
  };
  for (ProviderRow row : rows) {
    SCOPED_TRACE(row.name);
    for (auto& [name, value] : row.set)
      value = value == "BASE" ? base_ : value == "HEAD" ? head_ : value;
    fs::remove_all(here() + "/gatehouse-reports");
    const Ran ran = ci(row.set, {"--release", "off"});
    EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
    EXPECT_TRUE(contains(ran.out, std::string("gatehouse ci: deny (") + row.name + ", " +
                                      base_.substr(0, 12) + ".." + head_.substr(0, 12)))
        << ran.out;
    EXPECT_TRUE(contains(ran.out, row.told)) << ran.out;
    const Value verdict = document("verdict.json");
    EXPECT_EQ(Peek(verdict)["subject"]["base"].text(), base_);
    EXPECT_TRUE(contains(left("outputs.env"), "GATEHOUSE_VERDICT=deny\n"));
    EXPECT_FALSE(fs::exists(here() + "/gatehouse-reports/verifier.json"));
  }
}

TEST_F(Ci, WhatAVariableNamesIsJudgedAndNothingElse) {
  origin_.git({"branch", "old"});
  origin_.git({"tag", "release-1"});
  origin_.write("b.md", "b\n");
  const std::string first = base_;
  const std::string second = origin_.commit("second");
  origin_.git({"checkout", "-q", "-B", "main"});
  origin_.git({"checkout", "-q", "-B", "pr"});
  origin_.write("c.md", "c\n");
  change();
  (void)GitSandbox::git_at(here(), {"branch", "old", "origin/old"});
  const auto base_of = [&](Variables variables) {
    const Ran ran = ci(variables, {"--release", "off"});
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
    const Value verdict = document("verdict.json");
    return std::string(Peek(verdict)["subject"]["base"].text());
  };
  for (const Variables& system : {Variables{{"CI", "true"}}, Variables{}}) {
    for (const std::string& name :
         {std::string("old"), std::string("origin/old"), std::string("refs/heads/old"),
          std::string("release-1"), std::string("HEAD~2"), first.substr(0, 9), first}) {
      SCOPED_TRACE(name);
      Variables variables = system;
      variables["GATEHOUSE_BASE"] = name;
      EXPECT_EQ(base_of(variables), first);
    }
    Variables of_head = system;
    of_head["GATEHOUSE_BASE"] = "old";
    of_head["GATEHOUSE_HEAD"] = "HEAD~1";
    const Ran ran = ci(of_head, {"--release", "off"});
    EXPECT_TRUE(contains(ran.out, first.substr(0, 12) + ".." + second.substr(0, 12))) << ran.out;
    for (const char* variable : {"GATEHOUSE_BASE", "GATEHOUSE_HEAD"})
      for (const char* name : {"nosuch", "--all", "old..pr"}) {
        SCOPED_TRACE(std::string(variable) + "=" + name);
        Variables variables = system;
        variables[variable] = name;
        const Ran wrong = ci(variables);
        EXPECT_EQ(wrong.code, 2) << wrong.out << wrong.err;
        EXPECT_TRUE(contains(wrong.err, name)) << wrong.err;
        EXPECT_TRUE(contains(wrong.err, variable)) << wrong.err;
      }
  }
}

TEST_F(Ci, ToAdviseForgivesANoAndNoBrokenManifest) {
  origin_.write("shipgate.yaml", "version: [\n");
  change();
  EXPECT_EQ(ci(github()).code, 1);
  const Ran advised = ci(github(), {"--mode", "advise"});
  EXPECT_TRUE(advised.code == 2 || advised.code == 3) << advised.code << advised.err;
  EXPECT_TRUE(contains(advised.last_error_line(), "shipgate.yaml")) << advised.err;
  EXPECT_TRUE(contains(advised.out, "Mend shipgate.yaml as the change has it")) << advised.out;
  EXPECT_FALSE(contains(advised.out, "gatehouse.yaml at the base")) << advised.out;
}

TEST_F(Ci, AShallowCloneIsNeverJudgedAgainstNothing) {
  deny();
  change();
  clone({"--depth", "1"});
  const Ran ran = ci(github());
  EXPECT_EQ(ran.code, 4) << ran.out << ran.err;
  const std::string line = "git fetch --no-tags --unshallow origin " + base_;
  EXPECT_TRUE(contains(ran.err, line)) << ran.err;
  EXPECT_TRUE(contains(ran.err, " next: git fetch --no-tags --unshallow")) << ran.err;
  const Value verdict = document("verdict.json");
  EXPECT_EQ(Peek(verdict)["decision"].text(), "unverified");
  EXPECT_EQ(judged("verdict", left("verdict.json")), "");
  EXPECT_FALSE(fs::exists(here() + "/gatehouse-reports/host-diff.json"));
  EXPECT_EQ(ci(github(), {"--mode", "advise"}).code, 4) << "a fault keeps its code";
  EXPECT_EQ(ci(github(), {"--base", std::string(40, 'd')}).code, 2) << "named, and not there";
  EXPECT_EQ(ci(github(), {"--fetch"}).code, 1) << "the one fetch that was allowed";
}

TEST_F(Ci, ABranchThatIsPushedForTheFirstTimeIsComparedWithTheDefaultOne) {
  deny();
  change();
  Variables variables = github();
  EXPECT_TRUE(sys::write_scratch_file(side("event.json"),
                                      R"({"before":")" + std::string(40, '0') + R"("})"));
  const Ran ran = ci(variables);
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  const Value first = document("verdict.json");
  EXPECT_EQ(Peek(first)["subject"]["base"].text(), base_);
}

TEST_F(Ci, TheReleaseGateFailsTheJobByItsOwnPolicy) {
  refund();
  change();
  const Ran advisory = ci(github());
  const Ran strict = ci(github(), {"--ci-mode", "strict"});
  EXPECT_EQ(strict.code, 1) << strict.out << strict.err;
  auto outputs = outputs_in(bytes_of(side("output")));
  EXPECT_EQ(outputs["decision"], "blocked");
  EXPECT_EQ(outputs["ci_would_fail"], "true");
  EXPECT_EQ(outputs["merge_verdict"], "blocked");
  EXPECT_EQ(outputs["capability_changes_added"], "2");
  EXPECT_EQ(outputs["trust_root_touched"], "false");
  EXPECT_EQ(outputs["diff_enabled"], "true");
  EXPECT_NE(outputs["trigger_rule_ids"].find("TRIGGER-EXISTING-MANIFEST-PRESENT"),
            std::string::npos);
  EXPECT_TRUE(contains(left("comment.md"), "### Gatehouse release gate: blocked"))
      << left("comment.md");
  EXPECT_TRUE(fs::exists(here() + "/gatehouse-reports/verifier.json"));
  (void)ci(github(), {"--release", "off"});
  for (const char* file : {"verifier.json", "pr-comment.md", "report.json", "report.md",
                           "report.sarif", "packet.json"})
    EXPECT_FALSE(fs::exists(here() + "/gatehouse-reports/" + file))
        << file << " is of an earlier run";
  EXPECT_EQ(ci(github(), {"--release-mode", "scan"}).code, advisory.code);
  EXPECT_EQ(outputs_in(bytes_of(side("output")))["decision"], "review_required")
      << "without a base there is nothing new";
}

TEST_F(Ci, NothingThatTheChangeWroteSpeaksToTheSystem) {
  refund(kHostileTool);
  origin_.write("::error::x.py", "def f(:\n");
  origin_.write("b|`c` <b>@all.py", "def f(:\n");
  change();
  const Ran ran = ci(github());
  bool is_stopped = false;
  std::string token;
  for (const std::string_view line : split(std::string_view(ran.out), '\n')) {
    if (line.starts_with("::stop-commands::")) {
      token = line.substr(17);
      is_stopped = true;
    } else if (is_stopped && line == "::" + token + "::") {
      is_stopped = false;
    } else if (!is_stopped && !line.empty()) {
      EXPECT_TRUE(line.starts_with("::error ") || line.starts_with("::warning ") ||
                  line.starts_with("::notice "))
          << line;
      EXPECT_FALSE(contains(line, "%0A::set-output")) << line;  // it counts where a line begins
    }
  }
  EXPECT_GE(token.size(), 32u);
  const Ran azure = ci({{"TF_BUILD", "True"},
                        {"SYSTEM_PULLREQUEST_TARGETBRANCH", "main"},
                        {"BUILD_SOURCEVERSION", head_}});
  EXPECT_FALSE(contains(azure.out, "##vso[task.complete")) << azure.out;
  for (const char* file : {"comment.md", "summary.md", "pr-comment.md"}) {
    const std::string text = left(file);
    EXPECT_FALSE(contains(text, "<img")) << text;
    EXPECT_FALSE(contains(text, "@everyone")) << text;
    EXPECT_FALSE(contains(text, "\u202e")) << text;
    EXPECT_TRUE(is_utf8(text));
  }
  const auto outputs = outputs_in(bytes_of(side("output")));
  EXPECT_FALSE(outputs.contains("a"));
}

TEST_F(Ci, TheCommentTellsWhatTheChangeDoesToCodingAgents) {
  origin_.write(".claude/settings.json", R"x({"permissions":{"allow":["Bash(*)"]}})x");
  change();
  (void)ci(github());
  EXPECT_TRUE(contains(left("comment.md"), "### Powers of coding agents")) << left("comment.md");
  EXPECT_TRUE(contains(left("comment.md"), "`allow Bash(*)`")) << left("comment.md");
  EXPECT_EQ(judged("release_diff", left("host-diff.json")), "");
}

TEST_F(Ci, ReportsGoWhereTheyAreAsked) {
  deny();
  change();
  const Ran ran = ci(github(), {"--out", "r", "--report", "sarif=s/out.sarif", "--report",
                                "gitlab=-", "--no-summary"});
  EXPECT_TRUE(wire::read_json(ran.out)) << ran.out;
  EXPECT_TRUE(fs::exists(here() + "/s/out.sarif"));
  EXPECT_TRUE(fs::exists(here() + "/r/verdict.json"));
  EXPECT_FALSE(fs::exists(here() + "/gatehouse-reports"));
  EXPECT_EQ(bytes_of(side("summary")), "");
  const Ran json = ci(github(), {"--json"});
  EXPECT_EQ(judged("verdict", json.out), "");
}

TEST_F(Ci, CommentRenderSaysTheSameAsTheRunDid) {
  deny();
  refund();
  change();
  (void)ci(github());
  const Ran ran = gatehouse({"comment", "render"}, here());
  EXPECT_EQ(ran.code, 0) << ran.err;
  std::string own = left("comment.md");
  for (const std::string& mark : {"https://forge.example/octo/app/blob/" + head_ + "/"})
    for (std::size_t at = own.find(mark); at != own.npos; at = own.find(mark)) {
      const std::size_t open = own.rfind('[', at), close = own.find(')', at);
      const std::size_t mid = own.find("](", open);
      own = own.substr(0, open) + own.substr(open + 1, mid - open - 1) + own.substr(close + 1);
    }
  EXPECT_EQ(ran.out, own);
  EXPECT_EQ(gatehouse({"comment", "render", "a.py"}, here()).code, 3);
}

TEST_F(Ci, CheckHasEveryFormatOfItsOwn) {
  deny();
  change();
  const std::string range = base_ + ".." + head_;
  for (const char* format : {"json", "jsonl", "github", "sarif", "junit", "gitlab", "rdjson",
                             "rdjsonl", "markdown", "checkstyle"}) {
    const Ran ran = gatehouse({"check", range, "--format", format}, here());
    EXPECT_EQ(ran.code, 1) << format;
    EXPECT_FALSE(ran.out.empty()) << format;
    EXPECT_TRUE(contains(ran.out, ".env")) << format << ran.out;
  }
  EXPECT_EQ(gatehouse({"check", range, "--format", "xml"}, here()).code, 2);
  const Ran twice =
      gatehouse({"check", range, "--report", "sarif=-", "--report", "json=-"}, here());
  EXPECT_EQ(twice.code, 2);
  const Ran unknown = gatehouse({"check", range, "--report", "xml=a"}, here());
  EXPECT_TRUE(contains(unknown.err, "--report takes FORMAT=FILE with one of json, jsonl,"))
      << unknown.err;
  const Ran fault = gatehouse(
      {"check", "nothing..HEAD", "--report", "junit=" + side("f.xml"), "--format", "json"}, here());
  EXPECT_EQ(fault.code, 2);
  EXPECT_EQ(judged("error", fault.out), "");
  EXPECT_TRUE(contains(bytes_of(side("f.xml")), "ref_unresolved")) << bytes_of(side("f.xml"));
}

TEST_F(Ci, AReleaseCommandOfItsOwnTellsTheStepOnce) {
  refund();
  change();
  const std::vector<std::string> step{"GITHUB_STEP_SUMMARY=" + side("summary")};
  EXPECT_TRUE(sys::write_scratch_file(side("summary"), "before\n"));
  const Ran verify = run_program(
      {gatehouse_path(), "release", "verify", "--base", "origin/main", "--head", "HEAD"}, here(),
      {}, step);
  EXPECT_EQ(verify.code, 0) << verify.err;
  const std::string text = bytes_of(side("summary"));
  EXPECT_TRUE(text.starts_with("before\n## Gatehouse release gate: blocked\n")) << text;
  for (const char* wanted :
       {"- 1 blocker(s), 1 review item(s)\n", "- Fail policy: advisory", "; exit code 0\n",
        "- Tools: +1, 0 changed, -0; new high-risk effects: ", "report.json`\n"})
    EXPECT_TRUE(contains(text, wanted)) << wanted << text;
  EXPECT_EQ(text.find("## Gatehouse"), text.rfind("## Gatehouse"));
  const Ran gone = run_program({gatehouse_path(), "release", "scan"}, here(), {},
                               {"GITHUB_STEP_SUMMARY=" + side("no/such/file")});
  EXPECT_EQ(gone.code, 0);
  EXPECT_TRUE(contains(gone.err, "summary of the step could not be written")) << gone.err;
}

TEST_F(Ci, ScanAndVerifyWriteTheSameFormats) {
  refund();
  change();
  const Ran scan = gatehouse({"release", "scan", "--report", "junit=" + side("s.xml"), "--report",
                              "gitlab=" + side("s.json")},
                             here());
  EXPECT_EQ(scan.code, 0) << scan.err;
  EXPECT_TRUE(contains(bytes_of(side("s.xml")), "gatehouse.surface"));
  EXPECT_TRUE(contains(bytes_of(side("s.json")), "\"severity\": \"critical\""))
      << bytes_of(side("s.json"));
  const Ran verify = gatehouse({"release", "verify", "--base", "origin/main", "--head", "HEAD",
                                "--report", "sarif=" + side("v.sarif")},
                               here());
  EXPECT_EQ(verify.code, 0) << verify.err;
  const Ran sarif = node({"tools/validate-sarif.mjs", side("v.sarif")});
  EXPECT_EQ(sarif.code, 0) << sarif.out << sarif.err;
  EXPECT_TRUE(contains(bytes_of(side("v.sarif")), "agentsShipgateFingerprint"));
}

// A forge looks for files from the top of the repository, wherever the manifest lies.
TEST_F(Ci, PlacesOfTheReleaseGateAreFilesOfTheRepository) {
  origin_.write("support/shipgate.yaml", agent_manifest());
  origin_.write("support/" + kTools, R"({"tools":[)" + kOrderTool + "]}");
  base_ = origin_.commit("an agent in a folder");
  origin_.git({"branch", "-f", "main"});
  origin_.write("support/" + kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
  change();
  std::vector<std::string> forms;
  for (const char* form : {"sarif", "gitlab", "github", "junit", "checkstyle"})
    forms.insert(forms.end(), {"--report", std::string(form) + "=" + side(form)});
  const auto judge = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "release");
    words.insert(words.end(), forms.begin(), forms.end());
    const Ran ran = gatehouse(words, here());
    EXPECT_EQ(ran.code, 0) << ran.err;
    for (const char* form : {"sarif", "gitlab", "github", "junit", "checkstyle"}) {
      SCOPED_TRACE(words[1] + " " + form);
      const std::string text = bytes_of(side(form));
      EXPECT_TRUE(contains(text, "support/" + kTools)) << text;
      for (const std::string& wrong : {"\"" + kTools, "=" + kTools, std::string("gatehouse.yaml")})
        EXPECT_FALSE(contains(text, wrong)) << text;
    }
  };
  judge({"scan", "--config", "support/shipgate.yaml"});
  judge({"verify", "--config", "support/shipgate.yaml", "--base", "origin/main", "--head", "HEAD"});
  // A finding about an action has no file: it stands in the manifest.
  for (const char* form : {"sarif", "gitlab", "github", "checkstyle"}) {
    EXPECT_TRUE(contains(bytes_of(side(form)), "SHIP-ACTION-"));
    EXPECT_TRUE(contains(bytes_of(side(form)), "support/shipgate.yaml")) << form;
  }
  const std::string comment = bytes_of(here() + "/support/agents-shipgate-reports/pr-comment.md");
  EXPECT_TRUE(contains(comment, "SHIP-ACTION-")) << comment;
  EXPECT_FALSE(contains(comment, "`" + kTools)) << comment;
}

}  // namespace
}  // namespace gh::testing
