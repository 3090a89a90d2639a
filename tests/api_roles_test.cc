// Who may ask for what over HTTP. The rows are typed from interfaces 6.1 and 6.2, in their order.
#include "tests/api_kit.h"

namespace gh::kit {
namespace {

struct Row {
  std::string_view method, path;
  std::string_view who;  // letters of ServedApi that are let in; "*": everybody, also without token
};

// 6.1, "Method and path" and "Role"; 6.2 says that reviewers, promoters and admins do what agents
// do, promoters and admins what reviewers do, and admins what promoters do.
constexpr Row kRows[] = {
    {"GET", "/health/live", "*"},
    {"GET", "/health/ready", "*"},
    {"GET", "/openapi.json", "*"},
    {"POST", "/session", "*"},
    {"GET", "/status", "agcpm"},
    {"GET", "/contract", "agcpm"},
    {"GET", "/session", "agcpm"},
    {"DELETE", "/session", "agcpm"},
    {"GET", "/repos", "agcpm"},
    {"GET", "/repos/repo", "agcpm"},
    {"POST", "/repos/repo/check", "agcpm"},
    {"POST", "/repos/repo/patches/check", "agcpm"},
    {"GET", "/repos/repo/proposals", "agcpm"},
    {"POST", "/repos/repo/proposals", "agcpm"},
    {"GET", "/proposals/calc-line-001", "agcpm"},
    {"GET", "/proposals/calc-line-001/diff", "agcpm"},
    {"GET", "/proposals/calc-line-001/timeline", "agcpm"},
    {"GET", "/proposals/calc-line-001/verdicts", "agcpm"},
    {"GET", "/proposals/calc-line-001/verdict", "agcpm"},
    {"GET", "/proposals/calc-line-001/findings", "agcpm"},
    {"POST", "/proposals/calc-line-001/reviews", "gcpm"},
    {"POST", "/proposals/calc-line-001/promote", "pm"},
    {"POST", "/proposals/calc-line-001/reject", "pm"},
    {"POST", "/proposals/calc-line-001/withdraw", "agcpm"},
    {"GET", "/repos/repo/intents", "agcpm"},
    {"GET", "/intents/none", "agcpm"},
    {"POST", "/repos/repo/intents", "agcpm"},
    {"POST", "/intents/none/extend", "agcpm"},
    {"POST", "/intents/none/check", "agcpm"},
    {"POST", "/intents/none/verify", "agcpm"},
    {"POST", "/intents/none/finish", "agcpm"},
    {"POST", "/intents/none/abandon", "agcpm"},
    {"POST", "/intents/none/promote", "agcpm"},
    {"POST", "/intents/none/renew", "agcpm"},
    {"POST", "/intents/none/evict", "m"},
    {"GET", "/repos/repo/map", "gcpm"},
    {"GET", "/repos/repo/runs", "agcpm"},
    {"GET", "/runs/compare?a=previous&b=latest", "agcpm"},
    {"GET", "/runs/latest", "agcpm"},
    {"GET", "/runs/latest/findings", "agcpm"},
    {"GET", "/repos/repo/trend", "agcpm"},
    {"GET", "/repos/repo/clones", "agcpm"},
    {"GET", "/repos/repo/hotspots", "agcpm"},
    {"GET", "/receipts/0000", "agcpm"},
    {"GET", "/audit", "gcpm"},
    {"GET", "/audit/verify", "gcpm"},
    {"GET", "/repos/repo/policy", "agcpm"},
    {"GET", "/repos/repo/doctor", "agcpm"},
    {"GET", "/rules/deny_prefixes", "agcpm"},
    {"GET", "/events?topics=nothing", "agcpm"},
};

std::string judged(const Told& told) {
  if (told.status == 0) return "no answer";
  if (told.status == 401) return told.code() == "login_refused" ? "let in" : "401 " + told.code();
  if (told.code() == "role_too_low" || told.code() == "no_such_path" ||
      told.code() == "method_not_allowed" || told.status == 429)
    return fmt::format("{} {}", told.status, told.code());
  return "let in";
}

TEST(ApiRoles, EveryEndPointLetsInWhomTheDocumentSays) {
  const ProposalWorld world(fast_policy());
  ASSERT_EQ(world.submit().exit, 0);
  const ServedApi api(world);
  for (const Row& row : kRows)
    for (const char who : std::string("\0agcpm", 6)) {
      const Told told = row.method == "POST" ? api.post(who, row.path, Map{})
                                             : api.send(row.method, row.path, api.bearer(who));
      const bool is_let_in =
          row.who == "*" || (who != 0 && contains(row.who, std::string_view(&who, 1)));
      EXPECT_EQ(judged(told), is_let_in  ? "let in"
                              : who == 0 ? "401 token_required"
                                         : "403 role_too_low")
          << row.method << " " << row.path << " as " << (who == 0 ? '-' : who) << told.body;
      EXPECT_LT(told.status, 500) << row.path << told.body;
    }
}

TEST(ApiRoles, TheDocumentOfTheInterfaceNamesTheseEndPointsAndNoOthers) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  const Told told = api.get(0, "/openapi.json");
  std::set<std::string> named, expected;
  for (const auto& [path, methods] : Peek(told.document)["paths"].map().entries())
    for (const auto& [method, ignored] : methods.as_map()->entries())
      named.insert(method + " " + path);
  for (const Row& row : kRows) {
    std::string path(row.path.substr(0, row.path.find('?')));
    for (const auto& [from, to] :
         {std::pair<std::string_view, std::string_view>{"/repos/repo", "/repos/{r}"},
          {"/calc-line-001", "/{id}"},
          {"/intents/none", "/intents/{id}"},
          {"/runs/latest", "/runs/{id}"},
          {"/receipts/0000", "/receipts/{digest}"},
          {"/rules/deny_prefixes", "/rules/{id}"}})
      if (const std::size_t at = path.find(from); at != std::string::npos)
        path.replace(at, from.size(), to);
    expected.insert((row.method == "GET"    ? "get "
                     : row.method == "POST" ? "post "
                                            : "delete ") +
                    path);
  }
  EXPECT_EQ(named, expected);
}

TEST(ApiRoles, MetricsAreForWhoeverHasAToken) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  (void)api.get('a', "/status");
  const auto metrics = [&](std::string_view fields) {
    http::test::Client client(api.port());
    return client.send(http::test::get("/metrics", fields)).answer();
  };
  EXPECT_EQ(metrics("").status, 401);
  // A request is counted once its answer was written, which may be a moment after it was read.
  const std::string_view wanted =
      "gatehouse_request_milliseconds_count{door=\"api\",method=\"GET\",status=\"200\"} 1\n";
  http::test::Answer told;
  for (int i = 0; i < 100 && !contains(told.body, wanted); ++i)
    told = metrics(api.bearer('a'));
  EXPECT_EQ(told.status, 200);
  EXPECT_TRUE(contains(told.body, wanted)) << told.body;
}

TEST(ApiRoles, ATokenNeverStandsInAnAddress) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  for (const char* name : {"token", "access_token", "authorization"})
    EXPECT_EQ(api.get(0, fmt::format("/status?{}={}", name, server_token('m'))).status, 401);
  EXPECT_EQ(
      api.send("GET", "/status", fmt::format("Authorization: Basic {}\r\n", server_token('m')))
          .status,
      401);
}

TEST(ApiRoles, GuessesOfTokensAreSlowedDown) {
  const ProposalWorld world("server:\n  write_rps: 2\n");
  const ServedApi api(world);
  int refused = 0;
  for (int i = 0; i < 20; ++i)
    refused += api.send("GET", "/status", "Authorization: Bearer gh8_x\r\n").status == 429;
  EXPECT_GT(refused, 5);
  EXPECT_EQ(api.get('a', "/status").status, 200) << "whoever has a token is not held up";
}

}  // namespace
}  // namespace gh::kit
