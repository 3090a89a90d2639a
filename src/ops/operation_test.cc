#include "ops/operation.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "base/text.h"
#include "ops/describe.h"
#include "ops/global_options.h"

namespace gh::ops {
namespace {

Result<Request> make(std::string_view words, RawRequest raw) {
  const Operation* op = find_operation(words);
  EXPECT_NE(op, nullptr) << words;
  return Request::make(*op, std::move(raw));
}

TEST(Operations, AreTheCommandsOfTheContract) {
  std::set<std::string_view> words;
  for (const Operation& op : operations())
    if (!op.hidden) words.insert(op.words);
  for (std::string_view wanted : {"check",
                                  "patch check",
                                  "patch apply",
                                  "patch explain",
                                  "patch canon",
                                  "patch bundle",
                                  "patch calibrate",
                                  "patch unfreeze",
                                  "audit log",
                                  "audit verify",
                                  "config show",
                                  "config validate",
                                  "rule list",
                                  "rule show",
                                  "doctor",
                                  "explain",
                                  "contract",
                                  "schema",
                                  "completion",
                                  "man",
                                  "version",
                                  "help",
                                  "proposal new",
                                  "proposal submit",
                                  "proposal lint",
                                  "proposal list",
                                  "proposal show",
                                  "proposal diff",
                                  "proposal review",
                                  "proposal withdraw",
                                  "proposal reject",
                                  "proposal promote",
                                  "proposal rollback",
                                  "proposal recover",
                                  "proposal verify",
                                  "proposal export",
                                  "receipt show",
                                  "receipt verify",
                                  "receipt export",
                                  "audit export",
                                  "db check",
                                  "db backup",
                                  "db migrate",
                                  "db vacuum",
                                  "release scan",
                                  "release findings",
                                  "release explain",
                                  "release explain-finding",
                                  "release apply-patches",
                                  "release baseline save",
                                  "release baseline verify",
                                  "release packet",
                                  "release init",
                                  "release detect",
                                  "release doctor",
                                  "release list-checks",
                                  "release fixture list",
                                  "release fixture run",
                                  "release fixture copy",
                                  "release fixture verify",
                                  "release inventory",
                                  "ci",
                                  "comment render",
                                  "comment post"})
    EXPECT_TRUE(words.contains(wanted)) << wanted;
}

TEST(Operations, NoOwnOptionHidesAGlobalOneButTheFormsOfFiles) {
  const std::set<std::string_view> with_forms{"check",          "receipt show", "receipt export",
                                              "receipt create", "release scan", "release packet",
                                              "release verify"};
  for (const Operation& op : operations())
    for (const Option& own : op.options)
      for (const Option& global : global_options())
        EXPECT_TRUE(own.name != global.name ||
                    (with_forms.contains(op.words) && own.name == "format"))
            << op.words << " " << own.name;
}

TEST(Operations, EveryChoiceListHoldsItsDefault) {
  for (const Operation& op : operations())
    for (const Option& option : op.options) {
      if (option.choices.empty() || option.fallback.empty()) continue;
      const auto choices = split(option.choices, ' ');
      EXPECT_NE(std::ranges::find(choices, option.fallback), choices.end()) << option.name;
    }
}

TEST(Operations, EveryExampleIsACommandOfItsRow) {
  for (const Operation& op : operations())
    for (const Example& example : op.examples) {
      EXPECT_TRUE(contains(example.command, "gatehouse " + std::string(op.words)))
          << example.command;
      EXPECT_FALSE(example.says.empty());
    }
}

TEST(Request, FillsDefaults) {
  const auto request = make("patch apply", {{}, {"fix.patch"}});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->text("land"), "worktree");
  EXPECT_EQ(request->text("FILE"), "fix.patch");
  EXPECT_FALSE(request->has("land"));
  EXPECT_FALSE(request->integer("max-files"));
}

TEST(Request, ReadsTypedValues) {
  const auto request = make("patch check", {{{"max-files", {"3"}}, {"profile", {"git"}}}, {"-"}});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->integer("max-files"), 3);
  EXPECT_EQ(request->text("profile"), "git");
  EXPECT_TRUE(request->has("profile"));
}

