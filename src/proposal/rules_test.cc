#include "proposal/rules.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "proposal/test_proposal.h"
#include "wire/json.h"

namespace gh::proposal {
namespace {

using testing::section;

diff::Patch parsed(const std::string& text) {
  auto patch = diff::parse(text, diff::Profile::git, diff::Position::exact);
  EXPECT_TRUE(patch.has_value()) << text;
  return patch ? std::move(*patch) : diff::Patch{};
}

// -------------------------------------------------------------------------------------- DENY

struct DenyCase {
  std::string path, root, entry;  // entry "": allowed
};
// docs/reference/proposals.md, DENY paths.
const std::vector<DenyCase> kDeny = {
    {"src/a.cc", "/srv/repo", ""},
    {"/opt/incomex/dot/iu-cutter-v0.6/x", "/srv/repo", "/opt/incomex/dot/iu-cutter-v0.6"},
    {"/opt/incomex/dot/iu-cutter", "/srv/repo", "/opt/incomex/dot/iu-cutter"},
    {"/opt/incomex/dot/iu-cutter-x", "/srv/repo", ""},
    {"/OPT/Incomex/dot/IU-cutter/a", "/srv/repo", "/opt/incomex/dot/iu-cutter"},
    {"/var/lib/cutter/db", "/srv/repo", "/var/lib/cutter"},
    {"/var/lib/../lib/cutter/db", "/srv/repo", "/var/lib/cutter"},
    {"src/a.cc", "/var/lib/cutter", "/var/lib/cutter"},
    {"lib/cutter/a", "/var", "/var/lib/cutter"},
    {"../lib/cutter/a", "/var/work", "/var/lib/cutter"},
    {"lib/cutter/a", "", ""},
    {".git/config", "/srv/repo", ".git"},
    {"./.git/config", "/srv/repo", ".git"},
    {"a/../.GIT/config", "/srv/repo", ".git"},
    {".gatehouse/x", "/srv/repo", ".gatehouse"},
    {".gitignore", "/srv/repo", ""},
    {"deep/.env", "/srv/repo", ".env"},
    {".env.example", "/srv/repo", ""},
    {"keys/ID_RSA.pub", "/srv/repo", "id_rsa*"},
    {"x/.ssh/known_hosts", "/srv/repo", "**/.ssh/"},
    {"secrets/a", "/srv/repo", "secrets/"},
};

TEST(Deny, WholeComponentsInAnyCaseAndSecrets) {
  const auto policy = policy::default_proposal_policy();
  const auto patch_policy = policy::default_patch_policy();
  for (const DenyCase& c : kDeny)
    EXPECT_EQ(deny_hit(c.path, policy, patch_policy, c.root).value_or(""), c.entry)
        << c.path << " in " << c.root;
}

// --------------------------------------------------------------------------------- docs-only

struct DocsCase {
  std::string diff;
  bool docs;
};
std::string renamed(const std::string& from, const std::string& to) {
  return fmt::format(
      "diff --git a/{0} b/{1}\nsimilarity index 100%\nrename from {0}\nrename to {1}\n", from, to);
}

// docs/reference/proposals.md, Docs-only.
const std::vector<DocsCase> kDocs = {
    {section("README.md", "x"), true},
    {section("src/notes.rst", "x"), true},
    {section("a/b.adoc", "x"), true},
    {section("a/b.txt", "x"), true},
    {section("docs/logo.svg", "x"), true},
    {section("LICENSE", "x"), true},
    {section("NOTICE", "x"), true},
    {section("AUTHORS", "x"), true},
    {section("CHANGELOG-2", "x"), true},
    {section("src/a.cc", "x"), false},
    {section("README.md", "x") + section("src/a.cc", "x"), false},
    {section("docs/conf.py", "x"), false},
    {section("docs/a/CONF.PY", "x"), false},
    {section("docs/index.html", "x"), false},
    {section("docs/a.yml", "x"), false},
    {section("AGENTS.md", "x"), false},
    {section("sub/CLAUDE.md", "x"), false},
    {section("agents.MD", "x"), false},
    {section("requirements-dev.txt", "x"), false},
    {section("constraints.txt", "x"), false},
    {section("src/CMakeLists.txt", "x"), false},
    {section("robots.txt", "x"), false},
    {renamed("a.md", "b.md"), true},
    {renamed("a.cc", "b.md"), false},
    {renamed("a.md", "b.cc"), false},
    {"diff --git a/a.md b/a.md\nold mode 100644\nnew mode 100755\n", false},
    {"diff --git a/a.md b/a.md\nnew file mode 120000\n--- /dev/null\n+++ b/a.md\n@@ -0,0 +1 "
     "@@\n+b\n\\ No newline at end of file\n",
     false},
    {"diff --git a/a.md b/a.md\nnew file mode 100755\n--- /dev/null\n+++ b/a.md\n@@ -0,0 +1 "
     "@@\n+b\n",
     false},
};

TEST(DocsOnly, IsComputedFromPathsAndModes) {
  const auto policy = policy::default_proposal_policy();
  const auto patch_policy = policy::default_patch_policy();
  for (const DocsCase& c : kDocs)
    EXPECT_EQ(is_docs_only(parsed(c.diff), policy, patch_policy), c.docs) << c.diff;
  EXPECT_FALSE(is_docs_only(diff::Patch{}, policy, patch_policy));
  for (const std::string suffix :
       {".py",   ".js",    ".ts",   ".sh",   ".bash", ".ps1",  ".rb",  ".pl",
        ".lua",  ".c",     ".cc",   ".cpp",  ".h",    ".rs",   ".go",  ".java",
        ".html", ".ipynb", ".toml", ".yaml", ".yml",  ".json", ".cfg", ".ini"}) {
    const std::string text = section("docs/a" + suffix, "x");
    EXPECT_FALSE(is_docs_only(parsed(text), policy, patch_policy)) << suffix;
  }
}

// ------------------------------------------------------------------------------- real tests

struct TestCase {
  std::string entry, diff;
  bool real;
};
const std::string kDeleted =
    "diff --git a/tests/a_test.cc b/tests/a_test.cc\ndeleted file mode 100644\n--- "
    "a/tests/a_test.cc\n+++ /dev/null\n@@ -1 +0,0 @@\n-TEST\n";
const std::string kEmptied =
    "diff --git a/tests/a_test.cc b/tests/a_test.cc\n--- a/tests/a_test.cc\n+++ "
    "b/tests/a_test.cc\n@@ -1,2 +1 @@\n x\n-TEST\n";

// docs/reference/proposals.md, Real tests.
const std::vector<TestCase> kTests = {
    {"tests/a_test.cc", section("tests/a_test.cc", "TEST(A, B)"), true},
    {"tests/a_test.cc::B", section("tests/a_test.cc", "TEST(A, B)"), true},
    {"tests/a_test.cc::C", section("tests/a_test.cc", "TEST(A, B)"), false},
    {"tests/a_test.cc::TES", section("tests/a_test.cc", "TEST(A, B)"), false},
    {"B", section("tests/a_test.cc", "TEST(A, B)"), true},
    {"B", section("src/a.cc", "B"), false},
    {"tests/a_test.cc", kDeleted, false},
    {"tests/a_test.cc", kEmptied, false},
    {"TEST", kEmptied, false},
    {"tests/a_test.cc", section("tests/a_test.cc", "// TEST(A, B)"), false},
    {"tests/a_test.cc::B", section("tests/a_test.cc", "x(); // B"), false},
    {"tests/a_test.cc", section("tests/a_test.cc", "{ }"), false},
    {"test_a.py", section("test_a.py", "# only words"), false},
    {"test_a.py", section("test_a.py", "def test_a(): pass"), true},
    {"test/a.lua", section("test/a.lua", "-- words"), false},
    {"test/a.sql", section("test/a.sql", "-- words"), false},
    {"test/a.el", section("test/a.el", "; words"), false},
    {"test/a.erl", section("test/a.erl", "% words"), false},
    {"test/a.unknown", section("test/a.unknown", "# words"), true},
    {"test/run", section("test/run", "# words"), false},
    {"src/a.test.ts", section("src/a.test.ts", "it()"), true},
    {"src/a.spec.ts", section("src/a.spec.ts", "it()"), true},
    {"src/ATest.java", section("src/ATest.java", "x"), true},
    {"src/ATests.cs", section("src/ATests.cs", "x"), true},
    {"src/a.cc", section("src/a.cc", "x"), false},
    {"src/contest.cc", section("src/contest.cc", "x"), false},
    {"tests/b_test.cc", section("tests/a_test.cc", "x"), false},
    {"", section("tests/a_test.cc", "x"), false},
    {" ", section("tests/a_test.cc", "x"), false},
};

TEST(RealTests, AreAddedByTheDiffAndMoreThanComments) {
  const auto policy = policy::default_proposal_policy();
  for (const TestCase& c : kTests)
    EXPECT_EQ(!test_defect(c.entry, parsed(c.diff), policy).has_value(), c.real) << c.entry << "\n"
                                                                                 << c.diff;
}

// ---------------------------------------------------------------------------------- commands

struct CommandCase {
  std::string entry;
  std::string_view outcome;  // "": outside the grammar
  std::string command;
};
// docs/reference/proposals.md, commands_run.
const std::vector<CommandCase> kCommands = {
    {"make => exit 0", "passed", "make"},
    {"make => exit 1", "failed", "make"},
    {"make => exit 255", "failed", "make"},
    {"make => exit 0; all fine", "passed", "make"},
    {"make => exit 0 (12 tests)", "passed", "make"},
    {"make => exit 0(12 tests)", "passed", "make"},
    {"make => ok", "passed", "make"},
    {"make => failed", "failed", "make"},
    {"make => timeout", "timeout", "make"},
    {"make => skipped: no compiler", "skipped", "make"},
    {"echo a => b => exit 0", "passed", "echo a => b"},
    {"make", "", ""},
    {"make =>", "", ""},
    {" => ok", "", ""},
    {"make=>ok", "", ""},
    {"make => exit", "", ""},
    {"make => exit 256", "", ""},
    {"make => exit 00", "", ""},
    {"make => exit -1", "", ""},
    {"make => exit 0 fine", "", ""},
    {"make => exit 0;", "", ""},
    {"make => exit 0 ()", "", ""},
    {"make => skipped", "", ""},
    {"make => skipped: ", "", ""},
    {"make => passed", "", ""},
    {"make => OK", "", ""},
};

std::string_view word(CommandRun::Outcome outcome) {
  constexpr std::string_view kWords[] = {"passed", "failed", "timeout", "skipped"};
  return kWords[static_cast<std::size_t>(outcome)];
}

TEST(Commands, FollowTheGrammar) {
  for (const CommandCase& c : kCommands) {
    const auto got = read_command(c.entry);
    EXPECT_EQ(got ? word(got->outcome) : "", c.outcome) << c.entry;
    EXPECT_EQ(got ? got->command : "", c.command) << c.entry;
  }
}

struct MarkerCase {
  std::string command, marker;  // "": no claim
};
// docs/reference/proposals.md, Production access: each marker hits, and its harmless neighbour does
// not.
const std::vector<MarkerCase> kMarkers = {
    {"ssh db1 uptime", "ssh"},
    {"cd x && /usr/bin/ssh db1", "ssh"},
    {"sudo -n ssh db1", "ssh"},
    {"bash -c 'ssh db1 ls'", "ssh"},
    {"timeout 10 ssh db1", "ssh"},
    {"A=1 ssh db1", "ssh"},
    {"ssh-keygen -t ed25519", ""},
    {"grep -rn ssh src", ""},
    {"git commit -m 'fix ssh timeout'", ""},
    {"which ssh", ""},
    {"scp a b", "scp"},
    {"cat scp notes", ""},
    {"rsync -a build/ web1:/srv/", "rsync"},
    {"rsync -a build/ copy/", ""},
    {"kubectl get pods", "kubectl"},
    {"kubectl --context kind-dev get pods", ""},
    {"kubectl --context=minikube get pods", ""},
    {"kubectl --context live get pods", "kubectl"},
    {"helm upgrade app .", "helm"},
    {"helm --kube-context docker-desktop upgrade app .", ""},
    {"psql -h db.internal -c 'select 1'", "psql"},
    {"psql --host=db.internal", "psql"},
    {"psql -h localhost -c 'select 1'", ""},
    {"psql -h /tmp/socket", ""},
    {"psql mydb", ""},
    {"psql 'host=db.internal dbname=x'", "psql"},
    {"mysql -hdb.internal", "mysql"},
    {"mysql -h 127.0.0.1", ""},
    {"mongo db.internal:27017/app", "mongo"},
    {"mongosh localhost:27017/app", ""},
    {"docker -H tcp://build1:2375 ps", "docker -H"},
    {"docker ps", ""},
    {"DOCKER_HOST=tcp://x docker ps", "DOCKER_HOST="},
    {"tool --context production apply", "--context prod"},
    {"tool --context staging apply", ""},
    {"deploy --env prod", "prod"},
    {"deploy --database=app_prod", "prod"},
    {"APP_ENV=prod ./run", "prod"},
    {"./push deploy@web.prod.example:/x", "prod"},
    {"./run src/prod/config.cc", ""},
    {"deploy --env product", ""},
    {"NODE_ENV=production npm run build", "production"},
    {"ctest -R production_mode", ""},
    {"ls /var/lib/cutter/queue", "deny_paths"},
    {"ls /opt/incomex/dot/iu-cutter", "deny_paths"},
    {"ls /opt/incomex/dot/iu-cutter-sandbox", ""},
    {"curl https://api.example.com/v1", "url"},
    {"curl http://user:pw@api.example.com:8080/v1", "url"},
    {"curl http://localhost:8080/v1", ""},
    {"curl http://[::1]:8080/", ""},
    {"curl http://127.0.0.1/", ""},
    {"cat file:///tmp/x", ""},
    {"docker --host tcp://localhost:2375 ps", "docker -H"},
    {"run --set=x-DOCKER_HOST=1", ""},
    {"mongo localhost:27017/app", ""},
    {"cat docs/production.md", ""},
    {"make -j2", ""},
};

TEST(ProductionAccess, IsClaimedByTheMarkersOfThePolicy) {
  const auto policy = policy::default_proposal_policy();
  std::set<std::string> hit;
  for (const MarkerCase& c : kMarkers) {
    EXPECT_EQ(production_marker(c.command, policy).value_or(""), c.marker) << c.command;
    hit.insert(c.marker);
  }
  for (const std::string& marker : policy.production_markers)
    EXPECT_TRUE(hit.contains(marker)) << marker << " has no case";
}

TEST(ProductionAccess, AMarkerOfOnesOwnIsAWord) {
  auto policy = policy::default_proposal_policy();
  policy.production_markers = {"deployctl"};
  policy.sandbox_hosts = {"*.test"};
  EXPECT_EQ(production_marker("x; deployctl now", policy).value_or(""), "deployctl");
  EXPECT_FALSE(production_marker("mydeployctl now", policy).has_value());
  EXPECT_FALSE(production_marker("ssh db1 ls", policy).has_value());
  policy.production_markers = {"url"};
  EXPECT_FALSE(production_marker("curl http://API.test/", policy).has_value());
}

TEST(TestRuns, EveryDefaultRunnerCounts) {
  for (const std::string runner :
       {"ctest", "pytest", "python -m pytest -q", "python3 -m unittest", "go test ./...",
        "cargo test", "npm test", "npm run test", "make test", "cd build && make check",
        "ninja test", "meson test", "mvn test", "gradle test", "dotnet test", "bazel test //...",
        "./dev test", "/usr/bin/ctest"}) {
    testing::World w;
    w.meta().commands_run = {runner + " => exit 0"};
    EXPECT_EQ(check_commands(w.facts)->size(), 0u) << runner;
  }
  for (const std::string other : {"attest", "echo testing", "go vet", "make tests-doc"}) {
    testing::World w;
    w.meta().commands_run = {other + " => exit 0"};
    EXPECT_EQ(check_commands(w.facts)->size(), 1u) << other;
  }
}

// ------------------------------------------------------------------------------------- notes

struct NoteCase {
  std::string note;
  bool concrete;
};
// docs/reference/proposals.md, Notes. Affected: src/cut.cc and tests/cut_test.cc.
const std::vector<NoteCase> kRisks = {
    {"failure: src/cut.cc may drop it. blast_radius: callers. data: none. idempotent: yes.", true},
    {"If cut.cc is wrong the plan breaks; impact on callers; no database rows; safe to rerun.",
     true},
    {"The cut component may fail; limited to the planner; data is untouched; idempotent.", true},
    {"Anything in src may crash, affects all users, touches stored state, not idempotent.", true},
    {"low risk", false},
    {"none", false},
    {"failure: none\nblast_radius: none\ndata: none\nidempotent: n/a\n src/cut.cc", true},
    {"failure: none\nblast_radius: none\ndata: none\nidempotent: n/a\n", false},
    {"failure: tbd; blast_radius: tbd; data: todo; idempotent: lgtm.", false},
    {std::string(60, '-'), false},
    {"failure: ------------------------------ blast_radius: data: idempotent:", false},
    {"failure: src/cut.cc breaks. blast_radius: callers. data: no.", false},
    {"blast_radius: callers of src/cut.cc. data: untouched. idempotent: yes.", false},
    {"failure: src/cut.cc breaks the planner. data: untouched. idempotent: yes.", false},
    {"failure: src/cut.cc breaks. blast_radius: callers only. idempotent: certainly.", false},
    {"failure: it may break. blast_radius: callers. data: untouched. idempotent: yes.", false},
    {"cut.cc fail impact data rerun", false},
    {"failure: cut.cc. blast_radius: x. data: y. idempotent: z. " + std::string(4000, 'w'), false},
    {"", false},
};
struct RollbackCase {
  std::string note;
  bool docs_only, concrete;
};
const std::vector<RollbackCase> kRollbacks = {
    {"Revert the commit.", false, true},
    {"apply the inverse diff", false, true},
    {"restore the file from the base", false, true},
    {"run `make undo` once", false, true},
    {"do this:\n$ ./undo.sh", false, true},
    {"git checkout HEAD~1 -- x", false, true},
    {"N/A: the file is not used by anything", false, true},
    {"n/a - generated on every build", false, true},
    {"N/A", true, true},
    {"N/A", false, false},
    {"N/A: none.", false, false},
    {"N/A because", true, true},
    {"revert", false, false},
    {"ask the team to fix it", false, false},
    {"", true, false},
    {"revert " + std::string(4000, 'x'), false, false},
};

TEST(Notes, RiskMustSpeakOfFourTopicsAndAPlace) {
  ProposalMeta meta = testing::good_meta();
  const auto policy = policy::default_proposal_policy();
  for (const NoteCase& c : kRisks) {
    meta.risk_notes = c.note;
    const auto got = risk_finding(meta, policy);
    EXPECT_EQ(!got.has_value(), c.concrete) << c.note << (got ? "\n" + got->message : "");
  }
}

TEST(Notes, EachPlaceholderIsKnownAlone) {
  ProposalMeta meta = testing::good_meta();
  for (const char* word : {"none", "N/A", "low risk", "No risk.", "tbd", "TODO", "lgtm", "xxxxx"}) {
    meta.risk_notes = word;
    const auto got = risk_finding(meta, policy::default_proposal_policy());
    ASSERT_TRUE(got.has_value()) << word;
    EXPECT_EQ(got->message, "risk_notes holds placeholders only") << word;
  }
}

TEST(Notes, LabelsAreEnoughWithoutAnyWord) {
  auto policy = policy::default_proposal_policy();
  policy.failure_words = policy.blast_radius_words = policy.data_words =
      policy.idempotent_words = {};
  ProposalMeta meta = testing::good_meta();
  EXPECT_FALSE(risk_finding(meta, policy).has_value());
  meta.risk_notes = "Failure of src/cut.cc reaches the callers, no data, and it is idempotent.";
  const auto got = risk_finding(meta, policy);
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(got->message, "risk_notes does not speak of failure, blast_radius, data, idempotent");
}

TEST(Notes, RollbackMustSayHow) {
  ProposalMeta meta = testing::good_meta();
  for (const RollbackCase& c : kRollbacks) {
    meta.rollback_notes = c.note;
    EXPECT_EQ(!rollback_finding(meta, c.docs_only).has_value(), c.concrete) << c.note;
  }
}

}  // namespace
}  // namespace gh::proposal
