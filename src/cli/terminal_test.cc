#include "cli/terminal.h"

#include <map>

#include <gtest/gtest.h>

namespace gh::cli {
namespace {

class FakeEnv final : public sys::Env {
 public:
  explicit FakeEnv(std::map<std::string, std::string, std::less<>> variables)
      : variables_(std::move(variables)) {}
  Timestamp now() override { return {}; }
  std::int64_t monotonic_ms() override { return 0; }
  std::string random_hex(std::size_t digits) override { return std::string(digits, '0'); }
  std::string variable(std::string_view name) override {
    const auto it = variables_.find(name);
    return it == variables_.end() ? "" : it->second;
  }
  std::uint32_t user_id() override { return 0; }
  std::int64_t process_id() override { return 1; }
  std::string host_name() override { return "host"; }

 private:
  std::map<std::string, std::string, std::less<>> variables_;
};

using Variables = std::map<std::string, std::string, std::less<>>;

bool colour(const Variables& variables, bool is_terminal, When when = When::automatic) {
  FakeEnv env(variables);
  Globals globals;
  globals.colour = when;
  return choose_look(globals, {}, env, is_terminal).colour;
}

TEST(Pager, IsTheOneThatTheVariablesName) {
  using Words = std::vector<std::string>;
  const auto pager = [](const Variables& variables) {
    FakeEnv env(variables);
    return pager_command(env);
  };
  EXPECT_EQ(pager({}), (Words{"less", "-FRX"}));
  EXPECT_EQ(pager({{"PAGER", "a-pager-of-a-long-name  --with-an-option and-a-word"}}),
            (Words{"a-pager-of-a-long-name", "--with-an-option", "and-a-word"}));
  EXPECT_EQ(pager({{"PAGER", "more"}, {"GATEHOUSE_PAGER", "cat"}}), (Words{"cat"}));
  EXPECT_EQ(pager({{"PAGER", " "}}), (Words{"less", "-FRX"}));
}

TEST(Look, ColourFollowsTerminalVariablesAndOption) {
  EXPECT_TRUE(colour({}, true));
  EXPECT_FALSE(colour({}, false));
  EXPECT_FALSE(colour({{"TERM", "dumb"}}, true));
  EXPECT_FALSE(colour({{"NO_COLOR", "1"}}, true));
  EXPECT_TRUE(colour({{"NO_COLOR", ""}}, true));
  EXPECT_TRUE(colour({{"CLICOLOR_FORCE", "1"}}, false));
  EXPECT_FALSE(colour({{"CLICOLOR_FORCE", "0"}}, false));
  EXPECT_TRUE(colour({{"FORCE_COLOR", "yes"}, {"NO_COLOR", "1"}}, false));
  EXPECT_TRUE(colour({{"GITHUB_ACTIONS", "true"}}, false));
  EXPECT_TRUE(colour({{"NO_COLOR", "1"}}, false, When::always));
  EXPECT_FALSE(colour({{"FORCE_COLOR", "1"}}, true, When::never));
}

TEST(Look, SymbolsNeedAUtf8Locale) {
  const auto ascii = [](const Variables& variables) {
    FakeEnv env(variables);
    return choose_look({}, {}, env, false).ascii;
  };
  EXPECT_TRUE(ascii({}));
  EXPECT_TRUE(ascii({{"LC_ALL", "C"}, {"LANG", "en_US.UTF-8"}}));
  EXPECT_FALSE(ascii({{"LANG", "de_DE.utf8"}}));
  EXPECT_FALSE(ascii({{"LC_CTYPE", "C.UTF-8"}, {"LANG", "C"}}));
}

TEST(Look, WidthIsTheTerminalsWithinReason) {
  FakeEnv env({});
  EXPECT_EQ(choose_look({}, {false, false, 132, 40}, env, false).width, 132);
  EXPECT_EQ(choose_look({}, {false, false, 5, 40}, env, false).width, 40);
}

}  // namespace
}  // namespace gh::cli
