// The table of interfaces 1.6 and what 1.7 says about HTTP, row by row, over real connections.
#include "serve/mcp_http.h"

#include <mutex>

#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/http_kit.h"
#include "wire/json.h"

namespace gh::serve {
namespace {

using http::test::Answer;
using http::test::Client;

constexpr std::string_view kBoth = "Accept: application/json, text/event-stream\r\n";
constexpr std::string_view kJson = "Content-Type: application/json\r\n";
constexpr std::string_view kEvents = "Accept: text/event-stream\r\n";
constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})";
constexpr std::string_view kInitialized =
    R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
constexpr std::string_view kPing = R"({"jsonrpc":"2.0","id":7,"method":"ping"})";
constexpr std::string_view kTokenA = "token-a", kTokenB = "token-b";

std::string with(std::string_view field, std::string_view value) {
  return fmt::format("{}: {}\r\n", field, value);
}

/// The fixtures behind a real server; tokens only when they are wanted.
class House {
 public:
  explicit House(McpLimits limits = no_rates(), bool has_tokens = false)
      : mcp_({.has_fixtures = true}, sys::real_env()),
        transport_(mcp_, workers_, sys::real_env(), limits,
                   [this](Map line) { log(std::move(line)); }),
        server_(setup(has_tokens)) {}
  ~House() {
    server_.server().stop();
    server_.wait_for_end();
    transport_.cancel_all();
    workers_.stop(-1);
  }
  static McpLimits no_rates() {
    McpLimits out;
    out.has_rates = false;
    return out;
  }
  std::uint16_t port() const { return server_.port(); }

  Answer send(std::string_view bytes) const { return Client(port()).send(bytes).answer(); }
  Answer post(std::string_view body, std::string_view more = "") const {
    return send(http::test::post("/mcp", body, fmt::format("{}{}{}", kBoth, kJson, more)));
  }
  /// What was logged until now, a line each.
  std::string logged() const {
    const std::lock_guard lock(mutex_);
    return log_;
  }
  std::string open(std::string_view revision = "2025-11-25", std::string_view more = "") const {
    std::string body(kInitialize);
    body.replace(body.find("2025-11-25"), 10, revision);
    const std::string id = post(body, more).field("Mcp-Session-Id");
    EXPECT_EQ(post(kInitialized, with("Mcp-Session-Id", id) + std::string(more)).status, 202);
    return id;
  }

 private:
  void log(Map line) {
    const std::lock_guard lock(mutex_);
    log_ += wire::canonical_json(std::move(line)) + "\n";
  }
  http::Setup setup(bool has_tokens) {
    http::Setup out;
    out.limits.drain_seconds = 2;
    out.limits.keep_alive_ms = 50;
    out.routes.push_back(transport_.route());
    out.on_stopping = [this] { transport_.stop_listening(); };
    if (has_tokens)
      out.guard.authenticate = [](std::string_view token) -> std::optional<http::Caller> {
        if (token == kTokenA) return http::Caller{"a", "alice", {"agent"}};
        if (token == kTokenB) return http::Caller{"b", "bob", {"agent"}};
        if (token == "nobody") return http::Caller{"n", "nobody", {}};
        return std::nullopt;
      };
    return out;
  }

  mutable std::mutex mutex_{};
  std::string log_{};
  mcp::Server mcp_;
  http::Workers workers_{{}};
  McpHttp transport_;
  http::test::Running server_;
};

std::string modern(std::string_view method, std::string_view params = "") {
  return fmt::format(R"({{"jsonrpc":"2.0","id":3,"method":"{}","params":{{{}"_meta":{{)"
                     R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                     R"("io.modelcontextprotocol/clientCapabilities":{{}}}}}}}})",
                     method, params);
}
std::string modern_fields(std::string_view method, std::string_view more = "") {
  return fmt::format("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {}\r\n{}", method, more);
}

std::int64_t error_code(const Answer& answer) {
  const auto document = wire::read_json(answer.body);
  if (!document || document->as_map() == nullptr) return 0;
  const Value* error = document->as_map()->find("error");
  const Value* code = error && error->as_map() ? error->as_map()->find("code") : nullptr;
  return code && code->as_int() ? *code->as_int() : 0;
}

TEST(McpHttp, ChecksOfAPostAreMadeInTheOrderOfTheDocument) {
  const std::vector<std::string_view> expected{"accept",  "content_type", "json",   "era",
                                               "session", "rate",         "streams"};
  const auto order = post_check_order();
  EXPECT_EQ(std::vector(order.begin(), order.end()), expected);
}

