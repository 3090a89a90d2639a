#include "wire/document.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace gh::wire {
namespace {

void expect_mark(const Document& document, std::string_view pointer, Mark want) {
  const Mark mark = document.mark_of(pointer);
  EXPECT_EQ(mark.line, want.line) << pointer;
  EXPECT_EQ(mark.column, want.column) << pointer;
  EXPECT_EQ(mark.end_line, want.end_line) << pointer;
}

TEST(Document, JsonHasPlacesLikeYaml) {
  const auto document = read_document(
      "\n{\n  \"tools\": [\n    {\"name\": \"a\",\n     \"x\": \"\\\"}\"},\n    7\n  ]\n}\n",
      "t.json");
  ASSERT_TRUE(document) << document.error().message;
  expect_mark(*document, "", {2, 1, 8});
  expect_mark(*document, "/tools", {3, 3, 7});
  expect_mark(*document, "/tools/0", {4, 5, 5});
  expect_mark(*document, "/tools/0/x", {5, 6, 5});
  expect_mark(*document, "/tools/1", {6, 5, 6});
}

TEST(Document, YamlSaysWhereAValueEnds) {
  const auto document = read_document(
      "tools:\n  - name: a\n    text: |\n      one\n      two\n  - {name: b,\n     more: c}\nlast: "
      "x\n",
      "t.yaml");
  ASSERT_TRUE(document) << document.error().message;
  expect_mark(*document, "/tools", {1, 1, 7});
  expect_mark(*document, "/tools/0", {2, 5, 5});
  expect_mark(*document, "/tools/0/text", {3, 5, 5});
  expect_mark(*document, "/tools/1", {6, 5, 7});
  expect_mark(*document, "/last", {8, 1, 8});
}

TEST(Document, ColumnsCountCodePoints) {
  const auto document = read_document("{\"\xC3\xA9\": 1, \"b\": 2}", "t.json");
  ASSERT_TRUE(document);
  expect_mark(*document, "/b", {1, 10, 1});
}

TEST(Document, TheLastOfEqualKeysCountsWithItsPlace) {
  const auto document = read_document("{\"a\": 1,\n\"b\": 2,\n\"a\": 3}", "t.json");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->root.as_map()->find("a")->as_int()[0], 3);
  expect_mark(*document, "/a", {3, 1, 3});
  expect_mark(*document, "/b", {2, 1, 2});
}

TEST(Document, TheFormatFollowsTheNameOrTheFirstCharacter) {
  EXPECT_EQ(format_of("a.JSON", "x"), DocumentFormat::json);
  EXPECT_EQ(format_of("a.yaml", " \n["), DocumentFormat::json);
  EXPECT_EQ(format_of("a.yaml", "a: {}"), DocumentFormat::yaml);
  EXPECT_EQ(format_of("son", ""), DocumentFormat::yaml);
}

TEST(Document, AByteOrderMarkIsSkipped) {
  EXPECT_TRUE(read_document("\xEF\xBB\xBF{}", "t.json"));
  EXPECT_TRUE(
      read_document("\xEF\xBB\xBF"
                    "a: 1",
                    "t.yaml"));
}

// docs/reference/tool-surface.md, "Hostile input".
TEST(Document, HostileTextsAreRefusedWithAPlace) {
  const std::string deep(200'000, '[');
  std::string bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c < 'j'; ++c)
    bomb += std::string(1, c) + ": &" + c + " [" + [&] {
      std::string list;
      for (int i = 0; i < 10; ++i)
        list += std::string(i > 0 ? "," : "") + "*" + static_cast<char>(c - 1);
      return list;
    }() + "]\n";
  for (const auto& [text, name] :
       {std::pair<std::string, const char*>{"{\"a\": \"\xFF\"}", "t.json"},
        {"a: \xFF", "t.yaml"},
        {deep, "t.json"},
        {bomb, "t.yaml"},
        {"{\"n\": 1e999}", "t.json"},
        {"n: .inf", "t.yaml"},
        {"{\"a\": \"\\ud800\"}", "t.json"},
        {std::string("{\"a\": \0}", 8), "t.json"},
        {std::string("a: \0", 4), "t.yaml"},
        {"a: !!python/object x", "t.yaml"},
        {"{\"a\": 1,}", "t.json"}}) {
    const auto document = read_document(text, name);
    ASSERT_FALSE(document) << name << " " << text.substr(0, 40);
    EXPECT_TRUE(document.error().message.starts_with(std::string(name) + ":1:") ||
                contains(document.error().message, std::string(name) + ":"))
        << document.error().message;
  }
}

TEST(Document, AFileBeyondTheLimitIsRefusedWithBothSizes) {
  const auto document = read_document(std::string(10'485'761, ' '), "t.json");
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, Code::document_too_large);
  EXPECT_TRUE(contains(document.error().message, "10485761 bytes, at most 10485760"));
}

TEST(Document, PointerPartsAreEscaped) { EXPECT_EQ(pointer_part("a/b~c"), "/a~1b~0c"); }

}  // namespace
}  // namespace gh::wire
