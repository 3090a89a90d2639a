#include "syntax/plain_source.h"

#include <gtest/gtest.h>

namespace gh::syntax {
namespace {

// docs/reference/analysis.md, "What compilers read"
struct Case {
  Language language;
  std::string_view source, read;
};

TEST(PlainSource, ADotAtTheEndOfALineMovesToItsName) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"(bar.\n  baz)", "(bar\n  .baz)"},
      {"f(a[0].  \n\n b.\nc)", "f(a[0]  \n\n .b\n.c)"},
      {"x.\ny", "x.\ny"},  // no bracket: nobody can run it
      {"(1.\nif a else 2)", "(1.\nif a else 2)"},
      {"(...\nif a else 2)", "(...\nif a else 2)"},
      {"('a.\nb', \"\"\"c.\nd\"\"\")", "('a.\nb', \"\"\"c.\nd\"\"\")"},
      {"(a, # b.\nc)", "(a, # b.\nc)"},
  };
  for (const auto& [source, read] : cases)
    EXPECT_EQ(with_dots_at_names(source).value_or(std::string(source)), read);
}

TEST(PlainSource, IsWhatCompilersRead) {
  const Case cases[] = {
      {Language::python, "x = 1 # c\rdef f():\r    pass\r", "x = 1 # c\ndef f():\n    pass\n"},
      {Language::python, "a\r\nb\rc", "a\r\nb\nc"},
      {Language::c, "// c\rint f;", "// c\nint f;"},
      {Language::cpp, "/* x *\\\n/ int f;\n", "/* x */ \n int f;\n"},
      {Language::c, "/\\\n/ int f;\n", "// \n int f;\n"},
      {Language::c, "/\\\n* a */", "/* \n a */"},
      {Language::c, "int a<:2:> = <%1, 2%>; %:define A %:%: B",
       "int a[ 2]  = { 1, 2} ; # define A # #  B"},
      {Language::cpp, "int x<::>;", "int x[]  ;"},
      {Language::cpp, "f<::g>(\"<%\", '\\''); // <:", "f<::g>(\"<%\", '\\''); // <:"},
      {Language::cpp, "int x = 1'000; int y<:1:>;", "int x = 1'000; int y[ 1] ;"},
      {Language::go, "<% %>", "<% %>"},
      {Language::java, "// c\rint f;", "// c\nint f;"},
      {Language::javascript, "let x = 1\rlet y\r\n", "let x = 1\nlet y\r\n"},
      {Language::typescript, "let x = 1\rlet y\n", "let x = 1\nlet y\n"},
      {Language::tsx, "let x = 1\rlet y\n", "let x = 1\nlet y\n"},
      {Language::java, "// c \\u000a int f;", "// c \n int f;"},
      {Language::java, "/* c \\u002a\\uu002f int f;", "/* c */ int f;"},
      {Language::java, "String s = \"\\\\u0022\";", "String s = \"\\\\u0022\";"},
      {Language::java, "\\u00e4 \\u00zz \\u12", "\\u00e4 \\u00zz \\u12"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(plain_source(c.language, c.source).value_or(std::string(c.source)), c.read);
}

TEST(PlainSource, IsMostlyTheSourceItself) {
  EXPECT_FALSE(plain_source(Language::python, "a\r\nb\n"));
  EXPECT_FALSE(plain_source(Language::go, "// a\rb"));
  EXPECT_FALSE(plain_source(Language::rust, "// a\rb"));
  EXPECT_FALSE(plain_source(Language::javascript, "// a\r\nb \\u000a"));
  EXPECT_EQ(plain_source(Language::c, "#define A \\\n  1\n"), "#define A \\\n  1\n");
}

}  // namespace
}  // namespace gh::syntax
