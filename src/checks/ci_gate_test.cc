// Jobs that call the gate, and every way in which they stop stopping anything (release-gate 17.3).
#include "checks/ci_gate.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/text.h"
#include "checks/gate_recipes.h"

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
  const ListInTree list = [&](const std::string& folder) {
    std::set<std::string> names;
    const std::string prefix = folder.empty() ? "" : folder + "/";
    for (const auto& [path, text] : files)
      if (path.starts_with(prefix))
        names.insert(path.substr(prefix.size(), path.find('/', prefix.size()) - prefix.size()));
    return std::vector<std::string>(names.begin(), names.end());
  };
  for (const auto& [path, text] : files)
    if (is_ci_file(path)) out.emplace(path, read_ci(path, text, read, list));
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
      {"&& and || true", workflow(job(kCall + " && echo ok || true")), "exit_swallowed"},
      {"&& with more behind it", workflow(job(kCall + " && echo ok\n          echo done")),
       "exit_swallowed"},
      {"a subshell", workflow(job("(" + kCall + ") || true")), "exit_swallowed"},
      {"a group", workflow(job("{ " + kCall + "; } || :")), "exit_swallowed"},
      {"a trap", workflow(job("trap 'exit 0' EXIT\n          " + kCall)), "exit_swallowed"},
      {"a trap on errors", workflow(job("trap 'exit 0' ERR\n          " + kCall)),
       "exit_swallowed"},
      {"a trap that is a function",
       workflow(job("trap end EXIT\n          end() { exit 0; }\n          " + kCall)),
       "exit_swallowed"},
      {"a function of that name", workflow(job("gatehouse() { :; }\n          " + kCall)),
       "job_removed"},
      {"a function in bash's way",
       workflow(job("function gatehouse { true; }\n          " + kCall)), "job_removed"},
      {"set +o errexit", workflow(job("set +o errexit\n          " + kCall + "\n          echo")),
       "exit_swallowed"},
      {"set -n", workflow(job("set -n\n          " + kCall)), "job_removed"},
      {"in a word", workflow(job("echo $(" + kCall + ")")), "exit_swallowed"},
      {"in a word that is exported", workflow(job("export A=$(" + kCall + ")")), "exit_swallowed"},
      {"in backquotes", workflow(job("echo `" + kCall + "`")), "exit_swallowed"},
      {"a test that fails", workflow(job("[ -n \"\" ] && " + kCall + "\n          echo done")),
       "job_removed"},
      {"a comparison that fails", workflow(job("if [ 1 = 2 ]; then " + kCall + "; fi")),
       "job_removed"},
      {"a comparison of bash", workflow(job("if [[ a == b ]]; then " + kCall + "; fi")),
       "job_removed"},
      {"while nothing", workflow(job("while false; do " + kCall + "; done")), "job_removed"},
      {"for nothing", workflow(job("for a in ; do " + kCall + "; done")), "job_removed"},
      {"a branch of a case", workflow(job("case $A in x) " + kCall + ";; esac")),
       "condition_false"},
      {"a test nobody can decide", workflow(job("if [ \"$A\" = x ]; then " + kCall + "; fi")),
       "condition_false"},
      {"a variable that may be empty",
       workflow(job("[ -n \"$A\" ] && " + kCall + "\n          echo done")), "condition_false"},
      {"exec before it", workflow(job("exec true\n          " + kCall)), "job_removed"},
      {"eval", workflow(job("eval \"gatehouse() { :; }\"\n          " + kCall)), "job_removed"},
      {"another path", workflow(job("PATH=./fake:$PATH\n          " + kCall)), "exit_swallowed"},
      {"another path of the job", workflow(job(kCall, "    env: {PATH: ./fake}\n")),
       "exit_swallowed"},
      {"a file that bash reads first", workflow(job(kCall, "    env: {BASH_ENV: ./x}\n")),
       "exit_swallowed"},
      {"a text for a shell", workflow(job("bash -c '" + kCall + " || true'")), "exit_swallowed"},
      {"a code that is forgotten", workflow(job(kCall + " || rc=$?\n          echo $rc")),
       "exit_swallowed"},
      {"a code that is asked the wrong way",
       workflow(job(kCall + " || rc=$?\n          if [ $rc -eq 0 ]; then exit 1; fi")),
       "exit_swallowed"},
      {"an action of somebody else",
       workflow("  gate:\n    steps:\n      - uses: evil/gatehouse-noop@v1\n"), "job_removed"},
      {"behind sudo and echo", workflow(job("sudo -E echo " + kCall)), "job_removed"},
      {"in an image that prints it", workflow(job("docker run --rm -i img echo " + kCall)),
       "job_removed"},
      {"first pushes alone", workflow(job(kCall), "on:\n  pull_request:\n    types: [opened]\n"),
       "trigger_removed"},
      {"later pushes alone",
       workflow(job(kCall), "on:\n  pull_request:\n    types: [synchronize]\n"), "trigger_removed"},
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
      {"a code that is kept", workflow(job(kCall + " || rc=$?\n          exit $rc")), ""},
      {"a code that is asked",
       workflow(job(kCall + " || rc=$?\n          if [ \"$rc\" -ne 0 ]; then exit 1; fi")), ""},
      {"a question with an answer", workflow(job("if ! " + kCall + "; then echo bad; exit 1; fi")),
       ""},
      {"a question with another answer",
       workflow(job("if " + kCall + "; then echo good; else exit 2; fi")), ""},
      {"&& at the end", workflow(job(kCall + " && echo ok")), ""},
      {"a variable with the answer", workflow(job("out=$(" + kCall + ")\n          echo $out")),
       ""},
      {"a trap that cleans", workflow(job("trap 'rm -rf tmp' EXIT\n          " + kCall)), ""},
      {"a function that calls it", workflow(job("g() { " + kCall + "; }\n          g")), ""},
      {"in another folder", workflow(job("cd agent && " + kCall)), ""},
      {"what may fail before it",
       workflow(job("npm ci || true\n          if [ -f x ]; then echo; fi\n          " + kCall)),
       ""},
      {"a text for a shell", workflow(job("bash -ec '" + kCall + "'")), ""},
      {"in a container", workflow(job("docker run --rm -v a:b img " + kCall)), ""},
      {"for each folder", workflow(job("for d in a b; do " + kCall + "; done")), ""},
      {"with an expression", workflow(job("A=\"${{ x || 'y' }}\"\n          " + kCall)), ""},
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

