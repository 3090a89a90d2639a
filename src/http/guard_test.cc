#include "http/guard.h"

#include <gtest/gtest.h>

namespace gh::http {
namespace {

std::vector<Route> routes() {
  return {{.path = "/mcp",
           .methods = "POST, GET, DELETE",
           .roles = {"agent", "admin"},
           .max_body_bytes = 10},
          {.path = "/api/v1/*", .methods = "GET", .roles = {"reviewer"}},
          {.path = "/health/live", .methods = "GET"}};
}

Guard guard() {
  Guard out;
  out.authenticate = [](std::string_view token) -> std::optional<Caller> {
    if (token == "agents") return Caller{"t1", "bot", {"agent"}};
    if (token == "lookers") return Caller{"t2", "eve", {"reviewer"}};
    return std::nullopt;
  };
  return out;
}

/// One request with everything wrong; the test repairs it check by check.
struct Story {
  std::string host = "evil.example.com", origin = "http://evil.example.com", path = "/nowhere",
              method = "PUT", token, length = "11";
};

std::string refused_by(const Story& s) {
  Head head{s.method, s.path, {}, std::stoull(s.length)};
  if (!s.host.empty()) head.fields.push_back({"host", s.host});
  if (!s.origin.empty()) head.fields.push_back({"ORIGIN", s.origin});
  if (!s.token.empty()) head.fields.push_back({"Authorization", "Bearer " + s.token});
  Admitted admitted;
  const auto rows = routes();
  const auto refused = check_head(guard(), rows, head, admitted);
  return refused ? std::to_string(refused->status) + " " + std::string(refused->code) : "served";
}

// interfaces 1.6: Host, Origin, method/path, auth, size. Typed out again from there.
TEST(Guard, ChecksAreMadeInTheOrderOfTheDocument) {
  const std::vector<std::string_view> expected{"host",  "origin", "path", "method",
                                               "token", "role",   "size"};
  const auto order = check_order();
  EXPECT_EQ(std::vector(order.begin(), order.end()), expected);
}

TEST(Guard, TheFirstCheckThatFailsAnswers) {
  Story s;
  EXPECT_EQ(refused_by(s), "403 host_refused");
  s.host = "localhost:8930";
  EXPECT_EQ(refused_by(s), "403 origin_refused");
  s.origin = "http://localhost:3000";
  EXPECT_EQ(refused_by(s), "404 no_such_path");
  s.path = "/mcp";
  EXPECT_EQ(refused_by(s), "405 method_not_allowed");
  s.method = "POST";
  EXPECT_EQ(refused_by(s), "401 token_required");
  s.token = "lookers";
  EXPECT_EQ(refused_by(s), "403 role_too_low");
  s.token = "agents";
  EXPECT_EQ(refused_by(s), "413 body_too_large");
  s.length = "10";
  EXPECT_EQ(refused_by(s), "served");
}

TEST(Guard, ARouteWithRowsOfItsOwnSettlesWhoAsks) {
  auto rows = routes();
  rows[0].admit = [](const Head& head, Caller& caller) -> std::optional<Refusal> {
    if (field(head.fields, "X-Own")) {
      caller.actor = "own";
      return {};
    }
    return Refusal{401, "own_refusal", "no"};
  };
  Head head{"POST", "/mcp", {{"Host", "localhost"}}, 11};
  Admitted admitted;
  EXPECT_EQ(check_head(guard(), rows, head, admitted)->code, "own_refusal");
  head.fields.push_back({"X-Own", "1"});
  EXPECT_EQ(check_head(guard(), rows, head, admitted)->code, "body_too_large")
      << "what follows stands";
  head.content_length = 1;
  EXPECT_FALSE(check_head(guard(), rows, head, admitted)) << "no token and no role is asked for";
  EXPECT_EQ(admitted.caller.actor, "own");
}

TEST(Guard, NoHostOrTwoAreRefused) {
  Story s;
  s.host = "";
  EXPECT_EQ(refused_by(s), "403 host_refused");
  Head head{"GET", "/health/live", {{"Host", "localhost"}, {"Host", "localhost"}}, std::nullopt};
  Admitted admitted;
  const auto rows = routes();
  EXPECT_TRUE(check_head(guard(), rows, head, admitted));
}

TEST(Guard, ARefusalNamesWhatIsAllowed) {
  Head head{"PUT", "/mcp", {{"Host", "localhost"}}, std::nullopt};
  Admitted admitted;
  const auto rows = routes();
  auto refused = check_head(guard(), rows, head, admitted);
  ASSERT_TRUE(refused);
  EXPECT_EQ(field(refused->fields, "Allow"), "POST, GET, DELETE");
  head.method = "POST";
  refused = check_head(guard(), rows, head, admitted);
  ASSERT_TRUE(refused);
  EXPECT_EQ(field(refused->fields, "WWW-Authenticate"), "Bearer realm=\"gatehouse\"");
}

TEST(Guard, ARouteWithoutRolesNeedsNoToken) {
  Head head{"GET", "/health/live", {{"Host", "localhost"}}, std::nullopt};
  Admitted admitted;
  const auto rows = routes();
  EXPECT_FALSE(check_head(guard(), rows, head, admitted));
  EXPECT_EQ(admitted.route->path, "/health/live");
}

TEST(Guard, WithoutTokensEverybodyIsTheLocalUser) {
  Head head{"POST", "/mcp", {{"Host", "localhost"}}, 1};
  Admitted admitted;
  const auto rows = routes();
  EXPECT_FALSE(check_head(Guard{}, rows, head, admitted));
  EXPECT_EQ(admitted.caller.token_id, "");
}

TEST(Routes, APathIsServedExactlyOrBelow) {
  const auto rows = routes();
  struct Case {
    std::string_view path, route;
  };
  for (const Case& c :
       {Case{"/mcp", "/mcp"}, Case{"/mcp/", ""}, Case{"/mcpx", ""}, Case{"/", ""},
        Case{"/api/v1", "/api/v1/*"}, Case{"/api/v1/repos", "/api/v1/*"}, Case{"/api/v1x", ""},
        Case{"/api/v1/", "/api/v1/*"}, Case{"", ""}, Case{"//mcp", ""}, Case{"/MCP", ""}}) {
    const Route* found = find_route(rows, c.path);
    EXPECT_EQ(found == nullptr ? "" : found->path, c.route) << c.path;
  }
}

}  // namespace
}  // namespace gh::http
