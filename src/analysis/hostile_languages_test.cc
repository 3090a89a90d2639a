// No text makes a front end fall over or take for ever.
#include <gtest/gtest.h>

#include "analysis/extract.h"

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
