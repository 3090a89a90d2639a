#pragma once
// UTC seconds and their one text form, RFC 3339 (interfaces 0.5). The clock itself lives in sys.
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace gh {

struct Timestamp {
  std::int64_t seconds = 0;  // since 1970-01-01T00:00:00Z
  auto operator<=>(const Timestamp&) const = default;
};

std::string to_string(Timestamp);                     // 2026-11-15T19:37:00Z
Result<Timestamp> parse_timestamp(std::string_view);  // also takes a fraction and a numeric offset

}  // namespace gh
