#include "ops/own_command.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "ops/hidden_options.h"
#include "ops/operation.h"

namespace gh::ops {
namespace {

std::string meant(std::string_view command) {
  std::vector<std::string> words;
  for (const std::string_view word : split(command, ' '))
    words.emplace_back(word);
  const OwnMeaning meaning = meaning_of(words);
  return fmt::format("{}{}{}", meaning.is_for_agents ? "" : "no ",
                     meaning.changes_tree ? "tree " : "", join(meaning.writes, " "));
}

struct Case {
  std::string_view command, meant;
};

TEST(OwnCommand, WhatItsWordsNameIsWritten) {
  constexpr Case kCases[] = {
      {"status", ""},
      {"analyze", "tree "},
      {"analyze --html x.html", "tree x.html"},
      {"analyze --html=x", "tree x"},
      {"analyze --html src", "tree gatehouse-reports/analysis.html"},
      {"analyze --html --md --out r", "tree r"},
      {"analyze --json-file=a --sarif b.sarif --text=c --md=d", "tree d b.sarif c a"},
      {"analyze --update-baseline", "tree gatehouse.baseline.json"},
      {"analyze --update-baseline --baseline b", "tree b"},
      {"analyze --update-metrics-baseline --metrics-baseline=m", "tree m"},
      {"analyze --baseline b", "tree "},
      {"baseline save", "tree gatehouse.baseline.json"},
      {"baseline save --baseline b", "tree b"},
      {"baseline update --baseline=b --metrics-only", "tree b"},
      {"baseline show --baseline b", ""},
      {"db backup f", "f"},
      {"-C x --json db --verbose backup f", "f"},
      {"db backup -- -f", "-f"},
      {"db backup --field a f", "f"},
      {"mcp --stdio --log-file f", "f"},
      {"mcp --repo r --log-file=f", "f"},
      {"check --report sarif=a --report json=- --report=junit=b/c.xml", "a b/c.xml"},
      {"release verify --report sarif=a", "tree gatehouse-reports a"},
      {"serve --token-file t --listen x", "t"},
      {"serve --repo a b --token-file t", "t"},
      {"patch apply p --run-dir d", "tree d"},
      {"proposal new --out d", "tree d"},
      {"proposal review x --out d", "d"},
      {"proposal rebase x --out d", "d"},
      {"proposal sync d", "tree d"},
      {"change start --goal g --allow a b", ""},
      {"db backup f --help", ""},
      {"nonsense --out x", ""},
      {"", ""},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(meant(c.command), c.meant) << c.command;
}

TEST(OwnCommand, WhatIsForPeopleAndHostsIsNotForAgents) {
  constexpr Case kCases[] = {
      {"init", "no tree "},
      {"init --yes", "no tree "},
      {"init --uninstall --yes", "no tree "},
      {"init -yn", "no tree "},
      {"init --dry-run", ""},
      {"init -n", ""},
      {"init --check", ""},
      {"init --dry-run --no-dry-run", "no tree "},
      {"init --dry-run=false", "no tree "},
      {"init --host --dry-run", "no tree "},
      {"hook uninstall", "no tree "},
      {"hook claude", "no "},
      {"hook codex --event x", "no "},
      {"hook cursor", "no "},
      {"hook vscode", "no "},
      {"hook gemini", "no "},
      {"hook test --path a", ""},
      {"hook install", "tree "},
      {"hook git pre-commit", ""},
      {"hook status", ""},
      {"patch unfreeze --run r --reason x", "no "},
      {"release inventory --mcp-url http://localhost:1/mcp", "no "},
      {"proposal promote x", "no tree "},
      {"proposal promote x --dry-run", ""},
      {"proposal reject x", "no "},
      {"proposal rollback x", "no tree "},
      {"proposal queue", "no tree "},
      {"proposal queue --dry-run", ""},
      {"proposal review x --verdict ok", ""},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(meant(c.command), c.meant) << c.command;
}

/// Every option and operand that is written, typed out again. Whoever adds one adds it here.
TEST(OwnCommand, TheTableSaysOfEachFileWhetherItIsWritten) {
  const std::set<std::string> expected{"analyze --html",
                                       "analyze --md",
                                       "analyze --sarif",
                                       "analyze --text",
                                       "analyze --json-file",
                                       "analyze --out",
                                       "baseline save --baseline",
                                       "baseline update --baseline",
                                       "check --report",
                                       "ci --out",
                                       "ci --report",
                                       "db backup FILE",
                                       "mcp --log-file",
                                       "patch apply --run-dir",
                                       "proposal new --out",
                                       "proposal rebase --out",
                                       "proposal review --out",
                                       "proposal sync DIR",
                                       "release inventory --out",
                                       "release inventory --writable",
                                       "release baseline save --out",
                                       "release fixture copy --to",
                                       "release fixture run --out",
                                       "release packet --out",
                                       "release scan --out",
                                       "release scan --report",
                                       "release verify --attest",
                                       "release verify --out",
                                       "release verify --report",
                                       "serve --token-file"};
  std::set<std::string> found;
  for (const Operation& op : operations()) {
    for (const auto options : {op.options, hidden_options(op)})
      for (const Option& option : options) {
        if (is_written(option.completes))
          found.insert(fmt::format("{} --{}", op.words, option.name));
        const bool is_path =
            option.type == OptionType::path || option.type == OptionType::path_list;
        EXPECT_TRUE(!is_path || option.completes != Completes::nothing || option.name == "forbid")
            << op.words << " --" << option.name << ": is the file read or written?";
        // A help text that speaks of writing belongs to a file that is written.
        const bool says_so =
            is_path &&
            (option.help.starts_with("write") || option.help.starts_with("append") ||
             option.help.starts_with("also write") || contains(option.help, "folder for "));
        EXPECT_TRUE(!says_so || is_written(option.completes)) << op.words << " --" << option.name;
      }
    for (const Operand& operand : op.operands)
      if (is_written(operand.completes)) found.insert(fmt::format("{} {}", op.words, operand.name));
  }
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace gh::ops
