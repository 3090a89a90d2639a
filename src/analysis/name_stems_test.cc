#include "analysis/name_stems.h"

#include <gtest/gtest.h>

namespace gh::analysis {
namespace {

TEST(NameStems, ANameNeedsBothEndsAndSomethingBetween) {
  StemSet stems;
  EXPECT_FALSE(stems.matches("do_go"));
  for (const char* stem : {"do_*", "*_impl", "on_*_done", "on_*_begun"})
    stems.add(stem);
  for (const char* name :
       {"do_go", "x_impl", "on_x_done", "on_x_begun", "on_on__done", "do_x_impl"})
    EXPECT_TRUE(stems.matches(name)) << name;
  for (const char* name :
       {"", "do_", "_impl", "on__done", "on_done", "on_x_ended", "undo_x", "x_implx"})
    EXPECT_FALSE(stems.matches(name)) << name;
}

TEST(NameStems, AStemOfNothingMatchesEveryName) {
  StemSet stems;
  stems.add("*");
  EXPECT_TRUE(stems.matches("x"));
  EXPECT_FALSE(stems.matches(""));
}

}  // namespace
}  // namespace gh::analysis