TEST(CiGate, AnActionOfTheSameOwnerIsTheSameGate) {
  const std::string base = workflow("  gate:\n    steps:\n      - uses: o/gatehouse/act@v1\n");
  EXPECT_EQ(judged(base, workflow("  gate:\n    steps:\n      - uses: o/gatehouse/act@v2\n")), "");
  EXPECT_EQ(judged(base, workflow("  gate:\n    steps:\n      - uses: p/gatehouse/act@v1\n")),
            "job_removed");
}

/// What a CI file runs, and where the answer is swallowed there.
struct Led {
  std::string_view name;
  std::string run, file, base, head, causes;
};

TEST(CiGate, WhatARecipeRunsIsReadWithIt) {
  const std::string soft = kCall + " || true";
  const Led rows[] = {
      {"a makefile", "make gate", "Makefile", "gate:\n\t" + kCall + "\n", "gate:\n\t" + soft + "\n",
       "exit_swallowed"},
      {"a dash before it", "make gate", "Makefile", "gate:\n\t" + kCall + "\n",
       "gate:\n\t-@" + kCall + "\n", "exit_swallowed"},
      {"what it needs", "make all", "Makefile", "all: gate\n\techo\ngate:\n\t" + kCall + "\n",
       "all: gate\n\techo\ngate:\n\t@" + soft + "\n", "exit_swallowed"},
      {"what it needs no more", "make all", "Makefile",
       "all: gate\n\techo\ngate:\n\t" + kCall + "\n", "all:\n\techo\ngate:\n\t" + kCall + "\n",
       "job_removed"},
      {"its first target", "make", "Makefile", "gate:\n\t" + kCall + "\n", "gate:\n\techo\n",
       "job_removed"},
      {"a variable", "make gate", "Makefile", "G = " + kCall + "\ngate:\n\t$(G)\n",
       "G = " + soft + "\ngate:\n\t$(G)\n", "exit_swallowed"},
      {".IGNORE", "make gate", "Makefile", "gate:\n\t" + kCall + "\n",
       ".IGNORE:\ngate:\n\t" + kCall + "\n", "exit_swallowed"},
      {"another shell", "make gate", "Makefile", "gate:\n\t" + kCall + "\n",
       "SHELL = /bin/true\ngate:\n\t" + kCall + "\n", "exit_swallowed"},
      {"a condition", "make gate", "Makefile", "gate:\n\t" + kCall + "\n",
       "gate:\nifdef NEVER\n\t" + kCall + "\nendif\n", "condition_false"},
      {"one that runs another", "make -C ci gate", "ci/Makefile",
       "gate:\n\t$(MAKE) inner\ninner:\n\t" + kCall + "\n",
       "gate:\n\t$(MAKE) inner\ninner:\n\t" + soft + "\n", "exit_swallowed"},
      {"a dry run", "make gate", "Makefile", "gate:\n\t" + kCall + "\n",
       "gate:\n\t$(MAKE) -n inner\ninner:\n\t" + kCall + "\n", "job_removed"},
      {"npm", "npm run gate", "package.json", R"({"scripts":{"gate":")" + kCall + R"("}})",
       R"({"scripts":{"gate":")" + soft + R"("}})", "exit_swallowed"},
      {"what npm runs before", "npm test", "package.json",
       R"({"scripts":{"pretest":")" + kCall + R"(","test":"x"}})", R"({"scripts":{"test":"x"}})",
       "job_removed"},
      {"yarn by name", "yarn gate", "package.json", R"({"scripts":{"gate":")" + kCall + R"("}})",
       R"({"scripts":{"gate":"echo"}})", "job_removed"},
      {"just", "just gate", "justfile", "gate:\n  " + kCall + "\n", "gate:\n  -" + kCall + "\n",
       "exit_swallowed"},
      {"task", "task gate", "Taskfile.yml", "tasks:\n  gate:\n    cmds:\n      - " + kCall + "\n",
       "tasks:\n  gate:\n    cmds:\n      - cmd: " + kCall + "\n        ignore_error: true\n",
       "exit_swallowed"},
      {"tox", "tox -e gate", "tox.ini", "[testenv:gate]\ncommands = " + kCall + "\n",
       "[testenv:gate]\ncommands = echo\n", "job_removed"},
      {"a script in a folder", "cd ci && ./gate.sh", "ci/gate.sh", kCall, soft, "exit_swallowed"},
      {"a variable before it", "bash \"$GITHUB_WORKSPACE/ci/gate.sh\"", "ci/gate.sh", kCall, soft,
       "exit_swallowed"},
      {"a library", "bash ci/main.sh", "ci/lib.sh", "gate() { " + kCall + "; }",
       "gate() { " + soft + "; }", "exit_swallowed"},
      {"a library with a trap", "bash ci/main.sh", "ci/lib.sh", "gate() { " + kCall + "; }",
       "trap 'exit 0' EXIT\ngate() { " + kCall + "; }", "exit_swallowed"},
      {"a program", "python3 ci/gate.py", "ci/gate.py",
       "run([\"gatehouse\", \"release\", \"verify\"])", "print(1)", "job_removed"},
      {"a program of our name", "./ci/" + kCall, "ci/gatehouse", kCall, "true", "job_removed"},
      {"in a container", "docker run -v a:b img ./ci/gate.sh", "ci/gate.sh", kCall, soft,
       "exit_swallowed"},
  };
  const std::string main = "#!/bin/bash -e\n. \"$(dirname \"$0\")/lib.sh\"\ngate\n";
  for (const Led& row : rows) {
    FileMap base{{kPath, workflow(job(row.run))}, {"ci/main.sh", main}, {row.file, row.base}};
    FileMap head = base;
    head[row.file] = row.head;
    const auto gates = gates_of(base);
    const CiReading& reading = gates.at(kPath);
    EXPECT_EQ(reading.jobs.size(), 1u) << row.name;
    EXPECT_NE(std::ranges::find(reading.included, row.file), reading.included.end())
        << row.name << ": an edit of it has to be seen";
    EXPECT_EQ(judged(base, base), "") << row.name;
    EXPECT_EQ(judged(base, head), kPath + " gate: " + row.causes + "\n") << row.name;
  }
}

