#include "cli/arguments.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace gh::cli {
namespace {

using Strings = std::vector<std::string>;

Invocation read(const Strings& args) {
  auto out = read_arguments(args);
  EXPECT_TRUE(out) << (out ? "" : out.error().message);
  return out ? *out : Invocation{};
}

Error error_of(const Strings& args) {
  auto out = read_arguments(args);
  EXPECT_FALSE(out);
  return out ? Error{Code::internal_error, "accepted", {}} : out.error();
}

TEST(Arguments, GlobalOptionsMayStandAnywhere) {
  for (const Strings& args :
       {Strings{"-C", "dir", "patch", "check", "--json", "x"},
        Strings{"patch", "-C", "dir", "--json", "check", "x"},
        Strings{"patch", "check", "x", "--json", "-Cdir"},
        Strings{"--directory=dir", "--format", "json", "patch", "check", "x"}}) {
    const Invocation i = read(args);
    ASSERT_NE(i.operation, nullptr);
    EXPECT_EQ(i.operation->words, "patch check");
    EXPECT_EQ(i.globals.folder, "dir");
    EXPECT_EQ(i.globals.format, Format::json);
    EXPECT_EQ(i.raw.operands, Strings{"x"});
  }
}

TEST(Arguments, OptionsMayFollowOperandsAndDashMeansInput) {
  const Invocation i = read({"patch", "apply", "-", "--land", "commit", "--ref=refs/heads/x"});
  EXPECT_EQ(i.raw.operands, Strings{"-"});
  EXPECT_EQ(i.raw.options.at("land"), Strings{"commit"});
  EXPECT_EQ(i.raw.options.at("ref"), Strings{"refs/heads/x"});
}

TEST(Arguments, DoubleDashEndsOptions) {
  const Invocation i = read({"patch", "check", "--", "--json"});
  EXPECT_EQ(i.raw.operands, Strings{"--json"});
  EXPECT_EQ(i.globals.format, Format::text);
}

TEST(Arguments, AValueThatMayBeLeftOutIsANumberOrTheUsualOne) {
  const auto given = [](Strings args) {
    args.insert(args.begin(), "analyze");
    return read(args).raw;
  };
  EXPECT_EQ(given({"--fail-complexity"}).options.at("fail-complexity"), Strings{"20"});
  EXPECT_EQ(given({"--fail-coupling"}).options.at("fail-coupling"), Strings{"10"});
  EXPECT_EQ(given({"--fail-cohesion"}).options.at("fail-cohesion"), Strings{"4"});
  EXPECT_EQ(given({"--fail-health"}).options.at("fail-health"), Strings{"60"});
  EXPECT_EQ(given({"--fail-health", "99"}).options.at("fail-health"), Strings{"99"});
  EXPECT_EQ(given({"--fail-health=99"}).options.at("fail-health"), Strings{"99"});
  EXPECT_EQ(given({"--fail-health", "-1"}).options.at("fail-health"), Strings{"-1"});
  EXPECT_EQ(given({"--fail-health", "src"}).operands, Strings{"src"});
  EXPECT_EQ(given({"--fail-health", "src"}).not_values.at("src"), "fail-health");
  EXPECT_EQ(given({"--html", "x.txt"}).not_values.at("x.txt"), "html");
  EXPECT_TRUE(given({"src", "--fail-health", "5", "--html=x.html"}).not_values.empty());
  EXPECT_EQ(given({"--fail-health", "--json"}).options.at("fail-health"), Strings{"60"});
  EXPECT_EQ(given({"--", "--fail-health"}).operands, Strings{"--fail-health"});
  EXPECT_EQ(error_of({"analyze", "--fail-threshold"}).code, Code::missing_argument);
}

TEST(Arguments, ExitCodesOfOtherToolsAreAskedForByName) {
  EXPECT_EQ(read({"version"}).globals.exits, ops::ExitMap::native);
  EXPECT_EQ(read({"version", "--exit-codes", "codeclone"}).globals.exits, ops::ExitMap::codeclone);
  EXPECT_EQ(read({"--exit-codes=shipgate", "version"}).globals.exits, ops::ExitMap::shipgate);
  EXPECT_EQ(error_of({"version", "--exit-codes", "other"}).code, Code::bad_argument);
  EXPECT_EQ(error_of({"check", "-", "--exit-review", "--exit-codes", "codeclone"}).code,
            Code::bad_argument);
  EXPECT_EQ(asked_exit_map(Strings{"x", "--exit-codes", "codeclone"}), ops::ExitMap::codeclone);
  EXPECT_EQ(asked_exit_map(Strings{"x", "--exit-codes=shipgate"}), ops::ExitMap::shipgate);
  EXPECT_EQ(asked_exit_map(Strings{"x", "--", "--exit-codes=shipgate"}), ops::ExitMap::native);
}

TEST(Arguments, AnEmptyNameInAListNamesNothing) {
  const auto files = [](Strings words) {
    words.insert(words.begin(), {"change", "finish"});
    const auto options = read(words).raw.options;
    const auto found = options.find("files");
    return found == options.end() ? Strings{"-"} : found->second;
  };
  EXPECT_EQ(files({"--files", "", "--session", "A"}), Strings{"-"});
  EXPECT_EQ(files({"--files", "a", "", "b"}), (Strings{"a", "b"}));
}

TEST(Arguments, AnOperandIsNeverTakenApart) {
  for (const char* operand : {"[a,b]", "a b", "a=b", "%1", "{x}"})
    EXPECT_EQ(read({"explain", operand}).raw.operands, Strings{operand});
}

TEST(Arguments, EveryFlagHasANegativeAndTheLastOneCounts) {
  EXPECT_EQ(read({"check", "--staged", "--no-staged"}).raw.options.at("staged"), Strings{"false"});
  EXPECT_EQ(read({"check", "--no-staged", "--staged"}).raw.options.at("staged"), Strings{"true"});
  EXPECT_EQ(read({"check", "--json", "--no-json"}).globals.format, Format::text);
  EXPECT_FALSE(read({"check", "--no-pager"}).globals.pager);
}

TEST(Arguments, VerbosityCounts) {
  EXPECT_EQ(read({"check", "-q"}).globals.verbosity, -1);
  EXPECT_EQ(read({"check", "-v"}).globals.verbosity, 1);
  EXPECT_EQ(read({"check", "-vv"}).globals.verbosity, 2);
  EXPECT_EQ(read({"check", "-v", "--verbose"}).globals.verbosity, 2);
}

TEST(Arguments, HelpAndVersionNeedNoValidRest) {
  EXPECT_TRUE(read({}).wants_overview);
  EXPECT_TRUE(read({"--help"}).wants_overview);
  EXPECT_TRUE(read({"-V"}).wants_version);
  EXPECT_TRUE(read({"explain", "--help"}).wants_help);
  EXPECT_EQ(read({"patch", "-h"}).help_group, "patch");
}

TEST(Arguments, ACommandMayHaveThreeWords) {
  EXPECT_EQ(read({"release", "baseline", "save"}).operation->words, "release baseline save");
  EXPECT_EQ(read({"release", "-q", "baseline", "--json", "verify"}).operation->words,
            "release baseline verify");
  EXPECT_EQ(read({"release", "fixture", "run", "x"}).raw.operands, Strings{"x"});
  EXPECT_EQ(read({"release", "baseline", "--help"}).help_group, "release baseline");
}

TEST(Arguments, TheOldNameHasTheCommandsOfTheGroup) {
  const auto ours = [](Strings args) { return join(from_old_name(args), " "); };
  EXPECT_EQ(ours({"scan", "-c", "x"}), "--exit-codes=shipgate release scan -c x");
  EXPECT_EQ(ours({"-C", "scan", "-q", "baseline", "save"}),
            "--exit-codes=shipgate -C scan -q release baseline save");
  EXPECT_EQ(ours({"evidence-packet"}), "--exit-codes=shipgate release packet");
  EXPECT_EQ(ours({"explain", "scan"}), "--exit-codes=shipgate release explain scan");
  EXPECT_EQ(ours({"contract", "--json"}), "--exit-codes=shipgate contract --json");
  EXPECT_EQ(ours({}), "--exit-codes=shipgate release --help");
  EXPECT_EQ(ours({"--help"}), "--exit-codes=shipgate release --help");
  const Strings native = from_old_name(Strings{"scan", "--exit-codes", "native"});
  EXPECT_EQ(read(native).globals.exits, ops::ExitMap::native);
  EXPECT_EQ(read(from_old_name(Strings{"scan"})).globals.exits, ops::ExitMap::shipgate);
}

struct BadCase {
  Strings args;
  Code code;
  std::string message;
};

TEST(Arguments, MistakesAreNamedAndTheNearestIsSuggested) {
  const BadCase cases[] = {
      {{"chekc"},
       Code::unknown_command,
       "'chekc' is not a command; did you mean 'gatehouse check'?"},
      {{"aply", "x"},
       Code::unknown_command,
       "'aply' is not a command; did you mean 'gatehouse patch apply'?"},
      {{"frobnicate"}, Code::unknown_command, "'frobnicate' is not a command"},
      {{"release", "baseline"},
       Code::missing_argument,
       "'release baseline' needs a command: save, verify"},
      {{"release", "baseline", "sav"},
       Code::unknown_command,
       "'release baseline' has no command 'sav'; did you mean 'save'?"},
      {{"release", "baseline-save"},
       Code::unknown_command,
       "'release' has no command 'baseline-save'"},
      {{"patch"},
       Code::missing_argument,
       "'patch' needs a command: check, apply, explain, impact, canon, bundle, calibrate, "
       "unfreeze"},
      {{"patch", "aplly"},
       Code::unknown_command,
       "'patch' has no command 'aplly'; did you mean 'apply'?"},
      {{"patch", "check", "--bas", "x"},
       Code::unknown_option,
       "'patch check' has no option '--bas'; did you mean '--base'?"},
      {{"patch", "check", "--jsno"},
       Code::unknown_option,
       "'patch check' has no option '--jsno'; did you mean '--json'?"},
      {{"--wat"}, Code::unknown_option, "there is no option '--wat'"},
      {{"patch", "check", "-x"}, Code::unknown_option, "'patch check' has no option '-x'"},
      {{"patch", "check", "--base"}, Code::missing_argument, "--base needs a value"},
      {{"patch", "check", "--base=", "x"},
       Code::bad_argument,
       "--base takes a value, not an empty text"},
      {{"status", "--format", "jsn"},
       Code::bad_argument,
       "--format takes one of text, json, ctcp, not 'jsn'; did you mean 'json'?"},
      {{"check", "--color", "purple"},
       Code::bad_argument,
       "--color takes one of auto, always, never, not 'purple'"},
      {{"check", "--json=out.json"},
       Code::bad_argument,
       "--json takes one of true, false, not 'out.json'"},
      {{"check", "--quiet=yes"}, Code::bad_argument, "--quiet takes one of true, false, not 'yes'"},
      {{"--", "check"},
       Code::unknown_command,
       "'check' stands after --; the command comes before it"},
  };
  for (const BadCase& c : cases) {
    const Error error = error_of(c.args);
    EXPECT_EQ(error.message, c.message);
    EXPECT_EQ(to_string(error.code), to_string(c.code)) << c.message;
  }
}

TEST(Arguments, AnOwnFormatThatKnowsJsonMeansIt) {
  EXPECT_EQ(read_arguments(Strings{"check", "--format", "json"})->globals.format, Format::json);
  EXPECT_EQ(read_arguments(Strings{"check", "--format", "sarif"})->globals.format, Format::text);
  EXPECT_EQ(read_arguments(Strings{"release", "verify", "--format", "json"})->globals.format,
            Format::json);
  EXPECT_EQ(read_arguments(Strings{"release", "scan", "--format", "json"})->globals.format,
            Format::text);
}

TEST(Arguments, JsonWishIsSeenInWrongArguments) {
  EXPECT_TRUE(asks_for_json(Strings{"chekc", "--json"}));
  EXPECT_TRUE(asks_for_json(Strings{"--format", "json", "x"}));
  EXPECT_TRUE(asks_for_json(Strings{"--format=json"}));
  EXPECT_FALSE(asks_for_json(Strings{"x", "--", "--json"}));
  EXPECT_FALSE(asks_for_json(Strings{"--json", "--no-json"}));
}

}  // namespace
}  // namespace gh::cli
