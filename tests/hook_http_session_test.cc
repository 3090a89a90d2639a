// What an agent over HTTP holds, and what becomes of it when its session ends.
#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "tests/hook_kit.h"
#include "tests/serve_kit.h"

namespace gh::testing {
namespace {

using http::test::Answer;
using http::test::Client;

class HttpAgent {
 public:
  explicit HttpAgent(std::uint16_t port) : port_(port) {
    const Answer opened = post(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
        R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
    id_ = opened.field("Mcp-Session-Id");
    EXPECT_NE(id_, "") << opened.head << opened.body;
    EXPECT_EQ(post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").status, 202);
  }
  std::string start(const std::string& root, const std::string& file) const {
    const Answer answer = post(wire::canonical_json(
        Map{{"jsonrpc", "2.0"},
            {"id", 2},
            {"method", "tools/call"},
            {"params", Map{{"name", "start_controlled_change"},
                           {"arguments", Map{{"root", root},
                                             {"analyze", true},
                                             {"intent", "over http"},
                                             {"scope", Map{{"allowed_files", List{file}}}}}}}}}));
    const std::size_t data = answer.body.rfind("data: ");
    const auto document =
        wire::read_json(data == std::string::npos ? answer.body : answer.body.substr(data + 6));
    EXPECT_TRUE(document) << answer.head << answer.body;
    return document ? std::string(Peek(*document)["result"]["structuredContent"]["status"].text())
                    : std::string();
  }
  int end() const {
    return Client(port_)
        .send(fmt::format("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\n{}\r\n", session()))
        .answer()
        .status;
  }

 private:
  std::string session() const {
    return id_.empty() ? std::string() : fmt::format("Mcp-Session-Id: {}\r\n", id_);
  }
  Answer post(const std::string& body) const {
    return Client(port_)
        .send(http::test::post("/mcp", body,
                               "Accept: application/json, text/event-stream\r\nContent-Type: "
                               "application/json\r\n" +
                                   session()))
        .answer();
  }

  std::uint16_t port_;
  std::string id_{};
};

std::string ownership(const HookWorld& mine) {
  return mine.ask({"change", "list", "--session", "s2", "--field", "workspace_intents.0.ownership"})
      .out;
}
std::string started(const HookWorld& mine) {
  return mine
      .ask({"change", "start", "--goal", "next", "--allow", "src/app.py", "--session", "s2",
            "--field", "status"})
      .out;
}

TEST(HttpSession, WhatAnEndedSessionHeldMayBeRecoveredAtOnce) {
  const HookWorld mine;
  Served served({"--mcp-only"}, mine.repo.root());
  const HttpAgent agent(served.port());
  ASSERT_EQ(agent.start(mine.repo.root(), "src/app.py"), "active");
  EXPECT_EQ(ownership(mine), "foreign_active\n");
  EXPECT_EQ(started(mine), "blocked\n");
  EXPECT_EQ(agent.end(), 204);
  EXPECT_EQ(ownership(mine), "recoverable\n");
  EXPECT_EQ(started(mine), "active\n");
  EXPECT_TRUE(contains(mine.ask({"audit", "export"}).out, "\"intent.released\""));
}

TEST(HttpSession, AServerThatStopsLetsGoWhatItsSessionsHeld) {
  const HookWorld mine;
  Served served({"--mcp-only"}, mine.repo.root());
  const HttpAgent agent(served.port()), other(served.port());
  ASSERT_EQ(agent.start(mine.repo.root(), "src/app.py"), "active");
  EXPECT_EQ(other.end(), 204);
  EXPECT_EQ(ownership(mine), "foreign_active\n") << "another session is another agent";
  EXPECT_EQ(served.stop(), 0);
  EXPECT_EQ(ownership(mine), "recoverable\n");
}

}  // namespace
}  // namespace gh::testing