TEST(CiGate, WhatASystemIncludesIsReadWithIt) {
  const std::string gate = "gate:\n  script:\n    - " + kCall + "\n";
  struct Row {
    std::string_view name;
    std::string path, text, file, base, head, causes;
  };
  const std::string steps = "steps:\n  - script: " + kCall + "\n";
  const Row rows[] = {
      {"gitlab local", ".gitlab-ci.yml", "include: {local: /ci/gate.yml}\n", "ci/gate.yml", gate,
       gate + "  allow_failure: true\n", "continue_on_error"},
      {"gitlab with a pattern", ".gitlab-ci.yml", "include:\n  - local: 'ci/*.yml'\n",
       "ci/gate.yml", gate, gate + "  allow_failure: true\n", "continue_on_error"},
      {"gitlab with folders", ".gitlab-ci.yml", "include:\n  - local: '/ci/**/*.yml'\n",
       "ci/a/b/gate.yml", gate, gate + "  when: manual\n", "condition_false"},
      {"gitlab child", ".gitlab-ci.yml",
       "child:\n  trigger:\n    include: [{local: ci/gate.yml}]\n    strategy: depend\n",
       "ci/gate.yml", gate, gate + "  when: never\n", "condition_false"},
      {"azure steps", "azure-pipelines.yml", "steps:\n  - template: ci/gate.yml\n", "ci/gate.yml",
       steps, "steps:\n  - script: " + kCall + " || true\n", "exit_swallowed"},
      {"azure steps of the top", "azure-pipelines.yml", "steps:\n  - template: /ci/gate.yml@self\n",
       "ci/gate.yml", steps, "steps:\n  - script: " + kCall + "\n    continueOnError: true\n",
       "continue_on_error"},
      {"azure jobs", "azure-pipelines.yml", "jobs:\n  - template: ci/gate.yml\n", "ci/gate.yml",
       "jobs:\n  - job: gate\n    steps:\n      - script: " + kCall + "\n",
       "jobs:\n  - job: gate\n    condition: false\n    steps:\n      - script: " + kCall + "\n",
       "condition_false"},
      {"azure stages", "azure-pipelines.yml", "stages:\n  - template: ci/gate.yml\n", "ci/gate.yml",
       "stages:\n  - stage: s\n    jobs:\n      - job: gate\n        steps:\n          - bash: " +
           kCall + "\n",
       "stages: []\n", "job_removed"},
      {"azure extends", "azure-pipelines.yml", "extends:\n  template: ci/gate.yml\n", "ci/gate.yml",
       steps, "steps:\n  - script: echo\n", "job_removed"},
      {"a composite action", kPath, workflow("  gate:\n    steps:\n      - uses: ./ci/act\n"),
       "ci/act/action.yml", "runs:\n  steps:\n    - run: " + kCall + "\n",
       "runs:\n  steps:\n    - run: echo\n", "job_removed"},
      {"an action that is a program", kPath, workflow("  gate:\n    steps:\n      - uses: ./\n"),
       "main.js", "exec('gatehouse', ['release', 'verify'])", "exec('true')", "job_removed"},
      {"a script from its folder", kPath,
       workflow("  gate:\n    steps:\n      - run: ./gate.sh\n        working-directory: ci\n"),
       "ci/gate.sh", kCall, kCall + " || true", "exit_swallowed"},
      {"a script from the usual folder", kPath,
       "defaults: {run: {working-directory: ./ci}}\n" +
           workflow("  gate:\n    steps:\n      - run: bash gate.sh\n"),
       "ci/gate.sh", kCall, kCall + " || true", "exit_swallowed"},
      {"jenkins in a folder", "Jenkinsfile",
       "stage('Gate') { steps { dir('ci') { sh './gate.sh' } } }\n", "ci/gate.sh", kCall,
       kCall + " || true", "exit_swallowed"},
      {"jenkins loads", "Jenkinsfile", "stage('Gate') { steps { load 'ci/gate.groovy' } }\n",
       "ci/gate.groovy", "sh '" + kCall + "'\n", "sh '" + kCall + " || true'\n", "exit_swallowed"},
  };
  for (const Row& row : rows) {
    FileMap base{{row.path, row.text}, {row.file, row.base}};
    if (row.file == "main.js") base["action.yml"] = "runs: {using: node20, main: main.js}\n";
    FileMap head = base;
    head[row.file] = row.head;
    const auto gates = gates_of(base);
    const CiReading& reading = gates.at(row.path);
    EXPECT_NE(std::ranges::find(reading.included, row.file), reading.included.end()) << row.name;
    EXPECT_EQ(judged(base, base), "") << row.name;
    const std::string out = judged(base, head);
    const std::size_t colon = out.find(": ");
    EXPECT_EQ(out.empty() ? "" : out.substr(colon + 2, out.size() - colon - 3), row.causes)
        << row.name << " " << out;
  }
}

