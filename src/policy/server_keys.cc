#include "policy/server_keys.h"

#include <array>

#include "policy/field_keys.h"

namespace gh::policy {
namespace {

using keys::number;
using keys::show_field;
using P = ServerPolicy;
using ServerKey = Key<P>;

constexpr std::int64_t kMillion = 1'000'000, kGigabyte = 1 << 30, kMonthSeconds = 30 * 86'400;
// table: server_auth
constexpr std::array<std::string_view, 2> kAuth{"auto", "token"};

template <auto Field>
constexpr ServerKey text(std::string_view path) {
  return {path,
          [](P& p, const Value& v, const At& at) -> Status {
            GH_TRY(given, load_text(v, at));
            p.*Field = given;
            return {};
          },
          show_field<Field>, nullptr};
}

Status load_auth(P& p, const Value& value, const At& at) {
  GH_TRY(index, load_choice(value, at, kAuth));
  p.auth = kAuth[index];
  return {};
}

// table: server_keys
// clang-format off
constexpr ServerKey kServerKeys[] = {
    text<&P::listen>("listen"),
    text<&P::public_url>("public_url"),
    {"auth", load_auth, show_field<&P::auth>, nullptr},
    number<&P::mcp_max_sessions, 1, kMillion>("mcp_max_sessions"),
    number<&P::mcp_session_idle_seconds, 1, kMonthSeconds>("mcp_session_idle_seconds"),
    number<&P::mcp_max_body_bytes, 1024, kGigabyte>("mcp_max_body_bytes"),
    number<&P::stdio_max_line_bytes, 1024, kGigabyte>("stdio_max_line_bytes"),
    number<&P::mcp_replay_events, 1, kMillion>("mcp_replay_events"),
    number<&P::sse_streams_per_token, 1, kMillion>("sse_streams_per_token"),
    number<&P::sse_log_events, 1, kMillion>("sse_log_events"),
    number<&P::read_rps, 1, kMillion>("read_rps"),
    number<&P::read_burst, 1, kMillion>("read_burst"),
    number<&P::write_rps, 1, kMillion>("write_rps"),
    number<&P::max_connections, 1, kMillion>("max_connections"),
};
// clang-format on

}  // namespace

Result<ServerPolicy> load_server_block(const Value& block, const At& at) {
  ServerPolicy policy;
  GH_DO(load_keys(policy, block, at, kServerKeys));
  return policy;
}

Value to_value(const ServerPolicy& policy) { return show_keys(policy, kServerKeys); }

}  // namespace gh::policy
