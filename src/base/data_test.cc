#include "base/data.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace gh::data {
namespace {

std::string bytes_on_disk(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Data, EveryFileOfTheSourceTreeIsCarriedByteForByte) {
  std::size_t seen = 0;
  const std::filesystem::path root = "data";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().lexically_relative(root).generic_string();
    EXPECT_EQ(find(name), bytes_on_disk(entry.path())) << name;
    ++seen;
  }
  EXPECT_EQ(seen, files().size());
  EXPECT_GT(seen, 0u);
}

TEST(Data, FilesComeInByteOrder) { EXPECT_TRUE(std::ranges::is_sorted(files(), {}, &File::name)); }

TEST(Data, AnUnknownNameGivesNothing) {
  EXPECT_EQ(find("no/such/file"), "");
  EXPECT_EQ(find(""), "");
  ASSERT_FALSE(files().empty());
  EXPECT_EQ(find(std::string(files().front().name) + "x"), "");
}

}  // namespace
}  // namespace gh::data