struct Row {
  std::string_view situation;
  std::string bytes;
  int status;
  std::int64_t code;  // 0: no body
};

TEST(McpHttp, EverySituationOfTheTableHasItsStatus) {
  const House house;
  const std::string id = house.open();
  const std::string session = with("Mcp-Session-Id", id);
  const std::string unknown = with("Mcp-Session-Id", std::string(32, '0'));
  const auto post = [&](std::string_view body, const std::string& more) {
    return http::test::post("/mcp", body, more);
  };
  const auto fields = [&](std::initializer_list<std::string_view> parts) {
    std::string out;
    for (const auto part : parts)
      out += part;
    return out;
  };
  const std::string usual = fields({kBoth, kJson});
  const std::string gone = [&] {
    const std::string other = house.open();
    house.send("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\n" + with("Mcp-Session-Id", other) +
               "\r\n");
    return with("Mcp-Session-Id", other);
  }();
  const auto verb = [](std::string_view word, const std::string& more) {
    return fmt::format("{} /mcp HTTP/1.1\r\nHost: localhost\r\n{}\r\n", word, more);
  };
  const Row rows[] = {
      {"no host", "POST /mcp HTTP/1.1\r\n\r\n", 403, -32000},
      {"other host", "POST /mcp HTTP/1.1\r\nHost: evil.example.com\r\n\r\n", 403, -32000},
      {"other origin", post(kPing, usual + "Origin: http://evil.example.com\r\n"), 403, -32000},
      {"null origin", post(kPing, usual + "Origin: null\r\n"), 403, -32000},
      {"only JSON accepted", post(kPing, fields({"Accept: application/json\r\n", kJson})), 406,
       -32000},
      {"only events accepted", post(kPing, fields({kEvents, kJson})), 406, -32000},
      {"nothing accepted", post(kPing, std::string(kJson)), 406, -32000},
      {"everything accepted", post(kPing, fields({"Accept: */*\r\n", kJson, session})), 200, 0},
      {"no content type", post(kPing, std::string(kBoth)), 415, -32000},
      {"other content type", post(kPing, fields({kBoth, "Content-Type: text/plain\r\n"})), 415,
       -32000},
      {"parameters of the type",
       post(kPing, fields({kBoth, "Content-Type: application/json; charset=utf-8\r\n", session})),
       200, 0},
      {"too large", post("", usual + "Content-Length: 4194305\r\n"), 400, -32000},
      {"no JSON", post("{", usual + session), 400, -32700},
      {"bad UTF-8", post("\"\xff\"", usual + session), 400, -32700},
      {"no object", post("7", usual + session), 400, -32600},
      {"notification", post(kInitialized, usual + session), 202, 0},
      {"request", post(kPing, usual + session), 200, 0},
      {"unknown method", post(R"({"jsonrpc":"2.0","id":1,"method":"no/such"})", usual + session),
       200, -32601},
      {"second initialize", post(kInitialize, usual + session), 400, -32600},
      {"batch in a revision without", post("[" + std::string(kPing) + "]", usual + session), 400,
       -32600},
      {"no session", post(kPing, usual), 400, -32000},
      {"unknown session", post(kPing, usual + unknown), 404, -32001},
      {"deleted session", post(kPing, usual + gone), 404, -32001},
      {"unsupported version", post(kPing, usual + session + "MCP-Protocol-Version: 2024-11-05\r\n"),
       400, -32000},
      {"GET without session", verb("GET", std::string(kEvents)), 405, -32000},
      {"GET without accept", verb("GET", session), 406, -32000},
      {"GET of an unknown session", verb("GET", std::string(kEvents) + unknown), 404, -32001},
      {"GET after an unknown event",
       verb("GET", std::string(kEvents) + session + "Last-Event-ID: 99_1\r\n"), 400, -32000},
      {"GET after no event", verb("GET", std::string(kEvents) + session + "Last-Event-ID: x\r\n"),
       400, -32000},
      {"GET in the modern era",
       verb("GET", std::string(kEvents) + session + "MCP-Protocol-Version: 2026-07-28\r\n"), 405,
       -32000},
      {"DELETE of an unknown session", verb("DELETE", unknown), 404, -32001},
      {"DELETE without session", verb("DELETE", ""), 400, -32000},
      {"DELETE in the modern era", verb("DELETE", "MCP-Protocol-Version: 2026-07-28\r\n"), 405,
       -32000},
      {"other method", verb("PUT", session), 405, -32000},
      {"DELETE", verb("DELETE", session), 204, 0},
  };
  for (const Row& row : rows) {
    if (row.situation == "too large") continue;  // see the next test: two lengths are no request
    const Answer answer = house.send(row.bytes);
    EXPECT_EQ(answer.status, row.status) << row.situation << answer.body;
    EXPECT_EQ(error_code(answer), row.code) << row.situation << answer.body;
    if (row.status != 403 && row.status != 405) {
      EXPECT_EQ(answer.field("Cache-Control"), "no-store") << row.situation;
    }
  }
}

