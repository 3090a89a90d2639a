// The protocol through the seam that transports use, on the catalogue of the fixtures: no
// repository, no process.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include "base/digest.h"
#include "mcp/endpoint.h"
#include "mcp/session.h"
#include "model/peek.h"
#include "sys/env.h"
#include "wire/json.h"

namespace gh::mcp {
namespace {

/// Keeps what was sent; tests wait for it.
class Recorder final : public Outlet {
 public:
  void send_related(std::string frame) override { keep(std::move(frame), 0); }
  void send_response(std::string frame, int http) override { keep(std::move(frame), http); }
  bool is_cancelled() const override { return is_gone; }

  Value wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return frames_.size() >= count; });
    return *wire::read_json(frames_[count - 1]);
  }
  std::size_t count() {
    const std::lock_guard lock(mutex_);
    return frames_.size();
  }
  Value last() {
    const std::lock_guard lock(mutex_);
    return frames_.empty() ? Value() : *wire::read_json(frames_.back());
  }
  int status = 0;
  std::atomic<bool> is_gone = false;

 private:
  void keep(std::string frame, int http) {
    const std::lock_guard lock(mutex_);
    frames_.push_back(std::move(frame));
    status = http;
    came_.notify_all();
  }
  std::mutex mutex_{};
  std::condition_variable came_{};
  std::vector<std::string> frames_{};
};

class McpServer : public ::testing::Test {
 protected:
  static Message read(std::string_view text) {
    return read_incoming(text, kMaxBodyBytes)->messages.front();
  }
  Value say(std::string_view text) {
    const auto outlet = std::make_shared<Recorder>();
    handled = server.handle(read(text), session, outlet);
    status = outlet->status;
    frames = outlet->count();
    return outlet->last();
  }
  Value modern(std::string_view method, const std::string& members,
               const std::string& capabilities = "{}", const std::string& meta = "") {
    const auto one =
        server.open({.transport = SessionStart::Transport::http, .id = {}, .role = Role::agent});
    const auto outlet = std::make_shared<Recorder>();
    const std::string text = R"({"jsonrpc":"2.0","id":9,"method":")" + std::string(method) +
                             R"(","params":{)" + members + (members.empty() ? "" : ",") +
                             R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientCapabilities":)" +
                             capabilities + meta + "}}}";
    handled = server.handle(read(text), one, outlet);
    status = outlet->status;
    return outlet->last();
  }
  Value initialize(std::string_view revision, std::string_view capabilities = "{}") {
    return say(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
               std::string(revision) + R"(","capabilities":)" + std::string(capabilities) +
               R"(,"clientInfo":{"name":"t","version":"1"}}})");
  }
  static std::int64_t code(const Value& answer) { return Peek(answer)["error"]["code"].number(); }

  Server server{{.has_fixtures = true}, sys::real_env()};
  std::shared_ptr<Session> session = server.open({});
  Handled handled = Handled::nothing;
  int status = 0;
  std::size_t frames = 0;
};

