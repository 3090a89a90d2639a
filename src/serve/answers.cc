#include "serve/answers.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <zlib.h>

#include "base/digest.h"
#include "base/text.h"
#include "model/peek.h"
#include "report/error_document.h"
#include "wire/json.h"

namespace gh::serve {
namespace {

constexpr std::size_t kPackedFrom = 1024, kDetail = 1000;
constexpr std::string_view kPackedMark = "-gzip\"";

struct StatusRow {
  Code code;
  int status;
};
// Whatever is not here follows from the class of the code.
// table: api_statuses
constexpr std::array kStatuses{
    StatusRow{Code::unknown_id, 404},         StatusRow{Code::unknown_intent, 404},
    StatusRow{Code::run_not_found, 404},      StatusRow{Code::finding_not_found, 404},
    StatusRow{Code::resource_unknown, 404},   StatusRow{Code::section_unknown, 404},
    StatusRow{Code::ref_unresolved, 404},     StatusRow{Code::not_permitted, 403},
    StatusRow{Code::conflict, 409},           StatusRow{Code::ownership_lost, 409},
    StatusRow{Code::document_too_large, 413}, StatusRow{Code::lock_busy, 503},
    StatusRow{Code::repo_busy, 503},          StatusRow{Code::registry_busy, 503},
    StatusRow{Code::ledger_unavailable, 503}, StatusRow{Code::io_error, 500},
};

http::Response problem_answer(int status, const Map& document, http::Fields fields) {
  fields.push_back({"Content-Type", "application/problem+json"});
  fields.push_back({"Cache-Control", "no-store"});
  for (http::Field& f : security_fields())
    fields.push_back(std::move(f));
  return {status, std::move(fields), wire::canonical_json(document)};
}

Map problem_document(int status, std::string_view code, std::string_view detail,
                     std::string_view instance) {
  Map out{{"type", "about:blank"},
          {"title", http::reason_phrase(status)},
          {"status", status},
          {"detail", printable(detail, kDetail)},
          {"code", code}};
  if (!instance.empty()) out.set("instance", printable(instance, 200));
  return out;
}

/// W/ is never ours, and "abc-gzip" is the packed "abc".
std::string plain_etag(std::string_view etag) {
  etag = http::trimmed(etag);
  if (!etag.ends_with(kPackedMark)) return std::string(etag);
  return std::string(etag.substr(0, etag.size() - kPackedMark.size())) + "\"";
}

}  // namespace

http::Fields security_fields() {
  return {{"X-Content-Type-Options", "nosniff"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"}};
}

http::Response json_answer(int status, const Map& document) {
  http::Fields fields = security_fields();
  fields.push_back({"Content-Type", "application/json"});
  fields.push_back({"Cache-Control", "no-store"});
  http::Response out{status, std::move(fields), wire::canonical_json(document)};
  if (status == 200)
    out.fields.push_back({"ETag", fmt::format("\"{}\"", digest_of(out.body).hex())});
  return out;
}

http::Response problem_of(const http::Refusal& refusal) {
  return problem_answer(refusal.status,
                        problem_document(refusal.status, refusal.code, refusal.message, ""),
                        refusal.fields);
}

http::Response problem_of(const Error& error, std::string_view instance) {
  const int status = status_of(error.code);
  Map document =
      problem_document(status, to_string(error.code),
                       status == 500 ? "an internal error" : report::told_message(error), instance);
  document.set("next", help(error.code));
  return problem_answer(status, document,
                        status == 503 ? http::Fields{{"Retry-After", "1"}} : http::Fields{});
}

http::Response denial(std::string_view code, std::string_view why, const Value& document,
                      std::string_view instance) {
  constexpr int kConflict = 409;
  Map out = problem_document(kConflict, code, why.empty() ? "refused" : why, instance);
  const Peek told(document);
  if (told["verdict"].exists()) out.set("verdict", told["verdict"].map());
  out.set("document", document);
  return problem_answer(kConflict, out, {});
}

int status_of(Code code) {
  const auto row = std::ranges::find(kStatuses, code, &StatusRow::code);
  if (row != kStatuses.end()) return row->status;
  switch (class_of(code)) {
    case CodeClass::usage:
    case CodeClass::input:
      return 400;
    case CodeClass::environment:
      return 503;
    case CodeClass::internal:
      return 500;
  }
  return 500;
}

bool is_same_etag(std::string_view list, std::string_view etag) {
  return std::ranges::any_of(
      split(list, ','), [&](std::string_view one) { return plain_etag(one) == plain_etag(etag); });
}

http::Response unless_known(http::Response answer, const http::Request& request) {
  const auto etag = http::field(answer.fields, "ETag");
  const auto known = request.field("If-None-Match");
  for (http::Field& f : answer.fields)
    if (etag && f.name == "Cache-Control") f.value = "private, no-cache";
  if (answer.status != 200 || !etag || !known || !is_same_etag(*known, *etag)) return answer;
  return {304, {{"ETag", *etag}, {"Cache-Control", "private, no-cache"}}, {}};
}

bool takes_gzip(std::string_view accept_encoding) {
  return std::ranges::any_of(split(accept_encoding, ','), [](std::string_view one) {
    const std::string_view word = http::trimmed(one);
    const bool is_gzip = word == "gzip" || word.starts_with("gzip;");
    return is_gzip && !contains(word, "q=0;") && !word.ends_with("q=0");
  });
}

std::string gzip(std::string_view bytes) {
  constexpr int kWithGzipHead = 15 + 16, kMemory = 8, kLevel = 5;
  z_stream stream{};
  if (::deflateInit2(&stream, kLevel, Z_DEFLATED, kWithGzipHead, kMemory, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    return {};
  std::string out(::deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool is_whole = ::deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(is_whole ? stream.total_out : 0);
  ::deflateEnd(&stream);
  return out;
}

http::Response packed(http::Response answer, std::string_view accept_encoding) {
  if (answer.body.size() < kPackedFrom) return answer;
  answer.fields.push_back({"Vary", "Accept-Encoding"});
  if (!takes_gzip(accept_encoding)) return answer;
  std::string small = gzip(answer.body);
  if (small.empty() || small.size() >= answer.body.size()) return answer;
  answer.body = std::move(small);
  answer.fields.push_back({"Content-Encoding", "gzip"});
  for (http::Field& f : answer.fields)
    if (f.name == "ETag") f.value.insert(f.value.size() - 1, "-gzip");
  return answer;
}

}  // namespace gh::serve
