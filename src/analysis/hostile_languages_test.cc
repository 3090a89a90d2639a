// No text makes a front end fall over or take for ever.
#include <gtest/gtest.h>

#include "analysis/extract.h"
#include "syntax/parse_memory.h"

namespace gh::analysis {
namespace {

using syntax::Language;
constexpr Language kLanguages[] = {Language::c, Language::cpp, Language::go, Language::rust};

TEST(HostileLanguages, AnyTokensInAnyOrder) {
  const std::string_view pieces[] = {"if",
                                     "else",
                                     "for",
                                     "while",
                                     "switch",
                                     "case 1:",
                                     "default:",
                                     "fn f",
                                     "func f",
                                     "int f",
                                     "(",
                                     ")",
                                     "{",
                                     "}",
                                     "[",
                                     "]",
                                     "<",
                                     ">",
                                     ",",
                                     ";",
                                     ":=",
                                     "=",
                                     "=>",
                                     "->",
                                     "::",
                                     "&&",
                                     "||",
                                     "?",
                                     "!",
                                     "#if X\n",
                                     "\n",
                                     "\"a",
                                     "'",
                                     "//",
                                     "/*",
                                     "*/",
                                     "match",
                                     "impl",
                                     "struct",
                                     "class",
                                     "try",
                                     "catch",
                                     "goto x",
                                     "x:",
                                     "return",
                                     "break",
                                     "use a::{",
                                     "mod m",
                                     "let",
                                     "operator",
                                     "template<",
                                     "namespace n",
                                     "#include \"a\"\n",
                                     "import \"a\"\n",
                                     "select",
                                     "defer",
                                     "=delete",
                                     "A::f",
                                     "T::operator int",
                                     "~T",
                                     "|x|",
                                     "..=",
                                     "macro!",
                                     "'a:",
                                     "#endif\n",
                                     "extern \"C\""};
  std::uint64_t seed = 7;
  Extractor extractor;
  for (int round = 0; round < 1500; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
      seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
      text += pieces[(seed >> 33) % std::size(pieces)];
      text += ' ';
    }
    for (const Language language : kLanguages)
      EXPECT_EQ(extractor.facts_of(language, text).bytes, text.size());
  }
}

TEST(HostileLanguages, DeepNestingEndsAtALimit) {
  for (const Language language : kLanguages)
    for (const std::string_view open : {"(", "{", "[", "a.", "!", "if(a)", "a<"}) {
      std::string text = language == Language::rust ? "fn f() {" : "void f() {";
      for (int i = 0; i < 9'000; ++i)
        text += open;
      const FileFacts facts = Extractor().facts_of(language, text);
      EXPECT_NE(facts.status, FileStatus::ok) << open;
    }
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i)
    out += text;
  return out;
}

// A parser that looks for the least wrong reading of nonsense may ask for the square of its size.
TEST(HostileLanguages, RecoveryFromErrorsEndsAtALimit) {
  const FileStatus left =
      syntax::parse_memory_is_dropped() ? FileStatus::parse_limit : FileStatus::partial;
  Extractor extractor;
  const auto status = [&](Language language, const std::string& text) {
    return extractor.facts_of(language, text).status;
  };
  EXPECT_EQ(status(Language::python, "x = 1\n/*" + repeated(" * /", 1200)), left);
  EXPECT_EQ(status(Language::typescript, repeated("let x = 1 ", 6500)), left);
  EXPECT_EQ(status(Language::python, "x = 1\nx = 1 x = 1\n"), FileStatus::partial);
}

TEST(HostileLanguages, NamesDoNotGrowWithoutLimit) {
  std::string text, ends;
  for (int i = 0; i < 1500; ++i) {
    text += "function " + std::string(1000, 'a') + "() {\n";
    ends += "}\n";
  }
  text += ends + "// gatehouse: ignore[complexity]\nfunction after() {}\n";
  const FileFacts facts = Extractor().facts_of(Language::javascript, text);
  ASSERT_EQ(facts.units.size(), 5u);  // four of them, with what is between them, in 4096 bytes
  EXPECT_EQ(facts.declarations.all.size(), 5u);
  EXPECT_EQ(facts.units.back().local_name, "after");
  EXPECT_LT(facts.names.bytes.size(), 20'000u);
  EXPECT_TRUE(is_unit_suppressed(facts, 4, Rule::complexity));
}

TEST(HostileLanguages, WhatIsTooDeepIsListedNowhere) {
  std::string text;
  for (int i = 0; i < 210; ++i)
    text += "function f" + std::to_string(i) + "() {\n";
  for (int i = 0; i < 210; ++i)
    text += "}\n";
  text += "class K {}\n// gatehouse: ignore[complexity]\nfunction after() {}\n";
  const FileFacts facts = Extractor().facts_of(Language::javascript, text);
  EXPECT_EQ(facts.declarations.all.size(), facts.units.size() + facts.classes.size());
  EXPECT_LE(facts.units.size(), 201u);
  ASSERT_EQ(facts.units.back().local_name, "after");
  const auto last = static_cast<std::uint32_t>(facts.units.size() - 1);
  EXPECT_TRUE(is_unit_suppressed(facts, last, Rule::complexity));
}

TEST(HostileLanguages, BytesThatAreNoText) {
  for (const Language language : kLanguages) {
    EXPECT_EQ(Extractor().facts_of(language, "\xff\xfe{").status, FileStatus::source_read_error);
    EXPECT_EQ(Extractor().facts_of(language, "").status, FileStatus::ok);
    const std::string nulls("\0\0int\0f", 7);
    EXPECT_EQ(Extractor().facts_of(language, nulls).bytes, 7u);
  }
}

}  // namespace
}  // namespace gh::analysis