TEST(McpHttp, ABodyThatIsTooLargeIsRefusedBeforeItIsSent) {
  const House house;
  const Answer answer = house.send(
      fmt::format("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4194305\r\n{}{}\r\n",
                  kBoth, kJson));
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(error_code(answer), -32000);
}

TEST(McpHttp, A405NamesWhatIsAllowed) {
  const House house;
  EXPECT_EQ(house.send("PUT /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n").field("Allow"),
            "POST, GET, DELETE");
  EXPECT_EQ(
      house.send("GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n").field("Allow"),
      "POST");
}

TEST(McpHttp, AnErrorNamesTheRequestItAnswers) {
  const House house;
  const Answer answer = house.post(kPing, with("Mcp-Session-Id", std::string(32, '0')));
  EXPECT_NE(answer.body.find("\"id\":7"), std::string::npos) << answer.body;
}

TEST(McpHttp, ASessionIdHas128BitsInLowerCaseHex) {
  const House house;
  const std::string a = house.open(), b = house.open();
  EXPECT_EQ(a.size(), 32u);
  EXPECT_EQ(a.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(a, b);
}

TEST(McpHttp, ATokenIsAskedForAndOpensOnlyItsOwnSessions) {
  const House house(House::no_rates(), true);
  const Answer none = house.post(kInitialize);
  EXPECT_EQ(none.status, 401);
  EXPECT_EQ(none.field("WWW-Authenticate"), "Bearer realm=\"gatehouse\"");
  EXPECT_EQ(error_code(none), -32000);
  EXPECT_EQ(house.post(kInitialize, with("Authorization", "Bearer wrong")).status, 401);
  const Answer low = house.post(kInitialize, with("Authorization", "Bearer nobody"));
  EXPECT_EQ(low.status, 403);
  const std::string alice = with("Authorization", fmt::format("Bearer {}", kTokenA));
  const std::string bob = with("Authorization", fmt::format("Bearer {}", kTokenB));
  const std::string session = with("Mcp-Session-Id", house.open("2025-11-25", alice));
  EXPECT_EQ(house.post(kPing, session + alice).status, 200);
  EXPECT_EQ(house.post(kPing, session + bob).status, 404);
  EXPECT_EQ(house.post(kPing, session).status, 401);
}

TEST(McpHttp, BatchesAreServedInTheirRevisionAlone) {
  const House house;
  const std::string session = with("Mcp-Session-Id", house.open("2025-03-26"));
  const std::string two = fmt::format(
      R"([{},{},{}])", kPing, R"({"jsonrpc":"2.0","id":8,"method":"no/such"})", kInitialized);
  const Answer answer = house.post(two, session);
  EXPECT_EQ(answer.status, 200);
  const auto document = wire::read_json(answer.body);
  ASSERT_TRUE(document && document->as_list()) << answer.body;
  EXPECT_EQ(document->as_list()->size(), 2u);
  EXPECT_EQ(house.post("[" + std::string(kInitialized) + "]", session).status, 202);
}

// --- streams

std::string call(std::string_view tool, std::string_view meta = "{}") {
  return fmt::format(
      R"({{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{{"name":"{}","arguments":{{}},"_meta":{}}}}})",
      tool, meta);
}
constexpr std::string_view kProgress = R"({"progressToken":"p"})";

TEST(McpHttp, WhatComesBeforeTheAnswerTurnsItIntoAStream) {
  const House house;
  const std::string session = with("Mcp-Session-Id", house.open());
  const Answer answer = house.post(call("test_tool_with_progress", kProgress), session);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.field("Content-Type"), "text/event-stream");
  EXPECT_EQ(answer.field("Cache-Control"), "no-cache");
  EXPECT_EQ(answer.field("X-Accel-Buffering"), "no");
  EXPECT_TRUE(
      answer.body.starts_with("id: 1_0\nretry: 1000\ndata: \n\n"
                              "id: 1_1\nevent: message\ndata: {"))
      << answer.body;
  EXPECT_NE(answer.body.rfind("\"result\""), std::string::npos);
  EXPECT_GT(answer.body.rfind("\"id\":9"), answer.body.rfind("notifications/progress"));
}

