#pragma once
// All that may differ between two runs on the same input: clock, ids, user, host. Tests hand in
// their own.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.h"

namespace gh::sys {

class Env {
 public:
  virtual ~Env() = default;
  virtual Timestamp now() = 0;
  virtual std::int64_t monotonic_ms() = 0;
  virtual std::string random_hex(std::size_t digits) = 0;
  virtual std::string variable(std::string_view name) = 0;  // empty when unset
  virtual std::uint32_t user_id() = 0;
  virtual std::int64_t process_id() = 0;
  virtual std::string host_name() = 0;
};

Env& real_env();

}  // namespace gh::sys
