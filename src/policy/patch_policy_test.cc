#include "policy/patch_policy.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "policy/config.h"
#include "wire/json.h"

namespace gh::policy {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;)
    out.push_back(word);
  return out;
}

const std::string kBinaryFirstGroup =
    ".png .jpg .jpeg .gif .bmp .webp .ico .zip .7z .tar .gz .pdf .exe .dll .so .dylib .bin .class "
    ".jar .pyc .pyo .o .obj .a .lib .db .sqlite .sqlite3";

struct ListCase {
  std::string key;
  std::vector<std::string> PatchPolicy::*field;
  std::string entries;
};

// Typed from patch-gate 6.2. "At any depth" is written as a leading **/.
const std::vector<ListCase> kDefaultLists = {
    {"allow_roots", &PatchPolicy::allow_roots, "."},
    {"deny_prefixes", &PatchPolicy::deny_prefixes,
     ".git .gatehouse build dist out target runs artifacts generated_projects meta/runs"},
    {"deny_components", &PatchPolicy::deny_components,
     ".git node_modules __pycache__ .venv venv .tox .mypy_cache .pytest_cache .ruff_cache .gradle "
     ".terraform CMakeFiles"},
    {"deny_suffixes", &PatchPolicy::deny_suffixes, ".lock"},
    {"deny_names", &PatchPolicy::deny_names,
     "package-lock.json npm-shrinkwrap.json pnpm-lock.yaml bun.lockb go.sum packages.lock.json "
     "gradle.lockfile Package.resolved .terraform.lock.hcl"},
    {"binary_suffixes", &PatchPolicy::binary_suffixes,
     kBinaryFirstGroup +
         " .tiff .avif .mp3 .mp4 .mov .wav .woff .woff2 .ttf .otf .xz .bz2 .zst .rar .tgz .war "
         ".whl .egg .deb .rpm .msi .dmg .iso .wasm .pdb .node .parquet .npy .npz .pkl .pt .onnx "
         ".safetensors .docx .xlsx .pptx"},
    {"artifact_patterns", &PatchPolicy::artifact_patterns,
     "*.min.js *.min.css *.map *.orig *.rej *.bak *.swp *~ *.log *.tmp coverage.xml .coverage "
     ".DS_Store Thumbs.db core *.gcda *.gcno"},
    {"control_files", &PatchPolicy::control_files,
     ".gitattributes .gitmodules .mailmap .github/workflows/ .github/actions/ .gitlab-ci.yml "
     ".circleci/ Jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml .pre-commit-config.yaml "
     ".husky/ lefthook.yml CODEOWNERS gatehouse.* shipgate.yaml .agents-shipgate/ .mcp.json "
     ".claude/ .codex/ .cursor/ .gemini/ CLAUDE.md AGENTS.md .vscode/tasks.json "
     ".vscode/settings.json .devcontainer/ .envrc"},
    {"allow_control_files", &PatchPolicy::allow_control_files, ""},
    {"secret_patterns", &PatchPolicy::secret_patterns,
     ".env .env.* *.pem *.key *.p12 *.pfx *.jks *.keystore *.kdbx id_rsa* id_ecdsa* id_ed25519* "
     ".netrc .npmrc .pypirc credentials.json secrets/ **/.ssh/ **/.aws/ **/.gnupg/ "
     "**/.kube/config"},
    {"secret_exceptions", &PatchPolicy::secret_exceptions,
     ".env.example .env.sample .env.template"},
    {"allow_filters", &PatchPolicy::allow_filters, ""},
    {"trusted_owners", &PatchPolicy::trusted_owners, ""},
};

TEST(PatchPolicy, DefaultListsHoldEveryEntryInOrder) {
  const PatchPolicy p = default_patch_policy();
  for (const ListCase& c : kDefaultLists)
    EXPECT_EQ(p.*c.field, words(c.entries)) << c.key;
}

