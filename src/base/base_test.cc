#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/text.h"
#include "base/time.h"

namespace gh {

TEST(Digest, MatchesPublishedVectors) {
  EXPECT_EQ(digest_of("").hex(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(digest_of("abc").tagged(),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Digest, NamesObjectsAsGitDoes) {
  EXPECT_EQ(to_hex(git_object_id(HashKind::sha1, "blob", "hello\n")),
            "ce013625030ba8dba906f756967f9e9ca394464a");
  EXPECT_EQ(to_hex(git_object_id(HashKind::sha1, "tree", "")),
            "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
  EXPECT_EQ(to_hex(git_object_id(HashKind::sha256, "blob", "")),
            "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813");
}

struct TimeCase {
  const char* text;
  const char* normal;  // nullptr: refused
};
TEST(Timestamp, ReadsRfc3339WithAZoneOnly) {
  for (const TimeCase& c :
       {TimeCase{"2026-11-15T19:37:00Z", "2026-11-15T19:37:00Z"},
        TimeCase{"2026-11-15T19:37:00.999Z", "2026-11-15T19:37:00Z"},
        TimeCase{"2026-11-15T19:37:00+02:30", "2026-11-15T17:07:00Z"},
        TimeCase{"1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"},
        TimeCase{"2026-02-30T00:00:00Z", nullptr}, TimeCase{"2026-11-15T19:37:00", nullptr},
        TimeCase{"2026-11-15 19:37:00Z", nullptr}, TimeCase{"2026-11-15T24:00:00Z", nullptr},
        TimeCase{"2026-11-15T19:37:00.Z", nullptr}, TimeCase{"2026-11-15T19:37:00Zx", nullptr},
        TimeCase{"", nullptr}}) {
    SCOPED_TRACE(c.text);
    const auto got = parse_timestamp(c.text);
    ASSERT_EQ(got.has_value(), c.normal != nullptr);
    if (got) {
      EXPECT_EQ(to_string(*got), c.normal);
    }
  }
}

TEST(Text, PrintableNeverDrivesATerminal) {
  EXPECT_EQ(printable("a\x1b[31mb\n\t\r\x7f"), "a\\x1b[31mb\\n\\t\\r\\x7f");
  EXPECT_EQ(printable("\xff\xc3("), "\\xff\\xc3(");
  EXPECT_EQ(printable("a\u202eb\u200bc"), "a\\u{202e}b\\u{200b}c");
  EXPECT_EQ(printable("caf\u00e9"), "caf\u00e9");
  EXPECT_EQ(printable("abcdef", 3), "abc…");
}

TEST(Text, Utf8IsJudgedByRfc3629) {
  for (const char* good : {"", "abc", "\u00e9", "\u20ac", "\U0001F600", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(is_utf8(good)) << good;
  for (const char* bad : {"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80",
                          "\xc3", "\xe2\x82", "\xf5\x80\x80\x80"})
    EXPECT_FALSE(is_utf8(bad)) << printable(bad);
  EXPECT_EQ(utf8_or_escaped("a\xff/b\xc3\xa9"), "a\\xff/b\u00e9");
}

TEST(Text, SuggestsTheNearestWord) {
  const std::vector<std::string> known{"check", "apply", "explain", "calibrate"};
  EXPECT_EQ(did_you_mean("chekc", known), "check");
  EXPECT_EQ(did_you_mean("aply", known), "apply");
  EXPECT_EQ(did_you_mean("calib", known), "calibrate");
  EXPECT_EQ(did_you_mean("zzzzzz", known), std::nullopt);
  EXPECT_EQ(did_you_mean("", known), std::nullopt);
}

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a//b/", '/').size(), 4u);
  EXPECT_EQ(join({"", "a"}, ","), ",a");
}

}  // namespace gh
