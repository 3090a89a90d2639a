// The program gatehouse-pdf, judged by programs of others that read PDF.
#include <algorithm>

#include <gtest/gtest.h>

#include "base/text.h"
#include "pdf/engine.h"
#include "tests/gatehouse_binary.h"

namespace gh::testing {
namespace {

using namespace gh::pdf;

Document document_with(std::vector<Block> blocks) {
  return {"A title", "the header", "the footer", "", std::move(blocks)};
}

class PdfRender : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto found = find_engine(gatehouse_path());
    ASSERT_TRUE(found) << "gatehouse-pdf is not beside the program";
    engine_ = *found;
  }
  std::string printed(const Document& document) {
    const auto bytes = render(engine_, document);
    EXPECT_TRUE(bytes) << bytes.error().message;
    return bytes ? *bytes : "";
  }
  std::string judged(const std::string& pdf, std::vector<std::string> argv) {
    const std::string path = folder_.path() + "/a.pdf";
    EXPECT_TRUE(sys::write_scratch_file(path, pdf));
    std::ranges::replace(argv, std::string("PDF"), path);
    const Ran ran = run_program(argv, folder_.path());
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    return ran.out;
  }
  std::string text_of(const std::string& pdf) {
    return judged(pdf, {"/usr/bin/pdftotext", "-raw", "-enc", "UTF-8", "PDF", "-"});
  }
  std::string info_of(const std::string& pdf) { return judged(pdf, {"/usr/bin/pdfinfo", "PDF"}); }

  std::string engine_;
  sys::TempDir folder_ = *sys::TempDir::create("/tmp", "gh-pdf-");
};

/// Each of these stands in the text, behind the one before it.
void expect_in_order(const std::string& text, const std::vector<std::string>& words) {
  std::size_t at = 0;
  for (const std::string& word : words) {
    const std::size_t found = text.find(word, at);
    EXPECT_NE(found, std::string::npos) << word << " is not behind the others in:\n" << text;
    if (found != std::string::npos) at = found + word.size();
  }
}

TEST_F(PdfRender, TextCanBeSelectedInTheOrderOfTheDocument) {
  const std::string text = text_of(printed(document_with(
      {Heading{1, "Release packet"}, Banner{"BLOCKED", "One finding blocks.", Tone::bad},
       Heading{2, "Decision"}, Paragraph{"A paragraph of words."}, Bullets{{"first", "second"}},
       Preformatted{"{\n  \"a\": 1\n}"},
       Table{{{"Check"}, {"Tool"}}, {{"SHIP-A", "pay.refund"}, {"SHIP-B", "pay.charge"}}}})));
  expect_in_order(text, {"the header", "Release packet", "BLOCKED", "One finding blocks.",
                         "Decision", "A paragraph of words.", "first", "second", "\"a\": 1",
                         "Check", "Tool", "SHIP-A", "pay.refund", "SHIP-B", "pay.charge"});
  EXPECT_NE(text.find("the footer"), std::string::npos);
  EXPECT_NE(text.find("Page 1 of 1"), std::string::npos);
}

TEST_F(PdfRender, EveryPageIsNumberedAndRepeatsTheHeadOfItsTable) {
  Table table{{{"Number", 1}, {"Sentence", 4}}, {}};
  for (int i = 0; i < 300; ++i)
    table.rows.push_back({fmt::format("row-{}", i), "Words that fill the cell of this row."});
  const std::string pdf = printed(document_with({table}));
  const std::string info = info_of(pdf);
  const std::size_t at = info.find("Pages:");
  ASSERT_NE(at, std::string::npos) << info;
  const int pages = std::atoi(info.c_str() + at + 6);
  EXPECT_GT(pages, 5);
  std::vector<std::string> expected;
  for (int page = 1; page <= pages; ++page)
    expected.push_back(fmt::format("Page {} of {}", page, pages));
  const std::string text = text_of(pdf);
  expect_in_order(text, expected);
  std::size_t heads = 0;
  for (std::size_t from = text.find("Number"); from != std::string::npos;
       from = text.find("Number", from + 1))
    ++heads;
  EXPECT_EQ(heads, static_cast<std::size_t>(pages));
  for (int i = 0; i < 300; ++i)
    EXPECT_NE(text.find(fmt::format("row-{}", i)), std::string::npos) << i;
}

