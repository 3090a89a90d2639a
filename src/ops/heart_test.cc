#include "ops/heart.h"

#include <atomic>
#include <future>
#include <memory>

#include <gtest/gtest.h>

namespace gh::ops {
namespace {

using Seconds = Heart::Seconds;

TEST(Heart, BeatsForALongCallAgainAndAgain) {
  Heart heart(Seconds(0));
  std::promise<void> third;
  int beats = 0;
  const Heart::Call call(heart, [&] {
    if (++beats == 3) third.set_value();
    return beats < 3 ? Seconds(0) : Seconds(3600);
  });
  third.get_future().wait();
  EXPECT_EQ(beats, 3);
}

TEST(Heart, DoesNotBeatForAShortCall) {
  Heart heart(Seconds(3600));
  std::atomic<int> beats = 0;
  for (int i = 0; i < 1'000; ++i)
    const Heart::Call call(heart, [&] {
      ++beats;
      return Seconds(1);
    });
  EXPECT_EQ(beats, 0);
}

TEST(Heart, ACallThatIsDueBeforeTheOthersWakesIt) {
  Heart heart(Seconds(0));
  std::promise<void> first, second;
  const Heart::Call patient(heart, [&] {
    first.set_value();
    return Seconds(3600);
  });
  first.get_future().wait();
  const Heart::Call other(heart, [&] {
    second.set_value();
    return Seconds(3600);
  });
  second.get_future().wait();
}

TEST(Heart, ACallEndsBetweenTwoBeats) {
  Heart heart(Seconds(0));
  std::promise<void> begun, go_on;
  std::atomic<bool> is_done = false;
  auto call = std::make_unique<Heart::Call>(heart, [&] {
    begun.set_value();
    go_on.get_future().wait();
    is_done = true;
    return Seconds(3600);
  });
  begun.get_future().wait();
  auto end = std::async(std::launch::async, [&] { call.reset(); });
  go_on.set_value();
  end.wait();
  EXPECT_TRUE(is_done);
}

}  // namespace
}  // namespace gh::ops
