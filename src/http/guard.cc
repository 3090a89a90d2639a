#include "http/guard.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::http {
namespace {

struct Facts {
  const Guard& guard;
  const Head& head;
  Admitted& admitted;
};
using Refused = std::optional<Refusal>;

Refused check_host(const Facts& f) {
  const auto host = field(f.head.fields, "Host");
  if (host && is_allowed_host(f.guard.hosts, *host)) return {};
  return Refusal{403, "host_refused",
                 host ? fmt::format("this server does not answer as '{}'", printable(*host, 80))
                      : "the request has no Host field"};
}

Refused check_origin(const Facts& f) {
  const auto origin = field(f.head.fields, "Origin");
  if (!origin || is_allowed_origin(f.guard.hosts, *origin)) return {};
  return Refusal{403, "origin_refused",
                 fmt::format("pages of '{}' may not ask this server", printable(*origin, 80))};
}

Refused check_path(const Facts& f) {
  if (f.admitted.route != nullptr) return {};
  return Refusal{404, "no_such_path",
                 fmt::format("nothing is served at '{}'", printable(f.head.path, 120))};
}

Refused check_method(const Facts& f) {
  const std::string& allowed = f.admitted.route->methods;
  for (const std::string_view method : split(allowed, ','))
    if (trimmed(method) == f.head.method) return {};
  return Refusal{405,
                 "method_not_allowed",
                 fmt::format("{} is not offered here", printable(f.head.method, 40)),
                 {{"Allow", allowed}}};
}

Refused check_token(const Facts& f) {
  if (f.admitted.route->admit) return f.admitted.route->admit(f.head, f.admitted.caller);
  if (!f.guard.authenticate || f.admitted.route->roles.empty()) return {};
  const auto given = field(f.head.fields, "Authorization");
  auto caller = f.guard.authenticate(given ? bearer_token(*given) : std::string());
  if (caller) {
    f.admitted.caller = std::move(*caller);
    return {};
  }
  return Refusal{401,
                 "token_required",
                 given ? "the token is not known" : "a token is required",
                 {{"WWW-Authenticate", "Bearer realm=\"gatehouse\""}}};
}

Refused check_role(const Facts& f) {
  if (f.admitted.route->admit) return {};
  if (!f.guard.authenticate || f.admitted.route->roles.empty()) return {};
  const auto& held = f.admitted.caller.roles;
  for (const std::string& role : f.admitted.route->roles)
    if (std::ranges::find(held, role) != held.end()) return {};
  return Refusal{403, "role_too_low", "the roles of this token do not allow this"};
}

Refused check_size(const Facts& f) {
  const auto limit = static_cast<std::uint64_t>(f.admitted.route->max_body_bytes);
  if (!f.head.content_length || *f.head.content_length <= limit) return {};
  return Refusal{
      413, "body_too_large",
      fmt::format("the body has {} bytes; {} are accepted", *f.head.content_length, limit)};
}

struct Check {
  std::string_view name;
  Refused (*check)(const Facts&);
};
// interfaces 1.6. What follows (Accept, Content-Type, JSON, era, session) is the route's own.
// table: http_checks
constexpr std::array kChecks{
    Check{"host", check_host},     Check{"origin", check_origin}, Check{"path", check_path},
    Check{"method", check_method}, Check{"token", check_token},   Check{"role", check_role},
    Check{"size", check_size},
};

constexpr auto kCheckNames = [] {
  std::array<std::string_view, kChecks.size()> names{};
  std::ranges::transform(kChecks, names.begin(), &Check::name);
  return names;
}();

bool is_at(const Route& route, std::string_view path) {
  if (!route.path.ends_with("/*")) return route.path == path;
  const std::string_view folder(route.path.data(), route.path.size() - 2);
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace

const Route* find_route(std::span<const Route> routes, std::string_view path) {
  const auto row = std::ranges::find_if(routes, [&](const Route& r) { return is_at(r, path); });
  return row == routes.end() ? nullptr : &*row;
}

std::span<const std::string_view> check_order() { return kCheckNames; }

std::optional<Refusal> check_head(const Guard& guard, std::span<const Route> routes,
                                  const Head& head, Admitted& admitted) {
  admitted.route = find_route(routes, head.path);
  const Facts facts{guard, head, admitted};
  for (const Check& row : kChecks)
    if (auto refused = row.check(facts)) return refused;
  return std::nullopt;
}

}  // namespace gh::http
