#include "model/actor.h"

#include <gtest/gtest.h>

namespace gh {
namespace {

TEST(Actor, TheLocalUserIsNamedByItsNumber) {
  EXPECT_EQ(to_value(local_actor(1000)),
            Value(Map{{"name", "local:1000"}, {"kind", "human"}, {"via", "local"}}));
}

TEST(Actor, ReadsBackWhatItWrote) {
  const Actor agent{.name = "codex", .kind = "agent", .via = "token"};
  EXPECT_EQ(to_value(actor_from(to_value(agent))), to_value(agent));
  for (const Value& other : {Value(), Value(Map{}), Value(Map{{"name", 1}}), Value("local:0")})
    EXPECT_FALSE(holds_role(actor_from(other), "admin"));
}

TEST(Actor, WithoutARegistryOnlyTheLocalUserHoldsRoles) {
  for (const char* role : {"agent", "reviewer", "promoter", "admin"}) {
    EXPECT_TRUE(holds_role(local_actor(0), role)) << role;
    EXPECT_FALSE(holds_role({.name = "codex", .kind = "agent", .via = "token"}, role)) << role;
  }
  EXPECT_FALSE(holds_role(local_actor(0), "root"));
}

TEST(Actor, ATokenHoldsTheRolesThatItLists) {
  const Actor actor{.name = "boss", .kind = "human", .via = "token", .roles = {"promoter", "root"}};
  EXPECT_TRUE(holds_role(actor, "promoter"));
  EXPECT_FALSE(holds_role(actor, "admin"));
  EXPECT_FALSE(holds_role(actor, "root")) << "there is no such role";
  EXPECT_FALSE(holds_role(actor_from(to_value(actor)), "promoter")) << "a document carries none";
}

}  // namespace
}  // namespace gh
