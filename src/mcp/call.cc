#include "mcp/call.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "mcp/opaque.h"
#include "model/peek.h"
#include "wire/json.h"

namespace gh::mcp {
namespace {

constexpr std::int64_t kProgressEveryMs = 100;
constexpr std::int64_t kStateSeconds = 600;

/// The capability that a client must have declared to be asked.
std::string_view capability_for(std::string_view method) {
  return method.substr(0, method.find('/'));
}

bool is_object(const Value& value) { return value.as_map() != nullptr; }

}  // namespace

Value plain(const Value& value) {
  if (const Number* number = std::get_if<Number>(&value.data())) return number->text;
  if (const List* list = value.as_list()) {
    List out;
    for (const Value& item : *list)
      out.push_back(plain(item));
    return out;
  }
  if (const Map* map = value.as_map()) {
    std::vector<std::pair<std::string, Value>> out;
    for (const auto& [key, member] : map->entries())
      out.emplace_back(key, plain(member));
    return Map(std::move(out));
  }
  return value;
}

Call::Call(Parts parts) : p_(std::move(parts)) {
  const Value* token = meta(p_.message, "progressToken");
  if (token != nullptr && (token->as_string() != nullptr || token->as_int() != nullptr))
    progress_token_ = *token;
}

bool Call::is_cancelled() const { return p_.flight.is_cancelled || p_.outlet->is_cancelled(); }

bool Call::client_offers(std::string_view capability) const {
  return p_.capabilities.find(capability) != nullptr;
}

void Call::log(LogLevel level, std::string_view module, Value data) {
  if (!p_.log_level || level < *p_.log_level) return;
  p_.outlet->send_related(notification_frame("notifications/message",
                                             Map{{"level", to_string(level)},
                                                 {"logger", fmt::format("gatehouse.{}", module)},
                                                 {"data", std::move(data)}}));
}

void Call::progress(std::int64_t done, std::optional<std::int64_t> of, std::string_view message) {
  if (!progress_token_ || done <= told_) return;
  const std::int64_t now = p_.env.monotonic_ms();
  const bool is_last = of && done >= *of;
  if (told_ >= 0 && now - told_at_ms_ < kProgressEveryMs && !is_last) return;
  told_ = done;
  told_at_ms_ = now;
  Map params{{"progressToken", *progress_token_}, {"progress", done}};
  if (of) params.set("total", *of);
  if (!message.empty()) params.set("message", message);
  p_.outlet->send_related(notification_frame("notifications/progress", std::move(params)));
}

std::optional<Value> Call::input(const std::string& key, std::string_view method, Map params,
                                 std::chrono::milliseconds patience) {
  if (!client_offers(capability_for(method))) return std::nullopt;
  if (p_.era == Era::legacy)
    return p_.session.ask(*p_.outlet, method, std::move(params), patience, p_.flight);
  const Value whole(p_.message.params);
  const auto answers = Peek(whole)["inputResponses"];
  Map request{{"method", method}, {"params", std::move(params)}};
  if (const Value* given = answers.map().find(key); given != nullptr && is_object(*given)) {
    asked_.insert_or_assign(key, std::move(request));
    return *given;
  }
  wanted_.set(key, std::move(request));
  return std::nullopt;
}

void Call::ask_again(const std::string& key) {
  if (const auto asked = asked_.find(key); asked != asked_.end()) wanted_.set(key, asked->second);
}

std::string Call::binding() const {
  const Value* name = p_.message.params.find("name");
  const Value* uri = p_.message.params.find("uri");
  const Value* arguments = p_.message.params.find("arguments");
  return digest_of(wire::canonical_json(
                       Map{{"method", p_.message.method},
                           {"name", name != nullptr ? plain(*name) : Value()},
                           {"uri", uri != nullptr ? plain(*uri) : Value()},
                           {"arguments", arguments != nullptr ? plain(*arguments) : Value(Map{})},
                           {"token", p_.session.start().token_id}}))
      .hex();
}

Rpc<bool> Call::read_state(std::string_view key) {
  const Value* given = p_.message.params.find("requestState");
  if (given == nullptr) return false;
  const auto refused = [] {
    return refuse(RpcCode::invalid_params, "requestState does not belong to this call");
  };
  if (given->as_string() == nullptr) return refused();
  const auto payload = unseal(key, *given->as_string());
  if (!payload) return refused();
  const auto state = wire::read_own_json(*payload, "requestState");
  if (!state) return refused();
  const Peek seen(*state);
  if (seen["binding"].text() != binding() || seen["expires"].number() < p_.env.now().seconds)
    return refused();
  round_ = seen["round"].number();
  noted_ = seen["note"].text();
  return true;
}

Map Call::input_required(std::string_view key) {
  const Map state{{"binding", binding()},
                  {"round", round_ + 1},
                  {"expires", p_.env.now().seconds + kStateSeconds},
                  {"note", note_}};
  return Map{{"resultType", "input_required"},
             {"inputRequests", wanted_},
             {"requestState", seal(key, wire::canonical_json(state))}};
}

}  // namespace gh::mcp
