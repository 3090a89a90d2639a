#pragma once
// Answers that are given again to whoever repeats a request under the same Idempotency-Key
// (interfaces 6.1). Kept in memory for a day; the clock is handed in. Thread-safe.
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "http/message.h"

namespace gh::serve {

class KeptAnswers {
 public:
  static constexpr std::int64_t kKeepMs = 24ll * 3600 * 1000;
  static constexpr std::size_t kMost = 1000, kMaxKey = 200;

  struct Kept {
    std::string request;  // digest of what was asked
    http::Response answer;
    std::int64_t at_ms = 0;
  };
  std::optional<Kept> find(std::string_view key, std::int64_t now_ms);
  void keep(std::string key, Kept);

 private:
  std::mutex mutex_;
  std::map<std::string, Kept, std::less<>> kept_;
};

}  // namespace gh::serve