/// interfaces 1.10: KB of a thousand bytes, as in 1.8, and everything that is sent.
TEST(McpToolList, FitsIntoTheBytesOfItsProfileInBothEras) {
  struct Row {
    Profile profile;
    std::size_t most;
  };
  constexpr std::string_view kAsk = R"({"jsonrpc":"2.0","id":2,"method":"tools/list")";
  constexpr std::string_view kModern =
      R"(,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientCapabilities":{}}})";
  for (const Row& row :
       {Row{Profile::minimal, 6'000}, Row{Profile::standard, 24'000}, Row{Profile::full, 24'000}})
    for (const std::string_view more : {std::string_view(), kModern}) {
      Server server{{.profile = row.profile}, sys::real_env()};
      const auto outlet = std::make_shared<Recorder>();
      const std::string text = std::string(kAsk) + std::string(more) + "}";
      server.handle(read_incoming(text, kMaxBodyBytes)->messages.front(),
                    server.open({.role = Role::admin}), outlet);
      const Value answer = outlet->last();
      EXPECT_GE(Peek(answer)["result"]["tools"].list().size(), 6u);
      EXPECT_LE(wire::canonical_json(answer).size() + 1, row.most) << more;
    }
}

TEST_F(McpServer, EchoesARevisionItKnowsAndAnswersTheNewestToOthers) {
  struct Row {
    std::string_view asked, answered;
  };
  for (const Row& row : {Row{"2024-10-07", "2024-10-07"}, Row{"2024-11-05", "2024-11-05"},
                         Row{"2025-03-26", "2025-03-26"}, Row{"2025-06-18", "2025-06-18"},
                         Row{"2025-11-25", "2025-11-25"}, Row{"2099-01-01", "2025-11-25"},
                         Row{"2026-07-28", "2025-11-25"}}) {
    session = server.open({});
    const Value answer = initialize(row.asked);
    EXPECT_EQ(Peek(answer)["result"]["protocolVersion"].text(), row.answered);
    EXPECT_EQ(revision_of(*session), row.answered);
  }
}

TEST_F(McpServer, OffersTheOldestRevisionsOnStdioAlone) {
  session = server.open({.transport = SessionStart::Transport::http, .id = "s"});
  EXPECT_EQ(Peek(initialize("2024-11-05"))["result"]["protocolVersion"].text(), "2025-11-25");
}

TEST_F(McpServer, RefusesASecondInitialize) {
  initialize("2025-11-25");
  EXPECT_EQ(code(initialize("2025-11-25")), -32600);
}

TEST_F(McpServer, AnswersPingWithNothingAndServesEarlyRequests) {
  EXPECT_TRUE(
      Peek(say(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})"))["result"]["tools"].exists());
  const Value answer = say(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  EXPECT_EQ(wire::canonical_json(answer), R"({"id":2,"jsonrpc":"2.0","result":{}})");
}

TEST_F(McpServer, DoesNotKnowMethodsOfTheOtherEra) {
  EXPECT_EQ(code(say(R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})")), -32601);
  EXPECT_EQ(code(say(R"({"jsonrpc":"2.0","id":1,"method":"nothing"})")), -32601);
  EXPECT_EQ(status, 200);
  for (const std::string_view method :
       {"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"}) {
    EXPECT_EQ(code(modern(method, "")), -32601) << method;
    EXPECT_EQ(status, 404);
  }
}

TEST_F(McpServer, IgnoresUnknownNotifications) {
  say(R"({"jsonrpc":"2.0","method":"notifications/whatever","params":{}})");
  EXPECT_EQ(handled, Handled::nothing);
  EXPECT_EQ(frames, 0U);
}

TEST_F(McpServer, TakesTenThousandNotifications) {
  const Message message =
      read(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  const auto outlet = std::make_shared<Recorder>();
  for (int i = 0; i < 10'000; ++i)
    server.handle(message, session, outlet);
  EXPECT_EQ(outlet->count(), 0U);
}

TEST_F(McpServer, WantsTheEnvelopeOfTheModernEra) {
  const auto one = server.open({.transport = SessionStart::Transport::http});
  const auto ask = [&](std::string_view params) {
    const auto outlet = std::make_shared<Recorder>();
    server.handle(read(R"({"jsonrpc":"2.0","id":4,"method":"tools/list","params":)" +
                       std::string(params) + "}"),
                  one, outlet);
    EXPECT_EQ(outlet->status, 400) << params;
    EXPECT_EQ(Peek(outlet->last())["id"].number(), 4);
    return outlet->last();
  };
  EXPECT_EQ(code(ask("{}")), -32602);
  EXPECT_EQ(code(ask(R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}})")),
            -32602);
  const Value unknown = ask(
      R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"v9","io.modelcontextprotocol/clientCapabilities":{}}})");
  EXPECT_EQ(code(unknown), -32022);
  EXPECT_EQ(Peek(unknown)["error"]["data"]["requested"].text(), "v9");
  EXPECT_EQ(*Peek(unknown)["error"]["data"]["supported"].list().front().as_string(), "2026-07-28");
}

TEST_F(McpServer, SaysWhatEveryModernResultSays) {
  for (const std::string_view method : {"server/discover", "tools/list", "prompts/list",
                                        "resources/list", "resources/templates/list"}) {
    const Value answer = modern(method, "");
    const Peek result = Peek(answer)["result"];
    EXPECT_EQ(result["resultType"].text(), "complete") << method;
    EXPECT_EQ(result["ttlMs"].number(), 60'000) << method;
    EXPECT_EQ(result["cacheScope"].text(), "private") << method;
    EXPECT_EQ(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"].text(),
              "gatehouse-test-fixtures")
        << method;
  }
  EXPECT_EQ(
      Peek(modern("resources/read", R"("uri":"test://static-text")"))["result"]["ttlMs"].number(),
      0);
}

TEST_F(McpServer, PinsTheEraOfAStdioConnectionButNotByAProbe) {
  const std::string meta =
      R"("params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
  const Value probe = say(R"({"jsonrpc":"2.0","id":1,"method":"server/discover",)" + meta);
  EXPECT_EQ(Peek(probe)["result"]["resultType"].text(), "complete");
  EXPECT_EQ(Peek(initialize("2025-11-25"))["result"]["protocolVersion"].text(), "2025-11-25");
  const Value legacy = say(R"({"jsonrpc":"2.0","id":2,"method":"tools/list",)" + meta);
  EXPECT_FALSE(Peek(legacy)["result"]["resultType"].exists());
  session = server.open({});
  const Value first = say(R"({"jsonrpc":"2.0","id":2,"method":"tools/list",)" + meta);
  EXPECT_EQ(Peek(first)["result"]["resultType"].text(), "complete");
  EXPECT_EQ(code(say(R"({"jsonrpc":"2.0","id":3,"method":"ping"})")), -32602);
}

TEST_F(McpServer, ModernClientsWithoutATokenAreToldApartByWhatTheySayOfThemselves) {
  const auto owner = [&](std::string client, std::string token = "", std::string id = "") {
    return server
        .open({.transport = SessionStart::Transport::http,
               .id = std::move(id),
               .token_id = std::move(token),
               .client = std::move(client)})
        ->name();
  };
  EXPECT_EQ(owner("a"), owner("a"));
  EXPECT_NE(owner("a"), owner("b"));
  EXPECT_NE(owner("a"), owner(""));
  EXPECT_EQ(owner("a", "t"), owner("b", "t")) << "a token says more";
  EXPECT_NE(owner("a", "", "s"), owner("a", "", "t"));
}

// Whoever bears the id speaks for the session; its name is shown to strangers and kept for ever.
TEST_F(McpServer, TheNameOfASessionDoesNotTellItsId) {
  const std::string id = "0123456789abcdef0123456789abcdef";
  const auto session = server.open({.transport = SessionStart::Transport::http, .id = id});
  EXPECT_EQ(session->name(), session_name_of(id));
  // Once more from the words: SHA-256 of the purpose and the id.
  EXPECT_EQ(session->name(),
            "mcp-" + digest_of("gatehouse name of an MCP session: " + id).hex().substr(0, 32));
  for (std::size_t i = 0; i + 8 <= id.size(); ++i)
    EXPECT_EQ(session->name().find(id.substr(i, 8)), std::string::npos);
}

TEST_F(McpServer, DoesNotFindUnknownResources) {
  const Value legacy =
      say(R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"test://no"}})");
  EXPECT_EQ(code(legacy), -32002);
  EXPECT_EQ(Peek(legacy)["error"]["data"]["uri"].text(), "test://no");
  EXPECT_EQ(Peek(legacy)["error"]["data"]["code"].text(), "resource_unknown");
  const Value now = modern("resources/read", R"("uri":"test://no")");
  EXPECT_EQ(code(now), -32602);
  EXPECT_EQ(Peek(now)["error"]["data"]["uri"].text(), "test://no");
  EXPECT_EQ(Peek(now)["error"]["data"]["code"].text(), "resource_unknown");
}

TEST_F(McpServer, AsksALegacyClientWhileTheCallWaits) {
  initialize("2025-11-25", R"({"elicitation":{}})");
  const auto outlet = std::make_shared<Recorder>();
  std::thread caller([&] {
    server.handle(
        read(
            R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"test_elicitation","arguments":{"message":"who?"}}})"),
        session, outlet);
  });
  const Value asked = outlet->wait_for(1);
  EXPECT_EQ(Peek(asked)["method"].text(), "elicitation/create");
  server.handle(read(R"({"jsonrpc":"2.0","id":)" + std::to_string(Peek(asked)["id"].number()) +
                     R"(,"result":{"action":"accept","content":{"username":"u"}}})"),
                session, outlet);
  const Value answer = outlet->wait_for(2);
  caller.join();
  EXPECT_TRUE(Peek(answer)["result"]["content"].list().size() == 1);
}

TEST_F(McpServer, SendsNothingAfterACancellation) {
  initialize("2025-11-25", R"({"elicitation":{}})");
  const auto outlet = std::make_shared<Recorder>();
  std::thread caller([&] {
    server.handle(
        read(
            R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"test_elicitation","arguments":{"message":"who?"}}})"),
        session, outlet);
  });
  outlet->wait_for(1);
  server.handle(
      read(
          R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"reason":"x"}})"),
      session, outlet);
  caller.join();
  EXPECT_EQ(outlet->count(), 1U);
  EXPECT_TRUE(Peek(say(R"({"jsonrpc":"2.0","id":5,"method":"ping"})"))["result"].exists());
}

