#pragma once
// What a request of the modern era repeats in its HTTP fields, so that gateways can route it
// without reading its body, and whether both say the same (interfaces 1.7). Pure.
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "http/message.h"
#include "mcp/endpoint.h"

namespace gh::serve {

/// A field value: `=?base64?…?=` decoded, anything else literal. Nothing: it is wrapped, and what
/// is inside is no base64.
std::optional<std::string> header_value(std::string_view);

/// header_mismatch for a field that is missing or says something else than the body. `arguments`:
/// those of the tool that is called.
std::optional<mcp::RpcError> check_headers(const http::Fields&, const mcp::Message&,
                                           std::span<const mcp::HeaderArgument> arguments);

}  // namespace gh::serve
