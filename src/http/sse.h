#pragma once
// Server-sent events: frames of a text/event-stream and the ids by which a reader resumes.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/message.h"

namespace gh::http {

/// Names an event of one of several streams: "3_17".
struct EventId {
  std::uint64_t stream = 0, sequence = 0;
  bool operator==(const EventId&) const = default;
};
std::string to_string(const EventId&);
std::optional<EventId> read_event_id(std::string_view);  // nothing but digits, once an underscore

/// `data` is one line. Without an id the event cannot be resumed after.
std::string message_event(std::optional<EventId>, std::string_view data);
/// The first event of a stream that may be closed before its end: an id, when to come back, no
/// data.
std::string priming_event(const EventId&, std::int64_t retry_ms);

inline constexpr std::string_view kKeepAliveComment = ": ka\n\n";

/// Status 200 and the fields that keep caches and proxies from holding events back.
Response event_stream_head();

}  // namespace gh::http
