#include "serve/modern_headers.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "http/fields.h"
#include "model/peek.h"
#include "wire/json.h"

namespace gh::serve {
namespace {

struct NameRow {
  std::string_view method, param;
};
// table: mcp_name_headers
constexpr std::array kNames{
    NameRow{"tools/call", "name"},     NameRow{"prompts/get", "name"},
    NameRow{"resources/read", "uri"},  NameRow{"tasks/get", "taskId"},
    NameRow{"tasks/result", "taskId"}, NameRow{"tasks/cancel", "taskId"},
    NameRow{"tasks/update", "taskId"},
};

mcp::RpcError mismatch(std::string message) {
  return {mcp::RpcCode::header_mismatch, std::move(message), {}, 400};
}

/// A string as it is, a number or truth value as JSON writes it; nothing for anything else.
std::optional<std::string> plain(const Value* value) {
  if (value == nullptr || value->is_null() || value->as_list() || value->as_map())
    return std::nullopt;
  if (value->as_string() != nullptr) return *value->as_string();
  if (const auto* number = std::get_if<Number>(&value->data())) return number->text;
  return wire::canonical_json(*value);
}

std::optional<mcp::RpcError> compare(const http::Fields& fields, const std::string& name,
                                     const std::optional<std::string>& wanted) {
  const auto given = http::field(fields, name);
  if (!given && !wanted) return std::nullopt;
  if (!given) return mismatch(fmt::format("the field {} is missing", name));
  const auto value = header_value(http::trimmed(*given));
  if (!value) return mismatch(fmt::format("the field {} has no valid base64", name));
  if (wanted && *value == *wanted) return std::nullopt;
  return mismatch(fmt::format("the field {} says '{}', the body {}", name, printable(*value, 80),
                              wanted ? "'" + printable(*wanted, 80) + "'" : "nothing"));
}

}  // namespace

std::optional<std::string> header_value(std::string_view value) {
  constexpr std::string_view kStart = "=?base64?", kEnd = "?=";
  const bool is_wrapped = value.size() >= kStart.size() + kEnd.size() &&
                          http::lower_case(value.substr(0, kStart.size())) == kStart &&
                          value.ends_with(kEnd);
  if (!is_wrapped) return std::string(value);
  return http::read_base64(value.substr(kStart.size(), value.size() - kStart.size() - kEnd.size()));
}

std::optional<mcp::RpcError> check_headers(const http::Fields& fields, const mcp::Message& message,
                                           std::span<const mcp::HeaderArgument> arguments) {
  if (auto wrong =
          compare(fields, "MCP-Protocol-Version", plain(mcp::meta(message, mcp::kMetaVersion))))
    return wrong;
  if (auto wrong = compare(fields, "Mcp-Method", message.method)) return wrong;
  const auto* row = std::ranges::find(kNames, message.method, &NameRow::method);
  if (row != kNames.end())
    if (auto wrong = compare(fields, "Mcp-Name", plain(message.params.find(row->param))))
      return wrong;
  const Value* given = message.params.find("arguments");
  const Map* map = given != nullptr ? given->as_map() : nullptr;
  for (const mcp::HeaderArgument& a : arguments) {
    const Value* value = map != nullptr ? map->find(a.argument) : nullptr;
    if (auto wrong = compare(fields, "Mcp-Param-" + a.header, plain(value))) return wrong;
  }
  return std::nullopt;
}

}  // namespace gh::serve
