#include "inventory/http_channel.h"

#include <optional>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::inventory {
namespace {

using Clock = std::chrono::steady_clock;

class Web : public Channel {
 public:
  Web(Contacted whom, const Limits& limits)
      : whom_(std::move(whom)), limits_(limits), deadline_(Clock::now() + limits.patience) {}

  ~Web() override {
    if (session_.empty()) return;
    constexpr std::chrono::milliseconds kFarewell{2'000};
    http::CallLimits limits = call_limits();
    limits.patience = std::min(limits.patience, kFarewell);
    (void)http::call(whom_.target, "DELETE", fields(""), "", limits);
  }
  Web(const Web&) = delete;
  Web& operator=(const Web&) = delete;

  Result<Answer> ask(std::string_view method, Map params) override {
    const Value id(++last_id_);
    std::optional<Result<Answer>> answer;
    Events events;
    const auto on_body = [&](const http::Response& head, std::string_view piece) {
      if (!is_events(head)) return true;
      for (const std::string& data : events.feed(piece))
        if (!answer) answer = answer_in(data, id);
      return !answer;
    };
    GH_TRY(reply, post(method, mcp::request_frame(id, method, std::move(params)), on_body));
    if (!answer && !is_events(reply)) answer = answer_in(reply.body, id);
    if (reply.status != 200 && !(says_no(reply) && answer && *answer && (*answer)->is_error()))
      return unexpected_status(method, reply);
    if (!answer) return fail(Code::input_unreadable, fmt::format("{}: no answer in it", method));
    if (session_.empty()) session_ = http::field(reply.fields, "Mcp-Session-Id").value_or("");
    return std::move(*answer);
  }

  Status tell(std::string_view method, Map params) override {
    GH_TRY(reply, post(method, mcp::notification_frame(method, std::move(params)), {}));
    if (reply.status / 100 != 2) return unexpected_status(method, reply);
    return {};
  }

  void settle(mcp::Era era, std::string_view revision) override {
    era_ = era;
    revision_ = revision;
  }

 private:
  static bool is_events(const http::Response& head) {
    return http::field(head.fields, "Content-Type").value_or("").starts_with("text/event-stream");
  }

  /// Modern servers refuse a message with these; any other status is about whoever asks.
  static bool says_no(const http::Response& reply) {
    return reply.status == 400 || reply.status == 404;
  }

  /// Nothing when it is another message.
  std::optional<Result<Answer>> answer_in(std::string_view bytes, const Value& id) {
    if (http::trimmed(bytes).empty()) return std::nullopt;
    auto message = read_message(bytes, limits_);
    if (!message) return Result<Answer>(tl::make_unexpected(message.error()));
    const bool is_ours = message->id == id || (message->id.is_null() && !message->error.is_null());
    if (message->kind != mcp::MessageKind::response || !is_ours) return std::nullopt;
    return Result<Answer>(Answer{std::move(message->result), std::move(message->error)});
  }

  static tl::unexpected<Error> unexpected_status(std::string_view method,
                                                 const http::Response& reply) {
    const std::string place = http::field(reply.fields, "Location").value_or("");
    const bool is_redirect = reply.status / 100 == 3 && !place.empty();
    return fail(Code::io_error, fmt::format("{}: the server answers {} {}{}", method, reply.status,
                                            http::reason_phrase(reply.status),
                                            is_redirect ? "; give the address that it moved to"
                                            : reply.status == 401 || reply.status == 403
                                                ? "; name who asks with --header 'Authorization: …'"
                                                : ""));
  }

  http::Fields fields(std::string_view method) const {
    http::Fields out{{"Accept", "application/json, text/event-stream"},
                     {"Content-Type", "application/json"},
                     {"User-Agent", "gatehouse"}};
    if (!revision_.empty()) out.push_back({"MCP-Protocol-Version", revision_});
    if (era_ == mcp::Era::modern && !method.empty())
      out.push_back({"Mcp-Method", std::string(method)});
    if (!session_.empty()) out.push_back({"Mcp-Session-Id", session_});
    out.insert(out.end(), whom_.fields.begin(), whom_.fields.end());
    return out;
  }

  http::CallLimits call_limits() const {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
    return {.patience = std::max(left, std::chrono::milliseconds(0)),
            .body_bytes = limits_.message_bytes,
            .give_up = whom_.give_up,
            .trusted = whom_.trusted};
  }

  Result<http::Response> post(std::string_view method, const std::string& frame,
                              const http::OnBody& on_body) {
    auto reply = http::call(whom_.target, "POST", fields(method), frame, call_limits(), on_body);
    if (!reply) return tl::make_unexpected(std::move(reply.error()).at(std::string(method)));
    total_ += reply->body.size();
    if (total_ > limits_.total_bytes)
      return fail(Code::document_too_large,
                  fmt::format("the server says more than {} bytes", limits_.total_bytes));
    return reply;
  }

  const Contacted whom_;
  const Limits limits_;
  Clock::time_point deadline_;
  mcp::Era era_ = mcp::Era::legacy;
  std::string revision_{}, session_{};
  std::int64_t last_id_ = 0;
  std::size_t total_ = 0;
};

}  // namespace

void Events::end_line(std::vector<std::string>& out) {
  if (line_.empty()) {
    if (has_data_ && !data_.empty()) out.push_back(std::move(data_));
    data_.clear();
    has_data_ = false;
  } else if (line_.starts_with("data:")) {
    if (has_data_) data_ += '\n';
    has_data_ = true;
    data_ += line_.substr(line_.starts_with("data: ") ? 6 : 5);
  }
  line_.clear();
}

std::vector<std::string> Events::feed(std::string_view piece) {
  std::vector<std::string> out;
  for (const char c : piece) {
    if (c == '\n')
      end_line(out);
    else if (c != '\r')
      line_ += c;
  }
  return out;
}

std::unique_ptr<Channel> contact(Contacted whom, const Limits& limits) {
  return std::make_unique<Web>(std::move(whom), limits);
}

}  // namespace gh::inventory
