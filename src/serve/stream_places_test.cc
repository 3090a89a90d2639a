#include "serve/stream_places.h"

#include <gtest/gtest.h>

namespace gh::serve {
namespace {

TEST(StreamPlaces, EachKeyHasItsOwnAndGetsThemBack) {
  StreamPlaces places(2);
  auto first = places.take("a"), second = places.take("a");
  EXPECT_TRUE(first && second);
  EXPECT_FALSE(places.take("a"));
  EXPECT_TRUE(places.take("b")) << "of somebody else";
  first.reset();
  EXPECT_TRUE(places.take("a"));
}

TEST(StreamPlaces, APlaceMayOutliveThem) {
  std::shared_ptr<void> place;
  {
    StreamPlaces places(1);
    place = places.take("a");
  }
  place.reset();
}

}  // namespace
}  // namespace gh::serve
