// Field values of anybody: what is read of them is a fixed point, no host is allowed that is not
// written in the list, and the checks of a head answer the same twice.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "fuzz/require.h"
#include "http/fields.h"
#include "http/guard.h"
#include "http/sse.h"
#include "serve/modern_headers.h"
#include "serve/tokens.h"

namespace {

using namespace gh::http;

void check_addresses(std::string_view text) {
  if (const auto authority = read_authority(text)) {
    const std::string printed =
        authority->host + (authority->port ? ":" + std::to_string(*authority->port) : "");
    REQUIRE(read_authority(printed) == authority);
    REQUIRE(printed.find_first_of("@/ \t,") == std::string::npos);
  }
  AllowedHosts hosts;
  if (is_allowed_host(hosts, text)) {
    const std::string lowered = lower_case(text);
    REQUIRE(std::ranges::any_of(
        hosts.names, [&](const std::string& name) { return lowered.starts_with(name); }));
  }
  if (is_allowed_origin(hosts, text)) REQUIRE(lower_case(text).starts_with("http"));
  if (allow_public_url(hosts, text)) REQUIRE(is_allowed_origin(hosts, hosts.origin));
}

void check_values(std::string_view text) {
  (void)accepts(text, "application/json");
  const std::string type = media_type(text);
  REQUIRE(media_type(type) == type);
  const std::string token = bearer_token(text);
  REQUIRE(token.find_first_of(" \t") == std::string::npos);
  if (const auto id = read_event_id(text)) REQUIRE(to_string(*id) == text);
  if (const auto bytes = read_base64(text)) REQUIRE(bytes->size() <= text.size() / 4 * 3);
  (void)gh::serve::header_value(text);
  if (const auto parts = gh::serve::read_token(text))
    REQUIRE(parts->id.size() + parts->secret.size() < text.size());
}

/// One line is one field, "Name: value".
Head head_of(std::string_view text) {
  Head head{"POST", "/mcp", {}, std::nullopt};
  for (const std::string_view line : gh::split(text, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    head.fields.push_back(
        {std::string(line.substr(0, colon)), std::string(trimmed(line.substr(colon + 1)))});
  }
  return head;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_addresses(text);
  check_values(text);
  const Head head = head_of(text);
  const std::vector<Route> routes{{.path = "/mcp", .methods = "POST", .roles = {"agent"}}};
  Admitted first, second;
  const auto one = check_head({}, routes, head, first), two = check_head({}, routes, head, second);
  REQUIRE(one.has_value() == two.has_value());
  if (!one) REQUIRE(is_allowed_host({}, *field(head.fields, "Host")));
  (void)gh::serve::Tokens::read(text, "tokens");
  return 0;
}
