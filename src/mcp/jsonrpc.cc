#include "mcp/jsonrpc.h"

#include <algorithm>
#include <array>

#include "model/peek.h"
#include "wire/json.h"

namespace gh::mcp {
namespace {

struct StatusRow {
  RpcCode code;
  int legacy, modern;
};
// table: rpc_statuses
constexpr std::array<StatusRow, 11> kStatuses{{
    {RpcCode::parse_error, 400, 400},
    {RpcCode::invalid_request, 400, 400},
    {RpcCode::method_not_found, 200, 404},
    {RpcCode::invalid_params, 200, 200},
    {RpcCode::internal_error, 200, 200},
    {RpcCode::transport_refusal, 400, 400},
    {RpcCode::session_not_found, 404, 404},
    {RpcCode::resource_not_found, 200, 200},
    {RpcCode::header_mismatch, 400, 400},
    {RpcCode::missing_client_capability, 400, 400},
    {RpcCode::unsupported_protocol_version, 400, 400},
}};

bool is_id(const Value& value) { return value.as_string() != nullptr || value.as_int() != nullptr; }

Message refused(Value id, RpcCode code, std::string why) {
  Message out;
  out.id = std::move(id);
  out.is_valid = false;
  out.fault = {code, std::move(why)};
  return out;
}

Message response_of(const Map& map, Value id) {
  const Value* result = map.find("result");
  const Value* error = map.find("error");
  if ((result == nullptr) == (error == nullptr))
    return refused(std::move(id), RpcCode::invalid_request,
                   "a message has a method, a result or an error, and one of them alone");
  Message out;
  out.kind = MessageKind::response;
  out.id = std::move(id);
  if (result != nullptr) out.result = *result;
  if (error != nullptr) out.error = *error;
  return out;
}

Message message_of(const Value& value) {
  const Map* map = value.as_map();
  if (map == nullptr) return refused({}, RpcCode::invalid_request, "a message is a JSON object");
  const Value* given = map->find("id");
  if (given != nullptr && given->is_null() && map->find("method") != nullptr)
    return refused({}, RpcCode::parse_error, "the id of a request is a string or an integer");
  const Value id = given != nullptr && is_id(*given) ? *given : Value();
  if (Peek(value)["jsonrpc"].text() != "2.0")
    return refused(id, RpcCode::invalid_request, "jsonrpc must be \"2.0\"");
  if (given != nullptr && !given->is_null() && !is_id(*given))
    return refused({}, RpcCode::invalid_request, "the id of a request is a string or an integer");
  const Value* method = map->find("method");
  if (method == nullptr) return response_of(*map, id);
  if (method->as_string() == nullptr)
    return refused(id, RpcCode::invalid_request, "method must be a string");
  Message out;
  out.kind = given != nullptr ? MessageKind::request : MessageKind::notification;
  out.id = id;
  out.method = *method->as_string();
  if (const Value* params = map->find("params"); params != nullptr) {
    if (params->as_map() == nullptr)
      return refused(id, RpcCode::invalid_request, "params must be an object");
    out.params = *params->as_map();
  }
  return out;
}

std::string frame(Map members) {
  members.set("jsonrpc", "2.0");
  return wire::canonical_json(std::move(members));
}

}  // namespace

int http_status(const RpcError& error, Era era) {
  if (error.status != 0) return error.status;
  const auto* row = std::ranges::find(kStatuses, error.code, &StatusRow::code);
  return era == Era::legacy ? row->legacy : row->modern;
}

bool Incoming::asks() const {
  return std::ranges::any_of(messages, [](const Message& message) {
    return message.kind == MessageKind::request || !message.is_valid;
  });
}

Rpc<Incoming> read_incoming(std::string_view bytes, std::size_t max_bytes) {
  if (bytes.size() > max_bytes)
    return refuse(RpcCode::invalid_request, "the message is longer than allowed");
  const wire::JsonLimits limits{.max_bytes = max_bytes, .max_depth = kMaxDepth};
  Incoming out;
  bool has_duplicate_keys = false;
  auto value = wire::read_json(bytes, "message", limits);
  if (!value) {
    value = wire::read_json(bytes, "message", limits, wire::DuplicateKeys::last_wins);
    if (!value) return refuse(RpcCode::parse_error, value.error().message);
    has_duplicate_keys = true;
  }
  const List* batch = value->as_list();
  out.is_batch = batch != nullptr;
  if (out.is_batch && (batch->empty() || batch->size() > kMaxBatch))
    return refuse(RpcCode::invalid_request, "a batch holds 1 to 100 messages");
  if (batch == nullptr)
    out.messages.push_back(message_of(*value));
  else
    std::ranges::transform(*batch, std::back_inserter(out.messages), message_of);
  for (Message& message : out.messages)
    message.has_duplicate_keys = has_duplicate_keys;
  return out;
}

const Value* meta(const Message& message, std::string_view key) {
  const Value* all = message.params.find("_meta");
  return all == nullptr || all->as_map() == nullptr ? nullptr : all->as_map()->find(key);
}

std::string error_frame(const Value& id, const RpcError& error) {
  Map body{{"code", static_cast<int>(error.code)}, {"message", error.message}};
  if (!error.data.is_null()) body.set("data", error.data);
  return frame(Map{{"id", id}, {"error", std::move(body)}});
}

std::string result_frame(const Value& id, Map result) {
  return frame(Map{{"id", id}, {"result", std::move(result)}});
}

std::string notification_frame(std::string_view method, Map params) {
  Map members{{"method", method}};
  if (!params.empty()) members.set("params", std::move(params));
  return frame(std::move(members));
}

std::string request_frame(const Value& id, std::string_view method, Map params) {
  return frame(Map{{"id", id}, {"method", method}, {"params", std::move(params)}});
}

}  // namespace gh::mcp
