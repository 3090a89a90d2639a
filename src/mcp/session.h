#pragma once
// What one connection (or one HTTP session) has said about itself, what it is waiting for and what
// runs for it. Every function may be called from any thread.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "mcp/endpoint.h"
#include "ops/session_keeper.h"

namespace gh::mcp {

/// Ordered from the least to the most important.
enum class LogLevel : std::uint8_t {
  debug,
  info,
  notice,
  warning,
  error,
  critical,
  alert,
  emergency
};
std::string_view to_string(LogLevel);
std::optional<LogLevel> log_level_of(std::string_view);

/// A request that is being worked on.
struct Flight {
  std::atomic<bool> is_cancelled = false;
};

class Session {
 public:
  Session(SessionStart start, std::string name)
      : start_(std::move(start)), name_(std::move(name)) {}

  const SessionStart& start() const { return start_; }
  const std::string& name() const { return name_; }  // of the owner of intents

  std::string revision() const;
  /// False: that was done before.
  bool negotiate(std::string_view revision, Map capabilities, const Map& client);
  Map capabilities() const;
  std::string client_label() const;  // <name>/<version>; empty: not told
  std::optional<Era> pinned() const;
  void pin(Era);

  LogLevel log_level() const { return log_level_; }
  void set_log_level(LogLevel level) { log_level_ = level; }

  /// Null: a request of that id runs already.
  std::shared_ptr<Flight> take_off(const Value& id);
  void land(const Value& id);
  void cancel(const Value& id);
  /// Nothing is answered or asked any more.
  void end();
  bool has_ended() const { return has_ended_; }

  /// Sends a request to the client and waits for its answer. Null: it refused, did not answer in
  /// time, or the flight was cancelled.
  std::optional<Value> ask(Outlet&, std::string_view method, Map params,
                           std::chrono::milliseconds patience, const Flight&);
  void answer(const Message& response);

  static constexpr std::size_t kMaxSubscriptions = 1'024;
  bool subscribe(const std::string& uri);  // false: too many
  void unsubscribe(const std::string& uri);
  std::set<std::string> subscriptions() const;
  std::shared_ptr<Outlet> listener() const;
  void set_listener(std::shared_ptr<Outlet>);

  /// Folders that the client offered, asked for once: `ask_client` is called by the first who needs
  /// them, and again after the client said that they changed.
  std::vector<std::string> roots(const std::function<std::vector<std::string>()>& ask_client);
  void forget_roots();
  ops::SessionKeeper& keeper() { return keeper_; }

  /// Folders that calls of it were about, as long as there are not too many.
  static constexpr std::size_t kMaxFolders = 64;
  void work_in(const std::string& folder);
  std::set<std::string> folders() const;

 private:
  struct Question {
    std::optional<Value> answer{};
    bool is_done = false;
  };

  const SessionStart start_;
  const std::string name_;
  mutable std::mutex mutex_{};
  std::condition_variable answered_{};
  std::string revision_{}, client_label_{};
  Map capabilities_{};
  std::optional<Era> pinned_{};
  std::map<std::string, std::shared_ptr<Flight>> flights_{};
  std::map<std::int64_t, Question> questions_{};
  std::int64_t asked_ = 0;
  std::set<std::string> subscriptions_{}, folders_{};
  std::shared_ptr<Outlet> listener_{};
  std::mutex roots_mutex_{};  // held while the client is asked: nobody may wait for it who reads
  std::atomic<bool> roots_changed_ = false;
  std::optional<std::vector<std::string>> roots_{};
  std::atomic<LogLevel> log_level_ = LogLevel::warning;
  std::atomic<bool> has_ended_ = false;
  ops::SessionKeeper keeper_{};
};

}  // namespace gh::mcp
