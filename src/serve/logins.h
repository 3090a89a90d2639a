#pragma once
// Browsers that are logged in: a nonce that is good once and for a minute, or a token, becomes a
// session behind a cookie (interfaces 6.2). Ids are kept as digests; the clock is handed in.
// Thread-safe.
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "http/message.h"
#include "sys/env.h"

namespace gh::serve {

class Logins {
 public:
  static constexpr std::int64_t kNonceMs = 60'000, kIdleMs = 12ll * 3600 * 1000;
  static constexpr std::size_t kMaxNonces = 64, kMaxSessions = 1024;

  explicit Logins(sys::Env& env) : env_(env) {}

  std::string new_nonce();
  /// True once for each nonce, and not when it is too old.
  bool take_nonce(std::string_view nonce);

  struct Opened {
    std::string id, csrf;
  };
  /// Always a new id, whatever the browser brought. The session that was idle longest makes room.
  Opened open(http::Caller);

  struct Found {
    http::Caller caller;  // `session` names it
    std::string csrf;
  };
  std::optional<Found> find(std::string_view id);  // and it is not idle
  void close(std::string_view session);            // as Caller::session names it

 private:
  struct Session {
    http::Caller caller;
    std::string csrf;
    std::int64_t used_ms = 0;
  };
  std::string secret();
  void forget_old();

  sys::Env& env_;
  std::mutex mutex_;
  std::map<std::string, std::int64_t, std::less<>> nonces_;  // digest: when it was made
  std::map<std::string, Session, std::less<>> sessions_;     // by digest
};

}  // namespace gh::serve
