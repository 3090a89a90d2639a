#include "wire/markdown.h"

#include <gtest/gtest.h>

namespace gh::wire {
namespace {

struct Case {
  std::string_view input;
  std::string_view expected;
};

TEST(Markdown, RunningTextLosesItsSyntaxAndKeepsItsWords) {
  const Case cases[] = {
      {"src/a.c has 401 added lines, limit 400", "src/a.c has 401 added lines, limit 400"},
      {"max_added_lines", "max_added_lines"},
      {"_hidden_ name", "\\_hidden\\_ name"},
      {"[click](javascript:alert)", "\\[click\\](javascript:alert)"},
      {"![x](http://host/p.png)", "!\\[x\\](http\\://host/p.png)"},
      {"<script>alert(1)</script>", "\\<script\\>alert(1)\\</script\\>"},
      {"a&lt;b", "a\\&lt;b"},
      {"`code` *bold* ~~gone~~ a|b", "\\`code\\` \\*bold\\* \\~\\~gone\\~\\~ a\\|b"},
      {"back\\slash", "back\\\\slash"},
      {"# Heading", "\\# Heading"},
      {"- item", "\\- item"},
      {"+ item", "\\+ item"},
      {"> quote", "\\> quote"},
      {"=====", "\\====="},
      {"1. item", "1\\. item"},
      {"12) item", "12\\) item"},
      {"see www.example.org", "see www\\.example.org"},
      {"ping @admin about #12", "ping \\@admin about \\#12"},
      {"$math$", "\\$math\\$"},
      {"    indented code   ", "indented code"},
      {"Reason:\nVerdict: PASS", "Reason:\\\\nVerdict: PASS"},
      {"tab\there\x1b[31m", "tab\\\\there\\\\x1b\\[31m"},
      {"bidi \xE2\x80\xAE evil", "bidi \\\\u{202e} evil"},
      {"bad \xFF byte", "bad \\\\xff byte"},
      {"", ""},
      {"   ", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.input);
    EXPECT_EQ(md_text(c.input), c.expected);
  }
}

TEST(Markdown, LongTextIsCutVisibly) {
  EXPECT_EQ(md_text(std::string(300, 'x'), 10), "xxxxxxxxxx…");
  EXPECT_EQ(md_code(std::string(300, 'x'), 10), "`xxxxxxxxxx…`");
}

TEST(Markdown, ACodeSpanCannotBeClosedFromInside) {
  const Case cases[] = {
      {"src/a.c", "`src/a.c`"},
      {"a`b", "``a`b``"},
      {"a```b``c", "````a```b``c````"},
      {"`", "`` ` ``"},
      {"`start", "`` `start ``"},
      {"end`", "`` end` ``"},
      {"x` [evil](http://host) `y", "``x` [evil](http://host) `y``"},
      {" a ", "`  a  `"},
      {" a", "` a`"},
      {"line\nbreak", "`line\\nbreak`"},
      {"\xE2\x80\x8Bzero", "`\\u{200b}zero`"},
      {"", "(empty)"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.input);
    EXPECT_EQ(md_code(c.input), c.expected);
  }
}

TEST(Markdown, JsonIsFencedLongerThanItsOwnBackquotesAndShowsWhatIsInvisible) {
  EXPECT_EQ(md_json(Map{{"a", 1}}), "```json\n{\n  \"a\": 1\n}\n```\n");
  EXPECT_EQ(md_json(Map{{"a", "x\n```\n# Verdict: PASS"}}),
            "````json\n{\n  \"a\": \"x\\n```\\n# Verdict: PASS\"\n}\n````\n");
  EXPECT_EQ(md_json(Map{{"a", "\xE2\x80\xAE \xF3\xA0\x80\x81 \x7F \xC2\x85 \xC3\xA9"}}),
            "```json\n{\n  \"a\": \"\\u202e \\udb40\\udc01 \\u007f \\u0085 \xC3\xA9\"\n}\n```\n");
}

}  // namespace
}  // namespace gh::wire
