#include "base/unicode.h"

#include <gtest/gtest.h>
#include <utf8proc.h>

namespace gh {
namespace {

std::string utf8(char32_t c) {
  utf8proc_uint8_t bytes[4];
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes);
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

TEST(Unicode, VersionIsTheOneOfTheLinkedTables) {
  EXPECT_EQ(unicode_version(), "15.0.0");
  EXPECT_EQ(unicode_version(), utf8proc_unicode_version());
}

TEST(Unicode, NextCodePointReadsEveryLength) {
  for (const char32_t c : {U'a', U'\u007f', U'\u0080', U'\u07ff', U'\u0800', U'\uffff',
                           U'\U00010000', U'\U0010ffff'}) {
    const std::string text = utf8(c) + "x";
    std::size_t at = 0;
    EXPECT_EQ(next_code_point(text, at), c);
    EXPECT_EQ(at, text.size() - 1);
  }
}

TEST(Unicode, CaseFoldingIsFull) {
  struct Row {
    std::string_view text, folded;
  };
  for (const Row& r :
       {Row{"README.Md", "readme.md"}, Row{"Straße", "strasse"}, Row{"STRASSE", "strasse"},
        Row{"ΣΊΣΥΦΟΣ", "σίσυφοσ"}, Row{"σίσυφος", "σίσυφοσ"}, Row{"\u0130", "i\u0307"},
        Row{"\uFB03", "ffi"}, Row{"\u212A", "k"}, Row{"e\u0301", "\u00e9"},
        Row{"E\u0301", "\u00e9"}, Row{"\u1E9E", "ss"}, Row{"\u01F0", "\u01F0"},
        Row{"J\u030C", "\u01F0"}, Row{"\u0149", "\u02BCn"}}) {
    EXPECT_EQ(nfc_casefold(r.text), r.folded) << r.text;
  }
}

TEST(Unicode, FoldingAFoldedTextChangesNothing) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string once = nfc_casefold(utf8(c));
    ASSERT_EQ(nfc_casefold(once), once) << std::hex << static_cast<std::uint32_t>(c);
  }
}

TEST(Unicode, NfcComposesAndLeavesAsciiAlone) {
  EXPECT_EQ(nfc("plain-ASCII.txt"), "plain-ASCII.txt");
  EXPECT_EQ(nfc("cafe\u0301"), "caf\u00e9");
  EXPECT_EQ(nfc("\u1112\u1161\u11AB"), "\uD55C");
  EXPECT_EQ(nfc("\u212B"), "\u00C5");
  EXPECT_EQ(nfc("a\u0323\u0307"), nfc("a\u0307\u0323"));
}

TEST(Unicode, BidiControlsAreExactlyTwelve) {
  std::u32string found;
  for (char32_t c = 0; c <= 0x10FFFF; ++c)
    if (is_bidi_control(c)) found += c;
  EXPECT_EQ(found, U"\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069");
}

TEST(Unicode, UnsafeInAPathAreInvisibleAndUnassignedCodePoints) {
  for (const char32_t c : {U'\u00AD', U'\u061C', U'\u200B', U'\u200D', U'\u202E', U'\u2028',
                           U'\u2029', U'\u2060', U'\u2066', U'\uFEFF', U'\uE000', U'\uFDD0',
                           U'\uFFFE', U'\U000E0001', U'\U000F0000', U'\U0010FFFF', U'\u0378'})
    EXPECT_TRUE(is_unsafe_in_path(c)) << std::hex << static_cast<std::uint32_t>(c);
  for (const char32_t c : {U'a', U' ', U'\u00A0', U'\u00E9', U'\u3042', U'\uD55C', U'\U0001F600',
                           U'\uFE0F', U'\u0301'})
    EXPECT_FALSE(is_unsafe_in_path(c)) << std::hex << static_cast<std::uint32_t>(c);
}

TEST(Unicode, DisplayWidthCountsColumns) {
  EXPECT_EQ(display_width(U'a'), 1);
  EXPECT_EQ(display_width(U'\u0301'), 0);
  EXPECT_EQ(display_width(U'\u3042'), 2);
  EXPECT_EQ(display_width(U'\U0001F600'), 2);
  EXPECT_EQ(display_width(U'\u0007'), 0);
}

}  // namespace
}  // namespace gh
