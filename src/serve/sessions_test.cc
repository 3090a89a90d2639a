#include "serve/sessions.h"

#include <gtest/gtest.h>

namespace gh::serve {
namespace {

SessionPtr session(std::string id, std::string token = "") {
  return std::make_shared<HttpSession>(std::move(id), std::move(token), SessionStreams::Bounds{});
}

TEST(Sessions, AreFoundByTheTokenThatMadeThem) {
  Sessions sessions({});
  std::vector<SessionPtr> removed;
  ASSERT_TRUE(sessions.add(session("a", "t1"), 0, removed));
  EXPECT_TRUE(sessions.find("a", "t1", 1));
  EXPECT_FALSE(sessions.find("a", "t2", 1));
  EXPECT_FALSE(sessions.find("a", "", 1));
  EXPECT_FALSE(sessions.find("b", "t1", 1));
}

TEST(Sessions, EndWhenNobodyUsesThem) {
  Sessions sessions({.sessions = 4, .idle_ms = 100});
  std::vector<SessionPtr> removed;
  for (const char* id : {"idle", "used", "busy"})
    ASSERT_TRUE(sessions.add(session(id), 0, removed));
  const SessionPtr busy = sessions.find("busy", "", 0);
  const Running running(busy);
  EXPECT_TRUE(sessions.find("used", "", 60));
  EXPECT_TRUE(sessions.find("used", "", 150));
  EXPECT_FALSE(sessions.find("idle", "", 101));
  const auto expired = sessions.remove_expired(200);
  ASSERT_EQ(expired.size(), 1u);
  EXPECT_EQ(expired[0]->id, "idle");
  EXPECT_TRUE(sessions.find("busy", "", 5000));
}

TEST(Sessions, TheIdleOneUsedLongestAgoMakesRoom) {
  Sessions sessions({.sessions = 3, .idle_ms = 1000});
  std::vector<SessionPtr> removed;
  for (const char* id : {"a", "b", "c"})
    ASSERT_TRUE(sessions.add(session(id), 0, removed));
  const Running running(sessions.find("a", "", 1));
  sessions.find("c", "", 2);
  sessions.find("b", "", 3);
  ASSERT_TRUE(sessions.add(session("d"), 4, removed));
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_EQ(removed[0]->id, "c");
  EXPECT_TRUE(sessions.find("a", "", 5));  // used longest ago, but at work
}

TEST(Sessions, NobodyAtWorkIsSentAway) {
  Sessions sessions({.sessions = 1, .idle_ms = 10});
  std::vector<SessionPtr> removed;
  ASSERT_TRUE(sessions.add(session("a"), 0, removed));
  const Running running(sessions.find("a", "", 0));
  EXPECT_FALSE(sessions.add(session("b"), 1000, removed));
  EXPECT_TRUE(removed.empty());
}

// interfaces 1.6: idle for 30 minutes, 256 of them.
TEST(Sessions, TheUsualBoundsAreThoseOfTheDocument) {
  const Sessions::Bounds bounds;
  EXPECT_EQ(bounds.sessions, 256u);
  EXPECT_EQ(bounds.idle_ms, 1'800'000);
}

}  // namespace
}  // namespace gh::serve
