#include "diff/blob_ids.h"

#include <gtest/gtest.h>

namespace gh::diff {
namespace {

using Ids = std::vector<BlobIds>;

TEST(BlobIds, EachFileHasThoseOfBothSides) {
  EXPECT_EQ(blob_ids("diff --git a/x y b/x y\nindex 11..22 100644\n--- a/x y\n+++ b/x y\n"
                     "@@ -1 +1 @@\n-index 33..44\n+diff --git a/z b/z\n index 55..66\n"
                     "diff --git a/new b/new\nnew file mode 100644\nindex 0000..77\n"
                     "diff --git a/gone b/gone\ndeleted file mode 100755\nindex 88..0000\n"
                     "diff --git \"a/t\\tb\\303\\244\" \"b/t\\tb\\303\\244\"\nindex 99..aa 100644\n"
                     "diff --git a/pic b/pic\nindex bb..cc 100644\n"
                     "Binary files a/pic and b/pic differ\n"),
            (Ids{{"x y", "11", "22"},
                 {"new", "", "77"},
                 {"gone", "88", ""},
                 {"t\tb\xc3\xa4", "99", "aa"},
                 {"pic", "bb", "cc"}}));
}

TEST(BlobIds, WhatIsSaidInNoSuchWayIsLeftOut) {
  EXPECT_EQ(blob_ids(""), Ids{});
  EXPECT_EQ(blob_ids("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n"), Ids{});
  EXPECT_EQ(blob_ids("diff --git a/x b/y\nindex 11..22\n"), Ids{});
  EXPECT_EQ(blob_ids("diff --git a/ b/\nindex 11..22\n"), Ids{});
  EXPECT_EQ(blob_ids("diff --git \"a/x\nindex 11..22\n"), Ids{});
  EXPECT_EQ(blob_ids("diff --git \"a/\" \"b/\"\nindex 11..22\n"), Ids{});
  EXPECT_EQ(blob_ids("diff --git a/x b/x\nindex 1122\n"), Ids{});
  EXPECT_EQ(blob_ids("diff --git"), Ids{});
  EXPECT_EQ(blob_ids("diff --git \nindex 11..22\n"), Ids{});
  EXPECT_EQ(blob_ids("index 11..22\n"), Ids{});
}

}  // namespace
}  // namespace gh::diff
