#include "mcp/session.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/peek.h"
#include "wire/json.h"

namespace gh::mcp {
namespace {

constexpr std::array<std::string_view, 8> kLevels{"debug", "info",     "notice", "warning",
                                                  "error", "critical", "alert",  "emergency"};
constexpr auto kLookEvery = std::chrono::milliseconds(50);  // whether a question was given up
constexpr std::size_t kMaxLabel = 100;

/// 1 and "1" are two ids.
std::string key_of(const Value& id) { return wire::canonical_json(id); }

std::string label_of(const Map& client) {
  const Value whole(client);
  const std::string name = printable(Peek(whole)["name"].text(), kMaxLabel);
  const std::string version = printable(Peek(whole)["version"].text(), kMaxLabel);
  return version.empty() ? name : name + "/" + version;
}

}  // namespace

std::string_view to_string(LogLevel level) { return kLevels[static_cast<std::size_t>(level)]; }

std::optional<LogLevel> log_level_of(std::string_view name) {
  const auto found = std::ranges::find(kLevels, name);
  if (found == kLevels.end()) return std::nullopt;
  return static_cast<LogLevel>(found - kLevels.begin());
}

std::string Session::revision() const {
  const std::lock_guard lock(mutex_);
  return revision_;
}

bool Session::negotiate(std::string_view revision, Map capabilities, const Map& client) {
  const std::lock_guard lock(mutex_);
  if (!revision_.empty()) return false;
  revision_ = revision;
  capabilities_ = std::move(capabilities);
  client_label_ = label_of(client);
  return true;
}

Map Session::capabilities() const {
  const std::lock_guard lock(mutex_);
  return capabilities_;
}

std::string Session::client_label() const {
  const std::lock_guard lock(mutex_);
  return client_label_;
}

std::optional<Era> Session::pinned() const {
  const std::lock_guard lock(mutex_);
  return pinned_;
}

void Session::pin(Era era) {
  const std::lock_guard lock(mutex_);
  if (!pinned_) pinned_ = era;
}

std::shared_ptr<Flight> Session::take_off(const Value& id) {
  const std::lock_guard lock(mutex_);
  auto flight = std::make_shared<Flight>();
  flight->is_cancelled = has_ended_.load();
  return flights_.emplace(key_of(id), flight).second ? flight : nullptr;
}

void Session::land(const Value& id) {
  const std::lock_guard lock(mutex_);
  flights_.erase(key_of(id));
}

void Session::cancel(const Value& id) {
  const std::lock_guard lock(mutex_);
  if (const auto found = flights_.find(key_of(id)); found != flights_.end())
    found->second->is_cancelled = true;
  answered_.notify_all();
}

void Session::end() {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  for (const auto& [id, flight] : flights_)
    flight->is_cancelled = true;
  subscriptions_.clear();
  listener_.reset();
  answered_.notify_all();
}

std::optional<Value> Session::ask(Outlet& outlet, std::string_view method, Map params,
                                  std::chrono::milliseconds patience, const Flight& flight) {
  std::unique_lock lock(mutex_);
  const std::int64_t id = ++asked_;
  questions_.emplace(id, Question{});
  lock.unlock();
  outlet.send_related(request_frame(id, method, std::move(params)));
  lock.lock();
  const auto give_up = std::chrono::steady_clock::now() + patience;
  while (!questions_[id].is_done && !flight.is_cancelled && !outlet.is_cancelled() &&
         std::chrono::steady_clock::now() < give_up)
    answered_.wait_for(lock, kLookEvery);
  auto out = std::move(questions_[id].answer);
  questions_.erase(id);
  return out;
}

void Session::answer(const Message& response) {
  const std::lock_guard lock(mutex_);
  if (response.id.as_int() == nullptr) return;
  const auto found = questions_.find(*response.id.as_int());
  if (found == questions_.end()) return;
  found->second.is_done = true;
  if (response.error.is_null()) found->second.answer = response.result;
  answered_.notify_all();
}

bool Session::subscribe(const std::string& uri) {
  const std::lock_guard lock(mutex_);
  if (subscriptions_.size() >= kMaxSubscriptions) return false;
  subscriptions_.insert(uri);
  return true;
}

void Session::unsubscribe(const std::string& uri) {
  const std::lock_guard lock(mutex_);
  subscriptions_.erase(uri);
}

std::set<std::string> Session::subscriptions() const {
  const std::lock_guard lock(mutex_);
  return subscriptions_;
}

void Session::work_in(const std::string& folder) {
  const std::lock_guard lock(mutex_);
  if (folders_.size() < kMaxFolders) folders_.insert(folder);
}
std::set<std::string> Session::folders() const {
  const std::lock_guard lock(mutex_);
  return folders_;
}

std::shared_ptr<Outlet> Session::listener() const {
  const std::lock_guard lock(mutex_);
  return listener_;
}

void Session::set_listener(std::shared_ptr<Outlet> outlet) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(outlet);
}

std::vector<std::string> Session::roots(
    const std::function<std::vector<std::string>()>& ask_client) {
  const std::lock_guard lock(roots_mutex_);
  if (roots_changed_.exchange(false) || !roots_) roots_ = ask_client();
  return *roots_;
}

void Session::forget_roots() { roots_changed_ = true; }

}  // namespace gh::mcp