TEST(McpHttp, OlderSessionsGetNoPrimingEventWhateverTheirHeaderSays) {
  const House house;
  for (const std::string_view revision : {"2025-03-26", "2025-06-18"}) {
    const std::string session = with("Mcp-Session-Id", house.open(revision));
    const Answer answer = house.post(call("test_tool_with_progress", kProgress),
                                     session + "MCP-Protocol-Version: 2025-11-25\r\n");
    EXPECT_TRUE(answer.body.starts_with("id: 1_1\nevent: message\n")) << answer.body;
  }
  const std::string session = with("Mcp-Session-Id", house.open());
  const Answer answer = house.post(call("test_tool_with_progress", kProgress),
                                   session + "MCP-Protocol-Version: 2025-03-26\r\n");
  EXPECT_TRUE(answer.body.starts_with("id: 1_0\nretry: 1000\n")) << answer.body;
}

TEST(McpHttp, AStreamThatWasClosedIsFetchedByItsLastEvent) {
  const House house;
  const std::string session = with("Mcp-Session-Id", house.open());
  const Answer first = house.post(call("test_reconnection"), session);
  EXPECT_EQ(first.body.find("\"result\""), std::string::npos) << first.body;
  const std::string get =
      http::test::get("/mcp", fmt::format("{}{}Last-Event-ID: 1_0\r\n", kEvents, session));
  const Answer rest = house.send(get);
  EXPECT_EQ(rest.status, 200);
  EXPECT_NE(rest.body.find("\"result\""), std::string::npos) << rest.body;
  const Answer again = house.send(get);  // it is kept for a while
  EXPECT_EQ(again.body.substr(again.body.find("id: 1_1")),
            rest.body.substr(rest.body.find("id: 1_1")));
}

TEST(McpHttp, ASecondListenerIsRefusedAndTheFirstIsKeptAlive) {
  const House house;
  const std::string session = with("Mcp-Session-Id", house.open());
  const std::string get = http::test::get("/mcp", fmt::format("{}{}", kEvents, session));
  Client first(house.port());
  EXPECT_EQ(first.send(get).head().status, 200);
  EXPECT_EQ(house.send(get).status, 409);
  EXPECT_NE(first.read_to(": ka\n\n").find(": ka\n\n"), std::string::npos);
}