TEST_F(PdfRender, ACellLongerThanAPageGoesOnOnTheNext) {
  std::string words;
  for (int i = 0; i < 3000; ++i)
    words += fmt::format("w{} ", i);
  const std::string pdf =
      printed(document_with({Table{{{"A"}, {"B"}}, {{words, "beside"}, {"after", "it"}}}}));
  const std::string text = text_of(pdf);
  for (const int i : {0, 1499, 2999})
    EXPECT_NE(text.find(fmt::format("w{}", i)), std::string::npos) << i;
  EXPECT_NE(text.find("after"), std::string::npos);
}

TEST_F(PdfRender, TheSameDocumentGivesTheSameBytesAndNoTime) {
  const Document document =
      document_with({Heading{1, "Ærø 返金"}, Paragraph{std::string(5000, 'x')}});
  const std::string once = printed(document);
  EXPECT_EQ(once, printed(document));
  EXPECT_EQ(info_of(once).find("CreationDate"), std::string::npos);
  Document dated = document;
  dated.created = "2026-01-02T03:04:05Z";
  EXPECT_NE(info_of(printed(dated)).find("CreationDate"), std::string::npos);
}

TEST_F(PdfRender, NamesOfOtherScriptsAreReadBackAndHiddenCharactersAreShown) {
  const std::string text = text_of(printed(document_with(
      {Paragraph{"Zażółć, Ελληνικά, Русский"}, Paragraph{"发布门控 リリース"},
       Paragraph{"safe\u202Eexe.gpj \x1b[31m"}, Paragraph{"\U0001F9EA and \u0928"}})));
  for (const char* shown : {"Zażółć, Ελληνικά, Русский", "发布门控", "リリース",
                            "safe\\u{202e}exe.gpj", "\\x1b[31m", "\\u{1f9ea} and \\u{928}"})
    EXPECT_NE(text.find(shown), std::string::npos) << shown << " in\n" << text;
}

TEST_F(PdfRender, FontsAreEmbeddedAsSubsets) {
  const std::string fonts = judged(printed(document_with({Paragraph{"a"}, Preformatted{"b"}})),
                                   {"/usr/bin/pdffonts", "PDF"});
  EXPECT_NE(fonts.find("+LiberationSans"), std::string::npos) << fonts;
  EXPECT_NE(fonts.find("+LiberationMono"), std::string::npos) << fonts;
  EXPECT_EQ(fonts.find(" no "), fonts.rfind(" no ")) << fonts;
}

TEST_F(PdfRender, AnEmptyDocumentIsOnePage) {
  EXPECT_NE(info_of(printed(document_with({}))).find("Pages:           1\n"), std::string::npos);
}

TEST_F(PdfRender, WhatIsNoDocumentIsRefusedByTheProgram) {
  for (const char* input : {"", "{", "[]", "{\"schema\":\"x\"}", "\xff\xfe"}) {
    const Ran ran = run_program({engine_}, "/", input);
    EXPECT_EQ(ran.code, 3) << input;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err, "");
  }
}

TEST(PdfEngine, IsMissingWhereNobodyInstalledIt) {
  EXPECT_FALSE(find_engine("/nonexistent/gatehouse"));
}

TEST(PdfEngine, AProgramThatIsNoneIsAnError) {
  EXPECT_FALSE(render("/bin/true", document_with({})));
  EXPECT_FALSE(render("/bin/cat", document_with({})));
  EXPECT_FALSE(render("/nonexistent/gatehouse-pdf", document_with({})));
}

}  // namespace
}  // namespace gh::testing
