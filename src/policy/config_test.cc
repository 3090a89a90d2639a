#include "policy/config.h"

#include "wire/json.h"

namespace gh::policy {
namespace {

struct Case {
  std::string yaml;
  Code code;
  std::string message;
};

TEST(Config, MistakesAreNamedWithTheirPlace) {
  const Case kCases[] = {
      // not readable
      {"patch: [1", Code::policy_unreadable,
       "gatehouse.yaml:2:1: did not find expected ',' or ']'"},
      {"patch:\n  max_files: 1\n  max_files: 2\n", Code::policy_unreadable,
       "gatehouse.yaml:3:3: key 'max_files' is already at 2:3"},
      {"patch: &a {}\n", Code::policy_unreadable, "gatehouse.yaml:1:8: anchors are not allowed"},
      {"patch: {}\n---\npatch: {}\n", Code::policy_unreadable,
       "gatehouse.yaml:2:1: a second document"},
      {"a: \xff", Code::policy_unreadable, "gatehouse.yaml:1:4: not UTF-8"},
      {"\xEF\xBB\xBFpatch: {}", Code::policy_unreadable,
       "gatehouse.yaml:1:1: a byte order mark is not allowed"},
      {std::string((1u << 20) + 1, '#'), Code::policy_unreadable,
       "gatehouse.yaml:1:1: 1048577 bytes, at most 1048576"},
      // not a mapping
      {"", Code::policy_not_object,
       "gatehouse.yaml:1:1: expected a mapping of blocks, found nothing"},
      {"# nothing\n", Code::policy_not_object,
       "gatehouse.yaml:1:1: expected a mapping of blocks, found nothing"},
      {"- a\n", Code::policy_not_object,
       "gatehouse.yaml:1:1: expected a mapping of blocks, found a list"},
      {"\n  text\n", Code::policy_not_object,
       "gatehouse.yaml:2:3: expected a mapping of blocks, found a string"},
      {"patch:\n", Code::policy_not_object,
       "gatehouse.yaml:1:1: patch: expected a mapping of keys"},
      {"patch: [a]\n", Code::policy_not_object,
       "gatehouse.yaml:1:1: patch: expected a mapping of keys"},
      {"patch:\n  git: /usr/bin\n", Code::policy_not_object,
       "gatehouse.yaml:2:3: patch.git: expected a mapping of keys"},
      {"store: 1\n", Code::policy_not_object,
       "gatehouse.yaml:1:1: store: expected a mapping of keys"},
      // unknown keys
      {"patches: {}\n", Code::policy_unknown_key,
       "gatehouse.yaml:1:1: unknown key 'patches' in the document; did you mean 'patch'?"},
      {"version: 1\n", Code::policy_unknown_key,
       "gatehouse.yaml:1:1: unknown key 'version' in the document"},
      {"patch:\n  max_file: 5\n", Code::policy_unknown_key,
       "gatehouse.yaml:2:3: unknown key 'max_file' in patch; did you mean 'max_files'?"},
      {"patch:\n  allow_roots: [src]\n  alow_renames: true\n", Code::policy_unknown_key,
       "gatehouse.yaml:3:3: unknown key 'alow_renames' in patch; did you mean 'allow_renames'?"},
      {"patch:\n  full_rewrite:\n    mood: off\n", Code::policy_unknown_key,
       "gatehouse.yaml:3:5: unknown key 'mood' in patch.full_rewrite; did you mean 'mode'?"},
      {"patch:\n  full_rewrite.mode: off\n", Code::policy_unknown_key,
       "gatehouse.yaml:2:3: unknown key 'full_rewrite.mode' in patch; did you mean "
       "'full_rewrite'?"},
      {"patch:\n  zzz/~: 1\n", Code::policy_unknown_key,
       "gatehouse.yaml:2:3: unknown key 'zzz/~' in patch"},
      {"patch:\n  verify:\n    - name: a\n      argv: [x]\n      shell: true\n",
       Code::policy_unknown_key, "gatehouse.yaml:5:7: unknown key 'shell' in patch.verify[0]"},
      {"store:\n  busy_timeout: 5\n", Code::policy_unknown_key,
       "gatehouse.yaml:2:3: unknown key 'busy_timeout' in store; did you mean "
       "'busy_timeout_ms'?"},
      {"patch: {}\nrelease_gate: strict\n", Code::policy_bad_value,
       "gatehouse.yaml:2:1: release_gate: expected a mapping of keys, found 'strict'"},
      {"store:\n  url: mysql://me:secret@db\n", Code::policy_bad_value,
       "gatehouse.yaml:2:3: store.url: expected the address of a PostgreSQL database, "
       "postgres://…, or null"},
      {"store:\n  url: \"postgres://db/\\n\"\n", Code::policy_bad_value,
       "gatehouse.yaml:2:3: store.url: expected the address of a PostgreSQL database, "
       "postgres://…, or null"},
      {"store:\n  url: 7\n", Code::policy_bad_value,
       "gatehouse.yaml:2:3: store.url: expected the address of a PostgreSQL database, "
       "postgres://…, or null"},
      {"store:\n  busy_timeout_ms: 0\n", Code::policy_bad_value,
       "gatehouse.yaml:2:3: store.busy_timeout_ms: expected an integer from 1 to 3600000, found 0"},
      {"store:\n  audit_payload_days: x\n", Code::policy_bad_value,
       "gatehouse.yaml:2:3: store.audit_payload_days: expected an integer from 1 to 36500, found "
       "'x'"},
      {"store:\n  signing_key: 7\n", Code::policy_bad_value,
       "gatehouse.yaml:2:3: store.signing_key: expected a non-empty string without control "
       "characters, found 7"},
      // verify
      {"patch:\n  verify:\n    - argv: [x]\n", Code::policy_bad_value,
       "gatehouse.yaml:3:7: patch.verify[0]: 'name' is missing"},
      {"patch:\n  verify:\n    - name: a\n", Code::policy_bad_value,
       "gatehouse.yaml:3:7: patch.verify[0]: 'argv' is missing"},
      {"patch:\n  verify:\n    - {name: a, argv: [x]}\n    - {name: a, argv: [y]}\n",
       Code::policy_bad_value,
       "gatehouse.yaml:4:7: patch.verify[1]: the name 'a' is taken by an earlier entry"},
      {"patch:\n  verify:\n    - name: Unit\n      argv: [x]\n", Code::policy_bad_value,
       "gatehouse.yaml:3:7: patch.verify[0].name: expected 1 to 64 of a-z 0-9 _ - that start with "
       "a letter or digit, found 'Unit'"},
      {"patch:\n  verify:\n    - name: a\n      argv: make check\n", Code::policy_bad_value,
       "gatehouse.yaml:4:7: patch.verify[0].argv: expected a non-empty list of strings, not a "
       "shell line, found 'make check'"},
      {"patch:\n  verify:\n    - name: a\n      argv: []\n", Code::policy_bad_value,
       "gatehouse.yaml:4:7: patch.verify[0].argv: expected a non-empty list of strings, not a "
       "shell line, found a list"},
      {"patch:\n  verify:\n    - name: a\n      argv: [make, 3]\n", Code::policy_bad_value,
       "gatehouse.yaml:4:20: patch.verify[0].argv[1]: expected a string without NUL, found 3"},
      {"patch:\n  verify:\n    - name: a\n      argv: ['']\n", Code::policy_bad_value,
       "gatehouse.yaml:4:14: patch.verify[0].argv[0]: expected a string without NUL, found ''"},
      {"patch:\n  verify:\n    - name: a\n      argv: [x]\n      timeout_s: 3601\n",
       Code::policy_bad_value,
       "gatehouse.yaml:5:7: patch.verify[0].timeout_s: expected an integer from 1 to 3600, found "
       "3601"},
      {"patch:\n  verify: [x]\n", Code::policy_not_object,
       "gatehouse.yaml:2:12: patch.verify[0]: expected a mapping of keys"},
      // paths
      {"patch:\n  deny_prefixes:\n    - ok\n    - a/../b\n", Code::policy_bad_path,
       "gatehouse.yaml:4:7: patch.deny_prefixes[1]: 'a/../b' has a '.' or '..' component"},
      {"patch:\n  preset: ctcp\n  allow_roots: ['']\n", Code::policy_bad_path,
       "gatehouse.yaml:3:17: patch.allow_roots[0]: '' is empty"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.yaml.substr(0, 80));
    const auto config = parse_config(c.yaml, "gatehouse.yaml");
    ASSERT_FALSE(config.has_value());
    EXPECT_EQ(config.error().message, c.message);
    EXPECT_EQ(to_string(config.error().code), to_string(c.code));
  }
}

TEST(Config, TheBlockOfTheReleaseGateIsLeftToItsOwnReader) {
  EXPECT_TRUE(parse_config("release_gate: {version: \"0.1\"}\n", "gatehouse.yaml"));
}

TEST(Config, MalformedEntriesAreRefusedByTheirKindOfList) {
  struct Entry {
    std::string key, entry, why;  // empty why: accepted
  };
  const Entry kEntries[] = {
      {"allow_roots", ".", ""},
      {"allow_roots", "src/", ""},
      {"allow_roots", "src//", "has an empty component"},
      {"allow_roots", "/", "is an absolute path"},
      {"allow_roots", "./src", "has a '.' or '..' component"},
      {"allow_roots", "..", "has a '.' or '..' component"},
      {"allow_roots", "c:x", "has a drive letter"},
      {"allow_roots", "ab:x", "has a colon"},
      {"allow_roots", "a\\b", "has a backslash"},
      {"allow_roots", "a\\\\b", "has a backslash"},
      {"allow_roots", "src/*",
       "has one of * ? < > | \", which no accepted path has; this list "
       "takes no patterns"},
      {"allow_roots", "a./b", "has a component with a leading space, or a trailing space or dot"},
      {"allow_roots", "a/ b", "has a component with a leading space, or a trailing space or dot"},
      {"allow_roots", "caf\xc3\xa9", ""},
      {"allow_roots", "cafe\xcc\x81", "is not in Unicode normal form NFC"},
      {"allow_roots",
       "a\xe2\x80\xae"
       "b",
       "has an invisible or unassigned character"},
      {"deny_prefixes", ".git", ""},
      {"deny_prefixes", "x/y/", ""},
      {"deny_components", ".git", ""},
      {"deny_components", "..", "has a '.' or '..' component"},
      {"deny_suffixes", ".tar.gz", ""},
      {"deny_suffixes", "/generated.cc", ""},
      {"deny_names", "a b", ""},
      {"control_files", "x/", ""},
      {"control_files", "x//", "has an empty component"},
      {"control_files", "**/x/**", ""},
      {"control_files", "/x", "is an absolute path"},
      {"control_files", "a/[!b]*.?", ""},
      {"allow_control_files", ".github/workflows/ci.yml", ""},
      {"allow_control_files", ".github/", "has an empty component"},
      {"allow_control_files", "*.yml",
       "has one of * ? < > | \", which no accepted path has; this "
       "list takes no patterns"},
  };
  for (const Entry& e : kEntries) {
    const auto config =
        parse_config(fmt::format("patch:\n  {}: ['{}']\n", e.key, e.entry), "gatehouse.yaml");
    SCOPED_TRACE(e.key + " " + e.entry);
    EXPECT_EQ(config.has_value(), e.why.empty());
    if (config || e.why.empty()) continue;
    EXPECT_EQ(config.error().code, Code::policy_bad_path);
    EXPECT_TRUE(config.error().message.ends_with("' " + e.why)) << config.error().message;
  }
}

TEST(Config, ControlCharactersInEntriesAreRefused) {
  for (const char* escape : {"\\t", "\\x00", "\\x7f", "\\x9f", "\\N"}) {
    const auto config =
        parse_config(fmt::format("patch:\n  allow_roots: [\"a{}b\"]\n", escape), "gatehouse.yaml");
    ASSERT_FALSE(config.has_value()) << escape;
    EXPECT_EQ(config.error().code, Code::policy_bad_path);
    EXPECT_TRUE(config.error().message.ends_with("' has a control character"))
        << config.error().message;
  }
}

TEST(Config, AnEmptyMappingMeansTheDefaults) {
  for (const char* yaml : {"{}", "patch: {}", "store: {}", "patch: {}\nstore: {}\n"}) {
    const auto config = parse_config(yaml, "HEAD:gatehouse.yaml");
    ASSERT_TRUE(config.has_value()) << yaml;
    EXPECT_EQ(config->patch, default_patch_policy());
    EXPECT_EQ(config->source, "HEAD:gatehouse.yaml");
    EXPECT_EQ(config->store.busy_timeout_ms, 5000);
    EXPECT_EQ(config->store.audit_payload_days, 30);
    EXPECT_EQ(config->store.run_days, 14);
    EXPECT_EQ(config->store.runs_kept, 1000);
    EXPECT_EQ(config->store.signing_key, "");
  }
  EXPECT_EQ(Config().source, "defaults");
}

TEST(Config, StoreKeysAreRead) {
  const auto config = parse_config(
      "store:\n  busy_timeout_ms: 10\n  audit_payload_days: 7\n  run_days: 3\n  runs_kept: 5\n  "
      "signing_key: ~/.ssh/gate\n",
      "x");
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->store.busy_timeout_ms, 10);
  EXPECT_EQ(config->store.audit_payload_days, 7);
  EXPECT_EQ(config->store.run_days, 3);
  EXPECT_EQ(config->store.runs_kept, 5);
  EXPECT_EQ(config->store.signing_key, "~/.ssh/gate");
  EXPECT_EQ(parse_config("store: {signing_key: null}", "x")->store.signing_key, "");
  EXPECT_EQ(parse_config("store: {url: null}", "x")->store.url, "");
  EXPECT_EQ(parse_config("store:\n  url: postgres://db/gate\n", "x")->store.url,
            "postgres://db/gate");
  EXPECT_EQ(parse_config("store:\n  url: postgresql:///gate?host=/run/db\n", "x")->store.url,
            "postgresql:///gate?host=/run/db");
}

TEST(Config, KeysOverrideThePresetWhereverItStands) {
  const auto config =
      parse_config("patch:\n  allow_roots: [lib]\n  preset: ctcp\n  max_files: 9\n", "x");
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->patch.allow_roots, std::vector<std::string>{"lib"});
  EXPECT_EQ(config->patch.max_files, 9);
  EXPECT_EQ(config->patch.deny_prefixes, preset("ctcp")->deny_prefixes);
}

