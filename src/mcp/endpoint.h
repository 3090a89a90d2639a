#pragma once
// The seam between the MCP server and its transports. A transport reads bytes, keeps sessions and
// threads, and writes frames; whatever a message means is decided behind `Server::handle`, which
// runs in the thread that calls it and may take as long as an analysis does. Notifications and
// responses of the client never wait for a worker: hand them in from the thread that read them, or
// a call that waits for an answer waits for ever.
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/jsonrpc.h"
#include "sys/env.h"

namespace gh::mcp {

/// Oldest first. The last legacy one is the answer to a client that asks for an unknown one.
inline constexpr std::string_view kLegacyRevisions[] = {"2024-10-07", "2024-11-05", "2025-03-26",
                                                        "2025-06-18", "2025-11-25"};
inline constexpr std::string_view kModernRevision = "2026-07-28";
bool is_legacy_revision(std::string_view);

enum class Role : std::uint8_t { agent, reviewer, promoter, admin };
enum class Profile : std::uint8_t { minimal, standard, full };

/// Where what belongs to one request goes: a POST of HTTP, or the one stream of stdio. Frames are
/// one-line JSON without a newline. Every function may be called from any thread; none throws, and
/// what cannot be delivered is dropped.
class Outlet {
 public:
  virtual ~Outlet() = default;
  /// A notification or a request to the client that comes before the response.
  virtual void send_related(std::string frame) = 0;
  /// The one answer, and the last frame. `http_status` is for HTTP alone.
  virtual void send_response(std::string frame, int http_status) = 0;
  /// The caller went away and takes its request back. A transport in which a lost connection is no
  /// cancellation (HTTP of the legacy era, stdio) answers false.
  virtual bool is_cancelled() const { return false; }
  /// Only for the fixture that tests resumption: ends the stream although the answer is still to
  /// come; the client fetches it later. Transports that cannot do so ignore it.
  virtual void suspend() {}
};

/// Whom a session belongs to, as the transport authenticated it.
struct SessionStart {
  enum class Transport : std::uint8_t { stdio, http } transport = Transport::stdio;
  std::string id{};  // Mcp-Session-Id; empty for stdio and for one request of the modern era
  Role role = Role::agent;
  std::string token_id{};  // empty: no token
  std::string actor{};     // name of the token's actor; empty: the local user
  std::string client{};    // what a modern request says of its client; empty: nothing
};

/// State of one legacy session or stdio connection, or of one modern request over HTTP.
/// Thread-safe. Its last owner may drop it at any time; `Server::close` first ends what runs.
class Session;

enum class Handled : std::uint8_t {
  answered,    // send_response was called, or will never be (cancelled)
  nothing,     // a notification or a response: HTTP says 202
  stays_open,  // subscriptions/listen: frames come until the outlet is released with `hang_up`
};

/// An argument of a tool that HTTP carries in a header as well: Mcp-Param-<name>.
struct HeaderArgument {
  std::string header;    // "Root", of Mcp-Param-Root
  std::string argument;  // "root"
};

struct ServerOptions {
  Profile profile = Profile::standard;
  /// Absolute; no others are served, and with one alone `root` may be left out. Empty: whatever
  /// `root` names, else a root of the client, else `start_folder`.
  std::vector<std::string> repos{};
  std::string start_folder{};  // may be empty
  bool has_fixtures = false;   // the catalogue of the conformance suites instead of the product's
  std::function<void(std::string_view line)> log{};  // for whoever looks after the server
};

struct Inside;  // the server without its face

class Server {
 public:
  Server(ServerOptions, sys::Env&);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::shared_ptr<Session> open(SessionStart);
  /// Cancels what runs in the session, and forgets its subscriptions. Nothing is sent afterwards.
  void close(Session&);
  /// What a session that was closed holds may be recovered at once: nobody can speak for it again.
  /// Writes to ledgers, so it may take a moment. Over stdio the process says so by its end.
  void release(Session&);

  /// Everything that is sent while no request of this session runs (a resource changed, a list
  /// changed) goes here: the GET stream of HTTP, or stdio. Null: nowhere.
  void listen(Session&, std::shared_ptr<Outlet>);

  /// Decides about one message and sends what it has to. Never throws.
  Handled handle(const Message&, const std::shared_ptr<Session>&, const std::shared_ptr<Outlet>&);
  /// The stream of a subscriptions/listen ended.
  void hang_up(const std::shared_ptr<Outlet>&);

  /// Those of one tool; for any other name none.
  std::vector<HeaderArgument> header_arguments(std::string_view tool) const;
  /// A call of a tool that may change something: whoever limits how often counts it apart.
  bool changes_state(const Message&) const;

 private:
  std::unique_ptr<Inside> inside_;
};

/// False: `handle` is done in no time, so that the thread that reads may do it. A session must see
/// `initialize` done before what comes behind it.
bool may_take_long(const Message&);

/// The name by which registry, refusals and logs know the session of that Mcp-Session-Id. The id
/// lets its bearer speak for the session, so nobody may find it from the name.
std::string session_name_of(std::string_view id);

/// What a transport may know of a session. `revision` is empty until initialize was answered.
std::string revision_of(const Session&);
/// Batches are for 2025-03-26 alone; "" is a session that has negotiated nothing yet.
bool allows_batches(std::string_view revision);

/// Era of an HTTP request (interfaces 1.2). `header`: MCP-Protocol-Version, empty when absent.
Era era_over_http(std::string_view header, const Incoming&);

}  // namespace gh::mcp
