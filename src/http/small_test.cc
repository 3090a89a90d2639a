// Messages, events, rates and workers.
#include <atomic>
#include <latch>

#include <gtest/gtest.h>

#include "http/message.h"
#include "http/rate.h"
#include "http/sse.h"
#include "http/workers.h"

namespace gh::http {
namespace {

TEST(Fields, AreFoundWithoutCaseAndJoinedWhenRepeated) {
  const Fields fields{{"Accept", "a/b"}, {"X", "1"}, {"ACCEPT", "c/d"}};
  EXPECT_EQ(field(fields, "accept"), "a/b, c/d");
  EXPECT_EQ(field(fields, "x"), "1");
  EXPECT_EQ(field(fields, "y"), std::nullopt);
}

// RFC 9110, the statuses that this server answers with.
TEST(Phrases, AreThoseOfTheStandard) {
  const std::pair<int, std::string_view> rows[] = {{200, "OK"},
                                                   {201, "Created"},
                                                   {202, "Accepted"},
                                                   {204, "No Content"},
                                                   {304, "Not Modified"},
                                                   {400, "Bad Request"},
                                                   {401, "Unauthorized"},
                                                   {403, "Forbidden"},
                                                   {404, "Not Found"},
                                                   {405, "Method Not Allowed"},
                                                   {406, "Not Acceptable"},
                                                   {408, "Request Timeout"},
                                                   {409, "Conflict"},
                                                   {412, "Precondition Failed"},
                                                   {413, "Payload Too Large"},
                                                   {415, "Unsupported Media Type"},
                                                   {417, "Expectation Failed"},
                                                   {422, "Unprocessable Content"},
                                                   {428, "Precondition Required"},
                                                   {429, "Too Many Requests"},
                                                   {431, "Request Header Fields Too Large"},
                                                   {500, "Internal Server Error"},
                                                   {503, "Service Unavailable"}};
  for (const auto& [status, phrase] : rows)
    EXPECT_EQ(reason_phrase(status), phrase);
  EXPECT_EQ(reason_phrase(299), "Unknown");
}

TEST(Problem, NamesStatusAndCode) {
  const Response out = problem({404, "no_such_path", "nothing is served at '/x'"});
  EXPECT_EQ(out.status, 404);
  EXPECT_EQ(out.body, R"({"code":"no_such_path","detail":"nothing is served at '/x'","status":404,)"
                      R"("title":"Not Found","type":"about:blank"})");
  EXPECT_EQ(field(out.fields, "content-type"), "application/problem+json");
}

TEST(Events, HaveIdEventAndOneLineOfData) {
  EXPECT_EQ(message_event(EventId{3, 17}, "{}"), "id: 3_17\nevent: message\ndata: {}\n\n");
  EXPECT_EQ(message_event(std::nullopt, "{}"), "event: message\ndata: {}\n\n");
  EXPECT_EQ(priming_event({2, 0}, 1000), "id: 2_0\nretry: 1000\ndata: \n\n");
  EXPECT_EQ(kKeepAliveComment, ": ka\n\n");
}

TEST(Events, AnIdHasOneSpelling) {
  EXPECT_EQ(read_event_id("3_17"), (EventId{3, 17}));
  EXPECT_EQ(read_event_id("0_0"), (EventId{0, 0}));
  EXPECT_EQ(read_event_id(to_string(EventId{~0ull, ~0ull})), (EventId{~0ull, ~0ull}));
  for (const std::string_view text : {"", "_", "1", "1_", "_1", "01_1", "1_01", "1_2_3", "+1_2",
                                      "1_-2", " 1_2", "1_2 ", "18446744073709551616_0", "a_b"})
    EXPECT_FALSE(read_event_id(text)) << text;
}

TEST(Rate, AllowsABurstAndThenASteadyFlow) {
  RateLimiter limiter({.per_second = 20, .burst = 60});
  for (int i = 0; i < 60; ++i)
    EXPECT_EQ(limiter.take("a", 1000), 0) << i;
  EXPECT_EQ(limiter.take("a", 1000), 1);
  EXPECT_EQ(limiter.take("b", 1000), 0);  // another's bucket
  EXPECT_EQ(limiter.take("a", 1049), 1);
  EXPECT_EQ(limiter.take("a", 1050), 0);
  EXPECT_EQ(limiter.take("a", 1050), 1);
  for (int i = 0; i < 60; ++i)
    EXPECT_EQ(limiter.take("a", 1'000'000), 0) << i;
  EXPECT_EQ(limiter.take("a", 1'000'000), 1);
}

TEST(Rate, SurvivesAClockThatJumpsBack) {
  RateLimiter limiter({.per_second = 1, .burst = 1});
  EXPECT_EQ(limiter.take("a", 5000), 0);
  EXPECT_EQ(limiter.take("a", 10), 1);
  EXPECT_EQ(limiter.take("a", 1010), 0);
}

TEST(Rate, ForgetsThoseWhoCameNoMore) {
  RateLimiter limiter({.per_second = 1000, .burst = 1});
  for (int i = 0; i < 50'000; ++i)
    EXPECT_EQ(limiter.take(std::to_string(i), i), 0);
}

using Shift = Workers::Shift;

TEST(Workers, AsManyWorkAtATimeAsTheProcessorsBear) {
  EXPECT_EQ(working_on(0), 4u);  // nobody knows
  EXPECT_EQ(working_on(1), 4u);
  EXPECT_EQ(working_on(2), 4u);
  EXPECT_EQ(working_on(8), 16u);
}

TEST(Workers, WhoeverWaitsForAnotherDoesNotHoldUpOthers) {
  Workers workers({.working = 1, .threads = 4, .queued = 16});
  std::latch second(1), done(2);
  ASSERT_TRUE(workers.post([&](Shift& shift) {
    shift.will_wait();
    second.wait();  // only the other one can end this
    done.count_down();
  }));
  ASSERT_TRUE(workers.post([&](Shift&) {
    second.count_down();
    done.count_down();
  }));
  done.wait();
  EXPECT_TRUE(workers.stop(20'000));
  EXPECT_FALSE(workers.post([](Shift&) {}));
}

TEST(Workers, NoMoreWorkAtATimeThanTheyAreAllowed) {
  Workers workers({.working = 3, .threads = 64, .queued = 1000});
  std::atomic<int> now = 0, most = 0, done = 0;
  for (int i = 0; i < 300; ++i)
    ASSERT_TRUE(workers.post([&](Shift& shift) {
      const int at_once = ++now;
      int seen = most;
      while (seen < at_once && !most.compare_exchange_weak(seen, at_once)) {
      }
      --now;
      if (done++ % 50 == 0) shift.will_wait();
    }));
  EXPECT_TRUE(workers.stop(20'000));
  EXPECT_EQ(done, 300);
  EXPECT_LE(most, 3 + 6);  // those who said that they wait are not counted
}

TEST(Workers, DoEverythingThatWasTakenBeforeTheyStop) {
  std::atomic<int> done = 0;
  Workers workers({.working = 2, .threads = 2, .queued = 1000});
  for (int i = 0; i < 500; ++i)
    ASSERT_TRUE(workers.post([&](Shift&) { ++done; }));
  EXPECT_TRUE(workers.stop(20'000));
  EXPECT_EQ(done, 500);
}

TEST(Workers, TakeNoMoreThanTheirBound) {
  Workers workers({.working = 1, .threads = 1, .queued = 2});
  std::latch begun(1), go(1);
  ASSERT_TRUE(workers.post([&](Shift&) {
    begun.count_down();
    go.wait();
  }));
  begun.wait();
  EXPECT_TRUE(workers.post([](Shift&) {}));
  EXPECT_TRUE(workers.post([](Shift&) {}));
  EXPECT_FALSE(workers.post([](Shift&) {}));
  EXPECT_FALSE(workers.stop(0));
  go.count_down();
  EXPECT_TRUE(workers.stop(20'000));
}

}  // namespace
}  // namespace gh::http