TEST(PatchPolicy, PresetCtcpChangesItsListsOnly) {
  const auto p = preset("ctcp");
  ASSERT_TRUE(p.has_value());
  PatchPolicy expected = default_patch_policy();
  expected.allow_roots = words(
      "src include web scripts tools docs specs meta contracts workflow_registry tests ai_context "
      "agents ai simlab ctcp resources executor third_party README.md BUILD.md PATCH_README.md "
      "TREE.md CMakeLists.txt AGENTS.md APPLY_OVERLAY.md LICENSE requirements-dev.txt");
  expected.deny_prefixes = words(
      ".git build build_lite build_verify build_gui dist generated_projects runs artifacts "
      "simlab/_runs meta/runs tests/fixtures/adlc_forge_full_bundle/runs");
  expected.deny_suffixes = words(".lock " + kBinaryFirstGroup);
  std::erase(expected.control_files, "AGENTS.md");
  EXPECT_EQ(wire::canonical_json(to_value(*p)), wire::canonical_json(to_value(expected)));
  EXPECT_EQ(*p, expected);

  const auto unknown = preset("loose");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().message, "preset 'loose' is unknown; there is only 'ctcp'");
}

struct KeyCase {
  std::string key, default_json;  // default "list": see kDefaultLists
  std::string good_yaml, good_json;
  std::string bad_yaml, bad_message;  // message behind "gatehouse.yaml:LINE:"
};

const std::string kPositive = "expected an integer of 1 or more, found ";
const std::string kBool = "expected true or false, found ";

