#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "mcp/inside.h"

namespace gh::mcp {
namespace {

constexpr auto kEvery = std::chrono::milliseconds(500);

bool wants(const Filter& filter, std::string_view list) {
  return list == "tools" ? filter.tools : list == "prompts" ? filter.prompts : filter.resources;
}

Map tagged(Map params, const Value& id) {
  params.set("_meta", Map{{std::string(kMetaSubscription), id}});
  return params;
}

}  // namespace

Herald::~Herald() {
  thread_.request_stop();
  turn_.notify_all();
}

void Herald::add(const std::shared_ptr<Session>& session) {
  const std::lock_guard lock(mutex_);
  std::erase_if(sessions_, [](const auto& known) { return known.expired(); });
  sessions_.push_back(session);
}

bool Herald::listen(const std::shared_ptr<Outlet>& outlet, Value id, Filter filter) {
  const std::lock_guard lock(mutex_);
  if (streams_.size() >= kMaxStreams) return false;
  streams_.push_back({outlet, std::move(id), std::move(filter)});
  wake();
  return true;
}

void Herald::hang_up(const Outlet* outlet) {
  const std::lock_guard lock(mutex_);
  std::erase_if(streams_, [&](const Stream& s) { return s.outlet.get() == outlet; });
}

void Herald::set_watch(std::function<std::vector<std::string>()> watch) {
  const std::lock_guard lock(mutex_);
  watch_ = std::move(watch);
  wake();
}

/// The thread is made when somebody listens for the first time.
void Herald::wake() {
  if (!thread_.joinable())
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  turn_.notify_all();
}

std::set<std::string> Herald::wanted() {
  const std::lock_guard lock(mutex_);
  std::set<std::string> out;
  for (const Stream& stream : streams_)
    out.insert(stream.filter.uris.begin(), stream.filter.uris.end());
  for (const auto& known : sessions_)
    if (const auto session = known.lock()) out.merge(session->subscriptions());
  return out;
}

void Herald::resource_changed(const std::string& uri) {
  if (!wanted().contains(uri)) return;
  const std::lock_guard lock(mutex_);
  changed_.insert(uri);
  wake();
}

void Herald::list_changed(std::string_view list) {
  const std::string method = fmt::format("notifications/{}/list_changed", list);
  const std::lock_guard lock(mutex_);
  for (const Stream& stream : streams_)
    if (wants(stream.filter, list))
      stream.outlet->send_related(notification_frame(method, tagged({}, stream.id)));
  for (const auto& known : sessions_)
    if (const auto session = known.lock())
      if (const auto outlet = session->listener())
        outlet->send_related(notification_frame(method, {}));
}

void Herald::tell(const std::string& uri) {
  constexpr std::string_view kMethod = "notifications/resources/updated";
  const std::lock_guard lock(mutex_);
  for (const Stream& stream : streams_)
    if (stream.filter.uris.contains(uri))
      stream.outlet->send_related(
          notification_frame(kMethod, tagged(Map{{"uri", uri}}, stream.id)));
  for (const auto& known : sessions_) {
    const auto session = known.lock();
    if (session == nullptr || !session->subscriptions().contains(uri)) continue;
    if (const auto outlet = session->listener())
      outlet->send_related(notification_frame(kMethod, Map{{"uri", uri}}));
  }
}

void Herald::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::unique_lock lock(mutex_);
    const bool is_watching = watch_ != nullptr;
    const auto has_news = [this] { return !changed_.empty(); };
    if (is_watching)
      turn_.wait_for(lock, stop, kEvery, has_news);
    else
      turn_.wait(lock, stop, has_news);
    const auto watch = watch_;
    std::set<std::string> news = std::exchange(changed_, {});
    lock.unlock();
    if (stop.stop_requested()) return;
    if (watch)
      for (std::string& uri : watch())
        news.insert(std::move(uri));
    for (const std::string& uri : news)
      tell(uri);
    lock.lock();  // the next news wait for their turn
    if (!news.empty()) turn_.wait_for(lock, stop, kEvery, [] { return false; });
  }
}

}  // namespace gh::mcp
