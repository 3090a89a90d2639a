#pragma once
// Answers of the HTTP interface: JSON with its digest as ETag, problem documents with stable codes,
// gzip for whoever takes it (interfaces 6.1). Pure.
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/message.h"
#include "model/value.h"

namespace gh::serve {

/// Fields of every answer to a browser.
http::Fields security_fields();

/// Not stored by anybody; a GET gets its ETag in `unless_known`.
http::Response json_answer(int status, const Map& document);

/// application/problem+json. A failure has the code of its Error and what to do next.
http::Response problem_of(const http::Refusal&);
http::Response problem_of(const Error&, std::string_view instance);
/// A gate said no: 409 with what it said.
http::Response denial(std::string_view code, std::string_view why, const Value& document,
                      std::string_view instance);
int status_of(Code);

/// 304 when If-None-Match has the ETag of a 200.
http::Response unless_known(http::Response, const http::Request&);
/// Does a list of an If-Match name this ETag? The packed form of an answer is the same state.
bool is_same_etag(std::string_view list, std::string_view etag);

/// gzip for text of a kilobyte and more, when it is accepted.
http::Response packed(http::Response, std::string_view accept_encoding);
std::string gzip(std::string_view bytes);
bool takes_gzip(std::string_view accept_encoding);

}  // namespace gh::serve