// One row per key of patch-gate 6.1 and of the nested groups.
const std::vector<KeyCase> kKeys = {
    {"preset", "", "ctcp", "", "other",
     "3: patch.preset: preset 'other' is unknown; there is only 'ctcp'"},
    {"allow_roots", "list", "[src/, a/b, .]", R"(["src","a/b","."])", "[/etc]",
     "17: patch.allow_roots[0]: '/etc' is an absolute path"},
    {"deny_prefixes", "list", "[x/]", R"(["x"])", "[., a]",
     "19: patch.deny_prefixes[0]: '.' has a '.' or '..' component"},
    {"deny_components", "list", "[tmp]", R"(["tmp"])", "[a/b]",
     "21: patch.deny_components[0]: 'a/b' has a '/'"},
    {"deny_suffixes", "list", "[.x, _y]", R"([".x","_y"])", "['*.x']",
     "19: patch.deny_suffixes[0]: '*.x' has one of * ? < > | \", which no accepted path has; this "
     "list takes no patterns"},
    {"deny_names", "list", "[a.lock]", R"(["a.lock"])", "[x/]",
     "16: patch.deny_names[0]: 'x/' has a '/'"},
    {"binary_suffixes", "list", "[]", "[]", ".png",
     "3: patch.binary_suffixes: expected a list of strings, found '.png'"},
    {"artifact_patterns", "list", "['*.x', out/]", R"(["*.x","out/"])", "[a//b]",
     "23: patch.artifact_patterns[0]: 'a//b' has an empty component"},
    {"control_files", "list", "['**/x']", R"(["**/x"])", "[../x]",
     "19: patch.control_files[0]: '../x' has a '.' or '..' component"},
    {"allow_control_files", "list", "[AGENTS.md]", R"(["AGENTS.md"])", "[docs/]",
     "25: patch.allow_control_files[0]: 'docs/' has an empty component"},
    {"secret_patterns", "list", "['*.k[ae]y']", R"(["*.k[ae]y"])", "['a\\b']",
     R"(21: patch.secret_patterns[0]: 'a\b' has a backslash)"},
    {"secret_exceptions", "list", "[x.pem]", R"(["x.pem"])", "[7]",
     "23: patch.secret_exceptions[0]: expected a string, found 7"},
    {"allow_filters", "list", "[lfs, '*.psd']", R"(["lfs","*.psd"])", "['C:/x']",
     "19: patch.allow_filters[0]: 'C:/x' has a drive letter"},
    {"max_files", "5", "8", "8", "0", "3: patch.max_files: " + kPositive + "0"},
    {"max_added_lines", "400", "1", "1", "-4", "3: patch.max_added_lines: " + kPositive + "-4"},
    {"max_deleted_lines", "1000", "9", "9", "5.0",
     "3: patch.max_deleted_lines: " + kPositive + "5.0"},
    {"max_deleted_files", "3", "1", "1", "'3'", "3: patch.max_deleted_files: " + kPositive + "'3'"},
    {"max_hunks", "200", "1", "1", "true", "3: patch.max_hunks: " + kPositive + "true"},
    {"max_patch_bytes", "1048576", "1", "1", "1 MiB",
     "3: patch.max_patch_bytes: " + kPositive + "'1 MiB'"},
    {"max_line_bytes", "16384", "1", "1", "99999999999999999999",
     "3: patch.max_line_bytes: " + kPositive + "99999999999999999999"},
    {"max_result_file_bytes", "2097152", "1", "1", "null",
     "3: patch.max_result_file_bytes: " + kPositive + "a null"},
    {"allow_renames", "true", "false", "false", "no", "3: patch.allow_renames: " + kBool + "'no'"},
    {"allow_copies", "false", "true", "true", "1", "3: patch.allow_copies: " + kBool + "1"},
    {"allow_mode_changes", "false", "true", "true", "yes",
     "3: patch.allow_mode_changes: " + kBool + "'yes'"},
    {"allow_new_executable", "false", "true", "true", "[]",
     "3: patch.allow_new_executable: " + kBool + "a list"},
    {"allow_symlinks", "false", "true", "true", "'true'",
     "3: patch.allow_symlinks: " + kBool + "'true'"},
    {"allow_gitlinks", "false", "true", "true", "{}",
     "3: patch.allow_gitlinks: " + kBool + "a mapping"},
    {"deny_content", R"(["bidi","control"])", "[control]", R"(["control"])", "[bidi, tabs]",
     "24: patch.deny_content[1]: expected one of bidi, control, found 'tabs'"},
    {"require_utf8_content", "true", "false", "false", "0",
     "3: patch.require_utf8_content: " + kBool + "0"},
    {"full_rewrite.mode", R"("retry_only")", "always", R"("always")", "never",
     "5: patch.full_rewrite.mode: expected one of off, retry_only, always, found 'never'"},
    {"full_rewrite.ratio", "0.9", "0.75", "0.75", "1.5",
     "5: patch.full_rewrite.ratio: expected a number above 0 and up to 1 with at most four "
     "decimals, found 1.5"},
    {"full_rewrite.min_lines", "20", "5", "5", "0",
     "5: patch.full_rewrite.min_lines: " + kPositive + "0"},
    {"position", R"("exact")", "unique", R"("unique")", "fuzzy",
     "3: patch.position: expected one of exact, unique, found 'fuzzy'"},
    {"grammar.profile", R"("strict")", "git", R"("git")", "loose",
     "5: patch.grammar.profile: expected one of strict, git, found 'loose'"},
    {"path.windows_rules", "true", "false", "false", "off",
     "5: patch.path.windows_rules: " + kBool + "'off'"},
    {"git.path", "null", "/opt/git/bin", R"("/opt/git/bin")", "bin",
     "5: patch.git.path: expected an absolute folder, or null for the system's, found 'bin'"},
    {"git.timeout_ms", "30000", "1000", "1000", "86400001",
     "5: patch.git.timeout_ms: expected an integer from 1 to 86400000, found 86400001"},
    {"git.allow_old", "false", "true", "true", "2", "5: patch.git.allow_old: " + kBool + "2"},
    {"lock.timeout_ms", "10000", "1", "1", "0",
     "5: patch.lock.timeout_ms: expected an integer from 1 to 86400000, found 0"},
    {"retry.max_attempts", "3", "1", "1", "0", "5: patch.retry.max_attempts: " + kPositive + "0"},
    {"trusted_owners", "list", "[alice, 1000]", R"(["alice","1000"])", "['']",
     "20: patch.trusted_owners[0]: expected a non-empty string without control characters, found "
     "''"},
    {"verify", "[]", "\n    - name: unit\n      argv: [make, check]",
     R"([{"argv":["make","check"],"name":"unit","timeout_s":600}])", "make check",
     "3: patch.verify: expected a list of {name, argv, timeout_s}, found 'make check'"},
};

/// A gatehouse.yaml with this one key; a dotted key nests, so its own line is one further.
std::string yaml_with(const std::string& key, const std::string& value) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return fmt::format("patch:\n  {}: {}\n", key, value);
  return fmt::format("patch:\n  {}:\n    {}: {}\n", key.substr(0, dot), key.substr(dot + 1), value);
}

