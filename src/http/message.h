#pragma once
// What HTTP carries, free of any library: fields, a request that was read in full, a response that
// is written in full, and the reason why a request is refused.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gh::http {

struct Field {
  std::string name, value;
  bool operator==(const Field&) const = default;
};
using Fields = std::vector<Field>;

/// ASCII only, as field names and schemes are.
bool equal_without_case(std::string_view, std::string_view);
std::string lower_case(std::string_view);
std::string_view trimmed(std::string_view);  // of spaces and tabs

/// The value of a field; of one that is repeated the values, joined by ", ". Nothing when absent.
std::optional<std::string> field(const Fields&, std::string_view name);

/// Who sends a request, as its token says. Without tokens everybody is the local user.
struct Caller {
  std::string token_id;  // empty: no token
  std::string actor;     // empty: the local user
  std::vector<std::string> roles;
  std::string session{};  // of a browser that logged in
};

struct Request {
  std::string method, path, query;
  Fields fields;
  std::string body;
  std::string peer;  // address:port
  Caller caller;

  std::optional<std::string> field(std::string_view name) const {
    return http::field(fields, name);
  }
};

struct Response {
  int status = 200;
  Fields fields;
  std::string body;
};

/// A request that is not served. `code` is a stable word for programs.
struct Refusal {
  int status;
  std::string_view code;
  std::string message;
  Fields fields{};
};

/// "Not Found" for 404.
std::string_view reason_phrase(int status);

/// application/problem+json (RFC 9457).
Response problem(const Refusal&);

}  // namespace gh::http
