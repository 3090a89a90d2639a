#include "base/in_parts.h"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

namespace gh {
namespace {

TEST(InParts, EveryThingIsDoneOnceWhateverTheirNumber) {
  for (const std::size_t count : {0u, 1u, 7u, 100u, 1001u, 40'000u})
    for (const std::size_t least : {0u, 1u, 10u, 100'000u}) {
      std::vector<std::atomic<int>> done(count);
      in_parts(count, least, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
          ++done[i];
      });
      for (const auto& times : done)
        ASSERT_EQ(times, 1) << count << " " << least;
    }
}

TEST(InOrder, TheTextIsThatOfOneAfterTheOtherWhateverTheirNumber) {
  for (const std::size_t count : {0u, 1u, 7u, 64u, 65u, 5000u})
    for (const std::size_t size : {1u, 10u, 64u, 10'000u}) {
      std::string whole, expected;
      in_order(
          count, size,
          [](std::size_t from, std::size_t to, std::string& out) {
            for (std::size_t i = from; i < to; ++i)
              out += std::to_string(i) + ",";
          },
          [&](std::string_view part) { whole += part; });
      for (std::size_t i = 0; i < count; ++i)
        expected += std::to_string(i) + ",";
      ASSERT_EQ(whole, expected) << count << " " << size;
    }
}

}  // namespace
}  // namespace gh
