#pragma once
// How often somebody may ask: a bucket of tokens for each key that fills at a steady rate. The
// clock is handed in. Not thread-safe.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace gh::http {

struct Rate {
  std::int64_t per_second = 20, burst = 60;
};

class RateLimiter {
 public:
  explicit RateLimiter(Rate rate) : rate_(rate) {}
  /// Takes one. 0: it may be done now; otherwise the whole seconds after which to come again.
  std::int64_t take(std::string_view key, std::int64_t now_ms);

 private:
  struct Bucket {
    std::int64_t thousandths = 0, at_ms = 0;
  };
  void forget_full(std::int64_t now_ms);

  Rate rate_;
  std::map<std::string, Bucket, std::less<>> buckets_;
};

}  // namespace gh::http
