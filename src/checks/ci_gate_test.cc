// Jobs that call the gate, and every way in which they stop stopping anything (release-gate 17.3).
#include "checks/ci_gate.h"

#include <map>

#include <gtest/gtest.h>

#include "base/text.h"

namespace gh::checks {
namespace {

using FileMap = std::map<std::string, std::string>;

const std::string kPath = ".github/workflows/gate.yml";

std::string workflow(const std::string& job, const std::string& on = "on: [pull_request]\n") {
  return on + "jobs:\n" + job;
}
std::string job(const std::string& run, const std::string& more = "",
                const std::string& step = "") {
  return "  gate:\n    runs-on: x\n" + more + "    steps:\n      - run: |\n          " + run +
         "\n" + step;
}
const std::string kCall = "gatehouse release verify --base origin/main";
const std::string kGood = workflow(job(kCall));

CiGates gates_of(const FileMap& files) {
  CiGates out;
  const ReadInTree read = [&](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  for (const auto& [path, text] : files)
    if (is_ci_file(path)) out.emplace(path, read_ci(path, text, read));
  return out;
}

/// "file job: causes" of each row.
std::string judged(const FileMap& base, const FileMap& head, const std::string& branch = "main") {
  const CiGates then = gates_of(base), now = gates_of(head);
  CiChange change{.base = then, .head = now, .manifest = "shipgate.yaml", .target_branch = branch};
  for (const auto& [path, text] : head)
    change.head_files.push_back(path);
  std::string out;
  for (const NeuteredGate& row : neutered_gates(change))
    out += row.file + " " + row.job + ": " + join(row.causes, ",") + "\n";
  return out;
}

std::string judged(const std::string& base, const std::string& head) {
  std::string out = judged(FileMap{{kPath, base}}, FileMap{{kPath, head}});
  const std::string prefix = kPath + " gate: ";
  if (out.starts_with(prefix)) out = out.substr(prefix.size(), out.size() - prefix.size() - 1);
  return out;
}

TEST(CiGate, TheSameWorkflowIsSilent) {
  EXPECT_EQ(judged(kGood, kGood), "");
  EXPECT_EQ(judged(kGood, "# a comment\nname: other\n" + kGood), "");
  EXPECT_EQ(judged(kGood, workflow(job(kCall + " --ci-mode advisory --exit-zero"))), "")
      << "a flag of the call itself is seen as a touched gate, and is no weakening";
}

struct Evasion {
  std::string_view name;
  std::string head, causes;
};

TEST(CiGate, EveryWayAroundItIsNamed) {
  const std::string step = "  gate:\n    steps:\n      - run: " + kCall + "\n        ";
  const Evasion rows[] = {
      {"emptied", "", "job_removed"},
      {"comments alone", "# " + kCall + "\n", "job_removed"},
      {"not YAML any more", "jobs: [\n", "job_removed"},
      {"the job is gone", workflow("  other:\n    steps:\n      - run: make\n"), "job_removed"},
      {"the command is commented out", workflow(job("# " + kCall)), "job_removed"},
      {"the command is printed", workflow(job("echo " + kCall)), "job_removed"},
      {"another command of ours", workflow(job("gatehouse --version")), "job_removed"},
      {"its help", workflow(job(kCall + " --help")), "job_removed"},
      {"a preview", workflow(job(kCall + " --preview")), "job_removed"},
      {"an exit in front", workflow(job("exit 0\n          " + kCall)), "job_removed"},
      {"behind a command that succeeds", workflow(job("true || " + kCall)), "job_removed"},
      {"behind a command that fails", workflow(job("false && " + kCall)), "job_removed"},
      {"in a branch that is never taken", workflow(job("if false; then " + kCall + "; fi")),
       "job_removed"},
      {"trigger taken away", workflow(job(kCall), "on: [workflow_dispatch]\n"), "trigger_removed"},
      {"only pushes are left", workflow(job(kCall), "on: [push]\n"), "trigger_removed"},
      {"paths that leave the manifest out",
       workflow(job(kCall), "on:\n  pull_request:\n    paths: [docs/**]\n"), "trigger_removed"},
      {"paths-ignore that names it",
       workflow(job(kCall), "on:\n  pull_request:\n    paths-ignore: ['**.yaml', '*.yaml']\n"),
       "trigger_removed"},
      {"other branches", workflow(job(kCall), "on:\n  pull_request:\n    branches: [release/*]\n"),
       "trigger_removed"},
      {"branches-ignore",
       workflow(job(kCall), "on:\n  pull_request:\n    branches-ignore: [main]\n"),
       "trigger_removed"},
      {"when it is closed", workflow(job(kCall), "on:\n  pull_request:\n    types: [closed]\n"),
       "trigger_removed"},
      {"if: false on the job", workflow(job(kCall, "    if: false\n")), "condition_false"},
      {"an expression that is false", workflow(job(kCall, "    if: ${{ !true }}\n")),
       "condition_false"},
      {"one operand is false", workflow(job(kCall, "    if: always() && false\n")),
       "condition_false"},
      {"a condition nobody can decide", workflow(job(kCall, "    if: github.actor == 'someone'\n")),
       "condition_false"},
      {"if: false on the step", workflow(step + "if: false\n"), "condition_false"},
      {"it needs a job that never runs",
       workflow(job(kCall, "    needs: [never]\n") +
                "  never:\n    if: false\n    steps:\n      - run: make\n"),
       "condition_false"},
      {"it needs a job that needs one",
       workflow(job(kCall, "    needs: a\n") +
                "  a:\n    needs: [b]\n    steps: []\n  b:\n    if: false\n    steps: []\n"),
       "condition_false"},
      {"continue-on-error of the job", workflow(job(kCall, "    continue-on-error: true\n")),
       "continue_on_error"},
      {"as an expression", workflow(job(kCall, "    continue-on-error: ${{ 1 == 1 }}\n")),
       "continue_on_error"},
      {"continue-on-error of the step", workflow(step + "continue-on-error: true\n"),
       "continue_on_error"},
      {"|| true", workflow(job(kCall + " || true")), "exit_swallowed"},
      {"|| :", workflow(job(kCall + " || :")), "exit_swallowed"},
      {"|| echo", workflow(job(kCall + " || echo failed")), "exit_swallowed"},
      {"; true", workflow(job(kCall + "; true")), "exit_swallowed"},
      {"; exit 0", workflow(job(kCall + "; exit 0")), "exit_swallowed"},
      {"set +e", workflow(job("set +e\n          " + kCall + "\n          echo done")),
       "exit_swallowed"},
      {"in the background", workflow(job(kCall + " &\n          wait")), "exit_swallowed"},
      {"asked and forgotten", workflow(job("if " + kCall + "; then echo good; fi")),
       "exit_swallowed"},
      {"negated", workflow(job("! " + kCall)), "exit_swallowed"},
      {"into a pipe", workflow(job(kCall + " | tee log")), "exit_swallowed"},
      {"a shell that forgives", workflow(step + "shell: bash {0}\n      - run: x\n"), ""},
      {"a shell of one's own", workflow(step + "shell: true {0}\n"), "exit_swallowed"},
      {"two at once",
       workflow(job(kCall + " || true", "    if: false\n    continue-on-error: true\n")),
       "condition_false,continue_on_error,exit_swallowed"},
  };
  for (const Evasion& row : rows)
    EXPECT_EQ(judged(kGood, row.head), row.causes) << row.name << "\n" << row.head;
}

TEST(CiGate, WhatStillStopsIsSilent) {
  const Evasion rows[] = {
      {"more steps", workflow(job(kCall + "\n          make")), ""},
      {"more events", workflow(job(kCall), "on: [pull_request, push]\n"), ""},
      {"another one of a change", workflow(job(kCall), "on: [merge_group, pull_request]\n"), ""},
      {"paths with the manifest",
       workflow(job(kCall), "on:\n  pull_request:\n    paths: ['**.yaml', 'shipgate.yaml']\n"), ""},
      {"the branch itself", workflow(job(kCall), "on:\n  pull_request:\n    branches: [main]\n"),
       ""},
      {"if: always()", workflow(job(kCall, "    if: always()\n")), ""},
      {"continue-on-error: false", workflow(job(kCall, "    continue-on-error: false\n")), ""},
      {"a failure that is told and kept", workflow(job(kCall + " || exit 1")), ""},
      {"a test later",
       workflow(job("set +e\n          " + kCall + "\n          code=$?\n          exit $code")),
       ""},
      {"a pipe with pipefail", workflow(job("set -o pipefail\n          " + kCall + " | tee log")),
       ""},
      {"through a wrapper", workflow(job("sudo env A=1 timeout 60 ./bin/" + kCall)), ""},
      {"by its old name", workflow(job("npx agents-shipgate verify")), ""},
      {"by the action", workflow("  gate:\n    steps:\n      - uses: some/gatehouse-action@v1\n"),
       ""},
  };
  for (const Evasion& row : rows)
    EXPECT_EQ(judged(kGood, row.head), row.causes) << row.name << "\n" << row.head;
}

TEST(CiGate, WhatWasAlreadySoInBaseIsNoChange) {
  const std::string soft = workflow(job(kCall, "    if: github.event_name == 'x'\n"));
  EXPECT_EQ(judged(soft, soft), "");
  EXPECT_EQ(judged(soft, kGood), "");
  EXPECT_EQ(judged(workflow(job(kCall + " || true")), ""), "") << "it stopped nothing in base";
}

TEST(CiGate, AJobThatMovesUnchangedIsSilentAndAWeakerOneIsNot) {
  const FileMap base{{kPath, kGood}, {".github/workflows/ci.yml", "on: [push]\njobs: {}\n"}};
  FileMap head{{kPath, "on: [push]\njobs: {}\n"}, {".github/workflows/ci.yml", kGood}};
  EXPECT_EQ(judged(base, head), "");
  head[".github/workflows/ci.yml"] = workflow(job(kCall + " || true"));
  EXPECT_EQ(judged(base, head), kPath + " gate: exit_swallowed\n");
  head[".github/workflows/ci.yml"] = workflow(job(kCall), "on: [workflow_dispatch]\n");
  EXPECT_EQ(judged(base, head), kPath + " gate: trigger_removed\n");
}

TEST(CiGate, WhatAFileIncludesIsReadWithIt) {
  const std::string by_script = workflow(job("./ci/gate.sh"));
  const std::string by_action = workflow("  gate:\n    steps:\n      - uses: ./ci/act\n");
  const std::string by_call = workflow("  gate:\n    uses: ./.github/workflows/inner.yml\n");
  const FileMap base{
      {".github/workflows/a.yml", by_script},
      {".github/workflows/b.yml", by_action},
      {".github/workflows/c.yml", by_call},
      {".github/workflows/inner.yml", workflow(job(kCall), "on: [workflow_call]\n")},
      {"ci/gate.sh", "#!/bin/sh -e\n" + kCall + "\n"},
      {"ci/act/action.yml", "runs:\n  steps:\n    - run: " + kCall + "\n      shell: bash\n"}};
  for (const auto& [path, reading] : gates_of(base))
    EXPECT_EQ(reading.jobs.size(), 1u) << path;
  FileMap head = base;
  head["ci/gate.sh"] = "#!/bin/sh -e\n" + kCall + " || true\n";
  EXPECT_EQ(judged(base, head), ".github/workflows/a.yml gate: exit_swallowed\n");
  head = base;
  head["ci/act/action.yml"] = "runs:\n  steps:\n    - run: " + kCall + "\n      if: false\n";
  EXPECT_EQ(judged(base, head), ".github/workflows/b.yml gate: condition_false\n");
}

TEST(CiGate, OtherSystemsAreReadByTheirOwnRules) {
  struct Row {
    std::string_view name;
    std::string path, base, head, causes;
  };
  const std::string gitlab = "gate:\n  script:\n    - " + kCall + "\n";
  const std::string circle = "jobs:\n  gate:\n    steps:\n      - run: " + kCall +
                             "\nworkflows:\n  w:\n    jobs:\n      - gate\n";
  const std::string azure =
      "pr:\n  branches:\n    include: [main]\nsteps:\n  - script: " + kCall + "\n";
  const std::string jenkins = "pipeline {\n  stages {\n    stage('Gate') {\n      steps { sh '" +
                              kCall + "' }\n    }\n  }\n}\n";
  const Row rows[] = {
      {"gitlab as it is", ".gitlab-ci.yml", gitlab, gitlab, ""},
      {"gitlab allow_failure", ".gitlab-ci.yml", gitlab, gitlab + "  allow_failure: true\n",
       "continue_on_error"},
      {"gitlab by hand", ".gitlab-ci.yml", gitlab, gitlab + "  when: manual\n", "condition_false"},
      {"gitlab rules", ".gitlab-ci.yml", gitlab, gitlab + "  rules:\n    - when: never\n",
       "condition_false"},
      {"gitlab hidden", ".gitlab-ci.yml", gitlab, "." + gitlab, "job_removed"},
      {"gitlab swallowed", ".gitlab-ci.yml", gitlab,
       "gate:\n  script:\n    - " + kCall + " || true\n", "exit_swallowed"},
      {"gitlab workflow rules", ".gitlab-ci.yml", gitlab,
       gitlab + "workflow:\n  rules:\n    - when: never\n", "trigger_removed"},
      {"gitlab inherits", ".gitlab-ci.yml", gitlab,
       gitlab + "  extends: .soft\n.soft:\n  allow_failure: true\n", "continue_on_error"},
      {"circle as it is", ".circleci/config.yml", circle, circle, ""},
      {"circle unused", ".circleci/config.yml", circle,
       circle.substr(0, circle.find("workflows")) + "workflows: {}\n", "trigger_removed"},
      {"azure as it is", "azure-pipelines.yml", azure, azure, ""},
      {"azure condition", "azure-pipelines.yml", azure, azure + "    condition: false\n",
       "condition_false"},
      {"azure continues", "azure-pipelines.yml", azure, azure + "    continueOnError: true\n",
       "continue_on_error"},
      {"azure pr none", "azure-pipelines.yml", azure,
       "pr: none\nsteps:\n  - script: " + kCall + "\n", "trigger_removed"},
      {"jenkins as it is", "Jenkinsfile", jenkins, jenkins, ""},
      {"jenkins commented", "Jenkinsfile", jenkins, "// " + kCall + "\npipeline {}\n",
       "job_removed"},
      {"jenkins catchError", "Jenkinsfile", jenkins,
       "pipeline {\n  stages {\n    stage('Gate') {\n      steps { catchError { sh '" + kCall +
           "' } }\n    }\n  }\n}\n",
       "exit_swallowed"},
      {"jenkins never", "Jenkinsfile", jenkins,
       "pipeline {\n  stages {\n    stage('Gate') {\n      when { expression { false } }\n      "
       "steps { sh '" +
           kCall + "' }\n    }\n  }\n}\n",
       "condition_false"},
  };
  for (const Row& row : rows) {
    const std::string out = judged(FileMap{{row.path, row.base}}, FileMap{{row.path, row.head}});
    const std::size_t colon = out.find(": ");
    EXPECT_EQ(out.empty() ? "" : out.substr(colon + 2, out.size() - colon - 3), row.causes)
        << row.name << " " << out;
  }
}

TEST(CiGate, HostileFilesEnd) {
  const ReadInTree loops = [](const std::string&) {
    return std::optional<std::string>("jobs:\n  g:\n    uses: ./.github/workflows/x.yml\n");
  };
  EXPECT_TRUE(
      read_ci(".github/workflows/x.yml", "jobs: {g: {uses: ./.github/workflows/x.yml}}", loops)
          .jobs.empty());
  const ReadInTree none = [](const std::string&) { return std::nullopt; };
  EXPECT_FALSE(read_ci(kPath, std::string(2 << 20, 'a'), none).is_readable);
  EXPECT_TRUE(read_ci(".gitlab-ci.yml", "a: {extends: b, script: [x]}\nb: {extends: a}", none)
                  .jobs.empty());
  (void)read_ci("Jenkinsfile", std::string(5000, '{') + "'''" + std::string(100, '}'), none);
  (void)read_ci(kPath, "on: 5\njobs: [1, {2: 3}]", none);
}

}  // namespace
}  // namespace gh::checks
