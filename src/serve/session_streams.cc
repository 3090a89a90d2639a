#include "serve/session_streams.h"

#include <utility>

namespace gh::serve {

std::uint64_t SessionStreams::begin(std::shared_ptr<http::Stream> reader, bool is_primed) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = next_++;
  if (is_primed) reader->write(http::priming_event({number, 0}, kRetryMs));
  streams_[number].reader = std::move(reader);
  return number;
}

void SessionStreams::emit(std::uint64_t stream, std::string_view frame, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  const auto at = streams_.find(stream);
  if (at == streams_.end() || at->second.is_finished) return;
  Stream& s = at->second;
  const http::EventId id{stream, ++s.last};
  std::string bytes = http::message_event(id, frame);
  if (s.reader && !s.reader->write(bytes)) s.reader.reset();
  ++s.kept;
  bytes_ += bytes.size();
  events_.push_back({id, std::move(bytes), now_ms});
  trim(now_ms);
}

void SessionStreams::suspend(std::uint64_t stream) {
  const std::lock_guard lock(mutex_);
  const auto at = streams_.find(stream);
  if (at == streams_.end()) return;
  if (auto reader = std::exchange(at->second.reader, nullptr)) reader->close();
}

// In one step: a reader that came back between its end and the mark would be kept alive for ever.
void SessionStreams::finish(std::uint64_t stream) {
  const std::lock_guard lock(mutex_);
  const auto at = streams_.find(stream);
  if (at == streams_.end()) return;
  if (auto reader = std::exchange(at->second.reader, nullptr)) reader->close();
  at->second.is_finished = true;
  forget_if_over(stream);
}

bool SessionStreams::resume(const http::EventId& last, std::int64_t now_ms, const Open& open) {
  const std::lock_guard lock(mutex_);
  trim(now_ms);
  const auto at = streams_.find(last.stream);
  if (at == streams_.end()) return false;
  Stream& s = at->second;
  if (last.sequence > s.last || last.sequence < s.forgotten) return false;
  auto reader = open();
  for (const Event& event : events_)
    if (event.id.stream == last.stream && event.id.sequence > last.sequence)
      reader->write(event.bytes);
  if (s.reader) s.reader->close();  // it came back before its end was noticed
  s.reader.reset();
  if (s.is_finished)
    reader->close();
  else
    s.reader = std::move(reader);
  return true;
}

bool SessionStreams::has_reader(std::uint64_t stream) {
  const std::lock_guard lock(mutex_);
  const auto at = streams_.find(stream);
  return at != streams_.end() && at->second.reader != nullptr;
}

void SessionStreams::detach(std::uint64_t stream, const http::Stream* reader) {
  const std::lock_guard lock(mutex_);
  const auto at = streams_.find(stream);
  if (at != streams_.end() && at->second.reader.get() == reader) at->second.reader.reset();
}

void SessionStreams::close_all() {
  const std::lock_guard lock(mutex_);
  for (auto& [number, stream] : streams_)
    if (stream.reader) stream.reader->close();
  streams_.clear();
  events_.clear();
  bytes_ = 0;
}

void SessionStreams::trim(std::int64_t now_ms) {
  while (!events_.empty() && (events_.size() > bounds_.events || bytes_ > bounds_.bytes ||
                              now_ms - events_.front().at_ms > bounds_.keep_ms))
    forget_oldest();
}

void SessionStreams::forget_oldest() {
  const Event& oldest = events_.front();
  bytes_ -= oldest.bytes.size();
  if (const auto at = streams_.find(oldest.id.stream); at != streams_.end()) {
    at->second.forgotten = oldest.id.sequence;
    --at->second.kept;
    forget_if_over(oldest.id.stream);
  }
  events_.pop_front();
}

void SessionStreams::forget_if_over(std::uint64_t stream) {
  const auto at = streams_.find(stream);
  if (at->second.is_finished && at->second.kept == 0) streams_.erase(at);
}

}  // namespace gh::serve