TEST(CiGate, WhatCannotBeFoundIsNamed) {
  const FileMap files{
      {kPath, workflow("  gate:\n    steps:\n      - run: ./gate.sh\n        working-directory: "
                       "${{ matrix.folder }}\n")},
      {"deep/down/gate.sh", kCall}};
  EXPECT_TRUE(gates_of(files).at(kPath).missed.contains("gate.sh"));
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
      {"gitlab before the script", ".gitlab-ci.yml", gitlab, gitlab + "  before_script: [exit 0]\n",
       "job_removed"},
      {"gitlab needs one by hand", ".gitlab-ci.yml", gitlab,
       gitlab + "  needs: [ask]\nask:\n  script: [x]\n  when: manual\n", "condition_false"},
      {"gitlab needs one that needs one", ".gitlab-ci.yml", gitlab,
       gitlab + "  needs: [{job: a}]\na:\n  script: [x]\n  needs: [b]\nb:\n  script: [x]\n  "
                "rules:\n    - when: never\n",
       "condition_false"},
      {"gitlab child that nobody waits for", ".gitlab-ci.yml",
       "gate:\n  trigger: {include: [{local: inner.yml}], strategy: depend}\n",
       "gate:\n  trigger: {include: [{local: inner.yml}]}\n", "continue_on_error"},
      {"circle unless", ".circleci/config.yml", circle, circle + "    unless: true\n",
       "condition_false"},
      {"circle unless somebody says so", ".circleci/config.yml", circle,
       circle + "    unless: << pipeline.parameters.x >>\n", "condition_false"},
      {"circle requires an approval", ".circleci/config.yml", circle,
       circle.substr(0, circle.find("      - gate")) +
           "      - ask: {type: approval}\n      - gate: {requires: [ask]}\n",
       "condition_false"},
      {"circle halts before it", ".circleci/config.yml", circle,
       "jobs:\n  gate:\n    steps:\n      - run: circleci-agent step halt\n      - run: " + kCall +
           circle.substr(circle.find("\nworkflows")),
       "condition_false"},
      {"circle in the background", ".circleci/config.yml", circle,
       "jobs:\n  gate:\n    steps:\n      - run: {background: true, command: " + kCall + "}" +
           circle.substr(circle.find("\nworkflows")),
       "exit_swallowed"},
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
      {"azure other branches", "azure-pipelines.yml", azure,
       "pr: [release/*]\nsteps:\n  - script: " + kCall + "\n", "trigger_removed"},
      {"azure paths", "azure-pipelines.yml", azure,
       "pr:\n  paths:\n    exclude: ['*']\nsteps:\n  - script: " + kCall + "\n", "trigger_removed"},
      {"azure nothing said of changes", "azure-pipelines.yml", azure,
       "steps:\n  - script: " + kCall + "\n", ""},
      {"azure depends on nothing", "azure-pipelines.yml",
       "jobs:\n  - job: gate\n    steps:\n      - bash: " + kCall + "\n",
       "jobs:\n  - job: never\n    condition: false\n  - job: gate\n    dependsOn: never\n    "
       "steps:\n      - bash: " +
           kCall + "\n",
       "condition_false"},
      {"azure below an expression", "azure-pipelines.yml", azure,
       "steps:\n  - ${{ if eq(variables.x, 1) }}:\n      - script: " + kCall + "\n",
       "condition_false"},
      {"azure not enabled", "azure-pipelines.yml", azure, azure + "    enabled: false\n",
       "condition_false"},
      {"jenkins sets the result", "Jenkinsfile", jenkins,
       jenkins + "currentBuild.result = 'SUCCESS'\n", "exit_swallowed"},
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
    const FileMap::value_type inner{"inner.yml", "g:\n  script:\n    - " + kCall + "\n"};
    const std::string out =
        judged(FileMap{{row.path, row.base}, inner}, FileMap{{row.path, row.head}, inner});
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
  std::string deep;
  for (int i = 0; i < 3000; ++i)
    deep += "if ";
  EXPECT_FALSE(calls_gate(deep));
  for (const char* word : {"{ ", "( ", "$(", "case a in a) ", "while ", "! ", "f() "}) {
    std::string many;
    for (int i = 0; i < 3000; ++i)
      many += word;
    (void)calls_gate(many + kCall);
  }
  std::string towers;
  for (int f = 0; f < 20; ++f) {
    towers += "f" + std::to_string(f) + "() { ";
    for (int i = 0; i < 40; ++i)
      towers += "if ! { ";
    towers += "f" + std::to_string(f + 1);
    for (int i = 0; i < 40; ++i)
      towers += "; }; then x; fi";
    towers += "; }\n";
  }
  EXPECT_TRUE(calls_gate(towers + "f20() { " + kCall + "; }\nf0\n")) << "what is cut may call it";
  std::string forks;
  for (int i = 0; i < 300; ++i)
    forks += "if [ $A = x ]; then A=$?; set -e; else cd a; fi\nf() { f; f; }\nf\n";
  (void)calls_gate(forks + kCall);
  (void)read_ci(kPath, "on: 5\njobs: [1, {2: 3}]", none);
}

