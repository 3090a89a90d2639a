#include "policy/server_policy.h"

#include <gtest/gtest.h>

#include "policy/config.h"
#include "wire/json.h"

namespace gh::policy {
namespace {

// interfaces 0.10, block `server`: 14 keys with their defaults, typed out again.
TEST(ServerPolicy, DefaultsAreThoseOfTheDocument) {
  EXPECT_EQ(wire::canonical_json(to_value(ServerPolicy{})),
            R"({"auth":"auto","listen":"127.0.0.1:8930","max_connections":4096,)"
            R"("mcp_max_body_bytes":4194304,"mcp_max_sessions":256,"mcp_replay_events":1000,)"
            R"("mcp_session_idle_seconds":1800,"public_url":"","read_burst":60,"read_rps":20,)"
            R"("sse_log_events":10000,"sse_streams_per_token":64,"stdio_max_line_bytes":16777216,)"
            R"("write_rps":5})");
  EXPECT_EQ(parse_server_policy("patch: {}\n", "gatehouse.yaml"), ServerPolicy{});
}

TEST(ServerPolicy, EveryKeyIsRead) {
  const auto policy = parse_server_policy(
      "server:\n  auth: token\n  listen: \"[::1]:1\"\n  max_connections: 2\n"
      "  mcp_max_body_bytes: 2048\n  mcp_max_sessions: 3\n  mcp_replay_events: 4\n"
      "  mcp_session_idle_seconds: 5\n  public_url: https://gate.example.org\n  read_burst: 6\n"
      "  read_rps: 7\n  sse_log_events: 8\n  sse_streams_per_token: 9\n"
      "  stdio_max_line_bytes: 4096\n  write_rps: 10\n",
      "gatehouse.yaml");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(wire::canonical_json(to_value(*policy)),
            R"({"auth":"token","listen":"[::1]:1","max_connections":2,"mcp_max_body_bytes":2048,)"
            R"("mcp_max_sessions":3,"mcp_replay_events":4,"mcp_session_idle_seconds":5,)"
            R"("public_url":"https://gate.example.org","read_burst":6,"read_rps":7,)"
            R"("sse_log_events":8,"sse_streams_per_token":9,"stdio_max_line_bytes":4096,)"
            R"("write_rps":10})");
}

TEST(ServerPolicy, WhatIsWrongIsRefusedForEveryReaderOfTheFile) {
  for (const std::string_view text :
       {"server: 7\n", "server:\n  listn: a\n", "server:\n  read_rps: 0\n",
        "server:\n  mcp_max_sessions: many\n", "server:\n  auth: none\n",
        "server:\n  mcp_max_body_bytes: 10\n", "server: {}\npatch:\n  max_files: 0\n"}) {
    EXPECT_FALSE(parse_server_policy(text, "gatehouse.yaml")) << text;
    EXPECT_FALSE(parse_config(text, "gatehouse.yaml")) << text;
  }
}

}  // namespace
}  // namespace gh::policy
