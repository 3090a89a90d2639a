// What a token may ask for over MCP: agents see no tools of reviewers and promoters, and those who
// do are answered by the same gates as on the command line.
#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "tests/proposal_kit.h"
#include "tests/serve_kit.h"

namespace gh::kit {
namespace {

using http::test::Client;
using testing::Served;

std::string token(char letter) {
  return fmt::format("gh8_{}_{}", std::string(8, letter), std::string(43, letter));
}

/// A server with one token for each role; each request stands alone (revision 2026-07-28).
class Roles {
 public:
  explicit Roles(const ProposalWorld& world)
      : served_({"--profile", "full", "--token-file", tokens(world)}, world.repo.string()) {}

  Value ask(char who, std::string_view method, std::string_view name, Map params) {
    params.set("_meta", Map{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                            {"io.modelcontextprotocol/clientCapabilities", Map{}}});
    const std::string body = wire::canonical_json(
        Map{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", std::move(params)}});
    const std::string fields = fmt::format(
        "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        "Authorization: Bearer {}\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {}\r\n{}",
        token(who), method, name.empty() ? "" : fmt::format("Mcp-Name: {}\r\n", name));
    Client client(served_.port());
    const http::test::Answer answer = client.send(http::test::post("/mcp", body, fields)).answer();
    const std::size_t data = answer.body.rfind("data: ");
    const std::string json = data == std::string::npos ? answer.body : answer.body.substr(data + 6);
    const auto document = wire::read_json(json, "answer");
    EXPECT_TRUE(document) << answer.head << answer.body;
    return document ? *document : Value();
  }
  Value call(char who, std::string_view tool, Map arguments) {
    return ask(who, "tools/call", tool, Map{{"name", tool}, {"arguments", std::move(arguments)}});
  }
  bool sees(char who, std::string_view tool) {
    const Value list = ask(who, "tools/list", "", Map{});
    for (const Value& one : Peek(list)["result"]["tools"].list())
      if (Peek(one)["name"].text() == tool) return true;
    return false;
  }

 private:
  static std::string tokens(const ProposalWorld& world) {
    const std::string path = (world.scratch.path() / "tokens").string();
    EXPECT_TRUE(sys::write_file_atomic(
        path,
        token('a') + " agent agent\n" + token('r') + " gemini reviewer,mcp_elevated\n" +
            token('c') + " codex reviewer,mcp_elevated\n" + token('p') +
            " boss promoter,mcp_elevated\n" + token('q') + " other promoter,reviewer\n",
        0600));
    return path;
  }
  Served served_;
};

TEST(HttpRoles, EachRoleSeesItsOwnTools) {
  const ProposalWorld world;
  Roles roles(world);
  EXPECT_FALSE(roles.sees('a', "proposal_review"));
  EXPECT_FALSE(roles.sees('a', "proposal_promote"));
  EXPECT_TRUE(roles.sees('a', "proposal_submit"));
  EXPECT_TRUE(roles.sees('r', "proposal_review"));
  EXPECT_FALSE(roles.sees('r', "proposal_promote"));
  EXPECT_TRUE(roles.sees('p', "proposal_promote"));
  for (const char* tool : {"proposal_review", "proposal_promote"}) {
    EXPECT_FALSE(roles.sees('q', tool))
        << "over MCP a token is an agent's unless it says otherwise";
    const Value refused = roles.call('a', tool, Map{{"id", "x"}, {"verdict", "ok"}});
    EXPECT_EQ(Peek(refused)["error"]["code"].number(), -32602) << wire::canonical_json(refused);
  }
}

TEST(HttpRoles, AProposalIsReviewedAndPromotedOverMcp) {
  const ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  Roles roles(world);
  const auto review = [&](char who, std::string_view as) {
    return roles.call(who, "proposal_review",
                      Map{{"id", world.stem}, {"as", as}, {"verdict", "ok"}});
  };
  const Value early = roles.call('p', "proposal_promote", Map{{"id", world.stem}});
  EXPECT_TRUE(Peek(early)["result"]["isError"].is_true()) << wire::canonical_json(early);
  EXPECT_EQ(world.status(), "proposed") << "reviews are missing";
  for (const auto& [who, as] : {std::pair{'r', "gemini"}, std::pair{'c', "codex"}}) {
    const Value said = review(who, as);
    EXPECT_FALSE(Peek(said)["result"]["isError"].is_true()) << wire::canonical_json(said);
  }
  const std::string before = world.head();
  const Value promoted = roles.call('p', "proposal_promote", Map{{"id", world.stem}});
  EXPECT_FALSE(Peek(promoted)["result"]["isError"].is_true()) << wire::canonical_json(promoted);
  EXPECT_EQ(world.status(), "promoted");
  EXPECT_NE(world.head(), before) << "git has the commit";
}

TEST(HttpRoles, WithoutASignedRequestOfAPersonThePromotionIsDeferred) {
  const ProposalWorld world("proposals:\n  promotion:\n    requires: human\n");
  world.approve();
  Roles roles(world);
  const Value answer = roles.call('p', "proposal_promote", Map{{"id", world.stem}});
  EXPECT_TRUE(Peek(answer)["result"]["isError"].is_true());
  EXPECT_TRUE(contains(wire::canonical_json(answer), "\"defer\"")) << wire::canonical_json(answer);
  EXPECT_EQ(world.status(), "proposed");
}

}  // namespace
}  // namespace gh::kit
