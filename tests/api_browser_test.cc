// A browser that logs in: the nonce, the cookie, and what a page of somebody else can make it send.
#include "tests/api_kit.h"

namespace gh::kit {
namespace {

struct Browser {
  const ServedApi& api;
  std::string cookie{}, csrf{};

  std::string origin() const { return fmt::format("http://127.0.0.1:{}", api.port()); }
  std::string ours() const {
    return fmt::format("Cookie: {}\r\nOrigin: {}\r\nSec-Fetch-Site: same-origin\r\n", cookie,
                       origin());
  }
  Told log_in(const Map& body) {
    const Told told = api.send("POST", "/session",
                               "Content-Type: application/json\r\nOrigin: " + origin() + "\r\n" +
                                   (cookie.empty() ? "" : "Cookie: " + cookie + "\r\n"),
                               wire::canonical_json(body));
    const std::string set = told.field("Set-Cookie");
    if (told.status == 200) {
      cookie = set.substr(0, set.find(';'));
      csrf = Peek(told.document)["csrf"].text();
    }
    return told;
  }
};

std::string nonce_of(const ServedApi& api) {
  const auto said = wire::read_json(api.said(), "said");
  const std::string url(said ? Peek(*said)["login_url"].text() : "");
  return url.substr(url.rfind('=') + 1);
}

TEST(ApiBrowser, ANonceLogsInOnceAndTheCookieIsForNobodyElse) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world, {"--open", "--json"});
  const std::string nonce = nonce_of(api);
  ASSERT_EQ(nonce.size(), 64u) << api.said();
  Browser browser{api};
  const Told in = browser.log_in(Map{{"nonce", nonce}});
  ASSERT_EQ(in.status, 200) << in.body;
  const std::string set = in.field("Set-Cookie");
  for (const char* word : {"HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"})
    EXPECT_TRUE(contains(set, word)) << set;
  EXPECT_TRUE(contains(in.body, "local:")) << in.body;
  EXPECT_EQ(api.send("GET", "/status", browser.ours()).status, 200);
  Browser second{api};
  EXPECT_EQ(second.log_in(Map{{"nonce", nonce}}).status, 401) << "once";
  EXPECT_EQ(second.log_in(Map{{"nonce", std::string(64, '0')}}).status, 401);
}

TEST(ApiBrowser, APersonDecidesWithTheCookie) {
  const ProposalWorld world(fast_policy("human"));
  ASSERT_EQ(world.submit().exit, 0);
  const ServedApi api(world, {"--open", "--json"});
  Browser browser{api};
  ASSERT_EQ(browser.log_in(Map{{"nonce", nonce_of(api)}}).status, 200);
  const std::string object = "/proposals/" + world.stem;
  const auto decide = [&](std::string_view verb, const Map& body) {
    const std::string etag = api.send("GET", object, browser.ours()).field("ETag");
    return api.send("POST", fmt::format("{}/{}", object, verb),
                    fmt::format("{}Content-Type: application/json\r\nX-Gatehouse-CSRF: "
                                "{}\r\nIf-Match: {}\r\n",
                                browser.ours(), browser.csrf, etag),
                    wire::canonical_json(body));
  };
  for (const char* reviewer : {"gemini", "codex"}) {
    const Told told = decide("reviews", Map{{"verdict", "ok"}, {"as", reviewer}});
    EXPECT_EQ(told.status, 200) << told.body;
  }
  const Told promoted = decide("promote", Map{{"confirm", world.stem}});
  EXPECT_EQ(promoted.status, 200) << promoted.body;
  EXPECT_EQ(world.status(), "promoted");
}

