#pragma once
// What changes in the ledgers, as server-sent events (interfaces 6.1). One thread looks twice a
// second while anybody listens; the audit chain is the log that a lost reader is caught up from.
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "http/server.h"
#include "model/value.h"
#include "serve/repositories.h"
#include "serve/stream_places.h"
#include "sys/env.h"

namespace gh::serve {

/// "proposals" of "proposal.reviewed", "intents" of "intent.declared"; "audit" for what is none of
/// the others. Every event belongs to "audit" as well.
std::string_view topic_of(std::string_view event);
bool is_topic(std::string_view word);

/// One frame: the number of the row, <topic>.<verb>, ids and digests.
std::string event_frame(const Map& audit_row, std::string_view topic, std::string_view repo);

class Events {
 public:
  /// Rows of a repository's audit chain from a number on; nothing when they cannot be read.
  using ReadRows =
      std::function<std::optional<List>(const Repository&, std::int64_t from, std::int64_t most)>;
  Events(sys::Env& env, ReadRows read, std::int64_t log_events, std::size_t streams_each)
      : env_(env), read_(std::move(read)), log_events_(log_events), places_(streams_each) {}
  ~Events() { stop(); }

  struct Wish {
    Repository repo;
    std::set<std::string, std::less<>> topics;
    std::optional<std::int64_t> after{};  // Last-Event-ID
  };
  /// The stream of an exchange; null when this key has as many open as it may.
  std::shared_ptr<http::Stream> open(const std::shared_ptr<http::Exchange>&,
                                     const std::string& key);
  /// From now on, or from behind the row that the reader had last.
  void add(std::shared_ptr<http::Stream>, Wish);
  void remove(const http::Stream*);
  void stop();

 private:
  struct Reader {
    std::shared_ptr<http::Stream> stream;
    Wish wish;
    std::int64_t next = 0;  // row to send; 0: where the chain ends now
  };
  void run(const std::stop_token&);
  void serve_once(std::set<std::string>& moved);
  bool send_new(Reader&);  // false: the reader is gone

  sys::Env& env_;
  const ReadRows read_;
  const std::int64_t log_events_;
  StreamPlaces places_;
  std::mutex mutex_;
  std::condition_variable_any turn_;
  std::vector<std::shared_ptr<Reader>> readers_;
  bool is_over_ = false;
  std::jthread thread_;
};

}  // namespace gh::serve
