#include "base/keyed_hash.h"

#include <gtest/gtest.h>

#include "base/digest.h"

namespace gh {
namespace {

TEST(KeyedHash, ComputesTheKeyedHashOfRfc4231) {
  EXPECT_EQ(to_hex(keyed_hash(std::string(20, '\x0b'), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(to_hex(keyed_hash("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(to_hex(keyed_hash(std::string(131, '\xaa'),
                              "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(KeyedHash, HashesAreComparedWhole) {
  EXPECT_TRUE(is_same_hash("", ""));
  EXPECT_TRUE(is_same_hash("abc", "abc"));
  EXPECT_FALSE(is_same_hash("abc", "abd"));
  EXPECT_FALSE(is_same_hash("abc", "ab"));
}

}  // namespace
}  // namespace gh
