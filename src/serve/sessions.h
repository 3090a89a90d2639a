#pragma once
// The sessions of the legacy era: who they belong to, when they were last used, which one has to go
// when there are too many. Thread-safe. Whoever removes one closes it.
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mcp/endpoint.h"
#include "serve/session_streams.h"

namespace gh::serve {

struct HttpSession {
  HttpSession(std::string name, std::string token, SessionStreams::Bounds bounds)
      : id(std::move(name)), token_id(std::move(token)), streams(bounds) {}

  const std::string id, token_id;
  std::shared_ptr<mcp::Session> inner;
  SessionStreams streams;
  std::atomic<std::uint64_t> listening = 0;  // number of the stream that GET opened; 0: none
  std::atomic<std::int64_t> running = 0;     // requests that are not answered yet
  std::atomic<std::int64_t> used_ms = 0;
  std::atomic<std::uint64_t> turn = 0;  // grows with each use of any session

  bool is_listening() { return listening != 0 && streams.has_reader(listening); }
};
using SessionPtr = std::shared_ptr<HttpSession>;  // shared with the requests that run in it

/// Counts as running while it lives.
class Running {
 public:
  explicit Running(SessionPtr session) : session_(std::move(session)) {
    if (session_) ++session_->running;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (session_) --session_->running;
  }

 private:
  SessionPtr session_;
};

class Sessions {
 public:
  struct Bounds {
    std::size_t sessions = 256;
    std::int64_t idle_ms = 1'800'000;
  };
  explicit Sessions(Bounds bounds) : bounds_(bounds) {}

  /// Null: unknown, expired, or another token's.
  SessionPtr find(const std::string& id, const std::string& token_id, std::int64_t now_ms);
  /// False: all places are taken by sessions that work. The idle one that was used longest ago
  /// makes room; it and those that expired are in `removed`.
  bool add(const SessionPtr&, std::int64_t now_ms, std::vector<SessionPtr>& removed);
  SessionPtr remove(const std::string& id);
  /// Those that nobody used for too long.
  std::vector<SessionPtr> remove_expired(std::int64_t now_ms);
  std::vector<SessionPtr> remove_all();
  std::vector<SessionPtr> all();
  std::size_t size();

 private:
  bool is_expired(HttpSession&, std::int64_t now_ms) const;
  void use(HttpSession&, std::int64_t now_ms);

  const Bounds bounds_;
  std::mutex mutex_;
  std::uint64_t turns_ = 0;
  std::map<std::string, SessionPtr> sessions_;
};

}  // namespace gh::serve
