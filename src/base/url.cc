#include "base/url.h"

namespace gh {
namespace {

constexpr std::string_view kHidden = "***";
constexpr std::string_view kDigits = "0123456789";

/// Whether the text behind the first colon can be anything but ports: "host:5432", "a:1,b:2".
bool may_hide_a_password(std::string_view authority) {
  const std::size_t colon = authority.find(':');
  if (colon == std::string_view::npos || authority.starts_with('[')) return false;
  return authority.find_first_not_of(kDigits, colon + 1) != std::string_view::npos &&
         authority.find(',') == std::string_view::npos;
}

std::string without_query(std::string_view text) {
  const std::size_t question = text.find('?');
  if (question == std::string_view::npos) return std::string(text);
  return std::string(text.substr(0, question + 1)) + std::string(kHidden);
}

}  // namespace

std::string without_password(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::string(kHidden);
  const std::string_view lead = url.substr(0, scheme + 3), rest = url.substr(scheme + 3);
  // The last @ of all: a password that should have been escaped may hold /, ? and @ itself.
  const std::size_t at = rest.rfind('@');
  if (at == std::string_view::npos) {
    const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
    if (may_hide_a_password(authority)) return std::string(lead) + std::string(kHidden);
    return std::string(lead) + without_query(rest);
  }
  const std::string_view user = rest.substr(0, rest.find_first_of(":/?@"));
  const bool has_more = user.size() < at;
  return std::string(lead) + std::string(user) + (has_more ? ":***@" : "@") +
         without_query(rest.substr(at + 1));
}

}  // namespace gh
