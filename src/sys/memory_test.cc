#include "sys/memory.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace gh::sys {
namespace {

#ifndef GH_SANITIZED
TEST(ExpectedMemory, IsThereBeforeItIsUsed) {
  constexpr std::size_t kPiece = 1000, kPieces = 30'000;
  std::vector<std::unique_ptr<char[]>> held(kPieces);
  expect_memory(2 * kPiece * kPieces);
  const void* const before = ::sbrk(0);
  for (auto& piece : held)
    piece = std::make_unique<char[]>(kPiece);
  EXPECT_EQ(::sbrk(0), before);
  held.clear();
  EXPECT_EQ(::sbrk(0), before) << "it is kept";
}
#endif

}  // namespace
}  // namespace gh::sys
