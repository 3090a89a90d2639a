#include "http/fields.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"
#include "http/message.h"

namespace gh::http {
namespace {

constexpr std::size_t kMaxHostBytes = 255, kMaxAcceptItems = 64, kMaxTokenBytes = 512;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
bool is_name_byte(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '.' || c == '_';
}

bool is_ipv6(std::string_view host) {  // with brackets; which address it is does not matter here
  if (host.size() < 4 || host.front() != '[' || host.back() != ']') return false;
  const std::string_view inner = host.substr(1, host.size() - 2);
  return std::ranges::all_of(inner, [](char c) { return is_hex(c) || c == ':' || c == '.'; });
}

bool is_host(std::string_view host) {
  if (host.empty() || host.size() > kMaxHostBytes) return false;
  return is_ipv6(host) || std::ranges::all_of(host, is_name_byte);
}

std::optional<std::uint16_t> read_port(std::string_view digits) {
  std::uint16_t port = 0;
  if (digits.empty() || !std::ranges::all_of(digits, is_digit)) return std::nullopt;
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (wrong != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return port;
}

/// Does a range of an Accept field ("*/*", "text/*", "text/html") cover the type?
bool covers(std::string_view range, std::string_view type) {
  if (range == "*/*" || range == type) return true;
  return range.ends_with("/*") && type.starts_with(range.substr(0, range.size() - 1));
}

/// `q=0`, `q=0.0`, `q=0.000`
bool is_zero_weight(std::string_view parameter) {
  if (!lower_case(parameter).starts_with("q=")) return false;
  const std::string_view weight = trimmed(parameter.substr(2));
  return weight.starts_with('0') && weight.find_first_not_of("0.") == std::string_view::npos;
}

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (is_digit(c)) return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

std::optional<Authority> read_authority(std::string_view text) {
  const std::string lowered = lower_case(text);
  const std::size_t bracket = lowered.rfind(']');
  const std::size_t colon = lowered.find(':', bracket == std::string::npos ? 0 : bracket);
  Authority out{lowered.substr(0, colon), std::nullopt};
  if (!is_host(out.host)) return std::nullopt;
  if (colon == std::string::npos) return out;
  out.port = read_port(std::string_view(lowered).substr(colon + 1));
  return out.port ? std::optional(out) : std::nullopt;
}

std::optional<Origin> read_origin(std::string_view text) {
  const std::size_t mark = text.find("://");
  if (mark == std::string_view::npos || mark == 0) return std::nullopt;
  auto authority = read_authority(text.substr(mark + 3));
  if (!authority) return std::nullopt;
  return Origin{lower_case(text.substr(0, mark)), std::move(*authority)};
}

bool allow_public_url(AllowedHosts& allowed, std::string_view url) {
  const std::size_t mark = url.find("://");
  if (mark == std::string_view::npos) return false;
  const std::string_view origin = url.substr(0, url.find('/', mark + 3));
  const auto read = read_origin(origin);
  if (!read || (read->scheme != "http" && read->scheme != "https")) return false;
  allowed.names.push_back(read->authority.host);
  allowed.origin = origin;
  return true;
}

bool is_allowed_host(const AllowedHosts& allowed, std::string_view host_field) {
  const auto authority = read_authority(host_field);
  return authority && std::ranges::find(allowed.names, authority->host) != allowed.names.end();
}

bool is_allowed_origin(const AllowedHosts& allowed, std::string_view origin_field) {
  if (!allowed.origin.empty() && origin_field == allowed.origin) return true;
  const auto origin = read_origin(origin_field);
  if (!origin || (origin->scheme != "http" && origin->scheme != "https")) return false;
  return std::ranges::find(allowed.names, origin->authority.host) != allowed.names.end();
}

bool accepts(std::string_view accept_field, std::string_view type) {
  const auto items = split(accept_field, ',');
  if (items.size() > kMaxAcceptItems) return false;
  bool is_taken = false;
  for (const std::string_view item : items) {
    const auto parts = split(item, ';');
    if (!covers(lower_case(trimmed(parts[0])), type)) continue;
    if (std::any_of(parts.begin() + 1, parts.end(),
                    [](std::string_view p) { return is_zero_weight(trimmed(p)); }))
      return false;
    is_taken = true;
  }
  return is_taken;
}

std::string media_type(std::string_view content_type) {
  const std::string type = lower_case(trimmed(content_type.substr(0, content_type.find(';'))));
  const std::size_t slash = type.find('/');
  const bool has_both = slash != std::string::npos && slash > 0 && slash + 1 < type.size();
  return has_both && type.find_first_of(" \t,") == std::string::npos ? type : std::string();
}

std::string bearer_token(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (!lower_case(authorization.substr(0, kScheme.size())).starts_with(kScheme)) return {};
  const std::string_view token = trimmed(authorization.substr(kScheme.size()));
  const bool is_visible = std::ranges::all_of(token, [](char c) { return c > 0x20 && c < 0x7f; });
  return is_visible && token.size() <= kMaxTokenBytes ? std::string(token) : std::string();
}

std::optional<std::string> read_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text.substr(0, text.size() - padding)) {
    const int value = base64_value(c);
    if (value < 0) return std::nullopt;
    bits = (bits << 6 | static_cast<std::uint32_t>(value)) & 0xffffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> held & 0xff);
  }
  const bool has_stray_bits = (bits & ((1u << held) - 1)) != 0;
  return has_stray_bits ? std::nullopt : std::optional(std::move(out));
}

}  // namespace gh::http