TEST(McpHttp, ATokenHasNoMoreOpenStreamsThanItMay) {
  McpLimits limits = House::no_rates();
  limits.open_streams = 1;
  const House house(limits, true);
  const auto bearer = [](std::string_view token) {
    return with("Authorization", fmt::format("Bearer {}", token));
  };
  const auto get = [&](std::string_view token) {
    const std::string session = with("Mcp-Session-Id", house.open("2025-11-25", bearer(token)));
    return http::test::get("/mcp", fmt::format("{}{}{}", kEvents, session, bearer(token)));
  };
  const std::string second = get(kTokenA);
  {
    Client first(house.port());
    EXPECT_EQ(first.send(get(kTokenA)).head().status, 200);
    const Answer refused = house.send(second);
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(refused.field("Retry-After"), "1");
    const Answer listening =
        house.post(modern("subscriptions/listen", R"("notifications":{"toolsListChanged":true},)"),
                   modern_fields("subscriptions/listen", bearer(kTokenA)));
    EXPECT_EQ(listening.status, 429) << listening.body;
    EXPECT_EQ(house
                  .post(kPing, with("Mcp-Session-Id", house.open("2025-11-25", bearer(kTokenA))) +
                                   bearer(kTokenA))
                  .status,
              200)
        << "what ends by itself takes no place";
    Client other(house.port());
    EXPECT_EQ(other.send(get(kTokenB)).head().status, 200);
  }
  int status = 429;  // until the server has noticed that the first one is gone
  for (int i = 0; i < 10'000 && status == 429; ++i)
    status = Client(house.port()).send(second).head().status;
  EXPECT_EQ(status, 200);
}

TEST(McpHttp, DeletingASessionEndsItsStreams) {
  const House house;
  const std::string session = with("Mcp-Session-Id", house.open());
  Client listener(house.port());
  listener.send(http::test::get("/mcp", fmt::format("{}{}", kEvents, session))).head();
  EXPECT_EQ(house.send("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\n" + session + "\r\n").status,
            204);
  EXPECT_NE(listener.read_to("0\r\n\r\n").find("0\r\n\r\n"), std::string::npos);
}

TEST(McpHttp, TheOldestIdleSessionMakesRoom) {
  McpLimits limits = House::no_rates();
  limits.sessions.sessions = 2;
  const House house(limits);
  const std::string a = house.open(), b = house.open();
  EXPECT_EQ(house.post(kPing, with("Mcp-Session-Id", a)).status, 200);
  const std::string c = house.open();
  EXPECT_EQ(house.post(kPing, with("Mcp-Session-Id", b)).status, 404);
  EXPECT_EQ(house.post(kPing, with("Mcp-Session-Id", a)).status, 200);
  EXPECT_EQ(house.post(kPing, with("Mcp-Session-Id", c)).status, 200);
}

TEST(McpHttp, WhoeverAsksTooOftenIsToldWhenToComeBack) {
  McpLimits limits;
  limits.reads = {1, 3};
  const House house(limits);
  const std::string session = with("Mcp-Session-Id", house.open());
  int served = 0;
  Answer answer;
  for (; served < 10; ++served) {
    answer = house.post(kPing, session);
    if (answer.status != 200) break;
  }
  EXPECT_LT(served, 10);
  EXPECT_EQ(answer.status, 429);
  EXPECT_EQ(answer.field("Retry-After"), "1");
  EXPECT_EQ(error_code(answer), -32000);
}

// Whoever reads the log must not be able to speak for a session.
TEST(McpHttp, NoIdOfASessionIsLogged) {
  McpLimits limits;
  limits.reads = {1, 3};
  const House house(limits);
  const std::string id = house.open(), session = with("Mcp-Session-Id", id);
  for (int i = 0; i < 5; ++i)
    (void)house.post(kPing, session);
  EXPECT_EQ(
      house.send(fmt::format("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\n{}\r\n", session)).status,
      204);
  const std::string name = mcp::session_name_of(id);
  EXPECT_TRUE(contains(house.logged(), "\"key\":\"session " + name + "\"")) << house.logged();
  EXPECT_TRUE(contains(house.logged(), "\"session\":\"" + name.substr(0, 12) + "\""))
      << house.logged();
  EXPECT_FALSE(contains(house.logged(), id.substr(0, 8))) << house.logged();
}

// --- the modern era

TEST(McpHttp, ModernRequestsStandAlone) {
  const House house;
  struct Case {
    std::string_view name;
    std::string body, fields;
    int status;
    std::int64_t code;
  };
  const std::string list = modern("tools/list");
  for (const Case& c : {
           Case{"discover", modern("server/discover"), modern_fields("server/discover"), 200, 0},
           Case{"list", list, modern_fields("tools/list"), 200, 0},
           Case{"no headers", list, "", 400, -32020},
           Case{"other method", list, modern_fields("tools/call"), 400, -32020},
           Case{"removed", modern("ping"), modern_fields("ping"), 404, -32601},
           Case{"initialize", modern("initialize"), modern_fields("initialize"), 404, -32601},
           Case{"no envelope", std::string(kPing), modern_fields("ping"), 400, -32602},
           Case{"unknown version", std::string(kPing), "MCP-Protocol-Version: 2030-01-01\r\n", 400,
                -32022},
           Case{"batch", "[" + list + "]", modern_fields("tools/list"), 400, -32600},
           Case{"unknown tool", modern("tools/call", R"("name":"none",)"),
                modern_fields("tools/call", "Mcp-Name: none\r\n"), 200, -32602},
       }) {
    const Answer answer = house.post(c.body, c.fields);
    EXPECT_EQ(answer.status, c.status) << c.name << answer.body;
    EXPECT_EQ(error_code(answer), c.code) << c.name << answer.body;
    EXPECT_EQ(answer.field("Mcp-Session-Id"), "") << c.name;
  }
}

TEST(McpHttp, AListenerHearsWhatItAskedForUntilItHangsUp) {
  const House house;
  Client listener(house.port());
  listener.send(http::test::post(
      "/mcp", modern("subscriptions/listen", R"("notifications":{"toolsListChanged":true},)"),
      fmt::format("{}{}{}", kBoth, kJson, modern_fields("subscriptions/listen"))));
  EXPECT_EQ(listener.head().field("Content-Type"), "text/event-stream");
  EXPECT_NE(listener.read_to("\n\n").find("notifications/subscriptions/acknowledged"),
            std::string::npos);
  const Answer fired =
      house.post(modern("tools/call", R"("name":"test_trigger_tool_change","arguments":{},)"),
                 modern_fields("tools/call", "Mcp-Name: test_trigger_tool_change\r\n"));
  EXPECT_EQ(fired.status, 200) << fired.body;
  EXPECT_NE(listener.read_to("list_changed").find("list_changed"), std::string::npos);
}

}  // namespace
}  // namespace gh::serve
