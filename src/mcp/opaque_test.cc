#include "mcp/opaque.h"

#include <gtest/gtest.h>

#include "base/digest.h"

namespace gh::mcp {
namespace {

TEST(Opaque, WritesAndReadsBase64ForUrls) {
  EXPECT_EQ(base64url("f"), "Zg");
  EXPECT_EQ(base64url("foob"), "Zm9vYg");
  EXPECT_EQ(base64url("\xff\xfe\xfd"), "__79");
  EXPECT_EQ(base64_padded("foob"), "Zm9vYg==");
  for (const std::string text : {"", "a", "ab", "abc", "abcd"})
    EXPECT_EQ(from_base64url(base64url(text)), text);
  EXPECT_FALSE(from_base64url("Zg=="));
  EXPECT_FALSE(from_base64url("Zh"));  // bits that mean nothing
  EXPECT_FALSE(from_base64url("a"));
}

TEST(Opaque, RecognisesItsOwnWordsAlone) {
  const std::string word = seal("key", "payload");
  EXPECT_EQ(unseal("key", word), "payload");
  EXPECT_FALSE(unseal("other", word));
  EXPECT_FALSE(unseal("key", word + "-TAMPERED"));
  EXPECT_FALSE(unseal("key", "x" + word));
  EXPECT_FALSE(unseal("key", ""));
  EXPECT_EQ(unseal("key", seal("key", "p", 4), 4), "p");
  EXPECT_FALSE(unseal("key", seal("key", "p", 4), 32));
}

TEST(Opaque, DecodesPercentSigns) {
  EXPECT_EQ(percent_decoded("a%20b%2Fc"), "a b/c");
  EXPECT_EQ(percent_decoded("plain"), "plain");
  EXPECT_FALSE(percent_decoded("a%2"));
  EXPECT_FALSE(percent_decoded("%zz"));
}

}  // namespace
}  // namespace gh::mcp
