#include "serve/session_streams.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace gh::serve {
namespace {

using http::EventId;

class Reader : public http::Stream {
 public:
  bool write(std::string bytes) override {
    if (is_gone || is_closed) return false;
    text += bytes;
    return true;
  }
  void close() override { is_closed = true; }

  std::string text;
  bool is_closed = false, is_gone = false;
};

std::string event(std::uint64_t stream, std::uint64_t sequence, std::string_view data) {
  return http::message_event(EventId{stream, sequence}, data);
}

/// A new reader that names the last event it saw; null when that is refused.
std::shared_ptr<Reader> resumed(SessionStreams& streams, EventId last, std::int64_t now = 0) {
  auto reader = std::make_shared<Reader>();
  return streams.resume(last, now, [&] { return reader; }) ? reader : nullptr;
}

TEST(SessionStreams, EventsAreNumberedWithinTheirStream) {
  SessionStreams streams({});
  const auto a = std::make_shared<Reader>(), b = std::make_shared<Reader>();
  const auto first = streams.begin(a, false), second = streams.begin(b, false);
  streams.emit(first, "1", 0);
  streams.emit(second, "2", 0);
  streams.emit(first, "3", 0);
  EXPECT_EQ(a->text, event(first, 1, "1") + event(first, 2, "3"));
  EXPECT_EQ(b->text, event(second, 1, "2"));
}

TEST(SessionStreams, APrimingEventComesFirstWhenWanted) {
  SessionStreams streams({});
  const auto reader = std::make_shared<Reader>();
  const auto number = streams.begin(reader, true);
  streams.emit(number, "x", 0);
  EXPECT_EQ(reader->text, "id: 1_0\nretry: 1000\ndata: \n\n" + event(number, 1, "x"));
}

TEST(SessionStreams, ALostReaderGetsTheRestOfItsStreamAlone) {
  SessionStreams streams({});
  const auto lost = std::make_shared<Reader>(), other = std::make_shared<Reader>();
  const auto number = streams.begin(lost, true), neighbour = streams.begin(other, true);
  streams.emit(number, "1", 0);
  lost->is_gone = true;
  streams.emit(number, "2", 0);
  streams.emit(neighbour, "no", 0);
  streams.emit(number, "3", 0);
  const auto back = resumed(streams, {number, 1});
  ASSERT_TRUE(back);
  EXPECT_EQ(back->text, event(number, 2, "2") + event(number, 3, "3"));
  streams.emit(number, "4", 0);
  EXPECT_TRUE(back->text.ends_with(event(number, 4, "4")));
  EXPECT_FALSE(back->is_closed);
}

TEST(SessionStreams, ASuspendedStreamGoesOnForWhoeverComesBack) {
  SessionStreams streams({});
  const auto reader = std::make_shared<Reader>();
  const auto number = streams.begin(reader, true);
  streams.suspend(number);
  EXPECT_TRUE(reader->is_closed);
  streams.emit(number, "answer", 0);
  streams.finish(number);
  const auto back = resumed(streams, {number, 0});
  ASSERT_TRUE(back);
  EXPECT_EQ(back->text, event(number, 1, "answer"));
  EXPECT_TRUE(back->is_closed);
}

TEST(SessionStreams, AFinishedStreamThatWasReadWholeIsClosedAtOnce) {
  SessionStreams streams({});
  const auto number = streams.begin(std::make_shared<Reader>(), false);
  streams.emit(number, "answer", 0);
  streams.finish(number);
  const auto back = resumed(streams, {number, 1});
  ASSERT_TRUE(back);
  EXPECT_EQ(back->text, "");
  EXPECT_TRUE(back->is_closed);
}

TEST(SessionStreams, WhatIsNotKnownIsRefused) {
  SessionStreams streams({});
  const auto number = streams.begin(std::make_shared<Reader>(), false);
  streams.emit(number, "1", 0);
  EXPECT_FALSE(resumed(streams, {number + 1, 0}));
  EXPECT_FALSE(resumed(streams, {number, 2}));
  EXPECT_FALSE(resumed(streams, {0, 0}));
}

TEST(SessionStreams, WhatWasForgottenIsRefusedNotSkipped) {
  struct Case {
    SessionStreams::Bounds bounds;
    std::int64_t now;
    std::string_view what;
  };
  for (const Case& c : {Case{{.events = 2}, 0, "too many"},
                        Case{{.bytes = 2 * event(1, 1, "1").size()}, 0, "too long"},
                        Case{{.keep_ms = 10}, 15, "too old"}}) {
    SessionStreams streams(c.bounds);
    const auto number = streams.begin(std::make_shared<Reader>(), false);
    streams.emit(number, "1", 0);
    streams.emit(number, "2", 5);
    streams.emit(number, "3", 5);
    EXPECT_FALSE(resumed(streams, {number, 0}, c.now)) << c.what;
    const auto back = resumed(streams, {number, 1}, c.now);
    ASSERT_TRUE(back) << c.what;
    EXPECT_EQ(back->text, event(number, 2, "2") + event(number, 3, "3")) << c.what;
  }
}

// interfaces 1.6: a ring of 1,000 events or 4 MiB, 10 minutes.
TEST(SessionStreams, TheUsualBoundsAreThoseOfTheDocument) {
  const SessionStreams::Bounds bounds;
  EXPECT_EQ(bounds.events, 1000u);
  EXPECT_EQ(bounds.bytes, 4'194'304u);
  EXPECT_EQ(bounds.keep_ms, 600'000);
  EXPECT_EQ(SessionStreams::kRetryMs, 1000);
}

TEST(SessionStreams, AReaderThatHangsUpMakesRoomForTheNext) {
  SessionStreams streams({});
  const auto reader = std::make_shared<Reader>();
  const auto number = streams.begin(reader, false);
  EXPECT_TRUE(streams.has_reader(number));
  const Reader another;
  streams.detach(number, &another);
  EXPECT_TRUE(streams.has_reader(number));
  streams.detach(number, reader.get());
  EXPECT_FALSE(streams.has_reader(number));
}

TEST(SessionStreams, AReaderThatComesBackWhileItsStreamEndsIsSentAway) {
  constexpr int kTurns = 3000;
  for (int turn = 0; turn < kTurns; ++turn) {
    SessionStreams streams({});
    const auto number = streams.begin(std::make_shared<Reader>(), true);
    streams.emit(number, "answer", 0);
    std::atomic<bool> is_ready = false;
    std::shared_ptr<Reader> back;
    std::thread other([&] {
      is_ready = true;
      back = resumed(streams, {number, 0});
    });
    while (!is_ready)
      std::this_thread::yield();
    streams.finish(number);
    other.join();
    ASSERT_TRUE(back);
    ASSERT_TRUE(back->is_closed) << "turn " << turn;
  }
}

}  // namespace
}  // namespace gh::serve
