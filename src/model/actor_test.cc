#include "model/actor.h"

#include <gtest/gtest.h>

namespace gh {
namespace {

TEST(Actor, TheLocalUserIsNamedByItsNumber) {
  EXPECT_EQ(to_value(local_actor(1000)),
            Value(Map{{"name", "local:1000"}, {"kind", "human"}, {"via", "local"}}));
}

TEST(Actor, WithoutARegistryOnlyTheLocalUserHoldsRoles) {
  for (const char* role : {"agent", "reviewer", "promoter", "admin"}) {
    EXPECT_TRUE(holds_role(local_actor(0), role)) << role;
    EXPECT_FALSE(holds_role({.name = "codex", .kind = "agent", .via = "token"}, role)) << role;
  }
  EXPECT_FALSE(holds_role(local_actor(0), "root"));
}

}  // namespace
}  // namespace gh