std::string shown(const PatchPolicy& policy, const std::string& key) {
  const Value document = to_value(policy);
  const Value* value = &document;
  std::istringstream path(key);
  for (std::string part; std::getline(path, part, '.');) {
    value = value->as_map()->find(part);
    if (value == nullptr) return "absent";
  }
  return wire::canonical_json(*value);
}

TEST(PatchPolicy, EveryKeyHasItsDefaultAGoodAndABadValue) {
  for (const KeyCase& c : kKeys) {
    SCOPED_TRACE(c.key);
    const auto good = parse_config(yaml_with(c.key, c.good_yaml), "gatehouse.yaml");
    ASSERT_TRUE(good.has_value()) << good.error().message;
    const auto bad = parse_config(yaml_with(c.key, c.bad_yaml), "gatehouse.yaml");
    ASSERT_FALSE(bad.has_value());
    const bool nested = c.key.find('.') != std::string::npos;
    EXPECT_EQ(bad.error().message,
              fmt::format("gatehouse.yaml:{}:{}", nested ? 3 : 2, c.bad_message));
    if (c.key == "preset") {
      EXPECT_EQ(good->patch, *preset("ctcp"));
      continue;
    }
    EXPECT_EQ(shown(good->patch, c.key), c.good_json);
    if (c.default_json != "list") {
      EXPECT_EQ(shown(default_patch_policy(), c.key), c.default_json);
    }
  }
}

TEST(PatchPolicy, EveryListIsShownWithItsDefault) {
  for (const ListCase& c : kDefaultLists)
    EXPECT_EQ(shown(default_patch_policy(), c.key),
              wire::canonical_json(string_list(words(c.entries))))
        << c.key;
}

/// Keys of the effective document, dotted. Lists and scalars are leaves.
std::set<std::string> shown_keys() {
  std::set<std::string> keys;
  const Value document = to_value(default_patch_policy());
  for (const auto& [name, value] : document.as_map()->entries()) {
    if (value.as_map() == nullptr) keys.insert(name);
    if (value.as_map() != nullptr)
      for (const auto& [inner, ignored] : value.as_map()->entries())
        keys.insert(name + "." + inner);
  }
  return keys;
}

struct PageRow {
  std::string name;
  std::vector<std::string> cells;
};

/// Rows of the table below `heading` in the reference page; the name is the first cell's code.
std::vector<PageRow> page_table(const std::string& heading) {
  std::ifstream page("docs/reference/patch-policy.md");
  std::vector<PageRow> rows;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) inside = line == "## " + heading;
    if (!inside || !line.starts_with("| `")) continue;
    PageRow row;
    std::istringstream cells(line.substr(2));
    for (std::string cell; std::getline(cells, cell, '|');)
      row.cells.push_back(cell);
    const std::string& first = row.cells[0];
    row.name = first.substr(1, first.rfind('`') - 1);
    rows.push_back(row);
  }
  return rows;
}

std::string code_words(std::string cell) {
  std::erase(cell, '`');
  std::string out;
  for (const std::string& word : words(cell))
    out += (out.empty() ? "" : " ") + word;
  return out;
}

TEST(PatchPolicyPage, NamesEveryKeyOnceAndEachHasACase) {
  std::vector<std::string> page, cases;
  for (const PageRow& row : page_table("Keys"))
    page.push_back(row.name);
  for (const KeyCase& c : kKeys)
    cases.push_back(c.key);
  EXPECT_EQ(page, cases);
  std::set<std::string> keys(cases.begin(), cases.end());
  keys.erase("preset");
  EXPECT_EQ(shown_keys(), keys);
}

TEST(PatchPolicyPage, ShowsTheRealDefaults) {
  for (const PageRow& row : page_table("Keys")) {
    const auto c = std::ranges::find(kKeys, row.name, &KeyCase::key);
    if (c == kKeys.end() || c->default_json == "list" || c->default_json.empty()) continue;
    std::string expected = c->default_json == "null" ? "none" : c->default_json;
    if (expected == "[]") expected = "empty";
    std::erase_if(expected, [](char ch) { return ch == '"' || ch == '[' || ch == ']'; });
    std::string cell = code_words(row.cells[1]);
    std::erase(cell, ' ');
    EXPECT_EQ(cell, expected) << row.name;
  }
}

