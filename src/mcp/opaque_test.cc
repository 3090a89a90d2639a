#include "mcp/opaque.h"

#include <gtest/gtest.h>

#include "base/digest.h"

namespace gh::mcp {
namespace {

TEST(Opaque, ComputesTheKeyedHashOfRfc4231) {
  EXPECT_EQ(to_hex(keyed_hash(std::string(20, '\x0b'), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(to_hex(keyed_hash("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(to_hex(keyed_hash(std::string(131, '\xaa'),
                              "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

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