TEST(ApiBrowser, APageOfSomebodyElseDecidesNothing) {
  const ProposalWorld world(fast_policy());
  ASSERT_EQ(world.submit().exit, 0);
  const ServedApi api(world);
  Browser browser{api};
  ASSERT_EQ(browser.log_in(Map{{"token", server_token('p')}}).status, 200);
  const std::string path = "/proposals/" + world.stem + "/reject";
  const std::string json = "Content-Type: application/json\r\n", any = "If-Match: *\r\n",
                    cookie = "Cookie: " + browser.cookie + "\r\n",
                    origin = "Origin: " + browser.origin() + "\r\n",
                    csrf = "X-Gatehouse-CSRF: " + browser.csrf + "\r\n";
  const std::string body = R"({"reason":"no:no"})";
  for (const std::string& fields :
       {cookie, cookie + origin, cookie + csrf, cookie + origin + "X-Gatehouse-CSRF: x\r\n",
        cookie + csrf + "Origin: http://127.0.0.1:1\r\n",
        cookie + csrf + "Origin: http://localhost:" + std::to_string(api.port()) + "\r\n",
        cookie + csrf + origin + "Sec-Fetch-Site: same-site\r\n",
        cookie + csrf + origin + "Sec-Fetch-Site: cross-site\r\n"}) {
    const Told told = api.send("POST", path, fields + json + any, body);
    EXPECT_EQ(told.status, 403) << fields;
    EXPECT_EQ(told.code(), "csrf_refused") << fields;
  }
  EXPECT_EQ(
      api.send("POST", path, cookie + csrf + "Origin: http://evil.example\r\n" + json + any, body)
          .code(),
      "origin_refused");
  EXPECT_EQ(world.status(), "proposed");
  EXPECT_EQ(api.send("POST", path, cookie + csrf + origin + json + any, body).status, 200);
  EXPECT_EQ(world.status(), "rejected");
}

TEST(ApiBrowser, NobodyChoosesTheSessionOfSomebodyElse) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  Browser browser{api};
  ASSERT_EQ(browser.log_in(Map{{"token", server_token('a')}}).status, 200);
  const std::string planted = browser.cookie;
  ASSERT_EQ(browser.log_in(Map{{"token", server_token('p')}}).status, 200);
  EXPECT_NE(browser.cookie, planted);
  EXPECT_EQ(api.send("GET", "/status", "Cookie: " + planted + "\r\n").status, 401)
      << "what the browser came with is over";
  const Told told =
      api.send("DELETE", "/session", browser.ours() + "X-Gatehouse-CSRF: " + browser.csrf + "\r\n");
  EXPECT_EQ(told.status, 204);
  EXPECT_EQ(api.send("GET", "/status", browser.ours()).status, 401);
}

TEST(ApiBrowser, ASessionHasTheRolesOfItsToken) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  Browser browser{api};
  ASSERT_EQ(browser.log_in(Map{{"token", server_token('a')}}).status, 200);
  EXPECT_EQ(api.send("GET", "/audit", browser.ours()).status, 403);
  EXPECT_EQ(browser.log_in(Map{{"token", "gh8_no"}}).status, 401);
}

TEST(ApiBrowser, ThePageLoadsNothingFromElsewhereAndRunsNothingInline) {
  const ProposalWorld world(fast_policy());
  const ServedApi api(world);
  const auto get = [&](std::string_view path) {
    http::test::Client client(api.port());
    return client.send(http::test::get(path)).answer();
  };
  const auto page = get("/");
  ASSERT_EQ(page.status, 200);
  EXPECT_EQ(page.field("Content-Security-Policy"),
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
            "frame-ancestors 'none'; require-trusted-types-for 'script'; "
            "trusted-types gatehouse");
  EXPECT_EQ(page.field("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(page.field("Referrer-Policy"), "no-referrer");
  EXPECT_EQ(page.field("Cross-Origin-Opener-Policy"), "same-origin");
  EXPECT_EQ(page.field("Cross-Origin-Resource-Policy"), "same-origin");
  EXPECT_EQ(page.field("Permissions-Policy"), "camera=(), microphone=(), geolocation=()");
  for (const char* word : {"<style", "style=", "onclick", "http:", "https:"})
    EXPECT_FALSE(contains(page.body, word)) << page.body;
  std::size_t scripts = 0;
  for (std::size_t at = page.body.find("<script"); at != std::string::npos;
       at = page.body.find("<script", at + 1), ++scripts)
    EXPECT_TRUE(contains(page.body.substr(at, page.body.find('>', at) - at), " src=\"/assets/"));
  EXPECT_EQ(scripts, 1u);
  // interfaces 6.4, as far as there are pages
  for (const char* path :
       {"/p/any-id", "/map", "/health", "/findings", "/agents", "/audit", "/policy", "/doctor"})
    EXPECT_EQ(get(path).body, page.body) << path << ": an address to keep is the same page";
  for (const char* path : {"/assets/../index.html", "/assets/none.js", "/nowhere", "/..%2fetc"})
    EXPECT_EQ(get(path).status, 404) << path;
}

}  // namespace
}  // namespace gh::kit
