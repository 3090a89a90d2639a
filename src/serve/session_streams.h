#pragma once
// The streams of one session, and the events of them that can be read once more: a reader that lost
// its connection names the last event it saw and gets the rest of that stream, no other's. What is
// kept has three bounds: events, bytes, age. Thread-safe.
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "http/server.h"
#include "http/sse.h"

namespace gh::serve {

class SessionStreams {
 public:
  struct Bounds {
    std::size_t events = 1000;
    std::size_t bytes = 4u << 20;
    std::int64_t keep_ms = 600'000;
  };
  static constexpr std::int64_t kRetryMs = 1000;
  using Open = std::function<std::shared_ptr<http::Stream>()>;

  explicit SessionStreams(Bounds bounds) : bounds_(bounds) {}

  /// A new stream with its reader; its number. A priming event comes first when it is wanted.
  std::uint64_t begin(std::shared_ptr<http::Stream> reader, bool is_primed);
  void emit(std::uint64_t stream, std::string_view frame, std::int64_t now_ms);
  void suspend(std::uint64_t stream);  // its reader is sent away, and may come back
  void finish(std::uint64_t stream);   // nothing more will come
  /// The rest of a stream for a new reader. False: nothing is known of this event, or what follows
  /// it is not kept any more; `open` was not called.
  bool resume(const http::EventId& last, std::int64_t now_ms, const Open& open);
  bool has_reader(std::uint64_t stream);
  void detach(std::uint64_t stream, const http::Stream* reader);  // it hung up
  void close_all();

 private:
  struct Stream {
    std::shared_ptr<http::Stream> reader;
    std::uint64_t last = 0;       // sequence of the last event
    std::uint64_t forgotten = 0;  // likewise, of those that are not kept
    std::size_t kept = 0;
    bool is_finished = false;
  };
  struct Event {
    http::EventId id;
    std::string bytes;
    std::int64_t at_ms;
  };
  void trim(std::int64_t now_ms);
  void forget_oldest();
  void forget_if_over(std::uint64_t stream);

  const Bounds bounds_;
  std::mutex mutex_;
  std::map<std::uint64_t, Stream> streams_;
  std::deque<Event> events_;
  std::size_t bytes_ = 0;
  std::uint64_t next_ = 1;
};

}  // namespace gh::serve
