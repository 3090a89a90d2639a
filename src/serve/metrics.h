#pragma once
// What the server did, as Prometheus reads it: counted from the same lines that are logged, so that
// nothing is counted that is not known to the log, and no label holds what a client may choose.
// Thread-safe.
#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>

#include "http/guard.h"
#include "model/value.h"

namespace gh::serve {

class Metrics {
 public:
  void count(const Map& log_line);
  std::string text() const;

  /// GET /metrics, for whoever has a token where tokens are asked for.
  http::Route route() const;

 private:
  static constexpr std::array<std::int64_t, 7> kBoundsMs{5, 25, 100, 500, 2'500, 10'000, 60'000};
  struct Requests {
    std::int64_t count = 0, total_ms = 0;
    std::array<std::int64_t, kBoundsMs.size()> within{};
  };
  using Key = std::tuple<std::string, std::string, std::int64_t>;  // door, method, status

  mutable std::mutex mutex_;
  std::map<Key, Requests> requests_;
  std::int64_t connections_refused_ = 0, rate_limited_ = 0;
};

}  // namespace gh::serve