/// How often the tree was asked while a CI file of it was read.
struct Asked {
  std::size_t texts = 0, bytes = 0;
  CiReading reading{};
};
Asked asked_for(const FileMap& files, const std::string& path) {
  Asked out;
  const ReadInTree read = [&](const std::string& name) -> std::optional<std::string> {
    ++out.texts;
    const auto found = files.find(name);
    if (found == files.end()) return std::nullopt;
    out.bytes += found->second.size();
    return found->second;
  };
  out.reading = read_ci(path, files.at(path), read);
  return out;
}

std::string times(std::size_t count, const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += text;
  return out;
}

TEST(CiGate, FilesThatLeadToEachOtherAreReadOnce) {
  constexpr std::size_t kMost = 100;
  const auto azure = [](const std::string& next) {
    return "steps:\n" + times(60, "  - template: " + next + "\n");
  };
  EXPECT_LT(asked_for({{"azure-pipelines.yml", azure("a.yml")},
                       {"a.yml", azure("b.yml")},
                       {"b.yml", azure("c.yml")},
                       {"c.yml", azure("d.yml")},
                       {"d.yml", "steps:\n" + times(60, "  - script: x\n")}},
                      "azure-pipelines.yml")
                .texts,
            kMost)
      << "templates";
  const std::string loads = times(40, "load 'a.groovy'\n");
  EXPECT_LT(asked_for({{"Jenkinsfile", loads}, {"a.groovy", loads}}, "Jenkinsfile").texts, kMost)
      << "what a Jenkinsfile loads";
  const auto flow = [](const std::string& next) {
    std::string out = "on: [pull_request]\njobs:\n";
    for (int i = 0; i < 30; ++i)
      out += "  j" + std::to_string(i) + ": {uses: ./.github/workflows/" + next + "}\n";
    return out;
  };
  EXPECT_LT(asked_for({{kPath, flow("a.yml")},
                       {".github/workflows/a.yml", flow("b.yml")},
                       {".github/workflows/b.yml", flow("c.yml")},
                       {".github/workflows/c.yml", flow("d.yml")}},
                      kPath)
                .texts,
            kMost)
      << "workflows";
  FileMap programs{{kPath, workflow(job(times(50, "python a.py\n          ")))}};
  for (int i = 0; i < 64; ++i) {
    programs["a.py"] += "f" + std::to_string(i) + ".py\n";
    programs["f" + std::to_string(i) + ".py"] = times(1000, "x = 1\n");
  }
  EXPECT_LT(asked_for(programs, kPath).texts, 3 * kMost) << "what a program names";
  EXPECT_LT(asked_for({{kPath, workflow(job(times(300, "bash a.sh\n          ")))},
                       {"a.sh", times(3000, "echo $A\n")}},
                      kPath)
                .texts,
            kMost)
      << "one script again and again";
}

