// Clients that are slow, silent, rude or too many, against the real program: each costs itself its
// connection, and the next one who asks is answered.
#include <memory>

#include <gtest/gtest.h>

#include "tests/git_sandbox.h"
#include "tests/schema_kit.h"
#include "tests/serve_kit.h"

namespace gh::testing {
namespace {

using http::test::Answer;
using http::test::Client;

constexpr std::string_view kUsual =
    "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n";
constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})";
constexpr std::string_view kPing = R"({"jsonrpc":"2.0","id":7,"method":"ping"})";

std::string post(std::string_view body, std::string_view more = "") {
  return http::test::post("/mcp", body, fmt::format("{}{}", kUsual, more));
}
std::string session_of(std::uint16_t port) {
  const Answer answer = Client(port).send(post(kInitialize)).answer();
  EXPECT_EQ(answer.status, 200) << answer.body;
  return fmt::format("Mcp-Session-Id: {}\r\n", answer.field("Mcp-Session-Id"));
}
void expect_answers(std::uint16_t port, const std::string& session) {
  EXPECT_EQ(Client(port).send(post(kPing, session)).answer().status, 200);
}
using Crowd = std::vector<std::unique_ptr<Client>>;

TEST(HostileHttp, ManyWhoNeverFinishTheirRequestHoldUpNobody) {
  Served server({"--mcp-only", "--test-fixtures"});
  const std::string session = session_of(server.port());
  Crowd crowd;
  const std::string_view beginnings[] = {
      "",                                                   // half open
      "P",                                                  // one byte
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",  // no end of the head
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\n{",  // nor of the
                                                                                    // body
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\nx",
  };
  for (int i = 0; i < 500; ++i) {
    crowd.push_back(std::make_unique<Client>(server.port()));
    ASSERT_TRUE(crowd.back()->is_open());
    crowd.back()->send(beginnings[i % 5]);
  }
  expect_answers(server.port(), session);
  for (int i = 0; i < 500; i += 2)
    crowd[static_cast<std::size_t>(i)]->hang_up();
  expect_answers(server.port(), session);
  crowd.clear();
  EXPECT_EQ(server.stop(), 0);
}

TEST(HostileHttp, ReadersWhoTakeNothingHoldUpNobody) {
  Served server({"--mcp-only", "--test-fixtures"});
  const std::string session = session_of(server.port());
  Crowd crowd;
  for (int i = 0; i < 50; ++i) {
    const std::string own = session_of(server.port());
    crowd.push_back(std::make_unique<Client>(server.port(), 2048));
    crowd.back()->send(http::test::get("/mcp", "Accept: text/event-stream\r\n" + own));
    // Answers that nobody reads, on the same connections of others.
    crowd.push_back(std::make_unique<Client>(server.port(), 2048));
    std::string many;
    for (int n = 0; n < 200; ++n)
      many += post(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", own);
    crowd.back()->send(std::string_view(many).substr(0, 16'384));
  }
  expect_answers(server.port(), session);
  EXPECT_EQ(server.stop(), 0);
}

TEST(HostileHttp, MalformedAndOversizedFramesAreRefusedOneByOne) {
  Served server({"--mcp-only", "--test-fixtures"});
  const std::string session = session_of(server.port());
  std::string deep;
  for (int i = 0; i < 100'000; ++i)
    deep += '[';
  const std::string nul = std::string("{\"jsonrpc\":\"2.0\",\0\"id\":1}", 24);
  const std::string bodies[] = {
      "",
      "{",
      "null",
      "[]",
      "\"x\"",
      deep,
      nul,
      "\xff\xfe",
      std::string(1'000'000, ' '),
      "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
      "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}",
      "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[1]}",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + std::string(3'000'000, 'm') + "\"}",
  };
  for (const std::string& body : bodies) {
    const Answer answer = Client(server.port()).send(post(body, session)).answer();
    EXPECT_TRUE(answer.status == 400 || answer.status == 200) << answer.status;
    EXPECT_NE(answer.body.find("\"error\""), std::string::npos)
        << body.substr(0, 80) << answer.body;
  }
  EXPECT_EQ(Client(server.port()).send(post(std::string(4'194'305, ' '), session)).answer().status,
            413);
  expect_answers(server.port(), session);
  EXPECT_EQ(server.stop(), 0);
}

TEST(HostileHttp, TenThousandNotificationsAreTakenAndOthersAnswered) {
  Served server({"--mcp-only", "--test-fixtures"});
  const std::string session = session_of(server.port());
  const std::string one = post(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})", session);
  Client flood(server.port());
  constexpr int kCount = 10'000, kAtOnce = 100;
  for (int sent = 0; sent < kCount; sent += kAtOnce) {
    std::string many;
    for (int i = 0; i < kAtOnce; ++i)
      many += one;
    flood.send(many);
    for (int i = 0; i < kAtOnce; ++i)
      ASSERT_EQ(flood.answer().status, 202);
    if (sent % 1000 == 0) expect_answers(server.port(), session);
  }
  EXPECT_EQ(server.stop(), 0);
}

TEST(HostileHttp, AnAnswerThatWasPromisedComesThoughTheServerIsTold) {
  Served server({"--mcp-only", "--test-fixtures"});
  const std::string session = session_of(server.port());
  Client client(server.port());
  // It takes a while, and says so: the first event shows that it runs.
  client.send(post(
      R"({"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"test_tool_with_progress","arguments":{},"_meta":{"progressToken":1}}})",
      session));
  EXPECT_NE(client.read_to("notifications/progress").find("notifications/progress"),
            std::string::npos);
  ::kill(server.pid(), SIGTERM);
  EXPECT_NE(client.read_to_end().find("\"result\""), std::string::npos);
  EXPECT_EQ(server.wait(), 0);
}

struct Refused {
  std::vector<std::string> words;
  std::string_view says;
};

TEST(Serve, RefusesWhatWouldBeUnsafe) {
  GitSandbox repo;
  repo.write("a.txt", "one\n");
  repo.commit("first");
  for (const Refused& c : {
           Refused{{"serve", "--listen", "0.0.0.0:0"}, "--token-file is needed"},
           Refused{{"serve", "--listen", "[::]:0"}, "--token-file is needed"},
           Refused{{"serve", "--listen", "0.0.0.0:0", "--public-url", "https://gate.example.org"},
                   "--token-file is needed"},
           Refused{{"serve", "--listen", "0.0.0.0:0", "--test-fixtures"}, "loopback"},
           Refused{{"serve", "--listen", "127.0.0.1:0", "--test-fixtures", "--repo", "."},
                   "serves no repository"},
           Refused{{"serve", "--listen", "nowhere"}, "ADDRESS:PORT"},
           Refused{{"serve", "--listen", "127.0.0.1:0", "--public-url", "gate"}, "http or https"},
       }) {
    const Ran ran = gatehouse(c.words, repo.root());
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_NE(ran.err.find(c.says), std::string::npos) << ran.err;
  }
}

TEST(Serve, LimitsComeFromTheServerBlockAndAreShown) {
  GitSandbox repo;
  repo.write("gatehouse.yaml",
             "server:\n  mcp_max_sessions: 1\n  read_rps: 1000\n  read_burst: 1000\n");
  repo.commit("first");
  Served server({"--json"}, repo.root());
  ASSERT_NE(server.port(), 0) << server.said();
  EXPECT_EQ(judged("serve", server.said()), "");
  EXPECT_NE(server.said().find("\"mcp_max_sessions\":1,"), std::string::npos) << server.said();
  const std::string first = session_of(server.port()), second = session_of(server.port());
  EXPECT_EQ(Client(server.port()).send(post(kPing, first)).answer().status, 404);
  EXPECT_EQ(Client(server.port()).send(post(kPing, second)).answer().status, 200);
  EXPECT_EQ(Client(server.port()).send(http::test::get("/api/v1/health/live")).answer().body,
            R"({"status":"live"})");
  EXPECT_EQ(server.stop(), 0);
  repo.write("gatehouse.yaml", "server:\n  mcp_max_sesions: 1\n");
  const Ran ran = gatehouse({"serve", "--listen", "127.0.0.1:0"}, repo.root());
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("did you mean 'mcp_max_sessions'"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace gh::testing
