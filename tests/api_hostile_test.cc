// What somebody may send who means harm: each is refused with an answer, and the server goes on.
#include "tests/api_kit.h"

namespace gh::kit {
namespace {

TEST(ApiHostile, PathsLeadNowhereElse) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  for (const char* path :
       {"/../../etc/passwd", "/repos/../../../etc/passwd", "/repos/%2e%2e/policy",
        "/repos/repo%00/policy", "/repos/repo%2f..%2f/policy", "/proposals/..%2f..%2fetc%2fpasswd",
        "/proposals/%00", "/proposals/a%0d%0aSet-Cookie:%20x=1", "/receipts/../../ledger.db",
        "/runs/--help", "/runs/-C", "/rules/%2e%2e%2fpasswd", "/intents/%0a", "//status",
        "/status/", "/repos//policy"}) {
    const Told told = api.get('m', path);
    EXPECT_GE(told.status, 400) << path;
    EXPECT_LT(told.status, 500) << path << told.body;
    EXPECT_FALSE(contains(told.head, "Set-Cookie")) << path;
    EXPECT_FALSE(contains(told.body, "root:")) << path;
  }
  EXPECT_EQ(api.get('m', "/status").status, 200);
}

TEST(ApiHostile, WordsOfARequestAreNoOptions) {
  const ProposalWorld world(fast_policy());
  ASSERT_EQ(world.submit().exit, 0);
  const ServedApi api(world);
  const std::string object = "/proposals/" + world.stem;
  for (const Map& body :
       {Map{{"verdict", "ok"}, {"out", "/tmp/somewhere"}},
        Map{{"verdict", "ok"}, {"key", "/etc/passwd"}}, Map{{"verdict", "ok"}, {"id", "another"}},
        Map{{"verdict", "ok"}, {"root", "/"}}, Map{{"verdict", List{"ok"}}},
        Map{{"verdict", "--help"}},
        Map{{"verdict", "ok"}, {"digest", "--out=/tmp/x"}, {"as", std::string("gemini\0x", 8)}}}) {
    const Told told = api.decide('g', object, "reviews", body);
    EXPECT_GE(told.status, 400) << wire::canonical_json(body);
    EXPECT_LT(told.status, 500) << wire::canonical_json(body) << told.body;
  }
  EXPECT_TRUE(Peek(world.run({"proposal", "show", world.stem}).document)["reviews"].list().empty());
}

TEST(ApiHostile, BodiesThatAreTooMuchAreRefused) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  const std::string json = api.bearer('a') + "Content-Type: application/json\r\n";
  std::string deep = R"({"patch":)";
  for (int i = 0; i < 5000; ++i)
    deep += '[';
  for (const std::string& body :
       {deep, std::string("{\"patch\":1,\"patch\":2}"), std::string("\xff\xfe"),
        std::string("{}{}"), std::string("null"), std::string("\"x\"")}) {
    const Told told = api.send("POST", "/repos/repo/check", json, body);
    EXPECT_EQ(told.status, 400) << body.substr(0, 40);
  }
  http::test::Client large(api.port());
  const auto told =
      large
          .send(fmt::format("POST /api/v1/repos/repo/check HTTP/1.1\r\nHost: localhost\r\n"
                            "{}Content-Length: 99999999\r\n\r\n",
                            json))
          .answer();
  EXPECT_EQ(told.status, 413) << "before a byte of it was read";
  EXPECT_EQ(api.get('a', "/repos/repo/proposals?status=" + std::string(9000, 'x')).status, 400);
  const Told key = api.post('g', "/proposals/x/reviews", Map{{"verdict", "ok"}},
                            "If-Match: *\r\nIdempotency-Key: " + std::string(300, 'k') + "\r\n");
  EXPECT_EQ(key.status, 400);
  // What claims to be packed is read as it is: nothing here unpacks.
  const Told bomb =
      api.send("POST", "/repos/repo/check", json + "Content-Encoding: gzip\r\n", "\x1f\x8b\x08");
  EXPECT_EQ(bomb.status, 400);
}

TEST(ApiHostile, WhoeverIsRefusedDoesNotMakeTheServerReadABody) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  for (const std::string& fields : {std::string(), api.bearer('a')}) {
    http::test::Client client(api.port());
    const auto told =
        client
            .send(fmt::format("POST /api/v1/proposals/x/promote HTTP/1.1\r\nHost: localhost\r\n"
                              "{}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n",
                              fields))
            .answer();
    EXPECT_EQ(told.status, fields.empty() ? 401 : 403) << "nothing of the body was sent";
  }
}

TEST(ApiHostile, RequestsThatTwoReadersWouldReadDifferentlyAreRefused) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  const std::string head = "POST /api/v1/repos/repo/check HTTP/1.1\r\nHost: localhost\r\n" +
                           api.bearer('a') + "Content-Type: application/json\r\n";
  for (const char* rest :
       {"Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}", "Content-Length: -1\r\n\r\n",
        "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Content-Length : 2\r\n\r\n{}"}) {
    http::test::Client client(api.port());
    const auto told = client.send(head + rest).answer();
    EXPECT_GE(told.status, 400) << rest;
    EXPECT_LT(told.status, 500) << rest;
  }
  http::test::Client other(api.port());
  EXPECT_EQ(other.send("GET /api/v1/status HTTP/1.1\r\nHost: evil.example\r\n\r\n").answer().status,
            403);
  EXPECT_EQ(api.get('a', "/status").status, 200);
}

TEST(ApiHostile, TextsOfAgentsComeAsJsonAndAsNothingElse) {
  ProposalWorld world(fast_policy());
  world.set("rollback_notes", "\"git revert </script><script>alert(1)</script>\"");
  ASSERT_EQ(world.submit().exit, 0);
  const ServedApi api(world);
  const Told told = api.get('a', "/proposals/" + world.stem);
  EXPECT_EQ(told.field("Content-Type"), "application/json");
  EXPECT_EQ(told.field("X-Content-Type-Options"), "nosniff");
  EXPECT_TRUE(contains(told.body, "alert(1)"));
}

}  // namespace
}  // namespace gh::kit