TEST(CiGate, AGateBehindMoreThanAnybodyReadsIsAChange) {
  const std::string many = times(400, "bash a.sh\n          ");
  const FileMap base{{kPath, workflow(job("bash a.sh\n          " + kCall))},
                     {"a.sh", times(3000, "echo $A\n")}};
  FileMap head = base;
  head[kPath] = workflow(job(many + kCall));
  EXPECT_EQ(judged(base, head), kPath + " gate: exit_swallowed\n");
  EXPECT_EQ(judged(base, head), judged(base, head));
  EXPECT_EQ(judged(head, head), "") << "what is the same is no change";
  head[kPath] = workflow(job(many + "make gate"));
  head["Makefile"] = "gate:\n\t" + kCall + "\n";
  EXPECT_EQ(judged(base, head), kPath + " gate: job_removed\n");
}

TEST(CiGate, VariablesOfAMakefileThatGrowWithoutEndAreBounded) {
  std::string variables;
  for (int i = 0; i < 6; ++i)
    variables +=
        "V" + std::to_string(i) + " = " + times(60, "$(V" + std::to_string(i + 1) + ") ") + "\n";
  const auto grown = read_makefile(variables + "V6=x\ngate:\n" + times(200, "\t$(V0)\n"),
                                   [](const std::string&) { return std::nullopt; });
  std::size_t bytes = 0;
  for (const RecipeLine& line : grown.by_name.at("gate").lines)
    bytes += line.script.size();
  EXPECT_LT(bytes, 4u << 20);
  EXPECT_EQ(grown.doubts, std::vector<std::string>{"could not be read to its end"});
}

