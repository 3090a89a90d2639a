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
  const std::string& id() const { return id_; }
  /// All of the answer, with its head.
  std::string ask(std::string_view method, Map params) const {
    const Answer answer = post(wire::canonical_json(
        Map{{"jsonrpc", "2.0"}, {"id", 2}, {"method", method}, {"params", std::move(params)}}));
    return answer.head + answer.body;
  }
  Value call(std::string_view tool, Map arguments) const {
    const std::string answer =
        ask("tools/call", Map{{"name", tool}, {"arguments", std::move(arguments)}});
    const std::size_t body = answer.rfind("\n{"), data = answer.rfind("data: {");
    const std::size_t from = data == std::string::npos ? body + 1 : data + 6;
    auto document = wire::read_json(std::string_view(answer).substr(from));
    EXPECT_TRUE(document) << answer;
    return document ? *std::move(document) : Value();
  }
  std::string start(const std::string& root, const std::string& file) const {
    const Value answer = started(root, file);
    return std::string(Peek(answer)["result"]["structuredContent"]["status"].text());
  }
  Value started(const std::string& root, const std::string& file) const {
    return call("start_controlled_change", Map{{"root", root},
                                               {"analyze", true},
                                               {"intent", "over http"},
                                               {"scope", Map{{"allowed_files", List{file}}}}});
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

/// Every file below that folder that holds the text.
std::vector<std::string> files_with(const std::string& folder, const std::string& text) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (contains(bytes, text)) out.push_back(entry.path().string());
  }
  return out;
}

// An attack: a refusal told a stranger the id of the owner, who could then be ended and spoken for.
TEST(HttpSession, NobodyIsToldTheIdThatSpeaksForAnother) {
  const HookWorld mine;
  const std::string root = mine.repo.root();
  Served served({"--mcp-only"}, root);
  const HttpAgent owner(served.port()), stranger(served.port());
  const Value held = owner.started(root, "src/app.py");
  const std::string intent{Peek(held)["result"]["structuredContent"]["intent_id"].text()};
  ASSERT_NE(intent, "");
  std::vector<std::string> told;
  for (const std::string_view action :
       {"get", "check", "clear", "renew", "recover", "promote", "list_workspace", "gc_workspace"})
    told.push_back(wire::canonical_json(stranger.call(
        "manage_change_intent", Map{{"root", root}, {"action", action}, {"intent_id", intent}})));
  EXPECT_TRUE(contains(told[0], "session mcp-")) << told[0];
  told.push_back(wire::canonical_json(stranger.started(root, "src/app.py")));
  told.push_back(wire::canonical_json(stranger.call("status", Map{{"root", root}})));
  for (const std::string_view uri : {"gatehouse://intents", "gatehouse://status"})
    told.push_back(stranger.ask("resources/read", Map{{"uri", uri}}));
  told.push_back(mine.ask({"change", "list", "--json"}).out);
  told.push_back(mine.ask({"audit", "export"}).out);
  for (const std::string& text : told)
    EXPECT_FALSE(contains(text, owner.id())) << text;
  EXPECT_TRUE(files_with(root, "mcp-").size() > 0) << "the ledger names sessions";
  EXPECT_EQ(files_with(root, owner.id()), std::vector<std::string>{});
  // Nor is the name that is told an id.
  const std::size_t at = told[0].find("session mcp-") + std::string_view("session mcp-").size();
  EXPECT_EQ(Client(served.port())
                .send(fmt::format("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: "
                                  "{}\r\n\r\n",
                                  told[0].substr(at, 32)))
                .answer()
                .status,
            404);
  EXPECT_EQ(ownership(mine), "foreign_active\n");
}

}  // namespace
}  // namespace gh::testing
