#pragma once
// The HTTP server: connections, limits, deadlines, streams, an orderly end. It knows nothing about
// what is served. A client that is slow, silent or hostile costs its own connection and nothing
// else; whatever it may hold has a bound in Limits.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "http/guard.h"
#include "http/message.h"
#include "model/value.h"

namespace gh::http {

struct Limits {
  std::int64_t threads = 2;
  std::int64_t max_connections = 4096;
  std::int64_t header_bytes = 16'384;
  std::int64_t header_seconds = 10;       // from its first byte to its last
  std::int64_t body_seconds = 60;         // likewise
  std::int64_t idle_seconds = 75;         // between requests
  std::int64_t write_seconds = 30;        // nothing could be written for so long
  std::int64_t stream_bytes = 1'048'576;  // written to a stream and not yet taken by its reader
  std::int64_t keep_alive_ms = 15'000;    // between comments on a silent stream
  std::int64_t drain_seconds = 10;        // for what runs when the server is told to stop
};

/// An answer that comes piece by piece. Every function may be called from any thread.
class Stream {
 public:
  virtual ~Stream() = default;
  /// False: the reader is gone, or was dropped because it took nothing for too long.
  virtual bool write(std::string bytes) = 0;
  virtual void close() = 0;  // after what was written; again is fine
};

/// One request that waits for its answer. Whoever drops it unanswered has answered 500.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual void reply(Response) = 0;  // once, unless `open` is used; any thread
  /// A stream instead. `head` has status and fields; `keep_alive` is written when nothing else was
  /// for keep_alive_ms.
  virtual std::shared_ptr<Stream> open(Response head, std::string keep_alive) = 0;
  /// The client closed the connection before the answer was complete. Called at most once, soon or
  /// at once, on a thread of the server.
  virtual void on_gone(std::function<void()>) = 0;
};

struct Setup {
  std::string address = "127.0.0.1";  // numeric
  std::uint16_t port = 0;             // 0: a free one
  Limits limits{};
  Guard guard{};
  std::vector<Route> routes{};
  std::function<void(Map)> log{};       // one structured line; any thread
  std::function<void()> on_stopping{};  // end streams that would never end by themselves
  bool handles_signals = false;         // SIGTERM and SIGINT stop the server
};

class Server {
 public:
  /// listen_failed when the address cannot be bound.
  static Result<std::unique_ptr<Server>> listen(Setup);
  virtual ~Server() = default;
  virtual std::uint16_t port() const = 0;
  /// Serves until it is stopped and everything under way is answered, or drain_seconds are over.
  virtual void run() = 0;
  /// Any thread; again is fine.
  virtual void stop() = 0;
};

/// Lets the process hold as many connections as the system allows it to.
std::int64_t raise_descriptor_limit(std::int64_t wanted);

}  // namespace gh::http
