#include "pdf/document.h"

#include <gtest/gtest.h>

#include "model/peek.h"
#include "wire/json.h"

namespace gh::pdf {
namespace {

TEST(PdfDocument, WhatCannotBeSeenIsWritten) {
  EXPECT_EQ(visible("plain, Ærø, 返金\nnext"), "plain, Ærø, 返金\nnext");
  EXPECT_EQ(visible("safe\u202Eexe.gpj"), "safe\\u{202e}exe.gpj");
  EXPECT_EQ(visible("a\x1b[2Jb\tc\r\n"), "a\\x1b[2Jb\\tc\\r\n");
  EXPECT_EQ(visible("x\u200By"), "x\\u{200b}y");
  EXPECT_EQ(visible("\xff"), "\\xff");
  EXPECT_EQ(visible(""), "");
}

TEST(PdfDocument, ComesBackAsItWentOut) {
  const Document document{"T",
                          "H",
                          "F",
                          "2026-01-02T03:04:05Z",
                          {Heading{2, "h"}, Paragraph{"p", Tone::warning}, Bullets{{"a", "b"}},
                           Preformatted{"c\nd"}, Banner{"W", "t", Tone::bad},
                           Table{{{"one", 2, true}, {"two", 3, false}}, {{"1", "2"}, {"3"}}}}};
  const auto value = to_value(document);
  ASSERT_TRUE(value);
  const auto again = read_document(*value);
  ASSERT_TRUE(again);
  EXPECT_EQ(wire::canonical_json(*to_value(*again)), wire::canonical_json(*value));
  EXPECT_EQ(again->blocks.size(), 6u);
}

TEST(PdfDocument, HasBounds) {
  Document wide{"", "", "", "", {Table{std::vector<Column>(kMaxColumns + 1), {}}}};
  EXPECT_FALSE(to_value(wide));
  Document tall{
      "", "", "", "", {Table{{{"a"}}, std::vector<std::vector<std::string>>(kMaxRows + 1)}}};
  EXPECT_FALSE(to_value(tall));
  EXPECT_FALSE(to_value(Document{"", "", "", "", std::vector<Block>(kMaxBlocks + 1)}));
}

TEST(PdfDocument, AnythingElseIsRefused) {
  for (const char* text : {"{}", "[]", "null", R"({"schema":"gatehouse.pdf_document/2"})",
                           R"({"schema":"gatehouse.pdf_document/1","blocks":[{"type":"script"}]})",
                           R"({"schema":"gatehouse.pdf_document/1","blocks":[7]})"})
    EXPECT_FALSE(read_document(*wire::read_json(text))) << text;
}

}  // namespace
}  // namespace gh::pdf
