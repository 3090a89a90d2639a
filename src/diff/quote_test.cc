#include <gtest/gtest.h>

#include "diff/patch.h"

namespace gh::diff {
namespace {

struct QuoteCase {
  std::string_view name, written;
};

TEST(Quote, WritesNamesAsGitDoes) {
  using namespace std::string_view_literals;
  const QuoteCase cases[] = {
      {"plain.txt", "plain.txt"},
      {"with space", "with space"},
      {"tab\there", R"("tab\there")"},
      {"\a\b\f\n\r\t\v", R"("\a\b\f\n\r\t\v")"},
      {"q\"q", R"("q\"q")"},
      {"back\\slash", R"("back\\slash")"},
      {"nul\0"sv, R"("nul\000")"},
      {"\x01\x1f\x7f", R"("\001\037\177")"},
      {"caf\xc3\xa9", R"("caf\303\251")"},
      {"\xff", R"("\377")"},
      {"", ""},
  };
  for (const QuoteCase& c : cases)
    EXPECT_EQ(quote(c.name), c.written);
}

TEST(Quote, EveryByteComesBack) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string name = std::string("x") + static_cast<char>(byte) + "y";
    const std::string written = quote(name);
    if (!written.starts_with('"')) {
      EXPECT_EQ(written, name);
      continue;
    }
    const auto back = unquote(written);
    ASSERT_TRUE(back.has_value()) << byte;
    EXPECT_EQ(back->bytes, name);
    EXPECT_EQ(back->used, written.size());
  }
}

TEST(Unquote, StopsAtTheClosingQuoteAndSaysHowFarItRead) {
  const auto name = unquote(R"("a/x" "b/x")");
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->bytes, "a/x");
  EXPECT_EQ(name->used, 5u);
}

struct Refusal {
  std::string_view text;
  Rule rule;
};

TEST(Unquote, RefusesWhatGitNeverWrites) {
  const Refusal cases[] = {
      {R"(")", Rule::quote_unterminated},          {R"("abc)", Rule::quote_unterminated},
      {R"("abc\")", Rule::quote_unterminated},     {R"("abc\)", Rule::quote_unterminated},
      {R"("\0")", Rule::quote_invalid_escape},     {R"("\07")", Rule::quote_invalid_escape},
      {R"("\400")", Rule::quote_invalid_escape},   {R"("\08x")", Rule::quote_invalid_escape},
      {R"("\x41")", Rule::quote_invalid_escape},   {R"("\e")", Rule::quote_invalid_escape},
      {R"("\u0041")", Rule::quote_invalid_escape}, {"\"a\tb\"", Rule::name_control_char},
      {"\"a\x7f\"", Rule::name_control_char},      {"\"a\nb\"", Rule::name_control_char},
  };
  for (const Refusal& c : cases) {
    const auto name = unquote(c.text);
    ASSERT_FALSE(name.has_value()) << c.text;
    EXPECT_EQ(name.error(), c.rule) << c.text;
  }
}

}  // namespace
}  // namespace gh::diff
