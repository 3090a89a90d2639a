#include <fstream>

#include <gtest/gtest.h>
#include <xxhash.h>

#include "cache/pack.h"
#include "tests/kit.h"

namespace gh::cache {
namespace {

constexpr std::uint64_t kRoom = 1u << 20;

Key key(std::uint64_t n) { return {n * 0x9e3779b97f4a7c15u, n}; }
std::string payload(std::uint64_t n) {
  return std::string(50 + n % 7, static_cast<char>('a' + n % 26));
}

struct Folder {
  kit::Scratch scratch;
  std::string path = (scratch.path() / "cache").string();
  std::string pack = path + "/facts.gpk", index = path + "/facts.gpi";

  void fill(std::uint64_t from, std::uint64_t to, std::uint64_t room = kRoom) const {
    Pack p(path, room);
    for (std::uint64_t n = from; n < to; ++n)
      p.put(key(n), payload(n));
    p.save();
  }
  /// How many of the first `count` are found; a wrong one is never found.
  std::uint64_t found(std::uint64_t count, PackStatus status = PackStatus::ok) const {
    Pack p(path, kRoom);
    EXPECT_EQ(to_string(p.status()), to_string(status));
    std::uint64_t hits = 0;
    for (std::uint64_t n = 0; n < count; ++n)
      if (const auto got = p.get(key(n))) {
        EXPECT_EQ(*got, payload(n));
        ++hits;
      }
    return hits;
  }
};

void flip(const std::string& path, std::size_t at) {
  std::string bytes = kit::read(path);
  ASSERT_LT(at, bytes.size());
  bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
  kit::write(path, bytes);
}

TEST(Pack, WhatWasPutIsFoundByTheNextOne) {
  const Folder folder;
  EXPECT_EQ(folder.found(10, PackStatus::missing), 0u);
  folder.fill(0, 10);
  EXPECT_EQ(folder.found(20), 10u);
  folder.fill(5, 20);
  EXPECT_EQ(folder.found(20), 20u);
}

TEST(Pack, WithoutItsIndexItIsReadFromTheRecords) {
  const Folder folder;
  folder.fill(0, 100);
  kit::fs::remove(folder.index);
  EXPECT_EQ(folder.found(100), 100u);
  kit::write(folder.index, "nonsense");
  EXPECT_EQ(folder.found(100), 100u);
}

TEST(Pack, AnIndexOfAnotherPackIsNotBelieved) {
  const Folder folder, other;
  folder.fill(0, 100);
  other.fill(100, 200);
  kit::fs::copy_file(other.index, folder.index, kit::fs::copy_options::overwrite_existing);
  EXPECT_EQ(folder.found(100), 100u);
}

TEST(Pack, CutAnywhereItGivesWhatIsWholeAndMendsItself) {
  Folder folder;
  folder.fill(0, 20);
  const std::string whole = kit::read(folder.pack);
  for (std::size_t size = 0; size < whole.size(); size += 37) {
    kit::write(folder.pack, std::string_view(whole).substr(0, size));
    Pack p(folder.path, kRoom);
    std::uint64_t hits = 0;
    for (std::uint64_t n = 0; n < 20; ++n)
      if (const auto got = p.get(key(n))) {
        EXPECT_EQ(*got, payload(n));
        ++hits;
      } else {
        p.put(key(n), payload(n));
      }
    EXPECT_LT(hits, 20u);
    p.save();
    EXPECT_EQ(folder.found(20), 20u) << size;
  }
}

TEST(Pack, ADamagedRecordIsNotFoundAndIsReplaced) {
  Folder folder;
  folder.fill(0, 20);
  const std::size_t size = kit::read(folder.pack).size();
  for (std::size_t at = 0; at < size; at += 61) {
    SCOPED_TRACE(at);
    flip(folder.pack, at);
    {
      Pack p(folder.path, kRoom);
      for (std::uint64_t n = 0; n < 20; ++n) {
        const auto got = p.get(key(n));
        if (got) {
          EXPECT_EQ(*got, payload(n));
        } else {
          p.put(key(n), payload(n));
        }
      }
      p.save();
    }
    EXPECT_EQ(folder.found(20), 20u);
    kit::fs::remove(folder.index);
    EXPECT_EQ(folder.found(20), 20u) << "also without the index";
  }
}

TEST(Pack, OfAnotherVersionItIsEmptyAndBegunAnew) {
  const Folder folder;
  folder.fill(0, 5);
  std::string bytes = kit::read(folder.pack);
  bytes[15] = '9';
  kit::write(folder.pack, bytes);
  EXPECT_EQ(folder.found(5, PackStatus::version_mismatch), 0u);
  kit::write(folder.pack, "something else");
  EXPECT_EQ(folder.found(5, PackStatus::integrity_failed), 0u);
  folder.fill(0, 5);
  EXPECT_EQ(folder.found(5), 5u);
}

TEST(Pack, AFolderThatIsNoneOrALinkIsAnEmptyPack) {
  const Folder folder;
  kit::write(folder.path, "a file");
  folder.fill(0, 3);
  EXPECT_EQ(kit::read(folder.path), "a file");
  kit::fs::remove(folder.path);
  kit::fs::create_directories(folder.path);
  kit::write(folder.scratch.path() / "elsewhere", "kept");
  kit::fs::create_symlink(folder.scratch.path() / "elsewhere", folder.pack);
  folder.fill(0, 3);
  EXPECT_EQ(folder.found(3, PackStatus::unreadable), 0u);
  EXPECT_EQ(kit::read(folder.scratch.path() / "elsewhere"), "kept");
}

TEST(Pack, WhatOthersMayWriteIsNotBelieved) {
  const Folder folder;
  folder.fill(0, 20);
  for (const kit::fs::perms more : {kit::fs::perms::group_write, kit::fs::perms::others_write}) {
    kit::fs::permissions(folder.pack, more, kit::fs::perm_options::add);
    EXPECT_EQ(folder.found(20, PackStatus::unreadable), 0u);
    const std::string before = kit::read(folder.pack);
    folder.fill(20, 30);
    EXPECT_EQ(kit::read(folder.pack), before) << "nor written to";
    kit::fs::permissions(folder.pack, more, kit::fs::perm_options::remove);
    EXPECT_EQ(folder.found(20), 20u);
  }
}

TEST(Pack, AnIndexThatOthersMayWriteIsNotBelieved) {
  const Folder folder;
  folder.fill(0, 20);
  // An index that speaks of this pack and hides its records.
  std::string forged = kit::read(folder.index);
  forged.resize(32 + 4 * 8);
  const std::uint64_t none = 0, sum_of_nothing = 0x2d06800538d394c2;  // XXH3 of no bytes
  forged.replace(32 + 8, 8, reinterpret_cast<const char*>(&none), 8);
  forged.replace(32 + 16, 8, reinterpret_cast<const char*>(&sum_of_nothing), 8);
  kit::write(folder.index, forged);
  EXPECT_EQ(folder.found(20), 0u) << "the forgery is good";
  kit::fs::permissions(folder.index, kit::fs::perms::group_write, kit::fs::perm_options::add);
  EXPECT_EQ(folder.found(20), 20u) << "read from the records";
}

TEST(Pack, AnIndexThatPointsOutsideOfThePackIsNotBelieved) {
  Folder folder;
  folder.fill(0, 1);
  std::string index = kit::read(folder.index);
  const std::size_t entries = 32 + 4 * 8;
  ASSERT_EQ(index.size(), entries + 32) << "one entry of 32 bytes";
  const std::uint32_t huge = 0xffffffff;
  index.replace(entries + 24, 4, reinterpret_cast<const char*>(&huge), 4);
  const std::uint64_t sum = XXH3_64bits(index.data() + entries, 32);
  index.replace(32 + 16, 8, reinterpret_cast<const char*>(&sum), 8);
  kit::write(folder.index, index);
  EXPECT_EQ(folder.found(1), 1u);
}

TEST(Pack, BeyondItsRoomItForgetsWhatWasNotUsedForLongest) {
  const Folder folder;
  const std::uint64_t room = 100 * 90;
  folder.fill(0, 40, room);
  {  // a run that uses the first ten
    Pack p(folder.path, room);
    for (std::uint64_t n = 0; n < 10; ++n)
      EXPECT_TRUE(p.get(key(n)));
    p.put(key(40), payload(40));
    p.save();
  }
  folder.fill(41, 120, room);
  Pack p(folder.path, room);
  EXPECT_LE(kit::fs::file_size(folder.pack), room);
  for (std::uint64_t n = 0; n < 3; ++n)
    EXPECT_TRUE(p.get(key(119 - n))) << "the newest";
  EXPECT_FALSE(p.get(key(20))) << "not used since";
}

TEST(Pack, SeveralWritersLoseNothingThatIsThere) {
  const Folder folder;
  Pack one(folder.path, kRoom), two(folder.path, kRoom);
  for (std::uint64_t n = 0; n < 10; ++n)
    one.put(key(n), payload(n));
  for (std::uint64_t n = 5; n < 20; ++n)
    two.put(key(n), payload(n));
  one.save();
  two.save();
  EXPECT_EQ(folder.found(20), 20u);
}

}  // namespace
}  // namespace gh::cache