struct BadCase {
  std::string_view words;
  RawRequest raw;
  Code code;
  std::string message;
};

TEST(Request, RefusesWithTheReason) {
  const BadCase cases[] = {
      {"patch check",
       {{{"bas", {"x"}}}, {}},
       Code::unknown_option,
       "'patch check' has no option '--bas'; did you mean '--base'?"},
      {"patch check",
       {{{"max-files", {"0"}}}, {}},
       Code::bad_argument,
       "--max-files takes a whole number of 1 or more, not '0'"},
      {"patch check",
       {{{"max-files", {"3x"}}}, {}},
       Code::bad_argument,
       "--max-files takes a whole number of 1 or more, not '3x'"},
      {"patch check",
       {{{"max-files", {"99999999999999999999"}}}, {}},
       Code::bad_argument,
       "--max-files takes a whole number of 1 or more, not '99999999999999999999'"},
      {"patch check",
       {{{"profile", {"stric"}}}, {}},
       Code::bad_argument,
       "--profile takes one of strict, git, not 'stric'; did you mean 'strict'?"},
      {"patch check", {{{"base", {"a", "b"}}}, {}}, Code::bad_argument, "--base is given 2 times"},
      {"patch check",
       {{{"base", {""}}}, {}},
       Code::bad_argument,
       "--base takes a value, not an empty text"},
      {"patch check", {{}, {"a", "b"}}, Code::bad_argument, "'patch check' does not take 'b'"},
      {"explain",
       {{}, {}},
       Code::missing_argument,
       "'explain' needs ID: id of a rule, a check, an error or a finding, e.g. max_files"},
      {"completion",
       {{}, {"fsh"}},
       Code::bad_argument,
       "SHELL takes one of bash, zsh, fish, not 'fsh'; did you mean 'zsh'?"},
      {"check",
       {{{"staged", {"maybe"}}}, {}},
       Code::bad_argument,
       "--staged takes one of true, false, not 'maybe'"},
  };
  for (const BadCase& c : cases) {
    const auto request = make(c.words, c.raw);
    ASSERT_FALSE(request) << c.message;
    EXPECT_EQ(request.error().code, c.code);
    EXPECT_EQ(request.error().message, c.message);
  }
}

TEST(OperationRequest, ADurationIsANumberOfSecondsOrHasAUnit) {
  const Operation& renew = *find_operation("change renew");
  const auto seconds = [&](const char* text) -> std::optional<std::int64_t> {
    auto request = Request::make(renew, {.options = {{"lease", {text}}}, .operands = {}});
    return request ? request->seconds("lease") : std::nullopt;
  };
  EXPECT_EQ(seconds("90"), 90);
  EXPECT_EQ(seconds("90s"), 90);
  EXPECT_EQ(seconds("15m"), 900);
  EXPECT_EQ(seconds("2h"), 7'200);
  EXPECT_EQ(seconds("7d"), 604'800);
  for (const char* text : {"", "s", "-1s", "1.5h", "1w", "99999999999999999999d"})
    EXPECT_FALSE(seconds(text)) << text;
}

TEST(Help, OverviewFitsAScreen) {
  const std::string text = render_overview({});
  EXPECT_LE(std::ranges::count(text, '\n'), 24);
  for (std::string_view line : split(text, '\n'))
    EXPECT_LE(line.size(), 100u) << line;
}

TEST(Help, EveryCommandNamesItsOptionsExamplesAndExitCodes) {
  for (const Operation& op : operations()) {
    const std::string text = render_long_help(op, {});
    SCOPED_TRACE(op.words);
    for (const Option& option : op.options)
      EXPECT_TRUE(contains(text, option_form(option))) << option.name;
    for (const Example& example : op.examples)
      EXPECT_TRUE(contains(text, example.command));
    EXPECT_TRUE(contains(text, "EXIT CODES"));
  }
}

}  // namespace
}  // namespace gh::ops
