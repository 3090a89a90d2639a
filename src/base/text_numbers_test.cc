#include "base/text_numbers.h"

#include <string>

#include <gtest/gtest.h>

namespace gh {

TEST(TextNumbers, GivesEachTextOneNumberInTheOrderInWhichTheyCome) {
  std::vector<std::string> texts;
  TextNumbers numbers;
  const auto text_of = [&](std::uint32_t i) -> std::string_view { return texts[i]; };
  EXPECT_EQ(numbers.find("a", text_of), TextNumbers::kNone);
  const auto add = [&](const std::string& text) {
    const auto next = static_cast<std::uint32_t>(texts.size());
    const std::uint32_t number = numbers.add(text, next, text_of);
    if (number == next) texts.push_back(text);
    return number;
  };
  for (std::uint32_t i = 0; i < 5'000; ++i)  // it grows several times
    ASSERT_EQ(add("name" + std::to_string(i)), i);
  for (std::uint32_t i = 0; i < 5'000; ++i) {
    ASSERT_EQ(add("name" + std::to_string(i)), i);
    ASSERT_EQ(numbers.find("name" + std::to_string(i), text_of), i);
  }
  EXPECT_EQ(numbers.find("name5000", text_of), TextNumbers::kNone);
  EXPECT_EQ(numbers.find("", text_of), TextNumbers::kNone);
  EXPECT_EQ(add(""), 5'000u);
  EXPECT_EQ(texts.size(), 5'001u);
}

}  // namespace gh