TEST(PatchPolicyPage, ListsTheRealDefaultLists) {
  std::map<std::string, std::string> page;
  for (const PageRow& row : page_table("Default lists"))
    page[row.name] = code_words(row.cells[1]);
  for (const ListCase& c : kDefaultLists)
    if (!c.entries.empty() && c.key != "allow_roots") {
      EXPECT_EQ(page[c.key], c.entries) << c.key;
    }
  const auto ctcp = preset("ctcp");
  for (const PageRow& row : page_table("Preset `ctcp`"))
    EXPECT_EQ(wire::canonical_json(string_list(words(code_words(row.cells[1])))),
              shown(*ctcp, row.name))
        << row.name;
}

struct NarrowCase {
  std::string base_yaml, document, key, result;
  bool noted;
};

// Base values are given as YAML of the patch block; "" means the defaults.
const std::vector<NarrowCase> kNarrow = {
    {"", R"({"max_files":2})", "max_files", "2", false},
    {"", R"({"max_files":5})", "max_files", "5", false},
    {"", R"({"max_files":6})", "max_files", "5", true},
    {"", R"({"max_added_lines":10})", "max_added_lines", "10", false},
    {"", R"({"max_result_file_bytes":9999999})", "max_result_file_bytes", "2097152", true},
    {"", R"({"retry":{"max_attempts":1}})", "retry.max_attempts", "1", false},
    {"", R"({"git":{"timeout_ms":60000}})", "git.timeout_ms", "30000", true},
    {"", R"({"lock":{"timeout_ms":5}})", "lock.timeout_ms", "5", false},
    {"", R"({"full_rewrite":{"min_lines":3}})", "full_rewrite.min_lines", "3", false},
    {"", R"({"full_rewrite":{"ratio":0.5}})", "full_rewrite.ratio", "0.5", false},
    {"", R"({"full_rewrite":{"ratio":1}})", "full_rewrite.ratio", "0.9", true},
    {"", R"({"full_rewrite":{"mode":"always"}})", "full_rewrite.mode", R"("always")", false},
    {"", R"({"full_rewrite":{"mode":"off"}})", "full_rewrite.mode", R"("retry_only")", true},
    {"", R"({"allow_roots":["src"]})", "allow_roots", R"(["src"])", false},
    {"", R"({"allow_roots":[]})", "allow_roots", "[]", false},
    {"allow_roots: [src, docs]", R"({"allow_roots":["src/a","docs"]})", "allow_roots",
     R"(["src/a","docs"])", false},
    {"allow_roots: [src]", R"({"allow_roots":["."]})", "allow_roots", R"(["src"])", true},
    {"allow_roots: [src/a]", R"({"allow_roots":["src"]})", "allow_roots", R"(["src/a"])", true},
    {"allow_roots: [src]", R"({"allow_roots":["docs","src"]})", "allow_roots", R"(["src"])", true},
    {"allow_roots: [src]", R"({"allow_roots":["srcs"]})", "allow_roots", "[]", true},
    {"allow_roots: [., src]", R"({"allow_roots":["src"]})", "allow_roots", R"(["src"])", false},
    {"allow_roots: []", R"({"allow_roots":["src"]})", "allow_roots", "[]", true},
    {"deny_prefixes: [a]", R"({"deny_prefixes":["b","a"]})", "deny_prefixes", R"(["a","b"])",
     false},
    {"deny_prefixes: [a]", R"({"deny_prefixes":[]})", "deny_prefixes", R"(["a"])", false},
    {"deny_components: [a]", R"({"deny_components":["b"]})", "deny_components", R"(["a","b"])",
     false},
    {"deny_suffixes: [.a]", R"({"deny_suffixes":[".b"]})", "deny_suffixes", R"([".a",".b"])",
     false},
    {"deny_names: [a]", R"({"deny_names":["b"]})", "deny_names", R"(["a","b"])", false},
    {"binary_suffixes: [.a]", R"({"binary_suffixes":[".b"]})", "binary_suffixes", R"([".a",".b"])",
     false},
    {"artifact_patterns: [a]", R"({"artifact_patterns":["b"]})", "artifact_patterns",
     R"(["a","b"])", false},
    {"control_files: [a]", R"({"control_files":["b"]})", "control_files", R"(["a","b"])", false},
    {"secret_patterns: [a]", R"({"secret_patterns":["b"]})", "secret_patterns", R"(["a","b"])",
     false},
    {"allow_control_files: [a, b]", R"({"allow_control_files":["b"]})", "allow_control_files",
     R"(["b"])", false},
    {"", R"({"allow_control_files":["AGENTS.md"]})", "allow_control_files", "[]", true},
    {"", R"({"secret_exceptions":[]})", "secret_exceptions", "[]", false},
    {"", R"({"secret_exceptions":["x.pem"]})", "secret_exceptions", "[]", true},
    {"allow_filters: [lfs]", R"({"allow_filters":["lfs","x"]})", "allow_filters", R"(["lfs"])",
     true},
    {"trusted_owners: [a]", R"({"trusted_owners":["a",0]})", "trusted_owners", R"(["a"])", true},
    {"", R"({"allow_renames":false})", "allow_renames", "false", false},
    {"allow_renames: false", R"({"allow_renames":true})", "allow_renames", "false", true},
    {"allow_copies: true", R"({"allow_copies":true})", "allow_copies", "true", false},
    {"", R"({"allow_copies":true})", "allow_copies", "false", true},
    {"", R"({"allow_mode_changes":true})", "allow_mode_changes", "false", true},
    {"", R"({"allow_new_executable":true})", "allow_new_executable", "false", true},
    {"", R"({"allow_symlinks":true})", "allow_symlinks", "false", true},
    {"", R"({"allow_gitlinks":true})", "allow_gitlinks", "false", true},
    {"git: {allow_old: true}", R"({"git":{"allow_old":false}})", "git.allow_old", "false", false},
    {"", R"({"git":{"allow_old":true}})", "git.allow_old", "false", true},
    {"", R"({"require_utf8_content":false})", "require_utf8_content", "true", true},
    {"require_utf8_content: false", R"({"require_utf8_content":true})", "require_utf8_content",
     "true", false},
    {"", R"({"path":{"windows_rules":false}})", "path.windows_rules", "true", true},
    {"deny_content: []", R"({"deny_content":["bidi"]})", "deny_content", R"(["bidi"])", false},
    {"", R"({"deny_content":[]})", "deny_content", R"(["bidi","control"])", false},
    {"position: unique", R"({"position":"exact"})", "position", R"("exact")", false},
    {"", R"({"position":"unique"})", "position", R"("exact")", true},
    {"grammar: {profile: git}", R"({"grammar":{"profile":"strict"}})", "grammar.profile",
     R"("strict")", false},
    {"", R"({"grammar":{"profile":"git"}})", "grammar.profile", R"("strict")", true},
    {"", R"({"git":{"path":"/evil"}})", "git.path", "null", true},
    {"git: {path: /g}", R"({"git":{"path":"/g"}})", "git.path", R"("/g")", false},
    {"verify:\n  - {name: a, argv: [x]}", R"({"verify":[{"name":"b","argv":["y"],"timeout_s":5}]})",
     "verify",
     R"([{"argv":["x"],"name":"a","timeout_s":600},{"argv":["y"],"name":"b","timeout_s":5}])",
     false},
    {"verify:\n  - {name: a, argv: [x]}", R"({"verify":[]})", "verify",
     R"([{"argv":["x"],"name":"a","timeout_s":600}])", false},
    {"verify:\n  - {name: a, argv: [x]}", R"({"verify":[{"name":"a","argv":["true"]}]})", "verify",
     R"([{"argv":["x"],"name":"a","timeout_s":600}])", true},
    {"verify:\n  - {name: a, argv: [x]}", R"({"verify":[{"name":"a","argv":["x"],"timeout_s":1}]})",
     "verify", R"([{"argv":["x"],"name":"a","timeout_s":600}])", true},
};

