#pragma once
// Readers of single field values: who is addressed, where a page came from, what is accepted. Pure;
// whatever does not have the form of the standard is refused, never guessed.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gh::http {

struct Authority {
  std::string host;  // lower case; an IPv6 address with its brackets
  std::optional<std::uint16_t> port;
  bool operator==(const Authority&) const = default;
};

/// `name`, `name:port`, `1.2.3.4:port`, `[::1]:port`. No user, no empty port.
std::optional<Authority> read_authority(std::string_view);

struct Origin {
  std::string scheme;  // lower case
  Authority authority;
};
/// `scheme://authority` and nothing behind it; "null" is none.
std::optional<Origin> read_origin(std::string_view);

/// Which hosts this server answers as. Names in lower case; ports do not matter.
struct AllowedHosts {
  std::vector<std::string> names{"localhost", "127.0.0.1", "[::1]"};
  std::string origin{};  // of the public address, literally; empty: none
};

/// Adds host and origin of an http or https address to what is allowed; false when it is none.
bool allow_public_url(AllowedHosts&, std::string_view url);

bool is_allowed_host(const AllowedHosts&, std::string_view host_field);
/// http or https with an allowed host, or the configured origin to the letter.
bool is_allowed_origin(const AllowedHosts&, std::string_view origin_field);

/// Does an Accept field take `type` ("text/event-stream")? Wildcards count, `q=0` takes back.
bool accepts(std::string_view accept_field, std::string_view type);

/// "application/json" of "Application/JSON; charset=utf-8"; empty when it is no media type.
std::string media_type(std::string_view content_type);

/// The token of `Authorization: Bearer TOKEN`; empty when it is none.
std::string bearer_token(std::string_view authorization);

/// Strict base64 (alphabet, padding, no stray bits); nothing when it is not.
std::optional<std::string> read_base64(std::string_view);

}  // namespace gh::http