TEST(CiGate, ATargetThatIsThereAlreadyIsNotRun) {
  const std::string rule = "gate:\n\t" + kCall + "\n", phony = ".PHONY: gate\n";
  const FileMap base{{kPath, workflow(job("make gate"))}, {"Makefile", rule}};
  const std::string caught = kPath + " gate: exit_swallowed\n";
  FileMap head = base;
  head["gate"] = "x";
  EXPECT_EQ(judged(base, head), caught) << "a file";
  EXPECT_EQ(judged(head, head), "") << "that was there in base";
  head = base;
  head["gate/a"] = "x";
  EXPECT_EQ(judged(base, head), caught) << "a folder";
  const FileMap by_stamp{{kPath, workflow(job("make gate"))},
                         {"Makefile", "gate: .stamp\n.stamp:\n\t" + kCall + "\n"}};
  head = by_stamp;
  head[".stamp"] = "";
  EXPECT_EQ(judged(by_stamp, head), caught) << "what it needs";
  const FileMap safe{{kPath, workflow(job("make gate"))}, {"Makefile", phony + rule}};
  head = safe;
  head["gate"] = "x";
  EXPECT_EQ(judged(safe, head), "") << "a phony one runs all the same";
  EXPECT_EQ(judged(safe, base), caught) << "one that is phony no more";
  EXPECT_EQ(judged(base, safe), "");
  const FileMap other{{kPath, workflow(job("make -C ci gate"))}, {"ci/Makefile", rule}};
  head = other;
  head["gate"] = "x";
  EXPECT_EQ(judged(other, head), "") << "another folder";
  head["ci/gate"] = "x";
  EXPECT_EQ(judged(other, head), caught);
}

TEST(CiGate, ALaterRuleOfATargetTakesThePlaceOfItsRecipe) {
  const std::string rule = "gate:\n\t" + kCall + "\n";
  const FileMap base{{kPath, workflow(job("make gate"))}, {"Makefile", rule}};
  const auto with = [&](const std::string& more) {
    FileMap head = base;
    head["Makefile"] = rule + more;
    return judged(base, head);
  };
  const std::string gone = kPath + " gate: job_removed\n";
  EXPECT_EQ(with("gate:\n\techo\n"), gone);
  EXPECT_EQ(with("gate: ; echo\n"), gone);
  EXPECT_EQ(with("other gate:\n\techo\n"), gone);
  EXPECT_EQ(with("gate: more\nmore:\n\techo\n"), "") << "what it needs alone";
  EXPECT_EQ(with("other:\n\techo\n"), "");
}

}  // namespace
}  // namespace gh::checks