PatchPolicy base_of(const NarrowCase& c) {
  if (c.base_yaml.empty()) return default_patch_policy();
  return parse_config("patch:\n  " + c.base_yaml + "\n", "gatehouse.yaml").value().patch;
}

TEST(Narrow, TakesTheStricterAndNotesTheWider) {
  for (const NarrowCase& c : kNarrow) {
    SCOPED_TRACE(c.base_yaml + " / " + c.document);
    const auto narrowed = narrow(base_of(c), wire::read_json(c.document).value(), "n.json");
    ASSERT_TRUE(narrowed.has_value()) << narrowed.error().message;
    EXPECT_EQ(shown(narrowed->policy, c.key), c.result);
    ASSERT_EQ(narrowed->notes.size(), c.noted ? 1u : 0u);
    if (c.noted) {
      EXPECT_EQ(narrowed->notes[0].id, "policy_widening_ignored");
    }
  }
}

TEST(Narrow, EveryKeyButThePresetHasACase) {
  std::set<std::string> covered, all;
  for (const NarrowCase& c : kNarrow)
    covered.insert(c.key);
  for (const KeyCase& c : kKeys)
    all.insert(c.key);
  for (const char* other_limit :
       {"preset", "max_deleted_lines", "max_deleted_files", "max_hunks", "max_patch_bytes",
        "max_line_bytes"})  // the same row maker as max_files
    all.erase(other_limit);
  EXPECT_EQ(covered, all);
}