TEST(Config, EffectiveValuesAsYamlReadBackTheSame) {
  PatchPolicy policy = preset("ctcp").value();
  policy.verify = {{"unit", {"make", "check"}, 60}};
  policy.trusted_owners = {"alice", "1000"};
  policy.git_path = "/opt/git";
  policy.rewrite_ratio_ten_thousandths = 7525;
  // Canonical JSON is YAML too, save for flow nesting, so each key gets its own line.
  std::string yaml = "patch:\n";
  const Value document = to_value(policy);
  for (const auto& [key, value] : document.as_map()->entries())
    yaml += fmt::format("  {}: {}\n", key, key == "verify" ? "" : wire::canonical_json(value));
  yaml.insert(yaml.find("  verify: ") + 10,
              "\n  - name: unit\n    timeout_s: 60\n"
              "    argv: [make, check]");
  const auto back = parse_config(yaml, "x");
  ASSERT_TRUE(back.has_value()) << back.error().message << "\n" << yaml;
  EXPECT_EQ(back->patch, policy);
}

TEST(PolicyDigest, IsThatOfTheCanonicalEffectiveValues) {
  const PatchPolicy policy = default_patch_policy();
  EXPECT_EQ(policy_digest(policy), digest_of(wire::canonical_json(to_value(policy))));
  PatchPolicy other = policy;
  other.max_files = 6;
  EXPECT_NE(policy_digest(policy), policy_digest(other));
}

}  // namespace
}  // namespace gh::policy
