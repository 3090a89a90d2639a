#include "serve/events.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>

#include <fmt/format.h>

#include "http/sse.h"
#include "model/peek.h"
#include "ops/ledger_watch.h"
#include "wire/json.h"

namespace gh::serve {
namespace {

constexpr auto kLook = std::chrono::milliseconds(500);
constexpr std::int64_t kPage = 1000;

struct TopicRow {
  std::string_view area, topic;
};
// table: event_topics
constexpr std::array kTopics{
    TopicRow{"intent", "intents"},       TopicRow{"workspace", "intents"},
    TopicRow{"patch_budget", "intents"}, TopicRow{"patch_contract", "intents"},
    TopicRow{"finish", "intents"},       TopicRow{"proposal", "proposals"},
    TopicRow{"analysis", "runs"},        TopicRow{"patch", "runs"},
    TopicRow{"release", "releases"},
};
constexpr std::array<std::string_view, 5> kWords{"intents", "proposals", "runs", "releases",
                                                 "audit"};

std::int64_t seq_of(const Value& row) { return Peek(row)["seq"].number(); }

}  // namespace

std::string_view topic_of(std::string_view event) {
  const auto row = std::ranges::find(kTopics, event.substr(0, event.find('.')), &TopicRow::area);
  return row == kTopics.end() ? "audit" : row->topic;
}

bool is_topic(std::string_view word) { return std::ranges::find(kWords, word) != kWords.end(); }

std::string event_frame(const Map& row, std::string_view topic, std::string_view repo) {
  const Value* event = row.find("event");
  const std::string name(event != nullptr ? Peek(event).text() : std::string_view());
  const std::size_t dot = name.find('.');
  const Value* seq = row.find("seq");
  const Value* subject = row.find("subject");
  const std::int64_t number = seq != nullptr ? Peek(seq).number() : 0;
  return fmt::format(
      "id: {}\nevent: {}.{}\ndata: {}\n\n", number, topic,
      dot == std::string::npos ? name : name.substr(dot + 1),
      wire::canonical_json(Map{{"repo", repo},
                               {"seq", number},
                               {"event", name},
                               {"subject", subject != nullptr ? *subject : Value()}}));
}

std::shared_ptr<http::Stream> Events::open(const std::shared_ptr<http::Exchange>& exchange,
                                           const std::string& key) {
  auto place = places_.take(key);
  if (!place) return nullptr;
  auto stream = exchange->open(http::event_stream_head(), std::string(http::kKeepAliveComment));
  auto both = std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<http::Stream>>>(
      std::move(place), std::move(stream));
  return {both, both->second.get()};
}

void Events::add(std::shared_ptr<http::Stream> stream, Wish wish) {
  const std::lock_guard lock(mutex_);
  if (is_over_) return stream->close();
  auto reader = std::make_shared<Reader>();
  reader->stream = std::move(stream);
  reader->wish = std::move(wish);
  if (reader->wish.after) reader->next = *reader->wish.after + 1;
  readers_.push_back(std::move(reader));
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& t) { run(t); });
  turn_.notify_all();
}

void Events::remove(const http::Stream* stream) {
  const std::lock_guard lock(mutex_);
  std::erase_if(readers_, [&](const auto& r) { return r->stream.get() == stream; });
}

void Events::stop() {
  std::jthread ending;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    for (const auto& reader : readers_)
      reader->stream->close();
    readers_.clear();
    ending = std::move(thread_);
  }
  ending.request_stop();
  turn_.notify_all();
}

void Events::run(const std::stop_token& token) {
  std::map<std::string, ops::LedgerWatch> watches;
  std::set<std::string> moved;
  while (!token.stop_requested()) {
    std::vector<Repository> watched;
    {
      std::unique_lock lock(mutex_);
      turn_.wait(lock, token, [&] { return !readers_.empty(); });
      for (const auto& reader : readers_)
        watched.push_back(reader->wish.repo);
    }
    for (const Repository& repo : watched)
      if (watches.try_emplace(repo.folder, repo.folder).first->second.has_news(env_))
        moved.insert(repo.folder);
    serve_once(moved);
    moved.clear();
    std::unique_lock lock(mutex_);
    turn_.wait_for(lock, token, kLook, [] { return false; });
  }
}

void Events::serve_once(std::set<std::string>& moved) {
  std::vector<std::shared_ptr<Reader>> due;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& reader : readers_)
      if (reader->next == 0 || reader->wish.after || moved.contains(reader->wish.repo.folder))
        due.push_back(reader);
  }
  for (const auto& reader : due)
    if (!send_new(*reader)) remove(reader->stream.get());
}

bool Events::send_new(Reader& reader) {
  const auto newest = read_(reader.wish.repo, 0, 1);
  if (!newest) return true;  // there is no ledger yet, or it is not to be read now
  const std::int64_t last = newest->empty() ? 0 : seq_of(newest->front());
  if (reader.next == 0) reader.next = last + 1;
  reader.wish.after.reset();
  if (last - reader.next >= log_events_) {
    reader.next = last + 1;
    return reader.stream->write(fmt::format("id: {}\nevent: reset\ndata: {{}}\n\n", last));
  }
  while (reader.next <= last) {
    const auto rows = read_(reader.wish.repo, reader.next, kPage);
    if (!rows || rows->empty()) return true;
    for (const Value& row : *rows) {
      reader.next = seq_of(row) + 1;
      const std::string_view topic = topic_of(Peek(row)["event"].text());
      const bool wants_audit = reader.wish.topics.contains("audit");
      if (!wants_audit && !reader.wish.topics.contains(topic)) continue;
      const bool named = reader.wish.topics.contains(topic);
      if (!reader.stream->write(
              event_frame(*row.as_map(), named ? topic : "audit", reader.wish.repo.name)))
        return false;
    }
  }
  return true;
}

}  // namespace gh::serve
