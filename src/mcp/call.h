#pragma once
// One request while it is worked on: what a handler may know of it, say meanwhile, and ask for. The
// eras differ in how a client is asked: over the wire while the call waits (legacy), or by an
// answer that says what is missing, after which the client calls again (modern). Handlers see one
// way, `input`.
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "mcp/session.h"
#include "sys/env.h"

namespace gh::mcp {

class Call {
 public:
  struct Parts {
    Era era;
    std::string revision;  // negotiated, or the one that an unnegotiated session is treated as
    const Message& message;
    Session& session;
    std::shared_ptr<Outlet> outlet;
    Flight& flight;
    sys::Env& env;
    Map capabilities;  // of the client
    std::optional<LogLevel> log_level;
    std::function<void(std::string_view list)> list_changed;  // tells everybody
  };
  explicit Call(Parts parts);

  Era era() const { return p_.era; }
  const std::string& revision() const { return p_.revision; }
  bool is_at_least(std::string_view revision) const { return p_.revision >= revision; }
  const Message& message() const { return p_.message; }
  const Map& params() const { return p_.message.params; }
  Session& session() { return p_.session; }
  sys::Env& env() { return p_.env; }
  Outlet& outlet() { return *p_.outlet; }
  const std::shared_ptr<Outlet>& shared_outlet() const { return p_.outlet; }
  const Flight& flight() const { return p_.flight; }

  bool is_cancelled() const;
  bool client_offers(std::string_view capability) const;
  /// No file contents and no secrets in `data`.
  void log(LogLevel, std::string_view module, Value data);
  /// Dropped without a token, when it does not grow, and within 100 ms of the one before, unless it
  /// is the last one.
  void progress(std::int64_t done, std::optional<std::int64_t> of, std::string_view message);

  /// What the client says to `method`, asked under `key`. Null: it cannot be asked, it would not
  /// say, or the answer is to come with the next call: then `lacks_input`, and what the handler
  /// returns is dropped.
  std::optional<Value> input(const std::string& key, std::string_view method, Map params,
                             std::chrono::milliseconds patience);
  /// What came under the key is no answer (modern era: it is asked for once more).
  void ask_again(const std::string& key);
  bool lacks_input() const { return !wanted_.empty(); }
  const Map& wanted() const { return wanted_; }  // inputRequests
  /// What the handler itself noted in the round before; kept for the next one by `note`.
  const std::string& noted() const { return noted_; }
  void note(std::string text) { note_ = std::move(text); }
  void list_changed(std::string_view list) { p_.list_changed(list); }

  /// invalid_params when `requestState` was not given away by us for this very call.
  Rpc<bool> read_state(std::string_view key);
  /// The answer that asks for what is wanted.
  Map input_required(std::string_view key);

 private:
  std::string binding() const;  // what a state is bound to

  Parts p_;
  std::optional<Value> progress_token_{};
  std::int64_t told_ = -1, told_at_ms_ = 0;
  Map wanted_{};
  std::map<std::string, Map> asked_{};  // what was asked for under each key
  std::string noted_{}, note_{};
  std::int64_t round_ = 0;
};

/// Numbers that have no canonical form become their text: for digests of what others wrote.
Value plain(const Value&);

}  // namespace gh::mcp
