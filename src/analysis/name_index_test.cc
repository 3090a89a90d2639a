#include "analysis/name_index.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace gh::analysis {
namespace {

TEST(NameIndex, NumbersNamesInTheOrderInWhichTheyCome) {
  NameIndex index(4);
  std::vector<std::uint32_t> numbers;
  index.add(std::vector<std::string_view>{"b", "a", "b", ""}, numbers);
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{0, 1, 0, 2}));
  index.add(std::vector<std::string_view>{"a", "c"}, numbers);
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(index.size(), 4u);
  index.find(std::vector<std::string_view>{"c", "d", ""}, numbers);
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{3, kNone, 2}));
  EXPECT_EQ(index.find("a"), 1u);
  EXPECT_EQ(index.find("ab"), kNone);
}

TEST(NameIndex, OfNoNamesFindsNone) {
  const NameIndex index(0);
  EXPECT_EQ(index.find(""), kNone);
  EXPECT_EQ(index.find("a"), kNone);
}

TEST(NameIndex, SaysOfManyNamesWhatAMapSays) {
  std::vector<std::string> texts;
  for (int i = 0; i < 5000; ++i)
    texts.push_back("name" + std::to_string(i * 7919 % 3001));
  const std::vector<std::string_view> names(texts.begin(), texts.end());
  std::map<std::string_view, std::uint32_t> expected;
  NameIndex index(names.size());
  std::vector<std::uint32_t> numbers;
  index.add(names, numbers);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto next = static_cast<std::uint32_t>(expected.size());
    ASSERT_EQ(numbers[i], expected.try_emplace(names[i], next).first->second) << names[i];
  }
  EXPECT_EQ(index.size(), expected.size());
  for (const auto& [name, number] : expected)
    ASSERT_EQ(index.find(name), number) << name;
}

}  // namespace
}  // namespace gh::analysis
