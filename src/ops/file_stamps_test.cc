#include "ops/file_stamps.h"

#include <gtest/gtest.h>

namespace gh::ops {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

sys::FileInfo file(std::int64_t size = 5, std::int64_t mtime = 100 * kSecond) {
  return {.kind = sys::FileKind::file,
          .size = size,
          .mtime_ns = mtime,
          .ctime_ns = mtime,
          .device = 1,
          .inode = 7};
}

TEST(FileStamps, AFileIsKnownAsLongAsNothingOfItChanged) {
  FileStamps stamps;
  stamps.learn("a.py", file(), "id1", 110 * kSecond);
  EXPECT_EQ(stamps.id_of("a.py", file()), "id1");
  EXPECT_EQ(stamps.id_of("b.py", file()), "");
  for (const auto change :
       {+[](sys::FileInfo& i) { ++i.size; }, +[](sys::FileInfo& i) { ++i.mtime_ns; },
        +[](sys::FileInfo& i) { ++i.ctime_ns; }, +[](sys::FileInfo& i) { ++i.inode; },
        +[](sys::FileInfo& i) { ++i.device; }}) {
    sys::FileInfo other = file();
    change(other);
    EXPECT_EQ(stamps.id_of("a.py", other), "");
  }
}

TEST(FileStamps, WhatChangedJustNowIsNotTrusted) {
  FileStamps stamps;
  stamps.learn("a.py", file(), "id1", 101 * kSecond);
  EXPECT_EQ(stamps.id_of("a.py", file()), "");
  EXPECT_FALSE(stamps.changed());
  sys::FileInfo set_back = file();
  set_back.ctime_ns = 109 * kSecond;
  stamps.learn("a.py", set_back, "id1", 110 * kSecond);
  EXPECT_EQ(stamps.id_of("a.py", set_back), "");
}

TEST(FileStamps, AreTheSameAfterTheyWereKeptAndNothingWhenDamaged) {
  FileStamps stamps;
  stamps.learn("a.py", file(), "id1", 110 * kSecond);
  stamps.learn("b/c.py", file(6), "id2", 110 * kSecond);
  const std::string bytes = stamps.bytes();
  FileStamps again(bytes);
  EXPECT_EQ(again.id_of("a.py", file()), "id1");
  EXPECT_EQ(again.id_of("b/c.py", file(6)), "id2");
  EXPECT_FALSE(again.changed());
  for (std::size_t cut = 0; cut + 1 < bytes.size(); ++cut)
    EXPECT_EQ(FileStamps(bytes.substr(0, cut)).id_of("b/c.py", file(6)), "");
  EXPECT_TRUE(FileStamps("nonsense").empty());
}

TEST(FileStamps, WhatIsLearnedAnewStandsInPlaceOfWhatWasKept) {
  FileStamps stamps;
  for (const char* path : {"a.py", "b.py", "d.py"})
    stamps.learn(path, file(), "old", 110 * kSecond);
  FileStamps later(stamps.bytes());
  const sys::FileInfo touched = file(5, 200 * kSecond);
  EXPECT_EQ(later.id_of("a.py", file()), "old");
  EXPECT_EQ(later.id_of("b.py", touched), "");
  for (const char* path : {"b.py", "c.py", "e.py"})
    later.learn(path, touched, "new", 210 * kSecond);
  EXPECT_TRUE(later.changed());
  EXPECT_EQ(later.id_of("b.py", touched), "new");
  EXPECT_EQ(later.id_of("b.py", file()), "");
  FileStamps last(later.bytes());
  EXPECT_EQ(last.id_of("e.py", touched), "new");  // in any order
  EXPECT_EQ(last.id_of("a.py", file()), "old");
  EXPECT_EQ(last.id_of("b.py", touched), "new");
  EXPECT_EQ(last.id_of("c.py", touched), "new");
  EXPECT_EQ(last.id_of("d.py", file()), "") << "nobody asked for it: it is gone";
}

}  // namespace
}  // namespace gh::ops
