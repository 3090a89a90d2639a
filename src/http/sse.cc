#include "http/sse.h"

#include <charconv>

#include <fmt/format.h>

namespace gh::http {
namespace {

/// No sign, no leading zero: one number has one name.
std::optional<std::uint64_t> read_number(std::string_view digits) {
  std::uint64_t out = 0;
  const char* last = digits.data() + digits.size();
  const auto [end, wrong] = std::from_chars(digits.data(), last, out);
  if (digits.empty() || wrong != std::errc{} || end != last) return std::nullopt;
  return digits.size() > 1 && digits.front() == '0' ? std::nullopt : std::optional(out);
}

}  // namespace

std::string to_string(const EventId& id) { return fmt::format("{}_{}", id.stream, id.sequence); }

std::optional<EventId> read_event_id(std::string_view text) {
  const std::size_t mark = text.find('_');
  if (mark == std::string_view::npos) return std::nullopt;
  const auto stream = read_number(text.substr(0, mark));
  const auto sequence = read_number(text.substr(mark + 1));
  if (!stream || !sequence) return std::nullopt;
  return EventId{*stream, *sequence};
}

std::string message_event(std::optional<EventId> id, std::string_view data) {
  const std::string name = id ? fmt::format("id: {}\n", to_string(*id)) : std::string();
  return fmt::format("{}event: message\ndata: {}\n\n", name, data);
}

std::string priming_event(const EventId& id, std::int64_t retry_ms) {
  return fmt::format("id: {}\nretry: {}\ndata: \n\n", to_string(id), retry_ms);
}

Response event_stream_head() {
  return {200,
          {{"Content-Type", "text/event-stream"},
           {"Cache-Control", "no-cache"},
           {"X-Accel-Buffering", "no"}},
          {}};
}

}  // namespace gh::http
