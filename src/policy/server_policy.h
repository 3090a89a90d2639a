#pragma once
// The `server` block of gatehouse.yaml: where `serve` listens, and every limit of the doors that
// stay open (docs/mcp.md, "Limits").
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/value.h"

namespace gh::policy {

struct ServerPolicy {
  std::string listen = "127.0.0.1:8930";
  std::string public_url{};   // empty: none
  std::string auth = "auto";  // token: a token is needed on loopback too
  std::int64_t mcp_max_sessions = 256, mcp_session_idle_seconds = 1800;
  std::int64_t mcp_max_body_bytes = 4'194'304, stdio_max_line_bytes = 16'777'216;
  std::int64_t mcp_replay_events = 1000;
  std::int64_t sse_streams_per_token = 64, sse_log_events = 10'000;
  std::int64_t read_rps = 20, read_burst = 60, write_rps = 5;
  std::int64_t max_connections = 4096;

  bool operator==(const ServerPolicy&) const = default;
};

/// The block of a whole gatehouse.yaml, the rest of which is checked too; defaults without one.
Result<ServerPolicy> parse_server_policy(std::string_view yaml, std::string_view name);

/// Every key with its effective value.
Value to_value(const ServerPolicy&);

}  // namespace gh::policy
