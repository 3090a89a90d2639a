// .pre-commit-hooks.yaml: what people name in the configuration of pre-commit (interfaces 3).
#include <gtest/gtest.h>
#include <regex.h>

#include "base/text.h"
#include "model/peek.h"
#include "sys/files.h"
#include "tests/gatehouse_binary.h"
#include "wire/json.h"
#include "wire/yaml.h"

namespace gh::testing {
namespace {

List hooks_of_the_file() {
  const auto text = sys::read_file(".pre-commit-hooks.yaml", 1 << 16);
  if (!text) return {};
  const auto read = wire::read_yaml(*text, "hooks", wire::YamlDialect::strict);
  return read && read->root.as_list() != nullptr ? *read->root.as_list() : List{};
}

TEST(PreCommitFile, HasFourHooksThatTheProgramKnows) {
  struct Row {
    const char *id, *entry, *stages;
    bool all_files, always;
  };
  const Row rows[] = {
      {"gatehouse", "gatehouse hook git pre-commit", R"(["pre-commit"])", true, true},
      {"gatehouse-msg", "gatehouse hook git commit-msg", R"(["commit-msg"])", false, false},
      {"gatehouse-push", "gatehouse hook git pre-push", R"(["pre-push"])", true, true},
      {"gatehouse-release", "gatehouse release scan --format none", R"(["pre-commit","pre-push"])",
       true, false},
  };
  const List hooks = hooks_of_the_file();
  ASSERT_EQ(hooks.size(), std::size(rows));
  for (std::size_t i = 0; i < hooks.size(); ++i) {
    const Peek hook(hooks[i]);
    EXPECT_EQ(hook["id"].text(), rows[i].id);
    EXPECT_EQ(hook["entry"].text(), rows[i].entry);
    EXPECT_EQ(hook["language"].text(), "system");
    EXPECT_EQ(wire::canonical_json(Value(hook["stages"].list())), rows[i].stages);
    EXPECT_EQ(hook["always_run"].is_true(), rows[i].always);
    // A message file is handed over by its name; nobody else is given names.
    EXPECT_EQ(hook["pass_filenames"].exists(), rows[i].all_files);
    std::vector<std::string> words;
    for (const std::string_view word : split(rows[i].entry, ' '))
      words.emplace_back(word);
    words.erase(words.begin());
    words.emplace_back("--help");
    EXPECT_EQ(gatehouse(words, std::filesystem::current_path()).code, 0) << rows[i].entry;
  }
}

TEST(PreCommitFile, TheScanRunsWhereToolsAreDeclared) {
  const List hooks = hooks_of_the_file();
  ASSERT_FALSE(hooks.empty());
  const std::string files{Peek(hooks.back())["files"].text()};
  regex_t pattern{};
  ASSERT_EQ(regcomp(&pattern, files.c_str(), REG_EXTENDED | REG_NOSUB), 0) << files;
  const std::pair<const char*, bool> rows[] = {
      {"shipgate.yaml", true},   {"a/gatehouse.yml", true}, {".mcp.json", true},
      {"openapi-v2.json", true}, {"src/tools.json", true},  {"x/SKILL.md", true},
      {"prompts/a.txt", true},   {"policies/x", true},      {"src/main.cc", false},
      {"docs/prompts.md", false}};
  for (const auto& [path, runs] : rows)
    EXPECT_EQ(regexec(&pattern, path, 0, nullptr, 0) == 0, runs) << path;
  regfree(&pattern);
}

}  // namespace
}  // namespace gh::testing
