#include "sys/env.h"

#include <array>
#include <cstdlib>

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/error.h"

namespace gh::sys {
namespace {

timespec clock_now(clockid_t clock) {
  timespec at{};
  clock_gettime(clock, &at);
  return at;
}

class RealEnv final : public Env {
 public:
  Timestamp now() override { return {clock_now(CLOCK_REALTIME).tv_sec}; }

  std::int64_t monotonic_ms() override {
    const timespec at = clock_now(CLOCK_MONOTONIC);
    return std::int64_t{at.tv_sec} * 1000 + at.tv_nsec / 1'000'000;
  }

  std::string random_hex(std::size_t digits) override {
    std::string bytes((digits + 1) / 2, '\0');
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t got = getrandom(bytes.data() + at, bytes.size() - at, 0);
      if (got > 0) at += static_cast<std::size_t>(got);
      GH_ASSERT(got > 0 || errno == EINTR);
    }
    return to_hex(bytes).substr(0, digits);
  }

  std::string variable(std::string_view name) override {
    const char* value = std::getenv(std::string(name).c_str());
    return value ? value : "";
  }

  std::uint32_t user_id() override { return geteuid(); }
  std::int64_t process_id() override { return getpid(); }

  std::string host_name() override {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
    return name.data();
  }
};

}  // namespace

Env& real_env() {
  static RealEnv env;
  return env;
}

}  // namespace gh::sys