TEST_F(McpServer, AsksAModernClientByItsAnswer) {
  const std::string call = R"("name":"test_input_required_result_elicitation","arguments":{})";
  const Value first = modern("tools/call", call, R"({"elicitation":{}})");
  const Peek result = Peek(first)["result"];
  EXPECT_EQ(result["resultType"].text(), "input_required");
  EXPECT_EQ(result["inputRequests"]["user_name"]["method"].text(), "elicitation/create");
  const std::string state(result["requestState"].text());
  const auto again = [&](const std::string& answers, const std::string& with) {
    return modern("tools/call",
                  call + R"(,"inputResponses":)" + answers + R"(,"requestState":")" + with + "\"",
                  R"({"elicitation":{}})");
  };
  const std::string named =
      R"({"user_name":{"action":"accept","content":{"name":"Ada"}},"more":1})";
  EXPECT_EQ(
      *Peek(Peek(again(named, state))["result"]["content"].list().front())["text"].text().data(),
      'H');
  EXPECT_EQ(Peek(again(R"({"other":{}})", state))["result"]["resultType"].text(), "input_required");
  EXPECT_EQ(code(again(named, state + "x")), -32602);
  EXPECT_EQ(code(modern(
                "tools/call",
                R"("name":"test_input_required_result_sampling","arguments":{},"requestState":")" +
                    state + "\"",
                R"({"sampling":{}})")),
            -32602);
}

