#include "policy/proposal_policy.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "base/text.h"
#include "policy/config.h"
#include "wire/json.h"

namespace gh::policy {
namespace {

struct KeyCase {
  std::string key, default_json, good_yaml, good_json, bad_yaml, bad_message;
};

const std::string kBool = "expected true or false, found ";
const std::string kName =
    "expected a name of 2 to 32 of a-z 0-9 that starts with a letter, not 'pending', found ";
const std::string kRef = "expected a full ref such as refs/heads/main, found ";
const std::string kText = "expected a non-empty string without control characters, found ";

// docs/reference/proposals.md, Policy: every key with its default, a good and a bad value.
const std::vector<KeyCase> kKeys = {
    {"report", R"("optional")", "required", R"("required")", "always",
     "report: expected one of optional, required, found 'always'"},
    {"reviewers.required", R"(["gemini","codex"])", "[ann, bob2]", R"(["ann","bob2"])", "[]",
     "reviewers.required: expected at least one reviewer"},
    {"reviewers.promotion_gate", R"("claude")", "gate1", R"("gate1")", "Claude",
     "reviewers.promotion_gate: " + kName + "'Claude'"},
    {"reviewers.trust_reviewer", R"("claude")", "ann", R"("ann")", "pending",
     "reviewers.trust_reviewer: " + kName + "'pending'"},
    {"reviewers.independence.distinct_actor", "true", "false", "false", "1",
     "reviewers.independence.distinct_actor: " + kBool + "1"},
    {"reviewers.independence.distinct_provider", "true", "false", "false", "no",
     "reviewers.independence.distinct_provider: " + kBool + "'no'"},
    {"reviewers.independence.not_author", "true", "false", "false", "[]",
     "reviewers.independence.not_author: " + kBool + "a list"},
    {"reviewers.independence.not_promoter", "true", "false", "false", "0",
     "reviewers.independence.not_promoter: " + kBool + "0"},
    {"reviewers.quorum", R"("all")", "1", "1", "some",
     "reviewers.quorum: expected 'all' or an integer of 1 or more, found 'some'"},
    {"reviewers.blind", "true", "false", "false", "2", "reviewers.blind: " + kBool + "2"},
    {"reviewers.carry_reviews", R"("never")", "identical_patch", R"("identical_patch")", "always",
     "reviewers.carry_reviews: expected one of never, identical_patch, found 'always'"},
    {"promotion.requires", R"("human")", "gate", R"("gate")", "nobody",
     "promotion.requires: expected one of gate, human, found 'nobody'"},
    {"promotion.integrate", R"("ff")", "branch-only", R"("branch-only")", "squash",
     "promotion.integrate: expected one of ff, merge, rebase, branch-only, found 'squash'"},
    {"promotion.batch", "1", "4", "4", "0",
     "promotion.batch: expected an integer from 1 to 100, found 0"},
    {"verify_commands", "[]", "\n    - name: unit\n      argv: [make, check]",
     R"([{"argv":["make","check"],"name":"unit","timeout_s":600}])", "make check",
     "verify_commands: expected a list of {name, argv, timeout_s}, found 'make check'"},
    {"allow_disjoint", "true", "false", "false", "x", "allow_disjoint: " + kBool + "'x'"},
    {"max_base_age_commits", "200", "5", "5", "0",
     "max_base_age_commits: expected an integer from 1 to 1000000, found 0"},
    {"max_base_age_days", "14", "5", "5", "40000",
     "max_base_age_days: expected an integer from 1 to 36500, found 40000"},
    {"max_age_days", "30", "5", "5", "-1",
     "max_age_days: expected an integer from 1 to 36500, found -1"},
    {"default_target", R"("refs/heads/main")", "refs/heads/trunk", R"("refs/heads/trunk")", "main",
     "default_target: " + kRef + "'main'"},
    {"base_refs", "[]", "[refs/heads/main, refs/tags/v1]", R"(["refs/heads/main","refs/tags/v1"])",
     "[refs/heads/*]", "base_refs[0]: " + kRef + "'refs/heads/*'"},
    {"deny_paths",
     R"(["/opt/incomex/dot/iu-cutter-v0.6","/opt/incomex/dot/iu-cutter","/var/lib/cutter",".git",".gatehouse"])",
     "[/srv/live/, infra]", R"(["/srv/live","infra"])", "[a/../b]",
     "deny_paths[0]: 'a/../b' has a '.' or '..' component"},
    {"docs_patterns",
     R"(["*.md","*.rst","*.adoc","*.txt","docs/**","LICENSE","NOTICE","AUTHORS","CHANGELOG*"])",
     "['*.org']", R"(["*.org"])", "[/x]", "docs_patterns[0]: '/x' is an absolute path"},
    {"docs_exclude", R"(["requirements*.txt","constraints*.txt","CMakeLists.txt","robots.txt"])",
     "[a.txt]", R"(["a.txt"])", "x", "docs_exclude: expected a list of strings, found 'x'"},
    {"docs_exclude_suffixes",
     R"([".py",".js",".ts",".sh",".bash",".ps1",".rb",".pl",".lua",".c",".cc",".cpp",".h",".rs",".go",".java",".html",".ipynb",".toml",".yaml",".yml",".json",".cfg",".ini"])",
     "[.x]", R"([".x"])", "[1]", "docs_exclude_suffixes[0]: expected a string, found 1"},
    {"test_patterns",
     R"(["test/**","tests/**","**/test_*","**/*_test.*","**/*.test.*","**/*.spec.*","**/*Test.*","**/*Tests.*"])",
     "[spec/**]", R"(["spec/**"])", "['']", "test_patterns[0]: '' is empty"},
    {"tests.must_fail_before", "false", "true\n    command: [make, check]", "true", "yes",
     "tests.must_fail_before: " + kBool + "'yes'"},
    {"tests.command", "[]", "[make, check]", R"(["make","check"])", "make check",
     "tests.command: expected a list of strings, found 'make check'"},
    {"test_runners",
     R"(["ctest","pytest","unittest","go test","cargo test","npm test","npm run test","make test","make check","ninja test","meson test","mvn test","gradle test","dotnet test","bazel test","./dev test"])",
     "[run]", R"(["run"])", "['']", "test_runners[0]: " + kText + "''"},
    {"production_markers",
     R"(["ssh","scp","rsync","kubectl","helm","psql","mysql","mongo","docker -H","DOCKER_HOST=","--context prod","prod","production","deny_paths","url"])",
     "[ssh]", R"(["ssh"])", "[7]", "production_markers[0]: " + kText + "7"},
    {"sandbox_hosts", R"(["localhost","127.0.0.1","::1"])", "[db]", R"(["db"])", "db",
     "sandbox_hosts: expected a list of strings, found 'db'"},
    {"gap_registry", "[]", "[GAP-X]", R"(["GAP-X"])", "[1]", "gap_registry[0]: " + kText + "1"},
    {"risk_words.failure",
     R"(["fail","fails","failure","break","breaks","wrong","crash","regression","error","corrupt","lose","loses"])",
     "[kaputt]", R"(["kaputt"])", "x", "risk_words.failure: expected a list of strings, found 'x'"},
    {"risk_words.blast_radius",
     R"(["blast radius","blast_radius","affects","affected","callers","limited to","impact","confined to","reaches","users"])",
     "[weit]", R"(["weit"])", "x",
     "risk_words.blast_radius: expected a list of strings, found 'x'"},
    {"risk_words.data",
     R"(["data","database","schema","records","rows","migration","stored","state"])", "[daten]",
     R"(["daten"])", "x", "risk_words.data: expected a list of strings, found 'x'"},
    {"risk_words.idempotent",
     R"(["idempotent","idempotence","repeatable","rerun","re-run","run twice","applied twice"])",
     "[wiederholbar]", R"(["wiederholbar"])", "x",
     "risk_words.idempotent: expected a list of strings, found 'x'"},
    {"signatures", R"("optional")", "required", R"("required")", "yes",
     "signatures: expected one of off, optional, required, found 'yes'"},
    {"mirror", R"("on")", "off", R"("off")", "true", "mirror: expected one of off, on, found true"},
    {"actors", "[]", "\n    - name: ann\n      kind: human\n      roles: [reviewer]",
     R"([{"ceiling":"untrusted","keys":[],"kind":"human","name":"ann","provider":"","roles":["reviewer"]}])",
     "ann", "actors: expected a list of actors, found 'ann'"},
};

std::string yaml_with(const std::string& key, const std::string& value) {
  std::string out = "proposals:\n", indent = "  ";
  const auto parts = split(key, '.');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    out += fmt::format("{}{}:\n", indent, parts[i]);
    indent += "  ";
  }
  return out + fmt::format("{}{}: {}\n", indent, parts.back(), value);
}

std::string shown(const ProposalPolicy& policy, const std::string& key) {
  const Value document = to_value(policy);
  const Value* value = &document;
  for (const std::string_view part : split(key, '.')) {
    value = value->as_map() == nullptr ? nullptr : value->as_map()->find(part);
    if (value == nullptr) return "absent";
  }
  return wire::canonical_json(*value);
}

std::string message_of(const std::string& yaml) {
  const auto config = parse_config(yaml, "g");
  return config ? "accepted" : config.error().message;
}

TEST(ProposalPolicy, EveryKeyHasItsDefaultAGoodAndABadValue) {
  for (const KeyCase& c : kKeys) {
    SCOPED_TRACE(c.key);
    EXPECT_EQ(shown(default_proposal_policy(), c.key), c.default_json);
    const auto good = parse_config(yaml_with(c.key, c.good_yaml), "g");
    ASSERT_TRUE(good.has_value()) << good.error().message;
    EXPECT_EQ(shown(good->proposals, c.key), c.good_json);
    const std::string bad = message_of(yaml_with(c.key, c.bad_yaml));
    EXPECT_TRUE(bad.starts_with("g:")) << bad;
    const std::size_t name = bad.find("proposals.");
    EXPECT_EQ(name == bad.npos ? bad : bad.substr(name + 10), c.bad_message);
  }
}

void collect(std::set<std::string>& out, const std::string& prefix, const Map& map) {
  for (const auto& [name, value] : map.entries()) {
    if (value.as_map() != nullptr) {
      collect(out, prefix + name + ".", *value.as_map());
    } else {
      out.insert(prefix + name);
    }
  }
}

TEST(ProposalPolicy, NoKeyIsWithoutACase) {
  std::set<std::string> have, cases;
  collect(have, "", *to_value(default_proposal_policy()).as_map());
  for (const KeyCase& c : kKeys)
    cases.insert(c.key);
  EXPECT_EQ(have, cases);
}

TEST(ProposalPolicyPage, NamesEveryKeyOnceInTheOrderOfTheTable) {
  std::ifstream page("docs/reference/proposals.md");
  std::vector<std::string> names, cases;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) inside = line == "## Policy";
    if (inside && line.starts_with("| `")) names.push_back(line.substr(3, line.find('`', 3) - 3));
  }
  for (const KeyCase& c : kKeys)
    cases.push_back(c.key);
  EXPECT_EQ(names, cases);
}

struct Mistake {
  std::string yaml, message;
};
const std::string kKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA";
const std::vector<Mistake> kMistakes = {
    {"proposals: []\n", "g:1:1: proposals: expected a mapping of keys"},
    {"proposals:\n  reviewer: {}\n",
     "g:2:3: unknown key 'reviewer' in proposals; did you mean 'reviewers'?"},
    {"proposals:\n  reviewers:\n    requird: [a1]\n",
     "g:3:5: unknown key 'requird' in proposals.reviewers; did you mean 'required'?"},
    {"proposals:\n  reviewers:\n    independence:\n      not_auther: true\n",
     "g:4:7: unknown key 'not_auther' in proposals.reviewers.independence; did you mean "
     "'not_author'?"},
    {"proposals:\n  reviewers:\n    required: [gemini, gemini]\n",
     "g:3:5: proposals.reviewers.required: 'gemini' is named twice"},
    {"proposals:\n  reviewers:\n    required: [a]\n",
     "g:3:16: proposals.reviewers.required[0]: " + kName + "'a'"},
    {"proposals:\n  reviewers:\n    quorum: 3\n",
     "g:3:5: proposals.reviewers.quorum: 3 is more than the 2 required reviewers"},
    {"proposals:\n  reviewers:\n    required: [gemini, claude]\n",
     "g:2:3: proposals.reviewers.promotion_gate: 'claude' is a required reviewer; with "
     "independence.not_promoter the gate is another"},
    {"proposals:\n  tests:\n    must_fail_before: true\n",
     "g:2:3: proposals.tests: 'must_fail_before' needs the 'command' that runs the tests"},
    {"proposals:\n  actors:\n    - kind: human\n", "g:3:7: proposals.actors[0]: 'name' is missing"},
    {"proposals:\n  actors:\n    - name: Ann\n",
     "g:3:7: proposals.actors[0].name: expected 1 to 64 of a-z 0-9 . _ : @ - that start with a "
     "letter or digit, found 'Ann'"},
    {"proposals:\n  actors:\n    - name: ann\n    - name: ann\n",
     "g:4:7: proposals.actors[1]: the name 'ann' is taken by an earlier entry"},
    {"proposals:\n  actors:\n    - name: ann\n      kind: robot\n",
     "g:4:7: proposals.actors[0].kind: expected one of human, agent, gate, found 'robot'"},
    {"proposals:\n  actors:\n    - name: ann\n      roles: [owner]\n",
     "g:4:15: proposals.actors[0].roles[0]: expected one of agent, reviewer, promoter, admin, "
     "found "
     "'owner'"},
    {"proposals:\n  actors:\n    - name: ann\n      ceiling: reviewed\n",
     "g:4:7: proposals.actors[0].ceiling: expected one of untrusted, community, found 'reviewed'"},
    {"proposals:\n  actors:\n    - name: ann\n      keys: [ssh-rsa AAAA]\n",
     "g:4:14: proposals.actors[0].keys[0]: expected an Ed25519 public key, 'ssh-ed25519 AAAA...', "
     "found 'ssh-rsa AAAA'"},
    {"proposals:\n  actors:\n    - name: ann\n      keys:\n        - valid_after: x\n",
     "g:5:11: proposals.actors[0].keys[0].valid_after: expected a time such as "
     "2026-01-31T00:00:00Z, found 'x'"},
    {"proposals:\n  actors:\n    - name: ann\n      keys:\n        - valid_after: "
     "2026-01-01T00:00:00Z\n",
     "g:5:11: proposals.actors[0].keys[0]: 'key' is missing"},
    {"proposals:\n  actors:\n    - name: ann\n      keys:\n        - key: " + kKey +
         "\n          valid_after: 2026-01-02T00:00:00Z\n          valid_before: "
         "2026-01-01T00:00:00Z\n",
     "g:5:11: proposals.actors[0].keys[0]: 'valid_before' is not later than 'valid_after'"},
    {"proposals:\n  actors:\n    - name: ann\n      keys: [" + kKey +
         "]\n    - name: bob\n      keys: [" + kKey + " bob@x]\n",
     "g:5:7: proposals.actors[1]: a key of 'bob' is a key of 'ann' too"},
    {"proposals:\n  actors:\n    - name: ann\n      colour: red\n",
     "g:4:7: unknown key 'colour' in proposals.actors[0]"},
};

TEST(ProposalPolicy, MistakesAreNamedWithTheirPlace) {
  for (const Mistake& m : kMistakes)
    EXPECT_EQ(message_of(m.yaml), m.message) << m.yaml;
}

TEST(ProposalPolicy, AnActorIsReadWhole) {
  const auto config = parse_config(
      "proposals:\n  actors:\n    - name: local:1000\n      kind: human\n      provider: acme\n"
      "      roles: [promoter, admin, admin]\n      ceiling: community\n      keys:\n        - " +
          kKey + " comment\n        - key: " + kKey +
          "b\n          valid_after: 2026-01-01T00:00:00Z\n          valid_before: "
          "2027-01-01T00:00:00Z\n",
      "g");
  ASSERT_TRUE(config.has_value()) << config.error().message;
  const RegisteredActor* a = find_actor(config->proposals, "local:1000");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->kind, "human");
  EXPECT_EQ(a->provider, "acme");
  EXPECT_EQ(a->ceiling, "community");
  EXPECT_EQ(a->roles, (std::vector<std::string>{"promoter", "admin"}));
  EXPECT_TRUE(has_role(*a, "admin"));
  EXPECT_FALSE(has_role(*a, "reviewer"));
  ASSERT_EQ(a->keys.size(), 2u);
  EXPECT_EQ(a->keys[0].line, kKey);
  EXPECT_FALSE(a->keys[0].valid_after.has_value());
  EXPECT_EQ(to_string(*a->keys[1].valid_before), "2027-01-01T00:00:00Z");
  EXPECT_EQ(find_actor(config->proposals, "nobody"), nullptr);
}

TEST(ProposalPolicy, ReviewerNamesMakeEnumValues) {
  for (const char* good : {"gemini", "a1", "ab", "abcdefghijklmnopqrstuvwxyz012345"})
    EXPECT_TRUE(is_reviewer_name(good)) << good;
  for (const char* bad :
       {"", "a", "1a", "Ann", "a_b", "a-b", "pending", "abcdefghijklmnopqrstuvwxyz0123456"})
    EXPECT_FALSE(is_reviewer_name(bad)) << bad;
}

}  // namespace
}  // namespace gh::policy
