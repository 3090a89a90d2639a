#include "http/message.h"

#include <algorithm>
#include <array>

#include "wire/json.h"

namespace gh::http {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

struct Phrase {
  int status;
  std::string_view text;
};
// table: http_phrases
constexpr std::array kPhrases{
    Phrase{200, "OK"},
    Phrase{201, "Created"},
    Phrase{202, "Accepted"},
    Phrase{204, "No Content"},
    Phrase{304, "Not Modified"},
    Phrase{400, "Bad Request"},
    Phrase{401, "Unauthorized"},
    Phrase{403, "Forbidden"},
    Phrase{404, "Not Found"},
    Phrase{405, "Method Not Allowed"},
    Phrase{406, "Not Acceptable"},
    Phrase{408, "Request Timeout"},
    Phrase{409, "Conflict"},
    Phrase{412, "Precondition Failed"},
    Phrase{413, "Payload Too Large"},
    Phrase{415, "Unsupported Media Type"},
    Phrase{417, "Expectation Failed"},
    Phrase{422, "Unprocessable Content"},
    Phrase{428, "Precondition Required"},
    Phrase{429, "Too Many Requests"},
    Phrase{431, "Request Header Fields Too Large"},
    Phrase{500, "Internal Server Error"},
    Phrase{503, "Service Unavailable"},
};

}  // namespace

bool equal_without_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

std::optional<std::string> field(const Fields& fields, std::string_view name) {
  std::optional<std::string> found;
  for (const Field& f : fields) {
    if (!equal_without_case(f.name, name)) continue;
    found = found ? *found + ", " + f.value : f.value;
  }
  return found;
}

std::string_view reason_phrase(int status) {
  const auto row = std::ranges::find(kPhrases, status, &Phrase::status);
  return row == kPhrases.end() ? "Unknown" : row->text;
}

Response problem(const Refusal& refusal) {
  Response out{refusal.status, refusal.fields, {}};
  out.fields.push_back({"Content-Type", "application/problem+json"});
  out.fields.push_back({"Cache-Control", "no-store"});
  out.body = wire::canonical_json(Map{{"type", "about:blank"},
                                      {"title", reason_phrase(refusal.status)},
                                      {"status", refusal.status},
                                      {"detail", refusal.message},
                                      {"code", refusal.code}});
  return out;
}

}  // namespace gh::http
