#include "http/rate.h"

#include <algorithm>

namespace gh::http {
namespace {

constexpr std::size_t kMaxKeys = 10'000;
constexpr std::int64_t kOne = 1000;

}  // namespace

std::int64_t RateLimiter::take(std::string_view key, std::int64_t now_ms) {
  const std::int64_t full = rate_.burst * kOne;
  auto at = buckets_.find(key);
  if (at == buckets_.end()) {
    if (buckets_.size() >= kMaxKeys) forget_full(now_ms);
    at = buckets_.emplace(std::string(key), Bucket{full, now_ms}).first;
  }
  Bucket& bucket = at->second;
  const std::int64_t passed = std::clamp<std::int64_t>(now_ms - bucket.at_ms, 0, full);
  bucket = {std::min(full, bucket.thousandths + passed * rate_.per_second), now_ms};
  if (bucket.thousandths >= kOne) {
    bucket.thousandths -= kOne;
    return 0;
  }
  const std::int64_t missing = kOne - bucket.thousandths;
  const std::int64_t wait_ms = (missing + rate_.per_second - 1) / rate_.per_second;
  return (wait_ms + 999) / 1000;
}

/// A bucket that is full again says nothing; if none is, all are dropped rather than kept for ever.
void RateLimiter::forget_full(std::int64_t now_ms) {
  const std::int64_t full = rate_.burst * kOne;
  std::erase_if(buckets_, [&](const auto& entry) {
    const Bucket& b = entry.second;
    return b.thousandths + (now_ms - b.at_ms) * rate_.per_second >= full;
  });
  if (buckets_.size() >= kMaxKeys) buckets_.clear();
}

}  // namespace gh::http
