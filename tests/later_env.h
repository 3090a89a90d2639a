#pragma once
// The real world an hour later: a file that changed just now would be read again in any case.
#include "sys/env.h"

namespace gh::testing {

class LaterEnv final : public sys::Env {
 public:
  Timestamp now() override { return {sys::real_env().now().seconds + 3600}; }
  std::int64_t monotonic_ms() override { return sys::real_env().monotonic_ms(); }
  std::string random_hex(std::size_t digits) override { return sys::real_env().random_hex(digits); }
  std::string variable(std::string_view name) override { return sys::real_env().variable(name); }
  std::uint32_t user_id() override { return sys::real_env().user_id(); }
  std::int64_t process_id() override { return sys::real_env().process_id(); }
  std::string host_name() override { return sys::real_env().host_name(); }
};

}  // namespace gh::testing