TEST(Narrow, NoKeyCanWidenWhateverItsGoodValue) {
  for (const KeyCase& c : kKeys) {
    if (c.key == "preset") continue;
    SCOPED_TRACE(c.key);
    const PatchPolicy asked =
        parse_config(yaml_with(c.key, c.good_yaml), "gatehouse.yaml").value().patch;
    const PatchPolicy base = default_patch_policy();
    const auto once = narrow(base, to_value(asked), "n");
    ASSERT_TRUE(once.has_value()) << once.error().message;
    const auto back = narrow(once->policy, to_value(base), "n");  // the base cannot undo it
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->policy, once->policy);
  }
}

TEST(Narrow, ThePolicyItselfChangesNothing) {
  for (const PatchPolicy& p : {default_patch_policy(), preset("ctcp").value()}) {
    const auto same = narrow(p, to_value(p), "n.json");
    ASSERT_TRUE(same.has_value()) << same.error().message;
    EXPECT_EQ(same->policy, p);
    EXPECT_TRUE(same->notes.empty());
  }
}

TEST(Narrow, NoteNamesSourceKeyAndBothValues) {
  const auto n = narrow(default_patch_policy(), Map{{"max_files", 9}}, "n.json");
  ASSERT_TRUE(n.has_value());
  EXPECT_EQ(n->notes.at(0).message,
            "n.json: max_files: 9 is wider than the policy's 5 and was ignored");
}

TEST(Narrow, DefectiveDocumentsAreRefused) {
  struct Case {
    std::string document, message;
    Code code;
  };
  const Case kCases[] = {
      {"[]", "n.json: the document: expected a mapping of keys", Code::policy_not_object},
      {R"({"max_file":1})",
       "n.json: unknown key 'max_file' in the document; did you mean "
       "'max_files'?",
       Code::policy_unknown_key},
      {R"({"max_files":0})", "n.json: max_files: expected an integer of 1 or more, found 0",
       Code::policy_bad_value},
      {R"({"max_files":1.5})", "n.json: max_files: expected an integer of 1 or more, found 1.5",
       Code::policy_bad_value},
      {R"({"preset":"ctcp"})", "n.json: preset: a run cannot choose a preset",
       Code::policy_bad_value},
      {R"({"full_rewrite":{"ratio":0.12345}})",
       "n.json: full_rewrite.ratio: expected a number above 0 and up to 1 with at most four "
       "decimals, found 0.12345",
       Code::policy_bad_value},
      {R"({"git":1})", "n.json: git: expected a mapping of keys", Code::policy_not_object},
      {R"({"git.path":"/x"})",
       "n.json: unknown key 'git.path' in the document; did you mean "
       "'git'?",
       Code::policy_unknown_key},
      {R"({"deny_prefixes":["/x"]})", "n.json: deny_prefixes[0]: '/x' is an absolute path",
       Code::policy_bad_path},
  };
  for (const Case& c : kCases) {
    const auto n = narrow(default_patch_policy(), wire::read_json(c.document).value(), "n.json");
    ASSERT_FALSE(n.has_value()) << c.document;
    EXPECT_EQ(n.error().message, c.message);
    EXPECT_EQ(n.error().code, c.code);
  }
}

}  // namespace
}  // namespace gh::policy