TEST_F(McpServer, LogsToAModernClientOnlyWhereItAsked) {
  const auto one = server.open({.transport = SessionStart::Transport::http});
  const auto count = [&](const std::string& level) {
    const auto outlet = std::make_shared<Recorder>();
    server.handle(
        read(
            R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_logging_tool","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{})" +
            level + "}}}"),
        one, outlet);
    return outlet->count();
  };
  EXPECT_EQ(count(""), 1U);
  EXPECT_EQ(count(R"(,"io.modelcontextprotocol/logLevel":"debug")"), 2U);
  EXPECT_EQ(count(R"(,"io.modelcontextprotocol/logLevel":"error")"), 1U);
}

TEST_F(McpServer, TellsListenersWhatTheyAskedForAndNothingElse) {
  const auto one = server.open({.transport = SessionStart::Transport::http});
  const auto stream = std::make_shared<Recorder>();
  EXPECT_EQ(
      server.handle(
          read(
              R"({"jsonrpc":"2.0","id":77,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})"),
          one, stream),
      Handled::stays_open);
  EXPECT_EQ(Peek(stream->last())["method"].text(), "notifications/subscriptions/acknowledged");
  modern("tools/call", R"("name":"test_trigger_prompt_change","arguments":{})");
  EXPECT_EQ(stream->count(), 1U);
  modern("tools/call", R"("name":"test_trigger_tool_change","arguments":{})");
  ASSERT_EQ(stream->count(), 2U);
  const Value told = stream->last();
  EXPECT_EQ(Peek(told)["method"].text(), "notifications/tools/list_changed");
  EXPECT_EQ(Peek(told)["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"].number(), 77);
  server.hang_up(stream);
  modern("tools/call", R"("name":"test_trigger_tool_change","arguments":{})");
  EXPECT_EQ(stream->count(), 2U);
}

TEST_F(McpServer, NamesTheArgumentsThatAreHeadersToo) {
  const auto arguments = server.header_arguments("test_x_mcp_header");
  ASSERT_EQ(arguments.size(), 1U);
  EXPECT_EQ(arguments[0].header, "Region");
  EXPECT_EQ(arguments[0].argument, "region");
  EXPECT_TRUE(server.header_arguments("test_simple_text").empty());
}

TEST_F(McpServer, ChoosesTheEraOfARequestOverHttp) {
  const auto with = [](std::string_view text) { return *read_incoming(text, 4096); };
  const Incoming bare = with(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  const Incoming told = with(
      R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
  EXPECT_EQ(era_over_http("", bare), Era::legacy);
  EXPECT_EQ(era_over_http("2025-06-18", bare), Era::legacy);
  EXPECT_EQ(era_over_http("2025-06-18", told), Era::legacy);
  EXPECT_EQ(era_over_http("", told), Era::modern);
  EXPECT_EQ(era_over_http("2026-07-28", bare), Era::modern);
  EXPECT_EQ(era_over_http("1999-01-01", bare), Era::modern);
}

TEST_F(McpServer, LetsOneRevisionSendBatches) {
  for (const std::string_view revision : kLegacyRevisions)
    EXPECT_EQ(allows_batches(revision), revision == "2025-03-26") << revision;
  EXPECT_FALSE(allows_batches(""));
}

TEST_F(McpServer, RefusesCursorsOfOthers) {
  const Value answer =
      say(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"bm8.bm8"}})");
  EXPECT_EQ(code(answer), -32602);
}

}  // namespace
}  // namespace gh::mcp
